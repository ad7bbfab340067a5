// Quantifiers, filters and sets: `some x in S : C`, `c is own Rook`, `own pieces on Z`, `rank 8`.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

constexpr int kMaxUnrolled = 20'000;  // elements tried in one game; after that the evaluators do the work

}  // namespace

// ---- quantifiers -------------------------------------------------------------------------------

ExprId Lowerer::Quantifier(const Scope& s, const ast::Expr& e) {
  ExprId set = Lower(s, *e.children[0], nullptr);
  if (!set.valid()) return set;
  if (!type(set).set) {
    c.Error(Code::kTypeMismatch, e.children[0]->span,
            fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, type(set))));
    return ExprId();
  }
  if (!CheckLocalName(s, e.name)) return ExprId();
  if (e.text == "every") return Unrolled(s, e, Op::kEvery, set);
  if (e.text == "count") return Unrolled(s, e, Op::kCount, set);
  ExprId some = Unrolled(s, e, Op::kSome, set);
  return e.text == "no" ? Not(some, e.span) : some;
}

// Over a constant set with a body that is constant for every element (options, ranks of cells, …) the
// whole is a constant; else the element stands in a slot.
ExprId Lowerer::Unrolled(const Scope& s, const ast::Expr& e, Op op, ExprId set) {
  const ast::Expr& body = *e.children[1];
  Type element = type(set);
  element.set = false;
  std::optional<std::vector<Value>> elements = ElementsOf(set);
  if (elements) {
    std::vector<Value> kept;
    bool constant = true;
    for (Value value : *elements) {
      if (++unrolled_ > kMaxUnrolled) {
        constant = false;
        break;
      }
      Scope inner = Inside(s);
      Binding b;
      b.kind = Binding::Kind::kConst;
      b.name = e.name.text;
      b.type = element;
      b.value = value;
      inner.bindings.push_back(b);
      ExprId truth = Condition(inner, body);
      if (!truth.valid()) return truth;
      std::optional<bool> known = Truth(truth);
      if (!known) {
        constant = false;
        break;
      }
      if (*known) kept.push_back(value);
    }
    if (constant) {
      if (op == Op::kSome) return Const(BoolType(), !kept.empty(), e.span);
      if (op == Op::kEvery) return Const(BoolType(), kept.size() == elements->size(), e.span);
      if (op == Op::kCount) return Const(IntType(), static_cast<Value>(kept.size()), e.span);
      return ConstValues(element.base, std::move(kept), e.span, element.enumeration);
    }
  }
  Scope inner = Inside(s);
  Binding b;
  b.name = e.name.text;
  b.type = element;
  b.slot = (*s.frame_size)++;
  inner.bindings.push_back(b);
  ExprId truth = Condition(inner, body);
  if (!truth.valid()) return truth;
  rules::Expr made;
  made.op = op;
  made.type = op == Op::kCount ? IntType() : op == Op::kFilter ? type(set) : BoolType();
  made.span = e.span;
  made.slot = b.slot;
  made.children = {set, truth};
  return Intern(std::move(made));
}

// ---- `x is …` ----------------------------------------------------------------------------------

// `goal is empty`: the zone has cells, whatever stands there.
void Lowerer::WarnOfConstantZone(const Scope& s, const ast::Expr& is, bool empty) {
  const ast::Expr& zone = *is.children[0];
  const ast::Expr& name = zone.kind == ast::ExprKind::kIndex && zone.children[0] ? *zone.children[0] : zone;
  if (name.kind != ast::ExprKind::kName || s.Find(name.text)) return;
  const Symbol* symbol = c.symbols.Find(name.text);
  if (!symbol || symbol->kind != SymbolKind::kZone ||
      !told_constant_.insert({is.span.file.value, is.span.begin}).second) {
    return;
  }
  const std::string text(c.sources.Slice(zone.span));
  Diagnostic& d = c.Warning(
      Code::kZoneEmpty, is.span,
      fmt::format("this is always {}: it asks whether `{}` has cells", empty != is.negated ? "true" : "false", text));
  d.help.push_back(fmt::format("to ask whether pieces stand there, write `{} p in pieces on {} : true`",
                               is.negated ? "some" : "no", text));
}

