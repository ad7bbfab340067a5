#include "parse/slips.h"

#include <fmt/format.h>

#include <array>

namespace arbiter::parse {

using diagnostics::Code;

namespace {

bool IsComment(const Token& token) { return token.kind == TokenKind::kComment || token.kind == TokenKind::kDoc; }

// A sign or word that has another spelling here.
struct Spelling {
  std::string_view wrong;
  std::string_view right;  // empty: remove it
  std::string_view why;
};

constexpr std::array<Spelling, 34> kSpellings = {{
    {";", "", "statements follow each other without `;`"},
    {"→", "->", "an arrow is written `->`"},
    {"⇒", "->", "an arrow is written `->`"},
    {"≠", "!=", "unequal is written `!=`"},
    {"≤", "<=", "at most is written `<=`"},
    {"≥", ">=", "at least is written `>=`"},
    {"×", "x", "the size of a board is written with the letter `x`"},
    {"−", "-", "minus is written `-`"},
    {"–", "-", "minus is written `-`; a range is written `..`"},
    {"…", "..", "a range is written `..`"},
    {"∈", "in", "membership is written `in`"},
    {"¬", "not", "negation is written `not`"},
    {"∧", "and", "conjunction is written `and`"},
    {"∨", "or", "disjunction is written `or`"},
    {"!", "not", "negation is written `not`"},
    {"“", "\"", "a text stands between straight quotes `\"`"},
    {"”", "\"", "a text stands between straight quotes `\"`"},
    {"„", "\"", "a text stands between straight quotes `\"`"},
    {"«", "\"", "a text stands between straight quotes `\"`"},
    {"»", "\"", "a text stands between straight quotes `\"`"},
    {"'", "\"", "a text stands between double quotes `\"`"},
    {"‘", "\"", "a text stands between double quotes `\"`"},
    {"’", "\"", "a text stands between double quotes `\"`"},
    {"`", "\"", "a text stands between double quotes `\"`"},
    {"#", "//", "a comment begins with `//`"},
    {"%", "//", "a comment begins with `//`"},
    {"elif", "else if", "a further condition is written `else if`"},
    {"elsif", "else if", "a further condition is written `else if`"},
    {"elseif", "else if", "a further condition is written `else if`"},
    {"import", "use", "a library is taken in with `use`, a rule file with `extends`"},
    {"include", "use", "a library is taken in with `use`, a rule file with `extends`"},
    {"var", "let", "a value is named with `let`, state is declared in `state { … }`"},
    {"function", "define", "a condition or value is named with `define`"},
    {"&&", "and", "conjunction is written `and`"},
}};

// Two signs next to each other that were meant as one.
struct Pair {
  std::string_view first, second, right, why;
};
constexpr std::array<Pair, 8> kPairs = {{
    {"&", "&", "and", "conjunction is written `and`"},
    {"|", "|", "or", "disjunction is written `or`"},
    {"=", ">", "->", "an arrow is written `->`"},
    {"-", "-", "//", "a comment begins with `//`"},
    {":", "=", "=", "a value is given with `=`"},
    {"/", "*", "//", "a comment begins with `//` and ends with the line"},
    {"<", ">", "!=", "unequal is written `!=`"},
    {"+", "+", "+= 1", "a variable is raised with `+= 1`"},
}};

Slip Replace(Span span, std::string_view wrong, std::string_view right, std::string_view why) {
  Slip slip;
  slip.span = span;
  slip.message = fmt::format("`{}` is no sign of the language", wrong);
  slip.help = why;
  slip.fix_title = right.empty() ? std::string("remove it") : fmt::format("write `{}`", right);
  slip.replacement = right;
  return slip;
}

std::optional<Slip> OddCharacter(const Token& token, TokenText text) {
  std::string_view word = text(token);
  auto lead = static_cast<unsigned char>(word.empty() ? 0 : word[0]);
  Slip slip;
  slip.span = token.span;
  if (word == "§" || word == "@") {
    slip.message = fmt::format("expected the number of a clause right after `{}`", word);
    slip.help = "a citation is written `§4.2`, without a blank";
    return slip;
  }
  if (lead < 0x20 || lead == 0x7F) {
    slip.message = fmt::format("a control character (U+{:04X}) in the text", lead);
    slip.fix_title = "remove it";
    return slip;
  }
  if (token.kind == TokenKind::kUnknown) {
    slip.message = fmt::format("`{}` is no sign of the language", word);
    return slip;
  }
  return std::nullopt;
}

}  // namespace

std::size_t Before(const std::vector<Token>& tokens, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    if (!IsComment(tokens[i])) return i;
  }
  return at;
}

