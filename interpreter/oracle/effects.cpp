// Effects: what actions and handlers do to a position, and the movements they leave behind for the events.
//
// Every function says false when the action instance does not exist: two pieces on one cell, a full
// place, a value out of range. Effects on none do nothing.
#include <algorithm>

#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::Effect;
using rules::EffectOp;

bool Machine::Effects(const rules::Block& block, Run& run) {
  for (const Effect& e : block) {
    if (run.over()) return true;  // the game ended with the effect before
    if (trace_ != nullptr) MarkEffect(e, run);
    if (!DoEffect(e, run)) return false;
  }
  return true;
}

// Effects on pieces that are not there, and branches without effects, leave no mark.
void Machine::MarkEffect(const Effect& e, Run& run) {
  bool acts = true;
  switch (e.op) {
    case EffectOp::kMove:
    case EffectOp::kMoveToPlace:
    case EffectOp::kLift:
    case EffectOp::kPut:
    case EffectOp::kRemove:
    case EffectOp::kSwap:
    case EffectOp::kBecomes:
    case EffectOp::kJoins: {
      const Value piece = Eval(e.a, run.view());
      acts = piece != kNone && !run.position.pieces[static_cast<std::size_t>(piece)].gone;
      break;
    }
    case EffectOp::kIf:
      acts = !(Holds(e.a, run.view()) ? e.body : e.otherwise).empty();
      break;
    case EffectOp::kFor:
      acts = !EvalSet(e.a, run.view()).empty();
      break;
    default:
      break;
  }
  if (acts) Mark(run, e.span);
}

bool Machine::DoEffect(const Effect& e, Run& run) {
  const auto eval = [&](ExprId id) { return id.valid() ? Eval(id, run.view()) : kNone; };
  const auto live = [&](Value piece) {
    return piece != kNone && !run.position.pieces[static_cast<std::size_t>(piece)].gone;
  };
  switch (e.op) {
    case EffectOp::kMove:
    case EffectOp::kPut: {
      const Value piece = eval(e.a), cell = eval(e.b);
      return !live(piece) || cell == kNone || MoveTo(run, piece, cell);
    }
    case EffectOp::kMoveToPlace:
      return MoveToPlace(e, run);
    case EffectOp::kLift: {
      const Value piece = eval(e.a);
      if (!live(piece)) return true;
      Piece& p = run.position.pieces[static_cast<std::size_t>(piece)];
      if (p.cell == kNone) return true;
      p.lifted_from = p.cell;
      run.position.Set(piece, kNone);
      return true;
    }
    case EffectOp::kPlace:
      return PlaceNew(e, run);
    case EffectOp::kRemove: {
      const Value piece = eval(e.a);
      if (live(piece)) Remove(run, piece);
      return true;
    }
    case EffectOp::kSwap: {
      const Value a = eval(e.a), b = eval(e.b);
      if (live(a) && live(b)) Swap(run, a, b);
      return true;
    }
    case EffectOp::kBecomes: {
      const Value piece = eval(e.a), kind = eval(e.b);
      if (live(piece) && kind != kNone) run.position.pieces[static_cast<std::size_t>(piece)].kind = kind;
      return true;
    }
    case EffectOp::kJoins: {
      const Value piece = eval(e.a), owner = eval(e.b);
      if (live(piece) && owner != kNone) run.position.pieces[static_cast<std::size_t>(piece)].owner = owner;
      return true;
    }
    case EffectOp::kSet:
    case EffectOp::kSetPiece:
      return Assign(e, run);
    case EffectOp::kSetUp:
      SetUp(e, run);
      return true;
    case EffectOp::kGoto:
      GoTo(run, eval(e.a));
      return true;
    case EffectOp::kWin:
    case EffectOp::kLose:
    case EffectOp::kDraw:
    case EffectOp::kResult:
      return EndGame(e, run);
    case EffectOp::kIf:
      return Effects(Holds(e.a, run.view()) ? e.body : e.otherwise, run);
    case EffectOp::kFor:
      for (Value x : EvalSet(e.a, run.view())) {
        run.frame.Bind(e.slot, x);
        if (!Spend() || !Effects(e.body, run)) return false;
      }
      return true;
  }
  return true;
}

// ---- pieces ------------------------------------------------------------------------------------

