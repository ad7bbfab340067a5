// Parse with an account of how it went. Private to parse/ and its tests.
#pragma once

#include <cstddef>

#include "parse/parse.h"

namespace arbiter::parse {

struct Trace {
  bool entered_full_context = false;     // the quick stage failed
  std::size_t predictions_computed = 0;  // how often the quick stage had to ask ANTLR for a decision
};

ast::File ParseTraced(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink, Trace* trace);

}  // namespace arbiter::parse
