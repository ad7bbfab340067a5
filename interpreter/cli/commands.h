// One function per command; each lives in a file of its own name. They give the exit code.
#pragma once

#include "cli/arguments.h"
#include "cli/output.h"

namespace arbiter::cli {

int RunCheck(const Arguments& arguments, Output& out);
int RunFmt(const Arguments& arguments, Output& out);
int RunTest(const Arguments& arguments, Output& out);
int RunText(const Arguments& arguments, Output& out);
int RunMoves(const Arguments& arguments, Output& out);
int RunPerft(const Arguments& arguments, Output& out);
int RunBench(const Arguments& arguments, Output& out);
int RunShow(const Arguments& arguments, Output& out);
int RunGraph(const Arguments& arguments, Output& out);
int RunProgram(const Arguments& arguments, Output& out);
int RunPlay(const Arguments& arguments, Output& out);
int RunLibrary(const Arguments& arguments, Output& out);
int RunRules(const Arguments& arguments, Output& out);

// The whole program: reads the command line and runs the command.
int Main(int argc, const char* const* argv);

}  // namespace arbiter::cli
