#include "session/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "board/graph.h"
#include "program/program.h"
#include "session/data.h"

namespace arbiter::session {

std::string ProgramListing(const Game& game) { return program::Listing(*game.data().program()); }

std::vector<ProgramLine> ProgramLines(const Game& game) {
  std::vector<ProgramLine> lines;
  for (const program::ListingLine& line : program::ListingLines(*game.data().program())) {
    lines.push_back({line.part, line.name, line.form, line.why});
  }
  return lines;
}

std::string BoardGraph(const Game& game) {
  const board::Board& board = game.rules().board;
  return board::Graphviz(board, board::Labels(board, false));
}

Result<std::vector<rules::WalkId>> WalksNamed(const Game& game, const std::string& name) {
  const auto& walks = game.rules().walks;
  std::vector<rules::WalkId> exact, family;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    rules::WalkId id(i);
    const std::string& found = walks[id].name;
    if (found.empty()) continue;
    names.push_back(found);
    if (found == name) exact.push_back(id);
    if (found.substr(0, found.find('(')) == name) family.push_back(id);
  }
  if (!exact.empty()) return {std::vector<rules::WalkId>{exact.front()}, {}};
  if (!family.empty()) return {std::move(family), {}};
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string near = diagnostics::Nearest(name, names);
  std::string list;
  for (const std::string& known : names) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", known);
  return {std::nullopt, fmt::format("no walk named `{}`{}; the walks in use are {}", name,
                                    near.empty() ? "" : fmt::format(": did you mean `{}`?", near),
                                    list.empty() ? "without names" : list)};
}

std::string Words(const Game& game, rules::ExprId id) {
  const rules::Expr& expr = game.rules().exprs[id];
  if (!expr.span.valid()) return rules::DumpExpr(game.rules(), id);
  return OneLine(game.data().sources->Slice(expr.span));
}

}  // namespace arbiter::session
