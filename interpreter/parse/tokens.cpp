#include "parse/tokens.h"

#include <algorithm>
#include <array>

#include "parse/parse.h"

namespace arbiter::parse {

using diagnostics::Code;

namespace {

template <std::size_t N>
bool Among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 36> kDeclarations = {
    "chance", "secret",  "game",   "author", "text",   "use",   "extends", "replace", "delete",
    "option", "players", "board",  "zone",   "state",  "piece", "neutral", "fixed",   "every",
    "class",  "action",  "define", "walk",   "effect", "turn",  "phase",   "when",    "forbid",
    "win",    "lose",    "draw",   "limit",  "setup",  "start", "fen",     "show",    "example"};

// Declarations that cannot also stand in braces.
constexpr std::array<std::string_view, 22> kOnlyDeclarations = {
    "game",    "author", "text",  "use",   "extends", "replace", "delete", "option", "players", "board", "piece",
    "neutral", "fixed",  "every", "class", "action",  "define",  "effect", "phase",  "when",    "show",  "example"};

// Tokens that make one expression deeper. (`then` and `|` do not: their parts lie side by side.)
constexpr std::array<std::string_view, 22> kChain = {
    "not", "and", "or", "implies", "==", "!=", "<", "<=", ">",    ">=",    "+",
    "-",   "&",   "in", "of",      "is", ".",  "[", "if", "some", "every", "no"};

// Tokens after which another expression begins, or none.
constexpr std::array<std::string_view, 34> kFresh = {
    "=",     "+=",     "-=",       "->",     ",",        "choose",   "let",    "require", "do",
    "for",   "lift",   "put",      "remove", "swap",     "goto",     "win",    "lose",    "draw",
    "move",  "take",   "threaten", "can",    "promotes", "when",     "forbid", "define",  "option",
    "piece", "action", "zone",     "legal",  "illegal",  "position", "example"};

}  // namespace

bool BeginsDeclaration(std::string_view word) { return Among(kDeclarations, word); }

std::vector<std::string> DeclarationWords() { return {kDeclarations.begin(), kDeclarations.end()}; }

bool CheckNesting(const std::vector<Token>& tokens, TokenText text, diagnostics::Sink& sink) {
  struct Level {
    int chain = 0;      // operators since the last fresh start at this level
    int otherwise = 0;  // links of an `else if` or `otherwise if` chain
  };
  std::vector<Level> levels(1);
  int total = 0;  // of all chains
  const Token* before = nullptr;
  struct Listed {
    bool known = false, fresh = false, chain = false;
  };
  std::vector<Listed> by_type;  // of words and signs: each is looked up once
  auto look_up = [&](const Token& token) {
    if (token.kind != TokenKind::kKeyword && token.kind != TokenKind::kSymbol) return Listed{};
    if (token.type >= by_type.size()) by_type.resize(token.type + 1);
    Listed& listed = by_type[token.type];
    if (!listed.known) listed = {true, Among(kFresh, text(token)), Among(kChain, text(token))};
    return listed;
  };
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kDoc || token.kind == TokenKind::kComment) continue;
    bool plain = token.kind != TokenKind::kKeyword && token.kind != TokenKind::kSymbol;
    auto refresh = [&]() {
      total -= levels.back().chain;
      levels.back().chain = 0;
    };
    // Behind a word no value follows within one expression, and no declaration behind a value.
    bool behind_word = before != nullptr && before->kind == TokenKind::kWord;
    bool declares = levels.size() == 1 && token.first_on_line && token.kind == TokenKind::kKeyword;
    if (behind_word && (token.kind == TokenKind::kWord || (declares && BeginsDeclaration(text(token))))) refresh();
    if (plain && token.kind != TokenKind::kCite && (before == nullptr || text(*before) != "}")) {
      before = &token;
      continue;
    }
    std::string_view word = text(token);
    bool opens = word == "(" || word == "[" || word == "{";
    bool closes = word == ")" || word == "]" || word == "}";
    Listed listed = look_up(token);
    if (token.kind == TokenKind::kCite || listed.fresh) refresh();
    if (word == "else" || word == "otherwise") {
      ++levels.back().otherwise;
    } else if (word == "=" || (before != nullptr && text(*before) == "}" && !closes)) {
      levels.back().otherwise = 0;
    }
    if (listed.chain) {
      ++levels.back().chain;
      ++total;
    }
    if (opens) {
      if (word == "{") refresh();
      levels.emplace_back();
    } else if (closes && levels.size() > 1) {
      refresh();
      levels.pop_back();
    }
    if (static_cast<int>(levels.size()) - 1 > kMaxNesting) {
      sink.Error(Code::kLimitNesting, token.span,
                 "brackets are nested more than " + std::to_string(kMaxNesting) + " deep")
          .help.push_back("give the inner parts names with `define`, `walk`, `effect` or `turn part = …`");
      return false;
    }
    if (total > kMaxChain || levels.back().otherwise > kMaxNesting) {
      sink.Error(Code::kLimitNesting, token.span,
                 total > kMaxChain ? "an expression with more than " + std::to_string(kMaxChain) + " operators"
                                   : "a chain of more than " + std::to_string(kMaxNesting) + " alternatives")
          .help.push_back("give parts of it names with `define`, `walk`, `effect` or `turn part = …`");
      return false;
    }
    before = &token;
  }
  return true;
}

