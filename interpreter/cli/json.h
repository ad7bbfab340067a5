// What programs may read: every result as JSON, in one place, so that the library is compiled once.
//
// Each function gives a whole document that ends with a line break. Fields are only ever added.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arbiter/arbiter.h"
#include "session/match.h"
#include "session/record.h"
#include "session/tables.h"
#include "session/testing.h"

namespace arbiter::cli {

std::string ErrorJson(const std::string& sentence);  // {"ok": false, "error": …}
std::string ProgramJson(const Game& game);
std::string CheckJson(const std::vector<std::pair<std::string, Report>>& files);
std::string FormatJson(const std::vector<std::pair<std::string, bool>>& changed);  // path, would change

struct TestedRuleset {
  std::string name;
  std::vector<session::TestCase> cases;
};
std::string TestJson(const std::vector<TestedRuleset>& rulesets);

struct SoakedRuleset {
  std::string name;
  Game game;
  validate::SoakReport report;
  session::ShownTable shown;
  double seconds = 0;  // of processor time
};
std::string SoakJson(const std::vector<SoakedRuleset>& rulesets);

std::string TextJson(const Game& game, const session::TextCoverage& text);
std::string ExerciseJson(const Game& game, const session::TextExercise& text);
std::string MovesJson(const Position& at, const std::vector<Move>& moves, const Outcome& outcome);

struct PerftLine {
  int depth = 0;
  uint64_t count = 0;
  double seconds = 0;
};
std::string PerftJson(const Position& at, const std::vector<PerftLine>& lines,
                      const std::vector<std::pair<std::string, uint64_t>>& divide);

// What `bench` measured. Seconds are of processor time, of all threads together, but for `wall_seconds`.
struct BenchPerft {
  int depth = 0;
  uint64_t count = 0;
  double seconds = 0, wall_seconds = 0;
};
struct BenchGames {
  RandomGames games;
  double seconds = 0;
};
struct BenchLoad {  // from the text to what the engine runs
  double check = 0, compile = 0;
  [[nodiscard]] double both() const { return check + compile; }
};
struct Bench {
  int threads = 1;
  BenchPerft bulk, leaves, actions;  // the last turn counted; made; sequences of actions, all made
  BenchGames random;
  Sizes sizes;
  std::vector<BenchLoad> loads;  // the quickest first
  [[nodiscard]] const BenchLoad& median_load() const { return loads[loads.size() / 2]; }
};
std::string BenchJson(const Position& at, const Bench& bench);

std::string ShowJson(const Position& at, const Outcome& outcome);
std::string RulesJson(const std::vector<std::pair<std::string, Game>>& rulesets);
std::string PlayJson(const session::Record& record, const std::string& why_stopped);

}  // namespace arbiter::cli
