// Set-ups, the start, and what the fields of the game's FEN mean.

#include <algorithm>
#include <map>

#include "check/declare.h"
#include "check/letters.h"
#include "check/passes.h"
#include "rules/fen.h"

namespace arbiter::check {

using rules::Base;
using rules::SetupId;
using rules::Value;

namespace {

constexpr int kMaxSetups = 1000;
constexpr int kMaxDerived = 100;

std::string NamedIndex(const Context& c, const std::string& name, const std::vector<rules::Type>& types,
                       const std::vector<Value>& values) {
  std::string text = name;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "[" : ", ") + ValueText(c, types[i], values[i]);
  return values.empty() ? text : text + "]";
}

std::vector<std::vector<Value>> IndexOf(const Context& c, const SetupFamily& family) {
  std::vector<std::vector<Value>> index;
  for (const rules::Type& type : family.index_types) index.push_back(ValuesOf(c, type));
  return index;
}

bool IsConstantName(Context& c, std::string_view name) { return FindValue(c, name, nullptr).has_value(); }

// The pattern of `setup kickoff[White]` or `setup kickoff[p]`.
std::optional<IndexPattern> PatternOf(Context& c, const SetupFamily& family, const ast::Setup& setup) {
  IndexPattern pattern;
  for (std::size_t i = 0; i < setup.index.size(); ++i) {
    const ast::Expr& expr = *setup.index[i];
    if (expr.kind != ast::ExprKind::kName) {
      if (expr.kind != ast::ExprKind::kError) {
        c.Error(Code::kTypeMismatch, expr.span, "expected a name in the index of a set-up")
            .help.push_back("write a player, or a small name that stands for every player");
      }
      return std::nullopt;
    }
    auto value = FindValue(c, expr.text, &family.index_types[i]);
    if (value && value->type.base == family.index_types[i].base) {
      pattern.parts.push_back({"", value->value, expr.span});
      continue;
    }
    bool capital = LowerFirst(expr.text) != expr.text;
    if (capital) {
      UnknownName(c, expr.span, "player", expr.text, {SymbolKind::kPlayer});
      return std::nullopt;
    }
    pattern.parts.push_back({expr.text, rules::kNone, expr.span});
  }
  return pattern;
}

rules::Type PlayerType(const Context& c) {
  rules::Type type;
  type.base = Base::kPlayer;
  type.high = static_cast<Value>(c.rules.players.size()) - 1;
  return type;
}

class Declarer {
 public:
  explicit Declarer(Context& c) : c_(c) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      if (const auto* setup = std::get_if<ast::Setup>(&d.decl->payload)) Types(*d.decl, *setup);
    }
    for (const SourceDecl& d : c_.decls) {
      if (const auto* setup = std::get_if<ast::Setup>(&d.decl->payload)) Ids(*d.decl, *setup);
    }
  }

 private:
  void Types(const ast::Decl& decl, const ast::Setup& setup) {
    auto [at, fresh] = c_.setup_families.try_emplace(setup.name.text);
    SetupFamily& family = at->second;
    if (fresh) {
      family.span = setup.name.present() ? setup.name.span : decl.span;
      family.index_types.assign(setup.index.size(), PlayerType(c_));
    }
    if (family.index_types.size() != setup.index.size()) {
      Diagnostic& d = c_.Error(Code::kTypeArity, setup.name.span,
                               "`" + setup.name.text + "` has " + std::to_string(setup.index.size()) + " indices here");
      d.labels.push_back({family.span, "and " + std::to_string(family.index_types.size()) + " here"});
      d.help.push_back("write the same indices in every set-up of this name");
      return;
    }
    for (std::size_t i = 0; i < setup.index.size(); ++i) {
      if (setup.index[i]->kind != ast::ExprKind::kName || !IsConstantName(c_, setup.index[i]->text)) continue;
      family.index_types[i] = FindValue(c_, setup.index[i]->text, nullptr)->type;
    }
  }

  void Ids(const ast::Decl& decl, const ast::Setup& setup) {
    SetupFamily& family = c_.setup_families.find(setup.name.text)->second;
    if (family.index_types.size() != setup.index.size()) return;
    auto index = IndexOf(c_, family);
    if (CountOf(index) > kMaxSetups - static_cast<int>(c_.rules.setups.size())) {
      c_.Error(Code::kLimitCount, family.span, "more than " + std::to_string(kMaxSetups) + " set-ups")
          .help.push_back("say the same with fewer");
      return;
    }
    family.setups.resize(static_cast<std::size_t>(CountOf(index)));
    auto pattern = PatternOf(c_, family, setup);
    if (!pattern) return;
    Span span = setup.name.present() ? setup.name.span : decl.span;
    for (const PatternPlace& place : PlacesOf(index, *pattern)) {
      SetupId& id = family.setups[static_cast<std::size_t>(place.flat)];
      if (id.valid()) {
        std::string name = NamedIndex(c_, setup.name.text, family.index_types, place.values);
        Diagnostic& d = c_.Error(Code::kNameDuplicate, span,
                                 name.empty() ? "a second set-up without a name" : "`" + name + "` is declared twice");
        d.labels.push_back({c_.rules.setups[id].span, "declared here"});
        bool elsewhere = c_.rules.setups[id].span.file != span.file;
        d.help.push_back(elsewhere ? "to change the imported one, write `replace` in front" : "give it another name");
        return;
      }
      rules::Setup made;
      made.name = NamedIndex(c_, setup.name.text, family.index_types, place.values);
      made.span = span;
      id = c_.rules.setups.Add(std::move(made));
    }
  }

  Context& c_;
};

