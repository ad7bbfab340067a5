// Actions, events, laws, ends and turns by the reference evaluator, on games made by hand.
#include <gtest/gtest.h>

#include "oracle/oracle.h"
#include "rules/notation.h"
#include "support/rules_maker.h"

namespace arbiter::oracle {
namespace {

using namespace testing_support;  // NOLINT

class Games : public ::testing::Test {
 protected:
  Maker m{4, 4};
  int man = m.Kind("Man", "M");
  int boss = m.Kind("Boss", "B");
  int ball = m.Kind("Ball", "o", true);
  KindSet men = 1, bosses = 2;
  std::optional<Fault> fault;

  std::string List(const Snapshot& at) {
    std::string text;
    for (const auto& t : MoveTexts(m.r, Oracle(m.r).Moves(at, &fault))) text += (text.empty() ? "" : " ") + t;
    return text;
  }
  Oracle::Applied Play(const Snapshot& at, const std::string& text) {
    const Oracle oracle(m.r);
    const auto moves = oracle.Moves(at);
    const Typed typed = FindMove(m.r, moves, text);
    EXPECT_GE(typed.index, 0) << text;
    if (typed.index < 0) return {};
    auto applied = oracle.Apply(at, moves[static_cast<std::size_t>(typed.index)]);
    EXPECT_TRUE(applied.has_value());
    return applied.value_or(Oracle::Applied{});
  }
  static Value CellOf(const Snapshot& s, int kind) {
    for (const PieceRecord& p : s.pieces) {
      if (p.kind == kind) return p.cell;
    }
    return -2;
  }
  WalkId North() { return m.Walk(m.Step({"n"})); }
  WalkId Orthogonal() { return m.Walk(m.Step({"n", "e", "s", "w"})); }
  ExprId In(ExprId value, const std::vector<std::string>& cells) { return m.B(Op::kIn, {value, m.Cells(cells)}); }
};

TEST_F(Games, a_kick_lifts_moves_and_puts_top_to_bottom) {
  // The kicker steps onto the ball, which then flies along the file; it may land where the kicker stood.
  Filter onto_ball;
  onto_ball.pieces.push_back({Side::kAny, KindSet{4}});
  const ExprId hit = m.Local(0, Base::kCell), land = m.Local(1, Base::kCell), lifted = m.Local(2, Base::kPiece);
  rules::Step remember = Maker::S(StepOp::kLet, m.On(hit));
  remember.slot = 2;
  const ActionId kick = m.Act(
      "kick", men,
      {m.Choose(0, Orthogonal(), m.SelfCell(), onto_ball), remember,
       Maker::Do({Maker::F(EffectOp::kLift, lifted), Maker::F(EffectOp::kMove, m.Self(), hit)}),
       m.Choose(1, m.Slide({"n", "s"}), hit, Maker::Empty()), Maker::Do({Maker::F(EffectOp::kPut, lifted, land)})});
  m.OneAction({kick});
  m.Done();
  const Snapshot at = m.At({{man, 0, "b2"}, {ball, kNone, "b3"}});
  EXPECT_EQ(List(at), "b2-b3-b1 b2-b3-b2 b2-b3-b4");
  const auto played = Play(at, "b2-b3-b2");
  EXPECT_EQ(CellOf(played.next, ball), m.r.board.Find("b2"));
  EXPECT_EQ(CellOf(played.next, man), m.r.board.Find("b3"));
  EXPECT_TRUE(played.turn_complete);
  EXPECT_EQ(played.next.mover, 1);
}

TEST_F(Games, an_action_that_leaves_a_piece_lifted_does_not_exist) {
  m.OneAction({m.Act("lose_it", men, {Maker::Do({Maker::F(EffectOp::kLift, m.Self())})}), m.Goes("go", men, North())});
  m.Done();
  EXPECT_EQ(List(m.At({{man, 0, "a1"}})), "a1-a2");
}

TEST_F(Games, moving_onto_a_piece_does_not_exist_and_out_of_range_is_a_fault) {
  const VarId n = m.State("n", Maker::Int(0, 2), 2);
  const ActionId clash = m.Act("clash", men, {Maker::Do({Maker::F(EffectOp::kMove, m.Self(), m.CellAt("d4"))})});
  const ActionId count =
      m.Act("count", 0, {Maker::Do({Maker::SetVar(n, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(n), m.Number(1)}))})});
  m.OneAction({clash, count});
  m.Done();
  EXPECT_EQ(List(m.At({{man, 0, "a1"}, {ball, kNone, "d4"}})), "");
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, "rule-out-of-range");
}

