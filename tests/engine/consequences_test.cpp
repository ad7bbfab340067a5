// What follows from a move and is seen only later: lists and counts say the same of it.
#include <gtest/gtest.h>

#include "compile/compile.h"
#include "engine/position.h"
#include "support/flat_games.h"

namespace arbiter::engine {
namespace {

// The two statements reach the same cell; only a number that no rule reads tells the positions apart.
TEST(Consequences, equal_choices_differ_by_what_no_rule_reads) {
  const auto game = testing_support::CheckGame(R"(game "Tides"
use std.walks
players White facing n, Black facing s
board { squares 3 x 3 }
state { tide : 0..3 = 1 }
piece Guard "G" {
  move slide(n) do { if tide < 3 { tide += 1 } }
  move step(all)
}
setup to move White """
 . . .
 . . .
 G . .
"""
)");
  ASSERT_TRUE(game.rules) << game.error;
  const auto program = compile::Compile(*game.rules);
  for (const bool bulk : {true, false}) {
    Position position(program);
    position.Perft(1, bulk);
    ASSERT_TRUE(position.fault()) << bulk;
    EXPECT_EQ(position.fault()->code, "move-ambiguous");
  }
  Position position(program);
  static_cast<void>(position.Moves());
  ASSERT_TRUE(position.fault());
  EXPECT_EQ(position.fault()->code, "move-ambiguous");
}

// A man who may not be off the board is lifted by a handler: no action is whole from then on.
TEST(Consequences, a_handler_lifts_a_piece_for_good) {
  const auto game = testing_support::CheckGame(R"(game "Lifted"
use std.walks
players White facing n, Black facing s
board { squares 3 x 3 }
piece Man "M" { move step(orthogonal) }
when Man lands in b2 { lift it }
limit turns 20
setup to move White """
 . . m
 . . .
 . M .
"""
)");
  ASSERT_TRUE(game.rules) << game.error;
  const auto program = compile::Compile(*game.rules);
  EXPECT_FALSE(program->harmless);
  for (const bool bulk : {true, false}) {
    Position position(program);
    EXPECT_EQ(position.Perft(1, bulk), 3U);
    EXPECT_EQ(position.Perft(2, bulk), 4U);
  }
}

}  // namespace
}  // namespace arbiter::engine
