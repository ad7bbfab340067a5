// Random games of the engine: every action is legal and as likely as the others, and games end where the reference
// evaluator says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "check/check.h"
#include "compile/compile.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "support/rule_files.h"

namespace arbiter {
namespace {

using rules::Outcome;

struct Game {
  std::unique_ptr<rules::Rules> rules;
  std::shared_ptr<const program::Program> program;
};

Game Load(const std::string& path, const source::Loader& loader) {
  Game game;
  source::SourceMap sources;
  diagnostics::Sink sink;
  check::Request request;
  request.path = path;
  request.lint = false;
  game.rules = check::Check(request, loader, sources, sink);
  for (const auto& d : sink.all()) {
    if (d.severity == diagnostics::Severity::kError) ADD_FAILURE() << path << ": " << d.message;
  }
  if (game.rules) game.program = compile::Compile(*game.rules);
  return game;
}

Game LoadFile(const std::string& path) { return Load(path, source::FileLoader()); }

// A rule text in memory.
Game LoadText(const std::string& text) {
  struct Loader : source::Loader {
    std::string text;
    [[nodiscard]] source::LoadResult Read(const std::string&) const override {
      return {source::LoadResult::Problem::kNone, text};
    }
  } loader;
  loader.text = text;
  return Load("text.rules", loader);
}

using testing_support::RuleFiles;

// Turn by turn, the reference evaluator knows every turn of one action that was played, and what came of it.
TEST(RandomPlay, plays_turns_that_the_reference_evaluator_knows) {
  int64_t compared = 0, several = 0, ended = 0;
  for (const std::string& file : RuleFiles()) {
    const Game game = LoadFile(file);
    ASSERT_TRUE(game.program);
    const oracle::Oracle oracle(*game.rules);
    engine::Position position(game.program);
    uint64_t random = 5;
    for (int turn = 0; turn < 12; ++turn) {
      const rules::Snapshot before = position.Save();
      const engine::RandomGame played = position.PlayRandomly(&random, 1);
      ASSERT_FALSE(position.fault()) << file << ": " << position.fault()->message;
      ASSERT_EQ(position.key(), position.key_from_scratch()) << file;
      ASSERT_EQ(position.history_size(), 0);
      if (played.actions == 0) break;
      if (played.actions == 1 && played.turns == 1) {
        bool known = false;
        for (const rules::Move& move : oracle.Moves(before)) {
          const auto applied = oracle.Apply(before, move);
          if (!applied->turn_complete || applied->next != position.Save()) continue;
          known = true;
          Outcome outcome = applied->outcome;
          // The start is no repetition of the position that one turn leads to: once around takes more.
          if (outcome.kind == Outcome::Kind::kNone) outcome = oracle.Status(applied->next, 1, 1);
          EXPECT_EQ(played.outcome, outcome) << file << " turn " << turn;
          break;
        }
        EXPECT_TRUE(known) << file << " turn " << turn;
        ++compared;
      }
      several += played.actions > 1 ? 1 : 0;
      ended += played.outcome.kind != Outcome::Kind::kNone ? 1 : 0;
      if (played.outcome.kind != Outcome::Kind::kNone) break;
    }
  }
  EXPECT_GT(compared, 150);
  EXPECT_GT(several, 5);
  EXPECT_GT(ended, 0);
}

// Chi-square of the positions after one turn: all successors, none more often than another.
TEST(RandomPlay, every_action_is_as_likely_as_the_others) {
  for (const char* file : {"/rulesets/chess/chess.rules", "/rulesets/rollerball/rollerball.rules",
                           "/rulesets/shakhbol/shakhbol.rules", "/tests/rulesets/minishogi.rules"}) {
    const Game game = LoadFile(std::string(ARBITER_SOURCE_DIR) + file);
    ASSERT_TRUE(game.program);
    const oracle::Oracle oracle(*game.rules);
    engine::Position position(game.program);
    const rules::Snapshot start = position.Save();
    std::map<uint64_t, int> counts;
    for (const rules::Move& move : oracle.Moves(start)) counts[oracle.Key(oracle.Apply(start, move)->next)] = 0;
    const std::size_t successors = counts.size();
    ASSERT_EQ(successors, oracle.Moves(start).size()) << file << ": no two moves lead to one position";
    constexpr int kEach = 400;
    uint64_t random = 11;
    for (std::size_t i = 0; i < successors * kEach; ++i) {
      position.Load(start);
      position.PlayRandomly(&random, 1);
      ++counts[position.key()];
    }
    ASSERT_EQ(counts.size(), successors) << file;
    double chi_square = 0;
    for (const auto& [key, count] : counts) chi_square += (count - kEach) * double(count - kEach) / kEach;
    const double degrees = static_cast<double>(successors - 1);
    EXPECT_LT(chi_square, degrees + 5 * std::sqrt(2 * degrees)) << file;
  }
}

const std::string kHead = R"(
game "One way"
players White facing n, Black facing s
board { squares 2 x 3 }
state { told[player] : 0..2 = 0 }
)";
const std::string kSetup = R"(
setup to move White """
  3  . m
  2  . .
  1  M .
"""
)";

