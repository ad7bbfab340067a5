// Expressions: ast -> rules (language B0, B7, B19).
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

constexpr int64_t kBudget = 500'000;  // nodes lowered for one game, templates counted each time
constexpr int kMaxDepth = 1500;       // of nested expressions, through templates

}  // namespace

Lowerer& LowererOf(Context& c) {
  if (!c.lowerer) c.lowerer = std::make_shared<Lowerer>(c);
  return *c.lowerer;
}

ExprId LowerExpr(Context& c, const Scope& scope, const ast::Expr& expr, const Type* want) {
  if (scope.frame_size) return LowererOf(c).Lower(scope, expr, want);
  int slots = 0;  // a constant needs no frame; quantifiers inside count their slots here
  Scope with_frame = Inside(scope);
  with_frame.frame_size = &slots;
  return LowererOf(c).Lower(with_frame, expr, want);
}

std::optional<CellSet> ConstantCells(const Context& c, ExprId id) {
  if (!id.valid()) return std::nullopt;
  const rules::Expr& e = c.rules.exprs[id];
  if (e.op == Op::kConstCells) return c.rules.cell_sets[static_cast<std::size_t>(e.value)];
  if (e.op == Op::kConst && e.type.base == Base::kCell && e.value != kNone) {
    CellSet one;
    one.set(static_cast<std::size_t>(e.value));
    return one;
  }
  return std::nullopt;
}

std::optional<Value> ConstantValue(const Context& c, ExprId id) {
  if (!id.valid() || c.rules.exprs[id].op != Op::kConst) return std::nullopt;
  return c.rules.exprs[id].value;
}

Diagnostic& Context::Error(Code code, Span span, std::string message) {
  auto of_library = [&](Span at) { return at.valid() && sources.path(at.file).starts_with("stdlib/"); };
  std::size_t call = calls.size();
  while (call > 0 && of_library(span) && of_library(calls[call - 1].first)) --call;
  if (call == 0 || !of_library(span)) return sink.Error(code, span, std::move(message));
  Diagnostic& d = sink.Error(code, calls[call - 1].first, std::move(message));
  for (std::size_t i = call; i < calls.size(); ++i) {
    d.path.push_back({calls[i].first, fmt::format("`{}` is used here", calls[i].second)});
  }
  d.path.push_back({span, "here"});
  return d;
}

void Lowerer::Leave() {
  inlining_.pop_back();
  c.calls.pop_back();
}

bool Lowerer::Spend(Span span) {
  if (exhausted_) return false;
  if (++spent_ <= kBudget) return true;
  exhausted_ = true;
  c.Error(Code::kLimitExpansion, span, fmt::format("the definitions expand to more than {} parts", kBudget))
      .notes.push_back("every use of a define, walk, effect or action counts with all that it uses");
  return false;
}

bool Lowerer::Enter(const Symbol& symbol, Span span) {
  bool inside = std::find(inlining_.begin(), inlining_.end(), &symbol) != inlining_.end();
  if (!inside && inlining_.size() < 200) {
    inlining_.push_back(&symbol);
    c.calls.emplace_back(span, symbol.name);
    return true;
  }
  Diagnostic& d = inside
                      ? c.Error(Code::kNameRecursive, span,
                                fmt::format("the {} `{}` refers to itself", SymbolKindName(symbol.kind), symbol.name))
                      : c.Error(Code::kLimitExpansion, span,
                                fmt::format("`{}` is used through more than 200 definitions", symbol.name));
  bool on = false;
  for (const Symbol* step : inlining_) {
    on = on || step == &symbol;
    if (on && step->span.valid()) d.path.push_back({step->span, fmt::format("through `{}`", step->name)});
  }
  d.notes.push_back("definitions are written out where they are used, so none can contain itself");
  if (inside) {
    d.help.push_back(symbol.kind == SymbolKind::kWalk ? "say the repetition: `*`, `+`, `{2..4}`"
                     : symbol.kind == SymbolKind::kDefine
                         ? "say it of all of a set: `some x in … : …`, `every x in … : …`"
                         : "let the turn repeat the action: `NAME{1..3}`");
  }
  return false;
}

