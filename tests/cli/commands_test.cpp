// Every command on real rule files.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "run.h"
#include "support/rule_files.h"

namespace arbiter::cli {
namespace {

using Json = nlohmann::json;

Json ParseJson(const Ran& ran) {
  Json json = Json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << ran.out.substr(0, 400) << ran.err;
  return json;
}

const std::string kMini = R"(game "Mini"
players White facing n, Black facing s
board { squares 2 x 3 }
piece Man "M" { move forward }
when no legal turn { win opponent }
setup to move White """
  3  m .
  2  . .
  1  . M
"""
example "holds" { setup  count moves = 1 }
)";

// ---- check --------------------------------------------------------------------------------------

TEST(CheckCommand, built_in_rulesets_have_no_problems) {
  Ran ran = RunArbiter({"check", "chess", "rollerball", "--strict"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
}

TEST(CheckCommand, says_what_is_wrong_where) {
  Folder folder;
  std::string file = folder.Write("wrong.rules", kMini + "win p when no_such_thing\n");
  Ran ran = RunArbiter({"check", file});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("error[name-unknown]"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("wrong.rules:12:12"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("^^^^^^^^^^^^^"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 error"), std::string::npos) << ran.out;

  Json json = ParseJson(RunArbiter({"check", file, "--format", "json"}));
  EXPECT_FALSE(json["ok"]);
  EXPECT_EQ(json["files"][0]["problems"][0]["code"], "name-unknown");
}

TEST(CheckCommand, is_quick_and_small) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers cost time and memory";
#endif
  for (const char* name : {"chess", "rollerball"}) {
    double best = 1e9;
    long peak = 0;
    for (int i = 0; i < 7; ++i) {
      Ran ran = RunArbiter({"check", name});
      ASSERT_EQ(ran.exit_code, 0) << ran.out;
      best = std::min(best, ran.cpu_seconds);
      peak = std::max(peak, ran.peak_kib);
    }
    EXPECT_LT(best, 0.050) << name;
    EXPECT_LT(peak, 64 * 1024) << name;
  }
}

// ---- fmt ----------------------------------------------------------------------------------------

TEST(FmtCommand, is_idempotent_on_every_rule_file) {
  for (const std::string& file : testing_support::RuleFiles({"rulesets", "stdlib", "tests/rulesets"})) {
    Ran once = RunArbiter({"fmt", "--stdout", file});
    ASSERT_EQ(once.exit_code, 0) << file << once.err;
    RunOptions again;
    Folder folder;
    std::string copy = folder.Write("copy.rules", once.out);
    EXPECT_EQ(RunArbiter({"fmt", "--stdout", copy}).out, once.out) << file;
    EXPECT_EQ(RunArbiter({"fmt", "--check", copy}).exit_code, 0) << file;
  }
}

TEST(FmtCommand, our_own_rule_files_are_formatted) {
  for (const std::string& file : testing_support::RuleFiles({"rulesets", "stdlib"})) {
    EXPECT_EQ(RunArbiter({"fmt", "--check", file}).exit_code, 0) << file;
  }
}

TEST(FmtCommand, writes_back_through_links_and_keeps_the_mode) {
  Folder folder;
  std::string messy =
      "game    \"Mini\"   // a comment\nplayers   White facing n,Black facing s\nboard{squares 2 x 3}\n"
      "piece Man \"M\"{move forward}\nsetup to move White \"\"\"\n m .\n . .\n . M\n\"\"\"\n";
  std::string file = folder.Write("messy.rules", messy);
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  std::filesystem::create_symlink("messy.rules", folder.path() + "/link.rules");
  EXPECT_EQ(RunArbiter({"fmt", "--check", file}).exit_code, 1);
  EXPECT_EQ(folder.Read("messy.rules"), messy);
  Ran ran = RunArbiter({"fmt", folder.path() + "/link.rules"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/link.rules"));
  EXPECT_NE(folder.Read("messy.rules"), messy);
  EXPECT_NE(folder.Read("messy.rules").find("// a comment"), std::string::npos);
  struct stat now {};
  ASSERT_EQ(stat(file.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 0777U, 0640U);
  EXPECT_EQ(RunArbiter({"fmt", "--check", file}).exit_code, 0);
  auto entries = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 2) << "no temporary files are left";
}

TEST(FmtCommand, reads_standard_input) {
  RunOptions options;
  options.input = kMini;
  Ran ran = RunArbiter({"fmt", "-"}, options);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("piece Man \"M\""), std::string::npos);
}

TEST(FmtCommand, leaves_files_that_do_not_parse_alone) {
  Folder folder;
  std::string file = folder.Write("wrong.rules", "board { squares");
  Ran ran = RunArbiter({"fmt", file});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("error["), std::string::npos) << ran.err;
  EXPECT_EQ(folder.Read("wrong.rules"), "board { squares");
}

// ---- test and text ------------------------------------------------------------------------------

TEST(TestCommand, all_built_in_examples_and_games_hold) {
  Ran ran = RunArbiter({"test"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("chess: "), std::string::npos);
  EXPECT_NE(ran.out.find("rollerball: "), std::string::npos);
  Json json = ParseJson(RunArbiter({"test", "rollerball", "--format", "json"}));
  EXPECT_TRUE(json["ok"]);
  EXPECT_GT(json["rulesets"][0]["passed"], 10);
  auto& cases = json["rulesets"][0]["cases"];
  EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [](const Json& c) { return c["kind"] == "game"; }));
}

TEST(TestCommand, a_failing_example_or_game_is_a_problem) {
  Folder folder;
  std::string good = folder.Write("good/good.rules", kMini);
  EXPECT_EQ(RunArbiter({"test", good}).exit_code, 0);
  folder.Write("good/games/a.game", "ruleset good.rules\n1. b1-b2 a3-a2\n");
  EXPECT_EQ(RunArbiter({"test", good}).exit_code, 0) << RunArbiter({"test", good}).out;
  folder.Write("good/games/other.game", "ruleset other\n1. nonsense\n");
  EXPECT_NE(RunArbiter({"test", good}).out.find("skipped: game \"other.game\""), std::string::npos);
  folder.Write("good/games/b.game", "ruleset good.rules\n1. b1-b3\n");
  Ran ran = RunArbiter({"test", good});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("b.game"), std::string::npos) << ran.out;
  std::string bad = folder.Write("bad/bad.rules", kMini + "example \"wrong\" { setup  count moves = 7 }\n");
  ran = RunArbiter({"test", bad});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("there are 1 moves, not 7"), std::string::npos) << ran.out;
  EXPECT_EQ(RunArbiter({"test", bad, "--only", "holds"}).exit_code, 0);
}

TEST(TestCommand, an_example_may_not_count_for_ever) {
  Folder folder;
  std::string text = kMini.substr(0, kMini.find("when no legal")) + kMini.substr(kMini.find("setup"));
  text.replace(text.find("move forward"), 12, "move all");
  Ran ran = RunArbiter({"test", folder.Write("big.rules", text + "example \"big\" { setup  perft 60 = 1 }\n")});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("more than an example may"), std::string::npos) << ran.out << ran.err;
}

TEST(TestCommand, soaks) {
  Ran ran = RunArbiter({"test", "rollerball", "--soak", "3", "--seed", "5"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(RunArbiter({"test", "rollerball", "--soak", "3", "--seed", "5"}).out, ran.out);
  Json json = ParseJson(RunArbiter({"test", "rollerball", "--soak", "3", "--seed", "5", "--format", "json"}));
  EXPECT_EQ(json["rulesets"][0]["games"], 3);
  EXPECT_EQ(json["rulesets"][0]["lengths"].size(), 3U);

  Folder folder;
  std::string endless = kMini.substr(0, kMini.find("when no legal")) + kMini.substr(kMini.find("setup"));
  endless.replace(endless.find("move forward"), 12, "move all");
  ran = RunArbiter({"test", folder.Write("endless.rules", endless), "--soak", "2", "--max-turns", "50"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("has not ended after 50 turns"), std::string::npos) << ran.out << ran.err;
}

// The line that begins with `label`, its words behind that.
std::vector<std::string> Row(const std::string& out, const std::string& label) {
  for (const std::string& line : Lines(out)) {
    if (line.rfind("  " + label + "  ", 0) != 0) continue;
    std::istringstream words(line.substr(label.size() + 2));
    return {std::istream_iterator<std::string>(words), {}};
  }
  ADD_FAILURE() << "no row `" << label << "` in\n" << out;
  return {};
}

TEST(TestCommand, soak_tables_tell_what_was_played_and_shown) {
  Folder folder;
  // One man a side with two steps to go: White is there first, in every game.
  std::string text = kMini.substr(0, kMini.find("when no legal")) + kMini.substr(kMini.find("setup"));
  text = text.substr(0, text.find("example"));
  text += R"(
state { made[player] : 0..9 = 0   mood : { calm, wild } = calm }
when Man of p moves { made[p] += 1 }
when Man of White enters rank 3 { win White }
action jump { require not (a1 is empty) }
turn = any move or jump
show steps = made[White], ":", made[Black]
show less = made[White] - 3 if made[White] > 1
show never = made[Black] if made[White] > 5
show mood = mood
show where = "at ", (if made[White] > 1 then "last" else "first")
show early = "early" if made[White] == 0
)";
  std::string file = folder.Write("steps.rules", text);
  Ran ran = RunArbiter({"test", file, "--soak", "5", "--table"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  EXPECT_EQ(Row(ran.out, "go Man"), (std::vector<std::string>{"15", "5"})) << ran.out;
  EXPECT_EQ(Row(ran.out, "jump"), (std::vector<std::string>{"0", "0"})) << ran.out;
  using Words = std::vector<std::string>;
  EXPECT_EQ(Row(ran.out, "steps: made[White]"), (Words{"5", "2", "2", "2.00", "2", "10", "5"})) << ran.out;
  EXPECT_EQ(Row(ran.out, "steps: made[Black]"), (Words{"5", "1", "1", "1.00", "1", "5", "5"})) << ran.out;
  EXPECT_EQ(Row(ran.out, "less"), (Words{"5", "-1", "-1", "-1.00", "-1", "-5", "5"})) << ran.out;
  EXPECT_EQ(Row(ran.out, "never"), (Words{"0"})) << ran.out;
  for (const char* part : {"mood at the end\n         5  calm\n", "where at the end\n         5  at last\n",
                           "early at the end\n         5  (not shown)\n"}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << ran.out;
  }
  EXPECT_NE(ran.err.find("games/s"), std::string::npos) << ran.err;
  EXPECT_EQ(RunArbiter({"test", file, "--soak", "5", "--table"}).out, ran.out) << "the clock is not in it";
  EXPECT_EQ(RunArbiter({"test", file, "--soak", "5", "--table", "--evaluator", "oracle"}).out, ran.out);
  EXPECT_EQ(RunArbiter({"test", file, "--soak", "5"}).out.find("steps:"), std::string::npos) << "only if asked for";

  Json json = ParseJson(RunArbiter({"test", file, "--soak", "5", "--format", "json"}))["rulesets"][0];
  EXPECT_GE(json["cpu_seconds"], 0.0);
  EXPECT_EQ(json["played"], Json::parse(R"([{"names": ["go"], "piece": "Man", "times": 15, "games": 5}])"));
  EXPECT_EQ(json["shown_at_end"]["numbers"][0],
            Json::parse(R"({"label": "steps: made[White]", "games": 5, "least": 2, "median": 2, "mean": 2.0, "most": 2,
                            "sum": 10, "changed": 5})"));
  EXPECT_EQ(json["shown_at_end"]["texts"][2], Json::parse(R"({"label": "early", "left_out": 5, "counts": []})"));
}

TEST(TestCommand, soak_tables_list_twelve_texts_at_most) {
  Folder folder;
  std::string text = kMini.substr(0, kMini.find("when no legal"));
  text.replace(text.find("squares 2 x 3"), 13, "squares 5 x 5");
  text.replace(text.find("move forward"), 12, "move all");
  text +=
      "piece King \"K\" { move all }\nlimit turns 30\nshow where = (reach(King of White, all) - {a1})\n"
      "setup to move White \"\"\"\n"
      "  . . . . k\n  . . . . .\n  . . . . .\n  . . . . .\n  K . . . .\n\"\"\"\n";
  Ran ran = RunArbiter({"test", folder.Write("kings.rules", text), "--soak", "60", "--table", "--seed", "2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  std::vector<std::string> lines = Lines(ran.out);
  auto head = std::find(lines.begin(), lines.end(), "  where at the end");
  ASSERT_EQ(std::distance(head, lines.end()), 13) << ran.out;
  EXPECT_NE(lines.back().find(" others"), std::string::npos) << ran.out;
  int sum = 0;
  for (auto line = head + 1; line != lines.end(); ++line) sum += std::stoi(*line);
  EXPECT_EQ(sum, 60) << ran.out;
}

TEST(TextCommand, tells_what_random_games_exercise) {
  Folder folder;
  folder.Write("mini.md",
               "**1** Men step ahead.\n\n**2** Men step back.\n\n**3** Men leap.\n\n**4** Men sing.\n\n"
               "**5** (commentary) Good men.\n");
  std::string text = kMini.substr(0, kMini.find("example"));
  text.insert(text.find("players"), "text \"mini.md\"\noption retreat : bool = false\n");
  text.replace(text.find("{ move forward }"), 16, "{\n  move forward  §1\n  move backward if retreat  §2\n}");
  text +=
      "example \"men go back\" §2 §4 with retreat = true { setup  count moves = 1 }\n"
      "example \"leaps\" §3 { setup  count moves = 1 }\n";
  std::string file = folder.Write("mini.rules", text);
  Ran ran = RunArbiter({"text", file, "--soak", "6", "--seed", "4"});
  EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  for (const char* part : {"§1  Men step ahead.\n    piece Man  mini.rules:6  in 6 of 6 games\n",
                           "    piece Man  mini.rules:6  in 0 of 6 games\n    example \"men go back\"",
                           "6 random games (6 ended) exercised 1 of 4 clauses to formalise\n"
                           "  not exercised: §2  example \"men go back\"\n"
                           "  cited by no declaration: §3  example \"leaps\"\n"
                           "  cited by no declaration: §4  example \"men go back\"\n"
                           "  without effect: option retreat  mini.rules:3\n"}) {
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << ran.out;
  }
  EXPECT_EQ(RunArbiter({"text", file, "--soak", "6", "--seed", "4"}).out, ran.out);
  EXPECT_EQ(RunArbiter({"text", file, "--soak", "6", "--strict"}).exit_code, 1);
  EXPECT_NE(RunArbiter({"text", file, "--soak"}).out.find("20 random games"), std::string::npos);
  Ran with = RunArbiter({"text", file, "--soak", "40", "--option", "retreat=true", "--max-turns", "20"});
  EXPECT_NE(with.out.find("exercised 2 of 4"), std::string::npos) << with.out;

  Json json = ParseJson(RunArbiter({"text", file, "--soak", "6", "--seed", "4", "--format", "json"}));
  EXPECT_EQ(json["games"], 6);
  EXPECT_EQ(json["exercised"], 1);
  EXPECT_EQ(json["clauses"][0]["games"], 6);
  EXPECT_EQ(json["clauses"][1]["declarations"][0]["games"], 0);
  EXPECT_EQ(json["clauses"][4]["to_formalise"], false);
  EXPECT_EQ(json["declarations"][0]["name"], "retreat");
  EXPECT_EQ(json["declarations"][0]["games"], 0);
  EXPECT_EQ(json["declarations"][1]["name"], "Man");
  EXPECT_EQ(json["declarations"][1]["games"], 6);
}

TEST(TextCommand, every_clause_of_our_rule_texts_is_covered) {
  for (const char* name : {"chess", "rollerball"}) {
    Ran ran = RunArbiter({"text", name, "--strict"});
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    Json json = ParseJson(RunArbiter({"text", name, "--format", "json"}));
    EXPECT_GT(json["rules_in_text"], 10);
    EXPECT_EQ(json["not_covered"], 0);
    EXPECT_EQ(json["without_example"], 0) << name << ": at least one example cites every clause";
  }
}

TEST(TextCommand, says_not_covered) {
  Folder folder;
  folder.Write("mini.md", "§1 A man walks forward.\n\n§2 He never walks back.\n");
  std::string text = kMini;
  text.replace(text.find("players"), 0, "text \"mini.md\"\n");
  text.replace(text.find("move forward }"), 14, "move forward §1 }");
  std::string file = folder.Write("mini.rules", text);
  Ran ran = RunArbiter({"text", file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("§2  He never walks back.\n    not covered\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("piece Man"), std::string::npos) << ran.out;
  EXPECT_EQ(RunArbiter({"text", file, "--strict"}).exit_code, 1);
  EXPECT_EQ(RunArbiter({"text", folder.Write("other.rules", kMini)}).exit_code, 1) << "no rule text named";
}

// ---- moves, perft, show -------------------------------------------------------------------------

TEST(MovesCommand, lists_uci_moves_sorted) {
  Ran ran = RunArbiter({"moves", "chess", "--uci"});
  auto lines = Lines(ran.out);
  EXPECT_EQ(lines.size(), 20U);
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
  EXPECT_EQ(lines.front(), "a2a3");
  EXPECT_EQ(RunArbiter({"moves", "chess", "--uci", "--evaluator", "oracle"}).out, ran.out);
}

TEST(MovesCommand, of_one_cell) {
  auto lines = Lines(RunArbiter({"moves", "chess", "--uci", "--of", "g1"}).out);
  EXPECT_EQ(lines, (std::vector<std::string>{"g1f3", "g1h3"}));
}

TEST(MovesCommand, reads_the_customary_fen) {
  auto lines = Lines(RunArbiter({"moves", "chess", "--uci", "--position",
                                 "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"})
                         .out);
  EXPECT_EQ(lines.size(), 48U);
}

// The position that `moves` prints is fed back; the answer must be the same, byte by byte.
TEST(MovesCommand, what_it_prints_can_be_fed_back) {
  for (const char* name : {"chess", "rollerball"}) {
    std::string position;
    for (int ply = 0; ply < 12; ++ply) {
      std::vector<std::string> arguments = {"moves", name, "--format", "json"};
      if (!position.empty()) arguments.insert(arguments.end(), {"--position", position});
      Ran first = RunArbiter(arguments);
      Json json = ParseJson(first);
      std::string printed = json["position"];
      Ran second = RunArbiter({"moves", name, "--format", "json", "--position", printed});
      EXPECT_EQ(first.out, second.out) << name << " " << printed;
      Ran text = RunArbiter({"moves", name, "--position", printed});
      EXPECT_EQ(text.out.rfind("position  " + printed + "\n", 0), 0U) << text.out;
      if (json["moves"].empty()) break;
      // One more move, by a person's hand: the saved position of `play`.
      std::string move = json["moves"][static_cast<std::size_t>(ply * 7) % json["moves"].size()]["text"];
      RunOptions options;
      options.input = move + "\nposition\nquit\n";
      Ran play = RunArbiter({"play", name, "--white", "person", "--black", "person", "--position", printed}, options);
      auto lines = Lines(play.out);
      auto found = std::find_if(lines.rbegin(), lines.rend(),
                                [](const std::string& l) { return l.rfind("position  ", 0) == 0; });
      ASSERT_NE(found, lines.rend()) << play.out << play.err;
      position = found->substr(10);
    }
  }
}

TEST(PerftCommand, counts_one_line_a_depth) {
  Ran ran = RunArbiter({"perft", "chess", "3"});
  EXPECT_EQ(ran.out, "1 20\n2 400\n3 8902\n");
  EXPECT_NE(ran.err.find("nodes/s"), std::string::npos);
  EXPECT_EQ(RunArbiter({"perft", "chess", "3", "--no-bulk"}).out, ran.out);
  EXPECT_EQ(RunArbiter({"perft", "chess", "2", "--evaluator", "oracle"}).out, "1 20\n2 400\n");
  EXPECT_EQ(RunArbiter({"perft", "chess", "2", "--actions"}).out, "1 20\n2 400\n");
  EXPECT_EQ(RunArbiter({"perft", "chess", "0"}).out, "0 1\n");
}

TEST(PerftCommand, threads_change_nothing_but_the_time) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"perft", "chess", "3"},
                                                    {"perft", "gravitatur", "1", "--actions"},
                                                    {"perft", "shakhbol", "3", "--divide"}}) {
    std::vector<std::string> with = arguments;
    with.insert(with.end(), {"--threads", "3"});
    EXPECT_EQ(RunArbiter(with).out, RunArbiter(arguments).out) << arguments[1];
  }
  Json one = ParseJson(RunArbiter({"perft", "chess", "3", "--divide", "--format", "json"}));
  Json two = ParseJson(RunArbiter({"perft", "chess", "3", "--divide", "--format", "json", "--threads", "2"}));
  EXPECT_EQ(one["divide"], two["divide"]);
  EXPECT_EQ(one["counts"][0]["count"], two["counts"][0]["count"]);
}

TEST(PerftCommand, divides) {
  Json json = ParseJson(RunArbiter({"perft", "rollerball", "3", "--divide", "--format", "json"}));
  int64_t sum = 0;
  for (const auto& [move, count] : json["divide"].items()) sum += count.get<int64_t>();
  EXPECT_EQ(sum, 476);
  EXPECT_EQ(json["counts"][0]["count"], 476);
  auto lines = Lines(RunArbiter({"perft", "rollerball", "3", "--divide"}).out);
  EXPECT_EQ(lines.back(), "3 476");
  EXPECT_EQ(lines.size(), 7U + 2U);
}

TEST(PerftCommand, options_change_the_count) {
  EXPECT_EQ(RunArbiter({"perft", "rollerball", "3"}).out, "1 7\n2 49\n3 476\n");
  EXPECT_EQ(RunArbiter({"perft", "rollerball", "3", "--option", "side_slides=any"}).out, "1 7\n2 49\n3 507\n");
  EXPECT_EQ(RunArbiter({"perft", "rollerball", "3", "--option", "side_slides=most"}).exit_code, 2);
  EXPECT_EQ(RunArbiter({"perft", "rollerball", "3", "-o", "sideslides=any"}).exit_code, 2);
}

TEST(BenchCommand, measures_every_ruleset) {
  Json rulesets = ParseJson(RunArbiter({"rules", "--format", "json"}))["rulesets"];
  for (const Json& ruleset : rulesets) {
    const std::string name = ruleset["name"];
    Ran ran = RunArbiter({"bench", name, "--seconds", "0.01", "--format", "json"});
    ASSERT_EQ(ran.exit_code, 0) << name << ran.err;
    Json json = ParseJson(ran);
    EXPECT_EQ(json["threads"], 1);
    for (const char* part : {"perft", "perft_every_leaf", "perft_actions"}) {
      const std::string depth = std::to_string(json[part]["depth"].get<int>());
      std::vector<std::string> arguments = {"perft", name, depth};
      if (std::string(part) == "perft_actions") arguments.push_back("--actions");
      EXPECT_EQ(Lines(RunArbiter(arguments).out).back(), depth + " " + json[part]["count"].dump()) << name << part;
    }
    EXPECT_GT(json["random_games"]["games"], 0) << name;
    EXPECT_GE(json["random_games"]["actions"], json["random_games"]["turns"]) << name;
    EXPECT_GT(json["bytes"]["position"], 100) << name;
    EXPECT_GE(json["text_to_program"]["runs"], 3) << name;
    EXPECT_GE(json["text_to_program"]["median"]["seconds"], json["text_to_program"]["best"]["seconds"]) << name;
  }
}

TEST(BenchCommand, tells_a_line_for_each_thing) {
  Ran ran = RunArbiter({"bench", "chess", "--seconds", "0.01", "--threads", "2", "--after", "e2-e4"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  auto lines = Lines(ran.out);
  const char* begins[] = {
      "position  ",     "threads  ",      "perft  ",   "perft, every leaf made  ", "perft of actions, made  ",
      "random games  ", "one position  ", "program  ", "text to program  "};
  ASSERT_EQ(lines.size(), std::size(begins)) << ran.out;
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i].rfind(begins[i], 0), 0U) << lines[i];
  EXPECT_NE(lines[0].find(" b KQkq"), std::string::npos) << "after White's move: " << lines[0];
  EXPECT_NE(lines[2].find("by the clock"), std::string::npos) << lines[2];
}

TEST(BenchCommand, a_game_that_has_ended_has_nothing_to_count) {
  Folder folder;
  std::string file = folder.Write("mini.rules", kMini);
  Ran ran = RunArbiter({"bench", file, "--seconds", "0.01", "--position", "M1/2/2 b", "--format", "json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ParseJson(ran)["perft"]["count"], 0);
  EXPECT_EQ(ParseJson(ran)["random_games"]["turns"], 0);
}

TEST(BenchCommand, a_fault_is_a_problem) {
  Folder folder;
  std::string file = folder.Write("faulty.rules", kMini + "state { told : 0..1 = 0 }\nwhen turn ends { told += 1 }\n");
  Ran ran = RunArbiter({"bench", file, "--seconds", "0.01"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("rule-out-of-range"), std::string::npos) << ran.err;
  EXPECT_TRUE(ran.out.empty()) << ran.out;
}

TEST(ShowCommand, draws_text_json_and_pictures) {
  Ran ran = RunArbiter({"show", "rollerball"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("position  "), std::string::npos);
  Json json = ParseJson(RunArbiter({"show", "rollerball", "--format", "json"}));
  EXPECT_EQ(json["pieces"].size(), 12U);
  Folder folder;
  std::string file = folder.path() + "/board.svg";
  EXPECT_EQ(RunArbiter({"show", "rollerball", "--svg", file}).exit_code, 0);
  EXPECT_NE(folder.Read("board.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(RunArbiter({"show", "rollerball", "--svg", "-"}).out, folder.Read("board.svg"));
  std::filesystem::create_symlink("later.svg", folder.path() + "/link.svg");
  EXPECT_EQ(RunArbiter({"show", "rollerball", "--svg", folder.path() + "/link.svg"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() + "/link.svg"));
  EXPECT_EQ(folder.Read("later.svg"), folder.Read("board.svg"));
  EXPECT_EQ(RunArbiter({"show", "rollerball", "--svg", "/no/such/folder/board.svg"}).exit_code, 1);
}

// ---- what a rule file shows -----------------------------------------------------------------------

const std::string kShows = R"(
state { gone[player] : 0..9 = 0   clock turns : 0..9 = 0 }
when turn ends { gone[me] += 1   turns += 1 }
zone top[White] = rank 3   zone top[Black] = rank 1
show steps = gone[White], "-", gone[Black]
show turn_number = turns + 1
show men = own pieces if turns > 0
show zones top
)";

TEST(ShownLines, stand_in_every_answer) {
  Folder folder;
  std::string file = folder.Write("shows.rules", kMini + kShows);
  EXPECT_EQ(RunArbiter({"check", file, "--strict"}).exit_code, 0);
  EXPECT_EQ(RunArbiter({"fmt", "--check", file}).exit_code, 0) << RunArbiter({"fmt", "--stdout", file}).out;
  Ran show = RunArbiter({"show", file});
  EXPECT_NE(show.out.find("White to move\nsteps 0-0   turn number 1\n"), std::string::npos) << show.out;
  const std::string later = "m1/1M/2 b gone[White]=1 turns=1";
  const Json told = {{"steps", "1-0"}, {"turn number", "2"}, {"men", "ma3"}};
  EXPECT_EQ(ParseJson(RunArbiter({"show", file, "--position", later, "--format", "json"}))["shown"], told);
  Ran moves = RunArbiter({"moves", file, "--position", later, "--format", "json"});
  EXPECT_EQ(ParseJson(moves)["shown"], told);
  EXPECT_LT(moves.out.find("\"steps\""), moves.out.find("\"turn number\"")) << "in file order";
  EXPECT_EQ(RunArbiter({"moves", file, "--position", later, "--format", "json", "--evaluator", "oracle"}).out,
            moves.out);
  std::string svg = RunArbiter({"show", file, "--position", later, "--svg", "-"}).out;
  EXPECT_NE(svg.find(">steps 1-0</text>"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">top[White]</text>"), std::string::npos) << svg;
  EXPECT_NE(RunArbiter({"rules", file}).out.find("  shows    steps, turn number, men\n"), std::string::npos);
  EXPECT_EQ(ParseJson(RunArbiter({"rules", file, "--format", "json"}))["rulesets"][0]["shows"],
            (Json{"steps", "turn number", "men"}));
  EXPECT_EQ(ParseJson(RunArbiter({"show", "chess", "--format", "json"}))["shown"], Json::object());
}

TEST(ShownLines, are_changed_like_other_declarations) {
  Folder folder;
  folder.Write("shows.rules", kMini + kShows);
  std::string file = folder.Write("variant.rules",
                                  "extends \"shows.rules\"\nreplace show steps = \"unknown\"\ndelete show men\n"
                                  "zone bottom = rank 1\nshow zones bottom\n");
  Ran show = RunArbiter({"show", file, "--position", "m1/1M/2 b turns=1"});
  EXPECT_NE(show.out.find("Black to move\nsteps unknown   turn number 2\n"), std::string::npos) << show.out << show.err;
  std::string svg = RunArbiter({"show", file, "--svg", "-"}).out;
  EXPECT_NE(svg.find(">top[White]</text>"), std::string::npos) << "several `show zones` add up";
  EXPECT_NE(svg.find(">bottom</text>"), std::string::npos);
  folder.Write("variant.rules",
               "extends \"shows.rules\"\nzone bottom = rank 1\nreplace show zones bottom\ndelete show turn_number\n");
  svg = RunArbiter({"show", file, "--svg", "-"}).out;
  EXPECT_EQ(svg.find(">top[White]</text>"), std::string::npos);
  EXPECT_NE(svg.find(">bottom</text>"), std::string::npos);
  EXPECT_EQ(svg.find("turn number"), std::string::npos);
  folder.Write("variant.rules", "extends \"shows.rules\"\ndelete show zones\n");
  svg = RunArbiter({"show", file, "--svg", "-"}).out;
  EXPECT_NE(svg.find(">top</text>"), std::string::npos) << "all zones, as without the statement";
}

TEST(ShownLines, are_comments_of_a_played_game) {
  Folder folder;
  std::string file = folder.Write("shows.rules", kMini + kShows);
  Ran ran = RunArbiter({"play", file, "--seed", "1"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "ruleset  " + file +
                "\n\n1.  b1-b2\n// steps 1-0\n1...  a3-a2\n// steps 1-1\n2.  b2-b3\n// steps 2-1\n2...  a2-a1\n"
                "// steps 2-2\n\n// steps 2-2   turn number 5   men Mb3\n\nresult   Black wins\n"
                "// Black wins (by `when no legal turn`), after 4 turns\n");
  std::string saved = folder.Write("shows.game", ran.out);
  Ran again = RunArbiter({"play", "--resume", saved});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, ran.out);
  Json json = ParseJson(RunArbiter({"play", file, "--seed", "1", "--format", "json"}));
  EXPECT_EQ(json["shown"]["steps"], "2-2");
  RunOptions options;
  options.input = "b1-b2\nquit\n";
  Ran person = RunArbiter({"play", file, "--white", "person", "--black", "person"}, options);
  EXPECT_NE(person.out.find("Black to move\nsteps 1-0   turn number 2   men ma3\n"), std::string::npos) << person.out;
}

// ---- graph, program, rules ----------------------------------------------------------------------

TEST(GraphCommand, writes_graphviz) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"graph", "rollerball", "board"},
                                                    {"graph", "chess", "turn"},
                                                    {"graph", "rollerball", "walk", "off_ring"}}) {
    Ran ran = RunArbiter(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out.rfind("digraph", 0), 0U) << ran.out.substr(0, 80);
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '{'), std::count(ran.out.begin(), ran.out.end(), '}'));
  }
}

TEST(ProgramCommand, lists_what_was_compiled) {
  Ran ran = RunArbiter({"program", "rollerball"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_GT(Lines(ran.out).size(), 10U);
  EXPECT_GT(ParseJson(RunArbiter({"program", "rollerball", "--format", "json"}))["program"].size(), 10U);
  EXPECT_EQ(RunArbiter({"program", "rollerball"}).out, ran.out);
}

TEST(RulesCommand, lists_rulesets_and_options) {
  Json json = ParseJson(RunArbiter({"rules", "--format", "json"}));
  std::vector<std::string> names;
  for (const Json& ruleset : json["rulesets"]) names.push_back(ruleset["name"]);
  EXPECT_NE(std::find(names.begin(), names.end(), "chess"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "rollerball"), names.end());
  Ran ran = RunArbiter({"rules", "rollerball"});
  EXPECT_NE(ran.out.find("option   side_slides : { with_traffic, any } = with_traffic"), std::string::npos) << ran.out;
}

// ---- play ---------------------------------------------------------------------------------------

TEST(PlayCommand, without_a_terminal_plays_a_random_game) {
  Ran ran = RunArbiter({"play", "rollerball", "--seed", "7"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out.rfind("ruleset  rollerball\n", 0), 0U) << ran.out;
  EXPECT_NE(ran.out.find("\nresult   "), std::string::npos);
  EXPECT_EQ(RunArbiter({"play", "rollerball", "--seed", "7"}).out, ran.out);
  EXPECT_NE(RunArbiter({"play", "rollerball", "--seed", "8"}).out, ran.out);
  EXPECT_EQ(RunArbiter({"play", "rollerball", "--seed", "7", "--evaluator", "oracle", "--max-turns", "20"}).out,
            RunArbiter({"play", "rollerball", "--seed", "7", "--max-turns", "20"}).out);
  // What it prints is a saved game.
  Folder folder;
  std::string file = folder.Write("r.game", ran.out);
  Ran resumed = RunArbiter({"play", "--resume", file});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, ran.out);
  Json json = ParseJson(RunArbiter({"play", "rollerball", "--seed", "7", "--format", "json"}));
  EXPECT_EQ(json["turns"].get<std::size_t>(), json["moves"].size());
}

TEST(PlayCommand, a_person_plays_line_by_line) {
  Folder folder;
  std::string saved = folder.path() + "/half.game";
  RunOptions options;
  options.input =
      "help\n"
      "e2\n"  // hints
      "moves\n"
      "e9-e4\n"  // refused
      "e2-e4\n"
      "e7e5\n"  // another spelling
      "undo\n"
      "c7-c5\n"
      "d2-d4\n"
      "back\n"  // before c7-c5
      "c7-c6\n"
      "1\n"  // by number
      "save " +
      saved +
      "\n"
      "quit\n";
  Ran ran = RunArbiter({"play", "chess", "--white", "person", "--black", "person"}, options);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("e2-e3"), std::string::npos);
  EXPECT_NE(ran.out.find("e9-e4"), std::string::npos) << "the refused move is named";
  std::string game = folder.Read("half.game");
  EXPECT_NE(game.find("1.  e2-e4  c7-c6\n2.  b1-a3\n"), std::string::npos) << game;
  EXPECT_NE(game.find("result   unfinished"), std::string::npos) << game;

  options.input = "d7-d5\nquit\n";
  ran = RunArbiter({"play", "--resume", saved, "--white", "person", "--black", "person", "--save", saved}, options);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(folder.Read("half.game").find("2.  b1-a3  d7-d5\n"), std::string::npos) << folder.Read("half.game");
}

TEST(PlayCommand, a_person_meets_a_random_player) {
  RunOptions options;
  options.input = "e2-e4\nrandom\n";  // then the input ends
  Ran ran = RunArbiter({"play", "chess", "--white", "person", "--seed", "3"}, options);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("White plays e2-e4"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Black plays "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("left unfinished, after 4 turns"), std::string::npos) << ran.out;
}

TEST(PlayCommand, plays_to_the_end_and_says_who_won) {
  RunOptions options;
  options.input = "f2-f3\ne7-e5\ng2-g4\nd8-h4\n";
  Ran ran = RunArbiter({"play", "chess", "--white", "person", "--black", "person"}, options);
  EXPECT_NE(ran.out.find("Black wins"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace arbiter::cli
