#include "compile/fold.h"

#include <algorithm>

namespace arbiter::compile {
namespace {

using rules::Base;
using rules::Expr;
using rules::Op;
using Kind = Folded::Kind;

Folded Dynamic() { return {}; }
Folded OfValue(Value v) {
  Folded f;
  f.kind = Kind::kValue;
  f.value = v;
  return f;
}
Folded OfBool(bool b) { return OfValue(b ? 1 : 0); }
Folded OfCells(const CellSet& cells) {
  Folded f;
  f.kind = Kind::kCells;
  f.cells = cells;
  return f;
}
Folded OfList(std::vector<Value> list) {
  Folded f;
  f.kind = Kind::kList;
  f.list = std::move(list);
  return f;
}
Folded OfPiece(const KnownPiece& piece) {
  Folded f;
  f.kind = Kind::kPiece;
  f.piece = piece;
  return f;
}
Folded OfKind(Kind kind) {
  Folded f;
  f.kind = kind;
  return f;
}

bool Truth(Value v) { return v != 0 && v != kNone; }

Folded Negate(const Folded& f) {
  if (f.kind == Kind::kValue) return OfBool(f.value == 0);  // not none is none: it does not hold either
  if (f.kind == Kind::kEmptyHere) return OfKind(Kind::kOccupiedHere);
  if (f.kind == Kind::kOccupiedHere) return OfKind(Kind::kEmptyHere);
  return Dynamic();
}

class Folder {
 public:
  Folder(const Rules& rules, const Known& known) : rules_(rules), board_(rules.board), known_(known) {}

