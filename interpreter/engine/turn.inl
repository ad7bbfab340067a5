// Events, laws, ends, what happens between two turns, questions about other turns.

// A run of effects with movements, paths and results of its own.
template <int W, class Index>
class Machine<W, Index>::RunScope {
 public:
  explicit RunScope(Machine& m)
      : m_(m),
        movements_(m.movement_base_),
        paths_(m.path_base_),
        tokens_(m.token_base_),
        picks_(m.pick_base_),
        written_(std::exchange(m.written_, {})),
        begins_(m.in_turn_begins_),
        any_dead_(m.any_fresh_dead_) {
    if (any_dead_) fresh_dead_ = m.fresh_dead_;
    m.movement_base_ = m.movements_.size();
    m.path_base_ = m.paths_.size();
    m.token_base_ = m.tokens_.size();
    m.pick_base_ = m.picks_.size();
    m.in_turn_begins_ = false;
    m.ForgetDead();
  }
  ~RunScope() {
    Cut(&m_.movements_, m_.movement_base_);
    Cut(&m_.paths_, m_.path_base_);
    Cut(&m_.tokens_, m_.token_base_);
    Cut(&m_.picks_, m_.pick_base_);
    m_.movement_base_ = movements_;
    m_.path_base_ = paths_;
    m_.token_base_ = tokens_;
    m_.pick_base_ = picks_;
    m_.written_ = std::move(written_);
    m_.in_turn_begins_ = begins_;
    m_.ForgetDead();
    m_.any_fresh_dead_ = any_dead_;
    if (any_dead_) m_.fresh_dead_ = fresh_dead_;
  }
  RunScope(const RunScope&) = delete;
  RunScope& operator=(const RunScope&) = delete;

 private:
  Machine& m_;
  std::size_t movements_, paths_, tokens_, picks_;
  std::vector<rules::Token> written_;
  bool begins_, any_dead_;
  std::array<uint64_t, kSlotWords> fresh_dead_;  // if there are any
};

inline namespace ARBITER_ENGINE_PROCESSOR {
inline bool InPhase(uint64_t phases, int phase) { return phases == 0 || ((phases >> phase) & 1) != 0; }
}  // namespace ARBITER_ENGINE_PROCESSOR

template <int W, class Index>
template <class Body>
bool Machine<W, Index>::ForAll(const std::vector<rules::FreeVar>& free, std::size_t at, Value* v, Body& body) {
  if (at == free.size()) return body();
  for (const Value value : free[at].values) {
    v[free[at].slot] = value;
    if (!ForAll(free, at + 1, v, body)) return false;
  }
  return true;
}

// ---- handlers ------------------------------------------------------------------------------------

// What the event says of the movement itself; where it happened is tested apart.
template <int W, class Index>
bool Machine<W, Index>::Concerns(const program::Handler& h, const Movement& m) const {
  if (((h.kinds >> m.kind) & 1) == 0) return false;
  const bool moved = m.from >= 0 && m.to >= 0 && m.from != m.to;
  switch (h.op) {
    case rules::EventOp::kLeaves:
      return !m.removed;
    case rules::EventOp::kCrosses:
      return ((m.barriers >> h.barrier) & 1) != 0;
    case rules::EventOp::kMoves:
      return m.by_self && moved;
    case rules::EventOp::kIsMoved:
      return moved;
    case rules::EventOp::kIsCaptured:
      return m.captured;
    default:
      return true;
  }
}

template <int W, class Index>
bool Machine<W, Index>::Fits(const program::HandlerCase& k, const Movement& m) const {
  if (k.owner != -2 && m.owner != k.owner) return false;
  if (k.from >= 0 && (m.from < 0 || !p_.set_has(k.from, m.from))) return false;
  if (k.to >= 0 && (m.to < 0 || !p_.set_has(k.to, m.to))) return false;
  if (k.not_from >= 0 && m.from >= 0 && p_.set_has(k.not_from, m.from)) return false;
  return k.not_to < 0 || m.to < 0 || !p_.set_has(k.not_to, m.to);
}

