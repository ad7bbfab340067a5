// What Boost.Graph answers about a board, against naive answers.
#include "board/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "rollerball_board.h"

namespace arbiter::board {
namespace {

Board Squares(int width, int height, bool wrap_files = false, bool wrap_ranks = false, unsigned cut = 0) {
  Builder builder;
  EXPECT_EQ(builder.Squares(width, height, CellSet(cut), wrap_files, wrap_ranks), "");
  return builder.Take();
}

Board Free(int cells, const std::vector<std::pair<int, int>>& links) {
  Builder builder;
  for (int i = 0; i < cells; ++i) EXPECT_EQ(builder.Cell("c" + std::to_string(i)), "");
  int n = 0;
  for (const auto& [from, to] : links) EXPECT_EQ(builder.Link(from, "d" + std::to_string(n++), to), "");
  return builder.Take();
}

// Rounds of relaxation: obviously the least number of steps.
std::vector<int> NaiveDistances(const Board& board, int from, const LabelSet& labels) {
  std::vector<int> distance(static_cast<std::size_t>(board.board_size()), -1);
  distance[static_cast<std::size_t>(from)] = 0;
  for (int round = 0; round < board.board_size(); ++round) {
    for (int cell = 0; cell < board.board_size(); ++cell) {
      if (distance[static_cast<std::size_t>(cell)] != round) continue;
      for (int l = 0; l < board.label_count(); ++l) {
        const int to = labels.test(static_cast<std::size_t>(l)) ? board.Next(l, cell) : -1;
        if (to >= 0 && distance[static_cast<std::size_t>(to)] < 0) distance[static_cast<std::size_t>(to)] = round + 1;
      }
    }
  }
  return distance;
}

TEST(Distances, agree_with_naive_ones_on_every_small_board) {
  for (int width = 1; width <= 4; ++width) {
    for (int height = 1; height <= 3; ++height) {
      for (unsigned cut = 0; cut < (1u << (width * height)) - 1; cut += 5) {
        for (int wraps = 0; wraps < 4; ++wraps) {
          if (((wraps & 1) != 0 && width < 2) || ((wraps & 2) != 0 && height < 2)) continue;
          const Board board = Squares(width, height, (wraps & 1) != 0, (wraps & 2) != 0, cut);
          for (const unsigned labels : {0xffu, 0x55u, 0xaau, 0x05u}) {
            for (int from = 0; from < board.size(); ++from) {
              const std::vector<int> distances = Distances(board, from, LabelSet(labels));
              ASSERT_EQ(distances, NaiveDistances(board, from, LabelSet(labels)));
              CellSet start;
              start.set(static_cast<std::size_t>(from));
              const CellSet reached = Reachable(board, start, LabelSet(labels));
              for (std::size_t c = 0; c < distances.size(); ++c) ASSERT_EQ(reached.test(c), distances[c] >= 0);
            }
          }
        }
      }
    }
  }
}

TEST(Components, one_way_links_make_dead_ends) {
  // 0 <-> 1 -> 2 <-> 3, 4 alone with a link into 0
  const Board board = Free(5, {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}, {4, 0}});
  const LabelSet all = Labels(board, false);
  const Components components = StrongComponents(board, all);
  EXPECT_EQ(components.of, (std::vector<int>{0, 0, 1, 1, 2}));
  EXPECT_EQ(components.entered, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(components.left, (std::vector<bool>{true, false, true}));
  EXPECT_EQ(DeadEnds(board, all).to_ulong(), 0b01100u);
  EXPECT_EQ(Unreachable(board, all).to_ulong(), 0b10000u);
}

TEST(Components, a_board_of_squares_is_one_component_without_dead_ends) {
  const Board board = RollerballBuilder().Take();
  const LabelSet all = Labels(board, false);
  EXPECT_EQ(StrongComponents(board, all).count(), 1);
  EXPECT_TRUE(DeadEnds(board, all).none());
  EXPECT_TRUE(Unreachable(board, all).none());
  // Diagonals keep their colour.
  LabelSet diagonals;
  for (const int d : {1, 3, 5, 7}) diagonals.set(static_cast<std::size_t>(d));
  EXPECT_EQ(StrongComponents(board, diagonals).count(), 2);
}

// ---- symmetries --------------------------------------------------------------------------------

void ExpectSymmetries(const Board& board, const Symmetries& symmetries, std::size_t count) {
  EXPECT_TRUE(symmetries.complete);
  EXPECT_EQ(symmetries.found.size(), count);
  std::set<std::vector<int>> different;
  for (const Symmetry& symmetry : symmetries.found) {
    different.insert(symmetry.cells);
    std::vector<int> sorted = symmetry.cells;
    std::sort(sorted.begin(), sorted.end());
    for (int cell = 0; cell < board.board_size(); ++cell) ASSERT_EQ(sorted[static_cast<std::size_t>(cell)], cell);
    for (int d = 0; d < board.direction_count(); ++d) {
      const int image = symmetry.labels[static_cast<std::size_t>(d)];
      ASSERT_GE(image, 0);
      for (int cell = 0; cell < board.board_size(); ++cell) {
        const int to = board.Next(d, cell);
        const int expected = to < 0 ? -1 : symmetry.cells[static_cast<std::size_t>(to)];
        ASSERT_EQ(board.Next(image, symmetry.cells[static_cast<std::size_t>(cell)]), expected);
      }
    }
  }
  EXPECT_EQ(different.size(), count);
  ASSERT_FALSE(symmetries.found.empty());
  for (int cell = 0; cell < board.board_size(); ++cell) {
    EXPECT_EQ(symmetries.found[0].cells[static_cast<std::size_t>(cell)], cell);  // the identity
  }
}

TEST(Symmetries, of_familiar_boards) {
  struct Case {
    const char* what;
    Board board;
    std::size_t count;
  };
  Builder hexagon;
  ASSERT_EQ(hexagon.Hexes("hexagon", {4}), "");
  Builder rhombus;
  ASSERT_EQ(rhombus.Hexes("rhombus", {4, 4}), "");
  std::vector<Case> cases;
  cases.push_back({"8 x 8", Squares(8, 8), 8});
  cases.push_back({"5 x 8", Squares(5, 8), 4});
  cases.push_back({"a cylinder", Squares(5, 4, true), 20});
  cases.push_back({"a torus", Squares(5, 4, true, true), 80});
  cases.push_back({"a square torus", Squares(5, 5, true, true), 200});
  cases.push_back({"without a corner", Squares(4, 4, false, false, 1), 2});
  cases.push_back({"rollerball", RollerballBuilder().Take(), 8});
  cases.push_back({"a hexagon", hexagon.Take(), 12});
  cases.push_back({"a rhombus", rhombus.Take(), 4});
  cases.push_back({"one cell", Squares(1, 1), 1});
  for (const Case& test : cases) {
    SCOPED_TRACE(test.what);
    ExpectSymmetries(test.board, FindSymmetries(test.board), test.count);
  }
}

// On tiny boards every permutation of the cells can be tried.
TEST(Symmetries, agree_with_trying_every_permutation) {
  for (int wraps = 0; wraps < 4; ++wraps) {
    for (unsigned cut = 0; cut < 63; ++cut) {
      const Board board = Squares(3, 2, (wraps & 1) != 0, (wraps & 2) != 0, cut);
      std::vector<int> cells(static_cast<std::size_t>(board.board_size()));
      for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<int>(i);
      std::set<std::vector<int>> naive;
      do {
        // A permutation of the eight directions exists if the steps, as functions, are the same multiset.
        std::multiset<std::vector<int>> images;
        std::multiset<std::vector<int>> steps;
        for (int d = 0; d < 8; ++d) {
          std::vector<int> step(cells.size());
          std::vector<int> image(cells.size());
          for (std::size_t c = 0; c < cells.size(); ++c) {
            const int to = board.Next(d, static_cast<int>(c));
            step[c] = to;
            image[static_cast<std::size_t>(cells[c])] = to < 0 ? -1 : cells[static_cast<std::size_t>(to)];
          }
          steps.insert(step);
          images.insert(image);
        }
        if (steps == images) naive.insert(cells);
      } while (std::next_permutation(cells.begin(), cells.end()));
      const Symmetries symmetries = FindSymmetries(board);
      ASSERT_TRUE(symmetries.complete);
      std::set<std::vector<int>> found;
      for (const Symmetry& symmetry : symmetries.found) found.insert(symmetry.cells);
      ASSERT_EQ(found, naive) << board.Dump();
    }
  }
}

TEST(Symmetries, leap_vectors_follow) {
  Builder builder;
  ASSERT_EQ(builder.Squares(5, 5, {}, false, false), "");
  std::vector<int> leaps;
  ASSERT_EQ(builder.Leap(1, 2, &leaps), "");
  int one = -1;
  ASSERT_EQ(builder.Vector(0, 3, &one), "");
  const Board board = builder.Take();
  int without_image = 0;
  for (const Symmetry& symmetry : FindSymmetries(board).found) {
    for (const int l : leaps) EXPECT_TRUE(board.is_vector(symmetry.labels[static_cast<std::size_t>(l)]));
    without_image += symmetry.labels[static_cast<std::size_t>(one)] < 0 ? 1 : 0;
  }
  EXPECT_EQ(without_image, 6);  // (0,3) stays only under the identity and the mirror of files
}

TEST(Symmetries, rollerball_keeps_its_flow_under_rotations_only) {
  const Board board = RollerballBuilder().Take();
  int keeps = 0;
  for (const Symmetry& symmetry : FindSymmetries(board).found) keeps += KeepsFrames(board, symmetry, {1, 0}) ? 1 : 0;
  EXPECT_EQ(keeps, 4);
}

TEST(Symmetries, chess_players_change_sides_by_turning_ranks_round) {
  Builder builder;
  ASSERT_EQ(builder.Squares(8, 8, {}, false, false), "");
  ASSERT_EQ(builder.Face(0, builder.peek().FindDirection("n")), "");
  ASSERT_EQ(builder.Face(1, builder.peek().FindDirection("s")), "");
  const Board board = builder.Take();
  int changes = 0;
  int stays = 0;
  for (const Symmetry& symmetry : FindSymmetries(board).found) {
    changes += KeepsFrames(board, symmetry, {1, 0}) ? 1 : 0;
    stays += KeepsFrames(board, symmetry, {0, 1}) ? 1 : 0;
  }
  EXPECT_EQ(changes, 2);
  EXPECT_EQ(stays, 2);
}

TEST(Symmetries, a_search_without_end_stops_at_its_budget) {
  const auto start = std::chrono::steady_clock::now();
  const Symmetries crowd = FindSymmetries(Free(200, {}), 100000, 1000000);  // 200! mappings
  EXPECT_FALSE(crowd.complete);
  const Symmetries torus = FindSymmetries(Squares(16, 16, true, true), 20'000'000, 10);
  EXPECT_FALSE(torus.complete);
  EXPECT_EQ(torus.found.size(), 10u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// ---- drawings ----------------------------------------------------------------------------------

TEST(Layout, spreads_free_graphs) {
  std::vector<std::pair<int, int>> ring;
  for (int i = 0; i < 6; ++i) ring.emplace_back(i, (i + 1) % 6);
  for (const Board& board : {Free(6, ring), Free(6, {{0, 1}, {2, 3}}), Free(1, {}), Free(2, {{0, 1}})}) {
    const std::vector<Point> points = Layout(board);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(board.size()));
    for (std::size_t a = 0; a < points.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        EXPECT_GT(std::hypot(points[a].x - points[b].x, points[a].y - points[b].y), 0.3);
      }
    }
  }
}

TEST(Graphviz, names_nodes_and_labels) {
  Builder builder;
  ASSERT_EQ(builder.Cell("a \"b\""), "");
  ASSERT_EQ(builder.Cell("山"), "");
  ASSERT_EQ(builder.Link(0, "up", 1), "");
  ASSERT_EQ(builder.Link(0, "over", 1), "");
  CellSet one;
  CellSet other;
  one.set(0);
  other.set(1);
  ASSERT_EQ(builder.Barrier("fence", one, other), "");
  const std::string text = Graphviz(builder.peek(), Labels(builder.peek(), false));
  EXPECT_NE(text.find("0[label=\"a \\\"b\\\"\""), std::string::npos) << text;
  EXPECT_NE(text.find("1[label=\"山\""), std::string::npos) << text;
  EXPECT_NE(text.find("0->1 [label=\"up over\" style=dashed];"), std::string::npos) << text;
  EXPECT_EQ(text.find("1->0"), std::string::npos) << text;
}

}  // namespace
}  // namespace arbiter::board
