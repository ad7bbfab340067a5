// Expressions: one case per operation of rules/expr.def, in its order.
#include <algorithm>

#include "base/check.h"
#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::Base;
using rules::Expr;
using rules::Op;

const Slot& Frame::operator[](int slot) const {
  static const Slot kEmpty;
  return slot >= 0 && static_cast<std::size_t>(slot) < slots_.size() ? slots_[static_cast<std::size_t>(slot)] : kEmpty;
}

Slot& Frame::At(int slot) {
  ARBITER_CHECK(slot >= 0);
  if (slots_.size() <= static_cast<std::size_t>(slot)) slots_.resize(static_cast<std::size_t>(slot) + 1);
  return slots_[static_cast<std::size_t>(slot)];
}

namespace {

Value Bool(bool b) { return b ? 1 : 0; }
Value NoneIfNegative(int v) { return v < 0 ? kNone : v; }

// Numbers of a game are small; sums that leave the range of a Value stay at its edge.
Value Bounded(int64_t sum) {
  constexpr int64_t kEdge = 1000000000;
  return static_cast<Value>(std::clamp(sum, -kEdge, kEdge));
}

bool Has(const Set& set, Value v) { return std::find(set.begin(), set.end(), v) != set.end(); }

bool SameElements(Set a, Set b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

Set Members(const rules::CellSet& cells) {
  Set out;
  for (std::size_t c = cells._Find_first(); c < cells.size(); c = cells._Find_next(c))
    out.push_back(static_cast<Value>(c));
  return out;
}

}  // namespace

bool Machine::Holds(ExprId id, const View& v) { return !id.valid() || Truth(Eval(id, v)); }

Value Machine::SideOf(const View& v) const {
  if (v.self >= 0) {
    const Value owner = v.position.pieces[static_cast<std::size_t>(v.self)].owner;
    if (owner != kNone) return owner;
  }
  return v.me;
}

bool Machine::SidePasses(rules::Side side, Value owner, const View& v) const {
  switch (side) {
    case rules::Side::kAny:
      return true;
    case rules::Side::kOwn:
      return owner != kNone && owner == SideOf(v);
    case rules::Side::kEnemy:
      return owner != kNone && owner != SideOf(v);
    case rules::Side::kMine:
      return owner != kNone && owner == v.me;
    case rules::Side::kOf:
      return false;  // needs an expression: see EvalPieces
    case rules::Side::kNeutral:
      return owner == kNone;
  }
  return false;
}

std::optional<std::size_t> Machine::FlatIndex(const std::vector<std::vector<Value>>& index, const Set& at) const {
  std::size_t flat = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (i >= at.size() || at[i] == kNone) return std::nullopt;
    const auto found = std::find(index[i].begin(), index[i].end(), at[i]);
    if (found == index[i].end()) return std::nullopt;
    flat = flat * index[i].size() + static_cast<std::size_t>(found - index[i].begin());
  }
  return flat;
}

Value Machine::Eval(ExprId id, const View& v) {
  const Value value = EvalOne(id, v);
  if (trace_ != nullptr && !r_.exprs[id].defined.empty()) {
    const bool truth = r_.exprs[id].type.base == Base::kBool;
    MarkAsked(r_.exprs[id], truth ? Truth(value) : value != kNone);
  }
  return value;
}

