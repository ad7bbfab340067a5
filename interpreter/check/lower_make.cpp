// Making expressions: hash-consing, folding of constants, conversions (language B0).
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

// ---- types -------------------------------------------------------------------------------------

Type OfBase(Base base) {
  Type type;
  type.base = base;
  return type;
}

Type SetOf(Base base) {
  Type type;
  type.base = base;
  type.set = true;
  return type;
}

std::string TypeText(const rules::Rules& rules, const Type& type) {
  auto pick = [&](std::string_view one, std::string_view many) {
    return type.set ? fmt::format("a set of {}", many) : std::string(one);
  };
  switch (type.base) {
    case Base::kBool:
      return pick("a condition", "truth values");
    case Base::kInt:
      return pick("a number", "numbers");
    case Base::kEnum: {
      if (type.enumeration == kColourEnum) return "a colour";
      if (type.enumeration == kTextEnum) return "a text";
      if (type.enumeration < 0) return pick("a value", "values");
      const std::vector<std::string>& values = rules.enums[static_cast<std::size_t>(type.enumeration)].values;
      std::string list = fmt::format("{}", fmt::join(values, ", "));
      return type.set ? fmt::format("a set of {{ {} }}", list) : fmt::format("one of {{ {} }}", list);
    }
    case Base::kPlayer:
      return pick("a player", "players");
    case Base::kCell:
      return pick("a cell", "cells");
    case Base::kPiece:
      return pick("a piece", "pieces");
    case Base::kKind:
      return pick("a kind of piece", "kinds of piece");
    case Base::kDirection:
      return pick("a direction", "directions");
    case Base::kPhase:
      return pick("a phase", "phases");
    case Base::kWalk:
      return pick("a walk", "walks");
    case Base::kAction:
      return pick("an action", "actions");
  }
  return "a value";
}

bool SameKind(const Type& a, const Type& b) {
  return a.base == b.base && a.set == b.set && (a.base != Base::kEnum || a.enumeration == b.enumeration);
}

// ---- hash-consing ------------------------------------------------------------------------------

namespace {

uint64_t HashOf(const rules::Expr& e) {
  uint64_t h = 1469598103934665603ULL;
  auto add = [&](uint64_t x) { h = (h ^ (x + 0x9e3779b97f4a7c15ULL)) * 1099511628211ULL; };
  add(static_cast<uint64_t>(e.op));
  add(static_cast<uint64_t>(e.type.base) * 2 + e.type.set);
  add(static_cast<uint64_t>(e.type.enumeration + 8));
  add(static_cast<uint64_t>(static_cast<uint32_t>(e.value)));
  add(static_cast<uint64_t>(e.slot + 1));
  add(e.kinds);
  add(static_cast<uint64_t>(e.side) * 2 + e.on_cells);
  for (ExprId child : e.children) add(static_cast<uint64_t>(child.value));
  for (Value value : e.values) add(static_cast<uint64_t>(static_cast<uint32_t>(value)) + 77);
  for (Span span : e.defined) add(span.begin);
  return h;
}

bool Equal(const rules::Expr& a, const rules::Expr& b) {
  return a.op == b.op && a.type == b.type && a.value == b.value && a.slot == b.slot && a.kinds == b.kinds &&
         a.side == b.side && a.on_cells == b.on_cells && a.children == b.children && a.values == b.values &&
         a.defined == b.defined;
}

}  // namespace

ExprId Lowerer::Intern(rules::Expr expr) {
  uint64_t hash = HashOf(expr);
  auto [begin, end] = expr_table_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (check::Equal(rules.exprs[it->second], expr)) return it->second;
  }
  ExprId id = rules.exprs.Add(std::move(expr));
  expr_table_.emplace(hash, id);
  return id;
}

ExprId Lowerer::Defined(ExprId id, Span definition) {
  if (!c.trace || !id.valid() || IsConstant(id)) return id;
  rules::Expr expr = at(id);
  if (std::find(expr.defined.begin(), expr.defined.end(), definition) != expr.defined.end()) return id;
  expr.defined.push_back(definition);
  ExprId made = Intern(std::move(expr));
  auto asked = std::find_if(can_plays.begin(), can_plays.end(), [&](const auto& q) { return q.first == id; });
  if (asked != can_plays.end()) can_plays.emplace_back(made, ast::Name(asked->second));
  return made;
}

