// Random games: what static checks cannot see.
//
// Plays games of random moves and reports how they end: lengths, results, phases never reached, games and phases that
// go on and on, faults of the rules met on the way, positions where nothing is possible and nobody has won. Every game
// has its own seed, so that one that went wrong can be played again alone.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "rules/rules.h"
#include "validate/evaluator.h"

namespace arbiter::validate {

struct SoakRequest {
  int games = 100;
  uint64_t seed = 1;
  int max_turns = 2000;                         // a game that is longer does not end, as far as we can see
  int max_actions_a_turn = 500;                 // the same for a turn
  std::function<bool()> stop;                   // asked after every game; empty: never
  std::function<void()> on_game;                // told after every game, ended or not; may be empty
  std::function<void(const Snapshot&)> on_end;  // told the last position of every game that ended; may be empty
};

// What was played: the names of an action and of those it performs, and the kind of what stood on the first cell that
// it names: the piece that acts, if it has one. No names: a turn was ended that could have gone on.
struct Played {
  std::vector<int> names;  // Rules::action_names
  int kind = -1;           // none: it names no cell first, or an empty one
  auto operator<=>(const Played&) const = default;
};
struct PlayedCount {
  int64_t times = 0;
  int games = 0;  // in which it was played
  bool operator==(const PlayedCount&) const = default;
};

struct SoakTrouble {
  enum class Kind : uint8_t { kFault, kEndlessGame, kEndlessTurn, kDeadEnd };
  Kind kind = Kind::kFault;
  uint64_t seed = 0;  // of the game: `--seed N --soak 1` plays it again
  int turn = 0;
  std::string message;
  std::vector<std::string> phases;  // kEndlessGame: those its second half went through
  std::optional<Fault> fault;
};

struct SoakReport {
  int games = 0;
  std::vector<int> lengths;             // turns of the games that ended, sorted
  std::map<std::string, int> results;   // "White wins": how often
  std::map<int, int> end_counts;        // by Outcome::end
  std::vector<int64_t> turns_in_phase;  // by phase
  int64_t turns = 0, actions = 0;
  std::map<Played, PlayedCount> played;
  std::size_t most_moves = 0;         // offered at once
  std::vector<SoakTrouble> troubles;  // at most kMaxTroubles of each kind
  std::map<SoakTrouble::Kind, int> trouble_counts;
};
inline constexpr int kMaxTroubles = 5;

SoakReport Soak(const rules::Rules& rules, const Evaluator& evaluator, const SoakRequest& request);

}  // namespace arbiter::validate
