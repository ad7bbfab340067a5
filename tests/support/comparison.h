// One game played by both evaluators at once, everything they say compared at every step.
//
// The first difference ends it and is kept as a text; nothing here knows of a test framework.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/position.h"
#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/notation.h"
#include "support/random_position.h"

namespace arbiter {

using rules::Move;
using rules::Outcome;
using rules::Snapshot;

inline constexpr std::size_t kComparedPlies = 30;  // of one random game
inline constexpr uint64_t kListedTurns = 2000;     // no more are listed one by one to compare a count

inline std::string OutcomeText(const Outcome& o) {
  std::string text = std::to_string(static_cast<int>(o.kind)) + " winner " + std::to_string(o.winner) + " end " +
                     std::to_string(o.end);
  for (int p : o.points) text += " " + std::to_string(p);
  return text;
}

class Comparison {
 public:
  Comparison(const rules::Rules& rules, std::shared_ptr<const program::Program> program, std::string name,
             uint64_t seed)
      : rules_(rules),
        oracle_(rules_),
        engine_(std::move(program)),
        name_(std::move(name)),
        seed_(seed),
        random_(seed) {}

  int64_t positions = 0;
  int64_t moves = 0;
  int64_t counts = 0;            // positions whose perft was compared
  int64_t flat_counts = 0;       // positions that were counted by the flat form at the beginning of a game
  int64_t faults = 0;            // games given up because the rules contradict themselves
  bool compares_counts = false;  // perft too, now and then
  std::function<bool()> stops;   // asked before every ply; empty: never

  // What the evaluators disagree about; empty: nothing so far. And the position in which they do.
  [[nodiscard]] const std::string& difference() const { return difference_; }
  [[nodiscard]] const std::string& position() const { return position_; }

  // Plays a random game from here, comparing at every step; then takes everything back. False: they differ.
  bool Play(Snapshot at) {
    engine_.Load(at);
    std::vector<Snapshot> history;
    for (std::size_t ply = 0; ply < kComparedPlies && !(stops && stops()); ++ply) {
      ++positions;
      std::vector<Move> list;
      if (!SamePosition(at)) return false;
      // A rule file that contradicts itself: which of the contradicting results counts is nobody's promise.
      std::optional<rules::Fault> fault;
      list = oracle_.Moves(at, &fault);
      if (fault && fault->code != "rule-out-of-range") {
        ++faults;
        break;
      }
      engine_.ClearFault();
      (void)engine_.Moves();
      if (engine_.fault() && engine_.fault()->code == "turn-lookahead") {  // the budgets are counted each in its way
        ++faults;
        break;
      }
      if (!SameMoves(at, list) || !SameStatus(at)) return false;
      if (ply == 0 && !fault && !SameFlatCount(at)) return false;
      if (compares_counts && !fault && !SameCounts(at, list.size())) return false;
      if (list.empty()) break;
      for (std::size_t i : Sample(list.size())) {
        if (!SameStep(at, list[i], nullptr)) return false;
        engine_.Undo();
        if (!SamePosition(at)) return false;
      }
      history.push_back(at);
      bool over = false;
      if (!SameStep(history.back(), list[random_() % list.size()], &at, &over)) return false;
      if (over) break;
    }
    while (!history.empty()) {
      engine_.Undo();
      if (!SamePosition(history.back())) return false;
      history.pop_back();
    }
    return true;
  }

  // A random walk of the engine alone: its counts of several turns, and turns drawn, against the moves it lists. Far
  // faster than Play, so that rare positions turn up. False: they differ.
  bool PlayCounts(const Snapshot& from) {
    engine_.Load(from);
    std::vector<engine::Handle> list;
    for (int ply = 0; ply < 12 && engine_.between_turns() && !(stops && stops()); ++ply) {
      const Snapshot at = engine_.Save();
      if (!SameAsLists(at) || !SameDraw(at)) return false;
      engine_.List(&list);
      if (list.empty() || engine_.Play(list[random_() % list.size()]).outcome.kind != Outcome::Kind::kNone) break;
    }
    return true;
  }

  Snapshot Start() {
    const auto id = rules::SetupId(static_cast<int32_t>(random_() % rules_.setups.size()));
    Snapshot initial = oracle_.Initial(id);
    engine_.Load(id);
    const Snapshot saved = engine_.Save();
    if (saved != initial) Differ(initial, "the set-up differs: " + rules::FormatPosition(rules_, saved));
    return initial;
  }
  Snapshot Random() { return testing_support::RandomPosition(rules_, random_); }

 private:
  const rules::Rules& rules_;
  oracle::Oracle oracle_;
  engine::Position engine_;
  std::string name_;
  uint64_t seed_;
  std::mt19937_64 random_;

