// Primitives of the state: changes go through here, into the sets, the key and the journal.

template <int W, class Index>
Machine<W, Index>::Machine(std::shared_ptr<const Program> program) : p_(*program), program_(std::move(program)) {
  by_kind_.resize(static_cast<std::size_t>(p_.kinds_count));
  on_.assign(static_cast<std::size_t>(p_.cells), -1);
  pieces_.resize(static_cast<std::size_t>(2 * p_.cells + 64));
  piece_state_.assign(pieces_.size() * static_cast<std::size_t>(p_.piece_state_size), kNone);
  state_ = p_.initial_state;
  brief_set_.assign(static_cast<std::size_t>(p_.state_size), 0);
  board_ = SetAt(p_.board_set);
}

template <int W, class Index>
std::unique_ptr<CoreBase> Machine<W, Index>::Clone() const {
  auto copy = std::make_unique<Machine>(program_);
  copy->occupied_ = occupied_;
  copy->by_owner_ = by_owner_;
  copy->by_kind_ = by_kind_;
  copy->on_ = on_;
  copy->pieces_ = pieces_;
  copy->slots_used_ = slots_used_;
  copy->piece_state_ = piece_state_;
  copy->state_ = state_;
  copy->brief_set_ = brief_set_;
  copy->sc_ = sc_;
  copy->fault = fault;
  copy->flat_tables_ = flat_tables_;
  return copy;
}

template <int W, class Index>
std::size_t Machine<W, Index>::bytes() const {
  const auto held = [](const auto& vector) { return vector.size() * sizeof(vector[0]); };
  return sizeof(*this) + held(by_kind_) + held(on_) + held(pieces_) + held(piece_state_) + held(state_) +
         held(brief_set_);
}

template <int W, class Index>
uint64_t Machine<W, Index>::PieceFeature(int slot) const {
  const Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  const int code = piece.kind * (p_.players + 1) + piece.owner + 1;
  const int cell = piece.cell < 0 ? p_.cells : piece.cell;
  uint64_t h = p_.piece_features[static_cast<std::size_t>(code * (p_.cells + 1) + cell)];
  uint64_t n = 4;
  for (const int i : p_.piece_state_key) {
    h = rules::Mix(h ^ (static_cast<uint64_t>(static_cast<int64_t>(PieceStateAt(slot, i))) + 0x9e3779b97f4a7c15 * ++n));
  }
  return h;
}

template <int W, class Index>
uint64_t Machine<W, Index>::StateFeature(int index, Value value) const {
  if (!p_.state_in_key[static_cast<std::size_t>(index)]) return 0;
  return rules::Mix(p_.state_features[static_cast<std::size_t>(index)] ^
                    (static_cast<uint64_t>(static_cast<int64_t>(value)) + 0x9e3779b97f4a7c15 * 3));
}

template <int W, class Index>
void Machine<W, Index>::MovePiece(int slot, int cell) {
  Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  journal_.push_back({Change::What::kCell, slot, piece.cell, piece.lifted_from});
  if (piece.cell != kGone) sc_.key -= PieceFeature(slot);
  if (piece.cell >= 0) {
    occupied_.Clear(piece.cell);
    by_owner_[static_cast<std::size_t>(piece.owner + 1)].Clear(piece.cell);
    by_kind_[static_cast<std::size_t>(piece.kind)].Clear(piece.cell);
    on_[static_cast<std::size_t>(piece.cell)] = -1;
    if (piece.cell >= p_.board_cells) sc_.places_moved = true;
  } else if (piece.cell == kLifted) {
    --sc_.lifted;
  }
  piece.cell = static_cast<int16_t>(cell);
  if (cell >= 0) {
    occupied_.Set(cell);
    by_owner_[static_cast<std::size_t>(piece.owner + 1)].Set(cell);
    by_kind_[static_cast<std::size_t>(piece.kind)].Set(cell);
    on_[static_cast<std::size_t>(cell)] = static_cast<int16_t>(slot);
    if (cell >= p_.board_cells) sc_.places_moved = true;
  } else if (cell == kLifted) {
    ++sc_.lifted;
  }
  if (cell != kGone) {
    sc_.key += PieceFeature(slot);
  } else {
    fresh_dead_[static_cast<std::size_t>(slot >> 6)] |= uint64_t{1} << (slot & 63);
    any_fresh_dead_ = true;
  }
}

