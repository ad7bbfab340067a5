// The public face, used as its head shows.
#include <algorithm>
#include <thread>

#include "tiny.h"

namespace arbiter {
namespace {

using session::Tiny;

TEST(Face, built_in_rulesets_are_found_by_name) {
  auto built_in = BuiltIn();
  ASSERT_GE(built_in.size(), 2U);
  for (const auto& [name, source] : built_in) {
    EXPECT_TRUE(source.built_in);
    EXPECT_EQ(Find(name).path, source.path);
    EXPECT_FALSE(Find("./" + name).built_in);
    EXPECT_FALSE(Find(name + ".rules").built_in);
  }
}

TEST(Face, a_missing_file_is_a_problem_not_a_crash) {
  Checked checked = Check({"no/such/file.rules", false});
  EXPECT_FALSE(checked.game);
  EXPECT_FALSE(checked.report.ok());
  EXPECT_NE(checked.report.Text().find("no/such/file.rules"), std::string::npos);
}

TEST(Face, problems_have_places) {
  Checked checked = CheckText(
      "wrong.rules", "game \"x\"\nplayers White, Black\nboard { squares 3 x 3 }\npiece Man \"M\" { move nort }\n");
  ASSERT_FALSE(checked.game);
  const auto& problems = checked.report.problems();
  auto wrong =
      std::find_if(problems.begin(), problems.end(), [](const Problem& p) { return p.code == "name-unknown"; });
  ASSERT_NE(wrong, problems.end()) << checked.report.Text();
  EXPECT_EQ(wrong->path, "wrong.rules");
  EXPECT_EQ(wrong->line, 4);
  EXPECT_EQ(wrong->column, 22);
  EXPECT_EQ(wrong->end_column, 26);
  EXPECT_NE(checked.report.Json().find("\"name-unknown\""), std::string::npos);
}

TEST(Face, moves_are_found_by_text_uci_and_number) {
  Position at = Tiny().Start();
  std::vector<Move> moves = at.Moves();
  ASSERT_EQ(moves.size(), 2U);
  EXPECT_EQ(moves[0].text(), "a1-a2");
  EXPECT_EQ(moves[0].uci(), "a1a2");
  EXPECT_EQ(moves[0].Choices(), (std::vector<std::string>{"a1", "a2"}));
  EXPECT_TRUE(*at.FindMove("a1-a2") == moves[0]);
  EXPECT_TRUE(*at.FindMove("a1a2") == moves[0]);
  EXPECT_TRUE(*at.FindMove("2") == moves[1]);
  Result<Move> wrong = at.FindMove("a1-a3");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error.find("a1-a2"), std::string::npos) << wrong.error;
}

TEST(Face, random_games_of_both_evaluators_are_alike) {
  const Game game = Tiny({{"shuffle", "true"}});
  double means[2] = {};
  for (const Evaluator evaluator : {Evaluator::kEngine, Evaluator::kOracle}) {
    const Position at = game.Start(evaluator);
    const Result<RandomGames> sum = at.PlayRandomly(3, 2000);
    ASSERT_TRUE(sum) << sum.error;
    EXPECT_EQ(sum->games, 2000);
    EXPECT_EQ(sum->ended, 2000);
    EXPECT_EQ(sum->turns, sum->actions);
    means[evaluator == Evaluator::kEngine ? 0 : 1] = static_cast<double>(sum->turns) / sum->games;
    EXPECT_EQ(at.PlayRandomly(3, 2000)->turns, sum->turns);
    EXPECT_NE(at.PlayRandomly(4, 2000)->turns, sum->turns);
    EXPECT_EQ(at.PlayRandomly(3, 10, 1)->turns, 10);
    EXPECT_EQ(at.PlayRandomly(3, 10, 1)->ended, 0);
  }
  EXPECT_NEAR(means[0], means[1], 0.05 * means[1]);
}

TEST(Face, sizes_are_told) {
  const Sizes sizes = Tiny().sizes();
  EXPECT_GT(sizes.tables + sizes.sets, 0U);
  EXPECT_GT(sizes.code, 0U);
  EXPECT_GT(sizes.position, 100U);
}

TEST(Face, applying_leaves_the_old_position_alone) {
  Position at = Tiny().Start();
  std::string before = at.Text();
  uint64_t key = at.Key();
  Result<Step> step = at.Apply(*at.FindMove("a1-a2"));
  ASSERT_TRUE(step) << step.error;
  EXPECT_TRUE(step->turn_complete);
  EXPECT_EQ(step->next.player(), 1);
  EXPECT_EQ(at.Text(), before);
  EXPECT_EQ(at.Key(), key);
  EXPECT_NE(step->next.Key(), key);
}

TEST(Face, a_move_of_another_position_is_refused) {
  Position at = Tiny().Start();
  Move move = *at.FindMove("a1-a2");
  Position next = at.Apply(move)->next;
  EXPECT_FALSE(next.Apply(move));
}

TEST(Face, positions_read_back) {
  Game game = Tiny();
  Position at = game.Start();
  while (!at.Moves().empty()) {
    Result<Position> again = game.Read(at.Text());
    ASSERT_TRUE(again) << again.error;
    EXPECT_EQ(again->Text(), at.Text());
    EXPECT_EQ(again->Key(), at.Key());
    Result<Step> step = at.Apply(at.Moves().back());
    ASSERT_TRUE(step);
    if (step->outcome.ended()) break;
    at = step->next;
  }
}

TEST(Face, a_wrong_position_says_where) {
  Result<Position> wrong = Tiny().Read("mmz/3/MMG w");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error.find('^'), std::string::npos) << wrong.error;
  EXPECT_NE(wrong.error.find('z'), std::string::npos) << wrong.error;
}

