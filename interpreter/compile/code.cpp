// Expressions, blocks and actions -> bytecode.
//
// Registers 0 .. frame_size-1 of each file are the slots of the frame; temporaries lie above. A
// statement leaves no temporary behind that a later one reads, so going back to a choice needs no copy
// of the registers.
#include <algorithm>

#include "base/check.h"
#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

using program::Ins;
using program::Op;
using rules::Base;
using rules::Expr;
using RuleOp = rules::Op;

class Coder {
 public:
  Coder(Builder& b, int frame_size) : b_(b), rules_(b.rules), code_(b.program.code) {
    function_.entry = Here();
    values_ = cells_ = lists_ = frame_size;
    Grow();
  }

  Function Finish() {
    Grow();
    return function_;
  }
  [[nodiscard]] int Here() const { return static_cast<int>(code_.size()); }

  // ---- expressions: the register that holds the result ----
  int V(ExprId id);
  int S(ExprId id);
  int L(ExprId id);
  static bool InCells(const Expr& e) { return e.type.set && e.type.base == Base::kCell; }

  int Emit(Op op, int a = 0, int b = 0, int c = 0, int32_t imm = 0, int flag = 0) {
    Ins ins;
    ins.op = op;
    ins.flag = static_cast<uint8_t>(flag);
    ins.a = static_cast<uint16_t>(a);
    ins.b = static_cast<uint16_t>(b);
    ins.c = static_cast<uint16_t>(c);
    ins.imm = imm;
    code_.push_back(ins);
    return Here() - 1;
  }
  void Patch(int at) { code_[static_cast<std::size_t>(at)].imm = Here(); }

  void Block(const rules::Block& block);
  void Steps(const std::vector<rules::Step>& steps);
  // Goes to the addresses added to `out` if the condition is false.
  void JumpUnless(ExprId id, std::vector<int>* out);
  int Constant(Value v) {
    const int r = NewV();
    Emit(Op::kConst, r, 0, 0, v);
    return r;
  }
  [[nodiscard]] int choices() const { return choices_; }

 private:
  int NewV() { return Grow(), values_++; }
  int NewS() { return Grow(), cells_++; }
  int NewL() { return Grow(), lists_++; }
  void Grow() {
    function_.values = std::max(function_.values, values_ + 1);
    function_.cells = std::max(function_.cells, cells_ + 1);
    function_.lists = std::max(function_.lists, lists_ + 1);
  }
  struct Mark {
    int v, s, l;
  };
  [[nodiscard]] Mark Save() const { return {values_, cells_, lists_}; }
  void Restore(const Mark& m) {
    Grow();
    values_ = m.v;
    cells_ = m.s;
    lists_ = m.l;
  }

  int Unary(Op op, const Expr& e, int32_t imm = 0) {
    const int b = V(e.children[0]);
    const int r = NewV();
    Emit(op, r, b, 0, imm);
    return r;
  }
  int Binary(Op op, const Expr& e) {
    const int b = V(e.children[0]), c = V(e.children[1]);
    const int r = NewV();
    Emit(op, r, b, c);
    return r;
  }
  int Nullary(Op op, int32_t imm = 0) {
    const int r = NewV();
    Emit(op, r, 0, 0, imm);
    return r;
  }

  int Logic(ExprId id);
  [[nodiscard]] bool MayBeNone(ExprId id) const;
  // Flat index of indexed data: a register, or -1 with `constant` set.
  int FlatIndex(const std::vector<ExprId>& children, const std::vector<std::vector<Value>>& index, int* constant);
  // Runs `body` with the slot bound to every element of the set; `exits` collects jumps out of the loop.
  template <class Body>
  void Loop(ExprId set, int slot, bool fixed_before, Body body);
  int Quantified(const Expr& e);
  void FilterInto(const Expr& e, int target);
  int Run(const Expr& e);
  int MakeQuery(const rules::Query& q, const rules::Step* step);
  void Effect(const rules::Effect& e);
  void Step(const rules::Step& step);

  Builder& b_;
  const Rules& rules_;
  std::vector<Ins>& code_;
  Function function_;
  int values_ = 0, cells_ = 0, lists_ = 0;
  int choices_ = 0;
  struct Remembered {
    int slot, heading, before, crossed;
  };
  std::vector<Remembered> remembered_;
};

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