template <int W, class Index>
void Machine<W, Index>::Recode(int slot, int kind, int owner) {
  Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  journal_.push_back({Change::What::kCode, slot, piece.kind * 256 + piece.owner + 1, 0});
  if (piece.cell != kGone) sc_.key -= PieceFeature(slot);
  if (piece.cell >= 0) {
    by_owner_[static_cast<std::size_t>(piece.owner + 1)].Clear(piece.cell);
    by_kind_[static_cast<std::size_t>(piece.kind)].Clear(piece.cell);
    by_owner_[static_cast<std::size_t>(owner + 1)].Set(piece.cell);
    by_kind_[static_cast<std::size_t>(kind)].Set(piece.cell);
    if (piece.cell >= p_.board_cells) sc_.places_moved = true;
  }
  piece.kind = static_cast<int16_t>(kind);
  piece.owner = static_cast<int16_t>(owner);
  if (piece.cell != kGone) sc_.key += PieceFeature(slot);
}

template <int W, class Index>
void Machine<W, Index>::SetState(int index, Value value) {
  Value& at = state_[static_cast<std::size_t>(index)];
  if (at == value) return;
  journal_.push_back({Change::What::kState, index, at, 0});
  sc_.key += StateFeature(index, value) - StateFeature(index, at);
  at = value;
}

template <int W, class Index>
void Machine<W, Index>::SetPieceState(int slot, int index, Value value) {
  Value& at = PieceStateAt(slot, index);
  if (at == value) return;
  const Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  journal_.push_back({Change::What::kPieceState, slot * p_.piece_state_size + index, at, 0});
  if (piece.cell != kGone) sc_.key -= PieceFeature(slot);
  at = value;
  if (piece.cell != kGone) sc_.key += PieceFeature(slot);
  if (piece.cell >= p_.board_cells) sc_.places_moved = true;
}

template <int W, class Index>
void Machine<W, Index>::MarkBrief(int index, bool marked) {
  uint8_t& at = brief_set_[static_cast<std::size_t>(index)];
  if ((at != 0) == marked) return;
  journal_.push_back({Change::What::kBrief, index, at, 0});
  at = marked ? 1 : 0;
}

template <int W, class Index>
int Machine<W, Index>::NewPiece(int kind, int owner) {
  int live = 0, slot = -1;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].cell != kGone) {
      ++live;
    } else if (slot < 0 && ((fresh_dead_[i >> 6] >> (i & 63)) & 1) == 0) {
      slot = static_cast<int>(i);
    }
  }
  if (live >= board::kMaxCells || slot < 0) return -1;
  slots_used_ = std::max(slots_used_, static_cast<std::size_t>(slot) + 1);
  Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  journal_.push_back({Change::What::kCode, slot, piece.kind * 256 + piece.owner + 1, 0});
  piece.kind = static_cast<int16_t>(kind);
  piece.owner = static_cast<int16_t>(owner);
  piece.lifted_from = -1;
  for (int i = 0; i < p_.piece_state_size; ++i) {
    const int at = slot * p_.piece_state_size + i;
    journal_.push_back({Change::What::kPieceState, at, piece_state_[static_cast<std::size_t>(at)], 0});
    piece_state_[static_cast<std::size_t>(at)] = p_.initial_piece_state[static_cast<std::size_t>(i)];
  }
  return slot;
}

template <int W, class Index>
void Machine<W, Index>::Restore(const Mark& mark) {
  if (committed_) return;  // Play keeps what the search has made
  while (journal_.size() > mark.journal) {
    const Change change = journal_.back();
    journal_.pop_back();
    switch (change.what) {
      case Change::What::kCell: {
        Piece& piece = pieces_[static_cast<std::size_t>(change.index)];
        if (piece.cell >= 0) {
          occupied_.Clear(piece.cell);
          by_owner_[static_cast<std::size_t>(piece.owner + 1)].Clear(piece.cell);
          by_kind_[static_cast<std::size_t>(piece.kind)].Clear(piece.cell);
          on_[static_cast<std::size_t>(piece.cell)] = -1;
        }
        piece.cell = static_cast<int16_t>(change.old);
        piece.lifted_from = change.old_lifted;
        if (piece.cell >= 0) {
          occupied_.Set(piece.cell);
          by_owner_[static_cast<std::size_t>(piece.owner + 1)].Set(piece.cell);
          by_kind_[static_cast<std::size_t>(piece.kind)].Set(piece.cell);
          on_[static_cast<std::size_t>(piece.cell)] = static_cast<int16_t>(change.index);
        }
        break;
      }
      case Change::What::kCode: {
        Piece& piece = pieces_[static_cast<std::size_t>(change.index)];
        const int kind = change.old / 256, owner = change.old % 256 - 1;
        if (piece.cell >= 0) {
          by_owner_[static_cast<std::size_t>(piece.owner + 1)].Clear(piece.cell);
          by_kind_[static_cast<std::size_t>(piece.kind)].Clear(piece.cell);
          by_owner_[static_cast<std::size_t>(owner + 1)].Set(piece.cell);
          by_kind_[static_cast<std::size_t>(kind)].Set(piece.cell);
        }
        piece.kind = static_cast<int16_t>(kind);
        piece.owner = static_cast<int16_t>(owner);
        break;
      }
      case Change::What::kState:
        state_[static_cast<std::size_t>(change.index)] = change.old;
        break;
      case Change::What::kPieceState:
        piece_state_[static_cast<std::size_t>(change.index)] = change.old;
        break;
      case Change::What::kBrief:
        brief_set_[static_cast<std::size_t>(change.index)] = static_cast<uint8_t>(change.old);
        break;
    }
  }
  sc_ = mark.scalars;
}

