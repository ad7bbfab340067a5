// Attacks and the laws about them: statements with nothing to test but the occupied cells become reversed
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
  const std::vector<Path>* paths;  // of the relations, which outlive it
  friend bool operator<(const Pair& a, const Pair& b) {
    return std::tie(a.target, a.origin) < std::tie(b.target, b.origin);
  }
};
using Pairs = std::vector<Pair>;  // sorted, each once

struct Family {
  rules::KindSet kinds = 0;
  Pairs pairs;
};

bool Equal(const std::vector<Path>& a, const std::vector<Path>& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&](const Path& x) {
    return std::any_of(b.begin(), b.end(),
                       [&](const Path& y) { return x.empty == y.empty && x.occupied == y.occupied; });
  });
}

bool Contains(const Pairs& large, const Pairs& small) {
  auto at = large.begin();
  return std::all_of(small.begin(), small.end(), [&](const Pair& pair) {
    at = std::lower_bound(at, large.end(), pair);
    return at != large.end() && !(pair < *at) && Equal(*at->paths, *pair.paths);
  });
}

bool HasPaths(const Pairs& pairs) {
  return std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) {
    return std::any_of(pair.paths->begin(), pair.paths->end(),
                       [](const Path& p) { return p.empty.any() || p.occupied.any(); });
  });
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
      if (to.test(static_cast<std::size_t>(r.cell))) out->push_back({r.cell, static_cast<int>(origin), &r.paths});
    }
  }
  std::sort(out->begin(), out->end());
  return true;
}

// Equal families become one; what a family has in common with a whole smaller one is left to that one.
std::vector<Family> Share(std::vector<Family> families) {
  std::stable_sort(families.begin(), families.end(),
                   [](const Family& a, const Family& b) { return a.pairs.size() < b.pairs.size(); });
  std::vector<Family> shared;
  for (Family& family : families) {
    for (Family& small : shared) {
      // Leaps are shared only when equal: else every leaper would fall to pieces.
      const bool alike = small.pairs.size() == family.pairs.size() || HasPaths(small.pairs);
      if (family.pairs.empty() || !alike || !Contains(family.pairs, small.pairs)) continue;
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
  std::vector<std::vector<Related>> by_target(static_cast<std::size_t>(cells));
  for (const Pair& pair : from.pairs) {
    by_target[static_cast<std::size_t>(pair.target)].push_back({pair.origin, *pair.paths});
    int32_t next = -1;
    for (const Path& path : *pair.paths) {
      if (path.occupied.any()) out->lines_exact = false;
      b.program.lines.push_back({b.AddSet(path.empty), next});
      next = static_cast<int32_t>(b.program.lines.size()) - 1;
    }
    out->lines[static_cast<std::size_t>(pair.target * cells + pair.origin)] = next;
  }
  std::string why;
  for (int target = 0; target < cells; ++target) {
    if (!tables.MakeRow(target, by_target[static_cast<std::size_t>(target)],
                        &out->rows[static_cast<std::size_t>(target)], &why)) {
      return false;
    }
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
    for (const Family& family : Share(std::move(families[static_cast<std::size_t>(player)]))) {
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

// `forbid some k in (pieces of mine, of some kinds) : attacked(k)`
void RecogniseLaws(Builder& b) {
  using rules::Op;
  const Rules& rules = b.rules;
  for (std::size_t i = 0; i < rules.laws.size(); ++i) {
    const rules::Law& law = rules.laws[i];
    program::Law& out = b.program.laws[i];
    out.why = "bytecode: the condition has no form that tables answer";
    if (!law.free.empty() || law.scope == rules::Law::Scope::kAction) continue;
    const rules::Expr& some = rules.exprs[law.condition];
    if (some.op != Op::kSome) continue;
    const rules::Expr& set = rules.exprs[some.children[0]];
    const rules::Expr& body = rules.exprs[some.children[1]];
    const bool of_me = set.side == rules::Side::kMine || set.side == rules::Side::kOwn ||
                       (set.side == rules::Side::kOf && !set.children.empty() &&
                        (rules.exprs[set.children[0]].op == Op::kMe || rules.exprs[set.children[0]].op == Op::kSide));
    if (set.op != Op::kPieces || !of_me || set.on_cells || body.op != Op::kAttacked) continue;
    const rules::Expr* piece = &rules.exprs[body.children[0]];
    if (piece->op == Op::kCellOf) piece = &rules.exprs[piece->children[0]];
    if (piece->op != Op::kLocal || piece->slot != some.slot) continue;
    out.guarded = set.kinds & b.program.all_kinds;
    out.why =
        b.program.attacks_folded
            ? "no piece of mine of these kinds may be attacked: reversed tables, blockers and pins"
            : "no piece of mine of these kinds may be attacked; some attacks are conditional: tried piece by piece";
  }
}

}  // namespace arbiter::compile
