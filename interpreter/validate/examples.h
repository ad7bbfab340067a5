// The examples of a rule file, run.
//
// An example is a list of steps over one board: a position, then claims about its moves, then moves
// played and more claims. Every step that does not hold gives one failure; an example without failures holds.
// Perft claims above `largest_perft` are left out (the oracle is slow). Examples with other options are given by rules
// that were checked with those options: this room cannot check.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/rules.h"
#include "source/source.h"
#include "validate/evaluator.h"

namespace arbiter::validate {

struct ExampleFailure {
  source::Span span;  // of the step
  std::string message;
  std::vector<std::string> notes;  // "missing: c1-a2", "not expected: c1-c2"
};

// What is asked about a position, as the player on turn. By the oracle; the rules must outlive it.
struct Questions {
  // Whether a condition with the first and the last cell of a move in slots 0 and 1 holds.
  std::function<bool(const Snapshot& at, rules::ExprId condition, const std::vector<rules::Value>& frame,
                     std::optional<Fault>* fault)>
      holds;
  std::function<rules::Value(const Snapshot& at, rules::ExprId expr)> value;
};

Questions MakeQuestions(const rules::Rules& rules);

std::vector<ExampleFailure> RunExample(const rules::Rules& rules, const Evaluator& evaluator,
                                       const Questions& questions, const rules::Example& example,
                                       uint64_t largest_perft = ~uint64_t{0});

// The position an example starts from (its first `setup` or `position`); none if it has neither.
std::optional<Snapshot> ExamplePosition(const rules::Rules& rules, const Evaluator& evaluator,
                                        const rules::Example& example);

// "White wins", "a draw", "3 points to White, 0 to Black", "no result".
std::string OutcomeText(const rules::Rules& rules, const Outcome& outcome);

}  // namespace arbiter::validate
