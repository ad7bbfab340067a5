// Moves of the flat machine: the ends of every piece, as the guarded pieces allow, handed to a sink.

// ---- sinks ---------------------------------------------------------------------------------------

// What one mover adds, for sinks that keep nothing in between.
template <int W, class Index>
template <class Sink>
struct FlatMachine<W, Index>::PlainBatch {
  Sink& sink;
  const Mover& mover;
  PlainBatch(Sink& to, const Mover& m) : sink(to), mover(m) {}
  void Add(int from, const Cells& ends) { sink.Add(mover, from, ends); }
};

template <int W, class Index>
struct FlatMachine<W, Index>::CountSink {
  static constexpr bool kTakesUnsafe = false;
  uint64_t count = 0;

  // Counts what one mover adds in a register.
  class Batch {
   public:
    Batch(CountSink& sink, const Mover& m) : sink_(sink), mover_(m), promotes_(m.promotes) {}
    ~Batch() { sink_.count += count_; }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    [[gnu::always_inline]] void Add(int, const Cells& ends) {
      count_ += static_cast<uint64_t>(ends.Count());
      if (promotes_ && (ends & mover_.zone).Any()) [[unlikely]]
        sink_.AddPromotions(mover_, ends & mover_.zone);
    }

   private:
    CountSink& sink_;
    const Mover& mover_;
    const bool promotes_;
    uint64_t count_ = 0;
  };

  void Add(const Mover& m, int, const Cells& ends) { AddMany(m, ends); }
  void AddShifted(const Mover& m, int, const Cells& ends) { AddMany(m, ends); }
  void AddCase(int) { ++count; }

 private:
  [[gnu::always_inline]] void AddMany(const Mover& m, const Cells& ends) {
    count += static_cast<uint64_t>(ends.Count());
    if (m.promotes && (ends & m.zone).Any()) [[unlikely]]
      AddPromotions(m, ends & m.zone);
  }
  [[gnu::noinline, gnu::cold]] void AddPromotions(const Mover& m, Cells ends) {
    if (m.promotion_extra >= 0) {
      count += static_cast<uint64_t>(ends.Count() * m.promotion_extra);
      return;
    }
    while (ends.Any()) count += m.promotions[static_cast<std::size_t>(ends.Pop())].size() - 1;
  }
};

template <int W, class Index>
struct FlatMachine<W, Index>::ListSink {
  std::vector<FlatMove>& moves;
  using Batch = PlainBatch<ListSink>;
  static constexpr bool kTakesUnsafe = false;

  void Add(const Mover& m, int from, Cells ends) {
    while (ends.Any()) AddOne(m, from, ends.Pop());
  }
  void AddShifted(const Mover& m, int delta, Cells ends) {
    while (ends.Any()) {
      const int to = ends.Pop();
      AddOne(m, to - delta, to);
    }
  }
  void AddCase(int index) {
    moves.push_back(
        {static_cast<uint8_t>(index & 255), static_cast<uint8_t>(index >> 8), FlatMove::kCase, program::kNoPiece});
  }

 private:
  void AddOne(const Mover& m, int from, int to) {
    FlatMove move{static_cast<uint8_t>(from), static_cast<uint8_t>(to), m.index, program::kNoPiece};
    if (!m.promotes || !m.zone.Test(to)) {
      moves.push_back(move);
      return;
    }
    for (const Code code : m.promotions[static_cast<std::size_t>(to)]) {
      move.becomes = code;
      moves.push_back(move);
    }
  }
};

// ---- ends, attacks, guards -----------------------------------------------------------------------

template <int W, class Index>
inline Bits<W> FlatMachine<W, Index>::Ends(const Mover& m, int from) const {
  if (m.form == Tables::Form::kConstant) return m.constants[from];
  const auto at = static_cast<std::size_t>(from);
  Cells ends;
  for (const auto* share : m.shares) {
    if (!share->constants.empty()) ends |= share->constants[at];
    if (!share->entries.empty()) ends |= share->entries[at].Ends(occupied_);
  }
  return ends;
}

