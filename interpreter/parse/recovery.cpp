#include "parse/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parse/build.h"
#include "parse/slips.h"
#include "parse/words.h"

namespace arbiter::parse {

using antlr4::ParserRuleContext;
using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Fix;

namespace {

constexpr std::size_t kMaxLookBack = 4000;  // tokens of an item that are read again to tell what was possible

struct List {
  std::size_t body, item;
};
constexpr std::array<List, 10> kLists = {{{P::RuleFile, P::RuleDecl},
                                          {P::RuleBoardBody, P::RuleBoardItem},
                                          {P::RuleStateBody, P::RuleStateVar},
                                          {P::RulePieceBody, P::RulePieceItem},
                                          {P::RuleStepBody, P::RuleStep},
                                          {P::RuleBlock, P::RuleEffect},
                                          {P::RulePhaseBody, P::RulePhaseItem},
                                          {P::RuleFenBody, P::RuleFenField},
                                          {P::RuleExampleBody, P::RuleExampleItem},
                                          {P::RulePositionBody, P::RulePositionEntry}}};

const List* ListOf(std::size_t body) {
  auto found = std::find_if(kLists.begin(), kLists.end(), [&](const List& list) { return list.body == body; });
  return found == kLists.end() ? nullptr : &*found;
}

bool IsItem(std::size_t rule) {
  return std::any_of(kLists.begin(), kLists.end(), [&](const List& list) { return list.item == rule; });
}

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::string OneOf(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

std::string WithArticle(std::string_view noun) {
  bool vowel = std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

// The words (not signs) among the expected tokens, as an author writes them.
std::vector<std::string> KeywordsOf(const Automaton::Expected& expected, antlr4::Parser* parser) {
  std::vector<std::string> words;
  for (std::size_t token : expected.tokens) {
    std::string literal = parser->getVocabulary().getLiteralName(token);
    if (literal.size() > 2 && literal[1] >= 'a' && literal[1] <= 'z') {
      words.push_back(literal.substr(1, literal.size() - 2));
    }
  }
  return words;
}

}  // namespace

// ---- the strategy ------------------------------------------------------------------------------

antlr4::Token* Recovery::recoverInline(antlr4::Parser* parser) { throw antlr4::InputMismatchException(parser); }

void Recovery::reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) {
  if (inErrorRecoveryMode(parser)) return;  // the error is on its way to its item
  beginErrorCondition(parser);
  ParserRuleContext* item = parser->getRuleContext();
  while (!IsItem(item->getRuleIndex()) && item->parent != nullptr) item = static_cast<ParserRuleContext*>(item->parent);
  Automaton automaton(*parser);
  Trouble trouble;
  std::size_t offending = e.getOffendingToken()->getTokenIndex();
  trouble.item_begin = item->getStart()->getTokenIndex();
  trouble.item = parser->getRuleNames()[item->getRuleIndex()];
  if (offending - trouble.item_begin > kMaxLookBack) {
    trouble.at = offending;
    trouble.before = automaton.AtState(parser->getState(), parser->getRuleContext());
    Tell(parser, std::move(trouble), automaton);
    return;
  }
  // Read the item again: the first token that nothing allows is the one to speak of.
  Automaton::Configs configs = automaton.AtStartOf(item);
  std::size_t at = trouble.item_begin;
  for (;;) {
    Automaton::Configs next = automaton.After(configs, mended_.tokens[at].type);
    std::size_t behind = Behind(mended_.tokens, at);
    if (next.empty() || behind == at || at >= offending) break;
    trouble.previous = std::move(configs);
    configs = std::move(next);
    at = behind;
  }
  trouble.at = at;
  trouble.before = std::move(configs);
  trouble.starts_item = at == trouble.item_begin;
  Tell(parser, std::move(trouble), automaton);
}

void Recovery::recover(antlr4::Parser* parser, std::exception_ptr e) {
  ParserRuleContext* ctx = parser->getRuleContext();
  std::size_t rule = ctx->getRuleIndex();
  if (IsItem(rule)) {
    auto* list = static_cast<ParserRuleContext*>(ctx->parent);
    SkipItem(parser, list->getRuleIndex(), rule, ctx->getStart()->getTokenIndex());
    endErrorCondition(parser);
    return;
  }
  if (ctx->parent == nullptr) {
    while (parser->getTokenStream()->LA(1) != antlr4::Token::EOF) parser->consume();
    return;
  }
  std::rethrow_exception(e);
}

// Called in front of every list and option. Only lists of items matter here: what can begin no item is told
// and skipped on the spot, so that the list goes on.
void Recovery::sync(antlr4::Parser* parser) {
  ParserRuleContext* ctx = parser->getRuleContext();
  const List* list = ListOf(ctx->getRuleIndex());
  if (list == nullptr || inErrorRecoveryMode(parser)) return;
  const antlr4::atn::ATN& atn = parser->getATN();
  auto* state = atn.states[parser->getState()];
  std::size_t type = state->getStateType();
  if (type != antlr4::atn::ATNState::STAR_LOOP_ENTRY && type != antlr4::atn::ATNState::STAR_LOOP_BACK) return;
  const antlr4::misc::IntervalSet possible = atn.nextTokens(state);
  while (!possible.contains(static_cast<ssize_t>(parser->getTokenStream()->LA(1)))) {
    beginErrorCondition(parser);
    Automaton automaton(*parser);
    Trouble trouble;
    trouble.at = parser->getCurrentToken()->getTokenIndex();
    trouble.item_begin = trouble.at;
    trouble.item = parser->getRuleNames()[list->item];
    trouble.before = automaton.AtState(parser->getState(), ctx);
    trouble.starts_item = true;
    Tell(parser, std::move(trouble), automaton);
    SkipItem(parser, list->body, list->item, parser->getCurrentToken()->getTokenIndex());
    endErrorCondition(parser);
  }
}

int Recovery::DepthBetween(std::size_t begin, std::size_t end) const {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (mended_.tokens[i].kind != TokenKind::kSymbol) continue;
    std::size_t type = mended_.tokens[i].type;
    std::string_view word = text_(mended_.tokens[i]);
    if (word == "(" || word == "[" || word == "{") ++depth;
    bool closes = word == ")" || word == "]" || word == "}" || mended_.tokens[i].made_up;
    if (closes && type != 0) --depth;
  }
  return depth;
}

// To the next line that can begin an item of the list, or to the end of the list.
void Recovery::SkipItem(antlr4::Parser* parser, std::size_t list_rule, std::size_t item_rule, std::size_t item_begin) {
  antlr4::TokenStream* stream = parser->getTokenStream();
  const antlr4::atn::ATN& atn = parser->getATN();
  antlr4::misc::IntervalSet starts = atn.nextTokens(atn.ruleToStartState[item_rule]);
  std::size_t at = parser->getCurrentToken()->getTokenIndex();
  int depth = DepthBetween(item_begin, at);
  bool moved = at > item_begin;
  for (;;) {
    std::size_t type = stream->LA(1);
    if (type == antlr4::Token::EOF) return;
    at = parser->getCurrentToken()->getTokenIndex();
    const Token& token = mended_.tokens[at];
    bool closes_list = token.type == P::RBrace && depth == 0 && list_rule != P::RuleFile;
    if (closes_list) return;
    bool begins = moved && depth <= 0 && token.first_on_line && starts.contains(static_cast<ssize_t>(type));
    if (begins && (list_rule != P::RuleFile || BeginsDeclaration(text_(token)))) return;
    depth += DepthBetween(at, at + 1);
    parser->consume();
    moved = true;
  }
}

// ---- telling -----------------------------------------------------------------------------------

bool Recovery::IsTouched(std::size_t at) const {
  return std::binary_search(mended_.touched.begin(), mended_.touched.end(), at);
}

std::string Recovery::Quote(std::size_t at) const {
  const Token& token = mended_.tokens[at];
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  if (token.kind == TokenKind::kDiagram) return "a diagram";
  std::string word(text_(token));
  if (word.size() > 40) {
    std::size_t cut = 36;
    while (cut > 0 && (static_cast<unsigned char>(word[cut]) & 0xC0U) == 0x80U) --cut;
    word = word.substr(0, cut) + "…";
  }
  return "`" + word + "`";
}

std::vector<std::size_t> Recovery::TypesFrom(std::size_t at, std::size_t count) const {
  std::vector<std::size_t> types;
  for (std::size_t i = 0; i < count; ++i) {
    types.push_back(mended_.tokens[at].type);
    std::size_t behind = Behind(mended_.tokens, at);
    if (behind == at) break;
    at = behind;
  }
  return types;
}

void Recovery::Tell(antlr4::Parser* parser, Trouble trouble, Automaton& automaton) {
  if (IsTouched(trouble.at)) return;  // a bracket was mended here, and that has been told
  Automaton::Expected expected = automaton.ExpectedAt(trouble.before);
  if (!TellSlip(trouble, expected, parser) && !TellMisspelling(parser, trouble, automaton)) {
    TellExpected(parser, trouble, automaton, expected);
  }
  if (++told_ >= kMaxSyntaxErrors) throw antlr4::ParseCancellationException();
}

bool Recovery::TellSlip(const Trouble& trouble, const Automaton::Expected& expected, antlr4::Parser* parser) {
  auto expects = [&](std::string_view word) {
    return std::any_of(expected.tokens.begin(), expected.tokens.end(), [&](std::size_t token) {
      std::string literal = parser->getVocabulary().getLiteralName(token);
      return literal.size() == word.size() + 2 && literal.compare(1, word.size(), word) == 0;
    });
  };
  auto slip = FindSlip(mended_.tokens, trouble.at, text_, expects);
  if (!slip) return false;
  Diagnostic& found = sink_.Error(slip->code, slip->span, slip->message);
  found.caption = slip->caption;
  if (!slip->help.empty()) found.help.push_back(slip->help);
  if (!slip->fix_title.empty()) {
    found.fixes.push_back({slip->fix_title, {{slip->span, slip->replacement}}, Fix::Confidence::kMaybe});
  }
  return true;
}

// A word that becomes readable when it is spelt like a keyword that is possible there: the offending token
// itself, or the name before it.
bool Recovery::TellMisspelling(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton) {
  struct Candidate {
    std::size_t at;
    const Automaton::Configs* configs;
    std::size_t needed;  // tokens that must be readable with the other word
  };
  std::size_t previous = Before(mended_.tokens, trouble.at);
  std::vector<Candidate> candidates;
  bool at_end = mended_.tokens[trouble.at].kind == TokenKind::kEnd;
  if (previous != trouble.at && previous >= trouble.item_begin && !trouble.previous.empty()) {
    candidates.push_back({previous, &trouble.previous, at_end ? 1U : 2U});
  }
  if (!at_end) candidates.push_back({trouble.at, &trouble.before, 2});
  for (const Candidate& candidate : candidates) {
    const Token& token = mended_.tokens[candidate.at];
    if (token.kind != TokenKind::kWord) continue;
    std::string word(text_(token));
    std::vector<std::string> keywords = KeywordsOf(automaton.ExpectedAt(*candidate.configs), parser);
    std::string lower = Lower(word);
    bool capital = std::find(keywords.begin(), keywords.end(), lower) != keywords.end();
    std::string near = capital ? lower : word.size() < 3 ? "" : diagnostics::Nearest(word, keywords);
    if (near.empty()) continue;
    std::vector<std::size_t> types = TypesFrom(candidate.at, candidate.needed + 1);
    for (std::size_t type = 1; type <= parser->getVocabulary().getMaxTokenType(); ++type) {
      if (parser->getVocabulary().getLiteralName(type) == "'" + near + "'") types[0] = type;
    }
    std::size_t reached = automaton.Survives(*candidate.configs, types);
    bool is_item_start = candidate.at == trouble.item_begin;
    if (reached < std::min(candidate.needed, types.size()) && !(is_item_start && trouble.starts_item)) continue;
    std::string message = is_item_start ? fmt::format("no {} begins with `{}`", ItemWords(trouble.item), word)
                                        : fmt::format("unknown word `{}`", word);
    Diagnostic& found = sink_.Error(Code::kSyntaxUnexpected, token.span, message);
    if (capital) found.notes.push_back("keywords are written small; words with a capital are names");
    found.fixes.push_back({fmt::format("did you mean `{}`?", near), {{token.span, near}}, Fix::Confidence::kMaybe});
    return true;
  }
  return false;
}

void Recovery::TellExpected(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton,
                            const Automaton::Expected& expected) {
  const Token& token = mended_.tokens[trouble.at];
  bool wants_name = expected.tokens.count(P::NAME) > 0;
  std::size_t previous = Before(mended_.tokens, trouble.at);
  // A keyword where only a name is missing.
  if (token.kind == TokenKind::kKeyword && wants_name && !trouble.starts_item) {
    std::vector<std::size_t> types = TypesFrom(trouble.at, 2);
    types[0] = P::NAME;
    if (automaton.Survives(trouble.before, types) == types.size()) {
      Diagnostic& found = sink_.Error(Code::kSyntaxUnexpected, token.span,
                                      fmt::format("{} is a word of the language and no name", Quote(trouble.at)));
      found.help.push_back("choose another name; a name that begins with a capital is never a keyword");
      return;
    }
  }
  // The one sign or word that is missing, if putting it in makes the rest readable.
  std::vector<std::size_t> missing;
  for (std::size_t type : expected.tokens) {
    if (type == antlr4::Token::EOF || type == P::NAME || type == P::INT || type == P::STRING || type == P::CITE)
      continue;
    std::vector<std::size_t> types = TypesFrom(trouble.at, 3);
    types.insert(types.begin(), type);
    if (automaton.Survives(trouble.before, types) == types.size()) missing.push_back(type);
  }
  auto literal = [&](std::size_t type) {
    return TokenWords(parser->getVocabulary().getLiteralName(type), parser->getVocabulary().getSymbolicName(type));
  };
  auto has = [&](std::string_view word) {
    return std::any_of(missing.begin(), missing.end(), [&](std::size_t type) { return literal(type) == word; });
  };
  if (trouble.starts_item) {
    Diagnostic& found =
        sink_.Error(Code::kSyntaxUnexpected, token.span,
                    token.kind == TokenKind::kEnd
                        ? fmt::format("the file ends where {} is expected", WithArticle(ItemWords(trouble.item)))
                        : fmt::format("no {} begins with {}", ItemWords(trouble.item), Quote(trouble.at)));
    if (trouble.item != "decl" && BeginsDeclaration(text_(token))) {
      found.help.push_back("a declaration cannot stand inside these braces");
    } else if (trouble.item != "decl") {
      std::vector<std::string> words;
      for (const std::string& word : expected.words) {
        if (word != "`}`") words.push_back(word);
      }
      if (words.size() <= 16) found.notes.push_back("possible here: " + OneOf(words));
    } else {
      found.notes.push_back(
          "a declaration begins with a word such as `board`, `piece`, `action`, `turn`, `when` or `setup`");
    }
    return;
  }
  std::vector<std::string> words = expected.words;
  std::string after = previous < trouble.at ? " after " + Quote(previous) : "";
  if (missing.size() == 1) words = {literal(missing.front())};
  if (has("`then`") && has("`|`")) words = {"`then` or `|` between two steps"};
  if (words.size() <= 4 && !words.empty()) {
    Diagnostic& found =
        sink_.Error(Code::kSyntaxUnexpected, token.span, fmt::format("expected {}{}", OneOf(words), after));
    if (token.kind == TokenKind::kEnd) {
      found.caption = "the file ends here";
    } else {
      found.caption = "found " + Quote(trouble.at);
    }
    if (missing.size() == 1) {
      std::string sign = literal(missing.front());
      if (sign.size() > 2 && sign.front() == '`') {
        Span here{token.span.file, token.span.begin, token.span.begin};
        found.fixes.push_back(
            {"put " + sign + " here", {{here, sign.substr(1, sign.size() - 2) + " "}}, Fix::Confidence::kMaybe});
      }
    }
    return;
  }
  Diagnostic& found = sink_.Error(Code::kSyntaxUnexpected, token.span,
                                  fmt::format("{} cannot stand{} here", Quote(trouble.at), after.empty() ? "" : after));
  if (words.size() > 12) {
    words.resize(12);
    words.back() = "others";
  }
  found.notes.push_back("possible here: " + OneOf(words));
}

}  // namespace arbiter::parse
