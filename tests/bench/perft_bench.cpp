// Perft on the built-in rule files, with and without bulk counting, random games, and compiling, one by one: to be
// filtered and repeated with the options of Google Benchmark. All times are processor times. speed.cpp compares with
// other programs.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "check/check.h"
#include "compile/compile.h"
#include "engine/position.h"
#include "peers.h"
#include "rules/fen.h"

namespace {

using namespace arbiter;  // NOLINT

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kKiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

struct Loaded {
  std::unique_ptr<rules::Rules> rules;
  std::shared_ptr<const program::Program> program;
};

std::unique_ptr<rules::Rules> Checked(const std::string& file) {
  source::FileLoader loader;
  source::SourceMap sources;
  diagnostics::Sink sink;
  check::Request request;
  request.path = std::string(ARBITER_SOURCE_DIR) + "/rulesets/" + file;
  request.lint = false;
  return check::Check(request, loader, sources, sink);
}

const Loaded& Game(const std::string& file) {
  static std::vector<std::pair<std::string, Loaded>> games;
  for (const auto& [name, game] : games) {
    if (name == file) return game;
  }
  Loaded game;
  game.rules = Checked(file);
  if (game.rules) game.program = compile::Compile(*game.rules);
  games.emplace_back(file, std::move(game));
  return games.back().second;
}

void Perft(benchmark::State& state, const std::string& file, const std::string& position, int depth, bool bulk) {
  const Loaded& game = Game(file);
  if (!game.program) {
    state.SkipWithError("the rule file has errors");
    return;
  }
  double nodes = 0, seconds = 0;
  for (auto _ : state) {
    const double start = bench::ProcessorSeconds();
    engine::Position at(game.program);
    if (!position.empty()) at.Load(*rules::ParsePosition(*game.rules, position).snapshot);
    nodes += static_cast<double>(at.Perft(depth, bulk));
    seconds += bench::ProcessorSeconds() - start;
  }
  state.counters["Mnps"] = nodes / seconds / 1e6;
}

void RandomGames(benchmark::State& state, const std::string& file) {
  const Loaded& game = Game(file);
  if (!game.program) {
    state.SkipWithError("the rule file has errors");
    return;
  }
  uint64_t random = 1;
  double turns = 0, seconds = 0;
  for (auto _ : state) {
    engine::Position at(game.program);
    const double start = bench::ProcessorSeconds();
    turns += at.PlayRandomly(&random, 2000).turns;
    seconds += bench::ProcessorSeconds() - start;
  }
  state.counters["turns/s"] = turns / seconds;
}

void Compiling(benchmark::State& state, const std::string& file, program::TableIndex index) {
  const auto rules = Checked(file);
  if (!rules) {
    state.SkipWithError("the rule file has errors");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(compile::Compile(*rules, index));
}

}  // namespace

int main(int argc, char** argv) {
  using benchmark::kMillisecond;
  for (const bool bulk : {true, false}) {
    const std::string mode = bulk ? "bulk" : "every_leaf";
    const int less = bulk ? 0 : 1;
    benchmark::RegisterBenchmark(("chess/start/" + mode).c_str(), Perft, "chess/chess.rules", kStart, 5 - less, bulk)
        ->Unit(kMillisecond);
    benchmark::RegisterBenchmark(("chess/kiwipete/" + mode).c_str(), Perft, "chess/chess.rules", kKiwipete, 4 - less,
                                 bulk)
        ->Unit(kMillisecond);
    benchmark::RegisterBenchmark(("rollerball/start/" + mode).c_str(), Perft, "rollerball/rollerball.rules", "",
                                 7 - less, bulk)
        ->Unit(kMillisecond);
  }
  for (const std::string game :
       {"chess/chess", "rollerball/rollerball", "shakhbol/shakhbol", "football/football", "gravitatur/gravitatur"}) {
    benchmark::RegisterBenchmark(("random/" + game).c_str(), RandomGames, game + ".rules")->Unit(kMillisecond);
  }
  for (const std::string game :
       {"chess/chess", "rollerball/rollerball", "shakhbol/shakhbol", "football/football", "gravitatur/gravitatur",
        "volleyball/volleyball8", "volleyball/volleyball10", "../tests/rulesets/wide_chess"}) {
    const std::string name = "compile/" + game.substr(game.rfind('/') + 1);
    benchmark::RegisterBenchmark((name + "/extraction").c_str(), Compiling, game + ".rules",
                                 program::TableIndex::kExtract)
        ->Unit(kMillisecond);
    benchmark::RegisterBenchmark((name + "/multiplication").c_str(), Compiling, game + ".rules",
                                 program::TableIndex::kMagic)
        ->Unit(kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
