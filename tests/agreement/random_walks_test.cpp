// Random walks on tiny boards: what the compiler makes of a pattern against the definition.
//
// Every seed is a board (holes, wraps, deflections), a random pattern with guards and `over`, and random men. The
// pattern is used for moves, attacks, rounds and remembered choices. ARBITER_WALKS=100000 tries so many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "compile/compile.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/notation.h"
#include "support/random_position.h"
#include "support/rules_maker.h"
#include "support/table_index.h"

namespace arbiter {
namespace {

using namespace testing_support;  // NOLINT

class WalkGame {
 public:
  explicit WalkGame(uint64_t seed) : random_(seed), m(MakeBoard()) {
    man_ = m.Kind("Man", "M");
    other_ = m.Kind("Other", "O");
    m.Kind("Ball", "o", true);
    for (int i = Below(4); i > 0; --i) AddDeflection();
    walk = MakeWalk();
    floods_ = false;
    remembered = MakeWalk();
    Actions();
    m.Done();
    m.r.lookahead_budget = 10000;
  }

  Maker& maker() { return m; }
  WalkId walk;
  WalkId remembered;  // without rounds: their ways are too many to tell apart

  Snapshot Position() {
    std::vector<Maker::Man> men;
    for (int c = 0; c < m.r.board.board_size(); ++c) {
      if (Below(10) >= density_) continue;
      const int kind = Below(3);
      men.push_back({kind, kind == 2 ? kNone : Below(2), m.r.board.name(c)});
    }
    return m.At(men, Below(2));
  }

 private:
  std::mt19937_64 random_;
  Maker m;
  int man_ = -1, other_ = -1;
  bool reads_back_ = false;
  bool floods_ = true;
  int density_ = 1 + Below(6);

  int Below(int n) { return n <= 1 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(n)); }

  Maker MakeBoard() {
    const int width = 3 + Below(3), height = 3 + Below(3);
    CellSet holes;
    for (int i = Below(3); i > 0; --i) holes.set(static_cast<std::size_t>(1 + Below(width * height - 1)));
    return Maker(width, height, holes, Below(5) == 0, Below(6) == 0);
  }

  void AddDeflection() {
    const int from = Below(8), to = Below(8), cell = Below(m.builder.peek().board_size());
    (void)m.builder.DeflectAt(cell, from, to);  // refused where one stands already
  }

  // ---- conditions ----
  ExprId SomeCells() {
    std::vector<std::string> names;
    for (int c = 0; c < m.builder.peek().board_size(); ++c) {
      if (Below(2) == 0) names.push_back(m.builder.peek().name(c));
    }
    return m.Cells(names);
  }
  ExprId Condition(int depth) {
    const ExprId here = m.Here();
    switch (Below(depth > 0 ? 11 : 8)) {
      case 0:
      case 1:
        return m.B(Op::kIsEmpty, {here});
      case 2:
        return m.B(Op::kIn, {here, SomeCells()});
      case 3:
        return m.B(Op::kIsOwn, {m.On(here)});
      case 4:
        return m.B(Op::kIsEnemy, {m.On(here)});
      case 5:
        return m.B(Op::kEq, {m.E(Op::kHeading, Maker::T(Base::kDirection)), m.Const(Base::kDirection, Below(8))});
      case 6: {
        reads_back_ = true;
        const ExprId back = m.E(Op::kBack, Maker::T(Base::kCell));
        return Below(2) == 0 ? m.B(Op::kIn, {back, SomeCells()}) : m.B(Op::kIsEmpty, {back});
      }
      case 7:
        return m.B(Op::kEq, {here, m.E(Op::kOrigin, Maker::T(Base::kCell))});
      case 8:
        return m.B(Op::kNot, {Condition(depth - 1)});
      case 9:
        return m.B(Op::kAnd, {Condition(depth - 1), Condition(depth - 1)});
      default:
        return m.B(Op::kOr, {Condition(depth - 1), Condition(depth - 1)});
    }
  }

  // ---- patterns ----
  std::vector<std::string> Directions() {
    std::vector<std::string> some;
    for (const char* d : {"n", "ne", "e", "se", "s", "sw", "w", "nw"}) {
      if (Below(4) == 0) some.push_back(d);
    }
    if (some.empty()) some.push_back("n");
    return some;
  }
  WalkNodeId Atom() {
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        return m.Step(Directions());
      case 3:
        return m.Relative({static_cast<board::Relative>(Below(8)), static_cast<board::Relative>(Below(8))});
      case 4:
        return m.Leap(1, 1 + Below(2));
      case 5:
      case 6:
        return m.Ahead();
      case 7:
        return m.Step(Directions(), WalkOp::kFace);
      case 8:
        return m.Node(WalkOp::kTurn, {}, 1 + Below(7));
      case 9:
        return m.Node(WalkOp::kDeflect);
      default:
        return m.Guard(Condition(1));
    }
  }
  WalkNodeId Pattern(int depth) {
    if (depth == 0) return Atom();
    switch (Below(8)) {
      case 0:
        return Atom();
      case 1:
        return m.Ways({Pattern(depth - 1), Pattern(depth - 1)});
      case 2: {
        if (!floods_) return m.Times(Pattern(depth - 1), 0, 1);
        const int min = Below(2), kind = Below(3);
        return m.Times(Pattern(depth - 1), min, kind == 0 ? -1 : min + Below(3));
      }
      case 3:
        return m.Over(Pattern(depth - 1), Condition(1));
      case 4:
        return m.Then({m.Step(Directions()), m.Star(m.Ahead()), Pattern(depth - 1)});
      default:
        return m.Then({Pattern(depth - 1), Pattern(depth - 1)});
    }
  }

