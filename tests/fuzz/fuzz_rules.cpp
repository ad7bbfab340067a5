// fuzz_rules: random rule files played by both evaluators, as long as you like.
//
//     fuzz_rules --first 1 --last 2000          these seeds
//     fuzz_rules --seconds 600                  as many as fit
//     fuzz_rules --print --first 7              the rule file of a seed, and no more
//     fuzz_rules --file FILE --first 7 --last 7 a file that is there, with the games of that seed
//
// Exit codes: 0 nothing was found, 1 the evaluators differ, 2 the command line was wrong.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "fuzz/campaign.h"
#include "fuzz/rule_file.h"

int main(int argc, char** argv) {
  arbiter::fuzz::Orders orders;
  bool print = false, no_shrink = false;
  CLI::App app{"Random rule files played by both evaluators."};
  app.add_option("--first", orders.first, "the first seed");
  app.add_option("--last", orders.last, "the last seed");
  app.add_option("--seconds", orders.seconds, "go on from the first seed for so long instead");
  app.add_option("--file", orders.file, "this rule file instead of random ones")->check(CLI::ExistingFile);
  app.add_option("--out", orders.folder, "folder for what is found");
  app.add_option("--budget", orders.budget.seconds, "seconds for the games of one file");
  app.add_option("--games", orders.budget.games, "games of one file");
  app.add_option("--failures", orders.most_failures, "end after so many files with a difference");
  app.add_flag("--no-shrink", no_shrink, "leave the file as it is");
  app.add_flag("--print", print, "write the file of the first seed and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (print) {
    std::fputs(arbiter::fuzz::MakeRuleFile(orders.first).c_str(), stdout);
    return 0;
  }
  orders.shrinks = !no_shrink;
  orders.command = argv[0];
  return arbiter::fuzz::Run(orders, stdout).failures.empty() ? 0 : 1;
}
