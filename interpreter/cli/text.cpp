// arbiter text: the rule text, clause by clause, with what formalises it; with --soak, which clauses random games
// exercise.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "session/testing.h"

namespace arbiter::cli {

namespace {

// "define closed  football.rules:68"
std::string CitationText(const Game& game, const rules::Citation& citation) {
  auto [path, line] = session::PlaceOf(game, citation.span);
  std::string name = citation.what == "example" ? "\"" + citation.name + "\"" : citation.name;
  return fmt::format("{}{}{}  {}:{}", citation.what, name.empty() ? "" : " ", name, path.substr(path.rfind('/') + 1),
                     line);
}

void PrintHead(const rules::Clause& clause, Output& out) {
  using Kind = rules::Clause::Kind;
  std::string mark;
  if (clause.kind == Kind::kCommentary) mark = " (commentary)";
  if (clause.kind == Kind::kOutsidePlay) mark = " (outside play)";
  out.Print(fmt::format("§{}{}  {}\n", clause.number, mark, clause.text));
}

void PrintClause(const Game& game, const validate::CoveredClause& c, Output& out) {
  PrintHead(c.clause, out);
  for (const auto& citation : c.declarations) out.Print("    " + CitationText(game, citation) + "\n");
  for (const auto& citation : c.examples) out.Print("    " + CitationText(game, citation) + "\n");
  if (!c.needs_cover()) return;
  if (!c.covered()) {
    out.Print("    not covered\n");
  } else if (c.examples.empty()) {
    out.Print("    no example\n");
  }
}

// ---- random games -------------------------------------------------------------------------------

void PrintExercised(const Game& game, const validate::ExercisedClause& c, int games, Output& out) {
  PrintHead(c.covered.clause, out);
  for (std::size_t i = 0; i < c.covered.declarations.size(); ++i) {
    out.Print(fmt::format("    {}  in {} of {}\n", CitationText(game, c.covered.declarations[i]),
                          c.declaration_games[i], Plural(games, "game")));
  }
  for (const auto& citation : c.covered.examples) out.Print("    " + CitationText(game, citation) + "\n");
  if (!c.covered.needs_cover()) return;
  if (c.covered.declarations.empty()) {
    out.Print("    no declaration cites it\n");
  } else if (!c.exercised()) {
    out.Print("    not exercised\n");
  }
}

// What stands for a clause that no game exercised.
std::string ExamplesText(const validate::CoveredClause& c) {
  constexpr std::size_t kListed = 3;
  if (c.examples.empty()) return "no example";
  std::string text;
  for (std::size_t i = 0; i < c.examples.size() && i < kListed; ++i) {
    text += (i == 0 ? "example \"" : ", \"") + c.examples[i].name + "\"";
  }
  if (c.examples.size() > kListed) text += fmt::format(" and {} more", c.examples.size() - kListed);
  return text;
}

void PrintSummary(const Game& game, const session::TextExercise& text, Output& out) {
  const validate::Exercise& exercise = text.exercise;
  out.Print(fmt::format("\n{}: {} ({} ended) exercised {} of {} to formalise\n", text.path,
                        Plural(exercise.games, "random game"), exercise.soak.lengths.size(), exercise.exercised(),
                        Plural(exercise.rules_in_text(), "clause")));
  for (bool cited : {true, false}) {
    for (const auto& clause : exercise.clauses) {
      if (!clause.covered.needs_cover() || clause.exercised()) continue;
      if (clause.covered.declarations.empty() == cited) continue;
      out.Print(fmt::format("  {}: §{}  {}\n", cited ? "not exercised" : "cited by no declaration",
                            clause.covered.clause.number, ExamplesText(clause.covered)));
    }
  }
  for (const validate::ExercisedDeclaration& d : exercise.declarations) {
    if (d.games > 0) continue;
    out.Print(fmt::format("  without effect: {}\n", CitationText(game, {{}, d.what, d.name, d.place, -1})));
  }
}

int RunExercise(const Game& game, const Arguments& arguments, Output& out) {
  validate::SoakRequest request;
  request.games = arguments.soak;
  request.seed = arguments.seed;
  if (arguments.max_turns > 0) request.max_turns = arguments.max_turns;
  request.stop = [&out] { return out.gone(); };
  Result<session::TextExercise> text = session::ExerciseText(game, request);
  if (!text) return ProblemError(out, text.error);
  const validate::Exercise& exercise = text->exercise;
  if (arguments.json) {
    out.Print(ExerciseJson(game, *text));
  } else {
    for (const auto& clause : exercise.clauses) PrintExercised(game, clause, exercise.games, out);
    PrintSummary(game, *text, out);
  }
  bool incomplete = exercise.exercised() < exercise.rules_in_text();
  return arguments.strict && incomplete ? kExitProblem : kExitOk;
}

}  // namespace

int RunText(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
  if (arguments.soak > 0) return RunExercise(*game, arguments, out);
  Result<session::TextCoverage> text = session::CoverText(*game);
  if (!text) return ProblemError(out, text.error);
  const auto& coverage = text->coverage;
  if (arguments.json) {
    out.Print(TextJson(*game, *text));
  } else {
    for (const auto& clause : coverage.clauses) PrintClause(*game, clause, out);
    for (const auto& citation : coverage.dangling) {
      out.Print(fmt::format("§{} is cited by {} {}, but the text has no such clause\n", citation.clause, citation.what,
                            citation.name));
    }
    out.Print(fmt::format("{}{}: {} to formalise, {} not covered, {} without an example\n",
                          coverage.clauses.empty() ? "" : "\n", text->path, Plural(coverage.rules_in_text(), "clause"),
                          coverage.not_covered(), coverage.without_example()));
  }
  bool incomplete = coverage.not_covered() > 0 || !coverage.dangling.empty();
  return arguments.strict && incomplete ? kExitProblem : kExitOk;
}

}  // namespace arbiter::cli
