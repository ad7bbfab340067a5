// The Rollerball board against the flow, corners and bends that rollerball.md describes.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "rollerball_board.h"

namespace arbiter::board {
namespace {

// Flow of every square, from the page: South (left) b1..g1, c2..f2; West (up) a1..a6, b2..b5;
// North (right) a7..f7, b6..e6; East (down) g7..g2, f6..f3. Ranks from the top.
constexpr const char* kFlow[7] = {
    "eeeeees",  // 7
    "neeeess",  // 6
    "nn   ss",  // 5
    "nn   ss",  // 4
    "nn   ss",  // 3
    "nnwwwws",  // 2
    "nwwwwww",  // 1
};

TEST(Rollerball, has_forty_cells) { EXPECT_EQ(RollerballBuilder().Take().size(), 40); }

TEST(Rollerball, every_square_faces_along_the_flow) {
  const Board board = RollerballBuilder().Take();
  for (int rank = 1; rank <= 7; ++rank) {
    for (int file = 1; file <= 7; ++file) {
      const char flow = kFlow[7 - rank][file - 1];
      const int cell = board.At(file, rank);
      ASSERT_EQ(cell < 0, flow == ' ');
      if (cell < 0) continue;
      for (const int player : {0, 1}) {
        EXPECT_EQ(board.label_name(board.Facing(player, cell)), std::string(1, flow)) << board.name(cell);
        EXPECT_EQ(board.Way(Relative::kAlong, player, cell), board.Facing(player, cell));
      }
    }
  }
}

TEST(Rollerball, rings_run_clockwise_round_corners_and_bends) {
  const Board board = RollerballBuilder().Take();
  ASSERT_EQ(board.rings().size(), 2u);
  EXPECT_EQ(board.rings()[0].cells.size(), 24u);
  EXPECT_EQ(board.rings()[1].cells.size(), 16u);
  // Back is the ring predecessor, also round the corner: a1 -> b1, b2 -> c2.
  const char* back[][2] = {{"a1", "b1"}, {"b2", "c2"}, {"a7", "a6"}, {"b6", "b5"}, {"g7", "f7"}, {"f6", "e6"},
                           {"g1", "g2"}, {"f2", "f3"}, {"d1", "e1"}, {"c2", "d2"}, {"b4", "b3"}};
  for (const auto& [from, to] : back) {
    const int cell = board.Find(from);
    EXPECT_EQ(board.name(board.Next(board.Way(Relative::kAgainst, 0, cell), cell)), to) << from;
  }
  // At the bends of the inner ring `backward` leaves the ring: b6 faces e, so backward is w, a6.
  const int b6 = board.Find("b6");
  EXPECT_EQ(board.name(board.Next(board.Way(Relative::kBackward, 0, b6), b6)), "a6");
}

// All cells of `first heading, slide, then one deflection and slide on`, on the empty board.
std::set<std::string> Bounce(const Board& board, const std::string& from, int heading) {
  std::set<std::string> out;
  int cell = board.Find(from);
  for (int part = 0; part < 2 && heading >= 0; ++part) {
    while (board.Next(heading, cell) >= 0) {
      cell = board.Next(heading, cell);
      out.insert(board.name(cell));
    }
    heading = board.Deflect(cell, heading);
  }
  return out;
}

std::set<std::string> Set(std::vector<std::string> names) { return {names.begin(), names.end()}; }

TEST(Rollerball, rook_rides_turn_each_outer_corner_once) {
  const Board board = RollerballBuilder().Take();
  const auto ride = [&](const char* from) { return Bounce(board, from, board.Facing(0, board.Find(from))); };
  EXPECT_EQ(ride("c1"), Set({"b1", "a1", "a2", "a3", "a4", "a5", "a6", "a7"}));
  EXPECT_EQ(ride("a5"), Set({"a6", "a7", "b7", "c7", "d7", "e7", "f7", "g7"}));
  EXPECT_EQ(ride("f7"), Set({"g7", "g6", "g5", "g4", "g3", "g2", "g1"}));
  EXPECT_EQ(ride("g2"), Set({"g1", "f1", "e1", "d1", "c1", "b1", "a1"}));
  // From the inner ring straight on to the edge, and no deflection there: it is no corner.
  EXPECT_EQ(ride("c2"), Set({"b2", "a2"}));
  EXPECT_EQ(ride("b3"), Set({"b4", "b5", "b6", "b7"}));
  // A rook that starts on a corner does not arrive there.
  EXPECT_EQ(ride("a1"), Set({"a2", "a3", "a4", "a5", "a6", "a7", "b7", "c7", "d7", "e7", "f7", "g7"}));
}

TEST(Rollerball, bishops_rebound_from_both_edges) {
  const Board board = RollerballBuilder().Take();
  const auto fly = [&](const char* from, const char* heading) {
    return Bounce(board, from, board.FindDirection(heading));
  };
  EXPECT_EQ(fly("c2", "sw"), Set({"b1", "a2"}));  // "it can go to a2 only if it goes through b1"
  EXPECT_EQ(fly("d2", "nw"), Set({"c1"}));        // at the inner edge at once: the other forward diagonal
  EXPECT_EQ(fly("d1", "nw"), Set({"c2", "b3", "a4", "b5", "c6", "d7"}));
  EXPECT_EQ(fly("a2", "ne"), Set({"b3", "a4"}));  // off the hole's west side: c4 is cut, so e is missing
  // Both components missing at an outer corner: nothing.
  EXPECT_EQ(fly("b2", "sw"), Set({"a1"}));
}

TEST(Rollerball, bends_rebound_forward_only_with_the_option) {
  const Board with = RollerballBuilder(true).Take();
  const Board without = RollerballBuilder(false).Take();
  // g1 - f2 meets the corner point of the hole and goes on forward, to e1.
  EXPECT_EQ(Bounce(with, "g1", with.FindDirection("nw")), Set({"f2", "e1"}));
  EXPECT_EQ(Bounce(without, "g1", without.FindDirection("nw")), Set({"f2"}));
  EXPECT_EQ(Bounce(with, "a1", with.FindDirection("ne")), Set({"b2", "a3"}));
  EXPECT_EQ(Bounce(with, "a7", with.FindDirection("se")), Set({"b6", "c7"}));
  EXPECT_EQ(Bounce(with, "g7", with.FindDirection("sw")), Set({"f6", "g5"}));
}

}  // namespace
}  // namespace arbiter::board
