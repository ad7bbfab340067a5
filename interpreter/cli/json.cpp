#include "cli/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "session/explain.h"

namespace arbiter::cli {

namespace {

using Json = nlohmann::ordered_json;

// Rule files may hold anything: bytes that are no UTF-8 must not stop the output.
std::string Write(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json OptionsJson(const Options& options) {
  Json object = Json::object();
  for (const auto& [name, value] : options) object[name] = value;
  return object;
}

Json OutcomeJson(const Game& game, const Outcome& outcome) {
  static constexpr const char* kKinds[] = {"none", "win", "draw", "points"};
  Json object = {{"kind", kKinds[static_cast<std::size_t>(outcome.kind)]}};
  if (outcome.kind == Outcome::Kind::kWin) {
    object["winner"] = game.players()[static_cast<std::size_t>(outcome.winner)];
  }
  if (outcome.kind == Outcome::Kind::kPoints) {
    std::vector<std::string> players = game.players();
    for (std::size_t p = 0; p < players.size(); ++p) object["points"][players[p]] = outcome.points[p];
  }
  if (!outcome.why.empty()) object["why"] = outcome.why;
  return object;
}

Json ShownJson(const Position& at) {
  Json object = Json::object();
  for (const auto& [label, text] : at.Shown()) object[label] = text;
  return object;
}

Json CitationsJson(const Game& game, const std::vector<rules::Citation>& citations) {
  Json list = Json::array();
  for (const rules::Citation& citation : citations) {
    auto [path, line] = session::PlaceOf(game, citation.span);
    list.push_back({{"what", citation.what}, {"name", citation.name}, {"path", path}, {"line", line}});
  }
  return list;
}

Json PlayedJson(const Game& game, const validate::SoakReport& report) {
  const rules::Rules& rules = game.rules();
  Json list = Json::array();
  for (const auto& [played, count] : report.played) {
    Json names = Json::array();
    for (int name : played.names) names.push_back(rules.action_names[static_cast<std::size_t>(name)]);
    Json piece;  // null
    if (played.kind >= 0) piece = rules.kinds[static_cast<std::size_t>(played.kind)].name;
    list.push_back(
        {{"names", std::move(names)}, {"piece", std::move(piece)}, {"times", count.times}, {"games", count.games}});
  }
  return list;
}

Json ShownTableJson(const session::ShownTable& table) {
  Json numbers = Json::array(), texts = Json::array();
  for (const session::NumberRow& row : table.numbers) {
    Json made = {{"label", row.label}, {"games", row.games}};
    if (row.games > 0) {
      made.update({{"least", row.least},
                   {"median", row.median},
                   {"mean", row.mean()},
                   {"most", row.most},
                   {"sum", row.sum},
                   {"changed", row.changed}});
    }
    numbers.push_back(std::move(made));
  }
  for (const session::TextRow& row : table.texts) {
    Json counts = Json::array();
    for (const auto& [text, count] : row.counts) counts.push_back({{"text", text}, {"games", count}});
    texts.push_back({{"label", row.label}, {"left_out", row.left_out}, {"counts", std::move(counts)}});
  }
  return {{"numbers", std::move(numbers)}, {"texts", std::move(texts)}};
}

Json MoveJson(const Move& move) {
  return {{"text", move.text()}, {"uci", move.uci()}, {"action", move.action()}, {"choices", move.Choices()}};
}

}  // namespace

std::string ErrorJson(const std::string& sentence) { return Write({{"ok", false}, {"error", sentence}}); }

std::string ProgramJson(const Game& game) {
  Json list = Json::array();
  for (const session::ProgramLine& line : session::ProgramLines(game)) {
    list.push_back({{"part", line.part}, {"name", line.name}, {"form", line.form}, {"why", line.why}});
  }
  return Write({{"program", std::move(list)}});
}

std::string CheckJson(const std::vector<std::pair<std::string, Report>>& files) {
  Json list = Json::array();
  bool ok = true;
  for (const auto& [path, report] : files) {
    ok = ok && report.ok();
    Json problems = Json::parse(report.Json(), nullptr, false);
    if (problems.is_discarded()) problems = Json::array();
    list.push_back({{"path", path}, {"ok", report.ok()}, {"problems", std::move(problems)}});
  }
  return Write({{"ok", ok}, {"files", std::move(list)}});
}

std::string FormatJson(const std::vector<std::pair<std::string, bool>>& changed) {
  Json list = Json::array();
  for (const auto& [path, would] : changed) list.push_back({{"path", path}, {"changed", would}});
  return Write({{"files", std::move(list)}});
}

std::string TestJson(const std::vector<TestedRuleset>& rulesets) {
  Json list = Json::array();
  int failed_in_all = 0;
  for (const TestedRuleset& ruleset : rulesets) {
    Json cases = Json::array();
    int failed = 0;
    for (const session::TestCase& test : ruleset.cases) {
      if (!test.passed()) ++failed;
      Json failures = Json::array();
      for (const session::TestFailure& f : test.failures) {
        failures.push_back(
            {{"path", f.path}, {"line", f.line}, {"column", f.column}, {"message", f.message}, {"notes", f.notes}});
      }
      cases.push_back({{"kind", test.kind == session::TestCase::Kind::kExample ? "example" : "game"},
                       {"title", test.title},
                       {"path", test.path},
                       {"line", test.line},
                       {"clauses", test.clauses},
                       {"options", OptionsJson(test.options)},
                       {"passed", test.passed()},
                       {"skipped", test.skipped},
                       {"failures", std::move(failures)}});
    }
    failed_in_all += failed;
    list.push_back({{"ruleset", ruleset.name},
                    {"passed", static_cast<int>(ruleset.cases.size()) - failed},
                    {"failed", failed},
                    {"cases", std::move(cases)}});
  }
  return Write({{"ok", failed_in_all == 0}, {"rulesets", std::move(list)}});
}

std::string SoakJson(const std::vector<SoakedRuleset>& rulesets) {
  static constexpr const char* kTroubles[] = {"fault", "endless-game", "endless-turn", "dead-end"};
  Json list = Json::array();
  bool ok = true;
  for (const auto& [name, game, report, shown, seconds] : rulesets) {
    Json ends = Json::object();
    for (auto [end, count] : report.end_counts) ends[session::EndText(game, end)] = count;
    Json phases = Json::object();
    for (std::size_t i = 0; i < report.turns_in_phase.size(); ++i) {
      phases[game.phases()[i]] = report.turns_in_phase[i];
    }
    Json troubles = Json::array();
    for (const validate::SoakTrouble& t : report.troubles) {
      ok = false;
      troubles.push_back({{"kind", kTroubles[static_cast<std::size_t>(t.kind)]},
                          {"seed", t.seed},
                          {"turn", t.turn},
                          {"message", t.message},
                          {"phases", t.phases}});
    }
    list.push_back({{"ruleset", name},
                    {"games", report.games},
                    {"lengths", report.lengths},
                    {"results", report.results},
                    {"ends", std::move(ends)},
                    {"turns", report.turns},
                    {"actions", report.actions},
                    {"most_moves", report.most_moves},
                    {"turns_in_phase", std::move(phases)},
                    {"played", PlayedJson(game, report)},
                    {"shown_at_end", ShownTableJson(shown)},
                    {"cpu_seconds", seconds},
                    {"troubles", std::move(troubles)}});
  }
  return Write({{"ok", ok}, {"rulesets", std::move(list)}});
}

std::string TextJson(const Game& game, const session::TextCoverage& text) {
  static constexpr const char* kKinds[] = {"rule", "commentary", "outside play", "heading"};
  Json clauses = Json::array();
  for (const validate::CoveredClause& c : text.coverage.clauses) {
    clauses.push_back({{"clause", c.clause.number},
                       {"line", c.clause.line},
                       {"kind", kKinds[static_cast<std::size_t>(c.clause.kind)]},
                       {"text", c.clause.text},
                       {"covered", c.covered()},
                       {"declarations", CitationsJson(game, c.declarations)},
                       {"examples", CitationsJson(game, c.examples)}});
  }
  return Write({{"text", text.path},
                {"rules_in_text", text.coverage.rules_in_text()},
                {"not_covered", text.coverage.not_covered()},
                {"without_example", text.coverage.without_example()},
                {"clauses", std::move(clauses)},
                {"dangling", CitationsJson(game, text.coverage.dangling)}});
}

std::string ExerciseJson(const Game& game, const session::TextExercise& text) {
  Json clauses = Json::array();
  for (const validate::ExercisedClause& c : text.exercise.clauses) {
    Json declarations = CitationsJson(game, c.covered.declarations);
    for (std::size_t i = 0; i < declarations.size(); ++i) declarations[i]["games"] = c.declaration_games[i];
    clauses.push_back({{"clause", c.covered.clause.number},
                       {"to_formalise", c.covered.needs_cover()},
                       {"games", c.games},
                       {"declarations", std::move(declarations)},
                       {"examples", CitationsJson(game, c.covered.examples)}});
  }
  Json declarations = Json::array();
  for (const validate::ExercisedDeclaration& d : text.exercise.declarations) {
    auto [path, line] = session::PlaceOf(game, d.place);
    declarations.push_back({{"what", d.what}, {"name", d.name}, {"path", path}, {"line", line}, {"games", d.games}});
  }
  return Write({{"text", text.path},
                {"games", text.exercise.games},
                {"games_ended", text.exercise.soak.lengths.size()},
                {"rules_in_text", text.exercise.rules_in_text()},
                {"exercised", text.exercise.exercised()},
                {"clauses", std::move(clauses)},
                {"declarations", std::move(declarations)}});
}

std::string MovesJson(const Position& at, const std::vector<Move>& moves, const Outcome& outcome) {
  Game game = at.game();
  Json list = Json::array();
  for (const Move& move : moves) list.push_back(MoveJson(move));
  return Write({{"position", at.Text()},
                {"player", game.players()[static_cast<std::size_t>(at.player())]},
                {"outcome", OutcomeJson(game, outcome)},
                {"shown", ShownJson(at)},
                {"moves", std::move(list)}});
}

std::string PerftJson(const Position& at, const std::vector<PerftLine>& lines,
                      const std::vector<std::pair<std::string, uint64_t>>& divide) {
  Json counts = Json::array();
  for (const PerftLine& line : lines) {
    counts.push_back({{"depth", line.depth}, {"count", line.count}, {"seconds", line.seconds}});
  }
  Json object = {{"position", at.Text()}, {"counts", std::move(counts)}};
  if (!divide.empty()) {
    Json moves = Json::object();
    for (const auto& [text, count] : divide) moves[text] = count;
    object["divide"] = std::move(moves);
  }
  return Write(object);
}

std::string BenchJson(const Position& at, const Bench& bench) {
  auto rate = [](auto count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; };
  auto perft = [&](const BenchPerft& p) -> Json {
    return {{"depth", p.depth},
            {"count", p.count},
            {"cpu_seconds", p.seconds},
            {"wall_seconds", p.wall_seconds},
            {"nodes_per_second", rate(p.count, p.seconds)}};
  };
  auto load = [](const BenchLoad& l) -> Json {
    return {{"check_seconds", l.check}, {"compile_seconds", l.compile}, {"seconds", l.both()}};
  };
  const auto& [games, seconds] = bench.random;
  return Write(
      {{"ruleset", at.game().source().path},
       {"position", at.Text()},
       {"threads", bench.threads},
       {"perft", perft(bench.bulk)},
       {"perft_every_leaf", perft(bench.leaves)},
       {"perft_actions", perft(bench.actions)},
       {"random_games",
        {{"games", games.games},
         {"ended", games.ended},
         {"turns", games.turns},
         {"actions", games.actions},
         {"cpu_seconds", seconds},
         {"games_per_second", rate(games.games, seconds)},
         {"turns_per_second", rate(games.turns, seconds)},
         {"actions_per_second", rate(games.actions, seconds)}}},
       {"bytes",
        {{"position", bench.sizes.position},
         {"tables", bench.sizes.tables},
         {"paths", bench.sizes.paths},
         {"sets", bench.sizes.sets},
         {"code", bench.sizes.code}}},
       {"text_to_program",
        {{"runs", bench.loads.size()}, {"best", load(bench.loads.front())}, {"median", load(bench.median_load())}}}});
}

std::string ShowJson(const Position& at, const Outcome& outcome) {
  Game game = at.game();
  Json pieces = Json::array();
  for (const Piece& piece : at.Pieces()) {
    pieces.push_back({{"kind", piece.kind},
                      {"owner", piece.owner.empty() ? Json() : Json(piece.owner)},
                      {"cell", piece.cell.empty() ? Json() : Json(piece.cell)}});
  }
  return Write({{"title", game.title()},
                {"position", at.Text()},
                {"player", game.players()[static_cast<std::size_t>(at.player())]},
                {"key", fmt::format("{:016x}", at.Key())},
                {"outcome", OutcomeJson(game, outcome)},
                {"shown", ShownJson(at)},
                {"pieces", std::move(pieces)}});
}

std::string RulesJson(const std::vector<std::pair<std::string, Game>>& rulesets) {
  Json list = Json::array();
  for (const auto& [name, game] : rulesets) {
    Json options = Json::array();
    for (const Option& option : game.all_options()) {
      options.push_back({{"name", option.name},
                         {"type", option.type},
                         {"default", option.initial},
                         {"values", option.values},
                         {"doc", option.doc}});
    }
    list.push_back({{"name", name},
                    {"title", game.title()},
                    {"author", game.author()},
                    {"path", game.source().path},
                    {"players", game.players()},
                    {"setups", game.setups()},
                    {"shows", game.shows()},
                    {"options", std::move(options)}});
  }
  return Write({{"rulesets", std::move(list)}});
}

std::string PlayJson(const session::Record& record, const std::string& why_stopped) {
  Game game = record.start().game();
  std::vector<std::string> players = game.players();
  Json moves = Json::array();
  for (const session::Record::Entry& entry : record.entries()) {
    moves.push_back({{"player", players[static_cast<std::size_t>(entry.player)]},
                     {"move", entry.move},
                     {"ends_turn", entry.ends_turn}});
  }
  return Write({{"ruleset", game.source().path},
                {"title", game.title()},
                {"start", record.start().Text()},
                {"moves", std::move(moves)},
                {"turns", record.turns()},
                {"position", record.position().Text()},
                {"outcome", OutcomeJson(game, record.outcome())},
                {"shown", ShownJson(record.position())},
                {"stopped", why_stopped}});
}

}  // namespace arbiter::cli
