// The interpreter of bytecode: expressions, effects, the steps of actions.
//
// In an action, an instruction that can go several ways runs the rest of the program once for each and
// takes back what it did. `false` from `then` stops the whole search and is passed up. In a function
// (no `call`), false means that an effect makes the action instance not exist.

template <int W, class Index>
class Machine<W, Index>::Frame {
 public:
  Frame(Machine& m, const Function& f, Context* c)
      : m_(m), values_(m.values_.mark()), sets_(m.sets_.mark()), lists_(m.lists_.mark()) {
    c->v = m.values_.Take(static_cast<std::size_t>(f.values));
    c->s = m.sets_.Take(static_cast<std::size_t>(f.cells));
    c->l = m.lists_.Take(static_cast<std::size_t>(f.lists));
    c->slots = f.slots;
    std::fill_n(c->v, std::min(f.named, f.values), kNone);  // what was never written is none, or empty
    std::fill_n(c->s, std::min(f.named, f.cells), Cells{});
    for (int i = 0; i < std::min(f.named, f.lists); ++i) c->l[i].clear();
  }
  ~Frame() {
    m_.values_.Release(values_);
    m_.sets_.Release(sets_);
    m_.lists_.Release(lists_);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  Machine& m_;
  ChunkStack<Value>::Mark values_;
  typename ChunkStack<Cells>::Mark sets_;
  ChunkStack<engine::List>::Mark lists_;
};

template <int W, class Index>
Bits<W> Machine<W, Index>::KindMask(rules::KindSet kinds) const {
  const rules::KindSet all = p_.all_kinds;
  if ((kinds & all) == all) return occupied_;
  Cells mask;
  for (rules::KindSet k = kinds & all; k != 0; k &= k - 1)
    mask |= by_kind_[static_cast<std::size_t>(std::countr_zero(k))];
  return mask;
}

template <int W, class Index>
Bits<W> Machine<W, Index>::SideMask(rules::Side side, const Context& c, Value of) const {
  switch (side) {
    case rules::Side::kAny:
      return occupied_;
    case rules::Side::kOwn:
      return by_owner_[static_cast<std::size_t>(SideOf(c) + 1)];
    case rules::Side::kEnemy:
      return Without(Without(occupied_, by_owner_[0]), by_owner_[static_cast<std::size_t>(SideOf(c) + 1)]);
    case rules::Side::kMine:
      return by_owner_[static_cast<std::size_t>(c.me + 1)];
    case rules::Side::kOf:
      return of == kNone ? Cells{} : by_owner_[static_cast<std::size_t>(of + 1)];
    case rules::Side::kNeutral:
      return by_owner_[0];
  }
  return {};
}

template <int W, class Index>
Value Machine<W, Index>::TheOnly(rules::KindSet kinds, bool of_owner, Value owner) const {
  if (of_owner && owner == kNone) return kNone;
  if (sc_.lifted == 0) {
    Cells cells = KindMask(kinds);
    if (of_owner) cells &= by_owner_[static_cast<std::size_t>(owner + 1)];
    if (!cells.Any() || cells.HasTwo()) return kNone;
    return on_[static_cast<std::size_t>(cells.Lowest())];
  }
  Value found = kNone;
  for (std::size_t i = 0; i < slots_used_; ++i) {
    const Piece& piece = pieces_[i];
    if (piece.cell == kGone || ((kinds >> piece.kind) & 1) == 0 || (of_owner && piece.owner != owner)) continue;
    if (found != kNone) return kNone;
    found = static_cast<Value>(i);
  }
  return found;
}

template <int W, class Index>
std::vector<rules::Token> Machine<W, Index>::Written(const program::Action& action, Context& c) {
  std::vector<rules::Token> written;
  if (!texts_wanted_) return written;
  for (const program::Action::Part& part : action.written) {
    const Value value = Call1(part.value, c);
    if (value != kNone) written.push_back({part.base, value, part.enumeration});
  }
  return written;
}

template <int W, class Index>
Value Machine<W, Index>::Call1(const Function& f, Context& c) {
  if (!f.present()) return 1;
  const Call* call = c.call;
  c.call = nullptr;
  Exec(f.entry, c, nullptr);
  c.call = call;
  return value_;
}

template <int W, class Index>
Value Machine<W, Index>::Evaluate(const Function& f, int me, int self) {
  if (!f.present()) return 1;
  Context c;
  c.me = me;
  c.self = self;
  Frame frame(*this, f, &c);
  Exec(f.entry, c, nullptr);
  return value_;
}

template <int W, class Index>
Bits<W> Machine<W, Index>::EvaluateCells(const Function& f, int me, int self) {
  Context c;
  c.me = me;
  c.self = self;
  Frame frame(*this, f, &c);
  Exec(f.entry, c, nullptr);
  return cells_;
}

inline namespace ARBITER_ENGINE_PROCESSOR {
inline bool Has(const List& list, Value v) { return std::find(list.begin(), list.end(), v) != list.end(); }
}  // namespace ARBITER_ENGINE_PROCESSOR

template <int W, class Index>
bool Machine<W, Index>::Exec(int pc, Context& c, Then* then) {
  using program::Op;
  const Ins* const code = p_.code.data();
  Value* const v = c.v;
  for (const Ins* at = code + pc;; ++at) {
    const Ins& i = *at;
    switch (i.op) {
      // ---- values
      case Op::kConst:
        v[i.a] = i.imm;
        break;
      case Op::kCopy:
        v[i.a] = v[i.b];
        break;
      case Op::kMe:
        v[i.a] = c.me;
        break;
      case Op::kSide:
        v[i.a] = SideOf(c);
        break;
      case Op::kSelf:
        v[i.a] = c.self < 0 ? kNone : c.self;
        break;
      case Op::kHere:
        v[i.a] = c.here;
        break;
      case Op::kHeading:
        v[i.a] = c.heading;
        break;
      case Op::kBack:
        v[i.a] = c.back;
        break;
      case Op::kOrigin:
        v[i.a] = c.origin;
        break;
      case Op::kPhase:
        v[i.a] = sc_.phase;
        break;
      case Op::kState:
        v[i.a] = state_[static_cast<std::size_t>(i.imm)];
        break;
      case Op::kStateAt:
        v[i.a] = v[i.b] == kNone ? kNone : state_[static_cast<std::size_t>(i.imm + v[i.b])];
        break;
      case Op::kPieceState:
        v[i.a] = v[i.b] == kNone ? kNone : PieceStateAt(v[i.b], i.imm);
        break;
      case Op::kIndex: {
        const program::IndexMap& map = p_.index_maps[static_cast<std::size_t>(i.imm)];
        const int64_t place = int64_t{v[i.b]} - map.low;
        const bool in = v[i.b] != kNone && place >= 0 && place < static_cast<int64_t>(map.ordinals.size());
        const int ordinal = in ? map.ordinals[static_cast<std::size_t>(place)] : -1;
        v[i.a] = ordinal < 0 ? kNone : ordinal * i.c;
        break;
      }
      case Op::kNot:
        v[i.a] = v[i.b] == kNone ? kNone : (v[i.b] == 0 ? 1 : 0);
        break;
      case Op::kEq:
        v[i.a] = v[i.b] == v[i.c] ? 1 : 0;
        break;
      case Op::kLt:
        v[i.a] = v[i.b] != kNone && v[i.c] != kNone && v[i.b] < v[i.c] ? 1 : 0;
        break;
      case Op::kLe:
        v[i.a] = v[i.b] != kNone && v[i.c] != kNone && v[i.b] <= v[i.c] ? 1 : 0;
        break;
      case Op::kAdd:
        v[i.a] = v[i.b] == kNone || v[i.c] == kNone ? kNone : Bounded(int64_t{v[i.b]} + v[i.c]);
        break;
      case Op::kSub:
        v[i.a] = v[i.b] == kNone || v[i.c] == kNone ? kNone : Bounded(int64_t{v[i.b]} - v[i.c]);
        break;
      case Op::kExists:
        v[i.a] = v[i.b] != kNone ? 1 : 0;
        break;
      case Op::kPieceExists:
        v[i.a] = PieceAlive(v[i.b]) ? 1 : 0;
        break;
      // ---- control
      case Op::kJump:
        at = code + i.imm - 1;
        break;
      case Op::kJumpFalse:
        if (!Truth(v[i.a])) at = code + i.imm - 1;
        break;
      case Op::kJumpTrue:
        if (Truth(v[i.a])) {
          if (code + i.imm <= at && !Round()) return GiveUp(c);
          at = code + i.imm - 1;
        }
        break;
      case Op::kNextCell:
        if (!c.s[i.b].Any()) {
          at = code + i.imm - 1;
          break;
        }
        if (!Round()) return GiveUp(c);
        v[i.a] = c.s[i.b].Pop();
        break;
      case Op::kNextItem: {
        const auto item = static_cast<std::size_t>(v[i.c]);
        if (item >= c.l[i.b].size()) {
          at = code + i.imm - 1;
          break;
        }
        if (!Round()) return GiveUp(c);
        v[i.a] = c.l[i.b][item];
        v[i.c] = static_cast<Value>(item) + 1;
        break;
      }
      case Op::kReturn:
        if (i.flag == 1) {
          cells_ = c.s[i.a];
        } else if (i.flag == 2) {
          list_ = &c.l[i.a];
        } else {
          value_ = v[i.a];
        }
        return true;
      // ---- sets
      case Op::kCellsConst:
        c.s[i.a] = SetAt(i.imm);
        break;
      case Op::kCellsCopy:
        c.s[i.a] = c.s[i.b];
        break;
      case Op::kCellsAdd:
        if (v[i.b] != kNone) c.s[i.a].Set(v[i.b]);
        break;
      case Op::kCellsUnion:
        c.s[i.a] = c.s[i.b] | c.s[i.c];
        break;
      case Op::kCellsMinus:
        c.s[i.a] = Without(c.s[i.b], c.s[i.c]);
        break;
      case Op::kCellsIntersect:
        c.s[i.a] = c.s[i.b] & c.s[i.c];
        break;
      case Op::kCellsBack:
        c.s[i.a] = Shifted(c.s[i.b], i.flag != 0 ? i.c : -int{i.c}) & SetAt(i.imm);
        break;
      case Op::kCellsAt:
        c.s[i.a] = v[i.b] == kNone ? Cells{} : SetAt(i.imm + v[i.b]);
        break;
      case Op::kCellsEmpty:
        v[i.a] = c.s[i.b].Any() ? 0 : 1;
        break;
      case Op::kCellsEqual:
        v[i.a] = c.s[i.b] == c.s[i.c] ? 1 : 0;
        break;
      case Op::kInCells:
        v[i.a] = v[i.b] >= 0 && c.s[i.c].Test(v[i.b]) ? 1 : 0;
        break;
      case Op::kCellsCount:
        v[i.a] = c.s[i.b].Count();
        break;
      case Op::kListConst:
        c.l[i.a] = p_.lists[static_cast<std::size_t>(i.imm)];
        break;
      case Op::kListCopy:
        if (i.a != i.b) c.l[i.a] = c.l[i.b];
        break;
      case Op::kListAdd:
        if (v[i.b] != kNone && !Has(c.l[i.a], v[i.b])) c.l[i.a].push_back(v[i.b]);
        break;
      case Op::kListUnion: {
        engine::List out;
        for (const engine::List* from : {&c.l[i.b], &c.l[i.c]}) {
          for (const Value x : *from) {
            if (i.flag == 1 && pieces_[static_cast<std::size_t>(x)].cell < 0) continue;  // stands nowhere
            if (!Has(out, x)) out.push_back(x);
          }
        }
        if (i.flag == 1) {
          std::sort(out.begin(), out.end(), [&](Value a, Value b) {
            return pieces_[static_cast<std::size_t>(a)].cell < pieces_[static_cast<std::size_t>(b)].cell;
          });
        } else if (i.flag == 2) {
          std::sort(out.begin(), out.end());
        }
        c.l[i.a] = std::move(out);
        break;
      }
      case Op::kListMinus:
      case Op::kListIntersect: {
        engine::List out;
        for (const Value x : c.l[i.b]) {
          if (Has(c.l[i.c], x) == (i.op == Op::kListIntersect)) out.push_back(x);
        }
        c.l[i.a] = std::move(out);
        break;
      }
      case Op::kListEmpty:
        v[i.a] = c.l[i.b].empty() ? 1 : 0;
        break;
      case Op::kListEqual: {
        engine::List x = c.l[i.b], y = c.l[i.c];
        std::sort(x.begin(), x.end());
        std::sort(y.begin(), y.end());
        v[i.a] = x == y ? 1 : 0;
        break;
      }
      case Op::kInList:
        v[i.a] = v[i.b] != kNone && Has(c.l[i.c], v[i.b]) ? 1 : 0;
        break;
      case Op::kListCount:
        v[i.a] = static_cast<Value>(c.l[i.b].size());
        break;
      case Op::kEmptyCells:
        c.s[i.a] = empty_board_ ? board_ : Without(board_, occupied_);
        break;
      case Op::kPieces:
        c.s[i.a] = empty_board_ ? Cells{}
                                : KindMask(p_.kind_sets[static_cast<std::size_t>(i.imm)]) &
                                      SideMask(static_cast<rules::Side>(i.flag), c, v[i.b]);
        break;
      case Op::kCellsHolding: {
        Cells cells;
        for (std::size_t slot = 0; slot < slots_used_ && !empty_board_; ++slot) {
          if (pieces_[slot].cell >= 0 && Truth(PieceStateAt(static_cast<int>(slot), i.imm)))
            cells.Set(pieces_[slot].cell);
        }
        c.s[i.a] = cells;
        break;
      }
      case Op::kPiecesOn: {
        Cells cells = empty_board_ ? Cells{} : c.s[i.b] & occupied_;
        c.l[i.a].clear();
        while (cells.Any()) c.l[i.a].push_back(on_[static_cast<std::size_t>(cells.Pop())]);
        break;
      }
      case Op::kCellsOf: {
        Cells cells;
        if (!empty_board_) {
          for (const Value x : c.l[i.b]) {
            if (pieces_[static_cast<std::size_t>(x)].cell >= 0) cells.Set(pieces_[static_cast<std::size_t>(x)].cell);
          }
        }
        c.s[i.a] = cells;
        break;
      }
      // ---- pieces and cells
      case Op::kTheOnly:
        v[i.a] = TheOnly(p_.kind_sets[static_cast<std::size_t>(i.imm)], i.flag != 0, v[i.b]);
        break;
      case Op::kCellOf:
        v[i.a] =
            v[i.b] == kNone || empty_board_ ? kNone : NoneIfNegative(pieces_[static_cast<std::size_t>(v[i.b])].cell);
        break;
      case Op::kPieceAt:
        v[i.a] = v[i.b] < 0 || empty_board_ ? kNone : NoneIfNegative(on_[static_cast<std::size_t>(v[i.b])]);
        break;
      case Op::kOwner:
        v[i.a] = v[i.b] == kNone ? kNone : NoneIfNegative(pieces_[static_cast<std::size_t>(v[i.b])].owner);
        break;
      case Op::kKindOf:
        v[i.a] = v[i.b] == kNone ? kNone : pieces_[static_cast<std::size_t>(v[i.b])].kind;
        break;
      case Op::kIsKind:
        v[i.a] =
            v[i.b] != kNone &&
                    ((p_.kind_sets[static_cast<std::size_t>(i.imm)] >> pieces_[static_cast<std::size_t>(v[i.b])].kind) &
                     1) != 0
                ? 1
                : 0;
        break;
      case Op::kIsOwn:
      case Op::kIsEnemy: {
        const int owner = v[i.b] == kNone ? -1 : pieces_[static_cast<std::size_t>(v[i.b])].owner;
        v[i.a] = owner >= 0 && (owner == SideOf(c)) == (i.op == Op::kIsOwn) ? 1 : 0;
        break;
      }
      case Op::kIsEmpty:
        v[i.a] = v[i.b] >= 0 && (empty_board_ || on_[static_cast<std::size_t>(v[i.b])] < 0) ? 1 : 0;
        break;
      case Op::kAttribute: {
        v[i.a] = kNone;
        if (v[i.b] != kNone) {
          const auto& items = p_.attributes[static_cast<std::size_t>(i.imm * p_.kinds_count +
                                                                     pieces_[static_cast<std::size_t>(v[i.b])].kind)];
          if (!items.empty()) v[i.a] = items.front();
        }
        break;
      }
      case Op::kAttributeList:
        c.l[i.a].clear();
        if (v[i.b] != kNone) {
          c.l[i.a] = p_.attributes[static_cast<std::size_t>(i.imm * p_.kinds_count +
                                                            pieces_[static_cast<std::size_t>(v[i.b])].kind)];
        }
        break;
      case Op::kOpponent:
        v[i.a] = v[i.b] == kNone || p_.players != 2 ? kNone : 1 - v[i.b];
        break;
      case Op::kNext:
        v[i.a] = v[i.b] == kNone || v[i.c] == kNone ? kNone : NoneIfNegative(p_.board.Next(v[i.c], v[i.b]));
        break;
      case Op::kWay:
        v[i.a] = v[i.b] == kNone ? kNone
                                 : NoneIfNegative(p_.board.Way(static_cast<board::Relative>(i.imm), SideOf(c), v[i.b]));
        break;
      case Op::kRank:
        v[i.a] = v[i.b] == kNone || p_.board.rank(v[i.b]) <= 0 ? kNone : p_.board.rank(v[i.b]);
        break;
      case Op::kFile:
        v[i.a] = v[i.b] == kNone || p_.board.file(v[i.b]) <= 0 ? kNone : p_.board.file(v[i.b]);
        break;
      case Op::kCellAt:
        v[i.a] = v[i.b] == kNone || v[i.c] == kNone ? kNone : NoneIfNegative(p_.board.At(v[i.b], v[i.c]));
        break;
      case Op::kColour:
        v[i.a] = v[i.b] == kNone ? kNone : NoneIfNegative(p_.board.colour(v[i.b]));
        break;
      case Op::kWalkMap: {
        const auto& map = p_.walk_maps[static_cast<std::size_t>(i.imm)];
        v[i.a] = v[i.b] >= 0 && static_cast<std::size_t>(v[i.b]) < map.size() ? map[static_cast<std::size_t>(v[i.b])]
                                                                              : kNone;
        break;
      }
      // ---- questions
      case Op::kReaches:
        v[i.a] =
            v[i.b] != kNone && v[i.c] != kNone && v[i.imm] != kNone && Ends(v[i.c], v[i.b], c).Test(v[i.imm]) ? 1 : 0;
        break;
      case Op::kEnds:
        c.s[i.a] = v[i.b] != kNone && v[i.c] != kNone ? Ends(v[i.b], v[i.c], c) : Cells{};
        break;
      case Op::kSteps:
        v[i.a] = v[i.imm] == kNone ? kNone : Steps(v[i.imm], v[i.b], v[i.c], i.flag != 0, c);
        break;
      case Op::kAttackedCell:
        v[i.a] = v[i.b] != kNone && Attacked(v[i.b], c.me, c) ? 1 : 0;
        break;
      case Op::kAttackedPiece: {
        bool attacked = false;
        if (v[i.b] != kNone) {
          const Piece& piece = pieces_[static_cast<std::size_t>(v[i.b])];
          attacked = piece.cell >= 0 && Attacked(piece.cell, piece.owner >= 0 ? piece.owner : c.me, c);
        }
        v[i.a] = attacked ? 1 : 0;
        break;
      }
      case Op::kEndangered:
        v[i.a] = v[i.b] != kNone && Endangered(v[i.b]) ? 1 : 0;
        break;
      case Op::kStuck:
        v[i.a] = v[i.b] != kNone && Stuck(v[i.b]) ? 1 : 0;
        break;
      case Op::kCanPlayTurn:
        v[i.a] = v[i.b] != kNone && CanPlayTurn(v[i.b], i.imm) ? 1 : 0;
        break;
      case Op::kCanPlay:
        v[i.a] = v[i.b] != kNone && CanPlay(v[i.b], p_.lists[static_cast<std::size_t>(i.imm)]) ? 1 : 0;
        break;
      // ---- actions
      case Op::kChoose:
        return ChooseEnds(i, static_cast<int>(at - code), c, then);
      case Op::kChooseCell:
      case Op::kChooseItem:
        return ChooseSome(i, static_cast<int>(at - code), c, then);
      case Op::kLetWalk:
        if (!LetWalk(i, static_cast<int>(at - code), c)) return c.call != nullptr;
        break;
      case Op::kRequire:
        if (!Truth(v[i.a])) return c.call != nullptr;
        break;
      case Op::kCapture: {
        const Value cell = v[i.a];
        const int slot = cell < 0 ? -1 : on_[static_cast<std::size_t>(cell)];
        if (slot >= 0) {
          const int owner = pieces_[static_cast<std::size_t>(slot)].owner;
          if (owner >= 0 && owner != SideOf(c)) Remove(c, slot);
        }
        break;
      }
      case Op::kPerform:
        return Perform(i, static_cast<int>(at - code), c, then);
      case Op::kName:
        PushToken(rules::Base::kAction, i.imm);
        break;
      case Op::kPromote:
        return Promote(static_cast<int>(at - code), c, then);
      case Op::kEnd: {
        if (c.call->caller == nullptr) return (*then)(c);
        // Back to the action that performed this one.
        const Call* call = c.call;
        std::vector<rules::Token> written = Written(*call->performed, c);
        const bool said = !written.empty();
        if (said) written_.swap(written);
        Context outer = call->outer;
        outer.actor = c.actor;
        const bool go_on = Exec(call->return_pc, outer, then);
        if (said) written_.swap(written);
        return go_on;
      }
      // ---- effects
      default:
        if (!DoEffect(i, static_cast<int>(at - code), c)) return c.call != nullptr;
        if (over()) {
          if (c.call == nullptr) {
            value_ = 1;
            return true;
          }
          // The game ended: nothing after this is done, in the callers neither.
          const Call* call = c.call;
          Context top = c;
          const std::vector<rules::Token> before = written_;
          while (call->caller != nullptr) {
            if (auto written = Written(*call->performed, top); !written.empty()) written_ = std::move(written);
            const int actor = top.actor;
            top = call->outer;
            top.actor = actor;
            call = top.call;
          }
          const bool go_on = (*then)(top);
          written_ = before;
          return go_on;
        }
        break;
    }
  }
}

// One more choice or step of a path looked at; false: the budget is gone.
template <int W, class Index>
bool Machine<W, Index>::Spend() {
  const int64_t most = std::min(kMaxBranches, 20 * static_cast<int64_t>(p_.lookahead_budget));
  return ++budget_.branches <= most || Exhausted();
}

template <int W, class Index>
bool Machine<W, Index>::Exhausted() {
  budget_.spent = true;
  Fault(p_.phases.front().span, "turn-lookahead", "finding out what is possible in one position takes too many steps");
  return false;
}

// The end of a function or action whose question was given up.
template <int W, class Index>
bool Machine<W, Index>::GiveUp(const Context& c) {
  static const engine::List kNothing;
  value_ = kNone;
  cells_ = Cells{};
  list_ = &kNothing;
  return c.call != nullptr;
}

// ---- choices -------------------------------------------------------------------------------------

template <int W, class Index>
Bits<W> Machine<W, Index>::Filtered(const program::Query& q, const Context& c) const {
  Cells mask;
  if (!q.empty && q.pieces.empty() && q.cell_register < 0 && q.cells_register < 0) {
    mask = ~Cells{};
  } else {
    if (q.empty) mask |= ~occupied_;
    for (const program::PieceTest& t : q.pieces) mask |= KindMask(t.kinds) & SideMask(t.side, c, kNone);
    if (q.cell_register >= 0 && c.v[q.cell_register] != kNone) mask.Set(c.v[q.cell_register]);
    if (q.cells_register >= 0) mask |= c.s[q.cells_register];
    if (q.negated) mask = ~mask;
  }
  if (q.within_register >= 0) mask &= c.s[q.within_register];
  return mask;
}

template <int W, class Index>
bool Machine<W, Index>::ChooseEnds(const Ins& ins, int pc, Context& c, Then* then) {
  const program::Query& q = p_.queries[static_cast<std::size_t>(ins.imm)];
  const Value walk = q.walk >= 0 ? q.walk : c.v[q.walk_register];
  const Value from = c.v[q.from_register];
  if (walk == kNone || from == kNone) return true;
  const Cells mask = Filtered(q, c);
  if (!mask.Any()) return true;
  const Trail before = TrailHere();
  const auto go = [&](int cell, int pick) {
    c.v[ins.a] = cell;
    PushToken(rules::Base::kCell, cell);
    picks_.push_back(static_cast<uint16_t>(pick));
    Context next = c;
    const bool go_on = Exec(pc + 1, next, then);
    Back(before);
    return go_on;
  };
  const int wanted = c.replay != nullptr ? c.replay->picks[picks_.size() - pick_base_] : -1;
  if (!q.remembers && !p_.has_crosses) {
    if (wanted >= 0) return go(wanted, wanted);
    Cells ends = Ends(walk, from, c) & mask;
    while (ends.Any()) {
      const int cell = ends.Pop();
      if (!Spend() || !go(cell, cell)) return false;
    }
    return true;
  }
  std::vector<PathEnd> ends;
  PathEnds(walk, from, c, &ends);
  std::erase_if(ends, [&](const PathEnd& e) { return !mask.Test(e.cell); });
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t first = i;
    uint32_t barriers = ends[i].barriers;
    if (!q.remembers) {  // several ways to one cell: it crosses if one of them does
      while (i + 1 < ends.size() && ends[i + 1].cell == ends[first].cell) barriers |= ends[++i].barriers;
    }
    const PathEnd& end = ends[first];
    const int pick = q.remembers ? static_cast<int>(first) : end.cell;
    if (wanted >= 0 && pick != wanted) continue;
    if (q.remembers) {
      c.v[q.heading_register] = NoneIfNegative(end.heading);
      c.v[q.before_register] = NoneIfNegative(end.before);
      c.s[q.crossed_register] = end.crossed;
    }
    paths_.push_back({from, end.cell, barriers});
    if (!Spend() || !go(end.cell, pick)) return false;
  }
  return true;
}

