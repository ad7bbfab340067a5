#include "agreement/random_games.h"

#include <random>

namespace arbiter::testing_support {
namespace {

constexpr int kA = 0, kB = 1, kBall = 2;  // kinds

// What an expression may refer to where it stands.
struct Scope {
  int* next_slot = nullptr;
  std::vector<std::pair<int, Type>> locals;
  bool self = false;
  bool may_ask = true;  // attacked, stuck and their like: not inside themselves
  bool walk = false;
  std::vector<int> remembered = {};  // choices that keep their heading
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed), m_(4, 4, {}, Below(6) == 0, false) {}

  Maker Make() {
    Declare();
    Walks();
    Attacks();
    std::vector<ActionId> actions;
    for (int i = 3 + Below(3); i > 0; --i) actions.push_back(MakeAction(actions));
    Turns(actions);
    for (int i = Below(5); i > 0; --i) MakeHandler();
    for (int i = Below(3); i > 0; --i) MakeLaw(actions);
    for (int i = Below(4); i > 0; --i) MakeEnd();
    m_.Done();
    m_.r.lookahead_budget = 3000;
    return std::move(m_);
  }

 private:
  std::mt19937_64 random_;
  Maker m_;
  ZoneId zone_, owned_zone_, out_;
  VarId number_, clock_, marked_cell_, player_, flags_, used_, age_;
  std::vector<WalkId> walks_;
  int phases_ = 1;

