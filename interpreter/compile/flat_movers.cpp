// Plain statements of the flat form: which tables and constant sets they share, and what may be moved set-wise.
#include <algorithm>
#include <set>
#include <tuple>

#include "compile/flat.h"

namespace arbiter::compile {

using program::FlatMover;
using program::FlatShare;
using program::FlatShift;

namespace {

constexpr std::size_t kMaxShifts = 3;  // more set-wise moves cost more than piece by piece
constexpr std::size_t kMaxShares = 12;
constexpr std::size_t kMaxMovers = 250;

// One part of the ends of a row: a group, or the constant set.
struct Part {
  bool table = false;
  int index = -1;  // of a group, the first equal one; of a cell set
  auto operator<=>(const Part&) const = default;
};
using Parts = std::vector<std::set<Part>>;  // by cell

std::size_t Size(const Parts& parts) {
  std::size_t n = 0;
  for (const auto& at : parts) n += at.size();
  return n;
}

bool Contains(const Parts& large, const Parts& small) {
  for (std::size_t c = 0; c < small.size(); ++c) {
    if (!std::includes(large[c].begin(), large[c].end(), small[c].begin(), small[c].end())) return false;
  }
  return true;
}

// The first table and the first constant set of every cell.
Parts TakeSome(Parts* from) {
  Parts taken(from->size());
  for (std::size_t c = 0; c < from->size(); ++c) {
    for (const bool table : {false, true}) {
      auto& at = (*from)[c];
      const auto found = std::find_if(at.begin(), at.end(), [&](const Part& p) { return p.table == table; });
      if (found == at.end()) continue;
      taken[c].insert(*found);
      at.erase(found);
    }
  }
  return taken;
}

}  // namespace

// Statements of one kind that differ only in where they lead, taken as one.
struct FlatMaker::MoverSketch {
  FlatMover mover;
  int walk = -1;
  bool whole_walk = false;               // one statement without limits: its walk has the rows
  bool overlaps = false;                 // one of the statements may meet another one
  int name = -1;                         // of the action: moves of other names are other moves
  std::vector<std::vector<Related>> at;  // by origin
  std::vector<program::Row> rows;        // by origin
};

// What the statement leads to, by origin, within its limits; added to what is there.
bool FlatMaker::AddRelation(const program::Plain& s, int player, std::vector<std::vector<Related>>* at) {
  const Relation& relation = relations_.Of(s.walk, player);
  if (!relation.known) return false;
  at->resize(static_cast<std::size_t>(p_.cells));
  for (int from = 0; from < p_.board_cells; ++from) {
    if (s.from >= 0 && !p_.set_has(s.from + player, from)) continue;
    auto& ends = (*at)[static_cast<std::size_t>(from)];
    const std::size_t before = ends.size();  // what comes now has every end once
    for (const Related& related : relation.at[static_cast<std::size_t>(from)]) {
      if (s.within >= 0 && !p_.set_has(s.within + player, related.cell)) continue;
      const auto known = ends.begin() + static_cast<std::ptrdiff_t>(before);
      const auto same = std::find_if(ends.begin(), known, [&](const Related& r) { return r.cell == related.cell; });
      if (same == known) {
        ends.push_back(related);
        continue;
      }
      std::vector<Path> paths = b_.ways[same->ways].paths;
      const std::vector<Path>& more = b_.ways[related.ways].paths;
      paths.insert(paths.end(), more.begin(), more.end());
      same->ways = b_.ways.Add(paths);
    }
  }
  return true;
}

// May statements of one piece end on the same cell in the same position, as far as what stands there goes?
bool FlatMaker::Meet(const FlatMover& a, const FlatMover& b) {
  using Onto = FlatMover::Onto;
  const auto empty = [](const FlatMover& m) {
    return m.onto == Onto::kEmpty || m.onto == Onto::kEmptyOrEnemy || (m.onto == Onto::kSome && m.onto_empty);
  };
  if (empty(a) && empty(b)) return true;
  if (a.onto == Onto::kEmpty || b.onto == Onto::kEmpty) return false;
  if (a.onto != Onto::kSome || b.onto != Onto::kSome) return true;
  return std::any_of(a.captures.begin(), a.captures.end(), [&](Code code) {
    return std::find(b.captures.begin(), b.captures.end(), code) != b.captures.end();
  });
}

// What must hold for the statement besides where the piece stands: see StatementReader.
int FlatMaker::StatementTest(const program::Plain& s, int player) {
  if (!s.condition.present()) return kAlways;
  std::vector<int> tests;
  for (const rules::Step& step : rules_.actions[rules::ActionId(s.action)].steps) {
    if (step.op == rules::StepOp::kChoose) break;
    if (step.op != rules::StepOp::kRequire) continue;
    Known at_origin = OfPlayer(player);
    at_origin.self_on_origin = true;
    at_origin.origin = 0;
    Reads reads;
    CollectReads(rules_, step.expr, &reads);
    if (reads.self && Fold(rules_, step.expr, at_origin).kind == Folded::Kind::kValue)
      continue;  // in the set of origins
    Known known = OfPlayer(player);
    tests.push_back(Test(step.expr, known));
  }
  return Join(program::FlatTest::Op::kAll, tests);
}

// Where both lead they change the state alike, or they lead to different cells.
void FlatMaker::UniteChanges(int into_statement, int from_statement, int player) {
  for (auto* tables : {&f_.moved, &f_.moved_timeless}) {
    program::ChangeTable& into = (*tables)[static_cast<std::size_t>(into_statement * p_.players + player)];
    const program::ChangeTable& from = (*tables)[static_cast<std::size_t>(from_statement * p_.players + player)];
    if (into.empty()) into.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
  }
}

bool FlatMaker::SketchMovers(int player, std::vector<MoverSketch>* sketches) {
  const std::vector<Code>& guarded = f_.sides[static_cast<std::size_t>(player)].guarded;
  for (const auto& of_kind : plan_->plain) {
    const std::size_t first = sketches->size();
    for (const int index : of_kind) {
      const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
      const Code code = CodeOf(s.kind, player);
      if (code == program::kNoPiece) continue;
      MoverSketch made;
      made.name = p_.actions[static_cast<std::size_t>(s.action)].name;
      FlatMover& mover = made.mover;
      mover.codes = {code};
      mover.statements = {index};
      if (s.captures == 0) {
        mover.onto = FlatMover::Onto::kEmpty;
      } else if (s.captures == p_.all_kinds) {
        mover.onto = s.empty ? FlatMover::Onto::kEmptyOrEnemy : FlatMover::Onto::kEnemy;
      } else {
        mover.onto = FlatMover::Onto::kSome;
        mover.onto_empty = s.empty;
        mover.captures = Codes(s.captures, rules::Side::kEnemy, player);
      }
      mover.guarded = std::find(guarded.begin(), guarded.end(), code) != guarded.end();
      mover.test = StatementTest(s, player);
      if (mover.test == kUnknown) return Fail("a statement asks about more than pieces and state");
      if (mover.test == kNever) continue;
      if (s.promotes) {
        mover.promotion_kind = s.kind;
        mover.promotion_zone = p_.promotion_zones[static_cast<std::size_t>(s.kind)] + player;
      }
      const auto same = std::find_if(
          sketches->begin() + static_cast<std::ptrdiff_t>(first), sketches->end(), [&](const MoverSketch& other) {
            const FlatMover& m = other.mover;
            return other.name == made.name && m.onto == mover.onto && m.captures == mover.captures &&
                   m.onto_empty == mover.onto_empty && m.test == mover.test && m.promotion_kind == mover.promotion_kind;
          });
      const bool fresh = same == sketches->end();
      MoverSketch& sketch = fresh ? sketches->emplace_back(std::move(made)) : *same;
      if (!AddRelation(s, player, &sketch.at)) return Fail("a walk has no tables");
      sketch.walk = s.walk;
      sketch.whole_walk = fresh && s.from < 0 && s.within < 0;
      if (!fresh) UniteChanges(sketch.mover.statements.front(), index, player);
      sketch.overlaps = sketch.overlaps || s.overlaps;
      if (s.overlaps) {
        const bool apart = std::any_of(sketches->begin() + static_cast<std::ptrdiff_t>(first), sketches->end(),
                                       [&](const MoverSketch& other) {
                                         return &other != &sketch && other.name == sketch.name && other.overlaps &&
                                                Meet(other.mover, sketch.mover);
                                       });
        if (apart) return Fail("statements that may reach the same cell have different limits");
      }
    }
  }
  for (MoverSketch& sketch : *sketches) {
    if (sketch.whole_walk) {
      const int rows = p_.walks[static_cast<std::size_t>(sketch.walk)].rows + player * p_.cells;
      sketch.rows.assign(p_.rows.begin() + rows, p_.rows.begin() + rows + p_.cells);
      continue;
    }
    for (int from = 0; from < p_.cells; ++from) {
      program::Row row;
      std::string why;
      if (!tables_.MakeRow(from, sketch.at[static_cast<std::size_t>(from)], &row, &why)) return Fail(why);
      sketch.rows.push_back(row);
    }
  }
  return true;
}

// Which shares every sketch is made of: smaller ones first, so that larger ones are made of theirs.
bool FlatMaker::MakeShares(std::vector<MoverSketch>* sketches) {
  using GroupKey = std::tuple<uint32_t, uint64_t, uint64_t, uint64_t, uint64_t>;
  std::map<GroupKey, int> first_group;
  const auto canonical = [&](int index) {
    const program::Group& g = p_.groups[static_cast<std::size_t>(index)];
    return first_group.emplace(GroupKey{g.table, g.mask[0], g.mask[1], g.mask[2], g.mask[3]}, index).first->second;
  };
  std::vector<std::pair<MoverSketch*, Parts>> order;
  for (MoverSketch& sketch : *sketches) {
    Parts parts(static_cast<std::size_t>(p_.cells));
    for (std::size_t from = 0; from < parts.size(); ++from) {
      const program::Row& row = sketch.rows[from];
      if (row.constant >= 0) parts[from].insert({false, row.constant});
      for (int g = row.group; g < row.group + row.group_count; ++g) parts[from].insert({true, canonical(g)});
    }
    order.emplace_back(&sketch, std::move(parts));
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return Size(a.second) < Size(b.second); });
  std::vector<std::pair<int, Parts>> shares;  // of this player
  for (auto& [sketch, parts] : order) {
    auto& mine = sketch->mover.shares;
    for (auto share = shares.rbegin(); share != shares.rend(); ++share) {
      if (!Contains(parts, share->second)) continue;
      mine.push_back(share->first);
      for (std::size_t c = 0; c < parts.size(); ++c) {
        for (const Part& part : share->second[c]) parts[c].erase(part);
      }
    }
    while (Size(parts) > 0) {
      Parts taken = TakeSome(&parts);
      FlatShare share;
      share.groups.assign(static_cast<std::size_t>(p_.cells), -1);
      share.constants.assign(static_cast<std::size_t>(p_.cells), -1);
      for (std::size_t c = 0; c < taken.size(); ++c) {
        for (const Part& part : taken[c]) (part.table ? share.groups : share.constants)[c] = part.index;
      }
      mine.push_back(static_cast<int>(f_.shares.size()));
      shares.emplace_back(mine.back(), std::move(taken));
      f_.shares.push_back(std::move(share));
    }
    if (mine.size() > kMaxShares) return Fail("a statement takes too many tables");
    std::sort(mine.begin(), mine.end());
  }
  return true;
}

