// The flat form of a game: what is left of a Program when a turn is one action and every action takes a piece to a
// cell, with changes of state that are known beforehand.
//
// Everything that can be said before a position is known has been said: a position is a set of cells for every
// code (a kind with an owner), one word of state, and the player on turn. Moves are look-ups in tables and constant
// sets, actions of other forms are lists of single cases (`FlatCase`), events are changes of the state word,
// laws are one set of guarded codes, ends are tests of sets. What does not fit leaves `usable` false and says why; the
// game is then played by bytecode alone.
//
// Cell sets are indices into Program::sets. A FlatTest is an index into Flat::tests, -1: always holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::program {

using Code = uint8_t;
inline constexpr Code kNoPiece = 0;  // the code of an empty cell
inline constexpr int kMaxCodes = 255;
inline constexpr std::size_t kMaxFamilies = 40;  // of attacks, of all players

// Where an element of the state lies in the word. 0 is none where the element may be none, else the lowest value.
struct FlatField {
  uint8_t shift = 0, width = 0;
  rules::Value low = 0, high = 0;
  bool optional = false;
  bool clock = false;
  [[nodiscard]] uint64_t mask() const { return ((uint64_t{1} << width) - 1) << shift; }
  // Is the value one that the field can hold?
  [[nodiscard]] bool Holds(rules::Value value) const {
    return value == rules::kNone ? optional : value >= low && value <= high;
  }
  [[nodiscard]] uint64_t Encoded(rules::Value value) const {  // in place; Holds(value)
    const uint64_t number = value == rules::kNone ? 0 : static_cast<uint64_t>(value - low) + (optional ? 1 : 0);
    return number << shift;
  }
  [[nodiscard]] rules::Value Decoded(uint64_t state) const {
    const auto number = static_cast<rules::Value>((state & mask()) >> shift);
    if (optional) return number == 0 ? rules::kNone : number - 1 + low;
    return number + low;
  }
};

// A number that changes by a fixed amount and stops at its bounds.
struct FlatAdd {
  uint8_t shift = 0, width = 0;
  int32_t amount = 0;
  int32_t least = 0, most = 0;  // as encoded
};

// What happens to the state word: (state & keep) | set, then the additions.
struct FlatChange {
  uint64_t keep = ~uint64_t{0}, set = 0;
  std::vector<FlatAdd> adds;
  bool operator==(const FlatChange& o) const {
    const auto same = [](const FlatAdd& a, const FlatAdd& b) { return a.shift == b.shift && a.amount == b.amount; };
    return keep == o.keep && set == o.set && adds.size() == o.adds.size() &&
           std::equal(adds.begin(), adds.end(), o.adds.begin(), same);
  }
};

// A set of pieces: those of these codes on these cells.
struct FlatPieces {
  std::vector<Code> codes;
  int cells = -1;  // -1: everywhere
};

struct FlatTest {
  enum class Op : uint8_t {
    kAll,      // all of `parts` hold; none: true
    kAny,      // one of `parts` holds; none: false
    kNot,      // parts[0] does not
    kState,    // (state & mask) == value
    kAtLeast,  // the number in `mask`, encoded, is at least `value` (both in place)
    kPieces,   // at least `least` pieces of `pieces`
    kTheOnly,  // exactly one piece of pieces[0], and it stands among the cells of pieces[1]
    kCanPlay   // the player on turn has a legal case of the actions `parts`
  };
  Op op = Op::kAll;
  std::vector<int> parts;
  uint64_t mask = 0, value = 0;
  std::vector<FlatPieces> pieces;
  int least = 0;
};

// Ends by origin, from at most one table and one constant set for each cell; shared by all statements that contain
// them.
struct FlatShare {
  std::vector<int32_t> groups;     // by cell: into Program::groups, -1: none
  std::vector<int32_t> constants;  // by cell: cell set, -1: none
};

// One way of a set-wise shift: from every origin of the set to the end, over a cell that must be empty or over none.
struct FlatShift {
  int origins = -1;
  int via = 0;    // index of the cell passed over less that of the origin; 0: none
  int delta = 0;  // index of the end less that of the origin
};

