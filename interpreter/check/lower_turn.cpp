// Turns and phases: the expression of a turn -> an automaton (language B8, B14, B17).
//
// A place in a turn is the list of the parts still to be played. Its offer is found by taking the first
// part to pieces (the derivative of the expression); equal lists are one state.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

constexpr std::size_t kMaxStates = 20000;
constexpr int kMaxRepeat = 64;        // times that one part may come
constexpr int64_t kMaxRounds = 1024;  // repetitions inside repetitions, multiplied

}  // namespace

class TurnBuilder {
 public:
  explicit TurnBuilder(Lowerer& lowerer) : l_(lowerer), rules_(lowerer.rules) {}

  TurnStateId Start(const ast::Turn* turn, Span span) {
    span_ = span;
    List list;
    if (turn) {
      list.push_back(Whole(*turn));
    } else {
      list.push_back({nullptr, 0, 0, false});  // any move
    }
    TurnStateId start = State(list, "", true);
    while (!open_states_.empty()) {
      auto [id, parts] = std::move(open_states_.back());
      open_states_.pop_back();
      Finish(id, parts);
    }
    return start;
  }

 private:
  // A part still to be played; `min`, `max`: what is left of a repetition. `end`: a `longest` part ends here.
  struct Part {
    const ast::Turn* turn = nullptr;
    int min = 0, max = 0;
    bool end = false;
  };
  using List = std::vector<Part>;

  std::string KeyOf(const List& list) {
    std::string key;
    for (const Part& part : list) {
      auto [found, added] = numbers_.emplace(part.turn, static_cast<int>(numbers_.size()));
      bool repeat = part.turn && part.turn->kind == ast::TurnKind::kRepeat;
      key += part.end ? std::string("|")
                      : fmt::format("{}.{}.{} ", found->second, repeat ? part.min : 0, repeat ? part.max : 0);
    }
    return key;
  }

  static List Join(const List& first, const List& list) {  // what follows the head of `list`
    List joined = first;
    joined.insert(joined.end(), list.begin() + 1, list.end());
    return joined;
  }

  Part Whole(const ast::Turn& turn) {
    if (turn.kind != ast::TurnKind::kRepeat) return {&turn, 0, 0, false};
    const Lowerer::Rounds& rounds = l_.RoundsOf(turn);
    return {&turn, rounds.min, rounds.max, false};
  }

  // The first place of a turn is no place inside one, though the same parts may still be played there.
  TurnStateId State(const List& list, const std::string& after, bool first = false) {
    std::string key = (first ? "^" : "") + KeyOf(list);
    auto known = states_.find(key);
    if (known != states_.end()) return known->second;
    if (rules_.turn_states.size() >= kMaxStates) {
      if (!full_)
        l_.c.Error(Code::kLimitExpansion, span_, fmt::format("this turn has more than {} places", kMaxStates));
      full_ = true;
      return TurnStateId();
    }
    rules::TurnState state;
    state.name = after.empty() ? "start" : "after " + after;
    state.in_longest = std::any_of(list.begin(), list.end(), [](const Part& p) { return p.end; });
    TurnStateId id = rules_.turn_states.Add(state);
    states_.emplace(std::move(key), id);
    open_states_.emplace_back(id, list);
    return id;
  }

  void Finish(TurnStateId id, const List& list) {
    OfferId offer = Offer(list);
    // Within a `longest` part the longest way on is asked again at each of its places.
    if (rules_.turn_states[id].in_longest && !list.front().end && offer.valid()) {
      rules::Offer longest;
      longest.kind = rules::Offer::Kind::kLongest;
      longest.parts = {offer};
      offer = Intern(std::move(longest));
    }
    rules_.turn_states[id].offer = offer;
  }

  OfferId Intern(rules::Offer offer) {
    std::string key = fmt::format("{} {} {} {}", static_cast<int>(offer.kind), offer.condition.value, offer.next.value,
                                  static_cast<int>(offer.by));
    for (OfferId part : offer.parts) key += fmt::format(" {}", part.value);
    for (ActionId action : offer.actions) key += fmt::format(" a{}", action.value);
    auto [found, added] = offers_.emplace(std::move(key), rules_.offers.next_id());
    if (added) rules_.offers.Add(std::move(offer));
    return found->second;
  }

