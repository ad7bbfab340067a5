// Examples: what a rule file says about its own game, ready to be run by `test`.
//
// An example with `with option = value` speaks of other options than the defaults: it has steps only
// where the chosen options are those it names.

#include <algorithm>

#include "check/declare.h"
#include "check/lower.h"
#include "check/passes.h"
#include "rules/fen.h"

namespace arbiter::check {

using rules::Base;
using rules::ExampleStep;
using rules::Value;
using Kind = ast::ExampleItem::Kind;

namespace {

const rules::Type kCondition;  // bool

class Examples {
 public:
  explicit Examples(Context& c) : c_(c), placed_(PlacedKinds(c)) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      const auto* example = std::get_if<ast::Example>(&d.decl->payload);
      if (example != nullptr && !d.library) One(*d.decl, *example);
    }
  }

 private:
  void One(const ast::Decl& decl, const ast::Example& example) {
    rules::Example made;
    made.title = example.title;
    made.span = decl.span;
    for (const ast::Cite& cite : decl.cites) made.clauses.push_back(cite.clause);
    auto wanted = Wanted(example, made);
    if (!wanted) return;
    if (*wanted) {
      for (const ast::ExampleItem& item : example.items) {
        if (auto step = Step(item)) made.steps.push_back(std::move(*step));
      }
    }
    c_.rules.examples.push_back(std::move(made));
  }

  // Do the chosen options match? Nothing if an option or value does not exist.
  std::optional<bool> Wanted(const ast::Example& example, rules::Example& made) {
    bool good = true, matches = true;
    for (const auto& [name, expr] : example.options) {
      auto option = std::find_if(c_.rules.options.begin(), c_.rules.options.end(),
                                 [&](const rules::OptionValue& o) { return o.name == name.text; });
      if (option == c_.rules.options.end()) {
        UnknownName(c_, name.span, "option", name.text, {SymbolKind::kOption});
        good = false;
        continue;
      }
      if (!expr || expr->kind == ast::ExprKind::kError) return std::nullopt;
      std::string text(c_.sources.Slice(expr->span));
      if (!HasValue(*option, text)) {
        Diagnostic& d =
            c_.Error(Code::kOptionValue, expr->span, "`" + text + "` is no value of the option `" + name.text + "`");
        d.labels.push_back({option->span, "its values are " + option->type_text});
        if (option->type.base != Base::kInt) Suggest(d, expr->span, text, option->values);
        if (d.fixes.empty()) d.help.push_back("write one of its values");
        good = false;
        continue;
      }
      if (text != option->initial) made.options.emplace_back(name.text, text);
      matches &= text == option->chosen;
    }
    // Options that are not named have their defaults.
    for (const rules::OptionValue& option : c_.rules.options) {
      bool named = std::any_of(example.options.begin(), example.options.end(),
                               [&](const auto& o) { return o.first.text == option.name; });
      matches &= named || option.chosen == option.initial;
    }
    return good ? std::optional(matches) : std::nullopt;
  }

  static bool HasValue(const rules::OptionValue& option, const std::string& text) {
    if (option.type.base != Base::kInt) {
      return std::find(option.values.begin(), option.values.end(), text) != option.values.end();
    }
    bool digits = !text.empty() && text.size() < 10 &&
                  std::all_of(text.begin(), text.end(), [](char ch) { return ch >= '0' && ch <= '9'; });
    return digits && std::stoi(text) >= option.type.low && std::stoi(text) <= option.type.high;
  }

  std::optional<ExampleStep> Step(const ast::ExampleItem& item) {
    ExampleStep step;
    step.span = item.span;
    step.low = item.low;
    step.high = item.high;
    step.numbers = item.numbers;
    step.word = item.word;
    for (const auto& [text, span] : item.moves) step.moves.push_back(text);
    for (const ast::Cite& cite : item.because) step.because.push_back(cite.clause);
    bool good = true;
    switch (item.kind) {
      case Kind::kError:
        return std::nullopt;
      case Kind::kSetup:
        good = Setup(item, step);
        break;
      case Kind::kPosition:
        good = Position(item, step);
        break;
      case Kind::kFen:
        good = Fen(item, step);
        break;
      case Kind::kMoves:
        good = Moves(item, step);
        break;
      case Kind::kCount:
        step.kind = ExampleStep::Kind::kCount;
        break;
      case Kind::kLegal:
        step.kind = ExampleStep::Kind::kLegal;
        break;
      case Kind::kIllegal:
        step.kind = ExampleStep::Kind::kIllegal;
        break;
      case Kind::kAfter:
        step.kind = ExampleStep::Kind::kAfter;
        break;
      case Kind::kPerft:
        step.kind = ExampleStep::Kind::kPerft;
        break;
      case Kind::kResult:
        good = Result(item, step);
        break;
      case Kind::kHolds:
        good = Holds(item, step);
        break;
    }
    return good ? std::optional(std::move(step)) : std::nullopt;
  }

