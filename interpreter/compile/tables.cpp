// Rows: what is related to a cell, as a function of the occupied cells, in the fewest small tables.
#include <algorithm>
#include <limits>

#include "compile/builder.h"

namespace arbiter::compile {
namespace {

constexpr std::size_t kMaxTableWords = std::size_t{1} << 22;  // 32 MiB

// Cells of one table, at most.
std::size_t Most(const Program& program) { return program.words == 1 ? 12 : 10; }

// Cells of one table where there is a choice: multipliers for many cells take long to find, and two look-ups for one
// cost less than a tenth.
std::size_t Wanted(const Program& program) { return program.index == program::TableIndex::kMagic ? 7 : Most(program); }

uint32_t Compress(const CellSet& cells, const std::array<uint8_t, board::kMaxCells>& place) {
  uint32_t index = 0;
  for (std::size_t c = cells._Find_first(); c < cells.size(); c = cells._Find_next(c)) index |= uint32_t{1} << place[c];
  return index;
}

}  // namespace

// By the occupied ones among `bits`: what is related then. The table is all zero before.
void Tables::FillTable(const Items& items, const std::vector<int>& bits, std::size_t words, uint64_t* table) {
  std::array<uint8_t, board::kMaxCells> place{};  // by cell: its bit
  for (std::size_t i = 0; i < bits.size(); ++i) place[static_cast<std::size_t>(bits[i])] = static_cast<uint8_t>(i);
  const std::size_t entries = std::size_t{1} << bits.size();
  SetWords always{};
  for (const Item* item : items) {
    const auto word = static_cast<std::size_t>(item->cell >> 6);
    const uint64_t bit = uint64_t{1} << (item->cell & 63);
    if (item->ways->always) {
      always[word] |= bit;
      continue;
    }
    for (const Path& path : item->ways->paths) {
      const uint32_t empty = Compress(path.empty, place), occupied = Compress(path.occupied, place);
      // Every index that has `occupied` and lacks `empty`: subsets of the other bits.
      const uint32_t free = static_cast<uint32_t>(entries - 1) & ~empty & ~occupied;
      uint32_t sub = free;
      while (true) {
        table[(sub | occupied) * words + word] |= bit;
        if (sub == 0) break;
        sub = (sub - 1) & free;
      }
    }
  }
  for (std::size_t word = 0; word < words; ++word) {
    if (always[word] == 0) continue;
    for (std::size_t i = 0; i < entries; ++i) table[i * words + word] |= always[word];
  }
}

// Puts the table of a group behind those that are there.
bool Tables::PlaceTable(const Items& items, const std::vector<int>& bits, program::Group* group, std::string* why) {
  const auto words = static_cast<std::size_t>(b_.program.words);
  const std::size_t size = (std::size_t{1} << bits.size()) * words;
  auto& tables = b_.program.tables;
  const std::size_t first = tables.size();
  group->table = static_cast<uint32_t>(first);
  const auto too_much = [&] {
    *why = "the tables would take too much memory";
    return false;
  };
  if (first + size > kMaxTableWords) return too_much();
  if (b_.program.index == program::TableIndex::kExtract) {
    tables.resize(first + size, 0);
    FillTable(items, bits, words, tables.data() + first);
    return true;
  }
  std::vector<uint64_t> table(size, 0);
  FillTable(items, bits, words, table.data());
  const Magic magic = FindMagic(bits, table, b_.program.words, &numbers_);
  if (magic.table.empty()) {
    *why = "no number was found to look its tables up by";
    return false;
  }
  if (first + magic.table.size() > kMaxTableWords) return too_much();
  std::copy_n(magic.multiplier, 4, group->multiplier);
  group->shift = static_cast<uint8_t>(magic.shift);
  tables.insert(tables.end(), magic.table.begin(), magic.table.end());
  return true;
}

bool Tables::MakeGroup(const Bin& bin, const std::vector<Key>& keys, program::Group* group, std::string* why) {
  const auto [found, fresh] = by_content_.try_emplace(keys);
  if (!fresh) {
    *group = found->second;
    return true;
  }
  std::vector<int> bits;
  for (std::size_t c = bin.mask._Find_first(); c < bin.mask.size(); c = bin.mask._Find_next(c)) {
    bits.push_back(static_cast<int>(c));
    group->mask[c >> 6] |= uint64_t{1} << (c & 63);
  }
  if (!PlaceTable(bin.items, bits, group, why)) {
    by_content_.erase(found);
    return false;
  }
  found->second = *group;
  return true;
}

// Each item goes into the bin that grows least; the ones that ask most come first. An item that asks more than `cap`
// cells has a bin of its own, and those that ask some of the same. False: it would take more than `most` bins.
bool Tables::FillBins(const Items& items, std::size_t cap, std::size_t most, std::vector<Bin>* bins) {
  bins->clear();
  for (const Item* item : items) {
    Bin* best = nullptr;
    std::size_t growth = 0;
    for (Bin& bin : *bins) {
      const CellSet added = item->ways->relevant & ~bin.mask;
      const std::size_t more = added.none() ? 0 : added.count();
      if (bin.size + more <= std::max(cap, bin.size) && (best == nullptr || more < growth)) {
        best = &bin;
        growth = more;
        if (more == 0) break;
      }
    }
    if (best == nullptr) {
      if (bins->size() == most) return false;
      best = &bins->emplace_back();
      growth = item->ways->asks;
    }
    best->mask |= item->ways->relevant;
    best->size += growth;
    best->items.push_back(item);
  }
  return true;
}

// The fewest bins; among those, bins of equal size: two tables for seven cells are smaller than one for ten and one for
// four. False: one item alone asks too many cells.
bool Tables::Pack(Items items, std::vector<Bin>* bins) const {
  constexpr auto kAny = std::numeric_limits<std::size_t>::max();
  const std::size_t most = Most(b_.program);
  if (std::any_of(items.begin(), items.end(), [&](const Item* item) { return item->ways->asks > most; })) return false;
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return a->ways->asks > b->ways->asks; });
  std::size_t cap = Wanted(b_.program);
  FillBins(items, cap, kAny, bins);
  while (bins->size() > program::kMaxGroups && cap < most) FillBins(items, ++cap, kAny, bins);
  const std::size_t count = bins->size();
  if (count < 2) return true;
  CellSet all;
  for (const Bin& bin : *bins) all |= bin.mask;
  std::vector<Bin> evened;
  for (std::size_t even = (all.count() + count - 1) / count; even < cap; ++even) {
    if (!FillBins(items, even, count, &evened)) continue;
    *bins = std::move(evened);
    break;
  }
  return true;
}

