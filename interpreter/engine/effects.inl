// Effects: what actions and handlers do to the position, and the movements they leave behind for the events.
//
// Effects on none do nothing; false means that the action instance does not exist.

template <int W, class Index>
void Machine<W, Index>::Record(const Context& c, int slot, int from, int to, bool removed) {
  const Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  Movement m;
  m.piece = static_cast<int16_t>(slot);
  m.from = static_cast<int16_t>(from);
  m.to = static_cast<int16_t>(to);
  m.kind = piece.kind;
  m.owner = piece.owner;
  m.by_self = slot == c.self;
  const bool sent_off = from >= 0 && from < p_.board_cells && to >= p_.board_cells;
  m.captured = piece.owner >= 0 && piece.owner != c.me && (removed || sent_off);
  m.removed = removed;
  m.barriers = p_.has_crosses ? BarriersBetween(from, to) : 0;
  movements_.push_back(m);
}

// The edges of the walk that brought the piece; for everything else the sides of the two cells.
template <int W, class Index>
uint32_t Machine<W, Index>::BarriersBetween(int from, int to) const {
  if (from < 0 || to < 0) return 0;
  for (std::size_t i = paths_.size(); i > path_base_; --i) {
    const KnownPath& path = paths_[i - 1];
    if (path.from != from || path.to != to) continue;
    uint32_t barriers = path.barriers;
    // One choice may have noted several ways to the cell.
    for (std::size_t j = i - 1; j > path_base_ && paths_[j - 1].from == from && paths_[j - 1].to == to; --j) {
      barriers |= paths_[j - 1].barriers;
    }
    return barriers;
  }
  uint32_t mask = 0;
  const auto& barriers = p_.board.barriers();
  for (std::size_t b = 0; b < barriers.size() && b < 32; ++b) {
    if (barriers[b].Parts(from, to)) mask |= uint32_t{1} << b;
  }
  return mask;
}

template <int W, class Index>
bool Machine<W, Index>::MoveTo(Context& c, int slot, int cell) {
  Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  if (piece.cell == cell) return true;  // onto its own cell: nothing, no event
  if (on_[static_cast<std::size_t>(cell)] >= 0) return false;
  const int from = piece.cell >= 0 ? piece.cell : piece.lifted_from;
  MovePiece(slot, cell);
  piece.lifted_from = -1;
  Record(c, slot, from, cell, false);
  return true;
}

template <int W, class Index>
void Machine<W, Index>::Remove(Context& c, int slot) {
  const Piece& piece = pieces_[static_cast<std::size_t>(slot)];
  Record(c, slot, piece.cell >= 0 ? piece.cell : piece.lifted_from, -1, true);
  MovePiece(slot, kGone);
}

template <int W, class Index>
void Machine<W, Index>::SwapPieces(Context& c, int a, int b) {
  const int cell_a = pieces_[static_cast<std::size_t>(a)].cell, cell_b = pieces_[static_cast<std::size_t>(b)].cell;
  if (a == b || cell_a < 0 || cell_b < 0) return;
  MovePiece(a, kLifted);
  MovePiece(b, cell_a);
  MovePiece(a, cell_b);
  Record(c, a, cell_a, cell_b, false);
  Record(c, b, cell_b, cell_a, false);
}

template <int W, class Index>
bool Machine<W, Index>::PlaceNew(Context& c, const Ins& ins, int pc) {
  const Value kind = c.v[ins.a], owner = c.v[ins.b], cell = c.v[ins.c];
  if (kind == kNone || cell == kNone) return true;
  if (on_[static_cast<std::size_t>(cell)] >= 0) return false;
  const int slot = NewPiece(kind, owner == kNone ? -1 : owner);
  if (slot < 0) {
    Fault(p_.spans[static_cast<std::size_t>(pc)], "piece-limit", "more than 256 pieces");
    return false;
  }
  MovePiece(slot, cell);
  Record(c, slot, -1, cell, false);
  return true;
}

template <int W, class Index>
bool Machine<W, Index>::Store(const program::Variable& var, Value old, Value value, int pc, Value* out) {
  *out = old;
  if (value == kNone) {
    if (var.type.optional) *out = kNone;
    return true;
  }
  const bool bounded = var.type.base != rules::Base::kDirection && var.type.base != rules::Base::kWalk;
  if (bounded && (value < var.type.low || value > var.type.high)) {
    if (!var.clock) {
      Fault(p_.spans[static_cast<std::size_t>(pc)], "rule-out-of-range",
            "`" + var.name + "` would become " + std::to_string(value) + ", outside " + std::to_string(var.type.low) +
                ".." + std::to_string(var.type.high));
      return false;
    }
    value = std::clamp(value, var.type.low, var.type.high);  // a clock stops at its bound
  }
  *out = value;
  return true;
}

// Old pieces are gone, new ones stand as the diagram says; `state` stays. No events.
template <int W, class Index>
void Machine<W, Index>::SetUp(const Ins& ins, const Context& c) {
  const Value which = c.v[ins.a];
  const auto& table = p_.setup_tables[static_cast<std::size_t>(ins.imm)];
  if (which == kNone || static_cast<std::size_t>(which) >= table.size() ||
      !table[static_cast<std::size_t>(which)].valid()) {
    return;
  }
  const rules::Setup& setup = p_.setups[table[static_cast<std::size_t>(which)].index()];
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].cell != kGone) MovePiece(static_cast<int>(i), kGone);
  }
  for (const rules::SetupPiece& piece : setup.pieces) {
    int slot = NewPiece(piece.kind, piece.owner == kNone ? -1 : piece.owner);
    if (slot < 0) {  // every free slot was used in this action: they may be used again, nothing refers to them here
      ForgetDead();
      slot = NewPiece(piece.kind, piece.owner == kNone ? -1 : piece.owner);
    }
    if (slot >= 0) MovePiece(slot, piece.cell < 0 ? kLifted : piece.cell);
  }
  if (setup.names_mover) sc_.next_player = setup.to_move;
}

