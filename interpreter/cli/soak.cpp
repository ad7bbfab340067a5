// Counts go to standard output, the same for the same seed; the time they took goes to standard error.
#include "cli/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <set>

#include "cli/json.h"
#include "cli/load.h"
#include "diagnostics/render.h"
#include "session/tables.h"
#include "session/testing.h"

namespace arbiter::cli {

namespace {

constexpr std::size_t kTextsListed = 12;  // of one line; the others are counted together
constexpr std::size_t kTextColumns = 80;

// ---- how the games went -------------------------------------------------------------------------

void PrintReport(const SoakedRuleset& soaked, Output& out) {
  static constexpr const char* kTroubles[] = {"faults", "games without an end", "turns without an end", "dead ends"};
  const Game& game = soaked.game;
  const validate::SoakReport& report = soaked.report;
  std::string lengths;
  if (!report.lengths.empty()) {
    const auto& all = report.lengths;
    int64_t sum = 0;
    for (int n : all) sum += n;
    lengths = fmt::format("{} to {} turns, median {}, mean {:.1f}", all.front(), all.back(), all[all.size() / 2],
                          static_cast<double>(sum) / static_cast<double>(all.size()));
  }
  out.Print(fmt::format("{}: {}, {} ended{}\n", soaked.name, Plural(report.games, "random game"), report.lengths.size(),
                        lengths.empty() ? "" : " (" + lengths + ")"));
  for (const auto& [result, count] : report.results) out.Print(fmt::format("  {:>6}  {}\n", count, result));
  for (auto [end, count] : report.end_counts) {
    out.Print(fmt::format("  {:>6}  by `{}`\n", count, session::EndText(game, end)));
  }
  std::vector<std::string> phases = game.phases();
  for (std::size_t i = 0; phases.size() > 1 && i < phases.size(); ++i) {
    int64_t turns = report.turns_in_phase[i];
    out.Print(fmt::format("  {:>6}  turns in phase {}{}\n", turns, phases[i], turns == 0 ? ": never reached" : ""));
  }
  out.Print(fmt::format("  at most {} at once; {} actions in {} turns\n",
                        Plural(static_cast<int64_t>(report.most_moves), "move"), report.actions, report.turns));
  for (auto [kind, count] : report.trouble_counts) {
    out.Print(fmt::format("  {:>6}  {}\n", count, kTroubles[static_cast<std::size_t>(kind)]));
  }
  for (const validate::SoakTrouble& trouble : report.troubles) {
    std::string where;
    for (const std::string& phase : trouble.phases) where += (where.empty() ? " in phase " : ", ") + phase;
    out.Print(fmt::format("    seed {}, turn {}: {}{}\n", trouble.seed, trouble.turn, trouble.message,
                          phases.size() > 1 ? where : ""));
  }
}

// ---- what was played, what was shown -------------------------------------------------------------

std::string Cut(std::string_view text) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && ++points > kTextColumns) return std::string(text.substr(0, i)) + "…";
  }
  return std::string(text);
}

// Filled up with blanks: names may hold any letters.
std::string Padded(std::string text, std::size_t columns) {
  std::size_t width = static_cast<std::size_t>(diagnostics::DisplayWidth(text));
  return text + std::string(columns > width ? columns - width : 0, ' ');
}

template <class Rows, class Label>
std::size_t Widest(const Rows& rows, Label label) {
  int widest = 0;
  for (const auto& row : rows) widest = std::max(widest, diagnostics::DisplayWidth(label(row)));
  return static_cast<std::size_t>(widest);
}

void PrintPlayed(const SoakedRuleset& soaked, Output& out) {
  const rules::Rules& rules = soaked.game.rules();
  auto label = [&](const auto& row) { return session::PlayedText(soaked.game, row.first); };
  std::size_t widest = std::max(Widest(soaked.report.played, label), Widest(rules.action_names, std::identity{}));
  out.Print(fmt::format("  {}     times     games\n", Padded("played", widest)));
  std::set<int> seen;
  for (const auto& row : soaked.report.played) {
    seen.insert(row.first.names.begin(), row.first.names.end());
    out.Print(fmt::format("  {}  {:>8}  {:>8}\n", Padded(label(row), widest), row.second.times, row.second.games));
  }
  for (std::size_t i = 0; i < rules.action_names.size(); ++i) {
    if (seen.contains(static_cast<int>(i))) continue;
    out.Print(fmt::format("  {}  {:>8}  {:>8}\n", Padded(rules.action_names[i], widest), 0, 0));
  }
}