// Takes the items of known groups out of `left`, the largest group first.
std::vector<const Tables::Known*> Tables::Share(int anchor, Items* left) const {
  std::vector<const Known*> shared;
  const auto at = by_anchor_.find(anchor);
  if (at == by_anchor_.end()) return shared;
  for (const Known& known : at->second) {
    // Both are sorted.
    auto key = known.keys.begin();
    for (auto item = left->begin(); key != known.keys.end() && item != left->end() && (*item)->key <= *key; ++item) {
      if ((*item)->key == *key) ++key;
    }
    if (key != known.keys.end()) continue;
    shared.push_back(&known);
    key = known.keys.begin();
    std::erase_if(*left, [&](const Item* item) {
      const bool taken = key != known.keys.end() && item->key == *key;
      if (taken) ++key;
      return taken;
    });
  }
  return shared;
}

void Tables::Remember(int anchor, std::vector<Known> made) {
  std::vector<Known>& known = by_anchor_[anchor];
  for (Known& m : made) {
    const auto at = std::upper_bound(known.begin(), known.end(), m.keys.size(),
                                     [](std::size_t size, const Known& k) { return size > k.keys.size(); });
    known.insert(at, std::move(m));
  }
}

bool Tables::MakeRow(int anchor, std::span<const Related> related, program::Row* row, std::string* why) {
  CellSet constant, reach;
  std::vector<Item> items;
  last_bits_ = 0;
  row->group = static_cast<int32_t>(b_.program.groups.size());
  row->group_count = 0;
  for (const Related& r : related) {
    reach.set(static_cast<std::size_t>(r.cell));
    if (b_.ways[r.ways].always) constant.set(static_cast<std::size_t>(r.cell));
  }
  row->reach = b_.AddSet(reach);
  if (constant == reach) {
    if (reach.any()) row->constant = row->reach;
    return true;
  }
  // Ends on every board are part of a table where there is one: one look-up gives all.
  constant.reset();
  items.reserve(related.size());
  for (const Related& r : related) {
    const int alike = b_.ways[r.ways].alike;
    items.push_back({r.cell, &b_.ways[alike], (static_cast<Key>(r.cell) << 32) | static_cast<Key>(alike)});
  }
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  Items all;
  all.reserve(items.size());
  for (const Item& item : items) all.push_back(&item);
  std::vector<Bin> bins;
  if (!Pack(all, &bins)) {
    *why = "one way depends on too many cells for a table";
    return false;
  }
  // What is already in tables of this cell is taken from there, unless that takes more look-ups.
  Items left = all;
  std::vector<const Known*> shared = Share(anchor, &left);
  std::vector<Bin> rest;
  if (!shared.empty() && Pack(left, &rest) && shared.size() + rest.size() <= bins.size()) {
    bins = std::move(rest);
  } else {
    shared.clear();
  }
  // Where nothing but such ends is left beside known tables, they are a set of their own.
  std::erase_if(bins, [&](const Bin& bin) {
    if (bin.mask.any()) return false;
    for (const Item* item : bin.items) constant.set(static_cast<std::size_t>(item->cell));
    return true;
  });
  if (constant.any()) row->constant = b_.AddSet(constant);
  if (bins.size() + shared.size() > program::kMaxGroups) {
    *why = "it would take too many tables";
    return false;
  }
  std::vector<program::Group> groups;
  for (const Known* known : shared) {
    groups.push_back(known->group);
    last_bits_ = std::max(last_bits_, known->bits);
  }
  std::vector<Known> made;
  for (const Bin& bin : bins) {
    Known known;
    known.bits = static_cast<int>(bin.size);
    for (const Item* item : bin.items) known.keys.push_back(item->key);
    std::sort(known.keys.begin(), known.keys.end());
    if (!MakeGroup(bin, known.keys, &known.group, why)) return false;
    last_bits_ = std::max(last_bits_, known.bits);
    groups.push_back(known.group);
    made.push_back(std::move(known));
  }
  Remember(anchor, std::move(made));
  row->group_count = static_cast<int32_t>(groups.size());
  b_.program.groups.insert(b_.program.groups.end(), groups.begin(), groups.end());
  return true;
}

}  // namespace arbiter::compile
