// From the occupied cells to the place in a table. Private to engine/.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/bits.h"
#include "program/program.h"

namespace arbiter::engine {

// Portable: the bits of `set` under `mask`, pushed together.
template <class Extract, int W>
struct LookupEntry;
struct LoopIndex {
  template <int W>
  using Entry = LookupEntry<LoopIndex, W>;
  static uint64_t Of(uint64_t set, uint64_t mask) {
    uint64_t index = 0;
    for (uint64_t bit = 1; mask != 0; bit += bit, mask &= mask - 1) {
      if ((set & mask & -mask) != 0) index |= bit;
    }
    return index;
  }
};

// What a look-up needs, and nothing else: the relevant cells and where the table begins.
template <class Extract, int W>
struct LookupEntry {
  const uint64_t* table = nullptr;
  Bits<W> mask;
  LookupEntry() = default;
  LookupEntry(const program::Group& group, const uint64_t* tables)
      : table(tables + group.table), mask(Bits<W>::From(group.mask)) {}
  [[nodiscard]] Bits<W> Ends(const Bits<W>& occupied) const {
    uint64_t index = Extract::Of(occupied.w[0], mask.w[0]);
    if constexpr (W > 1) {
      int shift = std::popcount(mask.w[0]);
      for (int i = 1; i < W; ++i) {
        index |= Extract::Of(occupied.w[i], mask.w[i]) << shift;
        shift += std::popcount(mask.w[i]);
      }
    }
    return Bits<W>::From(table + index * W);
  }
};

}  // namespace arbiter::engine
