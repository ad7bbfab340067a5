// A small random source that gives the same numbers on every machine.
//
// splitmix64 (Steele, Lea, Flood 2014). Good enough to wander through games, not for secrets.
#pragma once

#include <cstdint>

#include "rules/snapshot.h"

namespace arbiter::validate {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() { return rules::Mix(state_ += 0x9e3779b97f4a7c15); }
  // 0 … count-1; count > 0. The bias is below count / 2^64.
  std::size_t Below(std::size_t count) { return static_cast<std::size_t>(Next() % count); }

 private:
  uint64_t state_;
};

}  // namespace arbiter::validate