template <int W, class Index>
bool Machine<W, Index>::SameState(int a, int b) const {
  for (int i = 0; i < p_.piece_state_size; ++i) {
    if (PieceStateAt(a, i) != PieceStateAt(b, i)) return false;
  }
  return true;
}

// The pieces of every place fill its first slots in order of kind, owner and state.
template <int W, class Index>
void Machine<W, Index>::CanonicalPlaces() {
  if (!sc_.places_moved) return;
  for (int first = p_.board_cells; first < p_.cells; ++first) {
    const int size = p_.place_size[static_cast<std::size_t>(first)];
    if (size == 0) continue;
    std::vector<int> inside;
    for (int c = first; c < first + size; ++c) {
      if (on_[static_cast<std::size_t>(c)] >= 0) inside.push_back(on_[static_cast<std::size_t>(c)]);
    }
    const auto before = [&](int a, int b) {
      const Piece &x = pieces_[static_cast<std::size_t>(a)], &y = pieces_[static_cast<std::size_t>(b)];
      if (x.kind != y.kind) return x.kind < y.kind;
      if (x.owner != y.owner) return x.owner < y.owner;  // neutral, which is none, comes first
      for (int i = 0; i < p_.piece_state_size; ++i) {
        if (PieceStateAt(a, i) != PieceStateAt(b, i)) return PieceStateAt(a, i) < PieceStateAt(b, i);
      }
      return false;
    };
    std::stable_sort(inside.begin(), inside.end(), before);
    bool in_order = true;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      in_order = in_order && pieces_[static_cast<std::size_t>(inside[i])].cell == first + static_cast<int>(i);
    }
    if (in_order) continue;
    for (const int slot : inside) MovePiece(slot, kLifted);
    for (std::size_t i = 0; i < inside.size(); ++i) MovePiece(inside[i], first + static_cast<int>(i));
  }
  sc_.places_moved = false;
}

template <int W, class Index>
bool Machine<W, Index>::Whole() const {
  if (sc_.lifted == 0) return true;
  for (std::size_t i = 0; i < slots_used_; ++i) {
    const Piece& piece = pieces_[i];
    if (piece.cell == kLifted && !p_.kinds[static_cast<std::size_t>(piece.kind)].may_be_off_board) return false;
  }
  return true;
}

template <int W, class Index>
void Machine<W, Index>::Fault(rules::Span span, const char* code, std::string message) {
  if (!fault) fault = rules::Fault{span, code, std::move(message)};
}

// ---- in and out ----------------------------------------------------------------------------------

template <int W, class Index>
void Machine<W, Index>::Load(const rules::Snapshot& s) {
  occupied_ = Cells{};
  by_owner_.fill(Cells{});
  std::fill(by_kind_.begin(), by_kind_.end(), Cells{});
  std::fill(on_.begin(), on_.end(), int16_t{-1});
  std::fill(pieces_.begin(), pieces_.end(), Piece{});
  ForgetDead();
  sc_ = Scalars{};
  history_.clear();
  // More pieces than slots can only be lifted ones of a position made by hand; the last of them are left out.
  const std::size_t count = std::min(s.pieces.size(), kSlotWords * 64 - 64);
  if (pieces_.size() < count + 64) {
    pieces_.resize(count + 64);
    piece_state_.resize(pieces_.size() * static_cast<std::size_t>(p_.piece_state_size), kNone);
  }
  slots_used_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    const rules::PieceRecord& record = s.pieces[i];
    Piece& piece = pieces_[i];
    piece.kind = static_cast<int16_t>(record.kind);
    piece.owner = static_cast<int16_t>(record.owner == kNone ? -1 : record.owner);
    for (int k = 0; k < p_.piece_state_size; ++k) {
      PieceStateAt(static_cast<int>(i), k) = record.state[static_cast<std::size_t>(k)];
    }
    MovePiece(static_cast<int>(i), record.cell == kNone ? kLifted : record.cell);
    if (record.cell != kNone && record.cell == s.last_self) sc_.last_self = static_cast<int>(i);
  }
  state_ = s.state;
  for (int i = 0; i < p_.state_size; ++i) sc_.key += StateFeature(i, state_[static_cast<std::size_t>(i)]);
  for (std::size_t i = 0; i < brief_set_.size(); ++i) brief_set_[i] = i < s.brief_set.size() && s.brief_set[i] ? 1 : 0;
  sc_.mover = s.mover;
  sc_.phase = s.phase;
  sc_.place = s.place.value;
  sc_.next_phase = s.next_phase;
  sc_.next_player = s.next_player;
  sc_.places_moved = true;
  CanonicalPlaces();
  journal_.clear();
}

