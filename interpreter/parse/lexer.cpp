#include "parse/lexer.h"

#include <algorithm>
#include <array>

#include "arbiter_tables.h"
#include "parse/antlr.h"
#include "source/utf8.h"

namespace arbiter::parse {

using arbiter_grammar::ArbiterParser;

namespace {

constexpr std::string_view kQuotes = "\"\"\"";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The words and signs of the grammar, found by their first byte.
class Words {
 public:
  Words() {
    for (std::size_t i = 0; i < arbiter_grammar::kWordCount; ++i) {
      ++ends_[static_cast<unsigned char>(arbiter_grammar::kWords[i].text[0]) + 1U];
    }
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  }

  // The type of exactly this word; 0 if the language has none such.
  [[nodiscard]] std::size_t TypeOf(std::string_view word) const {
    for (const arbiter_grammar::Word& each : With(word[0])) {
      if (each.text == word) return each.type;
    }
    return 0;
  }

  // The longest sign with which `text` begins; null if there is none.
  [[nodiscard]] const arbiter_grammar::Word* SignAt(std::string_view text) const {
    const arbiter_grammar::Word* found = nullptr;
    for (const arbiter_grammar::Word& each : With(text[0])) {
      bool longer = found == nullptr || each.text.size() > found->text.size();
      if (longer && text.substr(0, each.text.size()) == each.text) found = &each;
    }
    return found;
  }

 private:
  struct Some {
    const arbiter_grammar::Word *first, *last;
    [[nodiscard]] const arbiter_grammar::Word* begin() const { return first; }
    [[nodiscard]] const arbiter_grammar::Word* end() const { return last; }
  };
  [[nodiscard]] Some With(char first) const {
    auto byte = static_cast<unsigned char>(first);
    return {arbiter_grammar::kWords + ends_[byte], arbiter_grammar::kWords + ends_[byte + 1U]};
  }

  std::array<std::size_t, 257> ends_{};
};

struct Character {
  uint32_t point;
  std::size_t bytes;
};

Character CharacterAt(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  std::size_t bytes = std::min(source::Utf8Length(byte(0)), text.size() - at);
  if (bytes < 2) return {byte(0), 1};
  uint32_t point = byte(0) & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) point = point << 6U | (byte(i) & 0x3FU);
  return {point, bytes};
}

bool IsLetter(uint32_t point) {
  if (point < 0x80) return (point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z');
  const arbiter_grammar::Range* end = arbiter_grammar::kLetters + arbiter_grammar::kLetterCount;
  const arbiter_grammar::Range* at = std::upper_bound(
      arbiter_grammar::kLetters, end, point, [](uint32_t p, const arbiter_grammar::Range& r) { return p < r.first; });
  return at != arbiter_grammar::kLetters && point <= (at - 1)->last;
}

class Lexer {
 public:
  Lexer(std::string_view text, source::FileId file) : text_(text), file_(file) {}

  std::vector<Token> Run() {
    tokens_.reserve(text_.size() / 4 + 1);
    while (SkipBlanks()) Next();
    Add(TokenKind::kEnd, antlr4::Token::EOF, 0);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // False at the end of the text.
  bool SkipBlanks() {
    first_on_line_ = tokens_.empty();
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        first_on_line_ = first_on_line_ || c == '\n';
        ++at_;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x80) return true;
      Character wide = CharacterAt(text_, at_);
      if (wide.point != 0xA0 && wide.point != 0x3000 && wide.point != 0xFEFF) return true;
      at_ += wide.bytes;
    }
    return false;
  }

  void Add(TokenKind kind, std::size_t type, std::size_t bytes) {
    auto begin = static_cast<uint32_t>(at_);
    at_ += bytes;
    tokens_.push_back({kind, type, {file_, begin, static_cast<uint32_t>(at_)}, first_on_line_});
  }

  void Next() {
    Character first = CharacterAt(text_, at_);
    if (IsLetter(first.point)) {
      AddWord();
    } else if (first.point < 0x80 && IsDigit(static_cast<char>(first.point))) {
      Add(TokenKind::kInt, ArbiterParser::INT, DigitsFrom(0));
    } else if (first.point == '"') {
      AddQuoted();
    } else if (first.point == '/' && Peek(1) == '/') {
      bool doc = Peek(2) == '/';
      Add(doc ? TokenKind::kDoc : TokenKind::kComment, doc ? ArbiterParser::DOC : ArbiterParser::COMMENT,
          std::min(text_.find_first_of("\r\n", at_), text_.size()) - at_);
    } else if ((first.point == 0xA7 || first.point == '@') && IsDigit(Peek(first.bytes))) {
      std::size_t end = first.bytes + DigitsFrom(first.bytes);
      while (Peek(end) == '.' && IsDigit(Peek(end + 1))) end += 1 + DigitsFrom(end + 1);
      Add(TokenKind::kCite, ArbiterParser::CITE, end);
    } else if (const arbiter_grammar::Word* sign = words().SignAt(text_.substr(at_))) {
      Add(TokenKind::kSymbol, sign->type, sign->text.size());
    } else {
      Add(TokenKind::kUnknown, ArbiterParser::UNKNOWN, first.bytes);
    }
  }

  [[nodiscard]] std::size_t DigitsFrom(std::size_t ahead) const {
    std::size_t count = 0;
    while (IsDigit(Peek(ahead + count))) ++count;
    return count;
  }

  void AddWord() {
    std::size_t end = at_;
    while (end < text_.size()) {
      char c = text_[end];
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || IsDigit(c)) {
        ++end;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x80) break;
      Character next = CharacterAt(text_, end);
      if (!IsLetter(next.point)) break;
      end += next.bytes;
    }
    std::size_t keyword = words().TypeOf(text_.substr(at_, end - at_));
    if (keyword != 0) {
      Add(TokenKind::kKeyword, keyword, end - at_);
    } else {
      Add(TokenKind::kWord, ArbiterParser::NAME, end - at_);
    }
  }

  // A diagram where three quotes are closed by three, else a text that ends on its line, else a stray quote.
  void AddQuoted() {
    std::string_view rest = text_.substr(at_);
    if (rest.starts_with(kQuotes) && !no_more_diagrams_) {
      std::size_t close = rest.find(kQuotes, kQuotes.size());
      if (close != std::string_view::npos) {
        Add(TokenKind::kDiagram, ArbiterParser::DIAGRAM, close + kQuotes.size());
        return;
      }
      no_more_diagrams_ = true;  // nor will there be any further on
    }
    std::size_t close = rest.find_first_of("\"\r\n", 1);
    bool closed = close != std::string_view::npos && rest[close] == '"';
    Add(closed ? TokenKind::kString : TokenKind::kUnknown, closed ? ArbiterParser::STRING : ArbiterParser::UNKNOWN,
        closed ? close + 1 : 1);
  }

  static const Words& words() {
    static const Words kAll;
    return kAll;
  }

  std::string_view text_;
  source::FileId file_;
  std::size_t at_ = 0;
  bool first_on_line_ = true;
  bool no_more_diagrams_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> Lex(std::string_view text, source::FileId file) { return Lexer(text, file).Run(); }

}  // namespace arbiter::parse