template <class Body>
void Coder::Loop(ExprId set, int slot, bool fixed_before, Body body) {
  const Expr& e = rules_.exprs[set];
  const bool by_cell = InCells(e) || (e.op == RuleOp::kPieces && !fixed_before);
  std::vector<int> exits;
  if (by_cell) {
    const int from = S(set);
    const int rest = NewS();
    Emit(Op::kCellsCopy, rest, from);
    const int cell = InCells(e) ? slot : NewV();
    const int top = Here();
    const int next = Emit(Op::kNextCell, cell, rest);
    if (cell != slot) Emit(Op::kPieceAt, slot, cell);
    body(&exits);
    Emit(Op::kJump, 0, 0, 0, top);
    Patch(next);
  } else {
    const int from = L(set);
    int items = from;
    if (fixed_before) {
      items = NewL();
      Emit(Op::kListCopy, items, from);
    }
    const int counter = Constant(0);
    const int top = Here();
    const int next = Emit(Op::kNextItem, slot, items, counter);
    body(&exits);
    Emit(Op::kJump, 0, 0, 0, top);
    Patch(next);
  }
  for (const int at : exits) Patch(at);
}

int Coder::Quantified(const Expr& e) {
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
      std::vector<Value> actions;
      for (const rules::ActionId a : e.actions) actions.push_back(a.value);
      return Unary(Op::kCanPlay, e, b_.AddList(actions));
    }
    case RuleOp::kChoiceHeading:
    case RuleOp::kChoiceBefore:
      for (const Remembered& m : remembered_) {
        if (m.slot == e.slot) return e.op == RuleOp::kChoiceHeading ? m.heading : m.before;
      }
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
      for (const Remembered& m : remembered_) {
        if (m.slot == e.slot) return m.crossed;
      }
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
      const int r = NewL();
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

// ---- queries, effects, steps --------------------------------------------------------------------

int Coder::MakeQuery(const rules::Query& q, const rules::Step* step) {
  program::Query query;
  const Expr& walk = rules_.exprs[q.walk];
  if (walk.op == RuleOp::kConst) {
    query.walk = walk.value;
  } else {
    query.walk_register = V(q.walk);
  }
  query.from_register = V(q.from);
  query.negated = q.onto.negated;
  query.empty = q.onto.empty;
  for (const rules::PieceTest& t : q.onto.pieces) query.pieces.push_back({t.side, t.kinds});
  if (q.onto.cells.valid()) {
    if (rules_.exprs[q.onto.cells].type.set) {
      query.cells_register = S(q.onto.cells);
    } else {
      query.cell_register = V(q.onto.cells);
    }
  }
  if (q.within.valid()) query.within_register = S(q.within);
  if (step != nullptr && step->remembers) {
    query.remembers = true;
    query.heading_register = NewV();
    query.before_register = NewV();
    query.crossed_register = NewS();
    remembered_.push_back({step->slot, query.heading_register, query.before_register, query.crossed_register});
  }
  if (step != nullptr) query.span = step->span;
  b_.program.queries.push_back(std::move(query));
  return static_cast<int>(b_.program.queries.size()) - 1;
}

void Coder::Effect(const rules::Effect& e) {
  using rules::EffectOp;
  const auto simple = [&](Op op) {
    const int a = e.a.valid() ? V(e.a) : 0;
    const int b = e.b.valid() ? V(e.b) : 0;
    const int c = e.c.valid() ? V(e.c) : Constant(kNone);
    Emit(op, a, b, c);
  };
  switch (e.op) {
    case EffectOp::kMove:
      return simple(Op::kMove);
    case EffectOp::kMoveToPlace: {
      const int piece = V(e.a), place = S(e.b);
      Emit(Op::kMoveToPlace, piece, place);
      return;
    }
    case EffectOp::kLift:
      return simple(Op::kLift);
    case EffectOp::kPut:
      return simple(Op::kPut);
    case EffectOp::kPlace: {
      const int kind = V(e.a), owner = e.b.valid() ? V(e.b) : Constant(kNone), cell = V(e.c);
      Emit(Op::kPlace, kind, owner, cell);
      return;
    }
    case EffectOp::kRemove:
      return simple(Op::kRemove);
    case EffectOp::kSwap:
      return simple(Op::kSwap);
    case EffectOp::kBecomes:
      return simple(Op::kBecomes);
    case EffectOp::kJoins: {
      const int piece = V(e.a), owner = e.b.valid() ? V(e.b) : Constant(kNone);
      Emit(Op::kJoins, piece, owner);
      return;
    }
    case EffectOp::kSet: {
      const rules::Variable& var = rules_.vars[e.var];
      const int value = V(e.a);
      int constant = 0;
      const int reg = FlatIndex(e.indices, var.index, &constant);
      if (reg < 0) {
        Emit(Op::kSet, value, 0, constant, e.var.value, 1);
      } else {
        Emit(Op::kSet, value, reg, constant, e.var.value, 0);
      }
      return;
    }
    case EffectOp::kSetPiece: {
      const int value = V(e.a), piece = V(e.b);
      Emit(Op::kSetPiece, value, piece, 0, e.var.value);
      return;
    }
    case EffectOp::kSetUp: {
      const int at = e.a.valid() ? V(e.a) : Constant(0);
      b_.program.setup_tables.push_back(e.setups);
      Emit(Op::kSetUp, at, 0, 0, static_cast<int>(b_.program.setup_tables.size()) - 1);
      return;
    }
    case EffectOp::kGoto:
      return simple(Op::kGoto);
    case EffectOp::kWin:
      return simple(Op::kWin);
    case EffectOp::kLose:
      return simple(Op::kLose);
    case EffectOp::kDraw:
      Emit(Op::kDraw);
      return;
    case EffectOp::kResult:
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        const int points = V(e.args[i]), player = V(e.args[i + 1]);
        Emit(Op::kPoints, points, player, 0, i == 0 ? 1 : 0, i + 3 >= e.args.size() ? 1 : 0);
      }
      return;
    case EffectOp::kIf: {
      std::vector<int> no;
      JumpUnless(e.a, &no);
      Block(e.body);
      if (e.otherwise.empty()) {
        for (const int at : no) Patch(at);
        return;
      }
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Block(e.otherwise);
      Patch(done);
      return;
    }
    case EffectOp::kFor:
      Loop(e.a, e.slot, true, [&](std::vector<int>*) { Block(e.body); });
      return;
  }
}