TEST_F(Games, a_clock_stops_at_its_bound) {
  const VarId n = m.State("n", Maker::Int(0, 2), 2, Variable::Life::kClock);
  m.OneAction(
      {m.Act("count", 0, {Maker::Do({Maker::SetVar(n, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(n), m.Number(1)}))})})});
  m.Done();
  const Snapshot at = m.At({});
  EXPECT_EQ(Play(at, "count").next.state[0], 2);
  EXPECT_FALSE(fault.has_value());
}

TEST_F(Games, capture_promotion_and_events_speak_of_the_piece_before) {
  Promotion p;
  p.kinds = {boss};
  p.zone = m.Cells({"a4", "b4", "c4", "d4"});
  m.r.kinds[static_cast<std::size_t>(man)].promotions.push_back(p);
  const VarId men_moved = m.State("men_moved", Maker::Int(0, 9), 0);
  const VarId captured = m.State("captured", Maker::Int(0, 9), 0);
  const VarId bosses_moved = m.State("bosses_moved", Maker::Int(0, 9), 0);
  const auto plus_one = [&](VarId v) {
    return Maker::SetVar(v, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(v), m.Number(1)}));
  };
  m.When(EventOp::kMoves, {plus_one(men_moved)}).event.kinds = men;
  m.When(EventOp::kMoves, {plus_one(bosses_moved)}).event.kinds = bosses;
  m.When(EventOp::kIsCaptured, {plus_one(captured)});
  m.OneAction({m.Goes("go", men, North())});
  m.Done();
  const Snapshot at = m.At({{man, 0, "a3"}, {man, 1, "a4"}});
  EXPECT_EQ(List(at), "a3-a4=B");
  const auto played = Play(at, "a3-a4=B");
  EXPECT_EQ(played.next.pieces.size(), 1U);
  EXPECT_EQ(played.next.pieces[0].kind, boss);
  EXPECT_EQ(played.next.state, (std::vector<Value>{1, 1, 0}));
}

TEST_F(Games, handlers_below_see_the_movements_of_handlers_above_once) {
  const VarId lands = m.State("lands", Maker::Int(0, 9), 0);
  const ExprId it = m.Local(kSlotIt, Base::kPiece);
  m.When(EventOp::kLands, {Maker::SetVar(lands, m.Number(9))}).event.zone = m.Cells({"d4"});  // above: too early
  Handler& push = m.When(EventOp::kLands, {Maker::F(EffectOp::kMove, it, m.CellAt("d4"))});
  push.event.zone = m.Cells({"a2"});
  m.When(EventOp::kLands, {Maker::SetVar(lands, m.E(Op::kAdd, Maker::Int(0, 9), {m.Read(lands), m.Number(1)}))})
      .event.zone = m.Cells({"a2", "d4"});
  m.OneAction({m.Goes("go", men, North())});
  m.Done();
  const auto played = Play(m.At({{man, 0, "a1"}}), "a1-a2");
  EXPECT_EQ(CellOf(played.next, man), m.r.board.Find("d4"));
  EXPECT_EQ(played.next.state[0], 2);
}

TEST_F(Games, laws_forbid_attacked_bosses_and_ignore_pins_of_the_attacker) {
  const WalkId slide = m.Slide({"n", "e", "s", "w"});
  Attack a;
  a.kinds = men;
  a.walk = slide;
  m.r.attacks.push_back(a);
  Expr mine;
  mine.op = Op::kPieces;
  mine.type = Maker::T(Base::kPiece, true);
  mine.side = Side::kMine;
  mine.kinds = bosses;
  const ExprId set = m.r.exprs.Add(mine);
  Law law;
  law.condition =
      m.E(Op::kSome, Maker::T(Base::kBool), {set, m.B(Op::kAttacked, {m.Local(0, Base::kPiece)})}, kNone, 0);
  m.r.laws.push_back(law);
  m.OneAction({m.Goes("go", men | bosses, Orthogonal())});
  m.Done();
  // The white man is pinned on file a; the boss may not step onto the attacked rank 3.
  EXPECT_EQ(List(m.At({{boss, 0, "a2"}, {man, 0, "a3"}, {man, 1, "a4"}, {man, 1, "d3"}, {boss, 1, "d4"}})),
            "a2-a1 a2-b2 a3-a4");
}

