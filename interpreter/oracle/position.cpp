#include "oracle/position.h"

#include "base/check.h"

namespace arbiter::oracle {

void Position::Set(int piece, Value cell) {
  Piece& p = pieces[static_cast<std::size_t>(piece)];
  if (p.cell != kNone) on[static_cast<std::size_t>(p.cell)] = -1;
  p.cell = cell;
  if (cell == kNone) return;
  ARBITER_CHECK(on[static_cast<std::size_t>(cell)] < 0);
  on[static_cast<std::size_t>(cell)] = piece;
}

Position Load(const rules::Rules& rules, const rules::Snapshot& snapshot) {
  Position p;
  p.on.assign(static_cast<std::size_t>(rules.board.size()), -1);
  p.pieces.reserve(snapshot.pieces.size());
  for (const rules::PieceRecord& record : snapshot.pieces) {
    p.pieces.push_back({kNone, record.kind, record.owner, kNone, false, record.state});
    p.Set(static_cast<int>(p.pieces.size()) - 1, record.cell);
  }
  p.state = snapshot.state;
  p.mover = snapshot.mover;
  p.phase = snapshot.phase;
  p.place = snapshot.place;
  p.brief_set = snapshot.brief_set;
  p.brief_set.resize(p.state.size(), false);
  p.next_phase = snapshot.next_phase;
  p.next_player = snapshot.next_player;
  p.last_self = snapshot.last_self;
  return p;
}

rules::Snapshot Save(const rules::Rules& rules, const Position& position) {
  rules::Snapshot s;
  for (const Piece& piece : position.pieces) {
    if (!piece.gone) s.pieces.push_back({piece.cell, piece.kind, piece.owner, piece.state});
  }
  s.state = position.state;
  s.mover = position.mover;
  s.phase = position.phase;
  s.place = position.place;
  s.brief_set = position.brief_set;
  s.next_phase = position.next_phase;
  s.next_player = position.next_player;
  s.last_self = position.last_self;
  rules::Canonicalize(rules, s);
  return s;
}

}  // namespace arbiter::oracle