template <int W, class Index>
bool Machine<W, Index>::LetWalk(const Ins& ins, int pc, Context& c) {
  const program::Query& q = p_.queries[static_cast<std::size_t>(ins.imm)];
  const Value walk = q.walk >= 0 ? q.walk : c.v[q.walk_register];
  const Value from = c.v[q.from_register];
  c.v[ins.a] = kNone;
  if (walk == kNone || from == kNone) return true;
  const Cells mask = Filtered(q, c);
  Cells ends;
  if (p_.has_crosses || q.remembers) {
    std::vector<PathEnd> paths;
    PathEnds(walk, from, c, &paths);
    for (const PathEnd& e : paths) {
      if (!mask.Test(e.cell)) continue;
      if (!ends.Any() && q.remembers) {
        c.v[q.heading_register] = NoneIfNegative(e.heading);
        c.v[q.before_register] = NoneIfNegative(e.before);
        c.s[q.crossed_register] = e.crossed;
      }
      ends.Set(e.cell);
      paths_.push_back({from, e.cell, e.barriers});
    }
  } else {
    ends = Ends(walk, from, c) & mask;
  }
  if (!ends.Any()) return true;
  if (ends.HasTwo()) {
    Fault(p_.spans[static_cast<std::size_t>(pc)], "let-ambiguous", "this `let` walk has several ends here");
    return false;
  }
  c.v[ins.a] = ends.Lowest();
  return true;
}

