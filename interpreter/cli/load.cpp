#include "cli/load.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "cli/json.h"
#include "diagnostics/diagnostic.h"

namespace arbiter::cli {

int UsageError(Output& out, const std::string& sentence) {
  if (out.json()) out.Print(ErrorJson(sentence));
  out.Error("arbiter: " + sentence + "\n");
  return kExitUsage;
}

int ProblemError(Output& out, const std::string& sentence) {
  if (out.json()) out.Print(ErrorJson(sentence));
  out.Error("arbiter: " + sentence + "\n");
  return kExitProblem;
}

std::string Plural(int64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string CountText(const Report& report) {
  std::string text;
  auto add = [&](Problem::Severity severity, const std::string& noun) {
    int count = report.Count(severity);
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += Plural(count, noun);
  };
  add(Problem::Severity::kError, "error");
  add(Problem::Severity::kWarning, "warning");
  add(Problem::Severity::kNote, "note");
  return text.empty() ? "no problems" : text;
}

std::optional<Source> FindSource(const std::string& name, Output& out, int* exit_code) {
  Source source = Find(name);
  if (source.built_in) return source;
  std::error_code error;
  bool is_path = name.find('/') != std::string::npos || name.ends_with(".rules");
  if (is_path || std::filesystem::exists(name, error)) return source;
  std::vector<std::string> names;
  for (const auto& [short_name, unused] : BuiltIn()) names.push_back(short_name);
  std::string near = diagnostics::Nearest(name, names);
  std::string help = near.empty() ? std::string("`arbiter rules` lists those that are built in")
                                  : fmt::format("did you mean `{}`?", near);
  *exit_code = UsageError(out, fmt::format("no rule file and no built-in ruleset named `{}`: {}", name, help));
  return std::nullopt;
}

int ExitCodeOf(const Report& report, const Source& source, const Arguments& arguments) {
  if (report.ok()) return kExitOk;
  if (arguments.options.empty()) return kExitProblem;
  for (const Problem& problem : report.problems()) {
    bool option = problem.code.starts_with("option-");
    if (problem.severity == Problem::Severity::kError && !option) return kExitProblem;
  }
  return Check(source).report.ok() ? kExitUsage : kExitProblem;
}

std::optional<Game> LoadGame(const std::string& name, const Arguments& arguments, Output& out, int* exit_code) {
  std::optional<Source> source = FindSource(name, out, exit_code);
  if (!source) return std::nullopt;
  Checked checked = Check(*source, arguments.options);
  if (checked.game) return std::move(checked.game);
  if (arguments.json) {
    out.Print(CheckJson({{source->path, checked.report}}));
  } else {
    out.Error(checked.report.Text(out.colour_error()));
  }
  *exit_code = ExitCodeOf(checked.report, *source, arguments);
  return std::nullopt;
}

std::optional<Position> LoadPosition(const Game& game, const Arguments& arguments, Output& out, int* exit_code) {
  Result<Position> found;
  if (!arguments.position.empty()) {
    found = game.Read(arguments.position, arguments.evaluator);
  } else if (!arguments.setup.empty()) {
    found = game.Setup(arguments.setup, arguments.evaluator);
  } else if (!arguments.example.empty()) {
    found = game.OfExample(arguments.example, arguments.evaluator);
  } else {
    return game.Start(arguments.evaluator);
  }
  if (!found) *exit_code = UsageError(out, found.error);
  return found.value;
}

}  // namespace arbiter::cli
