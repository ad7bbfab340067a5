// Conditions of the flat form: what folds is gone, the rest is asked of sets of pieces and the state word.
#include <algorithm>

#include "compile/flat.h"

namespace arbiter::compile {

using program::FlatPieces;
using program::FlatTest;
using rules::Expr;
using rules::Op;

int FlatMaker::AddTest(FlatTest test) {
  f_.tests.push_back(std::move(test));
  return static_cast<int>(f_.tests.size()) - 1;
}

int FlatMaker::Negated(int test) {
  if (test == kUnknown) return kUnknown;
  if (test == kAlways) return kNever;
  if (test == kNever) return kAlways;
  FlatTest made;
  made.op = FlatTest::Op::kNot;
  made.parts = {test};
  return AddTest(std::move(made));
}

int FlatMaker::Join(FlatTest::Op op, const std::vector<int>& parts) {
  const bool all = op == FlatTest::Op::kAll;
  const int neutral = all ? kAlways : kNever, decisive = all ? kNever : kAlways;
  FlatTest made;
  made.op = op;
  for (const int part : parts) {
    if (part == decisive) return decisive;
    if (part != neutral) made.parts.push_back(part);
  }
  if (std::find(made.parts.begin(), made.parts.end(), kUnknown) != made.parts.end()) return kUnknown;
  if (made.parts.empty()) return neutral;
  return made.parts.size() == 1 ? made.parts.front() : AddTest(std::move(made));
}

int FlatMaker::Element(const Expr& state, Known& known) const {
  const rules::Variable& var = rules_.vars[rules::VarId(state.value)];
  int flat = 0;
  for (std::size_t i = 0; i < state.children.size(); ++i) {
    const Folded at = Fold(rules_, state.children[i], known);
    if (at.kind != Folded::Kind::kValue) return -1;
    const auto& values = var.index[i];
    const auto found = std::find(values.begin(), values.end(), at.value);
    if (found == values.end()) return -1;
    flat = flat * static_cast<int>(values.size()) + static_cast<int>(found - values.begin());
  }
  return var.offset + flat;
}

int FlatMaker::StateTest(int element, Value value) {
  const program::FlatField& field = f_.fields[static_cast<std::size_t>(element)];
  if (!field.Holds(value)) return kNever;
  FlatTest test;
  test.op = FlatTest::Op::kState;
  test.mask = field.mask();
  test.value = field.Encoded(value);
  return AddTest(std::move(test));
}

// The pieces of a set of pieces.
bool FlatMaker::PiecesOf(ExprId id, Known& known, std::vector<FlatPieces>* out) {
  const Expr& e = rules_.exprs[id];
  if (e.op != Op::kPieces) return false;
  std::size_t at = 0;
  Value of = kNone;
  if (e.side == rules::Side::kOf) {
    const Folded owner = Fold(rules_, e.children[at++], known);
    if (owner.kind != Folded::Kind::kValue) return false;
    if (owner.value == kNone) return true;  // nobody's
    of = owner.value;
  }
  FlatPieces pieces;
  if (e.on_cells) {
    const Folded cells = Fold(rules_, e.children[at], known);
    if (cells.kind != Folded::Kind::kCells) return false;
    pieces.cells = b_.AddSet(cells.cells);
  }
  pieces.codes = Codes(e.kinds, e.side, known.player, of);
  if (!pieces.codes.empty()) out->push_back(std::move(pieces));
  return true;
}

// The pieces of the set for which the body holds (or does not): told for each code and cell before a position is known.
bool FlatMaker::PiecesFor(ExprId set, int slot, ExprId body, bool negated, Known& known, std::vector<FlatPieces>* out) {
  std::vector<FlatPieces> all;
  if (!PiecesOf(set, known, &all)) return false;
  std::map<int, std::vector<Code>> by_cells;
  for (const FlatPieces& pieces : all) {
    for (const Code code : pieces.codes) {
      CellSet cells;
      for (int cell = 0; cell < p_.cells; ++cell) {
        if (pieces.cells >= 0 && !p_.set_has(pieces.cells, cell)) continue;
        known.piece_slots.emplace_back(slot, KnownPiece{KindOf(code), OwnerOf(code), cell});
        const Folded f = Fold(rules_, body, known);
        known.piece_slots.pop_back();
        if (f.kind != Folded::Kind::kValue) return false;
        if ((f.value != 0 && f.value != kNone) != negated) cells.set(static_cast<std::size_t>(cell));
      }
      if (cells.none()) continue;
      by_cells[cells == rules_.board.cells() ? -1 : b_.AddSet(cells)].push_back(code);
    }
  }
  for (auto& [cells, codes] : by_cells) out->push_back({std::move(codes), cells});
  return true;
}

int FlatMaker::CountTest(ExprId set, int slot, ExprId body, int least, Known& known) {
  if (least <= 0) return kAlways;
  FlatTest test;
  test.op = FlatTest::Op::kPieces;
  test.least = least;
  const bool told =
      body.valid() ? PiecesFor(set, slot, body, false, known, &test.pieces) : PiecesOf(set, known, &test.pieces);
  if (!told) return kUnknown;
  return test.pieces.empty() ? kNever : AddTest(std::move(test));
}

// A comparison of a number, or of an element of the state, with something known.
int FlatMaker::CompareTest(const Expr& e, Known& known) {
  const Folded left = Fold(rules_, e.children[0], known), right = Fold(rules_, e.children[1], known);
  const bool left_known = left.kind == Folded::Kind::kValue;
  if (left_known == (right.kind == Folded::Kind::kValue)) return kUnknown;
  const Expr& asked = rules_.exprs[e.children[left_known ? 1 : 0]];
  const Value value = left_known ? left.value : right.value;
  if (asked.op == Op::kState) {
    const int element = Element(asked, known);
    if (element < 0) return kUnknown;
    if (e.op == Op::kEq) return StateTest(element, value);
    if (value == kNone) return kNever;
    const program::FlatField& field = f_.fields[static_cast<std::size_t>(element)];
    // What the number must reach at least: `value < x` is x >= value + 1, `x <= value` is not x >= value + 1.
    const bool strict = (e.op == Op::kLt) == left_known;
    const int64_t bound = int64_t{value} + (strict ? 1 : 0);
    FlatTest test;
    test.op = FlatTest::Op::kAtLeast;
    test.mask = field.mask();
    const int some = field.optional ? Negated(StateTest(element, kNone)) : kAlways;
    int reaches = kAlways;
    if (bound > field.high) {
      reaches = kNever;
    } else if (bound > field.low) {
      test.value = field.Encoded(static_cast<Value>(bound));
      reaches = AddTest(std::move(test));
    }
    return Join(FlatTest::Op::kAll, {some, left_known ? reaches : Negated(reaches)});
  }
  if (asked.op == Op::kCount) {
    if (value == kNone) return kNever;
    if (value > 1000 || value < -1000) return kUnknown;
    const auto at_least = [&](int n) { return CountTest(asked.children[0], asked.slot, asked.children[1], n, known); };
    if (e.op == Op::kEq) return Join(FlatTest::Op::kAll, {at_least(value), Negated(at_least(value + 1))});
    const bool strict = (e.op == Op::kLt) == left_known;
    const int reaches = at_least(value + (strict ? 1 : 0));
    return left_known ? reaches : Negated(reaches);
  }
  return kUnknown;
}

// Gives kUnknown where the form is none of those below; says nothing of why.
int FlatMaker::Test(ExprId id, Known& known) {
  if (!id.valid()) return kAlways;
  const Folded f = Fold(rules_, id, known);
  if (f.kind == Folded::Kind::kValue) return f.value != 0 && f.value != kNone ? kAlways : kNever;
  const Expr& e = rules_.exprs[id];
  const auto parts = [&] {
    std::vector<int> tests;
    for (const ExprId c : e.children) tests.push_back(Test(c, known));
    return tests;
  };
  switch (e.op) {
    case Op::kNot: {
      const Expr& child = rules_.exprs[e.children[0]];
      // `not none` does not hold either; only elements of the state could be none here.
      if (child.op == Op::kState && child.type.optional) return kUnknown;
      return Negated(Test(e.children[0], known));
    }
    case Op::kAnd:
      return Join(FlatTest::Op::kAll, parts());
    case Op::kOr:
      return Join(FlatTest::Op::kAny, parts());
    case Op::kImplies: {
      const std::vector<int> both = parts();
      return Join(FlatTest::Op::kAny, {Negated(both[0]), both[1]});
    }
    case Op::kIf: {
      const std::vector<int> three = parts();
      return Join(FlatTest::Op::kAny, {Join(FlatTest::Op::kAll, {three[0], three[1]}),
                                       Join(FlatTest::Op::kAll, {Negated(three[0]), three[2]})});
    }
    case Op::kState: {
      const int element = Element(e, known);
      return element < 0 || e.type.base != rules::Base::kBool ? kUnknown : StateTest(element, 1);
    }
    case Op::kExists: {
      const Expr& child = rules_.exprs[e.children[0]];
      if (child.op == Op::kState) {
        const int element = Element(child, known);
        return element < 0 ? kUnknown : Negated(StateTest(element, kNone));
      }
      return kUnknown;
    }
    case Op::kEq:
    case Op::kLt:
    case Op::kLe:
      return CompareTest(e, known);
    case Op::kIsEmptySet:
      return Negated(CountTest(e.children[0], -1, ExprId(), 1, known));
    case Op::kSome:
      return CountTest(e.children[0], e.slot, e.children[1], 1, known);
    case Op::kEvery: {
      FlatTest test;
      test.op = FlatTest::Op::kPieces;
      test.least = 1;
      if (!PiecesFor(e.children[0], e.slot, e.children[1], true, known, &test.pieces)) return kUnknown;
      return test.pieces.empty() ? kAlways : Negated(AddTest(std::move(test)));
    }
    case Op::kIn: {
      const Expr& cell = rules_.exprs[e.children[0]];
      if (cell.op != Op::kCellOf) return kUnknown;
      const Expr& only = rules_.exprs[cell.children[0]];
      const Folded cells = Fold(rules_, e.children[1], known);
      if (only.op != Op::kTheOnly || cells.kind != Folded::Kind::kCells) return kUnknown;
      FlatTest test;
      test.op = FlatTest::Op::kTheOnly;
      rules::Side side = rules::Side::kAny;
      Value of = kNone;
      if (!only.children.empty()) {
        const Folded owner = Fold(rules_, only.children[0], known);
        if (owner.kind != Folded::Kind::kValue) return kUnknown;
        if (owner.value == kNone) return kNever;
        side = rules::Side::kOf;
        of = owner.value;
      }
      const std::vector<Code> codes = Codes(only.kinds, side, known.player, of);
      if (codes.empty()) return kNever;
      test.pieces = {{codes, -1}, {codes, b_.AddSet(cells.cells)}};
      return AddTest(std::move(test));
    }
    case Op::kCanPlay: {
      const Folded player = Fold(rules_, e.children[0], known);
      if (e.turn.valid() || !player.is(known.player)) return kUnknown;
      FlatTest test;
      test.op = FlatTest::Op::kCanPlay;
      for (const rules::ActionId action : e.actions) {
        if (std::find(plan_->others.begin(), plan_->others.end(), action.value) == plan_->others.end()) return kUnknown;
        test.parts.push_back(action.value);
      }
      return AddTest(std::move(test));
    }
    default:
      return kUnknown;
  }
}

// Does the test ask for the number of a clock?
bool FlatMaker::ReadsClock(int index) const {
  if (index < 0) return false;
  const FlatTest& test = f_.tests[static_cast<std::size_t>(index)];
  if (test.op == FlatTest::Op::kState || test.op == FlatTest::Op::kAtLeast) {
    return std::any_of(f_.fields.begin(), f_.fields.end(),
                       [&](const program::FlatField& field) { return field.clock && (field.mask() & test.mask) != 0; });
  }
  if (test.op == FlatTest::Op::kCanPlay) return false;
  return std::any_of(test.parts.begin(), test.parts.end(), [&](int part) { return ReadsClock(part); });
}

}  // namespace arbiter::compile
