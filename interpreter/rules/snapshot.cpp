#include "rules/snapshot.h"

#include <algorithm>
#include <map>

namespace arbiter::rules {
namespace {

// Lifted pieces last, although kNone is the smallest value.
bool Before(const PieceRecord& a, const PieceRecord& b) {
  if ((a.cell == kNone) != (b.cell == kNone)) return b.cell == kNone;
  return a < b;
}

}  // namespace

void Canonicalize(const Rules& rules, Snapshot& snapshot) {
  auto& pieces = snapshot.pieces;
  for (const Zone& zone : rules.zones) {
    if (!zone.is_place) continue;
    for (const CellSet& place : zone.cells) {
      std::vector<std::size_t> inside;
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (pieces[i].cell != kNone && place.test(static_cast<std::size_t>(pieces[i].cell))) inside.push_back(i);
      }
      std::stable_sort(inside.begin(), inside.end(), [&](std::size_t i, std::size_t j) {
        const PieceRecord &a = pieces[i], &b = pieces[j];
        return std::tie(a.kind, a.owner, a.state) < std::tie(b.kind, b.owner, b.state);
      });
      std::size_t slot = place._Find_first();
      std::map<Value, Value> moved;  // old slot -> new slot
      for (std::size_t i : inside) {
        moved[pieces[i].cell] = static_cast<Value>(slot);
        slot = place._Find_next(slot);
      }
      for (std::size_t i : inside) pieces[i].cell = moved[pieces[i].cell];
      if (auto at = moved.find(snapshot.last_self); at != moved.end()) snapshot.last_self = at->second;
    }
  }
  std::sort(pieces.begin(), pieces.end(), Before);
}

Snapshot MakeSnapshot(const Rules& rules, const std::vector<SetupPiece>& pieces, int to_move,
                      const std::vector<std::pair<int, Value>>& state) {
  std::vector<Value> piece_state(static_cast<std::size_t>(rules.piece_state_size), kNone);
  for (const Variable& v : rules.piece_vars) {
    for (std::size_t i = 0; i < v.initial.size(); ++i)
      piece_state[static_cast<std::size_t>(v.offset) + i] = v.initial[i];
  }
  Snapshot made;
  for (const SetupPiece& p : pieces) made.pieces.push_back({p.cell < 0 ? kNone : p.cell, p.kind, p.owner, piece_state});
  made.state.assign(static_cast<std::size_t>(rules.state_size), kNone);
  for (const Variable& v : rules.vars) {
    for (std::size_t i = 0; i < v.initial.size(); ++i)
      made.state[static_cast<std::size_t>(v.offset) + i] = v.initial[i];
  }
  for (const auto& [index, value] : state) made.state[static_cast<std::size_t>(index)] = value;
  made.mover = to_move;
  made.phase = 0;
  made.place = rules.phases.front().turn;
  made.brief_set.assign(static_cast<std::size_t>(rules.state_size), false);
  Canonicalize(rules, made);
  return made;
}

uint64_t Mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  x ^= x >> 31;
  return x;
}

uint64_t Feature(const Value* numbers, std::size_t count) {
  uint64_t h = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto n = static_cast<uint64_t>(static_cast<int64_t>(numbers[i]));  // kNone and -1 stay different from each other
    h = Mix(h ^ (n + 0x9e3779b97f4a7c15 * (i + 1)));
  }
  return h;
}

}  // namespace arbiter::rules
