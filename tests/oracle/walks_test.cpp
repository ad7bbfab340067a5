// Walks by the reference evaluator: crossing, `over`, `back`, headings, rounds.
#include <gtest/gtest.h>

#include "oracle/oracle.h"
#include "support/rules_maker.h"

namespace arbiter::oracle {
namespace {

using namespace testing_support;  // NOLINT

class Walks : public ::testing::Test {
 protected:
  Maker m{5, 5};
  int man = m.Kind("Man", "M");
  int ball = m.Kind("Ball", "o", true);

  // Every test needs a complete game around its walks.
  void Ready() {
    m.OneAction({m.Act("pass", 0, {})});
    m.Done();
  }
  std::string Ends(const Snapshot& at, WalkId walk, const std::string& from) {
    std::string text;
    for (int cell : Oracle(m.r).WalkEnds(at, walk, m.r.board.Find(from)))
      text += (text.empty() ? "" : " ") + m.r.board.name(cell);
    return text;
  }
};

TEST_F(Walks, slide_ends_on_the_first_piece_and_not_behind_it) {
  const WalkId slide = m.Slide({"n", "e"});
  Ready();
  const Snapshot at = m.At({{man, 0, "a1"}, {man, 1, "a3"}, {man, 0, "d1"}});
  EXPECT_EQ(Ends(at, slide, "a1"), "b1 c1 d1 a2 a3");
}

TEST_F(Walks, relative_directions_are_those_of_the_walker) {
  const WalkId forward = m.Walk(m.Relative({board::Relative::kForward, board::Relative::kForwardRight}));
  Ready();
  const Snapshot at = m.At({{man, 0, "c3"}, {man, 1, "b2"}});
  EXPECT_EQ(Ends(at, forward, "c3"), "c4 d4");
  EXPECT_EQ(Ends(at, forward, "b2"), "a1 b1");
}

TEST_F(Walks, over_asks_of_crossed_cells_only) {
  const ExprId occupied = m.B(Op::kNot, {m.B(Op::kIsEmpty, {m.Here()})});
  const WalkId cannon =
      m.Walk(m.Then({m.Step({"n"}, WalkOp::kFace), m.Star(m.Ahead()), m.Over(m.Ahead(), occupied), m.Plus(m.Ahead())}));
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}}), cannon, "a1"), "");
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 0, "a2"}}), cannon, "a1"), "a3 a4 a5");
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 0, "a3"}, {man, 1, "a5"}}), cannon, "a1"), "a4 a5");
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 0, "a2"}, {man, 1, "a3"}}), cannon, "a1"), "a3");
}

TEST_F(Walks, innermost_over_wins_and_reaches_to_the_step_out) {
  // (n over any) then n: the first cell was entered inside, so it may be occupied though it is left outside.
  const ExprId any = m.Const(Base::kBool, 1), never = m.Const(Base::kBool, 0);
  const WalkId jump = m.Walk(m.Then({m.Over(m.Step({"n"}), any), m.Step({"n"})}));
  const WalkId nested = m.Walk(m.Over(m.Then({m.Over(m.Step({"n"}), any), m.Step({"n"}), m.Step({"n"})}), never));
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 0, "a2"}}), jump, "a1"), "a3");
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 0, "a2"}}), nested, "a1"), "");  // a3 was entered under `never`
}

TEST_F(Walks, back_is_the_cell_last_left) {
  // Two steps anywhere orthogonal, but not to a cell next to … the start: the guard compares here with back.
  const ExprId straight =
      m.B(Op::kEq,
          {m.E(Op::kNext, Maker::T(Base::kCell),
               {m.E(Op::kBack, Maker::T(Base::kCell)), m.Const(Base::kDirection, m.builder.peek().FindDirection("n"))}),
           m.Here()});
  const WalkId north = m.Walk(m.Times(m.Then({m.Step({"n", "e"}), m.Guard(straight)}), 2, 2), true);
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "b2"}}), north, "b2"), "b4");
}

