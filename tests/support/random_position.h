// Random positions of any game: what stands where, whose turn it is, the state.
//
// Not what play can reach: pieces of the set-ups (some dropped, some doubled) on random cells, state within its
// ranges, a random phase and player. Between turns; positions inside turns come from playing on. The same seed
// gives the same position.
#pragma once

#include <random>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::testing_support {

rules::Snapshot RandomPosition(const rules::Rules& rules, std::mt19937_64& random);

}  // namespace arbiter::testing_support
