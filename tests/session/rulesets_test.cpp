// Every ruleset there is, without being listed: its examples hold under both evaluators, a random game can be saved and
// replayed, every position on the way reads back.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "oracle/oracle.h"
#include "session/data.h"
#include "session/match.h"
#include "session/save.h"
#include "session/testing.h"
#include "support/rule_files.h"
#include "tiny.h"

namespace arbiter::session {
namespace {

using testing_support::RuleFiles;

class Rulesets : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Checked checked = Check({GetParam(), false});
    ASSERT_TRUE(checked.game) << checked.report.Text();
    game_.emplace(*checked.game);
  }
  std::optional<Game> game_;
};

TEST_P(Rulesets, examples_hold) {
  for (Evaluator evaluator : {Evaluator::kEngine, Evaluator::kOracle}) {
    TestRequest request;
    request.evaluator = evaluator;
    if (evaluator == Evaluator::kOracle) request.largest_perft = 2000;
    for (const TestCase& test : RunTests(*game_, request)) {
      std::string text;
      for (const TestFailure& failure : test.failures) {
        text += failure.message + "\n";
        for (const std::string& note : failure.notes) text += "  " + note + "\n";
      }
      EXPECT_TRUE(test.passed()) << (evaluator == Evaluator::kEngine ? "engine: " : "oracle: ") << test.title << "\n"
                                 << text;
    }
  }
}

TEST_P(Rulesets, a_random_game_is_saved_replayed_and_read_back) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Record record(game_->Start());
    std::vector<std::shared_ptr<Player>> players;
    for (std::size_t i = 0; i < game_->players().size(); ++i) {
      players.push_back(std::make_shared<RandomPlayer>(seed * 100 + i));
    }
    MatchEnd end = RunMatch(record, players, 60, {});
    EXPECT_NE(end.kind, MatchEnd::Kind::kFault) << end.error;
    // The games for tests are not all complete: some have no end for a player without a turn.
    bool complete = GetParam().find("/tests/") == std::string::npos;
    EXPECT_TRUE(!complete || end.kind != MatchEnd::Kind::kNoMoves) << record.position().Text();
    std::string text = WriteGame(record);
    Result<SavedGame> saved = ParseGame(text);
    ASSERT_TRUE(saved) << saved.error;
    EXPECT_EQ(Verify(*game_, *saved), "") << text;
    for (const Record::Entry& entry : record.entries()) {
      std::string position = entry.after.Text();
      Result<Position> again = game_->Read(position);
      ASSERT_TRUE(again) << position << "\n" << again.error;
      EXPECT_EQ(again->Text(), position);
      EXPECT_EQ(again->Key(), entry.after.Key()) << position;
    }
  }
}

TEST_P(Rulesets, traced_rules_play_the_same_games) {
  std::unique_ptr<const rules::Rules> traced = TracedRules(game_->data());
  ASSERT_NE(traced, nullptr);
  oracle::Trace trace;
  validate::SoakRequest request;
  request.games = 1;
  request.max_turns = 16;
  validate::SoakReport told = validate::Soak(*traced, *validate::MakeTracedOracle(*traced, trace), request);
  validate::SoakReport plain = RunSoak(*game_, Evaluator::kEngine, request);
  EXPECT_EQ(told.played, plain.played);
  EXPECT_EQ(told.lengths, plain.lengths);
  EXPECT_EQ(told.results, plain.results);
  EXPECT_EQ(told.most_moves, plain.most_moves);
  EXPECT_EQ(told.trouble_counts, plain.trouble_counts);
  EXPECT_FALSE(trace.done.empty());
}

std::string NameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(All, Rulesets, testing::ValuesIn(RuleFiles()), NameOf);

}  // namespace
}  // namespace arbiter::session
