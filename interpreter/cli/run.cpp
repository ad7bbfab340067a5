// The whole program: reads the command line and runs the command.
#include <csignal>

#include "cli/commands.h"

namespace arbiter::cli {

namespace {

struct Command {
  const char* name;
  int (*run)(const Arguments&, Output&);
};

constexpr Command kCommands[] = {
    {"check", RunCheck},     {"fmt", RunFmt},         {"test", RunTest},   {"text", RunText}, {"moves", RunMoves},
    {"perft", RunPerft},     {"show", RunShow},       {"graph", RunGraph}, {"play", RunPlay}, {"rules", RunRules},
    {"program", RunProgram}, {"library", RunLibrary}, {"bench", RunBench},
};

}  // namespace

int Main(int argc, const char* const* argv) {
  // A reader that goes away is seen as a failed write (output.h), not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes: the same
  Parsed parsed = ParseArguments(argc, argv);
  Output out(parsed.arguments && parsed.arguments->no_colour);
  out.SetJson(parsed.arguments && parsed.arguments->json);
  if (!parsed.arguments) {
    parsed.exit_code == kExitOk ? out.Print(parsed.message) : out.Error(parsed.message);
    return out.Finish(parsed.exit_code);
  }
  for (const Command& command : kCommands) {
    if (parsed.arguments->command == command.name) return out.Finish(command.run(*parsed.arguments, out));
  }
  return kExitUsage;
}

}  // namespace arbiter::cli
