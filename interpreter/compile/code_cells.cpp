// Loops over cells and men as algebra of cell sets.
//
// `some c in S : P(c)` needs no loop if the cells for which P holds can be had at once. Tests of what stands on a cell
// and of the sets it lies in are sets; and, or, not are operations on them; a test of another cell, found from c by
// the board alone, is a set taken back along the way from c to that cell. A run of at least n cells is n such tests.
// What fits none of these is looped over: see Coder::Quantified.
#include <algorithm>
#include <cstdlib>

#include "compile/coder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

constexpr std::size_t kMostShifts = 6;
constexpr int kMostRun = 16;
constexpr rules::KindSet kAnyKind = ~rules::KindSet{0};

}  // namespace

// Does the value depend on nothing that a loop in work binds, and is it cheap enough to be asked without need?
bool Coder::Invariant(ExprId id) const {
  const Expr& e = rules_.exprs[id];
  switch (e.op) {
    case RuleOp::kReaches:
    case RuleOp::kEnds:
    case RuleOp::kSteps:
    case RuleOp::kDistance:
    case RuleOp::kAttacked:
    case RuleOp::kEndangered:
    case RuleOp::kStuck:
    case RuleOp::kCanPlay:
      return false;
    case RuleOp::kLocal:
      return std::find(bound_.begin(), bound_.end(), e.slot) == bound_.end();
    default:
      return std::all_of(e.children.begin(), e.children.end(), [&](ExprId c) { return Invariant(c); });
  }
}

int Coder::ConstantCells(const CellSet& cells) {
  const int r = NewS();
  Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(cells));
  return r;
}

CellSet Coder::AllCells() const {
  CellSet all;
  for (int c = 0; c < b_.program.cells; ++c) all.set(static_cast<std::size_t>(c));
  return all;
}

int Coder::Combine(Op op, int x, int y) {
  if (x < 0 || y < 0) return -1;
  const int r = NewS();
  Emit(op, r, x, y);
  return r;
}

int Coder::Complement(int cells) { return cells < 0 ? -1 : Combine(Op::kCellsMinus, ConstantCells(AllCells()), cells); }

// The cell that an expression gives for every value of the slot, if the board alone decides.
bool Coder::CellMap(ExprId id, const Bound& of, std::vector<int>* map) const {
  const Expr& e = rules_.exprs[id];
  const bool itself = of.is_piece ? e.op == RuleOp::kCellOf && IsLocal(e.children[0], of.slot) : IsLocal(id, of.slot);
  if (!itself && (of.is_piece || e.type.set || e.type.base != Base::kCell)) return false;
  for (int c = 0; c < b_.program.cells; ++c) {
    if (itself) {
      map->push_back(c);
      continue;
    }
    Known known;
    known.slots.emplace_back(of.slot, c);
    const Folded to = Fold(rules_, id, known);
    if (to.kind != Folded::Kind::kValue) return false;
    map->push_back(to.value == kNone ? -1 : to.value);
  }
  return true;
}

// The cells whose image lies in the set.
int Coder::TakenBack(int cells, const std::vector<int>& map) {
  if (cells < 0) return -1;
  std::vector<std::pair<int, CellSet>> shifts;
  for (std::size_t c = 0; c < map.size(); ++c) {
    if (map[c] < 0) continue;
    const int by = map[c] - static_cast<int>(c);
    auto at = std::find_if(shifts.begin(), shifts.end(), [&](const auto& s) { return s.first == by; });
    if (at == shifts.end()) at = shifts.insert(at, {by, CellSet{}});
    at->second.set(c);
  }
  if (shifts.size() > kMostShifts) return -1;
  if (shifts.size() == 1 && shifts.front().first == 0 && shifts.front().second == AllCells()) return cells;
  int all = -1;
  for (const auto& [by, from] : shifts) {
    const int r = NewS();
    Emit(Op::kCellsBack, r, cells, std::abs(by), b_.AddSet(from), by < 0 ? 1 : 0);
    all = all < 0 ? r : Combine(Op::kCellsUnion, all, r);
  }
  return all < 0 ? ConstantCells(CellSet{}) : all;
}

// The cells of the pieces that the test accepts.
int Coder::CellsOfPieces(rules::KindSet kinds, rules::Side side) {
  const int r = NewS();
  Emit(Op::kPieces, r, 0, 0, b_.AddKinds(kinds), static_cast<int>(side));
  return r;
}

// As CellsWhere, for a test of the piece that an expression names: one that stands on a cell, or the slot itself.
int Coder::CellsWherePiece(ExprId piece, const Bound& of, rules::KindSet kinds, rules::Side side) {
  if (of.is_piece && IsLocal(piece, of.slot)) return CellsOfPieces(kinds, side);
  const Expr& e = rules_.exprs[piece];
  std::vector<int> map;
  if (e.op != RuleOp::kPieceAt || !CellMap(e.children[0], of, &map)) return -1;
  return TakenBack(CellsOfPieces(kinds, side), map);
}

