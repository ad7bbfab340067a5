// Random rules played by both evaluators: what no sensible game asks for is compared too.
//
// ARBITER_GAMES=100000 tries so many rule sets; ARBITER_SEED=… starts elsewhere.
#include "agreement/random_games.h"

#include <cstdio>
#include <cstdlib>

#include "compile/compile.h"
#include "support/comparison.h"
#include "support/table_index.h"

namespace arbiter {
namespace {

TEST(RandomGames, both_evaluators_play_them_alike) {
  const char* wanted = std::getenv("ARBITER_GAMES");
  const char* first = std::getenv("ARBITER_SEED");
  const uint64_t count = wanted == nullptr ? 150 : std::strtoull(wanted, nullptr, 10);
  const uint64_t start = first == nullptr ? 1 : std::strtoull(first, nullptr, 10);
  int64_t positions = 0, moves = 0, faults = 0;
  for (uint64_t seed = start; seed < start + count; ++seed) {
    const testing_support::Maker maker = testing_support::RandomGame(seed);
    const auto program = compile::Compile(maker.r, testing_support::AnyTableIndex(seed));
    for (uint64_t game = 0; game < 4; ++game) {
      Comparison comparison(maker.r, program, "random rules " + std::to_string(seed), game);
      const bool same = comparison.Play(game == 0 ? comparison.Start() : comparison.Random());
      positions += comparison.positions;
      moves += comparison.moves;
      faults += comparison.faults;
      ASSERT_TRUE(same) << comparison.difference() << "\nARBITER_SEED=" << seed << "\n" << rules::Dump(maker.r);
    }
  }
  std::printf("  %lld positions, %lld offered moves, %lld games given up\n", static_cast<long long>(positions),
              static_cast<long long>(moves), static_cast<long long>(faults));
  EXPECT_GT(moves, static_cast<int64_t>(count)) << "the rules offer nothing";
}

}  // namespace
}  // namespace arbiter
