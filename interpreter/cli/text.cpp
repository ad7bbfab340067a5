// arbiter text: the rule text, clause by clause, with what formalises it.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "session/testing.h"

namespace arbiter::cli {

namespace {

void PrintClause(const Game& game, const validate::CoveredClause& c, Output& out) {
  auto cited_by = [&](const auto& citations) {
    for (const auto& citation : citations) {
      auto [path, line] = session::PlaceOf(game, citation.span);
      std::string name = citation.what == "example" ? "\"" + citation.name + "\"" : citation.name;
      out.Print(fmt::format("    {}{}{}  {}:{}\n", citation.what, name.empty() ? "" : " ", name,
                            path.substr(path.rfind('/') + 1), line));
    }
  };
  using Kind = decltype(c.clause.kind);
  std::string mark;
  if (c.clause.kind == Kind::kCommentary) mark = " (commentary)";
  if (c.clause.kind == Kind::kOutsidePlay) mark = " (outside play)";
  out.Print(fmt::format("§{}{}  {}\n", c.clause.number, mark, c.clause.text));
  cited_by(c.declarations);
  cited_by(c.examples);
  if (!c.needs_cover()) return;
  if (!c.covered()) {
    out.Print("    not covered\n");
  } else if (c.examples.empty()) {
    out.Print("    no example\n");
  }
}

}  // namespace

int RunText(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, &exit_code);
  if (!game) return exit_code;
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
