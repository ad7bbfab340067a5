// Random rules: a complete game made of random expressions, effects, actions, turns, handlers, laws and ends.
//
// Everything is well typed, as the checker would leave it; little of it makes sense. Made from a seed alone.
#pragma once

#include <cstdint>

#include "support/rules_maker.h"

namespace arbiter::testing_support {

// `maker.r` is complete afterwards, its board taken.
Maker RandomGame(uint64_t seed);

}  // namespace arbiter::testing_support
