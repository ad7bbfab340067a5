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

// Which shares every statement of the player is made of: smaller statements first, so that larger ones are made of
// theirs.
bool FlatMaker::MakeShares(int player, std::map<int, std::vector<int>>* by_statement) {
  using GroupKey = std::tuple<uint32_t, uint64_t, uint64_t, uint64_t, uint64_t>;
  std::map<GroupKey, int> first_group;
  const auto canonical = [&](int index) {
    const program::Group& g = p_.groups[static_cast<std::size_t>(index)];
    return first_group.emplace(GroupKey{g.table, g.mask[0], g.mask[1], g.mask[2], g.mask[3]}, index).first->second;
  };
  std::vector<std::pair<int, Parts>> statements;
  for (const auto& of_kind : plan_->plain) {
    for (const int index : of_kind) {
      const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
      Parts parts(static_cast<std::size_t>(p_.cells));
      for (int from = 0; from < p_.board_cells; ++from) {
        if (s.from >= 0 && !p_.set_has(s.from + player, from)) continue;
        const int rows = p_.walks[static_cast<std::size_t>(s.walk)].rows;
        const program::Row& row = p_.rows[static_cast<std::size_t>(rows + player * p_.cells + from)];
        auto& at = parts[static_cast<std::size_t>(from)];
        if (row.constant >= 0) at.insert({false, row.constant});
        for (int g = row.group; g < row.group + row.group_count; ++g) at.insert({true, canonical(g)});
      }
      statements.emplace_back(index, std::move(parts));
    }
  }
  std::stable_sort(statements.begin(), statements.end(),
                   [](const auto& a, const auto& b) { return Size(a.second) < Size(b.second); });
  std::vector<std::pair<int, Parts>> shares;  // of this player
  for (auto& [index, parts] : statements) {
    auto& mine = (*by_statement)[index];
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
  }
  return true;
}

// The same few steps from every origin: done for all pieces at once.
void FlatMaker::MakeShifts(int player, FlatMover* mover) {
  if (mover->guarded || mover->test >= 0) return;
  std::map<std::pair<int, int>, CellSet> ways;  // (cell passed over, end), both less the origin
  const program::Plain& s = p_.plain[static_cast<std::size_t>(mover->statements.front())];
  const Relation& relation = relations_.Of(s.walk, player);
  if (!relation.known) return;
  for (int from = 0; from < p_.board_cells; ++from) {
    if (s.from >= 0 && !p_.set_has(s.from + player, from)) continue;
    for (const Related& related : relation.at[static_cast<std::size_t>(from)]) {
      if (related.paths.size() != 1 || related.paths.front().occupied.any()) return;
      const CellSet& empty = related.paths.front().empty;
      if (empty.count() > 1 || related.cell == from) return;
      const int via = empty.none() ? 0 : static_cast<int>(empty._Find_first()) - from;
      ways[{via, related.cell - from}].set(static_cast<std::size_t>(from));
      if (ways.size() > kMaxShifts) return;
    }
  }
  // Two ways of one origin to one cell do not exist: a relation has one entry for each end.
  for (const auto& [way, origins] : ways) {
    FlatShift shift;
    shift.origins = b_.AddSet(origins);
    shift.via = way.first;
    shift.delta = way.second;
    mover->shifts.push_back(shift);
  }
}