Value Machine::EvalOne(ExprId id, const View& v) {
  ARBITER_CHECK(id.valid());
  const Expr& e = r_.exprs[id];
  const auto child = [&](std::size_t i) { return Eval(e.children[i], v); };
  switch (e.op) {
    case Op::kConst:
      return e.value;
    case Op::kLocal:
      return (*v.frame)[e.slot].value;
    case Op::kMe:
      return v.me;
    case Op::kSide:
      return SideOf(v);
    case Op::kSelf:
      return v.self < 0 ? kNone : v.self;
    case Op::kHere:
      return v.point ? v.point->here : kNone;
    case Op::kHeading:
      return v.point ? v.point->heading : kNone;
    case Op::kBack:
      return v.point ? v.point->back : kNone;
    case Op::kOrigin:
      return v.point ? v.point->origin : kNone;
    case Op::kState: {
      const rules::Variable& var = r_.vars[rules::VarId(e.value)];
      Set at;
      for (ExprId index : e.children) at.push_back(Eval(index, v));
      const auto flat = FlatIndex(var.index, at);
      if (!flat) return kNone;
      const std::size_t element = static_cast<std::size_t>(var.offset) + *flat;
      if (read != nullptr) (*read)[element] = true;
      return v.position.state[element];
    }
    case Op::kPhase:
      return v.position.phase;
    case Op::kNot: {
      const Value a = child(0);
      return a == kNone ? kNone : Bool(a == 0);
    }
    case Op::kAnd:
      return Bool(std::all_of(e.children.begin(), e.children.end(), [&](ExprId c) { return Truth(Eval(c, v)); }));
    case Op::kOr:
      return Bool(std::any_of(e.children.begin(), e.children.end(), [&](ExprId c) { return Truth(Eval(c, v)); }));
    case Op::kImplies:
      return Bool(!Truth(child(0)) || Truth(child(1)));
    case Op::kIf:
      return Truth(child(0)) ? child(1) : child(2);
    case Op::kEq:
      if (r_.exprs[e.children[0]].type.set) {
        return Bool(SameElements(EvalSet(e.children[0], v), EvalSet(e.children[1], v)));
      }
      return Bool(child(0) == child(1));
    case Op::kLt:
    case Op::kLe:
    case Op::kAdd:
    case Op::kSub: {
      const Value a = child(0), b = child(1);
      const bool none = a == kNone || b == kNone;
      if (e.op == Op::kLt) return Bool(!none && a < b);
      if (e.op == Op::kLe) return Bool(!none && a <= b);
      if (none) return kNone;
      return Bounded(e.op == Op::kAdd ? int64_t{a} + b : int64_t{a} - b);
    }
    case Op::kIn:
      return Bool(Element(e.children[1], child(0), v));
    case Op::kIsEmptySet:
      return Bool(EvalSet(e.children[0], v).empty());
    case Op::kSome:
    case Op::kEvery:
    case Op::kCount:
    case Op::kRun:
      return Quantify(e, v);
    case Op::kExists:
    case Op::kPieceState:
    case Op::kTheOnly:
    case Op::kCellOf:
    case Op::kPieceAt:
    case Op::kOwner:
    case Op::kKindOf:
    case Op::kIsKind:
    case Op::kIsOwn:
    case Op::kIsEnemy:
    case Op::kAttribute:
      return EvalPiece(e, v);
    case Op::kIsEmpty:
    case Op::kOpponent:
    case Op::kNext:
    case Op::kWay:
    case Op::kRank:
    case Op::kFile:
    case Op::kCellAt:
    case Op::kColour:
    case Op::kChoiceHeading:
    case Op::kChoiceBefore:
      return EvalBoard(e, v);
    case Op::kReaches:
    case Op::kSteps:
    case Op::kDistance:
    case Op::kAttacked:
    case Op::kEndangered:
    case Op::kStuck:
    case Op::kCanPlay:
    case Op::kWalkMap:
      return EvalQuestion(e, v);
    case Op::kConstSet:
    case Op::kConstCells:
    case Op::kFilter:
    case Op::kMakeSet:
    case Op::kUnion:
    case Op::kMinus:
    case Op::kIntersect:
    case Op::kZone:
    case Op::kEmptyCells:
    case Op::kPieces:
    case Op::kCellsOf:
    case Op::kPiecesOn:
    case Op::kEnds:
    case Op::kChoiceCrossed:
      break;
  }
  ARBITER_CHECK(!"a set where a value is expected");
  return kNone;
}

