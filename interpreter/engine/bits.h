// Sets of cells of a fixed width: W words of 64 bits. Private to engine/.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/processor.h"

namespace arbiter::engine {
inline namespace ARBITER_ENGINE_PROCESSOR {

template <int W>
struct Bits {
  uint64_t w[W] = {};

  static Bits Of(int cell) {
    Bits b;
    b.Set(cell);
    return b;
  }
  static Bits From(const uint64_t* words) {
    Bits b;
    for (int i = 0; i < W; ++i) b.w[i] = words[i];
    return b;
  }
  [[nodiscard]] bool Test(int cell) const { return (w[W == 1 ? 0 : cell >> 6] >> (cell & 63)) & 1; }
  void Set(int cell) { w[W == 1 ? 0 : cell >> 6] |= uint64_t{1} << (cell & 63); }
  void Clear(int cell) { w[W == 1 ? 0 : cell >> 6] &= ~(uint64_t{1} << (cell & 63)); }
  [[nodiscard]] bool Any() const {
    uint64_t all = 0;
    for (int i = 0; i < W; ++i) all |= w[i];
    return all != 0;
  }
  [[nodiscard]] int Count() const {
    int n = 0;
    for (int i = 0; i < W; ++i) n += std::popcount(w[i]);
    return n;
  }
  // The lowest cell; there must be one.
  [[nodiscard]] int Lowest() const {
    for (int i = 0; i + 1 < W; ++i) {
      if (w[i] != 0) return i * 64 + std::countr_zero(w[i]);
    }
    return (W - 1) * 64 + std::countr_zero(w[W - 1]);
  }
  int Pop() {
    for (int i = 0; i + 1 < W; ++i) {
      if (w[i] != 0) {
        const int cell = i * 64 + std::countr_zero(w[i]);
        w[i] &= w[i] - 1;
        return cell;
      }
    }
    const int cell = (W - 1) * 64 + std::countr_zero(w[W - 1]);
    w[W - 1] &= w[W - 1] - 1;
    return cell;
  }
  [[nodiscard]] bool HasTwo() const {  // at least two cells
    if constexpr (W == 1) return (w[0] & (w[0] - 1)) != 0;
    return Count() > 1;
  }

  Bits& operator|=(const Bits& o) {
    for (int i = 0; i < W; ++i) w[i] |= o.w[i];
    return *this;
  }
  Bits& operator&=(const Bits& o) {
    for (int i = 0; i < W; ++i) w[i] &= o.w[i];
    return *this;
  }
  friend Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend Bits operator~(Bits a) {
    for (int i = 0; i < W; ++i) a.w[i] = ~a.w[i];
    return a;
  }
  friend Bits Without(Bits a, const Bits& b) {
    for (int i = 0; i < W; ++i) a.w[i] &= ~b.w[i];
    return a;
  }
  bool operator==(const Bits&) const = default;
};

// Every cell, `by` further on. Cells that leave the set may come back in at its other end: whoever asks leaves them
// out.
template <int W>
[[gnu::always_inline]] inline Bits<W> Shifted(const Bits<W>& cells, int by) {
  if constexpr (W == 1) {
    return Bits<1>{{std::rotl(cells.w[0], by)}};
  } else {
    Bits<W> out;
    const int words = by >= 0 ? by / 64 : -((63 - by) / 64);
    const int bits = by - words * 64;  // 0 .. 63
    for (int i = 0; i < W; ++i) {
      const int low = i - words - 1, high = i - words;
      uint64_t word = 0;
      if (high >= 0 && high < W) word = cells.w[high] << bits;
      if (bits != 0 && low >= 0 && low < W) word |= cells.w[low] >> (64 - bits);
      out.w[i] = word;
    }
    return out;
  }
}

}  // namespace ARBITER_ENGINE_PROCESSOR
}  // namespace arbiter::engine
