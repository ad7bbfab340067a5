// One game played by both evaluators at once, everything they say compared at every step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
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
  int64_t faults = 0;  // games given up because the rules contradict themselves

  // Plays a random game from here, comparing at every step; then takes everything back. False: they differ.
  bool Play(Snapshot at) {
    engine_.Load(at);
    std::vector<Snapshot> history;
    for (std::size_t ply = 0; ply < kComparedPlies; ++ply) {
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

  Snapshot Start() {
    const auto id = rules::SetupId(static_cast<int32_t>(random_() % rules_.setups.size()));
    const Snapshot initial = oracle_.Initial(id);
    engine_.Load(id);
    EXPECT_TRUE(engine_.Save() == initial)
        << Where(initial) << "the set-up differs: " << rules::FormatPosition(rules_, engine_.Save());
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

  [[nodiscard]] std::string Where(const Snapshot& at) const {
    return name_ + " seed " + std::to_string(seed_) + "\n  position " + rules::FormatPosition(rules_, at) + "\n  ";
  }

  // All moves of short lists, some of long ones.
  std::vector<std::size_t> Sample(std::size_t size) {
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < std::min<std::size_t>(size, 6); ++i) picked.push_back(size <= 6 ? i : random_() % size);
    return picked;
  }

  bool SamePosition(const Snapshot& at) {
    const Snapshot saved = engine_.Save();
    EXPECT_TRUE(saved == at) << Where(at) << "the engine stands at " << rules::FormatPosition(rules_, saved);
    const uint64_t key = oracle_.Key(at);
    EXPECT_EQ(engine_.key(), key) << Where(at) << "incremental key";
    EXPECT_EQ(engine_.key_from_scratch(), key) << Where(at) << "key from scratch";
    return saved == at && engine_.key() == key && engine_.key_from_scratch() == key;
  }

  bool SameMoves(const Snapshot& at, const std::vector<Move>& list) {
    const std::vector<Move> mine = engine_.Moves();
    const std::vector<std::string> expected = rules::MoveTexts(rules_, list), found = rules::MoveTexts(rules_, mine);
    bool same = mine.size() == list.size() && found == expected;
    for (std::size_t i = 0; same && i < mine.size(); ++i) {
      same = mine[i] == list[i] && mine[i].written == list[i].written;
    }
    moves += static_cast<int64_t>(list.size());
    EXPECT_TRUE(same) << Where(at) << Difference(expected, found);
    return same;
  }

  static std::string Difference(const std::vector<std::string>& oracle, const std::vector<std::string>& engine) {
    std::string text =
        std::to_string(oracle.size()) + " and " + std::to_string(engine.size()) + " moves; only the oracle offers:";
    for (const auto& t : oracle) text += std::count(engine.begin(), engine.end(), t) == 0 ? " " + t : "";
    text += "; only the engine:";
    for (const auto& t : engine) text += std::count(oracle.begin(), oracle.end(), t) == 0 ? " " + t : "";
    return text;
  }

  bool SameStatus(const Snapshot& at) {
    if (at.place != rules_.phases[static_cast<std::size_t>(at.phase)].turn) return true;
    for (const auto& [occurrences, turns] : {std::pair{0, 0}, std::pair{1, 1}, std::pair{3, 1000}}) {
      const Outcome expected = oracle_.Status(at, occurrences, turns), found = engine_.Status(occurrences, turns);
      EXPECT_TRUE(expected == found) << Where(at) << "status for " << occurrences << ", " << turns << ": oracle "
                                     << OutcomeText(expected) << ", engine " << OutcomeText(found);
      if (expected != found) return false;
    }
    return true;
  }

  // Applies the move in both; the engine stays there.
  bool SameStep(const Snapshot& at, const Move& move, Snapshot* next, bool* over = nullptr) {
    const auto expected = oracle_.Apply(at, move);
    const auto found = engine_.Apply(move);
    const std::string where = Where(at) + "move " + rules::MoveText(rules_, move) + ": ";
    EXPECT_TRUE(expected && found) << where << "refused by " << (expected ? "the engine" : "the oracle");
    if (!expected || !found) return false;
    const Snapshot saved = engine_.Save();
    EXPECT_TRUE(saved == expected->next) << where << "oracle " << rules::FormatPosition(rules_, expected->next)
                                         << "\n  engine " << rules::FormatPosition(rules_, saved);
    EXPECT_TRUE(found->outcome == expected->outcome)
        << where << "oracle " << OutcomeText(expected->outcome) << ", engine " << OutcomeText(found->outcome);
    EXPECT_EQ(found->turn_complete, expected->turn_complete) << where;
    const uint64_t key = oracle_.Key(expected->next);
    EXPECT_EQ(engine_.key(), key) << where << "incremental key after it";
    if (next != nullptr) *next = expected->next;
    if (over != nullptr) *over = expected->outcome.kind != Outcome::Kind::kNone;
    return saved == expected->next && found->outcome == expected->outcome &&
           found->turn_complete == expected->turn_complete && engine_.key() == key;
  }
};

}  // namespace arbiter
