// Chances from a seed: the same on every machine (the distributions of the standard library are not).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace arbiter::fuzz {

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  // 0 .. n-1
  int Below(int n) { return n <= 1 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool OneIn(int n) { return Below(n) == 0; }
  bool Percent(int n) { return Below(100) < n; }
  template <class T>
  const T& Pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(Below(static_cast<int>(list.size())))];
  }
  std::string Word(const std::vector<std::string>& list) { return Pick(list); }

 private:
  std::mt19937_64 random_;
};

}  // namespace arbiter::fuzz