  bool Setup(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kSetup;
    step.setup = item.setup ? SetupOf(c_, Scope{}, *item.setup) : c_.rules.start;
    return step.setup.valid();
  }

  bool Moves(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kMoves;
    if (item.of.present()) {
      step.kind = ExampleStep::Kind::kMovesOf;
      step.cell = CellOf(c_, item.of);
      return step.cell >= 0;
    }
    if (!item.where) return true;
    step.kind = ExampleStep::Kind::kMovesWhere;
    Scope scope;
    rules::Type cell;
    cell.base = Base::kCell;
    cell.high = static_cast<Value>(c_.board().size()) - 1;
    cell.optional = true;
    const char* const names[] = {"from", "to"};
    for (int slot = 0; slot < 2; ++slot) {
      Binding binding;
      binding.name = names[slot];
      binding.type = cell;
      binding.slot = slot;
      scope.bindings.push_back(std::move(binding));
    }
    scope.frame_size = &step.frame_size;
    rules::Type condition;
    step.where = LowerExpr(c_, scope, *item.where, &condition);
    return step.where.valid();
  }

  bool Holds(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kHolds;
    step.frame_size = 0;
    std::vector<const ast::Expr*> parts;
    SplitClaim(item.where.get(), parts);
    for (const ast::Expr* part : parts) {
      if (!Claimed(*part, step)) return false;
    }
    return !parts.empty();
  }

  // `A and B and C`: each is a claim of its own, so that a failure names the one that does not hold.
  static void SplitClaim(const ast::Expr* expr, std::vector<const ast::Expr*>& parts) {
    if (expr == nullptr) return;
    if (expr->kind == ast::ExprKind::kBinary && expr->text == "and") {
      for (const ast::ExprPtr& child : expr->children) SplitClaim(child.get(), parts);
    } else {
      parts.push_back(expr);
    }
  }

  bool Claimed(const ast::Expr& expr, ExampleStep& step) {
    Scope scope;
    scope.frame_size = &step.frame_size;
    rules::Claim claim;
    claim.text = TextOf(expr);
    claim.condition = LowerExpr(c_, scope, expr, &kCondition);
    if (!claim.condition.valid()) return false;
    const rules::Expr* made = &c_.rules.exprs[claim.condition];
    if (expr.kind == ast::ExprKind::kBinary) {
      const bool negated = made->op == rules::Op::kNot && (expr.text == "!=" || expr.text == "not in");
      if (negated) made = &c_.rules.exprs[made->children[0]];
      const bool turned = expr.text == ">" || expr.text == ">=";
      const bool compares = made->op == rules::Op::kEq || made->op == rules::Op::kLt || made->op == rules::Op::kLe;
      const std::vector<rules::ExprId> values = made->children;  // showing a value may add expressions
      if (compares && values.size() == 2) {
        Show(*expr.children[0], values[turned ? 1 : 0], claim);
        Show(*expr.children[1], values[turned ? 0 : 1], claim);
      } else if (made->op == rules::Op::kIn) {
        Show(*expr.children[0], values[0], claim);
      }
    }
    step.claims.push_back(std::move(claim));
    return true;
  }

  // What a failure tells of one side: nothing of a constant, whose value the reader sees.
  void Show(const ast::Expr& expr, rules::ExprId value, rules::Claim& claim) {
    const rules::Expr& e = c_.rules.exprs[value];
    if (e.op == rules::Op::kConst || e.type.set || e.type.base == Base::kWalk) return;
    if (e.type.base == Base::kPiece) value = LowererOf(c_).CellOf(value, expr.span);
    claim.sides.push_back({TextOf(expr), value});
  }

  // As the author wrote it, on one line.
  std::string TextOf(const ast::Expr& expr) const {
    std::string text;
    for (char ch : c_.sources.Slice(expr.span)) {
      const bool blank = ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r';
      if (!blank) {
        text += ch;
      } else if (!text.empty() && text.back() != ' ') {
        text += ' ';
      }
    }
    return text;
  }

  bool Result(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kResult;
    if (item.player.present()) {
      step.player = PlayerOf(c_, Scope{}, item.player);
      if (step.player < 0) return false;
    }
    for (const auto& [points, name] : item.points) {
      int player = PlayerOf(c_, Scope{}, name);
      auto number = ConstantInt(c_, *points);
      if (player < 0 || !number) return false;
      step.points.emplace_back(*number, player);
    }
    return true;
  }

