// How the occupied cells become a place in a table, and which way this processor is good at.
//
// The compiler lays its tables out for one of the ways, and the engine chooses the machine that takes it: both
// ask BestIndex, and nothing else looks at the processor.
#pragma once

#include <cstdint>

namespace arbiter::program {

enum class TableIndex : uint8_t {
  kExtract,  // the bits under the mask, pushed together by one instruction
  kMagic     // … multiplied by a number found beforehand, of which the highest bits count
};

// Has this processor the instruction at all? Tables for kExtract can be used only where it has.
bool CanExtract();

// kExtract where the instruction is there and fast, which it is on most processors since 2013.
TableIndex BestIndex();

}  // namespace arbiter::program
