#include "fuzz/board_text.h"

#include <algorithm>
#include <set>

namespace arbiter::fuzz {
namespace {

std::string CellName(int file, int rank) {
  return std::string(1, static_cast<char>('a' + file)) + std::to_string(rank + 1);
}

class Maker {
 public:
  explicit Maker(Dice& dice) : dice_(dice) {}

  BoardText Make() {
    const int form = dice_.Below(20);
    if (form == 0) {
      Graph();
    } else if (form <= 2) {
      Hexes();
    } else {
      Squares();
    }
    return std::move(b_);
  }

 private:
  Dice& dice_;
  BoardText b_;

  // Mostly small: the reference evaluator pays for every cell. Now and then more than 64 or 128 cells.
  void Size() {
    switch (dice_.Below(20)) {
      case 0:
        b_.width = dice_.Between(9, 12);
        b_.height = dice_.Between(8, 10);
        break;
      case 1:
        b_.width = dice_.Between(12, 16);
        b_.height = dice_.Between(11, 16);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
        b_.width = dice_.Between(6, 8);
        b_.height = dice_.Between(6, 8);
        break;
      case 6:
        b_.width = 2;
        b_.height = dice_.Between(3, 6);
        break;
      default:
        b_.width = dice_.Between(3, 6);
        b_.height = dice_.Between(3, 6);
    }
  }

  // Names, rows of a diagram: every cell of the grid for which `exists` holds.
  template <class Exists>
  void Fill(const Exists& exists) {
    b_.rows.assign(static_cast<std::size_t>(b_.height), std::vector<int>(static_cast<std::size_t>(b_.width), -1));
    for (int rank = 0; rank < b_.height; ++rank) {
      for (int file = 0; file < b_.width; ++file) {
        if (!exists(file, rank)) continue;
        b_.rows[static_cast<std::size_t>(b_.height - 1 - rank)][static_cast<std::size_t>(file)] =
            static_cast<int>(b_.cells.size());
        b_.cells.push_back(CellName(file, rank));
      }
    }
  }

  void Squares() {
    Size();
    std::string item = "squares " + std::to_string(b_.width) + " x " + std::to_string(b_.height);
    std::set<std::pair<int, int>> holes;
    const bool ringed = b_.width >= 3 && b_.height >= 3 && dice_.OneIn(6);
    int x0 = 0, x1 = -1, y0 = 0, y1 = -1;  // a block of holes in the middle
    if (b_.width >= 5 && b_.height >= 5 && dice_.OneIn(ringed ? 2 : 8)) {
      x0 = dice_.Between(2, b_.width - 3), x1 = dice_.Between(x0, b_.width - 3);
      y0 = dice_.Between(2, b_.height - 3), y1 = dice_.Between(y0, b_.height - 3);
      item += " without " + CellName(x0, y0) + ".." + CellName(x1, y1);
    } else if (!ringed && b_.width * b_.height >= 9 && dice_.OneIn(3)) {
      std::string list;
      for (int i = dice_.Between(1, b_.width * b_.height / 6); i > 0; --i) {
        const int file = dice_.Below(b_.width), rank = dice_.Below(b_.height);
        if (file + rank == 0 || !holes.emplace(file, rank).second) continue;
        list += (list.empty() ? "" : " + ") + CellName(file, rank);
      }
      if (!list.empty()) item += " without " + list;
    }
    if (!ringed && b_.width >= 3 && dice_.OneIn(5)) item += " wrap files", b_.wraps = true;
    if (!ringed && b_.height >= 3 && dice_.OneIn(10)) item += " wrap ranks", b_.wraps = true;
    b_.items.push_back(item);
    Fill([&](int file, int rank) {
      return !holes.contains({file, rank}) && !(file >= x0 && file <= x1 && rank >= y0 && rank <= y1);
    });
    b_.directions = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
    b_.direction_sets = {"orthogonal", "diagonal", "all"};
    b_.relative = {"forward", "backward", "sideways", "forward_diagonal", "backward_diagonal", "forward_left", "right"};
    b_.turns = {"left", "right", "half_left", "half_right", "back"};
    b_.facing = dice_.OneIn(8) ? std::vector<std::string>{"e", "w", "n"} : std::vector<std::string>{"n", "s", "e"};
    if (ringed) {
      b_.items.push_back("ring outer clockwise from a1");
      std::string rings = "outer";
      if (x1 >= x0 && dice_.OneIn(2)) {
        b_.items.push_back(std::string("ring inner ") + (dice_.OneIn(2) ? "clockwise" : "counterclockwise") + " from " +
                           CellName(x0 - 1, y0 - 1));
        rings = "inner, outer";
      }
      if (dice_.OneIn(2)) b_.items.push_back("facing along " + rings);
    }
    Deflections({"n", "ne", "e", "se", "s", "sw", "w", "nw"}, true);
    NamedDirections();
  }

