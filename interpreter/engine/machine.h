// The machine behind a Position: the state, the interpreter of bytecode, walks, turns. Private to engine/.
//
// One class template, instantiated for 1, 2 and 4 words a cell set and for both layouts of tables (`Index`: see
// program/index.h). What is copied by undo is `Scalars`; everything else is undone from
// the journal. Handles of pieces (slots) stay good until the action is over: a piece that is removed keeps
// its entry, so that its kind, owner and state can still be read.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/bits.h"
#include "engine/core.h"
#include "engine/flat.h"
#include "engine/index.h"
#include "engine/registers.h"

namespace arbiter::engine {

using program::Function;
using program::Ins;
using program::Program;
using rules::kNone;
using rules::Value;

constexpr int64_t kMaxBranches = 200'000'000;  // choices looked at for one question
constexpr std::size_t kMaxListed = 300'000;    // actions of one position
constexpr int64_t kStandCost = 8;              // of a stand of a walk, in rounds
constexpr std::size_t kMaxStands = 1'000'000;  // of one search
constexpr int64_t kMaxRounds = 100'000'000;    // elements looked at by loops for one question

inline namespace ARBITER_ENGINE_PROCESSOR {

// A reference to something callable; does not own it.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
  FunctionRef(F&& f)  // NOLINT: implicit on purpose
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* o, Args... args) -> R { return (*static_cast<std::remove_reference_t<F>*>(o))(args...); }) {}
  R operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

inline bool Truth(Value v) { return v != 0 && v != kNone; }

// Numbers of a game are small; sums that leave the range stay at its edge.
inline Value Bounded(int64_t sum) {
  constexpr int64_t kEdge = 1000000000;
  return static_cast<Value>(sum < -kEdge ? -kEdge : sum > kEdge ? kEdge : sum);
}
// Takes off what was added since the stack had this size.
template <class T>
void Cut(std::vector<T>* stack, std::size_t size) {
  stack->erase(stack->begin() + static_cast<std::ptrdiff_t>(size), stack->end());
}
inline Value NoneIfNegative(int v) { return v < 0 ? kNone : v; }

}  // namespace ARBITER_ENGINE_PROCESSOR

template <int W, class Index>
class Machine final : public CoreBase {
 public:
  using Cells = Bits<W>;
  using IndexEntry = typename Index::template Entry<W>;

  explicit Machine(std::shared_ptr<const Program> program);

  [[nodiscard]] std::unique_ptr<CoreBase> Clone() const override;
  [[nodiscard]] const Program& program() const override { return p_; }
  void Load(const rules::Snapshot& snapshot) override;
  [[nodiscard]] rules::Snapshot Save() const override;
  [[nodiscard]] int mover() const override { return sc_.mover; }
  [[nodiscard]] bool between_turns() const override {
    return sc_.place == p_.phases[static_cast<std::size_t>(sc_.phase)].turn;
  }
  std::vector<rules::Move> Moves() override;
  std::optional<Applied> Apply(const rules::Move& move) override;
  void Undo() override;
  [[nodiscard]] int history_size() const override { return static_cast<int>(history_.size()); }
  void List(std::vector<Handle>* out) override;
  Applied Play(const Handle& handle) override;
  rules::Move MoveOf(const Handle& handle) override;
  Value PlayerOfPhase() override { return PhasePlayer(); }
  rules::Outcome Status(int occurrences, int turns) override;
  [[nodiscard]] uint64_t key() const override;
  [[nodiscard]] uint64_t key_from_scratch() const override;
  uint64_t Perft(int depth, bool bulk, bool by_actions) override;
  void Prepare() override {
    if (p_.flat.usable) FlatOfGame();
  }
  RandomGame PlayRandomly(uint64_t* random, int max_turns) override;
  [[nodiscard]] std::size_t bytes() const override;

 private:
  static constexpr int kLifted = -1, kGone = -2;  // Piece::cell
  static constexpr std::size_t kSlotWords = 16;
  static constexpr int kMaxDepth = 200;  // actions of one turn

  // What one question may cost. When it is spent, the question is given up with a fault.
  struct Budget {
    int64_t tried = 0;     // actions tried to complete turns
    int64_t branches = 0;  // choices and steps of remembered paths
    int64_t rounds = 0;    // of loops: elements of sets, attackers, stands of walks
    bool spent = false;
  };

