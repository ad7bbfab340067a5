// The board of rollerball.md, for tests: 7 x 7 without c3..e5, two rings, facing along, deflections.
#pragma once

#include <gtest/gtest.h>

#include "board/board.h"

namespace arbiter::board {

inline Builder RollerballBuilder(bool inner_corners = true) {
  Builder builder;
  CellSet hole;
  for (const char* name : {"c3", "d3", "e3", "c4", "d4", "e4", "c5", "d5", "e5"}) {
    hole.set(static_cast<std::size_t>(Builder::GridCell(name, 7, 7)));
  }
  EXPECT_EQ(builder.Squares(7, 7, hole, false, false), "");
  const Board& board = builder.peek();
  const auto deflect = [&](const char* cell, const char* from, const char* to) {
    EXPECT_EQ(builder.DeflectAt(board.Find(cell), board.FindDirection(from), board.FindDirection(to)), "");
  };
  EXPECT_EQ(builder.Ring("outer", true, board.Find("a1")), "");
  EXPECT_EQ(builder.Ring("inner", true, board.Find("b2")), "");
  EXPECT_EQ(builder.FacingAlong({"outer", "inner"}), "");
  deflect("a1", "w", "n");
  deflect("a7", "n", "e");
  deflect("g7", "e", "s");
  deflect("g1", "s", "w");
  EXPECT_EQ(builder.DeflectDiagonalsAtEdges(), "");
  if (inner_corners) {
    deflect("b2", "ne", "nw");
    deflect("b6", "se", "ne");
    deflect("f6", "sw", "se");
    deflect("f2", "nw", "sw");
  }
  return builder;
}

}  // namespace arbiter::board
