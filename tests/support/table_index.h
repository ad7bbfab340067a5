// The ways to find a place in a table that can be tried on this processor.
#pragma once

#include <cstdint>
#include <vector>

#include "program/index.h"

namespace arbiter::testing_support {

inline std::vector<program::TableIndex> TableIndexes() {
  std::vector<program::TableIndex> all = {program::TableIndex::kMagic};
  if (program::CanExtract()) all.push_back(program::TableIndex::kExtract);
  return all;
}

// One of them, by turns.
inline program::TableIndex AnyTableIndex(uint64_t number) {
  const auto all = TableIndexes();
  return all[number % all.size()];
}

}  // namespace arbiter::testing_support
