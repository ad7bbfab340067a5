// The board as a directed graph: what the algorithms of Boost.Graph answer about it.
//
// Meant for checks, listings and drawings, once per game; play uses the flat tables of Board. Edges
// are the steps of the labels asked for; places are no vertices. Boost stays inside graph.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "board/board.h"

namespace arbiter::board {

// All directions; leap vectors too if asked.
LabelSet Labels(const Board& board, bool with_vectors);

// ---- reachability ------------------------------------------------------------------------------

// The cells that can be reached from `from` (these included) by steps of `labels`.
CellSet Reachable(const Board& board, const CellSet& from, const LabelSet& labels);

// Strong components: groups of cells that can be reached from each other.
struct Components {
  std::vector<int> of;        // per cell of the board, numbered by the first cell of each component
  std::vector<bool> entered;  // per component: does a step lead into it
  std::vector<bool> left;     // per component: does a step lead out of it
  [[nodiscard]] int count() const { return static_cast<int>(left.size()); }
};
Components StrongComponents(const Board& board, const LabelSet& labels);

// Cells from which there is no way back: they lie in a component that is entered but never left.
CellSet DeadEnds(const Board& board, const LabelSet& labels);

// Cells that no step enters, on a board of more than one cell.
CellSet Unreachable(const Board& board, const LabelSet& labels);

// Least number of steps from `from` to each cell of the board; -1: there is no way.
std::vector<int> Distances(const Board& board, int from, const LabelSet& labels);

// ---- symmetries --------------------------------------------------------------------------------

// A way to lay the board onto itself: cells[c] is the image of c, labels[l] that of l, and
// cells[Next(l, c)] == Next(labels[l], cells[c]) for every direction. A leap vector whose image is no
// label of the board has -1.
struct Symmetry {
  std::vector<int> cells;
  std::vector<int> labels;
};
struct Symmetries {
  std::vector<Symmetry> found;  // sorted by cells; the identity is the first
  bool complete = true;         // false: the budget ran out, there may be more
};
Symmetries FindSymmetries(const Board& board, int64_t budget = 20'000'000, int most = 4096);

// Does the symmetry also keep deflections, rings and facing, where player p becomes players[p]?
bool KeepsFrames(const Board& board, const Symmetry& symmetry, const std::vector<int>& players);

// ---- drawings ----------------------------------------------------------------------------------

// A place for every cell of the board, neighbours about 1 apart: `position` for grids; free graphs by
// springs (Kamada and Kawai), or on a circle if they are not connected.
std::vector<Point> Layout(const Board& board);

// Graphviz text: a node per cell, an edge per pair of cells with the names of the labels that join
// them; edges that cross a barrier are dashed.
std::string Graphviz(const Board& board, const LabelSet& labels);

}  // namespace arbiter::board
