// The evaluator itself: expressions, walks, attacks, actions, events and turns over Positions.
//
// Private to oracle/. A Machine lives for one question put to the Oracle; it carries the budget, the
// first fault and how deep questions about other positions are nested. One file per part:
// expressions.cpp, walks.cpp, attacks.cpp, effects.cpp, actions.cpp, events.cpp, turns.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oracle/oracle.h"
#include "oracle/position.h"
#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::oracle {

using rules::ExprId;
using Set = std::vector<Value>;  // cells ascending, pieces in cell order, directions ascending; others as written

// One slot of a frame: a value or a set, and what a choice remembers.
struct Slot {
  Value value = kNone;
  Set set;
  Value heading = kNone, before = kNone;
  Set crossed;
};

// Grows as it is written to; what was never written is none.
class Frame {
 public:
  [[nodiscard]] const Slot& operator[](int slot) const;
  Slot& At(int slot);
  void Bind(int slot, Value value) { At(slot) = Slot{value, {}, kNone, kNone, {}}; }

 private:
  std::vector<Slot> slots_;
};

// Where a walk stands: what `here`, `heading`, `back` and `origin` mean.
struct Point {
  Value here = kNone, heading = kNone, back = kNone, origin = kNone;
};

// What an expression may read.
struct View {
  const Position& position;
  Value me;
  int self;      // handle, or -1
  Frame* frame;  // written by quantifiers
  const Point* point = nullptr;
};

// One way a walk can end.
struct WalkEnd {
  Value cell = kNone;
  Value heading = kNone, before = kNone;
  Set crossed;
  uint32_t barriers = 0;  // bit b: an edge of barrier b was crossed
  auto operator<=>(const WalkEnd&) const = default;
};

// One movement, placement or removal: what the piece events are made of.
struct Movement {
  int piece = -1;
  Value from = kNone, to = kNone;
  int kind = 0;  // at that time
  Value owner = kNone;
  bool by_self = false;  // the piece was self of the action
  bool captured = false;
  bool removed = false;
  uint32_t barriers = 0;
};

// A path known to the action: it tells by which edges a piece came.
struct KnownPath {
  Value from = kNone, to = kNone;
  uint32_t barriers = 0;
};

// An action, handler or block under way.
struct Run {
  Position position;
  Frame frame;
  Value me = kNone;
  int self = -1;
  int actor = -1;  // self of the action, or else of the last action performed by it
  bool in_turn_begins = false;
  std::vector<rules::Token> tokens;
  std::vector<rules::Token> written;
  std::vector<Movement> movements;
  std::vector<KnownPath> paths;
  rules::Outcome outcome;
  std::vector<rules::Span> marks;  // while tracing: what was carried out

  [[nodiscard]] bool over() const { return outcome.kind != rules::Outcome::Kind::kNone; }
  [[nodiscard]] View view() { return View{position, me, self, &frame, nullptr}; }
};

// An action made, its consequences included.
struct Made {
  rules::Move move;
  Position next;
  rules::Outcome outcome;
  bool turn_complete = false;
  rules::TurnStateId leads_to;  // the place in the turn before it was found complete
  std::vector<rules::Span> marks;
};

// The position after a turn, and the result if the turn ended the game.
struct Ended {
  Position next;
  rules::Outcome outcome;
  std::vector<rules::Span> marks;
};

// What may be done at a place in a turn.
struct Offered {
  std::optional<Ended> accept;  // the turn may end here
  std::vector<Made> plays;
  [[nodiscard]] bool any() const { return accept.has_value() || !plays.empty(); }
};

// Receives results one by one; false stops the search.
template <class T>
using Visit = std::function<bool(T)>;

class Machine {
 public:
  explicit Machine(const rules::Rules& rules, Trace* trace = nullptr) : r_(rules), trace_(trace) {}

  // ---- expressions ----
  Value Eval(ExprId id, const View& v);
  Set EvalSet(ExprId id, const View& v);
  bool Holds(ExprId id, const View& v);  // an invalid id holds always; none does not hold

