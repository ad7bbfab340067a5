// A tiny game for the tests of sessions: three men a side, who walk forward and take slantwise. Short, with wins, and
// with a draw by repetition in the variant where men may step back.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "arbiter/arbiter.h"

namespace arbiter::session {

inline const std::string kTiny = R"(
game "Tiny"
option shuffle : bool = false
players White facing n, Black facing s
board {
  squares 3 x 3
  zone last[White] = rank 3   zone last[Black] = rank 1
}
piece Man "M" {
  move forward
  take forward_diagonal
}
piece Guard "G" { move sideways if shuffle }
when Man of p lands in last[p] { win p }
when no legal turn { win opponent }
draw when repetition 3
setup to move White """
  3  m m g
  2  . . .
  1  M M G
     a b c
"""
example "the start" { setup  moves = { a1-a2 b1-b2 }  count moves = 2  legal a1-a2 b3-a2  illegal a1-b2 }
example "with steps back" with shuffle = true {
  position { White Guard a1  Man c2   Black Guard a3 }
  legal a1-b1
}
)";

inline Game Tiny(const Options& options = {}) {
  Checked checked = CheckText("tiny.rules", kTiny, options);
  EXPECT_TRUE(checked.game.has_value()) << checked.report.Text();
  return *checked.game;
}

}  // namespace arbiter::session
