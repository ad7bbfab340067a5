// arbiter check: every mistake in rule files.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"

namespace arbiter::cli {

int RunCheck(const Arguments& arguments, Output& out) {
  std::vector<std::pair<std::string, Report>> reports;
  int exit_code = kExitOk;
  for (const std::string& name : arguments.files) {
    std::optional<Source> source = FindSource(name, out, &exit_code);
    if (!source) return exit_code;
    Report report = Check(*source, arguments.options).report;
    int code = ExitCodeOf(report, *source, arguments);
    if (code == kExitOk && arguments.strict && !report.problems().empty()) code = kExitProblem;
    if (code != kExitOk) exit_code = code;
    if (!arguments.json) {
      out.Print(report.Text(out.colour_out()));
      out.Print(fmt::format("{}: {}\n", source->path, CountText(report)));
    }
    reports.emplace_back(source->path, std::move(report));
  }
  if (arguments.json) out.Print(CheckJson(reports));
  return exit_code;
}

}  // namespace arbiter::cli