// ---- mending -----------------------------------------------------------------------------------

namespace {

class Mender {
 public:
  Mender(TokenText text, const BracketTypes& types, diagnostics::Sink& sink)
      : text_(text), types_(types), sink_(sink) {}

  Mended Run(const std::vector<Token>& tokens) {
    std::vector<Token> quoted = CloseQuotes(tokens);
    bool balanced = IsBalanced(quoted);
    for (const Token& token : quoted) {
      if (!balanced) Look(token);
      if (told_ > kMaxSyntaxErrors) {
        out_.gave_up = true;
        out_.stopped_at = token.span;
        break;
      }
      if (!dropped_) out_.tokens.push_back(token);
      dropped_ = false;
    }
    return std::move(out_);
  }

 private:
  struct Open {
    std::size_t index;  // in out_.tokens
    char bracket;
    Span span;
    int indent;       // of the line it stands on
    int inside = -1;  // of the first line after it
  };

  // ---- quotations ----

  std::vector<Token> CloseQuotes(const std::vector<Token>& tokens) {
    std::vector<Token> out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      std::string_view word = text_(token);
      bool diagram = token.kind == TokenKind::kString && word == "\"\"" && token.span.end < text_.all().size() &&
                     text_.all()[token.span.end] == '"';
      if (!diagram && !(token.kind == TokenKind::kUnknown && word == "\"")) {
        out.push_back(token);
        continue;
      }
      std::size_t last = i;  // the last token that belongs to the quotation
      while (last + 1 < tokens.size() && tokens[last + 1].kind != TokenKind::kEnd &&
             (diagram ? !IsFreshDeclaration(tokens[last + 1]) : !tokens[last + 1].first_on_line)) {
        ++last;
      }
      if (!diagram && last > i && text_(tokens[last]) == "{") --last;  // `piece King "K {`
      Span whole = source::Join(token.span, tokens[last].span);
      Span mark = token.span;
      if (diagram) ++mark.end;
      auto& found = Tell(mark, diagram ? "this diagram is never closed" : "this text is never closed");
      found.caption = "opened here";
      found.help.push_back(diagram ? "put `\"\"\"` on a line of its own after the last row"
                                   : "put `\"` at its end; a text stays on one line");
      Token made = token;
      made.kind = diagram ? TokenKind::kDiagram : TokenKind::kString;
      made.type = diagram ? types_.diagram : types_.string;
      made.span = whole;
      out.push_back(made);
      i = last;
    }
    return out;
  }