// Is the cell attacked by these enemies of the side but those that are gone, if these cells are occupied?
template <int W, class Index>
inline bool FlatMachine<W, Index>::Attacked(const Side& side, const Cells* enemies, int cell, const Cells& occupied,
                                            const Cells& gone) const {
  const Cells* reach = side.reach + static_cast<std::size_t>(cell) * side.enemies.size();
  for (const auto& a : side.enemies) {
    const Cells near = Without(*enemies++ & *reach++, gone);
    if (!near.Any()) continue;
    if (a.lookups == 0) return true;
    const auto at = static_cast<std::size_t>(cell);
    Cells ends = a.entries[0][at].Ends(occupied);
    if (a.constants != nullptr) ends |= a.constants[at];
    for (int i = 1; i < a.lookups; ++i) ends |= a.entries[static_cast<std::size_t>(i)][at].Ends(occupied);
    if ((ends & near).Any()) return true;
  }
  return false;
}

template <int W, class Index>
inline void FlatMachine<W, Index>::Pin(int blocker, const Cells& line, Guard* guard) {
  Cells& of_blocker = guard->line[static_cast<std::size_t>(blocker)];
  of_blocker = guard->pinned.Test(blocker) ? of_blocker & line : line;
  guard->pinned.Set(blocker);
}

// One path of an attacker on `from`: `line` are the cells that must be empty.
template <int W, class Index>
inline void FlatMachine<W, Index>::AddPath(Cells line, int from, const Cells& own, Guard* guard) const {
  const Cells blockers = line & occupied_;
  line.Set(from);
  if (!blockers.Any()) {
    guard->allowed &= line;
  } else if (!blockers.HasTwo() && (blockers & own).Any()) {
    Pin(blockers.Lowest(), line, guard);
  }
}

template <int W, class Index>
[[gnu::noinline, gnu::cold]] void FlatMachine<W, Index>::MorePaths(const typename Tables::Attackers& a, std::size_t at,
                                                                   int from, const Cells& own, Guard* guard) const {
  for (int next = a.more[at]; next >= 0;) {
    const program::Line& path = t_.program->lines[static_cast<std::size_t>(next)];
    next = path.next;
    AddPath(Cells::From(t_.program->set(path.between)), from, own, guard);
  }
}

// Adds what keeps the piece on `target` from being attacked by moves of others: open paths must be closed or their
// attacker taken, a path closed by one own piece pins it.
template <int W, class Index>
inline void FlatMachine<W, Index>::Constrain(const Side& side, const Cells* enemies, int target, Guard* guard) const {
  const Cells own = own_[t_.side_of[on_[static_cast<std::size_t>(target)]]];
  const Cells* reach = side.reach + static_cast<std::size_t>(target) * side.enemies.size();
  for (const auto& a : side.enemies) {
    Cells near = *enemies++ & *reach++;
    if (!near.Any()) continue;
    if (a.lookups == 0) {
      guard->allowed &= near.HasTwo() ? Cells{} : near;
      continue;
    }
    do {
      const int from = near.Pop();
      const std::size_t at = static_cast<std::size_t>(target * t_.cells + from);
      AddPath(a.between[at], from, own, guard);
      if (a.more != nullptr && a.more[at] >= 0) [[unlikely]]
        MorePaths(a, at, from, own, guard);
    } while (near.Any());
  }
}

// ---- moves ---------------------------------------------------------------------------------------

// Where an unusual mover may go; false: its test does not hold.
template <int W, class Index>
[[gnu::noinline, gnu::cold]] bool FlatMachine<W, Index>::Limits(const Mover& m, const Cells* onto, Cells* limited) {
  if (m.test >= 0 && !Holds(m.test)) return false;
  if (m.onto == static_cast<uint8_t>(program::FlatMover::Onto::kSome)) {
    *limited = Of(m.captures) & onto[0];
    if (m.onto_empty) *limited |= onto[static_cast<std::size_t>(program::FlatMover::Onto::kEmpty)];
  }
  return true;
}

