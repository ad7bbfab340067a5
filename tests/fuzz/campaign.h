// Many random rule files, one after the other; what was compared, and what differs, written down for a person.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "fuzz/judge.h"

namespace arbiter::fuzz {

struct Orders {
  uint64_t first = 1, last = 100;  // seeds
  double seconds = 0;              // of the clock on the wall; 0: all seeds up to `last`
  std::string file;                // instead of random files: this one, with the seeds as games
  std::string folder;              // for what is found; empty: a new temporary one
  std::string command = "fuzz_rules";
  bool shrinks = true;
  int most_failures = 1;  // then it ends
  Budget budget;
};

struct Failure {
  uint64_t seed = 0;
  std::string difference;
  std::string file;  // shrunk, if that was asked for
};

struct Report {
  int64_t files = 0, illegal = 0, slow = 0;
  int64_t direct = 0, flat = 0, guarded = 0, unguarded = 0, wide = 0,
          widest = 0;  // files with such a thing; more than 64, 128 cells
  int64_t positions = 0, moves = 0, counts = 0, faults = 0;
  std::map<std::string, int64_t> codes;    // of illegal files, by the first error
  std::map<std::string, int64_t> reasons;  // why they are not counted from sets
  std::vector<Failure> failures;
};

// Tells of what it finds, and at the end of what it compared, to `out`.
Report Run(const Orders& orders, std::FILE* out);

}  // namespace arbiter::fuzz
