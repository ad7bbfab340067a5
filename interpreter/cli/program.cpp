// arbiter program: what each walk and law was compiled to, and why.
#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "session/explain.h"

namespace arbiter::cli {

int RunProgram(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  out.Print(arguments.json ? ProgramJson(*game) : session::ProgramListing(*game));
  return kExitOk;
}

}  // namespace arbiter::cli