ExprId Lowerer::Lower(const Scope& s, const ast::Expr& e, const Type* want) {
  if (!Spend(e.span)) return ExprId();
  if (depth_ >= kMaxDepth) {
    c.Error(Code::kLimitExpansion, e.span, "this is nested too deeply");
    return ExprId();
  }
  ++depth_;
  ExprId id = want && want->base == Base::kWalk && !want->set ? WalkValue(s, e) : LowerInner(s, e, want);
  --depth_;
  return want && id.valid() ? Convert(id, *want, e.span) : id;
}

ExprId Lowerer::LowerInner(const Scope& s, const ast::Expr& e, const Type* want) {
  for (const ast::ExprPtr& child : e.children) {
    if (!child) return ExprId();
  }
  switch (e.kind) {
    case ast::ExprKind::kError:
      return ExprId();
    case ast::ExprKind::kInt:
      if (e.number > 1'000'000'000) {
        c.Error(Code::kTypeRange, e.span, fmt::format("{} is too large a number", e.number));
        return ExprId();
      }
      return Const(IntType(), static_cast<Value>(e.number), e.span);
    case ast::ExprKind::kString: {
      for (std::string_view mark : {",", "//"}) {
        if (!in_move_text || e.text.find(mark) == std::string::npos) continue;
        c.Error(Code::kSyntaxUnexpected, e.span, fmt::format("`{}` cannot stand in the text of a move", mark))
            .notes.emplace_back(mark == "," ? "in a saved game a comma stands between the actions of a turn"
                                            : "in a saved game it begins a comment");
        return ExprId();
      }
      Type text = OfBase(Base::kEnum);
      text.enumeration = kTextEnum;
      auto& texts = rules.written_texts;
      auto found = std::find(texts.begin(), texts.end(), e.text);
      Value index = static_cast<Value>(found - texts.begin());
      if (found == texts.end()) texts.push_back(e.text);
      return Const(text, index, e.span);
    }
    case ast::ExprKind::kName:
      return NameValue(s, e, want);
    case ast::ExprKind::kCall: {
      std::vector<const ast::Expr*> args;
      for (const ast::ExprPtr& child : e.children) args.push_back(child.get());
      return CallFunction(s, e, e.text, args, want);
    }
    case ast::ExprKind::kIndex:
      return IndexExpr(s, e);
    case ast::ExprKind::kField:
      return Field(s, e);
    case ast::ExprKind::kOf:
      return Of(s, e, want);
    case ast::ExprKind::kNot:
      return Not(Condition(s, *e.children[0]), e.span);
    case ast::ExprKind::kBinary:
      return Binary(s, e, want);
    case ast::ExprKind::kQuantifier:
      return Quantifier(s, e);
    case ast::ExprKind::kIf:
      return IfExpr(s, e, want);
    case ast::ExprKind::kIs:
      return Is(s, e);
    case ast::ExprKind::kExists: {
      ExprId value = Lower(s, *e.children[0], nullptr);
      if (!value.valid()) return value;
      if (type(value).set) return Not(Make(Op::kIsEmptySet, BoolType(), e.span, {value}), e.span);
      if (type(value).base == Base::kKind) value = Convert(value, PieceType(), e.span);  // `Ball exists`
      if (std::optional<Value> known = ValueOf(value)) return Const(BoolType(), *known != kNone, e.span);
      return Make(Op::kExists, BoolType(), e.span, {value});
    }
    case ast::ExprKind::kPieces:
      return Pieces(s, e);
    case ast::ExprKind::kCells:
      return CellsNode(s, e);
    case ast::ExprKind::kRank:
      return RankFile(s, e);
    case ast::ExprKind::kSet:
      return SetLiteral(s, e, want);
    case ast::ExprKind::kComprehension: {
      ExprId set = Lower(s, *e.children[0], nullptr);
      if (!set.valid()) return set;
      if (!type(set).set) {
        c.Error(Code::kTypeMismatch, e.children[0]->span,
                fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, type(set))));
        return ExprId();
      }
      if (!CheckLocalName(s, e.name)) return ExprId();
      return Unrolled(s, e, Op::kFilter, set);
    }
    case ast::ExprKind::kWays:
    case ast::ExprKind::kThen:
    case ast::ExprKind::kRepeat:
    case ast::ExprKind::kOver:
    case ast::ExprKind::kGuard:
    case ast::ExprKind::kFace:
    case ast::ExprKind::kTurn:
    case ast::ExprKind::kLeap:
    case ast::ExprKind::kBetza:
    case ast::ExprKind::kMayStay:
      if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) return RelativeValue(s, *labels, e.span);
      c.Error(Code::kTypeMismatch, e.span, "a walk stands here, but a value is needed")
          .help.push_back("ask `reaches(A, WALK, B)`, or name the walk and use it in `choose … = WALK from … onto …`");
      return ExprId();
    case ast::ExprKind::kFilter:
    case ast::ExprKind::kFilterTerm:
      c.Error(Code::kTypeMismatch, e.span, "a filter stands here, but a value is needed");
      return ExprId();
  }
  return ExprId();
}

