// The direct way: the last action of a turn, where nothing that follows can make it impossible but laws about the
// board.
//
// Plain statements come from tables. With one guarded piece, every path by which it could be attacked is
// looked at once: an open one must be closed or its attacker taken, a path closed by one own piece pins that
// piece. Moves of the guarded piece itself are tested cell by cell. The same routine counts and lists.

template <int W, class Index>
struct Machine<W, Index>::Constraints {
  Cells guarded;                   // one cell or none
  Cells allowed = ~Cells{};        // where the others may go
  Cells pinned;                    // own pieces that close a path
  std::array<Cells, W * 64> line;  // by cell of a pinned piece: where it may go
  Constraints() {}                 // `line` is filled where it is needed
};

template <int W, class Index>
bool Machine<W, Index>::Constrain(Constraints* out) const {
  for (const program::Law& law : p_.laws) {
    if (!InPhase(law.phases, sc_.phase)) continue;
    if (law.guarded == 0) return false;
    out->guarded |= GuardedBy(law);
  }
  const int me = sc_.mover;
  const Cells own = by_owner_[static_cast<std::size_t>(me + 1)];
  if (!out->guarded.Any()) return true;
  if (out->guarded.HasTwo()) return false;
  const int target = out->guarded.Lowest();
  for (int q = 0; q < p_.players; ++q) {
    if (q == me) continue;
    const Cells theirs = by_owner_[static_cast<std::size_t>(q + 1)] & board_;
    for (const program::AttackFamily& family : p_.families[static_cast<std::size_t>(q)]) {
      Cells near = theirs & SetAt(family.rows[static_cast<std::size_t>(target)].reach);
      if (!near.Any()) continue;
      near &= KindMask(family.kinds);
      while (near.Any()) {
        const int from = near.Pop();
        int at = family.lines[static_cast<std::size_t>(target * p_.cells + from)];
        for (; at >= 0; at = p_.lines[static_cast<std::size_t>(at)].next) {
          Cells between = SetAt(p_.lines[static_cast<std::size_t>(at)].between);
          const Cells blockers = between & occupied_;
          between.Set(from);
          if (!blockers.Any()) {
            out->allowed &= between;
          } else if (!blockers.HasTwo() && (blockers & own).Any()) {
            const int blocker = blockers.Lowest();
            if (out->pinned.Test(blocker)) {
              out->line[static_cast<std::size_t>(blocker)] &= between;
            } else {
              out->pinned.Set(blocker);
              out->line[static_cast<std::size_t>(blocker)] = between;
            }
          }
        }
      }
    }
  }
  return true;
}

// Calls sink(statement, from, ends) for every plain statement of every piece, until it says false; the ends are
// legal as far as the constraints say.
template <int W, class Index>
template <class Sink>
bool Machine<W, Index>::PlainTargets(const program::Plan& plan, const Constraints& k, Sink&& sink) {
  const int me = sc_.mover;
  const Cells own = by_owner_[static_cast<std::size_t>(me + 1)] & board_;
  const Cells enemies = Without(Without(occupied_, by_owner_[0]), by_owner_[static_cast<std::size_t>(me + 1)]);
  const Cells empty = ~occupied_;
  for (rules::KindSet kinds = plan.movers; kinds != 0; kinds &= kinds - 1) {
    const auto kind = static_cast<std::size_t>(std::countr_zero(kinds));
    Cells movers = own & by_kind_[kind];
    while (movers.Any()) {
      const int from = movers.Pop();
      const bool guarded = k.guarded.Test(from);
      Cells mask = guarded ? ~Cells{} : k.allowed;
      if (!guarded && k.pinned.Test(from)) mask &= k.line[static_cast<std::size_t>(from)];
      if (!mask.Any()) continue;
      Cells done;
      for (const int index : plan.plain[kind]) {
        const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
        if (s.from >= 0 && !p_.set_has(s.from + me, from)) continue;
        const program::Row& row =
            p_.rows[static_cast<std::size_t>(p_.walks[static_cast<std::size_t>(s.walk)].rows + me * p_.cells + from)];
        Cells onto;
        if (s.empty) onto |= empty;
        if (s.captures == p_.all_kinds) {
          onto |= enemies;
        } else if (s.captures != 0) {
          onto |= enemies & KindMask(s.captures);
        }
        Cells ends = RowEnds(row, occupied_) & onto & mask;
        if (s.within >= 0) ends &= SetAt(s.within + me);
        if (s.overlaps) {
          ends = Without(ends, done);
        }
        if (!ends.Any()) continue;
        if (s.condition.present() && !Truth(Evaluate(s.condition, me, on_[static_cast<std::size_t>(from)]))) continue;
        if (s.overlaps) done |= ends;
        if (guarded) {
          Cells left = occupied_;
          left.Clear(from);
          for (Cells rest = ends; rest.Any();) {
            const int to = rest.Pop();
            Cells after = left;
            after.Set(to);
            if (AttackersOf(to, me, after, Cells::Of(to)).Any()) ends.Clear(to);
          }
          if (!ends.Any()) continue;
        }
        if (!sink(index, from, ends)) return false;
      }
    }
  }
  return true;
}

