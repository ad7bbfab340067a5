// Human names for the tokens and rules of the grammar: the one table from which messages are made.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::parse {

// What a reader calls a rule of the grammar ("an expression"). Empty: the rule has no name of its own and
// its parts are named instead. "-": not worth mentioning (it may stand almost anywhere).
std::string_view RuleWords(std::string_view rule);

// What a reader calls a token, from its name in ANTLR's vocabulary: `'piece'`, `NAME`.
std::string TokenWords(std::string_view literal, std::string_view symbolic);

// What one item of a list is called: "declaration" for the rule `decl`.
std::string_view ItemWords(std::string_view item_rule);

// Signs and words that may follow almost any value: not worth proposing as the one thing that is missing.
bool IsLoose(std::string_view word);

}  // namespace arbiter::parse
