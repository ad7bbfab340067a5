// rules -> Program: the front door of the compiler.
//
// Compile never fails on checked rules: what no fast form fits gets a slower one, and the Program says
// which and why. The result has passed program::Verify.
//
// `index` says for which kind of look-up the tables are laid out; it changes nothing that can be seen in a game.
// Same rules and index, same Program.
#pragma once

#include <memory>

#include "program/program.h"
#include "rules/rules.h"

namespace arbiter::compile {

std::shared_ptr<const program::Program> Compile(const rules::Rules& rules,
                                                program::TableIndex index = program::BestIndex());

}  // namespace arbiter::compile