std::size_t Behind(const std::vector<Token>& tokens, std::size_t at) {
  for (std::size_t i = at + 1; i < tokens.size(); ++i) {
    if (!IsComment(tokens[i])) return i;
  }
  return at;
}

std::optional<Slip> FindSlip(const std::vector<Token>& tokens, std::size_t at, TokenText text,
                             const std::function<bool(std::string_view)>& expects) {
  const Token& token = tokens[at];
  std::string_view word = text(token);
  std::size_t before = Before(tokens, at);
  Slip slip;
  slip.span = token.span;

  if (word == "chance" || word == "secret") {
    slip.code = Code::kSyntaxReserved;
    slip.message = fmt::format("`{}` is kept for a later version of the language", word);
    slip.help = word == "chance" ? "games with dice or cards drawn cannot be written yet; another name is free to use"
                                 : "games with hidden information cannot be written yet; another name is free to use";
    return slip;
  }
  for (const Pair& pair : kPairs) {
    for (std::size_t first : {at, before}) {
      std::size_t second = Behind(tokens, first);
      bool touch = tokens[first].span.end == tokens[second].span.begin && first != second;
      if (!touch || text(tokens[first]) != pair.first || text(tokens[second]) != pair.second) continue;
      return Replace(source::Join(tokens[first].span, tokens[second].span),
                     std::string(pair.first) + std::string(pair.second), pair.right, pair.why);
    }
  }
  for (const Spelling& spelling : kSpellings) {
    if (word != spelling.wrong) continue;
    Slip found = Replace(token.span, word, spelling.right, spelling.why);
    if (token.kind == TokenKind::kWord) found.message = fmt::format("`{}` is no word of the language", word);
    return found;
  }
  if (token.kind == TokenKind::kUnknown) return OddCharacter(token, text);
  if (word == "=" && expects("==")) {
    slip.message = "`=` gives a value; a comparison is written `==`";
    slip.fix_title = "write `==`";
    slip.replacement = "==";
    return slip;
  }
  if (word == "==" && expects("=")) {
    slip.message = "`==` compares; a value is given with `=`";
    slip.fix_title = "write `=`";
    slip.replacement = "=";
    return slip;
  }
  if (token.kind == TokenKind::kInt && text(tokens[before]) == "." &&
      tokens[Before(tokens, before)].kind == TokenKind::kInt) {
    slip.span = source::Join(tokens[Before(tokens, before)].span, token.span);
    slip.message = "numbers are whole";
    slip.help = "a range is written `1..5`";
    return slip;
  }
  if ((word == "by" || word == "*") && tokens[before].kind == TokenKind::kInt &&
      text(tokens[Before(tokens, before)]) == "squares") {
    slip.message = "expected `x` between the width and the height of the board";
    slip.fix_title = "write `x`";
    slip.replacement = "x";
    return slip;
  }
  if (word == "else" && expects("otherwise")) {
    slip.message = "after `if CONDITION :` the other branch begins with `otherwise`";
    slip.fix_title = "write `otherwise`";
    slip.replacement = "otherwise";
    return slip;
  }
  if (word == "{" && expects("then")) {
    slip.message = "`if` inside an expression is written `if … then … else …`";
    return slip;
  }
  return std::nullopt;
}

}  // namespace arbiter::parse
