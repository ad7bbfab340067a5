#include "render/text.h"

#include <algorithm>
#include <cmath>

#include "render/view.h"

namespace arbiter::render {

using board::Board;
using board::Builder;
using board::Shape;
using rules::PieceRecord;
using rules::Rules;
using rules::Snapshot;

namespace {

// A sheet of text on which short texts are put at columns; wide characters take two columns.
class Sheet {
 public:
  Sheet(int rows, int columns) : columns_(columns), cells_(static_cast<std::size_t>(rows * columns), " ") {}

  // The first column of the text is `column`; what it covers is taken.
  void Put(int row, int column, const std::string& text) {
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = i;
      NextCharacter(text, i);
      const std::string character = text.substr(begin, i - begin);
      const int width = DisplayWidth(character);
      if (width == 0 && column > 0) {
        Cell(row, column - 1) += character;  // a combining mark belongs to the character before it
        continue;
      }
      for (int k = 0; k < width; ++k) Cell(row, column++) = k == 0 ? character : "";
    }
  }

  [[nodiscard]] std::string Text() const {
    std::string out;
    for (std::size_t i = 0; i < cells_.size(); i += static_cast<std::size_t>(columns_)) {
      std::string line;
      for (std::size_t k = i; k < i + static_cast<std::size_t>(columns_); ++k) line += cells_[k];
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
    return out;
  }

 private:
  std::string& Cell(int row, int column) {
    return cells_[static_cast<std::size_t>(row * columns_ + std::min(column, columns_ - 1))];
  }

  int columns_;
  std::vector<std::string> cells_;
};

// What a cell shows.
class Marks {
 public:
  Marks(const Rules& rules, const Snapshot& at, const TextOptions& options)
      : rules_(rules), options_(options), on_(Occupants(rules, at)) {
    for (int cell = 0; cell < rules.board.board_size(); ++cell) width_ = std::max(width_, DisplayWidth(At(cell)));
  }
  [[nodiscard]] std::string At(int cell) const {
    if (cell < 0) return "#";
    const PieceRecord* piece = on_[static_cast<std::size_t>(cell)];
    return piece == nullptr ? "." : Letter(rules_, piece->kind, piece->owner);
  }
  [[nodiscard]] bool IsMarked(int cell) const {
    return cell >= 0 && options_.marked.test(static_cast<std::size_t>(cell));
  }
  [[nodiscard]] const PieceRecord* Piece(int cell) const { return on_[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] int width() const { return width_; }  // of the widest

 private:
  const Rules& rules_;
  const TextOptions& options_;
  std::vector<const PieceRecord*> on_;
  int width_ = 1;
};

std::string FileName(int file) {
  std::string name = Builder::GridName(file, 1);
  name.pop_back();
  return name;
}

void PutMarked(Sheet& sheet, int row, int column, const Marks& marks, int cell) {
  sheet.Put(row, column, marks.At(cell));
  if (!marks.IsMarked(cell)) return;
  sheet.Put(row, column - 1, "[");
  sheet.Put(row, column + DisplayWidth(marks.At(cell)), "]");
}

std::string SquaresText(const Board& board, const Marks& marks, bool coordinates) {
  const int margin = coordinates ? DisplayWidth(std::to_string(board.height())) + 2 : 1;
  const int names = coordinates ? DisplayWidth(FileName(board.width())) : 1;
  const int step = std::max(marks.width(), names) + 1;
  Sheet sheet(board.height() + (coordinates ? 1 : 0), margin + step * board.width() + 1);
  for (int rank = board.height(); rank >= 1; --rank) {
    const int row = board.height() - rank;
    if (coordinates) {
      const std::string name = std::to_string(rank);
      sheet.Put(row, margin - 2 - DisplayWidth(name), name);
    }
    for (int file = 1; file <= board.width(); ++file) {
      PutMarked(sheet, row, margin + (file - 1) * step, marks, board.At(file, rank));
    }
  }
  for (int file = 1; coordinates && file <= board.width(); ++file) {
    sheet.Put(board.height(), margin + (file - 1) * step, FileName(file));
  }
  return sheet.Text();
}

// Two lines per rank; the files stand side by side, the name of each below its last cell, the name of
// each rank before its first cell.
std::string HexesText(const Board& board, const Marks& marks, bool coordinates) {
  const auto height = [&](int cell) { return static_cast<int>(std::lround(2 * board.position(cell).y)); };
  int top = height(0);
  int bottom = height(0);
  for (int cell = 0; cell < board.board_size(); ++cell) {
    top = std::max(top, height(cell));
    bottom = std::min(bottom, height(cell));
  }
  const int names = coordinates ? DisplayWidth(std::to_string(board.height())) : 0;
  const int margin = coordinates ? names + 1 : 1;
  // A marked cell needs a column at both sides, and the name of a rank stands between two files.
  const int step = std::max({marks.width(), DisplayWidth(FileName(board.width())), (names + 2) / 2}) + 1;
  Sheet sheet(top - bottom + 1 + (coordinates ? 2 : 0), margin + step * board.width() + 1);
  const auto column = [&](int cell) { return margin + (board.file(cell) - 1) * step; };
  for (int cell = 0; cell < board.board_size(); ++cell) PutMarked(sheet, top - height(cell), column(cell), marks, cell);
  if (!coordinates) return sheet.Text();
  for (int file = 1; file <= board.width(); ++file) {
    for (int rank = 1; rank <= board.height(); ++rank) {
      const int cell = board.At(file, rank);
      if (cell < 0) continue;
      sheet.Put(top - height(cell) + 2, column(cell), FileName(file));
      break;
    }
  }
  for (int rank = 1; rank <= board.height(); ++rank) {
    for (int file = 1; file <= board.width(); ++file) {
      const int cell = board.At(file, rank);
      if (cell < 0) continue;
      const std::string name = std::to_string(rank);
      // A marked cell has its bracket where the name would end.
      sheet.Put(top - height(cell), column(cell) - 1 - DisplayWidth(name), name);
      break;
    }
  }
  return sheet.Text();
}

// A line per cell, with the piece in words: letters alone say little without a picture.
std::string ListText(const Rules& rules, const Marks& marks) {
  const Board& board = rules.board;
  int widest = 0;
  for (int cell = 0; cell < board.board_size(); ++cell) widest = std::max(widest, DisplayWidth(board.name(cell)));
  std::string out;
  for (int cell = 0; cell < board.board_size(); ++cell) {
    std::string line =
        board.name(cell) + std::string(static_cast<std::size_t>(widest - DisplayWidth(board.name(cell))), ' ');
    line += (marks.IsMarked(cell) ? " [" : "  ") + marks.At(cell) + (marks.IsMarked(cell) ? "]" : "");
    if (const PieceRecord* piece = marks.Piece(cell); piece != nullptr) {
      line += std::string(static_cast<std::size_t>(marks.width() - DisplayWidth(marks.At(cell)) + 2), ' ');
      line += KindName(rules, piece->kind);
      if (piece->owner != rules::kNone) line += " of " + PlayerName(rules, piece->owner);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string StateText(const Rules& rules, const Snapshot& at, const session::ShownLines& shown) {
  const std::vector<const PieceRecord*> on = Occupants(rules, at);
  std::string out = TurnText(rules, at) + "\n" + session::ShownRows(shown.lines);
  for (const PlaceView& place : Places(rules.board)) {
    out += place.name + ":";
    bool empty = true;
    for (const int slot : place.slots) {
      const PieceRecord* piece = on[static_cast<std::size_t>(slot)];
      if (piece == nullptr) continue;
      out += " " + Letter(rules, piece->kind, piece->owner);
      empty = false;
    }
    out += empty ? " empty\n" : "\n";
  }
  std::string lifted;
  for (const PieceRecord& piece : at.pieces) {
    if (piece.cell == rules::kNone) lifted += " " + Letter(rules, piece.kind, piece.owner);
  }
  if (!lifted.empty()) out += "off the board:" + lifted + "\n";
  for (const std::string& line : ChangedState(rules, at, shown.told)) out += line + "\n";
  return out;
}

std::string BoardText(const Rules& rules, const Snapshot& at, const TextOptions& options) {
  const Marks marks(rules, at, options);
  std::string out;
  if (rules.board.board_size() > 0) {
    switch (rules.board.shape()) {
      case Shape::kSquares:
        out = SquaresText(rules.board, marks, options.coordinates);
        break;
      case Shape::kHexes:
        out = HexesText(rules.board, marks, options.coordinates);
        break;
      case Shape::kGraph:
        out = ListText(rules, marks);
        break;
    }
  }
  if (options.state) out += "\n" + StateText(rules, at, options.shown);
  return out;
}

std::string BoardText(const Position& at, TextOptions options) {
  const Game game = at.game();
  options.shown = session::ShownIn(at);
  return BoardText(game.rules(), at.snapshot(), options);
}

std::string OutcomeText(const Rules& rules, const rules::Outcome& outcome) {
  const auto player = [&](int p) { return PlayerName(rules, p); };
  switch (outcome.kind) {
    case rules::Outcome::Kind::kNone:
      return "";
    case rules::Outcome::Kind::kWin:
      return player(outcome.winner) + " wins";
    case rules::Outcome::Kind::kDraw:
      return "draw";
    case rules::Outcome::Kind::kPoints: {
      std::string out;
      for (std::size_t p = 0; p < outcome.points.size(); ++p) {
        out += (out.empty() ? "" : ", ") + player(static_cast<int>(p)) + " " + std::to_string(outcome.points[p]);
      }
      return out;
    }
  }
  return "";
}

}  // namespace arbiter::render
