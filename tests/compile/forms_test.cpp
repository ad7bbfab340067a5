// What the compiler recognises, from the shape of the checked rules alone, and what it says of the rest.
#include <gtest/gtest.h>

#include "compile/compile.h"
#include "engine/position.h"
#include "support/rules_maker.h"

namespace arbiter::compile {
namespace {

using namespace testing_support;  // NOLINT
using program::Program;
using program::WalkForm;

class Forms : public ::testing::Test {
 protected:
  Maker m{8, 8};
  int man = m.Kind("Man", "M");
  int other = m.Kind("Other", "O");
  const std::vector<std::string> orthogonal = {"n", "e", "s", "w"};
  const std::vector<std::string> all = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};

  program::TableIndex index = program::BestIndex();
  std::shared_ptr<const Program> Compiled(std::vector<ActionId> actions = {}) {
    if (actions.empty()) actions.push_back(m.Goes("go", 1, m.Walk(m.Step({"n"}))));
    m.OneAction(actions);
    m.Done();
    return Compile(m.r, index);
  }
  static const program::Walk& Of(const Program& p, WalkId id) { return p.walks[id.index()]; }
  static const program::Plan& Start(const Program& p) { return p.plan(p.phases[0].turn); }
};

TEST_F(Forms, a_leap_is_constant) {
  const WalkId leap = m.Walk(m.Leap(1, 2));
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, leap).form, WalkForm::kConstant);
}

TEST_F(Forms, a_slide_is_one_table_of_the_cells_it_crosses) {
  const WalkId slide = m.Slide(orthogonal);
  index = program::TableIndex::kExtract;
  const auto p = Compiled();
  const program::Walk& walk = Of(*p, slide);
  EXPECT_EQ(walk.form, WalkForm::kTable);
  EXPECT_EQ(walk.groups, 1);
  EXPECT_EQ(walk.bits, 12);  // from a corner: six cells each way
}

TEST_F(Forms, multipliers_are_sought_for_few_cells_at_once) {
  const WalkId slide = m.Slide(orthogonal);
  index = program::TableIndex::kMagic;
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, slide).form, WalkForm::kTable);
  EXPECT_EQ(Of(*p, slide).groups, 2);
  EXPECT_LE(Of(*p, slide).bits, 7);
}

TEST_F(Forms, a_walk_of_two_slides_is_made_of_their_tables) {
  const WalkId straight = m.Slide(orthogonal), diagonal = m.Slide({"ne", "se", "sw", "nw"}), both = m.Slide(all);
  const auto p = Compiled();
  for (int origin = 0; origin < 64; ++origin) {
    const auto row = [&](WalkId id) { return p->rows[static_cast<std::size_t>(Of(*p, id).rows + origin)]; };
    std::vector<uint32_t> parts, whole;
    for (const WalkId id : {straight, diagonal}) {
      for (int g = 0; g < row(id).group_count; ++g) {
        parts.push_back(p->groups[static_cast<std::size_t>(row(id).group + g)].table);
      }
    }
    for (int g = 0; g < row(both).group_count; ++g) {
      whole.push_back(p->groups[static_cast<std::size_t>(row(both).group + g)].table);
    }
    std::sort(parts.begin(), parts.end());
    std::sort(whole.begin(), whole.end());
    EXPECT_EQ(parts, whole) << m.r.board.name(origin);
  }
}

TEST_F(Forms, a_jump_over_one_piece_is_a_table_of_empty_and_occupied_cells) {
  const ExprId occupied = m.B(Op::kNot, {m.B(Op::kIsEmpty, {m.Here()})});
  const WalkId cannon = m.Walk(
      m.Then({m.Step(orthogonal, WalkOp::kFace), m.Star(m.Ahead()), m.Over(m.Ahead(), occupied), m.Plus(m.Ahead())}));
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, cannon).form, WalkForm::kTable) << Of(*p, cannon).why;
}

TEST_F(Forms, a_walk_that_asks_who_stands_there_is_searched) {
  const ExprId enemy = m.B(Op::kIsEnemy, {m.On(m.Here())});
  const WalkId over_enemies = m.Walk(m.Over(m.Then({m.Step({"n"}), m.Star(m.Ahead())}), enemy));
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, over_enemies).form, WalkForm::kFlood);
  EXPECT_NE(Of(*p, over_enemies).why.find("occupied"), std::string::npos);
}

