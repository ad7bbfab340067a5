// Walks at run time: rows of tables where there are any, else a search over configurations.

// A set of stands: open addressing, emptied by starting over.
template <int W, class Index>
struct Machine<W, Index>::StandSet {
  std::vector<Stand> items;
  std::vector<int32_t> table;  // index + 1 into items

  void Clear() {
    items.clear();
    if (table.empty() || table.size() > 65536) {
      table.assign(256, 0);
    } else {
      std::fill(table.begin(), table.end(), 0);
    }
  }
  static uint64_t Hash(const Stand& s) {
    uint64_t h = static_cast<uint64_t>(s.node) * 0x9e3779b97f4a7c15;
    h ^= (static_cast<uint64_t>(s.cell) << 40) ^ (static_cast<uint64_t>(s.heading + 1) << 20) ^
         static_cast<uint64_t>(s.back + 1) ^ (static_cast<uint64_t>(s.over + 2) << 50);
    h *= 0xbf58476d1ce4e5b9;
    return h ^ (h >> 29);
  }
  // False if it was in the set.
  bool Add(const Stand& s) {
    if ((items.size() + 1) * 2 > table.size()) {
      table.assign(table.size() * 2, 0);
      for (std::size_t i = 0; i < items.size(); ++i) *Slot(items[i]) = static_cast<int32_t>(i) + 1;
    }
    int32_t* slot = Slot(s);
    if (*slot != 0) return false;
    items.push_back(s);
    *slot = static_cast<int32_t>(items.size());
    return true;
  }

 private:
  int32_t* Slot(const Stand& s) {
    std::size_t at = Hash(s) & (table.size() - 1);
    while (table[at] != 0 && !(items[static_cast<std::size_t>(table[at] - 1)] == s)) at = (at + 1) & (table.size() - 1);
    return &table[at];
  }
};

template <int W, class Index>
struct Machine<W, Index>::Scratch {
  StandSet seen;
  std::vector<int> labels;
};

template <int W, class Index>
const program::Row* Machine<W, Index>::RowOf(int walk, int side, int from, const Context& c) const {
  const program::Walk& w = p_.walks[static_cast<std::size_t>(walk)];
  if (w.rows < 0 || (w.reads_me && c.me != side)) return nullptr;
  int first = side;
  if (w.directions > 0) {
    const Value direction = c.v[w.direction_slot];
    if (direction < 0 || direction >= w.directions) return nullptr;
    first += direction * p_.players;
  }
  return &p_.rows[static_cast<std::size_t>(w.rows + first * p_.cells + from)];
}

template <int W, class Index>
Bits<W> Machine<W, Index>::Ends(int walk, int from, Context& c) {
  const program::Row* row = RowOf(walk, SideOf(c), from, c);
  if (row != nullptr) return RowEnds(*row, empty_board_ ? Cells{} : occupied_);
  const program::Walk& w = p_.walks[static_cast<std::size_t>(walk)];
  Cells ends;
  Flood(w, {Stand{w.start, from, -1, -1, -2, from}}, c, [&](const Stand& s) { ends.Set(s.cell); });
  if (!w.may_stay) ends.Clear(from);
  return ends;
}

// A function of a walk, with the names of the walk and the slots of the caller's frame that it reads.
template <int W, class Index>
Value Machine<W, Index>::WalkValue(const program::Walk& w, int function, int origin, const Stand& s, const Context& c,
                                   engine::List* list) {
  const Function& f = p_.functions[static_cast<std::size_t>(function)];
  Context inner;
  inner.me = c.me;
  inner.self = c.self;
  inner.here = s.cell;
  inner.heading = NoneIfNegative(s.heading);
  inner.back = NoneIfNegative(s.back);
  inner.origin = origin;
  Frame frame(*this, f, &inner);
  for (const int slot : w.frame_values) {
    if (slot < f.values) inner.v[slot] = c.v[slot];
  }
  for (const int slot : w.frame_cells) {
    if (slot < f.cells) inner.s[slot] = c.s[slot];
  }
  for (const int slot : w.frame_lists) {
    if (slot < f.lists) inner.l[slot] = c.l[slot];
  }
  for (const int slot : w.frame_choices) {
    if (slot >= f.slots || slot >= c.slots) continue;
    inner.v[f.slots + 2 * slot] = c.v[c.slots + 2 * slot];
    inner.v[f.slots + 2 * slot + 1] = c.v[c.slots + 2 * slot + 1];
    inner.s[f.slots + slot] = c.s[c.slots + slot];
  }
  Exec(f.entry, inner, nullptr);
  if (list != nullptr) *list = *list_;
  return value_;
}