  // ---- positions -------------------------------------------------------------------------------

  bool Fen(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kPosition;
    rules::PositionResult read = rules::ParsePosition(c_.rules, item.text);
    std::string_view written = c_.sources.Slice(item.span);
    std::size_t quote = written.find('"');
    if (!read.snapshot) {
      Span where = item.span;
      if (quote != std::string_view::npos) {
        where.begin = static_cast<uint32_t>(item.span.begin + quote + 1 + read.offset);
        where.end = static_cast<uint32_t>(where.begin + std::max<std::size_t>(read.length, 1));
      }
      c_.Error(Code::kSetupText, where, read.message).help.push_back(read.help);
      return false;
    }
    const rules::Snapshot& s = *read.snapshot;
    rules::Snapshot plain = rules::MakeSnapshot(c_.rules, {}, s.mover, {});
    step.to_move = s.mover;
    step.phase = s.phase;
    for (std::size_t i = 0; i < s.state.size(); ++i) {
      if (s.state[i] != plain.state[i]) step.state.emplace_back(static_cast<int>(i), s.state[i]);
    }
    std::vector<Value> initial = PieceState();
    for (const rules::PieceRecord& p : s.pieces) {
      rules::SetupPiece piece;
      piece.kind = p.kind;
      piece.owner = p.owner;
      piece.cell = p.cell == rules::kNone ? -1 : p.cell;
      for (std::size_t i = 0; i < initial.size(); ++i) {
        if (p.state[i] != initial[i]) piece.state.emplace_back(static_cast<int>(i), p.state[i]);
      }
      step.pieces.push_back(std::move(piece));
    }
    if (rules::ExamplePosition(c_.rules, step) == s) return true;
    c_.Error(Code::kSetupText, item.span, "an example begins between turns")
        .help.push_back("leave out what begins with `turn.`");
    return false;
  }

  std::vector<Value> PieceState() const {
    std::vector<Value> state(static_cast<std::size_t>(c_.rules.piece_state_size), rules::kNone);
    for (const rules::Variable& v : c_.rules.piece_vars) {
      std::copy(v.initial.begin(), v.initial.end(), state.begin() + v.offset);
    }
    return state;
  }

  bool Position(const ast::ExampleItem& item, ExampleStep& step) {
    step.kind = ExampleStep::Kind::kPosition;
    player_ = -1;
    filled_.clear();
    bool good = true;
    for (const auto& entry : item.entries) {
      if (entry.to_move.present()) {
        int player = PlayerOf(c_, Scope{}, entry.to_move);
        good &= player >= 0;
        step.to_move = std::max(player, 0);
      } else if (!entry.variable) {
        good &= Pieces(entry, step);
      }
    }
    for (const auto& entry : item.entries) {
      if (entry.variable) good &= Assigned(entry, step);
    }
    return good && AddMissing(c_, placed_, step.pieces,
                              {item.span.file, item.span.begin, std::min(item.span.end, item.span.begin + 8)});
  }

  bool Pieces(const ast::ExampleItem::Entry& entry, ExampleStep& step) {
    if (entry.player.present()) {
      player_ = PlayerOf(c_, Scope{}, entry.player);
      if (player_ < 0) return false;
    }
    Symbol* symbol = c_.symbols.Find(entry.kind.text);
    if (symbol == nullptr || symbol->kind != SymbolKind::kKind) {
      UnknownName(c_, entry.kind.span, "piece", entry.kind.text, {SymbolKind::kKind});
      return false;
    }
    ++symbol->uses;
    rules::SetupPiece piece;
    piece.kind = symbol->id;
    const rules::Kind& kind = c_.rules.kinds[static_cast<std::size_t>(symbol->id)];
    if (!kind.neutral) {
      if (player_ < 0) {
        c_.Error(Code::kSetupPiece, entry.kind.span, "whose `" + kind.name + "` is this?")
            .help.push_back("write the player in front: `" + c_.rules.players.front().name + " " + kind.name + " …`");
        return false;
      }
      piece.owner = player_;
    }
    for (const ast::Name& name : entry.cells) {
      piece.cell = FreeCell(name);
      if (piece.cell < 0) return false;
      step.pieces.push_back(piece);
    }
    return true;
  }