TEST_F(Forms, a_walk_that_can_go_everywhere_is_searched) {
  const WalkId wander = m.Walk(m.Plus(m.Step(all)));
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, wander).form, WalkForm::kFlood);
  EXPECT_FALSE(Of(*p, wander).why.empty());
}

TEST_F(Forms, guards_about_the_board_cost_nothing) {
  const WalkId inside =
      m.Walk(m.Then({m.Step(orthogonal), m.Guard(m.B(Op::kIn, {m.Here(), m.Cells({"c3", "c4", "d3", "d4"})}))}));
  const auto p = Compiled();
  EXPECT_EQ(Of(*p, inside).form, WalkForm::kConstant);
}

TEST_F(Forms, a_statement_with_limits_and_effects_is_plain) {
  const VarId n = m.State("n", Maker::Int(0, 9), 0);
  const WalkId slide = m.Slide(orthogonal);
  const ExprId to = m.Local(0, Base::kCell);
  const ActionId act =
      m.Act("go", 1,
            {Maker::S(StepOp::kRequire, m.B(Op::kIn, {m.SelfCell(), m.Cells({"a1", "b2"})})),
             m.Choose(0, slide, m.SelfCell(), Maker::EmptyOrEnemy()), Maker::S(StepOp::kCapture, to),
             Maker::Do({Maker::F(EffectOp::kMove, m.Self(), to)}), Maker::Do({Maker::SetVar(n, m.Number(3))})});
  const auto p = Compiled({act});
  EXPECT_TRUE(p->actions[act.index()].plain) << p->actions[act.index()].why;
  EXPECT_TRUE(Start(*p).direct) << Start(*p).why;
  engine::Position position(p);
  position.Load(m.At({{man, 0, "a1"}, {man, 0, "h8"}, {other, 1, "a3"}}));
  EXPECT_EQ(position.Perft(1, true), 9U);  // a2, a3 and the rank; the man on h8 may not go
  EXPECT_EQ(position.Perft(1, false), 9U);
}

TEST_F(Forms, what_is_not_plain_says_why) {
  const ExprId to = m.Local(0, Base::kCell);
  const WalkId step = m.Walk(m.Step(orthogonal));
  const VarId n = m.State("n", Maker::Int(0, 9), 0);
  const ExprId more = m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(n), m.Number(1)});
  const Block move = {Maker::F(EffectOp::kMove, m.Self(), to)};
  const ActionId removes = m.Act("removes", 1,
                                 {m.Choose(0, step, m.SelfCell(), Maker::Empty()), Maker::Do(move),
                                  Maker::Do({Maker::F(EffectOp::kRemove, m.On(m.CellAt("d4")))})});
  const ActionId counts =
      m.Act("counts", 1,
            {m.Choose(0, step, m.SelfCell(), Maker::Empty()), Maker::Do(move), Maker::Do({Maker::SetVar(n, more)})});
  const ActionId nobody = m.Act("nobody", 0, {});
  const auto p = Compiled({removes, counts, nobody});
  EXPECT_EQ(p->actions[removes.index()].why, "it changes more on the board than one move");
  EXPECT_EQ(p->actions[counts.index()].why, "an effect may be out of range");
  EXPECT_EQ(p->actions[nobody.index()].why, "no piece acts");
  EXPECT_EQ(Start(*p).others.size(), 3U);
}

TEST_F(Forms, statements_that_meet_are_counted_once) {
  const WalkId step = m.Walk(m.Step(orthogonal)), slide = m.Slide(orthogonal);
  const ActionId a = m.Goes("go", 1, step), b = m.Goes("go", 1, slide);
  m.r.actions[b].name = m.r.actions[a].name;
  const auto p = Compiled({a, b});
  EXPECT_TRUE(Start(*p).direct);
  engine::Position position(p);
  position.Load(m.At({{man, 0, "d4"}}));
  EXPECT_EQ(position.Perft(1, true), 14U);
  EXPECT_EQ(position.Moves().size(), 14U);
}

TEST_F(Forms, statements_of_different_names_are_different_moves) {
  const WalkId step = m.Walk(m.Step(orthogonal)), slide = m.Slide(orthogonal);
  const auto p = Compiled({m.Goes("step", 1, step), m.Goes("slide", 1, slide)});
  EXPECT_TRUE(Start(*p).direct);
  engine::Position position(p);
  position.Load(m.At({{man, 0, "d4"}}));
  EXPECT_EQ(position.Perft(1, true), 18U);
  EXPECT_EQ(position.Moves().size(), 18U);
}

