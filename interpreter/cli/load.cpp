#include "cli/load.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
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

namespace {

// Plays what --after lists; the error says which move it is that cannot be played.
Result<Position> PlayOn(Position at, const std::string& moves) {
  std::istringstream words(moves);
  Outcome outcome;
  for (std::string word; words >> word;) {
    if (outcome.ended()) return {std::nullopt, fmt::format("--after: the game is over before `{}`", word)};
    Result<Move> move = at.FindMove(word);
    if (!move) return {std::nullopt, "--after: " + move.error};
    Result<Step> step = at.Apply(*move);
    if (!step) return {std::nullopt, "--after: " + step.error};
    outcome = step->outcome;
    at = step->next;
  }
  if (outcome.ended()) return {std::nullopt, "--after: the last of these moves ends the game"};
  return {std::move(at), {}};
}

Result<Position> FirstPosition(const Game& game, const Arguments& arguments) {
  if (!arguments.position.empty()) return game.Read(arguments.position, arguments.evaluator);
  if (!arguments.setup.empty()) return game.Setup(arguments.setup, arguments.evaluator);
  if (!arguments.example.empty()) return game.OfExample(arguments.example, arguments.evaluator);
  return {game.Start(arguments.evaluator), {}};
}

}  // namespace

std::optional<Position> LoadPosition(const Game& game, const Arguments& arguments, Output& out, int* exit_code) {
  Result<Position> found = FirstPosition(game, arguments);
  if (found && !arguments.after.empty()) found = PlayOn(*found, arguments.after);
  if (!found) *exit_code = UsageError(out, found.error);
  return found.value;
}

}  // namespace arbiter::cli