  OfferId Choice(rules::Offer::Kind kind, std::vector<OfferId> parts) {
    std::vector<OfferId> kept;
    for (OfferId part : parts) {
      if (!part.valid()) continue;
      const rules::Offer& offer = rules_.offers[part];
      if (offer.kind == rules::Offer::Kind::kOr && offer.parts.empty()) continue;  // nothing
      bool written = offer.span.valid();
      if (kind == rules::Offer::Kind::kOr && offer.kind == kind && !written) {
        for (OfferId inner : std::vector<OfferId>(rules_.offers[part].parts)) {
          if (std::find(kept.begin(), kept.end(), inner) == kept.end()) kept.push_back(inner);
        }
      } else if (std::find(kept.begin(), kept.end(), part) == kept.end()) {
        kept.push_back(part);
      }
    }
    if (kept.size() == 1) return kept[0];
    rules::Offer offer;
    offer.kind = kept.empty() ? rules::Offer::Kind::kOr : kind;
    offer.parts = std::move(kept);
    return Intern(std::move(offer));
  }

  OfferId Play(std::vector<ActionId> actions, rules::Offer::By by, const List& rest, const std::string& name) {
    rules::Offer offer;
    offer.kind = rules::Offer::Kind::kPlay;
    offer.actions = std::move(actions);
    offer.by = by;
    offer.next = State(rest, name);
    if (!offer.next.valid()) return OfferId();
    return Intern(std::move(offer));
  }

  // Traced rules: a part of a turn stays apart from equal ones that stand elsewhere.
  OfferId Kept(OfferId part, Span span) {
    if (!part.valid()) return part;
    const rules::Offer& offer = rules_.offers[part];
    if (offer.kind == rules::Offer::Kind::kOr && offer.parts.empty()) return part;
    rules::Offer kept;
    kept.kind = rules::Offer::Kind::kOr;
    kept.parts = {part};
    kept.span = span;
    return rules_.offers.Add(std::move(kept));
  }

  // What may come next when `list` is still to be played.
  OfferId Offer(const List& list) {
    if (full_ || !l_.Spend(span_)) return OfferId();
    if (list.empty()) return Intern(rules::Offer());
    std::string key = KeyOf(list);
    auto known = offer_of_.find(key);
    if (known != offer_of_.end()) return known->second;
    // A round of nothing leads back here: it adds nothing.
    if (!open_.insert(key).second) return Choice(rules::Offer::Kind::kOr, {});
    if (open_.size() > 1000 && !full_) {
      l_.c.Error(Code::kLimitExpansion, span_, "the parts of this turn are nested too deeply");
      full_ = true;
    }
    OfferId offer = full_ ? OfferId() : Derive(list);
    if (l_.c.trace && list.front().turn) offer = Kept(offer, list.front().turn->span);
    open_.erase(key);
    offer_of_.emplace(std::move(key), offer);
    return offer;
  }

