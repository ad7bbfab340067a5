// Builder::Ring and FacingAlong: following a rim.
//
// What is no cell falls into regions: the outside and the holes. Two cut squares that touch by a
// corner are one region, since no step n, e, s, w passes between them. Hence every position that
// touches a region by an edge or a corner is a cell or belongs to the region, and the classic rule of
// keeping one hand on the wall walks through exactly the cells that touch it, by orthogonal steps.
#include <algorithm>

#include "board/board.h"

namespace arbiter::board {

namespace {

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::string Quoted(const std::string& text) { return "`" + text + "`"; }

struct Contour {
  std::vector<int> cells;
  std::vector<int> headings;  // of the step from each cell to the next: index among the orthogonal steps
  int region = -1;
  int area = 0;         // twice the signed area enclosed, counterclockwise positive
  bool closed = false;  // comes back without going round the board by a wrap
};

// The plane around a grid: coordinates from -1 to one beyond, except where the board wraps.
class Plane {
 public:
  struct Step {
    int dx, dy;
  };

  // `steps`: the orthogonal steps clockwise; `touches`: the steps to all that touches.
  Plane(std::vector<Step> steps, std::vector<Step> touches, int width, int height, bool wrap_x, bool wrap_y)
      : steps_(std::move(steps)),
        touches_(std::move(touches)),
        width_(wrap_x ? width : width + 2),
        height_(wrap_y ? height : height + 2),
        wrap_x_(wrap_x),
        wrap_y_(wrap_y),
        cells_(At(width_ * height_), -1) {}

  void Put(int x, int y, int cell) { cells_[Index(x, y)] = cell; }

  void FindRegions() {
    regions_.assign(cells_.size(), -1);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i] >= 0 || regions_[i] >= 0) continue;
      const int region = static_cast<int>(outside_.size());
      outside_.push_back(false);
      std::vector<std::size_t> stack = {i};
      regions_[i] = region;
      while (!stack.empty()) {
        const std::size_t at = stack.back();
        stack.pop_back();
        const auto [x, y] = Coordinates(at);
        if (!Inside(x, y)) outside_.back() = true;
        for (const Step& step : touches_) {
          if (!InPlane(x + step.dx, y + step.dy)) continue;
          const std::size_t next = Index(x + step.dx, y + step.dy);
          if (cells_[next] >= 0 || regions_[next] >= 0) continue;
          regions_[next] = region;
          stack.push_back(next);
        }
      }
    }
  }

  // The region of a position; -1 for a cell.
  [[nodiscard]] int RegionAt(int x, int y) const { return regions_[Index(x, y)]; }
  [[nodiscard]] bool is_outside(int region) const { return outside_[At(region)]; }

  // All contours, the wall on the right hand.
  std::vector<Contour> Contours() {
    std::vector<Contour> contours;
    seen_.assign(cells_.size() * steps_.size(), false);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i] < 0) continue;
      const auto [x, y] = Coordinates(i);
      for (int d = 0; d < turns(); ++d) {
        const int region = Wall(x, y, d);
        if (region >= 0 && !seen_[i * steps_.size() + At(d)]) contours.push_back(Trace(x, y, d, region));
      }
    }
    return contours;
  }

 private:
  [[nodiscard]] int turns() const { return static_cast<int>(steps_.size()); }
  [[nodiscard]] bool Inside(int x, int y) const {
    return (wrap_x_ || (x >= 0 && x < width_ - 2)) && (wrap_y_ || (y >= 0 && y < height_ - 2));
  }
  [[nodiscard]] bool InPlane(int x, int y) const {
    return (wrap_x_ || (x >= -1 && x < width_ - 1)) && (wrap_y_ || (y >= -1 && y < height_ - 1));
  }
  [[nodiscard]] std::size_t Index(int x, int y) const {
    const int column = wrap_x_ ? ((x % width_) + width_) % width_ : x + 1;
    const int row = wrap_y_ ? ((y % height_) + height_) % height_ : y + 1;
    return At(row * width_ + column);
  }
  [[nodiscard]] std::pair<int, int> Coordinates(std::size_t index) const {
    const int i = static_cast<int>(index);
    return {wrap_x_ ? i % width_ : i % width_ - 1, wrap_y_ ? i / width_ : i / width_ - 1};
  }
  // The region into which step d from a cell would lead; -1: a cell.
  [[nodiscard]] int Wall(int x, int y, int d) const {
    return regions_[Index(x + steps_[At(d)].dx, y + steps_[At(d)].dy)];
  }

  // From a cell whose step `wall` leads into the region. Coordinates run on over wraps, so the sum of
  // the steps tells whether the contour went round the board.
  Contour Trace(int x, int y, int wall, int region) {
    Contour contour;
    contour.region = region;
    const int start_x = x;
    const int start_y = y;
    int first = -1;
    int scan = wall;
    const std::size_t limit = cells_.size() * steps_.size() + 1;
    for (std::size_t round = 0; round < limit; ++round) {
      int heading = -1;
      for (int k = 0; k < turns(); ++k) {
        const int d = (scan + turns() - k) % turns();
        if (Wall(x, y, d) < 0) {
          heading = d;
          break;
        }
        seen_[Index(x, y) * steps_.size() + At(d)] = true;
      }
      if (heading < 0) {  // a cell with walls all round
        contour.cells.push_back(cells_[Index(x, y)]);
        contour.headings.push_back(-1);
        return contour;
      }
      if (first < 0) {
        first = heading;
      } else if (Index(x, y) == Index(start_x, start_y) && heading == first) {
        break;
      }
      contour.cells.push_back(cells_[Index(x, y)]);
      contour.headings.push_back(heading);
      const int next_x = x + steps_[At(heading)].dx;
      const int next_y = y + steps_[At(heading)].dy;
      contour.area += x * next_y - next_x * y;
      x = next_x;
      y = next_y;
      scan = (heading + 1) % turns();
    }
    contour.closed = x == start_x && y == start_y;
    return contour;
  }

  std::vector<Step> steps_, touches_;
  int width_, height_;
  bool wrap_x_, wrap_y_;
  std::vector<int> cells_, regions_;
  std::vector<bool> outside_;
  std::vector<bool> seen_;  // [position][step]: the wall there belongs to a contour already found
};