template <int W, class Index>
rules::Snapshot Machine<W, Index>::Save() const {
  rules::Snapshot s;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.cell == kGone) continue;
    rules::PieceRecord record;
    record.cell = piece.cell == kLifted ? kNone : piece.cell;
    record.kind = piece.kind;
    record.owner = piece.owner < 0 ? kNone : piece.owner;
    for (int k = 0; k < p_.piece_state_size; ++k) record.state.push_back(PieceStateAt(static_cast<int>(i), k));
    s.pieces.push_back(std::move(record));
  }
  std::sort(s.pieces.begin(), s.pieces.end(), [](const rules::PieceRecord& a, const rules::PieceRecord& b) {
    if ((a.cell == kNone) != (b.cell == kNone)) return b.cell == kNone;
    return a < b;
  });
  s.state = state_;
  s.mover = sc_.mover;
  s.phase = sc_.phase;
  s.place = rules::TurnStateId(sc_.place);
  s.brief_set.resize(brief_set_.size());
  for (std::size_t i = 0; i < brief_set_.size(); ++i) s.brief_set[i] = brief_set_[i] != 0;
  s.next_phase = sc_.next_phase;
  s.next_player = sc_.next_player;
  if (sc_.last_self >= 0 && pieces_[static_cast<std::size_t>(sc_.last_self)].cell >= 0) {
    s.last_self = pieces_[static_cast<std::size_t>(sc_.last_self)].cell;
  }
  return s;
}

template <int W, class Index>
uint64_t Machine<W, Index>::key() const {
  const auto feature = [](Value a, Value b) {
    const Value numbers[2] = {a, b};
    return rules::Feature(numbers, 2);
  };
  uint64_t k = sc_.key + feature(3, sc_.mover) + feature(4, sc_.phase) + feature(5, sc_.place);
  if (sc_.last_self >= 0) {
    const int cell = pieces_[static_cast<std::size_t>(sc_.last_self)].cell;
    if (cell >= 0) k += feature(6, cell);
  }
  if (sc_.next_phase != kNone) k += feature(7, sc_.next_phase);
  if (sc_.next_player != kNone) k += feature(8, sc_.next_player);
  for (const int i : p_.brief) {
    if (brief_set_[static_cast<std::size_t>(i)] != 0) k += feature(9, i);
  }
  return k;
}

// The key with what repetition does not look at: clocks, which the rest of a turn may read, numbers, which may leave
// their range, and what no rule reads, by which positions differ all the same.
template <int W, class Index>
uint64_t Machine<W, Index>::WholeKey() const {
  uint64_t k = key();
  for (int i = 0; i < p_.state_size; ++i) {
    if (p_.state_in_key[static_cast<std::size_t>(i)]) continue;
    const Value numbers[3] = {10, i, state_[static_cast<std::size_t>(i)]};
    k += rules::Feature(numbers, 3);
  }
  if (p_.piece_state_rest.empty()) return k;
  for (std::size_t slot = 0; slot < slots_used_; ++slot) {
    if (pieces_[slot].cell == kGone) continue;
    for (const int i : p_.piece_state_rest) {
      const Value numbers[4] = {11, pieces_[slot].cell, i, PieceStateAt(static_cast<int>(slot), i)};
      k += rules::Feature(numbers, 4);
    }
  }
  return k;
}

// Questions about other players' turns leave laws out, and what a fault has spoilt is not worth keeping.
template <int W, class Index>
bool Machine<W, Index>::MayRemember() const {
  return asking_ == 0 && !in_endangered_ && !budget_.spent && !fault;
}

template <int W, class Index>
uint64_t Machine<W, Index>::key_from_scratch() const {
  Machine copy(program_);
  copy.Load(Save());
  return copy.key();
}