// The same few steps from every origin: done for all pieces at once.
void FlatMaker::MakeShifts(MoverSketch* sketch) {
  if (sketch->mover.guarded) return;
  std::map<std::pair<int, int>, CellSet> ways;  // (cell passed over, end), both less the origin
  for (int from = 0; from < p_.board_cells; ++from) {
    for (const Related& related : sketch->at[static_cast<std::size_t>(from)]) {
      const std::vector<Path>& paths = b_.ways[related.ways].paths;
      if (paths.size() != 1 || paths.front().occupied.any()) return;
      const CellSet& empty = paths.front().empty;
      if (empty.count() > 1 || related.cell == from) return;
      const int via = empty.none() ? 0 : static_cast<int>(empty._Find_first()) - from;
      ways[{via, related.cell - from}].set(static_cast<std::size_t>(from));
      if (ways.size() > kMaxShifts) return;
    }
  }
  for (const auto& [way, origins] : ways) {
    FlatShift shift;
    shift.origins = b_.AddSet(origins);
    shift.via = way.first;
    shift.delta = way.second;
    sketch->mover.shifts.push_back(shift);
  }
}

bool FlatMaker::MakeMovers(int player) {
  std::vector<MoverSketch> sketches;
  if (!SketchMovers(player, &sketches) || !MakeShares(&sketches)) return false;
  std::vector<FlatMover>& movers = f_.sides[static_cast<std::size_t>(player)].movers;
  for (MoverSketch& sketch : sketches) {
    MakeShifts(&sketch);
    FlatMover& mover = sketch.mover;
    // The shares of one row have no end in common: each may be looked up for all kinds that have it.
    std::vector<FlatMover> split;
    if (!mover.shifts.empty() || mover.shares.size() < 2) {
      split.push_back(std::move(mover));
    } else {
      for (const int share : mover.shares) {
        split.push_back(mover);
        split.back().shares = {share};
      }
    }
    for (FlatMover& part : split) {
      const auto like = std::find_if(movers.begin(), movers.end(), [&](const FlatMover& m) {
        return m.shares == part.shares && m.shifts.empty() && part.shifts.empty() && m.onto == part.onto &&
               m.onto_empty == part.onto_empty && m.captures == part.captures && m.test == part.test &&
               m.guarded == part.guarded && m.promotion_kind < 0 && part.promotion_kind < 0 &&
               std::find(m.codes.begin(), m.codes.end(), part.codes.front()) == m.codes.end();
      });
      if (like == movers.end()) {
        movers.push_back(std::move(part));
        continue;
      }
      like->codes.push_back(part.codes.front());
      like->statements.push_back(part.statements.front());
    }
  }
  if (movers.size() > kMaxMovers) return Fail("there are too many statements");
  return true;
}

}  // namespace arbiter::compile
