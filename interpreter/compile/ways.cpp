// Lists of ways, kept once.
#include <algorithm>

#include "compile/builder.h"

namespace arbiter::compile {
namespace {

std::size_t Hash(const std::vector<Path>& paths) {
  const std::hash<CellSet> hash;
  uint64_t all = paths.size();
  for (const Path& p : paths) all = rules::Mix(rules::Mix(all ^ hash(p.empty)) ^ hash(p.occupied));
  return static_cast<std::size_t>(all);
}

// Some order, the same in every run.
bool Before(const CellSet& a, const CellSet& b) {
  const std::size_t first = (a ^ b)._Find_first();
  return first < a.size() && a.test(first);
}

std::vector<Path> Sorted(std::vector<Path> paths) {
  std::sort(paths.begin(), paths.end(), [](const Path& a, const Path& b) {
    return a.empty == b.empty ? Before(a.occupied, b.occupied) : Before(a.empty, b.empty);
  });
  return paths;
}

}  // namespace

int WayLists::Add(const std::vector<Path>& paths) {
  if (paths.size() == 1 && paths.front() == Path{} && !lists_.empty()) return 0;
  const std::size_t hash = Hash(paths);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (lists_[static_cast<std::size_t>(at->second)].paths == paths) return at->second;
  }
  const int index = static_cast<int>(lists_.size());
  index_.emplace(hash, index);
  Ways made;
  made.paths = paths;
  for (const Path& p : paths) {
    const CellSet asked = p.empty | p.occupied;
    made.always = made.always || asked.none();
    made.relevant |= asked;
  }
  made.asks = made.relevant.count();
  made.alike = made.always ? 0 : index;
  lists_.push_back(std::move(made));
  if (paths.size() > 1 && lists_.back().alike == index) {
    const std::vector<Path> sorted = Sorted(paths);
    if (sorted != paths) {
      const int alike = Add(sorted);
      lists_[static_cast<std::size_t>(index)].alike = alike;
    }
  }
  return index;
}

}  // namespace arbiter::compile