  Folded Of(ExprId id) {
    const Expr& e = rules_.exprs[id];
    switch (e.op) {
      case Op::kConst:
        return OfValue(e.value);
      case Op::kConstSet:
        return OfList(e.values);
      case Op::kConstCells:
        return OfCells(rules_.cell_sets[static_cast<std::size_t>(e.value)]);
      case Op::kLocal:
        return Local(e);
      case Op::kMe:
      case Op::kSide:
        return known_.has_player ? OfValue(known_.player) : Dynamic();
      case Op::kHere:
        return known_.in_walk ? OfValue(known_.here) : Dynamic();
      case Op::kHeading:
        return known_.in_walk ? OfValue(known_.heading) : Dynamic();
      case Op::kBack:
        return known_.in_walk ? OfValue(known_.back) : Dynamic();
      case Op::kOrigin:
        return known_.in_walk ? OfValue(known_.origin) : Dynamic();
      case Op::kNot:
        return Negate(Of(e.children[0]));
      case Op::kAnd:
        return Logic(e, 0);
      case Op::kOr:
        return Logic(e, 1);
      case Op::kImplies: {
        const Folded left = Of(e.children[0]);
        const Folded a = left.kind == Kind::kValue ? OfBool(!Truth(left.value)) : Negate(left);
        if (a.is(1)) return a;
        const Folded b = Of(e.children[1]);
        if (a.is(0) || b.is(1)) return b;
        return b.is(0) ? a : Dynamic();
      }
      case Op::kIf: {
        const Folded c = Of(e.children[0]);
        if (c.kind == Kind::kValue) return Of(e.children[Truth(c.value) ? 1 : 2]);
        return Dynamic();
      }
      case Op::kEq:
        return Equal(e);
      case Op::kLt:
      case Op::kLe:
      case Op::kAdd:
      case Op::kSub:
        return Arithmetic(e);
      case Op::kIn:
        return In(e);
      case Op::kExists: {
        const Expr& child = rules_.exprs[e.children[0]];
        if (child.op == Op::kPieceAt && IsHere(child.children[0])) return OfKind(Kind::kOccupiedHere);
        const Folded v = Of(e.children[0]);
        if (v.kind == Kind::kPiece) return OfBool(true);
        if (child.type.base == Base::kPiece && !v.is(kNone)) return Dynamic();
        return v.kind == Kind::kValue ? OfBool(v.value != kNone) : Dynamic();
      }
      case Op::kIsEmpty:
        return IsHere(e.children[0]) ? OfKind(Kind::kEmptyHere) : Dynamic();
      case Op::kIsEmptySet: {
        const Folded s = Of(e.children[0]);
        if (s.kind == Kind::kCells) return OfBool(s.cells.none());
        return s.kind == Kind::kList ? OfBool(s.list.empty()) : Dynamic();
      }
      case Op::kUnion:
      case Op::kMinus:
      case Op::kIntersect:
        return SetOperation(e);
      case Op::kMakeSet: {
        std::vector<Value> list;
        for (const ExprId c : e.children) {
          const Folded v = Of(c);
          if (v.kind != Kind::kValue) return Dynamic();
          if (v.value != kNone && std::find(list.begin(), list.end(), v.value) == list.end()) list.push_back(v.value);
        }
        if (e.type.base != Base::kCell) return OfList(std::move(list));
        CellSet cells;
        for (const Value v : list) cells.set(static_cast<std::size_t>(v));
        return OfCells(cells);
      }
      case Op::kZone:
        return Zone(e);
      case Op::kOpponent: {
        const Folded p = Of(e.children[0]);
        if (p.kind != Kind::kValue) return Dynamic();
        return OfValue(p.value == kNone ? kNone : 1 - p.value);
      }
      case Op::kNext: {
        const Folded c = Of(e.children[0]), d = Of(e.children[1]);
        if (c.kind != Kind::kValue || d.kind != Kind::kValue) return Dynamic();
        if (c.value == kNone || d.value == kNone) return OfValue(kNone);
        const int next = board_.Next(d.value, c.value);
        return OfValue(next < 0 ? kNone : next);
      }
      case Op::kWay: {
        const Folded c = Of(e.children[0]);
        if (c.kind != Kind::kValue || !known_.has_player) return Dynamic();
        if (c.value == kNone || board_.is_place(c.value)) return OfValue(kNone);
        const int way = board_.Way(static_cast<board::Relative>(e.value), known_.player, c.value);
        return OfValue(way < 0 ? kNone : way);
      }
      case Op::kRank:
      case Op::kFile:
      case Op::kColour: {
        const Folded c = Of(e.children[0]);
        if (c.kind != Kind::kValue) return Dynamic();
        if (c.value == kNone) return c;
        const int v = e.op == Op::kRank   ? board_.rank(c.value)
                      : e.op == Op::kFile ? board_.file(c.value)
                                          : board_.colour(c.value);
        return OfValue(v < (e.op == Op::kColour ? 0 : 1) ? kNone : v);
      }
      case Op::kCellAt: {
        const Folded f = Of(e.children[0]), r = Of(e.children[1]);
        if (f.kind != Kind::kValue || r.kind != Kind::kValue) return Dynamic();
        if (f.value == kNone || r.value == kNone) return OfValue(kNone);
        const int cell = board_.At(f.value, r.value);
        return OfValue(cell < 0 ? kNone : cell);
      }
      case Op::kWalkMap: {
        const Folded w = Of(e.children[0]);
        if (w.kind != Kind::kValue) return Dynamic();
        if (w.value == kNone) return w;
        const auto& map = rules_.walk_maps[static_cast<std::size_t>(e.value)];
        const auto i = static_cast<std::size_t>(w.value);
        return OfValue(i < map.size() && map[i].valid() ? map[i].value : kNone);
      }
      case Op::kSome:
      case Op::kEvery:
      case Op::kCount:
      case Op::kFilter:
        return Quantified(e);
      case Op::kCellOf:
        if (known_.self_on_origin && rules_.exprs[e.children[0]].op == Op::kSelf) return OfValue(known_.origin);
        return OfKnown(e, [](const KnownPiece& piece) {
          return piece.cell == -2 ? Dynamic() : OfValue(piece.cell < 0 ? kNone : piece.cell);
        });
      case Op::kSelf:
        return known_.has_self ? OfPiece(known_.self) : Dynamic();
      case Op::kPieceAt:
        return PieceAt(e);
      case Op::kOwner:
        return OfKnown(e, [](const KnownPiece& piece) {
          return piece.owner == -2 ? Dynamic() : OfValue(piece.owner < 0 ? kNone : piece.owner);
        });
      case Op::kKindOf:
        return OfKnown(e, [](const KnownPiece& piece) { return piece.kind < 0 ? Dynamic() : OfValue(piece.kind); });
      case Op::kIsKind:
        return OfKnown(e, [&](const KnownPiece& piece) {
          return piece.kind < 0 ? Dynamic() : OfBool(((e.kinds >> piece.kind) & 1) != 0);
        });
      case Op::kIsOwn:
      case Op::kIsEnemy:
        return OfKnown(e, [&](const KnownPiece& piece) {
          if (!known_.has_player || piece.owner == -2) return Dynamic();
          const bool own = piece.owner == known_.player;
          return OfBool(e.op == Op::kIsOwn ? own : !own && piece.owner >= 0);
        });
      default:
        return Dynamic();
    }
  }

