#include "parse/slips.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace arbiter::parse {

using diagnostics::Code;

namespace {

bool IsComment(const Token& token) { return token.kind == TokenKind::kComment || token.kind == TokenKind::kDoc; }

// A sign or word that has another spelling here.
struct Spelling {
  std::string_view wrong;
  std::string_view right;  // empty: remove it
  std::string_view why;
};

constexpr std::array<Spelling, 34> kSpellings = {{
    {";", "", "statements follow each other without `;`"},
    {"→", "->", "an arrow is written `->`"},
    {"⇒", "->", "an arrow is written `->`"},
    {"≠", "!=", "unequal is written `!=`"},
    {"≤", "<=", "at most is written `<=`"},
    {"≥", ">=", "at least is written `>=`"},
    {"×", "x", "the size of a board is written with the letter `x`"},
    {"−", "-", "minus is written `-`"},
    {"–", "-", "minus is written `-`; a range is written `..`"},
    {"…", "..", "a range is written `..`"},
    {"∈", "in", "membership is written `in`"},
    {"¬", "not", "negation is written `not`"},
    {"∧", "and", "conjunction is written `and`"},
    {"∨", "or", "disjunction is written `or`"},
    {"!", "not", "negation is written `not`"},
    {"“", "\"", "a text stands between straight quotes `\"`"},
    {"”", "\"", "a text stands between straight quotes `\"`"},
    {"„", "\"", "a text stands between straight quotes `\"`"},
    {"«", "\"", "a text stands between straight quotes `\"`"},
    {"»", "\"", "a text stands between straight quotes `\"`"},
    {"'", "\"", "a text stands between double quotes `\"`"},
    {"‘", "\"", "a text stands between double quotes `\"`"},
    {"’", "\"", "a text stands between double quotes `\"`"},
    {"`", "\"", "a text stands between double quotes `\"`"},
    {"#", "//", "a comment begins with `//`"},
    {"%", "//", "a comment begins with `//`"},
    {"elif", "else if", "a further condition is written `else if`"},
    {"elsif", "else if", "a further condition is written `else if`"},
    {"elseif", "else if", "a further condition is written `else if`"},
    {"import", "use", "a library is taken in with `use`, a rule file with `extends`"},
    {"include", "use", "a library is taken in with `use`, a rule file with `extends`"},
    {"var", "let", "a value is named with `let`, state is declared in `state { … }`"},
    {"function", "define", "a condition or value is named with `define`"},
    {"&&", "and", "conjunction is written `and`"},
}};

// Two signs next to each other that were meant as one.
struct Pair {
  std::string_view first, second, right, why;
};
constexpr std::array<Pair, 8> kPairs = {{
    {"&", "&", "and", "conjunction is written `and`"},
    {"|", "|", "or", "disjunction is written `or`"},
    {"=", ">", "->", "an arrow is written `->`"},
    {"-", "-", "//", "a comment begins with `//`"},
    {":", "=", "=", "a value is given with `=`"},
    {"/", "*", "//", "a comment begins with `//` and ends with the line"},
    {"<", ">", "!=", "unequal is written `!=`"},
    {"+", "+", "+= 1", "a variable is raised with `+= 1`"},
}};

Slip Replace(Span span, std::string_view wrong, std::string_view right, std::string_view why) {
  Slip slip;
  slip.span = span;
  slip.message = fmt::format("`{}` is no sign of the language", wrong);
  slip.help = why;
  slip.fix_title = right.empty() ? std::string("remove it") : fmt::format("write `{}`", right);
  slip.replacement = right;
  return slip;
}

std::optional<Slip> OddCharacter(const Token& token, TokenText text) {
  std::string_view word = text(token);
  auto lead = static_cast<unsigned char>(word.empty() ? 0 : word[0]);
  Slip slip;
  slip.span = token.span;
  if (word == "§" || word == "@") {
    slip.message = fmt::format("expected the number of a clause right after `{}`", word);
    slip.help = "a citation is written `§4.2`, without a blank";
    return slip;
  }
  if (lead < 0x20 || lead == 0x7F) {
    slip.message = fmt::format("a control character (U+{:04X}) in the text", lead);
    slip.fix_title = "remove it";
    return slip;
  }
  if (token.kind == TokenKind::kUnknown) {
    slip.message = fmt::format("`{}` is no sign of the language", word);
    return slip;
  }
  return std::nullopt;
}

template <std::size_t N>
bool Among(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Slip Told(Span span, std::string message, std::string help) {
  Slip slip;
  slip.span = span;
  slip.message = std::move(message);
  slip.help = std::move(help);
  return slip;
}

Slip Fixed(Span span, std::string message, std::string_view replacement) {
  Slip slip;
  slip.span = span;
  slip.message = std::move(message);
  slip.fix_title = fmt::format("write `{}`", replacement);
  slip.replacement = replacement;
  return slip;
}

// Statements of a piece under the names that other notations give them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kVerbs = {{{"moves", "move"},
                                                                                  {"moving", "move"},
                                                                                  {"capture", "take"},
                                                                                  {"captures", "take"},
                                                                                  {"takes", "take"},
                                                                                  {"attack", "threaten"},
                                                                                  {"attacks", "threaten"},
                                                                                  {"threat", "threaten"},
                                                                                  {"threatens", "threaten"}}};
