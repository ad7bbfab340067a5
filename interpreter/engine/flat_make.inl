// Loading a position, making and taking back moves of the flat machine, perft.

template <int W, class Index>
bool FlatMachine<W, Index>::Load(const rules::Snapshot& s) {
  const program::Program& p = *t_.program;
  if (!(s.place == rules::TurnStateId(p.phases.front().turn)) || s.next_phase != kNone || s.next_player != kNone ||
      s.last_self != kNone || std::find(s.brief_set.begin(), s.brief_set.end(), true) != s.brief_set.end()) {
    return false;
  }
  occupied_ = Cells{};
  own_.fill(Cells{});
  of_.fill(Cells{});
  on_.fill(program::kNoPiece);
  state_ = key_ = 0;
  mover_ = s.mover;
  gave_up_ = false;
  saved_.clear();
  moves_.clear();
  for (const rules::PieceRecord& piece : s.pieces) {
    const int owner = piece.owner == kNone ? -1 : piece.owner;
    const Code code = t_.flat.CodeOf(piece.kind, owner);
    if (piece.cell == kNone || code == program::kNoPiece) return false;
    Put(piece.cell, code);
  }
  for (std::size_t i = 0; i < s.state.size(); ++i) {
    if (!t_.flat.fields[i].Holds(s.state[i])) return false;
    state_ |= t_.flat.fields[i].Encoded(s.state[i]);
  }
  return true;
}

template <int W, class Index>
rules::Snapshot FlatMachine<W, Index>::Save() const {
  const program::Program& p = *t_.program;
  rules::Snapshot s;
  for (int cell = 0; cell < p.cells; ++cell) {
    const Code code = on_[static_cast<std::size_t>(cell)];
    if (code == program::kNoPiece) continue;
    const auto [kind, owner] = t_.flat.code_of[code];
    s.pieces.push_back({cell, kind, owner < 0 ? kNone : owner, {}});
  }
  for (const program::FlatField& field : t_.flat.fields) s.state.push_back(field.Decoded(state_));
  s.mover = mover_;
  s.place = rules::TurnStateId(p.phases.front().turn);
  s.brief_set.assign(s.state.size(), false);
  return s;
}

template <int W, class Index>
inline uint64_t FlatMachine<W, Index>::Feature(Code code, int cell) const {
  const program::Program& p = *t_.program;
  const auto [kind, owner] = t_.flat.code_of[code];
  return p.piece_features[static_cast<std::size_t>((kind * (p.players + 1) + owner + 1) * (p.cells + 1) + cell)];
}

// Puts the code on the cell, which may be that of no piece, in place of what stands there.
template <int W, class Index>
inline void FlatMachine<W, Index>::Put(int cell, Code code) {
  const Code old = on_[static_cast<std::size_t>(cell)];
  if (old != program::kNoPiece) {
    of_[old].Clear(cell);
    own_[t_.side_of[old]].Clear(cell);
    key_ -= Feature(old, cell);
  }
  on_[static_cast<std::size_t>(cell)] = code;
  if (code == program::kNoPiece) {
    occupied_.Clear(cell);
    return;
  }
  of_[code].Set(cell);
  own_[t_.side_of[code]].Set(cell);
  occupied_.Set(cell);
  key_ += Feature(code, cell);
}

// The same, to be taken back.
template <int W, class Index>
inline void FlatMachine<W, Index>::Set(int cell, Code code) {
  saved_.push_back({static_cast<uint8_t>(cell), on_[static_cast<std::size_t>(cell)]});
  Put(cell, code);
}

template <int W, class Index>
void FlatMachine<W, Index>::UndoSteps(std::size_t mark) {
  while (saved_.size() > mark) {
    Put(saved_.back().cell, saved_.back().code);
    saved_.pop_back();
  }
}

template <int W, class Index>
inline void FlatMachine<W, Index>::Apply(int index) {
  const auto& change = t_.changes[static_cast<std::size_t>(index)];
  state_ = (state_ & change.keep) | change.set;
  for (int i = 0; i < change.count; ++i) {
    const program::FlatAdd& add = change.adds[i];
    const uint64_t mask = (uint64_t{1} << add.width) - 1;
    const auto old = static_cast<int64_t>((state_ >> add.shift) & mask);
    const int64_t sum = std::clamp<int64_t>(old + add.amount, add.least, add.most);
    state_ = (state_ & ~(mask << add.shift)) | (static_cast<uint64_t>(sum) << add.shift);
  }
}

// `removed`: what removals change, by code * cells + cell; null: nothing.
template <int W, class Index>
void FlatMachine<W, Index>::DoSteps(const program::FlatCase& c, const uint8_t* removed) {
  int last = c.origin;
  for (const auto& step : c.steps) {
    const Code code = on_[static_cast<std::size_t>(step.from)];
    if (step.to < 0) {
      if (code == program::kNoPiece) continue;
      if (removed != nullptr) Apply(removed[code * t_.cells + step.from]);
      Set(step.from, program::kNoPiece);
      continue;
    }
    Set(step.from, program::kNoPiece);
    Set(step.to, code);
    if (step.from == last) last = step.to;
  }
  if (c.becomes != program::kNoPiece) Set(last, c.becomes);
}

