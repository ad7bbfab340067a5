// Expressions -> bytecode: the register that holds the result.
#include <algorithm>

#include "base/check.h"
#include "compile/coder.h"
#include "compile/fold.h"

namespace arbiter::compile {

int Coder::Logic(ExprId id) {
  std::vector<int> no;
  const int r = NewV();
  Emit(Op::kConst, r, 0, 0, 0);
  JumpUnless(id, &no);
  Emit(Op::kConst, r, 0, 0, 1);
  for (const int at : no) Patch(at);
  return r;
}

// May a condition be none (then its negation is none too, and neither holds)?
bool Coder::MayBeNone(ExprId id) const {
  switch (rules_.exprs[id].op) {
    case RuleOp::kState:
    case RuleOp::kPieceState:
    case RuleOp::kLocal:
    case RuleOp::kIf:
    case RuleOp::kAttribute:
    case RuleOp::kNot:
      return true;
    default:
      return false;
  }
}

void Coder::JumpUnless(ExprId id, std::vector<int>* out) {
  const Expr& e = rules_.exprs[id];
  const Mark mark = Save();
  switch (e.op) {
    case RuleOp::kAnd:
      for (const ExprId c : e.children) JumpUnless(c, out);
      break;
    case RuleOp::kOr: {
      std::vector<int> yes;
      for (std::size_t i = 0; i < e.children.size(); ++i) {
        if (i + 1 == e.children.size()) {
          JumpUnless(e.children[i], out);
        } else {
          std::vector<int> no;
          JumpUnless(e.children[i], &no);
          yes.push_back(Emit(Op::kJump));
          for (const int at : no) Patch(at);
        }
      }
      for (const int at : yes) Patch(at);
      break;
    }
    case RuleOp::kImplies: {
      std::vector<int> no;
      JumpUnless(e.children[0], &no);
      JumpUnless(e.children[1], out);
      for (const int at : no) Patch(at);
      break;
    }
    case RuleOp::kNot: {
      if (MayBeNone(e.children[0])) {
        out->push_back(Emit(Op::kJumpFalse, V(id)));
        break;
      }
      std::vector<int> no;
      JumpUnless(e.children[0], &no);
      out->push_back(Emit(Op::kJump));
      for (const int at : no) Patch(at);
      break;
    }
    case RuleOp::kConst:
      if (e.value == 0 || e.value == kNone) out->push_back(Emit(Op::kJump));
      break;
    default:
      out->push_back(Emit(Op::kJumpFalse, V(id)));
      break;
  }
  Restore(mark);
}

int Coder::FlatIndex(const std::vector<ExprId>& children, const std::vector<std::vector<Value>>& index, int* constant) {
  int stride = 1;
  int offset = 0, reg = -1;
  for (std::size_t i = children.size(); i-- > 0;) {
    const Folded f = Fold(rules_, children[i], Known{});
    const auto& values = index[i];
    if (f.kind == Folded::Kind::kValue) {
      const auto at = std::find(values.begin(), values.end(), f.value);
      if (at == values.end()) {  // no such element
        *constant = 0;
        return Constant(kNone);
      }
      offset += static_cast<int>(at - values.begin()) * stride;
    } else {
      const int v = V(children[i]);
      const int r = NewV();
      Emit(Op::kIndex, r, v, stride, b_.AddIndexMap(values));
      if (reg < 0) {
        reg = r;
      } else {
        const int sum = NewV();
        Emit(Op::kAdd, sum, reg, r);
        reg = sum;
      }
    }
    stride *= static_cast<int>(values.size());
  }
  *constant = offset;
  return reg;
}

int Coder::Quantified(const Expr& e) {
  if (const int chosen = CellsChosen(e); chosen >= 0) {
    const int r = NewV();
    Emit(e.op == RuleOp::kCount ? Op::kCellsCount : Op::kCellsEmpty, r, chosen);
    if (e.op == RuleOp::kSome) Emit(Op::kNot, r, r);
    return r;
  }
  const int r = NewV();
  const int one = e.op == RuleOp::kCount ? Constant(1) : -1;
  Emit(Op::kConst, r, 0, 0, e.op == RuleOp::kEvery ? 1 : 0);
  Loop(e.children[0], e.slot, false, [&](std::vector<int>* exits) {
    std::vector<int> no;
    JumpUnless(e.children[1], &no);
    if (e.op == RuleOp::kCount) {
      Emit(Op::kAdd, r, r, one);
      for (const int at : no) Patch(at);
    } else if (e.op == RuleOp::kSome) {
      Emit(Op::kConst, r, 0, 0, 1);
      exits->push_back(Emit(Op::kJump));
      for (const int at : no) Patch(at);
    } else {
      const int on = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Emit(Op::kConst, r, 0, 0, 0);
      exits->push_back(Emit(Op::kJump));
      Patch(on);
    }
  });
  return r;
}

void Coder::FilterInto(const Expr& e, int target) {
  Loop(e.children[0], e.slot, false, [&](std::vector<int>*) {
    std::vector<int> no;
    JumpUnless(e.children[1], &no);
    Emit(InCells(e) ? Op::kCellsAdd : Op::kListAdd, target, e.slot);
    for (const int at : no) Patch(at);
  });
}

int Coder::Run(const Expr& e) {
  const int start = V(e.children[0]), way = V(e.children[1]);
  const int count = Constant(0), one = Constant(1), most = Constant(rules_.board.size() + 2);
  const int test = NewV();
  Emit(Op::kCopy, e.slot, start);
  const int top = Here();
  std::vector<int> exits;
  Emit(Op::kExists, test, e.slot);
  exits.push_back(Emit(Op::kJumpFalse, test));
  JumpUnless(e.children[2], &exits);
  Emit(Op::kAdd, count, count, one);
  Emit(Op::kNext, e.slot, e.slot, way);
  Emit(Op::kEq, test, e.slot, start);
  exits.push_back(Emit(Op::kJumpTrue, test));
  Emit(Op::kLt, test, count, most);
  Emit(Op::kJumpTrue, test, 0, 0, top);
  for (const int at : exits) Patch(at);
  return count;
}

int Coder::V(ExprId id) {
  const Expr& e = rules_.exprs[id];
  switch (e.op) {
    case RuleOp::kConst:
      return Constant(e.value);
    case RuleOp::kLocal:
      return e.slot;
    case RuleOp::kMe:
      return Nullary(Op::kMe);
    case RuleOp::kSide:
      return Nullary(Op::kSide);
    case RuleOp::kSelf:
      return Nullary(Op::kSelf);
    case RuleOp::kHere:
      return Nullary(Op::kHere);
    case RuleOp::kHeading:
      return Nullary(Op::kHeading);
    case RuleOp::kBack:
      return Nullary(Op::kBack);
    case RuleOp::kOrigin:
      return Nullary(Op::kOrigin);
    case RuleOp::kPhase:
      return Nullary(Op::kPhase);
    case RuleOp::kState: {
      const rules::Variable& var = rules_.vars[rules::VarId(e.value)];
      int constant = 0;
      const int reg = FlatIndex(e.children, var.index, &constant);
      if (reg < 0) return Nullary(Op::kState, var.offset + constant);
      const int r = NewV();
      Emit(Op::kStateAt, r, reg, 0, var.offset + constant);
      return r;
    }
    case RuleOp::kPieceState:
      return Unary(Op::kPieceState, e, rules_.piece_vars[rules::VarId(e.value)].offset);
    case RuleOp::kNot:
      return Unary(Op::kNot, e);
    case RuleOp::kAnd:
    case RuleOp::kOr:
    case RuleOp::kImplies:
      return Logic(id);
    case RuleOp::kIf: {
      std::vector<int> no;
      const int r = NewV();
      JumpUnless(e.children[0], &no);
      const Mark mark = Save();
      Emit(Op::kCopy, r, V(e.children[1]));
      Restore(mark);
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Emit(Op::kCopy, r, V(e.children[2]));
      Patch(done);
      return r;
    }
    case RuleOp::kEq: {
      const Expr& child = rules_.exprs[e.children[0]];
      if (!child.type.set) return Binary(Op::kEq, e);
      const bool cells = InCells(child);
      const int x = cells ? S(e.children[0]) : L(e.children[0]), y = cells ? S(e.children[1]) : L(e.children[1]);
      const int r = NewV();
      Emit(cells ? Op::kCellsEqual : Op::kListEqual, r, x, y);
      return r;
    }
    case RuleOp::kLt:
      return Binary(Op::kLt, e);
    case RuleOp::kLe:
      return Binary(Op::kLe, e);
    case RuleOp::kAdd:
      return Binary(Op::kAdd, e);
    case RuleOp::kSub:
      return Binary(Op::kSub, e);
    case RuleOp::kIn: {
      const int v = V(e.children[0]);
      const bool cells = InCells(rules_.exprs[e.children[1]]);
      const int s = cells ? S(e.children[1]) : L(e.children[1]);
      const int r = NewV();
      Emit(cells ? Op::kInCells : Op::kInList, r, v, s);
      return r;
    }
    case RuleOp::kExists:
      return Unary(rules_.exprs[e.children[0]].type.base == Base::kPiece ? Op::kPieceExists : Op::kExists, e);
    case RuleOp::kIsEmptySet: {
      const bool cells = InCells(rules_.exprs[e.children[0]]);
      const int s = cells ? S(e.children[0]) : L(e.children[0]);
      const int r = NewV();
      Emit(cells ? Op::kCellsEmpty : Op::kListEmpty, r, s);
      return r;
    }
    case RuleOp::kSome:
    case RuleOp::kEvery:
    case RuleOp::kCount:
      return Quantified(e);
    case RuleOp::kTheOnly: {
      const int owner = e.children.empty() ? 0 : V(e.children[0]);
      const int r = NewV();
      Emit(Op::kTheOnly, r, owner, 0, b_.AddKinds(e.kinds), e.children.empty() ? 0 : 1);
      return r;
    }
    case RuleOp::kCellOf:
      return Unary(Op::kCellOf, e);
    case RuleOp::kPieceAt:
      return Unary(Op::kPieceAt, e);
    case RuleOp::kOwner:
      return Unary(Op::kOwner, e);
    case RuleOp::kKindOf:
      return Unary(Op::kKindOf, e);
    case RuleOp::kIsKind:
      return Unary(Op::kIsKind, e, b_.AddKinds(e.kinds));
    case RuleOp::kIsOwn:
      return Unary(Op::kIsOwn, e);
    case RuleOp::kIsEnemy:
      return Unary(Op::kIsEnemy, e);
    case RuleOp::kIsEmpty:
      return Unary(Op::kIsEmpty, e);
    case RuleOp::kAttribute:
      return Unary(Op::kAttribute, e, e.value);
    case RuleOp::kOpponent:
      return Unary(Op::kOpponent, e);
    case RuleOp::kNext:
      return Binary(Op::kNext, e);
    case RuleOp::kWay:
      return Unary(Op::kWay, e, e.value);
    case RuleOp::kRank:
      return Unary(Op::kRank, e);
    case RuleOp::kFile:
      return Unary(Op::kFile, e);
    case RuleOp::kCellAt:
      return Binary(Op::kCellAt, e);
    case RuleOp::kColour:
      return Unary(Op::kColour, e);
    case RuleOp::kReaches: {
      const int from = V(e.children[0]), walk = V(e.children[1]), to = V(e.children[2]);
      const int r = NewV();
      Emit(Op::kReaches, r, from, walk, to);
      return r;
    }
    case RuleOp::kSteps:
    case RuleOp::kDistance: {
      const int from = V(e.children[0]), to = V(e.children[1]), walk = V(e.children[2]);
      const int r = NewV();
      Emit(Op::kSteps, r, from, to, walk, e.op == RuleOp::kDistance ? 1 : 0);
      return r;
    }
    case RuleOp::kRun:
      return Run(e);
    case RuleOp::kAttacked:
      return Unary(rules_.exprs[e.children[0]].type.base == Base::kPiece ? Op::kAttackedPiece : Op::kAttackedCell, e);
    case RuleOp::kEndangered:
      return Unary(Op::kEndangered, e);
    case RuleOp::kStuck:
      return Unary(Op::kStuck, e);
    case RuleOp::kCanPlay: {
      if (e.turn.valid()) return Unary(Op::kCanPlayTurn, e, e.turn.value);
      std::vector<Value> actions;
      for (const rules::ActionId a : e.actions) actions.push_back(a.value);
      return Unary(Op::kCanPlay, e, b_.AddList(actions));
    }
    case RuleOp::kChoiceHeading:
    case RuleOp::kChoiceBefore:
      if (function_.slots > e.slot) return function_.slots + 2 * e.slot + (e.op == RuleOp::kChoiceHeading ? 0 : 1);
      return Constant(kNone);
    case RuleOp::kWalkMap:
      return Unary(Op::kWalkMap, e, e.value);
    default:
      ARBITER_CHECK(false && "an expression that is a set stands where a value is wanted");
  }
}

int Coder::S(ExprId id) {
  const Expr& e = rules_.exprs[id];
  if (!e.type.set) {  // one value where a set will do
    const int v = V(id);
    const int r = NewS();
    Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(CellSet{}));
    Emit(Op::kCellsAdd, r, v);
    return r;
  }
  const Folded f = Fold(rules_, id, Known{});
  if (f.kind == Folded::Kind::kCells) {
    const int r = NewS();
    Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(f.cells));
    return r;
  }
  switch (e.op) {
    case RuleOp::kLocal:
      return e.slot;
    case RuleOp::kZone: {
      const rules::Zone& zone = rules_.zones[rules::ZoneId(e.value)];
      int constant = 0;
      const int reg = FlatIndex(e.children, zone.index, &constant);
      const int at = reg < 0 ? Constant(0) : reg;
      const int r = NewS();
      Emit(Op::kCellsAt, r, at, 0, b_.AddSets(zone.cells) + constant);
      return r;
    }
    case RuleOp::kIf: {
      const int r = NewS();
      std::vector<int> no;
      JumpUnless(e.children[0], &no);
      Emit(Op::kCellsCopy, r, S(e.children[1]));
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Emit(Op::kCellsCopy, r, S(e.children[2]));
      Patch(done);
      return r;
    }
    case RuleOp::kUnion:
    case RuleOp::kMinus:
    case RuleOp::kIntersect: {
      const int x = S(e.children[0]), y = S(e.children[1]);
      const int r = NewS();
      Emit(e.op == RuleOp::kUnion   ? Op::kCellsUnion
           : e.op == RuleOp::kMinus ? Op::kCellsMinus
                                    : Op::kCellsIntersect,
           r, x, y);
      return r;
    }
    case RuleOp::kFilter: {
      if (const int chosen = CellsChosen(e); chosen >= 0) return chosen;
      const int r = NewS();
      Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(CellSet{}));
      FilterInto(e, r);
      return r;
    }
    case RuleOp::kMakeSet: {
      const int r = NewS();
      Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(CellSet{}));
      for (const ExprId c : e.children) Emit(Op::kCellsAdd, r, V(c));
      return r;
    }
    case RuleOp::kEmptyCells: {
      const int r = NewS();
      Emit(Op::kEmptyCells, r);
      return r;
    }
    case RuleOp::kPieces: {  // as the cells they stand on
      std::size_t child = 0;
      const int owner = e.side == rules::Side::kOf ? V(e.children[child++]) : 0;
      const int within = e.on_cells ? S(e.children[child]) : -1;
      const int r = NewS();
      Emit(Op::kPieces, r, owner, 0, b_.AddKinds(e.kinds), static_cast<int>(e.side));
      if (within >= 0) Emit(Op::kCellsIntersect, r, r, within);
      return r;
    }
    case RuleOp::kCellsOf: {
      const Expr& child = rules_.exprs[e.children[0]];
      if (child.op == RuleOp::kPieces) return S(e.children[0]);
      const int from = L(e.children[0]);
      const int r = NewS();
      Emit(Op::kCellsOf, r, from);
      return r;
    }
    case RuleOp::kEnds: {
      const int walk = V(e.children[0]), from = V(e.children[1]);
      const int r = NewS();
      Emit(Op::kEnds, r, walk, from);
      return r;
    }
    case RuleOp::kChoiceCrossed: {
      if (function_.slots > e.slot) return function_.slots + e.slot;
      const int r = NewS();
      Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(CellSet{}));
      return r;
    }
    default:
      ARBITER_CHECK(false && "no cell set");
  }
}

