// Moves as text, and text as moves.
//
// The canonical text of an action is its choices joined by `-` (`c1-a2`, `c3-c4-c3`); a chosen kind is
// `=R` (`d6-e7=R`); other values stand by their names; an action without choices is its name. A text
// given by `written` replaces all that, except in the plain form. The uci form writes the choices together
// (`c1a2`, `d6e7=R`) and knows no written texts either. Texts contain no blanks.
//
// Texts are unique within one list of offered moves: equal ones get the name of the action in front
// (`kick:c1-c2`), and if that is not enough the names of the actions inside as well
// (`leave:c1-go:c2`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::rules {

enum class Notation : uint8_t { kCanonical, kPlain, kUci };

// The name of one value of a choice: "c1", "=R", "kingside", "leap(0,3)".
std::string TokenText(const Rules& rules, const Token& token);

// The text of a move seen alone; it need not be unique.
std::string MoveText(const Rules& rules, const Move& move, Notation notation = Notation::kCanonical);

// The texts of a list of offered moves, in its order, made unique.
std::vector<std::string> MoveTexts(const Rules& rules, const std::vector<Move>& offered,
                                   Notation notation = Notation::kCanonical);

// What a person or a program typed, looked up in a list of offered moves.
struct Typed {
  int index = -1;               // into the list, or -1
  std::vector<int> candidates;  // if index is -1: what may have been meant, best first, at most `kMaxCandidates`
  bool ambiguous = false;       // several moves fit what was typed equally well
};
inline constexpr std::size_t kMaxCandidates = 8;

// The place of a move in the list by its text, its plain or its uci form, exactly; -1 if there is none.
int FindExact(const Rules& rules, const std::vector<Move>& offered, std::string_view text);

// In this order: the text, the plain and the uci form exactly; the number of the move in the list, from 1; then any
// form regardless of case, blanks, dashes, `x`, `>` and trailing `+ # ! ?`, if only one move fits.
Typed FindMove(const Rules& rules, const std::vector<Move>& offered, std::string_view typed);

}  // namespace arbiter::rules
