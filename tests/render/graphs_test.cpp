// Walks and turns as Graphviz text.
#include "render/graphs.h"

#include "made.h"

namespace arbiter::render {
namespace {

using rules::Rules;
using rules::StepDirection;
using rules::WalkNode;
using rules::WalkNodeId;
using rules::WalkOp;

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class WalkGraphs : public testing::Test {
 protected:
  Rules rules_ = MakeRules(SquaresBoard(8, 8), {MakeKind("Man", {"M", "m"})});

  WalkNodeId Node(WalkOp op, std::vector<WalkNodeId> children = {}, int min = 0, int max = 0) {
    WalkNode node;
    node.op = op;
    node.children = std::move(children);
    node.min = min;
    node.max = max;
    return rules_.walk_nodes.Add(node);
  }
  WalkNodeId Forward() {
    WalkNode node;
    node.op = WalkOp::kStep;
    node.directions.push_back({StepDirection::Kind::kRelative, -1, board::Relative::kForward, {}});
    return rules_.walk_nodes.Add(node);
  }
  WalkNodeId Labels(const std::vector<int>& labels) {
    WalkNode node;
    node.op = WalkOp::kStep;
    for (const int label : labels) node.directions.push_back({StepDirection::Kind::kLabel, label, {}, {}});
    return rules_.walk_nodes.Add(node);
  }
  std::string Graph(WalkNodeId root, const std::string& name = "w") {
    rules::Walk walk;
    walk.name = name;
    walk.root = root;
    return WalkGraph(rules_, rules_.walks.Add(walk), [](rules::ExprId) { return "here in \"zone\""; });
  }
};

TEST_F(WalkGraphs, a_slide_has_two_states) {
  const auto slide = Node(WalkOp::kThen, {Forward(), Node(WalkOp::kRepeat, {Node(WalkOp::kAhead)}, 0, -1)});
  EXPECT_EQ(Graph(slide, "slide"),
            "digraph walk {\n"
            "  rankdir=LR;\n"
            "  label=\"slide\";\n"
            "  node [shape=circle];\n"
            "  from [shape=point];\n"
            "  from -> s0;\n"
            "  s0 [label=0];\n"
            "  s1 [label=1 shape=doublecircle];\n"
            "  s0 -> s1 [label=\"forward\"];\n"
            "  s1 -> s1 [label=\"ahead\"];\n"
            "}\n");
}

TEST_F(WalkGraphs, a_rebound_and_bounded_repetition) {
  // forward then ahead{1..2} then (deflect then ahead)?
  const auto bounce = Node(WalkOp::kThen, {Node(WalkOp::kDeflect), Node(WalkOp::kAhead)});
  const auto walk = Node(WalkOp::kThen, {Forward(), Node(WalkOp::kRepeat, {Node(WalkOp::kAhead)}, 1, 2),
                                         Node(WalkOp::kRepeat, {bounce}, 0, 1)});
  const std::string text = Graph(walk);
  // forward, ahead (end), ahead (end), deflect, ahead (end)
  EXPECT_TRUE(Contains(text, "s0 -> s1 [label=\"forward\"]")) << text;
  EXPECT_TRUE(Contains(text, "s1 -> s2 [label=\"ahead\"]")) << text;
  EXPECT_TRUE(Contains(text, "s2 [label=2 shape=doublecircle]")) << text;
  EXPECT_TRUE(Contains(text, "[label=\"deflect\"]")) << text;
  EXPECT_FALSE(Contains(text, "s1 [label=1 shape=doublecircle]")) << text;
}

TEST_F(WalkGraphs, sets_of_directions_have_names) {
  EXPECT_TRUE(Contains(Graph(Labels({0, 2, 4, 6})), "\"orthogonal\""));
  EXPECT_TRUE(Contains(Graph(Labels({1, 3, 5, 7})), "\"diagonal\""));
  EXPECT_TRUE(Contains(Graph(Labels({0, 1, 2, 3, 4, 5, 6, 7})), "\"all\""));
  EXPECT_TRUE(Contains(Graph(Labels({0, 1})), "\"n ne\""));
  board::Builder builder = SquaresBoard(8, 8);
  std::vector<int> knight;
  std::vector<int> dabbaba;
  ASSERT_EQ(builder.Leap(1, 2, &knight), "");
  ASSERT_EQ(builder.Leap(0, 2, &dabbaba), "");
  rules_.board = builder.Take();
  EXPECT_TRUE(Contains(Graph(Labels(knight)), "\"leap(1,2)\""));
  EXPECT_TRUE(Contains(Graph(Labels(dabbaba)), "\"leap(0,2)\""));
  knight.pop_back();
  EXPECT_TRUE(Contains(Graph(Labels(knight)), "\"(1,2) (2,1) (2,-1)"));
}

TEST_F(WalkGraphs, guards_turns_and_over_are_labels) {
  WalkNode guard;
  guard.op = WalkOp::kGuard;
  const auto g = rules_.walk_nodes.Add(guard);
  const auto over = Node(WalkOp::kOver, {Node(WalkOp::kAhead)});
  const std::string text =
      Graph(Node(WalkOp::kThen, {Forward(), Node(WalkOp::kTurn, {}, 2), Node(WalkOp::kTurn, {}, 3), g, over}));
  EXPECT_TRUE(Contains(text, "\"turn right\""));
  EXPECT_TRUE(Contains(text, "\"turn 3/8\""));
  EXPECT_TRUE(Contains(text, "\"ahead\\nover \"") || Contains(text, "\"ahead\\nover")) << text;
}

TEST_F(WalkGraphs, huge_repetitions_are_cut) {
  const auto inner = Node(WalkOp::kRepeat, {Node(WalkOp::kAhead)}, 0, 1000000000);
  EXPECT_TRUE(Contains(Graph(inner), "cut: more than 100 places"));
  // Repeating nothing ends as well.
  const auto nothing = Node(WalkOp::kRepeat, {Node(WalkOp::kThen)}, 0, 1000000000);
  EXPECT_FALSE(Contains(Graph(nothing), "cut"));
}

// ---- turns -------------------------------------------------------------------------------------

TEST(TurnGraphs, show_order_choice_and_phases) {
  Rules rules = MakeRules(SquaresBoard(2, 2), {MakeKind("Man", {"M", "m"})});
  rules.action_names = {"kick", "go", "pass"};
  for (int name = 0; name < 3; ++name) {
    rules::Action action;
    action.name = name;
    rules.actions.Add(action);
  }
  // pass goes to the second phase
  rules::Expr phase_one;
  phase_one.op = rules::Op::kConst;
  phase_one.type = {rules::Base::kPhase};
  phase_one.value = 1;
  rules::Effect go_to;
  go_to.op = rules::EffectOp::kGoto;
  go_to.a = rules.exprs.Add(phase_one);
  rules::Step effects;
  effects.op = rules::StepOp::kEffects;
  effects.effects.push_back(go_to);
  rules.actions[rules::ActionId(2)].steps.push_back(effects);

  using Kind = rules::Offer::Kind;
  const auto offer = [&](Kind kind, std::vector<rules::OfferId> parts, std::vector<int> actions = {}, int next = -1) {
    rules::Offer made;
    made.kind = kind;
    made.parts = std::move(parts);
    for (const int action : actions) made.actions.emplace_back(action);
    made.next = rules::TurnStateId(next);
    return rules.offers.Add(made);
  };
  rules.turn_states.Add({offer(Kind::kAccept, {}), false, "done"});  // state 1
  const auto kick = offer(Kind::kPlay, {}, {0}, 1);
  const auto move = offer(Kind::kPlay, {}, {1, 2, 1}, 1);
  rules.turn_states[rules::TurnStateId(0)].offer = offer(Kind::kElse, {kick, move});
  rules.phases[0].name = "first";
  rules::Phase second;
  second.name = "second";
  second.turn = rules.turn_states.Add({offer(Kind::kIf, {kick, move}), false, ""});
  rules.phases.push_back(second);

  const std::string text = TurnGraph(rules);
  for (const char* part : {
           "label=\"phase first\";",
           "p0_s0 [label=\"first\"];",
           "p0_s0 -> p0_h0;",
           "p0_h0 [label=\"else\" shape=box",
           "p0_h0 -> p0_s1 [label=\"1. kick\"];",
           "p0_h0 -> p0_s1 [label=\"2. go, pass\"];",
           "p0_s1 [label=\"done\"];",
           "p0_s1 -> p0_end;",
           "p1_s2 -> p1_h1;",
           "p1_h1 -> p1_s1 [label=\"yes: kick\"];",
           "p1_h1 -> p1_s1 [label=\"no: go, pass\"];",
           "p0_end -> p1_s2 [style=dashed label=\"pass\"];",
           "p1_end -> p1_s2 [style=dashed label=\"pass\"];",
       }) {
    EXPECT_TRUE(Contains(text, part)) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace arbiter::render
