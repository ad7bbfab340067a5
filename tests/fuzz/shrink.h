// Makes a rule file shorter while it still shows what it is meant to show.
#pragma once

#include <functional>
#include <string>

namespace arbiter::fuzz {

// Drops whole declarations, then single lines, alternatives and riders, then pieces of the diagrams, as long as
// `shows` holds for what is left. Greedy; asks at most `most` times. `text` itself must show it.
std::string Shrink(const std::string& text, const std::function<bool(const std::string&)>& shows, int most = 600);

}  // namespace arbiter::fuzz
