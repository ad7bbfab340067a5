// Attacks: statements with nothing to test but the occupied cells become reversed
// tables (from the target to the origins), shared between kinds.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

// The ways from an origin to a target.
struct Pair {
  int target, origin;
  int ways;
  friend bool operator<(const Pair& a, const Pair& b) {
    return std::tie(a.target, a.origin) < std::tie(b.target, b.origin);
  }
};
using Pairs = std::vector<Pair>;  // sorted, each once

struct Family {
  rules::KindSet kinds = 0;
  Pairs pairs;
};

bool Contains(const Builder& b, const Pairs& large, const Pairs& small) {
  auto at = large.begin();
  return small.size() <= large.size() && std::all_of(small.begin(), small.end(), [&](const Pair& pair) {
           while (at != large.end() && *at < pair) ++at;
           return at != large.end() && !(pair < *at) && b.ways[at->ways].alike == b.ways[pair.ways].alike;
         });
}

bool HasPaths(const Builder& b, const Pairs& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return b.ways[pair.ways].relevant.any(); });
}

// In the order of targets; pairs of one target keep theirs.
Pairs ByTarget(const Pairs& pairs, int cells) {
  std::vector<std::size_t> next(static_cast<std::size_t>(cells) + 1, 0);
  for (const Pair& pair : pairs) ++next[static_cast<std::size_t>(pair.target) + 1];
  for (std::size_t c = 1; c < next.size(); ++c) next[c] += next[c - 1];
  Pairs sorted(pairs.size());
  for (const Pair& pair : pairs) sorted[next[static_cast<std::size_t>(pair.target)]++] = pair;
  return sorted;
}

// The pairs of one statement for one player. False if something has to be asked while playing.
bool PairsOf(const Builder& b, const rules::Attack& attack, const Relation& relation, int player, Pairs* out) {
  Known known;
  known.has_player = true;
  known.player = player;
  CellSet from, to;
  from.set();
  to.set();
  const auto narrow = [&](ExprId id, CellSet* cells) {
    if (!id.valid()) return true;
    const Folded f = Fold(b.rules, id, known);
    if (f.kind == Folded::Kind::kCells) *cells = f.cells;
    return f.kind == Folded::Kind::kCells;
  };
  if (!narrow(attack.from, &from) || !narrow(attack.to, &to)) return false;
  if (attack.condition.valid()) {
    const Folded f = Fold(b.rules, attack.condition, known);
    if (f.kind != Folded::Kind::kValue) return false;
    if (f.value == 0 || f.value == kNone) return true;
  }
  for (std::size_t origin = 0; origin < relation.at.size(); ++origin) {
    if (!from.test(origin)) continue;
    for (const Related& r : relation.at[origin]) {
      if (to.test(static_cast<std::size_t>(r.cell))) out->push_back({r.cell, static_cast<int>(origin), r.ways});
    }
  }
  *out = ByTarget(*out, b.program.cells);
  return true;
}

// Equal families become one; what a family has in common with a whole smaller one is left to that one.
std::vector<Family> Share(const Builder& b, std::vector<Family> families) {
  std::stable_sort(families.begin(), families.end(),
                   [](const Family& a, const Family& b) { return a.pairs.size() < b.pairs.size(); });
  std::vector<Family> shared;
  for (Family& family : families) {
    for (Family& small : shared) {
      // Leaps are shared only when equal: else every leaper would fall to pieces.
      const bool alike = small.pairs.size() == family.pairs.size() || HasPaths(b, small.pairs);
      if (family.pairs.empty() || !alike || !Contains(b, family.pairs, small.pairs)) continue;
      small.kinds |= family.kinds;
      Pairs rest;
      std::set_difference(family.pairs.begin(), family.pairs.end(), small.pairs.begin(), small.pairs.end(),
                          std::back_inserter(rest));
      family.pairs = std::move(rest);
    }
    if (!family.pairs.empty()) shared.push_back(std::move(family));
  }
  return shared;
}

bool MakeFamily(Builder& b, Tables& tables, const Family& from, program::AttackFamily* out) {
  const int cells = b.program.cells;
  out->kinds = from.kinds;
  out->rows.resize(static_cast<std::size_t>(cells));
  out->lines.assign(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells), -1);
  std::vector<Related> origins;  // of every target, one after the other
  std::vector<std::size_t> first(static_cast<std::size_t>(cells) + 1, 0);
  for (const Pair& pair : from.pairs) {
    origins.push_back({pair.origin, pair.ways});
    first[static_cast<std::size_t>(pair.target) + 1] = origins.size();
    int32_t next = -1;
    for (const Path& path : b.ways[pair.ways].paths) {
      if (path.occupied.any()) out->lines_exact = false;
      b.program.lines.push_back({b.AddSet(path.empty), next});
      next = static_cast<int32_t>(b.program.lines.size()) - 1;
    }
    out->lines[static_cast<std::size_t>(pair.target * cells + pair.origin)] = next;
  }
  std::string why;
  for (std::size_t target = 0; target < out->rows.size(); ++target) {
    first[target + 1] = std::max(first[target], first[target + 1]);
    const auto of_target = std::span(origins).subspan(first[target], first[target + 1] - first[target]);
    if (!tables.MakeRow(static_cast<int>(target), of_target, &out->rows[target], &why)) return false;
  }
  return true;
}

}  // namespace

void FoldAttacks(Builder& b, Tables& tables, const WalkRelations& relations) {
  Program& p = b.program;
  p.families.resize(static_cast<std::size_t>(p.players));
  std::vector<std::vector<Family>> families(static_cast<std::size_t>(p.players));
  for (std::size_t i = 0; i < b.rules.attacks.size(); ++i) {
    const rules::Attack& attack = b.rules.attacks[i];
    if (!attack.walk.valid()) continue;
    bool folded = true;
    std::vector<Pairs> pairs(static_cast<std::size_t>(p.players));
    for (int player = 0; player < p.players && folded; ++player) {
      const Relation& relation = relations.Of(attack.walk.value, player);
      folded = relation.known && PairsOf(b, attack, relation, player, &pairs[static_cast<std::size_t>(player)]);
    }
    if (!folded) continue;
    p.attacks[i].folded = true;
    for (int player = 0; player < p.players; ++player) {
      auto& mine = pairs[static_cast<std::size_t>(player)];
      if (!mine.empty()) families[static_cast<std::size_t>(player)].push_back({attack.kinds, std::move(mine)});
    }
  }
  bool made = true;
  for (int player = 0; player < p.players && made; ++player) {
    for (const Family& family : Share(b, std::move(families[static_cast<std::size_t>(player)]))) {
      program::AttackFamily out;
      made = made && MakeFamily(b, tables, family, &out);
      p.families[static_cast<std::size_t>(player)].push_back(std::move(out));
    }
  }
  if (!made) {  // too much for tables: every attack is tried piece by piece
    for (auto& f : p.families) f.clear();
    for (program::Attack& attack : p.attacks) attack.folded = false;
  }
  p.attacks_folded = std::all_of(p.attacks.begin(), p.attacks.end(), [](const program::Attack& a) { return a.folded; });
}

}  // namespace arbiter::compile
