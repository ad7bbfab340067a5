#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/output.h"
#include "diagnostics/diagnostic.h"

namespace arbiter::cli {

namespace {

constexpr const char* kVersion = "arbiter 0.1.0";
constexpr int kMaxThreads = 256;

constexpr const char* kFooter =
    "A ruleset is a rule file or the short name of a built-in one (`arbiter rules` lists them).\n"
    "\n"
    "Examples:\n"
    "  arbiter check my.rules                    find every mistake in a rule file\n"
    "  arbiter play GAME                         play against the machine\n"
    "  arbiter perft GAME 4 --divide             count the move sequences of four turns\n"
    "  arbiter moves GAME --of e2                what the piece on e2 can do\n"
    "\n"
    "Exit codes: 0 all is well, 1 a problem was found (a rule file that cannot be read is one), 2 the command\n"
    "line was wrong (no built-in ruleset, cell, set-up … of that name).\n"
    "`arbiter COMMAND --help` says more about a command.";

// GAME in an example becomes the name of a built-in ruleset, so that the example can be tried as it stands.
std::string WithGame(std::string text) {
  constexpr std::string_view kWord = "GAME";
  auto built_in = BuiltIn();
  if (built_in.empty()) return text;
  const std::string& name = built_in.front().first;
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + name.size())) {
    text.replace(at, kWord.size(), name);
  }
  return text;
}

// What the library needs to hold while it parses; turned into Arguments afterwards.
struct Raw {
  Arguments made;
  std::vector<std::string> options, players;
  std::string format = "text";
  std::string evaluator = "engine";
  std::string file;
};

class Builder {
 public:
  explicit Builder(Raw& raw) : raw_(raw) {}

  CLI::App& Add(CLI::App& app, const std::string& name, const std::string& what, const std::string& examples) {
    CLI::App* command = app.add_subcommand(name, what);
    command->footer("Examples:\n" + WithGame(examples));
    command->add_flag("--no-color,--no-colour", raw_.made.no_colour, "no colours, even on a terminal");
    return *command;
  }
  static CLI::Validator NotEmpty() {
    return CLI::Validator([](std::string& text) { return text.empty() ? "it must not be empty" : ""; }, "");
  }
  void File(CLI::App& c) {
    c.add_option("ruleset", raw_.file, "rule file or built-in name")->required()->check(NotEmpty());
  }
  void Files(CLI::App& c, bool required) {
    auto* option = c.add_option("rulesets", raw_.made.files, "rule files or built-in names")->check(NotEmpty());
    if (required) option->required();
  }
  void OptionValues(CLI::App& c) {
    c.add_option("--option,-o", raw_.options, "set an option of the rules: name=value (may be repeated)")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
  }
  void Format(CLI::App& c) {
    c.add_option("--format", raw_.format, "text, or json for programs")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("text|json");
  }
  void Place(CLI::App& c) {
    auto* position =
        c.add_option("--position,-p", raw_.made.position,
                     "a position, or a FEN: \"BOARD SIDE name=value ...\", as `moves` and `show` print it");
    auto* setup = c.add_option("--setup", raw_.made.setup, "a named set-up of the rule file");
    auto* example = c.add_option("--example", raw_.made.example, "the position of an example, by its title");
    position->excludes(setup)->excludes(example);
    setup->excludes(example);
    for (auto* option : {position, setup, example}) option->type_name("TEXT")->check(NotEmpty());
    c.add_option("--after", raw_.made.after, "moves to play first, with blanks between them: \"e2-e4 e7-e5\"")
        ->type_name("MOVES")
        ->check(NotEmpty());
  }
  void Evaluators(CLI::App& c) {
    c.add_option("--evaluator", raw_.evaluator, "the fast engine, or the slow reference evaluator")
        ->check(CLI::IsMember({"engine", "oracle"}))
        ->type_name("engine|oracle");
  }
  void Threads(CLI::App& c) {
    c.add_option("--threads", raw_.made.threads, "share the counting between so many threads of the engine (default 1)")
        ->check(CLI::Range(1, kMaxThreads))
        ->type_name("N");
  }
  CLI::Option* Seed(CLI::App& c) {
    return c
        .add_option_function<uint64_t>(
            "--seed",
            [this](const uint64_t& seed) {
              raw_.made.seed = seed;
              raw_.made.seed_given = true;
            },
            "for the random players: the same seed plays the same game")
        ->type_name("N");
  }

 private:
  Raw& raw_;
};

