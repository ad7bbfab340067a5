// What declarations become: options, imports, zones, state, pieces, set-ups, examples, citations.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "check/check.h"
#include "rules/fen.h"

namespace arbiter {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

struct Result {
  std::unique_ptr<rules::Rules> rules;
  std::vector<std::string> problems;  // "name-unknown: no zone named `x`"
  std::vector<std::string> help;
};

Result Check(const std::string& text, const std::vector<std::pair<std::string, std::string>>& options = {},
             const Files& beside = {}) {
  source::MemoryLoader loader;
  loader.Add("games/case.rules", text);
  for (const auto& [path, content] : beside) loader.Add("games/" + path, content);
  source::SourceMap sources;
  diagnostics::Sink sink;
  check::Request request;
  request.path = "games/case.rules";
  request.options = options;
  request.lint = false;
  Result result;
  result.rules = check::Check(request, loader, sources, sink);
  for (const diagnostics::Diagnostic& d : sink.all()) {
    result.problems.push_back(std::string(diagnostics::CodeName(d.code)) + ": " + d.message);
    for (const std::string& help : d.help) result.help.push_back(help);
    for (const diagnostics::Fix& fix : d.fixes) result.help.push_back(fix.title);
  }
  return result;
}

std::string First(const Result& result) { return result.problems.empty() ? "" : result.problems.front(); }

const std::string kHead = "use std.walks\nplayers White facing n, Black facing s\n";
const std::string kBoard = "board { squares 3 x 3 }\n";
const std::string kRook = "piece Rook \"R\" { move or take slide(orthogonal) }\n";
const std::string kSetup = "setup \"\"\"\n  . . r\n  . . .\n  R . .\n\"\"\"\n";
const std::string kGame = kHead + kBoard + kRook + kSetup;

std::string CellsText(const rules::Rules& rules, const rules::CellSet& cells) {
  std::string text;
  for (int i = 0; i < rules.board.size(); ++i) {
    if (cells.test(static_cast<std::size_t>(i))) text += (text.empty() ? "" : " ") + rules.board.name(i);
  }
  return text;
}

std::string ZoneText(const rules::Rules& rules, const std::string& name, std::size_t flat = 0) {
  for (const rules::Zone& zone : rules.zones) {
    if (zone.name == name) return CellsText(rules, zone.cells.at(flat));
  }
  return "no zone";
}

std::string StartText(const rules::Rules& rules, const std::string& name = "?") {
  for (const rules::Setup& setup : rules.setups) {
    bool wanted = name == "?" ? &setup == &rules.setups[rules.start] : setup.name == name;
    if (wanted) {
      return rules::FormatPosition(rules, rules::MakeSnapshot(rules, setup.pieces, setup.to_move, setup.state));
    }
  }
  return "no set-up";
}

// ---- options -----------------------------------------------------------------------------------

TEST(Options, have_the_value_of_the_file_unless_one_is_chosen) {
  const std::string text = kGame + "/// How far.\noption reach : 1..3 = 2\noption mood : { calm, wild } = calm\n";
  Result plain = Check(text);
  ASSERT_NE(plain.rules, nullptr) << First(plain);
  EXPECT_EQ(plain.rules->options[0].chosen, "2");
  EXPECT_EQ(plain.rules->options[0].type_text, "1..3");
  EXPECT_EQ(plain.rules->options[0].doc, "How far.");
  EXPECT_EQ(plain.rules->options[1].values, (std::vector<std::string>{"calm", "wild"}));
  Result chosen = Check(text, {{"reach", "1"}, {"mood", "wild"}, {"reach", "3"}});
  ASSERT_NE(chosen.rules, nullptr) << First(chosen);
  EXPECT_EQ(chosen.rules->options[0].chosen, "3");
  EXPECT_EQ(chosen.rules->options[0].initial, "2");
  EXPECT_EQ(chosen.rules->options[1].chosen, "wild");
}

TEST(Options, may_bound_later_ranges) {
  const std::string text = kGame + "option most : 1..9 = 4\noption reach : 1..most = 3\nstate { n : 0..most = 0 }\n";
  Result result = Check(text, {{"most", "5"}, {"reach", "5"}});
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(result.rules->vars[rules::VarId(0)].type.high, 5);
  EXPECT_EQ(First(Check(text, {{"reach", "5"}})), "option-value: the option `reach` was given the value `5`");
}

TEST(Options, wrong_choices_say_what_there_is) {
  const std::string text = kGame + "option mood : { calm, wild } = calm\n";
  Result name = Check(text, {{"mod", "wild"}});
  EXPECT_EQ(First(name), "option-unknown: this game has no option `mod`");
  EXPECT_EQ(name.help.front(), "did you mean `mood`?");
  Result value = Check(text, {{"mood", "wlid"}});
  EXPECT_EQ(First(value), "option-value: the option `mood` was given the value `wlid`");
  EXPECT_EQ(value.help.front(), "did you mean `wild`?");
  EXPECT_EQ(Check(kGame, {{"x", "1"}}).help.front(), "this game has no options: leave it out");
}

TEST(Options, choose_between_boards_and_directions) {
  const std::string text =
      "use std.walks\nplayers White facing n, Black facing s\n"
      "option corner : bool = false\noption lines : directions { orthogonal, diagonal } = orthogonal\n"
      "board { squares 3 x 3 without (if corner then c3 else b2) }\n"
      "piece Rook \"R\" { move or take slide(lines) }\nsetup \"\"\"\n. . .\n. # .\nR r .\n\"\"\"\n";
  Result plain = Check(text);
  ASSERT_NE(plain.rules, nullptr) << First(plain);
  EXPECT_EQ(plain.rules->board.Find("b2"), -1);
  EXPECT_NE(rules::Dump(*plain.rules).find("n|e|s|w"), std::string::npos) << rules::Dump(*plain.rules);
  EXPECT_EQ(First(Check(text, {{"corner", "true"}})), "setup-hole: the board has no cell here");
}

// ---- imports -----------------------------------------------------------------------------------

const Files kBase = {
    {"base.rules", "game \"Base\"\ntext \"base.md\"\n" + kGame +
                       "zone goal[White] = rank 3   zone goal[Black] = rank 1\n"
                       "piece Man \"M\" { move step(forward) }  §1\n"
                       "state { clock quiet : 0..9 = 0   kept : bool = true }\n"
                       "when after action { quiet += 1 }\n"
                       "win p when Rook of p in goal[p]\ndraw when quiet == 9\ndraw when repetition 3\n"
                       "example \"base\" { setup count moves = 4 }\n"},
    {"base.md", "**1** A man.\n"}};

TEST(Imports, an_extension_changes_what_it_names_and_keeps_the_rest) {
  Result result = Check(
      "game \"Other\"\nextends \"base.rules\"\nreplace piece Rook \"T\" { move or take slide(diagonal) }\n"
      "delete zone goal\nzone goal[p] = rank 2\nreplace draw when repetition 5\nreplace state { kept : bool = false }\n"
      "replace setup \"\"\"\n. . t\n. . .\nT . .\n\"\"\"\n"
      "piece Lord \"L\" { move or take step(all) }\n",
      {}, kBase);
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Rules& r = *result.rules;
  EXPECT_EQ(r.title, "Other");
  EXPECT_EQ(r.kinds[0].name, "Rook");
  EXPECT_EQ(r.kinds[0].letters, (std::vector<std::string>{"T", "t"}));
  EXPECT_EQ(r.kinds[1].name, "Man");
  EXPECT_EQ(r.kinds[2].name, "Lord");
  EXPECT_EQ(ZoneText(r, "goal", 0), "a2 b2 c2");
  ASSERT_EQ(r.ends.size(), 3U);
  EXPECT_EQ(r.ends[2].number, 5);
  EXPECT_EQ(r.vars.size(), 2U);
  EXPECT_TRUE(r.examples.empty());
}

TEST(Imports, the_extended_game_keeps_its_own_rule_text) {
  // §1 stands in base.md, not in the text of the extension.
  Files files = kBase;
  files.emplace_back("other.md", "**2** Something else.\n");
  files[0].second.replace(files[0].second.find("R . ."), 5, "R . M");
  std::string text = "text \"other.md\"\nextends \"base.rules\"\npiece Lord \"L\" { move step(all) }  §2\n";
  Result result = Check(text, {}, files);
  ASSERT_NE(result.rules, nullptr) << First(result);
  ASSERT_EQ(result.rules->citations.size(), 1U);
  EXPECT_EQ(result.rules->citations[0].clause, "2");
  EXPECT_EQ(result.rules->citations[0].what, "piece");
  EXPECT_EQ(result.rules->citations[0].name, "Lord");
  EXPECT_EQ(result.rules->text_path, "other.md");
}

TEST(Imports, a_module_is_expanded_in_place_and_once) {
  Files files = {{"mod.rules", "draw when repetition 3\nwalk hop2(d) = d then d\n"}, {"more.rules", "use mod\n"}};
  Result result = Check(kGame + "draw when no x in pieces : x is Rook\nuse mod\nlimit turns 9\nuse more\n", {}, files);
  ASSERT_NE(result.rules, nullptr) << First(result);
  ASSERT_EQ(result.rules->ends.size(), 3U);
  EXPECT_EQ(result.rules->ends[1].kind, rules::End::Kind::kRepetition);
}

TEST(Imports, a_short_name_extends_a_built_in_game) {
  Result result = Check("extends \"rollerball\"\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(result.rules->title, "Rollerball");
}

// ---- names, pieces, letters ----------------------------------------------------------------------

TEST(Pieces, share_text_by_like_and_every_piece) {
  Result result =
      Check(kHead + kBoard +
            "class heavy\npiece attribute worth : 1..9\n"
            "piece Rook \"R\" heavy { move or take slide(orthogonal)   worth = 5 }\n"
            "piece Tower \"T\" like Rook { worth = 6 }\npiece Man \"M\" { move step(forward)   worth = 1 }\n"
            "every piece except Man { move step(diagonal)   worth = 3 }\n" +
            kSetup);
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Rules& r = *result.rules;
  EXPECT_EQ(r.kinds[1].classes, r.kinds[0].classes);
  EXPECT_EQ(r.kinds[0].attributes[0], (std::vector<rules::Value>{5}));
  EXPECT_EQ(r.kinds[1].attributes[0], (std::vector<rules::Value>{6}));
  EXPECT_EQ(r.kinds[2].attributes[0], (std::vector<rules::Value>{1}));
  // Two statements of Rook, two of Tower, one of Man.
  EXPECT_EQ(std::count_if(r.actions.begin(), r.actions.end(), [](const auto& a) { return a.has_self; }), 5);
}

TEST(Pieces, letters_follow_their_script) {
  Result result = Check(
      "use std.walks\nplayers White facing n, Black facing s\nboard { squares 3 x 3 }\n"
      "piece Ладья \"Л\" { move or take slide(orthogonal) }\npiece 帥 \"帥\" \"將\" { move or take step(orthogonal) }\n"
      "neutral piece Мяч \"о\"\nwhen Мяч is moved { draw }\nsetup \"\"\"\n將 . л\n. о .\nЛ . 帥\n\"\"\"\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(result.rules->kinds[0].letters, (std::vector<std::string>{"Л", "л"}));
  EXPECT_EQ(result.rules->kinds[1].letters, (std::vector<std::string>{"帥", "將"}));
  EXPECT_EQ(StartText(*result.rules), "將1л/1о1/Л1帥 w");
}

TEST(Pieces, three_players_need_three_letters) {
  Result result = Check("players Red, Green, Blue\n" + kBoard +
                        "piece Rook \"R\" { move n }\nsetup \"\"\"\n. . .\n. . .\n. . .\n\"\"\"\n");
  EXPECT_EQ(First(result), "piece-letter: `Rook` needs 3 letters, one for each player");
}

// ---- state -------------------------------------------------------------------------------------

TEST(State, initial_values_may_depend_on_the_index) {
  Result result = Check(kGame +
                        "state { ready[p in player, side in { near, far }] : bool = p == Black and side == far\n"
                        "        turns[player] : 0..9 = 3   last : cell? = none   mood : { calm, wild } = wild }\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Rules& r = *result.rules;
  EXPECT_EQ(r.vars[rules::VarId(0)].initial, (std::vector<rules::Value>{0, 0, 0, 1}));
  EXPECT_EQ(r.vars[rules::VarId(1)].initial, (std::vector<rules::Value>{3, 3}));
  EXPECT_EQ(r.vars[rules::VarId(2)].initial, (std::vector<rules::Value>{rules::kNone}));
  EXPECT_EQ(r.vars[rules::VarId(3)].initial, (std::vector<rules::Value>{1}));
  EXPECT_EQ(r.vars[rules::VarId(1)].offset, 4);
  EXPECT_EQ(r.state_size, 8);
  EXPECT_EQ(rules::ElementName(r, r.vars[rules::VarId(0)], 3), "ready[Black,far]");
}

TEST(State, equal_lists_are_one_enumeration) {
  Result result = Check(kGame + "state { a : { x, y } = x   b : { x, y } = y   c : { y, x } = x }\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(result.rules->enums.size(), 2U);
}

// ---- zones -------------------------------------------------------------------------------------

TEST(Zones, may_stand_in_any_order_and_be_indexed) {
  Result result =
      Check(kGame +
            "zone rest = everywhere - both[White] - both[Black]\nzone both[p] = home[p] + corner[p, near]\n"
            "zone home[White] = rank 1   zone home[Black] = rank 3\n"
            "zone corner[White, near] = a2  zone corner[Black, near] = c2\nzone corner[p, far] = b2 & everywhere\n"
            "state { seen[side in { near, far }] : bool = false }\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Rules& r = *result.rules;
  EXPECT_EQ(ZoneText(r, "both", 0), "a1 b1 c1 a2");
  EXPECT_EQ(ZoneText(r, "both", 1), "c2 a3 b3 c3");
  EXPECT_EQ(ZoneText(r, "rest"), "b2");
  EXPECT_EQ(ZoneText(r, "corner", 1), "b2");
}

TEST(Zones, one_index_may_be_defined_by_another) {
  // Not a ring: each index by itself.
  Result result = Check(kGame + "zone goal[White] = rank 3\nzone goal[Black] = everywhere - goal[White]\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(ZoneText(*result.rules, "goal", 1), "a1 b1 c1 a2 b2 c2");
}

TEST(Zones, follow_options) {
  const std::string text = kGame + "option wide : bool = false\nzone goal = (if wide then rank 3 else b3)\n";
  EXPECT_EQ(ZoneText(*Check(text).rules, "goal"), "b3");
  EXPECT_EQ(ZoneText(*Check(text, {{"wide", "true"}}).rules, "goal"), "a3 b3 c3");
}

TEST(Zones, places_are_zones_of_slots) {
  Result result = Check(kHead + "board { squares 3 x 3   place out[player] 2 }\n" + kRook + kSetup);
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(ZoneText(*result.rules, "out", 1), "out[Black][1] out[Black][2]");
  EXPECT_EQ(result.rules->board.board_size(), 9);
}

TEST(Zones, deep_chains_end) {
  std::string text = kGame;
  for (int i = 0; i < 2000; ++i) text += "zone z" + std::to_string(i) + " = z" + std::to_string(i + 1) + "\n";
  text += "zone z2000 = a1\n";
  Result result = Check(text);  // given or refused, but not a crash
  EXPECT_TRUE(result.rules == nullptr || ZoneText(*result.rules, "z0") == "a1");
}

// ---- set-ups -----------------------------------------------------------------------------------

TEST(Setups, are_derived_and_indexed) {
  Result result = Check(kHead + kBoard + kRook +
                        "neutral piece Ball \"o\"\nwhen Ball is moved { draw }\n"
                        "setup first \"\"\"\n  3 . o r\n  2 . . .\n  1 R . .\n    a b c\n\"\"\"\n"
                        "setup kickoff[p] = first to move p\nsetup low = first with Ball on b1, Rook on b1\n"
                        "start kickoff[Black]\n");
  EXPECT_EQ(First(result), "setup-piece: there are 2 pieces `Rook`: which one?");
  result = Check(kHead + kBoard + kRook +
                 "neutral piece Ball \"o\"\nwhen Ball is moved { draw }\n"
                 "setup first \"\"\"\n  3 . o r\n  2 . . .\n  1 R . .\n    a b c\n\"\"\"\n"
                 "setup kickoff[p] = first to move p\nsetup low = first with Ball on b1\n"
                 "start kickoff[Black]\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  EXPECT_EQ(StartText(*result.rules), "1or/3/R2 b");
  EXPECT_EQ(StartText(*result.rules, "kickoff[White]"), "1or/3/R2 w");
  EXPECT_EQ(StartText(*result.rules, "low"), "2r/3/Ro1 w");
  for (const rules::Setup& setup : result.rules->setups)
    EXPECT_EQ(setup.names_mover, setup.name.starts_with("kickoff"));
}

TEST(Setups, a_neutral_piece_may_be_away_if_it_says_so) {
  const std::string text =
      kHead + kBoard + kRook + "neutral piece Ball \"o\" { may be off board }\nwhen Ball is moved { draw }\n" + kSetup;
  Result result = Check(text);
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Setup& start = result.rules->setups[result.rules->start];
  EXPECT_EQ(std::count_if(start.pieces.begin(), start.pieces.end(), [](const auto& p) { return p.cell < 0; }), 1);
}

TEST(Setups, rows_of_hexes_may_leave_holes_out) {
  const std::string text =
      "use std.walks\nplayers White facing n, Black facing s\nboard { hexes hexagon 2 }\n"
      "piece Rook \"R\" { move or take slide(orthogonal) }\n";
  Result result = Check(text + "setup \"\"\"\n   . r\n  . . .\n   R .\n\"\"\"\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  Result full = Check(text + "setup \"\"\"\n # . r\n . . .\n R . #\n\"\"\"\n");
  ASSERT_NE(full.rules, nullptr) << First(full);
  EXPECT_EQ(StartText(*result.rules), StartText(*full.rules));
}

TEST(Setups, fen_gives_state_too) {
  Result result =
      Check(kHead + kBoard + kRook +
            "state { kept : bool = true   clock quiet : 0..9 = 0 }\nwhen after action { quiet += 1   kept = false }\n"
            "fen { flags \"K\" = kept   number quiet }\nsetup fen \"2r/3/R2 b - 3\"\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Setup& start = result.rules->setups[result.rules->start];
  EXPECT_EQ(start.to_move, 1);
  EXPECT_EQ(start.state, (std::vector<std::pair<int, rules::Value>>{{0, 0}, {1, 3}}));
  EXPECT_EQ(StartText(*result.rules), "2r/3/R2 b - 3");
}

// ---- examples and citations ----------------------------------------------------------------------

TEST(Examples, have_steps_only_under_their_options) {
  const std::string text = kGame +
                           "option reach : 1..3 = 2\nexample \"default\" { setup  count moves = 4 }\n"
                           "example \"far\" with reach = 3 { setup  count moves = 4 }\n";
  Result plain = Check(text);
  ASSERT_NE(plain.rules, nullptr) << First(plain);
  EXPECT_EQ(plain.rules->examples[0].steps.size(), 2U);
  EXPECT_EQ(plain.rules->examples[1].steps.size(), 0U);
  EXPECT_EQ(plain.rules->examples[1].options, (std::vector<std::pair<std::string, std::string>>{{"reach", "3"}}));
  Result far = Check(text, {{"reach", "3"}});
  ASSERT_NE(far.rules, nullptr) << First(far);
  EXPECT_EQ(far.rules->examples[0].steps.size(), 0U);
  EXPECT_EQ(far.rules->examples[1].steps.size(), 2U);
}

TEST(Examples, positions_hold_pieces_and_state) {
  Result result = Check(kGame +
                        "state { n[player] : 0..9 = 0 }\npiece state { used : bool = false }\n"
                        "when Rook moves { it.used = true   n[me] = 1 }\n"
                        "phase early { player White turn = any move }  phase late { player Black turn = any move }\n"
                        "example \"p\" { position { White Rook a1 b1  Black Rook c3  to move Black  n[White] = 4  "
                        "b1.used = true  phase = late } }\n"
                        "example \"q\" { position \"2r/3/RR1 b n[White]=4 b1.used=true phase=late\" }\n");
  ASSERT_NE(result.rules, nullptr) << First(result);
  const rules::Rules& r = *result.rules;
  rules::Snapshot p = rules::ExamplePosition(r, r.examples[0].steps.at(0));
  EXPECT_EQ(rules::FormatPosition(r, p), "2r/3/RR1 b n[White]=4 b1.used=true phase=late");
  EXPECT_TRUE(p == rules::ExamplePosition(r, r.examples[1].steps.at(0)));
}

TEST(Citations, say_what_they_stand_at) {
  Files files = {{"t.md", "**1** a\n\n**2** b\n\n**3** c\n"}};
  Result result =
      Check("text \"t.md\"\n" + kHead + kBoard + "piece Rook \"R\" { move or take slide(orthogonal) §1 }\n" + kSetup +
                "draw when repetition 3 §2\nexample \"none\" §3 { setup  count moves = 4 }\n",
            {}, files);
  ASSERT_NE(result.rules, nullptr) << First(result);
  std::string all;
  for (const rules::Citation& c : result.rules->citations) all += c.clause + " " + c.what + " " + c.name + "; ";
  EXPECT_EQ(all, "1 piece Rook; 2 draw ; 3 example none; ");
}

// ---- budgets -----------------------------------------------------------------------------------

TEST(Budgets, too_much_is_refused) {
  std::string pieces;
  for (int i = 0; i < 70; ++i) pieces += "piece Kind" + std::to_string(i) + " \"K\" { move n }\n";
  EXPECT_NE(Check(kHead + kBoard + pieces + kSetup).problems.size(), 0U);
  EXPECT_EQ(First(Check(kGame + "state { n[a in 0..60, b in 0..60, c in 0..60] : bool = false }\n")).substr(0, 11),
            "limit-count");
  EXPECT_EQ(First(Check(kGame + "state { n[a in 0..2000000000] : bool = false }\n")).substr(0, 10), "type-state");
  EXPECT_EQ(First(Check(kHead + "board { squares 99999 x 99999 }\n" + kRook)).substr(0, 11), "board-shape");
}

}  // namespace
}  // namespace arbiter
