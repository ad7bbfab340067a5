// Rows: what is related to a cell, as a function of the occupied cells, in the fewest small tables.
#include <algorithm>

#include "compile/builder.h"

namespace arbiter::compile {
namespace {

constexpr int kMaxGroups = 6;
constexpr std::size_t kMaxTableWords = std::size_t{1} << 22;  // 32 MiB

int Cap(const Program& program) { return program.words == 1 ? 12 : 10; }

std::string Key(const Related& related) {
  std::string key;
  key.push_back(static_cast<char>(related.cell));
  std::vector<std::string> paths;
  for (const Path& p : related.paths) {
    std::string text;
    for (std::size_t c = 0; c < p.empty.size(); ++c) {
      if (p.empty.test(c)) text.push_back(static_cast<char>(c));
    }
    text.push_back('|');
    for (std::size_t c = 0; c < p.occupied.size(); ++c) {
      if (p.occupied.test(c)) text.push_back(static_cast<char>(c));
    }
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
  const std::size_t entries = std::size_t{1} << bits.size();
  auto& tables = b_.program.tables;
  if (tables.size() + entries * words > kMaxTableWords) {
    *why = "the tables would take too much memory";
    return false;
  }
  group->table = static_cast<uint32_t>(tables.size());
  tables.resize(tables.size() + entries * words, 0);
  uint64_t* table = tables.data() + group->table;
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
  by_content_[keys] = *group;
  return true;
}

// Each item goes into the bin that grows least; the ones that ask most come first.
bool Tables::FillBins(const std::vector<const Item*>& items, std::vector<Bin>* bins) const {
  const auto cap = static_cast<std::size_t>(Cap(b_.program));
  std::vector<const Item*> order = items;
  std::stable_sort(order.begin(), order.end(),
                   [](const Item* a, const Item* b) { return a->relevant.count() > b->relevant.count(); });
  for (const Item* item : order) {
    Bin* best = nullptr;
    std::size_t growth = 0;
    for (Bin& bin : *bins) {
      const std::size_t size = (bin.mask | item->relevant).count();
      if (size <= cap && (best == nullptr || size - bin.mask.count() < growth)) {
        best = &bin;
        growth = size - bin.mask.count();
      }
    }
    if (best == nullptr) {
      if (item->relevant.count() > cap) return false;
      bins->emplace_back();
      best = &bins->back();
    }
    best->mask |= item->relevant;
    best->items.push_back(item);
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
    item.key = Key(r);
    items.push_back(std::move(item));
  }
  // Ends on every board are part of a table where there is one: one look-up gives all.
  const bool all_constant = constant == reach;
  if (all_constant) items.clear();
  row->reach = b_.AddSet(reach);
  if (all_constant && constant.any()) row->constant = b_.AddSet(constant);
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  std::vector<const Item*> all;
  for (const Item& item : items) all.push_back(&item);
  std::vector<Bin> bins;
  if (!FillBins(all, &bins)) {
    *why = "one way depends on too many cells for a table";
    return false;
  }
  // What is already in tables of this cell is taken from there, unless that takes more look-ups.
  std::vector<const Item*> left = all;
  std::vector<const Known*> shared = Share(anchor, &left);
  std::vector<Bin> rest;
  if (!shared.empty() && FillBins(left, &rest) && shared.size() + rest.size() <= bins.size()) {
    bins = std::move(rest);
  } else {
    shared.clear();
  }
  if (bins.size() + shared.size() > kMaxGroups) {
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