ExprId Lowerer::Make(Op op, Type type, Span span, std::vector<ExprId> children, Value value) {
  for (ExprId child : children) {
    if (!child.valid()) return ExprId();
  }
  rules::Expr expr;
  expr.op = op;
  expr.type = type;
  expr.span = span;
  expr.children = std::move(children);
  expr.value = value;
  return Intern(std::move(expr));
}

ExprId Lowerer::Const(Type type, Value value, Span span) {
  Type plain = OfBase(type.base);  // ranges do not matter for a value: equal constants have one id
  plain.enumeration = type.enumeration;
  return Make(Op::kConst, plain, span, {}, value);
}

ExprId Lowerer::ConstCellSet(const CellSet& cells, Span span) {
  auto [found, added] = cell_set_table_.emplace(cells.to_string(), static_cast<int>(rules.cell_sets.size()));
  if (added) rules.cell_sets.push_back(cells);
  return Make(Op::kConstCells, CellsType(), span, {}, found->second);
}

ExprId Lowerer::ConstValues(Base base, std::vector<Value> values, Span span, int enumeration) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::erase(values, kNone);
  if (base == Base::kCell) {
    CellSet cells;
    for (Value value : values) cells.set(static_cast<std::size_t>(value));
    return ConstCellSet(cells, span);
  }
  rules::Expr expr;
  expr.op = Op::kConstSet;
  expr.type = SetOf(base);
  expr.type.enumeration = enumeration;
  expr.span = span;
  expr.values = std::move(values);
  return Intern(std::move(expr));
}

ExprId Lowerer::Local(const Binding& b, Span span) {
  if (b.kind == Binding::Kind::kConst) {
    return b.constant.valid() ? b.constant : Const(b.type, b.value, span);
  }
  rules::Expr expr;
  expr.op = Op::kLocal;
  expr.type = b.type;
  expr.span = span;
  expr.slot = b.slot;
  return Intern(std::move(expr));
}

// ---- what is constant --------------------------------------------------------------------------

std::optional<Value> Lowerer::ValueOf(ExprId id) const {
  if (!id.valid() || at(id).op != Op::kConst) return std::nullopt;
  return at(id).value;
}

std::optional<bool> Lowerer::Truth(ExprId id) const {
  std::optional<Value> value = ValueOf(id);
  if (!value || type(id).base != Base::kBool) return std::nullopt;
  return *value != 0 && *value != kNone;
}

std::optional<CellSet> Lowerer::CellsOf(ExprId id) const {
  if (!id.valid() || at(id).op != Op::kConstCells) return std::nullopt;
  return rules.cell_sets[static_cast<std::size_t>(at(id).value)];
}

std::optional<std::vector<Value>> Lowerer::ElementsOf(ExprId id) const {
  if (!id.valid()) return std::nullopt;
  if (at(id).op == Op::kConstSet) return at(id).values;
  std::optional<CellSet> cells = CellsOf(id);
  if (!cells) return std::nullopt;
  std::vector<Value> values;
  for (std::size_t cell = 0; cell < cells->size(); ++cell) {
    if (cells->test(cell)) values.push_back(static_cast<Value>(cell));
  }
  return values;
}

bool Lowerer::IsConstant(ExprId id) const {
  if (!id.valid()) return false;
  Op op = at(id).op;
  return op == Op::kConst || op == Op::kConstSet || op == Op::kConstCells;
}

// ---- conditions --------------------------------------------------------------------------------

// A condition read from a piece that is not there, or from a variable that may be none, is none; `not`
// leaves it so (B19).
bool Lowerer::MayBeNone(ExprId id) const {
  if (!id.valid()) return false;
  const rules::Expr& e = at(id);
  switch (e.op) {
    case Op::kConst:
      return e.value == kNone;
    case Op::kNot:
      return MayBeNone(e.children[0]);
    case Op::kPieceState:
      return at(e.children[0]).op != Op::kSelf || e.type.optional;
    case Op::kState:
      return e.type.optional || std::any_of(e.children.begin(), e.children.end(), [&](ExprId index) {
               Op op = at(index).op;
               return op != Op::kConst && op != Op::kMe && op != Op::kSide;
             });
    case Op::kLocal:
    case Op::kIf:
    case Op::kAttribute:
      return true;
    default:
      return false;
  }
}

