// Perft on several threads: the same count as Position::Perft.
//
// The first turns are dealt out as tasks, turns behind them too where they are few. The threads share what
// never changes, the Program and the flat tables: each plays in a Position of its own, with what it finds out about
// turns of several actions.
#pragma once

#include <cstdint>

#include "engine/position.h"

namespace arbiter::engine {

inline constexpr int kMaxThreads = 256;

// Counts on 1 to kMaxThreads threads (other numbers become the nearest of these), on fewer if the system gives no
// more. The position stays as it is. Where a thread meets a fault, one thread counts anew: its count and its fault are
// the answer, so that they do not depend on the number of threads.
uint64_t PerftOnThreads(Position& at, int depth, bool bulk, bool by_actions, int threads);

}  // namespace arbiter::engine
