// The two evaluators of one game against each other: every ruleset found, options drawn at random, both layouts of
// tables by turns, random games and random positions. Move lists, written texts, resulting positions, results, status,
// keys, undo.
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
#include "support/comparison.h"
#include "support/rule_files.h"
#include "support/table_index.h"

namespace arbiter {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultSeconds = 25;  // for all rulesets together

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Every rule file but those that are parts of others or meant to fail.
std::vector<std::string> RuleFiles() {
  std::vector<std::string> files = testing_support::RuleFiles();
  std::erase_if(files, [](const std::string& file) {
    return fs::path(file).filename().string().starts_with("fail_") ||
           file.find(Environment("ARBITER_RULESET")) == std::string::npos;
  });
  return files;
}

// One game under one choice of options, held by both evaluators.
struct Game {
  std::string name;  // file, options, layout of the tables
  std::unique_ptr<rules::Rules> rules;
  std::shared_ptr<const program::Program> program;
};

using Options = std::vector<std::pair<std::string, std::string>>;

Game LoadGame(const std::string& path, const Options& options, program::TableIndex index) {
  Game game;
  game.name = fs::path(path).filename().string();
  for (const auto& [name, value] : options) game.name += " --option " + name + "=" + value;
  if (index == program::TableIndex::kMagic) game.name += " (tables by multiplication)";
  source::FileLoader loader;
  source::SourceMap sources;
  diagnostics::Sink sink;
  game.rules = check::Check({path, options, false}, loader, sources, sink);
  for (const auto& d : sink.all()) {
    if (d.severity == diagnostics::Severity::kError) ADD_FAILURE() << game.name << ": " << d.message;
  }
  if (game.rules) game.program = compile::Compile(*game.rules, index);
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

class Agreement : public ::testing::TestWithParam<std::string> {};

TEST_P(Agreement, oracle_and_engine) {
  using Clock = std::chrono::steady_clock;
  const std::string wanted = Environment("ARBITER_AGREEMENT"), first_seed = Environment("ARBITER_SEED");
  const int64_t count = wanted.empty() ? 4000 : std::atoll(wanted.c_str());
  const double seconds = wanted.empty() ? kDefaultSeconds / static_cast<double>(RuleFiles().size()) : 1e9;
  uint64_t seed = first_seed.empty() ? 1 : std::strtoull(first_seed.c_str(), nullptr, 10);
  const auto start = Clock::now();
  int64_t positions = 0, moves = 0, counted = 0;
  bool flat = false;
  Game game = LoadGame(GetParam(), {}, testing_support::AnyTableIndex(seed / 4));
  ASSERT_TRUE(game.rules);
  ASSERT_GT(game.rules->setups.size(), 0U) << "a game that cannot be played is not a ruleset";
  uint64_t block = 0;  // of four seeds: to compile a game under new options takes longer than to play it
  for (uint64_t round = 0; positions < count; ++round, ++seed) {
    if (round > 2 && std::chrono::duration<double>(Clock::now() - start).count() > seconds) break;
    if (seed / 4 != block) {
      block = seed / 4;
      std::mt19937_64 random(block);
      game = LoadGame(GetParam(), DrawOptions(*game.rules, random), testing_support::AnyTableIndex(block));
      ASSERT_TRUE(game.rules);
    }
    Comparison comparison(*game.rules, game.program, game.name, seed);
    const bool same = comparison.Play(seed % 2 == 0 ? comparison.Start() : comparison.Random());
    positions += comparison.positions;
    moves += comparison.moves;
    counted += comparison.flat_counts;
    flat = flat || game.program->flat.usable;
    ASSERT_TRUE(same) << comparison.difference() << "\nARBITER_SEED=" << seed << " begins with this game";
  }
  std::printf("  %s: %lld positions, %lld offered moves, seeds to %llu\n", fs::path(GetParam()).stem().c_str(),
              static_cast<long long>(positions), static_cast<long long>(moves), static_cast<unsigned long long>(seed));
  EXPECT_GT(moves, 0) << "nothing was compared";
  EXPECT_EQ(counted > 0, flat) << "a game with a flat form is counted by it, two turns deep";
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