  // ---- state ----
  struct Piece {
    int16_t cell = kGone;
    int16_t lifted_from = -1;
    int16_t kind = 0;
    int16_t owner = -1;  // -1: neutral
  };
  struct Result {
    rules::Outcome::Kind kind = rules::Outcome::Kind::kNone;
    int8_t winner = -1;
    int16_t end = -1;
    std::array<int32_t, board::kMaxPlayers> points{};
  };
  // Copied by undo.
  struct Scalars {
    uint64_t key = 0;  // of pieces and state
    int32_t mover = 0, phase = 0, place = 0;
    Value next_phase = kNone, next_player = kNone;
    int32_t last_self = -1;  // slot
    int32_t lifted = 0;      // pieces off the board
    bool places_moved = false;
    Result result;
  };
  struct Change {
    enum class What : uint8_t { kCell, kCode, kState, kPieceState, kBrief };
    What what;
    int32_t index;
    Value old;
    int16_t old_lifted;
  };
  struct Mark {
    std::size_t journal;
    Scalars scalars;
  };
  [[nodiscard]] Mark SaveMark() const { return {journal_.size(), sc_}; }
  void Restore(const Mark& mark);
  // The place of a choice in an action under way: what stands there when every way on is tried.
  struct Trail {
    Mark mark;
    std::size_t tokens, picks, movements, paths;
  };
  [[nodiscard]] Trail TrailHere() const {
    return {SaveMark(), tokens_.size(), picks_.size(), movements_.size(), paths_.size()};
  }
  void Back(const Trail& trail) {
    Restore(trail.mark);
    Cut(&tokens_, trail.tokens);
    Cut(&picks_, trail.picks);
    Cut(&movements_, trail.movements);
    Cut(&paths_, trail.paths);
  }

  // One movement, placement or removal: what the piece events are made of.
  struct Movement {
    int16_t piece, from, to;  // -1: none
    int16_t kind, owner;      // at that time
    bool by_self, captured, removed;
    uint32_t barriers;
  };
  struct KnownPath {
    int from, to;
    uint32_t barriers;
  };

  // ---- primitives (state.inl) ----
  [[nodiscard]] uint64_t PieceFeature(int slot) const;
  [[nodiscard]] uint64_t StateFeature(int index, Value value) const;
  void MovePiece(int slot, int cell);  // a cell, kLifted or kGone; the cell is empty
  void Recode(int slot, int kind, int owner);
  void SetState(int index, Value value);
  void SetPieceState(int slot, int index, Value value);
  void MarkBrief(int index, bool marked);
  int NewPiece(int kind, int owner);  // -1: no room
  void ForgetDead() {
    if (std::exchange(any_fresh_dead_, false)) fresh_dead_.fill(0);
  }
  void CanonicalPlaces();
  [[nodiscard]] bool Whole() const;
  void Fault(rules::Span span, const char* code, std::string message);
  [[nodiscard]] Value& PieceStateAt(int slot, int index) {
    return piece_state_[static_cast<std::size_t>(slot * p_.piece_state_size + index)];
  }
  [[nodiscard]] Value PieceStateAt(int slot, int index) const {
    return piece_state_[static_cast<std::size_t>(slot * p_.piece_state_size + index)];
  }
  [[nodiscard]] bool SameState(int a, int b) const;
  [[nodiscard]] Cells SetAt(int index) const { return Cells::From(p_.set(index)); }

