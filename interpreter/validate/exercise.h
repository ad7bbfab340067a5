// Which clauses of the rule text random games exercised.
//
// A clause is exercised in a game if a statement that cites it counts in it (rules::Statement says when one does):
// evidence that the games came there, never that what is written there is right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"
#include "validate/coverage.h"
#include "validate/soak.h"

namespace arbiter::validate {

struct ExercisedClause {
  CoveredClause covered;
  int games = 0;                       // in which a declaration that cites it counted
  std::vector<int> declaration_games;  // the same by declaration: `covered.declarations`
  [[nodiscard]] bool exercised() const { return games > 0; }
};

// A declaration of the game's own files, whether it cites a clause or not.
struct ExercisedDeclaration {
  std::string what, name;
  source::Span place;
  int games = 0;  // in which it counted
};

struct Exercise {
  int games = 0;
  std::vector<ExercisedClause> clauses;            // in the order of the text
  std::vector<ExercisedDeclaration> declarations;  // those that count by being carried out, asked or used; file order
  SoakReport soak;
  [[nodiscard]] int rules_in_text() const;  // clauses that need to be formalised
  [[nodiscard]] int exercised() const;      // of those: in some game
};

// Plays as Soak does, on the oracle; the rules must be traced.
Exercise ExerciseClauses(const rules::Rules& traced, std::string_view markdown, const SoakRequest& request);

}  // namespace arbiter::validate