  OfferId Derive(const List& list) {
    const Part& head = list.front();
    List rest(list.begin() + 1, list.end());
    if (head.end) return Offer(rest);
    if (!head.turn) return Play(l_.piece_statements, rules::Offer::By::kAnyone, rest, "any move");
    const ast::Turn& turn = *head.turn;
    switch (turn.kind) {
      case ast::TurnKind::kError:
        return OfferId();
      case ast::TurnKind::kAtom:
        return Atom(turn, list, rest);
      case ast::TurnKind::kThen: {
        List parts;
        for (const auto& child : turn.children) parts.push_back(Whole(*child));
        return Offer(Join(parts, list));
      }
      case ast::TurnKind::kOr:
      case ast::TurnKind::kElse: {
        std::vector<OfferId> parts;
        for (const auto& child : turn.children) parts.push_back(Offer(Join({Whole(*child)}, list)));
        return Choice(turn.kind == ast::TurnKind::kOr ? rules::Offer::Kind::kOr : rules::Offer::Kind::kElse,
                      std::move(parts));
      }
      case ast::TurnKind::kIf:
        return Branch(turn, list, rest);
      case ast::TurnKind::kRepeat:
        return Repeat(turn, head, list, rest);
      case ast::TurnKind::kLongest: {
        bool nested = std::any_of(rest.begin(), rest.end(), [](const Part& p) { return p.end; });
        if (nested) {
          l_.c.Error(Code::kTurnUnbounded, turn.span, "`longest` stands inside another `longest`");
          return OfferId();
        }
        Part end;
        end.end = true;
        OfferId inner = Offer(Join({Whole(*turn.children[0]), end}, list));
        if (!inner.valid()) return inner;
        rules::Offer longest;
        longest.kind = rules::Offer::Kind::kLongest;
        longest.parts = {inner};
        return Intern(std::move(longest));
      }
    }
    return OfferId();
  }

  OfferId Atom(const ast::Turn& turn, const List& list, const List& rest) {
    if (!turn.name.present()) return OfferId();
    const std::string& name = turn.name.text;
    if (name == "done") return Offer(rest);
    const auto by = turn.by == ast::Turn::By::kSame    ? rules::Offer::By::kSame
                    : turn.by == ast::Turn::By::kOther ? rules::Offer::By::kOther
                                                       : rules::Offer::By::kAnyone;
    if (name == "any move") {
      std::vector<ActionId> actions = l_.AnyMove(turn.except, reported_.insert(&turn).second);
      if (actions.empty()) l_.empty_atoms.push_back(turn.name);
      return Play(std::move(actions), by, rest, name);
    }
    if (Symbol* named = l_.Use(name, {SymbolKind::kTurn})) {
      const auto* decl = named->decl ? std::get_if<ast::TurnDecl>(&named->decl->payload) : nullptr;
      if (!decl || !decl->turn || named->broken) return OfferId();
      return Offer(Join({Whole(*decl->turn)}, list));
    }
    std::vector<ActionId> actions = l_.AtomActions(turn.name);
    if (actions.empty()) l_.empty_atoms.push_back(turn.name);
    return Play(std::move(actions), by, rest, name);
  }

  OfferId Branch(const ast::Turn& turn, const List& list, const List& rest) {
    if (!turn.condition) return OfferId();
    int frame = 0;
    Scope s;
    s.frame_size = &frame;
    ExprId condition = l_.Condition(s, *turn.condition);
    auto part = [&](std::size_t i) {
      return i < turn.children.size() && turn.children[i] ? Offer(Join({Whole(*turn.children[i])}, list)) : Offer(rest);
    };
    if (std::optional<bool> truth = l_.Truth(condition)) return part(*truth ? 0 : 1);
    rules::Offer offer;
    offer.kind = rules::Offer::Kind::kIf;
    offer.condition = condition;
    offer.frame_size = frame;
    offer.parts = {part(0), part(1)};
    if (!condition.valid() || !offer.parts[0].valid() || !offer.parts[1].valid()) return OfferId();
    return Intern(std::move(offer));
  }

  OfferId Repeat(const ast::Turn& turn, const Part& head, const List& list, const List& rest) {
    const Lowerer::Rounds& rounds = l_.RoundsOf(turn);
    if (rounds.broken) return OfferId();
    if (rounds.never) return Choice(rules::Offer::Kind::kOr, {});
    if (head.max == 0) return Offer(rest);
    if (rounds.min > kMaxRepeat || rounds.max > kMaxRepeat) {
      l_.c.Error(Code::kLimitExpansion, turn.span, fmt::format("a part of a turn repeats at most {} times", kMaxRepeat))
          .help.push_back("without a bound, `{1..}`, each round has to take a piece away");
      return OfferId();
    }
    if (rounds.max < 0) unbounded_.push_back(&turn);
    Part again = head;
    again.min = std::max(0, head.min - 1);
    again.max = head.max < 0 ? -1 : head.max - 1;
    OfferId once = Offer(Join({Whole(*turn.children[0]), again}, list));
    if (head.min > 0) return once;
    return Choice(rules::Offer::Kind::kOr, {once, Offer(rest)});
  }