// kTimed: clocks too; kHash: the key too. Perft needs neither.
template <int W, class Index>
template <int Me, bool kTimed, bool kHash>
inline void FlatMachine<W, Index>::Make(const FlatMove& m, Undo* undo) {
  const Side& side = SideOnTurn<Me>();
  const int me = Me < 0 ? mover_ : Me;
  undo->state = state_;
  undo->key = key_;
  const uint8_t* removed = kTimed ? side.removed : side.timeless_removed;
  if (m.mover == FlatMove::kCase) [[unlikely]] {
    undo->saved = saved_.size();
    const program::FlatCase& c = t_.flat.cases[static_cast<std::size_t>(m.flat_case())];
    Apply(kTimed ? c.change : c.timeless_change);
    DoSteps(c, removed);
  } else {
    const Code code = on_[m.from], taken = on_[m.to];
    const auto& tables = kTimed ? side.changes : side.timeless_changes;
    const uint8_t* table = tables[static_cast<std::size_t>(m.mover * t_.flat.codes + code)];
    if (table != nullptr) Apply(table[m.from * t_.cells + m.to]);
    undo->taken = taken;
    const Code after = m.becomes != program::kNoPiece ? m.becomes : code;
    if constexpr (kHash) {
      key_ += Feature(after, m.to) - Feature(code, m.from);
      if (taken != program::kNoPiece) key_ -= Feature(taken, m.to);
    }
    if (taken != program::kNoPiece) {
      if (removed != nullptr) Apply(removed[taken * t_.cells + m.to]);
      of_[taken].Clear(m.to);
      own_[t_.side_of[taken]].Clear(m.to);
    }
    of_[code].Clear(m.from);
    of_[after].Set(m.to);
    own_[static_cast<std::size_t>(me + 1)].Clear(m.from);
    own_[static_cast<std::size_t>(me + 1)].Set(m.to);
    occupied_.Clear(m.from);
    occupied_.Set(m.to);
    on_[m.from] = program::kNoPiece;
    on_[m.to] = after;
  }
  mover_ = Next<Me>();
  for (const auto& begins : SideOnTurn<Other(Me)>().begins) {
    if (Holds(begins)) Apply(begins.change);
  }
}

template <int W, class Index>
template <int Me>
inline void FlatMachine<W, Index>::Unmake(const FlatMove& m, const Undo& undo) {
  mover_ = Me < 0 ? (mover_ == 0 ? static_cast<int>(t_.sides.size()) - 1 : mover_ - 1) : Me;
  const int me = mover_;
  if (m.mover == FlatMove::kCase) [[unlikely]] {
    UndoSteps(undo.saved);
  } else {
    const Code after = on_[m.to];
    Code code = after;
    if (m.becomes != program::kNoPiece) code = t_.sides[static_cast<std::size_t>(me)].first_code[m.mover];
    of_[after].Clear(m.to);
    of_[code].Set(m.from);
    own_[static_cast<std::size_t>(me + 1)].Clear(m.to);
    own_[static_cast<std::size_t>(me + 1)].Set(m.from);
    occupied_.Set(m.from);
    on_[m.from] = code;
    on_[m.to] = undo.taken;
    if (undo.taken != program::kNoPiece) {
      of_[undo.taken].Set(m.to);
      own_[t_.side_of[undo.taken]].Set(m.to);
    } else {
      occupied_.Clear(m.to);
    }
  }
  state_ = undo.state;
  key_ = undo.key;
}

// ---- perft ---------------------------------------------------------------------------------------

template <int W, class Index>
template <int Me, bool kBulk>
uint64_t FlatMachine<W, Index>::Count(int depth) {
  if (depth <= 0) return 1;
  if (Ended<Me>(false)) return 0;
  if (kBulk && depth == 1) {
    CountSink sink;
    Generate<Me>(sink);
    return sink.count;
  }
  const std::size_t first = moves_.size();
  ListSink sink{moves_};
  Generate<Me>(sink);
  const std::size_t end = moves_.size();
  uint64_t total = 0;
  for (std::size_t i = first; i < end; ++i) {
    const FlatMove move = moves_[i];
    Undo undo;
    Make<Me, false, false>(move, &undo);
    total += Count<Other(Me), kBulk>(depth - 1);
    Unmake<Me>(move, undo);
  }
  moves_.resize(first);
  return total;
}

template <int W, class Index>
uint64_t FlatMachine<W, Index>::Perft(int depth, bool bulk) {
  gave_up_ = false;
  if (t_.sides.size() != 2) return bulk ? Count<-1, true>(depth) : Count<-1, false>(depth);
  if (mover_ == 0) return bulk ? Count<0, true>(depth) : Count<0, false>(depth);
  return bulk ? Count<1, true>(depth) : Count<1, false>(depth);
}

template <int W, class Index>
void FlatMachine<W, Index>::List(std::vector<FlatMove>* out) {
  ListSink sink{*out};
  Generate<-1>(sink);
}

template <int W, class Index>
void FlatMachine<W, Index>::Play(const FlatMove& move) {
  Undo undo;
  Make<-1, true, true>(move, &undo);
  saved_.clear();
}