  // ---- interpreter (code.inl, effects.inl) ----
  struct Call;
  struct Context {
    Value* v = nullptr;
    Cells* s = nullptr;
    engine::List* l = nullptr;
    int slots = -1;  // see Function::slots
    int me = 0, self = -1, actor = -1;
    Value here = kNone, heading = kNone, back = kNone, origin = kNone;
    const Call* call = nullptr;  // of an action; null in functions
    const Handle* replay = nullptr;
  };
  struct Call {
    Context outer;  // of the caller
    int return_pc = -1;
    const Call* caller = nullptr;
    const program::Action* performed = nullptr;  // null in the outermost
  };
  using Then = FunctionRef<bool(Context&)>;
  class Frame;  // takes registers, gives them back
  [[nodiscard]] int SideOf(const Context& c) const {
    if (c.self >= 0 && pieces_[static_cast<std::size_t>(c.self)].owner >= 0)
      return pieces_[static_cast<std::size_t>(c.self)].owner;
    return c.me;
  }
  // Functions: false if an effect makes the instance not exist. The result is in value_, cells_ or the list.
  bool Exec(int pc, Context& c, Then* then);
  Value Call1(const Function& f, Context& c);                                    // in the frame of c
  std::vector<rules::Token> Written(const program::Action& action, Context& c);  // `written` as parts, in its frame
  Value Evaluate(const Function& f, int me, int self);                           // in a frame of its own
  Cells EvaluateCells(const Function& f, int me, int self);
  [[nodiscard]] Cells SideMask(rules::Side side, const Context& c, Value of) const;
  [[nodiscard]] Cells KindMask(rules::KindSet kinds) const;
  Value TheOnly(rules::KindSet kinds, bool of_owner, Value owner) const;
  bool DoEffect(const Ins& ins, int pc, Context& c);
  bool MoveTo(Context& c, int piece, int cell);
  void Remove(Context& c, int piece);
  void SwapPieces(Context& c, int a, int b);
  bool PlaceNew(Context& c, const Ins& ins, int pc);
  bool Store(const program::Variable& var, Value old, Value value, int pc, Value* out);
  void SetUp(const Ins& ins, const Context& c);
  void Record(const Context& c, int piece, int from, int to, bool removed);
  [[nodiscard]] uint32_t BarriersBetween(int from, int to) const;
  void Decide(bool win, int player);
  [[nodiscard]] bool over() const { return sc_.result.kind != rules::Outcome::Kind::kNone; }
  [[nodiscard]] bool PieceAlive(Value piece) const {
    return piece != kNone && pieces_[static_cast<std::size_t>(piece)].cell != kGone;
  }
  bool ChooseEnds(const Ins& ins, int pc, Context& c, Then* then);
  bool ChooseSome(const Ins& ins, int pc, Context& c, Then* then);
  bool Perform(const Ins& ins, int pc, Context& c, Then* then);
  bool Promote(int pc, Context& c, Then* then);
  bool LetWalk(const Ins& ins, int pc, Context& c);
  [[nodiscard]] int CellOfChoice(int piece) const;
  void PushToken(rules::Base base, Value value, int enumeration = -1) {
    rules::Token token;
    token.base = base;
    token.value = value;
    token.enumeration = enumeration;
    tokens_.push_back(token);
  }

  // ---- walks (walk.inl) ----
  struct Stand {
    int node = 0, cell = 0, heading = -1, back = -1;
    int over = -2;  // what leaving the cell needs: -2 nothing (the origin), -1 it is empty, else a function
    int origin = 0;
    bool operator==(const Stand&) const = default;
  };
  struct StandSet;
  struct PathEnd {
    int cell, heading, before;
    Cells crossed;
    uint32_t barriers;
  };
  [[nodiscard]] Cells RowEnds(const program::Row& row, const Cells& occupied) const {
    Cells ends;
    if (row.constant >= 0) ends = SetAt(row.constant);
    for (int g = row.group; g < row.group + row.group_count; ++g) {
      ends |= IndexEntry(p_.groups[static_cast<std::size_t>(g)], p_.tables.data()).Ends(occupied);
    }
    return ends;
  }
  [[nodiscard]] const program::Row* RowOf(int walk, int side, int from, const Context& c) const;
  Cells Ends(int walk, int from, Context& c);
  void Flood(const program::Walk& w, const std::vector<Stand>& from, const Context& c,
             FunctionRef<void(const Stand&)> end);
  void PathEnds(int walk, int from, Context& c, std::vector<PathEnd>* out);
  struct PathSearch;
  void FollowPaths(PathSearch& search, const Stand& s, const Cells& crossed, uint32_t barriers);
  bool Leaves(const program::Walk& w, int origin, const Stand& s, const Context& c);
  void Labels(const program::Walk& w, const program::NfaNode& node, int origin, const Stand& s, const Context& c,
              std::vector<int>* out);
  Value WalkValue(const program::Walk& w, int function, int origin, const Stand& s, const Context& c,
                  engine::List* list);
  Value Steps(int walk, Value from, Value to, bool empty_board, Context& c);
  [[nodiscard]] Cells Filtered(const program::Query& q, const Context& c) const;
  [[nodiscard]] Cells AttackersOf(int cell, int me, const Cells& occupied, const Cells& removed) const;
  bool Attacked(int cell, int not_by, Context& c);