bool FlatMaker::MakeMovers(int player) {
  std::map<int, std::vector<int>> shares;
  if (!MakeShares(player, &shares)) return false;
  std::vector<FlatMover>& movers = f_.sides[static_cast<std::size_t>(player)].movers;
  const std::vector<Code>& guarded = f_.sides[static_cast<std::size_t>(player)].guarded;
  const auto set_of = [&](int first) { return first < 0 ? -1 : first + player; };
  for (const auto& of_kind : plan_->plain) {
    std::vector<FlatMover> of_this;
    for (const int index : of_kind) {
      const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
      const Code code = CodeOf(s.kind, player);
      if (code == program::kNoPiece) continue;
      FlatMover mover;
      mover.codes = {code};
      mover.statements = {index};
      const bool all = s.captures == p_.all_kinds;
      if (s.captures == 0) {
        mover.onto = FlatMover::Onto::kEmpty;
      } else if (all) {
        mover.onto = s.empty ? FlatMover::Onto::kEmptyOrEnemy : FlatMover::Onto::kEnemy;
      } else {
        mover.onto = FlatMover::Onto::kSome;
        mover.onto_empty = s.empty;
        mover.captures = Codes(s.captures, rules::Side::kEnemy, player);
      }
      mover.within = set_of(s.within);
      mover.guarded = std::find(guarded.begin(), guarded.end(), code) != guarded.end();
      mover.shares = shares[index];
      std::sort(mover.shares.begin(), mover.shares.end());
      if (s.condition.present()) {
        const rules::Action& action = rules_.actions[rules::ActionId(s.action)];
        std::vector<int> tests;
        for (const rules::Step& step : action.steps) {
          if (step.op == rules::StepOp::kChoose) break;
          // What asks where the piece stands is in the set of origins.
          Known known = OfPlayer(player);
          if (step.op != rules::StepOp::kRequire) continue;
          Reads reads;
          CollectReads(rules_, step.expr, &reads);
          if (reads.self && s.from >= 0) {
            Known at_origin = OfPlayer(player);
            at_origin.self_on_origin = true;
            at_origin.origin = 0;
            if (Fold(rules_, step.expr, at_origin).kind == Folded::Kind::kValue) continue;
          }
          tests.push_back(Test(step.expr, known));
        }
        mover.test = Join(program::FlatTest::Op::kAll, tests);
        if (mover.test == kUnknown) return Fail("a statement asks about more than pieces and state");
        if (mover.test == kNever) continue;
      }
      if (s.promotes) {
        mover.promotion_kind = s.kind;
        mover.promotion_zone = p_.promotion_zones[static_cast<std::size_t>(s.kind)] + player;
      }
      if (s.overlaps) {
        const auto same = std::find_if(of_this.begin(), of_this.end(), [&](const FlatMover& m) {
          return p_.plain[static_cast<std::size_t>(m.statements.front())].overlaps && m.onto == mover.onto &&
                 m.captures == mover.captures && m.onto_empty == mover.onto_empty && m.within == mover.within &&
                 m.test == mover.test && m.promotion_kind == mover.promotion_kind;
        });
        if (same == of_this.end() && std::any_of(of_this.begin(), of_this.end(), [&](const FlatMover& m) {
              return p_.plain[static_cast<std::size_t>(m.statements.front())].overlaps;
            })) {
          return Fail("statements that may reach the same cell have different limits");
        }
        if (same != of_this.end()) {
          // The statements have no effects of their own, so where both may go they change the state alike.
          const int first = same->statements.front() * p_.players + player, other = index * p_.players + player;
          for (auto* tables : {&f_.moved, &f_.moved_timeless}) {
            program::ChangeTable& into = (*tables)[static_cast<std::size_t>(first)];
            const program::ChangeTable& from = (*tables)[static_cast<std::size_t>(other)];
            if (into.empty()) into.resize(from.size());
            for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
          }
          for (const int share : mover.shares) {
            if (std::find(same->shares.begin(), same->shares.end(), share) == same->shares.end()) {
              same->shares.push_back(share);
            }
          }
          std::sort(same->shares.begin(), same->shares.end());
          continue;
        }
        of_this.push_back(std::move(mover));
        continue;
      }
      of_this.push_back(std::move(mover));
    }
    for (FlatMover& mover : of_this) {
      const bool overlaps = p_.plain[static_cast<std::size_t>(mover.statements.front())].overlaps;
      if (!overlaps) MakeShifts(player, &mover);
      // The parts of one walk have no end in common: each may be looked up for all kinds that have it.
      std::vector<FlatMover> split;
      if (overlaps || !mover.shifts.empty() || mover.shares.size() < 2) {
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
                 m.onto_empty == part.onto_empty && m.captures == part.captures && m.within == part.within &&
                 m.test == part.test && m.guarded == part.guarded && m.promotion_kind < 0 && part.promotion_kind < 0 &&
                 m.codes.front() != part.codes.front();
        });
        if (like == movers.end()) {
          movers.push_back(std::move(part));
          continue;
        }
        like->codes.push_back(part.codes.front());
        like->statements.push_back(part.statements.front());
      }
    }
  }
  return true;
}

}  // namespace arbiter::compile