 private:
  bool IsHere(ExprId id) const { return known_.in_walk && rules_.exprs[id].op == Op::kHere; }

  Folded Local(const Expr& e) {
    for (auto it = known_.slots.rbegin(); it != known_.slots.rend(); ++it) {
      if (it->first == e.slot) return OfValue(it->second);
    }
    for (auto it = known_.piece_slots.rbegin(); it != known_.piece_slots.rend(); ++it) {
      if (it->first == e.slot) return OfPiece(it->second);
    }
    return Dynamic();
  }

  // What `tell` says of a piece that is known; none for none, or false where the answer is a bool.
  template <class Tell>
  Folded OfKnown(const Expr& e, Tell tell) {
    const Folded f = Of(e.children[0]);
    if (f.kind == Kind::kPiece) return tell(f.piece);
    if (!f.is(kNone)) return Dynamic();
    return e.type.base == Base::kBool ? OfBool(false) : OfValue(kNone);
  }

  Folded PieceAt(const Expr& e) {
    const Folded cell = Of(e.children[0]);
    if (cell.kind != Kind::kValue) return Dynamic();
    if (cell.value == kNone) return cell;
    for (auto it = known_.standing.rbegin(); it != known_.standing.rend(); ++it) {
      if (it->first == cell.value) return OfPiece(it->second);
    }
    const bool empty = std::find(known_.empty.begin(), known_.empty.end(), cell.value) != known_.empty.end();
    return empty ? OfValue(kNone) : Dynamic();
  }

  Folded Logic(const Expr& e, Value decisive) {
    Folded left = OfBool(decisive == 0);
    bool dynamic = false;
    for (const ExprId c : e.children) {
      Folded f = Of(c);
      if (f.kind == Kind::kValue) f = OfBool(Truth(f.value));
      if (f.is(decisive)) return f;
      if (f.kind == Kind::kValue) continue;
      if (left.kind == Kind::kValue) {
        left = f;
      } else if (left.kind != f.kind) {
        dynamic = true;
      }
      if (f.dynamic()) dynamic = true;
    }
    return dynamic ? Dynamic() : left;
  }

  Folded Equal(const Expr& e) {
    const Folded a = Of(e.children[0]), b = Of(e.children[1]);
    if (a.dynamic() || b.dynamic() || a.kind != b.kind) return Dynamic();
    if (a.kind == Kind::kValue) return OfBool(a.value == b.value);
    if (a.kind == Kind::kCells) return OfBool(a.cells == b.cells);
    return Dynamic();
  }

  Folded Arithmetic(const Expr& e) {
    const Folded a = Of(e.children[0]), b = Of(e.children[1]);
    if (a.kind != Kind::kValue || b.kind != Kind::kValue) return Dynamic();
    const bool none = a.value == kNone || b.value == kNone;
    switch (e.op) {
      case Op::kLt:
        return OfBool(!none && a.value < b.value);
      case Op::kLe:
        return OfBool(!none && a.value <= b.value);
      default:
        break;
    }
    if (none) return OfValue(kNone);
    const int64_t sum = e.op == Op::kAdd ? int64_t{a.value} + b.value : int64_t{a.value} - b.value;
    return OfValue(static_cast<Value>(std::clamp<int64_t>(sum, -1000000000, 1000000000)));
  }

