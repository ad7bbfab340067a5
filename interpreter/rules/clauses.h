// The numbered clauses of a rule text in Markdown.
//
// A clause starts at a line that begins with `§4.2`, `**4.2**` or a heading `## 4.2 …`; right after
// the number `(commentary)` or `(outside play)` says that nothing needs to formalise it. Everything up
// to the next clause or heading is its text. Fenced code is text, never a clause.
//
// Knows nothing of rules: it reads text and gives places in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::rules {

struct Clause {
  enum class Kind : uint8_t {
    kRule,
    kCommentary,
    kOutsidePlay,
    kHeading  // a numbered heading without words of its own: it groups clauses
  };
  Kind kind = Kind::kRule;
  std::string number;  // "4.2"
  std::string text;    // words in one line, without the number and the marks of Markdown emphasis
  uint32_t begin = 0;  // bytes of the number in the file
  uint32_t end = 0;
  int line = 1;  // from 1
};

// In the order of the text. A number that occurs twice is given twice.
std::vector<Clause> ReadClauses(std::string_view markdown);

// Null if there is none.
const Clause* FindClause(const std::vector<Clause>& clauses, std::string_view number);

}  // namespace arbiter::rules