 public:
  const std::vector<const ast::Turn*>& unbounded() const { return unbounded_; }

 private:
  Lowerer& l_;
  rules::Rules& rules_;
  Span span_;
  bool full_ = false;
  std::map<const ast::Turn*, int> numbers_;
  std::map<std::string, TurnStateId> states_;
  std::map<std::string, OfferId> offers_, offer_of_;
  std::set<std::string> open_;
  std::set<const ast::Turn*> reported_;  // parts `any move except …` whose names have been looked at
  std::vector<std::pair<TurnStateId, List>> open_states_;
  std::vector<const ast::Turn*> unbounded_;
};

const Lowerer::Rounds& Lowerer::RoundsOf(const ast::Turn& turn) {
  auto [known, added] = rounds_.try_emplace(&turn);
  if (!added) return known->second;
  int frame = 0;
  Scope s;
  s.frame_size = &frame;
  return known->second = LowerTimes(s, turn.times);
}

// ---- T*: does every round use something up? ----------------------------------------------------------

namespace {

bool AddsPieces(const rules::Block& block) {
  return std::any_of(block.begin(), block.end(), [](const rules::Effect& e) {
    return e.op == rules::EffectOp::kPlace || e.op == rules::EffectOp::kSetUp || AddsPieces(e.body) ||
           AddsPieces(e.otherwise);
  });
}

bool AddsPieces(const std::vector<rules::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const rules::Step& s) {
    return s.op == rules::StepOp::kPerform || AddsPieces(s.effects) || AddsPieces(s.body) || AddsPieces(s.otherwise);
  });
}

// Whether each instance of the action takes a piece away.
bool TakesPiece(const rules::Rules& rules, const rules::Action& action) {
  std::set<int> occupied;  // slots of cells on which a piece stood when they were chosen
  for (const rules::Step& step : action.steps) {
    const rules::Filter& onto = step.query.onto;
    if (step.op == rules::StepOp::kChoose && !onto.negated && !onto.empty && !onto.pieces.empty() &&
        !onto.cells.valid()) {
      occupied.insert(step.slot);
      continue;
    }
    auto slot_of = [&](ExprId id) {
      if (!id.valid()) return -1;
      const rules::Expr* e = &rules.exprs[id];
      if (e->op == Op::kPieceAt) e = &rules.exprs[e->children[0]];
      return e->op == Op::kLocal ? e->slot : -1;
    };
    if (step.op == rules::StepOp::kCapture && occupied.contains(slot_of(step.expr))) return true;
    for (const rules::Effect& effect : step.effects) {
      if (effect.op == rules::EffectOp::kRemove && occupied.contains(slot_of(effect.a))) return true;
    }
  }
  return false;
}

}  // namespace

// The actions that a part of a turn can play; false if one of its rounds may play none of those that take.
static bool EachRoundTakes(Lowerer& l, const ast::Turn& turn, int depth) {
  if (depth > 50) return false;
  auto child = [&](std::size_t i) {
    return i < turn.children.size() && turn.children[i] && EachRoundTakes(l, *turn.children[i], depth + 1);
  };
  switch (turn.kind) {
    case ast::TurnKind::kAtom: {
      if (turn.name.text == "done" || turn.name.text == "pass") return false;
      if (Symbol* named = l.Use(turn.name.text, {SymbolKind::kTurn})) {
        const auto* decl = named->decl ? std::get_if<ast::TurnDecl>(&named->decl->payload) : nullptr;
        return decl && decl->turn && EachRoundTakes(l, *decl->turn, depth + 1);
      }
      std::vector<ActionId> actions =
          turn.name.text == "any move" ? l.AnyMove(turn.except, false) : l.AtomActions(turn.name);
      return std::all_of(actions.begin(), actions.end(),
                         [&](ActionId id) { return TakesPiece(l.rules, l.rules.actions[id]); });
    }
    case ast::TurnKind::kThen:
      for (std::size_t i = 0; i < turn.children.size(); ++i) {
        if (child(i)) return true;
      }
      return false;
    case ast::TurnKind::kRepeat:
      return l.RoundsOf(turn).min > 0 && child(0);
    case ast::TurnKind::kLongest:
      return child(0);
    default:
      for (std::size_t i = 0; i < turn.children.size(); ++i) {
        if (!child(i)) return false;
      }
      return !turn.children.empty();
  }
}