void AddRuleFileCommands(CLI::App& app, Raw& raw, Builder& b) {
  Arguments& a = raw.made;
  CLI::App& check = b.Add(app, "check", "find every mistake in rule files",
                          "  arbiter check my.rules\n  arbiter check my.rules --strict --format json");
  b.Files(check, true);
  b.OptionValues(check);
  b.Format(check);
  check.add_flag("--strict", a.strict, "warnings are problems too");

  CLI::App& fmt = b.Add(app, "fmt", "rewrite rule files in the usual layout",
                        "  arbiter fmt my.rules\n  arbiter fmt --check *.rules     changes nothing; 1 if something "
                        "would change\n  arbiter fmt - < my.rules         from standard input to standard output");
  b.Files(fmt, true);
  b.Format(fmt);
  auto* only_check = fmt.add_flag("--check", a.check, "only list what would change");
  fmt.add_flag("--stdout", a.to_stdout, "print instead of writing back")->excludes(only_check);

  CLI::App& test = b.Add(app, "test", "run the examples and recorded games of rule files",
                         "  arbiter test                    all built-in rulesets\n"
                         "  arbiter test my.rules           and the games in games/ beside it\n"
                         "  arbiter test GAME --soak 100   100 random games: do they end, and how?\n"
                         "  arbiter test GAME --soak 100 --table   and what was played, shown at the end");
  b.Files(test, false);
  b.OptionValues(test);
  b.Format(test);
  b.Evaluators(test);
  b.Seed(test);
  test.add_flag("--verbose,-v", a.verbose, "list what passed as well");
  test.add_option("--only", a.only, "only examples and games whose title contains this")->type_name("TEXT");
  auto* soak = test.add_option("--soak", a.soak, "play this many random games instead")
                   ->check(CLI::Range(1, 10000000))
                   ->type_name("N");
  test.add_flag("--table", a.table, "with --soak: what was played, and what the `show` lines told at the end")
      ->needs(soak);
  test.add_option("--max-turns", a.max_turns, "a random game longer than this does not end (default 2000)")
      ->check(CLI::Range(1, 10000000))
      ->type_name("N");

  CLI::App& text = b.Add(app, "text", "show which clauses of the rule text are formalised, and by what",
                         "  arbiter text GAME\n  arbiter text my.rules --strict    1 if a clause is not covered\n"
                         "  arbiter text GAME --soak 50       which clauses do random games exercise?");
  b.File(text);
  b.OptionValues(text);
  b.Format(text);
  text.add_flag("--strict", a.strict, "a clause that nothing covers, or no game exercises, is a problem");
  auto* exercise = text.add_option("--soak", a.soak, "play random games: which clauses do they exercise? (20 games)")
                       ->expected(0, 1)
                       ->default_str("20")
                       ->check(CLI::Range(1, 10000000))
                       ->type_name("[N]");
  b.Seed(text)->needs(exercise);
  text.add_option("--max-turns", a.max_turns, "a random game longer than this does not end (default 2000)")
      ->check(CLI::Range(1, 10000000))
      ->type_name("N")
      ->needs(exercise);

  CLI::App& rules = b.Add(app, "rules", "list the built-in rulesets with their options",
                          "  arbiter rules\n  arbiter rules GAME --format json");
  b.Files(rules, false);
  b.Format(rules);
}