// Words and signs that only effects have, at their beginning and after it.
constexpr std::array<std::string_view, 7> kEffectWords = {"lift", "put", "remove", "goto", "win", "lose", "draw"};
constexpr std::array<std::string_view, 5> kEffectNames = {"place", "swap", "set", "result", "setup"};
constexpr std::array<std::string_view, 9> kEffectSigns = {"->", "+=", "-=", "=", "becomes", "joins", "[", ".", "of"};
constexpr std::array<std::string_view, 6> kStepWords = {"choose", "let", "require", "do", "written", "threatens"};

std::optional<Slip> PieceSlip(const Place& place) {
  std::size_t begin = place.item_begin;
  const Token& first = place.tokens[begin];
  if (first.kind == TokenKind::kEnd) return std::nullopt;
  if (place.at == begin || place.at == Behind(place.tokens, begin)) {
    for (auto [wrong, right] : kVerbs) {
      if (place.Word(begin) != wrong) continue;
      Slip slip = Fixed(first.span, fmt::format("no statement of a piece begins with `{}`", wrong), right);
      slip.fix_title = fmt::format("did you mean `{}`?", right);
      return slip;
    }
  }
  bool promotes = place.Word(begin) == "promotes" && (place.Word(place.at) == "on" || place.Word(place.at) == "at");
  if (!promotes || !place.expects("in")) return std::nullopt;
  Slip slip = Fixed(place.tokens[place.at].span, "where a piece promotes is said with `in`", "in");
  slip.help = "a promotion is a statement of its own: `promotes to KIND in ZONE`";
  return slip;
}

std::optional<Slip> StepSlip(const Place& place) {
  std::size_t begin = place.item_begin;
  std::size_t effect = begin;
  bool second = place.at == Behind(place.tokens, begin) && place.at != begin;
  bool keyword = Among(kStepWords, place.Word(begin)) || place.Word(begin) == "if" || place.Word(begin) == "for";
  if (Among(kEffectWords, place.Word(place.at)) && !second) {
    effect = place.at;
  } else if (!second || keyword ||
             !(Among(kEffectNames, place.Word(begin)) || Among(kEffectSigns, place.Word(place.at)))) {
    return std::nullopt;
  }
  Slip slip = Told(place.tokens[effect].span, "effects stand in `do { … }`",
                   fmt::format("write `do {{ {} … }}`", place.Word(effect)));
  slip.once = true;
  return slip;
}

std::optional<Slip> EffectSlip(const Place& place) {
  std::size_t begin = place.item_begin;
  bool early = place.at == begin || place.at == Behind(place.tokens, begin);
  if (early && place.Word(begin) == "setup") {
    Slip slip =
        Fixed(place.tokens[begin].span, "`setup` declares a set-up; to restore one is written `set up`", "set up");
    slip.fix_title = "did you mean `set up`?";
    return slip;
  }
  if (!Among(kStepWords, place.Word(place.at))) return std::nullopt;
  Slip slip = Told(place.tokens[place.at].span, fmt::format("no effect begins with `{}`", place.Word(place.at)),
                   "among effects no step of an action can stand; close the braces of the effects first");
  slip.once = true;
  return slip;
}