Value Machine::Quantify(const Expr& e, const View& v) {
  if (e.op == Op::kRun) {
    const Value start = Eval(e.children[0], v), direction = Eval(e.children[1], v);
    Value length = 0;
    for (Value c = start; c != kNone; ++length) {
      v.frame->Bind(e.slot, c);
      if (!Spend() || !Holds(e.children[2], v)) break;
      c = direction == kNone ? kNone : NoneIfNegative(r_.board.Next(direction, c));
      if (c == start || length > r_.board.size()) c = kNone;
    }
    return length;
  }
  Value count = 0;
  for (Value x : EvalSet(e.children[0], v)) {
    if (!Spend()) break;
    v.frame->Bind(e.slot, x);
    const bool holds = Holds(e.children[1], v);
    if (e.op == Op::kSome && holds) return 1;
    if (e.op == Op::kEvery && !holds) return 0;
    if (holds) ++count;
  }
  return e.op == Op::kCount ? count : Bool(e.op == Op::kEvery);
}

Value Machine::EvalPiece(const Expr& e, const View& v) {
  if (e.op == Op::kTheOnly) return OnlyPiece(e, v);
  const Value x = Eval(e.children[0], v);
  if (e.op == Op::kPieceAt) return NoneIfNegative(v.position.At(x));
  if (e.op == Op::kExists && r_.exprs[e.children[0]].type.base != Base::kPiece) return Bool(x != kNone);
  const bool truth = e.op == Op::kExists || e.op == Op::kIsKind || e.op == Op::kIsOwn || e.op == Op::kIsEnemy;
  if (x == kNone) return truth ? 0 : kNone;
  const Piece& p = v.position.pieces[static_cast<std::size_t>(x)];
  switch (e.op) {
    case Op::kExists:
      return Bool(!p.gone);
    case Op::kPieceState: {
      const std::size_t element = static_cast<std::size_t>(r_.piece_vars[rules::VarId(e.value)].offset);
      const std::size_t at = v.position.state.size() + static_cast<std::size_t>(x) * p.state.size() + element;
      if (read != nullptr && at < read->size()) (*read)[at] = true;  // a piece made while looking ahead has no place
      return p.state[element];
    }
    case Op::kCellOf:
      return p.cell;
    case Op::kOwner:
      return p.owner;
    case Op::kKindOf:
      return p.kind;
    case Op::kIsKind:
      return Bool((e.kinds >> p.kind & 1) != 0);
    case Op::kIsOwn:
      return Bool(SidePasses(rules::Side::kOwn, p.owner, v));
    case Op::kIsEnemy:
      return Bool(SidePasses(rules::Side::kEnemy, p.owner, v));
    case Op::kAttribute: {
      const auto& all = r_.kinds[static_cast<std::size_t>(p.kind)].attributes;
      const auto index = static_cast<std::size_t>(e.value);
      return index < all.size() && !all[index].empty() ? all[index].front() : kNone;
    }
    default:
      return kNone;
  }
}

// The only piece of these kinds, lifted ones included.
Value Machine::OnlyPiece(const Expr& e, const View& v) {
  const bool of_owner = !e.children.empty();
  const Value owner = of_owner ? Eval(e.children[0], v) : kNone;
  if (of_owner && owner == kNone) return kNone;
  Value found = kNone;
  for (std::size_t i = 0; i < v.position.pieces.size(); ++i) {
    const Piece& p = v.position.pieces[i];
    if (p.gone || (e.kinds >> p.kind & 1) == 0 || (of_owner && p.owner != owner)) continue;
    if (found != kNone) return kNone;
    found = static_cast<Value>(i);
  }
  return found;
}

