// The board: cells and labelled directed edges, fixed once built.
//
// Cells 0 .. board_size()-1 are on the board, in board order (a1, b1, … for grids; the order of
// declaration for free graphs); cells board_size() .. size()-1 are the slots of off-board places and
// have no edges. A label is an absolute direction (0 .. direction_count()-1, clockwise from north)
// or a leap vector (from direction_count() on). -1 stands for "none" everywhere.
//
// Squares have eight directions, an eighth of a turn apart: n ne e se s sw w nw.
// Hexes stand on a flat side, so files run upwards; they have twelve directions, a twelfth apart: the
// edges n ne se s sw nw (orthogonal) and between them the vertices nne e sse ssw w nnw (diagonal).
// A hex step n is the vector (0, 1), a step se (1, 0), a step ne therefore (1, 1).
// Free graphs have the directions their author names; one named like a compass point turns like one.
//
// Knows nothing of pieces, walks or rules. graph.h gives the same board to Boost.Graph.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arbiter::board {

inline constexpr int kMaxCells = 256;  // places included
inline constexpr int kMaxLabels = 120;
inline constexpr int kMaxPlayers = 8;

using CellSet = std::bitset<kMaxCells>;
using LabelSet = std::bitset<kMaxLabels>;

// The centre of a cell in a drawing: x to the right, y upwards; edge neighbours are 1 apart.
struct Point {
  double x = 0, y = 0;
};

enum class Shape : uint8_t { kSquares, kHexes, kGraph };

// Directions that depend on the player and the cell. The first eight are the facing turned clockwise
// in eighths; on hexes kForwardRight is 30 degrees off, kRight 90, kBackwardRight 150, and so on.
// kAlong and kAgainst follow the ring through the cell.
enum class Relative : uint8_t {
  kForward,
  kForwardRight,
  kRight,
  kBackwardRight,
  kBackward,
  kBackwardLeft,
  kLeft,
  kForwardLeft,
  kAlong,
  kAgainst
};
inline constexpr int kRelativeCount = 10;
std::string_view RelativeText(Relative relative);  // as authors write it: "forward_right"

struct Barrier {
  std::string name;
  // edges[cell] has the bit of every label whose edge out of `cell` crosses the barrier.
  std::vector<LabelSet> edges;
  CellSet first_side, second_side;  // as declared
  std::vector<int> side;            // per cell: component of the board without these edges; -1 for places
  // A leap (or a placement) crosses if it leads from one side to the other; where the barrier does not
  // part the board, if it leads from a cell of `first_side` to one of `second_side` or back.
  [[nodiscard]] bool Parts(int from, int to) const;
};

struct Ring {
  std::string name;
  std::vector<int> cells;  // in order, starting where the declaration says
};

class Board {
 public:
  [[nodiscard]] Shape shape() const { return shape_; }
  [[nodiscard]] int width() const { return width_; }  // grids; 0 for free graphs
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] bool wraps_files() const { return wrap_files_; }  // a step e from the last file enters the first
  [[nodiscard]] bool wraps_ranks() const { return wrap_ranks_; }

  // what is where
  [[nodiscard]] int size() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] int board_size() const { return board_size_; }
  [[nodiscard]] bool is_place(int cell) const { return cell >= board_size_; }
  [[nodiscard]] const std::string& name(int cell) const { return names_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] int Find(std::string_view name) const;  // -1: no such cell
  [[nodiscard]] int At(int file, int rank) const;       // from 1; -1: a hole or off the board
  [[nodiscard]] int file(int cell) const { return files_[static_cast<std::size_t>(cell)]; }  // from 1; 0: none
  [[nodiscard]] int rank(int cell) const { return ranks_[static_cast<std::size_t>(cell)]; }
  // 0 dark, 1 light on squares (a1 is dark); 0..2 on hexes; -1 on free graphs and places.
  [[nodiscard]] int colour(int cell) const;
  // Where a grid draws the cell; {0, 0} for free graphs and places (graph.h lays out free graphs).
  [[nodiscard]] Point position(int cell) const;
  [[nodiscard]] CellSet cells() const;  // all cells on the board, places left out

  // labels
  [[nodiscard]] int direction_count() const { return direction_count_; }
  [[nodiscard]] int label_count() const { return static_cast<int>(labels_.size()); }
  [[nodiscard]] const std::string& label_name(int label) const { return labels_[static_cast<std::size_t>(label)].name; }
  [[nodiscard]] int FindDirection(std::string_view name) const;
  // The label that goes so many files and ranks (hexes: axial); a direction if it is one; -1: none.
  [[nodiscard]] int FindVector(int files, int ranks) const;
  [[nodiscard]] bool is_vector(int label) const { return label >= direction_count_; }
  [[nodiscard]] bool is_diagonal(int label) const { return labels_[static_cast<std::size_t>(label)].diagonal; }
  // The cell one step along `label`, or -1.
  [[nodiscard]] int Next(int label, int cell) const {
    return next_[static_cast<std::size_t>(label) * names_.size() + static_cast<std::size_t>(cell)];
  }
  // `label` turned clockwise by `parts` of a full turn (eighths; hexes: twelfths), or -1. A leap vector
  // that is no multiple of a direction turns by right angles (hexes: sixths) only.
  [[nodiscard]] int Rotate(int label, int parts) const;
  [[nodiscard]] int full_turn() const { return shape_ == Shape::kHexes ? 12 : 8; }

  // frames, rings, deflections, barriers
  [[nodiscard]] int Facing(int player, int cell) const;
  // The absolute direction of a relative one for that player at that cell, or -1.
  [[nodiscard]] int Way(Relative relative, int player, int cell) const;
  [[nodiscard]] int Deflect(int cell, int heading) const {
    return deflect_[static_cast<std::size_t>(heading) * names_.size() + static_cast<std::size_t>(cell)];
  }
  [[nodiscard]] const std::vector<Ring>& rings() const { return rings_; }
  [[nodiscard]] const std::vector<Barrier>& barriers() const { return barriers_; }

  // One fact a line: generator and cells (grids: rank by rank from the top, `#` no cell), labels,
  // links of free graphs, places, rings, facing (a letter-free grid of directions), deflections, barriers.
  [[nodiscard]] std::string Dump() const;

 private:
  friend class Builder;
  struct LabelInfo {
    std::string name;
    int dx = 0, dy = 0;  // files, ranks (hexes: axial); 0,0 on free graphs
    int turn = -1;       // parts of a full turn clockwise from north; -1: a vector or a free graph's label
    bool diagonal = false;
  };
  // The cell at these coordinates, in which vectors add; wraps are followed. -1: none.
  [[nodiscard]] int AtCoordinates(int x, int y) const;
  [[nodiscard]] const LabelInfo& label(int index) const { return labels_[static_cast<std::size_t>(index)]; }

  Shape shape_ = Shape::kGraph;
  bool staggered_ = false;  // hexes in a rectangle: every second file stands half a cell higher
  int width_ = 0, height_ = 0, board_size_ = 0, direction_count_ = 0;
  bool wrap_files_ = false, wrap_ranks_ = false;
  std::vector<std::string> names_;
  std::vector<int> files_, ranks_;
  std::vector<int> xs_, ys_;  // coordinates in which vectors add, from 0: files and ranks, hexes axial
  std::vector<int> grid_;     // (rank-1)*width + file-1 -> cell
  std::vector<LabelInfo> labels_;
  std::vector<int16_t> next_;                             // [label][cell]
  std::vector<int16_t> deflect_;                          // [label][cell] -> label
  std::vector<std::array<int16_t, kMaxPlayers>> facing_;  // [cell][player] -> direction
  std::vector<int16_t> along_, against_;                  // [cell] -> direction
  std::vector<Ring> rings_;
  std::vector<Barrier> barriers_;
};