std::optional<Slip> BoardSlip(const Place& place) {
  std::size_t before = Before(place.tokens, place.at);
  if (place.Word(before) == "wrap" && (place.Word(place.at) == "file" || place.Word(place.at) == "rank")) {
    std::string plural = std::string(place.Word(place.at)) + "s";
    return Fixed(place.tokens[place.at].span, fmt::format("a board wraps its `{}`", plural), plural);
  }
  bool deflect = place.Word(place.item_begin) == "deflect" && before == Behind(place.tokens, place.item_begin);
  if (!deflect || !place.expects("at") || place.tokens[before].kind != TokenKind::kWord) return std::nullopt;
  std::string name(place.Word(before));
  return Fixed(place.tokens[before].span, fmt::format("nothing says where `{}` are deflected", name),
               name + " at edges");
}

// Slips that belong to one kind of statement.
std::optional<Slip> StatementSlip(const Place& place) {
  const std::vector<Token>& tokens = place.tokens;
  std::size_t at = place.at;
  std::size_t begin = place.item_begin;
  std::size_t before = Before(tokens, at);
  std::string_view word = place.Word(at);
  const Token& token = tokens[at];
  if (word == "{" && at == begin && place.item != "decl") {
    return Told(token.span, "nothing stands in front of these braces", "remove them, or say what they belong to");
  }
  if (place.item == "pieceItem") return PieceSlip(place);
  if (place.item == "step") {
    if (auto slip = StepSlip(place)) return slip;
    if (word == "onto" && place.expects("from")) {
      return Fixed(token.span, "a choice says from where it walks: `choose X = WALK from CELL onto FILTER`",
                   "from self onto");
    }
  }
  if (place.item == "effect") return EffectSlip(place);
  if (place.item == "boardItem") return BoardSlip(place);
  static constexpr std::array<std::string_view, 4> kMoves = {"moves", "legal", "illegal", "after"};
  static constexpr std::array<std::string_view, 3> kNoMove = {"(", "/", "."};
  if (place.item == "exampleItem" && Among(kMoves, place.Word(begin)) && Among(kNoMove, word) &&
      place.expects(place.Word(begin) == "after" ? ":" : "-")) {
    return Told(token.span, fmt::format("a move without quotes holds no `{}`", word),
                "put the move in quotes: `\"…\"`, as `arbiter moves` prints it");
  }
  if (place.item == "exampleItem" && word == ",") {
    if (!Among(kMoves, place.Word(begin))) return std::nullopt;
    Slip slip = Told(token.span, "no commas here: moves stand beside each other", "");
    slip.fix_title = "remove it";
    return slip;
  }
  if (place.item == "stateVar" && word == "=" && place.expects(":")) {
    return Told(token.span, fmt::format("the type of `{}` is missing", place.Word(begin)),
                "put it in front of `=`, for example `: bool` or `: 0..9`");
  }
  if (place.item == "decl" && place.Word(begin) == "setup") {
    std::size_t with = place.Word(before) == "to" ? Before(tokens, before) : before;
    bool end = token.kind == TokenKind::kDiagram || word == "move" || word == "fen";
    if (!end || place.Word(with) != "with") return std::nullopt;
    Slip slip = Told(tokens[with].span, "`with` adds pieces to the board: `with PIECE on CELL`", "");
    slip.fix_title = "leave out `with`";
    return slip;
  }
  return std::nullopt;
}

// `{ count, impossible }`: a word that begins an expression was meant as a name.
std::optional<Slip> KeywordSlip(const Place& place) {
  static constexpr std::array<std::string_view, 4> kQuantifiers = {"some", "every", "no", "count"};
  static constexpr std::array<std::string_view, 9> kAfterNames = {",", "}", ")", "]", "=", "==", "!=", "+", "-"};
  std::size_t before = Before(place.tokens, place.at);
  bool keyword = before != place.at && place.tokens[before].kind == TokenKind::kKeyword;
  if (!keyword || !Among(kQuantifiers, place.Word(before)) || !Among(kAfterNames, place.Word(place.at))) {
    return std::nullopt;
  }
  return Told(place.tokens[before].span, fmt::format("`{}` is a keyword, and no name", place.Word(before)),
              "choose another name; a name that begins with a capital is never a keyword");
}

