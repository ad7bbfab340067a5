// The parts of the lints. Private to check/.
#pragma once

#include "check/context.h"

namespace arbiter::check {

// Walks that cannot leave any cell, directions that no cell has, headings that are never set.
void LintWalks(Context& c);

}  // namespace arbiter::check
