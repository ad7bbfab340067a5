// Expressions, blocks and actions -> bytecode. Private to compile/: code_expr.cpp writes expressions,
// code.cpp queries, effects and the steps of actions.
//
// Registers 0 .. frame_size-1 of each file are the slots of the frame. In a frame that keeps what choices
// remember, V frame_size + 2 * slot is the heading and the next one the cell before, S frame_size + slot the
// cells crossed. Temporaries lie above. A
// statement leaves no temporary behind that a later one reads, so going back to a choice needs no copy
// of the registers.
#pragma once

#include <algorithm>
#include <vector>

#include "compile/builder.h"

namespace arbiter::compile {

using program::Ins;
using program::Op;
using rules::Base;
using rules::Expr;
using RuleOp = rules::Op;

class Coder {
 public:
  Coder(Builder& b, int frame_size, bool keeps_choices = false) : b_(b), rules_(b.rules), code_(b.program.code) {
    function_.entry = Here();
    values_ = cells_ = lists_ = function_.named = frame_size;
    if (keeps_choices) {
      function_.named = 3 * frame_size;
      function_.slots = frame_size;
      values_ = 3 * frame_size;
      cells_ = 2 * frame_size;
    }
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

  // Loops over cells as sets (code_cells.cpp). Each gives an S register, or -1 if it cannot be had without a loop.
  struct Bound {  // the slot whose values are asked for all at once: a cell, or a piece that stands on one
    int slot;
    bool is_piece;
  };
  bool SetForAll(const rules::Effect& loop);
  int CellsChosen(const Expr& e);
  int CellsWhere(ExprId condition, const Bound& of);
  int CellsWherePiece(ExprId piece, const Bound& of, rules::KindSet kinds, rules::Side side);
  int CellsWhereRun(const Expr& run, const Bound& of, int least);
  int CellsWhereCompared(const Expr& e, const Bound& of);
  int CellsOfPieces(rules::KindSet kinds, rules::Side side);
  int Everywhere(ExprId condition);
  int TakenBack(int cells, const std::vector<int>& map);
  int ConstantCells(const CellSet& cells);
  int Combine(Op op, int x, int y);
  int Complement(int cells);
  [[nodiscard]] CellSet AllCells() const;
  [[nodiscard]] bool Invariant(ExprId id) const;
  [[nodiscard]] bool FoldsOver(ExprId condition, const Bound& of, CellSet* cells) const;
  [[nodiscard]] bool CellMap(ExprId id, const Bound& of, std::vector<int>* map) const;
  [[nodiscard]] bool IsLocal(ExprId id, int slot) const {
    return rules_.exprs[id].op == RuleOp::kLocal && rules_.exprs[id].slot == slot;
  }
  int MakeQuery(const rules::Query& q, const rules::Step* step);
  void Effect(const rules::Effect& e);
  void Step(const rules::Step& step);

  Builder& b_;
  const Rules& rules_;
  std::vector<Ins>& code_;
  Function function_;
  int values_ = 0, cells_ = 0, lists_ = 0;
  int choices_ = 0;
  std::vector<int> bound_;  // slots asked for all at once
};

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

}  // namespace arbiter::compile