  int Below(int n) { return n <= 1 ? 0 : static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }
  template <class T>
  const T& Pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(Below(static_cast<int>(list.size())))];
  }
  const board::Board& Board() { return m_.builder.peek(); }
  std::string CellName() { return Board().name(Below(Board().board_size())); }

  // ---- declarations ------------------------------------------------------------------------------

  static Type Player() {
    Type t = Maker::T(Base::kPlayer);
    t.high = 1;
    return t;
  }
  Type OptionalCell() {
    Type t = Maker::T(Base::kCell);
    t.optional = true;
    t.high = 15;
    return t;
  }
  VarId Indexed(const std::string& name) {
    Variable v;
    v.name = name;
    v.type = Maker::T(Base::kBool);
    v.index = {{0, 1}};
    v.index_types = {Player()};
    v.count = 2;
    v.initial = {0, 1};
    v.offset = m_.r.state_size;
    m_.r.state_size += 2;
    return m_.r.vars.Add(std::move(v));
  }
  CellSet Some(int one_in) {
    CellSet cells;
    for (int c = 0; c < Board().board_size(); ++c) {
      if (OneIn(one_in)) cells.set(static_cast<std::size_t>(c));
    }
    return cells;
  }
  void Declare() {
    m_.Kind("Ant", "A");
    m_.Kind("Bee", "B");
    m_.Kind("Ball", "o", true, true);
    m_.r.kinds[kA].letters = {"A", "a"};
    m_.r.kinds[kB].letters = {"B", "b"};
    m_.r.kinds[kB].may_be_off_board = OneIn(3);
    Zone zone;
    zone.name = "field";
    zone.cells = {Some(2)};
    zone_ = m_.r.zones.Add(zone);
    Zone owned;
    owned.name = "home";
    owned.index = {{0, 1}};
    owned.index_types = {Player()};
    owned.cells = {Some(3), Some(3)};
    owned_zone_ = m_.r.zones.Add(owned);
    Zone out;
    out.name = "out";
    out.is_place = true;
    out.index = {{0, 1}};
    out.index_types = {Player()};
    for (const char* name : {"out[White]", "out[Black]"}) {
      int first = -1;
      EXPECT_EQ(m_.builder.Place(name, 3, &first), "");
      CellSet slots;
      for (int i = 0; i < 3; ++i) slots.set(static_cast<std::size_t>(first + i));
      out.cells.push_back(slots);
    }
    out_ = m_.r.zones.Add(out);
    number_ = m_.State("number", Maker::Int(0, 4), 1);
    clock_ = m_.State("clock", Maker::Int(0, 6), 0, Variable::Life::kClock);
    marked_cell_ = m_.State("marked", OptionalCell(), kNone, Variable::Life::kBrief);
    player_ = m_.State("player", Player(), 0);
    flags_ = Indexed("flags");
    used_ = m_.PieceState("used", Maker::T(Base::kBool), 0);
    age_ = m_.PieceState("age", Maker::Int(0, 3), 0);
    phases_ = 1 + Below(2);
    Setup setup;
    setup.name = "start";
    for (int i = 0; i < 7; ++i) {
      SetupPiece piece;
      piece.kind = i == 0 ? kBall : Below(2);
      piece.owner = i == 0 ? kNone : i % 2;
      piece.cell = 2 * i + Below(2);
      setup.pieces.push_back(piece);
    }
    setup.to_move = Below(2);
    setup.names_mover = OneIn(2);
    m_.r.start = m_.r.setups.Add(setup);
  }
  void Walks() {
    walks_.push_back(m_.Walk(m_.Step({"n", "e", "s", "w"})));
    walks_.push_back(m_.Walk(m_.Relative({board::Relative::kForward, board::Relative::kForwardRight})));
    walks_.push_back(m_.Slide({"n", "ne", "e", "s", "w"}));
    walks_.push_back(m_.Walk(m_.Leap(1, 2)));
    int slots = 0;
    Scope scope{&slots, {}, true, false, true};
    const WalkNodeId guard = m_.Guard(Bool(scope, 1));
    walks_.push_back(m_.Walk(m_.Then({m_.Step({"n", "e", "sw"}), guard, m_.Times(m_.Ahead(), 0, 2)}), true));
    walks_.push_back(m_.Walk(m_.Over(m_.Then({m_.Step({"n", "e", "s"}), m_.Star(m_.Ahead())}), Bool(scope, 1)), true));
    if (slots > 0) walks_.resize(4);  // guards that need slots belong to the frame of one user
  }
  void Attacks() {
    for (int i = Below(3); i > 0; --i) {
      Attack a;
      a.kinds = KindSet{1} << Below(2);
      Scope scope = NewScope(&a.frame_size, true);
      scope.may_ask = false;
      if (OneIn(5)) {
        a.cells = Cells(scope, 1);
      } else {
        a.walk = Pick(walks_);
      }
      if (OneIn(3)) a.to = Cells(scope, 1);
      if (OneIn(3)) a.from = Cells(scope, 1);
      if (OneIn(3)) a.condition = Bool(scope, 1);
      m_.r.attacks.push_back(a);
    }
  }
  static Scope NewScope(int* slots, bool self) { return Scope{slots, {}, self, true, false}; }

  // ---- expressions -------------------------------------------------------------------------------

  int NewSlot(Scope& s, Type type) {
    const int slot = (*s.next_slot)++;
    s.locals.emplace_back(slot, type);
    return slot;
  }
  ExprId Local(const Scope& s, Base base, bool set = false) {
    std::vector<int> fit;
    for (const auto& [slot, type] : s.locals) {
      if (type.base == base && type.set == set) fit.push_back(slot);
    }
    return fit.empty() ? ExprId() : m_.E(Op::kLocal, Maker::T(base, set), {}, kNone, Pick(fit));
  }

  ExprId Quantified(const Scope& outer, Op op, Type result, int d) {
    Scope s = outer;
    const bool pieces = OneIn(2);
    const ExprId set = pieces ? Pieces(s, d - 1) : Cells(s, d - 1);
    const int slot = NewSlot(s, Maker::T(pieces ? Base::kPiece : Base::kCell));
    return m_.E(op, result, {set, Bool(s, d - 1)}, kNone, slot);
  }

  ExprId Bool(const Scope& s, int d) {
    const Type t = Maker::T(Base::kBool);
    switch (Below(d > 0 ? 22 : 7)) {
      case 0:
        return m_.Const(Base::kBool, Below(2));
      case 1:
        return m_.B(Op::kIsEmpty, {Cell(s, d - 1)});
      case 2:
        return m_.B(OneIn(2) ? Op::kIsOwn : Op::kIsEnemy, {Piece(s, d - 1)});
      case 3: {
        const ExprId e = m_.B(Op::kIsKind, {Piece(s, d - 1)});
        m_.r.exprs[e].kinds = KindSet{1} << Below(3);
        return e;
      }
      case 4:
        return m_.E(Op::kPieceState, t, {Piece(s, d - 1)}, used_.value);
      case 5:
        return m_.E(Op::kState, t, {PlayerOf(s, d - 1)}, flags_.value);
      case 6:
        return m_.B(Op::kExists, {OneIn(2) ? Piece(s, d - 1) : Cell(s, d - 1)});
      case 7:
        return m_.B(Op::kNot, {Bool(s, d - 1)});
      case 8:
        return m_.B(Op::kAnd, {Bool(s, d - 1), Bool(s, d - 1)});
      case 9:
        return m_.B(Op::kOr, {Bool(s, d - 1), Bool(s, d - 1)});
      case 10:
        return m_.B(Op::kImplies, {Bool(s, d - 1), Bool(s, d - 1)});
      case 11:
        return m_.B(Op::kIf, {Bool(s, d - 1), Bool(s, d - 1), Bool(s, d - 1)});
      case 12:
        switch (Below(5)) {
          case 0:
            return m_.B(Op::kEq, {Cell(s, d - 1), Cell(s, d - 1)});
          case 1:
            return m_.B(Op::kEq, {Piece(s, d - 1), Piece(s, d - 1)});
          case 2:
            return m_.B(Op::kEq, {PlayerOf(s, d - 1), PlayerOf(s, d - 1)});
          case 3:
            return m_.B(Op::kEq, {Cells(s, d - 1), Cells(s, d - 1)});
          default:
            return m_.B(Op::kEq, {Number(s, d - 1), Number(s, d - 1)});
        }
      case 13:
        return m_.B(OneIn(2) ? Op::kLt : Op::kLe, {Number(s, d - 1), Number(s, d - 1)});
      case 14:
        return m_.B(Op::kIn, {Cell(s, d - 1), Cells(s, d - 1)});
      case 15:
        return m_.B(Op::kIn, {Piece(s, d - 1), Pieces(s, d - 1)});
      case 16:
        return m_.B(Op::kIsEmptySet, {OneIn(2) ? Cells(s, d - 1) : Pieces(s, d - 1)});
      case 17:
        return Quantified(s, Op::kSome, t, d);
      case 18:
        return Quantified(s, Op::kEvery, t, d);
      case 19:
        return s.walk ? m_.Const(Base::kBool, 1)
                      : m_.B(Op::kReaches, {Cell(s, d - 1), m_.WalkValue(Pick(walks_)), Cell(s, d - 1)});
      case 20:
        if (s.may_ask && !s.walk && OneIn(4)) return m_.B(Op::kEndangered, {Piece(s, d - 1)});
        if (s.may_ask && !s.walk) return m_.B(Op::kAttacked, {OneIn(2) ? Piece(s, d - 1) : Cell(s, d - 1)});
        return m_.Const(Base::kBool, 0);
      default:
        return m_.B(Op::kEq,
                    {m_.E(Op::kKindOf, Maker::T(Base::kKind), {Piece(s, d - 1)}), m_.Const(Base::kKind, Below(3))});
    }
  }

  ExprId Number(const Scope& s, int d) {
    const Type t = Maker::Int(0, 16);
    if (const ExprId local = Local(s, Base::kInt); local.valid() && OneIn(3)) return local;
    switch (Below(d > 0 ? 11 : 4)) {
      case 0:
        return m_.Number(Below(4));
      case 1:
        return m_.E(Op::kState, Maker::Int(0, 4), {}, number_.value);
      case 2:
        return m_.E(Op::kPieceState, Maker::Int(0, 3), {Piece(s, d - 1)}, age_.value);
      case 3:
        return m_.E(OneIn(2) ? Op::kRank : Op::kFile, t, {Cell(s, d - 1)});
      case 4:
        return m_.E(Op::kAdd, t, {Number(s, d - 1), Number(s, d - 1)});
      case 5:
        return m_.E(Op::kSub, t, {Number(s, d - 1), Number(s, d - 1)});
      case 6:
        return Quantified(s, Op::kCount, t, d);
      case 7:
      case 8:
        if (s.walk) return m_.Number(2);
        return m_.E(OneIn(2) ? Op::kSteps : Op::kDistance, t,
                    {Cell(s, d - 1), Cell(s, d - 1), m_.WalkValue(Pick(walks_))});
      case 9: {
        Scope inner = s;
        const ExprId from = Cell(s, d - 1), way = Direction(s, d - 1);
        const int slot = NewSlot(inner, Maker::T(Base::kCell));
        return m_.E(Op::kRun, t, {from, way, Bool(inner, d - 1)}, kNone, slot);
      }
      default:
        return m_.E(Op::kIf, t, {Bool(s, d - 1), Number(s, d - 1), Number(s, d - 1)});
    }
  }

  ExprId Direction(const Scope& s, int d) {
    const Type t = Maker::T(Base::kDirection);
    if (d > 0 && OneIn(2)) return m_.E(Op::kWay, t, {Cell(s, d - 1)}, Below(8));
    return m_.Const(Base::kDirection, Below(8));
  }

  ExprId Cell(const Scope& s, int d) {
    const Type t = Maker::T(Base::kCell);
    if (s.walk && OneIn(2)) return m_.Here();
    if (const ExprId local = Local(s, Base::kCell); local.valid() && OneIn(2)) return local;
    switch (Below(d > 0 ? 7 : 3)) {
      case 0:
        return m_.CellAt(CellName());
      case 1:
        return m_.E(Op::kState, OptionalCell(), {}, marked_cell_.value);
      case 2:
        return s.self ? m_.SelfCell() : m_.CellAt(CellName());
      case 3:
      case 4:
        return m_.E(Op::kCellOf, t, {Piece(s, d - 1)});
      case 5:
        return m_.E(Op::kNext, t, {Cell(s, d - 1), Direction(s, d - 1)});
      default:
        return m_.E(Op::kCellAt, t, {Number(s, d - 1), Number(s, d - 1)});
    }
  }

  ExprId TheOnly(const Scope& s, int d) {
    const bool ball = OneIn(2);
    std::vector<ExprId> owner;
    if (!ball) owner.push_back(PlayerOf(s, d - 1));
    const ExprId e = m_.E(Op::kTheOnly, Maker::T(Base::kPiece), owner);
    m_.r.exprs[e].kinds = KindSet{1} << (ball ? kBall : Below(2));
    return e;
  }
  ExprId Piece(const Scope& s, int d) {
    if (const ExprId local = Local(s, Base::kPiece); local.valid() && OneIn(2)) return local;
    if (s.self && OneIn(3)) return m_.Self();
    if (d > 0 && OneIn(2)) return m_.On(Cell(s, d - 1));
    return TheOnly(s, d);
  }
  ExprId PlayerOf(const Scope& s, int d) {
    const Type t = Player();
    if (const ExprId local = Local(s, Base::kPlayer); local.valid() && OneIn(2)) return local;
    switch (Below(d > 0 ? 6 : 4)) {
      case 0:
        return m_.E(Op::kMe, t);
      case 1:
        return m_.E(Op::kSide, t);
      case 2:
        return m_.Const(Base::kPlayer, Below(2));
      case 3:
        return m_.E(Op::kState, t, {}, player_.value);
      case 4:
        return m_.E(Op::kOpponent, t, {PlayerOf(s, d - 1)});
      default:
        return m_.E(Op::kOwner, t, {Piece(s, d - 1)});
    }
  }

  ExprId Filtered(const Scope& outer, ExprId set, Base base, int d) {
    Scope s = outer;
    const int slot = NewSlot(s, Maker::T(base));
    return m_.E(Op::kFilter, Maker::T(base, true), {set, Bool(s, d - 1)}, kNone, slot);
  }
  ExprId Cells(const Scope& s, int d) {
    const Type t = Maker::T(Base::kCell, true);
    if (const ExprId local = Local(s, Base::kCell, true); local.valid() && OneIn(3)) return local;
    switch (Below(d > 0 ? 10 : 3)) {
      case 0: {
        m_.r.cell_sets.push_back(Some(2));
        return m_.E(Op::kConstCells, t, {}, static_cast<Value>(m_.r.cell_sets.size()) - 1);
      }
      case 1:
        return m_.E(Op::kZone, t, {}, zone_.value);
      case 2:
        return m_.E(Op::kEmptyCells, t);
      case 3:
        return m_.E(Op::kZone, t, {PlayerOf(s, d - 1)}, owned_zone_.value);
      case 4:
        return m_.E(Op::kCellsOf, t, {Pieces(s, d - 1)});
      case 5:
        return m_.E(Op::kMakeSet, t, {Cell(s, d - 1), Cell(s, d - 1)});
      case 6:
        return m_.E(OneIn(2)   ? Op::kUnion
                    : OneIn(2) ? Op::kMinus
                               : Op::kIntersect,
                    t, {Cells(s, d - 1), Cells(s, d - 1)});
      case 7:
        return s.walk ? m_.E(Op::kEmptyCells, t) : m_.E(Op::kEnds, t, {m_.WalkValue(Pick(walks_)), Cell(s, d - 1)});
      case 8:
        return m_.E(Op::kIf, t, {Bool(s, d - 1), Cells(s, d - 1), Cells(s, d - 1)});
      default:
        return Filtered(s, Cells(s, d - 1), Base::kCell, d);
    }
  }
  ExprId Pieces(const Scope& s, int d) {
    const Type t = Maker::T(Base::kPiece, true);
    if (const ExprId local = Local(s, Base::kPiece, true); local.valid() && OneIn(3)) return local;
    switch (Below(d > 0 ? 7 : 3)) {
      case 0:
      case 1:
      case 2: {
        static constexpr Side kSides[] = {Side::kAny, Side::kOwn, Side::kEnemy, Side::kMine, Side::kNeutral, Side::kOf};
        Expr e;
        e.op = Op::kPieces;
        e.type = t;
        e.side = kSides[Below(d > 0 ? 6 : 5)];
        e.kinds = OneIn(2) ? ~KindSet{0} : KindSet{1} << Below(3);
        if (e.side == Side::kOf) e.children.push_back(PlayerOf(s, d - 1));
        e.on_cells = d > 0 && OneIn(2);
        if (e.on_cells) e.children.push_back(OneIn(4) ? Place(s, d) : Cells(s, d - 1));
        return m_.r.exprs.Add(e);
      }
      case 3:
        return m_.E(Op::kPiecesOn, t, {Cells(s, d - 1)});
      case 4:
        return m_.E(Op::kMakeSet, t, {Piece(s, d - 1), Piece(s, d - 1)});
      case 5:
        return m_.E(OneIn(2)   ? Op::kUnion
                    : OneIn(2) ? Op::kMinus
                               : Op::kIntersect,
                    t, {Pieces(s, d - 1), Pieces(s, d - 1)});
      default:
        return Filtered(s, Pieces(s, d - 1), Base::kPiece, d);
    }
  }
  ExprId Place(const Scope& s, int d) {
    return m_.E(Op::kZone, Maker::T(Base::kCell, true), {PlayerOf(s, d - 1)}, out_.value);
  }

  // ---- effects -----------------------------------------------------------------------------------

  Block Effects(const Scope& s, int count, int d) {
    Block block;
    for (int i = 0; i < count; ++i) block.push_back(OneEffect(s, d));
    return block;
  }
  Effect Assignment(const Scope& s) {
    switch (Below(6)) {
      case 0:
        return Maker::SetVar(number_, Number(s, 1));
      case 1:
        return Maker::SetVar(clock_, m_.E(Op::kAdd, Maker::Int(0, 9),
                                          {m_.E(Op::kState, Maker::Int(0, 6), {}, clock_.value), m_.Number(1)}));
      case 2:
        return Maker::SetVar(marked_cell_, OneIn(4) ? m_.Const(Base::kCell, kNone) : Cell(s, 1));
      case 3:
        return Maker::SetVar(player_, PlayerOf(s, 1));
      case 4: {
        Effect e = Maker::SetVar(flags_, Bool(s, 1));
        e.indices = {PlayerOf(s, 1)};
        return e;
      }
      default: {
        const bool flag = OneIn(2);
        Effect e = Maker::F(EffectOp::kSetPiece, flag ? Bool(s, 1) : Number(s, 1), Piece(s, 1));
        e.var = flag ? used_ : age_;
        return e;
      }
    }
  }
  Effect Ending(const Scope& s) {
    switch (Below(4)) {
      case 0:
        return Maker::F(EffectOp::kWin, PlayerOf(s, 1));
      case 1:
        return Maker::F(EffectOp::kLose, PlayerOf(s, 1));
      case 2:
        return Maker::F(EffectOp::kDraw);
      default: {
        Effect e = Maker::F(EffectOp::kResult);
        e.args = {m_.Number(3), PlayerOf(s, 1), m_.Number(1), PlayerOf(s, 1)};
        return e;
      }
    }
  }
  Effect OneEffect(const Scope& s, int d) {
    switch (Below(20)) {
      case 0:
      case 1:
      case 2:
        return Maker::F(EffectOp::kMove, Piece(s, 1), Cell(s, 1));
      case 3:
        return Maker::F(EffectOp::kMoveToPlace, Piece(s, 1), Place(s, 1));
      case 4:
        return Maker::F(EffectOp::kLift, TheOnly(s, 1));
      case 5:
        return Maker::F(EffectOp::kPut, TheOnly(s, 1), Cell(s, 1));
      case 6: {
        const bool ball = OneIn(6);
        return Maker::F(EffectOp::kPlace, m_.Const(Base::kKind, ball ? kBall : Below(2)),
                        ball ? ExprId() : PlayerOf(s, 1), Cell(s, 1));
      }
      case 7:
        return Maker::F(EffectOp::kRemove, Piece(s, 1));
      case 8:
        return Maker::F(EffectOp::kSwap, Piece(s, 1), Piece(s, 1));
      case 9:
        return Maker::F(EffectOp::kBecomes, Piece(s, 1), m_.Const(Base::kKind, Below(2)));
      case 10:
        return Maker::F(EffectOp::kJoins, Piece(s, 1), PlayerOf(s, 1));
      case 11:
        if (OneIn(4)) {
          Effect e = Maker::F(EffectOp::kSetUp);
          e.setups = {m_.r.start};
          return e;
        }
        return Assignment(s);
      case 12:
        if (OneIn(4)) return Ending(s);
        return Maker::F(EffectOp::kGoto, m_.Const(Base::kPhase, Below(phases_)));
      case 13:
        if (d > 0) {
          Effect e = Maker::F(EffectOp::kIf, Bool(s, 2));
          e.body = Effects(s, 1, d - 1);
          if (OneIn(2)) e.otherwise = Effects(s, 1, d - 1);
          return e;
        }
        return Assignment(s);
      case 14:
        if (d > 0) {
          Scope inner = s;
          const bool pieces = OneIn(2);
          Effect e = Maker::F(EffectOp::kFor, pieces ? Pieces(s, 1) : Cells(s, 1));
          e.slot = NewSlot(inner, Maker::T(pieces ? Base::kPiece : Base::kCell));
          e.body = Effects(inner, 1, d - 1);
          return e;
        }
        return Assignment(s);
      default:
        return Assignment(s);
    }
  }

  // ---- actions -----------------------------------------------------------------------------------

  Filter MakeFilter(const Scope& s) {
    Filter f;
    f.empty = !OneIn(4);
    if (OneIn(2))
      f.pieces.push_back({OneIn(2)   ? Side::kEnemy
                          : OneIn(2) ? Side::kOwn
                                     : Side::kAny,
                          OneIn(2) ? ~KindSet{0} : KindSet{1} << Below(3)});
    if (OneIn(4)) f.cells = OneIn(2) ? Cells(s, 1) : Cell(s, 1);
    f.negated = OneIn(8);
    return f;
  }
  // A walk of the place where it is used: its directions and guards read the frame.
  WalkId LocalWalk(const Scope& s) {
    Scope inside = s;
    inside.walk = true;
    WalkNodeId root;
    if (OneIn(2)) {
      WalkNode face;
      face.op = WalkOp::kFace;
      const bool heading = !s.remembered.empty() && !OneIn(3);
      const ExprId to = heading ? m_.E(Op::kChoiceHeading, Maker::T(Base::kDirection), {}, kNone, Pick(s.remembered))
                                : Direction(inside, 1);
      face.directions.push_back({StepDirection::Kind::kExpr, -1, {}, to});
      root = m_.Then({m_.r.walk_nodes.Add(face), m_.Times(m_.Ahead(), 1, OneIn(2) ? -1 : 2)});
    } else {
      root = m_.Then({m_.Step({"n", "e", "sw"}), m_.Guard(Bool(inside, 1)), m_.Times(m_.Ahead(), 0, 2)});
    }
    const WalkId walk = m_.Walk(root);
    m_.r.walks[walk].reads_frame = true;
    return walk;
  }
  rules::Step ChooseWalk(Scope& s, StepOp op) {
    rules::Step step = Maker::S(op);
    step.query.walk = m_.WalkValue(OneIn(3) ? LocalWalk(s) : Pick(walks_));
    step.query.from = s.self && !OneIn(3) ? m_.SelfCell() : Cell(s, 1);
    step.query.onto = MakeFilter(s);
    if (OneIn(4)) step.query.within = Cells(s, 1);
    step.slot = NewSlot(s, Maker::T(Base::kCell));
    if (op == StepOp::kChoose && OneIn(4)) {
      step.remembers = true;
      s.remembered.push_back(step.slot);
    }
    return step;
  }
  rules::Step ChooseSet(Scope& s) {
    rules::Step step = Maker::S(StepOp::kChooseIn);
    switch (Below(4)) {
      case 0:
        step.expr = Cells(s, 1);
        step.slot = NewSlot(s, Maker::T(Base::kCell));
        break;
      case 1:
      case 2:
        step.expr = Pieces(s, 2);
        step.slot = NewSlot(s, Maker::T(Base::kPiece));
        break;
      default: {
        Expr numbers;
        numbers.op = Op::kConstSet;
        numbers.type = Maker::T(Base::kInt, true);
        numbers.values = {0, 2};
        step.expr = m_.r.exprs.Add(numbers);
        step.slot = NewSlot(s, Maker::Int(0, 2));
      }
    }
    return step;
  }
  std::vector<rules::Step> Steps(Scope& s, int count, int d, int* choices, const std::vector<ActionId>& callable) {
    std::vector<rules::Step> steps;
    for (int i = 0; i < count; ++i) {
      switch (Below(12)) {
        case 0:
        case 1:
          if (*choices > 0) {
            --*choices;
            steps.push_back(ChooseWalk(s, StepOp::kChoose));
          }
          break;
        case 2:
        case 3:
          if (*choices > 0) {
            --*choices;
            steps.push_back(ChooseSet(s));
          }
          break;
        case 4: {
          rules::Step let = Maker::S(StepOp::kLet);
          switch (Below(4)) {
            case 0:
              let.expr = Cell(s, 2);
              let.slot = NewSlot(s, Maker::T(Base::kCell));
              break;
            case 1:
              let.expr = Piece(s, 2);
              let.slot = NewSlot(s, Maker::T(Base::kPiece));
              break;
            case 2:
              let.expr = Cells(s, 2);
              let.slot = NewSlot(s, Maker::T(Base::kCell, true));
              break;
            default:
              let.expr = Number(s, 2);
              let.slot = NewSlot(s, Maker::Int(0, 16));
          }
          steps.push_back(let);
          break;
        }
        case 5:
          steps.push_back(Maker::S(StepOp::kRequire, m_.B(Op::kOr, {Bool(s, 2), Bool(s, 1)})));
          break;
        case 6:
          if (d > 0) {
            rules::Step branch = Maker::S(StepOp::kIf, Bool(s, 2));
            Scope inner = s;
            branch.body = Steps(inner, 2, d - 1, choices, callable);
            inner = s;
            branch.otherwise = Steps(inner, 1, d - 1, choices, callable);
            steps.push_back(branch);
          }
          break;
        case 7:
          if (d > 0) {
            Scope inner = s;
            rules::Step loop = Maker::S(StepOp::kFor, Cells(s, 1));
            loop.slot = NewSlot(inner, Maker::T(Base::kCell));
            int none = 0;
            loop.body = Steps(inner, 2, d - 1, &none, {});
            steps.push_back(loop);
          }
          break;
        case 8:
          if (OneIn(3)) {
            steps.push_back(ChooseWalk(s, StepOp::kLetWalk));
          } else if (s.self && *choices > 0) {
            steps.push_back(Maker::S(StepOp::kCapture, Cell(s, 1)));
          }
          break;
        case 9:
          if (*choices > 0 && !callable.empty()) {
            *choices = 0;
            rules::Step perform = Maker::S(StepOp::kPerform, Piece(s, 1));
            perform.actions = {Pick(callable)};
            if (OneIn(2)) perform.actions.push_back(Pick(callable));
            if (perform.actions.size() == 2 && perform.actions[0] == perform.actions[1]) perform.actions.pop_back();
            steps.push_back(perform);
          }
          break;
        default:
          steps.push_back(Maker::Do(Effects(s, 1 + Below(2), 1)));
      }
    }
    return steps;
  }
  ActionId MakeAction(const std::vector<ActionId>& earlier) {
    const std::string name = "act" + std::to_string(m_.r.action_names.size());
    const KindSet kinds = 1 + static_cast<KindSet>(Below(3));
    int slots = 0;
    if (OneIn(3)) {
      const ActionId go = m_.Goes(name, kinds, Pick(walks_));
      if (OneIn(2)) AddPromotion();
      return go;
    }
    const bool self = !OneIn(3);
    Scope scope = NewScope(&slots, self);
    int choices = 2;
    std::vector<ActionId> callable;
    for (ActionId id : earlier) {
      if (m_.r.actions[id].has_self) callable.push_back(id);
    }
    std::vector<rules::Step> steps = {Maker::S(StepOp::kRequire, m_.B(Op::kNot, {Bool(scope, 1)}))};
    if (OneIn(2)) steps.clear();
    for (rules::Step& step : Steps(scope, 2 + Below(3), 1, &choices, callable)) steps.push_back(std::move(step));
    if (self && OneIn(3)) steps.push_back(Maker::S(StepOp::kPromote));
    const ActionId id = m_.Act(name, self ? kinds : 0, std::move(steps));
    m_.r.actions[id].frame_size = slots;
    return id;
  }
  void AddPromotion() {
    Promotion p;
    p.kinds = {Below(2)};
    if (OneIn(2)) p.kinds.push_back(1 - p.kinds[0]);
    Scope scope = NewScope(&p.frame_size, true);
    p.zone = Cells(scope, 1);
    if (OneIn(3)) p.condition = Bool(scope, 1);
    p.optional = OneIn(2);
    m_.r.kinds[static_cast<std::size_t>(Below(2))].promotions.push_back(p);
  }

  // ---- turns -------------------------------------------------------------------------------------

  // Places in a turn made so far. A part under `longest` leads to places inside it.
  struct Places {
    std::vector<TurnStateId> plain, longest;
  };
  OfferId Offering(const std::vector<ActionId>& actions, const Places& places, bool longest, int d) {
    const std::vector<TurnStateId>& after = longest ? places.longest : places.plain;
    switch (Below(d > 0 ? 8 : 3)) {
      case 3:
        return m_.Offers(Offer::Kind::kOr,
                         {Offering(actions, places, longest, d - 1), Offering(actions, places, longest, d - 1)});
      case 4:
        return m_.Offers(Offer::Kind::kElse,
                         {Offering(actions, places, longest, d - 1), Offering(actions, places, longest, d - 1)});
      case 5: {
        const OfferId id = m_.Offers(
            Offer::Kind::kIf, {Offering(actions, places, longest, d - 1), Offering(actions, places, longest, d - 1)});
        Scope scope = NewScope(&m_.r.offers[id].frame_size, false);
        int slots = 0;
        scope.next_slot = &slots;
        const ExprId condition = Bool(scope, 2);
        m_.r.offers[id].condition = condition;
        m_.r.offers[id].frame_size = slots;
        return id;
      }
      case 6:
        return after.size() > 1 ? m_.Offers(Offer::Kind::kOr, {m_.Accept(), Offering(actions, places, longest, d - 1)})
                                : Offering(actions, places, longest, d - 1);
      case 7:
        if (longest || places.longest.empty()) return Offering(actions, places, longest, 0);
        return m_.Offers(Offer::Kind::kLongest, {Offering(actions, places, true, d - 1)});
      default: {
        std::vector<ActionId> some;
        for (ActionId a : actions) {
          if (OneIn(2)) some.push_back(a);
        }
        if (some.empty()) some.push_back(actions.front());
        return m_.Play(some, Pick(after), OneIn(6) && after.size() > 1);
      }
    }
  }
  void Turns(const std::vector<ActionId>& actions) {
    Places places;
    places.plain.push_back(m_.Place(m_.Accept()));
    if (OneIn(2)) places.longest.push_back(m_.Place(m_.Accept(), true));
    for (int i = Below(3); i > 0; --i) {
      const bool longest = !places.longest.empty() && OneIn(2);
      // Inside a longest part the part may go on, or what comes after it begins.
      const TurnStateId place = m_.Place(Offering(actions, places, false, 2), longest);
      (longest ? places.longest : places.plain).push_back(place);
    }
    for (int i = 0; i < phases_; ++i) {
      Phase p;
      p.name = i == 0 ? "one" : "two";
      p.turn = m_.Place(Offering(actions, places, false, 2));
      Scope scope = NewScope(&p.frame_size, false);
      if (OneIn(3)) p.player = PlayerOf(scope, 1);
      if (OneIn(3)) p.after = Effects(scope, 1, 1);
      m_.r.phases.push_back(p);
    }
  }

  // ---- events, laws, ends ------------------------------------------------------------------------

  FreeVar MakeFree(Scope& s) { return {NewSlot(s, Player()), Player(), {0, 1}}; }
  void MakeHandler() {
    Handler h;
    static constexpr EventOp kOps[] = {EventOp::kTurnBegins, EventOp::kTurnEnds, EventOp::kAfterAction,
                                       EventOp::kLands,      EventOp::kEnters,   EventOp::kLeaves,
                                       EventOp::kMoves,      EventOp::kIsMoved,  EventOp::kIsCaptured};
    h.event.op = kOps[Below(9)];
    int slots = 3;
    Scope s = NewScope(&slots, false);
    if (OneIn(3)) h.free.push_back(MakeFree(s));
    if (h.event.op > EventOp::kAfterAction) {
      if (OneIn(2)) h.event.kinds = KindSet{1} << Below(3);
      h.event.any_owner = OneIn(2);
      if (!h.event.any_owner) h.event.owner = PlayerOf(s, 0);
      if (OneIn(4)) h.event.at = Cells(s, 1);
      if (h.event.op == EventOp::kLands || h.event.op == EventOp::kEnters || h.event.op == EventOp::kLeaves)
        h.event.zone = Cells(s, 1);
      if ((h.event.op == EventOp::kMoves || h.event.op == EventOp::kIsMoved) && OneIn(3)) {
        h.event.from = Cells(s, 1);
        h.event.to = Cells(s, 1);
      }
      s.locals.emplace_back(kSlotIt, Maker::T(Base::kPiece));
      s.locals.emplace_back(kSlotFrom, Maker::T(Base::kCell));
      s.locals.emplace_back(kSlotTo, Maker::T(Base::kCell));
    }
    if (phases_ == 2 && OneIn(3)) h.phases = 1 + static_cast<uint64_t>(Below(2));
    if (OneIn(2)) h.condition = Bool(s, 2);
    h.block = Effects(s, 1 + Below(2), 1);
    h.frame_size = slots;
    m_.r.handlers.push_back(h);
  }
  void MakeLaw(const std::vector<ActionId>& actions) {
    Law law;
    int slots = 0;
    Scope s = NewScope(&slots, false);
    law.scope = OneIn(2) ? Law::Scope::kEveryAction : OneIn(2) ? Law::Scope::kTurnEnd : Law::Scope::kAction;
    if (law.scope == Law::Scope::kAction) law.actor_slot = NewSlot(s, Maker::T(Base::kPiece));
    if (OneIn(3)) law.free.push_back(MakeFree(s));
    ExprId condition = m_.B(Op::kAnd, {Bool(s, 2), Bool(s, 1)});
    if (OneIn(6)) {
      law.asks_stuck = true;
      ExprId asks;
      if (OneIn(2)) {
        asks = m_.B(Op::kStuck, {PlayerOf(s, 1)});
      } else {
        asks = m_.B(Op::kCanPlay, {PlayerOf(s, 1)});
        m_.r.exprs[asks].actions = {Pick(actions)};
      }
      condition = m_.B(Op::kAnd, {condition, asks});
    }
    law.condition = condition;
    if (phases_ == 2 && OneIn(3)) law.phases = 1;
    law.frame_size = slots;
    m_.r.laws.push_back(law);
  }
  void MakeEnd() {
    End end;
    int slots = 0;
    Scope s = NewScope(&slots, false);
    static constexpr End::Kind kKinds[] = {End::Kind::kWin,         End::Kind::kLose,       End::Kind::kDraw,
                                           End::Kind::kNoLegalTurn, End::Kind::kRepetition, End::Kind::kLimit};
    end.kind = kKinds[Below(6)];
    if (OneIn(3)) end.free.push_back(MakeFree(s));
    if (end.kind == End::Kind::kWin || end.kind == End::Kind::kLose) end.player = PlayerOf(s, 0);
    if (end.kind != End::Kind::kRepetition && end.kind != End::Kind::kLimit &&
        (end.kind != End::Kind::kNoLegalTurn || OneIn(2))) {
      end.condition = m_.B(Op::kAnd, {Bool(s, 2), m_.B(Op::kAnd, {Bool(s, 1), Bool(s, 1)})});
      end.at_once = OneIn(4) && end.kind != End::Kind::kNoLegalTurn;
    } else {
      end.free.clear();
    }
    end.number = 2;
    if (end.kind == End::Kind::kNoLegalTurn) end.block = {Ending(s)};
    if (phases_ == 2 && OneIn(4)) end.phases = 2;
    end.frame_size = slots;
    m_.r.ends.push_back(end);
  }
};

}  // namespace

Maker RandomGame(uint64_t seed) { return Generator(seed).Make(); }

}  // namespace arbiter::testing_support