template <int W, class Index>
template <class Sink>
[[gnu::always_inline]] inline void FlatMachine<W, Index>::GeneratePieces(const Mover& m, Cells pieces,
                                                                         const Cells& onto, Sink& sink) const {
  using Form = typename Tables::Form;
  switch (m.form) {
    case Form::kShift:
      for (int i = 0; i < m.shift_count; ++i) {
        const auto& shift = m.shifts[static_cast<std::size_t>(i)];
        Cells ends = pieces & shift.origins;
        if (shift.via != 0) ends = Without(Shifted(ends, shift.via), occupied_);
        sink.AddShifted(m, shift.delta, Shifted(ends, shift.rest) & onto);
      }
      break;
    case Form::kConstant:
      for (typename Sink::Batch batch(sink, m); pieces.Any();) {
        const int from = pieces.Pop();
        batch.Add(from, m.constants[from] & onto);
      }
      break;
    case Form::kTable:
      for (typename Sink::Batch batch(sink, m); pieces.Any();) {
        const int from = pieces.Pop();
        batch.Add(from, m.entries[from].Ends(occupied_) & onto);
      }
      break;
    case Form::kMany:
      for (typename Sink::Batch batch(sink, m); pieces.Any();) {
        const int from = pieces.Pop();
        batch.Add(from, Ends(m, from) & onto);
      }
      break;
  }
}

template <int W, class Index>
template <class Sink>
[[gnu::noinline]] void FlatMachine<W, Index>::GeneratePinned(const Mover& m, Cells pieces, const Cells& onto,
                                                             const Guard& guard, Sink& sink) const {
  while (pieces.Any()) {
    const int from = pieces.Pop();
    const Cells line = guard.line[static_cast<std::size_t>(from)] & onto;
    if (line.Any()) sink.Add(m, from, Ends(m, from) & line);
  }
}

// Is a guarded piece that goes from one cell to another safe there?
template <int W, class Index>
inline bool FlatMachine<W, Index>::StaysSafe(const Side& side, const Cells* enemies, int from, int to) const {
  Cells after = occupied_;
  after.Clear(from);
  after.Set(to);
  // What stood there is gone: an attacker that may stay would attack the cell it stands on.
  return !Attacked(side, enemies, to, after, Cells::Of(to));
}

// The moves of guarded pieces: every end is asked for attacks, by a sink that takes unsafe ones later.
template <int W, class Index>
template <class Sink>
inline void FlatMachine<W, Index>::GenerateGuarded(const Side& side, const Cells* enemies, const Cells& guarded,
                                                   const Cells* onto, Sink& sink) {
  const bool several = guarded.HasTwo();
  for (const Mover& m : side.guarded_movers) {
    Cells limited = onto[m.onto];
    if (m.unusual && !Limits(m, onto, &limited)) continue;
    for (Cells pieces = Of(m.codes); pieces.Any();) {
      const int from = pieces.Pop();
      Cells ends = Ends(m, from) & limited;
      if (several) [[unlikely]] {  // the others must stay safe too
        Guard others;
        Cells rest = guarded;
        rest.Clear(from);
        while (rest.Any()) Constrain(side, enemies, rest.Pop(), &others);
        ends &= others.allowed;
        if (others.pinned.Test(from)) ends &= others.line[static_cast<std::size_t>(from)];
      }
      if constexpr (Sink::kTakesUnsafe) {
        sink.AddUnsafe(m, from, ends);
      } else {
        Cells safe = ends;
        while (ends.Any()) {
          const int to = ends.Pop();
          if (!StaysSafe(side, enemies, from, to)) safe.Clear(to);
        }
        sink.Add(m, from, safe);
      }
    }
  }
}

