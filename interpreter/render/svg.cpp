#include "render/svg.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "board/graph.h"
#include "render/text.h"
#include "render/view.h"
#include "rules/fen.h"

namespace arbiter::render {

using board::Board;
using board::Builder;
using board::Point;
using board::Shape;
using rules::PieceRecord;
using rules::Rules;
using rules::Snapshot;

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr const char* kSquareColours[] = {"#b9c7a5", "#eef0dc"};          // dark, light
constexpr const char* kHexColours[] = {"#b9c7a5", "#d5dcc1", "#eef0dc"};  // by colour
constexpr const char* kZoneColours[] = {"#d1495b", "#2e6f95", "#edae49", "#7d4e9e", "#1b998b", "#8d5524",
                                        "#e76f8a", "#3d5a80", "#a1c181", "#5c4d7d", "#f08a4b", "#447604"};
// Disc and letter of each player, then of neutral pieces.
constexpr const char* kDiscs[] = {"#ffffff", "#2b2b2b", "#c8453b", "#2e6f95",
                                  "#e0a82e", "#4f8a3c", "#8a4f9e", "#3c8a86"};
constexpr const char* kInks[] = {"#1c1c1c", "#f5f5f5", "#ffffff", "#ffffff",
                                 "#1c1c1c", "#ffffff", "#ffffff", "#ffffff"};

// Words that may lie over lines stay readable.
constexpr const char* kHalo = " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\"";

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        // Other control characters may not stand in XML at all.
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
  }
  return out;
}

// Numbers with at most one decimal, without a negative zero.
std::string Number(double x) {
  const double rounded = std::round(x * 10) / 10 + 0.0;
  std::string text = fmt::format("{:.1f}", rounded == 0 ? 0.0 : rounded);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

bool IsSymbol(std::string_view letter) {
  std::size_t i = 0;
  if (letter.empty()) return false;
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(NextCharacter(letter, i)));
  return category == UTF8PROC_CATEGORY_SO;
}

class Drawing {
 public:
  Drawing(const Rules& rules, const Snapshot* at, const SvgOptions& options)
      : rules_(rules), board_(rules.board), at_(at), options_(options) {
    if (at != nullptr) on_ = Occupants(rules, *at);
  }

  std::string Text() {
    Place();
    if (board_.shape() == Shape::kGraph) Links();
    Cells();
    if (options_.zones) Zones();
    Highlights();
    if (options_.frames) Frames();
    Barriers();
    if (board_.shape() == Shape::kSquares) Seams();
    if (options_.coordinates) Coordinates();
    for (int cell = 0; cell < board_.board_size(); ++cell)
      Piece(cell, Centre(cell), board_.shape() == Shape::kGraph ? unit_ / 2 : unit_);
    Targets();
    Side();
    return Head() + body_ + "</svg>\n";
  }

 private:
  // ---- geometry ----

  // Everything is drawn in pixels; the board's units are scaled and turned upside down.
  void Place() {
    unit_ = board_.shape() == Shape::kGraph ? 90 : board_.shape() == Shape::kHexes ? 52 : 48;
    layout_ = board::Layout(board_);
    double left = 0;
    double right = 0;
    double top = 0;
    double bottom = 0;
    for (std::size_t i = 0; i < layout_.size(); ++i) {
      left = i == 0 ? layout_[i].x : std::min(left, layout_[i].x);
      right = i == 0 ? layout_[i].x : std::max(right, layout_[i].x);
      top = i == 0 ? layout_[i].y : std::max(top, layout_[i].y);
      bottom = i == 0 ? layout_[i].y : std::min(bottom, layout_[i].y);
    }
    const double around = board_.shape() == Shape::kGraph ? 0.5 : board_.shape() == Shape::kHexes ? 0.6 : 0.5;
    const double margin = options_.coordinates && board_.shape() != Shape::kGraph ? 24 : 10;
    origin_ = {margin + (around - left) * unit_, margin + (around + top) * unit_};
    right_ = origin_.x + (right + around) * unit_;
    bottom_ = origin_.y + (around - bottom) * unit_ + (options_.coordinates ? 22 : 0);
    width_ = right_ + 10;
    height_ = bottom_ + 10;
  }