  // ---- walks, attacks ----
  // With `paths`, ends that differ in heading, cell before or cells crossed are different.
  std::vector<WalkEnd> Walk(rules::WalkId walk, Value from, const View& v, bool paths = false);
  [[nodiscard]] Value SideOf(const View& v) const;  // what `own` means
  bool Attacked(Value cell, const std::vector<bool>& by, const View& v);

  // ---- turns ----
  // Everything that may be done now. With `first_only` stops at the first action.
  Offered At(const Position& position, bool first_only);
  // The end of a turn; nothing if a law forbids it.
  std::optional<Ended> EndTurn(Position position);
  bool HasTurn(const Position& position);
  [[nodiscard]] bool BetweenTurns(const Position& p) const {
    return p.place == r_.phases[static_cast<std::size_t>(p.phase)].turn;
  }

  // ---- ends ----
  // `at_once`: only those that say so. `counting`: repetition, limits and clocks count.
  struct Counts {
    int occurrences = 0, turns = 0;
  };
  rules::Outcome Ends(const Position& position, bool at_once, Counts counts, std::optional<bool> has_turn = {});

  // The mover that the phase's `player` names; none if it names nobody.
  Value PhasePlayer(const Position& position);
  // If set: per element of the state, and behind them of each piece's, whether an expression read it.
  std::vector<bool>* read = nullptr;
  // If set, only this action is looked for (at the top, not in what follows it).
  const rules::Move* only = nullptr;
  void Fault(rules::Span span, std::string code, std::string message);
  std::optional<rules::Fault> fault;
  std::vector<rules::Span> end_marks;  // while tracing: what the end that was found last carried out

 private:
  const rules::Rules& r_;
  int64_t tried_ = 0;     // actions tried to complete turns
  int64_t branches_ = 0;  // choices looked at
  int depth_ = 0;         // actions deep in one turn
  int asking_ = 0;        // inside stuck, can_play
  bool in_endangered_ = false;
  int attack_depth_ = 0;

  // ---- tracing ----
  Trace* trace_ = nullptr;
  std::vector<rules::Span> turn_path_;  // the parts of the turn around what is offered
  void Mark(Run& run, rules::Span span) const {
    if (trace_ == nullptr || std::find(run.marks.begin(), run.marks.end(), span) != run.marks.end()) return;
    run.marks.push_back(span);
  }
  void MarkEffect(const rules::Effect& e, Run& run);
  void MarkAsked(const rules::Expr& e, bool gives) const {
    if (gives) trace_->asked.insert(e.defined.begin(), e.defined.end());
  }

  bool Try();                    // one more action tried to complete a turn; false: the budget is gone
  bool Spend(int64_t cost = 1);  // one more step or choice looked at; false: the budget is gone

  // ---- expressions ----
  Value EvalOne(ExprId id, const View& v);
  Set EvalAll(ExprId id, const View& v);
  Value Quantify(const rules::Expr& e, const View& v);
  Value EvalPiece(const rules::Expr& e, const View& v);
  Value EvalBoard(const rules::Expr& e, const View& v);
  Value EvalQuestion(const rules::Expr& e, const View& v);
  Set EvalPieces(const rules::Expr& e, const View& v);
  Set Normal(rules::Base base, Set set, const Position& p) const;
  bool Element(ExprId set, Value value, const View& v);
  bool SidePasses(rules::Side side, Value owner, const View& v) const;
  std::optional<std::size_t> FlatIndex(const std::vector<std::vector<Value>>& index,
                                       const std::vector<Value>& at) const;
  Value OnlyPiece(const rules::Expr& e, const View& v);
  Value Rounds(Value from, Value to, rules::WalkId walk, const View& v);
  bool Stuck(Value player, const Position& p);
  bool CanPlay(Value player, const std::vector<rules::ActionId>& actions, const Position& p);
  bool CanPlay(Value player, rules::TurnStateId turn, const Position& p);
  bool Endangered(int piece, const Position& p);