void Coder::Block(const rules::Block& block) {
  for (const rules::Effect& e : block) {
    const Mark mark = Save();
    const int first = Here();
    Effect(e);
    b_.program.spans.resize(code_.size());
    for (int i = first; i < Here(); ++i) {
      auto& span = b_.program.spans[static_cast<std::size_t>(i)];
      if (!span.valid()) span = e.span;
    }
    Restore(mark);
  }
}

void Coder::Step(const rules::Step& step) {
  using rules::StepOp;
  switch (step.op) {
    case StepOp::kChoose: {
      ++choices_;
      const int query = MakeQuery(step.query, &step);
      Emit(Op::kChoose, step.slot, 0, 0, query);
      return;
    }
    case StepOp::kChooseIn: {
      ++choices_;
      const Expr& set = rules_.exprs[step.expr];
      const int32_t type = static_cast<int32_t>(set.type.base) | ((set.type.enumeration + 1) << 8);
      if (InCells(set)) {
        Emit(Op::kChooseCell, step.slot, S(step.expr), 0, type);
      } else {
        Emit(Op::kChooseItem, step.slot, L(step.expr), 0, type);
      }
      return;
    }
    case StepOp::kLet: {
      const Expr& e = rules_.exprs[step.expr];
      if (InCells(e)) {
        Emit(Op::kCellsCopy, step.slot, S(step.expr));
      } else if (e.type.set) {
        Emit(Op::kListCopy, step.slot, L(step.expr));
      } else {
        Emit(Op::kCopy, step.slot, V(step.expr));
      }
      return;
    }
    case StepOp::kLetWalk:
      Emit(Op::kLetWalk, step.slot, 0, 0, MakeQuery(step.query, &step));
      return;
    case StepOp::kRequire:
      Emit(Op::kRequire, V(step.expr));
      return;
    case StepOp::kEffects:
      Block(step.effects);
      return;
    case StepOp::kIf: {
      std::vector<int> no;
      JumpUnless(step.expr, &no);
      Steps(step.body);
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Steps(step.otherwise);
      Patch(done);
      return;
    }
    case StepOp::kFor:
      Loop(step.expr, step.slot, true, [&](std::vector<int>*) { Steps(step.body); });
      return;
    case StepOp::kCapture:
      Emit(Op::kCapture, V(step.expr));
      return;
    case StepOp::kPerform: {
      std::vector<Value> actions;
      for (const rules::ActionId a : step.actions) actions.push_back(a.value);
      int piece = 0;
      if (step.expr.valid()) {
        piece = V(step.expr);
      } else {
        piece = NewV();
        Emit(Op::kSelf, piece);
      }
      Emit(Op::kPerform, piece, 0, 0, b_.AddList(actions));
      return;
    }
    case StepOp::kName:
      Emit(Op::kName, 0, 0, 0, step.value);
      return;
    case StepOp::kPromote:
      ++choices_;
      Emit(Op::kPromote);
      return;
  }
}

void Coder::Steps(const std::vector<rules::Step>& steps) {
  for (const rules::Step& step : steps) {
    const Mark mark = Save();
    const int first = Here();
    // Registers of remembered choices stay.
    Step(step);
    b_.program.spans.resize(code_.size());
    for (int i = first; i < Here(); ++i) {
      auto& span = b_.program.spans[static_cast<std::size_t>(i)];
      if (!span.valid()) span = step.span;
    }
    if (step.op == rules::StepOp::kChoose && step.remembers) {
      Grow();
    } else if (step.op == rules::StepOp::kLetWalk && step.remembers) {
      Grow();
    } else {
      Restore(mark);
    }
  }
}

}  // namespace