void AddPositionCommands(CLI::App& app, Raw& raw, Builder& b) {
  Arguments& a = raw.made;
  CLI::App& moves = b.Add(app, "moves", "list the legal moves of a position",
                          "  arbiter moves GAME --of g1\n"
                          "  arbiter moves GAME --uci --position \"BOARD SIDE\"\n"
                          "  arbiter moves my.rules --example \"the tower turns the corner\"");
  b.File(moves);
  b.OptionValues(moves);
  b.Place(moves);
  b.Format(moves);
  b.Evaluators(moves);
  moves.add_option("--of", a.of, "only moves whose first choice is this cell")
      ->check(Builder::NotEmpty())
      ->type_name("CELL");
  moves.add_flag("--uci", a.uci, "one move a line, choices written together, sorted");

  CLI::App& perft = b.Add(app, "perft", "count the sequences of N turns",
                          "  arbiter perft GAME 5\n  arbiter perft GAME 4 --divide --option name=value\n"
                          "  arbiter perft GAME 6 --threads 2");
  b.File(perft);
  perft.add_option("depth", raw.made.depth, "how many turns")->required()->check(CLI::Range(0, 100))->type_name("N");
  b.OptionValues(perft);
  b.Place(perft);
  b.Format(perft);
  b.Evaluators(perft);
  perft.add_flag("--divide", a.divide, "the count behind each first move as well");
  perft.add_flag("--actions", a.actions, "count sequences of actions, not of turns");
  perft.add_flag("--no-bulk", a.no_bulk, "make every move, also at the last level");
  b.Threads(perft);

  CLI::App& bench = b.Add(app, "bench", "measure how fast a game runs, by processor time, and what it takes",
                          "  arbiter bench GAME\n  arbiter bench my.rules --seconds 5 --format json");
  b.File(bench);
  b.OptionValues(bench);
  b.Place(bench);
  b.Format(bench);
  b.Threads(bench);
  bench.add_option("--seconds", a.seconds, "about how long to measure each of five things (default 1)")
      ->check(CLI::Range(0.001, 1000.0))
      ->type_name("S");

  CLI::App& show = b.Add(app, "show", "show the board", "  arbiter show GAME\n  arbiter show GAME --svg board.svg");
  b.File(show);
  b.OptionValues(show);
  b.Place(show);
  b.Format(show);
  b.Evaluators(show);
  show.add_option("--svg", a.svg, "write a picture instead (`-`: to standard output)")->type_name("FILE");

  CLI::App& graph = b.Add(app, "graph", "write a graph for Graphviz",
                          "  arbiter graph GAME board | dot -Tsvg > board.svg\n"
                          "  arbiter graph GAME walk slide\n  arbiter graph my.rules turn");
  b.File(graph);
  graph.add_option("what", a.graph, "board, walk or turn")->required()->check(CLI::IsMember({"board", "walk", "turn"}));
  graph.add_option("name", a.graph_name, "the name of the walk");
  b.OptionValues(graph);

  CLI::App& program =
      b.Add(app, "program", "list what walks, attacks, laws, actions and turns were compiled to, and why",
            "  arbiter program GAME");
  b.File(program);
  b.OptionValues(program);
  b.Format(program);

  CLI::App& library = b.Add(app, "library", "print a file of the library that rule files use",
                            "  arbiter library            the names of the files\n  arbiter library std.walks");
  library.add_option("module", raw.file, "its name, as `use` writes it");
}

void AddPlay(CLI::App& app, Raw& raw, Builder& b) {
  Arguments& a = raw.made;
  CLI::App& play =
      b.Add(app, "play", "play a game",
            "  arbiter play GAME\n"
            "  arbiter play GAME --black person --white random      players are named as the rule file names them\n"
            "  arbiter play GAME --seed 7 < /dev/null          a random game, printed\n"
            "  arbiter play --resume my.game");
  play.add_option("ruleset", raw.file, "rule file or built-in name (not needed with --resume)");
  b.OptionValues(play);
  b.Place(play);
  b.Format(play);
  b.Evaluators(play);
  b.Seed(play);
  play.add_option("--player", raw.players, "who plays a side: NAME=person or NAME=random; short: --NAME person")
      ->type_name("NAME=WHO")
      ->allow_extra_args(false);
  play.add_option("--max-turns", a.max_turns, "stop after so many turns (default 1000)")
      ->check(CLI::Range(1, 10000000))
      ->type_name("N");
  play.add_option("--save", a.save, "write the game here when it stops")->type_name("FILE");
  play.add_option("--resume", a.resume, "go on with a saved game")->type_name("FILE");
}

std::vector<std::string> CommandNames(CLI::App& app) {
  std::vector<std::string> names;
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> FlagNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool SplitPairs(const std::vector<std::string>& words, const char* flag, Options* pairs, std::string* error) {
  for (const std::string& word : words) {
    std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      *error = std::string(flag) + " needs NAME=VALUE, not `" + word + "`";
      return false;
    }
    pairs->emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return true;
}

Parsed Wrong(const std::string& sentence) { return {std::nullopt, "arbiter: " + sentence + "\n", kExitUsage}; }

// `--white person`: the names of the players come from the rule file, which has not been read yet. So every
// option that `play` does not have is taken for a player; whoever reads the game says if there is none by that name.
std::vector<std::string> WithPlayers(const CLI::App& play, const std::vector<std::string>& words) {
  std::vector<std::string> known = FlagNames(play);
  known.push_back("--help");
  std::vector<std::string> made;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::size_t equals = words[i].find('=');
    std::string flag = words[i].substr(0, equals);
    bool unknown =
        flag.size() > 2 && flag.starts_with("--") && std::find(known.begin(), known.end(), flag) == known.end();
    if (!unknown) {
      made.push_back(words[i]);
      continue;
    }
    std::string who;
    if (equals != std::string::npos) {
      who = words[i].substr(equals + 1);
    } else if (i + 1 < words.size()) {
      who = words[++i];
    }
    made.push_back("--player");
    made.push_back(flag.substr(2) + "=" + who);
  }
  return made;
}

