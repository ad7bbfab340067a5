// One evaluator behind one interface: the engine or the oracle.
//
// Both read and give Snapshots, so whatever walks through a game (a session, the runner of examples,
// random games) is written once and can be held against either. Nothing here is fast; perft runs
// inside the evaluator and is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::program {
struct Program;
}

namespace arbiter::oracle {
struct Trace;
}

namespace arbiter::validate {

using rules::Fault;
using rules::Move;
using rules::Outcome;
using rules::Snapshot;

struct PerftMode {
  bool by_actions = false;  // sequences of actions, not of turns
  bool bulk = true;         // the last level is counted, not made, where that is exact
  int threads = 1;          // of the engine; the oracle counts on one
};

// Games of random actions, taken together.
struct RandomGames {
  int games = 0, ended = 0;  // the others were stopped: too many turns, a turn without an end, a dead end
  int64_t turns = 0, actions = 0;
};

class Evaluator {
 public:
  struct Applied {
    Snapshot next;
    Outcome outcome;  // by an effect or an `at once` end; ends between turns: Status
    bool turn_complete = false;
  };

  virtual ~Evaluator() = default;
  [[nodiscard]] virtual Snapshot Initial(rules::SetupId setup) const = 0;
  // Everywhere: the first fault met is stored in `fault`, which may be null.
  virtual std::vector<Move> Moves(const Snapshot& at, std::optional<Fault>* fault) const = 0;
  virtual std::optional<Applied> Apply(const Snapshot& at, const Move& move, std::optional<Fault>* fault) const = 0;
  virtual Outcome Status(const Snapshot& at, int occurrences, int turns, std::optional<Fault>* fault) const = 0;
  [[nodiscard]] virtual uint64_t Key(const Snapshot& at) const = 0;
  virtual uint64_t Perft(const Snapshot& at, int depth, PerftMode mode, std::optional<Fault>* fault) const = 0;
  // Plays `games` games from `at`, each to its end, to `max_turns` turns or to the first fault; turns and repetitions
  // count from `at`. The same seed plays the same games, but every evaluator draws its own.
  virtual RandomGames PlayRandomly(const Snapshot& at, uint64_t seed, int games, int max_turns,
                                   std::optional<Fault>* fault) const;
};

// The rules must outlive the evaluator. It may be used by several threads at once.
std::unique_ptr<Evaluator> MakeOracle(const rules::Rules& rules);
// It tells the trace what it carries out; the trace must outlive it. For one thread only.
std::unique_ptr<Evaluator> MakeTracedOracle(const rules::Rules& rules, oracle::Trace& trace);

std::unique_ptr<Evaluator> MakeEngine(std::shared_ptr<const program::Program> program);

}  // namespace arbiter::validate
