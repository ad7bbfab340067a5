// A position as a standalone SVG file, for documents and for looking at.
//
// Squares, hexes as hexagons, free graphs laid out by springs. Zones are tinted with a legend
// (those of `show zones`, if the rule file says so), barriers are thick lines, off-board places stand at the right. A
// piece is its letter on a disc of its owner's colour, a fixed piece on a square; a letter that is a symbol shows its
// side itself and stands without a disc. Same input, same bytes.
#pragma once

#include <string>

#include "rules/rules.h"
#include "rules/snapshot.h"
#include "session/shown.h"

namespace arbiter::render {

struct SvgOptions {
  board::CellSet last_move;  // cells to highlight
  board::CellSet targets;    // cells to mark with a dot, e.g. where a piece may go
  bool zones = true;         // tints and legend
  bool frames = false;       // arrows: where the facing leads; bends: deflections of straight moves
  bool coordinates = true;
  session::ShownLines shown = {};  // stand at the side; state that they tell is not told again
};

// `at` null: the board alone.
std::string BoardSvg(const rules::Rules& rules, const rules::Snapshot* at, const SvgOptions& options = {});
// With what the rule file shows, whatever `options` say of it.
std::string BoardSvg(const Position& at, SvgOptions options = {});

}  // namespace arbiter::render