TEST_F(Walks, origin_is_an_end_only_where_the_walk_may_stay) {
  const WalkNodeId body = m.Then({m.Step({"n"}), m.Step({"s"})});
  const WalkId returns = m.Walk(body), stays = m.Walk(body, false, true);
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "b2"}}), returns, "b2"), "");
  EXPECT_EQ(Ends(m.At({{man, 0, "b2"}}), stays, "b2"), "b2");
  EXPECT_EQ(Ends(m.At({{man, 0, "b2"}, {man, 0, "b3"}}), stays, "b2"), "");  // b3 is crossed
}

TEST_F(Walks, coming_back_through_the_origin_is_a_crossing) {
  const WalkId through = m.Walk(m.Then({m.Step({"n"}), m.Step({"s"}), m.Step({"s"})}));
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "b2"}}), through, "b2"), "");  // the walker itself stands there
  EXPECT_EQ(Ends(m.At({}), through, "b2"), "b1");
}

TEST_F(Walks, leap_sets_the_heading_to_its_vector) {
  const WalkId rider = m.Walk(m.Then({m.Leap(1, 2), m.Star(m.Ahead())}));
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}}), rider, "a1"), "c2 b3 e3 c5");
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 1, "c2"}}), rider, "a1"), "c2 b3 c5");
}

TEST_F(Walks, deflection_turns_the_heading_where_the_board_says) {
  const int w = m.builder.peek().FindDirection("w"), n = m.builder.peek().FindDirection("n");
  ASSERT_EQ(m.builder.DeflectAt(m.builder.peek().Find("a1"), w, n), "");
  const WalkId rook = m.Walk(
      m.Then({m.Step({"w"}), m.Star(m.Ahead()), m.Times(m.Then({m.Node(WalkOp::kDeflect), m.Plus(m.Ahead())}), 0, 1)}));
  Ready();
  EXPECT_EQ(Ends(m.At({{man, 0, "c1"}}), rook, "c1"), "a1 b1 a2 a3 a4 a5");
  EXPECT_EQ(Ends(m.At({{man, 0, "c1"}, {man, 1, "a1"}}), rook, "c1"), "a1 b1");  // the corner is crossed
}

TEST_F(Walks, unbounded_repetition_of_any_step_floods_what_is_reachable) {
  const WalkId flood = m.Walk(m.Plus(m.Step({"n", "e", "s", "w"})));
  Ready();
  // A wall on file c with a gap at c5, and the gap taken: cells beyond are out of reach, the wall is an end.
  EXPECT_EQ(Ends(m.At({{man, 0, "a1"}, {man, 1, "c1"}, {man, 1, "c2"}, {man, 1, "c3"}, {man, 1, "c4"}, {man, 1, "c5"}}),
                 flood, "a1"),
            "b1 c1 a2 b2 c2 a3 b3 c3 a4 b4 c4 a5 b5 c5");
}

TEST_F(Walks, rounds_need_free_stops_and_distance_does_not) {
  const WalkId step = m.Walk(m.Step({"n", "e", "s", "w"}));
  const ExprId a = m.CellAt("a1"), c = m.CellAt("a3");
  const ExprId steps = m.E(Op::kSteps, Maker::Int(0, 99), {a, c, m.WalkValue(step)});
  const ExprId distance = m.E(Op::kDistance, Maker::Int(0, 99), {a, c, m.WalkValue(step)});
  const auto equals = [&](ExprId e, Value v) { return m.B(Op::kEq, {e, m.Number(v)}); };
  const ExprId two = equals(steps, 2), four = equals(steps, 4), none = m.B(Op::kEq, {steps, m.Number(kNone)});
  const ExprId near = equals(distance, 2);
  Ready();
  const Oracle oracle(m.r);
  EXPECT_TRUE(oracle.Holds(m.At({{man, 0, "a1"}, {man, 1, "a3"}}), two, {}));  // the last cell is not tested
  const Snapshot around = m.At({{man, 0, "a1"}, {man, 1, "a2"}});
  EXPECT_TRUE(oracle.Holds(around, four, {}));
  EXPECT_TRUE(oracle.Holds(around, near, {}));
  EXPECT_TRUE(oracle.Holds(m.At({{man, 0, "a1"}, {man, 1, "a2"}, {man, 1, "b1"}}), none, {}));
}

}  // namespace
}  // namespace arbiter::oracle