// ---- contents ----------------------------------------------------------------------------------

class Builder {
 public:
  explicit Builder(Context& c) : c_(c), states_(c.rules.setups.size()), placed_(PlacedKinds(c)) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      if (const auto* fen = std::get_if<ast::FenDecl>(&d.decl->payload)) Fields(*fen);
    }
    Find();
    for (std::size_t i = 0; i < states_.size(); ++i) Build(i);
    Start();
  }

 private:
  struct State {
    const ast::Setup* setup = nullptr;
    const ast::Decl* decl = nullptr;
    Scope scope;
    enum class Step : uint8_t { kNew, kOpen, kDone, kWrong } step = Step::kNew;
  };

  // ---- FEN fields ------------------------------------------------------------------------------

  void Fields(const ast::FenDecl& fen) {
    for (const ast::FenField& field : fen.fields) {
      rules::FenField made;
      made.kind = static_cast<rules::FenField::Kind>(field.kind);
      made.letters = field.letters;
      bool flags = field.kind == ast::FenField::Kind::kFlags;
      if (flags && field.letters.size() != field.targets.size()) {
        c_.Error(Code::kTypeArity, field.span,
                 "`" + field.letters + "` has " + std::to_string(field.letters.size()) + " letters for " +
                     std::to_string(field.targets.size()) + " variables")
            .help.push_back("write one variable for each letter");
        return;
      }
      for (const ast::ExprPtr& target : field.targets) {
        auto element = ElementOf(c_, Scope{}, *target);
        if (!element) return;
        Base wanted = flags ? Base::kBool : field.kind == ast::FenField::Kind::kCell ? Base::kCell : Base::kInt;
        const rules::Type& type = element->variable->type;
        if (type.base != wanted || (wanted == Base::kCell && !type.optional)) {
          Diagnostic& d =
              c_.Error(Code::kTypeMismatch, target->span, "`" + element->variable->name + "` is " + TypeText(c_, type));
          d.labels.push_back({element->variable->span, "declared here"});
          d.help.push_back("`flags` needs bool, `cell` needs `cell?`, `number` a range");
          return;
        }
        made.targets.push_back(element->flat);
      }
      c_.rules.fen_fields.push_back(std::move(made));
    }
  }

  // ---- set-ups ---------------------------------------------------------------------------------

  void Find() {
    for (const SourceDecl& d : c_.decls) {
      const auto* setup = std::get_if<ast::Setup>(&d.decl->payload);
      if (setup == nullptr) continue;
      const SetupFamily& family = c_.setup_families.find(setup->name.text)->second;
      if (family.index_types.size() != setup->index.size()) continue;
      std::size_t before = c_.sink.all().size();
      auto pattern = PatternOf(c_, family, *setup);
      if (!pattern || c_.sink.all().size() != before) continue;
      for (const PatternPlace& place : PlacesOf(IndexOf(c_, family), *pattern)) {
        SetupId id = family.setups[static_cast<std::size_t>(place.flat)];
        if (!id.valid() || states_[id.index()].setup != nullptr) continue;
        states_[id.index()] = {setup, d.decl, ScopeOf(family.index_types, *pattern, place.values), State::Step::kNew};
      }
    }
  }

  bool Build(std::size_t at) {
    State& state = states_[at];
    if (state.step == State::Step::kDone) return true;
    if (state.step != State::Step::kNew || state.setup == nullptr) return false;
    state.step = State::Step::kOpen;
    rules::Setup made = c_.rules.setups[SetupId(at)];
    bool good = Pieces(state, made) && Mover(state, made);
    state.step = good ? State::Step::kDone : State::Step::kWrong;
    if (good) c_.rules.setups[SetupId(at)] = std::move(made);
    return good;
  }

  bool Mover(const State& state, rules::Setup& made) {
    if (!state.setup->to_move.present()) return true;
    int player = PlayerOf(c_, state.scope, state.setup->to_move);
    made.to_move = std::max(player, 0);
    made.names_mover = true;
    return player >= 0;
  }

  bool Pieces(const State& state, rules::Setup& made) {
    const ast::Setup& setup = *state.setup;
    if (setup.base) return Derived(state, made);
    if (setup.fen_span.valid()) return Fen(setup, made);
    Span inside = setup.diagram_span;
    if (!inside.valid()) return false;
    inside.begin += 3;
    inside.end -= 3;
    auto pieces = ReadDiagram(c_, setup.diagram, inside);
    if (!pieces) return false;
    made.pieces = std::move(*pieces);
    Span who = setup.name.present() ? setup.name.span
                                    : Span{state.decl->span.file, state.decl->span.begin, state.decl->span.begin + 5};
    return With(setup, made) && AddMissing(c_, placed_, made.pieces, who);
  }

  bool Fen(const ast::Setup& setup, rules::Setup& made) {
    rules::PositionResult read = rules::ParsePosition(c_.rules, setup.fen);
    if (!read.snapshot) {
      ReportText(read, setup.fen_span);
      return false;
    }
    const rules::Snapshot& s = *read.snapshot;
    for (const rules::PieceRecord& p : s.pieces) {
      rules::SetupPiece piece;
      piece.kind = p.kind;
      piece.owner = p.owner;
      piece.cell = p.cell == rules::kNone ? -1 : p.cell;
      made.pieces.push_back(piece);
    }
    rules::Snapshot plain = rules::MakeSnapshot(c_.rules, made.pieces, s.mover, {});
    for (std::size_t i = 0; i < s.state.size(); ++i) {
      if (s.state[i] != plain.state[i]) made.state.emplace_back(static_cast<int>(i), s.state[i]);
    }
    plain.state = s.state;
    if (plain != s) {
      c_.Error(Code::kSetupText, setup.fen_span, "a set-up has pieces and state, nothing else")
          .help.push_back("leave out the phase, the state of pieces and the place in a turn");
      return false;
    }
    made.to_move = s.mover;
    made.names_mover = read.names_side;
    return With(setup, made) && AddMissing(c_, placed_, made.pieces, setup.fen_span);
  }

  void ReportText(const rules::PositionResult& read, Span quoted) {
    bool broken = std::any_of(c_.rules.kinds.begin(), c_.rules.kinds.end(),
                              [](const rules::Kind& kind) { return kind.letters.empty(); });
    if (broken) return;  // it may be about a letter that was refused
    Span where{quoted.file, static_cast<uint32_t>(quoted.begin + 1 + read.offset), 0};
    where.end = static_cast<uint32_t>(where.begin + std::max<std::size_t>(read.length, 1));
    c_.Error(Code::kSetupText, where, read.message).help.push_back(read.help);
  }

  // `= base with Ball on c5`.
  bool Derived(const State& state, rules::Setup& made) {
    SetupId base = SetupOf(c_, state.scope, *state.setup->base);
    if (!base.valid()) return false;
    if (states_[base.index()].step == State::Step::kOpen) {
      c_.Error(Code::kSetupCycle, state.setup->base->span, "`" + made.name + "` is derived from itself")
          .help.push_back("draw one of them");
      return false;
    }
    if (depth_ == kMaxDerived) {
      c_.Error(Code::kLimitExpansion, state.setup->base->span, "`" + made.name + "` is derived through too many others")
          .help.push_back("draw it");
      return false;
    }
    ++depth_;
    bool built = Build(base.index());
    --depth_;
    if (!built) return false;
    const rules::Setup& from = c_.rules.setups[base];
    made.pieces = from.pieces;
    made.state = from.state;
    made.to_move = from.to_move;
    made.names_mover = from.names_mover;
    return With(*state.setup, made);
  }

  bool With(const ast::Setup& setup, rules::Setup& made) {
    std::vector<std::pair<std::size_t, int>> moved;
    for (const auto& [kind, cell] : setup.with) {
      Symbol* symbol = c_.symbols.Find(kind.text);
      if (symbol == nullptr || symbol->kind != SymbolKind::kKind) {
        UnknownName(c_, kind.span, "piece", kind.text, {SymbolKind::kKind});
        return false;
      }
      ++symbol->uses;
      int target = CellOf(c_, cell);
      if (target < 0) return false;
      auto of_kind = [&](const rules::SetupPiece& p) { return p.kind == symbol->id; };
      auto count = std::count_if(made.pieces.begin(), made.pieces.end(), of_kind);
      bool neutral = c_.rules.kinds[static_cast<std::size_t>(symbol->id)].neutral;
      if (count == 0 && neutral) {
        rules::SetupPiece piece;
        piece.kind = symbol->id;
        made.pieces.push_back(piece);
      } else if (count != 1) {
        c_.Error(Code::kSetupPiece, kind.span,
                 count == 0 ? "there is no `" + kind.text + "` to put elsewhere"
                            : "there are " + std::to_string(count) + " pieces `" + kind.text + "`: which one?")
            .help.push_back("draw a diagram");
        return false;
      }
      auto piece = std::find_if(made.pieces.begin(), made.pieces.end(), of_kind);
      piece->cell = target;
      moved.emplace_back(static_cast<std::size_t>(piece - made.pieces.begin()), target);
    }
    // Tested at the end, so that two pieces may change places.
    for (std::size_t i = 0; i < moved.size(); ++i) {
      for (std::size_t other = 0; other < made.pieces.size(); ++other) {
        if (other == moved[i].first || made.pieces[other].cell != moved[i].second) continue;
        const rules::Kind& kind = c_.rules.kinds[static_cast<std::size_t>(made.pieces[other].kind)];
        c_.Error(Code::kSetupPiece, setup.with[i].second.span,
                 "`" + setup.with[i].second.text + "` holds a `" + kind.name + "`")
            .help.push_back("write an empty cell, or draw a diagram");
        return false;
      }
    }
    return true;
  }

  // ---- start -----------------------------------------------------------------------------------

  void Start() {
    const ast::Start* written = nullptr;
    for (const SourceDecl& d : c_.decls) {
      const auto* start = std::get_if<ast::Start>(&d.decl->payload);
      if (start != nullptr && written == nullptr) written = start;
    }
    if (written != nullptr) {
      c_.rules.start = SetupOf(c_, Scope{}, written->setup);
      return;
    }
    auto unnamed = c_.setup_families.find("");
    if (unnamed != c_.setup_families.end() && !unnamed->second.setups.empty()) {
      c_.rules.start = unnamed->second.setups.front();
    } else if (c_.rules.setups.size() == 1) {
      c_.rules.start = SetupId(0);
    } else if (c_.setup_families.empty()) {
      c_.Error(Code::kGameIncomplete, GameSpan(c_), "nothing says where the pieces stand at the start")
          .help.push_back("add a `setup` with a diagram");
    } else if (c_.rules.setups.size() > 1) {
      c_.Error(Code::kGameIncomplete, c_.rules.setups[SetupId(0)].span,
               "nothing says with which set-up the game starts")
          .help.push_back("add `start " + c_.rules.setups[SetupId(0)].name + "`");
    }
  }

  Context& c_;
  std::vector<State> states_;
  std::set<std::string> placed_;
  int depth_ = 0;  // of derivations
};

}  // namespace

