// Parse with an account of how it went, and the tokens alone. Private to parse/ and its tests.
#pragma once

#include <vector>

#include "parse/parse.h"
#include "parse/tokens.h"

namespace arbiter::parse {

struct Trace {
  bool entered_full_context = false;  // the quick stage failed
};

ast::File ParseTraced(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink, Trace* trace);

// All tokens, comments included, the end as the last. The text must be UTF-8.
std::vector<Token> Lex(std::string_view text, source::FileId file);

}  // namespace arbiter::parse
