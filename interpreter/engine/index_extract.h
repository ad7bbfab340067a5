// From the occupied cells to the ends in a table, by extraction of bits. Private to engine/.
//
// Only for files that are compiled for processors that have the instruction (machine_*_bmi.cpp).
#pragma once

#include <immintrin.h>

#include <bit>
#include <cstdint>

#include "engine/bits.h"
#include "program/program.h"

namespace arbiter::engine {

// Tables for program::TableIndex::kExtract.
struct ExtractIndex {
  template <int W>
  class Entry {
   public:
    Entry() = default;
    Entry(const program::Group& group, const uint64_t* tables)
        : table_(tables + group.table), mask_(Bits<W>::From(group.mask)) {}
    [[nodiscard, gnu::always_inline]] Bits<W> Ends(const Bits<W>& occupied) const {
      uint64_t index = _pext_u64(occupied.w[0], mask_.w[0]);
      if constexpr (W > 1) {
        int shift = std::popcount(mask_.w[0]);
        for (int i = 1; i < W; ++i) {
          index |= _pext_u64(occupied.w[i], mask_.w[i]) << shift;
          shift += std::popcount(mask_.w[i]);
        }
      }
      return Bits<W>::From(table_ + index * W);
    }

   private:
    const uint64_t* table_ = nullptr;
    Bits<W> mask_;
  };
};

}  // namespace arbiter::engine