TEST_F(Games, only_complete_turns_exist) {
  // turn = go then jump; jump needs an empty cell two ahead of a man that has gone.
  const ActionId go = m.Act("go", men,
                            {m.Choose(0, North(), m.SelfCell(), Maker::Empty()),
                             Maker::Do({Maker::F(EffectOp::kMove, m.Self(), m.Local(0, Base::kCell))})});
  const WalkId two = m.Walk(m.Leap(0, 2));
  const ActionId jump = m.Act("jump", men,
                              {m.Choose(0, two, m.SelfCell(), Maker::Empty()),
                               Maker::S(StepOp::kRequire, In(m.Local(0, Base::kCell), {"a4", "d4"})),
                               Maker::Do({Maker::F(EffectOp::kMove, m.Self(), m.Local(0, Base::kCell))})});
  const TurnStateId end = m.Place(m.Accept());
  const TurnStateId middle = m.Place(m.Play({jump}, end));
  m.PhaseWith(m.Place(m.Play({go}, middle)));
  m.Done();
  const Snapshot at = m.At({{man, 0, "a1"}, {man, 0, "b1"}});
  EXPECT_EQ(List(at), "a1-a2");
  const auto played = Play(at, "a1-a2");
  EXPECT_FALSE(played.turn_complete);
  EXPECT_EQ(played.next.mover, 0);
  EXPECT_EQ(played.next.last_self, m.r.board.Find("a2"));
  EXPECT_EQ(List(played.next), "a2-a4");
  EXPECT_TRUE(Play(played.next, "a2-a4").turn_complete);
  EXPECT_EQ(Oracle(m.r).Perft(at, 1), 1U);
  EXPECT_EQ(Oracle(m.r).Perft(at, 2, true), 1U);
}

TEST_F(Games, else_is_offered_only_if_nothing_before_it_can_be_completed) {
  const ActionId go = m.Goes("go", men, North()), pass = m.Act("pass", 0, {});
  const TurnStateId end = m.Place(m.Accept());
  m.PhaseWith(m.Place(m.Offers(Offer::Kind::kElse, {m.Play({go}, end), m.Play({pass}, end)})));
  m.Done();
  EXPECT_EQ(List(m.At({{man, 0, "a1"}})), "a1-a2");
  EXPECT_EQ(List(m.At({{man, 0, "a4"}})), "pass");
}

TEST_F(Games, done_is_offered_where_the_turn_may_go_on_and_not_counted_as_an_action) {
  // turn = go then go?, the second by the same man
  const ActionId go = m.Goes("go", men, North());
  const TurnStateId end = m.Place(m.Accept());
  const TurnStateId middle = m.Place(m.Offers(Offer::Kind::kOr, {m.Accept(), m.Play({go}, end, true)}));
  m.PhaseWith(m.Place(m.Play({go}, middle)));
  m.Done();
  const Snapshot at = m.At({{man, 0, "a1"}, {man, 0, "b3"}, {man, 1, "d1"}});
  EXPECT_EQ(List(at), "a1-a2 b3-b4");
  EXPECT_TRUE(Play(at, "b3-b4").turn_complete);  // it cannot go on
  const auto first = Play(at, "a1-a2");
  EXPECT_FALSE(first.turn_complete);
  EXPECT_EQ(List(first.next), "done a2-a3");
  EXPECT_TRUE(Play(first.next, "done").turn_complete);
  EXPECT_EQ(Oracle(m.r).Perft(at, 1), 3U);        // a1-a2 done, a1-a2 a2-a3, b3-b4
  EXPECT_EQ(Oracle(m.r).Perft(at, 1, true), 2U);  // a1-a2, b3-b4
}

