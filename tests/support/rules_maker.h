// Small checked games made by hand, for tests of what comes after the checker.
//
// Two players face north and south on squares. A Maker fills in what every game needs (one phase, one turn of one
// action); tests add what they are about. Nothing here is checked: a test that writes nonsense gets nonsense.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::testing_support {

using namespace rules;  // NOLINT: the tests speak of nothing else

class Maker {
 public:
  Rules r;
  board::Builder builder;

  Maker(int width, int height, const CellSet& without = {}, bool wrap_files = false, bool wrap_ranks = false) {
    EXPECT_EQ(builder.Squares(width, height, without, wrap_files, wrap_ranks), "");
    EXPECT_EQ(builder.Face(0, builder.peek().FindDirection("n")), "");
    EXPECT_EQ(builder.Face(1, builder.peek().FindDirection("s")), "");
    r.players = {{"White"}, {"Black"}};
  }

  // ---- types ----
  static Type T(Base base, bool set = false) {
    Type t;
    t.base = base;
    t.set = set;
    return t;
  }
  static Type Int(Value low, Value high) {
    Type t = T(Base::kInt);
    t.low = low;
    t.high = high;
    return t;
  }

  // ---- expressions ----
  ExprId E(Op op, Type type, std::vector<ExprId> children = {}, Value value = kNone, int slot = -1) {
    Expr e;
    e.op = op;
    e.type = type;
    e.children = std::move(children);
    e.value = value;
    e.slot = slot;
    return r.exprs.Add(std::move(e));
  }
  ExprId B(Op op, std::vector<ExprId> children = {}, Value value = kNone) {
    return E(op, T(Base::kBool), std::move(children), value);
  }
  ExprId Const(Base base, Value v) { return E(Op::kConst, T(base), {}, v); }
  ExprId Number(Value v) { return Const(Base::kInt, v); }
  ExprId CellAt(std::string_view name) { return Const(Base::kCell, builder.peek().Find(name)); }
  ExprId Local(int slot, Base base) { return E(Op::kLocal, T(base), {}, kNone, slot); }
  ExprId Self() { return E(Op::kSelf, T(Base::kPiece)); }
  ExprId SelfCell() { return E(Op::kCellOf, T(Base::kCell), {Self()}); }
  ExprId Here() { return E(Op::kHere, T(Base::kCell)); }
  ExprId On(ExprId cell) { return E(Op::kPieceAt, T(Base::kPiece), {cell}); }
  ExprId Cells(const std::vector<std::string>& names) {
    CellSet set;
    for (const auto& name : names) set.set(static_cast<std::size_t>(builder.peek().Find(name)));
    r.cell_sets.push_back(set);
    return E(Op::kConstCells, T(Base::kCell, true), {}, static_cast<Value>(r.cell_sets.size()) - 1);
  }
  ExprId WalkValue(WalkId walk) { return Const(Base::kWalk, walk.value); }

  // ---- walks ----
  WalkNodeId Node(WalkOp op, std::vector<WalkNodeId> children = {}, int min = 0, int max = 0) {
    WalkNode n;
    n.op = op;
    n.children = std::move(children);
    n.min = min;
    n.max = max;
    return r.walk_nodes.Add(std::move(n));
  }
  WalkNodeId Step(const std::vector<std::string>& directions, WalkOp op = WalkOp::kStep) {
    WalkNode n;
    n.op = op;
    for (const auto& d : directions)
      n.directions.push_back({StepDirection::Kind::kLabel, builder.peek().FindDirection(d), {}, {}});
    return r.walk_nodes.Add(std::move(n));
  }
  WalkNodeId Relative(std::vector<board::Relative> list) {
    WalkNode n;
    n.op = WalkOp::kStep;
    for (auto relative : list) n.directions.push_back({StepDirection::Kind::kRelative, -1, relative, {}});
    return r.walk_nodes.Add(std::move(n));
  }
  WalkNodeId Leap(int a, int b) {
    std::vector<int> labels;
    EXPECT_EQ(builder.Leap(a, b, &labels), "");
    WalkNode n;
    n.op = WalkOp::kStep;
    for (int label : labels) n.directions.push_back({StepDirection::Kind::kLabel, label, {}, {}});
    return r.walk_nodes.Add(std::move(n));
  }
  WalkNodeId Then(std::vector<WalkNodeId> parts) { return Node(WalkOp::kThen, std::move(parts)); }
  WalkNodeId Ways(std::vector<WalkNodeId> parts) { return Node(WalkOp::kWays, std::move(parts)); }
  WalkNodeId Ahead() { return Node(WalkOp::kAhead); }
  WalkNodeId Star(WalkNodeId body) { return Node(WalkOp::kRepeat, {body}, 0, -1); }
  WalkNodeId Plus(WalkNodeId body) { return Node(WalkOp::kRepeat, {body}, 1, -1); }
  WalkNodeId Times(WalkNodeId body, int min, int max) { return Node(WalkOp::kRepeat, {body}, min, max); }
  WalkNodeId Guard(ExprId condition) {
    const WalkNodeId id = Node(WalkOp::kGuard);
    r.walk_nodes[id].expr = condition;
    return id;
  }
  WalkNodeId Over(WalkNodeId body, ExprId condition) {
    const WalkNodeId id = Node(WalkOp::kOver, {body});
    r.walk_nodes[id].expr = condition;
    return id;
  }
  WalkId Walk(WalkNodeId root, bool reads_back = false, bool may_stay = false) {
    rules::Walk w;
    w.root = root;
    w.reads_back = reads_back;
    w.may_stay = may_stay;
    return r.walks.Add(std::move(w));
  }
  WalkId Slide(const std::vector<std::string>& directions) { return Walk(Then({Step(directions), Star(Ahead())})); }