template <int W, class Index>
uint64_t Machine<W, Index>::CountPlain(const program::Plan& plan) {
  Constraints k;
  uint64_t count = 0;
  if (!Constrain(&k)) {
    EachPlain(plan, [&](const Handle&) { return ++count != 0; });
    return count;
  }
  const int me = sc_.mover;
  PlainTargets(plan, k, [&](int index, int, const Cells& ends) {
    const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
    count += static_cast<uint64_t>(ends.Count());
    if (!s.promotes) return true;
    Cells promoting = ends & SetAt(p_.promotion_zones[static_cast<std::size_t>(s.kind)] + me);
    while (promoting.Any()) {
      const int option =
          p_.promotion_at[static_cast<std::size_t>((s.kind * p_.players + me) * p_.cells + promoting.Pop())];
      count += p_.promotion_options[static_cast<std::size_t>(option)].size() - 1;
    }
    return true;
  });
  return count;
}

template <int W, class Index>
bool Machine<W, Index>::HasPlain(const program::Plan& plan) {
  Constraints k;
  if (Constrain(&k)) return !PlainTargets(plan, k, [](int, int, const Cells&) { return false; });
  return !EachPlain(plan, [](const Handle&) { return false; });
}

template <int W, class Index>
void Machine<W, Index>::ListPlain(const program::Plan& plan, std::vector<Handle>* out) {
  EachPlain(plan, [&](const Handle& h) {
    out->push_back(h);
    return true;
  });
}

// Every move of plain statements, until `each` says false.
template <int W, class Index>
bool Machine<W, Index>::EachPlain(const program::Plan& plan, EachHandle each) {
  Constraints k;
  const bool exact = Constrain(&k);
  if (!exact) {  // several guarded pieces, or laws of other forms
    k.guarded = Cells{};
    k.allowed = ~Cells{};
    k.pinned = Cells{};
  }
  const int me = sc_.mover;
  return PlainTargets(plan, k, [&](int index, int from, Cells ends) {
    const program::Plain& s = p_.plain[static_cast<std::size_t>(index)];
    Handle h;
    h.action = static_cast<int16_t>(s.action);
    h.next = static_cast<int16_t>(plan.next);
    h.from = static_cast<int16_t>(from);
    h.statement = static_cast<int16_t>(index);
    h.complete = true;
    while (ends.Any()) {
      h.to = static_cast<int16_t>(ends.Pop());
      h.promote = -1;
      const int option =
          s.promotes ? p_.promotion_at[static_cast<std::size_t>((s.kind * p_.players + me) * p_.cells + h.to)] : -1;
      if (option < 0) {
        if ((exact || KeepsLaws(h)) && !each(h)) return false;
        continue;
      }
      for (const int kind : p_.promotion_options[static_cast<std::size_t>(option)]) {
        h.promote = static_cast<int16_t>(kind);
        if ((exact || KeepsLaws(h)) && !each(h)) return false;
      }
    }
    return true;
  });
}

// Makes the move on the board alone and asks the laws.
template <int W, class Index>
bool Machine<W, Index>::KeepsLaws(const Handle& h) {
  const Mark mark = SaveMark();
  const int taken = on_[static_cast<std::size_t>(h.to)], slot = on_[static_cast<std::size_t>(h.from)];
  if (taken >= 0) MovePiece(taken, kGone);
  MovePiece(slot, h.to);
  if (h.promote >= 0) Recode(slot, h.promote, pieces_[static_cast<std::size_t>(slot)].owner);
  const bool keeps = Lawful(slot);
  Restore(mark);
  return keeps;
}

// The actions of the offer that are no plain statements.
template <int W, class Index>
bool Machine<W, Index>::EachOther(const program::Plan& plan, Visit visit) {
  for (const int index : plan.others) {
    const bool go_on = Instances(index, rules::Offer::By::kAnyone,
                                 [&](Context& c) { return Finish(index, plan.next, c.actor, visit); });
    if (!go_on) return false;
  }
  return true;
}

// A plain move with everything that follows, the end of the turn included.
template <int W, class Index>
void Machine<W, Index>::MakePlain(const Handle& h) {
  const program::Plain& s = p_.plain[static_cast<std::size_t>(h.statement)];
  RunScope run(*this);
  sc_.result = Result{};
  Context c;
  c.me = sc_.mover;
  const int slot = on_[static_cast<std::size_t>(h.from)];
  c.self = c.actor = slot;
  const int taken = on_[static_cast<std::size_t>(h.to)];
  if (taken >= 0) Remove(c, taken);
  MovePiece(slot, h.to);
  pieces_[static_cast<std::size_t>(slot)].lifted_from = -1;
  Record(c, slot, h.from, h.to, false);
  if (s.effects.present()) {
    Frame frame(*this, s.effects, &c);
    c.v[s.slot] = h.to;
    Exec(s.effects.entry, c, nullptr);
  }
  if (h.promote >= 0 && !over()) Recode(slot, h.promote, pieces_[static_cast<std::size_t>(slot)].owner);
  if (!over()) Handlers(Pass::kAction, sc_.mover);
  if (!over() && p_.has_at_once) TestEnds(true, 0, 0, 1);
  if (over()) {
    GameOver();
  } else {
    EnterPlace(h.next, slot);
    EndTurn();
  }
}

template <int W, class Index>
rules::Move Machine<W, Index>::PlainMove(const Handle& h) const {
  rules::Move move;
  const auto token = [&](rules::Base base, Value value) {
    rules::Token t;
    t.base = base;
    t.value = value;
    move.tokens.push_back(t);
  };
  token(rules::Base::kAction, p_.actions[static_cast<std::size_t>(h.action)].name);
  token(rules::Base::kCell, h.from);
  token(rules::Base::kCell, h.to);
  if (h.promote >= 0) token(rules::Base::kKind, h.promote);
  return move;
}
