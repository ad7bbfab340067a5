#include "validate/coverage.h"

#include <algorithm>

namespace arbiter::validate {

Coverage CoverageOf(const rules::Rules& rules, std::string_view markdown) {
  Coverage coverage;
  for (rules::Clause& clause : rules::ReadClauses(markdown)) coverage.clauses.push_back({std::move(clause), {}, {}});
  for (const rules::Citation& citation : rules.citations) {
    auto found = std::find_if(coverage.clauses.begin(), coverage.clauses.end(),
                              [&](const CoveredClause& c) { return c.clause.number == citation.clause; });
    if (found == coverage.clauses.end()) {
      coverage.dangling.push_back(citation);
      continue;
    }
    auto& list = citation.what == "example" ? found->examples : found->declarations;
    // One declaration may cite a clause in several of its lines.
    bool known = std::any_of(list.begin(), list.end(), [&](const rules::Citation& other) {
      return other.what == citation.what && other.name == citation.name;
    });
    if (!known) list.push_back(citation);
  }
  return coverage;
}

int Coverage::rules_in_text() const {
  return static_cast<int>(
      std::count_if(clauses.begin(), clauses.end(), [](const CoveredClause& c) { return c.needs_cover(); }));
}

int Coverage::not_covered() const {
  return static_cast<int>(std::count_if(clauses.begin(), clauses.end(),
                                        [](const CoveredClause& c) { return c.needs_cover() && !c.covered(); }));
}

int Coverage::without_example() const {
  return static_cast<int>(std::count_if(clauses.begin(), clauses.end(),
                                        [](const CoveredClause& c) { return c.needs_cover() && c.examples.empty(); }));
}

}  // namespace arbiter::validate