void DeclareSetups(Context& c) { Declarer(c).Run(); }
void BuildSetups(Context& c) { Builder(c).Run(); }

SetupId SetupOf(Context& c, const Scope& scope, const ast::SetupRef& ref) {
  auto found = c.setup_families.find(ref.name.text);
  if (found == c.setup_families.end() || !ref.name.present()) {
    if (ref.name.present()) UnknownName(c, ref.name.span, "set-up", ref.name.text, {SymbolKind::kSetup});
    return {};
  }
  if (Symbol* symbol = c.symbols.Find(ref.name.text)) ++symbol->uses;
  const SetupFamily& family = found->second;
  if (family.index_types.size() != ref.index.size()) {
    Diagnostic& d = c.Error(Code::kTypeArity, ref.span,
                            "`" + ref.name.text + "` has " + std::to_string(family.index_types.size()) + " indices");
    d.labels.push_back({family.span, "declared here"});
    d.help.push_back(family.index_types.empty()
                         ? "write its name alone"
                         : "write for example `" + ref.name.text + "[" + c.rules.players.front().name + "]`");
    return {};
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < ref.index.size(); ++i) {
    auto value = ConstantOf(c, scope, *ref.index[i], family.index_types[i], "an index");
    if (!value) return {};
    values.push_back(*value);
  }
  int flat = FlatOf(IndexOf(c, family), values);
  bool there = flat >= 0 && static_cast<std::size_t>(flat) < family.setups.size() &&
               family.setups[static_cast<std::size_t>(flat)].valid();
  if (there) return family.setups[static_cast<std::size_t>(flat)];
  std::string name = NamedIndex(c, ref.name.text, family.index_types, values);
  Diagnostic& d = c.Error(Code::kNameUnknown, ref.span, "no set-up named `" + name + "`");
  d.labels.push_back({family.span, "set-ups of this name begin here"});
  d.help.push_back("add `setup " + name + "`");
  return {};
}

