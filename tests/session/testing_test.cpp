// Examples that hold, and examples that must not: each kind of claim is made wrong once.
#include "session/testing.h"

#include "session/match.h"
#include "session/save.h"
#include "tiny.h"

namespace arbiter::session {
namespace {

// The failures of one example, added to the tiny game: "message | note | note".
std::vector<std::string> Failures(const std::string& body, Evaluator evaluator = Evaluator::kEngine) {
  Checked checked = CheckText("tiny.rules", kTiny + "example \"probe\" {\n" + body + "\n}\n");
  if (!checked.game) return {"check: " + checked.report.Text()};
  std::vector<std::string> found;
  TestRequest request;
  request.evaluator = evaluator;
  request.only = "probe";
  for (const TestCase& test : RunTests(*checked.game, request)) {
    for (const TestFailure& failure : test.failures) {
      std::string text = failure.message;
      for (const std::string& note : failure.notes) text += " | " + note;
      found.push_back(text);
      EXPECT_EQ(failure.path, "tiny.rules");
      EXPECT_GT(failure.line, 25);
    }
  }
  return found;
}

void ExpectHolds(const std::string& body) {
  for (Evaluator evaluator : {Evaluator::kEngine, Evaluator::kOracle}) {
    auto failures = Failures(body, evaluator);
    EXPECT_TRUE(failures.empty()) << body << ": " << failures.front();
  }
}

void ExpectFails(const std::string& body, const std::string& part) {
  for (Evaluator evaluator : {Evaluator::kEngine, Evaluator::kOracle}) {
    auto failures = Failures(body, evaluator);
    ASSERT_EQ(failures.size(), 1U) << body;
    EXPECT_NE(failures.front().find(part), std::string::npos) << failures.front();
  }
}

TEST(Examples, moves) {
  ExpectHolds("setup moves = { b1-b2 a1-a2 }");
  ExpectFails("setup moves = { a1-a2 }", "possible, but not said: b1-b2");
  ExpectFails("setup moves = { a1-a2 b1-b2 a1-b2 }", "said, but not possible: a1-b2");
}

TEST(Examples, moves_of_a_cell) {
  ExpectHolds("setup moves of a1 = { a2 }");
  ExpectHolds("setup moves of c1 = { }");
  ExpectFails("setup moves of a1 = { b2 }", "the moves of `a1` differ");
}

TEST(Examples, moves_that_meet_a_condition) {
  ExpectHolds("setup moves where from == b1 = { b1-b2 }");
  ExpectFails("setup moves where from == b1 = { a1-a2 }", "possible, but not said: b1-b2");
}

TEST(Examples, counts) {
  ExpectHolds("setup count moves = 2");
  ExpectFails("setup count moves = 3", "there are 2 moves, not 3");
}

TEST(Examples, legal_and_illegal) {
  ExpectHolds("setup legal a1-a2 b3-a2 b1-b2");
  ExpectFails("setup legal a1-a2 b1-b2", "`b1-b2` is not among the moves");
  ExpectHolds("setup illegal a1-b2");
  ExpectHolds("setup illegal a1-a2 a2-a3");
  ExpectFails("setup illegal a1-a2", "`a1-a2` is legal here");
  ExpectFails("setup illegal b3-a2 a1-a2", "`b3-a2` is not among the moves");
}

TEST(Examples, an_illegal_move_must_be_a_possible_text) {
  ExpectFails("setup illegal a1-a9", "no cell named `a9`");
  ExpectFails("setup illegal a1-a2=Z", "no piece letter named `Z`");
}

TEST(Examples, after_moves) {
  ExpectHolds("setup after a1-a2 : moves = { b3-a2 b3-b2 }");
  ExpectFails("setup after a1-a2 b1-b2 : count moves = 1", "`b1-b2` is not among the moves");
}

TEST(Examples, legal_leaves_the_position_alone_and_after_does_not) {
  ExpectHolds("setup legal a1-a2 count moves = 2");
  ExpectHolds("setup after a1-a2 : count moves = 2 after b3-b2 : count moves = 0");
}

TEST(Examples, results) {
  ExpectHolds("setup result none");
  ExpectHolds("setup after a1-a2 b3-b2 : result win Black");
  ExpectHolds("setup after a1-a2 b3-b2 : result lose White");
  ExpectFails("setup after a1-a2 b3-b2 : result draw", "the result is Black wins, not a draw");
  ExpectFails("setup result win White", "the result is no result, not White wins");
}

TEST(Examples, facts_of_the_position) {
  ExpectHolds("setup holds me == White and a1 is Man and (count p in pieces : true) == 6");
  ExpectHolds("setup after a1-a2 : holds me == Black and a2 is enemy holds a1 is empty");
  ExpectHolds("setup after a1-a2 b3-b2 : holds b2 is Man result win Black");
  ExpectFails("setup holds me == White and me == Black", "`me == Black` does not hold | `me` is White");
  ExpectFails("setup holds me != White", "`me != White` does not hold | `me` is White");
  ExpectFails("setup holds 5 <= count p in own pieces : true", "does not hold | `count p in own pieces : true` is 3");
  ExpectFails("setup holds Guard of me in a2", "`Guard of me in a2` does not hold | `Guard of me` is c1");
  ExpectFails("setup holds a1 is empty", "`a1 is empty` does not hold");
}

TEST(Examples, perft) {
  ExpectHolds("setup perft 1..2 = 2, 4");
  ExpectFails("setup perft 1..2 = 2, 5", "perft 2 counts 4, not 5");
}

TEST(Examples, those_with_other_options_run_under_them) {
  TestRequest request;
  auto cases = RunTests(Tiny(), request);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[1].options, (Options{{"shuffle", "true"}}));
  for (const TestCase& test : cases) EXPECT_TRUE(test.passed()) << test.title << ": " << test.failures.front().message;
}

TEST(RecordedGames, are_replayed) {
  Game game = Tiny();
  Record record(game.Start());
  ASSERT_EQ(RunMatch(record, {std::make_shared<RandomPlayer>(1), std::make_shared<RandomPlayer>(2)}, 100, {}).kind,
            MatchEnd::Kind::kResult);
  TestRequest request;
  request.only = ".game";
  request.games = {{"games/good.game", WriteGame(record)},
                   {"games/bad.game", "ruleset tiny\n1. a1-a3\n"},
                   {"games/back.game", "ruleset tiny\noption shuffle = true\nstart g2/3/G2 w\n1. a1-b1\n"}};
  auto cases = RunTests(game, request);
  ASSERT_EQ(cases.size(), 3U);
  EXPECT_TRUE(cases[0].passed()) << cases[0].failures.front().message;
  ASSERT_FALSE(cases[1].passed());
  EXPECT_NE(cases[1].failures.front().message.find("line 2"), std::string::npos);
  EXPECT_TRUE(cases[2].passed()) << cases[2].failures.front().message;
}

TEST(Soaking, a_real_game_ends) {
  validate::SoakRequest request;
  request.games = 50;
  auto report = RunSoak(Tiny(), Evaluator::kEngine, request);
  EXPECT_TRUE(report.troubles.empty());
  EXPECT_EQ(report.lengths.size(), 50U);
  EXPECT_EQ(report.lengths, RunSoak(Tiny(), Evaluator::kOracle, request).lengths);
}

}  // namespace
}  // namespace arbiter::session