// May the cell be left by a step or leap?
template <int W, class Index>
bool Machine<W, Index>::Leaves(const program::Walk& w, int origin, const Stand& s, const Context& c) {
  if (s.over == -2) return true;
  if (s.over == -1) return empty_board_ || on_[static_cast<std::size_t>(s.cell)] < 0;
  return Truth(WalkValue(w, s.over, origin, s, c, nullptr));
}

template <int W, class Index>
void Machine<W, Index>::Labels(const program::Walk& w, const program::NfaNode& node, int origin, const Stand& s,
                               const Context& c, std::vector<int>* out) {
  out->assign(node.labels.begin(), node.labels.end());
  for (const int r : node.relative) out->push_back(p_.board.Way(static_cast<board::Relative>(r), SideOf(c), s.cell));
  for (const int f : node.value_functions) out->push_back(WalkValue(w, f, origin, s, c, nullptr));
  for (const int f : node.list_functions) {
    engine::List list;
    WalkValue(w, f, origin, s, c, &list);
    out->insert(out->end(), list.begin(), list.end());
  }
  std::erase_if(*out, [](int label) { return label < 0; });
}

template <int W, class Index>
void Machine<W, Index>::Flood(const program::Walk& w, const std::vector<Stand>& from, const Context& c,
                              FunctionRef<void(const Stand&)> end) {
  const int origin = from.front().origin;
  if (static_cast<std::size_t>(flood_depth_) == scratch_.size()) scratch_.push_back(std::make_unique<Scratch>());
  Scratch& scratch = *scratch_[static_cast<std::size_t>(flood_depth_++)];
  StandSet& seen = scratch.seen;
  seen.Clear();
  for (const Stand& s : from) seen.Add(s);
  std::vector<int>& labels = scratch.labels;
  // The items of the set are the queue.
  for (std::size_t i = 0; i < seen.items.size() && Round(kStandCost); ++i) {
    if (seen.items.size() > kMaxStands && !Exhausted()) break;
    const Stand s = seen.items[i];
    const program::NfaNode& node = w.nodes[static_cast<std::size_t>(s.node)];
    const auto step = [&](int label) {
      const int to = p_.board.Next(label, s.cell);
      if (to >= 0) seen.Add(Stand{node.next[0], to, label, w.reads_back ? s.cell : -1, node.over, origin});
    };
    const auto turned = [&](int heading) {
      if (heading >= 0) seen.Add(Stand{node.next[0], s.cell, heading, s.back, s.over, origin});
    };
    switch (node.op) {
      case program::NfaOp::kAccept:
        end(s);
        break;
      case program::NfaOp::kSplit:
        for (const int next : node.next) seen.Add(Stand{next, s.cell, s.heading, s.back, s.over, origin});
        break;
      case program::NfaOp::kStep:
        if (!Leaves(w, origin, s, c)) break;
        Labels(w, node, origin, s, c, &labels);
        for (const int label : labels) step(label);
        break;
      case program::NfaOp::kAhead:
        if (s.heading >= 0 && Leaves(w, origin, s, c)) step(s.heading);
        break;
      case program::NfaOp::kFace:
        Labels(w, node, origin, s, c, &labels);
        for (const int label : labels) turned(label);
        break;
      case program::NfaOp::kTurn:
        if (s.heading >= 0) turned(p_.board.Rotate(s.heading, node.turn));
        break;
      case program::NfaOp::kDeflect:
        if (s.heading >= 0) turned(p_.board.Deflect(s.cell, s.heading));
        break;
      case program::NfaOp::kGuard:
        if (Truth(WalkValue(w, node.function, origin, s, c, nullptr))) {
          seen.Add(Stand{node.next[0], s.cell, s.heading, s.back, s.over, origin});
        }
        break;
    }
  }
  --flood_depth_;
}

