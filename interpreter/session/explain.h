// What a game was made into, as text for people and for Graphviz.
#pragma once

#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "rules/rules.h"

namespace arbiter::session {

// What every walk, action and law was compiled to, and why.
std::string ProgramListing(const Game& game);
struct ProgramLine {
  std::string part, name, form, why;
};
std::vector<ProgramLine> ProgramLines(const Game& game);

// The cells and the steps between them, for Graphviz.
std::string BoardGraph(const Game& game);

// The walks of this name: `slide` finds `slide(all)` and `slide(diagonal)`. The error lists the names there are.
Result<std::vector<rules::WalkId>> WalksNamed(const Game& game, const std::string& name);

// An expression in the words of the rule file, in one line.
std::string Words(const Game& game, rules::ExprId id);

}  // namespace arbiter::session