// Turns a contour so that it runs as asked. Clockwise as drawn; a rim that goes round a wrapped board
// has no inside, there clockwise keeps the wall on the left, as the rim of a plain board does.
void Orient(Contour* contour, bool clockwise, int turns) {
  const bool is_clockwise = contour->closed && contour->area < 0;
  if (is_clockwise == clockwise) return;
  std::reverse(contour->cells.begin(), contour->cells.end());
  // The step that led to a cell, turned back, now leaves it: the last heading stays last.
  std::reverse(contour->headings.begin(), contour->headings.end() - 1);
  for (int& heading : contour->headings) {
    if (heading >= 0) heading = (heading + turns / 2) % turns;
  }
}

void StartAt(Contour* contour, int cell) {
  const auto at = std::find(contour->cells.begin(), contour->cells.end(), cell) - contour->cells.begin();
  std::rotate(contour->cells.begin(), contour->cells.begin() + at, contour->cells.end());
  std::rotate(contour->headings.begin(), contour->headings.begin() + at, contour->headings.end());
}

int FirstRepeated(const std::vector<int>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (std::find(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i), cells[i]) !=
        cells.begin() + static_cast<std::ptrdiff_t>(i)) {
      return cells[i];
    }
  }
  return -1;
}

}  // namespace

std::string Builder::Ring(const std::string& name, bool clockwise, int start, const CellSet* around_grid) {
  const Board& b = board_;
  if (b.shape_ == Shape::kGraph) return "a ring needs a board of squares or hexes";
  if (start < 0 || start >= b.board_size_) return "a ring starts on a cell of the board";
  for (const board::Ring& ring : b.rings_) {
    if (ring.name == name) return "there are two rings named " + Quoted(name);
  }
  const auto [min_x, max_x] = std::minmax_element(b.xs_.begin(), b.xs_.begin() + b.board_size_);
  const auto [min_y, max_y] = std::minmax_element(b.ys_.begin(), b.ys_.begin() + b.board_size_);
  // Squares keep their declared size, since wraps count from there.
  const bool squares = b.shape_ == Shape::kSquares;
  const int left = squares ? 0 : *min_x;
  const int bottom = squares ? 0 : *min_y;
  const int width = squares ? b.width_ : *max_x - left + 1;
  const int height = squares ? b.height_ : *max_y - bottom + 1;
  std::vector<Plane::Step> steps;
  std::vector<Plane::Step> touches;
  for (int d = 0; d < b.direction_count_; ++d) {
    const Plane::Step step = {b.label(d).dx, b.label(d).dy};
    if (!b.is_diagonal(d)) steps.push_back(step);
    if (!b.is_diagonal(d) || squares) touches.push_back(step);
  }
  const int turns = static_cast<int>(steps.size());
  Plane plane(steps, touches, width, height, b.wrap_files_, b.wrap_ranks_);
  for (int cell = 0; cell < b.board_size_; ++cell) plane.Put(b.xs_[At(cell)] - left, b.ys_[At(cell)] - bottom, cell);
  plane.FindRegions();

  std::vector<bool> wanted;  // by region; empty: any
  if (around_grid != nullptr && around_grid->any()) {
    wanted.assign(At((width + 2) * (height + 2)), false);
    for (int i = 0; i < std::min(b.width_ * b.height_, kMaxCells); ++i) {
      if (!around_grid->test(At(i))) continue;
      if (b.grid_[At(i)] >= 0) {
        return Quoted(b.name(b.grid_[At(i)])) + " is a cell of the board; a ring runs around a hole";
      }
      const int x = i % b.width_;
      const int y = b.staggered_ ? i / b.width_ + (x + 1) / 2 : i / b.width_;
      const int region = plane.RegionAt(x - left, y - bottom);
      wanted[At(region)] = true;
    }
  }
  std::vector<Contour> candidates;
  bool on_board_rim = false;
  for (Contour& contour : plane.Contours()) {
    if (std::find(contour.cells.begin(), contour.cells.end(), start) == contour.cells.end()) continue;
    if (!wanted.empty() && !wanted[At(contour.region)]) continue;
    on_board_rim |= plane.is_outside(contour.region);
    candidates.push_back(std::move(contour));
  }
  if (on_board_rim && wanted.empty()) {
    std::erase_if(candidates, [&](const Contour& contour) { return !plane.is_outside(contour.region); });
  }
  if (candidates.empty()) {
    return Quoted(b.name(start)) + (wanted.empty() ? " touches neither the rim of the board nor a hole"
                                                   : " does not touch the hole that the ring runs around");
  }
  for (Contour& contour : candidates) {
    const std::string rim = plane.is_outside(contour.region) ? "the rim of the board" : "the rim of the hole";
    if (contour.cells.size() < 2) return rim + " is the single cell " + Quoted(b.name(start));
    if (const int twice = FirstRepeated(contour.cells); twice >= 0) {
      return rim + " passes " + Quoted(b.name(twice)) + " twice; a ring passes each of its cells once";
    }
    Orient(&contour, clockwise, turns);
    StartAt(&contour, start);
  }
  for (const Contour& contour : candidates) {
    if (contour.cells != candidates[0].cells || contour.headings != candidates[0].headings) {
      return Quoted(b.name(start)) + " lies on several rims; say which hole the ring runs around";
    }
  }
  board::Ring ring{name, candidates[0].cells};
  std::vector<int> headings;
  for (const int heading : candidates[0].headings) headings.push_back(heading * 2);  // steps are every second direction
  board_.rings_.push_back(std::move(ring));
  ring_headings_.push_back(std::move(headings));
  CellSet fresh;
  for (const int cell : board_.rings_.back().cells) {
    if (board_.along_[At(cell)] < 0) fresh.set(At(cell));
  }
  FollowRing(board_.rings_.back(), fresh);
  return "";
}