ExprId Lowerer::Not(ExprId a, Span span) {
  if (!a.valid()) return a;
  if (ValueOf(a) == kNone) return a;
  if (std::optional<bool> truth = Truth(a)) return Const(BoolType(), !*truth, span);
  // Negations go inward (language B22), so that equal laws look equal. Comparisons keep theirs: `not a < b`
  // is no `a >= b` where a value may be none.
  const rules::Expr negated = at(a);
  if (!negated.defined.empty()) return Make(Op::kNot, BoolType(), span, {a});
  switch (negated.op) {
    case Op::kNot:
      return negated.children[0];
    case Op::kAnd:
    case Op::kOr: {
      if (std::any_of(negated.children.begin(), negated.children.end(), [&](ExprId id) { return MayBeNone(id); }))
        break;
      std::vector<ExprId> parts;
      for (ExprId child : negated.children) parts.push_back(Not(child, at(child).span));
      return negated.op == Op::kAnd ? Or(std::move(parts), span) : And(std::move(parts), span);
    }
    case Op::kSome:
    case Op::kEvery: {
      if (MayBeNone(negated.children[1])) break;
      rules::Expr dual = negated;
      dual.op = negated.op == Op::kSome ? Op::kEvery : Op::kSome;
      dual.children[1] = Not(negated.children[1], at(negated.children[1]).span);
      return Intern(std::move(dual));
    }
    default:
      break;
  }
  return Make(Op::kNot, BoolType(), span, {a});
}

ExprId Lowerer::And(std::vector<ExprId> parts, Span span) {
  std::vector<ExprId> kept;
  for (ExprId part : parts) {
    if (!part.valid()) return part;
    if (std::optional<bool> truth = Truth(part)) {
      if (!*truth) {  // what stands before it has no effect: nothing in a condition has
        return Const(BoolType(), 0, span);
      }
      continue;
    }
    if (at(part).op == Op::kAnd && at(part).defined.empty()) {
      std::vector<ExprId> children = at(part).children;
      kept.insert(kept.end(), children.begin(), children.end());
    } else {
      kept.push_back(part);
    }
  }
  if (kept.empty()) return True(span);
  if (kept.size() == 1 && parts.size() > 1 && MayBeNone(kept[0])) kept.push_back(kept[0]);  // `none and true` is false
  if (kept.size() == 1) return kept[0];
  return Make(Op::kAnd, BoolType(), span, std::move(kept));
}

ExprId Lowerer::Or(std::vector<ExprId> parts, Span span) {
  std::vector<ExprId> kept;
  for (ExprId part : parts) {
    if (!part.valid()) return part;
    if (std::optional<bool> truth = Truth(part)) {
      if (*truth) return True(span);
      continue;
    }
    if (at(part).op == Op::kOr && at(part).defined.empty()) {
      std::vector<ExprId> children = at(part).children;
      kept.insert(kept.end(), children.begin(), children.end());
    } else {
      kept.push_back(part);
    }
  }
  if (kept.empty()) return Const(BoolType(), 0, span);
  if (kept.size() == 1 && parts.size() > 1 && MayBeNone(kept[0])) kept.push_back(kept[0]);
  if (kept.size() == 1) return kept[0];
  return Make(Op::kOr, BoolType(), span, std::move(kept));
}

ExprId Lowerer::If(ExprId condition, ExprId then, ExprId otherwise, Span span) {
  if (!condition.valid() || !then.valid() || !otherwise.valid()) return ExprId();
  if (std::optional<bool> truth = Truth(condition)) return *truth ? then : otherwise;
  if (then == otherwise) return then;
  Type result = type(then);
  if (ValueOf(then) == kNone) result = type(otherwise);
  if (result.base == Base::kInt) result = IntType();
  if (result.base == Base::kBool && !result.set && !MayBeNone(condition)) {
    std::optional<bool> yes = Truth(then), no = Truth(otherwise);
    if (yes && no && *yes && !*no) return condition;
    if (yes && no && !*yes && *no) return Not(condition, span);
  }
  return Make(Op::kIf, result, span, {condition, then, otherwise});
}