Parsed Take(CLI::App& app, Raw& raw) {
  Arguments& a = raw.made;
  CLI::App* command = app.get_subcommands().front();
  a.command = command->get_name();
  std::string error;
  if (!SplitPairs(raw.options, "--option", &a.options, &error)) return Wrong(error);
  if (!SplitPairs(raw.players, "--player", &a.players, &error)) return Wrong(error);
  if (!raw.file.empty()) a.files = {raw.file};
  a.json = raw.format == "json";
  a.evaluator = raw.evaluator == "oracle" ? Evaluator::kOracle : Evaluator::kEngine;
  if (a.command == "play" && a.files.empty() && a.resume.empty()) {
    return Wrong("`play` needs a ruleset: `arbiter rules` lists those that are built in");
  }
  if (a.threads > 1 && a.evaluator == Evaluator::kOracle) {
    return Wrong("`--threads` is for the engine: the reference evaluator counts on one thread");
  }
  if (a.command == "graph" && (a.graph == "walk") == a.graph_name.empty()) {
    return Wrong(a.graph == "walk" ? "`graph FILE walk` needs the name of a walk" : "only `walk` takes a name");
  }
  return {std::move(a), {}, 0};
}

// The library says "The following argument was not expected: --uic"; we know what is near.
std::string Explain(CLI::App& app, const CLI::Error& error, const std::vector<std::string>& words) {
  std::string sentence = error.what();
  CLI::App* command = nullptr;
  for (CLI::App* c : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!words.empty() && c->get_name() == words.front()) command = c;
  }
  if (command == nullptr) return sentence;
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    std::vector<std::string> known = FlagNames(*command);
    for (std::size_t i = 1; i < words.size(); ++i) {
      std::string flag = words[i].substr(0, words[i].find('='));
      if (!flag.starts_with("--") || std::find(known.begin(), known.end(), flag) != known.end()) continue;
      std::string near = diagnostics::Nearest(flag, known);
      sentence = "`" + command->get_name() + "` has no option `" + flag + "`";
      if (!near.empty()) sentence += ": did you mean `" + near + "`?";
      return sentence + " (`arbiter " + command->get_name() + " --help`)";
    }
    const std::vector<std::string> extras = command->remaining();
    if (!extras.empty()) sentence = "`" + extras.front() + "` is one word too many";
  }
  return sentence + " (`arbiter " + command->get_name() + " --help`)";
}

}  // namespace

Parsed ParseArguments(int argc, const char* const* argv) {
  Raw raw;
  CLI::App app("Arbiter checks, explains and plays board games described by rule files.", "arbiter");
  app.footer(WithGame(kFooter));
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  Builder builder(raw);
  AddRuleFileCommands(app, raw, builder);
  AddPositionCommands(app, raw, builder);
  AddPlay(app, raw, builder);

  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) return {std::nullopt, app.help(), kExitUsage};
  if (words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  std::vector<std::string> commands = CommandNames(app);
  if (!words.front().starts_with("-") && std::find(commands.begin(), commands.end(), words.front()) == commands.end()) {
    std::string near = diagnostics::Nearest(words.front(), commands);
    return Wrong("no command named `" + words.front() +
                 "`: " + (near.empty() ? "`arbiter --help` lists them" : "did you mean `" + near + "`?"));
  }
  if (words.front() == "play") words = WithPlayers(*app.get_subcommand("play"), words);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
  } catch (const CLI::CallForVersion&) {
    return {std::nullopt, std::string(kVersion) + "\n", kExitOk};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {std::nullopt, chosen.empty() ? app.help() : chosen.front()->help("arbiter"), kExitOk};
  } catch (const CLI::CallForAllHelp&) {
    return {std::nullopt, app.help("", CLI::AppFormatMode::All), kExitOk};
  } catch (const CLI::Error& error) {
    return Wrong(Explain(app, error, words));
  }
  return Take(app, raw);
}

}  // namespace arbiter::cli
