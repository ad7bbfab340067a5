// arbiter graph: the board, a walk or the turns, for Graphviz.
#include "cli/commands.h"
#include "cli/load.h"
#include "render/graphs.h"
#include "session/explain.h"

namespace arbiter::cli {

int RunGraph(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  render::ExprText words = [&](auto id) { return session::Words(*game, id); };
  if (arguments.graph == "board") {
    out.Print(session::BoardGraph(*game));
  } else if (arguments.graph == "turn") {
    out.Print(render::TurnGraph(game->rules(), words));
  } else {
    auto walks = session::WalksNamed(*game, arguments.graph_name);
    if (!walks) return UsageError(out, walks.error);
    for (auto walk : *walks) out.Print(render::WalkGraph(game->rules(), walk, words));
  }
  return kExitOk;
}

}  // namespace arbiter::cli