bool AddMissing(Context& c, const std::set<std::string>& placed, std::vector<rules::SetupPiece>& pieces, Span span) {
  for (std::size_t k = 0; k < c.rules.kinds.size(); ++k) {
    const rules::Kind& kind = c.rules.kinds[k];
    bool there = std::any_of(pieces.begin(), pieces.end(),
                             [&](const rules::SetupPiece& p) { return p.kind == static_cast<int>(k); });
    if (!kind.neutral || there || kind.letters.empty()) continue;
    if (kind.may_be_off_board) {
      rules::SetupPiece piece;
      piece.kind = static_cast<int>(k);
      pieces.push_back(piece);
      continue;
    }
    if (placed.contains(kind.name)) continue;
    Diagnostic& d = c.Error(Code::kSetupPiece, span, "the `" + kind.name + "` stands nowhere");
    d.labels.push_back({kind.span, "declared here"});
    d.help.push_back("put it on a cell, or let it be away: `{ may be off board }`");
    return false;
  }
  return true;
}

std::optional<Element> ElementOf(Context& c, const Scope& scope, const ast::Expr& expr) {
  using ast::ExprKind;
  if (expr.kind == ExprKind::kError) return std::nullopt;
  bool indexed = expr.kind == ExprKind::kIndex && !expr.children.empty();
  const ast::Expr& head = indexed ? *expr.children[0] : expr;
  if (head.kind != ExprKind::kName) {
    c.Error(Code::kTypeMismatch, expr.span, "expected a state variable")
        .help.push_back("write its name, with its index if it has one: `travelled[White]`");
    return std::nullopt;
  }
  Symbol* symbol = c.symbols.Find(head.text);
  if (symbol == nullptr || symbol->kind != SymbolKind::kStateVar) {
    UnknownName(c, head.span, "state variable", head.text, {SymbolKind::kStateVar});
    return std::nullopt;
  }
  ++symbol->uses;
  if (symbol->broken) return std::nullopt;
  const rules::Variable& variable = c.rules.vars[rules::VarId(symbol->id)];
  std::size_t count = indexed ? expr.children.size() - 1 : 0;
  if (count != variable.index.size()) {
    Diagnostic& d = c.Error(Code::kTypeArity, expr.span,
                            "`" + symbol->name + "` has " + std::to_string(variable.index.size()) + " indices");
    d.labels.push_back({symbol->span, "declared here"});
    d.help.push_back("write it as `" + rules::ElementName(c.rules, variable, 0) + "`");
    return std::nullopt;
  }
  std::vector<Value> values;
  for (std::size_t i = 0; i < count; ++i) {
    auto value = ConstantOf(c, scope, *expr.children[i + 1], variable.index_types[i], "an index");
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  int flat = FlatOf(variable.index, values);
  if (flat < 0) {
    c.Error(Code::kTypeRange, expr.span, "this index is outside its range")
        .help.push_back("write an index of its type");
    return std::nullopt;
  }
  return Element{variable.offset + flat, &variable};
}

std::optional<Value> ElementValue(Context& c, const Scope& scope, const ast::Expr& expr,
                                  const rules::Variable& variable) {
  auto value = ConstantOf(c, scope, expr, variable.type, "a value");
  if (!value) return value;
  bool none = *value == rules::kNone && variable.type.optional;
  if (none || (*value >= variable.type.low && *value <= variable.type.high)) return value;
  Diagnostic& d =
      c.Error(Code::kTypeRange, expr.span,
              "`" + ValueText(c, variable.type, *value) + "` is outside the range of `" + variable.name + "`");
  d.labels.push_back({variable.span, "declared here"});
  d.help.push_back("its values are " + TypeText(c, variable.type));
  return std::nullopt;
}

int PlayerOf(Context& c, const Scope& scope, const ast::Name& name) {
  const Binding* bound = scope.Find(name.text);
  if (bound != nullptr && bound->kind == Binding::Kind::kConst && bound->type.base == Base::kPlayer)
    return bound->value;
  Symbol* symbol = c.symbols.Find(name.text);
  if (symbol != nullptr && symbol->kind == SymbolKind::kPlayer) {
    ++symbol->uses;
    return symbol->id;
  }
  if (name.present()) UnknownName(c, name.span, "player", name.text, {SymbolKind::kPlayer});
  return -1;
}

int CellOf(Context& c, const ast::Name& name) {
  int cell = c.board().Find(name.text);
  if (cell >= 0 || !name.present()) return cell;
  Diagnostic& d = c.Error(Code::kBoardCell, name.span, "no cell `" + name.text + "` on this board");
  if (c.board().shape() != board::Shape::kGraph) {
    d.help.push_back("the board has " + std::to_string(c.board().width()) + " files and " +
                     std::to_string(c.board().height()) + " ranks" + HolesText(c));
    return cell;
  }
  std::vector<std::string> names;
  for (int i = 0; i < c.board().board_size(); ++i) names.push_back(c.board().name(i));
  Suggest(d, name.span, name.text, names);
  if (d.fixes.empty()) d.help.push_back("write a cell that `cells` declares");
  return cell;
}

}  // namespace arbiter::check
