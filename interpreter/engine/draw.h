// Numbers at random, for games of random moves. Private to engine/.
#pragma once

#include <cstdint>

#include "engine/processor.h"
#include "rules/snapshot.h"

namespace arbiter::engine {
inline namespace ARBITER_ENGINE_PROCESSOR {

// The next number of a splitmix64 source (Steele, Lea, Flood 2014), brought below `count`; the bias is below
// count / 2^32.
inline std::size_t RandomBelow(uint64_t* random, std::size_t count) {
  return static_cast<std::size_t>(((rules::Mix(*random += 0x9e3779b97f4a7c15) >> 32) * count) >> 32);
}

}  // namespace ARBITER_ENGINE_PROCESSOR
}  // namespace arbiter::engine