// W repeated n times is one pattern: the stop between two rounds is crossed, the heading carries on.
template <int W, class Index>
Value Machine<W, Index>::Steps(int walk, Value from, Value to, bool empty_board, Context& c) {
  if (from == kNone || to == kNone) return kNone;
  if (from == to) return 0;
  const program::Walk& w = p_.walks[static_cast<std::size_t>(walk)];
  const bool saved = empty_board_;
  empty_board_ = empty_board_ || empty_board;
  std::vector<Stand> now = {Stand{w.start, from, -1, -1, -2, from}};
  StandSet seen;
  seen.Clear();
  seen.Add(now.front());
  Value result = kNone;
  for (Value rounds = 1; !now.empty() && result == kNone; ++rounds) {
    std::vector<Stand> fresh;
    bool arrived = false;
    Flood(w, now, c, [&](const Stand& s) {
      arrived = arrived || s.cell == to;
      Stand again = s;
      again.node = w.start;
      if (seen.Add(again)) fresh.push_back(again);
    });
    if (arrived) result = rounds;
    now = std::move(fresh);
  }
  empty_board_ = saved;
  return result;
}

// ---- ends that remember how they were reached ----------------------------------------------------

template <int W, class Index>
struct Machine<W, Index>::PathSearch {
  const program::Walk& walk;
  const Context& context;
  int origin;
  std::vector<PathEnd>* out;
  std::vector<std::pair<int, Stand>> heads = {};  // repetitions under way
};

template <int W, class Index>
void Machine<W, Index>::FollowPaths(PathSearch& search, const Stand& s, const Cells& crossed, uint32_t barriers) {
  if (!Spend()) return;
  const program::Walk& w = search.walk;
  const program::NfaNode& node = w.nodes[static_cast<std::size_t>(s.node)];
  const auto turned = [&](int heading) {
    if (heading >= 0)
      FollowPaths(search, Stand{node.next[0], s.cell, heading, s.back, s.over, s.origin}, crossed, barriers);
  };
  const auto step = [&](int label) {
    const int to = p_.board.Next(label, s.cell);
    if (to < 0) return;
    Cells now = crossed;
    if (s.over != -2) now.Set(s.cell);
    uint32_t mask = barriers;
    const auto& all = p_.board.barriers();
    for (std::size_t b = 0; b < all.size() && b < 32; ++b) {
      const bool crosses = p_.board.is_vector(label)
                               ? all[b].Parts(s.cell, to)
                               : all[b].edges[static_cast<std::size_t>(s.cell)].test(static_cast<std::size_t>(label));
      if (crosses) mask |= uint32_t{1} << b;
    }
    FollowPaths(search, Stand{node.next[0], to, label, s.cell, node.over, s.origin}, now, mask);
  };
  std::vector<int> labels;
  switch (node.op) {
    case program::NfaOp::kAccept:
      if (s.cell != search.origin || w.may_stay) search.out->push_back({s.cell, s.heading, s.back, crossed, barriers});
      return;
    case program::NfaOp::kSplit: {
      // On one path the walker never comes to the head of a repetition in the same stand twice.
      if (node.loop >= 0) {
        Stand base = s;
        base.node = 0;
        if (!w.reads_back) base.back = -1;
        if (!Round(static_cast<int64_t>(search.heads.size() / 8))) return;
        const auto head = std::make_pair(node.loop, base);
        if (std::find(search.heads.begin(), search.heads.end(), head) != search.heads.end()) return;
        search.heads.push_back(head);
      }
      for (const int next : node.next) {
        FollowPaths(search, Stand{next, s.cell, s.heading, s.back, s.over, s.origin}, crossed, barriers);
      }
      if (node.loop >= 0) search.heads.pop_back();
      return;
    }
    case program::NfaOp::kStep:
      if (!Leaves(w, search.origin, s, search.context)) return;
      Labels(w, node, search.origin, s, search.context, &labels);
      for (const int label : labels) step(label);
      return;
    case program::NfaOp::kAhead:
      if (s.heading >= 0 && Leaves(w, search.origin, s, search.context)) step(s.heading);
      return;
    case program::NfaOp::kFace:
      Labels(w, node, search.origin, s, search.context, &labels);
      for (const int label : labels) turned(label);
      return;
    case program::NfaOp::kTurn:
      if (s.heading >= 0) turned(p_.board.Rotate(s.heading, node.turn));
      return;
    case program::NfaOp::kDeflect:
      if (s.heading >= 0) turned(p_.board.Deflect(s.cell, s.heading));
      return;
    case program::NfaOp::kGuard:
      if (Truth(WalkValue(w, node.function, search.origin, s, search.context, nullptr))) {
        FollowPaths(search, Stand{node.next[0], s.cell, s.heading, s.back, s.over, s.origin}, crossed, barriers);
      }
      return;
  }
}

