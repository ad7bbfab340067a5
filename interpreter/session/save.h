// Games as text: what `arbiter play` saves and what rulesets/<game>/games/ holds.
//
//     ruleset  rollerball
//     option   side_slides = any
//     start    2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w
//
//     1. c2-b1  e6-f7
//     2. d1-c1
//
//     result   unfinished
//
// A head of words and values, then the moves, one line a round, then the result. `option` and `start`
// stand only where the game differs from what the rule file says. Actions of one turn are joined by a comma:
// `c3-c4, d4-e5`. Numbers of rounds are for readers only. `//` begins a comment; what `show` says about the state is
// written as comments, where it changes and at the end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arbiter/arbiter.h"
#include "session/record.h"

namespace arbiter::session {

struct SavedMove {
  std::string text;
  bool turn_goes_on = false;
  int line = 0;
};

struct SavedGame {
  std::string ruleset;
  Options options;
  std::string start;                                       // empty: the start of the rule file
  std::vector<std::pair<std::string, std::string>> notes;  // `note NAME value`: kept, not understood
  std::vector<SavedMove> moves;
  std::optional<std::string> result;  // as written
  int result_line = 0;
};

// Reads the form only; no rules are needed.
Result<SavedGame> ParseGame(std::string_view text);

// Plays the moves of `saved`. The error names the line.
Result<Record> Replay(const Game& game, const SavedGame& saved, Evaluator evaluator = Evaluator::kEngine);
// The same, and the result must be the one that is written, the game be over if it says so, and the commas right.
std::string Verify(const Game& game, const SavedGame& saved, Evaluator evaluator = Evaluator::kEngine);

std::string WriteGame(const Record& record);

// The result as it stands in a saved game: "White wins", "draw", "points 3 0", "unfinished".
std::string ResultWord(const Game& game, const Outcome& outcome);

}  // namespace arbiter::session