// Equal pieces in one place are one choice, given by the first slot that holds one.
template <int W, class Index>
int Machine<W, Index>::CellOfChoice(int slot) const {
  const Piece& wanted = pieces_[static_cast<std::size_t>(slot)];
  if (wanted.cell < p_.board_cells) return wanted.cell;
  for (int cell = p_.place_first[static_cast<std::size_t>(wanted.cell)]; cell < wanted.cell; ++cell) {
    const int other = on_[static_cast<std::size_t>(cell)];
    if (other < 0) continue;
    const Piece& piece = pieces_[static_cast<std::size_t>(other)];
    if (piece.kind == wanted.kind && piece.owner == wanted.owner && SameState(other, slot)) return cell;
  }
  return wanted.cell;
}

template <int W, class Index>
bool Machine<W, Index>::ChooseSome(const Ins& ins, int pc, Context& c, Then* then) {
  const auto base = static_cast<rules::Base>(ins.imm & 255);
  const int enumeration = (ins.imm >> 8) - 1;
  const Trail before = TrailHere();
  const auto go = [&](Value value, Value name, std::size_t pick) {
    c.v[ins.a] = value;
    PushToken(base, name, base == rules::Base::kEnum ? enumeration : -1);
    picks_.push_back(static_cast<uint16_t>(pick));
    Context next = c;
    const bool go_on = Exec(pc + 1, next, then);
    Back(before);
    return go_on;
  };
  const int wanted = c.replay != nullptr ? c.replay->picks[picks_.size() - pick_base_] : -1;
  if (ins.op == program::Op::kChooseCell) {
    Cells cells = c.s[ins.b];
    while (cells.Any()) {
      const int cell = cells.Pop();
      if (wanted >= 0 && cell != wanted) continue;
      if (!Spend() || !go(cell, cell, static_cast<std::size_t>(cell))) return false;
    }
    return true;
  }
  const engine::List items = c.l[ins.b];
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (wanted >= 0 && static_cast<int>(k) != wanted) continue;
    Value name = items[k];
    if (base == rules::Base::kPiece) {
      const int cell = CellOfChoice(items[k]);
      const int own = pieces_[static_cast<std::size_t>(items[k])].cell;
      name = NoneIfNegative(cell);
      // An equal piece of the same place that is in the set as well comes first.
      if (cell != own && wanted < 0) {
        bool offered = false;
        for (std::size_t j = 0; j < k && !offered; ++j) {
          offered = pieces_[static_cast<std::size_t>(items[j])].cell >= 0 && CellOfChoice(items[j]) == cell;
        }
        if (offered) continue;
      }
    }
    if (!Spend() || !go(items[k], name, k)) return false;
  }
  return true;
}