  // ---- pieces and state ----
  int Kind(const std::string& name, const std::string& letter, bool neutral = false, bool off_board = false) {
    rules::Kind k;
    k.name = name;
    k.letters = {letter};
    k.neutral = neutral;
    k.may_be_off_board = off_board;
    r.kinds.push_back(std::move(k));
    return static_cast<int>(r.kinds.size()) - 1;
  }
  VarId State(const std::string& name, Type type, Value initial, Variable::Life life = Variable::Life::kPlain) {
    Variable v = Var(name, type, initial, life);
    v.offset = r.state_size++;
    return r.vars.Add(std::move(v));
  }
  VarId PieceState(const std::string& name, Type type, Value initial) {
    Variable v = Var(name, type, initial, Variable::Life::kPlain);
    v.offset = r.piece_state_size++;
    return r.piece_vars.Add(std::move(v));
  }
  ExprId Read(VarId var) { return E(Op::kState, r.vars[var].type, {}, var.value); }

  // ---- actions and turns ----
  static rules::Step S(StepOp op, ExprId expr = {}) {
    rules::Step s;
    s.op = op;
    s.expr = expr;
    return s;
  }
  rules::Step Choose(int slot, WalkId walk, ExprId from, Filter onto) {
    rules::Step s;
    s.op = StepOp::kChoose;
    s.slot = slot;
    s.query.walk = WalkValue(walk);
    s.query.from = from;
    s.query.onto = std::move(onto);
    return s;
  }
  static Filter Empty() {
    Filter f;
    f.empty = true;
    return f;
  }
  static Filter EmptyOrEnemy() {
    Filter f;
    f.empty = true;
    f.pieces.push_back({Side::kEnemy, ~KindSet{0}});
    return f;
  }
  static rules::Step Do(Block block) {
    rules::Step s;
    s.op = StepOp::kEffects;
    s.effects = std::move(block);
    return s;
  }
  static Effect F(EffectOp op, ExprId a = {}, ExprId b = {}, ExprId c = {}) {
    Effect e;
    e.op = op;
    e.a = a;
    e.b = b;
    e.c = c;
    return e;
  }
  static Effect SetVar(VarId var, ExprId value) {
    Effect e = F(EffectOp::kSet, value);
    e.var = var;
    return e;
  }
  ActionId Act(const std::string& name, KindSet by, std::vector<rules::Step> steps) {
    Action a;
    a.name = static_cast<int>(r.action_names.size());
    r.action_names.push_back(name);
    a.has_self = by != 0;
    a.kinds = by;
    a.steps = std::move(steps);
    a.frame_size = 16;
    return r.actions.Add(std::move(a));
  }
  // `move or take W`, with promotion.
  ActionId Goes(const std::string& name, KindSet by, WalkId walk) {
    return Act(name, by,
               {Choose(0, walk, SelfCell(), EmptyOrEnemy()), S(StepOp::kCapture, Local(0, Base::kCell)),
                Do({F(EffectOp::kMove, Self(), Local(0, Base::kCell))}), S(StepOp::kPromote)});
  }
  OfferId Accept() { return r.offers.Add({}); }
  OfferId Offers(Offer::Kind kind, std::vector<OfferId> parts) {
    Offer o;
    o.kind = kind;
    o.parts = std::move(parts);
    return r.offers.Add(std::move(o));
  }
  OfferId Play(std::vector<ActionId> actions, TurnStateId next, bool by_same = false) {
    Offer o;
    o.kind = Offer::Kind::kPlay;
    o.actions = std::move(actions);
    o.next = next;
    if (by_same) o.by = Offer::By::kSame;
    return r.offers.Add(std::move(o));
  }
  TurnStateId Place(OfferId offer, bool in_longest = false) { return r.turn_states.Add({offer, in_longest, ""}); }
  void PhaseWith(TurnStateId turn) {
    Phase p;
    p.name = "main";
    p.turn = turn;
    r.phases.push_back(std::move(p));
  }
  // turn = any of these actions
  void OneAction(std::vector<ActionId> actions) {
    const TurnStateId end = Place(Accept());
    PhaseWith(Place(Play(std::move(actions), end)));
  }
  // when EVENT { block }
  Handler& When(EventOp op, Block block) {
    Handler h;
    h.event.op = op;
    h.block = std::move(block);
    r.handlers.push_back(std::move(h));
    return r.handlers.back();
  }

  // Takes the board; call once, when all leaps are known.
  const Rules& Done() {
    r.board = builder.Take();
    return r;
  }

  // "White Rook@a1 …" as pairs; owner kNone: neutral; cell "": off the board.
  struct Man {
    int kind;
    Value owner;
    std::string cell;
  };
  [[nodiscard]] Snapshot At(const std::vector<Man>& men, int to_move = 0) const {
    std::vector<SetupPiece> pieces;
    for (const Man& m : men) {
      SetupPiece p;
      p.kind = m.kind;
      p.owner = m.owner;
      p.cell = m.cell.empty() ? -1 : r.board.Find(m.cell);
      pieces.push_back(p);
    }
    return MakeSnapshot(r, pieces, to_move, {});
  }

 private:
  static Variable Var(const std::string& name, Type type, Value initial, Variable::Life life) {
    Variable v;
    v.name = name;
    v.type = type;
    v.initial = {initial};
    v.life = life;
    v.in_key = life != Variable::Life::kClock;
    return v;
  }
};

}  // namespace arbiter::testing_support