ExprId Lowerer::Is(const Scope& s, const ast::Expr& e) {
  ExprId value = Lower(s, *e.children[0], nullptr);
  if (!value.valid()) return value;
  const Type have = type(value);
  Span of = e.children[0]->span;
  auto piece = [&] { return Convert(value, PieceType(), of); };
  auto is_kind = [&](KindSet kinds, Span span) {
    if (type(value).base == Base::kKind && !IsConstant(value)) {
      std::vector<Value> values;
      for (int k = 0; k < rules::kMaxKinds; ++k) {
        if (kinds >> k & 1) values.push_back(k);
      }
      return In(value, ConstValues(Base::kKind, std::move(values), span), span);
    }
    ExprId p = piece();
    if (!p.valid()) return p;
    rules::Expr made;
    made.op = Op::kIsKind;
    made.type = BoolType();
    made.span = span;
    made.kinds = kinds;
    made.children = {p};
    return Intern(std::move(made));
  };
  std::vector<ExprId> parts;
  for (const ast::Name& word : e.words) {
    if (!word.present()) return ExprId();
    const std::string& w = word.text;
    if (have.set) {
      if (w != "empty") {
        c.Error(Code::kTypeMismatch, word.span, fmt::format("a set can be `empty`, but not `{}`", w))
            .help.push_back("ask for its elements: `every x in … : x is …`");
        return ExprId();
      }
      std::optional<std::vector<Value>> elements = ElementsOf(value);
      if (elements && have.base == Base::kCell) WarnOfConstantZone(s, e, elements->empty());
      parts.push_back(elements ? Const(BoolType(), elements->empty(), e.span)
                               : Make(Op::kIsEmptySet, BoolType(), e.span, {value}));
    } else if (w == "empty" || w == "occupied") {
      if (have.base == Base::kPiece || have.base == Base::kKind) {
        c.Error(Code::kTypeMismatch, word.span, fmt::format("a cell can be `{}`, a piece cannot", w));
        return ExprId();
      }
      ExprId cell = Convert(value, CellType(), of);
      parts.push_back(w == "empty" ? Make(Op::kIsEmpty, BoolType(), e.span, {cell})
                                   : Make(Op::kExists, BoolType(), e.span, {PieceAt(cell, of)}));
    } else if (w == "own") {
      parts.push_back(Make(Op::kIsOwn, BoolType(), e.span, {piece()}));
    } else if (w == "enemy") {
      parts.push_back(Make(Op::kIsEnemy, BoolType(), e.span, {piece()}));
    } else if (w == "neutral") {
      ExprId p = piece();
      ExprId owner = Make(Op::kOwner, PlayerType(), e.span, {p});
      parts.push_back(
          And({Make(Op::kExists, BoolType(), e.span, {p}), Equal(owner, Const(PlayerType(), kNone, e.span), e.span)},
              e.span));
    } else if (w == "any" || w == "piece") {
      if (w == "any") parts.push_back(Make(Op::kExists, BoolType(), e.span, {piece()}));
    } else if (std::optional<KindSet> kinds = s.Find(w) ? std::nullopt : KindsNamed(w)) {
      parts.push_back(is_kind(*kinds, e.span));
    } else if (s.Find(w)) {
      ast::Expr name;
      name.kind = ast::ExprKind::kName;
      name.text = w;
      name.span = word.span;
      Written written = Follow(s, name);
      std::optional<KindSet> bound;
      if (written.expr->kind == ast::ExprKind::kName && !written.scope->Find(written.expr->text)) {
        bound = KindsNamed(written.expr->text);
      }
      if (bound) {
        parts.push_back(is_kind(*bound, e.span));
      } else {
        ExprId kind = Lower(s, name, OfBase(Base::kKind));
        parts.push_back(Equal(Make(Op::kKindOf, OfBase(Base::kKind), e.span, {piece()}), kind, e.span));
      }
    } else {
      std::vector<std::string> near = c.symbols.Names(
          [](const Symbol& symbol) { return symbol.kind == SymbolKind::kKind || symbol.kind == SymbolKind::kClass; });
      near.insert(near.end(), {"empty", "own", "enemy", "neutral", "occupied"});
      Diagnostic& d = UnknownName(w, word.span, "piece or class", near);
      if (have.base == Base::kEnum || have.base == Base::kPlayer || have.base == Base::kInt) {
        d.help.push_back("values are compared with `==`");
      }
      return ExprId();
    }
  }
  ExprId all = And(std::move(parts), e.span);
  return e.negated ? Not(all, e.span) : all;
}

