// What a rule file tells about positions: `show` lines as text, in every place where they are told.
#include "session/shown.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "render/svg.h"
#include "render/text.h"
#include "session/record.h"
#include "session/save.h"

namespace arbiter::session {
namespace {

// Men walk; who steps into the other's hole scores. Small, so that every text can be worked out by hand.
const std::string kHoles = R"(
game "Holes"
option halves : 1..2 = 1
players White facing n, Black facing s
board {
  squares 3 x 4
  zone hole[White] = b1   zone hole[Black] = b4
  zone middle = ranks 2..3
  place out[player] 1
}
neutral piece Ball "o" { may be off board }
piece Man "M" { move n  move s  move e  may be off board }
state {
  goals[player] : 0..9 = 0
  half : 1..2 = 1
  clock made[player] : 0..99 = 0
  mood : { calm, wild } = calm
  seen : cell? = none
}
when Man of p enters hole[opponent of p] { goals[p] += 1 }
when turn ends { made[me] += 1   half = 2 }
when Man moves to middle { mood = wild   seen = to }
limit turns 30
setup to move White """
  4  m . .
  3  . . o
  2  . . .
  1  . . M
"""
)";

Game Holes(const std::string& lines, const Options& options = {}) {
  Checked checked = CheckText("holes.rules", kHoles + lines, options);
  EXPECT_TRUE(checked.game.has_value()) << checked.report.Text();
  return *checked.game;
}

using Lines = std::vector<std::pair<std::string, std::string>>;

Position After(const Game& game, const std::vector<std::string>& moves) {
  Position at = game.Start();
  for (const std::string& typed : moves) {
    Result<Move> move = at.FindMove(typed);
    EXPECT_TRUE(move) << move.error;
    at = at.Apply(*move)->next;
  }
  return at;
}

std::string TextOf(const std::string& parts, const std::vector<std::string>& moves = {}) {
  Lines shown = After(Holes("show it = " + parts + "\n"), moves).Shown();
  return shown.size() == 1 && shown[0].first == "it" ? shown[0].second : "not one line";
}

TEST(Shown, parts_of_every_type) {
  EXPECT_EQ(TextOf("goals[White], \":\", goals[Black]"), "0:0");
  EXPECT_EQ(TextOf("\"after \", made[White] + made[Black], \" turns\"", {"c1-c2", "a4-a3"}), "after 2 turns");
  EXPECT_EQ(TextOf("made[White] + made[Black] - 5"), "-5");
  EXPECT_EQ(TextOf("me, \" \", opponent of me, \" \", Man, \" \", mood, \" \", c2, \" \", n, \" \", 1 == 1"),
            "White Black Man calm c2 n true");
  EXPECT_EQ(TextOf("seen, mood", {"c1-c2"}), "c2wild");
  EXPECT_EQ(TextOf("seen"), "none");
  EXPECT_EQ(TextOf("Man of White, \" \", Man of me, \" \", pieces", {"c1-c2"}), "Mc2 ma4 Mc2 oc3 ma4");
  EXPECT_EQ(TextOf("{ c in hole[White] + hole[Black] : c is empty }"), "b1 b4");
  EXPECT_EQ(TextOf("{ c in hole[White] : c is not empty }, \".\""), "-.");
  EXPECT_EQ(TextOf("if me == White then \"up\" else \"down\""), "up");
  EXPECT_EQ(TextOf("if me == White then \"up\" else \"down\"", {"c1-c2"}), "down");
  EXPECT_EQ(TextOf("count m in enemy pieces : m in rank 4"), "1");
}

TEST(Shown, a_piece_that_is_off_the_board_has_no_cell) {
  Game game = Holes("show men = Man of White, \" \", Man of Black\n");
  Result<Position> at = game.Read("3/2o/3/2M w off.board=m");
  ASSERT_TRUE(at) << at.error;
  EXPECT_EQ(at->Shown(), (Lines{{"men", "Mc1 m"}}));
}

TEST(Shown, a_label_shows_blanks_and_a_condition_hides_its_line) {
  const std::string lines =
      "show half = half if halves > 1\n"
      "show goals_left = 3 - goals[me] if some m in own pieces : m in rank 1\n"
      "show move = made[me] + 1\n";
  EXPECT_EQ(Holes(lines).Start().Shown(), (Lines{{"goals left", "3"}, {"move", "1"}}));
  Game two = Holes(lines, {{"halves", "2"}});
  EXPECT_EQ(two.Start().Shown(), (Lines{{"half", "1"}, {"goals left", "3"}, {"move", "1"}}));
  EXPECT_EQ(After(two, {"c1-c2", "a4-a3"}).Shown(), (Lines{{"half", "2"}, {"move", "2"}}));
  EXPECT_EQ(two.shows(), (std::vector<std::string>{"half", "goals left", "move"}));
  EXPECT_EQ(Holes(lines).shows().size(), 2U) << "folded by the option";
}

TEST(Shown, long_texts_are_cut) {
  std::string letters;
  for (int i = 0; i < 399; ++i) letters += "ä";
  EXPECT_EQ(TextOf("\"" + letters + "\", 1"), letters + "1");
  EXPECT_EQ(TextOf("\"" + letters + "\", 12"), letters + "1…");
  EXPECT_EQ(TextOf("\"" + letters + "\", \"" + letters + "\", \"" + letters + "\", me"), letters + "ä…");
}

TEST(Shown, both_evaluators_tell_the_same) {
  Game game = Holes("show score = goals[White], \":\", goals[Black]\nshow men = own pieces\n");
  Position oracle = game.Start(Evaluator::kOracle);
  EXPECT_EQ(oracle.Shown(), game.Start().Shown());
  EXPECT_EQ(oracle.Shown()[1].second, "Mc1");
}

// ---- where it is told -------------------------------------------------------------------------------

TEST(Shown, rows_stand_beside_each_other_if_they_fit) {
  EXPECT_EQ(ShownRows({{"score", "1:0"}, {"half", "1"}, {"over", ""}}), "score 1:0   half 1   over\n");
  EXPECT_EQ(ShownRows({}, "// "), "");
  const std::string wide(87, 'x');
  EXPECT_EQ(ShownRows({{"a", wide}, {"b", "1234"}}, "//"), "//a " + wide + "   b 1234\n");
  EXPECT_EQ(ShownRows({{"a", wide}, {"b", "12345"}}, "//"), "//a " + wide + "\n//b 12345\n");
}

TEST(Shown, stands_below_the_board_in_the_place_of_state) {
  const std::string quiet = render::BoardText(After(Holes(""), {"c1-c2"}));
  EXPECT_NE(quiet.find("made[White] = 1"), std::string::npos) << quiet;
  Game game = Holes("show score = goals[White], \":\", goals[Black]\nshow played = made[White]\nshow mood = mood\n");
  const std::string text = render::BoardText(After(game, {"c1-c2"}));
  EXPECT_NE(text.find("Black to move\nscore 0:0   played 1   mood wild\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("made["), std::string::npos) << "all that differs of `made` is told";
  EXPECT_EQ(text.find("mood ="), std::string::npos);
  EXPECT_NE(text.find("half = 2"), std::string::npos) << "no line tells it";
  const std::string later = render::BoardText(After(game, {"c1-c2", "a4-a3"}));
  EXPECT_EQ(later.find("made["), std::string::npos) << "made[Black] is told by no line, but only such lines read it";
}

TEST(Shown, state_that_rules_read_is_listed_unless_all_that_differs_is_told) {
  Game game = Holes("show score = goals[White]\nwin p when goals[p] == 9\n");
  const std::string both = "m2/2o/3/2M w goals[White]=1 goals[Black]=2";
  EXPECT_NE(render::BoardText(*game.Read(both)).find("goals[White] = 1\ngoals[Black] = 2\n"), std::string::npos);
  EXPECT_EQ(render::BoardText(*game.Read("m2/2o/3/2M w goals[White]=1")).find("goals["), std::string::npos);
}

TEST(Shown, state_of_pieces_that_a_line_reads_is_not_listed) {
  const std::string states =
      "piece state { used : bool = false   rest : 0..3 = 0 }\nforbid action by m when m.used and m.rest > 0\n";
  const std::string at = "m2/2o/3/2M w c1.used=true a4.used=true c1.rest=2";
  const std::string plain = render::BoardText(*Holes(states).Read(at));
  EXPECT_NE(plain.find("a4.used = true\n"), std::string::npos) << plain;
  const std::string all = render::BoardText(*Holes(states + "show used = { m in pieces : m.used }\n").Read(at));
  EXPECT_EQ(all.find(".used ="), std::string::npos) << all;
  EXPECT_NE(all.find("c1.rest = 2\n"), std::string::npos) << "no line tells it";
  const std::string mine = render::BoardText(*Holes(states + "show used = { m in own pieces : m.used }\n").Read(at));
  EXPECT_EQ(mine.find("c1.used ="), std::string::npos) << mine;
  EXPECT_NE(mine.find("a4.used = true\n"), std::string::npos) << "the line is about White's men";
}

TEST(Shown, state_that_only_a_condition_reads_is_not_told) {
  const std::string text = render::BoardText(After(Holes("show goals = goals[White] if half == 2\n"), {"c1-c2"}));
  EXPECT_NE(text.find("\ngoals 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("half = 2"), std::string::npos) << text;
}

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Shown, stands_beside_the_picture) {
  Game game = Holes("show score = goals[White], \" < & > \", goals[Black]\nshow played = made[White]\n");
  const std::string svg = render::BoardSvg(After(game, {"c1-c2"}));
  EXPECT_NE(svg.find(">score 0 &lt; &amp; &gt; 0</text>"), std::string::npos);
  EXPECT_NE(svg.find(">played 1</text>"), std::string::npos);
  EXPECT_EQ(svg.find("made["), std::string::npos);
}

TEST(Shown, zones_that_pictures_tint) {
  const std::string tint = "fill-opacity=\"0.22\"";
  const std::string all = render::BoardSvg(Holes("").Start());
  EXPECT_EQ(Count(all, tint), 2U + 6U);
  EXPECT_NE(all.find(">hole</text>"), std::string::npos);
  const std::string some = render::BoardSvg(Holes("show zones hole\n").Start());
  EXPECT_EQ(Count(some, tint), 2U);
  EXPECT_NE(some.find(">hole[White]</text>"), std::string::npos);
  EXPECT_NE(some.find(">hole[Black]</text>"), std::string::npos);
  EXPECT_EQ(some.find(">middle</text>"), std::string::npos);
  EXPECT_EQ(render::BoardSvg(Holes("show zones middle\nshow zones hole, middle\n").Start()),
            render::BoardSvg(Holes("show zones middle, hole\n").Start()));
}

TEST(Shown, a_zone_of_several_indices_gets_a_tint_for_each_player) {
  const std::string corners =
      "zone corner[White, near] = a1   zone corner[White, far] = a2, c2\n"
      "zone corner[Black, near] = a4   zone corner[Black, far] = a3\n"
      "state { side : { near, far } = near }\n"
      "draw when side == far and some m in pieces : m in corner[me, side]\n"
      "show zones corner\n";
  const std::string svg = render::BoardSvg(Holes(corners).Start());
  EXPECT_EQ(Count(svg, "fill-opacity=\"0.22\""), 5U);
  EXPECT_NE(svg.find(">corner[White]</text>"), std::string::npos);
  EXPECT_EQ(Count(svg, "fill-opacity=\"0.35\""), 2U);
}

// ---- saved games ------------------------------------------------------------------------------------

TEST(Shown, a_saved_game_tells_where_the_state_changed) {
  Game game = Holes(
      "show score = goals[White], \":\", goals[Black]\n"
      "show mood = mood\n"
      "show move = made[me] + 1\n");
  Record record(game.Start());
  for (const char* move : {"c1-c2", "a4-a3", "c2-c1", "a3-b3", "c1-c2", "b3-b2", "c2-c1", "b2-b1"}) {
    ASSERT_EQ(record.Play(move), "") << move;
  }
  const std::string text = WriteGame(record);
  EXPECT_EQ(text,
            "ruleset  holes.rules\n"
            "\n"
            "1.  c1-c2\n"
            "// mood wild\n"
            "1...  a4-a3\n"
            "2.  c2-c1  a3-b3\n"
            "3.  c1-c2  b3-b2\n"
            "4.  c2-c1  b2-b1\n"
            "// score 0:1\n"
            "\n"
            "// score 0:1   mood wild   move 5\n"
            "\n"
            "result   unfinished\n");
  Result<SavedGame> saved = ParseGame(text);
  ASSERT_TRUE(saved) << saved.error;
  EXPECT_EQ(Verify(game, *saved), "");
  Result<Record> again = Replay(game, *saved);
  ASSERT_TRUE(again) << again.error;
  EXPECT_EQ(WriteGame(*again), text);
}

TEST(Shown, texts_that_look_like_moves_or_comments_stay_comments) {
  Game game = Holes("show note = \"result // a1-a2, \", goals[White], \",\"\n");
  Record record(game.Start());
  ASSERT_EQ(record.Play("c1-c2"), "");
  const std::string text = WriteGame(record);
  EXPECT_NE(text.find("\n// note result // a1-a2, 0,\n"), std::string::npos) << text;
  Result<SavedGame> saved = ParseGame(text);
  ASSERT_TRUE(saved) << saved.error;
  EXPECT_EQ(saved->moves.size(), 1U);
  EXPECT_EQ(Verify(game, *saved), "");
}

TEST(Shown, changes_nothing_in_play) {
  const std::string counted = "draw when repetition 3\n";
  Game plain = Holes(counted);
  Game told = Holes(counted + "show all = mood, half, goals[me], seen if some m in pieces : reaches(m, n, b2)\n");
  EXPECT_EQ(told.Start().Text(), plain.Start().Text());
  EXPECT_EQ(told.Start().Key(), plain.Start().Key());
  EXPECT_EQ(*told.Start().Perft(4), *plain.Start().Perft(4));
  const std::string board = "m2/2o/3/2M w";
  for (const char* state : {" mood=wild", " half=2", " seen=c2", " goals[White]=3"}) {
    Result<Position> at = told.Read(board + state);
    ASSERT_TRUE(at) << at.error;
    EXPECT_EQ(at->Key(), told.Read(board)->Key()) << state << " is read by no rule";
  }
}

}  // namespace
}  // namespace arbiter::session
