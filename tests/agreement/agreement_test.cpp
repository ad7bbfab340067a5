// The two evaluators of one game against each other: every ruleset found, options drawn at random, random games and
// random positions. Move lists, written texts, resulting positions, results, status, keys, undo.
//
// The default takes well under a minute. ARBITER_AGREEMENT=10000 compares so many positions of every ruleset,
// however long it takes; ARBITER_SEED=… starts elsewhere; ARBITER_RULESET=… keeps the files with that in the path.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "check/check.h"
#include "compile/compile.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/notation.h"
#include "support/random_position.h"

namespace arbiter {
namespace {

namespace fs = std::filesystem;
using rules::Move;
using rules::Outcome;
using rules::Snapshot;

constexpr double kDefaultSeconds = 40;  // for all rulesets together
constexpr std::size_t kPlies = 30;      // of one random game

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Every rule file but those that are parts of others or meant to fail.
std::vector<std::string> RuleFiles() {
  std::vector<std::string> files;
  for (const char* folder : {"/rulesets", "/tests/rulesets"}) {
    const fs::path root = std::string(ARBITER_SOURCE_DIR) + folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".rules" || name.starts_with("fail_")) continue;
      if (entry.path().string().find(Environment("ARBITER_RULESET")) == std::string::npos) continue;
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string OutcomeText(const Outcome& o) {
  std::string text = std::to_string(static_cast<int>(o.kind)) + " winner " + std::to_string(o.winner) + " end " +
                     std::to_string(o.end);
  for (int p : o.points) text += " " + std::to_string(p);
  return text;
}

// One game under one choice of options, held by both evaluators.
struct Game {
  std::string name;  // file and options
  std::unique_ptr<rules::Rules> rules;
  std::shared_ptr<const program::Program> program;
};

using Options = std::vector<std::pair<std::string, std::string>>;

Game LoadGame(const std::string& path, const Options& options) {
  Game game;
  game.name = fs::path(path).filename().string();
  for (const auto& [name, value] : options) game.name += " --option " + name + "=" + value;
  source::FileLoader loader;
  source::SourceMap sources;
  diagnostics::Sink sink;
  game.rules = check::Check({path, options, false}, loader, sources, sink);
  for (const auto& d : sink.all()) {
    if (d.severity == diagnostics::Severity::kError) ADD_FAILURE() << game.name << ": " << d.message;
  }
  if (game.rules) game.program = compile::Compile(*game.rules);
  return game;
}

Options DrawOptions(const rules::Rules& rules, std::mt19937_64& random) {
  Options drawn;
  for (const rules::OptionValue& option : rules.options) {
    if (option.values.size() < 2 || random() % 2 == 0) continue;
    drawn.emplace_back(option.name, option.values[random() % option.values.size()]);
  }
  return drawn;
}

class Comparison {
 public:
  Comparison(const Game& game, uint64_t seed)
      : rules_(*game.rules), oracle_(rules_), engine_(game.program), name_(game.name), seed_(seed), random_(seed) {}

  int64_t positions = 0;
  int64_t moves = 0;

  // Plays a random game from here, comparing at every step; then takes everything back. False: they differ.
  bool Play(Snapshot at) {
    engine_.Load(at);
    std::vector<Snapshot> history;
    for (std::size_t ply = 0; ply < kPlies; ++ply) {
      ++positions;
      std::vector<Move> list;
      if (!SamePosition(at) || !SameMoves(at, &list) || !SameStatus(at)) return false;
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

  bool SameMoves(const Snapshot& at, std::vector<Move>* list) {
    *list = oracle_.Moves(at);
    const std::vector<Move> mine = engine_.Moves();
    const std::vector<std::string> expected = rules::MoveTexts(rules_, *list), found = rules::MoveTexts(rules_, mine);
    bool same = mine.size() == list->size() && found == expected;
    for (std::size_t i = 0; same && i < mine.size(); ++i) {
      same = mine[i] == (*list)[i] && mine[i].written == (*list)[i].written;
    }
    moves += static_cast<int64_t>(list->size());
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

class Agreement : public ::testing::TestWithParam<std::string> {};

TEST_P(Agreement, oracle_and_engine) {
  using Clock = std::chrono::steady_clock;
  const std::string wanted = Environment("ARBITER_AGREEMENT"), first_seed = Environment("ARBITER_SEED");
  const int64_t count = wanted.empty() ? 4000 : std::atoll(wanted.c_str());
  const double seconds = wanted.empty() ? kDefaultSeconds / static_cast<double>(RuleFiles().size()) : 1e9;
  uint64_t seed = first_seed.empty() ? 1 : std::strtoull(first_seed.c_str(), nullptr, 10);
  const auto start = Clock::now();
  int64_t positions = 0, moves = 0;
  Game game = LoadGame(GetParam(), {});
  ASSERT_TRUE(game.rules);
  ASSERT_GT(game.rules->setups.size(), 0U) << "a game that cannot be played is not a ruleset";
  uint64_t block = 0;  // of four seeds: to compile a game under new options takes longer than to play it
  for (uint64_t round = 0; positions < count; ++round, ++seed) {
    if (round > 2 && std::chrono::duration<double>(Clock::now() - start).count() > seconds) break;
    if (seed / 4 != block) {
      block = seed / 4;
      std::mt19937_64 random(block);
      game = LoadGame(GetParam(), DrawOptions(*game.rules, random));
      ASSERT_TRUE(game.rules);
    }
    Comparison comparison(game, seed);
    const bool same = comparison.Play(seed % 2 == 0 ? comparison.Start() : comparison.Random());
    positions += comparison.positions;
    moves += comparison.moves;
    ASSERT_TRUE(same) << "ARBITER_SEED=" << seed << " begins with this game";
  }
  std::printf("  %s: %lld positions, %lld offered moves, seeds to %llu\n", fs::path(GetParam()).stem().c_str(),
              static_cast<long long>(positions), static_cast<long long>(moves), static_cast<unsigned long long>(seed));
  EXPECT_GT(moves, 0) << "nothing was compared";
}

INSTANTIATE_TEST_SUITE_P(Rulesets, Agreement, ::testing::ValuesIn(RuleFiles()), [](const auto& info) {
  std::string name = fs::path(info.param).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "_" + std::to_string(info.index);
});

}  // namespace
}  // namespace arbiter
