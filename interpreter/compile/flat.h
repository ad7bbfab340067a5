// From rules to the flat form (program/flat.h). Private to compile/.
//
// Every part either says all that it has to say in tables, or gives up with a reason: then the game has no flat
// form. flat.cpp: what a game must be like, pieces and state; flat_changes.cpp: what movements do to the state;
// flat_movers.cpp: plain statements; flat_cases.cpp: all other actions, case by case; flat_tests.cpp: conditions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/builder.h"
#include "compile/fold.h"
#include "program/flat.h"

namespace arbiter::compile {

using program::Code;
using program::Flat;

// One movement, as far as events tell them apart.
struct FlatMovement {
  int kind = -1, owner = -1;
  int from = -1, to = -1;
  bool by_self = false, removed = false;
};

// One assignment to one element of the state.
struct FlatWrite {
  int order = 0;  // of the handler; -1: an effect of the action
  int element = 0;
  bool adds = false;
  Value value = 0;
};

class FlatMaker {
 public:
  FlatMaker(Builder& b, Tables& tables, const WalkRelations& relations)
      : b_(b), rules_(b.rules), p_(b.program), f_(b.program.flat), tables_(tables), relations_(relations) {}
  void Make();

 private:
  struct CaseState;
  struct MoverSketch;
  // The setting of the names of a handler, with the writes of its block if they do not depend on the movement.
  struct EventCase {
    int handler = -1;
    const program::HandlerCase* limits = nullptr;
    bool constant = false;
    std::vector<FlatWrite> writes;
  };

  bool Fail(std::string why) {
    if (f_.why.empty()) f_.why = std::move(why);
    return false;
  }
  [[nodiscard]] Known OfPlayer(int player) const {
    Known known;
    known.has_player = true;
    known.player = player;
    return known;
  }
  [[nodiscard]] Code CodeOf(int kind, int owner) const { return f_.CodeOf(kind, owner); }
  [[nodiscard]] int KindOf(Code code) const { return f_.code_of[code][0]; }
  [[nodiscard]] int OwnerOf(Code code) const { return f_.code_of[code][1]; }
  // Every way to give the free names their values: slot and value of each.
  using Setting = std::vector<std::pair<int, Value>>;
  static std::vector<Setting> Settings(const std::vector<rules::FreeVar>& free);
  // The codes of these kinds on a side as seen by `player`; `of` is the owner of kOf.
  [[nodiscard]] std::vector<Code> Codes(rules::KindSet kinds, rules::Side side, int player, Value of = kNone) const;

  // flat.cpp
  bool FitsShape();
  bool MakeCodes();
  bool MakeFields();
  bool MakeGuards();
  bool MakeBegins();
  bool MakeEnds();

  // flat_tests.cpp: the index of a test, kAlways, kNever or kUnknown.
  static constexpr int kAlways = -1, kNever = -2, kUnknown = -3;
  int Test(ExprId id, Known& known);
  int Join(program::FlatTest::Op op, const std::vector<int>& parts);
  int Negated(int test);
  int AddTest(program::FlatTest test);
  int StateTest(int element, Value value);
  int Element(const rules::Expr& state, Known& known) const;  // -1: not known
  int CompareTest(const rules::Expr& e, Known& known);
  int CountTest(ExprId set, int slot, ExprId body, int least, Known& known);
  bool PiecesOf(ExprId id, Known& known, std::vector<program::FlatPieces>* out);
  bool PiecesFor(ExprId set, int slot, ExprId body, bool negated, Known& known, std::vector<program::FlatPieces>* out);
  bool ReadsClock(int test) const;

  // flat_changes.cpp
  bool MakeChanges();
  bool CollectEvents(int player);
  bool WritesOf(const rules::Block& block, Known& known, int order, std::vector<FlatWrite>* out);
  bool Events(const FlatMovement& m, int player, std::vector<FlatWrite>* out);
  bool AddWritesAfter(int player, std::vector<FlatWrite>* out);
  bool Compose(std::vector<FlatWrite> writes, bool whole_turn, bool timeless, program::FlatChange* out);
  bool ChangeOf(const std::vector<FlatWrite>& writes, bool whole_turn, bool timeless, int* index);
  bool MakeMoved(int statement, int player);
  bool MakeRemoved(int player);
  bool InOrder();

  // flat_movers.cpp
  bool MakeMovers(int player);
  bool SketchMovers(int player, std::vector<MoverSketch>* sketches);
  bool AddRelation(const program::Plain& s, int player, std::vector<std::vector<Related>>* at);
  int StatementTest(const program::Plain& s, int player);
  static bool Meet(const program::FlatMover& a, const program::FlatMover& b);
  void UniteChanges(int into_statement, int from_statement, int player);
  bool MakeShares(std::vector<MoverSketch>* sketches);
  void MakeShifts(MoverSketch* sketch);

  // flat_cases.cpp
  bool MakeCases(int player);
  bool MakeGroup(int player, int action, Code self, std::vector<program::FlatCase> cases);
  bool Steps(const std::vector<rules::Step>& steps, std::size_t at, const CaseState& s);
  bool Require(ExprId id, CaseState* s, bool* never);
  bool LetWalk(const rules::Step& step, CaseState s, const std::vector<rules::Step>& steps, std::size_t at);
  bool Candidates(const rules::Query& q, CaseState& s, std::vector<CaseState>* out, std::vector<int>* cells);
  bool DoEffects(const rules::Block& block, CaseState* s, bool* never);
  bool MoveInCase(CaseState* s, int from, int to, bool* never);
  bool RemoveInCase(CaseState* s, int cell);
  bool PromoteInCase(const CaseState& s, const std::vector<rules::Step>& steps, std::size_t at);
  bool FinishCase(CaseState s);

  Builder& b_;
  const Rules& rules_;
  Program& p_;
  Flat& f_;
  Tables& tables_;
  const WalkRelations& relations_;
  const program::Plan* plan_ = nullptr;
  std::vector<std::vector<EventCase>> events_;            // by player on turn
  std::vector<FlatWrite> moved_writes_, removed_writes_;  // all that were ever seen: see InOrder
  std::vector<program::FlatCase>* out_ = nullptr;         // of the action being unfolded
  std::size_t branches_ = 0;
  int player_ = 0;
  bool unsure_ = false;
};

}  // namespace arbiter::compile
