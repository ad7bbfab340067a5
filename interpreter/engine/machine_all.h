// The whole machine, for the files that instantiate it. Private to engine/.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>

#include "engine/draw.h"
#include "engine/machine.h"

namespace arbiter::engine {

#include "engine/state.inl"
#include "engine/walk.inl"
//
#include "engine/code.inl"
//
#include "engine/effects.inl"
#include "engine/offers.inl"
#include "engine/turn.inl"
//
#include "engine/plain.inl"
//
#include "engine/flat_tables.inl"
//
#include "engine/flat_make.inl"
#include "engine/flat_moves.inl"
#include "engine/flat_random.inl"
//
#include "engine/face.inl"
#include "engine/random.inl"

}  // namespace arbiter::engine
