// Random rule files, as text in Arbiter's language.
//
// Most are plain: a turn is one action, pieces `move` or `take`, special actions and events have fixed effects, ends
// ask for pieces and zones. The others take whatever the language has. Little of it makes sense as a game; nearly all
// of it passes the checker. The same seed gives the same text.
#pragma once

#include <cstdint>
#include <string>

namespace arbiter::fuzz {

std::string MakeRuleFile(uint64_t seed);

}  // namespace arbiter::fuzz