template <int W, class Index>
template <int Me, class Sink>
inline void FlatMachine<W, Index>::Generate(Sink& sink) {
  const Side& side = SideOnTurn<Me>();
  Enemies enemies;
  FindEnemies(side, enemies.data());
  const Cells own = own_[static_cast<std::size_t>((Me < 0 ? mover_ : Me) + 1)];
  // By Mover::onto; of unusual movers Limits says more.
  std::array<Cells, 4> onto;
  using Onto = program::FlatMover::Onto;
  const auto place = [&](Onto kind) -> Cells& { return onto[static_cast<std::size_t>(kind)]; };
  place(Onto::kEmpty) = ~occupied_;
  place(Onto::kEnemy) = Without(Without(occupied_, own_[0]), own);
  place(Onto::kEmptyOrEnemy) = place(Onto::kSome) = place(Onto::kEmpty) | place(Onto::kEnemy);
  Guard guard;
  if (side.guards) {
    const Cells guarded = Of(side.guarded);
    for (Cells rest = guarded; rest.Any();) Constrain(side, enemies.data(), rest.Pop(), &guard);
    if (guarded.Any()) GenerateGuarded(side, enemies.data(), guarded, onto.data(), sink);
    for (Cells& cells : onto) cells &= guard.allowed;
  }
  if (guard.allowed.Any()) {
    for (const Mover& m : side.movers) {
      const Cells pieces = Of(m.codes);
      Cells limited = onto[m.onto];
      if (m.unusual && !Limits(m, onto.data(), &limited)) continue;
      GeneratePieces(m, Without(pieces, guard.pinned), limited, sink);
      if ((pieces & guard.pinned).Any()) GeneratePinned(m, pieces & guard.pinned, limited, guard, sink);
    }
  }
  for (const program::FlatGroup& group : *side.groups) {
    EachCase(group, [&](int index) {
      if (FitsRest(t_.cases[static_cast<std::size_t>(index)], side, enemies.data())) sink.AddCase(index);
      return true;
    });
  }
}

// ---- cases ---------------------------------------------------------------------------------------

// Visits the cases of the group that the state and the empty cells leave possible.
template <int W, class Index>
template <class Visit>
inline bool FlatMachine<W, Index>::EachCase(const program::FlatGroup& group, Visit visit) const {
  const auto bucket = [&](std::size_t at) {
    for (int i = group.first[at]; i < group.first[at + 1]; ++i) {
      if (MayFit(t_.cases[static_cast<std::size_t>(i)]) && !visit(i)) return false;
    }
    return true;
  };
  if (group.by_state) return bucket((state_ >> group.shift) & group.mask);
  if (group.self == program::kNoPiece) return bucket(0);
  for (Cells pieces = of_[group.self]; pieces.Any();) {
    if (!bucket(static_cast<std::size_t>(pieces.Pop()))) return false;
  }
  return true;
}

template <int W, class Index>
[[gnu::noinline]] bool FlatMachine<W, Index>::FitsRest(const typename Tables::Case& c, const Side& side,
                                                       const Cells* enemies) {
  const program::FlatCase& rest = *c.rest;
  for (const auto& on : rest.on) {
    const Code code = on_[static_cast<std::size_t>(on.cell)];
    if (std::find(on.codes.begin(), on.codes.end(), code) == on.codes.end()) return false;
  }
  for (const auto& reach : rest.reach) {
    const program::Row& row = t_.program->rows[static_cast<std::size_t>(reach.row)];
    Cells ends;
    if (row.constant >= 0) ends = Cells::From(t_.program->set(row.constant));
    for (int g = row.group; g < row.group + row.group_count; ++g) {
      ends |= typename Tables::Entry(t_.program->groups[static_cast<std::size_t>(g)], t_.program->tables.data())
                  .Ends(occupied_);
    }
    if (!ends.Test(reach.cell)) return false;
  }
  for (const int test : rest.tests) {
    if (!Holds(test)) return false;
  }
  for (const int cell : rest.safe) {
    if (Attacked(side, enemies, cell, occupied_, Cells{})) return false;
  }
  if (!side.guards) return true;
  // The law is asked of the position that the case leads to: what of it matters is known without making it.
  Cells guarded = Of(side.guarded);
  for (const auto& step : rest.steps) {
    if (!guarded.Test(step.from)) continue;
    guarded.Clear(step.from);
    if (step.to >= 0) guarded.Set(step.to);
  }
  const Cells after = Without(occupied_, c.leaves) | c.enters;
  while (guarded.Any()) {
    if (Attacked(side, enemies, guarded.Pop(), after, c.removes)) return false;
  }
  return true;
}

