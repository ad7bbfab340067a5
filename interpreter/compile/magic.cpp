// The search for multipliers.
#include "compile/magic.h"

#include <algorithm>
#include <bit>

#include "program/program.h"
#include "rules/snapshot.h"

namespace arbiter::compile {
namespace {

constexpr int kTries = 1000;  // with one size of the table; then it is doubled
constexpr int kMaxDoublings = 4;

class Search {
 public:
  Search(const std::vector<int>& cells, const std::vector<uint64_t>& table, int words, SparseNumbers* numbers)
      : cells_(cells),
        table_(table),
        words_(static_cast<std::size_t>(words)),
        numbers_(*numbers),
        product_(cells.size()) {}

  Magic Find() {
    Magic magic;
    std::size_t number = 0;
    const int most = static_cast<int>(cells_.size()) + kMaxDoublings;
    for (int bits = static_cast<int>(cells_.size()); bits <= most; ++bits) {
      magic.shift = 64 - bits;
      place_.assign(std::size_t{1} << bits, Place{});
      for (int attempt = 1; attempt <= kTries; ++attempt) {
        for (std::size_t w = 0; w < words_; ++w) magic.multiplier[w] = numbers_.At(number++);
        for (std::size_t i = 0; i < cells_.size(); ++i) {
          product_[i] = static_cast<program::Product>(magic.multiplier[cells_[i] >> 6]) << (cells_[i] & 63);
        }
        if (!TellsApart(magic.shift, attempt)) continue;
        LayOut(attempt, &magic.table);
        return magic;
      }
    }
    return Magic{};
  }

 private:
  // Who has an index in the present attempt.
  struct Place {
    int attempt = 0;
    uint32_t entry = 0;
  };

  const uint64_t* Entry(uint32_t entry) const { return table_.data() + entry * words_; }

  bool Same(const uint64_t* a, const uint64_t* b) const {
    for (std::size_t w = 0; w < words_; ++w) {
      if (a[w] != b[w]) return false;
    }
    return true;
  }

  bool TellsApart(int shift, int attempt) {
    program::Product product = 0;
    uint32_t entry = 0;
    const uint32_t count = uint32_t{1} << cells_.size();
    for (uint32_t i = 1;; ++i) {
      Place& place = place_[program::Folded(product) >> shift];
      if (place.attempt != attempt) {
        place = {attempt, entry};
      } else if (!Same(Entry(entry), Entry(place.entry))) {
        return false;
      }
      if (i == count) return true;
      const int cell = std::countr_zero(i);
      const uint32_t bit = uint32_t{1} << cell;
      const program::Product change = product_[static_cast<std::size_t>(cell)];
      product += (entry & bit) != 0 ? program::Product{0} - change : change;
      entry ^= bit;
    }
  }

  void LayOut(int attempt, std::vector<uint64_t>* out) const {
    out->assign(place_.size() * words_, 0);
    for (std::size_t i = 0; i < place_.size(); ++i) {
      if (place_[i].attempt != attempt) continue;
      std::copy_n(Entry(place_[i].entry), words_, out->begin() + static_cast<std::ptrdiff_t>(i * words_));
    }
  }

  const std::vector<int>& cells_;
  const std::vector<uint64_t>& table_;
  std::size_t words_;
  SparseNumbers& numbers_;
  std::vector<program::Product> product_;  // by cell: what it adds
  std::vector<Place> place_;               // by index
};

}  // namespace

// The generator of Steele, Lea and Flood (SplitMix, 2014).
uint64_t SparseNumbers::Next() { return rules::Mix(state_ += 0x9E3779B97F4A7C15); }

uint64_t SparseNumbers::At(std::size_t index) {
  while (made_.size() <= index) made_.push_back(Next() & Next() & Next());
  return made_[index];
}

Magic FindMagic(const std::vector<int>& cells, const std::vector<uint64_t>& table, int words, SparseNumbers* numbers) {
  return Search(cells, table, words, numbers).Find();
}

}  // namespace arbiter::compile