TEST_F(Games, longest_keeps_the_longest_chains) {
  const ActionId go = m.Act("go", men,
                            {m.Choose(0, North(), m.SelfCell(), Maker::Empty()),
                             Maker::Do({Maker::F(EffectOp::kMove, m.Self(), m.Local(0, Base::kCell))})});
  // longest go{1..3} by same
  const TurnStateId t3 = m.Place(m.Accept(), true);
  const auto rest = [&](TurnStateId next) {
    return m.Offers(Offer::Kind::kLongest, {m.Offers(Offer::Kind::kOr, {m.Accept(), m.Play({go}, next, true)})});
  };
  const TurnStateId t2 = m.Place(rest(t3), true);
  const TurnStateId t1 = m.Place(rest(t2), true);
  m.PhaseWith(m.Place(m.Offers(Offer::Kind::kLongest, {m.Play({go}, t1)})));
  m.Done();
  const Snapshot at = m.At({{man, 0, "a2"}, {man, 0, "b1"}, {man, 0, "c3"}});
  EXPECT_EQ(List(at), "b1-b2");
  const auto one = Play(at, "b1-b2");
  EXPECT_EQ(List(one.next), "b2-b3");  // no `done` while it can go on
  EXPECT_TRUE(Play(Play(one.next, "b2-b3").next, "b3-b4").turn_complete);
}

TEST_F(Games, endless_turns_run_out_of_budget) {
  m.r.lookahead_budget = 50;
  const ActionId spin = m.Act("spin", 0, {});
  const TurnStateId loop = m.r.turn_states.Add({});
  m.r.turn_states[loop].offer = m.Play({spin}, loop);
  m.PhaseWith(m.Place(m.Play({spin}, loop)));
  m.Done();
  EXPECT_EQ(List(m.At({})), "");
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, "turn-lookahead");
}

TEST_F(Games, ends_are_tried_in_file_order_and_no_legal_turn_runs_its_block) {
  End win;
  win.kind = End::Kind::kWin;
  win.player = m.Const(Base::kPlayer, 1);
  win.condition = m.B(Op::kNot, {m.B(Op::kExists, {m.On(m.CellAt("a4"))})});
  End none;
  none.kind = End::Kind::kNoLegalTurn;
  none.block = {Maker::F(EffectOp::kDraw)};
  m.r.ends = {none, win};
  End repetition;
  repetition.kind = End::Kind::kRepetition;
  repetition.number = 3;
  m.r.ends.push_back(repetition);
  m.OneAction({m.Goes("go", men, North())});
  m.Done();
  const Oracle oracle(m.r);
  const auto status = [&](const Snapshot& s, int occurrences) { return oracle.Status(s, occurrences, 0); };
  EXPECT_EQ(status(m.At({{man, 0, "a4"}}), 0).kind, Outcome::Kind::kDraw);  // stuck
  EXPECT_EQ(status(m.At({{man, 0, "b1"}}), 0).winner, 1);
  EXPECT_EQ(List(m.At({{man, 0, "b1"}})), "");  // the game is over
  const Snapshot on = m.At({{man, 0, "a4"}, {man, 0, "b1"}});
  EXPECT_EQ(status(on, 2).kind, Outcome::Kind::kNone);
  EXPECT_EQ(status(on, 3).end, 2);
  EXPECT_EQ(status(on, 0).kind, Outcome::Kind::kNone);
}

TEST_F(Games, an_end_that_names_two_winners_is_a_fault) {
  End win;
  win.kind = End::Kind::kWin;
  win.player = m.Local(0, Base::kPlayer);
  win.free.push_back({0, Maker::T(Base::kPlayer), {0, 1}});
  m.r.ends = {win};
  m.OneAction({m.Act("pass", 0, {})});
  m.Done();
  EXPECT_EQ(Oracle(m.r).Status(m.At({}), 0, 0, &fault).kind, Outcome::Kind::kNone);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, "end-ambiguous");
}