  // ---- events, laws, ends, turns (turn.inl, offers.inl) ----
  class RunScope;
  enum class Pass : uint8_t { kAction, kTurnEnds, kTurnBegins };
  bool Handlers(Pass pass, int me);
  bool RunHandler(const program::Handler& h, const Movement* m, int me);
  [[nodiscard]] bool Concerns(const program::Handler& h, const Movement& m) const;
  [[nodiscard]] bool Fits(const program::HandlerCase& k, const Movement& m) const;
  template <class Body>
  bool ForAll(const std::vector<rules::FreeVar>& free, std::size_t at, Value* v, Body& body);
  bool Forbidden(rules::Law::Scope scope, int actor);
  bool Lawful(int actor);
  [[nodiscard]] bool Harmless() const;
  [[nodiscard]] bool AllUnique() const;
  [[nodiscard]] Cells GuardedBy(const program::Law& law) const;
  [[nodiscard]] bool GuardedAttacked(const program::Law& law) const;
  bool Consequences(int actor);
  void TestEnds(bool at_once, int occurrences, int turns, int has_turn);
  [[nodiscard]] rules::Outcome OutcomeNow() const;
  bool EndTurn();  // false: a law forbids it
  void GameOver();
  void Settle();
  Value PhasePlayer();

  struct Yield {
    int action = -1;  // -1: done
    int next = -1;
    bool complete = false;
  };
  using Visit = FunctionRef<bool(const Yield&)>;
  // How a turn can go on from a place inside it.
  struct WaysOn {
    bool plays = false, accepts = false;  // by an action; by ending here
  };
  struct VisitSink;
  struct WaysSink;
  template <class Sink>
  bool Gather(Sink& sink);  // all that the place offers
  template <class Sink>
  bool GatherOffer(int offer, bool tables, bool* ended, Sink& sink);
  bool Plays(const program::Offer& offer, Visit visit);
  bool Longest(const program::Offer& offer, Visit visit);
  int Follow(const Yield& made);
  // Every instance of the action by the player on turn; `then` sees the position after its steps.
  bool Instances(int action, rules::Offer::By by, Then then);
  bool RunAction(int action, int self, Then then, const Handle* replay);
  // What follows from an action whose steps are done; visits it if the turn can be completed.
  bool Finish(int action, int next, int actor, Visit visit);
  void EnterPlace(int place, int actor);
  [[nodiscard]] WaysOn FindWaysOn();
  bool HasTurn();
  bool Stuck(int player);
  bool CanPlay(int player, const std::vector<Value>& actions);
  bool CanPlayTurn(int player, int place);
  bool Endangered(int piece);
  void AskAs(int player, int place);
  [[nodiscard]] int FirstPlace() const { return p_.phases[static_cast<std::size_t>(sc_.phase)].turn; }
  bool Try();
  bool Spend();
  bool Round(int64_t cost = 1) { return (budget_.rounds += cost) <= kMaxRounds || Exhausted(); }
  bool Exhausted();  // false; notes the fault
  bool GiveUp(const Context& c);
  void Resume(const Budget& outer) {
    const bool spent = budget_.spent;
    budget_ = outer;
    budget_.spent = spent || outer.spent;
  }

  // ---- the direct way (plain.inl) ----
  struct Constraints;
  bool Constrain(Constraints* out) const;  // false: every move has to be made and judged
  template <class Sink>
  bool PlainTargets(const program::Plan& plan, const Constraints& k, Sink&& sink);
  using EachHandle = FunctionRef<bool(const Handle&)>;
  bool EachPlain(const program::Plan& plan, EachHandle each);
  bool HasPlain(const program::Plan& plan);
  uint64_t CountPlain(const program::Plan& plan);
  void ListPlain(const program::Plan& plan, std::vector<Handle>* out);
  bool EachOther(const program::Plan& plan, Visit visit);
  bool KeepsLaws(const Handle& h);
  void MakePlain(const Handle& h);
  [[nodiscard]] rules::Move PlainMove(const Handle& h) const;
  const std::shared_ptr<const FlatTables<W, Index>>& FlatOfGame();