  std::string difference_, position_;

  // Only the first is kept: what follows from it would hide it.
  bool Differ(const Snapshot& at, const std::string& what) {
    if (!difference_.empty()) return false;
    position_ = rules::FormatPosition(rules_, at);
    difference_ = name_ + " seed " + std::to_string(seed_) + "\n  position " + position_ + "\n  " + what;
    return false;
  }

  // All moves of short lists, some of long ones.
  std::vector<std::size_t> Sample(std::size_t size) {
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 6); ++i) picked.push_back(size <= 6 ? i : random_() % size);
    return picked;
  }

  bool SamePosition(const Snapshot& at) {
    const Snapshot saved = engine_.Save();
    if (saved != at) return Differ(at, "the engine stands at " + rules::FormatPosition(rules_, saved));
    const uint64_t key = oracle_.Key(at);
    if (engine_.key() != key) return Differ(at, "the incremental key is another one");
    if (engine_.key_from_scratch() != key) return Differ(at, "the key from scratch is another one");
    return difference_.empty();
  }

  bool SameMoves(const Snapshot& at, const std::vector<Move>& list) {
    const std::vector<Move> mine = engine_.Moves();
    const std::vector<std::string> expected = rules::MoveTexts(rules_, list), found = rules::MoveTexts(rules_, mine);
    bool same = mine.size() == list.size() && found == expected;
    for (std::size_t i = 0; same && i < mine.size(); ++i) {
      same = mine[i] == list[i] && mine[i].written == list[i].written;
    }
    moves += static_cast<int64_t>(list.size());
    return same || Differ(at, ListDifference(expected, found));
  }

  static std::string ListDifference(const std::vector<std::string>& oracle, const std::vector<std::string>& engine) {
    std::string text =
        std::to_string(oracle.size()) + " and " + std::to_string(engine.size()) + " moves; only the oracle offers:";
    for (const auto& t : oracle) text += std::count(engine.begin(), engine.end(), t) == 0 ? " " + t : "";
    text += "; only the engine:";
    for (const auto& t : engine) text += std::count(oracle.begin(), oracle.end(), t) == 0 ? " " + t : "";
    return text;
  }

  bool BetweenTurns(const Snapshot& at) const {
    return at.place == rules_.phases[static_cast<std::size_t>(at.phase)].turn;
  }

  bool SameStatus(const Snapshot& at) {
    if (!BetweenTurns(at)) return true;
    for (const auto& [occurrences, turns] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{3, 1000}}) {
      const Outcome expected = oracle_.Status(at, occurrences, turns), found = engine_.Status(occurrences, turns);
      if (expected != found) {
        return Differ(at, "status for " + std::to_string(occurrences) + ", " + std::to_string(turns) + ": oracle " +
                              OutcomeText(expected) + ", engine " + OutcomeText(found));
      }
    }
    return true;
  }

  // Counts in bulk, leaf by leaf and by the oracle, as deep as they stay small.
  bool SameCounts(const Snapshot& at, std::size_t offered) {
    if (!BetweenTurns(at)) return true;
    const bool one_action = engine_.program().plan(at.place.value).direct;
    for (const bool bulk : {true, false}) {
      const uint64_t actions = engine_.Perft(1, bulk, true);
      if (actions != offered)
        return Differ(at, CountText(1, bulk, actions) + "actions, but lists " + std::to_string(offered));
    }
    ++counts;
    const int depth = one_action     ? (offered <= 24 && (engine_.program().flat.usable || random_() % 2 == 0) ? 2 : 1)
                      : offered <= 8 ? 1
                                     : 0;
    if (depth == 0) return true;
    std::optional<rules::Fault> fault;
    const uint64_t expected = oracle_.Perft(at, depth, false, &fault);
    for (const bool bulk : {true, false}) {
      engine_.ClearFault();
      const uint64_t found = engine_.Perft(depth, bulk);
      if (!fault && !engine_.fault() && found != expected) {
        return Differ(at, CountText(depth, bulk, found) + "turns, the oracle " + std::to_string(expected));
      }
    }
    // Another phase may have turns of several actions.
    const bool always = std::all_of(rules_.phases.begin(), rules_.phases.end(), [&](const rules::Phase& phase) {
      return engine_.program().plan(phase.turn.value).direct;
    });
    if (!always) return true;
    if (!SameAsLists(at)) return false;
    if (expected > 40 || random_() % 4 != 0) return true;
    engine_.ClearFault();
    const uint64_t deeper = oracle_.Perft(at, 3, false, &fault), found = engine_.Perft(3, true);
    if (fault || engine_.fault() || deeper == found) return true;
    return Differ(at, CountText(3, true, found) + "turns, the oracle " + std::to_string(deeper));
  }

  // Two turns, which a game with a flat form counts by it.
  bool SameFlatCount(const Snapshot& at) {
    if (!engine_.program().flat.usable) return true;
    std::optional<rules::Fault> fault;
    const uint64_t expected = oracle_.Perft(at, 2, false, &fault);
    if (fault) return true;
    ++flat_counts;
    for (const bool bulk : {true, false}) {
      const uint64_t found = engine_.Perft(2, bulk);
      if (found != expected)
        return Differ(at, CountText(2, bulk, found) + "turns, the oracle " + std::to_string(expected));
    }
    return true;
  }

  // Perft, in bulk and not, against a count that lists and plays every move; where every turn is one action.
  bool SameAsLists(const Snapshot& at) {
    engine_.ClearFault();
    ++counts;
    uint64_t expected = CountByLists(1);
    for (int depth = 2; depth <= 4 && expected > 0; ++depth) {
      const uint64_t before = expected;
      expected = CountByLists(depth);
      for (const bool bulk : {true, false}) {
        const uint64_t found = engine_.Perft(depth, bulk);
        if (engine_.fault()) return true;  // rules that contradict themselves: no count means anything
        if (found != expected) {
          return Differ(at, CountText(depth, bulk, found) + "turns, but " + std::to_string(expected) + " by its lists");
        }
      }
      if (expected * (expected / before + 1) > kListedTurns) break;
    }
    return true;
  }
  // A turn drawn at random is one of those that are listed; where a turn is one action.
  bool SameDraw(const Snapshot& at) {
    std::vector<engine::Handle> list;
    engine_.List(&list);
    engine::Position drawn(engine_);
    drawn.ClearFault();
    uint64_t source = random_();
    const engine::RandomGame game = drawn.PlayRandomly(&source, 1);
    if (drawn.fault()) return true;
    if (game.actions == 0 && game.outcome.kind != Outcome::Kind::kNone) return true;  // over by a clock
    if ((game.actions == 0) != list.empty()) {
      return Differ(at, "a turn is drawn where none is listed, or none where one is");
    }
    if (list.empty()) return true;
    const Snapshot reached = drawn.Save();
    if (drawn.key() != drawn.key_from_scratch()) return Differ(at, "the key after a drawn turn is another one");
    for (const engine::Handle& handle : list) {
      engine_.Play(handle);
      const bool found = engine_.Save() == reached;
      engine_.Undo();
      if (found) return true;
    }
    return Differ(at, "a turn is drawn that is not listed: it leads to " + rules::FormatPosition(rules_, reached));
  }
  uint64_t CountByLists(int depth) {
    std::vector<engine::Handle> list;
    engine_.List(&list);
    if (depth == 1) return list.size();
    uint64_t total = 0;
    for (const engine::Handle& handle : list) {
      if (engine_.Play(handle).outcome.kind == Outcome::Kind::kNone) total += CountByLists(depth - 1);
      engine_.Undo();
    }
    return total;
  }
  static std::string CountText(int depth, bool bulk, uint64_t count) {
    return "perft " + std::to_string(depth) + (bulk ? " in bulk" : " without bulk") + ": the engine counts " +
           std::to_string(count) + " ";
  }

  // Applies the move in both; the engine stays there.
  bool SameStep(const Snapshot& at, const Move& move, Snapshot* next, bool* over = nullptr) {
    const auto expected = oracle_.Apply(at, move);
    const auto found = engine_.Apply(move);
    const std::string name = "move " + rules::MoveText(rules_, move) + ": ";
    if (!expected || !found) {
      return Differ(at, name + "refused by " + (expected ? "the engine" : found ? "the oracle" : "both"));
    }
    const Snapshot saved = engine_.Save();
    if (saved != expected->next) {
      return Differ(at, name + "oracle " + rules::FormatPosition(rules_, expected->next) + "\n  engine " +
                            rules::FormatPosition(rules_, saved));
    }
    if (found->outcome != expected->outcome) {
      return Differ(at, name + "oracle " + OutcomeText(expected->outcome) + ", engine " + OutcomeText(found->outcome));
    }
    if (found->turn_complete != expected->turn_complete) {
      return Differ(at,
                    name + "the turn is over for " + (found->turn_complete ? "the engine" : "the oracle") + " only");
    }
    if (engine_.key() != oracle_.Key(expected->next)) return Differ(at, name + "the incremental key is another one");
    if (next != nullptr) *next = expected->next;
    if (over != nullptr) *over = expected->outcome.kind != Outcome::Kind::kNone;
    return true;
  }
};

}  // namespace arbiter