// `turn clear = kick(step(all)) then …`
std::optional<Slip> TurnSlip(const Place& place) {
  std::size_t begin = place.item_begin;
  if (place.Word(begin) == "replace") begin = Behind(place.tokens, begin);
  bool turn = (place.item == "decl" || place.item == "phaseItem") && place.Word(begin) == "turn";
  std::size_t before = Before(place.tokens, place.at);
  bool named = place.tokens[before].kind == TokenKind::kWord && before > begin;
  if (!turn || !named || place.Word(place.at) != "(" || !place.expects("then")) return std::nullopt;
  std::string name(place.Word(before));
  return Told(place.tokens[place.at].span, fmt::format("a turn names `{}` without arguments", name),
              fmt::format("the arguments are given where a piece can do it: `can {}(…)` in the piece", name));
}

// `n{0..if …}`, `n{(a)}`: a bound is expected, and braces of a repetition are open.
std::optional<Slip> RepetitionSlip(const Place& place) {
  const Token& token = place.tokens[place.at];
  bool value = token.kind == TokenKind::kKeyword || place.Word(place.at) == "(";
  std::size_t before = Before(place.tokens, place.at);
  std::size_t low = Before(place.tokens, before);
  bool counts =
      place.Word(before) == "{" || (place.Word(before) == ".." && place.Word(Before(place.tokens, low)) == "{");
  if (!value || !counts || !place.expects_number || place.expects("(")) return std::nullopt;
  return Told(token.span, "a bound of a repetition is a number or a name, perhaps with `+` or `-`",
              "give the value a name: `define most = …`");
}

// `step all`, `leap 1 2`.
std::optional<Slip> CallSlip(const Place& place) {
  static constexpr std::array<std::string_view, 3> kCalled = {"step", "slide", "leap"};
  const std::vector<Token>& tokens = place.tokens;
  std::size_t before = Before(tokens, place.at);
  const Token& token = tokens[place.at];
  if (!Among(kCalled, place.Word(before)) || token.first_on_line) return std::nullopt;
  std::size_t last = place.at;
  std::string arguments(place.Word(place.at));
  if (place.Word(before) == "leap") {
    last = Behind(tokens, place.at);
    if (place.Word(last) == ",") last = Behind(tokens, last);
    if (token.kind != TokenKind::kInt || tokens[last].kind != TokenKind::kInt) return std::nullopt;
    arguments += ", " + std::string(place.Word(last));
  } else if (token.kind != TokenKind::kWord) {
    return std::nullopt;
  }
  return Fixed(source::Join(tokens[before].span, tokens[last].span), "arguments stand in parentheses",
               fmt::format("{}({})", place.Word(before), arguments));
}

}  // namespace

std::size_t Before(const std::vector<Token>& tokens, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    if (!IsComment(tokens[i])) return i;
  }
  return at;
}

std::size_t Behind(const std::vector<Token>& tokens, std::size_t at) {
  for (std::size_t i = at + 1; i < tokens.size(); ++i) {
    if (!IsComment(tokens[i])) return i;
  }
  return at;
}