template <int W, class Index>
bool FlatMachine<W, Index>::CanPlay(const typename Tables::Test& test) {
  const Side& side = t_.sides[static_cast<std::size_t>(mover_)];
  Enemies enemies;
  bool found = false;
  for (const program::FlatGroup* group : test.groups[static_cast<std::size_t>(mover_)]) {
    const bool none = EachCase(*group, [&](int index) {
      if (!found) FindEnemies(side, enemies.data());
      found = true;
      return !FitsRest(t_.cases[static_cast<std::size_t>(index)], side, enemies.data());
    });
    if (!none) return true;
  }
  return false;
}

// ---- tests and ends ------------------------------------------------------------------------------

template <int W, class Index>
bool FlatMachine<W, Index>::Holds(int index) {
  if (index < 0) return true;
  using Op = program::FlatTest::Op;
  const auto& test = t_.tests[static_cast<std::size_t>(index)];
  switch (test.op) {
    case Op::kAll:
      return std::all_of(test.parts.begin(), test.parts.end(), [&](int part) { return Holds(part); });
    case Op::kAny:
      return std::any_of(test.parts.begin(), test.parts.end(), [&](int part) { return Holds(part); });
    case Op::kNot:
      return !Holds(test.parts.front());
    case Op::kState:
      return (state_ & test.mask) == test.value;
    case Op::kAtLeast:
      return (state_ & test.mask) >= test.value;
    case Op::kPieces: {
      int count = 0;
      for (const auto& pieces : test.pieces) {
        Cells found = Of(pieces.codes);
        if (!pieces.everywhere) found &= pieces.cells;
        if (test.least == 1) {
          if (found.Any()) return true;
          continue;
        }
        count += found.Count();
        if (count >= test.least) return true;
      }
      return false;
    }
    case Op::kTheOnly: {
      const Cells found = Of(test.pieces[0].codes);
      return found.Any() && !found.HasTwo() && (found & test.pieces[1].cells).Any();
    }
    case Op::kCanPlay:
      return CanPlay(test);
  }
  return false;
}

template <int W, class Index>
inline bool FlatMachine<W, Index>::Holds(const typename Tables::Gated& gated) {
  if ((state_ & gated.mask) != gated.value) return false;
  if (gated.never_mask != 0 && (state_ & gated.never_mask) == gated.never) return false;
  for (const Code code : gated.none) {
    if (of_[code].Any()) return false;
  }
  return Holds(gated.test);
}

// Does an end hold that pieces and state decide? With `clocks` also those that read clocks.
template <int W, class Index>
template <int Me>
inline bool FlatMachine<W, Index>::Ended(bool clocks) {
  const Side& side = SideOnTurn<Me>();
  for (const auto& gated : side.ends) {
    if (!Holds(gated)) continue;
    for (const auto& other : side.ends) {  // one end for two players is a fault
      if (other.end->index == gated.end->index && other.end->player != gated.end->player && Holds(other)) {
        gave_up_ = true;
      }
    }
    return true;
  }
  if (!clocks) return false;
  return std::any_of(side.clock_ends.begin(), side.clock_ends.end(), [&](const auto& gated) { return Holds(gated); });
}
