// Rows: what is related to a cell, as a function of the occupied cells, in the fewest small tables.
#include <algorithm>

#include "compile/builder.h"
#include "compile/magic.h"

namespace arbiter::compile {
namespace {

constexpr std::size_t kMaxTableWords = std::size_t{1} << 22;  // 32 MiB

// Cells of one table, at most.
std::size_t Most(const Program& program) { return program.words == 1 ? 12 : 10; }

// Cells of one table where there is a choice: multipliers for many cells take long to find, and two look-ups for one
// cost less than a tenth.
std::size_t Wanted(const Program& program) { return program.index == program::TableIndex::kMagic ? 7 : Most(program); }

std::string Key(const Related& related) {
  std::string key;
  key.push_back(static_cast<char>(related.cell));
  std::vector<std::string> paths;
  for (const Path& p : related.paths) {
    std::string text;
    const auto add = [&](const CellSet& cells) {
      for (std::size_t c = cells._Find_first(); c < cells.size(); c = cells._Find_next(c)) {
        text.push_back(static_cast<char>(c));
      }
    };
    add(p.empty);
    text.push_back('|');
    add(p.occupied);
    text.push_back(static_cast<char>(text.size()));
    paths.push_back(std::move(text));
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& p : paths) key += p;
  return key;
}

uint32_t Compress(const CellSet& cells, const std::vector<int>& bits) {
  uint32_t index = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (cells.test(static_cast<std::size_t>(bits[i]))) index |= uint32_t{1} << i;
  }
  return index;
}

}  // namespace

// By the occupied ones among `bits`: what is related then.
std::vector<uint64_t> Tables::TableOf(const std::vector<const Item*>& items, const std::vector<int>& bits,
                                      std::size_t words) {
  const std::size_t entries = std::size_t{1} << bits.size();
  std::vector<uint64_t> table(entries * words, 0);
  for (const Item* item : items) {
    const auto word = static_cast<std::size_t>(item->related->cell >> 6);
    const uint64_t bit = uint64_t{1} << (item->related->cell & 63);
    for (const Path& path : item->related->paths) {
      const uint32_t empty = Compress(path.empty, bits), occupied = Compress(path.occupied, bits);
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
  return table;
}

bool Tables::MakeGroup(const std::vector<const Item*>& items, const CellSet& mask, program::Group* group,
                       std::string* why) {
  std::vector<std::string> keys;
  for (const Item* item : items) keys.push_back(item->key);
  std::sort(keys.begin(), keys.end());
  const auto found = by_content_.find(keys);
  if (found != by_content_.end()) {
    *group = found->second;
    return true;
  }
  std::vector<int> bits;
  for (int c = 0; c < b_.program.cells; ++c) {
    if (mask.test(static_cast<std::size_t>(c))) {
      bits.push_back(c);
      group->mask[c >> 6] |= uint64_t{1} << (c & 63);
    }
  }
  const auto words = static_cast<std::size_t>(b_.program.words);
  std::vector<uint64_t> table = TableOf(items, bits, words);
  if (b_.program.index == program::TableIndex::kMagic) {
    Magic magic = FindMagic(bits, table, b_.program.words);
    if (magic.table.empty()) {
      *why = "no number was found to look its tables up by";
      return false;
    }
    std::copy_n(magic.multiplier, 4, group->multiplier);
    group->shift = static_cast<uint8_t>(magic.shift);
    table = std::move(magic.table);
  }
  auto& tables = b_.program.tables;
  if (tables.size() + table.size() > kMaxTableWords) {
    *why = "the tables would take too much memory";
    return false;
  }
  group->table = static_cast<uint32_t>(tables.size());
  tables.insert(tables.end(), table.begin(), table.end());
  by_content_[keys] = *group;
  return true;
}

// Each item goes into the bin that grows least; the ones that ask most come first. An item that asks more than `cap`
// cells has a bin of its own, and those that ask some of the same.
std::vector<Tables::Bin> Tables::FillBins(const std::vector<const Item*>& items, std::size_t cap) {
  std::vector<Bin> bins;
  std::vector<const Item*> order = items;
  std::stable_sort(order.begin(), order.end(), [](const Item* a, const Item* b) { return a->asks > b->asks; });
  for (const Item* item : order) {
    Bin* best = nullptr;
    std::size_t growth = 0;
    for (Bin& bin : bins) {
      const std::size_t before = bin.mask.count(), size = (bin.mask | item->relevant).count();
      if (size <= std::max(cap, before) && (best == nullptr || size - before < growth)) {
        best = &bin;
        growth = size - before;
      }
    }
    if (best == nullptr) {
      bins.emplace_back();
      best = &bins.back();
    }
    best->mask |= item->relevant;
    best->items.push_back(item);
  }
  return bins;
}

// The fewest bins; among those, bins of equal size: two tables for seven cells are smaller than one for ten and one for
// four. False: one item alone asks too many cells.
bool Tables::Pack(const std::vector<const Item*>& items, std::vector<Bin>* bins) const {
  const std::size_t most = Most(b_.program);
  if (std::any_of(items.begin(), items.end(), [&](const Item* item) { return item->asks > most; })) return false;
  std::size_t cap = Wanted(b_.program);
  *bins = FillBins(items, cap);
  while (bins->size() > program::kMaxGroups && cap < most) *bins = FillBins(items, ++cap);
  const std::size_t count = bins->size();
  if (count < 2) return true;
  CellSet all;
  for (const Bin& bin : *bins) all |= bin.mask;
  for (std::size_t even = (all.count() + count - 1) / count; even < cap; ++even) {
    std::vector<Bin> evened = FillBins(items, even);
    if (evened.size() > count) continue;
    *bins = std::move(evened);
    break;
  }
  return true;
}

// Takes the items of known groups out of `left`, the largest group first.
std::vector<const Tables::Known*> Tables::Share(int anchor, std::vector<const Item*>* left) const {
  std::vector<const Known*> shared;
  const auto at = by_anchor_.find(anchor);
  if (at == by_anchor_.end()) return shared;
  std::vector<const Known*> by_size;
  for (const Known& known : at->second) by_size.push_back(&known);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Known* a, const Known* b) { return a->keys.size() > b->keys.size(); });
  for (const Known* known : by_size) {
    const auto has = [&](const std::string& key) {
      return std::any_of(left->begin(), left->end(), [&](const Item* item) { return item->key == key; });
    };
    if (!std::all_of(known->keys.begin(), known->keys.end(), has)) continue;
    shared.push_back(known);
    std::erase_if(
        *left, [&](const Item* item) { return std::binary_search(known->keys.begin(), known->keys.end(), item->key); });
  }
  return shared;
}