Value Machine::EvalBoard(const Expr& e, const View& v) {
  const auto child = [&](std::size_t i) { return Eval(e.children[i], v); };
  const board::Board& b = r_.board;
  if (e.op == Op::kChoiceHeading) return (*v.frame)[e.slot].heading;
  if (e.op == Op::kChoiceBefore) return (*v.frame)[e.slot].before;
  const Value x = child(0);
  if (x == kNone) return e.op == Op::kIsEmpty ? 0 : kNone;
  switch (e.op) {
    case Op::kIsEmpty:
      return Bool(v.position.Empty(x));
    case Op::kOpponent:
      return r_.player_count() == 2 ? 1 - x : kNone;
    case Op::kNext: {
      const Value direction = child(1);
      return direction == kNone ? kNone : NoneIfNegative(b.Next(direction, x));
    }
    case Op::kWay:
      return NoneIfNegative(b.Way(static_cast<board::Relative>(e.value), static_cast<int>(SideOf(v)), x));
    case Op::kRank:
      return b.rank(x) > 0 ? b.rank(x) : kNone;
    case Op::kFile:
      return b.file(x) > 0 ? b.file(x) : kNone;
    case Op::kCellAt: {
      const Value rank = child(1);
      return rank == kNone ? kNone : NoneIfNegative(b.At(x, rank));
    }
    case Op::kColour:
      return NoneIfNegative(b.colour(x));
    default:
      return kNone;
  }
}

Value Machine::EvalQuestion(const Expr& e, const View& v) {
  const auto child = [&](std::size_t i) { return Eval(e.children[i], v); };
  switch (e.op) {
    case Op::kReaches: {
      const Value from = child(0), walk = child(1), to = child(2);
      if (from == kNone || walk == kNone || to == kNone) return 0;
      for (const WalkEnd& end : Walk(rules::WalkId(walk), from, v)) {
        if (end.cell == to) return 1;
      }
      return 0;
    }
    case Op::kSteps:
    case Op::kDistance: {
      const Value from = child(0), to = child(1), walk = child(2);
      if (walk == kNone) return kNone;
      if (e.op == Op::kSteps) return Rounds(from, to, rules::WalkId(walk), v);
      Position bare = v.position;
      for (std::size_t i = 0; i < bare.pieces.size(); ++i) bare.Set(static_cast<int>(i), kNone);
      return Rounds(from, to, rules::WalkId(walk), View{bare, v.me, v.self, v.frame, v.point});
    }
    case Op::kAttacked: {
      Value cell = child(0), not_by = v.me;
      if (cell != kNone && r_.exprs[e.children[0]].type.base == Base::kPiece) {
        const Piece& p = v.position.pieces[static_cast<std::size_t>(cell)];
        if (p.owner != kNone) not_by = p.owner;
        cell = p.cell;
      }
      std::vector<bool> by(r_.players.size(), true);
      if (not_by != kNone) by[static_cast<std::size_t>(not_by)] = false;
      return Bool(Attacked(cell, by, v));
    }
    case Op::kEndangered: {
      const Value piece = child(0);
      return Bool(piece != kNone && Endangered(piece, v.position));
    }
    case Op::kStuck: {
      const Value player = child(0);
      return Bool(player != kNone && Stuck(player, v.position));
    }
    case Op::kCanPlay: {
      const Value player = child(0);
      if (player == kNone) return Bool(false);
      return Bool(e.turn.valid() ? CanPlay(player, e.turn, v.position) : CanPlay(player, e.actions, v.position));
    }
    case Op::kWalkMap: {
      const Value walk = child(0);
      if (walk == kNone) return kNone;
      const auto& map = r_.walk_maps[static_cast<std::size_t>(e.value)];
      return static_cast<std::size_t>(walk) < map.size() ? NoneIfNegative(map[static_cast<std::size_t>(walk)].value)
                                                         : kNone;
    }
    default:
      return kNone;
  }
}

// ---- sets --------------------------------------------------------------------------------------

// Each kind of element has its order; repeats are dropped; a piece that stands nowhere is in no set.
Set Machine::Normal(Base base, Set set, const Position& p) const {
  Set out;
  for (Value x : set) {
    if (x == kNone || Has(out, x)) continue;
    if (base == Base::kPiece && p.pieces[static_cast<std::size_t>(x)].cell == kNone) continue;
    out.push_back(x);
  }
  const auto cell = [&](Value x) { return p.pieces[static_cast<std::size_t>(x)].cell; };
  if (base == Base::kPiece) std::sort(out.begin(), out.end(), [&](Value a, Value b) { return cell(a) < cell(b); });
  if (base == Base::kCell || base == Base::kDirection) std::sort(out.begin(), out.end());
  return out;
}

