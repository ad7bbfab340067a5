// What can be said of an expression before any position is known. Private to compile/.
//
// Fold computes an expression from the board, the zones and the names bound so far; what depends on the
// position is kDynamic, except the question whether the walker's cell is empty, which tables can answer.
#pragma once

#include <utility>
#include <vector>

#include "rules/rules.h"

namespace arbiter::compile {

using rules::CellSet;
using rules::ExprId;
using rules::kNone;
using rules::Rules;
using rules::Value;

// A piece as far as it is known.
struct KnownPiece {
  int kind = -1;   // -1: not known
  int owner = -2;  // -1: neutral, -2: not known
  int cell = -2;   // -1: off the board, -2: not known
};

struct Known {
  bool has_player = false;  // me and the side are `player`
  Value player = kNone;
  bool in_walk = false;  // here, heading, back, origin are known
  Value here = kNone, heading = kNone, back = kNone, origin = kNone;
  std::vector<std::pair<int, Value>> slots;  // frame slots with a known value
  bool self_on_origin = false;
  bool has_self = false;
  KnownPiece self;
  std::vector<std::pair<int, KnownPiece>> piece_slots;
  std::vector<std::pair<int, KnownPiece>> standing;  // by cell; the last entry of a cell counts
  std::vector<int> empty;                            // cells without a piece, unless `standing` says more
};

struct Folded {
  enum class Kind : uint8_t { kDynamic, kValue, kCells, kList, kEmptyHere, kOccupiedHere, kPiece };
  Kind kind = Kind::kDynamic;
  Value value = kNone;
  KnownPiece piece;
  CellSet cells;
  std::vector<Value> list;
  [[nodiscard]] bool dynamic() const { return kind == Kind::kDynamic; }
  [[nodiscard]] bool is(Value v) const { return kind == Kind::kValue && value == v; }
};

Folded Fold(const Rules& rules, ExprId id, const Known& known);

// What an expression or an effect reads and writes, as far as it matters to shortcuts.
struct Reads {
  bool board = false;        // where pieces stand, their kinds and owners
  bool piece_state = false;  // variables of pieces
  bool turn = false;         // me, phase, the side
  bool self = false, walk_names = false;
  bool questions = false;  // attacked, stuck, endangered, can-play
  std::vector<bool> vars;  // by variable
  std::vector<bool> slots;
};
void CollectReads(const Rules& rules, ExprId id, Reads* reads);
void CollectWalkReads(const Rules& rules, rules::WalkNodeId id, Reads* reads);

struct Writes {
  bool board = false, piece_state = false, other = false;  // other: results, phases, set-ups, next player
  bool can_fault = false;  // an effect may make the action impossible, or an assignment may be out of range
  bool can_fail = false;   // the same, `steps` left out
  std::vector<bool> vars;
  struct Step {  // a number is made larger by so much, by less than zero: smaller
    rules::VarId var;
    int by = 0;
  };
  std::vector<Step> steps;  // of numbers that are no clocks, where no condition around it keeps them in range
};
// `condition`: what holds when the block begins; invalid: nothing is known.
void CollectWrites(const Rules& rules, const rules::Block& block, Writes* writes, ExprId condition = {});

}  // namespace arbiter::compile
