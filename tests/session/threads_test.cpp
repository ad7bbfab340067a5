// Perft on several threads gives what one thread gives: counts, ended games, faults.
#include <filesystem>
#include <vector>

#include "tiny.h"

namespace arbiter {
namespace {

constexpr int kThreads[] = {2, 3, 16};

std::string Told(const Result<uint64_t>& count) { return count ? std::to_string(*count) : count.error; }

// Every depth up to the first whose count is above `most`, in every mode.
void ExpectEqualCounts(const std::string& name, const Position& at, uint64_t most) {
  for (const bool by_actions : {false, true}) {
    uint64_t last = 0;
    for (int depth = 0; depth <= 5 && last <= most; ++depth) {
      const Result<uint64_t> one = at.Perft(depth, {by_actions, true, 1});
      for (const int threads : kThreads) {
        for (const bool bulk : {true, false}) {
          EXPECT_EQ(Told(at.Perft(depth, {by_actions, bulk, threads})), Told(one))
              << name << " depth " << depth << " threads " << threads << (by_actions ? " by actions" : "")
              << (bulk ? "" : " without bulk");
        }
      }
      if (!one) break;
      last = *one;
    }
  }
}

TEST(Threads, count_every_ruleset_as_one_does) {
  std::vector<Source> sources;
  for (const auto& [name, source] : BuiltIn()) sources.push_back(source);
  for (const auto& entry : std::filesystem::directory_iterator(ARBITER_SOURCE_DIR "/tests/rulesets")) {
    if (entry.path().extension() == ".rules") sources.push_back({entry.path().string(), false});
  }
  ASSERT_GT(sources.size(), 20U);
  for (const Source& source : sources) {
    const Checked checked = Check(source);
    ASSERT_TRUE(checked.game) << checked.report.Text();
    ExpectEqualCounts(source.path, checked.game->Start(), 200);
  }
}

TEST(Threads, count_on_from_the_middle_of_a_turn) {
  const Game game = *Check(Find("gravitatur")).game;
  Position at = *game.Read("4k3/8/8/8/8/8/8/R3K2N w");
  int places = 0;
  for (const Move& move : at.Moves()) {
    const Result<Step> step = at.Apply(move);
    ASSERT_TRUE(step) << step.error;
    if (step->turn_complete) continue;
    ++places;
    ExpectEqualCounts(move.text(), step->next, 50);
  }
  EXPECT_GT(places, 0);
}

TEST(Threads, ended_games_are_counted_once) {
  const Position at = session::Tiny().Start();
  for (int depth = 0; depth < 12; ++depth) {
    for (const int threads : kThreads) {
      EXPECT_EQ(*at.Perft(depth, {false, true, threads}), *at.Perft(depth)) << depth;
      EXPECT_EQ(*at.Perft(depth, {false, false, threads}), *at.Perft(depth)) << depth;
    }
  }
}

// The fault and its place are those that one thread tells, wherever in the tree it lies.
TEST(Threads, report_a_fault_as_one_does) {
  const std::string text =
      R"(
game "Faulty"
players White facing n, Black facing s
board { squares 5 x 5 }
use std.walks
state { walked : 0..LIMIT = 0   hurried : bool = false }
piece King "K" {
  move step(all) do { walked += 1 }
  move slide(n) from rank 4 do { hurried = true }
}
draw when hurried
setup to move White """
  5  . . k . .
  4  . . . . .
  3  . . . . .
  2  . . . . .
  1  . . K . .
"""
)";
  int faults = 0, counts = 0;
  for (const char* limit : {"0", "1", "2", "3", "9"}) {
    std::string with = text;
    with.replace(with.find("LIMIT"), 5, limit);
    const Checked checked = CheckText("faulty.rules", with);
    ASSERT_TRUE(checked.game) << checked.report.Text();
    const Position at = checked.game->Start();
    for (int depth = 1; depth <= 5; ++depth) {
      for (const bool by_actions : {false, true}) {
        const Result<uint64_t> one = at.Perft(depth, {by_actions, true, 1});
        ++(one ? counts : faults);
        for (const int threads : kThreads) {
          EXPECT_EQ(Told(at.Perft(depth, {by_actions, true, threads})), Told(one)) << limit << " depth " << depth;
        }
      }
    }
  }
  EXPECT_GT(faults, 5);
  EXPECT_GT(counts, 5);
}

TEST(Threads, odd_numbers_are_the_nearest_sane_ones) {
  const Position at = session::Tiny().Start();
  for (const int threads : {-5, 0, 100000}) EXPECT_EQ(*at.Perft(4, {false, true, threads}), *at.Perft(4));
}

}  // namespace
}  // namespace arbiter