bool Machine::Element(ExprId set, Value value, const View& v) {
  if (value == kNone) return false;
  const Expr& e = r_.exprs[set];
  if (e.op == Op::kConstCells)
    return r_.cell_sets[static_cast<std::size_t>(e.value)].test(static_cast<std::size_t>(value));
  return Has(EvalSet(set, v), value);
}

Set Machine::EvalSet(ExprId id, const View& v) {
  Set all = EvalAll(id, v);
  if (trace_ != nullptr && r_.exprs[id].type.set) MarkAsked(r_.exprs[id], !all.empty());
  return all;
}

Set Machine::EvalAll(ExprId id, const View& v) {
  ARBITER_CHECK(id.valid());
  const Expr& e = r_.exprs[id];
  const auto set = [&](std::size_t i) { return EvalSet(e.children[i], v); };
  if (!e.type.set) {  // one value where a set will do
    const Value one = Eval(id, v);
    return one == kNone ? Set{} : Set{one};
  }
  switch (e.op) {
    case Op::kConstSet:
      return e.values;
    case Op::kConstCells:
      return Members(r_.cell_sets[static_cast<std::size_t>(e.value)]);
    case Op::kLocal:
      return (*v.frame)[e.slot].set;
    case Op::kIf:
      return Holds(e.children[0], v) ? set(1) : set(2);
    case Op::kFilter: {
      Set out;
      for (Value x : set(0)) {
        if (!Spend()) break;
        v.frame->Bind(e.slot, x);
        if (Holds(e.children[1], v)) out.push_back(x);
      }
      return out;
    }
    case Op::kMakeSet: {
      Set out;
      for (ExprId c : e.children) out.push_back(Eval(c, v));
      return Normal(e.type.base, out, v.position);
    }
    case Op::kUnion: {
      Set out = set(0);
      for (Value x : set(1)) out.push_back(x);
      return Normal(e.type.base, out, v.position);
    }
    case Op::kMinus:
    case Op::kIntersect: {
      Set out = set(0);
      const Set other = set(1);
      std::erase_if(out, [&](Value x) { return Has(other, x) == (e.op == Op::kMinus); });
      return out;
    }
    case Op::kZone: {
      const rules::Zone& zone = r_.zones[rules::ZoneId(e.value)];
      Set at;
      for (ExprId index : e.children) at.push_back(Eval(index, v));
      const auto flat = FlatIndex(zone.index, at);
      return flat ? Members(zone.cells[*flat]) : Set{};
    }
    case Op::kEmptyCells: {
      Set out;
      for (int c = 0; c < r_.board.board_size(); ++c) {
        if (v.position.Empty(c)) out.push_back(c);
      }
      return out;
    }
    case Op::kPieces:
    case Op::kCellsOf:
    case Op::kPiecesOn:
      return EvalPieces(e, v);
    case Op::kAttribute: {
      const Value piece = Eval(e.children[0], v);
      if (piece == kNone) return {};
      const auto& all =
          r_.kinds[static_cast<std::size_t>(v.position.pieces[static_cast<std::size_t>(piece)].kind)].attributes;
      return static_cast<std::size_t>(e.value) < all.size() ? all[static_cast<std::size_t>(e.value)] : Set{};
    }
    case Op::kEnds: {
      const Value walk = Eval(e.children[0], v), from = Eval(e.children[1], v);
      Set out;
      if (walk == kNone) return out;
      for (const WalkEnd& end : Walk(rules::WalkId(walk), from, v)) out.push_back(end.cell);
      return out;
    }
    case Op::kChoiceCrossed:
      return (*v.frame)[e.slot].crossed;
    default:
      break;
  }
  ARBITER_CHECK(!"a value where a set is expected");
  return {};
}

