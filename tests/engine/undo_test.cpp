// Playing and taking back: every kind of effect leaves nothing behind, and the key is kept up to date.
#include <gtest/gtest.h>

#include "compile/compile.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "support/rules_maker.h"

namespace arbiter::engine {
namespace {

using namespace testing_support;  // NOLINT

class Undo : public ::testing::Test {
 protected:
  Maker m{4, 4};
  int man = m.Kind("Man", "M");
  int boss = m.Kind("Boss", "B");
  int ball = m.Kind("Ball", "o", true, true);
  KindSet men = 1, bosses = 2;

  WalkId Orthogonal() { return m.Walk(m.Step({"n", "e", "s", "w"})); }

  // Plays every action from here, two deep; compares with the reference evaluator and takes back.
  int EveryWay(const Snapshot& at, int depth = 2) {
    const auto program = compile::Compile(m.r);
    Position position(program);
    position.Load(at);
    return Follow(position, depth);
  }

 private:
  int Follow(Position& position, int depth) {
    const oracle::Oracle oracle(m.r);
    const Snapshot at = position.Save();
    EXPECT_EQ(position.key(), position.key_from_scratch());
    EXPECT_EQ(position.key(), oracle.Key(at));
    const auto moves = position.Moves();
    EXPECT_EQ(moves, oracle.Moves(at));
    if (depth == 0) return 1;
    std::vector<Handle> handles;
    position.List(&handles);
    EXPECT_EQ(handles.size(), moves.size());
    int seen = 0;
    for (const Handle& h : handles) {
      const Move move = position.MoveOf(h);
      const auto expected = oracle.Apply(at, move);
      const Applied applied = position.Play(h);
      EXPECT_TRUE(expected.has_value());
      if (!expected) return seen;
      EXPECT_EQ(position.Save(), expected->next);
      EXPECT_EQ(applied.outcome, expected->outcome);
      EXPECT_EQ(applied.turn_complete, expected->turn_complete);
      if (applied.outcome.kind == Outcome::Kind::kNone) seen += Follow(position, depth - 1);
      position.Undo();
      EXPECT_EQ(position.Save(), at);
      EXPECT_EQ(position.key(), oracle.Key(at));
    }
    return seen;
  }
};

TEST_F(Undo, captures_and_promotions) {
  Promotion p;
  p.kinds = {boss};
  p.optional = true;
  p.zone = m.Cells({"a4", "b4", "c4", "d4"});
  m.r.kinds[static_cast<std::size_t>(man)].promotions.push_back(p);
  m.OneAction({m.Goes("go", men | bosses, Orthogonal())});
  m.Done();
  EXPECT_GT(EveryWay(m.At({{man, 0, "a3"}, {man, 1, "a4"}, {boss, 1, "b3"}, {man, 0, "d2"}})), 20);
}

TEST_F(Undo, lifting_placing_swapping_becoming_joining) {
  const VarId tired = m.PieceState("tired", Maker::Int(0, 3), 0);
  const ExprId to = m.Local(0, Base::kCell);
  Effect more = Maker::F(EffectOp::kSetPiece, m.Number(2), m.Self());
  more.var = tired;
  const ExprId the_ball = m.E(Op::kTheOnly, Maker::T(Base::kPiece));
  m.r.exprs[the_ball].kinds = KindSet{4};
  const ExprId other = m.On(m.CellAt("c3"));
  m.OneAction({
      m.Act("lift", men, {Maker::Do({Maker::F(EffectOp::kLift, the_ball), more})}),
      m.Act("drop", men,
            {m.Choose(0, Orthogonal(), m.SelfCell(), Maker::Empty()),
             Maker::Do({Maker::F(EffectOp::kPut, the_ball, to)})}),
      m.Act("breed", men,
            {m.Choose(0, Orthogonal(), m.SelfCell(), Maker::Empty()),
             Maker::Do(
                 {Maker::F(EffectOp::kPlace, m.Const(Base::kKind, boss), m.E(Op::kMe, Maker::T(Base::kPlayer)), to)})}),
      m.Act("swap", men, {Maker::Do({Maker::F(EffectOp::kSwap, m.Self(), other)})}),
      m.Act("grow", men, {Maker::Do({Maker::F(EffectOp::kBecomes, m.Self(), m.Const(Base::kKind, boss))})}),
      m.Act("convert", men | bosses,
            {Maker::Do({Maker::F(EffectOp::kJoins, other, m.E(Op::kMe, Maker::T(Base::kPlayer)))})}),
      m.Act("vanish", bosses, {Maker::Do({Maker::F(EffectOp::kRemove, m.Self())})}),
  });
  m.Done();
  const Snapshot at = m.At({{man, 0, "a1"}, {man, 1, "c3"}, {boss, 0, "d4"}, {ball, kNone, "b2"}});
  EXPECT_GT(EveryWay(at, 3), 100);
}

TEST_F(Undo, state_marks_and_clocks) {
  const VarId plain = m.State("plain", Maker::Int(0, 9), 0);
  const VarId brief = m.State("brief", Maker::Int(0, 9), 0, Variable::Life::kBrief);
  const VarId clock = m.State("clock", Maker::Int(0, 2), 0, Variable::Life::kClock);
  const auto plus_one = [&](VarId v) {
    return Maker::SetVar(v, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(v), m.Number(1)}));
  };
  m.When(EventOp::kAfterAction, {plus_one(clock)});
  m.When(EventOp::kMoves, {plus_one(plain)});
  m.OneAction({m.Goes("go", men, Orthogonal()), m.Act("note", men, {Maker::Do({plus_one(brief)})})});
  m.Done();
  EXPECT_GT(EveryWay(m.At({{man, 0, "a1"}, {man, 1, "c3"}}), 4), 50);
}

