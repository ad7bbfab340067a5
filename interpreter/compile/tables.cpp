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
      constant.set(static_cast<std::size_t>(r.cell));
    } else {
      item.key = Key(r);
      items.push_back(std::move(item));
    }
  }
  row->reach = b_.AddSet(reach);
  if (constant.any()) row->constant = b_.AddSet(constant);
  const auto cap = static_cast<std::size_t>(Cap(b_.program));
  std::vector<program::Group> groups;

  // What is already in a table of this cell is taken from there, the largest first.
  std::vector<bool> done(items.size(), false);
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
  std::vector<std::string> left;
  for (const Item& item : items) left.push_back(item.key);
  auto& known = by_anchor_[anchor];
  std::vector<std::size_t> by_size(known.size());
  for (std::size_t i = 0; i < known.size(); ++i) by_size[i] = i;
  std::sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    return known[a].keys.size() != known[b].keys.size() ? known[a].keys.size() > known[b].keys.size() : a < b;
  });
  for (const std::size_t k : by_size) {
    const auto& keys = known[k].keys;
    if (keys.size() < 2 || !std::includes(left.begin(), left.end(), keys.begin(), keys.end())) continue;
    groups.push_back(known[k].group);
    int bits = 0;
    for (const uint64_t w : known[k].group.mask) bits += __builtin_popcountll(w);
    last_bits_ = std::max(last_bits_, bits);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (std::binary_search(keys.begin(), keys.end(), items[i].key)) done[i] = true;
    }
    std::vector<std::string> rest;
    std::set_difference(left.begin(), left.end(), keys.begin(), keys.end(), std::back_inserter(rest));
    left = std::move(rest);
  }

  // The others: the ones that ask most first, each into the group that grows least.
  struct Bin {
    CellSet mask;
    std::vector<const Item*> items;
  };
  std::vector<const Item*> order;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!done[i]) order.push_back(&items[i]);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Item* a, const Item* b) { return a->relevant.count() > b->relevant.count(); });
  std::vector<Bin> bins;
  for (const Item* item : order) {
    Bin* best = nullptr;
    std::size_t growth = 0;
    for (Bin& bin : bins) {
      const std::size_t size = (bin.mask | item->relevant).count();
      if (size <= cap && (best == nullptr || size - bin.mask.count() < growth)) {
        best = &bin;
        growth = size - bin.mask.count();
      }
    }
    if (best == nullptr) {
      if (item->relevant.count() > cap) {
        *why = "one way depends on too many cells for a table";
        return false;
      }
      bins.emplace_back();
      best = &bins.back();
    }
    best->mask |= item->relevant;
    best->items.push_back(item);
  }
  if (bins.size() + groups.size() > kMaxGroups) {
    *why = "it would take too many tables";
    return false;
  }
  for (const Bin& bin : bins) {
    program::Group group;
    if (!MakeGroup(bin.items, bin.mask, &group, why)) return false;
    groups.push_back(group);
    last_bits_ = std::max(last_bits_, static_cast<int>(bin.mask.count()));
    std::vector<std::string> keys;
    for (const Item* item : bin.items) keys.push_back(item->key);
    std::sort(keys.begin(), keys.end());
    known.push_back({std::move(keys), group});
  }
  row->group = static_cast<int32_t>(b_.program.groups.size());
  row->group_count = static_cast<int32_t>(groups.size());
  b_.program.groups.insert(b_.program.groups.end(), groups.begin(), groups.end());
  return true;
}

}  // namespace arbiter::compile
