// A position as text: the board, then who is on turn and what else differs from the beginning.
//
// Any board: squares are rows of letters under each other, hexes staggered files, free graphs a list
// of cells. A piece shows its letter of the rule file; letters of any script line up by their width on
// a terminal. `.` is an empty cell and `#` no cell, as in the diagrams of rule files.
#pragma once

#include <string>
#include <string_view>

#include "rules/rules.h"
#include "rules/snapshot.h"
#include "session/shown.h"

namespace arbiter::render {

struct TextOptions {
  board::CellSet marked;           // cells of the last move or of a choice: shown in brackets
  bool coordinates = true;         // names of ranks and files
  bool state = true;               // the lines below the board
  session::ShownLines shown = {};  // stand among them; state that they tell is not told again
};

// Ends with a newline. Lines carry no blanks at their end.
std::string BoardText(const rules::Rules& rules, const rules::Snapshot& at, const TextOptions& options = {});
// With what the rule file shows, whatever `options` say of it.
std::string BoardText(const Position& at, TextOptions options = {});

// The lines below the board alone: player, phase, what the rule file shows, off-board places, lifted pieces, state.
std::string StateText(const rules::Rules& rules, const rules::Snapshot& at, const session::ShownLines& shown = {});

// The result in words: "White wins", "draw", "White 3, Black 0"; empty for none.
std::string OutcomeText(const rules::Rules& rules, const rules::Outcome& outcome);

// Columns that a text takes on a terminal.
int DisplayWidth(std::string_view text);

}  // namespace arbiter::render