// ---- sets of pieces and cells ------------------------------------------------------------------

ExprId Lowerer::Pieces(const Scope& s, const ast::Expr& e) {
  rules::Expr made;
  made.op = Op::kPieces;
  made.type = SetOf(Base::kPiece);
  made.span = e.span;
  bool ok = true;
  for (const ast::Name& word : e.words) {
    const std::string& w = word.text;
    if (w == "own") {
      made.side = Side::kMine;
    } else if (w == "enemy") {
      made.side = Side::kEnemy;
    } else if (w == "neutral") {
      made.side = Side::kNeutral;
    } else if (w == "empty") {
      c.Error(Code::kTypeMismatch, word.span, "cells can be `empty`, pieces cannot")
          .help.push_back("write `empty cells`");
      return ExprId();
    } else if (w != "pieces" && w != "any" && w != "piece") {
      std::optional<KindSet> kinds = KindsOfNames({word});
      if (!kinds) ok = false;
      if (kinds) made.kinds &= *kinds;
    }
  }
  std::optional<KindSet> except = KindsOfNames(e.except);
  if (!except || !ok) return ExprId();
  made.kinds &= ~*except;
  if (e.owner) {
    ExprId owner = Lower(s, *e.owner, PlayerType());
    if (!owner.valid()) return owner;
    if (made.side != Side::kAny) {
      c.Error(Code::kTypeMismatch, e.owner->span,
              "these pieces have two owners: the word before and the one after `of`");
      return ExprId();
    }
    made.side = Side::kOf;
    made.children.push_back(owner);
  }
  if (e.on) {
    ExprId cells = Cells(s, *e.on);
    if (!cells.valid()) return cells;
    made.on_cells = true;
    made.children.push_back(cells);
  }
  return Intern(std::move(made));
}

ExprId Lowerer::CellsNode(const Scope& s, const ast::Expr& e) {
  std::string word = e.words.empty() ? "" : e.words[0].text;
  if (word == "empty") return Make(Op::kEmptyCells, CellsType(), e.span, {});
  if (word.empty() || word == "cells") return ConstCellSet(c.board().cells(), e.span);
  rules::Expr pieces;
  pieces.op = Op::kPieces;
  pieces.type = SetOf(Base::kPiece);
  pieces.span = e.span;
  pieces.side = word == "own" ? Side::kMine : word == "enemy" ? Side::kEnemy : Side::kAny;
  pieces.on_cells = true;
  pieces.children = {ConstCellSet(c.board().cells(), e.span)};
  static_cast<void>(s);
  return Make(Op::kCellsOf, CellsType(), e.span, {Intern(std::move(pieces))});
}

namespace {

// "a" is 1, "z" 26, "aa" 27; 0: no file's letters.
int FileNumber(const std::string& text) {
  int number = 0;
  for (char ch : text) {
    if (ch < 'a' || ch > 'z' || number > 100) return 0;
    number = number * 26 + (ch - 'a' + 1);
  }
  return number;
}

}  // namespace

