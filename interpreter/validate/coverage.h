// Which clauses of the rule text are formalised, and by what.
//
// Knows the numbers only: whether a declaration says what its clause says is for its examples to show.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/clauses.h"
#include "rules/rules.h"

namespace arbiter::validate {

struct CoveredClause {
  rules::Clause clause;
  std::vector<rules::Citation> declarations;  // in the order of the rule file
  std::vector<rules::Citation> examples;
  [[nodiscard]] bool needs_cover() const { return clause.kind == rules::Clause::Kind::kRule; }
  [[nodiscard]] bool covered() const { return !declarations.empty() || !examples.empty(); }
};

struct Coverage {
  std::vector<CoveredClause> clauses;         // in the order of the text
  std::vector<rules::Citation> dangling;      // cite a clause that the text does not have
  [[nodiscard]] int rules_in_text() const;    // clauses that need to be formalised
  [[nodiscard]] int not_covered() const;      // of those: cited by nothing
  [[nodiscard]] int without_example() const;  // of those: cited by no example
};

Coverage CoverageOf(const rules::Rules& rules, std::string_view markdown);

}  // namespace arbiter::validate
