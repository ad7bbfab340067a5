// Clauses of a rule text, and what cites them.
#include "validate/coverage.h"

#include <gtest/gtest.h>

#include "rules/clauses.h"

namespace arbiter::validate {
namespace {

using Kind = rules::Clause::Kind;

constexpr const char* kText = R"(# A game

Words before any clause.

## 1 The board

§1.1 The board has nine cells.
They form a square.

**1.2** Cells are named
as in `a1`.

**3 men** begin with a number and are no clause.

## 2 Moving

### 2.1 (commentary) Why it is so

It is an old game.

### 2.2 How a man goes

One step.

- §2.3. (outside play) Who touches a man, moves it.
* **2.4** Bulleted.

```
§9.9 not a clause: code
```

## Notes

§ 3 A blank after the sign. §3.1 in the middle of a line is a reference.
)";

TEST(Clauses, are_found_in_every_form) {
  auto clauses = rules::ReadClauses(kText);
  std::vector<std::string> numbers;
  for (const auto& clause : clauses) numbers.push_back(clause.number);
  EXPECT_EQ(numbers, (std::vector<std::string>{"1", "1.1", "1.2", "2", "2.1", "2.2", "2.3", "2.4", "3"}));
}

TEST(Clauses, carry_their_words_and_marks) {
  auto clauses = rules::ReadClauses(kText);
  auto of = [&](const char* number) { return *rules::FindClause(clauses, number); };
  EXPECT_EQ(of("1").kind, Kind::kHeading);
  EXPECT_EQ(of("1.1").text, "The board has nine cells. They form a square.");
  EXPECT_EQ(of("1.1").kind, Kind::kRule);
  EXPECT_EQ(of("1.1").line, 7);
  EXPECT_EQ(of("1.2").text, "Cells are named as in `a1`. 3 men begin with a number and are no clause.");
  EXPECT_EQ(of("2.1").kind, Kind::kCommentary);
  EXPECT_EQ(of("2.1").text, "Why it is so It is an old game.");
  EXPECT_EQ(of("2.2").kind, Kind::kRule);
  EXPECT_EQ(of("2.3").kind, Kind::kOutsidePlay);
  EXPECT_EQ(of("2.4").text, "Bulleted. ``` §9.9 not a clause: code ```");
  EXPECT_EQ(rules::FindClause(clauses, "9.9"), nullptr);
}

TEST(Clauses, their_places_are_the_bytes_of_the_number) {
  std::string text = kText;
  for (const auto& clause : rules::ReadClauses(text)) {
    EXPECT_EQ(text.substr(clause.begin, clause.end - clause.begin), clause.number);
  }
}

TEST(Clauses, survive_any_text) {
  for (const char* text : {"", "§", "**", "**1", "#", "###### ", "§1.", "§.1", "- ", "```", "\xff\xfe§1", "**1.2**"}) {
    rules::ReadClauses(text);
  }
  EXPECT_EQ(rules::ReadClauses("§1.").size(), 1U);
  EXPECT_EQ(rules::ReadClauses("§1").front().number, "1");
  EXPECT_EQ(rules::ReadClauses("§1.2a Letter").front().number, "1.2a");
}

TEST(Coverage, says_what_is_cited_and_what_is_not) {
  rules::Rules rules;
  rules.citations = {{"1.1", "board", "", {}},    {"1.1", "example", "nine cells", {}}, {"2.2", "piece", "Man", {}},
                     {"2.2", "piece", "Man", {}}, {"2.1", "example", "old", {}},        {"7", "action", "fly", {}}};
  Coverage coverage = CoverageOf(rules, kText);
  auto of = [&](const std::string& number) {
    for (const CoveredClause& c : coverage.clauses) {
      if (c.clause.number == number) return c;
    }
    return CoveredClause{};
  };
  EXPECT_EQ(coverage.rules_in_text(), 5);  // 1.1 1.2 2.2 2.4 3
  EXPECT_EQ(coverage.not_covered(), 3);
  EXPECT_EQ(coverage.without_example(), 4);
  EXPECT_TRUE(of("1.1").covered());
  EXPECT_EQ(of("2.2").declarations.size(), 1U) << "one declaration that cites a clause twice is listed once";
  EXPECT_FALSE(of("2.1").needs_cover());
  ASSERT_EQ(coverage.dangling.size(), 1U);
  EXPECT_EQ(coverage.dangling.front().name, "fly");
}

}  // namespace
}  // namespace arbiter::validate
