#include "board/board.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace arbiter::board {

namespace {

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

int Mod(int a, int n) { return ((a % n) + n) % n; }

}  // namespace

std::string_view RelativeText(Relative relative) {
  static constexpr std::string_view kNames[kRelativeCount] = {"forward",  "forward_right", "right", "backward_right",
                                                              "backward", "backward_left", "left",  "forward_left",
                                                              "along",    "against"};
  return kNames[static_cast<std::size_t>(relative)];
}

bool Barrier::Parts(int from, int to) const {
  if (from < 0 || to < 0 || side[At(from)] < 0 || side[At(to)] < 0) return false;
  if (side[At(from)] != side[At(to)]) return true;
  return (first_side.test(At(from)) && second_side.test(At(to))) ||
         (second_side.test(At(from)) && first_side.test(At(to)));
}

// ---- what is where -----------------------------------------------------------------------------

int Board::Find(std::string_view name) const {
  if (shape_ != Shape::kGraph) {
    if (const int cell = Builder::GridCell(name, width_, height_); cell >= 0) return grid_[board::At(cell)];
  }
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

int Board::At(int file, int rank) const {
  if (file < 1 || file > width_ || rank < 1 || rank > height_) return -1;
  return grid_[board::At((rank - 1) * width_ + file - 1)];
}

int Board::AtCoordinates(int x, int y) const {
  if (shape_ == Shape::kGraph) return -1;
  if (wrap_files_) x = Mod(x, width_);
  if (wrap_ranks_) y = Mod(y, height_);
  if (x < 0 || x >= width_) return -1;
  return At(x + 1, staggered_ ? y - (x + 1) / 2 + 1 : y + 1);
}

int Board::colour(int cell) const {
  if (cell < 0 || cell >= board_size_) return -1;
  const int sum = xs_[board::At(cell)] + ys_[board::At(cell)];
  if (shape_ == Shape::kSquares) return sum % 2;
  return shape_ == Shape::kHexes ? Mod(sum, 3) : -1;
}

Point Board::position(int cell) const {
  if (shape_ == Shape::kGraph || cell < 0 || cell >= board_size_) return {};
  const double x = xs_[board::At(cell)];
  const double y = ys_[board::At(cell)];
  if (shape_ == Shape::kSquares) return {x, y};
  return {x * std::sqrt(3.0) / 2, y - x / 2};
}

CellSet Board::cells() const {
  CellSet all;
  for (int cell = 0; cell < board_size_; ++cell) all.set(board::At(cell));
  return all;
}

// ---- labels ------------------------------------------------------------------------------------

int Board::FindDirection(std::string_view name) const {
  for (int d = 0; d < direction_count_; ++d) {
    if (label(d).name == name) return d;
  }
  return -1;
}

int Board::FindVector(int files, int ranks) const {
  if (shape_ == Shape::kGraph) return -1;
  for (int l = 0; l < label_count(); ++l) {
    if (label(l).dx == files && label(l).dy == ranks) return l;
  }
  return -1;
}

int Board::Rotate(int index, int parts) const {
  if (index < 0 || index >= label_count()) return -1;
  const int full = full_turn();
  parts = Mod(parts, full);
  if (parts == 0) return index;
  const LabelInfo& info = label(index);
  const auto turned = [&](int turn) {
    for (int d = 0; d < direction_count_; ++d) {
      if (label(d).turn == (turn + parts) % full) return d;
    }
    return -1;
  };
  if (info.turn >= 0) return turned(info.turn);
  if (!is_vector(index)) return -1;
  // A multiple of a direction turns as the direction does.
  const int length = std::gcd(info.dx, info.dy);
  for (int scale = 1; scale <= length; ++scale) {
    if (info.dx % scale != 0 || info.dy % scale != 0) continue;
    const int unit = FindVector(info.dx / scale, info.dy / scale);
    if (unit < 0 || is_vector(unit)) continue;
    const LabelInfo& target = label(turned(label(unit).turn));
    return FindVector(scale * target.dx, scale * target.dy);
  }
  if (parts % 2 != 0) return -1;
  int x = info.dx;
  int y = info.dy;
  for (int i = 0; i < parts / 2; ++i) {
    const int old_x = x;
    x = y;
    y = shape_ == Shape::kHexes ? y - old_x : -old_x;
  }
  return FindVector(x, y);
}

// ---- frames ------------------------------------------------------------------------------------

int Board::Facing(int player, int cell) const {
  if (player < 0 || player >= kMaxPlayers || cell < 0 || cell >= size()) return -1;
  return facing_[board::At(cell)][board::At(player)];
}

int Board::Way(Relative relative, int player, int cell) const {
  if (cell < 0 || cell >= size()) return -1;
  if (relative == Relative::kAlong) return along_[board::At(cell)];
  if (relative == Relative::kAgainst) return against_[board::At(cell)];
  static constexpr int kTwelfths[] = {0, 1, 3, 5, 6, 7, 9, 11};
  const int eighths = static_cast<int>(relative);
  return Rotate(Facing(player, cell), shape_ == Shape::kHexes ? kTwelfths[eighths] : eighths);
}

// ---- text --------------------------------------------------------------------------------------

namespace {

std::string_view ShapeName(Shape shape) {
  if (shape == Shape::kSquares) return "squares";
  return shape == Shape::kHexes ? "hexes" : "cells";
}

// A table of one short text per cell, laid out like the board.
template <class Text>
std::string Table(const Board& board, std::size_t column, const Text& text) {
  std::string out;
  for (int rank = board.height(); rank >= 1; --rank) {
    std::string line = " ";
    for (int file = 1; file <= board.width(); ++file) {
      const int cell = board.At(file, rank);
      std::string entry = cell < 0 ? "#" : text(cell);
      entry.resize(std::max(column, entry.size()), ' ');
      line += " " + entry;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string Names(const Board& board, const CellSet& cells) {
  std::string out;
  for (int cell = 0; cell < board.size(); ++cell) {
    if (cells.test(At(cell))) out += " " + board.name(cell);
  }
  return out;
}

std::string DirectionName(const Board& board, int label) { return label < 0 ? "-" : board.label_name(label); }

std::string DumpFacing(const Board& board) {
  std::string out;
  std::vector<std::string> seen;
  for (int player = 0; player < kMaxPlayers; ++player) {
    bool faces = false;
    for (int cell = 0; cell < board.board_size(); ++cell) faces |= board.Facing(player, cell) >= 0;
    if (!faces) continue;
    const auto text = [&](int cell) { return DirectionName(board, board.Facing(player, cell)); };
    std::string table;
    if (board.shape() == Shape::kGraph) {
      for (int cell = 0; cell < board.board_size(); ++cell) table += "  " + board.name(cell) + " " + text(cell) + "\n";
    } else {
      table = Table(board, 3, text);
    }
    const auto same = std::find(seen.begin(), seen.end(), table);
    out += "facing of player " + std::to_string(player);
    if (same != seen.end()) {
      out += ": as player " + std::to_string(same - seen.begin()) + "\n";
    } else {
      out += "\n" + table;
    }
    seen.push_back(table);
  }
  return out;
}

}  // namespace

std::string Board::Dump() const {
  std::string out(ShapeName(shape_));
  if (shape_ != Shape::kGraph) out += " " + std::to_string(width_) + " x " + std::to_string(height_);
  if (wrap_files_) out += " wrap files";
  if (wrap_ranks_) out += " wrap ranks";
  out += ", " + std::to_string(board_size_) + " cells\n";
  if (shape_ == Shape::kGraph) {
    out += "cells" + Names(*this, cells()) + "\n";
  } else {
    std::size_t column = 1;
    for (int cell = 0; cell < board_size_; ++cell) column = std::max(column, name(cell).size());
    out += Table(*this, column, [&](int cell) { return name(cell); });
  }
  out += "directions";
  for (int d = 0; d < direction_count_; ++d) out += " " + label_name(d);
  out += "\n";
  if (label_count() > direction_count_) {
    out += "vectors";
    for (int l = direction_count_; l < label_count(); ++l) out += " " + label_name(l);
    out += "\n";
  }
  if (shape_ == Shape::kGraph) {
    for (int cell = 0; cell < board_size_; ++cell) {
      for (int d = 0; d < direction_count_; ++d) {
        if (Next(d, cell) >= 0) out += "link " + name(cell) + " " + label_name(d) + " -> " + name(Next(d, cell)) + "\n";
      }
    }
  }
  if (board_size_ < size()) {
    out += "places";
    for (int cell = board_size_; cell < size(); ++cell) out += " " + name(cell);
    out += "\n";
  }
  for (const Ring& ring : rings_) {
    out += "ring " + ring.name + ":";
    for (const int cell : ring.cells) out += " " + name(cell);
    out += "\n";
  }
  out += DumpFacing(*this);
  for (int cell = 0; cell < board_size_; ++cell) {
    for (int l = 0; l < label_count(); ++l) {
      if (Deflect(cell, l) < 0) continue;
      out += "deflect at " + name(cell) + " " + label_name(l) + " -> " + label_name(Deflect(cell, l)) + "\n";
    }
  }
  for (const Barrier& barrier : barriers_) {
    out += "barrier " + barrier.name + ": one side" + Names(*this, barrier.first_side) + "; other side" +
           Names(*this, barrier.second_side) + "\n";
  }
  return out;
}

}  // namespace arbiter::board