  // ---- queries ----
  std::vector<WalkEnd> Query(const rules::Query& q, const View& v, bool paths);
  bool Passes(const rules::Filter& f, Value cell, const View& v);

  // ---- effects: false: the instance does not exist ----
  bool Effects(const rules::Block& block, Run& run);
  bool DoEffect(const rules::Effect& e, Run& run);
  bool MoveTo(Run& run, int piece, Value cell);
  bool MoveToPlace(const rules::Effect& e, Run& run);
  bool PlaceNew(const rules::Effect& e, Run& run);
  void Remove(Run& run, int piece);
  void Swap(Run& run, int a, int b);
  bool Assign(const rules::Effect& e, Run& run);
  bool Store(const rules::Variable& var, Value& target, Value value, rules::Span span);
  void SetUp(const rules::Effect& e, Run& run);
  void GoTo(Run& run, Value phase);
  bool EndGame(const rules::Effect& e, Run& run);
  [[nodiscard]] rules::Outcome Decided(bool win, Value player) const;
  void Record(Run& run, Movement m);
  uint32_t BarriersBetween(const Run& run, Value from, Value to) const;

  // ---- actions ----
  using Then = std::function<bool(Run&)>;  // false stops the search
  bool Steps(const std::vector<rules::Step>& steps, std::size_t at, Run& run, const Then& then);
  bool Choose(const rules::Step& s, Run& run, const Then& then);
  bool ChooseIn(const rules::Step& s, Run& run, const Then& then);
  void NotePath(Run& run, Value from, const WalkEnd& end);
  [[nodiscard]] Value CellOfChoice(Value piece, const Position& p) const;
  bool Each(const rules::Step& s, const Set& set, std::size_t at, Run& run, const Then& then);
  bool Perform(const rules::Step& s, Run& run, const Then& then);
  bool Promote(Run& run, const Then& then);
  // Every instance of `action` by the player on turn, before its consequences.
  bool Instances(rules::ActionId action, const Position& p, const rules::Offer* offer, const Then& then);

  // ---- events and laws ----
  enum class Pass : uint8_t { kAction, kTurnEnds, kTurnBegins };
  bool Handlers(Pass pass, Run& run);
  bool Handle(const rules::Handler& h, const Movement* m, Run& run);
  bool Matches(const rules::Event& e, const Movement* m, Run& run);
  bool Forbidden(rules::Law::Scope scope, const Position& p, int actor);
  // Calls `body` for every combination of values, until it says false.
  bool ForAll(const std::vector<rules::FreeVar>& free, std::size_t at, Frame& frame, const std::function<bool()>& body);
  bool EndHolds(const rules::End& end, const Position& p, std::vector<Value>& players);
  rules::Outcome NoTurn(const rules::End& end, const Position& p);
  // Handlers, laws, `at once` ends after the steps of an action. False: it does not exist.
  bool Consequences(Run& run);
  // The parts of the text that the action gives to its move, in the frame in which it has been made.
  std::vector<rules::Token> Written(const rules::Action& action, Run& run);
  bool Whole(const Position& p) const;  // no piece is lifted that may not be

  // ---- turns ----
  bool Any(rules::OfferId id, const Position& p);
  void OffersOf(const rules::Offer& offer, const Position& p, bool first_only, Offered& out);
  void Offers(rules::OfferId id, const Position& p, bool first_only, Offered& out);
  void Plays(const rules::Offer& offer, const Position& p, bool first_only, Offered& out);
  void Longest(const rules::Offer& offer, const Position& p, Offered& out);
  int Follow(const Made& made);
  Ended GameOver(Run& run) const;
  [[nodiscard]] bool Wanted(const Run& run) const;
  // Is the turn complete, can it go on, or neither? Neither: nothing.
  std::optional<Made> Complete(Run& run, rules::TurnStateId next);
};

inline bool Truth(Value v) { return v != kNone && v != 0; }

}  // namespace arbiter::oracle
