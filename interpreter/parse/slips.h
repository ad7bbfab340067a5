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
};

// `tokens[at]` cannot stand where it does; `expects(word)` says whether a keyword or sign could.
std::optional<Slip> FindSlip(const std::vector<Token>& tokens, std::size_t at, TokenText text,
                             const std::function<bool(std::string_view)>& expects);

// The tokens beside `at` that are not comments; `at` itself if there is none.
std::size_t Before(const std::vector<Token>& tokens, std::size_t at);
std::size_t Behind(const std::vector<Token>& tokens, std::size_t at);

}  // namespace arbiter::parse
