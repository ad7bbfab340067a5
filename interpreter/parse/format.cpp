// `arbiter fmt`: the same tokens, laid out again.
//
// What it does: indents by open brackets, sets blanks between tokens, takes away blanks at line ends and
// surplus empty lines, puts all citations under each other like notes in a margin, and the comments behind
// neighbouring lines likewise.
// What it leaves alone: line breaks, the order of things, texts, diagrams, runs of two or more blanks inside a
// line (an author's table), and how far a line that continues another is moved to the right.
// What always holds: the tokens are the same before and after, so the tree is; a second run changes nothing.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "parse/lexer.h"
#include "parse/parse.h"
#include "parse/tokens.h"

namespace arbiter::parse {

namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kFarthest = 92;  // longer lines do not push citations and comments to the right

template <std::size_t N>
bool Among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A line that ends with one of these goes on in the next.
constexpr std::array<std::string_view, 29> kGoesOn = {
    "=",       "+=",   "-=",   "->",        ",",    "|",  "&",    "and",    "or",   "not",
    "implies", "then", "else", "otherwise", "from", "to", "onto", "within", "over", "in",
    "==",      "!=",   "<",    "<=",        ">",    ">=", "+",    "-",      "is"};
// A line that begins with one of these belongs to the one before.
constexpr std::array<std::string_view, 21> kBelongs = {"then", "|", "and", "or", "implies", "else",   "otherwise",
                                                       ",",    "+", "-",   "&",  "==",      "!=",     "<",
                                                       "<=",   ">", ">=",  "in", "onto",    "within", "from"};
constexpr std::array<std::string_view, 11> kInfix = {"->", "+=", "-=", "==", "!=", "<", "<=", ">", ">=", "|", "&"};

// The number of columns, near enough for putting things under each other: code points.
std::size_t Columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view TrimRight(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// One line as it will be written: what it says, then its citations, then its comment.
struct Line {
  std::size_t indent = 0;
  std::string content;
  std::string cites;
  std::string comment;
  bool empty_before = false;
  bool verbatim = false;  // holds a diagram: nothing is aligned with it
};

class Layout {
 public:
  Layout(const std::vector<Token>& tokens, TokenText text) : tokens_(tokens), text_(text) {}

  std::string Write() {
    for (std::size_t i = 0; i < tokens_.size() && tokens_[i].kind != TokenKind::kEnd;) i = ReadLine(i);
    Align(&Line::cites, [](const Line& line) { return line.content; });
    Align(&Line::comment, [](const Line& line) { return line.content + line.cites; });
    std::string out;
    for (const Line& line : lines_) {
      if (line.empty_before && !out.empty()) out += '\n';
      out += std::string(line.content.empty() && line.cites.empty() && line.comment.empty() ? 0 : line.indent, ' ');
      out += line.content + line.cites + line.comment + "\n";
    }
    return out;
  }

 private:
  [[nodiscard]] std::string_view Word(std::size_t i) const { return text_(tokens_[i]); }
  [[nodiscard]] std::string_view Gap(std::size_t i) const {  // between token i - 1 and token i
    uint32_t begin = i == 0 ? 0 : tokens_[i - 1].span.end;
    return text_.all().substr(begin, tokens_[i].span.begin - begin);
  }
  [[nodiscard]] bool IsComment(std::size_t i) const {
    return tokens_[i].kind == TokenKind::kComment || tokens_[i].kind == TokenKind::kDoc;
  }

  // Reads the tokens of the line that begins with token `first`; gives the first token of the next.
  std::size_t ReadLine(std::size_t first) {
    std::size_t end = first + 1;
    while (end < tokens_.size() && tokens_[end].kind != TokenKind::kEnd && !tokens_[end].first_on_line) ++end;
    Line line;
    std::string_view gap = Gap(first);
    line.empty_before = std::count(gap.begin(), gap.end(), '\n') > 1;
    line.indent = IndentOf(first, end);
    std::size_t content_end = end;
    if (IsComment(end - 1)) {
      line.comment = TrimRight(Word(end - 1));
      --content_end;
    }
    std::size_t cites = content_end;
    while (cites > first && tokens_[cites - 1].kind == TokenKind::kCite) --cites;
    bool alone = cites == first;  // a line of citations only
    if (alone || Word(cites - 1) == "because") cites = content_end;
    for (std::size_t i = cites; i < content_end; ++i)
      line.cites += (line.cites.empty() ? "" : " ") + std::string(Word(i));
    for (std::size_t i = first; i < cites; ++i) {
      if (i > first) line.content += Between(i);
      line.content += Word(i);
      line.verbatim = line.verbatim || tokens_[i].kind == TokenKind::kDiagram;
    }
    for (std::size_t i = first; i < content_end; ++i) Follow(i);
    lines_.push_back(std::move(line));
    return end;
  }

  // Keeps account of brackets, of the declaration one is in, and of the last token that is no comment.
  void Follow(std::size_t i) {
    std::string_view word = Word(i);
    if (tokens_[i].kind == TokenKind::kSymbol && (word == "(" || word == "[" || word == "{")) open_.push_back(word[0]);
    if (tokens_[i].kind == TokenKind::kSymbol && (word == ")" || word == "]" || word == "}") && !open_.empty()) {
      open_.pop_back();
    }
    if (open_.empty() && tokens_[i].kind == TokenKind::kKeyword && BeginsDeclaration(word))
      in_example_ = word == "example";
    last_ = static_cast<int>(i);
  }

  std::size_t IndentOf(std::size_t first, std::size_t end) const {
    std::size_t depth = open_.size();
    for (std::size_t i = first; i < end && depth > 0 && tokens_[i].kind == TokenKind::kSymbol; ++i) {
      std::string_view word = Word(i);
      if (word != ")" && word != "]" && word != "}") break;
      --depth;
    }
    if (IsContinuation(first)) return std::max((depth + 1) * kIndent, OwnIndent(first));
    if (depth > 0 && open_.back() != '{') return std::max(depth * kIndent, OwnIndent(first));
    return depth * kIndent;
  }

  // How far the author moved this line to the right.
  std::size_t OwnIndent(std::size_t first) const {
    std::string_view gap = Gap(first);
    std::size_t at = gap.rfind('\n');
    std::size_t blanks = 0;
    for (char c : at == std::string_view::npos ? gap : gap.substr(at + 1)) blanks += c == '\t' ? kIndent : 1;
    return std::min(blanks, kFarthest / 2);
  }

  bool IsContinuation(std::size_t first) const {
    if (last_ < 0 || (!open_.empty() && open_.back() != '{') || IsComment(first)) return false;
    std::string_view before = Word(static_cast<std::size_t>(last_));
    std::string_view word = Word(first);
    bool sign = tokens_[first].kind == TokenKind::kSymbol || tokens_[first].kind == TokenKind::kKeyword;
    if (sign && word == "}") return false;                   // whatever the last word was: `written self, "-", to`
    if (sign && open_.empty() && word == "if") return true;  // no declaration begins with it
    if (sign && Among(kBelongs, word)) return !(word == "else" && before == "}");
    TokenKind kind = tokens_[static_cast<std::size_t>(last_)].kind;
    if (kind != TokenKind::kSymbol && kind != TokenKind::kKeyword) return false;
    // `ahead+`: a repetition, after which the line may well end.
    if (before == "+" && (Gap(static_cast<std::size_t>(last_)).empty() || BeginsDeclaration(word))) return false;
    return Among(kGoesOn, before) || (before == ":" && !in_example_);
  }

  std::string Between(std::size_t i) {
    std::string_view before = Word(i - 1);
    std::string_view word = Word(i);
    std::size_t blanks = 0;
    for (char c : Gap(i)) blanks += c == '\t' ? kIndent : 1;
    auto is = [](std::string_view text, std::string_view any) {
      return text.size() == 1 && any.find(text[0]) != any.npos;
    };
    bool plain_before = tokens_[i - 1].kind == TokenKind::kSymbol;
    bool plain = tokens_[i].kind == TokenKind::kSymbol;
    if ((plain_before && is(before, "([")) || (plain && is(word, ")],"))) return "";
    if ((plain && (word == "." || word == "..")) || (plain_before && (before == "." || before == ".."))) return "";
    bool count = word == "{" && blanks == 0 && IsCount(i);
    if (count || (before == "{" && counting_) || (word == "}" && counting_)) {
      counting_ = word != "}";
      return "";
    }
    if (blanks >= 2) return std::string(blanks, ' ');
    if (plain_before && before == ",") return " ";
    if (plain && word == "[") return blanks > 0 && tokens_[i - 1].kind == TokenKind::kKeyword ? " " : "";
    if (plain && word == "?") return "";
    if (plain && (word == "{" || word == "}")) return " ";
    if (plain_before && (before == "{" || before == "}")) return " ";
    if ((plain && word == "=") || (plain_before && before == "=")) {
      std::size_t after = word == "=" ? i + 1 : i;
      if (!in_example_ || (after < tokens_.size() && Word(after) == "{")) return " ";
    }
    if (!in_example_ && blanks == 0 && (IsTightInfix(i) || IsTightInfix(i - 1))) return " ";
    if (plain_before && !plain && is(before, "*+?") && !in_example_) return " ";
    auto flies = [](std::string_view text) { return text == ">" || text == "->"; };
    if (in_example_ && blanks == 0 && ((plain && flies(word)) || (plain_before && flies(before)))) return "";
    if ((plain && Among(kInfix, word)) || (plain_before && Among(kInfix, before))) return " ";
    bool words = !plain && !plain_before;
    return words || blanks > 0 ? " " : "";
  }

  // `a{1..4}`, `a{throws}`, `a{times - 1..}`: the bracket of a repetition.
  bool IsCount(std::size_t i) const {
    if (i + 2 >= tokens_.size()) return false;
    if (tokens_[i + 1].kind == TokenKind::kInt) return true;
    bool after_part = tokens_[i - 1].kind == TokenKind::kWord || Word(i - 1) == ")" || Word(i - 1) == "move";
    if (!after_part || tokens_[i + 1].kind != TokenKind::kWord) return false;
    std::string_view next = Word(i + 2);
    return next == "}" || next == ".." || next == "+" || next == "-";
  }

  // `a+b`: a sign between two values, not the repetition `a+ then b`.
  bool IsTightInfix(std::size_t i) const {
    bool sign = tokens_[i].kind == TokenKind::kSymbol && (Word(i) == "+" || Word(i) == "-");
    if (!sign || i == 0 || i + 1 >= tokens_.size() || !Gap(i).empty() || !Gap(i + 1).empty()) return false;
    TokenKind next = tokens_[i + 1].kind;
    return next == TokenKind::kWord || next == TokenKind::kInt || Word(i + 1) == "(";
  }

  // Puts a part of the lines under each other: citations in the whole file, comments in neighbouring lines.
  template <class What>
  void Align(std::string Line::*part, What before) {
    bool comments = part == &Line::comment;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i;
      std::size_t column = 0;
      do {
        const Line& line = lines_[end];
        std::size_t width = line.indent + Columns(before(line));
        bool counts = !(line.*part).empty() && !before(line).empty() && !line.verbatim && width <= kFarthest;
        if (counts) column = std::max(column, width + 2);
        ++end;
      } while (end < lines_.size() && (!comments || GoesWith(lines_[end - 1], lines_[end])));
      for (; i < end; ++i) {
        Line& line = lines_[i];
        if ((line.*part).empty() || before(line).empty()) continue;
        std::size_t width = line.indent + Columns(before(line));
        if (line.verbatim) width = Columns(before(line).substr(before(line).rfind('\n') + 1));
        line.*part = std::string(width + 2 <= column ? column - width : 2, ' ') + line.*part;
      }
    }
  }

  static bool GoesWith(const Line& above, const Line& line) {
    return !line.empty_before && !above.verbatim && !line.comment.empty() && !(line.content + line.cites).empty();
  }

  const std::vector<Token>& tokens_;
  TokenText text_;
  std::vector<Line> lines_;
  std::string open_;         // the brackets that are open
  int last_ = -1;            // the last token that is no comment
  bool in_example_ = false;  // moves such as `e7-e8=Q` and `c3-c4>c5` keep their spelling
  bool counting_ = false;    // between the braces of `{1..4}`
};

}  // namespace

std::string Format(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink) {
  const std::string& text = sources.text(file);
  diagnostics::Sink own;
  Parse(sources, file, own);
  for (const diagnostics::Diagnostic& found : own.all()) {
    sink.Add(found.severity, found.code, found.span, found.message) = found;
  }
  if (own.has_errors()) return text;
  return Layout(Lex(text, file), TokenText(text)).Write();
}

}  // namespace arbiter::parse
