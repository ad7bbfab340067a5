// What the text board and the drawing share: who stands where, and names for values. Private to render.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::render {

std::string KindName(const rules::Rules& rules, int kind);
std::string PlayerName(const rules::Rules& rules, rules::Value player);

// The letter of a piece of this kind and owner.
std::string Letter(const rules::Rules& rules, int kind, rules::Value owner);

// Per cell or slot the piece that stands there, or null. The records belong to the snapshot.
std::vector<const rules::PieceRecord*> Occupants(const rules::Rules& rules, const rules::Snapshot& at);

// The off-board places: name and slots, in order.
struct PlaceView {
  std::string name;
  std::vector<int> slots;
};
std::vector<PlaceView> Places(const board::Board& board);

// "travelled[White] = true": state and piece state that differ from the initial values. Left out: a variable that
// only `show` lines read, and one of which `told` holds every element that differs; of a piece, an element that it
// holds.
std::vector<std::string> ChangedState(const rules::Rules& rules, const rules::Snapshot& at,
                                      const std::vector<bool>& told = {});

// "White to move", with the phase if there are several and the place in the turn if inside one.
std::string TurnText(const rules::Rules& rules, const rules::Snapshot& at);

// The next character of UTF-8 text from `i` on, which moves behind it. Broken text gives U+FFFD.
char32_t NextCharacter(std::string_view text, std::size_t& i);

}  // namespace arbiter::render