  // ---- brackets ----

  diagnostics::Diagnostic& Tell(Span span, std::string message) {
    ++told_;
    return sink_.Error(Code::kSyntaxUnclosed, span, std::move(message));
  }

  static char Closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

  bool IsBalanced(const std::vector<Token>& tokens) const {
    std::string stack;
    for (const Token& token : tokens) {
      char c = Bracket(token);
      if (c == '(' || c == '[' || c == '{') stack += Closing(c);
      if (c == ')' || c == ']' || c == '}') {
        if (stack.empty() || stack.back() != c) return false;
        stack.pop_back();
      }
    }
    return stack.empty();
  }

  char Bracket(const Token& token) const {
    if (token.kind != TokenKind::kSymbol) return '\0';
    std::string_view word = text_(token);
    return word.size() == 1 && std::string_view("()[]{}").find(word[0]) != std::string_view::npos ? word[0] : '\0';
  }

  uint32_t LineBegin(uint32_t at) const {
    while (at > 0 && text_.all()[at - 1] != '\n') --at;
    return at;
  }

  int IndentAt(uint32_t at) const {
    int indent = 0;
    for (uint32_t i = LineBegin(at); i < text_.all().size() && (text_.all()[i] == ' ' || text_.all()[i] == '\t'); ++i) {
      ++indent;
    }
    return indent;
  }

  // A word in the first column that can only begin a declaration.
  bool IsFreshDeclaration(const Token& token) const {
    return token.kind == TokenKind::kKeyword && token.first_on_line &&
           LineBegin(token.span.begin) == token.span.begin && Among(kOnlyDeclarations, text_(token));
  }

  // The same for other words with which declarations begin, where the author indents what is in brackets.
  bool IsOutdented(const Token& token) const {
    return !stack_.empty() && stack_.front().inside > 0 && token.kind == TokenKind::kKeyword && token.first_on_line &&
           LineBegin(token.span.begin) == token.span.begin && BeginsDeclaration(text_(token));
  }

  void Look(const Token& token) {
    if (token.first_on_line && !stack_.empty() && stack_.front().inside < 0) {
      stack_.front().inside = IndentAt(token.span.begin);
    }
    if (token.kind == TokenKind::kEnd || IsFreshDeclaration(token) || IsOutdented(token)) {
      while (!stack_.empty()) CloseInnermost(token, out_.tokens.size());
      return;
    }
    char c = Bracket(token);
    if (c == '(' || c == '[' || c == '{') {
      stack_.push_back({out_.tokens.size(), c, token.span, IndentAt(token.span.begin)});
    } else if (c == ')' || c == ']') {
      CloseRound(token, c);
    } else if (c == '}') {
      CloseCurly(token);
    }
  }

  void CloseRound(const Token& token, char c) {
    if (!stack_.empty() && Closing(stack_.back().bracket) == c) {
      stack_.pop_back();
      return;
    }
    bool other = !stack_.empty() && stack_.back().bracket != '{';
    bool deeper = false;
    for (std::size_t i = stack_.size(); i-- > 0 && stack_[i].bracket != '{';) {
      deeper = deeper || Closing(stack_[i].bracket) == c;
    }
    if (deeper) {
      while (Closing(stack_.back().bracket) != c) CloseInnermost(token, out_.tokens.size());
      stack_.pop_back();
    } else if (other) {
      Open open = stack_.back();
      std::string right(1, Closing(open.bracket));
      auto& found = Tell(token.span, "`" + std::string(1, open.bracket) + "` is closed by `" + std::string(1, c) + "`");
      found.caption = "expected `" + right + "`";
      found.labels.push_back({open.span, "opened here"});
      found.fixes.push_back({"write `" + right + "`", {{token.span, right}}, diagnostics::Fix::Confidence::kMaybe});
      MakeUp(open.bracket, out_.tokens.size(), token.span.begin);
      stack_.pop_back();
      dropped_ = true;
    } else {
      Extra(token, c);
    }
  }

