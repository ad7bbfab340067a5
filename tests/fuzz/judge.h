// One rule file played by both evaluators: is it legal, and do they agree about it?
//
// The work is done in a process of its own, so that a file that stops the program or never comes to an end is a
// result like any other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "program/program.h"
#include "rules/rules.h"

namespace arbiter::fuzz {

struct Verdict {
  enum class Kind : uint8_t {
    kSame,       // the evaluators agree as far as was looked
    kIllegal,    // the checker refuses the file
    kDifferent,  // the evaluators disagree
    kStopped,    // the program was stopped: a CHECK, a sanitizer, a signal
    kSlow        // no end within the budget
  };
  Kind kind = Kind::kSame;
  std::vector<std::string> codes;  // kIllegal: the codes of the errors
  std::string difference;          // kDifferent, kStopped: what was found
  std::string position;            // kDifferent: where, as text
  int64_t positions = 0, moves = 0, counts = 0, faults = 0;
  bool direct = false;     // turns of one action, plain statements counted in bulk
  bool flat = false;       // counted from sets
  std::string why;         // not flat: the reason
  bool guarded = false;    // some law is recognised
  bool unguarded = false;  // some law is not
  int64_t cells = 0;

  [[nodiscard]] bool failed() const { return kind == Kind::kDifferent || kind == Kind::kStopped; }
};

struct Budget {
  double seconds = 0.25;  // of the processor, for the games of one file; looked at between two moves
  double longest = 20;    // of the processor, for all of it; then it is kSlow
  int games = 6;          // the first from a set-up, the others from random positions
};

// The games of a seed, in this process.
void Compare(const rules::Rules& rules, const std::shared_ptr<const program::Program>& program, uint64_t seed,
             const Budget& budget, Verdict* verdict);

// The seed decides the games.
Verdict Judge(const std::string& text, uint64_t seed, const Budget& budget);

}  // namespace arbiter::fuzz
