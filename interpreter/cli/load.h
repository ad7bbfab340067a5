// What most commands begin with: a game from a name, a position from the command line.
#pragma once

#include <optional>
#include <string>

#include "arbiter/arbiter.h"
#include "cli/arguments.h"
#include "cli/output.h"

namespace arbiter::cli {

// Finds the rule file; says so if there is none by that name. `exit_code` is set if nothing is given.
std::optional<Source> FindSource(const std::string& name, Output& out, int* exit_code);

// Checks the rule file; problems go to standard error (JSON: to standard output). Warnings stay silent:
// they are what `check` is for.
std::optional<Game> LoadGame(const std::string& name, const Arguments& arguments, Output& out, int* exit_code);

// kExitOk, kExitProblem, or kExitUsage if nothing is wrong but an --option of the command line.
int ExitCodeOf(const Report& report, const Source& source, const Arguments& arguments);

// The position that --position, --setup or --example name, else the start, and on by the moves of --after.
std::optional<Position> LoadPosition(const Game& game, const Arguments& arguments, Output& out, int* exit_code);

// "arbiter: " and the sentence, on standard error; gives kExitUsage.
int UsageError(Output& out, const std::string& sentence);
int ProblemError(Output& out, const std::string& sentence);

// "2 errors, 1 warning"
std::string CountText(const Report& report);
std::string Plural(int64_t count, const std::string& noun);  // "1 move", "2 moves"

}  // namespace arbiter::cli