// ---- phases ------------------------------------------------------------------------------------

// How often the parts of a turn may come, repetitions inside repetitions multiplied; reports where it is
// too often. Named turns must not contain themselves.
static int64_t CheckRounds(Lowerer& l, const ast::Turn& turn, std::map<Symbol*, int64_t>& known) {
  int64_t most = 1;
  if (turn.kind == ast::TurnKind::kAtom && turn.name.present()) {
    Symbol* named = l.c.symbols.Find(turn.name.text);
    if (!named || named->kind != SymbolKind::kTurn) return 1;
    auto found = known.find(named);
    if (found != known.end()) return found->second;
    const auto* decl = named->decl ? std::get_if<ast::TurnDecl>(&named->decl->payload) : nullptr;
    if (decl && decl->turn) most = CheckRounds(l, *decl->turn, known);
    known[named] = most;
    return most;
  }
  for (const auto& child : turn.children) {
    if (child) most = std::max(most, CheckRounds(l, *child, known));
  }
  if (turn.kind != ast::TurnKind::kRepeat) return most;
  int64_t rounds = most * std::clamp(l.RoundsOf(turn).max, 1, kMaxRepeat);
  if (rounds > kMaxRounds && most <= kMaxRounds) {
    l.c.Error(Code::kLimitExpansion, turn.span, fmt::format("this part of a turn may come {} times", rounds))
        .help.push_back(fmt::format("repetitions inside repetitions multiply; {} is the most", kMaxRounds));
  }
  return std::min(rounds, kMaxRounds * kMaxRepeat);
}

// Turns that contain themselves; reports the first reference that closes a ring. True if there is none.
static bool CheckNamedTurns(Lowerer& l, const ast::Turn& turn, std::vector<Symbol*>& inside, std::set<Symbol*>& done) {
  if (turn.kind == ast::TurnKind::kAtom && turn.name.present()) {
    Symbol* named = l.c.symbols.Find(turn.name.text);
    if (!named || named->kind != SymbolKind::kTurn || done.contains(named)) return true;
    if (std::find(inside.begin(), inside.end(), named) != inside.end()) {
      l.c.Error(Code::kNameRecursive, turn.name.span, fmt::format("the turn `{}` refers to itself", turn.name.text))
          .help.push_back("a part that may come several times is written `PART{1..3}`");
      return false;
    }
    const auto* decl = named->decl ? std::get_if<ast::TurnDecl>(&named->decl->payload) : nullptr;
    inside.push_back(named);
    bool ok = !decl || !decl->turn || CheckNamedTurns(l, *decl->turn, inside, done);
    inside.pop_back();
    done.insert(named);
    return ok;
  }
  bool ok = true;
  for (const auto& child : turn.children) ok = ok && (!child || CheckNamedTurns(l, *child, inside, done));
  return ok;
}

uint64_t Lowerer::PhaseBits(const std::vector<ast::Name>& names) {
  uint64_t bits = 0;
  for (const ast::Name& name : names) {
    if (!name.present()) continue;
    Symbol* phase = Use(name.text, {SymbolKind::kPhase});
    if (!phase) {
      UnknownName(name.text, name.span, "phase",
                  c.symbols.Names([](const Symbol& s) { return s.kind == SymbolKind::kPhase; }));
      continue;
    }
    if (phase->id >= 0 && phase->id < 64) bits |= uint64_t{1} << phase->id;
  }
  return bits;
}