TEST_F(Undo, a_game_that_an_effect_ends) {
  m.OneAction({m.Goes("go", men, Orthogonal()),
               m.Act("claim", men, {Maker::Do({Maker::F(EffectOp::kWin, m.E(Op::kMe, Maker::T(Base::kPlayer)))})})});
  m.Done();
  EXPECT_GT(EveryWay(m.At({{man, 0, "a1"}, {man, 1, "c3"}})), 3);
}

// The second walk asks for the heading with which the first one ended: in the frame of the action.
TEST_F(Undo, a_walk_that_asks_how_a_choice_ended) {
  Filter onto_ball;
  onto_ball.pieces.push_back({Side::kAny, KindSet{4}});
  const WalkId slide = m.Slide({"n", "e", "s", "w"});
  WalkNode face;
  face.op = WalkOp::kFace;
  StepDirection computed;
  computed.kind = StepDirection::Kind::kExpr;
  computed.expr = m.E(Op::kChoiceHeading, Maker::T(Base::kDirection), {}, kNone, 0);
  face.directions.push_back(computed);
  const WalkId on = m.Walk(m.Then({m.r.walk_nodes.Add(face), m.Plus(m.Ahead())}));
  m.r.walks[on].reads_frame = true;
  rules::Step hit = m.Choose(0, slide, m.SelfCell(), onto_ball);
  hit.remembers = true;
  const ExprId at_ball = m.Local(0, Base::kCell);
  m.OneAction({m.Act("push", men,
                     {hit, m.Choose(1, on, at_ball, Maker::Empty()),
                      Maker::Do({Maker::F(EffectOp::kMove, m.On(at_ball), m.Local(1, Base::kCell)),
                                 Maker::F(EffectOp::kMove, m.Self(), at_ball)})})});
  m.Done();
  const Snapshot at = m.At({{man, 0, "a2"}, {man, 1, "d2"}, {ball, kNone, "b2"}});
  Position position(compile::Compile(m.r));
  position.Load(at);
  EXPECT_EQ(position.Moves().size(), 1U);  // only on along the rank, to c2
  EXPECT_EQ(EveryWay(at, 1), 1);
}

TEST_F(Undo, at_the_beginning_nothing_happens) {
  m.OneAction({m.Goes("go", men, Orthogonal())});
  m.Done();
  Position position(compile::Compile(m.r));
  const Snapshot at = m.At({{man, 0, "a1"}});
  position.Load(at);
  position.Undo();
  EXPECT_EQ(position.Save(), at);
  EXPECT_FALSE(position.Apply(Move{}).has_value());
  EXPECT_EQ(position.history_size(), 0);
}

TEST_F(Undo, a_copy_goes_its_own_way) {
  m.OneAction({m.Goes("go", men, Orthogonal())});
  m.Done();
  Position position(compile::Compile(m.r));
  const Snapshot at = m.At({{man, 0, "a1"}, {man, 1, "c3"}});
  position.Load(at);
  Position copy = position;
  ASSERT_TRUE(copy.Apply(copy.Moves().front()).has_value());
  EXPECT_EQ(position.Save(), at);
  EXPECT_NE(copy.Save(), at);
  EXPECT_EQ(copy.key(), copy.key_from_scratch());
}

}  // namespace
}  // namespace arbiter::engine
