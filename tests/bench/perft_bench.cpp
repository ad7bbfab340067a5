// Nodes a second of perft on the built-in rule files, with and without bulk counting, and what Debian's
// fairy-stockfish does in the same run on the same machine.
//
// All times are CPU times: other work on the machine shows less. The other program runs as a child; its
// start (measured by a search of depth 1) is taken off.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "check/check.h"
#include "compile/compile.h"
#include "engine/position.h"
#include "rules/fen.h"

namespace {

using namespace arbiter;  // NOLINT

constexpr const char* kOther = "/usr/games/fairy-stockfish";
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

double CpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Nodes a CPU second of one search.
double Speed(const std::string& file, const std::string& position_text, int depth, bool bulk) {
  const Loaded& game = Game(file);
  if (!game.program) return 0;
  engine::Position position(game.program);
  if (!position_text.empty()) {
    const auto read = rules::ParsePosition(*game.rules, position_text);
    if (!read.snapshot) return 0;
    position.Load(*read.snapshot);
  }
  const double start = CpuSeconds();
  const uint64_t nodes = position.Perft(depth, bulk);
  return static_cast<double>(nodes) / (CpuSeconds() - start);
}

void Perft(benchmark::State& state, const std::string& file, const std::string& position, int depth, bool bulk) {
  const Loaded& game = Game(file);
  if (!game.program) {
    state.SkipWithError("the rule file has errors");
    return;
  }
  double nodes = 0, seconds = 0;
  for (auto _ : state) {
    const double start = CpuSeconds();
    engine::Position at(game.program);
    if (!position.empty()) at.Load(*rules::ParsePosition(*game.rules, position).snapshot);
    nodes += static_cast<double>(at.Perft(depth, bulk));
    seconds += CpuSeconds() - start;
  }
  state.counters["Mnps"] = nodes / seconds / 1e6;
}

void Compiling(benchmark::State& state, const std::string& file) {
  const auto rules = Checked(file);
  if (!rules) {
    state.SkipWithError("the rule file has errors");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(compile::Compile(*rules));
}

struct Run {
  double nodes = 0, seconds = 0;
};

Run RunOther(const std::string& position, int depth) {
  Run run;
  rusage before{}, after{};
  getrusage(RUSAGE_CHILDREN, &before);
  const std::string command =
      fmt::format("printf 'position fen {}\\ngo perft {}\\nquit\\n' | {} 2>/dev/null", position, depth, kOther);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 256> line{};
  while (fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    double nodes = 0;
    if (std::sscanf(line.data(), "Nodes searched: %lf", &nodes) == 1) run.nodes = nodes;
  }
  pclose(pipe);
  getrusage(RUSAGE_CHILDREN, &after);
  const auto seconds = [](const rusage& u) {
    return static_cast<double>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           static_cast<double>(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
  };
  run.seconds = seconds(after) - seconds(before);
  return run;
}

void Compare(const char* name, const std::string& position, int depth) {
  const double ours = Speed("chess/chess.rules", position, depth, true);
  const Run start = RunOther(position, 1), whole = RunOther(position, depth);
  const double theirs = whole.nodes / (whole.seconds - start.seconds);
  fmt::print("{} perft {}: arbiter {:.2f} Mnps, fairy-stockfish {:.2f} Mnps, ratio {:.2f}\n", name, depth, ours / 1e6,
             theirs / 1e6, ours / theirs);
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
  benchmark::RegisterBenchmark("compile/chess", Compiling, "chess/chess.rules")->Unit(kMillisecond);
  benchmark::RegisterBenchmark("compile/rollerball", Compiling, "rollerball/rollerball.rules")->Unit(kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  if (access(kOther, X_OK) != 0) {
    fmt::print("{} is not installed: nothing to compare with\n", kOther);
    return 0;
  }
  Compare("chess start", kStart, 5);
  Compare("chess kiwipete", kKiwipete, 4);
  return 0;
}
