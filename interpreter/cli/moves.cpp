// arbiter moves: the legal moves of a position.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "session/record.h"

namespace arbiter::cli {

int RunMoves(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  std::optional<Position> at = LoadPosition(*game, arguments, out, &exit_code);
  if (!at) return exit_code;
  std::vector<Move> all = at->Moves();
  if (std::string fault = at->Fault(); !fault.empty()) return ProblemError(out, fault);
  Result<Outcome> outcome = at->between_turns() ? at->Status() : Result<Outcome>{Outcome{}, {}};
  if (!outcome) return ProblemError(out, outcome.error);

  std::vector<Move> shown = all;
  if (!arguments.of.empty()) {
    int cell = game->CellNamed(arguments.of);
    if (cell < 0) return UsageError(out, fmt::format("the board has no cell `{}`", arguments.of));
    std::erase_if(shown, [&](const Move& move) {
      std::vector<int> cells = move.Cells();
      return cells.empty() || cells.front() != cell;
    });
  }
  if (arguments.json) {
    out.Print(MovesJson(*at, shown, *outcome));
    return kExitOk;
  }
  if (arguments.uci) {
    std::vector<std::string> texts;
    for (const Move& move : shown) texts.push_back(move.uci());
    std::sort(texts.begin(), texts.end());
    for (const std::string& text : texts) out.Print(text + "\n");
    return kExitOk;
  }
  out.Print(fmt::format("position  {}\n", at->Text()));
  if (outcome->ended()) {
    out.Print(
        fmt::format("{}{}\n", session::OutcomeText(*game, *outcome), outcome->why.empty() ? "" : ": " + outcome->why));
    return kExitOk;
  }
  out.Print(fmt::format("{} to move: {}{}\n", game->players()[static_cast<std::size_t>(at->player())],
                        Plural(static_cast<int64_t>(all.size()), "move"),
                        arguments.of.empty() ? "" : fmt::format(", {} of {}", shown.size(), arguments.of)));
  for (const Move& move : shown) out.Print(fmt::format("{:>4}  {}\n", move.index() + 1, move.text()));
  return kExitOk;
}

}  // namespace arbiter::cli
