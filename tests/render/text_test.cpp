// Text boards: shapes, scripts, marks, and the lines below.
#include "render/text.h"

#include "made.h"

namespace arbiter::render {
namespace {

using rules::Base;
using rules::Rules;
using rules::Snapshot;
using rules::Type;

std::vector<rules::Kind> Men() {
  return {MakeKind("Rook", {"R", "r"}), MakeKind("Bishop", {"B", "b"}), MakeKind("Ball", {"o"}, true)};
}

std::string Board(const Rules& rules, const Snapshot& at, const std::vector<std::string>& marked = {}) {
  TextOptions options;
  options.state = false;
  for (const std::string& cell : marked) options.marked.set(static_cast<std::size_t>(rules.board.Find(cell)));
  return BoardText(rules, at, options);
}

TEST(TextBoard, squares_with_a_hole) {
  const Rules rules = MakeRules(SquaresBoard(3, 3, {"b2"}), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"a1=R", "c2=o", "b3=b"})),
            "3  . b .\n"
            "2  . # o\n"
            "1  R . .\n"
            "   a b c\n");
}

TEST(TextBoard, marked_cells_stand_in_brackets) {
  const Rules rules = MakeRules(SquaresBoard(3, 1), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"a1=R"}), {"a1", "c1"}),
            "1 [R].[.]\n"
            "   a b c\n");
}

TEST(TextBoard, more_than_nine_ranks_and_twenty_six_files) {
  const Rules rules = MakeRules(SquaresBoard(28, 1), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"aa1=R"})),
            "1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  R  .\n"
            "   a  b  c  d  e  f  g  h  i  j  k  l  m  n  o  p  q  r  s  t  u  v  w  x  y  z  aa ab\n");
  const Rules tall = MakeRules(SquaresBoard(1, 10), Men());
  EXPECT_EQ(Board(tall, MakePosition(tall, {"a10=r"})).substr(0, 12), "10  r\n 9  .\n");
}

TEST(TextBoard, letters_of_any_script_line_up) {
  const Rules rules = MakeRules(SquaresBoard(3, 2), {MakeKind("王", {"王", "玉"}), MakeKind("Конь", {"К", "к"})});
  EXPECT_EQ(Board(rules, MakePosition(rules, {"a1=王", "b1=К", "b2=玉", "c2=к"})),
            "2  .  玉 к\n"
            "1  王 К  .\n"
            "   a  b  c\n");
  EXPECT_EQ(DisplayWidth("王К."), 4);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1);
  EXPECT_EQ(DisplayWidth("\xff"), 1);  // broken text is a replacement character
}

TEST(TextBoard, hexagon) {
  board::Builder builder;
  ASSERT_EQ(builder.Hexes("hexagon", {2}), "");
  const Rules rules = MakeRules(std::move(builder), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"a1=R", "b2=o", "c3=b"})),
            "  3 .\n"
            "2 .   b\n"
            "    o\n"
            "1 R   .\n"
            "    .\n"
            "  a   c\n"
            "    b\n");
}

TEST(TextBoard, hexes_in_a_rectangle) {
  board::Builder builder;
  ASSERT_EQ(builder.Hexes("rectangle", {4, 2}), "");
  const Rules rules = MakeRules(std::move(builder), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"a1=R", "b1=r"})),
            "    .   .\n"
            "2 .   .\n"
            "    r   .\n"
            "1 R   .\n"
            "    b   d\n"
            "  a   c\n");
}

TEST(TextBoard, free_graphs_are_lists) {
  board::Builder builder;
  for (const char* name : {"hall", "山"}) ASSERT_EQ(builder.Cell(name), "");
  ASSERT_EQ(builder.Cell("roof"), "");
  ASSERT_EQ(builder.Link(0, "up", 2), "");
  const Rules rules = MakeRules(std::move(builder), Men());
  EXPECT_EQ(Board(rules, MakePosition(rules, {"hall=r", "roof=o"}), {"hall"}),
            "hall [r]  Rook of Black\n"
            "山    .\n"
            "roof  o  Ball\n");
}

TEST(StateText, names_what_differs_from_the_beginning) {
  board::Builder builder = SquaresBoard(2, 2);
  int first = -1;
  ASSERT_EQ(builder.Place("out[White]", 3, &first), "");
  ASSERT_EQ(builder.Place("out[Black]", 1, &first), "");
  Rules rules = MakeRules(std::move(builder), Men());
  rules.phases[0].name = "serve";
  rules.phases.push_back(rules.phases[0]);
  rules.phases[1].name = "rally";
  rules.enums.push_back({"side", {"left", "right"}});
  rules::Variable castle;
  castle.name = "may_castle";
  castle.type = Type{Base::kBool};
  castle.index = {{0, 1}, {0, 1}};
  castle.index_types = {Type{Base::kPlayer}, Type{Base::kEnum, false, false, 0}};
  castle.count = 4;
  castle.initial = {1, 1, 1, 1};
  rules.vars.Add(castle);
  rules::Variable ep;
  ep.name = "ep";
  ep.type = Type{Base::kCell, false, true};
  ep.offset = 4;
  ep.initial = {rules::kNone};
  rules.vars.Add(ep);
  rules.state_size = 5;
  rules::Variable used;
  used.name = "used";
  used.type = Type{Base::kBool};
  used.initial = {0};
  rules.piece_vars.Add(used);
  rules.piece_state_size = 1;
  Snapshot at = MakePosition(rules, {"a1=R", "b2=b", "out[White][1]=R", "out[White][2]=B", "-=o"});
  EXPECT_EQ(StateText(rules, at),
            "White to move, phase serve\n"
            "out[White]: R B\n"
            "out[Black]: empty\n"
            "off the board: o\n");
  at.mover = 1;
  at.phase = 1;
  at.state[2] = 0;  // may_castle[Black, left]
  at.state[4] = rules.board.Find("b1");
  at.pieces[0].state[0] = 1;
  at.pieces[4].state[0] = 1;
  rules::TurnState inside;
  inside.name = "after the first";
  at.place = rules.turn_states.Add(inside);
  EXPECT_EQ(StateText(rules, at),
            "Black to move, phase rally, in the turn: after the first\n"
            "out[White]: R B\n"
            "out[Black]: empty\n"
            "off the board: o\n"
            "may_castle[Black,left] = false\n"
            "ep = b1\n"
            "a1.used = true\n"
            "o off the board.used = true\n");
}

TEST(OutcomeText, says_who_won) {
  const Rules rules = MakeRules(SquaresBoard(1, 1), Men());
  rules::Outcome outcome;
  EXPECT_EQ(OutcomeText(rules, outcome), "");
  outcome.kind = rules::Outcome::Kind::kWin;
  outcome.winner = 1;
  EXPECT_EQ(OutcomeText(rules, outcome), "Black wins");
  outcome.kind = rules::Outcome::Kind::kDraw;
  EXPECT_EQ(OutcomeText(rules, outcome), "draw");
  outcome.kind = rules::Outcome::Kind::kPoints;
  outcome.points = {3, 0};
  EXPECT_EQ(OutcomeText(rules, outcome), "White 3, Black 0");
}

}  // namespace
}  // namespace arbiter::render