  WalkId MakeWalk() {
    reads_back_ = false;
    const WalkNodeId root = Pattern(3);
    return m.Walk(root, reads_back_, Below(6) == 0);
  }

  // ---- actions: the pattern in all its uses ----
  void Actions() {
    const KindSet men = KindSet{1} << man_;
    Attack attack;
    attack.kinds = men;
    attack.walk = walk;
    if (Below(3) == 0) attack.to = SomeCells();
    m.r.attacks.push_back(attack);

    const ExprId chosen = m.Local(0, Base::kCell);
    const auto over_cells = [&](ExprId require) {
      rules::Step choose = Maker::S(StepOp::kChooseIn, m.Cells(All()));
      choose.slot = 0;
      return std::vector<rules::Step>{choose, Maker::S(StepOp::kRequire, require)};
    };
    rules::Step number = Maker::S(StepOp::kChooseIn);
    {
      Expr numbers;
      numbers.op = Op::kConstSet;
      numbers.type = Maker::T(Base::kInt, true);
      numbers.values = {1, 2, 3};
      number.expr = m.r.exprs.Add(numbers);
      number.slot = 1;
    }
    const auto rounds = [&](Op op) {
      auto steps = over_cells(m.Const(Base::kBool, 1));
      const ExprId count = m.E(op, Maker::Int(0, 99), {m.SelfCell(), chosen, m.WalkValue(walk)});
      steps.push_back(number);
      steps.push_back(Maker::S(StepOp::kRequire, m.B(Op::kEq, {count, m.Local(1, Base::kInt)})));
      return steps;
    };
    std::vector<ActionId> actions = {m.Goes("go", men, walk)};
    actions.push_back(m.Act("attacked", 0, over_cells(m.B(Op::kAttacked, {chosen}))));
    actions.push_back(m.Act("reaches", men, over_cells(m.B(Op::kReaches, {m.SelfCell(), m.WalkValue(walk), chosen}))));
    if (Below(2) == 0) actions.push_back(m.Act("steps", men, rounds(Op::kSteps)));
    if (Below(2) == 0) actions.push_back(m.Act("distance", men, rounds(Op::kDistance)));
    if (Below(2) == 0) actions.push_back(Remembered(men));
    m.OneAction(actions);
  }

  ActionId Remembered(KindSet men) {
    Filter any;
    any.cells = m.Cells(All());
    rules::Step choose = m.Choose(0, remembered, m.SelfCell(), any);
    choose.remembers = true;
    rules::Step heading =
        Maker::S(StepOp::kChooseIn, m.E(Op::kMakeSet, Maker::T(Base::kDirection, true),
                                        {m.E(Op::kChoiceHeading, Maker::T(Base::kDirection), {}, kNone, 0)}));
    heading.slot = 1;
    rules::Step before = Maker::S(
        StepOp::kChooseIn,
        m.E(Op::kMakeSet, Maker::T(Base::kCell, true), {m.E(Op::kChoiceBefore, Maker::T(Base::kCell), {}, kNone, 0)}));
    before.slot = 2;
    rules::Step crossed =
        Maker::S(StepOp::kChooseIn, m.E(Op::kChoiceCrossed, Maker::T(Base::kCell, true), {}, kNone, 0));
    crossed.slot = 3;
    return m.Act("remembered", men, {choose, heading, before, crossed});
  }

  std::vector<std::string> All() {
    std::vector<std::string> names;
    for (int c = 0; c < m.builder.peek().board_size(); ++c) names.push_back(m.builder.peek().name(c));
    return names;
  }
};

TEST(RandomWalks, compiled_walks_end_where_the_definition_says) {
  const char* wanted = std::getenv("ARBITER_WALKS");
  const char* first = std::getenv("ARBITER_SEED");
  const uint64_t count = wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
  const uint64_t start = first == nullptr ? 1 : std::strtoull(first, nullptr, 10);
  int64_t moves = 0;
  for (uint64_t seed = start; seed < start + count; ++seed) {
    WalkGame game(seed);
    const Rules& rules = game.maker().r;
    const auto program = compile::Compile(rules, AnyTableIndex(seed));
    const oracle::Oracle oracle(rules);
    engine::Position position(program);
    for (int i = 0; i < 6; ++i) {
      const Snapshot at = game.Position();
      position.Load(at);
      std::optional<Fault> fault;
      const auto expected = MoveTexts(rules, oracle.Moves(at, &fault)), found = MoveTexts(rules, position.Moves());
      if (fault) continue;  // beyond the budget
      moves += static_cast<int64_t>(expected.size());
      std::string only_oracle, only_engine;
      for (const auto& t : expected) only_oracle += std::count(found.begin(), found.end(), t) == 0 ? " " + t : "";
      for (const auto& t : found) only_engine += std::count(expected.begin(), expected.end(), t) == 0 ? " " + t : "";
      ASSERT_EQ(expected, found) << "ARBITER_SEED=" << seed << "\n  " << FormatPosition(rules, at) << "\n  walk "
                                 << DumpWalk(rules, game.walk) << "\n  remembered " << DumpWalk(rules, game.remembered)
                                 << "\n  only the oracle:" << only_oracle << "\n  only the engine:" << only_engine
                                 << "\n"
                                 << rules.board.Dump();
    }
  }
  EXPECT_GT(moves, static_cast<int64_t>(count)) << "the walks go nowhere";
}

}  // namespace
}  // namespace arbiter
