// CHECK: a broken promise inside the program stops it and says where.
//
// For mistakes of our own only. Wrong rules give diagnostics; wrong input gives a result value.
#pragma once

#include <string_view>

namespace arbiter {

[[noreturn]] void CheckFailed(std::string_view condition, std::string_view file, int line);

}  // namespace arbiter

#define ARBITER_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::arbiter::CheckFailed(#condition, __FILE__, __LINE__))