// ---- operators ---------------------------------------------------------------------------------

ExprId Lowerer::Binary(const Scope& s, const ast::Expr& e, const Type* want) {
  const std::string_view op = e.text;
  const ast::Expr& left = *e.children[0];
  const ast::Expr& right = *e.children[1];
  if (op == "and" || op == "or" || op == "implies") {
    ExprId a = Condition(s, left);
    // A constant left side decides alone: what stands behind it is read (for its errors), not used.
    ExprId b = Condition(s, right);
    if (!a.valid() || !b.valid()) return ExprId();
    if (op == "and") return And({a, b}, e.span);
    if (op == "or") return Or({a, b}, e.span);
    if (MayBeNone(a)) return Make(Op::kImplies, BoolType(), e.span, {a, b});
    return Or({Not(a, left.span), b}, e.span);
  }
  if (op == "in" || op == "not in") {
    ExprId in = Membership(s, e);
    return op == "in" ? in : Not(in, e.span);
  }
  if (op == "..") return RangeOf(s, e);
  if (op == "+" || op == "-" || op == "&") return Combination(s, e, want);
  return Comparison(s, e);
}

namespace {

// A bare name that can only be a value of some list: its list is known by the other side.
bool NeedsOtherSide(Lowerer& l, const Scope& s, const ast::Expr& e) {
  Lowerer::Written w = l.Follow(s, e);
  if (w.expr->kind != ast::ExprKind::kName) return false;
  const std::string& name = w.expr->text;
  if (name == "none" || name == "dark" || name == "light") return true;
  if (w.scope->Find(name)) return false;
  Symbol* symbol = l.c.symbols.Find(name);
  return !symbol && (!l.c.symbols.EnumValues(name).empty() || !l.IsReserved(name));
}

}  // namespace

ExprId Lowerer::Comparison(const Scope& s, const ast::Expr& e) {
  const ast::Expr *left = e.children[0].get(), *right = e.children[1].get();
  const std::string_view op = e.text;
  if (op != "==" && op != "!=") {
    ExprId a = Lower(s, *left, IntType());
    ExprId b = Lower(s, *right, IntType());
    if (op == "<") return Less(false, a, b, e.span);
    if (op == "<=") return Less(true, a, b, e.span);
    if (op == ">") return Less(false, b, a, e.span);
    return Less(true, b, a, e.span);
  }
  bool swapped = NeedsOtherSide(*this, s, *left) && !NeedsOtherSide(*this, s, *right);
  if (swapped) std::swap(left, right);
  ExprId a = Lower(s, *left, nullptr);
  if (!a.valid()) {
    return ExprId();  // without its type the other side would give errors that are none
  }
  Type hint = type(a);
  const ast::Expr& asked = *Follow(s, *left).expr;
  bool colour = (asked.kind == ast::ExprKind::kCall && asked.text == "colour") ||
                (asked.kind == ast::ExprKind::kOf && asked.children[0] && asked.children[0]->text == "colour");
  if (colour && hint.base == Base::kInt) {
    hint = OfBase(Base::kEnum);
    hint.enumeration = kColourEnum;
  }
  // The type of the left side guides names on the right, but the right side may be the more exact one.
  bool guide = NeedsOtherSide(*this, s, *right) || hint.base == Base::kEnum || hint.base == Base::kPlayer ||
               hint.base == Base::kPhase || hint.base == Base::kDirection;
  ExprId b = Lower(s, *right, guide && !hint.set ? &hint : nullptr);
  if (!b.valid()) return ExprId();
  Type x = type(a), y = type(b);
  if (!SameKind(x, y)) {
    auto rank = [](const Type& t) {  // which of two types the other is converted to
      return t.base == Base::kCell ? 3 : t.base == Base::kPiece ? 2 : t.base == Base::kKind ? 1 : 0;
    };
    if (ValueOf(a) == kNone || (x.set == y.set && rank(y) > rank(x)) || (y.set && !x.set)) {
      a = Convert(a, y, left->span);
    } else {
      b = Convert(b, x, right->span);
    }
  }
  if (swapped) std::swap(a, b);
  ExprId equal = Equal(a, b, e.span);
  return op == "==" ? equal : Not(equal, e.span);
}