void PrintShown(const session::ShownTable& table, Output& out) {
  if (!table.numbers.empty()) {
    auto label = [](const session::NumberRow& row) { return Cut(row.label); };
    std::string head = "shown at the end";
    std::size_t widest = std::max(Widest(table.numbers, label), head.size());
    out.Print(fmt::format("  {}  {:>6}  {:>6}  {:>6}  {:>8}  {:>6}  {:>8}  {:>7}\n", Padded(head, widest), "games",
                          "least", "median", "mean", "most", "sum", "changed"));
    for (const session::NumberRow& row : table.numbers) {
      std::string begin = fmt::format("  {}  {:>6}", Padded(label(row), widest), row.games);
      if (row.games == 0) {
        out.Print(begin + "\n");
        continue;
      }
      out.Print(fmt::format("{}  {:>6}  {:>6}  {:>8.2f}  {:>6}  {:>8}  {:>7}\n", begin, row.least, row.median,
                            row.mean(), row.most, row.sum, row.changed));
    }
  }
  for (const session::TextRow& row : table.texts) {
    out.Print(fmt::format("  {} at the end\n", Cut(row.label)));
    if (row.left_out > 0) out.Print(fmt::format("  {:>8}  (not shown)\n", row.left_out));
    std::size_t listed = row.counts.size() > kTextsListed ? kTextsListed - 1 : row.counts.size();
    for (std::size_t i = 0; i < listed; ++i) {
      out.Print(fmt::format("  {:>8}  {}\n", row.counts[i].second, Cut(row.counts[i].first)));
    }
    int others = 0;
    for (std::size_t i = listed; i < row.counts.size(); ++i) others += row.counts[i].second;
    if (others > 0) out.Print(fmt::format("  {:>8}  {} others\n", others, row.counts.size() - listed));
  }
}

void PrintTime(const SoakedRuleset& soaked, Output& out) {
  auto speed = [&](int64_t count) { return soaked.seconds > 0 ? static_cast<double>(count) / soaked.seconds : 0; };
  out.Error(fmt::format("{}: {:.3f} s of one processor: {:.1f} games/s, {:.0f} turns/s, {:.0f} actions/s\n",
                        soaked.name, soaked.seconds, speed(soaked.report.games), speed(soaked.report.turns),
                        speed(soaked.report.actions)));
}

SoakedRuleset Play(const std::string& name, const Game& game, const Arguments& arguments, const Output& out) {
  session::ShownCounter counter(game);
  validate::SoakRequest request;
  request.games = arguments.soak;
  request.seed = arguments.seed;
  if (arguments.max_turns > 0) request.max_turns = arguments.max_turns;
  request.stop = [&out] { return out.gone(); };
  request.on_end = [&counter](const rules::Snapshot& last) { counter.Add(last); };
  static_cast<void>(game.Start(arguments.evaluator).Key());  // the tables are made now, not while the clock runs
  std::clock_t begin = std::clock();
  validate::SoakReport report = session::RunSoak(game, arguments.evaluator, request);
  double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return {name, game, std::move(report), counter.Table(), seconds};
}

}  // namespace

int RunSoak(const std::vector<std::string>& names, const Arguments& arguments, Output& out) {
  std::vector<SoakedRuleset> all;
  int exit_code = kExitOk;
  for (const std::string& name : names) {
    std::optional<Game> game = LoadGame(name, arguments, out, &exit_code);
    if (!game) return exit_code;
    all.push_back(Play(name, *game, arguments, out));
    const SoakedRuleset& soaked = all.back();
    if (!soaked.report.troubles.empty()) exit_code = kExitProblem;
    if (!arguments.json) {
      PrintReport(soaked, out);
      if (arguments.table) {
        PrintPlayed(soaked, out);
        PrintShown(soaked.shown, out);
      }
      out.Flush();
      PrintTime(soaked, out);
    }
  }
  if (arguments.json) out.Print(SoakJson(all));
  return exit_code;
}

}  // namespace arbiter::cli
