// arbiter fmt: rule files in the usual layout, written back whole or not at all.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "source/loader.h"

namespace arbiter::cli {

namespace {

std::string ReadStandardInput() {
  std::string text;
  char buffer[65536];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, stdin)) > 0) {
    text.append(buffer, count);
    if (text.size() > source::kMaxTextBytes) break;  // refused below; the rest need not be read
  }
  return text;
}

}  // namespace

int RunFmt(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::vector<std::pair<std::string, bool>> files;
  for (const std::string& name : arguments.files) {
    bool standard_input = name == "-";
    Source source = Find(name);
    if (source.built_in && !arguments.to_stdout && !arguments.check) {
      return UsageError(out, fmt::format("`{}` is built in: print it with --stdout", name));
    }
    Formatted made = standard_input ? FormatText("<standard input>", ReadStandardInput()) : Format(source);
    if (!made.text) {
      out.Error(made.report.Text(out.colour_error()));
      exit_code = kExitProblem;
      continue;
    }
    files.emplace_back(name, made.changed);
    if (arguments.check) {
      if (made.changed) exit_code = kExitProblem;
      if (made.changed && !arguments.json) out.Print(name + "\n");
    } else if (arguments.to_stdout || standard_input) {
      out.Print(*made.text);
    } else if (made.changed) {
      if (std::string error = WriteFileAtomically(source.path, *made.text); !error.empty()) {
        exit_code = ProblemError(out, error);
      }
    }
  }
  if (arguments.json && !arguments.to_stdout) out.Print(FormatJson(files));
  return exit_code;
}

}  // namespace arbiter::cli
