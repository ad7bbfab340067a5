// Builder: generators, labels, places, facing, deflections, barriers. Rings are in rings.cpp.
//
// The tables of a Board are [label][cell]; a new label appends a row, a new cell or slot widens every
// row. Both happen a few hundred times at most, so nothing is kept in another form in between.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "board/board.h"

namespace arbiter::board {

namespace {

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

constexpr const char* kCompass[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};

struct Step {
  const char* name;
  int dx, dy;
};
constexpr Step kSquareSteps[] = {{"n", 0, 1},  {"ne", 1, 1},   {"e", 1, 0},  {"se", 1, -1},
                                 {"s", 0, -1}, {"sw", -1, -1}, {"w", -1, 0}, {"nw", -1, 1}};
constexpr Step kHexSteps[] = {{"n", 0, 1},    {"nne", 1, 2},  {"ne", 1, 1},  {"e", 2, 1},
                              {"se", 1, 0},   {"sse", 1, -1}, {"s", 0, -1},  {"ssw", -1, -2},
                              {"sw", -1, -1}, {"w", -2, -1},  {"nw", -1, 0}, {"nnw", -1, 1}};

std::string Quoted(const std::string& text) { return "`" + text + "`"; }

bool Beyond(int number, int limit) { return number > limit || number < -limit; }

std::string TooManyCells(int64_t have, int64_t more) {
  return std::to_string(have + more) + " cells and places are more than the limit of " + std::to_string(kMaxCells);
}

}  // namespace

// ---- names of grid cells -----------------------------------------------------------------------

int Builder::GridCell(std::string_view name, int width, int height) {
  std::size_t i = 0;
  int file = 0;
  for (; i < name.size() && name[i] >= 'a' && name[i] <= 'z'; ++i) {
    file = file * 26 + (name[i] - 'a' + 1);
    if (file > width) return -1;
  }
  if (file == 0 || i == name.size() || name[i] == '0') return -1;
  int rank = 0;
  for (; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') return -1;
    rank = rank * 10 + (name[i] - '0');
    if (rank > height) return -1;
  }
  return (rank - 1) * width + file - 1;
}

std::string Builder::GridName(int file, int rank) {
  std::string letters;
  for (; file > 0; file = (file - 1) / 26) letters.insert(letters.begin(), static_cast<char>('a' + (file - 1) % 26));
  return letters + std::to_string(rank);
}

// ---- cells and labels --------------------------------------------------------------------------

int Builder::AddSlot(const std::string& name) {
  Board& b = board_;
  const std::size_t old_size = b.names_.size();
  const auto widen = [&](std::vector<int16_t>& table) {
    std::vector<int16_t> wide;
    wide.reserve(b.labels_.size() * (old_size + 1));
    for (std::size_t l = 0; l < b.labels_.size(); ++l) {
      const auto row = table.begin() + static_cast<std::ptrdiff_t>(l * old_size);
      wide.insert(wide.end(), row, row + static_cast<std::ptrdiff_t>(old_size));
      wide.push_back(-1);
    }
    table = std::move(wide);
  };
  widen(b.next_);
  widen(b.deflect_);
  b.names_.push_back(name);
  b.files_.push_back(0);
  b.ranks_.push_back(0);
  b.xs_.push_back(0);
  b.ys_.push_back(0);
  b.along_.push_back(-1);
  b.against_.push_back(-1);
  b.facing_.emplace_back().fill(-1);
  for (board::Barrier& barrier : b.barriers_) {
    barrier.edges.emplace_back();
    barrier.side.push_back(-1);
  }
  return static_cast<int>(old_size);
}

int Builder::AddLabel(const std::string& name, int dx, int dy, int turn, bool diagonal) {
  Board& b = board_;
  b.labels_.push_back({name, dx, dy, turn, diagonal});
  const int label = b.label_count() - 1;
  for (int cell = 0; cell < b.size(); ++cell) {
    const bool leads = b.shape_ != Shape::kGraph && cell < b.board_size_;
    const int to = leads ? b.AtCoordinates(b.xs_[At(cell)] + dx, b.ys_[At(cell)] + dy) : -1;
    b.next_.push_back(static_cast<int16_t>(to));
    b.deflect_.push_back(-1);
  }
  return label;
}

std::string Builder::GridProblem(int width, int height) const {
  if (board_.size() > 0) return "the board has its cells already";
  if (width < 1 || height < 1) return "a board needs at least 1 file and 1 rank";
  if (width > kMaxCells || height > kMaxCells || width * height > kMaxCells) {
    return std::to_string(width) + " x " + std::to_string(height) + " cells are more than the limit of " +
           std::to_string(kMaxCells);
  }
  return "";
}

void Builder::StartGrid(Shape shape, int width, int height) {
  board_ = Board();
  board_.shape_ = shape;
  board_.width_ = width;
  board_.height_ = height;
  board_.grid_.assign(At(width * height), -1);
}

void Builder::AddGridCell(int file, int rank, int x, int y) {
  const int cell = AddSlot(GridName(file, rank));
  board_.files_.back() = file;
  board_.ranks_.back() = rank;
  board_.xs_.back() = x;
  board_.ys_.back() = y;
  board_.grid_[At((rank - 1) * board_.width_ + file - 1)] = cell;
  board_.board_size_ = board_.size();
}

void Builder::AddCompass() {
  const bool hexes = board_.shape_ == Shape::kHexes;
  const Step* steps = hexes ? std::begin(kHexSteps) : std::begin(kSquareSteps);
  for (int d = 0; d < board_.full_turn(); ++d) AddLabel(steps[d].name, steps[d].dx, steps[d].dy, d, d % 2 == 1);
  board_.direction_count_ = board_.full_turn();
}

// ---- generators --------------------------------------------------------------------------------

std::string Builder::Squares(int width, int height, const CellSet& without_grid, bool wrap_files, bool wrap_ranks) {
  if (std::string problem = GridProblem(width, height); !problem.empty()) return problem;
  if (wrap_files && width < 2) return "`wrap files` needs at least 2 files";
  if (wrap_ranks && height < 2) return "`wrap ranks` needs at least 2 ranks";
  int left = width * height;
  for (int i = 0; i < width * height; ++i) left -= without_grid.test(At(i)) ? 1 : 0;
  if (left == 0) return "no cell is left of the board";
  StartGrid(Shape::kSquares, width, height);
  board_.wrap_files_ = wrap_files;
  board_.wrap_ranks_ = wrap_ranks;
  for (int i = 0; i < width * height; ++i) {
    if (!without_grid.test(At(i))) AddGridCell(i % width + 1, i / width + 1, i % width, i / width);
  }
  AddCompass();
  return "";
}

std::string Builder::Hexes(std::string_view shape, const std::vector<int>& numbers) {
  if (board_.size() > 0) return "the board has its cells already";
  if (shape == "hexagon") {
    if (numbers.size() != 1) return "`hexes hexagon` needs one number, the cells per side";
    const int side = numbers[0];
    if (side < 1) return "a hexagon needs at least 1 cell per side";
    if (side > kMaxCells || 3 * side * (side - 1) + 1 > kMaxCells) {
      return "a hexagon of side " + std::to_string(side) + " has more cells than the limit of " +
             std::to_string(kMaxCells);
    }
    const int width = 2 * side - 1;
    StartGrid(Shape::kHexes, width, width);
    for (int y = 0; y < width; ++y) {
      for (int x = 0; x < width; ++x) {
        if (std::abs(x - y) < side) AddGridCell(x + 1, y + 1, x, y);
      }
    }
    AddCompass();
    return "";
  }
  if (shape != "rhombus" && shape != "rectangle") {
    return "no hexes of the shape " + Quoted(std::string(shape)) + "; there are hexagon, rhombus and rectangle";
  }
  if (numbers.size() != 2) return "`hexes " + std::string(shape) + "` needs two numbers, files and ranks";
  if (std::string problem = GridProblem(numbers[0], numbers[1]); !problem.empty()) return problem;
  StartGrid(Shape::kHexes, numbers[0], numbers[1]);
  board_.staggered_ = shape == "rectangle";
  for (int y = 0; y < numbers[1]; ++y) {
    for (int x = 0; x < numbers[0]; ++x) AddGridCell(x + 1, y + 1, x, board_.staggered_ ? y + (x + 1) / 2 : y);
  }
  AddCompass();
  return "";
}

std::string Builder::Cell(const std::string& name) {
  if (board_.shape_ != Shape::kGraph) return "the board has its cells already";
  if (board_.size() > board_.board_size_) return "the cells of a board come before its places";
  if (name.empty()) return "a cell needs a name";
  if (board_.Find(name) >= 0) return "there are two cells named " + Quoted(name);
  if (board_.size() >= kMaxCells) return TooManyCells(board_.size(), 1);
  AddSlot(name);
  board_.board_size_ = board_.size();
  return "";
}

std::string Builder::Direction(const std::string& name) {
  if (board_.shape_ != Shape::kGraph) return "only a board of named cells has directions of its own";
  if (name.empty()) return "a direction needs a name";
  if (board_.FindDirection(name) >= 0) return "";
  if (board_.label_count() >= kMaxLabels) {
    return "direction " + Quoted(name) + " is beyond the limit of " + std::to_string(kMaxLabels);
  }
  const auto* const compass = std::find(std::begin(kCompass), std::end(kCompass), name);
  const int turn = compass == std::end(kCompass) ? -1 : static_cast<int>(compass - std::begin(kCompass));
  AddLabel(name, 0, 0, turn, turn >= 0 && turn % 2 == 1);
  board_.direction_count_ = board_.label_count();
  return "";
}

std::string Builder::Link(int from, const std::string& direction, int to) {
  if (board_.shape_ != Shape::kGraph) return "only a board of named cells has links";
  if (from < 0 || to < 0 || from >= board_.board_size_ || to >= board_.board_size_) {
    return "a link leads from a cell of the board to another";
  }
  if (from == to) return "this link leads from " + Quoted(board_.name(from)) + " to itself";
  const int old = board_.FindDirection(direction);
  if (old >= 0 && board_.Next(old, from) >= 0) {
    return Quoted(board_.name(from)) + " has a link " + Quoted(direction) + " already, to " +
           Quoted(board_.name(board_.Next(old, from)));
  }
  if (std::string problem = Direction(direction); !problem.empty()) return problem;
  const int label = board_.FindDirection(direction);
  board_.next_[At(label) * board_.names_.size() + At(from)] = static_cast<int16_t>(to);
  return "";
}

std::string Builder::Place(const std::string& name, int count, int* first) {
  if (board_.board_size_ == 0) return "a place needs a board with cells first";
  if (count < 1) return "a place needs room for at least 1 piece";
  if (count > kMaxCells || board_.size() + count > kMaxCells) return TooManyCells(board_.size(), count);
  if (board_.Find(name + "[1]") >= 0) return "there are two places named " + Quoted(name);
  *first = board_.size();
  for (int i = 1; i <= count; ++i) AddSlot(name + "[" + std::to_string(i) + "]");
  return "";
}

// ---- leaps -------------------------------------------------------------------------------------

std::string Builder::Vector(int files, int ranks, int* label) {
  if (board_.shape_ == Shape::kGraph) return "a leap needs a board of squares or hexes";
  if (files == 0 && ranks == 0) return "a leap of (0, 0) goes nowhere";
  if (Beyond(files, 2 * kMaxCells) || Beyond(ranks, 2 * kMaxCells)) return "this leap is longer than any board";
  if (const int old = board_.FindVector(files, ranks); old >= 0) {
    *label = old;
    return "";
  }
  const std::string name = "(" + std::to_string(files) + "," + std::to_string(ranks) + ")";
  if (board_.label_count() >= kMaxLabels) {
    return "leap vector " + name + " is beyond the limit of " + std::to_string(kMaxLabels) + " directions and vectors";
  }
  *label = AddLabel(name, files, ranks, -1, false);
  for (board::Barrier& barrier : board_.barriers_) MarkVector(barrier, *label);
  return "";
}

std::string Builder::Leap(int a, int b, std::vector<int>* labels) {
  if (board_.shape_ == Shape::kGraph) return "a leap needs a board of squares or hexes";
  if (Beyond(a, kMaxCells) || Beyond(b, kMaxCells)) return "this leap is longer than any board";
  if (a == 0 && b == 0) return "a leap of (0, 0) goes nowhere";
  const bool hexes = board_.shape_ == Shape::kHexes;
  std::vector<std::pair<int, int>> forms;
  for (const bool mirrored : {false, true}) {
    // Hexes: a steps n and b steps ne, so (b, a + b).
    int x = hexes ? b : a;
    int y = hexes ? a + b : b;
    if (mirrored) {
      y = hexes ? y - x : y;
      x = -x;
    }
    for (int i = 0; i < (hexes ? 6 : 4); ++i) {
      forms.emplace_back(x, y);
      const int old_x = x;
      x = y;
      y = hexes ? y - old_x : -old_x;
    }
  }
  const auto clockwise = [&](const std::pair<int, int>& form) {
    const double x = hexes ? form.first * std::sqrt(3.0) / 2 : form.first;
    const double y = hexes ? form.second - form.first / 2.0 : form.second;
    const double angle = std::atan2(x, y);
    return angle < -1e-9 ? angle + 8 : angle;  // 8 is more than a full turn of radians
  };
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  std::sort(forms.begin(), forms.end(), [&](const auto& p, const auto& q) { return clockwise(p) < clockwise(q); });

  int missing = 0;
  for (const auto& [x, y] : forms) missing += board_.FindVector(x, y) < 0 ? 1 : 0;
  if (board_.label_count() + missing > kMaxLabels) {
    return "the leaps of this board need more than the limit of " + std::to_string(kMaxLabels) +
           " directions and vectors";
  }
  labels->clear();
  for (const auto& [x, y] : forms) {
    int label = -1;
    Vector(x, y, &label);
    labels->push_back(label);
  }
  return "";
}

// ---- facing and deflections --------------------------------------------------------------------

std::string Builder::Face(int player, int direction) {
  if (player < 0 || player >= kMaxPlayers) return "there are at most " + std::to_string(kMaxPlayers) + " players";
  if (direction < 0 || direction >= board_.direction_count_) return "players face a direction of the board";
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    if (ring_faced_.test(At(cell))) continue;
    board_.facing_[At(cell)][At(player)] = static_cast<int16_t>(direction);
  }
  return "";
}