TEST_F(Forms, a_handler_that_can_stop_a_move_forbids_counting_in_bulk) {
  const VarId n = m.State("n", Maker::Int(0, 2), 0);
  m.When(EventOp::kMoves, {Maker::SetVar(n, m.E(Op::kAdd, Maker::Int(0, 2), {m.Read(n), m.Number(1)}))});
  const auto p = Compiled();
  EXPECT_FALSE(p->harmless);
  EXPECT_FALSE(Start(*p).direct);
  EXPECT_EQ(Start(*p).why, "a handler may take a number out of its range");
}

TEST_F(Forms, a_handler_of_the_turn_nudges_a_number) {
  const VarId n = m.State("n", Maker::Int(0, 9), 0);
  m.When(EventOp::kTurnEnds, {Maker::SetVar(n, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(n), m.Number(2)}))});
  const auto p = Compiled();
  EXPECT_TRUE(p->harmless);
  EXPECT_TRUE(Start(*p).direct) << Start(*p).why;
  ASSERT_EQ(p->nudges.size(), 1U);
  EXPECT_EQ(p->nudges[0].low, 0);
  EXPECT_EQ(p->nudges[0].high, 7);  // from 8 on the sum would leave the range
  EXPECT_FALSE(p->flat.usable);
}

TEST(Numbers, a_condition_keeps_them_in_their_range) {
  for (const int below : {8, 9, 10}) {
    Maker m{8, 8};
    m.Kind("Man", "M");
    const VarId n = m.State("n", Maker::Int(0, 9), 0);
    Handler& h = m.When(EventOp::kMoves, {Maker::SetVar(n, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(n), m.Number(1)}))});
    h.condition = m.E(Op::kLt, Maker::T(Base::kBool), {m.Read(n), m.Number(below)});
    m.OneAction({m.Goes("go", 1, m.Walk(m.Step({"n"})))});
    m.Done();
    EXPECT_EQ(Compile(m.r)->harmless, below <= 9) << below;
  }
}

TEST_F(Forms, tests_of_events_fold_into_cells_and_owners) {
  Handler& h = m.When(EventOp::kLeaves, {Maker::F(EffectOp::kDraw)});
  h.event.zone = m.Cells({"a1", "h1"});
  const auto p = Compiled();
  ASSERT_EQ(p->handlers[0].case_count, 1);
  const program::HandlerCase& k = p->cases[static_cast<std::size_t>(p->handlers[0].first_case)];
  EXPECT_TRUE(p->set_has(k.from, m.r.board.Find("a1")));
  EXPECT_FALSE(p->set_has(k.from, m.r.board.Find("b1")));
  EXPECT_TRUE(p->set_has(k.not_to, m.r.board.Find("h1")));
}

TEST_F(Forms, requirements_about_the_state_become_a_gate) {
  const VarId n = m.State("n", Maker::T(Base::kBool), 0);
  const ActionId special =
      m.Act("special", 1, {Maker::S(StepOp::kRequire, m.Read(n)), Maker::Do({Maker::F(EffectOp::kRemove, m.Self())})});
  const auto p = Compiled({special});
  EXPECT_TRUE(p->actions[special.index()].gate.present());
}

TEST_F(Forms, kinds_that_attack_alike_share_a_family) {
  const auto attack = [&](KindSet kinds, WalkId walk) {
    Attack a;
    a.kinds = kinds;
    a.walk = walk;
    m.r.attacks.push_back(a);
  };
  attack(1, m.Slide(orthogonal));
  attack(2, m.Slide(all));
  const auto p = Compiled();
  ASSERT_TRUE(p->attacks_folded);
  ASSERT_EQ(p->families[0].size(), 2U);
  EXPECT_EQ(p->families[0][0].kinds, 3U);  // the straight lines: both
  EXPECT_EQ(p->families[0][1].kinds, 2U);  // the diagonals are left to the second
}

TEST_F(Forms, an_attack_with_a_condition_about_the_position_is_tried_piece_by_piece) {
  Attack a;
  a.kinds = 1;
  a.walk = m.Slide(orthogonal);
  a.condition = m.B(Op::kIsEmpty, {m.CellAt("e5")});
  a.frame_size = 1;
  m.r.attacks.push_back(a);
  const auto p = Compiled();
  EXPECT_FALSE(p->attacks_folded);
}

}  // namespace
}  // namespace arbiter::compile