Set Machine::EvalPieces(const Expr& e, const View& v) {
  Set out;
  if (e.op == Op::kCellsOf) {
    for (Value piece : EvalSet(e.children[0], v))
      out.push_back(v.position.pieces[static_cast<std::size_t>(piece)].cell);
    return Normal(Base::kCell, out, v.position);
  }
  if (e.op == Op::kPiecesOn) {
    for (Value cell : EvalSet(e.children[0], v)) out.push_back(NoneIfNegative(v.position.At(cell)));
    return Normal(Base::kPiece, out, v.position);
  }
  const Value owner = e.side == rules::Side::kOf ? Eval(e.children[0], v) : kNone;
  if (e.side == rules::Side::kOf && owner == kNone) return out;
  for (int c = 0; c < r_.board.size(); ++c) {
    const int on = v.position.At(c);
    if (on < 0) continue;
    const Piece& p = v.position.pieces[static_cast<std::size_t>(on)];
    if ((e.kinds >> p.kind & 1) == 0) continue;
    const bool side = e.side == rules::Side::kOf ? p.owner == owner : SidePasses(e.side, p.owner, v);
    if (side && (!e.on_cells || Element(e.children.back(), c, v))) out.push_back(on);
  }
  return out;
}

// ---- questions about other positions -------------------------------------------------------------

bool Machine::Stuck(Value player, const Position& p) {
  return asking_ == 0 && !CanPlay(player, r_.phases[static_cast<std::size_t>(p.phase)].turn, p);
}

bool Machine::CanPlay(Value player, rules::TurnStateId turn, const Position& p) {
  if (asking_ > 0) return false;
  Position other = p;
  other.mover = player;
  other.place = turn;
  other.last_self = kNone;
  ++asking_;
  const bool has = HasTurn(other);
  --asking_;
  return has;
}

bool Machine::CanPlay(Value player, const std::vector<rules::ActionId>& actions, const Position& p) {
  if (asking_ > 0) return false;
  Position other = p;
  other.mover = player;
  other.place = r_.phases[static_cast<std::size_t>(p.phase)].turn;
  other.last_self = kNone;
  ++asking_;
  bool can = false;
  for (rules::ActionId action : actions) {
    Instances(action, other, nullptr, [&](Run& run) {
      can = Consequences(run) && (run.over() || EndTurn(run.position).has_value());
      return !can;
    });
    if (can) break;
  }
  --asking_;
  return can;
}

// Every action that the offers at the beginning of the turn speak of, whatever `if` and `else` say.
static void ActionsIn(const rules::Rules& r, rules::OfferId id, std::vector<rules::ActionId>& out) {
  const rules::Offer& offer = r.offers[id];
  out.insert(out.end(), offer.actions.begin(), offer.actions.end());
  for (rules::OfferId part : offer.parts) ActionsIn(r, part, out);
}

bool Machine::Endangered(int piece, const Position& p) {
  const Piece& target = p.pieces[static_cast<std::size_t>(piece)];
  if (in_endangered_ || target.cell == kNone) return false;
  in_endangered_ = true;
  std::vector<rules::ActionId> actions;
  const rules::TurnStateId first = r_.phases[static_cast<std::size_t>(p.phase)].turn;
  ActionsIn(r_, r_.turn_states[first].offer, actions);
  bool gone = false;
  for (Value player = 0; player < r_.player_count() && !gone; ++player) {
    if (player == target.owner) continue;
    Position other = p;
    other.mover = player;
    other.place = first;
    other.last_self = kNone;
    for (rules::ActionId action : actions) {
      Instances(action, other, nullptr, [&](Run& run) {
        const Value cell = run.position.pieces[static_cast<std::size_t>(piece)].cell;
        gone = cell == kNone || r_.board.is_place(cell);
        return !gone;
      });
      if (gone) break;
    }
  }
  in_endangered_ = false;
  return gone;
}

}  // namespace arbiter::oracle
