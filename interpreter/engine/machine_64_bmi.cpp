// The machine for boards of up to 64 cells, for processors that extract bits in one instruction.
//
// Only what stands between push and pop is compiled for them: the standard headers come first, so that no
// function of the library that other files share can contain an instruction that is not everywhere.
#if defined(__x86_64__)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/core.h"
#define ARBITER_ENGINE_PROCESSOR bmi_processor
#pragma GCC push_options
#pragma GCC target("bmi,bmi2,popcnt,lzcnt")
#include "engine/index_extract.h"
#include "engine/machine_all.h"

namespace arbiter::engine {

std::unique_ptr<CoreBase> MakeCore64Bmi(std::shared_ptr<const program::Program> program) {
  return std::make_unique<Machine<1, ExtractIndex>>(std::move(program));
}

}  // namespace arbiter::engine
#pragma GCC pop_options
#endif
