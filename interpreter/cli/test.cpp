// arbiter test: examples and recorded games. soak.cpp has the random games.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "cli/soak.h"
#include "session/testing.h"
#include "source/loader.h"

namespace arbiter::cli {

namespace {

std::vector<session::RecordedGame> GamesBeside(const Source& source) {
  if (source.built_in) return session::BuiltInGames(source);
  namespace fs = std::filesystem;
  std::vector<session::RecordedGame> games;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(source.path).parent_path() / "games", error)) {
    if (entry.path().extension() != ".game") continue;
    source::LoadResult loaded = source::FileLoader().Read(entry.path().string());
    games.push_back({entry.path().string(), std::move(loaded.text)});
  }
  std::sort(games.begin(), games.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return games;
}

std::string OptionsText(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string CaseText(const session::TestCase& test) {
  std::string text = test.kind == session::TestCase::Kind::kGame ? "game " : "example ";
  text += "\"" + test.title + "\"";
  for (const std::string& clause : test.clauses) text += " §" + clause;
  if (!test.options.empty()) text += " with " + OptionsText(test.options);
  return text;
}

void PrintFailure(const session::TestCase& test, Output& out) {
  out.Print(fmt::format("failed: {}\n", CaseText(test)));
  for (const session::TestFailure& failure : test.failures) {
    std::string place = failure.path;
    if (failure.line > 0) place += fmt::format(":{}", failure.line);
    if (failure.column > 0) place += fmt::format(":{}", failure.column);
    out.Print(fmt::format("  {}: {}\n", place, failure.message));
    for (const std::string& note : failure.notes) out.Print(fmt::format("    {}\n", note));
  }
}

std::string Summary(const std::vector<session::TestCase>& cases) {
  int examples = 0, games = 0, failed = 0;
  for (const session::TestCase& test : cases) {
    if (!test.skipped.empty()) continue;
    ++(test.kind == session::TestCase::Kind::kExample ? examples : games);
    if (!test.passed()) ++failed;
  }
  std::string text = Plural(examples, "example");
  if (games > 0) text += ", " + Plural(games, "game");
  return text + (failed == 0 ? ": all hold" : fmt::format(": {} failed", failed));
}

}  // namespace

int RunTest(const Arguments& arguments, Output& out) {
  std::vector<std::string> names = arguments.files;
  if (names.empty()) {
    for (const auto& [name, source] : BuiltIn()) names.push_back(name);
  }
  if (arguments.soak > 0) return RunSoak(names, arguments, out);
  std::vector<TestedRuleset> tested;
  int exit_code = kExitOk;
  for (const std::string& name : names) {
    std::optional<Game> game = LoadGame(name, arguments, out, &exit_code);
    if (!game) return exit_code;
    tested.push_back({name, session::RunTests(*game, {arguments.evaluator, arguments.only, GamesBeside(game->source()),
                                                      ~uint64_t{0}})});
    for (const session::TestCase& test : tested.back().cases) {
      if (!test.passed()) exit_code = kExitProblem;
      if (arguments.json) continue;
      if (!test.skipped.empty()) {
        out.Print(fmt::format("skipped: {}: {}\n", CaseText(test), test.skipped));
      } else if (!test.passed()) {
        PrintFailure(test, out);
      } else if (arguments.verbose) {
        out.Print(fmt::format("holds: {}\n", CaseText(test)));
      }
    }
    if (!arguments.json) out.Print(fmt::format("{}: {}\n", name, Summary(tested.back().cases)));
    out.Flush();
  }
  bool none = std::all_of(tested.begin(), tested.end(), [](const TestedRuleset& t) { return t.cases.empty(); });
  if (none && !arguments.only.empty()) {
    return UsageError(out, fmt::format("no example and no game has `{}` in its title", arguments.only));
  }
  if (arguments.json) out.Print(TestJson(tested));
  return exit_code;
}

}  // namespace arbiter::cli