// ---- comparisons and sums ----------------------------------------------------------------------

ExprId Lowerer::Equal(ExprId a, ExprId b, Span span) {
  if (!a.valid() || !b.valid()) return ExprId();
  if (a == b && IsConstant(a)) return True(span);
  std::optional<Value> x = ValueOf(a), y = ValueOf(b);
  if (x && y) return Const(BoolType(), *x == *y, span);
  std::optional<std::vector<Value>> one = ElementsOf(a), other = ElementsOf(b);
  if (one && other) return Const(BoolType(), *one == *other, span);
  if (type(a).base == Base::kBool && !type(a).set) {  // `x == true` is x
    std::optional<bool> left = Truth(a), right = Truth(b);
    if (right && ValueOf(b) != kNone && !MayBeNone(a)) return *right ? a : Not(a, span);
    if (left && ValueOf(a) != kNone && !MayBeNone(b)) return *left ? b : Not(b, span);
  }
  return Make(Op::kEq, BoolType(), span, {a, b});
}

ExprId Lowerer::Less(bool or_equal, ExprId a, ExprId b, Span span) {
  if (!a.valid() || !b.valid()) return ExprId();
  std::optional<Value> x = ValueOf(a), y = ValueOf(b);
  if (x == kNone || y == kNone) return Const(BoolType(), 0, span);
  if (x && y) return Const(BoolType(), or_equal ? *x <= *y : *x < *y, span);
  return Make(or_equal ? Op::kLe : Op::kLt, BoolType(), span, {a, b});
}

ExprId Lowerer::Arithmetic(Op op, ExprId a, ExprId b, Span span) {
  if (!a.valid() || !b.valid()) return ExprId();
  std::optional<Value> x = ValueOf(a), y = ValueOf(b);
  if (x == kNone || y == kNone) return Const(IntType(), kNone, span);
  if (x && y) {
    int64_t sum = op == Op::kAdd ? int64_t{*x} + *y : int64_t{*x} - *y;
    if (sum > INT32_MAX || sum < -INT32_MAX) {
      c.Error(Code::kTypeRange, span, fmt::format("{} is too large a number", sum));
      return ExprId();
    }
    return Const(IntType(), static_cast<Value>(sum), span);
  }
  return Make(op, IntType(), span, {a, b});
}

ExprId Lowerer::SetOperation(Op op, ExprId a, ExprId b, Span span) {
  if (!a.valid() || !b.valid()) return ExprId();
  std::optional<std::vector<Value>> one = ElementsOf(a), other = ElementsOf(b);
  if (one && other) {
    std::vector<Value> result;
    if (op == Op::kUnion) {
      std::set_union(one->begin(), one->end(), other->begin(), other->end(), std::back_inserter(result));
    } else if (op == Op::kMinus) {
      std::set_difference(one->begin(), one->end(), other->begin(), other->end(), std::back_inserter(result));
    } else {
      std::set_intersection(one->begin(), one->end(), other->begin(), other->end(), std::back_inserter(result));
    }
    return ConstValues(type(a).base, std::move(result), span, type(a).enumeration);
  }
  return Make(op, type(a), span, {a, b});
}

ExprId Lowerer::In(ExprId value, ExprId set, Span span) {
  if (!value.valid() || !set.valid()) return ExprId();
  std::optional<Value> x = ValueOf(value);
  if (x == kNone) return Const(BoolType(), 0, span);
  if (std::optional<std::vector<Value>> elements = ElementsOf(set)) {
    if (x) return Const(BoolType(), std::find(elements->begin(), elements->end(), *x) != elements->end(), span);
    if (elements->empty()) return Const(BoolType(), 0, span);
  }
  return Make(Op::kIn, BoolType(), span, {value, set});
}

ExprId Lowerer::Single(ExprId value, Span span) {
  if (!value.valid()) return value;
  Type set = type(value);
  set.set = true;
  if (std::optional<Value> x = ValueOf(value)) return ConstValues(set.base, {*x}, span, set.enumeration);
  return Make(Op::kMakeSet, set, span, {value});
}

// ---- conversions -------------------------------------------------------------------------------