  Folded In(const Expr& e) {
    const Expr& set = rules_.exprs[e.children[1]];
    if (set.op == Op::kEmptyCells && IsHere(e.children[0])) return OfKind(Kind::kEmptyHere);
    const Folded v = Of(e.children[0]);
    if (v.kind != Kind::kValue) return Dynamic();
    if (v.value == kNone) return OfBool(false);
    const Folded s = Of(e.children[1]);
    if (s.kind == Kind::kCells) return OfBool(s.cells.test(static_cast<std::size_t>(v.value)));
    if (s.kind == Kind::kList) return OfBool(std::find(s.list.begin(), s.list.end(), v.value) != s.list.end());
    return Dynamic();
  }

  Folded SetOperation(const Expr& e) {
    const Folded a = Of(e.children[0]), b = Of(e.children[1]);
    if (a.kind == Kind::kCells && b.kind == Kind::kCells) {
      if (e.op == Op::kUnion) return OfCells(a.cells | b.cells);
      if (e.op == Op::kMinus) return OfCells(a.cells & ~b.cells);
      return OfCells(a.cells & b.cells);
    }
    return Dynamic();
  }

  Folded Zone(const Expr& e) {
    const rules::Zone& zone = rules_.zones[rules::ZoneId(e.value)];
    std::size_t flat = 0;
    for (std::size_t i = 0; i < e.children.size(); ++i) {
      const Folded v = Of(e.children[i]);
      if (v.kind != Kind::kValue) return Dynamic();
      const auto& values = zone.index[i];
      const auto at = std::find(values.begin(), values.end(), v.value);
      if (at == values.end()) return OfCells(CellSet{});
      flat = flat * values.size() + static_cast<std::size_t>(at - values.begin());
    }
    return OfCells(zone.cells[flat]);
  }

  Folded Quantified(const Expr& e) {
    const Folded set = Of(e.children[0]);
    std::vector<Value> items;
    if (set.kind == Kind::kCells) {
      for (std::size_t c = 0; c < set.cells.size(); ++c) {
        if (set.cells.test(c)) items.push_back(static_cast<Value>(c));
      }
    } else if (set.kind == Kind::kList) {
      items = set.list;
    } else {
      return Dynamic();
    }
    std::vector<Value> kept;
    for (const Value item : items) {
      known_.slots.emplace_back(e.slot, item);
      const Folded body = Of(e.children[1]);
      known_.slots.pop_back();
      if (body.kind != Kind::kValue) return Dynamic();
      if (Truth(body.value)) kept.push_back(item);
    }
    if (e.op == Op::kSome) return OfBool(!kept.empty());
    if (e.op == Op::kEvery) return OfBool(kept.size() == items.size());
    if (e.op == Op::kCount) return OfValue(static_cast<Value>(kept.size()));
    if (set.kind == Kind::kList) return OfList(std::move(kept));
    CellSet cells;
    for (const Value v : kept) cells.set(static_cast<std::size_t>(v));
    return OfCells(cells);
  }