// Statements that look up the same tables under the same conditions.
struct FlatMover {
  enum class Onto : uint8_t { kEmptyOrEnemy, kEmpty, kEnemy, kSome };
  std::vector<Code> codes;
  std::vector<int> statements;  // by code: index into Program::plain
  Onto onto = Onto::kEmptyOrEnemy;
  bool onto_empty = false;     // kSome: empty cells too
  std::vector<Code> captures;  // kSome: what may be taken
  int test = -1;
  bool guarded = false;  // the codes are guarded: every end is tested for attacks
  std::vector<int> shares;
  std::vector<FlatShift> shifts;  // instead of `shares`, where the walk is the same everywhere
  int promotion_zone = -1;        // cell set; then one code
  int promotion_kind = -1;        // the kind whose promotions these are
};

// An action of another form, all its choices made: what must hold, and what it does.
struct FlatCase {
  std::vector<rules::Token> tokens;  // the move by its choices: no two cases have the same
  int origin = -1;                   // the piece of `self` stands here; -1: nobody acts
  Code self = kNoPiece;
  uint64_t mask = 0, value = 0;  // of the state word
  int empty = -1;                // cell set: no piece on any of them
  struct On {
    int cell = -1;
    std::vector<Code> codes;
  };
  std::vector<On> on;  // these cells hold one of these codes
  struct Reach {
    int row = -1;  // into Program::rows
    int cell = -1;
  };
  std::vector<Reach> reach;
  std::vector<int> tests;
  std::vector<int> safe;  // cells that no enemy may attack, before anything is done
  // What is done, in order: the piece on `from` goes to `to` (-1: is removed; nothing, if no piece stands there).
  struct Step {
    int from = -1, to = -1;
  };
  std::vector<Step> steps;
  Code becomes = kNoPiece;              // the piece that acts, in the end
  int change = 0, timeless_change = 0;  // see Flat::moved
};

// Cases of one action by one code, found by where the piece stands or by a number in the state.
struct FlatGroup {
  int action = -1;
  Code self = kNoPiece;  // kNoPiece: nobody acts, all cases are in bucket 0
  bool by_state = false;
  uint8_t shift = 0;
  uint64_t mask = 0;           // after the shift
  std::vector<int32_t> first;  // by bucket, and one more: into Flat::cases
};

// Indices into Flat::changes, by origin * cells + end. Empty: nothing ever changes.
using ChangeTable = std::vector<uint8_t>;

struct FlatHandler {
  int test = -1;
  int change = 0;
};

// An end that pieces and state decide, for one player on turn and one setting of its names.
struct FlatEnd {
  int mover = -1;
  int test = -1;
  int player = -1;  // who wins or loses by it; -1: a draw
  bool reads_clock = false;
  int index = -1;  // into Program::ends
};

// What one player can do.
struct FlatSide {
  std::vector<FlatMover> movers;
  std::vector<FlatGroup> groups;
  std::vector<Code> guarded;  // no piece of these may be attacked
};

struct Flat {
  bool usable = false;
  std::string why;
  int codes = 0;
  std::vector<std::array<int16_t, 2>> code_of;  // by code: kind and owner, -1: neutral
  std::vector<Code> by_kind;                    // by kind * (players + 1) + owner + 1; kNoPiece: never
  int players = 0;
  [[nodiscard]] Code CodeOf(int kind, int owner) const {  // owner -1: neutral
    return by_kind[static_cast<std::size_t>(kind * (players + 1) + owner + 1)];
  }
  std::vector<FlatField> fields;    // by flat element of the state
  std::vector<FlatChange> changes;  // [0] changes nothing
  std::vector<FlatTest> tests;
  std::vector<FlatShare> shares;
  std::vector<FlatSide> sides;  // by player
  std::vector<FlatCase> cases;
  // By statement (index into Program::plain) * players + player. Timeless: without clocks. Only ends that perft leaves
  // out read clocks, so perft need not keep them.
  std::vector<ChangeTable> moved, moved_timeless;
  // By player on turn: a piece is removed, by code * cells + cell.
  std::vector<ChangeTable> removed, removed_timeless;
  std::vector<std::vector<FlatHandler>> begins;  // of a turn, by player
  std::vector<FlatEnd> ends;
  int repetition = 0, limit = 0;  // the least number of `repetition N` and of a limit of turns; 0: none
};

}  // namespace arbiter::program
