// arbiter perft: how many sequences of N turns there are.
//
// Counts go to standard output, one line a depth as soon as it is known; times go to standard error.
#include <fmt/format.h>

#include <chrono>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"

namespace arbiter::cli {

namespace {

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The count behind every first move; empty at depth 0.
Result<std::vector<std::pair<std::string, uint64_t>>> Divide(const Position& at, int depth, PerftOptions options) {
  std::vector<std::pair<std::string, uint64_t>> counts;
  if (depth == 0) return {std::move(counts), {}};
  for (const Move& move : at.Moves()) {
    Result<Step> step = at.Apply(move);
    if (!step) return {std::nullopt, step.error};
    // A turn of several actions is not over yet: what follows completes it.
    int left = options.by_actions || step->turn_complete ? depth - 1 : depth;
    uint64_t count = 0;
    if (step->outcome.ended()) {
      count = left == 0 ? 1 : 0;
    } else {
      Result<uint64_t> behind = step->next.Perft(left, options);
      if (!behind) return {std::nullopt, behind.error};
      count = *behind;
    }
    counts.emplace_back(move.text(), count);
  }
  return {std::move(counts), {}};
}

}  // namespace

int RunPerft(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  std::optional<Position> at = LoadPosition(*game, arguments, out, &exit_code);
  if (!at) return exit_code;
  static_cast<void>(at->Key());  // the tables are made now, not while the clock runs
  PerftOptions options{arguments.actions, !arguments.no_bulk, arguments.threads};

  std::vector<PerftLine> lines;
  for (int depth = arguments.depth == 0 ? 0 : 1; depth <= arguments.depth && !out.gone(); ++depth) {
    if (arguments.divide && depth < arguments.depth) continue;
    auto begin = std::chrono::steady_clock::now();
    Result<uint64_t> count = at->Perft(depth, options);
    double seconds = SecondsSince(begin);
    if (!count) return ProblemError(out, count.error);
    lines.push_back({depth, *count, seconds});
    if (arguments.json || arguments.divide) continue;
    out.Print(fmt::format("{} {}\n", depth, *count));
    out.Flush();
    double speed = seconds > 0 ? static_cast<double>(*count) / seconds : 0;
    out.Error(fmt::format("depth {}: {:.3f} s, {:.0f} nodes/s\n", depth, seconds, speed));
  }
  std::vector<std::pair<std::string, uint64_t>> divide;
  if (arguments.divide) {
    auto counts = Divide(*at, arguments.depth, options);
    if (!counts) return ProblemError(out, counts.error);
    divide = *counts;
  }
  if (arguments.json) {
    out.Print(PerftJson(*at, lines, divide));
  } else if (arguments.divide) {
    for (const auto& [text, count] : divide) out.Print(fmt::format("{} {}\n", text, count));
    out.Print(fmt::format("\n{} {}\n", arguments.depth, lines.back().count));
    out.Error(fmt::format("depth {}: {:.3f} s\n", arguments.depth, lines.back().seconds));
  }
  return kExitOk;
}

}  // namespace arbiter::cli
