// Actions of other forms, written out: for every player and origin each choice that could be made becomes a case with
// what must hold and what is done.
//
// The steps of the action are carried out on a board of which nothing is known but what the steps themselves ask.
#include <algorithm>

#include "compile/flat.h"

namespace arbiter::compile {

using program::FlatCase;
using program::FlatGroup;
using rules::Expr;
using rules::Op;
using rules::Step;
using rules::StepOp;

namespace {

constexpr std::size_t kMaxCases = 4096;       // of the whole game
constexpr std::size_t kMaxBranches = 200000;  // looked at

void Append(std::vector<int>* list, int value) {
  if (std::find(list->begin(), list->end(), value) == list->end()) list->push_back(value);
}

}  // namespace

// A case under way.
struct FlatMaker::CaseState {
  FlatCase made;
  CellSet empty;  // at the beginning of the action
  Known known;
  // What stands on a cell now, where it is known: these codes; none: empty. Later entries count.
  std::vector<std::pair<int, std::vector<Code>>> content;
  std::vector<FlatWrite> writes;
  int self_cell = -1;
  bool changed = false;  // something was done: the position is not the one that tests ask

  [[nodiscard]] const std::vector<Code>* At(int cell) const {
    for (auto it = content.rbegin(); it != content.rend(); ++it) {
      if (it->first == cell) return &it->second;
    }
    return nullptr;
  }
};

// Adds what the expression asks to the case.
bool FlatMaker::Require(ExprId id, CaseState* s, bool* never) {
  const Folded f = Fold(rules_, id, s->known);
  if (f.kind == Folded::Kind::kValue) {
    if (f.value == 0 || f.value == kNone) *never = true;
    return true;
  }
  const Expr& e = rules_.exprs[id];
  if (s->changed) return Fail("an action asks about the position after an effect");
  if (e.op == Op::kAnd) {
    for (const ExprId part : e.children) {
      if (!Require(part, s, never)) return false;
      if (*never) return true;
    }
    return true;
  }
  if (e.op == Op::kNot && rules_.exprs[e.children[0]].op == Op::kAttacked) {
    const Folded what = Fold(rules_, rules_.exprs[e.children[0]].children[0], s->known);
    const bool cell = what.kind == Folded::Kind::kValue, piece = what.kind == Folded::Kind::kPiece;
    if (what.is(kNone)) return true;  // nothing is not attacked
    if (piece && what.piece.owner != player_) return Fail("an action asks whether another piece is attacked");
    if (!p_.attacks_folded || (!cell && !piece)) return Fail("an action asks for an attack that tables do not tell");
    Append(&s->made.safe, cell ? what.value : what.piece.cell);
    return true;
  }
  if (e.op == Op::kIsEmpty) {
    const Folded cell = Fold(rules_, e.children[0], s->known);
    if (cell.kind == Folded::Kind::kValue && cell.value != kNone) {
      const std::vector<Code>* there = s->At(cell.value);
      if (there != nullptr) {
        *never = !there->empty();
      } else {
        s->empty.set(static_cast<std::size_t>(cell.value));
        s->content.emplace_back(cell.value, std::vector<Code>{});
        s->known.empty.push_back(cell.value);
      }
      return true;
    }
  }
  const int test = Test(id, s->known);
  if (test == kUnknown) return Fail("an action asks about more than pieces and state");
  if (test == kNever) *never = true;
  if (test < 0) return true;
  const program::FlatTest& made = f_.tests[static_cast<std::size_t>(test)];
  if (made.op != program::FlatTest::Op::kState) {
    s->made.tests.push_back(test);
    return true;
  }
  if (((s->made.value ^ made.value) & s->made.mask & made.mask) != 0) *never = true;
  s->made.mask |= made.mask;
  s->made.value |= made.value;
  return true;
}

// The ends of a query, each with what must hold for it; `cells` gives them in the same order.
bool FlatMaker::Candidates(const rules::Query& q, CaseState& s, std::vector<CaseState>* out, std::vector<int>* cells) {
  if (s.changed) return Fail("an action chooses after an effect");
  const Folded walk = Fold(rules_, q.walk, s.known), from = Fold(rules_, q.from, s.known);
  if (walk.kind != Folded::Kind::kValue || from.kind != Folded::Kind::kValue) {
    return Fail("where a walk begins depends on the position");
  }
  if (walk.value == kNone || from.value == kNone) return true;
  const program::Walk& compiled = p_.walks[static_cast<std::size_t>(walk.value)];
  const Relation& relation = relations_.Of(walk.value, player_);
  if (!relation.known || compiled.rows < 0) return Fail("a walk has no tables: " + compiled.why);
  CellSet within;
  within.set();
  if (q.within.valid()) {
    const Folded f = Fold(rules_, q.within, s.known);
    if (f.kind != Folded::Kind::kCells) return Fail("the cells that a walk may end on depend on the position");
    within = f.cells;
  }
  if (q.onto.negated) return Fail("where a walk may end is no plain filter");
  for (const Related& related : relation.at[static_cast<std::size_t>(from.value)]) {
    const int cell = related.cell;
    if (!within.test(static_cast<std::size_t>(cell))) continue;
    CaseState base = s;
    bool never = false;
    const std::vector<Path>& paths = b_.ways[related.ways].paths;
    if (paths.size() == 1 && paths.front().occupied.none()) {
      const CellSet& empty = paths.front().empty;
      for (std::size_t c = empty._Find_first(); c < empty.size(); c = empty._Find_next(c)) {
        const std::vector<Code>* there = base.At(static_cast<int>(c));
        if (there != nullptr && !there->empty()) never = true;
        if (there == nullptr) base.content.emplace_back(static_cast<int>(c), std::vector<Code>{});
      }
      base.empty |= empty;
    } else {
      base.made.reach.push_back({compiled.rows + player_ * p_.cells + from.value, cell});
    }
    if (never) continue;
    const auto give = [&](CaseState made) {
      if (++branches_ > kMaxBranches) return Fail("an action has too many cases");
      out->push_back(std::move(made));
      cells->push_back(cell);
      return true;
    };
    const bool unlimited = !q.onto.empty && q.onto.pieces.empty() && !q.onto.cells.valid();
    if (unlimited && !give(base)) return false;
    if (q.onto.cells.valid()) {
      if (q.onto.empty || !q.onto.pieces.empty()) return Fail("where a walk may end is no plain filter");
      const Folded f = Fold(rules_, q.onto.cells, base.known);
      const Expr& asked = rules_.exprs[q.onto.cells];
      if (f.kind == Folded::Kind::kCells || f.kind == Folded::Kind::kValue) {
        const bool in = f.kind == Folded::Kind::kCells ? f.cells.test(static_cast<std::size_t>(cell)) : f.value == cell;
        if (in && !give(base)) return false;
        continue;
      }
      const int element = asked.op == Op::kState ? Element(asked, base.known) : -1;
      if (element < 0) return Fail("the cell that a walk may end on depends on more than the state");
      const program::FlatField& field = f_.fields[static_cast<std::size_t>(element)];
      if (!field.Holds(cell)) continue;
      if (((base.made.value ^ field.Encoded(cell)) & base.made.mask & field.mask()) != 0) continue;
      base.made.mask |= field.mask();
      base.made.value |= field.Encoded(cell);
      if (!give(base)) return false;
      continue;
    }
    const std::vector<Code>* there = base.At(cell);
    if (q.onto.empty && (there == nullptr || there->empty())) {
      CaseState made = base;
      made.empty.set(static_cast<std::size_t>(cell));
      made.content.emplace_back(cell, std::vector<Code>{});
      made.known.empty.push_back(cell);
      if (!give(std::move(made))) return false;
    }
    std::vector<Code> codes;
    for (const rules::PieceTest& t : q.onto.pieces) {
      for (const Code code : Codes(t.kinds, t.side, player_)) {
        const bool may = there == nullptr || std::find(there->begin(), there->end(), code) != there->end();
        if (may && std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
      }
    }
    if (codes.empty()) continue;
    CaseState made = base;
    made.made.on.push_back({cell, codes});
    made.content.emplace_back(cell, codes);
    if (codes.size() == 1) {
      made.known.standing.emplace_back(cell, KnownPiece{KindOf(codes.front()), OwnerOf(codes.front()), cell});
    }
    if (!give(std::move(made))) return false;
  }
  return true;
}

bool FlatMaker::LetWalk(const Step& step, CaseState s, const std::vector<Step>& steps, std::size_t at) {
  std::vector<CaseState> ends;
  std::vector<int> cells;
  if (!Candidates(step.query, s, &ends, &cells)) return false;
  if (ends.size() > 1) return Fail("a `let` walk may have several ends");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends[i].known.slots.emplace_back(step.slot, cells[i]);
    if (!Steps(steps, at + 1, ends[i])) return false;
  }
  // There may be no end. What must hold for that cannot be said here: such a case may not go on.
  s.known.slots.emplace_back(step.slot, kNone);
  const bool was_unsure = unsure_;
  if (!ends.empty()) unsure_ = true;
  const bool fits = Steps(steps, at + 1, s);
  unsure_ = was_unsure;
  return fits;
}

bool FlatMaker::MoveInCase(CaseState* s, int from, int to, bool* never) {
  if (from == to) return true;
  const std::vector<Code>* piece = s->At(from);
  if (piece == nullptr || piece->size() != 1) return Fail("an action moves a piece of a kind that is not known");
  const Code code = piece->front();
  if (OwnerOf(code) >= 0 && OwnerOf(code) != player_ && !f_.sides[static_cast<std::size_t>(player_)].guarded.empty()) {
    // The law is asked of the enemies where they stood (FlatMachine::FitsRest).
    return Fail("an action moves an enemy, which may then attack a guarded piece");
  }
  const std::vector<Code>* there = s->At(to);
  if (there == nullptr) {
    s->empty.set(static_cast<std::size_t>(to));
  } else if (!there->empty()) {
    *never = true;  // the cell is taken: the instance does not exist
    return true;
  }
  const bool by_self = from == s->self_cell;
  s->content.emplace_back(from, std::vector<Code>{});
  s->content.emplace_back(to, std::vector<Code>{code});
  std::erase_if(s->known.standing, [&](const auto& entry) { return entry.first == from; });
  std::erase(s->known.empty, to);
  s->known.empty.push_back(from);
  s->known.standing.emplace_back(to, KnownPiece{KindOf(code), OwnerOf(code), to});
  if (by_self) {
    s->self_cell = to;
    s->known.self.cell = to;
  }
  s->made.steps.push_back({from, to});
  s->changed = true;
  FlatMovement m;
  m.kind = KindOf(code);
  m.owner = OwnerOf(code);
  m.from = from;
  m.to = to;
  m.by_self = by_self;
  return Events(m, player_, &s->writes);
}

bool FlatMaker::RemoveInCase(CaseState* s, int cell) {
  const std::vector<Code>* there = s->At(cell);
  if (there != nullptr && there->empty()) return true;
  if (cell == s->self_cell) return Fail("a piece removes itself");
  s->made.steps.push_back({cell, -1});
  s->content.emplace_back(cell, std::vector<Code>{});
  std::erase_if(s->known.standing, [&](const auto& entry) { return entry.first == cell; });
  s->known.empty.push_back(cell);
  s->changed = true;
  return true;
}

bool FlatMaker::DoEffects(const rules::Block& block, CaseState* s, bool* never) {
  using rules::EffectOp;
  for (const rules::Effect& effect : block) {
    switch (effect.op) {
      case EffectOp::kMove: {
        const Folded piece = Fold(rules_, effect.a, s->known), cell = Fold(rules_, effect.b, s->known);
        if (piece.is(kNone) || cell.is(kNone)) break;
        if (piece.kind != Folded::Kind::kPiece || piece.piece.cell < 0 || cell.kind != Folded::Kind::kValue) {
          return Fail("what an action moves depends on the position");
        }
        if (!MoveInCase(s, piece.piece.cell, cell.value, never)) return false;
        if (*never) return true;
        break;
      }
      case EffectOp::kRemove: {
        const Folded piece = Fold(rules_, effect.a, s->known);
        if (piece.is(kNone)) break;
        int cell = piece.kind == Folded::Kind::kPiece ? piece.piece.cell : -1;
        if (const Expr& e = rules_.exprs[effect.a]; cell < 0 && e.op == Op::kPieceAt) {
          const Folded where = Fold(rules_, e.children[0], s->known);
          if (where.kind == Folded::Kind::kValue) cell = where.value;
        }
        if (cell < 0) return Fail("what an action removes depends on the position");
        if (!RemoveInCase(s, cell)) return false;
        break;
      }
      case EffectOp::kIf: {
        const Folded f = Fold(rules_, effect.a, s->known);
        if (f.kind != Folded::Kind::kValue) return Fail("an effect depends on the position");
        if (!DoEffects(f.value != 0 && f.value != kNone ? effect.body : effect.otherwise, s, never)) return false;
        if (*never) return true;
        break;
      }
      case EffectOp::kSet:
        if (!WritesOf({effect}, s->known, -1, &s->writes)) return Fail("an effect depends on the position");
        break;
      default:
        return Fail("an action does more than move, remove and change the state");
    }
  }
  return true;
}

bool FlatMaker::PromoteInCase(const CaseState& s, const std::vector<Step>& steps, std::size_t at) {
  const Code self = s.made.self;
  if (self == program::kNoPiece || s.self_cell < 0) return Steps(steps, at + 1, s);
  const int kind = KindOf(self);
  if (p_.kinds[static_cast<std::size_t>(kind)].promotions.empty()) return Steps(steps, at + 1, s);
  if (p_.promotion_zones[static_cast<std::size_t>(kind)] < 0) return Fail("a promotion depends on the position");
  const int option = p_.promotion_at[static_cast<std::size_t>((kind * p_.players + player_) * p_.cells + s.self_cell)];
  if (option < 0) return Steps(steps, at + 1, s);
  for (const int promoted : p_.promotion_options[static_cast<std::size_t>(option)]) {
    CaseState next = s;
    if (promoted >= 0) {
      next.made.becomes = CodeOf(promoted, player_);
      if (next.made.becomes == program::kNoPiece) return Fail("a promotion to a piece that nobody owns");
      next.made.tokens.push_back({rules::Base::kKind, promoted});
    }
    if (at + 1 != steps.size()) return Fail("an action goes on after a promotion");
    if (!FinishCase(std::move(next))) return false;
  }
  return true;
}

bool FlatMaker::FinishCase(CaseState s) {
  if (unsure_) return Fail("an action goes on without a piece that it looked for");
  if (out_->size() + f_.cases.size() >= kMaxCases) return Fail("an action has too many cases");
  moved_writes_.insert(moved_writes_.end(), s.writes.begin(), s.writes.end());
  if (!AddWritesAfter(player_, &s.writes)) return false;
  if (!ChangeOf(s.writes, true, false, &s.made.change) || !ChangeOf(s.writes, true, true, &s.made.timeless_change)) {
    return false;
  }
  if (s.empty.any()) s.made.empty = b_.AddSet(s.empty);
  out_->push_back(std::move(s.made));
  return true;
}

bool FlatMaker::Steps(const std::vector<Step>& steps, std::size_t at, const CaseState& before) {
  CaseState s = before;
  for (; at < steps.size(); ++at) {
    if (++branches_ > kMaxBranches) return Fail("an action has too many cases");
    const Step& step = steps[at];
    bool never = false;
    switch (step.op) {
      case StepOp::kRequire:
        if (!Require(step.expr, &s, &never)) return false;
        break;
      case StepOp::kChoose: {
        if (step.remembers) return Fail("an action depends on the way of a choice");
        std::vector<CaseState> ends;
        std::vector<int> cells;
        if (!Candidates(step.query, s, &ends, &cells)) return false;
        for (std::size_t i = 0; i < ends.size(); ++i) {
          ends[i].made.tokens.push_back({rules::Base::kCell, cells[i]});
          ends[i].known.slots.emplace_back(step.slot, cells[i]);
          if (!Steps(steps, at + 1, ends[i])) return false;
        }
        return true;
      }
      case StepOp::kChooseIn: {
        const Expr& set = rules_.exprs[step.expr];
        const Folded f = Fold(rules_, step.expr, s.known);
        std::vector<Value> items = f.list;
        if (f.kind == Folded::Kind::kCells) {
          for (int c = 0; c < p_.cells; ++c) {
            if (f.cells.test(static_cast<std::size_t>(c))) items.push_back(c);
          }
        } else if (f.kind != Folded::Kind::kList) {
          return Fail("what an action may choose depends on the position");
        }
        for (const Value item : items) {
          CaseState next = s;
          next.made.tokens.push_back({set.type.base, item});
          next.known.slots.emplace_back(step.slot, item);
          if (!Steps(steps, at + 1, next)) return false;
        }
        return true;
      }
      case StepOp::kLet: {
        const Folded f = Fold(rules_, step.expr, s.known);
        if (f.kind == Folded::Kind::kValue) {
          s.known.slots.emplace_back(step.slot, f.value);
        } else if (f.kind == Folded::Kind::kPiece) {
          return Fail("an action names a piece");  // which would have to be followed through the effects
        } else {
          return Fail("an action names something that depends on the position");
        }
        break;
      }
      case StepOp::kLetWalk:
        if (step.remembers) return Fail("an action depends on the way of a choice");
        return LetWalk(step, std::move(s), steps, at);
      case StepOp::kEffects:
        if (!DoEffects(step.effects, &s, &never)) return false;
        break;
      case StepOp::kCapture: {
        const Folded cell = Fold(rules_, step.expr, s.known);
        if (cell.is(kNone)) break;
        if (cell.kind != Folded::Kind::kValue) return Fail("what an action takes depends on the position");
        const std::vector<Code>* there = s.At(cell.value);
        if (there == nullptr) return Fail("an action takes what it has not looked at");
        const auto enemy = [&](Code code) { return OwnerOf(code) >= 0 && OwnerOf(code) != player_; };
        const auto enemies = static_cast<std::size_t>(std::count_if(there->begin(), there->end(), enemy));
        if (enemies != 0 && enemies != there->size()) return Fail("an action may take a piece or leave it");
        if (enemies != 0 && !RemoveInCase(&s, cell.value)) return false;
        break;
      }
      case StepOp::kName:
        s.made.tokens.push_back({rules::Base::kAction, step.value});
        break;
      case StepOp::kPromote:
        return PromoteInCase(s, steps, at);
      case StepOp::kIf: {
        const Folded f = Fold(rules_, step.expr, s.known);
        if (f.kind != Folded::Kind::kValue) return Fail("the steps of an action depend on the position");
        const bool holds = f.value != 0 && f.value != kNone;
        std::vector<Step> rest = holds ? step.body : step.otherwise;
        rest.insert(rest.end(), steps.begin() + static_cast<std::ptrdiff_t>(at) + 1, steps.end());
        return Steps(rest, 0, s);
      }
      default:
        return Fail("an action calls another one, or loops");
    }
    if (never) return true;
  }
  return FinishCase(std::move(s));
}

// Cases of one action by one code, in buckets.
bool FlatMaker::MakeGroup(int player, int action, Code self, std::vector<FlatCase> cases) {
  if (cases.empty()) return true;
  FlatGroup group;
  group.action = action;
  group.self = self;
  std::size_t buckets = self == program::kNoPiece ? 1 : static_cast<std::size_t>(p_.cells);
  // Does every case need one number of some element? Then the state says which of them are possible.
  for (const program::FlatField& field : f_.fields) {
    const bool fits =
        field.width > 0 && field.width <= 9 && std::all_of(cases.begin(), cases.end(), [&](const FlatCase& c) {
          return (c.mask & field.mask()) == field.mask() && (c.value & field.mask()) != 0;
        });
    if (!fits || field.width < 3) continue;
    group.by_state = true;
    group.shift = field.shift;
    group.mask = field.mask() >> field.shift;
    buckets = static_cast<std::size_t>(group.mask) + 1;
    break;
  }
  const auto bucket = [&](const FlatCase& c) {
    if (group.by_state) return static_cast<std::size_t>((c.value >> group.shift) & group.mask);
    return c.origin < 0 ? std::size_t{0} : static_cast<std::size_t>(c.origin);
  };
  std::stable_sort(cases.begin(), cases.end(),
                   [&](const FlatCase& a, const FlatCase& b) { return bucket(a) < bucket(b); });
  std::size_t at = 0;
  for (std::size_t i = 0; i <= buckets; ++i) {
    while (at < cases.size() && bucket(cases[at]) < i) ++at;
    group.first.push_back(static_cast<int32_t>(f_.cases.size() + at));
  }
  std::move(cases.begin(), cases.end(), std::back_inserter(f_.cases));
  f_.sides[static_cast<std::size_t>(player)].groups.push_back(std::move(group));
  return true;
}

bool FlatMaker::MakeCases(int player) {
  player_ = player;
  std::vector<std::pair<int, std::vector<rules::Token>>> seen;  // name, origin and choices
  for (const int index : plan_->others) {
    const rules::Action& action = rules_.actions[rules::ActionId(index)];
    std::vector<Code> codes = {program::kNoPiece};
    if (action.has_self) codes = Codes(action.kinds, rules::Side::kMine, player);
    for (const Code code : codes) {
      std::vector<FlatCase> cases;
      out_ = &cases;
      const int origins = code == program::kNoPiece ? 1 : p_.board_cells;
      for (int origin = 0; origin < origins; ++origin) {
        CaseState s;
        s.known = OfPlayer(player);
        s.made.self = code;
        s.made.tokens.push_back({rules::Base::kAction, action.name});
        if (code != program::kNoPiece) {
          s.made.origin = s.self_cell = origin;
          s.made.tokens.push_back({rules::Base::kCell, origin});
          s.known.has_self = true;
          s.known.self = KnownPiece{KindOf(code), player, origin};
          s.known.standing.emplace_back(origin, s.known.self);
          s.content.emplace_back(origin, std::vector<Code>{code});
        }
        if (!Steps(action.steps, 0, s)) return false;
      }
      for (const FlatCase& c : cases) {
        const std::pair<int, std::vector<rules::Token>> key{code, c.tokens};
        if (std::find(seen.begin(), seen.end(), key) != seen.end()) return Fail("two cases are the same move");
        seen.push_back(key);
      }
      if (!MakeGroup(player, index, code, std::move(cases))) return false;
    }
  }
  return true;
}

}  // namespace arbiter::compile