ExprId Lowerer::Membership(const Scope& s, const ast::Expr& e) {
  const ast::Expr& left = *e.children[0];
  const ast::Expr& right = *e.children[1];
  Written w = Follow(s, right);
  if (w.expr->kind == ast::ExprKind::kSet && !w.expr->children.empty()) {
    ExprId value = Lower(s, left, nullptr);
    if (!value.valid()) return value;
    Type element = type(value);
    if (element.base == Base::kKind) {  // `Ball in { c1, d1 }`: where the ball is
      ExprId set = Lower(s, right, nullptr);
      if (!set.valid()) return set;
      element = type(set);
      element.set = false;
      return In(Convert(value, element, left.span), set, e.span);
    }
    Type wanted = element;
    if (element.base == Base::kPiece) {
      ExprId set = Lower(s, right, nullptr);  // of pieces or of cells: what stands in it says
      if (!set.valid()) return set;
      Type have = type(set);
      have.set = false;
      if (have.base != Base::kCell) set = Convert(set, SetOf(Base::kPiece), right.span);
      return In(have.base == Base::kCell ? CellOf(value, left.span) : value, set, e.span);
    }
    wanted.set = true;
    return In(value, Lower(s, right, &wanted), e.span);
  }
  ExprId set = Lower(s, right, nullptr);
  if (!set.valid()) return set;
  if (!type(set).set) {
    if (type(set).base != Base::kCell) {
      c.Error(Code::kTypeMismatch, right.span,
              fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, type(set))));
      return ExprId();
    }
    set = Single(set, right.span);
  }
  Type element = type(set);
  element.set = false;
  return In(Lower(s, left, &element), set, e.span);
}

ExprId Lowerer::Combination(const Scope& s, const ast::Expr& e, const Type* want) {
  const ast::Expr& left = *e.children[0];
  const ast::Expr& right = *e.children[1];
  ExprId a = Lower(s, left, want && want->set ? want : nullptr);
  if (!a.valid()) return a;
  Op set_op = e.text == "+" ? Op::kUnion : e.text == "-" ? Op::kMinus : Op::kIntersect;
  if (!type(a).set && type(a).base == Base::kInt) {
    if (e.text == "&") {
      c.Error(Code::kTypeMismatch, left.span, "`&` is for sets, but this is a number");
      return ExprId();
    }
    return Arithmetic(e.text == "+" ? Op::kAdd : Op::kSub, a, Lower(s, right, IntType()), e.span);
  }
  if (!type(a).set && type(a).base == Base::kBool) {
    c.Error(Code::kTypeMismatch, left.span,
            fmt::format("`{}` is for numbers and sets, but this is a condition", e.text))
        .help.push_back("conditions are joined by `and` and `or`");
    return ExprId();
  }
  if (!type(a).set) a = Single(type(a).base == Base::kKind ? Convert(a, PieceType(), left.span) : a, left.span);
  Type set = type(a);
  return SetOperation(set_op, a, Lower(s, right, &set), e.span);
}

