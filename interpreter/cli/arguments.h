// The command line, read once into plain values. arguments.cpp alone knows the command-line library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"

namespace arbiter::cli {

struct Arguments {
  std::string command;             // "check"
  std::vector<std::string> files;  // rule files or short names
  Options options;                 // --option name=value
  bool json = false;               // --format json
  bool no_colour = false;

  // where to stand: at most one of them
  std::string position, setup, example;
  std::string after;  // moves played from there
  Evaluator evaluator = Evaluator::kEngine;

  bool strict = false;  // check: warnings count; text: clauses that nothing covers count
  bool check = false;   // fmt --check
  bool to_stdout = false;
  bool verbose = false;  // test
  std::string only;      // test --only
  int soak = 0;
  bool table = false;  // test --soak --table
  uint64_t seed = 1;
  bool seed_given = false;
  int max_turns = 0;  // 0: the command's own bound

  std::string of;  // moves --of
  bool uci = false;

  int depth = 0;
  bool divide = false, actions = false, no_bulk = false;
  int threads = 1;
  double seconds = 1;  // bench: of each measurement, about

  std::string svg;
  std::string graph;       // board, walk, turn
  std::string graph_name;  // of the walk

  std::vector<std::pair<std::string, std::string>> players;  // name, person | random
  std::string save, resume;
};

struct Parsed {
  std::optional<Arguments> arguments;
  std::string message;  // help, the version, or what is wrong
  int exit_code = 0;    // if there are no arguments
};

Parsed ParseArguments(int argc, const char* const* argv);

}  // namespace arbiter::cli