template <int W, class Index>
bool Machine<W, Index>::Perform(const Ins& ins, int pc, Context& c, Then* then) {
  const Value performer = c.v[ins.a];
  const auto& actions = p_.lists[static_cast<std::size_t>(ins.imm)];
  const Trail before = TrailHere();
  const int wanted = c.replay != nullptr ? c.replay->picks[picks_.size() - pick_base_] : -1;
  for (std::size_t k = 0; k < actions.size(); ++k) {
    if (wanted >= 0 && static_cast<int>(k) != wanted) continue;
    const program::Action& action = p_.actions[static_cast<std::size_t>(actions[k])];
    if (action.has_self) {
      if (performer == kNone) continue;
      const Piece& piece = pieces_[static_cast<std::size_t>(performer)];
      if (piece.cell < 0 || piece.cell >= p_.board_cells || ((action.kinds >> piece.kind) & 1) == 0) continue;
    }
    if (!Spend()) return false;
    Call call;
    call.outer = c;
    call.return_pc = pc + 1;
    call.caller = c.call;
    call.performed = &action;
    Context inner;
    inner.me = c.me;
    inner.self = action.has_self ? performer : c.self;
    inner.actor = action.has_self && c.self < 0 ? performer : c.actor;
    call.outer.actor = inner.actor;
    inner.call = &call;
    inner.replay = c.replay;
    PushToken(rules::Base::kAction, action.name);
    picks_.push_back(static_cast<uint16_t>(k));
    Frame frame(*this, action.function, &inner);
    const bool go_on = Exec(action.function.entry, inner, then);
    Back(before);
    if (!go_on) return false;
  }
  return true;
}

