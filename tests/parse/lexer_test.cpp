// Our lexer against the one that ANTLR makes of the grammar: every token the same, on every text at hand and on
// thousands of damaged ones. And our prediction against ANTLR's own.
#include "parse/lexer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "../support/golden.h"
#include "ArbiterLexer.h"
#include "arbiter_tables.h"
#include "parse/predictor.h"
#include "parse/stream.h"
#include "source/utf8.h"

namespace arbiter::parse {
namespace {

namespace fs = std::filesystem;
using arbiter_grammar::ArbiterLexer;

std::vector<std::string> Texts() {
  std::vector<fs::path> files;
  fs::path root = ARBITER_SOURCE_DIR;
  for (const char* folder : {"stdlib", "rulesets", "tests/rulesets", "tests/golden", "docs", "grammar"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) {
    std::string text = testing::ReadWhole(file);
    if (!source::FindInvalidUtf8(text)) texts.push_back(std::move(text));
  }
  return texts;
}

// The tokens of ANTLR's lexer. It counts code points and leaves out a byte order mark.
std::vector<Token> LexByAntlr(const std::string& text, source::FileId file) {
  std::vector<uint32_t> bytes;
  for (std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) bytes.push_back(static_cast<uint32_t>(i));
  }
  bytes.push_back(static_cast<uint32_t>(text.size()));
  antlr4::ANTLRInputStream input(text);
  ArbiterLexer lexer(&input);
  std::vector<Token> tokens;
  uint32_t end = 0;
  for (const auto& found : lexer.getAllTokens()) {
    Token token;
    token.type = found->getType();
    token.span = {file, bytes.at(found->getStartIndex()), bytes.at(found->getStopIndex() + 1)};
    std::string literal = lexer.getVocabulary().getLiteralName(token.type);
    switch (token.type) {
      case ArbiterLexer::NAME:
        token.kind = TokenKind::kWord;
        break;
      case ArbiterLexer::INT:
        token.kind = TokenKind::kInt;
        break;
      case ArbiterLexer::STRING:
        token.kind = TokenKind::kString;
        break;
      case ArbiterLexer::DIAGRAM:
        token.kind = TokenKind::kDiagram;
        break;
      case ArbiterLexer::CITE:
        token.kind = TokenKind::kCite;
        break;
      case ArbiterLexer::DOC:
        token.kind = TokenKind::kDoc;
        break;
      case ArbiterLexer::COMMENT:
        token.kind = TokenKind::kComment;
        break;
      case ArbiterLexer::UNKNOWN:
        token.kind = TokenKind::kUnknown;
        break;
      default:
        token.kind = std::isalpha(literal[1]) != 0 ? TokenKind::kKeyword : TokenKind::kSymbol;
    }
    bool hidden = found->getChannel() != antlr4::Token::DEFAULT_CHANNEL;
    EXPECT_EQ(hidden, token.kind == TokenKind::kDoc || token.kind == TokenKind::kComment);
    std::string gap = text.substr(end, token.span.begin - end);
    token.first_on_line = tokens.empty() || gap.find('\n') != std::string::npos;
    end = token.span.end;
    tokens.push_back(token);
  }
  Token last;
  last.type = antlr4::Token::EOF;
  last.span = {file, static_cast<uint32_t>(text.size()), static_cast<uint32_t>(text.size())};
  last.first_on_line = tokens.empty() || text.substr(end).find('\n') != std::string::npos;
  tokens.push_back(last);
  return tokens;
}

// False, and the first difference told, if the two do not agree.
bool Agree(const std::string& text) {
  source::FileId file(0);
  std::vector<Token> ours = Lex(text, file);
  std::vector<Token> theirs = LexByAntlr(text, file);
  for (std::size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
    bool same = i < ours.size() && i < theirs.size() && ours[i].kind == theirs[i].kind &&
                ours[i].type == theirs[i].type && ours[i].span == theirs[i].span &&
                ours[i].first_on_line == theirs[i].first_on_line && !ours[i].made_up;
    if (same) continue;
    std::string where = i < theirs.size() ? text.substr(theirs[i].span.begin, 40) : "the end";
    ADD_FAILURE() << "token " << i << " at `" << where << "` of\n" << text.substr(0, 2000);
    return false;
  }
  return true;
}

TEST(Lexer, agrees_on_every_text_of_the_repository) {
  std::size_t count = 0;
  for (const std::string& text : Texts()) {
    ++count;
    if (!Agree(text)) return;
  }
  EXPECT_GT(count, 300);
}

TEST(Lexer, agrees_on_the_hard_cases) {
  for (const char* text : {"",
                           " ",
                           "\xEF\xBB\xBF",
                           "\xEF\xBB\xBFgame",
                           "a\xEF\xBB\xBF"
                           "b",
                           "\"",
                           "\"\"",
                           "\"\"\"",
                           "\"\"\"\"",
                           "\"\"\"\"\"",
                           "\"\"\"\"\"\"",
                           "\"\"\"\"\"\"\"",
                           "\"\"\"a\"\"\"\"b\"",
                           "\"\"\"a\nb\"\"\" \"\"\"",
                           "\"a\nb\"",
                           "\"a\r\"",
                           "\"\"\"\n\"\n\"\"\n",
                           "a\"b\"c",
                           "§",
                           "§1",
                           "§1.",
                           "§1.2",
                           "§1..2",
                           "§ 1",
                           "@1.2.3.",
                           "@a",
                           "@@1",
                           "§1a",
                           "1a",
                           "a1",
                           "_a",
                           "a_",
                           "a__1",
                           "1_",
                           "1..2",
                           "1...2",
                           "....",
                           ".5",
                           "->",
                           "-->",
                           "- >",
                           "-=",
                           "+=+",
                           "===",
                           "!==",
                           "!",
                           "!=",
                           "<=>",
                           "=>",
                           "/",
                           "//",
                           "///",
                           "////",
                           "// a\n/// b\r\nc",
                           "//\r/",
                           "/ /",
                           "piecex",
                           "piece_",
                           "piece1",
                           "Piece",
                           "piece\xC3\xA9",
                           "\xC3\xA9",
                           "e\xCC\x81",
                           "\xCC\x81",
                           "\xC2\xA0 a\xC2\xA0"
                           "b",
                           "\xE3\x80\x80x",
                           "\xE2\x80\xA8",
                           "\xF0\x9F\x98\x80",
                           "\xF0\x9D\x94\x98x",
                           "\xD9\xA1",
                           "a\xD9\xA1",
                           "\xE2\x85\xA7",
                           "#",
                           "'",
                           "`",
                           "\\",
                           ";",
                           "{}",
                           "a\tb",
                           "a\vb",
                           "a\fb",
                           "a\n\n b",
                           "\r\r\n",
                           "chance secret"}) {
    Agree(text);
  }
}

// Code points, alone and inside a name: all that are in use often, those at the borders of letters, some of the others.
TEST(Lexer, agrees_on_characters) {
  std::set<uint32_t> points;
  for (uint32_t point = 1; point < 0x110000; point += point < 0x3100 ? 1 : 61) points.insert(point);
  for (std::size_t i = 0; i < arbiter_grammar::kLetterCount; ++i) {
    const arbiter_grammar::Range& range = arbiter_grammar::kLetters[i];
    for (uint32_t point : {range.first - 1, range.first, range.last, range.last + 1}) points.insert(point);
  }
  std::string text;
  for (uint32_t point : points) {
    if (point >= 0xD800 && point < 0xE000) continue;
    std::string one;
    if (point < 0x80) {
      one = static_cast<char>(point);
    } else if (point < 0x800) {
      one = {static_cast<char>(0xC0U | point >> 6U), static_cast<char>(0x80U | (point & 0x3FU))};
    } else if (point < 0x10000) {
      one = {static_cast<char>(0xE0U | point >> 12U), static_cast<char>(0x80U | (point >> 6U & 0x3FU)),
             static_cast<char>(0x80U | (point & 0x3FU))};
    } else {
      one = {static_cast<char>(0xF0U | point >> 18U), static_cast<char>(0x80U | (point >> 12U & 0x3FU)),
             static_cast<char>(0x80U | (point >> 6U & 0x3FU)), static_cast<char>(0x80U | (point & 0x3FU))};
    }
    text += "a" + one + "b " + one + " ";
    if (text.size() > 20000) {
      if (!Agree(text)) return;
      text.clear();
    }
  }
  Agree(text);
}

TEST(Lexer, agrees_on_damaged_texts) {
  std::vector<std::string> texts = Texts();
  constexpr std::string_view kPieces[] = {"\"",
                                          "\"\"\"",
                                          "§",
                                          "@",
                                          "1",
                                          ".",
                                          "..",
                                          "/",
                                          "//",
                                          "///",
                                          "\n",
                                          "\r\n",
                                          " ",
                                          "\t",
                                          "-",
                                          "->",
                                          "=",
                                          "+=",
                                          "<",
                                          ">",
                                          "!",
                                          "{",
                                          "}",
                                          "_",
                                          "a",
                                          "piece",
                                          "\xC3\xA9",
                                          "\xC2\xA0",
                                          "\xEF\xBB\xBF",
                                          "\xCC\x81",
                                          "#",
                                          "|",
                                          "*",
                                          "\xF0\x9F\x98\x80"};
  std::mt19937 random(20261130);
  auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < 3000; ++round) {
    const std::string& whole = texts[below(texts.size())];
    std::size_t from = whole.empty() ? 0 : below(whole.size());
    std::string text = whole.substr(from, 1 + below(600));
    for (std::size_t damage = 1 + below(8); damage > 0; --damage) {
      std::size_t at = below(text.size() + 1);
      if (below(2) == 0 && at < text.size()) {
        text.erase(at, 1 + below(3));
      } else {
        text.insert(at, kPieces[below(std::size(kPieces))]);
      }
    }
    if (source::FindInvalidUtf8(text)) continue;
    if (!Agree(text)) return;
  }
}

// What a table says is what ANTLR says: of every decision, at random places of every text, damaged here and there.
// Where ANTLR sees in advance that the text is wrong, the table may let the parser find out.
TEST(Predictor, agrees_with_antlr) {
  std::vector<std::string> texts = Texts();
  std::mt19937 random(5);
  std::size_t known = 0, wrong = 0, all = 0;
  for (std::size_t round = 0; round < 1000; ++round) {
    const std::string& text = texts[random() % texts.size()];
    std::vector<Token> tokens = Lex(text, source::FileId(0));
    std::size_t cut = random() % tokens.size();
    std::vector<Token> some;
    for (std::size_t i = cut; i < tokens.size() && some.size() < 40; ++i) {
      if (random() % 12 == 0) some.push_back(tokens[random() % tokens.size()]);  // perhaps the end, in the middle
      some.push_back(tokens[i]);
    }
    while (!some.empty() && some.back().kind == TokenKind::kEnd) some.pop_back();
    some.push_back(tokens.back());
    Stream stream(some, TokenText(text));
    arbiter_grammar::ArbiterParser parser(&stream);
    auto* antlr = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
    static_cast<void>(parser.getATN());  // builds the automaton
    antlr->setPredictionMode(antlr4::atn::PredictionMode::SLL);
    for (std::size_t decision = 0; decision < arbiter_grammar::kPredictionCount; ++decision) {
      if (arbiter_grammar::kPredictions[decision].next == nullptr) continue;
      stream.seek(0);
      ++all;
      std::size_t ours = Predictor::Known(&stream, decision);
      if (ours == 0) continue;
      ++known;
      std::size_t theirs = 0;
      try {
        theirs = antlr->adaptivePredict(&stream, decision, &antlr4::ParserRuleContext::EMPTY);
      } catch (const antlr4::NoViableAltException&) {
      }
      if (theirs == 0) {
        ++wrong;
        continue;
      }
      ASSERT_EQ(ours, theirs) << "decision " << decision << ", before " << TokenText(text)(some[0]);
    }
  }
  EXPECT_GT(known, all / 20);
  EXPECT_LT(known, all);
  EXPECT_LT(wrong, known / 3);
}

}  // namespace
}  // namespace arbiter::parse
