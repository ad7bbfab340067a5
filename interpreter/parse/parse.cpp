// The driver: checks that need no grammar, then SLL, then, only if that fails, LL with recovery.
#include "parse/parse.h"

#include <memory>

#include "parse/build.h"
#include "parse/driver.h"
#include "source/loader.h"
#include "source/utf8.h"

namespace arbiter::parse {

using diagnostics::Code;

namespace {

Offsets OffsetsOf(std::string_view text) {
  Offsets offsets;
  bool ascii = true;
  for (char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  if (ascii) return offsets;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) offsets.push_back(static_cast<uint32_t>(i));
  }
  offsets.push_back(static_cast<uint32_t>(text.size()));
  return offsets;
}

}  // namespace

ast::File ParseTraced(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink, Trace* trace) {
  ast::File empty;
  empty.file = file;
  const std::string& text = sources.text(file);
  if (auto bad = source::FindInvalidUtf8(text)) {
    auto at = static_cast<uint32_t>(*bad);
    sink.Error(Code::kSyntaxEncoding, {file, at, at + 1}, "byte " + std::to_string(at) + " is not UTF-8");
    return empty;
  }
  Offsets offsets = OffsetsOf(text);
  antlr4::ANTLRInputStream input(text);
  arbiter_grammar::ArbiterLexer lexer(&input);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  P parser(&tokens);
  parser.removeErrorListeners();
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  std::vector<antlr4::Token*> all = tokens.getTokens();
  Builder builder(text, file, offsets, all, sink);
  try {
    P::FileContext* tree = parser.file();
    return builder.BuildFile(tree);
  } catch (const antlr4::ParseCancellationException&) {
  }
  trace->entered_full_context = true;
  auto at = static_cast<uint32_t>(offsets.empty() ? parser.getCurrentToken()->getStartIndex()
                                                  : offsets[parser.getCurrentToken()->getStartIndex()]);
  sink.Error(Code::kSyntaxUnexpected, {file, at, at + 1}, "something else was expected here");
  return empty;
}

ast::File Parse(const source::SourceMap& sources, source::FileId file, diagnostics::Sink& sink) {
  Trace trace;
  return ParseTraced(sources, file, sink, &trace);
}

}  // namespace arbiter::parse
