// Numbers to multiply with, so that the highest bits of the product tell apart what differs. Private to compile/.
#pragma once

#include <cstdint>
#include <vector>

namespace arbiter::compile {

struct Magic {
  uint64_t multiplier[4] = {0, 0, 0, 0};
  int shift = 63;
  std::vector<uint64_t> table;  // laid out for this index; entries that no occupancy leads to are zero
};

// Numbers with few bits, the same ones in every run.
class SparseNumbers {
 public:
  uint64_t At(std::size_t index);

 private:
  uint64_t Next();
  uint64_t state_ = 1;
  std::vector<uint64_t> made_;
};

// `cells`: the relevant ones, at least one and at most 20, ascending. `table`: what is looked up, `words` words an
// entry, by the index that has bit i where cells[i] is occupied. The table is empty if none was found, which is rare.
// Same input, same output: `numbers` only keeps what every search begins with.
//
// By trial, as the chess programs do it (sparse random numbers; entries that are equal may share an index). The sets
// are gone through so that each differs from the one before by one cell: its product is one addition away.
Magic FindMagic(const std::vector<int>& cells, const std::vector<uint64_t>& table, int words, SparseNumbers* numbers);

}  // namespace arbiter::compile