void Builder::FollowRing(const board::Ring& ring, const CellSet& cells) {
  const std::vector<int>& headings = ring_headings_[At(static_cast<int>(&ring - board_.rings_.data()))];
  const std::size_t count = ring.cells.size();
  const int half = board_.full_turn() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cell = At(ring.cells[i]);
    if (!cells.test(cell)) continue;
    board_.along_[cell] = static_cast<int16_t>(headings[i]);
    board_.against_[cell] = static_cast<int16_t>(board_.Rotate(headings[(i + count - 1) % count], half));
  }
}

std::string Builder::FacingAlong(const std::vector<std::string>& rings) {
  std::vector<const board::Ring*> found;
  for (const std::string& name : rings) {
    const auto ring =
        std::find_if(board_.rings_.begin(), board_.rings_.end(), [&](const board::Ring& r) { return r.name == name; });
    if (ring == board_.rings_.end()) return "no ring named " + Quoted(name);
    found.push_back(&*ring);
  }
  for (const board::Ring* ring : found) {
    CellSet fresh;
    for (const int cell : ring->cells) {
      if (!ring_faced_.test(At(cell))) fresh.set(At(cell));
    }
    FollowRing(*ring, fresh);
    for (const int cell : ring->cells) {
      if (!fresh.test(At(cell))) continue;
      board_.facing_[At(cell)].fill(board_.along_[At(cell)]);
    }
    ring_faced_ |= fresh;
  }
  return "";
}

}  // namespace arbiter::board