// Builds a Board. Every method returns an empty string, or what is wrong in the words of the
// diagnostics ("no ring named `rim`"); a refused call changes nothing. The order of calls: the
// generator, then anything; the cells of a free graph before its links and places.
class Builder {
 public:
  // generators: exactly one of squares, hexes, cells
  std::string Squares(int width, int height, const CellSet& without_grid, bool wrap_files, bool wrap_ranks);
  // shape: "hexagon" (numbers: cells per side), "rhombus", "rectangle" (numbers: width height)
  std::string Hexes(std::string_view shape, const std::vector<int>& numbers);
  std::string Cell(const std::string& name);
  std::string Direction(const std::string& name);                    // free graphs; again: nothing
  std::string Link(int from, const std::string& direction, int to);  // free graphs; adds the direction

  // The cell of an uncut grid, for `without`: index (rank-1)*width + file-1, or -1.
  static int GridCell(std::string_view name, int width, int height);
  // The reverse of reading: "a1", "aa12".
  static std::string GridName(int file, int rank);

  // Adds `count` slots named "NAME[1]", …; gives the first through `first`.
  std::string Place(const std::string& name, int count, int* first);
  // Follows the rim that contains `start`: of the hole that has a cell of `around_grid` (numbered as
  // for `without`), else of the board if start lies on it, else of the only hole it touches. A rim is
  // made of the cells that touch the outside or the hole by an edge or a corner.
  std::string Ring(const std::string& name, bool clockwise, int start, const CellSet* around_grid = nullptr);
  // Cells of these rings face along them, for every player; where rings share a cell, the first listed
  // gives its `along`.
  std::string FacingAlong(const std::vector<std::string>& rings);
  std::string Face(int player, int direction);  // everywhere but on the rings of FacingAlong
  std::string DeflectAt(int cell, int from, int to);
  // Squares. Never overrides a DeflectAt, whichever comes first.
  std::string DeflectDiagonalsAtEdges();
  std::string Barrier(const std::string& name, const CellSet& one, const CellSet& other);
  // Adds the leap vectors of all symmetric forms of (a, b), clockwise from north; gives their labels.
  // Hexes: a steps along an edge direction and b along the next one, a sixth of a turn away.
  std::string Leap(int a, int b, std::vector<int>* labels);
  // Adds one vector (files, ranks; hexes: axial).
  std::string Vector(int files, int ranks, int* label);

  // The board as built so far, to resolve names while building.
  [[nodiscard]] const Board& peek() const { return board_; }
  Board Take() { return std::move(board_); }

 private:
  std::string GridProblem(int width, int height) const;
  void StartGrid(Shape shape, int width, int height);
  void AddGridCell(int file, int rank, int x, int y);
  int AddSlot(const std::string& name);  // a cell or a slot; the tables grow with it
  int AddLabel(const std::string& name, int dx, int dy, int turn, bool diagonal);
  void AddCompass();
  void FollowRing(const board::Ring& ring, const CellSet& cells);
  void MarkVector(board::Barrier& barrier, int label) const;

  Board board_;
  CellSet ring_faced_;                           // cells whose facing follows a ring
  std::vector<std::pair<int, int>> explicit_;    // (cell, heading) of DeflectAt
  std::vector<std::vector<int>> ring_headings_;  // per ring: direction from each cell to the next
};

}  // namespace arbiter::board