std::string Builder::DeflectAt(int cell, int from, int to) {
  if (cell < 0 || cell >= board_.board_size_) return "a deflection needs a cell of the board";
  if (from < 0 || to < 0 || from >= board_.label_count() || to >= board_.label_count()) {
    return "a deflection turns one direction into another";
  }
  const std::pair<int, int> key(cell, from);
  int16_t& entry = board_.deflect_[At(from) * board_.names_.size() + At(cell)];
  const bool known = std::find(explicit_.begin(), explicit_.end(), key) != explicit_.end();
  if (known && entry != to) {
    return "at " + Quoted(board_.name(cell)) + " " + Quoted(board_.label_name(from)) + " is deflected to " +
           Quoted(board_.label_name(entry)) + " already";
  }
  if (!known) explicit_.push_back(key);
  entry = static_cast<int16_t>(to);
  return "";
}

std::string Builder::DeflectDiagonalsAtEdges() {
  if (board_.shape_ != Shape::kSquares) return "`deflect diagonals at edges` is for boards of squares";
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    for (int d = 1; d < board_.direction_count_; d += 2) {
      if (board_.Next(d, cell) >= 0) continue;
      if (std::find(explicit_.begin(), explicit_.end(), std::pair(cell, d)) != explicit_.end()) continue;
      const bool before_missing = board_.Next(board_.Rotate(d, -1), cell) < 0;
      const bool after_missing = board_.Next(board_.Rotate(d, 1), cell) < 0;
      if (before_missing == after_missing) continue;
      // ne with n missing: s and e make se, a right angle clockwise; with e missing: nw, the other way.
      const int to = board_.Rotate(d, before_missing ? 2 : -2);
      board_.deflect_[At(d) * board_.names_.size() + At(cell)] = static_cast<int16_t>(to);
    }
  }
  return "";
}