ExprId Lowerer::CellOf(ExprId piece, Span span) { return Make(Op::kCellOf, CellType(), span, {piece}); }

ExprId Lowerer::PieceAt(ExprId cell, Span span) { return Make(Op::kPieceAt, PieceType(), span, {cell}); }

ExprId Lowerer::TheOnly(KindSet kinds, ExprId owner, Span span) {
  rules::Expr expr;
  expr.op = Op::kTheOnly;
  expr.type = PieceType();
  expr.span = span;
  expr.kinds = kinds;
  if (owner.valid()) expr.children.push_back(owner);
  return Intern(std::move(expr));
}

ExprId Lowerer::Convert(ExprId id, const Type& want, Span span) {
  if (!id.valid()) return id;
  const Type have = type(id);
  if (SameKind(have, want)) return id;
  std::optional<Value> constant = ValueOf(id);
  if (!want.set) {
    if (!have.set && constant == kNone) return Const(want, kNone, span);
    if (!have.set && want.base == Base::kPiece) {
      if (have.base == Base::kCell) return PieceAt(id, span);
      if (have.base == Base::kKind && constant) return TheOnly(KindSet{1} << *constant, ExprId(), span);
    }
    if (!have.set && want.base == Base::kCell) {
      if (have.base == Base::kPiece) return CellOf(id, span);
      if (have.base == Base::kKind && constant) {
        return CellOf(TheOnly(KindSet{1} << *constant, ExprId(), span), span);
      }
    }
    bool colour = want.enumeration == kColourEnum || have.enumeration == kColourEnum;
    if (!have.set && colour && want.base != have.base && (want.base == Base::kInt || have.base == Base::kInt)) {
      return id;
    }
  } else {
    if (have.set && want.base == Base::kCell && have.base == Base::kPiece) {
      return Make(Op::kCellsOf, CellsType(), span, {id});
    }
    if (have.set && want.base == Base::kPiece && have.base == Base::kCell) {
      return Make(Op::kPiecesOn, SetOf(Base::kPiece), span, {id});
    }
    std::optional<std::vector<Value>> elements = ElementsOf(id);
    if (have.set && elements && elements->empty()) return ConstValues(want.base, {}, span, want.enumeration);
    if (!have.set && constant != kNone) {
      Type element = want;
      element.set = false;
      bool fits = SameKind(have, element) ||
                  ((element.base == Base::kCell || element.base == Base::kPiece) &&
                   (have.base == Base::kCell || have.base == Base::kPiece || (have.base == Base::kKind && constant)));
      if (fits) return Single(Convert(id, element, span), span);
    }
  }
  Diagnostic& d =
      c.Error(Code::kTypeMismatch, span,
              fmt::format("{} stands here, but {} is needed",
                          constant == kNone && !have.set ? "`none`" : TypeText(rules, have), TypeText(rules, want)));
  if (want.base == Base::kBool && !want.set && have.set) {
    d.help.push_back("ask for an element: `some x in … : …`, or `… is not empty`");
  } else if (want.base == Base::kPiece && have.base == Base::kKind) {
    d.help.push_back("only a kind named in the file stands for its only piece");
  } else if (!want.set && have.set && SameKind(have, SetOf(want.base))) {
    d.help.push_back("take one of them: `choose x in …`, `some x in … : …`, `for x in …`");
  } else if (want.base == Base::kBool && !want.set) {
    d.help.push_back("compare it: `… == …`, `… < …`, `… exists`, `… is …`, `… in …`");
  } else {
    d.help.push_back(fmt::format("put {} here", TypeText(rules, want)));
  }
  return ExprId();
}

// ---- walking over expressions ------------------------------------------------------------------

void VisitExprs(const rules::Rules& rules, ExprId id, Visited& seen,
                const std::function<void(const rules::Expr&)>& visit) {
  std::vector<ExprId> open{id};
  while (!open.empty()) {
    ExprId next = open.back();
    open.pop_back();
    if (!next.valid() || !seen.Add(next)) continue;
    const rules::Expr& expr = rules.exprs[next];
    visit(expr);
    open.insert(open.end(), expr.children.begin(), expr.children.end());
  }
}

}  // namespace arbiter::check