  // The cell or slot of this name, or the first free slot of a place; must be free.
  int FreeCell(const ast::Name& name) {
    Symbol* symbol = c_.symbols.Find(name.text.substr(0, name.text.find('[')));
    int cell = -1;
    if (symbol != nullptr && symbol->kind == SymbolKind::kZone && symbol->id >= 0 &&
        c_.rules.zones[rules::ZoneId(symbol->id)].is_place) {
      const rules::Zone& zone = c_.rules.zones[rules::ZoneId(symbol->id)];
      ++symbol->uses;
      const std::vector<int> slots = SlotsOf(name.text);
      for (int slot : slots) {
        if (cell < 0 && !filled_.contains(slot)) cell = slot;
      }
      if (cell < 0 && !slots.empty()) {
        c_.Error(Code::kSetupPiece, name.span, "`" + name.text + "` is full").help.push_back("put fewer pieces there");
        return -1;
      }
      if (cell < 0 && c_.board().Find(name.text) < 0) {
        std::vector<std::string> places = PlaceNames(c_, zone);
        std::string list;
        for (const std::string& place : places) list += (list.empty() ? "`" : ", `") + place + "`";
        c_.Error(Code::kSetupPiece, name.span, "`" + name.text + "` is no place and no slot of one")
            .help.push_back("the first free slot is filled by " + list + "; a certain one by `" + places.front() +
                            "[1]`");
        return -1;
      }
    }
    if (cell < 0) cell = CellOf(c_, name);
    if (cell < 0) return -1;
    auto [there, fresh] = filled_.emplace(cell, name.span);
    if (fresh) return cell;
    Diagnostic& d = c_.Error(Code::kSetupPiece, name.span, "`" + name.text + "` is occupied already");
    d.labels.push_back({there->second, "by this piece"});
    d.help.push_back("a cell holds one piece");
    return -1;
  }

  // The slots of the place with exactly this name, `bench[White]`, in order.
  std::vector<int> SlotsOf(const std::string& place) const {
    std::vector<int> slots;
    for (int slot = c_.board().board_size(); slot < c_.board().size(); ++slot) {
      if (NameOfPlace(c_.board().name(slot)) == place) slots.push_back(slot);
    }
    return slots;
  }

  bool Assigned(const ast::ExampleItem::Entry& entry, ExampleStep& step) {
    const ast::Expr& target = *entry.variable;
    if (target.kind == ast::ExprKind::kName && target.text == "phase") {
      rules::Type phase;
      phase.base = Base::kPhase;
      phase.high = static_cast<Value>(c_.rules.phases.size()) - 1;
      auto value = ConstantOf(c_, Scope{}, *entry.value, phase, "a phase");
      if (value && *value >= 0) step.phase = *value;
      return value && *value >= 0;
    }
    if (target.kind == ast::ExprKind::kField) return OfPiece(target, *entry.value, step);
    auto element = ElementOf(c_, Scope{}, target);
    if (!element) return false;
    auto value = ElementValue(c_, Scope{}, *entry.value, *element->variable);
    if (value) step.state.emplace_back(element->flat, *value);
    return value.has_value();
  }

  // `a1.used = true`
  bool OfPiece(const ast::Expr& target, const ast::Expr& expr, ExampleStep& step) {
    const ast::Expr& where = *target.children[0];
    int cell = CellOf(
        c_, {where.kind == ast::ExprKind::kName ? where.text : std::string(c_.sources.Slice(where.span)), where.span});
    if (cell < 0) return false;
    auto piece = std::find_if(step.pieces.begin(), step.pieces.end(),
                              [&](const rules::SetupPiece& p) { return p.cell == cell; });
    if (piece == step.pieces.end()) {
      c_.Error(Code::kSetupPiece, where.span, "no piece stands on `" + where.text + "`")
          .help.push_back("put one there");
      return false;
    }
    Symbol* symbol = c_.symbols.FindField(target.text);
    if (symbol == nullptr || symbol->kind != SymbolKind::kPieceVar) {
      UnknownName(c_, target.word.valid() ? target.word : target.span, "piece variable", target.text,
                  {SymbolKind::kPieceVar});
      return false;
    }
    ++symbol->uses;
    if (symbol->broken) return false;
    const rules::Variable& variable = c_.rules.piece_vars[rules::VarId(symbol->id)];
    if (!variable.index.empty()) {
      c_.Error(Code::kTypeArity, target.span, "`" + variable.name + "` has indices")
          .help.push_back("write the position as a text");
      return false;
    }
    auto value = ElementValue(c_, Scope{}, expr, variable);
    if (value) piece->state.emplace_back(variable.offset, *value);
    return value.has_value();
  }

  Context& c_;
  std::set<std::string> placed_;
  int player_ = -1;
  std::map<int, Span> filled_;
};

}  // namespace

void BuildExamples(Context& c) { Examples(c).Run(); }

}  // namespace arbiter::check