ExprId Lowerer::RangeOf(const Scope& s, const ast::Expr& e) {
  ExprId low = Lower(s, *e.children[0], nullptr);
  if (!low.valid()) return low;
  Type want = type(low);
  ExprId high = Lower(s, *e.children[1], &want);
  std::optional<Value> a = ValueOf(low), b = ValueOf(high);
  if (!high.valid()) return high;
  if (!a || !b || *a == kNone || *b == kNone || (want.base != Base::kInt && want.base != Base::kCell)) {
    c.Error(Code::kTypeMismatch, e.span, "a range needs two fixed cells or two fixed numbers");
    return ExprId();
  }
  if (want.base == Base::kInt) {
    if (*b - *a > 10000) {
      c.Error(Code::kTypeRange, e.span, "this range is too long");
      return ExprId();
    }
    std::vector<Value> values;
    for (Value v = *a; v <= *b; ++v) values.push_back(v);
    return ConstValues(Base::kInt, std::move(values), e.span);
  }
  const board::Board& board = c.board();
  if (board.file(*a) == 0 || board.file(*b) == 0) {
    c.Error(Code::kTypeMismatch, e.span, "cells of this board have no ranks and files, so there is no range of them");
    return ExprId();
  }
  CellSet cells;
  for (int file = std::min(board.file(*a), board.file(*b)); file <= std::max(board.file(*a), board.file(*b)); ++file) {
    for (int rank = std::min(board.rank(*a), board.rank(*b)); rank <= std::max(board.rank(*a), board.rank(*b));
         ++rank) {
      if (int cell = board.At(file, rank); cell >= 0) cells.set(static_cast<std::size_t>(cell));
    }
  }
  return ConstCellSet(cells, e.span);
}

ExprId Lowerer::IfExpr(const Scope& s, const ast::Expr& e, const Type* want) {
  ExprId condition = Condition(s, *e.children[0]);
  if (!condition.valid()) return condition;
  ExprId then = Lower(s, *e.children[1], want);
  if (!then.valid()) return then;
  Type have = type(then);
  bool none = ValueOf(then) == kNone;
  ExprId otherwise = Lower(s, *e.children[2], want ? want : none ? nullptr : &have);
  if (!otherwise.valid()) return otherwise;
  if (none && !want) then = Convert(then, type(otherwise), e.children[1]->span);
  return If(condition, then, otherwise, e.span);
}

// ---- parts of things ---------------------------------------------------------------------------

namespace {

std::string IndexHelp(const std::string& name, std::size_t count) {
  if (count == 0) return fmt::format("write `{}` alone", name);
  return fmt::format("write `{}[{}]`", name, count == 1 ? "INDEX" : count == 2 ? "INDEX, INDEX" : "INDEX, INDEX, …");
}

}  // namespace

ExprId Lowerer::StateRead(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& index, Span span) {
  if (symbol.broken || symbol.id < 0) return ExprId();
  if (index.size() != symbol.index_types.size()) {
    Diagnostic& d = c.Error(
        Code::kTypeArity, span,
        fmt::format("`{}` has {} ind{}, but {} {} given", symbol.name, symbol.index_types.size(),
                    symbol.index_types.size() == 1 ? "ex" : "ices", index.size(), index.size() == 1 ? "is" : "are"));
    if (symbol.span.valid()) d.labels.push_back({symbol.span, "declared here"});
    d.help.push_back(IndexHelp(symbol.name, symbol.index_types.size()));
    return ExprId();
  }
  std::vector<ExprId> children;
  for (std::size_t i = 0; i < index.size(); ++i) children.push_back(IndexValue(s, *index[i], symbol.index_types[i]));
  return Make(Op::kState, symbol.type, span, std::move(children), symbol.id);
}

