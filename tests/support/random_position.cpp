#include "support/random_position.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace arbiter::testing_support {
namespace {

using rules::kNone;
using rules::Snapshot;
using rules::Value;

// Plain remainders: the distributions of the standard library differ from one library to the next.
int Below(std::mt19937_64& random, int n) { return n <= 1 ? 0 : static_cast<int>(random() % static_cast<uint64_t>(n)); }

Value RandomValue(const rules::Rules& rules, const rules::Variable& var, Value initial, std::mt19937_64& random) {
  if (Below(random, 2) == 0) return initial;
  if (var.type.optional && Below(random, 3) == 0) return kNone;
  switch (var.type.base) {
    case rules::Base::kCell:
      return Below(random, rules.board.board_size());
    case rules::Base::kDirection:
      return Below(random, rules.board.direction_count());
    case rules::Base::kPiece:
    case rules::Base::kWalk:
    case rules::Base::kAction:
      return initial;
    default:
      return var.type.low + Below(random, var.type.high - var.type.low + 1);
  }
}

void Put(const rules::Rules& rules, Snapshot& s, int kind, Value owner, Value cell, std::mt19937_64& random) {
  rules::PieceRecord piece{cell, kind, owner, {}};
  piece.state.assign(static_cast<std::size_t>(rules.piece_state_size), kNone);
  for (const rules::Variable& var : rules.piece_vars) {
    for (int i = 0; i < var.count; ++i) {
      piece.state[static_cast<std::size_t>(var.offset + i)] =
          RandomValue(rules, var, var.initial[static_cast<std::size_t>(i)], random);
    }
  }
  s.pieces.push_back(std::move(piece));
}

// A free cell; now and then a slot of a place. -1: none found.
Value FreeCell(const rules::Rules& rules, const std::vector<bool>& taken, std::mt19937_64& random) {
  const int places = rules.board.size() - rules.board.board_size();
  for (int tries = 0; tries < 50; ++tries) {
    const bool off = places > 0 && Below(random, 6) == 0;
    const int cell = off ? rules.board.board_size() + Below(random, places) : Below(random, rules.board.board_size());
    if (!taken[static_cast<std::size_t>(cell)]) return cell;
  }
  return -1;
}

}  // namespace

Snapshot RandomPosition(const rules::Rules& rules, std::mt19937_64& random) {
  const auto setup_id = rules::SetupId(Below(random, static_cast<int>(rules.setups.size())));
  const rules::Setup& setup = rules.setups[setup_id];
  Snapshot s = rules::MakeSnapshot(rules, {}, Below(random, rules.player_count()), {});
  std::vector<bool> taken(static_cast<std::size_t>(rules.board.size()), false);
  const int keep = 25 + Below(random, 76);  // percent of the pieces
  const int displace = Below(random, 101);  // percent of those that stand elsewhere
  for (const rules::SetupPiece& piece : setup.pieces) {
    const rules::Kind& kind = rules.kinds[static_cast<std::size_t>(piece.kind)];
    const bool unique = kind.neutral || !kind.classes.empty();  // kings, balls: games lean on them
    if (Below(random, 100) >= (unique ? 97 : keep)) {
      if (kind.may_be_off_board) Put(rules, s, piece.kind, piece.owner, kNone, random);
      continue;
    }
    Value cell = piece.cell;
    if (cell >= 0 && (Below(random, 100) < displace || taken[static_cast<std::size_t>(cell)]))
      cell = FreeCell(rules, taken, random);
    if (cell < 0 && !kind.may_be_off_board) continue;
    if (cell >= 0) taken[static_cast<std::size_t>(cell)] = true;
    Put(rules, s, piece.kind, piece.owner, cell < 0 ? kNone : cell, random);
  }
  for (int extra = Below(random, 4); extra > 0; --extra) {
    const int kind = Below(random, static_cast<int>(rules.kinds.size()));
    const Value cell = FreeCell(rules, taken, random);
    if (rules.kinds[static_cast<std::size_t>(kind)].neutral || cell < 0) continue;
    taken[static_cast<std::size_t>(cell)] = true;
    Put(rules, s, kind, Below(random, rules.player_count()), cell, random);
  }
  for (const rules::Variable& var : rules.vars) {
    for (int i = 0; i < var.count; ++i) {
      Value& value = s.state[static_cast<std::size_t>(var.offset + i)];
      value = RandomValue(rules, var, value, random);
    }
  }
  s.phase = Below(random, static_cast<int>(rules.phases.size()));
  s.place = rules.phases[static_cast<std::size_t>(s.phase)].turn;
  rules::Canonicalize(rules, s);
  return s;
}

}  // namespace arbiter::testing_support
