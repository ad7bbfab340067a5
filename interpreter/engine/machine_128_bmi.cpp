// The machine for boards of up to 128 cells, for processors that extract bits in one instruction.
//
// Only what stands between push and pop is compiled for them: the standard headers come first, so that no
// function of the library that other files share can contain an instruction that is not everywhere.
#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/core.h"
#if defined(__x86_64__)
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("bmi,bmi2,popcnt,lzcnt")
#endif
#include "engine/machine_all.h"

namespace arbiter::engine {

#if defined(__x86_64__)
struct ExtractIndex {
  template <int W>
  using Entry = LookupEntry<ExtractIndex, W>;
  static uint64_t Of(uint64_t set, uint64_t mask) { return _pext_u64(set, mask); }
};
#else
using ExtractIndex = LoopIndex;
#endif

std::unique_ptr<CoreBase> MakeCore128Bmi(std::shared_ptr<const program::Program> program) {
  return std::make_unique<Machine<2, ExtractIndex>>(std::move(program));
}

}  // namespace arbiter::engine
#if defined(__x86_64__)
#pragma GCC pop_options
#endif
