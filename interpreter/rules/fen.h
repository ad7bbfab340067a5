// Position text: a position in one line, both ways.
//
//     BOARD SIDE [fields] name=value …
//
// BOARD is the first field of FEN: ranks from the top, `/` between them, a digit (or a number) for
// empty cells, `*` where no cell exists, the letters of the pieces; a free graph is one line of its cells
// in their order. SIDE is `w` or `b` (two players) or the name of the player. Then the further fields
// that the game declared with `fen { … }`, so that its customary FEN can be read; then what differs from
// the initial state:
//
//     travelled[White]=true  a1.used=true  out[White]=NV  out[White][1].rest=3
//     off.board=o            lifted pieces; `-`: none, although a neutral kind that may be off the board is nowhere
//     a1.owner=none          where the letter does not say it
//     phase=rally            turn.place=3  turn.self=a1  turn.phase=net  turn.player=Black  turn.set=ep,points[White]
//
// For every canonical Snapshot, ParsePosition(FormatPosition(s)) == s. Knows nothing of what is legal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::rules {

inline constexpr std::size_t kMaxPositionText = 1 << 16;

struct PositionResult {
  std::optional<Snapshot> snapshot;
  // If there is none: what is wrong in the words of the diagnostics, and where (bytes of the text).
  std::string message;
  std::string help;
  std::size_t offset = 0;
  std::size_t length = 0;
  bool names_side = false;  // the text says who is on turn
};

PositionResult ParsePosition(const Rules& rules, std::string_view text);
std::string FormatPosition(const Rules& rules, const Snapshot& snapshot);

// The position that a kPosition step of an example describes.
Snapshot ExamplePosition(const Rules& rules, const ExampleStep& step);

// "points[White]": the element of a variable by its place in the flat state.
std::string ElementName(const Rules& rules, const Variable& variable, int element);
// "White", "true", "c_f", "none": the same words that ParsePosition reads.
std::string ValueName(const Rules& rules, const Type& type, Value value);

}  // namespace arbiter::rules
