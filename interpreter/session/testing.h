// Testing a rule file: its examples, its recorded games, random games, its rule text.
//
// Everything comes back as values with places in the source; nothing here prints or reads a folder.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "arbiter/arbiter.h"
#include "validate/coverage.h"
#include "validate/exercise.h"
#include "validate/soak.h"

namespace arbiter::session {

struct TestFailure {
  std::string path;
  int line = 0, column = 0;  // 0: of the whole
  std::string message;
  std::vector<std::string> notes;
};

struct TestCase {
  enum class Kind : uint8_t { kExample, kGame };
  Kind kind = Kind::kExample;
  std::string title;
  std::string path;  // where it stands
  int line = 0;
  std::vector<std::string> clauses;
  Options options;  // those it asks for
  std::vector<TestFailure> failures;
  std::string skipped;  // why it was not run; empty: it was
  [[nodiscard]] bool passed() const { return failures.empty(); }
};

struct RecordedGame {
  std::string path;
  std::string text;
};

struct TestRequest {
  Evaluator evaluator = Evaluator::kEngine;
  std::string only;  // cases whose title contains this; empty: all
  std::vector<RecordedGame> games;
  uint64_t largest_perft = ~uint64_t{0};  // greater claims are left out: the oracle is slow
};

// Runs the examples in file order, then the games. Examples that ask for other options are run under rules checked
// anew.
std::vector<TestCase> RunTests(const Game& game, const TestRequest& request);

// The recorded games built into the program beside a built-in ruleset.
std::vector<RecordedGame> BuiltInGames(const Source& source);

validate::SoakReport RunSoak(const Game& game, Evaluator evaluator, const validate::SoakRequest& request);
// "go Knight", "kick", "any_move: castle King", "done".
std::string PlayedText(const Game& game, const validate::Played& played);
// The line of the rule file that an end of SoakReport::end_counts stands for.
std::string EndText(const Game& game, int end);

// The rule text beside the rule file, clause by clause.
struct TextCoverage {
  std::string path;
  validate::Coverage coverage;
};
Result<TextCoverage> CoverText(const Game& game);
// The same, with the clauses that random games exercised. Plays on the oracle.
struct TextExercise {
  std::string path;
  validate::Exercise exercise;
};
Result<TextExercise> ExerciseText(const Game& game, const validate::SoakRequest& request);
// Where a citation stands: path and line.
std::pair<std::string, int> PlaceOf(const Game& game, const source::Span& span);

}  // namespace arbiter::session
