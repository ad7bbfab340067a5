#include "parse/words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace arbiter::parse {

namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr auto kRules = std::to_array<Entry>({{"isWord", "a piece, a class or `empty`"},
                                              {"expr", "an expression"},
                                              {"operand", "an expression"},
                                              {"term", "a value"},
                                              {"postfix", "a value"},
                                              {"core", "a value"},
                                              {"atom", "a value"},
                                              {"arg", "an argument"},
                                              {"infix", "an operator"},
                                              {"suffix", "-"},
                                              {"trailer", "-"},
                                              {"subscript", "-"},
                                              {"slotIndex", "-"},
                                              {"cite", "-"},
                                              {"setTail", "-"},
                                              {"args", "arguments in parentheses"},
                                              {"params", "parameters in parentheses"},
                                              {"param", "a parameter"},
                                              {"index", "an index in brackets"},
                                              {"indexItem", "an index"},
                                              {"walk", "a walk"},
                                              {"walkSeq", "a step"},
                                              {"walkItem", "a step"},
                                              {"walkAtom", "a step"},
                                              {"overCond", "a condition"},
                                              {"quant", "-"},
                                              {"times", "a number or a name"},
                                              {"times1", "a number or a name"},
                                              {"query", "a walk"},
                                              {"filter", "a filter such as `empty` or `enemy`"},
                                              {"filterTerm", "a filter such as `empty` or `enemy`"},
                                              {"type", "a type"},
                                              {"bound", "a number"},
                                              {"name", "a name"},
                                              {"label", "a name"},
                                              {"names", "a name"},
                                              {"path", "a name"},
                                              {"turn", "a turn"},
                                              {"turnElse", "a turn"},
                                              {"turnOr", "a turn"},
                                              {"turnSeq", "a turn"},
                                              {"turnPart", "a part of a turn"},
                                              {"turnAtom", "a part of a turn"},
                                              {"event", "an event"},
                                              {"subject", "a piece"},
                                              {"playedMove", "a move"},
                                              {"moveWord", "a move"},
                                              {"rider", "`from`, `to`, `if` or `do`"},
                                              {"deletable", "what to delete, such as `piece`"},
                                              {"target", "a piece or variable"},
                                              {"setupRef", "the name of a set-up"}});

constexpr std::array<Entry, 11> kItems = {{{"decl", "declaration"},
                                           {"boardItem", "part of a board"},
                                           {"stateVar", "variable"},
                                           {"pieceItem", "statement of a piece"},
                                           {"step", "step of an action"},
                                           {"effect", "effect"},
                                           {"phaseItem", "part of a phase"},
                                           {"fenField", "field of `fen`"},
                                           {"exampleItem", "statement of an example"},
                                           {"positionEntry", "piece of a position"},
                                           {"onlyExpr", "expression"}}};

constexpr std::array<std::string_view, 22> kLoose = {".",  "[",  "of", "..",     "(",      "and", "or", "implies",
                                                     "==", "!=", "<",  "<=",     ">",      ">=",  "+",  "-",
                                                     "&",  "in", "is", "exists", "pieces", "not"};

constexpr std::array<Entry, 7> kTokens = {{{"NAME", "a name"},
                                           {"INT", "a number"},
                                           {"STRING", "a text in quotes"},
                                           {"DIAGRAM", "a diagram"},
                                           {"CITE", "a citation"},
                                           {"EOF", "the end of the file"},
                                           {"UNKNOWN", "a character"}}};

template <std::size_t N>
std::string_view Look(const std::array<Entry, N>& table, std::string_view key) {
  for (const Entry& entry : table) {
    if (entry.first == key) return entry.second;
  }
  return {};
}

}  // namespace

std::string_view RuleWords(std::string_view rule) { return Look(kRules, rule); }
std::string_view ItemWords(std::string_view item_rule) { return Look(kItems, item_rule); }

bool IsLoose(std::string_view word) { return std::find(kLoose.begin(), kLoose.end(), word) != kLoose.end(); }

std::string TokenWords(std::string_view literal, std::string_view symbolic) {
  if (literal.size() > 2) return "`" + std::string(literal.substr(1, literal.size() - 2)) + "`";
  return std::string(Look(kTokens, symbolic));
}

}  // namespace arbiter::parse
