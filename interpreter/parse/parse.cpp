// The driver: checks that need no grammar, then SLL, then, only if that fails, LL with recovery.
#include "parse/parse.h"

#include <fmt/format.h>

#include <memory>

#include "parse/build.h"
#include "parse/driver.h"
#include "parse/recovery.h"
#include "parse/tokens.h"
#include "source/loader.h"
#include "source/utf8.h"

namespace arbiter::parse {

using antlr4::atn::ParserATNSimulator;
using antlr4::atn::PredictionMode;
using arbiter_grammar::ArbiterLexer;
using diagnostics::Code;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// ANTLR counts code points (and leaves out a byte order mark); spans are bytes.
Offsets OffsetsOf(std::string_view text) {
  Offsets offsets;
  bool ascii = true;
  for (char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  if (ascii) return offsets;
  for (std::size_t i = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) offsets.push_back(static_cast<uint32_t>(i));
  }
  offsets.push_back(static_cast<uint32_t>(text.size()));
  return offsets;
}

TokenKind KindOf(std::size_t type) {
  switch (type) {
    case ArbiterLexer::NAME:
      return TokenKind::kWord;
    case ArbiterLexer::INT:
      return TokenKind::kInt;
    case ArbiterLexer::STRING:
      return TokenKind::kString;
    case ArbiterLexer::DIAGRAM:
      return TokenKind::kDiagram;
    case ArbiterLexer::CITE:
      return TokenKind::kCite;
    case ArbiterLexer::DOC:
      return TokenKind::kDoc;
    case ArbiterLexer::COMMENT:
      return TokenKind::kComment;
    case ArbiterLexer::UNKNOWN:
      return TokenKind::kUnknown;
    case antlr4::Token::EOF:
      return TokenKind::kEnd;
    default:
      return TokenKind::kSymbol;
  }
}

// One text under ANTLR: the lexer, its tokens, and the same tokens as plain data.
class Lexed {
 public:
  Lexed(std::string_view text, source::FileId file)
      : text_(text), offsets_(OffsetsOf(text)), input_(std::string(text)), lexer_(&input_), stream_(&lexer_) {
    lexer_.removeErrorListeners();
    stream_.fill();
    all_ = stream_.getTokens();
    tokens_.reserve(all_.size());
    uint32_t end = 0;
    for (const antlr4::Token* token : all_) {
      Token plain;
      plain.type = token->getType();
      plain.kind = KindOf(plain.type);
      plain.span = {file, Byte(token->getStartIndex()), Byte(token->getStopIndex() + 1)};
      if (plain.kind == TokenKind::kEnd) plain.span.begin = plain.span.end = static_cast<uint32_t>(text.size());
      char first = plain.kind == TokenKind::kSymbol ? text[plain.span.begin] : '\0';
      if (first >= 'a' && first <= 'z') plain.kind = TokenKind::kKeyword;
      std::string_view gap = text.substr(end, plain.span.begin - end);
      plain.first_on_line = tokens_.empty() || gap.find('\n') != std::string_view::npos;
      end = plain.span.end;
      tokens_.push_back(plain);
    }
  }

  antlr4::CommonTokenStream& stream() { return stream_; }
  [[nodiscard]] const std::vector<antlr4::Token*>& all() const { return all_; }
  [[nodiscard]] const std::vector<Token>& tokens() const { return tokens_; }
  [[nodiscard]] const Offsets& offsets() const { return offsets_; }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  [[nodiscard]] uint32_t Byte(std::size_t point) const {
    if (offsets_.empty()) return static_cast<uint32_t>(std::min(point, text_.size()));
    return offsets_[std::min(point, offsets_.size() - 1)];
  }

  std::string_view text_;
  Offsets offsets_;
  antlr4::ANTLRInputStream input_;
  ArbiterLexer lexer_;
  antlr4::CommonTokenStream stream_;
  std::vector<antlr4::Token*> all_;
  std::vector<Token> tokens_;
};

// Mended tokens as ANTLR wants them. Their places are bytes already.
std::vector<std::unique_ptr<antlr4::Token>> ToAntlr(const std::vector<Token>& tokens) {
  std::vector<std::unique_ptr<antlr4::Token>> out;
  out.reserve(tokens.size());
  for (const Token& token : tokens) {
    bool hidden = token.kind == TokenKind::kComment || token.kind == TokenKind::kDoc;
    out.push_back(std::make_unique<antlr4::CommonToken>(
        std::pair<antlr4::TokenSource*, antlr4::CharStream*>(nullptr, nullptr), token.type,
        hidden ? antlr4::Token::HIDDEN_CHANNEL : antlr4::Token::DEFAULT_CHANNEL, token.span.begin,
        static_cast<std::size_t>(token.span.end) - 1));
  }
  return out;
}

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
  Lexed lexed(text, file);
  if (!CheckNesting(lexed.tokens(), TokenText(text), sink)) return;
  P parser(&lexed.stream());
  parser.removeErrorListeners();
  parser.getInterpreter<ParserATNSimulator>()->setPredictionMode(PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    auto* tree = (parser.*rule)();
    Builder builder(text, file, lexed.offsets(), lexed.all(), sink);
    build(builder, tree);
    return;
  } catch (const antlr4::ParseCancellationException&) {
  }

  trace->entered_full_context = true;
  BracketTypes types{P::RParen, P::RSquare, P::RBrace, P::STRING, P::DIAGRAM};
  Mended mended = Mend(lexed.tokens(), TokenText(text), types, sink);
  auto stop_at = [&](Span span) {
    sink.Add(diagnostics::Severity::kNote, Code::kSyntaxUnexpected, span,
             fmt::format("after {} syntax errors the rest of the file was not read", kMaxSyntaxErrors));
  };
  if (mended.gave_up) {
    stop_at(mended.stopped_at);
    return;
  }
  antlr4::ListTokenSource source(ToAntlr(mended.tokens));
  antlr4::CommonTokenStream stream(&source);
  stream.fill();
  P again(&stream);
  again.removeErrorListeners();
  again.getInterpreter<ParserATNSimulator>()->setPredictionMode(PredictionMode::LL);
  again.setErrorHandler(std::make_shared<Recovery>(mended, TokenText(text), sink));
  try {
    auto* tree = (again.*rule)();
    Offsets bytes;
    std::vector<antlr4::Token*> all = stream.getTokens();
    Builder builder(text, file, bytes, all, sink);
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

std::vector<Token> Lex(std::string_view text, source::FileId file) { return Lexed(text, file).tokens(); }

}  // namespace arbiter::parse