template <int W, class Index>
bool Machine<W, Index>::RunHandler(const program::Handler& h, const Movement* m, int me) {
  if (m != nullptr && !Concerns(h, *m)) return true;
  Context c;
  c.me = me;
  const auto bind = [&] {
    if (m == nullptr) return;
    c.v[rules::kSlotIt] = m->piece;
    c.v[rules::kSlotFrom] = NoneIfNegative(m->from);
    c.v[rules::kSlotTo] = NoneIfNegative(m->to);
  };
  const auto act = [&] {
    if (!Truth(Call1(h.condition, c))) return true;
    return !h.block.present() || Exec(h.block.entry, c, nullptr);
  };
  if (m != nullptr && h.case_count >= 0) {
    for (int i = h.first_case; i < h.first_case + h.case_count && !over(); ++i) {
      const program::HandlerCase& k = p_.cases[static_cast<std::size_t>(i)];
      if (!Fits(k, *m)) continue;
      Frame frame(*this, h.match, &c);
      bind();
      for (const auto& [slot, value] : k.slots) c.v[slot] = value;
      if (!act()) return false;
    }
    return true;
  }
  Frame frame(*this, h.match, &c);
  bind();
  auto body = [&] {
    if (over()) return true;
    if (m != nullptr) {
      if (h.owner_tested) {
        if (m->owner < 0) return true;
        c.v[h.owner_register] = m->owner;
      }
      if (!Truth(Call1(h.match, c))) return true;
    }
    return act();
  };
  return ForAll(h.free, 0, c.v, body);
}

// One pass in file order. A handler sees every movement raised so far, also by handlers above, not its own.
template <int W, class Index>
bool Machine<W, Index>::Handlers(Pass pass, int me) {
  for (const program::Handler& h : p_.handlers) {
    if (over()) return true;
    if (!InPhase(h.phases, sc_.phase)) continue;
    switch (h.op) {
      case rules::EventOp::kTurnBegins:
        if (pass == Pass::kTurnBegins && !RunHandler(h, nullptr, me)) return false;
        break;
      case rules::EventOp::kTurnEnds:
        if (pass == Pass::kTurnEnds && !RunHandler(h, nullptr, me)) return false;
        break;
      case rules::EventOp::kAfterAction:
        if (pass == Pass::kAction && !RunHandler(h, nullptr, me)) return false;
        break;
      default: {
        const std::size_t raised = movements_.size();
        for (std::size_t i = movement_base_; i < raised; ++i) {
          if (((h.kinds >> movements_[i].kind) & 1) == 0) continue;
          const Movement m = movements_[i];
          if (!over() && !RunHandler(h, &m, me)) return false;
        }
        break;
      }
    }
  }
  return true;
}

// ---- laws and ends -------------------------------------------------------------------------------

template <int W, class Index>
bool Machine<W, Index>::Forbidden(rules::Law::Scope scope, int actor) {
  for (const program::Law& law : p_.laws) {
    if (law.scope != scope || !InPhase(law.phases, sc_.phase)) continue;
    if (law.asks_stuck && asking_ > 0) continue;
    if (scope == rules::Law::Scope::kAction && actor < 0) continue;
    if (law.guarded != 0 && p_.attacks_folded) {
      if (GuardedAttacked(law)) return true;
      continue;
    }
    Context c;
    c.me = sc_.mover;
    Frame frame(*this, law.condition, &c);
    if (law.actor_slot >= 0) c.v[law.actor_slot] = actor;
    auto body = [&] { return !Truth(Call1(law.condition, c)); };
    if (!ForAll(law.free, 0, c.v, body)) return true;
  }
  return false;
}

template <int W, class Index>
Bits<W> Machine<W, Index>::GuardedBy(const program::Law& law) const {
  if (law.only && TheOnly(law.guarded, true, sc_.mover) == kNone) return {};
  return KindMask(law.guarded) & by_owner_[static_cast<std::size_t>(sc_.mover + 1)] & board_;
}

template <int W, class Index>
bool Machine<W, Index>::GuardedAttacked(const program::Law& law) const {
  Cells guarded = GuardedBy(law);
  while (guarded.Any()) {
    if (AttackersOf(guarded.Pop(), sc_.mover, occupied_, Cells{}).Any()) return true;
  }
  return false;
}

template <int W, class Index>
bool Machine<W, Index>::Consequences(int actor) {
  if (!over() && !Handlers(Pass::kAction, sc_.mover)) return false;
  if (Forbidden(rules::Law::Scope::kEveryAction, actor)) return false;
  if (Forbidden(rules::Law::Scope::kAction, actor)) return false;
  if (!over() && p_.has_at_once) TestEnds(true, 0, 0, 1);
  return true;
}