Function CompileValue(Builder& b, ExprId id, int frame_size) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size);
  coder.Emit(Op::kReturn, coder.V(id));
  return coder.Finish();
}

Function CompileCells(Builder& b, ExprId id, int frame_size) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size);
  coder.Emit(Op::kReturn, coder.S(id), 0, 0, 0, 1);
  return coder.Finish();
}

Function CompileList(Builder& b, ExprId id, int frame_size) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size);
  coder.Emit(Op::kReturn, coder.L(id), 0, 0, 0, 2);
  return coder.Finish();
}

Function CompileBlock(Builder& b, const rules::Block& block, int frame_size) {
  if (block.empty()) return {};
  Coder coder(b, frame_size);
  coder.Block(block);
  coder.Emit(Op::kReturn, coder.Constant(1));
  return coder.Finish();
}

Function CompileGate(Builder& b, const std::vector<ExprId>& holds, const std::vector<ExprId>& exists, int frame_size) {
  Coder coder(b, frame_size);
  std::vector<int> no;
  for (const ExprId id : holds) coder.JumpUnless(id, &no);
  for (const ExprId id : exists) {
    const int test = coder.Constant(0);
    coder.Emit(Op::kExists, test, coder.V(id));
    no.push_back(coder.Emit(Op::kJumpFalse, test));
  }
  coder.Emit(Op::kReturn, coder.Constant(1));
  for (const int at : no) coder.Patch(at);
  coder.Emit(Op::kReturn, coder.Constant(0));
  return coder.Finish();
}

void CompileHandler(Builder& b, const rules::Handler& handler, program::Handler* out) {
  const rules::Event& event = handler.event;
  out->op = event.op;
  out->free = handler.free;
  out->phases = handler.phases;
  out->kinds = event.kinds;
  out->barrier = event.barrier;
  out->span = handler.span;
  out->owner_tested = !event.any_owner;
  // One function for the tests of the event (owner and cells), one for condition and block.
  out->owner_register = handler.frame_size;
  {
    Coder coder(b, handler.frame_size + 1);
    std::vector<int> no;
    const auto in_zone = [&](ExprId zone, int slot) {
      if (!zone.valid()) return;
      const int s = coder.S(zone);
      const int r = coder.Constant(0);
      coder.Emit(Op::kInCells, r, slot, s);
      no.push_back(coder.Emit(Op::kJumpFalse, r));
    };
    const auto outside = [&](ExprId zone, int slot) {
      if (!zone.valid()) return;
      const int s = coder.S(zone);
      const int r = coder.Constant(0);
      coder.Emit(Op::kInCells, r, slot, s);
      no.push_back(coder.Emit(Op::kJumpTrue, r));
    };
    if (!event.any_owner && event.owner.valid()) {
      const int want = coder.V(event.owner);
      const int same = coder.Constant(0);
      coder.Emit(Op::kEq, same, out->owner_register, want);
      no.push_back(coder.Emit(Op::kJumpFalse, same));
    }
    in_zone(event.at, rules::kSlotFrom);
    if (event.op == rules::EventOp::kLands) in_zone(event.zone, rules::kSlotTo);
    if (event.op == rules::EventOp::kEnters) {
      outside(event.zone, rules::kSlotFrom);
      in_zone(event.zone, rules::kSlotTo);
    }
    if (event.op == rules::EventOp::kLeaves) {
      in_zone(event.zone, rules::kSlotFrom);
      outside(event.zone, rules::kSlotTo);
    }
    in_zone(event.from, rules::kSlotFrom);
    in_zone(event.to, rules::kSlotTo);
    coder.Emit(Op::kReturn, coder.Constant(1));
    for (const int at : no) coder.Patch(at);
    coder.Emit(Op::kReturn, coder.Constant(0));
    out->match = coder.Finish();
  }
  out->condition = CompileValue(b, handler.condition, handler.frame_size);
  out->block = CompileBlock(b, handler.block, handler.frame_size);
}

void CompileAction(Builder& b, const rules::Action& action, program::Action* out) {
  out->name = action.name;
  out->has_self = action.has_self;
  out->kinds = action.kinds;
  out->origin = action.origin;
  out->span = action.span;
  Coder coder(b, action.frame_size);
  coder.Steps(action.steps);
  coder.Emit(Op::kEnd);
  out->function = coder.Finish();
  out->choices = coder.choices();
  out->written = CompileValue(b, action.written, action.frame_size);
}

}  // namespace arbiter::compile
