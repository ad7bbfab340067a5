// The tokens of a text as plain data, and what can be judged from them alone: how deep it nests, which
// brackets do not match, where a quotation is never closed. No grammar and no ANTLR in here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "source/source.h"

namespace arbiter::parse {

using source::Span;

enum class TokenKind : uint8_t {
  kWord,     // a name
  kKeyword,  // a word of the language, even where it serves as a name
  kInt,
  kString,
  kDiagram,
  kCite,
  kSymbol,  // punctuation of the language
  kDoc,
  kComment,
  kUnknown,  // one character that belongs to no token
  kEnd
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::size_t type = 0;  // the lexer's own number
  Span span;
  bool first_on_line = false;
  bool made_up = false;  // put in by Mend; its span is empty
};

class TokenText {
 public:
  explicit TokenText(std::string_view text) : text_(text) {}
  [[nodiscard]] std::string_view operator()(const Token& token) const {
    return text_.substr(token.span.begin, token.span.end - token.span.begin);
  }
  [[nodiscard]] std::string_view all() const { return text_; }

 private:
  std::string_view text_;
};

inline constexpr int kMaxSyntaxErrors = 20;  // then the rest of the file is left unread

inline constexpr int kMaxChain = 1000;  // operators and the like in one expression, over all its brackets

// Reports the first place where the text nests or chains too deeply; false if there is one. Everything
// later (ANTLR's prediction, the builder, the checker) may recurse over what passes.
bool CheckNesting(const std::vector<Token>& tokens, TokenText text, diagnostics::Sink& sink);

// The type numbers of the tokens that Mend may make up.
struct BracketTypes {
  std::size_t round = 0, square = 0, curly = 0;  // the closing ones
  std::size_t string = 0, diagram = 0;
};

struct Mended {
  std::vector<Token> tokens;         // brackets balanced, quotations closed
  std::vector<std::size_t> touched;  // indices around which a syntax error only repeats what Mend said
  bool gave_up = false;              // too many mistakes: `tokens` are not all
  Span stopped_at;
};

// Reports unclosed and mismatched brackets and quotations, one diagnostic each, and gives tokens in which
// they are mended, so that the parser does not report them again in its own way.
Mended Mend(const std::vector<Token>& tokens, TokenText text, const BracketTypes& types, diagnostics::Sink& sink);

// Words with which a declaration begins.
bool BeginsDeclaration(std::string_view word);
std::vector<std::string> DeclarationWords();

}  // namespace arbiter::parse
