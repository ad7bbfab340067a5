// rules -> Program: the front door of the compiler.
//
// Compile never fails on checked rules: what no fast form fits gets a slower one, and the Program says
// which and why. The result has passed program::Verify.
#pragma once

#include <memory>

#include "program/program.h"
#include "rules/rules.h"

namespace arbiter::compile {

std::shared_ptr<const program::Program> Compile(const rules::Rules& rules);

}  // namespace arbiter::compile