  // ---- face (face.inl) ----
  struct Entry {
    std::vector<rules::Token> tokens;
    Handle handle;
    std::vector<rules::Token> written;
  };
  [[nodiscard]] Handle HandleOf(const Yield& y) const;  // of the action being visited
  bool AddEntry(const Yield& y, std::vector<Entry>* out);
  void Entries(std::vector<Entry>* out);
  void Choices(std::vector<Handle>* out);
  void Merge(std::vector<Entry>* entries);
  bool Ended(int has_turn);
  rules::Outcome OutcomeOf(int occurrences, int turns, int has_turn);
  bool Repeats(const Yield& y, std::vector<std::pair<uint64_t, uint64_t>>* seen);
  uint64_t Count(int depth, bool bulk, bool by_actions);
  struct EntrySink;
  struct ListSink;
  struct CountSink;

  const Program& p_;
  std::shared_ptr<const Program> program_;
  // what is copied when a position is
  Cells occupied_, board_;
  std::array<Cells, board::kMaxPlayers + 1> by_owner_;  // [0]: neutral
  std::vector<Cells> by_kind_;
  std::vector<int16_t> on_;  // by cell: slot, or -1
  std::vector<Piece> pieces_;
  std::vector<Value> piece_state_;
  std::vector<Value> state_;
  std::vector<uint8_t> brief_set_;
  Scalars sc_;
  std::shared_ptr<const FlatTables<W, Index>> flat_tables_;  // made when first asked for; shared by copies
  // what is recomputed
  std::array<uint64_t, kSlotWords> fresh_dead_{};  // slots not to be used again during this action
  bool any_fresh_dead_ = false;
  std::size_t slots_used_ = 0;  // no piece has ever had a slot from here on, since the position was loaded
  std::vector<Change> journal_;
  std::vector<Mark> history_;
  // what an action under way leaves behind; stacks, each run works above its base
  std::vector<Movement> movements_;
  std::vector<KnownPath> paths_;
  std::vector<rules::Token> tokens_;
  std::vector<uint16_t> picks_;
  std::size_t movement_base_ = 0, path_base_ = 0, token_base_ = 0, pick_base_ = 0;
  std::vector<rules::Token> written_;  // the parts of the text of the action under way, where it gives one
  bool in_turn_begins_ = false;
  bool empty_board_ = false;
  bool committed_ = false;
  bool results_wanted_ = true;  // by who goes through an offer: the position after the end of a turn
  bool texts_wanted_ = false;   // the texts that actions give their moves
  // results of functions
  Value value_ = kNone;
  Cells cells_;
  const engine::List* list_ = nullptr;
  ChunkStack<Value> values_;
  ChunkStack<Cells> sets_;
  ChunkStack<engine::List> lists_;
  // What was found out about positions inside turns, by their whole keys. It follows from the position alone and so
  // stays true; a table that has grown large is begun anew, and a copy of a position begins with none.
  struct Known {
    static constexpr std::size_t kMost = std::size_t{1} << 18;
    Known() = default;
    Known(const Known& /*other*/) {}
    Known& operator=(const Known& /*other*/) = delete;
    template <class T>
    static void Keep(std::unordered_map<uint64_t, T>* table, uint64_t key, const T& what) {
      if (table->size() >= kMost) table->clear();
      table->emplace(key, what);
    }
    std::unordered_map<uint64_t, WaysOn> ways_on;
    std::unordered_map<uint64_t, uint64_t> counts;
  };
  [[nodiscard]] uint64_t WholeKey() const;
  [[nodiscard]] bool MayRemember() const;
  Known known_;
  // questions under way
  int asking_ = 0, attack_depth_ = 0, depth_ = 0, flood_depth_ = 0;
  bool in_endangered_ = false;
  Budget budget_;
  struct Scratch;
  std::vector<std::unique_ptr<Scratch>> scratch_;
};

}  // namespace arbiter::engine