  [[nodiscard]] Point Pixel(Point p) const { return {origin_.x + p.x * unit_, origin_.y - p.y * unit_}; }
  [[nodiscard]] Point Centre(int cell) const { return Pixel(layout_[At(cell)]); }

  // The corners of a cell, shrunk by `inset` pixels. Free graphs have round cells and no corners.
  [[nodiscard]] std::vector<Point> Corners(int cell, double inset) const {
    std::vector<Point> corners;
    const Point c = Centre(cell);
    const bool hexes = board_.shape() == Shape::kHexes;
    const int sides = hexes ? 6 : 4;
    const double radius =
        hexes ? unit_ / std::sqrt(3.0) - inset * 2 / std::sqrt(3.0) : (unit_ / 2 - inset) * std::sqrt(2.0);
    for (int i = 0; i < sides; ++i) {
      const double angle = hexes ? kPi / 3 * i : kPi / 4 + kPi / 2 * i;
      corners.push_back({c.x + radius * std::cos(angle), c.y + radius * std::sin(angle)});
    }
    return corners;
  }

  [[nodiscard]] std::string CellShape(int cell, double inset, const std::string& attributes) const {
    const Point c = Centre(cell);
    if (board_.shape() == Shape::kGraph) {
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n", Number(c.x), Number(c.y),
                         Number(unit_ * 0.27 - inset), attributes);
    }
    if (board_.shape() == Shape::kSquares) {
      const double size = unit_ - 2 * inset;
      return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", Number(c.x - size / 2),
                         Number(c.y - size / 2), Number(size), Number(size), attributes);
    }
    std::string points;
    for (const Point& p : Corners(cell, inset)) {
      points += (points.empty() ? "" : " ") + Number(p.x) + "," + Number(p.y);
    }
    return fmt::format("<polygon points=\"{}\" {}/>\n", points, attributes);
  }

  void Line(Point a, Point b, const std::string& attributes) {
    body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", Number(a.x), Number(a.y), Number(b.x),
                         Number(b.y), attributes);
  }
  void Write(Point at, double size, const std::string& attributes, std::string_view text) {
    body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" {}>{}</text>\n", Number(at.x), Number(at.y),
                         Number(size), attributes, Escaped(text));
    const bool middle = attributes.find("middle") != std::string::npos;
    const double reach = DisplayWidth(text) * size * 0.62;
    width_ = std::max(width_, at.x + (middle ? reach / 2 : reach) + 10);
    height_ = std::max(height_, at.y + 10);
  }

  // ---- the board ----

  void Links() {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      std::map<int, std::string> targets;
      for (int d = 0; d < board_.direction_count(); ++d) {
        const int to = board_.Next(d, cell);
        if (to < 0) continue;
        targets[to] += (targets[to].empty() ? "" : " ") + board_.label_name(d);
      }
      for (const auto& [to, names] : targets) {
        bool back = false;
        for (int d = 0; d < board_.direction_count(); ++d) back |= board_.Next(d, to) == cell;
        const Point a = Centre(cell);
        const Point b = Centre(to);
        if (!back || cell < to) Line(a, b, "stroke=\"#8a8a80\" stroke-width=\"2\"");
        if (!back) Chevron({a.x + (b.x - a.x) * 0.6, a.y + (b.y - a.y) * 0.6}, std::atan2(b.y - a.y, b.x - a.x), 6);
        // The direction's name near its beginning, beside the line.
        const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
        const Point at = {a.x + (b.x - a.x) * 0.36 + (b.y - a.y) / length * 8,
                          a.y + (b.y - a.y) * 0.36 - (b.x - a.x) / length * 8 + 3};
        Write(at, 9, "fill=\"#77776c\" text-anchor=\"middle\"" + std::string(kHalo), names);
      }
    }
  }

  void Cells() {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      const int colour = board_.colour(cell);
      const char* fill = board_.shape() == Shape::kGraph   ? "#eef0dc"
                         : board_.shape() == Shape::kHexes ? kHexColours[colour]
                                                           : kSquareColours[colour];
      std::string shape = CellShape(cell, 0, fmt::format("fill=\"{}\" stroke=\"#6d705f\" stroke-width=\"0.7\"", fill));
      // A title is what a browser shows when the pointer rests on the cell.
      shape.resize(shape.size() - 3);
      body_ += fmt::format("{}><title>{}</title></{}>\n", shape, Escaped(Title(cell)),
                           board_.shape() == Shape::kSquares ? "rect"
                           : board_.shape() == Shape::kHexes ? "polygon"
                                                             : "circle");
    }
  }

  [[nodiscard]] std::string ElementOf(const rules::Zone& zone, std::size_t element) const {
    rules::Variable like;
    like.name = zone.name;
    like.index = zone.index;
    like.index_types = zone.index_types;
    return rules::ElementName(rules_, like, static_cast<int>(element));
  }

  [[nodiscard]] std::string Title(int cell) const {
    std::string zones;
    for (const rules::Zone& zone : rules_.zones) {
      for (std::size_t i = 0; i < zone.cells.size(); ++i) {
        if (zone.cells[i].test(At(cell))) zones += (zones.empty() ? ": " : ", ") + ElementOf(zone, i);
      }
    }
    return board_.name(cell) + zones;
  }

  void Tint(const char* tint, const std::string& name, const board::CellSet& cells) {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      if (!cells.test(At(cell))) continue;
      body_ += CellShape(cell, 0.5, fmt::format("fill=\"{}\" fill-opacity=\"0.22\" pointer-events=\"none\"", tint));
    }
    legend_.emplace_back(tint, name);
  }

  // Without `show zones`, those worth a tint: not the whole board, nor library helpers without cells.
  void Zones() {
    if (!rules_.shown_zones.empty()) return ShownZones();
    std::size_t colour = 0;
    for (const rules::Zone& zone : rules_.zones) {
      board::CellSet all;
      for (const board::CellSet& cells : zone.cells) all |= cells & board_.cells();
      if (zone.is_place || all.none() || all == board_.cells() || colour >= std::size(kZoneColours)) continue;
      Tint(kZoneColours[colour++], zone.name, all);
    }
  }

  // A zone that has a player among its indices gets a tint for each.
  void ShownZones() {
    std::size_t colour = 0;
    for (const rules::ZoneId id : rules_.shown_zones) {
      const rules::Zone& zone = rules_.zones[id];
      std::map<rules::Value, board::CellSet> by_player;
      std::size_t stride = 1;
      std::size_t index = zone.index.size();
      while (index > 0 && zone.index_types[index - 1].base != rules::Base::kPlayer)
        stride *= zone.index[--index].size();
      for (std::size_t i = 0; i < zone.cells.size(); ++i) {
        const rules::Value player =
            index == 0 ? rules::kNone : zone.index[index - 1][i / stride % zone.index[index - 1].size()];
        by_player[player] |= zone.cells[i] & board_.cells();
      }
      for (const auto& [player, cells] : by_player) {
        if (cells.none()) continue;
        const std::string name =
            player == rules::kNone ? zone.name : zone.name + "[" + PlayerName(rules_, player) + "]";
        Tint(kZoneColours[colour++ % std::size(kZoneColours)], name, cells);
      }
    }
  }

  void Highlights() {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      if (!options_.last_move.test(At(cell))) continue;
      body_ += CellShape(cell, 1.5, "fill=\"#f6d743\" fill-opacity=\"0.55\" stroke=\"#c79a00\" stroke-width=\"2\"");
    }
  }

  void Targets() {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      if (!options_.targets.test(At(cell))) continue;
      const Point c = Centre(cell);
      const bool taken = !on_.empty() && on_[At(cell)] != nullptr;
      body_ += taken ? CellShape(cell, 2.5, "fill=\"none\" stroke=\"#1d7a46\" stroke-width=\"3\"")
                     : fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"#1d7a46\" fill-opacity=\"0.7\"/>\n",
                                   Number(c.x), Number(c.y));
    }
  }

  // ---- directions ----

  // The screen angle of a direction: clockwise from north, so -90 degrees from the x axis.
  [[nodiscard]] double Angle(int direction) const { return 2 * kPi * direction / board_.full_turn() - kPi / 2; }

  void Chevron(Point tip, double angle, double size) {
    const auto point = [&](double turn) {
      return Number(tip.x - size * std::cos(angle + turn)) + "," + Number(tip.y - size * std::sin(angle + turn));
    };
    body_ += fmt::format(
        "<polyline points=\"{} {},{} {}\" fill=\"none\" stroke=\"#55584b\" stroke-width=\"1.6\" "
        "stroke-opacity=\"0.75\"/>\n",
        point(0.6), Number(tip.x), Number(tip.y), point(-0.6));
  }

  // Facing as a chevron near the border it leads to: the player on turn where players differ.
  void Frames() {
    if (board_.shape() == Shape::kGraph) return;
    const int player = at_ == nullptr ? 0 : at_->mover;
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      const Point c = Centre(cell);
      if (const int facing = board_.Facing(player, cell); facing >= 0) {
        const double angle = Angle(facing);
        Chevron({c.x + std::cos(angle) * unit_ * 0.46, c.y + std::sin(angle) * unit_ * 0.46}, angle, 6);
      }
      for (int d = 0; d < board_.direction_count(); ++d) {
        const int to = board_.Deflect(cell, d);
        if (to < 0 || board_.is_diagonal(d) || board_.is_vector(to)) continue;
        const double reach = unit_ * 0.42;
        const Point from = {c.x - std::cos(Angle(d)) * reach, c.y - std::sin(Angle(d)) * reach};
        const Point end = {c.x + std::cos(Angle(to)) * reach, c.y + std::sin(Angle(to)) * reach};
        body_ += fmt::format(
            "<path d=\"M{},{} Q{},{} {},{}\" fill=\"none\" stroke=\"#55584b\" stroke-width=\"1.6\" "
            "stroke-opacity=\"0.6\" stroke-dasharray=\"3 3\"/>\n",
            Number(from.x), Number(from.y), Number(c.x), Number(c.y), Number(end.x), Number(end.y));
      }
    }
  }

  // ---- barriers and seams ----

  // The side of a cell that a straight step crosses.
  std::pair<Point, Point> SideOf(int cell, int direction) const {
    const Point c = Centre(cell);
    const bool hexes = board_.shape() == Shape::kHexes;
    const double half = hexes ? unit_ / std::sqrt(3.0) / 2 : unit_ / 2;
    const double angle = Angle(direction);
    const Point middle = {c.x + std::cos(angle) * unit_ / 2, c.y + std::sin(angle) * unit_ / 2};
    return {{middle.x - std::sin(angle) * half, middle.y + std::cos(angle) * half},
            {middle.x + std::sin(angle) * half, middle.y - std::cos(angle) * half}};
  }

  void Barriers() {
    const std::string style = "stroke=\"#7a1f1f\" stroke-width=\"4\" stroke-linecap=\"round\"";
    for (const board::Barrier& barrier : board_.barriers()) {
      for (int cell = 0; cell < board_.board_size(); ++cell) {
        for (int d = 0; d < board_.direction_count(); ++d) {
          const int to = board_.Next(d, cell);
          if (to < 0 || !barrier.edges[At(cell)].test(At(d))) continue;
          if (board_.shape() == Shape::kGraph) {
            const Point a = Centre(cell);
            const Point b = Centre(to);
            const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
            const Point across = {(b.y - a.y) / length * 12, -(b.x - a.x) / length * 12};
            const Point middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};
            Line({middle.x - across.x, middle.y - across.y}, {middle.x + across.x, middle.y + across.y}, style);
          } else if (!board_.is_diagonal(d)) {
            // A step and the step back share a side; only across the seam of a wrap they do not.
            const Point a = Centre(cell);
            const Point b = Centre(to);
            const bool near = std::hypot(a.x - b.x, a.y - b.y) < unit_ * 1.1;
            if (near && cell > to && barrier.edges[At(to)].test(At(board_.Rotate(d, board_.full_turn() / 2)))) continue;
            const auto [from, end] = SideOf(cell, d);
            Line(from, end, style);
          }
        }
      }
      legend_.emplace_back("", barrier.name);
    }
  }

  // Sides over which the board goes on at the other side.
  void Seams() {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      for (int d = 0; d < board_.direction_count(); d += 2) {
        const int to = board_.Next(d, cell);
        if (to < 0) continue;
        const Point a = Centre(cell);
        const Point b = Centre(to);
        // Where the neighbour is drawn elsewhere than one step on.
        const double angle = Angle(d);
        if (std::hypot(a.x + std::cos(angle) * unit_ - b.x, a.y + std::sin(angle) * unit_ - b.y) < 1) continue;
        const auto [from, end] = SideOf(cell, d);
        Line(from, end, "stroke=\"#2e6f95\" stroke-width=\"3\" stroke-dasharray=\"4 4\"");
      }
    }
  }

  // ---- words and pieces ----

  void Coordinates() {
    const std::string centred = "fill=\"#55584b\" text-anchor=\"middle\"";
    if (board_.shape() == Shape::kGraph) {
      for (int cell = 0; cell < board_.board_size(); ++cell) {
        Write({Centre(cell).x, Centre(cell).y + unit_ * 0.27 + 13}, 12, centred + kHalo, board_.name(cell));
      }
      return;
    }
    const auto file_name = [](int file) {
      std::string name = Builder::GridName(file, 1);
      name.pop_back();
      return name;
    };
    const bool squares = board_.shape() == Shape::kSquares;
    for (int file = 1; file <= board_.width(); ++file) {
      for (int rank = 1; rank <= board_.height(); ++rank) {
        const int cell = board_.At(file, rank);
        if (cell < 0) continue;
        const double below = squares ? Pixel({0, -0.5}).y : Centre(cell).y + unit_ / 2;
        Write({Centre(cell).x, below + 15}, 13, centred, file_name(file));
        break;
      }
    }
    for (int rank = 1; rank <= board_.height(); ++rank) {
      for (int file = 1; file <= board_.width(); ++file) {
        const int cell = board_.At(file, rank);
        if (cell < 0) continue;
        const Point c = Centre(cell);
        const double left = squares ? Pixel({-0.5, 0}).x : c.x - unit_ * 0.5;
        Write({left - 10, c.y + (squares ? 5 : -unit_ * 0.22)}, 13, centred, std::to_string(rank));
        break;
      }
    }
  }

  void Piece(int cell, Point c, double size) {
    if (on_.empty() || on_[At(cell)] == nullptr) return;
    Man(*on_[At(cell)], c, size);
  }

  void Man(const PieceRecord& piece, Point c, double size) {
    const bool owned = piece.owner >= 0 && piece.owner < static_cast<int>(std::size(kDiscs));
    std::string letter = Letter(rules_, piece.kind, piece.owner);
    const std::string title = KindName(rules_, piece.kind) + (owned ? " of " + PlayerName(rules_, piece.owner) : "");
    if (IsSymbol(letter)) {
      body_ += "<g>" + Titled(title);
      Write({c.x, c.y + size * 0.27}, size * 0.75, "fill=\"#1c1c1c\" text-anchor=\"middle\"", letter);
      body_ += "</g>\n";
      return;
    }
    // The disc tells the side, so letters that differ by nothing but case are shown alike.
    const std::string first = Letter(rules_, piece.kind, 0);
    if (owned && SameButCase(first, letter)) letter = first;
    const char* disc = owned ? kDiscs[piece.owner] : "#f2a541";
    const char* ink = owned ? kInks[piece.owner] : "#1c1c1c";
    body_ += "<g>" + Titled(title);
    const std::string look = fmt::format("fill=\"{}\" stroke=\"#1c1c1c\" stroke-width=\"1.2\"/>\n", disc);
    if (rules_.kinds[At(piece.kind)].fixed) {
      const double half = size * 0.34;
      body_ += fmt::format("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\" {3}", Number(c.x - half),
                           Number(c.y - half), Number(2 * half), look);
    } else {
      body_ +=
          fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}", Number(c.x), Number(c.y), Number(size * 0.37), look);
    }
    const int width = std::max(1, DisplayWidth(letter));
    const double font = size * (width <= 1 ? 0.46 : width == 2 ? 0.4 : 0.72 / width);
    Write({c.x, c.y + font * 0.36}, font, fmt::format("fill=\"{}\" text-anchor=\"middle\" font-weight=\"bold\"", ink),
          letter);
    body_ += "</g>\n";
  }

  static std::string Titled(const std::string& text) { return "<title>" + Escaped(text) + "</title>"; }

  static bool SameButCase(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t k = 0;
    while (i < a.size() && k < b.size()) {
      const auto left = static_cast<utf8proc_int32_t>(NextCharacter(a, i));
      const auto right = static_cast<utf8proc_int32_t>(NextCharacter(b, k));
      if (utf8proc_tolower(left) != utf8proc_tolower(right)) return false;
    }
    return i == a.size() && k == b.size();
  }

  // What stands at the right of the board: places, lifted pieces, legend.
  void Side() {
    double y = 24;
    const double x = right_ + 24;
    const double small = 30;
    const auto group = [&](const std::string& title, const std::vector<const PieceRecord*>& pieces, std::size_t room) {
      Write({x, y + 10}, 13, "fill=\"#33352c\"", title);
      y += 18;
      constexpr std::size_t kPerLine = 8;
      for (std::size_t i = 0; i < std::max(room, pieces.size()); ++i) {
        const Point c = {x + small * (static_cast<double>(i % kPerLine) + 0.5),
                         y + small * (static_cast<double>(i / kPerLine) + 0.5)};
        if (i < room) {
          body_ += fmt::format(
              "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#f4f4ec\" stroke=\"#b5b7a8\" "
              "stroke-width=\"0.7\"/>\n",
              Number(c.x - small / 2), Number(c.y - small / 2), Number(small), Number(small));
        }
        if (i < pieces.size()) Man(*pieces[i], c, small);
        width_ = std::max(width_, c.x + small / 2 + 10);
      }
      y += small * static_cast<double>((std::max(room, pieces.size()) + kPerLine - 1) / kPerLine) + 14;
      height_ = std::max(height_, y);
    };
    for (const PlaceView& place : Places(board_)) {
      std::vector<const PieceRecord*> pieces;
      for (const int slot : place.slots) {
        if (!on_.empty() && on_[At(slot)] != nullptr) pieces.push_back(on_[At(slot)]);
      }
      group(place.name, pieces, place.slots.size());
    }
    std::vector<const PieceRecord*> lifted;
    if (at_ != nullptr) {
      for (const PieceRecord& piece : at_->pieces) {
        if (piece.cell == rules::kNone) lifted.push_back(&piece);
      }
    }
    if (!lifted.empty()) group("off the board", lifted, 0);
    for (const auto& [tint, name] : legend_) {
      if (tint.empty()) {
        Line({x, y + 6}, {x + 14, y + 6}, "stroke=\"#7a1f1f\" stroke-width=\"4\" stroke-linecap=\"round\"");
      } else {
        body_ += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{}\" fill-opacity=\"0.35\" stroke=\"{}\"/>\n",
            Number(x), Number(y), tint, tint);
      }
      Write({x + 20, y + 12}, 13, "fill=\"#33352c\"", name);
      y += 20;
    }
    if (at_ != nullptr) {
      y += legend_.empty() ? 0 : 8;
      Write({x, y + 12}, 13, "fill=\"#33352c\" font-weight=\"bold\"", TurnText(rules_, *at_));
      y += 20;
      for (const session::ShownLine& line : options_.shown.lines) {
        Write({x, y + 12}, 13, "fill=\"#33352c\"", line.label + " " + line.text);
        y += 18;
      }
      for (const std::string& line : ChangedState(rules_, *at_, options_.shown.told)) {
        Write({x, y + 12}, 12, "fill=\"#55584b\"", line);
        y += 17;
      }
    }
    height_ = std::max(height_, y + 10);
  }

  [[nodiscard]] std::string Head() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"'DejaVu Sans','Noto Sans','Noto Sans CJK SC',sans-serif\">\n"
        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        Number(std::ceil(width_)), Number(std::ceil(height_)), Escaped(rules_.title));
  }

  const Rules& rules_;
  const Board& board_;
  const Snapshot* at_;
  const SvgOptions& options_;
  std::vector<const PieceRecord*> on_;  // empty without a position
  std::vector<Point> layout_;
  double unit_ = 48;
  Point origin_;
  double right_ = 0, bottom_ = 0, width_ = 0, height_ = 0;
  std::vector<std::pair<std::string, std::string>> legend_;  // tint (empty: a barrier), name
  std::string body_;
};

}  // namespace

std::string BoardSvg(const Rules& rules, const Snapshot* at, const SvgOptions& options) {
  return Drawing(rules, at, options).Text();
}

std::string BoardSvg(const Position& at, SvgOptions options) {
  const Game game = at.game();
  options.shown = session::ShownIn(at);
  return BoardSvg(game.rules(), &at.snapshot(), options);
}

}  // namespace arbiter::render