struct Ending {
  const char* name;
  std::string rules;
  Outcome::Kind kind;
  int turns;
  int64_t actions;
  bool fault = false;
  int winner = -1;
};

// Games with one way to go: where they end, and by what.
TEST(RandomPlay, games_end_where_the_rules_say) {
  const std::string to_and_fro = "piece Man \"M\" { move sideways }\n";
  const std::string count = "piece Man \"M\" { can tell }\naction tell { do { told[me] += 1 } }\n";
  const std::vector<Ending> endings = {
      {"no turn left", "piece Man \"M\" { move forward }\nwhen no legal turn { win opponent }\n", Outcome::Kind::kWin,
       4, 4, false, 1},
      {"a dead end", "piece Man \"M\" { move forward }\n", Outcome::Kind::kNone, 4, 4},
      {"an effect", "piece Man \"M\" { move forward }\nwhen Man of Black enters rank 1 { win White }\n",
       Outcome::Kind::kWin, 4, 4, false, 0},
      {"a condition", "piece Man \"M\" { move forward }\ndraw when Man of White in rank 3\n", Outcome::Kind::kDraw, 3,
       3},
      {"repetition", to_and_fro + "draw when repetition 3\n", Outcome::Kind::kDraw, 8, 8},
      {"a limit", to_and_fro + "limit turns 5\n", Outcome::Kind::kDraw, 5, 5},
      {"a clock",
       "state { clock gone : 0..9 = 0 }\nwhen turn ends { gone += 1 }\n" + to_and_fro + "draw when gone >= 6\n",
       Outcome::Kind::kDraw, 6, 6},
      {"too many turns", to_and_fro, Outcome::Kind::kNone, 20, 20},
      {"two actions a turn", to_and_fro + "turn = any move then any move\nlimit turns 3\n", Outcome::Kind::kDraw, 3, 6},
      {"a fault", count, Outcome::Kind::kNone, 4, 4, true},
  };
  for (const Ending& ending : endings) {
    const Game game = LoadText(kHead + ending.rules + kSetup);
    ASSERT_TRUE(game.program) << ending.name;
    engine::Position position(game.program);
    uint64_t random = 1;
    const engine::RandomGame played = position.PlayRandomly(&random, 20);
    EXPECT_EQ(position.fault().has_value(), ending.fault) << ending.name;
    EXPECT_EQ(played.outcome.kind, ending.kind) << ending.name;
    if (ending.fault) continue;
    EXPECT_EQ(played.turns, ending.turns) << ending.name;
    EXPECT_EQ(played.actions, ending.actions) << ending.name;
    EXPECT_EQ(played.outcome.winner, ending.winner) << ending.name;
  }
}

TEST(RandomPlay, the_same_state_of_the_source_plays_the_same_game) {
  const Game game = LoadFile(ARBITER_SOURCE_DIR "/rulesets/gravitatur/gravitatur.rules");
  engine::Position one(game.program), two(game.program);
  uint64_t a = 7, b = 7;
  const engine::RandomGame first = one.PlayRandomly(&a, 30), second = two.PlayRandomly(&b, 30);
  EXPECT_EQ(a, b);
  EXPECT_NE(a, 7U);
  EXPECT_EQ(first.actions, second.actions);
  EXPECT_GT(first.actions, first.turns) << "turns of several actions";
  EXPECT_EQ(one.Save(), two.Save());
}

}  // namespace
}  // namespace arbiter
