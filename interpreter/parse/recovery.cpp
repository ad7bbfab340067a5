#include "parse/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parse/build.h"
#include "parse/slips.h"
#include "parse/words.h"

namespace arbiter::parse {

using antlr4::ParserRuleContext;
using arbiter_grammar::Child;
using diagnostics::Code;
using diagnostics::Diagnostic;
using diagnostics::Fix;

namespace {

constexpr std::size_t kMaxLookBack = 1500;  // tokens of an item that are read again to tell what was possible

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

// The one keyword of a few that begins as the word does: `leafs`, `leaves`.
std::string WithSameBeginning(std::string_view word, const std::vector<std::string>& keywords) {
  constexpr std::size_t kSame = 3;
  std::string found;
  if (word.size() <= kSame || keywords.size() > 12) return found;
  for (const std::string& keyword : keywords) {
    if (keyword.size() <= kSame || keyword.substr(0, kSame) != word.substr(0, kSame)) continue;
    if (!found.empty()) return {};
    found = keyword;
  }
  return found;
}

// A word in the first column that is nearly one that begins a declaration.
bool LooksLikeDeclaration(const Token& token, TokenText text) {
  bool first = token.first_on_line && (token.span.begin == 0 || text.all()[token.span.begin - 1] == '\n');
  if (first && token.kind == TokenKind::kKeyword) return BeginsDeclaration(text(token));
  if (!first || token.kind != TokenKind::kWord) return false;
  std::string word = Lower(text(token));
  return BeginsDeclaration(word) || !diagnostics::Nearest(word, DeclarationWords()).empty();
}

std::span<const Child> ChildrenSoFar(antlr4::Parser* parser, ParserRuleContext* node) {
  return static_cast<arbiter_grammar::TreeParser*>(parser)->ChildrenSoFar(node);
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
  std::size_t offending = e.getOffendingToken()->getTokenIndex();
  if (offending - item->getStart()->getTokenIndex() > kMaxLookBack) {
    Trouble trouble;
    trouble.at = offending;
    trouble.item_begin = item->getStart()->getTokenIndex();
    trouble.item = parser->getRuleNames()[item->getRuleIndex()];
    trouble.before = automaton.AtState(parser->getState(), parser->getRuleContext());
    Tell(parser, trouble, automaton);
    return;
  }
  Trouble trouble = Reread(parser, item, offending, automaton);
  StepBack(parser, &trouble);
  if (!TellRestOfPrevious(parser, item, trouble, automaton)) Tell(parser, trouble, automaton);
}

// `walk a = forward then` and on the next line `walk b = …`: the second `walk` was read as a name.
bool Recovery::StepBack(antlr4::Parser* parser, Trouble* trouble) const {
  std::size_t previous = Before(mended_.tokens, trouble->at);
  const Token& word = mended_.tokens[previous];
  bool fresh = word.kind == TokenKind::kKeyword && word.first_on_line && previous > trouble->item_begin &&
               BeginsDeclaration(text_(word)) && trouble->item == "decl" && !trouble->previous.empty();
  if (!fresh) return false;
  trouble->at = previous;
  trouble->before = std::move(trouble->previous);
  trouble->previous.clear();
  parser->getTokenStream()->seek(previous);
  return true;
}

// The first token that nothing allows is the one to speak of.
Recovery::Trouble Recovery::Reread(antlr4::Parser* parser, ParserRuleContext* item, std::size_t offending,
                                   Automaton& automaton) const {
  Trouble trouble;
  trouble.item_begin = item->getStart()->getTokenIndex();
  trouble.item = parser->getRuleNames()[item->getRuleIndex()];
  if (item->parent != nullptr)
    trouble.list_begin = static_cast<ParserRuleContext*>(item->parent)->getStart()->getTokenIndex();
  trouble.at = trouble.item_begin;
  trouble.before = automaton.AtStartOf(item);
  while (trouble.at < offending) {
    Automaton::Configs next = automaton.After(trouble.before, mended_.tokens[trouble.at].type);
    std::size_t behind = Behind(mended_.tokens, trouble.at);
    if (next.empty() || behind == trouble.at) break;
    trouble.previous = std::move(trouble.before);
    trouble.before = std::move(next);
    trouble.at = behind;
  }
  trouble.starts_item = trouble.at == trouble.item_begin;
  return trouble;
}

bool Recovery::TellRestOfPrevious(antlr4::Parser* parser, ParserRuleContext* item, const Trouble& trouble,
                                  Automaton& automaton) {
  if (mended_.tokens[trouble.item_begin].first_on_line || item->parent == nullptr) return false;
  if (trouble.at > Ahead(trouble.item_begin, 2)) return false;
  ParserRuleContext* before = nullptr;
  for (const Child& sibling : ChildrenSoFar(parser, static_cast<ParserRuleContext*>(item->parent))) {
    if (sibling.rule != nullptr) before = sibling.type == item->getRuleIndex() ? sibling.rule : nullptr;
  }
  if (before == nullptr || before->exception || trouble.item_begin - before->getStart()->getTokenIndex() > kMaxLookBack)
    return false;
  Trouble rest = Reread(parser, before, trouble.item_begin, automaton);
  if (rest.at != trouble.item_begin || IsTouched(rest.at)) return false;
  std::size_t through = Ahead(trouble.at, 1);
  Automaton::Expected expected = automaton.ExpectedAt(rest.before);
  bool told = TellSlip(rest, expected, parser, true) || TellMisspelling(parser, rest, through, automaton);
  if (!told) {
    std::vector<std::size_t> missing = Missing(parser, rest, through, expected, automaton);
    bool step = std::any_of(missing.begin(), missing.end(),
                            [&](std::size_t type) { return parser->getVocabulary().getLiteralName(type) == "'then'"; });
    if (!step) return false;
    TellMissing(rest, {"`then` or `|` between two steps"});
  }
  if (++told_ >= kMaxSyntaxErrors) throw antlr4::ParseCancellationException();
  return true;
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
    trouble.list_begin = ctx->getStart()->getTokenIndex();
    trouble.before = automaton.AtState(parser->getState(), ctx);
    trouble.starts_item = true;
    const Token& token = mended_.tokens[trouble.at];
    const std::span<const Child> children = ChildrenSoFar(parser, ctx);
    ParserRuleContext* last = children.empty() ? nullptr : children.back().rule;
    bool word = token.kind == TokenKind::kWord || token.kind == TokenKind::kKeyword;
    bool goes_on = last != nullptr && last->getRuleIndex() == list->item && !last->exception &&
                   (!token.first_on_line || !(word || text_(token) == "{")) && token.kind != TokenKind::kEnd &&
                   trouble.at - last->getStart()->getTokenIndex() <= kMaxLookBack;
    if (goes_on) {
      Trouble rest = Reread(parser, last, trouble.at, automaton);
      if (rest.at == trouble.at) {
        rest.other = automaton.ExpectedAt(trouble.before).tokens;
        trouble = std::move(rest);
      }
    }
    if (StepBack(parser, &trouble)) {
      trouble.other.clear();
      Tell(parser, trouble, automaton);
      endErrorCondition(parser);
      continue;
    }
    Tell(parser, trouble, automaton);
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
    if (moved && list_rule == P::RuleFile && depth <= 0 && LooksLikeDeclaration(token, text_)) return;
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

std::size_t Recovery::Ahead(std::size_t at, int count) const {
  for (int i = 0; i < count; ++i) at = Behind(mended_.tokens, at);
  return at;
}

// The types of the tokens from `at` to `through`, both included.
std::vector<std::size_t> Recovery::TypesFrom(std::size_t at, std::size_t through) const {
  std::vector<std::size_t> types;
  for (;;) {
    types.push_back(mended_.tokens[at].type);
    std::size_t behind = Behind(mended_.tokens, at);
    if (at >= through || behind == at) return types;
    at = behind;
  }
}

void Recovery::Tell(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton) {
  if (IsTouched(trouble.at)) return;  // a bracket was mended here, and that has been told
  Automaton::Expected expected = automaton.ExpectedAt(trouble.before);
  if (!TellSlip(trouble, expected, parser, true) &&
      !TellMisspelling(parser, trouble, Ahead(trouble.at, 1), automaton) &&
      !TellSlip(trouble, expected, parser, false)) {
    TellExpected(parser, trouble, automaton, expected);
  }
  if (++told_ >= kMaxSyntaxErrors) throw antlr4::ParseCancellationException();
}

// `sure`: before misspelt keywords are looked for, or after.
bool Recovery::TellSlip(const Trouble& trouble, const Automaton::Expected& expected, antlr4::Parser* parser,
                        bool sure) {
  auto expects = [&](std::string_view word) {
    return std::any_of(expected.tokens.begin(), expected.tokens.end(), [&](std::size_t token) {
      std::string literal = parser->getVocabulary().getLiteralName(token);
      return literal.size() == word.size() + 2 && literal.compare(1, word.size(), word) == 0;
    });
  };
  Place place{
      mended_.tokens, trouble.at, trouble.item_begin, trouble.item, text_, expects, expected.tokens.count(P::INT) > 0};
  auto slip = sure ? FindSlip(place) : FindAdvice(place);
  if (!slip) return false;
  if (slip->once && !told_once_.emplace(trouble.list_begin, slip->message).second) return true;
  Diagnostic& found = sink_.Error(slip->code, slip->span, slip->message);
  found.caption = slip->caption;
  if (!slip->help.empty()) found.help.push_back(slip->help);
  if (!slip->fix_title.empty()) {
    found.fixes.push_back({slip->fix_title, {{slip->span, slip->replacement}}, Fix::Confidence::kMaybe});
  }
  return true;
}

// A word that becomes readable, through the token `through`, when it is spelt like a keyword that is possible
// there: the offending token itself, or the name before it.
bool Recovery::TellMisspelling(antlr4::Parser* parser, const Trouble& trouble, std::size_t through,
                               Automaton& automaton) {
  std::size_t previous = Before(mended_.tokens, trouble.at);
  std::vector<std::pair<std::size_t, const Automaton::Configs*>> candidates;
  if (previous != trouble.at && previous >= trouble.item_begin && !trouble.previous.empty()) {
    candidates.emplace_back(previous, &trouble.previous);
  }
  candidates.emplace_back(trouble.at, &trouble.before);
  for (const auto& [at, configs] : candidates) {
    const Token& token = mended_.tokens[at];
    if (token.kind != TokenKind::kWord) continue;
    std::string word(text_(token));
    std::vector<std::string> keywords = KeywordsOf(automaton.ExpectedAt(*configs), parser);
    std::string lower = Lower(word);
    bool capital = std::find(keywords.begin(), keywords.end(), lower) != keywords.end();
    std::string near = capital ? lower : word.size() < 3 ? "" : diagnostics::Nearest(word, keywords);
    if (near.empty()) near = WithSameBeginning(lower, keywords);
    if (near.empty()) continue;
    bool is_item_start = at == trouble.item_begin;
    std::vector<std::size_t> types = TypesFrom(at, std::max(through, at));
    types[0] = parser->getTokenType("'" + near + "'");
    bool readable = automaton.Survives(*configs, types) == types.size();
    if (!readable && !(is_item_start && trouble.starts_item)) continue;
    Diagnostic& found = sink_.Error(Code::kSyntaxUnexpected, token.span,
                                    is_item_start ? fmt::format("no {} begins with `{}`", ItemWords(trouble.item), word)
                                                  : fmt::format("unknown word `{}`", word));
    if (capital) found.notes.push_back("keywords are written small; words with a capital are names");
    found.fixes.push_back({fmt::format("did you mean `{}`?", near), {{token.span, near}}, Fix::Confidence::kMaybe});
    return true;
  }
  return false;
}

// The signs and words that, put in front of the offending token, make the text readable through `through`.
std::vector<std::size_t> Recovery::Missing(antlr4::Parser* parser, const Trouble& trouble, std::size_t through,
                                           const Automaton::Expected& expected, Automaton& automaton) const {
  std::vector<std::size_t> missing;
  for (std::size_t type : expected.tokens) {
    std::string literal = parser->getVocabulary().getLiteralName(type);
    if (literal.size() < 3 || IsLoose(literal.substr(1, literal.size() - 2)) || trouble.other.count(type) > 0) continue;
    std::vector<std::size_t> types = TypesFrom(trouble.at, through);
    types.insert(types.begin(), type);
    if (automaton.Survives(trouble.before, types) == types.size()) missing.push_back(type);
  }
  return missing;
}

// `words` are what is expected in front of the offending token.
void Recovery::TellMissing(const Trouble& trouble, const std::vector<std::string>& words) {
  const Token& token = mended_.tokens[trouble.at];
  std::size_t previous = Before(mended_.tokens, trouble.at);
  bool has_previous = previous < trouble.at;
  bool next_line = has_previous && (token.first_on_line || token.kind == TokenKind::kEnd);
  Span gap{token.span.file, token.span.begin, token.span.begin};
  if (next_line) gap.begin = gap.end = mended_.tokens[previous].span.end;
  Diagnostic& found =
      sink_.Error(Code::kSyntaxUnexpected, next_line ? gap : token.span,
                  fmt::format("expected {}{}", OneOf(words), has_previous ? " after " + Quote(previous) : ""));
  if (!next_line) found.caption = "found " + Quote(trouble.at);
  bool literal = words.size() == 1 && words[0].size() > 2 && words[0].front() == '`' && words[0].back() == '`';
  if (!literal) return;
  std::string sign = words[0].substr(1, words[0].size() - 2);
  found.fixes.push_back(
      {"put `" + sign + "` here", {{gap, next_line ? " " + sign : sign + " "}}, Fix::Confidence::kMaybe});
}

void Recovery::TellExpected(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton,
                            const Automaton::Expected& expected) {
  const Token& token = mended_.tokens[trouble.at];
  // A keyword where a name is all that is missing.
  if (token.kind == TokenKind::kKeyword && expected.tokens.count(P::NAME) > 0) {
    std::vector<std::size_t> types = TypesFrom(trouble.at, Ahead(trouble.at, 1));
    types[0] = P::NAME;
    if (automaton.Survives(trouble.before, types) == types.size()) {
      Diagnostic& found = sink_.Error(Code::kSyntaxUnexpected, token.span,
                                      fmt::format("{} is a keyword, and no name", Quote(trouble.at)));
      found.help.push_back("choose another name; a name that begins with a capital is never a keyword");
      return;
    }
  }
  if (trouble.starts_item) {
    TellNoItem(trouble, expected);
    return;
  }
  std::vector<std::size_t> missing = Missing(parser, trouble, Ahead(trouble.at, 2), expected, automaton);
  auto words_of = [&](std::size_t type) {
    return TokenWords(parser->getVocabulary().getLiteralName(type), parser->getVocabulary().getSymbolicName(type));
  };
  bool then = std::any_of(missing.begin(), missing.end(), [&](std::size_t type) { return words_of(type) == "`then`"; });
  std::vector<std::string> words;
  std::set<std::string> others;
  for (std::size_t type : trouble.other)
    others.insert(type == antlr4::Token::EOF ? "the end of the file" : words_of(type));
  for (const std::string& word : expected.words) {
    if (others.count(word) == 0) words.push_back(word);
  }
  if (missing.size() == 1) words = {words_of(missing.front())};
  if (then && missing.size() > 1) words = {"`then` or `|` between two steps"};
  if (words.size() <= 4 && !words.empty()) {
    TellMissing(trouble, words);
    return;
  }
  std::size_t previous = Before(mended_.tokens, trouble.at);
  Diagnostic& found =
      sink_.Error(Code::kSyntaxUnexpected, token.span,
                  previous < trouble.at ? fmt::format("{} is not possible after {}", Quote(trouble.at), Quote(previous))
                                        : fmt::format("{} is not possible here", Quote(trouble.at)));
  if (words.size() > 12) {
    words.resize(12);
    words.back() = "others";
  }
  if (!words.empty()) found.help.push_back("possible here: " + OneOf(words));
}

void Recovery::TellNoItem(const Trouble& trouble, const Automaton::Expected& expected) {
  const Token& token = mended_.tokens[trouble.at];
  std::string_view item = ItemWords(trouble.item);
  Diagnostic& found =
      sink_.Error(Code::kSyntaxUnexpected, token.span,
                  token.kind == TokenKind::kEnd ? fmt::format("the text ends where {} is expected", WithArticle(item))
                                                : fmt::format("no {} begins with {}", item, Quote(trouble.at)));
  if (trouble.item == "decl") {
    found.help.push_back(
        "a declaration begins with a word such as `board`, `piece`, `action`, `turn`, `when` or `setup`");
  } else if (BeginsDeclaration(text_(token))) {
    found.help.push_back("a declaration cannot stand inside these braces");
  } else {
    std::vector<std::string> words;
    for (const std::string& word : expected.words) {
      if (word != "`}`") words.push_back(word);
    }
    if (!words.empty() && words.size() <= 16) found.help.push_back("possible here: " + OneOf(words));
  }
}

}  // namespace arbiter::parse