  const Rules& rules_;
  const board::Board& board_;
  Known known_;
};

void Mark(std::vector<bool>* bits, std::size_t index) {
  if (bits->size() <= index) bits->resize(index + 1);
  (*bits)[index] = true;
}

}  // namespace

Folded Fold(const Rules& rules, ExprId id, const Known& known) { return Folder(rules, known).Of(id); }

void CollectWalkReads(const Rules& rules, rules::WalkNodeId id, Reads* reads) {
  const rules::WalkNode& node = rules.walk_nodes[id];
  if (node.expr.valid()) CollectReads(rules, node.expr, reads);
  for (const auto& d : node.directions) {
    if (d.expr.valid()) CollectReads(rules, d.expr, reads);
    if (d.kind == rules::StepDirection::Kind::kRelative) reads->turn = true;
  }
  for (const auto child : node.children) CollectWalkReads(rules, child, reads);
}

void CollectReads(const Rules& rules, ExprId id, Reads* reads) {
  if (!id.valid()) return;
  const Expr& e = rules.exprs[id];
  for (const ExprId c : e.children) CollectReads(rules, c, reads);
  switch (e.op) {
    case Op::kMe:
    case Op::kPhase:
      reads->turn = true;
      break;
    case Op::kSide:
    case Op::kWay:
      reads->turn = reads->self = true;
      break;
    case Op::kIsOwn:
    case Op::kIsEnemy:
      reads->turn = reads->self = reads->board = true;
      break;
    case Op::kSelf:
      reads->self = true;
      break;
    case Op::kHere:
    case Op::kHeading:
    case Op::kBack:
    case Op::kOrigin:
      reads->walk_names = true;
      break;
    case Op::kLocal:
      Mark(&reads->slots, static_cast<std::size_t>(e.slot));
      break;
    case Op::kState:
      Mark(&reads->vars, static_cast<std::size_t>(e.value));
      break;
    case Op::kPieceState:
      reads->piece_state = true;
      break;
    case Op::kPieces:
      reads->board = reads->turn = true;
      if (e.side == rules::Side::kOwn || e.side == rules::Side::kEnemy) reads->self = true;
      break;
    case Op::kEmptyCells:
    case Op::kPiecesOn:
    case Op::kTheOnly:
    case Op::kCellOf:
    case Op::kPieceAt:
    case Op::kOwner:
    case Op::kKindOf:
    case Op::kIsKind:
    case Op::kIsEmpty:
    case Op::kCellsOf:
    case Op::kAttribute:
      reads->board = true;
      break;
    case Op::kExists:
      if (rules.exprs[e.children[0]].type.base == Base::kPiece) reads->board = true;
      break;
    case Op::kReaches:
    case Op::kEnds:
    case Op::kSteps:
    case Op::kDistance:
      // Which walk runs may depend on a value; anything its tests could ask is assumed.
      reads->board = reads->turn = reads->self = reads->piece_state = true;
      for (std::size_t v = 0; v < rules.vars.size(); ++v) Mark(&reads->vars, v);
      break;
    case Op::kAttacked:
    case Op::kEndangered:
    case Op::kStuck:
    case Op::kCanPlay:
      reads->questions = reads->board = reads->turn = true;
      break;
    case Op::kChoiceHeading:
    case Op::kChoiceBefore:
    case Op::kChoiceCrossed:
      Mark(&reads->slots, static_cast<std::size_t>(e.slot));
      break;
    default:
      break;
  }
}

namespace {

// May `value`, assigned to a variable of this type, be out of its range?
bool MayLeaveRange(const Rules& rules, ExprId value, const rules::Type& type, bool clock) {
  if (clock || type.set || type.base == Base::kDirection || type.base == Base::kWalk) return false;
  int universe = 0;  // values of a type that is no number: 0 .. universe-1
  switch (type.base) {
    case Base::kBool:
      universe = 2;
      break;
    case Base::kPlayer:
      universe = rules.player_count();
      break;
    case Base::kCell:
      universe = rules.board.size();
      break;
    case Base::kKind:
      universe = static_cast<int>(rules.kinds.size());
      break;
    case Base::kPhase:
      universe = static_cast<int>(rules.phases.size());
      break;
    case Base::kEnum:
      if (type.enumeration >= 0) {
        universe = static_cast<int>(rules.enums[static_cast<std::size_t>(type.enumeration)].values.size());
      }
      break;
    default:
      break;
  }
  if (universe > 0 && type.low <= 0 && type.high >= universe - 1) return false;
  const Folded f = Fold(rules, value, Known{});
  return f.kind != Kind::kValue || (f.value != kNone && (f.value < type.low || f.value > type.high));
}

bool SameExpr(const Rules& rules, ExprId x, ExprId y) {
  if (x == y) return true;
  const Expr &a = rules.exprs[x], &b = rules.exprs[y];
  return a.op == b.op && a.value == b.value && a.slot == b.slot && a.kinds == b.kinds && a.side == b.side &&
         a.children.size() == b.children.size() &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(),
                    [&](ExprId c, ExprId d) { return SameExpr(rules, c, d); });
}

class WriteCollector {
 public:
  WriteCollector(const Rules& rules, Writes* writes) : rules_(rules), writes_(*writes) {}

  void Assume(ExprId condition) {
    if (!condition.valid()) return;
    const Expr& e = rules_.exprs[condition];
    if (e.op != Op::kAnd) return facts_.push_back(condition);
    for (const ExprId c : e.children) Assume(c);
  }