// The cells from which a run is at least `least` cells long.
int Coder::CellsWhereRun(const Expr& run, const Bound& of, int least) {
  if (least <= 0) return ConstantCells(AllCells());
  const Expr& way = rules_.exprs[run.children[1]];
  std::vector<int> start;
  if (least > kMostRun || way.op != RuleOp::kConst || way.value == kNone || !CellMap(run.children[0], of, &start)) {
    return -1;
  }
  std::vector<int> next;
  for (int c = 0; c < b_.program.cells; ++c) {
    next.push_back(c < b_.program.board_cells ? rules_.board.Next(way.value, c) : -1);
  }
  CellSet long_enough = AllCells();  // a run ends when it comes round
  for (int c = 0; c < b_.program.cells; ++c) {
    int at = c;
    for (int i = 1; i < least && at >= 0; ++i) {
      at = next[static_cast<std::size_t>(at)];
      if (at == c) long_enough.reset(static_cast<std::size_t>(c));
    }
  }
  bound_.push_back(run.slot);
  const int holds = CellsWhere(run.children[2], {run.slot, false});
  bound_.pop_back();
  int cells = holds;
  for (int i = 1; i < least && cells >= 0; ++i) cells = Combine(Op::kCellsIntersect, holds, TakenBack(cells, next));
  if (cells >= 0 && long_enough != AllCells()) cells = Combine(Op::kCellsIntersect, cells, ConstantCells(long_enough));
  return TakenBack(cells, start);
}

// Comparisons of a run with a number.
int Coder::CellsWhereCompared(const Expr& e, const Bound& of) {
  const Expr &left = rules_.exprs[e.children[0]], &right = rules_.exprs[e.children[1]];
  const bool run_left = left.op == RuleOp::kRun;
  const Expr &run = run_left ? left : right, &number = run_left ? right : left;
  if (run.op != RuleOp::kRun || number.op != RuleOp::kConst || number.value == kNone) return -1;
  const int n = number.value;
  switch (e.op) {
    case RuleOp::kLt:  // run < n, n < run
      return run_left ? Complement(CellsWhereRun(run, of, n)) : CellsWhereRun(run, of, n + 1);
    case RuleOp::kLe:
      return run_left ? Complement(CellsWhereRun(run, of, n + 1)) : CellsWhereRun(run, of, n);
    default:
      if (n < 0) return ConstantCells(CellSet{});
      return Combine(Op::kCellsMinus, CellsWhereRun(run, of, n), CellsWhereRun(run, of, n + 1));
  }
}

// The same answer for every cell.
int Coder::Everywhere(ExprId condition) {
  const int r = ConstantCells(CellSet{});
  std::vector<int> no;
  JumpUnless(condition, &no);
  Emit(Op::kCellsConst, r, 0, 0, b_.AddSet(AllCells()));
  for (const int at : no) Patch(at);
  return r;
}

bool Coder::FoldsOver(ExprId condition, const Bound& of, CellSet* cells) const {
  if (of.is_piece) return false;
  for (int c = 0; c < b_.program.cells; ++c) {
    Known known;
    known.slots.emplace_back(of.slot, c);
    const Folded f = Fold(rules_, condition, known);
    if (f.kind != Folded::Kind::kValue) return false;
    if (f.value != 0 && f.value != kNone) cells->set(static_cast<std::size_t>(c));
  }
  return true;
}

