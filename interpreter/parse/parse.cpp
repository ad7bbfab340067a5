// The driver: checks that need no grammar, then SLL, then, only if that fails, LL with recovery.
#include "parse/parse.h"

#include <fmt/format.h>

#include <memory>

#include "parse/build.h"
#include "parse/driver.h"
#include "parse/lexer.h"
#include "parse/predictor.h"
#include "parse/recovery.h"
#include "parse/stream.h"
#include "source/loader.h"
#include "source/utf8.h"

namespace arbiter::parse {

using antlr4::atn::ParserATNSimulator;
using antlr4::atn::PredictionMode;
using diagnostics::Code;

namespace {

bool IsReadable(std::string_view text, source::FileId file, diagnostics::Sink& sink) {
  if (text.size() > source::kMaxTextBytes) {
    sink.Error(Code::kLimitSize, {file, 0, 0},
               fmt::format("this text has {} bytes; at most {} are read", text.size(), source::kMaxTextBytes));
    return false;
  }
  if (auto bad = source::FindInvalidUtf8(text)) {
    auto at = static_cast<uint32_t>(*bad);
    sink.Error(Code::kSyntaxEncoding, {file, at, at + 1},
               fmt::format("byte {} (0x{:02X}) is not UTF-8", at, static_cast<unsigned char>(text[at])))
        .help.emplace_back("save the file in the encoding UTF-8");
    return false;
  }
  if (auto bad = source::FindControl(text)) {
    auto at = static_cast<uint32_t>(*bad);
    auto length = static_cast<uint32_t>(source::Utf8Length(static_cast<unsigned char>(text[at])));
    sink.Error(Code::kSyntaxEncoding, {file, at, at + length},
               fmt::format("byte {} (0x{:02X}) begins a control character", at, static_cast<unsigned char>(text[at])))
        .help.emplace_back("leave it out: nobody sees it, and terminals obey it");
    return false;
  }
  return true;
}

// Runs `rule` (a start rule) in two stages and hands its tree to `build`.
template <class Rule, class Build>
void RunStages(std::string_view text, source::FileId file, diagnostics::Sink& sink, Trace* trace, Rule rule,
               Build build) {
  if (!IsReadable(text, file, sink)) return;
  std::vector<Token> tokens = Lex(text, file);
  if (!CheckNesting(tokens, TokenText(text), sink)) return;
  Stream stream(tokens, TokenText(text));
  P parser(&stream);
  parser.removeErrorListeners();
  Predictor* predictor = Predictor::Install(&parser);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    auto* tree = (parser.*rule)();
    trace->predictions_computed = predictor->asked();
    Builder builder(text, file, tokens, sink);
    build(builder, tree);
    return;
  } catch (const antlr4::ParseCancellationException&) {
  }

  trace->entered_full_context = true;
  BracketTypes types{P::RParen, P::RSquare, P::RBrace, P::STRING, P::DIAGRAM};
  Mended mended = Mend(tokens, TokenText(text), types, sink);
  auto stop_at = [&](Span span) {
    sink.Add(diagnostics::Severity::kNote, Code::kSyntaxUnexpected, span,
             fmt::format("after {} syntax errors the rest of the file was not read", kMaxSyntaxErrors));
  };
  if (mended.gave_up) {
    stop_at(mended.stopped_at);
    return;
  }
  Stream mended_stream(mended.tokens, TokenText(text));
  P again(&mended_stream);
  static_cast<void>(again.getATN());  // builds the automaton, which recovery needs
  again.removeErrorListeners();
  again.getInterpreter<ParserATNSimulator>()->setPredictionMode(PredictionMode::LL);
  again.setErrorHandler(std::make_shared<Recovery>(mended, TokenText(text), sink));
  try {
    auto* tree = (again.*rule)();
    Builder builder(text, file, mended.tokens, sink);
    build(builder, tree);
  } catch (const antlr4::ParseCancellationException&) {
    stop_at(mended.tokens[again.getCurrentToken()->getTokenIndex()].span);
  }
}

}  // namespace

ast::File ParseTraced(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink, Trace* trace) {
  ast::File result;
  result.file = file;
  RunStages(sources.text(file), file, sink, trace, &P::file,
            [&](Builder& builder, P::FileContext* tree) { result = builder.BuildFile(tree); });
  return result;
}

ast::File Parse(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink) {
  Trace trace;
  return ParseTraced(sources, file, sink, &trace);
}

ast::ExprPtr ParseExpr(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink) {
  Trace trace;
  auto result = std::make_unique<ast::Expr>();
  result->span = {file, 0, static_cast<uint32_t>(sources.text(file).size())};
  RunStages(sources.text(file), file, sink, &trace, &P::onlyExpr, [&](Builder& builder, P::OnlyExprContext* tree) {
    if (!tree->exception && tree->expr() != nullptr && !tree->expr()->exception)
      result = builder.BuildExpr(tree->expr());
  });
  return result;
}

}  // namespace arbiter::parse