template <int W, class Index>
void Machine<W, Index>::TestEnds(bool at_once, int occurrences, int turns, int has_turn) {
  using Kind = rules::End::Kind;
  const bool counting = occurrences > 0;
  for (std::size_t i = 0; i < p_.ends.size(); ++i) {
    const program::End& end = p_.ends[i];
    if (at_once && !end.at_once) continue;
    if (!InPhase(end.phases, sc_.phase) || (end.reads_clock && !counting)) continue;
    switch (end.kind) {
      case Kind::kWin:
      case Kind::kLose:
      case Kind::kDraw: {
        bool holds = false;
        uint32_t players = 0;
        Context c;
        c.me = sc_.mover;
        Frame frame(*this, end.condition.present() ? end.condition : p_.widest_frame, &c);
        auto body = [&] {
          if (!Truth(Call1(end.condition, c))) return true;
          holds = true;
          const Value player = end.player.present() ? Call1(end.player, c) : kNone;
          if (player >= 0) players |= uint32_t{1} << player;
          return true;
        };
        ForAll(end.free, 0, c.v, body);
        if (!holds) continue;
        if (end.kind == Kind::kDraw) {
          sc_.result.kind = rules::Outcome::Kind::kDraw;
          break;
        }
        if (players == 0) continue;
        if ((players & (players - 1)) != 0) {
          Fault(end.span, "end-ambiguous", "this end holds for two players at once");
          return;
        }
        Decide(end.kind == Kind::kWin, std::countr_zero(players));
        break;
      }
      case Kind::kNoLegalTurn: {
        if (at_once) continue;
        if (has_turn < 0) has_turn = HasTurn() ? 1 : 0;
        if (has_turn != 0) continue;
        Context c;
        c.me = sc_.mover;
        RunScope run(*this);
        Frame frame(*this, end.block.present() ? end.block : p_.widest_frame, &c);
        auto body = [&] {
          if (Truth(Call1(end.condition, c)) && end.block.present()) Exec(end.block.entry, c, nullptr);
          return !over();
        };
        ForAll(end.free, 0, c.v, body);
        break;
      }
      case Kind::kRepetition:
        if (at_once || !counting || occurrences < end.number) continue;
        sc_.result.kind = rules::Outcome::Kind::kDraw;
        break;
      case Kind::kLimit:
        if (at_once || !counting || turns < end.number) continue;
        sc_.result.kind = rules::Outcome::Kind::kDraw;
        break;
    }
    if (!over()) continue;
    sc_.result.end = static_cast<int16_t>(i);
    return;
  }
}

template <int W, class Index>
rules::Outcome Machine<W, Index>::OutcomeNow() const {
  rules::Outcome out;
  out.kind = sc_.result.kind;
  if (out.kind == rules::Outcome::Kind::kNone) return out;
  out.end = sc_.result.end;
  if (out.kind == rules::Outcome::Kind::kWin) out.winner = sc_.result.winner;
  if (out.kind == rules::Outcome::Kind::kPoints) {
    out.points.assign(sc_.result.points.begin(), sc_.result.points.begin() + p_.players);
  }
  return out;
}

// ---- between two turns ---------------------------------------------------------------------------

template <int W, class Index>
Value Machine<W, Index>::PhasePlayer() {
  const program::Phase& phase = p_.phases[static_cast<std::size_t>(sc_.phase)];
  return phase.player.present() ? Evaluate(phase.player, sc_.mover, -1) : kNone;
}

// A game that an effect has ended: the position as it stands, outside any turn.
template <int W, class Index>
void Machine<W, Index>::GameOver() {
  sc_.place = p_.phases[static_cast<std::size_t>(sc_.phase)].turn;
  for (const int i : p_.brief) MarkBrief(i, false);
  sc_.next_phase = sc_.next_player = kNone;
  sc_.last_self = -1;
  Settle();
}

// Places in canonical order; a piece off the board no longer knows from where it was lifted.
template <int W, class Index>
void Machine<W, Index>::Settle() {
  CanonicalPlaces();
  if (sc_.lifted == 0) return;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& piece = pieces_[i];
    if (piece.cell != kLifted || piece.lifted_from < 0) continue;
    journal_.push_back({Change::What::kCell, static_cast<int32_t>(i), piece.cell, piece.lifted_from});
    piece.lifted_from = -1;
  }
}

