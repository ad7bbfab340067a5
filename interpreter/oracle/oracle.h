// The reference evaluator: the game evaluated directly from the checked rules, slow and obvious.
//
// It shares nothing with program/, compile/ and engine/ but the Rules and the plain values of
// rules/snapshot.h. Every function is pure: it takes a Snapshot and gives new values.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::oracle {

struct SpanOrder {
  bool operator()(const rules::Span& a, const rules::Span& b) const {
    return std::tuple(a.file.value, a.begin, a.end) < std::tuple(b.file.value, b.begin, b.end);
  }
};

// Where the rules stand that had an effect, gathered over all questions put to an Oracle; of traced rules (see
// rules.h) it tells nearly everything.
struct Trace {
  // On the way to what was applied, in the end that Status found, and in the set-ups: steps and effects that were
  // carried out, handlers that ran, parts of turns, phases, kinds of pieces that moved or were taken.
  std::set<rules::Span, SpanOrder> done;
  // While anything was asked: laws that took something away, definitions that gave something (a condition that held,
  // a value, a set that was not empty), statements by which something was attacked.
  std::set<rules::Span, SpanOrder> asked, attacks;
};

class Oracle {
 public:
  // With a trace it is no longer pure, and for one thread only.
  explicit Oracle(const rules::Rules& rules, Trace* trace = nullptr) : rules_(rules), trace_(trace) {}

  [[nodiscard]] rules::Snapshot Initial(rules::SetupId setup) const;

  // The legal actions that can be completed to a turn, sorted; empty when the game has ended by
  // `Status` or no turn exists. A fault of the rule file is stored in `fault` (the first one).
  std::vector<rules::Move> Moves(const rules::Snapshot& at, std::optional<rules::Fault>* fault = nullptr) const;

  struct Applied {
    rules::Snapshot next;
    rules::Outcome outcome;  // by an effect or an `at once` end; ends between turns: ask Status
    bool turn_complete = false;
  };
  // `move` must be one of Moves(at).
  std::optional<Applied> Apply(const rules::Snapshot& at, const rules::Move& move,
                               std::optional<rules::Fault>* fault = nullptr) const;

  // The result of a position between turns, in file order of the ends. `occurrences` counts how often
  // this key has stood (this time included), `turns` the turns played; 0 leaves repetition, limits
  // and ends that read clock variables out (as perft does).
  rules::Outcome Status(const rules::Snapshot& at, int occurrences, int turns,
                        std::optional<rules::Fault>* fault = nullptr) const;

  [[nodiscard]] uint64_t Key(const rules::Snapshot& at) const;

  // Sequences of n complete turns (or of n actions).
  uint64_t Perft(const rules::Snapshot& at, int depth, bool by_actions = false,
                 std::optional<rules::Fault>* fault = nullptr) const;

  // Does a condition hold for the player on turn, with these values in the first slots of its frame?
  bool Holds(const rules::Snapshot& at, rules::ExprId condition, const std::vector<rules::Value>& frame,
             std::optional<rules::Fault>* fault = nullptr) const;

  // The value of an expression for the player on turn: the elements of a set in its order, else one value, which may
  // be none. A piece is given by its place in `at.pieces`. `read`: the elements of the state that were looked at are
  // set in it, and behind them those of the pieces' state, piece by piece.
  std::vector<rules::Value> Values(const rules::Snapshot& at, rules::ExprId expr, std::vector<bool>* read,
                                   std::optional<rules::Fault>* fault = nullptr) const;

  // Where the walk can end from a cell, for what stands there; ascending.
  [[nodiscard]] std::vector<int> WalkEnds(const rules::Snapshot& at, rules::WalkId walk, int from) const;

 private:
  const rules::Rules& rules_;
  Trace* trace_ = nullptr;
};

}  // namespace arbiter::oracle