int Coder::CellsWhere(ExprId id, const Bound& of) {
  const Expr& e = rules_.exprs[id];
  if (Invariant(id)) return Everywhere(id);
  if (CellSet cells; FoldsOver(id, of, &cells)) return ConstantCells(cells);
  switch (e.op) {
    case RuleOp::kAnd:
    case RuleOp::kOr: {
      int all = CellsWhere(e.children[0], of);
      for (std::size_t i = 1; i < e.children.size() && all >= 0; ++i) {
        const Expr& part = rules_.exprs[e.children[i]];
        if (e.op == RuleOp::kAnd && part.op == RuleOp::kNot && !MayBeNone(part.children[0])) {
          all = Combine(Op::kCellsMinus, all, CellsWhere(part.children[0], of));
        } else {
          const Op op = e.op == RuleOp::kAnd ? Op::kCellsIntersect : Op::kCellsUnion;
          all = Combine(op, all, CellsWhere(e.children[i], of));
        }
      }
      return all;
    }
    case RuleOp::kImplies: {
      const int left = Complement(CellsWhere(e.children[0], of));
      return left < 0 ? -1 : Combine(Op::kCellsUnion, left, CellsWhere(e.children[1], of));
    }
    case RuleOp::kNot: {
      const Expr& part = rules_.exprs[e.children[0]];
      const bool never_none =
          part.op == RuleOp::kPieceState && !rules_.piece_vars[rules::VarId(part.value)].type.optional;
      if (!never_none && MayBeNone(e.children[0])) return -1;
      // The state of no piece is none, and so is its negation.
      const int holds = CellsWhere(e.children[0], of);
      return never_none
                 ? Combine(Op::kCellsMinus, CellsWherePiece(part.children[0], of, kAnyKind, rules::Side::kAny), holds)
                 : Complement(holds);
    }
    case RuleOp::kPieceState: {
      const int r = NewS();
      Emit(Op::kCellsHolding, r, 0, 0, rules_.piece_vars[rules::VarId(e.value)].offset);
      if (of.is_piece && IsLocal(e.children[0], of.slot)) return r;
      const Expr& piece = rules_.exprs[e.children[0]];
      std::vector<int> map;
      return piece.op == RuleOp::kPieceAt && CellMap(piece.children[0], of, &map) ? TakenBack(r, map) : -1;
    }
    case RuleOp::kIf: {
      const int condition = CellsWhere(e.children[0], of);
      const int yes = condition < 0 ? -1 : CellsWhere(e.children[1], of);
      const int no = yes < 0 ? -1 : CellsWhere(e.children[2], of);
      if (no < 0) return -1;
      return Combine(Op::kCellsUnion, Combine(Op::kCellsIntersect, condition, yes),
                     Combine(Op::kCellsMinus, no, condition));
    }
    case RuleOp::kIn: {
      std::vector<int> map;
      if (!InCells(rules_.exprs[e.children[1]]) || !Invariant(e.children[1]) || !CellMap(e.children[0], of, &map)) {
        return -1;
      }
      return TakenBack(S(e.children[1]), map);
    }
    case RuleOp::kIsOwn:
      return CellsWherePiece(e.children[0], of, kAnyKind, rules::Side::kOwn);
    case RuleOp::kIsEnemy:
      return CellsWherePiece(e.children[0], of, kAnyKind, rules::Side::kEnemy);
    case RuleOp::kIsKind:
      return CellsWherePiece(e.children[0], of, e.kinds, rules::Side::kAny);
    case RuleOp::kExists:
      if (rules_.exprs[e.children[0]].type.base != Base::kPiece) return -1;
      return CellsWherePiece(e.children[0], of, kAnyKind, rules::Side::kAny);
    case RuleOp::kIsEmpty: {
      std::vector<int> map;
      if (!CellMap(e.children[0], of, &map)) return -1;
      return TakenBack(Complement(CellsOfPieces(kAnyKind, rules::Side::kAny)), map);
    }
    case RuleOp::kLt:
    case RuleOp::kLe:
    case RuleOp::kEq:
      return CellsWhereCompared(e, of);
    default:
      return -1;
  }
}

// A loop that gives variables of all pieces the same values, as one instruction for each variable; false: it is another
// loop.
bool Coder::SetForAll(const rules::Effect& loop) {
  const Expr& set = rules_.exprs[loop.a];
  const bool fits = set.op == RuleOp::kPieces && std::all_of(loop.body.begin(), loop.body.end(), [&](const auto& e) {
                      return e.op == rules::EffectOp::kSetPiece && IsLocal(e.b, loop.slot) &&
                             rules_.exprs[e.a].op == RuleOp::kConst && rules_.exprs[e.a].value != kNone;
                    });
  if (!fits) return false;
  const int pieces = S(loop.a);
  for (const rules::Effect& e : loop.body) {
    const int value = V(e.a);
    const int at = Emit(Op::kSetPieces, value, pieces, 0, e.var.value);
    b_.program.spans.resize(code_.size());
    b_.program.spans[static_cast<std::size_t>(at)] = e.span;
  }
  return true;
}

// The cells of the elements for which the body of a quantifier or filter holds, of `every`: does not hold. An S
// register; -1: it has to be looped.
int Coder::CellsChosen(const Expr& e) {
  const Expr& set = rules_.exprs[e.children[0]];
  const bool pieces = set.op == RuleOp::kPieces;
  if (!InCells(set) && !pieces) return -1;
  const std::size_t first = code_.size();
  const Mark mark = Save();
  bound_.push_back(e.slot);
  const int from = S(e.children[0]);
  const int where = CellsWhere(e.children[1], {e.slot, pieces});
  bound_.pop_back();
  if (where >= 0) return Combine(e.op == RuleOp::kEvery ? Op::kCellsMinus : Op::kCellsIntersect, from, where);
  code_.resize(first);
  Restore(mark);
  return -1;
}

}  // namespace arbiter::compile