template <int W, class Index>
bool Machine<W, Index>::EndTurn() {
  const program::Phase& phase = p_.phases[static_cast<std::size_t>(sc_.phase)];
  if (p_.has_turn_ends || p_.has_turn_laws || phase.after.present()) {
    RunScope run(*this);
    if (p_.has_turn_ends && !Handlers(Pass::kTurnEnds, sc_.mover)) return false;
    if (Forbidden(rules::Law::Scope::kTurnEnd, -1)) return false;
    if (over()) return GameOver(), true;
    const program::Phase& now = p_.phases[static_cast<std::size_t>(sc_.phase)];
    if (now.after.present()) {
      Context c;
      c.me = sc_.mover;
      Frame frame(*this, now.after, &c);
      if (!Exec(now.after.entry, c, nullptr)) return false;
      if (over()) return GameOver(), true;
    }
  }
  if (sc_.next_phase != kNone) sc_.phase = sc_.next_phase;
  sc_.next_phase = kNone;
  for (const int i : p_.brief) {
    if (brief_set_[static_cast<std::size_t>(i)] != 0) {
      MarkBrief(i, false);
    } else {
      SetState(i, p_.initial_state[static_cast<std::size_t>(i)]);
    }
  }
  const Value named = PhasePlayer();
  const int in_order = sc_.mover + 1 == p_.players ? 0 : sc_.mover + 1;
  sc_.mover = named != kNone ? named : sc_.next_player != kNone ? sc_.next_player : in_order;
  sc_.next_player = kNone;
  sc_.last_self = -1;
  sc_.place = p_.phases[static_cast<std::size_t>(sc_.phase)].turn;
  if (p_.has_turn_begins) {
    RunScope run(*this);
    in_turn_begins_ = true;
    const int before = sc_.phase;
    if (!Handlers(Pass::kTurnBegins, sc_.mover)) return false;
    if (over()) return GameOver(), true;
    if (sc_.phase != before || sc_.next_player != kNone) {
      const Value again = PhasePlayer();
      sc_.mover = again != kNone ? again : sc_.next_player != kNone ? sc_.next_player : sc_.mover;
      sc_.next_player = kNone;
    }
  }
  Settle();
  return true;
}

// ---- questions about other turns -----------------------------------------------------------------

template <int W, class Index>
void Machine<W, Index>::AskAs(int player, int place) {
  sc_.mover = player;
  sc_.place = place;
  sc_.last_self = -1;
  sc_.result = Result{};
  Settle();
}

template <int W, class Index>
bool Machine<W, Index>::Stuck(int player) {
  return asking_ == 0 && !CanPlayTurn(player, FirstPlace());
}

template <int W, class Index>
bool Machine<W, Index>::CanPlayTurn(int player, int place) {
  if (asking_ > 0) return false;
  const Mark mark = SaveMark();
  RunScope run(*this);
  AskAs(player, place);
  ++asking_;
  const bool has = HasTurn();
  --asking_;
  Restore(mark);
  return has;
}

template <int W, class Index>
bool Machine<W, Index>::CanPlay(int player, const std::vector<Value>& actions) {
  if (asking_ > 0) return false;
  const Mark mark = SaveMark();
  RunScope run(*this);
  AskAs(player, FirstPlace());
  ++asking_;
  bool can = false;
  for (const Value action : actions) {
    Instances(action, rules::Offer::By::kAnyone, [&](Context& c) {
      const Mark made = SaveMark();
      can = Consequences(c.actor) && (over() || EndTurn());
      Restore(made);
      return !can;
    });
    if (can) break;
  }
  --asking_;
  Restore(mark);
  return can;
}

template <int W, class Index>
bool Machine<W, Index>::Endangered(int piece) {
  const Piece target = pieces_[static_cast<std::size_t>(piece)];
  if (in_endangered_ || target.cell < 0) return false;
  in_endangered_ = true;
  const Mark mark = SaveMark();
  RunScope run(*this);
  bool gone = false;
  const auto& actions = p_.first_actions[static_cast<std::size_t>(sc_.phase)];
  for (int player = 0; player < p_.players && !gone; ++player) {
    if (player == target.owner) continue;
    AskAs(player, FirstPlace());
    for (const int action : actions) {
      Instances(action, rules::Offer::By::kAnyone, [&](Context&) {
        const int cell = pieces_[static_cast<std::size_t>(piece)].cell;
        gone = cell < 0 || cell >= p_.board_cells;
        return !gone;
      });
      if (gone) break;
    }
    Restore(mark);
  }
  in_endangered_ = false;
  return gone;
}