std::optional<Slip> FindSlip(const Place& place) {
  if (auto slip = StatementSlip(place)) return slip;
  const std::vector<Token>& tokens = place.tokens;
  const TokenText& text = place.text;
  const auto& expects = place.expects;
  std::size_t at = place.at;
  const Token& token = tokens[at];
  std::string_view word = text(token);
  std::size_t before = Before(tokens, at);
  Slip slip;
  slip.span = token.span;

  if (word == "chance" || word == "secret") {
    slip.code = Code::kSyntaxReserved;
    slip.message = fmt::format("`{}` is kept for a later version of the language", word);
    slip.help = word == "chance" ? "games with dice or cards drawn cannot be written yet; another name is free to use"
                                 : "games with hidden information cannot be written yet; another name is free to use";
    return slip;
  }
  if (auto found = KeywordSlip(place)) return found;
  if (auto found = TurnSlip(place)) return found;
  if (auto found = RepetitionSlip(place)) return found;
  if (auto found = CallSlip(place)) return found;
  for (const Pair& pair : kPairs) {
    for (std::size_t first : {at, before}) {
      std::size_t second = Behind(tokens, first);
      bool touch = tokens[first].span.end == tokens[second].span.begin && first != second;
      if (!touch || text(tokens[first]) != pair.first || text(tokens[second]) != pair.second) continue;
      return Replace(source::Join(tokens[first].span, tokens[second].span),
                     std::string(pair.first) + std::string(pair.second), pair.right, pair.why);
    }
  }
  for (const Spelling& spelling : kSpellings) {
    if (word != spelling.wrong) continue;
    Slip found = Replace(token.span, word, spelling.right, spelling.why);
    if (token.kind == TokenKind::kWord) found.message = fmt::format("`{}` is no word of the language", word);
    return found;
  }
  if (token.kind == TokenKind::kUnknown) return OddCharacter(token, text);
  if (word == "=" && expects("==")) {
    slip.message = "`=` gives a value; a comparison is written `==`";
    slip.fix_title = "write `==`";
    slip.replacement = "==";
    return slip;
  }
  if (word == "==" && expects("=")) {
    slip.message = "`==` compares; a value is given with `=`";
    slip.fix_title = "write `=`";
    slip.replacement = "=";
    return slip;
  }
  if (token.kind == TokenKind::kInt && text(tokens[before]) == "." &&
      tokens[Before(tokens, before)].kind == TokenKind::kInt) {
    slip.span = source::Join(tokens[Before(tokens, before)].span, token.span);
    slip.message = "numbers are whole";
    slip.help = "a range is written `1..5`";
    return slip;
  }
  if ((word == "by" || word == "*") && tokens[before].kind == TokenKind::kInt &&
      text(tokens[Before(tokens, before)]) == "squares") {
    slip.message = "expected `x` between the width and the height of the board";
    slip.fix_title = "write `x`";
    slip.replacement = "x";
    return slip;
  }
  if (word == "else" && expects("otherwise")) {
    slip.message = "after `if CONDITION :` the other branch begins with `otherwise`";
    slip.fix_title = "write `otherwise`";
    slip.replacement = "otherwise";
    return slip;
  }
  if (word == "{" && expects("then")) {
    slip.message = "`if` inside an expression is written `if … then … else …`";
    return slip;
  }
  return std::nullopt;
}

std::optional<Slip> FindAdvice(const Place& place) {
  const std::vector<Token>& tokens = place.tokens;
  std::size_t begin = place.item_begin;
  const Token& first = tokens[begin];
  const Token& token = tokens[place.at];
  std::string_view word = place.Word(place.at);
  std::string name(place.Word(begin));
  if (place.item == "pieceItem" && first.kind == TokenKind::kWord && place.at == Behind(tokens, begin)) {
    bool ends = token.first_on_line || token.kind == TokenKind::kCite || token.kind == TokenKind::kEnd || word == "}" ||
                token.kind == TokenKind::kKeyword;
    bool steps = word == "then" || word == "over" || word == "may";
    if (ends && !steps) return Fixed(first.span, fmt::format("`{}` alone says nothing", name), "can " + name);
    return Told(first.span, fmt::format("no statement of a piece begins with `{}`", name),
                "put `move`, `take` or `threaten` in front of a walk, `can` in front of an action");
  }
  if (place.item == "decl" && name == "when" && !first.first_on_line &&
      place.at <= Behind(tokens, Behind(tokens, begin))) {
    return Told(first.span, "`when` begins a declaration of its own, and this is no event",
                "if it is a condition of what stands before it, write `if`");
  }
  if (place.item == "decl" && name == "when" && word != "{" && place.at <= Behind(tokens, Behind(tokens, begin)) &&
      (place.expects("moves") || place.expects("is"))) {
    return Told(
        token.span, fmt::format("`{}` belongs to no event", word),
        "`when` waits for an event, such as `when PIECE moves { … }`; an end of the game is `win p when CONDITION`");
  }
  if (place.item == "decl" && name == "forbid" && word == "after") {
    return Told(token.span, "a law is a condition that must not hold",
                "it is tested by itself whenever something was played: write `forbid CONDITION`");
  }
  if (word == "when" &&
      (place.Word(Before(tokens, place.at)) == "win" || place.Word(Before(tokens, place.at)) == "lose")) {
    return Told(token.span, fmt::format("nothing says who {}s", place.Word(Before(tokens, place.at))),
                fmt::format("write `{} p when …`; the condition is tried for every player `p`",
                            place.Word(Before(tokens, place.at))));
  }
  return std::nullopt;
}

}  // namespace arbiter::parse