void Machine::Record(Run& run, Movement m) {
  const Piece& p = run.position.pieces[static_cast<std::size_t>(m.piece)];
  m.kind = p.kind;
  m.owner = p.owner;
  m.by_self = m.piece == run.self;
  const bool sent_off = m.from != kNone && !r_.board.is_place(m.from) && m.to != kNone && r_.board.is_place(m.to);
  m.captured = m.owner != kNone && m.owner != run.me && (m.removed || sent_off);
  m.barriers = BarriersBetween(run, m.from, m.to);
  run.movements.push_back(m);
  Mark(run, r_.kinds[static_cast<std::size_t>(m.kind)].span);
}

// The edges of the walk that brought the piece; for everything else the sides of the two cells.
uint32_t Machine::BarriersBetween(const Run& run, Value from, Value to) const {
  if (from == kNone || to == kNone) return 0;
  for (auto path = run.paths.rbegin(); path != run.paths.rend(); ++path) {
    if (path->from == from && path->to == to) return path->barriers;
  }
  uint32_t mask = 0;
  const auto& barriers = r_.board.barriers();
  for (std::size_t b = 0; b < barriers.size() && b < 32; ++b) {
    if (barriers[b].Parts(from, to)) mask |= uint32_t{1} << b;
  }
  return mask;
}

bool Machine::MoveTo(Run& run, int piece, Value cell) {
  Piece& p = run.position.pieces[static_cast<std::size_t>(piece)];
  if (p.cell == cell) return true;  // onto its own cell: nothing, no event
  if (!run.position.Empty(cell)) return false;
  const Value from = p.cell != kNone ? p.cell : p.lifted_from;
  p.lifted_from = kNone;
  run.position.Set(piece, cell);
  Record(run, {.piece = piece, .from = from, .to = cell});
  return true;
}

bool Machine::MoveToPlace(const Effect& e, Run& run) {
  const Value piece = Eval(e.a, run.view());
  if (piece == kNone || run.position.pieces[static_cast<std::size_t>(piece)].gone) return true;
  const Set slots = EvalSet(e.b, run.view());
  if (slots.empty()) return true;  // the place of none
  for (Value slot : slots) {
    if (run.position.Empty(slot)) return MoveTo(run, piece, slot);
  }
  Fault(e.span, "place-full", "no room is left in the place this piece is sent to");
  return false;
}

bool Machine::PlaceNew(const Effect& e, Run& run) {
  const Value kind = Eval(e.a, run.view()), cell = Eval(e.c, run.view());
  const Value owner = e.b.valid() ? Eval(e.b, run.view()) : kNone;
  if (kind == kNone || cell == kNone) return true;
  if (!run.position.Empty(cell)) return false;
  const auto live =
      std::count_if(run.position.pieces.begin(), run.position.pieces.end(), [](const Piece& p) { return !p.gone; });
  if (live >= board::kMaxCells) {
    Fault(e.span, "piece-limit", "more than 256 pieces");
    return false;
  }
  Piece piece;
  piece.kind = kind;
  piece.owner = owner;
  piece.state.assign(static_cast<std::size_t>(r_.piece_state_size), kNone);
  for (const rules::Variable& v : r_.piece_vars) {
    std::copy(v.initial.begin(), v.initial.end(), piece.state.begin() + v.offset);
  }
  run.position.pieces.push_back(std::move(piece));
  const int handle = static_cast<int>(run.position.pieces.size()) - 1;
  run.position.Set(handle, cell);
  Record(run, {.piece = handle, .from = kNone, .to = cell});
  return true;
}

void Machine::Remove(Run& run, int piece) {
  Piece& p = run.position.pieces[static_cast<std::size_t>(piece)];
  const Value from = p.cell != kNone ? p.cell : p.lifted_from;
  Record(run, {.piece = piece, .from = from, .to = kNone, .removed = true});
  run.position.Set(piece, kNone);
  p.gone = true;
}

void Machine::Swap(Run& run, int a, int b) {
  const Value cell_a = run.position.pieces[static_cast<std::size_t>(a)].cell;
  const Value cell_b = run.position.pieces[static_cast<std::size_t>(b)].cell;
  if (a == b || cell_a == kNone || cell_b == kNone) return;
  run.position.Set(a, kNone);
  run.position.Set(b, cell_a);
  run.position.Set(a, cell_b);
  Record(run, {.piece = a, .from = cell_a, .to = cell_b});
  Record(run, {.piece = b, .from = cell_b, .to = cell_a});
}

