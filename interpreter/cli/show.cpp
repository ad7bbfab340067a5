// arbiter show: the board as text or as a picture.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "render/svg.h"
#include "render/text.h"
#include "session/record.h"

namespace arbiter::cli {

int RunShow(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  std::optional<Position> at = LoadPosition(*game, arguments, out, &exit_code);
  if (!at) return exit_code;
  if (!arguments.svg.empty()) {
    std::string picture = render::BoardSvg(*at);
    if (arguments.svg == "-") {
      out.Print(picture);
      return kExitOk;
    }
    std::string error = WriteFileAtomically(arguments.svg, picture);
    return error.empty() ? kExitOk : ProblemError(out, error);
  }
  Result<Outcome> outcome = at->between_turns() ? at->Status() : Result<Outcome>{Outcome{}, {}};
  if (!outcome) return ProblemError(out, outcome.error);
  if (arguments.json) {
    out.Print(ShowJson(*at, *outcome));
    return kExitOk;
  }
  out.Print(render::BoardText(*at));
  out.Print(fmt::format("\nposition  {}\n", at->Text()));
  if (outcome->ended()) out.Print(fmt::format("result    {}\n", session::OutcomeText(*game, *outcome)));
  return kExitOk;
}

}  // namespace arbiter::cli