// ---- barriers ----------------------------------------------------------------------------------

void Builder::MarkVector(board::Barrier& barrier, int label) const {
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    if (barrier.Parts(cell, board_.Next(label, cell))) barrier.edges[At(cell)].set(At(label));
  }
}

std::string Builder::Barrier(const std::string& name, const CellSet& one, const CellSet& other) {
  for (const board::Barrier& barrier : board_.barriers_) {
    if (barrier.name == name) return "there are two barriers named " + Quoted(name);
  }
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    if (one.test(At(cell)) && other.test(At(cell))) {
      return Quoted(board_.name(cell)) + " is on both sides of the barrier " + Quoted(name);
    }
  }
  board::Barrier barrier;
  barrier.name = name;
  barrier.first_side = one & board_.cells();
  barrier.second_side = other & board_.cells();
  barrier.edges.resize(At(board_.size()));
  barrier.side.assign(At(board_.size()), -1);
  bool any = false;
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    for (int d = 0; d < board_.direction_count_; ++d) {
      const int to = board_.Next(d, cell);
      if (to < 0) continue;
      const bool crosses = (one.test(At(cell)) && other.test(At(to))) || (other.test(At(cell)) && one.test(At(to)));
      if (!crosses) continue;
      barrier.edges[At(cell)].set(At(d));
      any = true;
    }
  }
  if (!any) return "no step leads from one side of the barrier " + Quoted(name) + " to the other";

  // Sides: what steps join, in either direction, without crossing. Numbered by their first cell.
  std::vector<int> root(At(board_.board_size_));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int cell) {
    while (root[At(cell)] != cell) cell = root[At(cell)] = root[At(root[At(cell)])];
    return cell;
  };
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    for (int d = 0; d < board_.direction_count_; ++d) {
      const int to = board_.Next(d, cell);
      if (to < 0 || barrier.edges[At(cell)].test(At(d))) continue;
      const int a = find(cell);
      const int b = find(to);
      root[At(std::max(a, b))] = std::min(a, b);
    }
  }
  int sides = 0;
  for (int cell = 0; cell < board_.board_size_; ++cell) {
    const int r = find(cell);
    barrier.side[At(cell)] = r == cell ? sides++ : barrier.side[At(r)];
  }
  for (int l = board_.direction_count_; l < board_.label_count(); ++l) MarkVector(barrier, l);
  board_.barriers_.push_back(std::move(barrier));
  return "";
}

}  // namespace arbiter::board