template <int W, class Index>
bool Machine<W, Index>::Promote(int pc, Context& c, Then* then) {
  std::vector<int> kinds;
  bool may_stay = true;
  const bool stands = c.self >= 0 && pieces_[static_cast<std::size_t>(c.self)].cell >= 0;
  if (stands) {
    const Piece piece = pieces_[static_cast<std::size_t>(c.self)];
    for (const program::Promotion& promotion : p_.kinds[static_cast<std::size_t>(piece.kind)].promotions) {
      // The sets are for owners who act; a piece that has joined somebody else is asked about anew.
      const bool in = promotion.static_zone >= 0 && piece.owner == c.me
                          ? p_.set_has(promotion.static_zone + piece.owner, piece.cell)
                          : EvaluateCells(promotion.zone, c.me, c.self).Test(piece.cell);
      if (!in || !Truth(Evaluate(promotion.condition, c.me, c.self))) continue;
      may_stay = may_stay && promotion.optional;
      for (const int kind : promotion.kinds) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
      }
    }
  }
  const Trail before = TrailHere();
  const int wanted = c.replay != nullptr ? c.replay->picks[picks_.size() - pick_base_] : -1;
  const auto go = [&](int kind) {
    picks_.push_back(static_cast<uint16_t>(kind + 1));
    if (kind >= 0) {
      Recode(c.self, kind, pieces_[static_cast<std::size_t>(c.self)].owner);
      PushToken(rules::Base::kKind, kind);
    }
    Context next = c;
    const bool go_on = Exec(pc + 1, next, then);
    Back(before);
    return go_on;
  };
  if (may_stay && wanted <= 0 && !go(-1)) return false;
  for (const int kind : kinds) {
    if (wanted >= 0 && wanted != kind + 1) continue;
    if (!Spend() || !go(kind)) return false;
  }
  return true;
}