  void CloseCurly(const Token& token) {
    bool any = std::any_of(stack_.begin(), stack_.end(), [](const Open& open) { return open.bracket == '{'; });
    if (!any) {
      Extra(token, '}');
      return;
    }
    while (stack_.back().bracket != '{') CloseInnermost(token, EndOfLineOf(stack_.back()));
    // A `}` that stands under the line of an outer `{` closes that one: the inner one was forgotten.
    if (token.first_on_line) {
      int indent = IndentAt(token.span.begin);
      bool outer = std::any_of(stack_.begin(), stack_.end(), [&](const Open& open) { return open.indent == indent; });
      while (outer && stack_.size() > 1 && stack_.back().indent > indent) CloseInnermost(token, out_.tokens.size());
    }
    stack_.pop_back();
  }

  void Extra(const Token& token, char c) {
    auto& found = Tell(token.span, "`" + std::string(1, c) + "` closes nothing");
    found.fixes.push_back({"remove it", {{token.span, ""}}, diagnostics::Fix::Confidence::kMaybe});
    out_.touched.push_back(out_.tokens.size());
    dropped_ = true;
  }

  // Where the line of an unclosed `(` or `[` ends: the index in out_.tokens of the first token after it.
  std::size_t EndOfLineOf(const Open& open) const {
    for (std::size_t i = open.index + 1; i < out_.tokens.size(); ++i) {
      if (out_.tokens[i].first_on_line) return i;
    }
    return out_.tokens.size();
  }

  void CloseInnermost(const Token& found_at, std::size_t index) {
    Open open = stack_.back();
    stack_.pop_back();
    auto& found = Tell(open.span, "`" + std::string(1, open.bracket) + "` is never closed");
    found.caption = "opened here";
    if (found_at.kind == TokenKind::kEnd) {
      found.help.push_back("put `" + std::string(1, Closing(open.bracket)) + "` where it ends; the file ends first");
    } else {
      found.labels.push_back({found_at.span, "expected `" + std::string(1, Closing(open.bracket)) + "` before this"});
      found.help.push_back("put `" + std::string(1, Closing(open.bracket)) + "` where it ends");
    }
    if (open.bracket == '{') {
      out_.touched.push_back(open.index);
    } else {
      for (std::size_t i = open.index; i <= index; ++i) out_.touched.push_back(i);
    }
    MakeUp(open.bracket, index, index < out_.tokens.size() ? out_.tokens[index].span.begin : found_at.span.begin);
  }

  void MakeUp(char bracket, std::size_t index, uint32_t at) {
    Token made;
    made.kind = TokenKind::kSymbol;
    made.type = bracket == '(' ? types_.round : bracket == '[' ? types_.square : types_.curly;
    made.span = {out_.tokens.empty() ? source::FileId() : out_.tokens.front().span.file, at, at};
    made.made_up = true;
    out_.tokens.insert(out_.tokens.begin() + static_cast<std::ptrdiff_t>(index), made);
    for (Open& open : stack_) {
      if (open.index >= index) ++open.index;
    }
    out_.touched.push_back(index);
    out_.touched.push_back(index + 1);
  }

  TokenText text_;
  const BracketTypes& types_;
  diagnostics::Sink& sink_;
  Mended out_;
  std::vector<Open> stack_;
  bool dropped_ = false;
  int told_ = 0;
};

}  // namespace

Mended Mend(const std::vector<Token>& tokens, TokenText text, const BracketTypes& types, diagnostics::Sink& sink) {
  Mended mended = Mender(text, types, sink).Run(tokens);
  std::sort(mended.touched.begin(), mended.touched.end());
  return mended;
}

}  // namespace arbiter::parse
