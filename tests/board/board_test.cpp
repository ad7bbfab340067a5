// The board: generators, labels, rings, frames, deflections, barriers, refusals.
#include "board/board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "rollerball_board.h"

namespace arbiter::board {
namespace {

CellSet Cut(const std::string& names, int width, int height) {
  CellSet set;
  std::istringstream words(names);
  for (std::string name; words >> name;) {
    const int cell = Builder::GridCell(name, width, height);
    EXPECT_GE(cell, 0) << name;
    if (cell >= 0) set.set(static_cast<std::size_t>(cell));
  }
  return set;
}

CellSet Cells(const Board& board, const std::string& names) {
  CellSet set;
  std::istringstream words(names);
  for (std::string name; words >> name;) {
    EXPECT_GE(board.Find(name), 0) << name;
    if (board.Find(name) >= 0) set.set(static_cast<std::size_t>(board.Find(name)));
  }
  return set;
}

Builder SquaresBuilder(int width, int height, const std::string& holes = "", bool wrap_files = false,
                       bool wrap_ranks = false) {
  Builder builder;
  EXPECT_EQ(builder.Squares(width, height, Cut(holes, width, height), wrap_files, wrap_ranks), "");
  return builder;
}

Builder HexesBuilder(const std::string& shape, const std::vector<int>& numbers) {
  Builder builder;
  EXPECT_EQ(builder.Hexes(shape, numbers), "");
  return builder;
}

std::string RingText(const Board& board, std::size_t ring) {
  std::string out;
  for (const int cell : board.rings()[ring].cells) out += (out.empty() ? "" : " ") + board.name(cell);
  return out;
}

std::string Go(const Board& board, const std::string& cell, const std::string& direction) {
  const int to = board.Next(board.FindDirection(direction), board.Find(cell));
  return to < 0 ? "-" : board.name(to);
}

// ---- squares -----------------------------------------------------------------------------------

TEST(Squares, cells_are_numbered_rank_by_rank_and_holes_are_left_out) {
  const Board board = SquaresBuilder(3, 2, "b1").Take();
  ASSERT_EQ(board.size(), 5);
  const char* names[] = {"a1", "c1", "a2", "b2", "c2"};
  for (int cell = 0; cell < 5; ++cell) {
    EXPECT_EQ(board.name(cell), names[cell]);
    EXPECT_EQ(board.Find(names[cell]), cell);
    EXPECT_EQ(board.At(board.file(cell), board.rank(cell)), cell);
  }
  EXPECT_EQ(board.Find("b1"), -1);
  EXPECT_EQ(board.At(2, 1), -1);
  EXPECT_EQ(board.At(0, 1), -1);
  EXPECT_EQ(board.At(4, 1), -1);
  EXPECT_EQ(board.colour(board.Find("a1")), 0);
  EXPECT_EQ(board.colour(board.Find("c2")), 1);
  EXPECT_EQ(Go(board, "a1", "e"), "-");
  EXPECT_EQ(Go(board, "a1", "ne"), "b2");
}

TEST(Squares, names_beyond_z) {
  EXPECT_EQ(Builder::GridName(26, 1), "z1");
  EXPECT_EQ(Builder::GridName(27, 12), "aa12");
  EXPECT_EQ(Builder::GridName(53, 2), "ba2");
  for (int file = 1; file <= 60; ++file) {
    EXPECT_EQ(Builder::GridCell(Builder::GridName(file, 3), 60, 3), 2 * 60 + file - 1);
  }
  for (const char* bad :
       {"", "a", "1", "a0", "a01", "A1", "a5", "e1", "a1x", "a-1", "zzzzzzzzzzzzzzzz1", "a99999999999"}) {
    EXPECT_EQ(Builder::GridCell(bad, 4, 4), -1) << bad;
  }
}

TEST(Squares, leaps_take_all_symmetric_forms_clockwise_from_north) {
  Builder builder = SquaresBuilder(8, 8);
  std::vector<int> labels;
  ASSERT_EQ(builder.Leap(1, 2, &labels), "");
  std::string names;
  for (const int label : labels) names += builder.peek().label_name(label) + " ";
  EXPECT_EQ(names, "(1,2) (2,1) (2,-1) (1,-2) (-1,-2) (-2,-1) (-2,1) (-1,2) ");
  std::vector<int> again;
  ASSERT_EQ(builder.Leap(2, -1, &again), "");
  EXPECT_EQ(again, labels);
  // A leap that is a step is that direction.
  ASSERT_EQ(builder.Leap(0, 1, &labels), "");
  EXPECT_EQ(labels, (std::vector<int>{0, 2, 4, 6}));
  ASSERT_EQ(builder.Leap(0, 2, &labels), "");
  EXPECT_EQ(labels.size(), 4u);
  const Board board = builder.Take();
  EXPECT_EQ(board.Next(board.FindVector(1, 2), board.Find("g6")), board.Find("h8"));
  EXPECT_EQ(board.Next(board.FindVector(1, 2), board.Find("h6")), -1);
  // Turning: right angles for any vector, eighths for multiples of a direction that exist.
  EXPECT_EQ(board.Rotate(board.FindVector(1, 2), 2), board.FindVector(2, -1));
  EXPECT_EQ(board.Rotate(board.FindVector(1, 2), 1), -1);
  EXPECT_EQ(board.Rotate(board.FindVector(0, 2), -2), board.FindVector(-2, 0));
  EXPECT_EQ(board.Rotate(board.FindVector(0, 2), 1), -1);
}

TEST(Squares, leaps_go_round_a_wrapped_board) {
  Builder builder = SquaresBuilder(5, 4, "", true, true);
  std::vector<int> labels;
  ASSERT_EQ(builder.Leap(1, 2, &labels), "");
  const Board board = builder.Take();
  EXPECT_EQ(board.Next(board.FindVector(2, -1), board.Find("e1")), board.Find("b4"));
}

TEST(Squares, places_have_no_edges_and_come_last) {
  Builder builder = SquaresBuilder(2, 2);
  int first = -1;
  ASSERT_EQ(builder.Place("out[White]", 3, &first), "");
  EXPECT_EQ(first, 4);
  ASSERT_EQ(builder.Place("out[Black]", 2, &first), "");
  std::vector<int> labels;
  ASSERT_EQ(builder.Leap(0, 1, &labels), "");  // a label added after a place
  const Board board = builder.Take();
  EXPECT_EQ(board.board_size(), 4);
  EXPECT_EQ(board.size(), 9);
  EXPECT_EQ(board.Find("out[Black][2]"), 8);
  EXPECT_EQ(board.cells().count(), 4u);
  for (int cell = 4; cell < 9; ++cell) {
    EXPECT_TRUE(board.is_place(cell));
    EXPECT_EQ(board.rank(cell), 0);
    EXPECT_EQ(board.colour(cell), -1);
    for (int l = 0; l < board.label_count(); ++l) EXPECT_EQ(board.Next(l, cell), -1);
  }
  EXPECT_EQ(Go(board, "a1", "ne"), "b2");  // the rows of the table moved with the places
}

// ---- small worlds, exhaustively ----------------------------------------------------------------

TEST(SmallWorlds, opposite_labels_lead_back_on_every_wrap_and_hole) {
  for (int width = 1; width <= 4; ++width) {
    for (int height = 1; height <= 3; ++height) {
      for (int wraps = 0; wraps < 4; ++wraps) {
        const bool wrap_files = (wraps & 1) != 0;
        const bool wrap_ranks = (wraps & 2) != 0;
        if ((wrap_files && width < 2) || (wrap_ranks && height < 2)) continue;
        for (int hole = -1; hole < width * height; ++hole) {
          if (hole >= 0 && width * height == 1) continue;
          CellSet cut;
          if (hole >= 0) cut.set(static_cast<std::size_t>(hole));
          Builder builder;
          ASSERT_EQ(builder.Squares(width, height, cut, wrap_files, wrap_ranks), "");
          std::vector<int> leaps;
          ASSERT_EQ(builder.Leap(1, 2, &leaps), "");
          const Board board = builder.Take();
          for (int l = 0; l < board.label_count(); ++l) {
            const int back = board.Rotate(l, 4);
            ASSERT_GE(back, 0);
            ASSERT_EQ(board.Rotate(back, 4), l);
            for (int cell = 0; cell < board.size(); ++cell) {
              const int to = board.Next(l, cell);
              if (to >= 0) {
                ASSERT_EQ(board.Next(back, to), cell);
              }
            }
          }
          // Each direction is what the coordinates say.
          for (int cell = 0; cell < board.size(); ++cell) {
            int file = board.file(cell) + 1;
            if (wrap_files) file = (file - 1) % width + 1;
            ASSERT_EQ(board.Next(board.FindDirection("e"), cell), board.At(file, board.rank(cell)));
          }
        }
      }
    }
  }
}

// Every 4 x 4 board with any cells cut: a ring is a cycle of steps through cells that touch no cell,
// each once, and `against` undoes `along`.
TEST(SmallWorlds, rings_of_every_4x4_board_are_cycles_along_a_rim) {
  int rings = 0;
  int refused = 0;
  for (unsigned cut = 0; cut < 0xffffu; cut += 31) {  // some two thousand of them, spread evenly
    for (const bool wrap : {false, true}) {
      for (std::size_t start = 0; start < 3; ++start) {
        Builder builder;
        ASSERT_EQ(builder.Squares(4, 4, CellSet(cut), wrap, false), "");
        if (static_cast<int>(start) >= builder.peek().size()) continue;
        const std::string problem = builder.Ring("rim", true, static_cast<int>(start));
        if (!problem.empty()) {
          ++refused;
          ASSERT_TRUE(builder.peek().rings().empty());
          continue;
        }
        ++rings;
        const Board board = builder.Take();
        const std::vector<int>& cells = board.rings()[0].cells;
        ASSERT_EQ(cells[0], static_cast<int>(start));
        CellSet seen;
        for (std::size_t i = 0; i < cells.size(); ++i) {
          const int next = cells[(i + 1) % cells.size()];
          const int along = board.Way(Relative::kAlong, 0, cells[i]);
          ASSERT_GE(along, 0);
          ASSERT_FALSE(board.is_diagonal(along));
          ASSERT_EQ(board.Next(along, cells[i]), next);
          ASSERT_EQ(board.Next(board.Way(Relative::kAgainst, 0, next), next), cells[i]);
          ASSERT_FALSE(seen.test(static_cast<std::size_t>(cells[i])));
          seen.set(static_cast<std::size_t>(cells[i]));
          bool touches = false;
          for (int d = 0; d < 8; ++d) touches |= board.Next(d, cells[i]) < 0;
          ASSERT_TRUE(touches);
        }
        // The other way round is the same cycle, backwards.
        Builder other;
        ASSERT_EQ(other.Squares(4, 4, CellSet(cut), wrap, false), "");
        ASSERT_EQ(other.Ring("rim", false, static_cast<int>(start)), "");
        std::vector<int> back = other.peek().rings()[0].cells;
        std::reverse(back.begin() + 1, back.end());
        ASSERT_EQ(back, cells);
      }
    }
  }
  EXPECT_GT(rings, 1000);
  EXPECT_GT(refused, 1000);
}

// ---- rings -------------------------------------------------------------------------------------

struct RingCase {
  const char* what;
  int width, height;
  const char* holes;
  bool wrap;
  bool clockwise;
  const char* start;
  const char* around;
  const char* expected;  // cells, or a refusal
};

const RingCase kRings[] = {
    {"the rim of a plain board", 3, 3, "", false, true, "a1", "", "a1 a2 a3 b3 c3 c2 c1 b1"},
    {"the other way, starting elsewhere", 3, 3, "", false, false, "b3", "", "b3 a3 a2 a1 b1 c1 c2 c3"},
    {"a hole of one cell", 5, 5, "c3", false, true, "b2", "", "b2 b3 b4 c4 d4 d3 d2 c2"},
    {"a hole touched by corners only is one hole", 6, 6, "c3 d4", false, true, "b2", "",
     "b2 b3 b4 c4 c5 d5 e5 e4 e3 d3 d2 c2"},
    {"a cut corner belongs to the outside", 3, 3, "a1", false, true, "b1", "", "b1 b2 a2 a3 b3 c3 c2 c1"},
    {"board and hole share one rim", 3, 3, "b2", false, true, "a1", "", "a1 a2 a3 b3 c3 c2 c1 b1"},
    {"the board's rim is preferred", 4, 4, "b2", false, true, "a1", "", "a1 a2 a3 a4 b4 c4 d4 d3 d2 d1 c1 b1"},
    {"around names the hole", 4, 4, "b2", false, true, "a1", "b2", "a1 a2 a3 b3 c3 c2 c1 b1"},
    {"two holes", 7, 5, "c3 e3", false, true, "d3", "",
     "`d3` lies on several rims; say which hole the ring runs around"},
    {"one of two holes", 7, 5, "c3 e3", false, true, "d3", "e3", "d3 d4 e4 f4 f3 f2 e2 d2"},
    {"around a cell", 5, 5, "c3", false, true, "b2", "b2", "`b2` is a cell of the board; a ring runs around a hole"},
    {"not at that hole", 7, 5, "c3 e3", false, true, "b3", "e3",
     "`b3` does not touch the hole that the ring runs around"},
    {"inside the board", 5, 5, "", false, true, "c3", "", "`c3` touches neither the rim of the board nor a hole"},
    {"a line", 3, 1, "", false, true, "a1", "",
     "the rim of the board passes `b1` twice; a ring passes each of its cells once"},
    {"one cell", 3, 1, "b1", false, true, "a1", "", "the rim of the board is the single cell `a1`"},
    {"the lower rim of a cylinder runs west", 4, 3, "", true, true, "a1", "", "a1 d1 c1 b1"},
    {"the upper rim of a cylinder runs east", 4, 3, "", true, true, "a3", "", "a3 b3 c3 d3"},
    {"an island", 5, 5, "b2 c2 d2 b3 d3 b4 c4 d4", false, true, "c3", "",
     "the rim of the hole is the single cell `c3`"},
    {"a hole across the seam", 4, 5, "a3 d3", true, true, "b3", "", "b3 b2 a2 d2 c2 c3 c4 d4 a4 b4"},
    {"an inlet", 6, 5, "b2 c2 d2 b3 d3", false, true, "a1", "b2",
     "the rim of the hole passes `c4` twice; a ring passes each of its cells once"},
};

TEST(Rings, cases) {
  for (const RingCase& test : kRings) {
    SCOPED_TRACE(test.what);
    Builder builder = SquaresBuilder(test.width, test.height, test.holes, test.wrap);
    const CellSet around = Cut(test.around, test.width, test.height);
    const std::string problem = builder.Ring("r", test.clockwise, builder.peek().Find(test.start), &around);
    EXPECT_EQ(problem.empty() ? RingText(builder.peek(), 0) : problem, test.expected);
  }
}

TEST(Rings, of_hexes) {
  Builder builder = HexesBuilder("hexagon", {2});
  ASSERT_EQ(builder.Ring("rim", true, builder.peek().Find("a1")), "");
  EXPECT_EQ(RingText(builder.peek(), 0), "a1 a2 b3 c3 c2 b1");
  Builder rectangle = HexesBuilder("rectangle", {3, 2});
  ASSERT_EQ(rectangle.Ring("rim", true, rectangle.peek().Find("a1")), "");
  EXPECT_EQ(RingText(rectangle.peek(), 0), "a1 a2 b2 c2 c1 b1");
}

TEST(Rings, a_later_ring_leaves_the_earlier_ones_cells) {
  Builder builder = SquaresBuilder(4, 4, "b2");
  const CellSet around = Cut("b2", 4, 4);
  ASSERT_EQ(builder.Ring("rim", true, 0), "");
  ASSERT_EQ(builder.Ring("hole", true, 0, &around), "");
  const int a3 = builder.peek().Find("a3");
  EXPECT_EQ(builder.peek().Way(Relative::kAlong, 0, a3), builder.peek().FindDirection("n"));
  // FacingAlong orders them anew.
  ASSERT_EQ(builder.FacingAlong({"hole", "rim"}), "");
  EXPECT_EQ(builder.peek().Way(Relative::kAlong, 0, a3), builder.peek().FindDirection("e"));
  EXPECT_EQ(builder.peek().Facing(1, a3), builder.peek().FindDirection("e"));
  EXPECT_EQ(builder.FacingAlong({"rim", "rin"}), "no ring named `rin`");
  EXPECT_EQ(builder.Ring("rim", true, 0), "there are two rings named `rim`");
}

// ---- frames ------------------------------------------------------------------------------------

struct WayCase {
  Relative relative;
  const char* facing_n;
  const char* facing_s;
};
const WayCase kSquareWays[] = {
    {Relative::kForward, "n", "s"},  {Relative::kForwardRight, "ne", "sw"},
    {Relative::kRight, "e", "w"},    {Relative::kBackwardRight, "se", "nw"},
    {Relative::kBackward, "s", "n"}, {Relative::kBackwardLeft, "sw", "ne"},
    {Relative::kLeft, "w", "e"},     {Relative::kForwardLeft, "nw", "se"},
};
const WayCase kHexWays[] = {
    {Relative::kForward, "n", "s"},  {Relative::kForwardRight, "nne", "ssw"},
    {Relative::kRight, "e", "w"},    {Relative::kBackwardRight, "sse", "nnw"},
    {Relative::kBackward, "s", "n"}, {Relative::kBackwardLeft, "ssw", "nne"},
    {Relative::kLeft, "w", "e"},     {Relative::kForwardLeft, "nnw", "sse"},
};

TEST(Frames, relative_directions_turn_with_the_facing) {
  for (const bool hexes : {false, true}) {
    Builder builder = hexes ? HexesBuilder("hexagon", {3}) : SquaresBuilder(3, 3);
    ASSERT_EQ(builder.Face(0, builder.peek().FindDirection("n")), "");
    ASSERT_EQ(builder.Face(1, builder.peek().FindDirection("s")), "");
    int place = -1;
    ASSERT_EQ(builder.Place("out", 1, &place), "");
    const Board board = builder.Take();
    const int cell = board.Find("b2");
    for (const WayCase& test : hexes ? kHexWays : kSquareWays) {
      EXPECT_EQ(board.label_name(board.Way(test.relative, 0, cell)), test.facing_n);
      EXPECT_EQ(board.label_name(board.Way(test.relative, 1, cell)), test.facing_s);
      EXPECT_EQ(board.Way(test.relative, 2, cell), -1);   // a player without facing
      EXPECT_EQ(board.Way(test.relative, 0, place), -1);  // a place
    }
    EXPECT_EQ(board.Way(Relative::kAlong, 0, cell), -1);
  }
}

TEST(Frames, ring_facing_wins_over_the_players_whichever_comes_first) {
  for (const bool ring_first : {false, true}) {
    Builder builder = SquaresBuilder(3, 3);
    ASSERT_EQ(builder.Ring("rim", true, 0), "");
    if (ring_first) {
      ASSERT_EQ(builder.FacingAlong({"rim"}), "");
    }
    ASSERT_EQ(builder.Face(0, builder.peek().FindDirection("w")), "");
    if (!ring_first) {
      ASSERT_EQ(builder.FacingAlong({"rim"}), "");
    }
    const Board board = builder.Take();
    EXPECT_EQ(board.label_name(board.Facing(0, board.Find("a1"))), "n");
    EXPECT_EQ(board.label_name(board.Facing(1, board.Find("a1"))), "n");
    EXPECT_EQ(board.label_name(board.Facing(0, board.Find("b2"))), "w");
    EXPECT_EQ(board.Facing(1, board.Find("b2")), -1);
  }
}

// ---- deflections -------------------------------------------------------------------------------

TEST(Deflections, diagonals_at_edges_reverse_the_one_missing_component) {
  Builder builder = SquaresBuilder(5, 5, "c3");
  ASSERT_EQ(builder.DeflectDiagonalsAtEdges(), "");
  const Board board = builder.Take();
  const auto deflect = [&](const char* cell, const char* heading) {
    const int to = board.Deflect(board.Find(cell), board.FindDirection(heading));
    return to < 0 ? std::string("-") : board.label_name(to);
  };
  EXPECT_EQ(deflect("c5", "ne"), "se");
  EXPECT_EQ(deflect("c5", "nw"), "sw");
  EXPECT_EQ(deflect("c5", "se"), "-");  // the step exists
  EXPECT_EQ(deflect("a2", "nw"), "ne");
  EXPECT_EQ(deflect("a2", "sw"), "se");
  EXPECT_EQ(deflect("a1", "sw"), "-");  // both components missing
  EXPECT_EQ(deflect("a1", "se"), "ne");
  EXPECT_EQ(deflect("a1", "nw"), "ne");
  EXPECT_EQ(deflect("b2", "ne"), "-");  // the hole's corner: no component missing
  EXPECT_EQ(deflect("c2", "ne"), "-");  // d3 is a cell: the diagonal step exists, though c3 does not
  EXPECT_EQ(deflect("c5", "n"), "-");   // not a diagonal
}

TEST(Deflections, at_wins_over_edges_whichever_comes_first) {
  for (const bool at_first : {false, true}) {
    Builder builder = SquaresBuilder(3, 3);
    const int ne = builder.peek().FindDirection("ne");
    const int b3 = builder.peek().Find("b3");
    const int s = builder.peek().FindDirection("s");
    if (at_first) {
      ASSERT_EQ(builder.DeflectAt(b3, ne, s), "");
    }
    ASSERT_EQ(builder.DeflectDiagonalsAtEdges(), "");
    if (!at_first) {
      ASSERT_EQ(builder.DeflectAt(b3, ne, s), "");
    }
    EXPECT_EQ(builder.DeflectAt(b3, ne, s), "");
    EXPECT_EQ(builder.DeflectAt(b3, ne, ne), "at `b3` `ne` is deflected to `s` already");
    EXPECT_EQ(builder.peek().Deflect(b3, ne), s);
  }
}

TEST(Deflections, a_cylinder_has_no_edge_at_its_seam) {
  Builder builder = SquaresBuilder(3, 3, "", true);
  ASSERT_EQ(builder.DeflectDiagonalsAtEdges(), "");
  const Board& board = builder.peek();
  EXPECT_EQ(board.Deflect(board.Find("c2"), board.FindDirection("ne")), -1);
  EXPECT_EQ(board.Deflect(board.Find("c3"), board.FindDirection("ne")), board.FindDirection("se"));
}

// ---- barriers ----------------------------------------------------------------------------------

TEST(Barriers, a_net_marks_its_edges_and_parts_the_board) {
  Builder builder = SquaresBuilder(4, 4);
  std::vector<int> leaps;
  ASSERT_EQ(builder.Leap(1, 2, &leaps), "");
  const Board& board = builder.peek();
  ASSERT_EQ(builder.Barrier("net", Cells(board, "a2 b2 c2 d2"), Cells(board, "a3 b3 c3 d3")), "");
  ASSERT_EQ(builder.Leap(0, 3, &leaps), "");  // a leap added later crosses too
  const Barrier& net = board.barriers()[0];
  const auto crosses = [&](const char* from, const char* to) {
    int marked = -1;
    for (int l = 0; l < board.label_count(); ++l) {
      if (board.Next(l, board.Find(from)) != board.Find(to)) continue;
      marked = net.edges[static_cast<std::size_t>(board.Find(from))].test(static_cast<std::size_t>(l)) ? 1 : 0;
    }
    return marked;
  };
  EXPECT_EQ(crosses("a2", "a3"), 1);
  EXPECT_EQ(crosses("a3", "b2"), 1);
  EXPECT_EQ(crosses("a1", "a2"), 0);
  EXPECT_EQ(crosses("a1", "b3"), 1);
  EXPECT_EQ(crosses("a1", "a4"), 1);
  EXPECT_EQ(crosses("a1", "c2"), 0);
  for (int cell = 0; cell < board.size(); ++cell) {
    EXPECT_EQ(net.side[static_cast<std::size_t>(cell)], board.rank(cell) <= 2 ? 0 : 1);
  }
}

TEST(Barriers, a_wall_that_parts_nothing_is_crossed_only_between_its_cells) {
  Builder builder = SquaresBuilder(3, 3);
  const Board& board = builder.peek();
  ASSERT_EQ(builder.Barrier("wall", Cells(board, "a2"), Cells(board, "b2")), "");
  const Barrier& wall = board.barriers()[0];
  EXPECT_TRUE(wall.Parts(board.Find("a2"), board.Find("b2")));
  EXPECT_FALSE(wall.Parts(board.Find("a1"), board.Find("c3")));
  std::size_t edges = 0;
  for (const LabelSet& set : wall.edges) edges += set.count();
  EXPECT_EQ(edges, 2u);
}

// ---- hexes -------------------------------------------------------------------------------------

TEST(Hexes, shapes) {
  struct Case {
    const char* shape;
    std::vector<int> numbers;
    int cells;
  };
  for (const Case& test : {Case{"hexagon", {1}, 1}, Case{"hexagon", {2}, 7}, Case{"hexagon", {6}, 91},
                           Case{"hexagon", {9}, 217}, Case{"rhombus", {4, 3}, 12}, Case{"rectangle", {5, 4}, 20}}) {
    const Board board = HexesBuilder(test.shape, test.numbers).Take();
    EXPECT_EQ(board.size(), test.cells);
    for (int cell = 0; cell < board.size(); ++cell) {
      EXPECT_EQ(board.Find(board.name(cell)), cell);
      const Point here = board.position(cell);
      for (int d = 0; d < 12; ++d) {
        const int to = board.Next(d, cell);
        if (to < 0) continue;
        // Edge steps are 1 long and vertex steps sqrt(3), each at its angle clockwise from north.
        const Point there = board.position(to);
        const double angle = 3.14159265358979 * d / 6;
        const double length = d % 2 == 0 ? 1 : 1.7320508075688772;
        EXPECT_NEAR(there.x - here.x, length * std::sin(angle), 1e-9);
        EXPECT_NEAR(there.y - here.y, length * std::cos(angle), 1e-9);
        EXPECT_EQ(board.Next(board.Rotate(d, 6), to), cell);
        if (board.is_diagonal(d)) {
          EXPECT_EQ(board.colour(cell), board.colour(to));
        } else {
          EXPECT_NE(board.colour(cell), board.colour(to));
        }
      }
    }
  }
}

TEST(Hexes, a_hexagon_is_named_along_its_files) {
  const Board board = HexesBuilder("hexagon", {2}).Take();
  std::string names;
  for (int cell = 0; cell < board.size(); ++cell) names += board.name(cell) + " ";
  EXPECT_EQ(names, "a1 b1 a2 b2 c2 b3 c3 ");
  EXPECT_EQ(Go(board, "a1", "n"), "a2");
  EXPECT_EQ(Go(board, "a1", "ne"), "b2");
  EXPECT_EQ(Go(board, "a1", "se"), "b1");
  EXPECT_EQ(Go(board, "a1", "e"), "c2");
  EXPECT_EQ(Go(board, "a1", "sw"), "-");
}

TEST(Hexes, leaps_have_twelve_forms) {
  Builder builder = HexesBuilder("hexagon", {6});
  std::vector<int> labels;
  ASSERT_EQ(builder.Leap(1, 2, &labels), "");
  EXPECT_EQ(labels.size(), 12u);
  const Board& board = builder.peek();
  const int centre = board.Find("f6");
  CellSet ends;
  for (const int label : labels) {
    const int to = board.Next(label, centre);
    ASSERT_GE(to, 0);
    const Point p = board.position(centre);
    const Point q = board.position(to);
    EXPECT_NEAR((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y), 7.0, 1e-9);
    ends.set(static_cast<std::size_t>(to));
    EXPECT_EQ(board.Next(board.Rotate(label, 6), to), centre);
    EXPECT_EQ(board.Rotate(label, 1), -1);
  }
  EXPECT_EQ(ends.count(), 12u);
  ASSERT_EQ(builder.Leap(1, 1, &labels), "");
  EXPECT_EQ(labels, (std::vector<int>{1, 3, 5, 7, 9, 11}));  // the vertex directions
  ASSERT_EQ(builder.Leap(0, 2, &labels), "");
  EXPECT_EQ(labels.size(), 6u);
}

// ---- free graphs -------------------------------------------------------------------------------

TEST(Graphs, links_are_directed_and_compass_names_turn) {
  Builder builder;
  for (const char* name : {"hall", "roof", "cellar", "山"}) ASSERT_EQ(builder.Cell(name), "");
  ASSERT_EQ(builder.Link(0, "up", 1), "");
  ASSERT_EQ(builder.Link(0, "n", 2), "");
  ASSERT_EQ(builder.Link(2, "s", 0), "");
  ASSERT_EQ(builder.Face(0, builder.peek().FindDirection("n")), "");
  const Board board = builder.Take();
  EXPECT_EQ(Go(board, "hall", "up"), "roof");
  EXPECT_EQ(Go(board, "roof", "up"), "-");
  EXPECT_EQ(board.Find("山"), 3);
  EXPECT_EQ(board.label_name(board.Way(Relative::kBackward, 0, 0)), "s");
  EXPECT_EQ(board.Way(Relative::kRight, 0, 0), -1);
  EXPECT_EQ(board.Rotate(board.FindDirection("up"), 4), -1);
  EXPECT_EQ(board.rank(0), 0);
  EXPECT_EQ(board.colour(0), -1);
}

// ---- refusals ----------------------------------------------------------------------------------

TEST(Refusals, say_what_was_found_and_change_nothing) {
  Builder builder;
  EXPECT_EQ(builder.Squares(0, 8, {}, false, false), "a board needs at least 1 file and 1 rank");
  EXPECT_EQ(builder.Squares(17, 16, {}, false, false), "17 x 16 cells are more than the limit of 256");
  EXPECT_EQ(builder.Squares(2000000000, 2000000000, {}, false, false),
            "2000000000 x 2000000000 cells are more than the limit of 256");
  EXPECT_EQ(builder.Squares(1, 8, {}, true, false), "`wrap files` needs at least 2 files");
  EXPECT_EQ(builder.Squares(2, 1, CellSet(3), false, false), "no cell is left of the board");
  EXPECT_EQ(builder.Hexes("star", {3}), "no hexes of the shape `star`; there are hexagon, rhombus and rectangle");
  EXPECT_EQ(builder.Hexes("hexagon", {3, 4}), "`hexes hexagon` needs one number, the cells per side");
  EXPECT_EQ(builder.Hexes("hexagon", {10}), "a hexagon of side 10 has more cells than the limit of 256");
  EXPECT_EQ(builder.Hexes("hexagon", {2000000000}),
            "a hexagon of side 2000000000 has more cells than the limit of 256");
  EXPECT_EQ(builder.Hexes("rhombus", {3}), "`hexes rhombus` needs two numbers, files and ranks");
  int first = -1;
  EXPECT_EQ(builder.Place("out", 1, &first), "a place needs a board with cells first");
  ASSERT_EQ(builder.Squares(15, 16, {}, false, false), "");
  EXPECT_EQ(builder.Squares(8, 8, {}, false, false), "the board has its cells already");
  EXPECT_EQ(builder.Cell("x"), "the board has its cells already");
  EXPECT_EQ(builder.Link(0, "up", 1), "only a board of named cells has links");
  EXPECT_EQ(builder.Place("out", 17, &first), "257 cells and places are more than the limit of 256");
  EXPECT_EQ(builder.Place("out", 2147483647, &first), "2147483887 cells and places are more than the limit of 256");
  EXPECT_EQ(builder.Place("out", 16, &first), "");
  EXPECT_EQ(builder.Face(8, 0), "there are at most 8 players");
  EXPECT_EQ(builder.Face(0, 8), "players face a direction of the board");
  EXPECT_EQ(builder.DeflectAt(250, 0, 1), "a deflection needs a cell of the board");
  int label = -1;
  EXPECT_EQ(builder.Vector(0, 0, &label), "a leap of (0, 0) goes nowhere");
  EXPECT_EQ(builder.Vector(-2147483647 - 1, 1, &label), "this leap is longer than any board");
  const Board& board = builder.peek();
  EXPECT_EQ(builder.Barrier("net", Cells(board, "a1"), Cells(board, "a1 a2")),
            "`a1` is on both sides of the barrier `net`");
  EXPECT_EQ(builder.Barrier("net", Cells(board, "a1"), Cells(board, "a3")),
            "no step leads from one side of the barrier `net` to the other");
  EXPECT_TRUE(board.barriers().empty());
  std::vector<int> labels;
  std::string problem;
  int kinds = 0;
  for (int a = 2; a < 30 && problem.empty(); ++a, ++kinds) problem = builder.Leap(1, a, &labels);
  EXPECT_EQ(kinds, 15);
  EXPECT_EQ(problem, "the leaps of this board need more than the limit of 120 directions and vectors");
  EXPECT_EQ(board.label_count(), 120);
}

TEST(Refusals, of_free_graphs) {
  Builder builder;
  ASSERT_EQ(builder.Cell("x"), "");
  ASSERT_EQ(builder.Cell("y"), "");
  EXPECT_EQ(builder.Cell("x"), "there are two cells named `x`");
  EXPECT_EQ(builder.Link(0, "up", 0), "this link leads from `x` to itself");
  EXPECT_EQ(builder.Link(0, "up", 2), "a link leads from a cell of the board to another");
  ASSERT_EQ(builder.Link(0, "up", 1), "");
  EXPECT_EQ(builder.Link(0, "up", 1), "`x` has a link `up` already, to `y`");
  EXPECT_EQ(builder.Ring("r", true, 0), "a ring needs a board of squares or hexes");
  std::vector<int> labels;
  EXPECT_EQ(builder.Leap(1, 2, &labels), "a leap needs a board of squares or hexes");
  EXPECT_EQ(builder.DeflectDiagonalsAtEdges(), "`deflect diagonals at edges` is for boards of squares");
  int first = -1;
  ASSERT_EQ(builder.Place("out", 1, &first), "");
  EXPECT_EQ(builder.Cell("z"), "the cells of a board come before its places");
  for (int i = 1; i < kMaxLabels; ++i) ASSERT_EQ(builder.Direction("d" + std::to_string(i)), "");
  EXPECT_EQ(builder.Direction("more"), "direction `more` is beyond the limit of 120");
}

// ---- dump --------------------------------------------------------------------------------------

TEST(Dump, shows_one_fact_a_line) {
  Builder builder = SquaresBuilder(2, 2, "b2");
  ASSERT_EQ(builder.Face(0, 0), "");
  ASSERT_EQ(builder.Face(1, 0), "");
  int first = -1;
  ASSERT_EQ(builder.Place("out", 1, &first), "");
  const Board& board = builder.peek();
  ASSERT_EQ(builder.DeflectAt(0, 0, 2), "");
  ASSERT_EQ(builder.Barrier("wall", Cells(board, "a1"), Cells(board, "b1")), "");
  EXPECT_EQ(board.Dump(),
            "squares 2 x 2, 3 cells\n"
            "  a2 #\n"
            "  a1 b1\n"
            "directions n ne e se s sw w nw\n"
            "places out[1]\n"
            "facing of player 0\n"
            "  n   #\n"
            "  n   n\n"
            "facing of player 1: as player 0\n"
            "deflect at a1 n -> e\n"
            "barrier wall: one side a1; other side b1\n");
}

}  // namespace
}  // namespace arbiter::board