  void Collect(const rules::Block& block) {
    using rules::EffectOp;
    for (const rules::Effect& effect : block) {
      switch (effect.op) {
        case EffectOp::kSet:
          Mark(&writes_.vars, effect.var.index());
          Assign(effect, rules_.vars[effect.var]);
          break;
        case EffectOp::kSetPiece:
          writes_.piece_state = true;
          Assign(effect, rules_.piece_vars[effect.var]);
          break;
        case EffectOp::kGoto:
        case EffectOp::kWin:
        case EffectOp::kLose:
        case EffectOp::kDraw:
        case EffectOp::kResult:
          writes_.other = true;
          break;
        case EffectOp::kIf: {
          const std::size_t known = facts_.size();
          Assume(effect.a);
          Collect(effect.body);
          facts_.resize(std::min(facts_.size(), known));
          Collect(effect.otherwise);
          break;
        }
        case EffectOp::kFor:
          ++loops_;
          facts_.clear();
          Collect(effect.body);
          Collect(effect.otherwise);
          --loops_;
          break;
        case EffectOp::kSetUp:
        case EffectOp::kRemove:
        case EffectOp::kBecomes:
        case EffectOp::kJoins:
        case EffectOp::kSwap:  // these always succeed
          writes_.board = writes_.other = writes_.can_fault = true;
          facts_.clear();
          break;
        default:  // a lifted piece that nobody puts down makes every action impossible
          writes_.board = writes_.other = true;
          writes_.can_fault = writes_.can_fail = true;
          facts_.clear();
          break;
      }
    }
  }

 private:
  void Assign(const rules::Effect& effect, const rules::Variable& var) {
    const bool may = MayLeaveRange(rules_, effect.a, var.type, var.life == rules::Variable::Life::kClock);
    int by = 0;
    ExprId old;
    const bool step = may && IsStep(effect, &old, &by);
    if (may && !(step && InRange(old, by, var.type))) {
      writes_.can_fault = true;
      if (step && loops_ == 0 && effect.op == rules::EffectOp::kSet) {
        writes_.steps.push_back({effect.var, by});
      } else {
        writes_.can_fail = true;
      }
    }
    facts_.clear();  // they may have been about this
  }

  // Is a number added to what the variable holds?
  bool IsStep(const rules::Effect& effect, ExprId* old, int* by) const {
    const Expr& e = rules_.exprs[effect.a];
    if (e.op != Op::kAdd && e.op != Op::kSub) return false;
    *old = e.children[0];
    const Expr &state = rules_.exprs[*old], &number = rules_.exprs[e.children[1]];
    if (number.op != Op::kConst || number.value == kNone) return false;
    *by = e.op == Op::kAdd ? number.value : -number.value;
    if (effect.op == rules::EffectOp::kSetPiece) {
      return state.op == Op::kPieceState && state.value == effect.var.value &&
             SameExpr(rules_, state.children[0], effect.b);
    }
    return state.op == Op::kState && state.value == effect.var.value &&
           state.children.size() == effect.indices.size() &&
           std::equal(state.children.begin(), state.children.end(), effect.indices.begin(),
                      [&](ExprId x, ExprId y) { return SameExpr(rules_, x, y); });
  }

  // Does a condition that holds keep the sum in the range of the type?
  bool InRange(ExprId old, int by, const rules::Type& type) const {
    return std::any_of(facts_.begin(), facts_.end(), [&](ExprId fact) {
      const Expr& e = rules_.exprs[fact];
      if (e.op != Op::kLt && e.op != Op::kLe) return false;
      const ExprId below = e.children[0], above = e.children[1];
      const int strict = e.op == Op::kLt ? 1 : 0;
      const Expr &low = rules_.exprs[below], &high = rules_.exprs[above];
      if (by > 0 && high.op == Op::kConst && high.value != kNone && SameExpr(rules_, below, old)) {
        return high.value - strict + by <= type.high;
      }
      return by < 0 && low.op == Op::kConst && low.value != kNone && SameExpr(rules_, above, old) &&
             low.value + strict + by >= type.low;
    });
  }

  const Rules& rules_;
  Writes& writes_;
  std::vector<ExprId> facts_;  // conditions that hold here
  int loops_ = 0;
};

}  // namespace

void CollectWrites(const Rules& rules, const rules::Block& block, Writes* writes, ExprId condition) {
  WriteCollector collector(rules, writes);
  collector.Assume(condition);
  collector.Collect(block);
}

}  // namespace arbiter::compile