template <int W, class Index>
void Machine<W, Index>::PathEnds(int walk, int from, Context& c, std::vector<PathEnd>* out) {
  const program::Walk& w = p_.walks[static_cast<std::size_t>(walk)];
  PathSearch search{w, c, from, out};
  FollowPaths(search, Stand{w.start, from, -1, -1, -2, from}, Cells{}, 0);
  const auto key = [](const PathEnd& e) { return std::make_tuple(e.cell, e.heading, e.before); };
  std::sort(out->begin(), out->end(), [&](const PathEnd& a, const PathEnd& b) {
    if (key(a) != key(b)) return key(a) < key(b);
    for (int i = 0; i < W; ++i) {
      if (a.crossed.w[i] != b.crossed.w[i]) return a.crossed.w[i] < b.crossed.w[i];
    }
    return a.barriers < b.barriers;
  });
  out->erase(std::unique(out->begin(), out->end(),
                         [&](const PathEnd& a, const PathEnd& b) {
                           return key(a) == key(b) && a.crossed == b.crossed && a.barriers == b.barriers;
                         }),
             out->end());
}

// ---- attack --------------------------------------------------------------------------------------

// The pieces of players other than `me` that attack the cell by the folded statements.
template <int W, class Index>
Bits<W> Machine<W, Index>::AttackersOf(int cell, int me, const Cells& occupied, const Cells& removed) const {
  Cells attackers;
  for (int q = 0; q < p_.players; ++q) {
    if (q == me) continue;
    const Cells own = Without(by_owner_[static_cast<std::size_t>(q + 1)] & board_, removed);
    for (const program::AttackFamily& family : p_.families[static_cast<std::size_t>(q)]) {
      const program::Row& row = family.rows[static_cast<std::size_t>(cell)];
      const Cells near = own & KindMask(family.kinds) & SetAt(row.reach);
      if (near.Any()) attackers |= near & RowEnds(row, occupied);
    }
  }
  return attackers;
}

template <int W, class Index>
bool Machine<W, Index>::Attacked(int cell, int not_by, Context&) {
  if (attack_depth_ >= 8 || empty_board_) return false;  // attacks whose conditions ask about attacks, for ever
  if (AttackersOf(cell, not_by, occupied_, Cells{}).Any()) return true;
  if (p_.attacks_folded) return false;
  ++attack_depth_;
  bool found = false;
  for (const program::Attack& attack : p_.attacks) {
    if (attack.folded) continue;
    Cells attackers = Without(Without(KindMask(attack.kinds) & board_, by_owner_[0]),
                              by_owner_[static_cast<std::size_t>(not_by + 1)]);
    while (attackers.Any() && !found && Round()) {
      const int from = attackers.Pop();
      const int slot = on_[static_cast<std::size_t>(from)];
      const int me = pieces_[static_cast<std::size_t>(slot)].owner;
      if (attack.from.present() && !EvaluateCells(attack.from, me, slot).Test(from)) continue;
      if (attack.to.present() && !EvaluateCells(attack.to, me, slot).Test(cell)) continue;
      if (!Truth(Evaluate(attack.condition, me, slot))) continue;
      if (attack.walk < 0) {
        found = EvaluateCells(attack.cells, me, slot).Test(cell);
        continue;
      }
      Context c;
      c.me = me;
      c.self = slot;
      Frame frame(*this, p_.widest_frame, &c);
      found = Ends(attack.walk, from, c).Test(cell);
    }
    if (found) break;
  }
  --attack_depth_;
  return found;
}