int Coder::L(ExprId id) {
  const Expr& e = rules_.exprs[id];
  if (!e.type.set) {
    const int v = V(id);
    const int r = NewL();
    Emit(Op::kListConst, r, 0, 0, b_.AddList({}));
    Emit(Op::kListAdd, r, v);
    return r;
  }
  switch (e.op) {
    case RuleOp::kConstSet: {
      const int r = NewL();
      Emit(Op::kListConst, r, 0, 0, b_.AddList(e.values));
      return r;
    }
    case RuleOp::kLocal:
      return e.slot;
    case RuleOp::kIf: {
      const int r = NewL();
      std::vector<int> no;
      JumpUnless(e.children[0], &no);
      Emit(Op::kListCopy, r, L(e.children[1]));
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Emit(Op::kListCopy, r, L(e.children[2]));
      Patch(done);
      return r;
    }
    case RuleOp::kUnion:
    case RuleOp::kMinus:
    case RuleOp::kIntersect: {
      const int x = L(e.children[0]), y = L(e.children[1]);
      const int r = NewL();
      Emit(e.op == RuleOp::kUnion   ? Op::kListUnion
           : e.op == RuleOp::kMinus ? Op::kListMinus
                                    : Op::kListIntersect,
           r, x, y, 0,
           e.type.base == Base::kPiece       ? 1
           : e.type.base == Base::kDirection ? 2
                                             : 0);
      return r;
    }
    case RuleOp::kFilter: {
      const int chosen = CellsChosen(e);
      const int r = NewL();
      if (chosen >= 0) {
        Emit(Op::kPiecesOn, r, chosen);
        return r;
      }
      Emit(Op::kListConst, r, 0, 0, b_.AddList({}));
      FilterInto(e, r);
      return r;
    }
    case RuleOp::kMakeSet: {
      const int r = NewL();
      Emit(Op::kListConst, r, 0, 0, b_.AddList({}));
      for (const ExprId c : e.children) Emit(Op::kListAdd, r, V(c));
      if (e.type.base == Base::kPiece || e.type.base == Base::kDirection) {
        Emit(Op::kListUnion, r, r, r, 0, e.type.base == Base::kPiece ? 1 : 2);
      }
      return r;
    }
    case RuleOp::kPieces: {
      const int s = S(id);
      const int r = NewL();
      Emit(Op::kPiecesOn, r, s);
      return r;
    }
    case RuleOp::kPiecesOn: {
      const int s = S(e.children[0]);
      const int r = NewL();
      Emit(Op::kPiecesOn, r, s);
      return r;
    }
    case RuleOp::kAttribute: {
      const int piece = V(e.children[0]);
      const int r = NewL();
      Emit(Op::kAttributeList, r, piece, 0, e.value);
      return r;
    }
    default:
      ARBITER_CHECK(false && "no list");
  }
}

}  // namespace arbiter::compile