// Old pieces are gone, new ones stand as the diagram says; `state` stays. No events.
void Machine::SetUp(const Effect& e, Run& run) {
  std::size_t which = 0;
  if (e.a.valid()) {
    const Value index = Eval(e.a, run.view());
    if (index == kNone) return;
    which = static_cast<std::size_t>(index);
  }
  if (which >= e.setups.size() || !e.setups[which].valid()) return;
  const rules::Setup& setup = r_.setups[e.setups[which]];
  Mark(run, setup.span);
  for (std::size_t i = 0; i < run.position.pieces.size(); ++i) {
    run.position.Set(static_cast<int>(i), kNone);
    run.position.pieces[i].gone = true;
  }
  const Position fresh = Load(r_, rules::MakeSnapshot(r_, setup.pieces, setup.to_move, {}));
  for (const Piece& p : fresh.pieces) {
    Piece piece = p;
    piece.cell = kNone;
    run.position.pieces.push_back(piece);
    run.position.Set(static_cast<int>(run.position.pieces.size()) - 1, p.cell);
  }
  if (setup.names_mover) run.position.next_player = setup.to_move;
}

// ---- state -------------------------------------------------------------------------------------

bool Machine::Assign(const Effect& e, Run& run) {
  const Value value = Eval(e.a, run.view());
  if (e.op == EffectOp::kSetPiece) {
    const Value piece = Eval(e.b, run.view());
    if (piece == kNone || run.position.pieces[static_cast<std::size_t>(piece)].gone) return true;
    const rules::Variable& var = r_.piece_vars[e.var];
    return Store(var, run.position.pieces[static_cast<std::size_t>(piece)].state[static_cast<std::size_t>(var.offset)],
                 value, e.span);
  }
  const rules::Variable& var = r_.vars[e.var];
  Set at;
  for (ExprId index : e.indices) at.push_back(Eval(index, run.view()));
  const auto flat = FlatIndex(var.index, at);
  if (!flat) return true;
  const std::size_t element = static_cast<std::size_t>(var.offset) + *flat;
  if (value == kNone && !var.type.optional) return true;
  if (!Store(var, run.position.state[element], value, e.span)) return false;
  if (var.life == rules::Variable::Life::kBrief) {
    // The initial value needs no mark: it stays when the turn is over.
    run.position.brief_set[element] = run.position.state[element] != var.initial[*flat];
  }
  return true;
}

bool Machine::Store(const rules::Variable& var, Value& target, Value value, rules::Span span) {
  if (value == kNone) {
    if (var.type.optional) target = kNone;
    return true;
  }
  const bool bounded = var.type.base != rules::Base::kDirection && var.type.base != rules::Base::kWalk;
  if (bounded && (value < var.type.low || value > var.type.high)) {
    if (var.life != rules::Variable::Life::kClock) {
      Fault(span, "rule-out-of-range",
            "`" + var.name + "` would become " + std::to_string(value) + ", outside " + std::to_string(var.type.low) +
                ".." + std::to_string(var.type.high));
      return false;
    }
    value = std::clamp(value, var.type.low, var.type.high);  // a clock stops at its bound
  }
  target = value;
  return true;
}

void Machine::GoTo(Run& run, Value phase) {
  if (phase == kNone) return;
  if (!run.in_turn_begins) {
    run.position.next_phase = phase;
    return;
  }
  run.position.phase = phase;  // replaces the coming turn at once
  run.position.place = r_.phases[static_cast<std::size_t>(phase)].turn;
}

bool Machine::EndGame(const Effect& e, Run& run) {
  using Kind = rules::Outcome::Kind;
  const std::size_t players = r_.players.size();
  rules::Outcome& out = run.outcome;
  switch (e.op) {
    case EffectOp::kDraw:
      out.kind = Kind::kDraw;
      return true;
    case EffectOp::kWin:
    case EffectOp::kLose: {
      const Value player = Eval(e.a, run.view());
      if (player == kNone) return true;
      out = Decided(e.op == EffectOp::kWin, player);
      return true;
    }
    default: {
      out.kind = Kind::kPoints;
      out.points.assign(players, 0);
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        const Value points = Eval(e.args[i], run.view()), player = Eval(e.args[i + 1], run.view());
        if (points != kNone && player != kNone) out.points[static_cast<std::size_t>(player)] = points;
      }
      return true;
    }
  }
}

// `lose p` is the win of the other; with more players everyone else gets a point.
rules::Outcome Machine::Decided(bool win, Value player) const {
  rules::Outcome out;
  const int players = r_.player_count();
  if (win || players == 2) {
    out.kind = rules::Outcome::Kind::kWin;
    out.winner = win ? player : 1 - player;
  } else {
    out.kind = rules::Outcome::Kind::kPoints;
    out.points.assign(static_cast<std::size_t>(players), 1);
    out.points[static_cast<std::size_t>(player)] = 0;
  }
  return out;
}

}  // namespace arbiter::oracle