ExprId Lowerer::RankFile(const Scope& s, const ast::Expr& e) {
  const board::Board& board = c.board();
  bool rank = e.text == "rank";
  if (board.shape() == board::Shape::kGraph) {
    c.Error(Code::kTypeMismatch, e.span, "cells of this board have no ranks and files");
    return ExprId();
  }
  auto number = [&](const ast::Expr& part) {
    Written w = Follow(s, part);
    if (!rank && w.expr->kind == ast::ExprKind::kName && !w.scope->Find(w.expr->text)) {
      int file = FileNumber(w.expr->text);
      Symbol* symbol = c.symbols.Find(w.expr->text);
      bool value = symbol && (symbol->kind == SymbolKind::kOption || symbol->kind == SymbolKind::kStateVar ||
                              symbol->kind == SymbolKind::kDefine);
      if (file > 0 && !value) return Const(IntType(), file, part.span);
    }
    return Lower(s, part, IntType());
  };
  const ast::Expr& what = *e.children[0];
  bool range = what.kind == ast::ExprKind::kBinary && what.text == "..";
  const ast::Expr& low_part = range ? *what.children[0] : what;
  const ast::Expr& high_part = range ? *what.children[1] : what;
  ExprId low = number(low_part), high = number(high_part);
  if (!low.valid() || !high.valid()) return ExprId();
  std::optional<Value> a = ValueOf(low), b = ValueOf(high);
  if (a && b) {
    int size = rank ? board.height() : board.width();
    for (auto [value, part] : {std::pair(*a, &low_part), std::pair(*b, &high_part)}) {
      if (value >= 1 && value <= size) continue;
      c.Error(Code::kTypeRange, part->span, fmt::format("this board has {} 1 to {}", rank ? "ranks" : "files", size));
      return ExprId();
    }
    CellSet cells;
    for (int cell = 0; cell < board.board_size(); ++cell) {
      int at = rank ? board.rank(cell) : board.file(cell);
      if (at >= std::min(*a, *b) && at <= std::max(*a, *b)) cells.set(static_cast<std::size_t>(cell));
    }
    return ConstCellSet(cells, e.span);
  }
  Binding cell;
  cell.type = CellType();
  cell.slot = (*s.frame_size)++;
  ExprId of = Make(rank ? Op::kRank : Op::kFile, IntType(), e.span, {Local(cell, e.span)});
  rules::Expr made;
  made.op = Op::kFilter;
  made.type = CellsType();
  made.span = e.span;
  made.slot = cell.slot;
  made.children = {
      ConstCellSet(board.cells(), e.span),
      range ? And({Less(true, low, of, e.span), Less(true, of, high, e.span)}, e.span) : Equal(of, low, e.span)};
  return Intern(std::move(made));
}

ExprId Lowerer::SetLiteral(const Scope& s, const ast::Expr& e, const Type* want) {
  if (e.children.empty()) {
    Type type = want ? *want : CellsType();
    return ConstValues(type.base, {}, e.span, type.enumeration);
  }
  std::optional<Type> element;
  if (want && want->set) {
    element = *want;
    element->set = false;
  }
  std::vector<ExprId> singles, sets;
  std::vector<Value> constants;
  bool constant = true;
  for (const ast::ExprPtr& child : e.children) {
    ExprId value = Lower(
        s, *child, element && element->base != Base::kCell && element->base != Base::kPiece ? &*element : nullptr);
    if (!value.valid()) return value;
    if (!element || (type(value).base == Base::kKind && !want && element->base == Base::kKind)) {
      element = type(value);
      element->set = false;
    }
    if (type(value).set) {
      Type whole = *element;
      whole.set = true;
      value = Convert(value, whole, child->span);
      if (!value.valid()) return value;
      sets.push_back(value);
      continue;
    }
    value = Convert(value, *element, child->span);
    if (!value.valid()) return value;
    if (std::optional<Value> known = ValueOf(value)) {
      constants.push_back(*known);
    } else {
      constant = false;
    }
    singles.push_back(value);
  }
  Type whole = *element;
  whole.set = true;
  ExprId result;
  if (!singles.empty()) {
    result = constant ? ConstValues(whole.base, std::move(constants), e.span, whole.enumeration)
                      : Make(Op::kMakeSet, whole, e.span, std::move(singles));
  }
  for (ExprId set : sets) result = result.valid() ? SetOperation(Op::kUnion, result, set, e.span) : set;
  return result;
}

}  // namespace arbiter::check
