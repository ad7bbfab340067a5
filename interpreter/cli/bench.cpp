// arbiter bench: how fast a game runs, and what it takes.
//
// Speeds are by processor time, so that other work on the machine shows less. Every measurement begins with a game
// checked and compiled for it: what the engine has found out about turns in one would make the next look faster.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"

namespace arbiter::cli {

namespace {

constexpr int kMaxDepth = 100;
constexpr std::size_t kLoads = 9;
constexpr uint64_t kSeed = 1;

class Clock {
 public:
  [[nodiscard]] double seconds() const { return static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC; }
  [[nodiscard]] double wall_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
  }

 private:
  std::clock_t cpu_ = std::clock();
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
};

double Rate(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

// Deepens while the next depth looks as if it took no more than about `seconds`.
Result<BenchPerft> MeasurePerft(const Position& at, const PerftOptions& options, double seconds) {
  BenchPerft deepest;
  double last = 1, used = 0;
  for (int depth = 1; depth <= kMaxDepth; ++depth) {
    Clock clock;
    Result<uint64_t> count = at.Perft(depth, options);
    double cpu = clock.seconds(), wall = clock.wall_seconds();
    if (!count) return {std::nullopt, count.error};
    if (*count == 0 && depth > 1) break;  // every game has ended
    deepest = {depth, *count, cpu, wall};
    used += wall;
    double growth = static_cast<double>(*count) / last;
    if (*count == 0 || used >= seconds || wall * growth > 2 * seconds) break;
    last = static_cast<double>(*count);
  }
  return {deepest, {}};
}

// Doubles the number of games while they take less than `seconds`.
Result<BenchGames> MeasureGames(const Position& at, double seconds) {
  BenchGames sum;
  Clock clock;
  for (int games = 1; clock.seconds() < seconds && games < (1 << 24); games *= 2) {
    Result<RandomGames> played = at.PlayRandomly(kSeed + static_cast<uint64_t>(games), games);
    if (!played) return {std::nullopt, played.error};
    sum.games.games += played->games;
    sum.games.ended += played->ended;
    sum.games.turns += played->turns;
    sum.games.actions += played->actions;
    if (clock.seconds() * 1.5 > seconds) break;  // the next would take as long as all so far
  }
  sum.seconds = clock.seconds();
  return {sum, {}};
}

std::vector<BenchLoad> MeasureLoads(const Source& source, const Options& options, double seconds) {
  std::vector<BenchLoad> loads;
  Clock all;
  while (loads.size() < kLoads && (loads.size() < 3 || all.wall_seconds() < seconds)) {
    Clock clock;
    Checked checked = Check(source, options);
    double check = clock.seconds();
    if (!checked.game) return {};                    // the file is another one now
    static_cast<void>(checked.game->Start().Key());  // makes the tables
    loads.push_back({check, clock.seconds() - check});
  }
  std::sort(loads.begin(), loads.end(), [](const BenchLoad& a, const BenchLoad& b) { return a.both() < b.both(); });
  return loads;
}

std::string PerftText(const char* what, const BenchPerft& perft, int threads) {
  std::string text = fmt::format("{:<24}  depth {}: {} in {:.3f} s, {:.0f} nodes/s", what, perft.depth, perft.count,
                                 perft.seconds, Rate(static_cast<double>(perft.count), perft.seconds));
  if (threads > 1) text += fmt::format(" ({:.0f} by the clock)", Rate(double(perft.count), perft.wall_seconds));
  return text + "\n";
}

std::string LoadText(const BenchLoad& load) {
  return fmt::format("{:.1f} ms (check {:.1f}, compile {:.1f})", load.both() * 1e3, load.check * 1e3,
                     load.compile * 1e3);
}

std::string Kilobytes(std::size_t bytes) { return fmt::format("{} KiB", (bytes + 1023) / 1024); }

void PrintBench(const Position& at, const Bench& bench, Output& out) {
  out.Print(fmt::format("{:<24}  {}\n", "position", at.Text()));
  out.Print(fmt::format("{:<24}  {}\n", "threads", bench.threads));
  out.Print(PerftText("perft", bench.bulk, bench.threads));
  out.Print(PerftText("perft, every leaf made", bench.leaves, bench.threads));
  out.Print(PerftText("perft of actions, made", bench.actions, bench.threads));
  const RandomGames& games = bench.random.games;
  auto rate = [&](auto count) { return Rate(static_cast<double>(count), bench.random.seconds); };
  out.Print(fmt::format("{:<24}  {} ({} ended) in {:.3f} s: {:.0f} games/s, {:.0f} turns/s, {:.0f} actions/s\n",
                        "random games", games.games, games.ended, bench.random.seconds, rate(games.games),
                        rate(games.turns), rate(games.actions)));
  const Sizes& sizes = bench.sizes;
  out.Print(fmt::format("{:<24}  {} bytes\n", "one position", sizes.position));
  out.Print(fmt::format("{:<24}  tables {}, paths {}, sets {}, code {}\n", "program", Kilobytes(sizes.tables),
                        Kilobytes(sizes.paths), Kilobytes(sizes.sets), Kilobytes(sizes.code)));
  out.Print(fmt::format("{:<24}  best {}, median {}, of {} runs\n", "text to program", LoadText(bench.loads.front()),
                        LoadText(bench.median_load()), bench.loads.size()));
}

}  // namespace

int RunBench(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  // A position of a game of its own; nothing if there is none, which has been told then.
  auto fresh = [&]() -> std::optional<Position> {
    std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
    if (!game) return std::nullopt;
    std::optional<Position> at = LoadPosition(*game, arguments, out, &exit_code);
    if (at) static_cast<void>(at->Key());  // the tables are made now, not while the clock runs
    return at;
  };
  Bench bench;
  bench.threads = arguments.threads;
  struct Kind {
    BenchPerft* result;
    PerftOptions options;
  };
  const Kind kinds[] = {{&bench.bulk, {false, true, arguments.threads}},
                        {&bench.leaves, {false, false, arguments.threads}},
                        {&bench.actions, {true, false, arguments.threads}}};
  for (const Kind& kind : kinds) {
    std::optional<Position> at = fresh();
    if (!at) return exit_code;
    Result<BenchPerft> measured = MeasurePerft(*at, kind.options, arguments.seconds);
    if (!measured) return ProblemError(out, measured.error);
    *kind.result = *measured;
  }
  std::optional<Position> at = fresh();
  if (!at) return exit_code;
  Result<BenchGames> games = MeasureGames(*at, arguments.seconds);
  if (!games) return ProblemError(out, games.error);
  bench.random = *games;
  Game game = at->game();
  bench.sizes = game.sizes();
  bench.loads = MeasureLoads(game.source(), game.options(), arguments.seconds);
  if (bench.loads.empty()) return ProblemError(out, fmt::format("`{}` has changed", game.source().path));
  if (arguments.json) {
    out.Print(BenchJson(*at, bench));
  } else {
    PrintBench(*at, bench, out);
  }
  return kExitOk;
}

}  // namespace arbiter::cli
