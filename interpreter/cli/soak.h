// arbiter test --soak: random games of rule files, and what can be told about them.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/output.h"

namespace arbiter::cli {

int RunSoak(const std::vector<std::string>& names, const Arguments& arguments, Output& out);

}  // namespace arbiter::cli
