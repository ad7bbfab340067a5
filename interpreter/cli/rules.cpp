// arbiter rules: the built-in rulesets with their options.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"

namespace arbiter::cli {

namespace {

void PrintRuleset(const std::string& name, const Game& game, Output& out) {
  std::string players;
  for (const std::string& player : game.players()) players += (players.empty() ? "" : ", ") + player;
  out.Print(fmt::format("{}: {}{}\n", name, game.title(), game.author().empty() ? "" : " (" + game.author() + ")"));
  out.Print(fmt::format("  players  {}\n", players));
  std::string shows;
  for (const std::string& label : game.shows()) shows += (shows.empty() ? "" : ", ") + label;
  if (!shows.empty()) out.Print(fmt::format("  shows    {}\n", shows));
  for (const Option& option : game.all_options()) {
    out.Print(fmt::format("  option   {} : {} = {}\n", option.name, option.type, option.initial));
    std::string_view doc = option.doc;
    while (!doc.empty()) {
      std::size_t stop = std::min(doc.find('\n'), doc.size());
      out.Print(fmt::format("             {}\n", doc.substr(0, stop)));
      doc.remove_prefix(std::min(stop + 1, doc.size()));
    }
  }
}

}  // namespace

int RunRules(const Arguments& arguments, Output& out) {
  std::vector<std::string> names = arguments.files;
  if (names.empty()) {
    for (const auto& [name, source] : BuiltIn()) names.push_back(name);
  }
  std::vector<std::pair<std::string, Game>> all;
  int exit_code = kExitOk;
  for (const std::string& name : names) {
    std::optional<Game> game = LoadGame(name, arguments, out, &exit_code);
    if (!game) return exit_code;
    all.emplace_back(name, *game);
  }
  if (arguments.json) {
    out.Print(RulesJson(all));
    return kExitOk;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out.Print("\n");
    PrintRuleset(all[i].first, all[i].second, out);
  }
  return kExitOk;
}

}  // namespace arbiter::cli
