// One position, one action, one result: the plain values that both evaluators read and give.
//
// A Snapshot is complete: two evaluators that load the same Snapshot offer the same actions. It is
// canonical: pieces are sorted by (cell, kind, owner, state), lifted pieces (cell kNone) last; equal
// pieces in one place fill its slots in order of (kind, owner, state). Equal positions are equal
// Snapshots.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "rules/rules.h"

namespace arbiter::rules {

struct PieceRecord {
  Value cell = kNone;  // kNone: lifted (kinds that may be off board)
  int kind = 0;
  Value owner = kNone;
  std::vector<Value> state;  // piece_state_size values
  auto operator<=>(const PieceRecord&) const = default;
};

struct Snapshot {
  std::vector<PieceRecord> pieces;
  std::vector<Value> state;  // state_size values
  int mover = 0;
  int phase = 0;
  TurnStateId place;  // place in the turn; the phase's first state between turns
  // Only inside a turn (between turns: false / kNone):
  std::vector<bool> brief_set;  // per flat state element: a brief variable assigned in this turn
  Value next_phase = kNone;     // the last `goto`
  Value next_player = kNone;    // the last `set up … to move`
  Value last_self = kNone;      // cell of the piece that acted before, for `by same`
  bool operator==(const Snapshot&) const = default;
};

// Puts the pieces into canonical order and the pieces of each place into its first slots; a `last_self` that
// stands in a place moves with its piece.
void Canonicalize(const Rules& rules, Snapshot& snapshot);

// These pieces, `to_move` on turn at the beginning of the first phase, everything else initial but the given
// (flat index, value) pairs. The `player` expression of the phase is not asked: the caller names the player.
Snapshot MakeSnapshot(const Rules& rules, const std::vector<SetupPiece>& pieces, int to_move,
                      const std::vector<std::pair<int, Value>>& state);

// The identity of an action (language B9): names and choices, in order.
struct Token {
  Base base = Base::kAction;  // kAction: an index into Rules::action_names
  Value value = kNone;        // a piece is given by the cell on which it stood when chosen
  int enumeration = -1;       // kEnum: index into Rules::enums or kTextEnum, for texts only; no part of the identity
  auto operator<=>(const Token& other) const { return std::tuple(base, value) <=> std::tuple(other.base, other.value); }
  bool operator==(const Token& other) const { return base == other.base && value == other.value; }
};
// `done`, the choice to end a turn that could go on, has no tokens.
struct Move {
  std::vector<Token> tokens;   // tokens[0] is the name of the action
  std::vector<Token> written;  // the parts of the text that the action says with `written`; no part of the identity
  auto operator<=>(const Move& other) const { return tokens <=> other.tokens; }
  bool operator==(const Move& other) const { return tokens == other.tokens; }
};

struct Outcome {
  enum class Kind : uint8_t { kNone, kWin, kDraw, kPoints };
  Kind kind = Kind::kNone;
  int winner = -1;          // kWin
  std::vector<int> points;  // kPoints: per player
  int end = -1;             // index into Rules::ends, -1: an effect of a handler or action
  bool operator==(const Outcome&) const = default;
};

// A rule file that contradicts itself at run time: an assignment out of range, two ends at once, one
// list of choices with two effects, a look-ahead beyond its budget.
struct Fault {
  Span span;
  std::string code;  // "rule-out-of-range", "move-ambiguous", "end-ambiguous", "turn-lookahead", "place-full", …
  std::string message;
};

// The repetition key (language B11), from scratch: the sum modulo 2^64 of Feature(…) over
//   every piece: (1, cell, kind, owner, state element values in key); a slot of a place counts as the
//     first slot of that place; a lifted piece has cell kNone;
//   every state element of a variable with in_key: (2, flat index, value);
//   the player on turn (3, mover); the phase (4, phase); the place in the turn (5, place), the last self (6, cell),
//     next_phase (7, …), next_player (8, …), brief_set marks (9, flat index) where they are not kNone / false.
// Both evaluators compute it on their own; a test holds them together.
uint64_t Mix(uint64_t x);  // the splitmix64 finaliser (Steele, Lea, Flood 2014)
// Mix folded over the numbers: h = Mix(h ^ (n + 0x9e3779b97f4a7c15 * (i + 1))), from h = 0.
uint64_t Feature(const Value* numbers, std::size_t count);

}  // namespace arbiter::rules
