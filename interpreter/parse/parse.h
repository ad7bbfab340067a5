// text -> ast. The only room that knows ANTLR.
#pragma once

#include "ast/ast.h"
#include "diagnostics/diagnostic.h"
#include "source/source.h"

namespace arbiter::parse {

inline constexpr int kMaxNesting = 200;

// Parses one file. Reports up to a stated number of independent errors into the sink and leaves error
// nodes in their places. Never throws; refuses text that is not UTF-8 or nested too deeply.
ast::File Parse(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink);

// Reads one expression (for `--where` and the like).
ast::ExprPtr ParseExpr(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink);

// The text as `arbiter fmt` writes it: comments, citations and diagrams kept, idempotent. Gives the
// text unchanged and reports errors if it does not parse.
std::string Format(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink);

}  // namespace arbiter::parse