template <int W, class Index>
void Machine<W, Index>::Decide(bool win, int player) {
  if (win || p_.players == 2) {
    sc_.result.kind = rules::Outcome::Kind::kWin;
    sc_.result.winner = static_cast<int8_t>(win ? player : 1 - player);
  } else {
    sc_.result.kind = rules::Outcome::Kind::kPoints;
    sc_.result.points.fill(1);
    sc_.result.points[static_cast<std::size_t>(player)] = 0;
  }
  sc_.result.end = -1;
}

template <int W, class Index>
bool Machine<W, Index>::DoEffect(const Ins& i, int pc, Context& c) {
  using program::Op;
  Value* const v = c.v;
  switch (i.op) {
    case Op::kMove:
    case Op::kPut:
      return !PieceAlive(v[i.a]) || v[i.b] == kNone || MoveTo(c, v[i.a], v[i.b]);
    case Op::kMoveToPlace: {
      if (!PieceAlive(v[i.a]) || !c.s[i.b].Any()) return true;
      const Cells free = Without(c.s[i.b], occupied_);
      if (free.Any()) return MoveTo(c, v[i.a], free.Lowest());
      Fault(p_.spans[static_cast<std::size_t>(pc)], "place-full", "no room is left in the place this piece is sent to");
      return false;
    }
    case Op::kLift: {
      if (!PieceAlive(v[i.a])) return true;
      Piece& piece = pieces_[static_cast<std::size_t>(v[i.a])];
      if (piece.cell < 0) return true;
      const int from = piece.cell;
      MovePiece(v[i.a], kLifted);
      piece.lifted_from = static_cast<int16_t>(from);
      return true;
    }
    case Op::kPlace:
      return PlaceNew(c, i, pc);
    case Op::kRemove:
      if (PieceAlive(v[i.a])) Remove(c, v[i.a]);
      return true;
    case Op::kSwap:
      if (PieceAlive(v[i.a]) && PieceAlive(v[i.b])) SwapPieces(c, v[i.a], v[i.b]);
      return true;
    case Op::kBecomes:
      if (PieceAlive(v[i.a]) && v[i.b] != kNone)
        Recode(v[i.a], v[i.b], pieces_[static_cast<std::size_t>(v[i.a])].owner);
      return true;
    case Op::kJoins:
      if (PieceAlive(v[i.a]) && v[i.b] != kNone) Recode(v[i.a], pieces_[static_cast<std::size_t>(v[i.a])].kind, v[i.b]);
      return true;
    case Op::kSet: {
      const Value at = i.flag != 0 ? 0 : v[i.b];
      if (at == kNone) return true;
      const program::Variable& var = p_.vars[static_cast<std::size_t>(i.imm)];
      const int element = var.offset + i.c + at;
      if (v[i.a] == kNone && !var.type.optional) return true;
      Value stored;
      if (!Store(var, state_[static_cast<std::size_t>(element)], v[i.a], pc, &stored)) return false;
      if (var.brief) MarkBrief(element, stored != p_.initial_state[static_cast<std::size_t>(element)]);
      SetState(element, stored);
      return true;
    }
    case Op::kSetPiece: {
      if (!PieceAlive(v[i.b])) return true;
      const program::Variable& var = p_.piece_vars[static_cast<std::size_t>(i.imm)];
      Value stored;
      if (!Store(var, PieceStateAt(v[i.b], var.offset), v[i.a], pc, &stored)) return false;
      SetPieceState(v[i.b], var.offset, stored);
      return true;
    }
    case Op::kSetPieces: {
      const program::Variable& var = p_.piece_vars[static_cast<std::size_t>(i.imm)];
      for (Cells cells = c.s[i.b] & occupied_; cells.Any();) {
        const int slot = on_[static_cast<std::size_t>(cells.Pop())];
        Value stored;
        if (!Store(var, PieceStateAt(slot, var.offset), v[i.a], pc, &stored)) return false;
        SetPieceState(slot, var.offset, stored);
      }
      return true;
    }
    case Op::kSetUp:
      SetUp(i, c);
      return true;
    case Op::kGoto:
      if (v[i.a] == kNone) return true;
      if (in_turn_begins_) {  // replaces the coming turn at once
        sc_.phase = v[i.a];
        sc_.place = p_.phases[static_cast<std::size_t>(v[i.a])].turn;
      } else {
        sc_.next_phase = v[i.a];
      }
      return true;
    case Op::kWin:
    case Op::kLose:
      if (v[i.a] != kNone) Decide(i.op == Op::kWin, v[i.a]);
      return true;
    case Op::kDraw:
      sc_.result.kind = rules::Outcome::Kind::kDraw;
      sc_.result.end = -1;
      return true;
    case Op::kPoints: {
      // The first pair of a result clears the points, the last one ends the game.
      if (i.imm != 0) sc_.result.points.fill(0);
      if (v[i.a] != kNone && v[i.b] != kNone) sc_.result.points[static_cast<std::size_t>(v[i.b])] = v[i.a];
      if (i.flag != 0) sc_.result.kind = rules::Outcome::Kind::kPoints;
      sc_.result.end = -1;
      return true;
    }
    default:
      return true;
  }
}