TEST(Face, both_evaluators_answer_alike) {
  Game game = Tiny();
  for (int depth = 1; depth <= 4; ++depth) {
    auto engine = game.Start(Evaluator::kEngine).Perft(depth);
    auto oracle = game.Start(Evaluator::kOracle).Perft(depth);
    ASSERT_TRUE(engine && oracle);
    EXPECT_EQ(*engine, *oracle) << depth;
    EXPECT_EQ(*game.Start().Perft(depth, {false, false}), *engine) << depth;
  }
}

TEST(Face, options_change_the_rules) {
  Game game = Tiny({{"shuffle", "true"}});
  auto at = game.Read("2g/3/G1M w");
  ASSERT_TRUE(at) << at.error;
  EXPECT_TRUE(at->FindMove("a1-b1"));
  EXPECT_FALSE(Tiny().Read("2g/3/G1M w")->FindMove("a1-b1"));
  EXPECT_FALSE(CheckText("tiny.rules", session::kTiny, {{"shufle", "true"}}).game);
}

TEST(Face, examples_give_positions) {
  Game game = Tiny();
  EXPECT_EQ(game.examples().size(), 2U);
  ASSERT_TRUE(game.OfExample("the st"));
  EXPECT_EQ(game.OfExample("the start")->Text(), game.Start().Text());
  EXPECT_FALSE(game.OfExample("no such example"));
  Result<Position> other = game.OfExample("with");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error.find("--option shuffle=true"), std::string::npos) << other.error;
}

TEST(Face, one_game_serves_several_threads) {
  Game game = Tiny();
  Position start = game.Start();
  std::vector<uint64_t> counts(4);
  std::vector<std::thread> threads;
  for (uint64_t& count : counts) threads.emplace_back([&] { count = *start.Perft(4); });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t count : counts) EXPECT_EQ(count, counts.front());
}

TEST(Face, formatting_is_idempotent) {
  Formatted once = FormatText("tiny.rules", session::kTiny);
  ASSERT_TRUE(once.text) << once.report.Text();
  Formatted twice = FormatText("tiny.rules", *once.text);
  ASSERT_TRUE(twice.text);
  EXPECT_EQ(*twice.text, *once.text);
  EXPECT_FALSE(twice.changed);
  EXPECT_TRUE(CheckText("tiny.rules", *once.text).game);
}

}  // namespace
}  // namespace arbiter
