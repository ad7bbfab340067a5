// What this processor is good at.
#include "program/index.h"

namespace arbiter::program {

bool CanExtract() {
#if defined(__x86_64__)
  static const bool can = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("lzcnt");
  }();
  return can;
#else
  return false;
#endif
}

TableIndex BestIndex() {
#if defined(__x86_64__)
  // On these the instruction is a loop inside the processor, of some hundred cycles.
  static const bool fast = CanExtract() && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
  if (fast) return TableIndex::kExtract;
#endif
  return TableIndex::kMagic;
}

}  // namespace arbiter::program