bool Tables::MakeRow(int anchor, const std::vector<Related>& related, program::Row* row, std::string* why) {
  CellSet constant, reach;
  std::vector<Item> items;
  last_bits_ = 0;
  for (const Related& r : related) {
    reach.set(static_cast<std::size_t>(r.cell));
    Item item;
    item.related = &r;
    bool always = false;
    for (const Path& p : r.paths) {
      always = always || (p.empty.none() && p.occupied.none());
      item.relevant |= p.empty | p.occupied;
    }
    if (always) {
      item.relevant.reset();
      constant.set(static_cast<std::size_t>(r.cell));
    }
    item.asks = item.relevant.count();
    item.key = always ? Key({r.cell, {Path{}}}) : Key(r);
    items.push_back(std::move(item));
  }
  // Ends on every board are part of a table where there is one: one look-up gives all.
  const bool all_constant = constant == reach;
  if (all_constant) items.clear();
  row->reach = b_.AddSet(reach);
  if (!all_constant) constant.reset();
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  std::vector<const Item*> all;
  for (const Item& item : items) all.push_back(&item);
  std::vector<Bin> bins;
  if (!Pack(all, &bins)) {
    *why = "one way depends on too many cells for a table";
    return false;
  }
  // What is already in tables of this cell is taken from there, unless that takes more look-ups.
  std::vector<const Item*> left = all;
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
    for (const Item* item : bin.items) constant.set(static_cast<std::size_t>(item->related->cell));
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
    if (!MakeGroup(bin.items, bin.mask, &known.group, why)) return false;
    known.bits = static_cast<int>(bin.mask.count());
    last_bits_ = std::max(last_bits_, known.bits);
    groups.push_back(known.group);
    for (const Item* item : bin.items) known.keys.push_back(item->key);
    std::sort(known.keys.begin(), known.keys.end());
    made.push_back(std::move(known));
  }
  auto& known = by_anchor_[anchor];
  std::move(made.begin(), made.end(), std::back_inserter(known));
  row->group = static_cast<int32_t>(b_.program.groups.size());
  row->group_count = static_cast<int32_t>(groups.size());
  b_.program.groups.insert(b_.program.groups.end(), groups.begin(), groups.end());
  return true;
}

}  // namespace arbiter::compile