TEST_F(Games, equal_choices_with_different_results_are_a_fault_and_with_equal_results_one_move) {
  const ActionId go = m.Goes("go", men, North());
  const ActionId same = m.Goes("go", men, North());
  m.r.actions[same].name = m.r.actions[go].name;
  const VarId n = m.State("n", Maker::Int(0, 2), 0);
  ActionId other = m.Goes("go", men, North());
  m.r.actions[other].name = m.r.actions[go].name;
  m.OneAction({go, same});
  const Snapshot at = [&] {
    m.Done();
    return m.At({{man, 0, "a1"}});
  }();
  EXPECT_EQ(List(at), "a1-a2");
  EXPECT_FALSE(fault.has_value());
  m.r.actions[other].steps.push_back(Maker::Do({Maker::SetVar(n, m.Number(1))}));
  m.r.offers[m.r.turn_states[m.r.phases[0].turn].offer].actions.push_back(other);
  EXPECT_EQ(List(at), "a1-a2");
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, "move-ambiguous");
}

TEST_F(Games, brief_variables_last_to_the_end_of_the_next_turn) {
  const VarId b = m.State("b", Maker::Int(0, 2), 0, Variable::Life::kBrief);
  m.OneAction({m.Act("mark", 0, {Maker::Do({Maker::SetVar(b, m.Number(2))})}), m.Act("wait", 0, {})});
  m.Done();
  const Snapshot at = m.At({});
  const auto marked = Play(at, "mark");
  EXPECT_EQ(marked.next.state[0], 2);
  EXPECT_EQ(marked.next.brief_set, std::vector<bool>{false});
  const auto waited = Play(marked.next, "wait");
  EXPECT_EQ(waited.next.state[0], 0);
  EXPECT_EQ(Play(marked.next, "mark").next.state[0], 2);
}

TEST_F(Games, keys_leave_clocks_out_and_take_the_place_of_a_piece_in_a_place_as_one) {
  const VarId clock = m.State("clock", Maker::Int(0, 9), 0, Variable::Life::kClock);
  m.State("flag", Maker::Int(0, 9), 0);
  int first = -1;
  ASSERT_EQ(m.builder.Place("out", 3, &first), "");
  Zone out;
  out.name = "out";
  out.is_place = true;
  CellSet slots;
  for (int i = 0; i < 3; ++i) slots.set(static_cast<std::size_t>(first + i));
  out.cells = {slots};
  m.r.zones.Add(out);
  m.OneAction({m.Act("pass", 0, {})});
  m.Done();
  const Oracle oracle(m.r);
  Snapshot a = m.At({{man, 0, "a1"}});
  Snapshot b = a;
  b.state[static_cast<std::size_t>(m.r.vars[clock].offset)] = 5;
  EXPECT_EQ(oracle.Key(a), oracle.Key(b));
  b.state[1] = 1;
  EXPECT_NE(oracle.Key(a), oracle.Key(b));
  Snapshot c = m.At({{man, 0, "out[2]"}, {boss, 0, "out[3]"}}), d = m.At({{boss, 0, "out[1]"}, {man, 0, "out[2]"}});
  EXPECT_EQ(c, d);
  EXPECT_EQ(oracle.Key(c), oracle.Key(d));
}

TEST_F(Games, equal_pieces_in_one_place_are_one_choice) {
  int first = -1;
  ASSERT_EQ(m.builder.Place("out", 3, &first), "");
  Zone out;
  out.name = "out";
  out.is_place = true;
  CellSet slots;
  for (int i = 0; i < 3; ++i) slots.set(static_cast<std::size_t>(first + i));
  out.cells = {slots};
  m.r.zones.Add(out);
  Expr mine;
  mine.op = Op::kPieces;
  mine.type = Maker::T(Base::kPiece, true);
  mine.side = Side::kMine;
  rules::Step choose = Maker::S(StepOp::kChooseIn, m.r.exprs.Add(mine));
  choose.slot = 0;
  m.OneAction(
      {m.Act("back", 0, {choose, Maker::Do({Maker::F(EffectOp::kMove, m.Local(0, Base::kPiece), m.CellAt("a1"))})})});
  m.Done();
  EXPECT_EQ(List(m.At({{man, 0, "out[1]"}, {man, 0, "out[2]"}, {boss, 0, "out[3]"}})), "out[1] out[3]");
}

}  // namespace
}  // namespace arbiter::oracle