  void Deflections(const std::vector<std::string>& directions, bool diagonals) {
    if (dice_.OneIn(6)) {
      std::set<std::string> seen;
      std::string list;
      for (int i = dice_.Between(1, 4); i > 0; --i) {
        const std::string at = dice_.Pick(b_.cells) + " " + dice_.Pick(directions);
        const std::string to = dice_.Pick(directions);
        if (at.ends_with(" " + to) || !seen.insert(at).second) continue;
        list += (list.empty() ? "deflect at " : ", ") + at + " -> " + to;
      }
      if (!list.empty()) b_.items.push_back(list), b_.deflects = true;
    }
    if (diagonals && dice_.OneIn(6)) b_.items.emplace_back("deflect diagonals at edges"), b_.deflects = true;
  }

  void NamedDirections() {
    if (!dice_.OneIn(3)) return;
    std::string list;
    std::set<std::string> seen;
    for (int i = dice_.Between(2, 3); i > 0; --i) {
      const std::string direction = dice_.Pick(b_.directions);
      if (seen.insert(direction).second) list += (list.empty() ? "" : ", ") + direction;
    }
    b_.items.push_back("directions odd = " + list);
    b_.direction_sets.emplace_back("odd");
  }

  void Hexes() {
    const int shape = dice_.Below(3), side = dice_.Between(2, 4);
    b_.form = BoardText::Form::kHexes;
    if (shape == 0) {
      b_.width = b_.height = 2 * side - 1;
      b_.items.push_back("hexes hexagon " + std::to_string(side));
      Fill([&](int file, int rank) { return std::abs(file - rank) < side; });
    } else {
      b_.width = dice_.Between(3, 6), b_.height = dice_.Between(3, 6);
      b_.items.push_back(std::string("hexes ") + (shape == 1 ? "rhombus " : "rectangle ") + std::to_string(b_.width) +
                         " " + std::to_string(b_.height));
      Fill([](int, int) { return true; });
    }
    b_.directions = {"n", "ne", "se", "s", "sw", "nw", "nne", "e", "sse", "ssw", "w", "nnw"};
    b_.direction_sets = {"orthogonal", "diagonal", "all"};
    b_.relative = {"forward", "backward", "sideways", "forward_diagonal"};
    b_.turns = {"left", "right", "back"};
    b_.facing = {"n", "s", "ne"};
    Deflections({"n", "ne", "se", "s", "sw", "nw"}, false);
    NamedDirections();
  }

  void Graph() {
    b_.form = BoardText::Form::kGraph;
    const int count = dice_.Between(5, 14);
    std::string list = "cells";
    std::vector<int> row;
    for (int i = 0; i < count; ++i) {
      b_.cells.push_back("q" + std::to_string(i));
      row.push_back(i);
      list += " " + b_.cells.back();
    }
    b_.rows.push_back(row);
    b_.items.push_back(list);
    const bool compass = dice_.OneIn(2);
    b_.directions = compass ? std::vector<std::string>{"n", "e", "s", "w"}
                            : std::vector<std::string>{"up", "down", "round", "over_there"};
    if (compass) b_.turns = {"left", "right", "back"};
    for (const std::string& direction : b_.directions) {
      std::string links;
      for (int from = 0; from < count; ++from) {
        const int to =
            dice_.OneIn(3) ? dice_.Below(count) : (from + 1 + static_cast<int>(direction.size()) % (count - 1)) % count;
        if (to == from && (!links.empty() || from + 1 < count)) continue;
        if (!links.empty() && dice_.OneIn(4)) continue;
        links += (links.empty() ? "link " : ", ") + b_.cells[static_cast<std::size_t>(from)] + " " + direction +
                 " -> " + b_.cells[static_cast<std::size_t>(to)];
      }
      b_.items.push_back(links);
    }
    b_.items.push_back("directions ways = " + b_.directions[0] + ", " + b_.directions[1] + ", " + b_.directions[2]);
    b_.direction_sets = {"ways"};
    Deflections(b_.directions, false);
  }
};

}  // namespace

BoardText MakeBoard(Dice& dice) { return Maker(dice).Make(); }

}  // namespace arbiter::fuzz