void Lowerer::LowerPhases() {
  const ast::Turn* game_turn = nullptr;
  std::vector<std::pair<const ast::Decl*, const ast::Phase*>> declared;
  Span turn_span;
  for (const SourceDecl& source : c.decls) {
    if (const auto* turn = std::get_if<ast::TurnDecl>(&source.decl->payload); turn && !turn->name.present()) {
      game_turn = turn->turn.get();
      turn_span = source.decl->span;
    }
    if (const auto* phase = std::get_if<ast::Phase>(&source.decl->payload)) declared.emplace_back(source.decl, phase);
  }
  std::vector<Symbol*> inside;
  std::set<Symbol*> done;
  std::map<Symbol*, int64_t> rounds;
  std::size_t before = c.sink.all().size();
  for (const SourceDecl& source : c.decls) {
    const ast::Turn* written = nullptr;
    inside.clear();
    if (const auto* turn = std::get_if<ast::TurnDecl>(&source.decl->payload)) {
      written = turn->turn.get();
      if (Symbol* named = turn->name.present() ? c.symbols.Find(turn->name.text) : nullptr) inside = {named};
    } else if (const auto* phase = std::get_if<ast::Phase>(&source.decl->payload)) {
      written = phase->turn.get();
    }
    if (!written) continue;
    if (!CheckNamedTurns(*this, *written, inside, done)) return;
    CheckRounds(*this, *written, rounds);
  }
  if (c.sink.all().size() > before) return;
  TurnBuilder builder(*this);
  if (declared.empty()) {
    if (rules.phases.empty()) rules.phases.emplace_back();
    rules::Phase& phase = rules.phases[0];
    phase.span = turn_span;
    phase.turn = builder.Start(game_turn, turn_span);
  }
  for (auto [decl, written] : declared) {
    Symbol* symbol = written->name.present() ? c.symbols.Find(written->name.text) : nullptr;
    if (!symbol || symbol->kind != SymbolKind::kPhase || symbol->id < 0) continue;
    if (rules.phases.size() <= static_cast<std::size_t>(symbol->id)) {
      rules.phases.resize(static_cast<std::size_t>(symbol->id) + 1);
    }
    rules::Phase phase;
    phase.name = written->name.text;
    phase.span = decl->span;
    Scope s;
    s.frame_size = &phase.frame_size;
    if (written->player) phase.player = Lower(s, *written->player, PlayerType());
    phase.turn = builder.Start(written->turn ? written->turn.get() : game_turn, decl->span);
    if (written->after) LowerBlock(s, *written->after, phase.after);
    rules.phases[static_cast<std::size_t>(symbol->id)] = std::move(phase);
  }
  CheckUnbounded(builder.unbounded());
}

void Lowerer::CheckUnbounded(const std::vector<const ast::Turn*>& turns) {
  for (const ast::Turn* turn : turns) {
    if (!unbounded_.insert(turn).second) continue;
    bool adds = false;
    for (const rules::Action& action : rules.actions) adds = adds || AddsPieces(action.steps);
    for (const rules::Handler& handler : rules.handlers) adds = adds || AddsPieces(handler.block);
    if (!turn->children.empty() && turn->children[0] && EachRoundTakes(*this, *turn->children[0], 0) && !adds) continue;
    Diagnostic& d = c.Error(Code::kTurnUnbounded, turn->span, "nothing says that this part of a turn ever ends");
    d.notes.push_back("without a bound each round has to take a piece away, and no action may add one");
    d.help.push_back("give it a bound: `{0..10}`");
  }
}

// The place in which a named turn begins that a rule asks about, whether or not anybody plays it.
TurnStateId Lowerer::AskedTurn(const Symbol& symbol, Span span) {
  const auto* decl = symbol.decl ? std::get_if<ast::TurnDecl>(&symbol.decl->payload) : nullptr;
  if (!decl || !decl->turn || symbol.broken || c.sink.has_errors()) return TurnStateId();
  TurnBuilder builder(*this);
  TurnStateId start = builder.Start(decl->turn.get(), span);
  CheckUnbounded(builder.unbounded());
  return start;
}

}  // namespace arbiter::check
