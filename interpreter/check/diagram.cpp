// Diagrams: a position drawn row by row, tokens separated by blanks.
//
//       8  . . g . .        a rank label in front of each row, and the letters of the files
//       …                   below, are optional and checked
//          a b c d e
//
// `.` is an empty cell, `#` no cell, a letter a piece. Rows of hexes may leave the `#` out. A free graph
// has its cells in the order of their declaration, in any number of rows.

#include <algorithm>
#include <map>
#include <set>

#include "check/passes.h"

namespace arbiter::check {

namespace {

struct Token {
  std::string_view text;
  Span span;
};
using Row = std::vector<Token>;

std::vector<Row> Rows(std::string_view text, Span span) {
  std::vector<Row> rows;
  Row row;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n') {
      if (!row.empty()) rows.push_back(std::move(row));
      row.clear();
      ++at;
    } else if (static_cast<unsigned char>(text[at]) <= ' ') {
      ++at;
    } else {
      std::size_t end = at;
      while (end < text.size() && static_cast<unsigned char>(text[end]) > ' ') ++end;
      auto begin = static_cast<uint32_t>(span.begin + at);
      row.push_back({text.substr(at, end - at), {span.file, begin, static_cast<uint32_t>(begin + end - at)}});
      at = end;
    }
  }
  if (!row.empty()) rows.push_back(std::move(row));
  return rows;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char ch) { return ch >= '0' && ch <= '9'; });
}

