// A position the reference evaluator works on: a Snapshot with handles for its pieces.
//
// A handle is an index into `pieces` and stays good until the action is over: a piece that is removed
// keeps its entry, marked `gone`, so that its kind, owner and state can still be read. Positions are
// plain values; trying something means copying one.
#pragma once

#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::oracle {

using rules::kNone;
using rules::Value;

struct Piece {
  Value cell = kNone;
  int kind = 0;
  Value owner = kNone;
  Value lifted_from = kNone;  // the cell of the last `lift` in this action
  bool gone = false;
  std::vector<Value> state;
};

struct Position {
  std::vector<Piece> pieces;
  std::vector<int> on;  // by cell: handle, or -1
  std::vector<Value> state;
  int mover = 0;
  int phase = 0;
  rules::TurnStateId place;
  std::vector<bool> brief_set;
  Value next_phase = kNone, next_player = kNone, last_self = kNone;

  [[nodiscard]] int At(Value cell) const { return cell < 0 ? -1 : on[static_cast<std::size_t>(cell)]; }
  [[nodiscard]] bool Empty(Value cell) const { return At(cell) < 0; }
  void Set(int piece, Value cell);  // kNone: takes it off; the cell must be empty
};

Position Load(const rules::Rules& rules, const rules::Snapshot& snapshot);
rules::Snapshot Save(const rules::Rules& rules, const Position& position);

}  // namespace arbiter::oracle
