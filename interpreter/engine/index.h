// From the occupied cells to the ends in a table. Private to engine/.
//
// An index is a class with an `Entry<W>`: what one look-up needs, and nothing else. An entry made of an empty group
// gives the first words of `tables`, whatever is occupied. This is the one for every processor; the other stands in
// index_extract.h, for the files that are compiled for processors that have the instruction.
#pragma once

#include <cstdint>

#include "engine/bits.h"
#include "program/program.h"

namespace arbiter::engine {

// Tables for program::TableIndex::kMagic.
struct MagicIndex {
  template <int W>
  class Entry {
   public:
    Entry() = default;
    Entry(const program::Group& group, const uint64_t* tables)
        : table_(tables + group.table), mask_(Bits<W>::From(group.mask)), shift_(group.shift) {
      for (int i = 0; i < W; ++i) multiplier_[i] = group.multiplier[i];
    }
    [[nodiscard]] Bits<W> Ends(const Bits<W>& occupied) const {
      program::Product product = 0;
      for (int i = 0; i < W; ++i) product += static_cast<program::Product>(occupied.w[i] & mask_.w[i]) * multiplier_[i];
      return Bits<W>::From(table_ + (program::Folded(product) >> shift_) * W);
    }

   private:
    const uint64_t* table_ = nullptr;
    Bits<W> mask_;
    uint64_t multiplier_[W] = {};
    unsigned shift_ = 0;
  };
};

}  // namespace arbiter::engine
