// Common slips: what authors used to other languages write, each with its own message. Judged from a few
// tokens around the place and from what could have stood there; no ANTLR in here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "parse/tokens.h"

namespace arbiter::parse {

struct Slip {
  diagnostics::Code code = diagnostics::Code::kSyntaxUnexpected;
  Span span;
  std::string message;
  std::string caption;
  std::string help;
  std::string fix_title;  // empty: no fix
  std::string replacement;
  bool once = false;  // the same mistake in the same braces is not told again
};

// A place where the text cannot be read on.
struct Place {
  const std::vector<Token>& tokens;
  std::size_t at = 0;          // the token that cannot stand where it does
  std::size_t item_begin = 0;  // the first token of its item
  std::string_view item;       // the grammar rule of the item
  TokenText text;
  std::function<bool(std::string_view)> expects;  // whether a keyword or sign could stand there
  bool expects_number = false;

  [[nodiscard]] std::string_view Word(std::size_t i) const { return text(tokens[i]); }
};

// What is sure to be a slip.
std::optional<Slip> FindSlip(const Place& place);

// What is one if no misspelt keyword explains the place.
std::optional<Slip> FindAdvice(const Place& place);

// The tokens beside `at` that are not comments; `at` itself if there is none.
std::size_t Before(const std::vector<Token>& tokens, std::size_t at);
std::size_t Behind(const std::vector<Token>& tokens, std::size_t at);

}  // namespace arbiter::parse