std::string Count(std::size_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

class Reader {
 public:
  Reader(Context& c, std::string_view text, Span span) : c_(c), span_(span), rows_(Rows(text, span)) {
    for (std::size_t k = 0; k < c.rules.kinds.size(); ++k) {
      const rules::Kind& kind = c.rules.kinds[k];
      for (std::size_t p = 0; p < kind.letters.size(); ++p) {
        rules::SetupPiece piece;
        piece.kind = static_cast<int>(k);
        piece.owner = kind.neutral ? rules::kNone : static_cast<rules::Value>(p);
        letters_.emplace(kind.letters[p], piece);
      }
    }
  }

  std::optional<std::vector<rules::SetupPiece>> Read() {
    bool good = c_.board().shape() == board::Shape::kGraph ? Graph() : Grid();
    if (!good || failed_) return std::nullopt;
    return std::move(pieces_);
  }

 private:
  bool Graph() {
    Row all;
    for (const Row& row : rows_) all.insert(all.end(), row.begin(), row.end());
    auto size = static_cast<std::size_t>(c_.board().board_size());
    if (all.size() != size) {
      Span where = all.size() > size ? Join(all[size].span, all.back().span) : all.empty() ? span_ : all.back().span;
      c_.Error(Code::kSetupRow, where,
               "the diagram has " + Count(all.size(), "cell") + ", the board " + Count(size, "cell"))
          .help.push_back("write one token for every cell, in the order of their declaration");
      return false;
    }
    for (std::size_t i = 0; i < size; ++i) Put(all[i], static_cast<int>(i));
    return true;
  }

  bool Grid() {
    const board::Board& board = c_.board();
    auto height = static_cast<std::size_t>(board.height());
    bool files = !rows_.empty() && IsFiles(rows_.back());
    if (files && (rows_.size() == height + 1 || !IsPieces(rows_.back()))) rows_.pop_back();
    if (rows_.size() != height) {
      bool many = rows_.size() > height;
      Span where = rows_.empty() ? span_
                   : many        ? Join(rows_[height].front().span, rows_[height].back().span)
                                 : Join(rows_.back().front().span, rows_.back().back().span);
      c_.Error(Code::kSetupRow, where,
               "the diagram has " + Count(rows_.size(), "row") + ", the board " + Count(height, "rank"))
          .help.push_back(many
                              ? "take out what is too much; below the last rank only the letters of the files may stand"
                              : "write a row for every rank, the highest first");
      return false;
    }
    for (std::size_t i = 0; i < height; ++i) {
      if (!GridRow(rows_[i], board.height() - static_cast<int>(i))) return false;
    }
    return true;
  }

  bool IsFiles(const Row& row) const {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string name = board::Builder::GridName(static_cast<int>(i) + 1, 1);
      name.pop_back();
      if (row[i].text != name) return false;
    }
    return !row.empty();
  }

  bool IsPieces(const Row& row) const {
    return std::all_of(row.begin(), row.end(), [&](const Token& token) { return letters_.contains(token.text); });
  }

  bool GridRow(Row row, int rank) {
    const board::Board& board = c_.board();
    if (!row.empty() && IsNumber(row.front().text)) {
      if (row.front().text != std::to_string(rank)) {
        c_.Error(Code::kSetupRow, row.front().span,
                 "this row is labelled " + std::string(row.front().text) + ", but it is rank " + std::to_string(rank))
            .help.push_back("rows stand from rank " + std::to_string(board.height()) + " down to 1: is one missing?");
        return false;
      }
      row.erase(row.begin());
    }
    std::vector<int> all, existing;
    for (int file = 1; file <= board.width(); ++file) {
      all.push_back(board.At(file, rank));
      if (all.back() >= 0) existing.push_back(all.back());
    }
    bool short_form = board.shape() == board::Shape::kHexes && row.size() == existing.size();
    const std::vector<int>& cells = short_form ? existing : all;
    if (row.size() != cells.size()) return WrongLength(row, cells.size(), rank);
    for (std::size_t i = 0; i < cells.size() && !hole_wrong_; ++i) Put(row[i], cells[i]);
    return true;
  }

  bool WrongLength(const Row& row, std::size_t width, int rank) {
    bool longer = row.size() > width;
    Span where = row.empty() ? span_
                 : longer    ? Join(row[width].span, row.back().span)
                             : Join(row.front().span, row.back().span);
    std::string message = "rank " + std::to_string(rank) + " has " + Count(row.size(), "cell") + " here, the board " +
                          Count(width, "file");
    c_.Error(Code::kSetupRow, where, message)
        .help.push_back(longer ? "take out " + Count(row.size() - width, "token")
                               : "add " + Count(width - row.size(), "token") + ": `.` is an empty cell, `#` no cell");
    return false;
  }

  void Put(const Token& token, int cell) {
    bool hole = token.text == "#";
    if (hole != (cell < 0)) {
      failed_ = hole_wrong_ = true;
      std::string message =
          hole ? "`#` stands where the board has the cell " + c_.board().name(cell) : "the board has no cell here";
      c_.Error(Code::kSetupHole, token.span, message)
          .help.push_back(hole ? "write `.` for an empty cell" : "write `#` where the board has no cell");
      return;
    }
    if (hole || token.text == ".") return;
    auto known = letters_.find(token.text);
    if (known == letters_.end()) {
      UnknownLetter(token);
      return;
    }
    pieces_.push_back(known->second);
    pieces_.back().cell = cell;
  }

  void UnknownLetter(const Token& token) {
    failed_ = true;
    bool broken = std::any_of(c_.rules.kinds.begin(), c_.rules.kinds.end(),
                              [](const rules::Kind& kind) { return kind.letters.empty(); });
    if (broken) return;  // it may be a letter that was refused
    if (!unknown_.emplace(token.text).second) return;
    Diagnostic& d =
        c_.Error(Code::kSetupLetter, token.span, "no piece has the letter `" + std::string(token.text) + "`");
    std::string list;
    for (const auto& [letter, piece] : letters_) list += (list.empty() ? "" : " ") + letter;
    d.help.push_back("the letters are " + list + "; `.` is an empty cell, `#` no cell");
  }

  Context& c_;
  Span span_;
  std::vector<Row> rows_;
  std::map<std::string, rules::SetupPiece, std::less<>> letters_;
  std::set<std::string_view> unknown_;
  std::vector<rules::SetupPiece> pieces_;
  bool failed_ = false;
  bool hole_wrong_ = false;  // one report is enough: the rest is likely shifted
};

}  // namespace

std::optional<std::vector<rules::SetupPiece>> ReadDiagram(Context& c, std::string_view text, Span span) {
  return Reader(c, text, span).Read();
}

}  // namespace arbiter::check