ExprId Lowerer::ZoneRead(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& index, Span span) {
  if (symbol.broken || symbol.id < 0) return ExprId();
  const rules::Zone& zone = rules.zones[rules::ZoneId(static_cast<int32_t>(symbol.id))];
  if (index.empty() && !zone.index.empty()) {  // `pieces on out`: all of an indexed zone
    CellSet all;
    for (const CellSet& cells : zone.cells) all |= cells;
    return ConstCellSet(all, span);
  }
  if (index.size() != zone.index.size()) {
    Diagnostic& d =
        c.Error(Code::kTypeArity, span,
                fmt::format("the zone `{}` has {} ind{}, but {} {} given", symbol.name, zone.index.size(),
                            zone.index.size() == 1 ? "ex" : "ices", index.size(), index.size() == 1 ? "is" : "are"));
    if (symbol.span.valid()) d.labels.push_back({symbol.span, "declared here"});
    d.help.push_back(IndexHelp(symbol.name, zone.index.size()));
    return ExprId();
  }
  std::vector<ExprId> children;
  bool constant = true;
  std::size_t flat = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    ExprId value = IndexValue(s, *index[i], zone.index_types[i]);
    if (!value.valid()) return value;
    children.push_back(value);
    std::optional<Value> known = ValueOf(value);
    constant = constant && known.has_value();
    if (!known) continue;
    auto place = std::find(zone.index[i].begin(), zone.index[i].end(), *known);
    if (place == zone.index[i].end()) return ConstCellSet(CellSet(), span);
    flat = flat * zone.index[i].size() + static_cast<std::size_t>(place - zone.index[i].begin());
  }
  if (constant) return ConstCellSet(flat < zone.cells.size() ? zone.cells[flat] : CellSet(), span);
  return Make(Op::kZone, CellsType(), span, std::move(children), symbol.id);
}

ExprId Lowerer::IndexExpr(const Scope& s, const ast::Expr& e) {
  std::vector<const ast::Expr*> index;
  for (std::size_t i = 1; i < e.children.size(); ++i) index.push_back(e.children[i].get());
  Written w = Follow(s, *e.children[0]);
  if (w.expr->kind == ast::ExprKind::kName && !w.scope->Find(w.expr->text)) {
    if (Symbol* symbol = Use(w.expr->text, {SymbolKind::kZone, SymbolKind::kStateVar})) {
      return symbol->kind == SymbolKind::kZone ? ZoneRead(s, *symbol, index, e.span)
                                               : StateRead(s, *symbol, index, e.span);
    }
    Symbol* other = c.symbols.Find(w.expr->text);
    if (other) {
      c.Error(Code::kTypeMismatch, w.expr->span,
              fmt::format("`{}` is a {} and has no index", other->name, SymbolKindName(other->kind)));
      return ExprId();
    }
    UnknownName(w.expr->text, w.expr->span, "zone or state variable", c.symbols.Names([](const Symbol& symbol) {
      return symbol.kind == SymbolKind::kZone || symbol.kind == SymbolKind::kStateVar;
    }));
    return ExprId();
  }
  c.Error(Code::kTypeMismatch, e.children[0]->span, "only zones and state variables have an index");
  return ExprId();
}

ExprId Lowerer::Field(const Scope& s, const ast::Expr& e) {
  ExprId piece = Lower(s, *e.children[0], PieceType());
  if (!piece.valid()) return piece;
  Symbol* symbol = c.symbols.FindField(e.text);
  if (!symbol) {
    UnknownName(e.text, e.word.valid() ? e.word : e.span, "piece state or attribute",
                c.symbols.Names([](const Symbol& known) {
                  return known.kind == SymbolKind::kPieceVar || known.kind == SymbolKind::kAttribute;
                }));
    return ExprId();
  }
  ++symbol->uses;
  if (symbol->broken || symbol->id < 0) return ExprId();
  Op op = symbol->kind == SymbolKind::kPieceVar ? Op::kPieceState : Op::kAttribute;
  return Make(op, symbol->type, e.span, {piece}, symbol->id);
}

ExprId Lowerer::Of(const Scope& s, const ast::Expr& e, const Type* want) {
  const ast::Expr& what = *e.children[0];
  const ast::Expr& owner = *e.children[1];
  Written w = Follow(s, what);
  if (w.expr->kind == ast::ExprKind::kName) {
    if (!w.scope->Find(w.expr->text)) {
      if (std::optional<KindSet> kinds = KindsNamed(w.expr->text)) {
        ExprId player = Lower(s, owner, PlayerType());
        if (!player.valid()) return player;
        return TheOnly(*kinds, player, e.span);
      }
    }
    return CallFunction(s, e, w.expr->text, {&owner}, want);
  }
  c.Error(Code::kTypeMismatch, what.span, "`of` needs a kind of piece or the name of a function before it");
  return ExprId();
}

}  // namespace arbiter::check
