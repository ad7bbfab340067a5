// The lowering of expressions, walks, actions, turns and events: one object that lives as long as the
// check of one game. Private to check/ (lower_*.cpp).
//
// Templates (define, walk, effect, action called by an action) are inlined where they are used: an
// argument is an expression with the scope in which it was written, lowered again wherever its
// parameter stands. Expressions, walk nodes and walks are hash-consed, so equal ones have one id.
// An invalid id means that an error was reported; everything that meets it stays silent.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/context.h"

namespace arbiter::check {

using rules::ActionId;
using rules::Base;
using rules::CellSet;
using rules::ExprId;
using rules::kColourEnum;
using rules::KindSet;
using rules::kNone;
using rules::kTextEnum;
using rules::OfferId;
using rules::Op;
using rules::Side;
using rules::TurnStateId;
using rules::Type;
using rules::Value;
using rules::WalkId;
using rules::WalkNodeId;
using rules::WalkOp;

// ---- types -------------------------------------------------------------------------------------

// A walk is used in many frames, so the quantifiers in its guards bind slots from here on, which no
// frame uses for itself.
inline constexpr int kWalkSlots = 96;

Type OfBase(Base base);
Type SetOf(Base base);
inline Type BoolType() { return OfBase(Base::kBool); }
inline Type IntType() { return OfBase(Base::kInt); }
inline Type CellType() { return OfBase(Base::kCell); }
inline Type CellsType() { return SetOf(Base::kCell); }
inline Type PieceType() { return OfBase(Base::kPiece); }
inline Type PlayerType() { return OfBase(Base::kPlayer); }
// "a cell", "a set of pieces", "a condition": for messages.
std::string TypeText(const rules::Rules& rules, const Type& type);
bool SameKind(const Type& a, const Type& b);  // ranges and optionality left out

// A scope inside another: sees its names, may add its own.
Scope Inside(const Scope& outer);
// The scope of an inlined template: nothing of the caller but what surrounds it (self, walk, frame).
Scope TemplateScope(const Scope& caller);

struct WalkResult {
  WalkNodeId node;
  bool may_stay = false;
};

class Lowerer {
 public:
  explicit Lowerer(Context& context) : c(context), rules(context.rules) {}

  Context& c;
  rules::Rules& rules;

  // ---- expressions (lower_expr.cpp, lower_sets.cpp, lower_calls.cpp) ----
  ExprId Lower(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId Lower(const Scope& s, const ast::Expr& e, const Type& want) { return Lower(s, e, &want); }
  ExprId Condition(const Scope& s, const ast::Expr& e) { return Lower(s, e, BoolType()); }
  ExprId Cells(const Scope& s, const ast::Expr& e) { return Lower(s, e, CellsType()); }
  // An index of a variable or zone: an unknown name may become a free variable of any type.
  ExprId IndexValue(const Scope& s, const ast::Expr& e, const Type& type);
  ExprId CallFunction(const Scope& s, const ast::Expr& call, std::string_view name,
                      const std::vector<const ast::Expr*>& args, const Type* want);
  ExprId InlineDefine(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                      const Type* want);

  // ---- making and folding (lower_make.cpp) ----
  ExprId Intern(rules::Expr expr);
  ExprId Make(Op op, Type type, Span span, std::vector<ExprId> children, Value value = kNone);
  ExprId Const(Type type, Value value, Span span);
  ExprId ConstCellSet(const CellSet& cells, Span span);
  ExprId ConstValues(Base base, std::vector<Value> values, Span span, int enumeration = -1);
  ExprId True(Span span) { return Const(BoolType(), 1, span); }
  ExprId Local(const Binding& b, Span span);
  bool MayBeNone(ExprId condition) const;
  ExprId Not(ExprId a, Span span);
  ExprId And(std::vector<ExprId> parts, Span span);
  ExprId Or(std::vector<ExprId> parts, Span span);
  ExprId If(ExprId condition, ExprId then, ExprId otherwise, Span span);
  ExprId Equal(ExprId a, ExprId b, Span span);
  ExprId Less(bool or_equal, ExprId a, ExprId b, Span span);
  ExprId Arithmetic(Op op, ExprId a, ExprId b, Span span);
  ExprId SetOperation(Op op, ExprId a, ExprId b, Span span);
  ExprId In(ExprId value, ExprId set, Span span);
  ExprId Single(ExprId value, Span span);  // a value as a set of one
  ExprId Convert(ExprId id, const Type& want, Span span);
  ExprId Defined(ExprId id, Span definition);  // traced rules: the value of a definition, kept apart
  ExprId CellOf(ExprId piece, Span span);
  ExprId PieceAt(ExprId cell, Span span);
  ExprId TheOnly(KindSet kinds, ExprId owner, Span span);
  ExprId SelfExpr(Span span) { return Make(Op::kSelf, PieceType(), span, {}); }
  [[nodiscard]] const rules::Expr& at(ExprId id) const { return rules.exprs[id]; }
  [[nodiscard]] const Type& type(ExprId id) const { return rules.exprs[id].type; }
  std::optional<Value> ValueOf(ExprId id) const;                  // of a kConst
  std::optional<bool> Truth(ExprId id) const;                     // of a constant condition
  std::optional<CellSet> CellsOf(ExprId id) const;                // kConstCells
  std::optional<std::vector<Value>> ElementsOf(ExprId id) const;  // of any constant set
  bool IsConstant(ExprId id) const;

  // ---- names (lower_names.cpp) ----
  // The symbol of that name if it is one of these kinds (counts as a use).
  Symbol* Use(std::string_view name, std::initializer_list<SymbolKind> kinds);
  std::optional<KindSet> KindsNamed(std::string_view name);                  // a kind, or a class: all its kinds
  std::optional<KindSet> KindsOfNames(const std::vector<ast::Name>& names);  // reports unknown ones
  ExprId NameValue(const Scope& s, const ast::Expr& e, const Type* want);
  // `forward | n`, an option of directions, a parameter that is one: labels (relative ones encoded).
  std::optional<std::vector<int>> StaticDirections(const Scope& s, const ast::Expr& e);
  bool IsReserved(std::string_view name) const;
  bool CheckLocalName(const Scope& s, const ast::Name& name);  // reports; true if it may be declared
  static void SuggestNearest(Diagnostic& d, std::string_view name, Span span, const std::vector<std::string>& near);
  [[nodiscard]] bool InLibrary(Span span) const;
  Diagnostic& UnknownName(std::string_view name, Span span, std::string_view what,
                          const std::vector<std::string>& near);
  // Declares a name whose declaration was wrong: whatever uses it stays silent.
  static void BindBroken(Scope& s, const ast::Name& name);
  std::vector<std::string> ValueNames(const Scope& s);
  // An argument bound to a name, followed through parameters to what was written first.
  struct Written {
    const ast::Expr* expr = nullptr;
    const Scope* scope = nullptr;
  };
  Written Follow(const Scope& s, const ast::Expr& e) const;

  // ---- walks (lower_walk.cpp, lower_betza.cpp) ----
  WalkResult LowerWalk(const Scope& s, const ast::Expr& e);
  // A value of type walk: constant, a walk in a slot, or a table over one.
  ExprId WalkValue(const Scope& s, const ast::Expr& e);
  std::optional<WalkId> ConstantWalk(const Scope& s, const ast::Expr& e);
  WalkNodeId InternNode(rules::WalkNode node);
  // `span`: where it is written; the text there is its name in listings.
  WalkId InternWalk(WalkNodeId root, bool may_stay, Span span);
  WalkNodeId StepNode(const std::vector<int>& labels, WalkOp op, Span span);
  WalkNodeId ThenNode(std::vector<WalkNodeId> parts, Span span);
  WalkNodeId WaysNode(std::vector<WalkNodeId> parts, Span span);
  WalkNodeId RepeatNode(WalkNodeId child, int min, int max, Span span);
  // The bounds of a repetition as numbers: 0 <= min <= max, or max -1 without an upper bound. What stands in
  // for a number must be constant and fold; if the numbers leave nothing (`{1..0}`), the part is `never`.
  struct Rounds {
    int min = 0, max = 0;
    bool never = false, broken = false;  // broken: an error was reported
  };
  Rounds LowerTimes(const Scope& s, const ast::Times& times);
  const Rounds& RoundsOf(const ast::Turn& turn);  // of a repetition in a turn
  WalkNodeId LeapNode(int a, int b, Span span);
  WalkNodeId AnyOfNode(const Scope& s, const ast::Expr& e);
  ExprId FilterCondition(const Scope& s, const ast::Expr& filter, ExprId cell);  // of a cell
  rules::Filter LowerFilter(const Scope& s, const ast::Expr& filter, bool* ok);
  bool LowerQuery(const Scope& s, const ast::Query& query, rules::Query* out);
  // Betza: what a piece statement says. `both`: for moves and captures.
  struct BetzaWalks {
    std::vector<WalkNodeId> both, moves, takes;
  };
  bool Betza(const std::string& text, Span span, bool statement, BetzaWalks* out);

  // ---- pieces and actions (lower_piece.cpp, lower_action.cpp) ----
  void LowerPieces();
  void LowerAttributes();
  struct Instance {  // one action being built
    rules::Action action;
    std::vector<const Symbol*> calls;  // actions being inlined, outermost first
    std::set<int> remembered;          // slots of choices whose heading, crossed cells … are asked
    // The text that names the move (lower_written.cpp).
    std::vector<std::vector<ExprId>> written;  // the parts of each `written` that was read
    std::vector<std::size_t> depths;           // and in how many calls it stands
    std::map<std::size_t, ExprId> said;        // by depth of calls: which of them was reached last (-1: none)
    int self_slot = -1;                        // of the cell where the piece stood at first
    std::map<int, int> cell_slots;             // of the cell of a chosen piece, by the slot of the choice
  };
  ActionId Finish(Instance& instance, int frame_size);
  void LowerSteps(Scope& s, const std::vector<ast::Step>& steps, std::vector<rules::Step>& out, bool in_loop);
  void LowerStep(Scope& s, const ast::Step& step, std::vector<rules::Step>& out, bool in_loop);
  rules::Step Passed(Span span);
  // Inlines an action. `named`: its name joins the list (it is called by another action).
  bool InlineAction(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                    std::vector<rules::Step>& out, bool named);
  std::vector<ActionId> AtomActions(const ast::Name& name);  // reports unknown ones
  // `written` (lower_written.cpp): what is said at this place; two branches that meet; all of it put together.
  void LowerWritten(const Scope& s, const ast::Step& step);
  ExprId WrittenPart(const Scope& s, const ast::Expr& e);
  void JoinWritten(const Scope& s, const std::map<std::size_t, ExprId>& other, rules::Step& branches);
  void FinishWritten(Instance& made, int& frame_size);
  // `any move`, less the actions named in `except`; `report`: unknown ones too.
  std::vector<ActionId> AnyMove(const std::vector<ast::Name>& except, bool report);
  int ActionName(const std::string& name);
  [[nodiscard]] bool IsWrittenInPiece(const std::string& action) const;
  void LowerThreats(const Symbol& symbol, const Scope& s, KindSet kinds, ExprId from, ExprId condition);
  bool BindParameters(Scope& inner, const Scope& s, const std::vector<ast::Param>& params,
                      const std::vector<const ast::Expr*>& args, Span span, const Symbol& symbol);
  void FillPerformers();
  void CheckUnused();  // lower_unused.cpp: reads templates and actions that nothing uses, for their errors

  // ---- effects (lower_effect.cpp) ----
  void LowerBlock(const Scope& s, const ast::Block& block, rules::Block& out);
  bool InlineEffect(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                    rules::Block& out);

  // ---- turns, phases, events (lower_turn.cpp, lower_event.cpp) ----
  void LowerPhases();
  TurnStateId AskedTurn(const Symbol& symbol, Span span);
  void FillQuestions();  // what `can_play` asks for, since the last time
  void WidenFrames();
  void LowerEvents();
  uint64_t PhaseBits(const std::vector<ast::Name>& names);
  void LowerShown();      // lower_shown.cpp
  void ComputeKeys();     // lower_key.cpp
  void CheckQuestions();  // lower_bounds.cpp

  // ---- what has been made ----
  std::vector<ActionId> piece_statements;               // every statement standing in a piece: `any move`
  std::map<std::string, std::vector<ActionId>> can;     // of these, by the name of the action
  std::vector<WalkId> walk_domain;                      // every walk that is a value of an attribute
  int walk_slots = 0;                                   // frames have at least so many slots: see kWalkSlots
  std::vector<std::pair<ExprId, ast::Name>> can_plays;  // to be filled when all pieces are known
  Instance* instance = nullptr;                         // the action being built, or null
  bool in_move_text = false;                            // a part of `written`: it must not spoil a saved game
  std::set<std::string, std::less<>> missed;            // names of the game that the library looked for in vain
  Diagnostic unsaid;                                    // what is not said again
  std::vector<ast::Name> empty_atoms;                   // parts of turns that nobody can play
  std::set<const Symbol*> reached_actions;              // used by a turn, a piece or another action
  std::map<const Symbol*, WalkId> used_walks;           // walks without parameters
  ExprId shown_begin, shown_end;                        // expressions that no rule has, only what is shown

  // The stack of templates being inlined, against recursion; reports and gives false if `symbol` is on it.
  bool Enter(const Symbol& symbol, Span span);
  void Leave();
  // Counts against the budget of the whole game. False (once reported) when it is used up.
  bool Spend(Span span);

 private:
  friend class TurnBuilder;
  std::size_t questions_filled_ = 0;
  void CheckUnbounded(const std::vector<const ast::Turn*>& turns);
  std::set<const ast::Turn*> unbounded_;  // parts that were looked at
  ExprId LowerInner(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId Binary(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId Comparison(const Scope& s, const ast::Expr& e);
  ExprId Membership(const Scope& s, const ast::Expr& e);
  ExprId Combination(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId RangeOf(const Scope& s, const ast::Expr& e);
  ExprId Quantifier(const Scope& s, const ast::Expr& e);
  ExprId IfExpr(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId Is(const Scope& s, const ast::Expr& e);
  void WarnOfConstantZone(const Scope& s, const ast::Expr& is, bool empty);
  ExprId Pieces(const Scope& s, const ast::Expr& e);
  ExprId CellsNode(const Scope& s, const ast::Expr& e);
  ExprId RankFile(const Scope& s, const ast::Expr& e);
  ExprId SetLiteral(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId IndexExpr(const Scope& s, const ast::Expr& e);
  ExprId Field(const Scope& s, const ast::Expr& e);
  ExprId Of(const Scope& s, const ast::Expr& e, const Type* want);
  ExprId SymbolValue(const Scope& s, Symbol& symbol, const ast::Expr& e, const Type* want);
  ExprId StateRead(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& index, Span span);
  ExprId ZoneRead(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& index, Span span);
  void WarnIfNear(const ast::Expr& e, const Type& type);
  ExprId ArgumentValue(const Scope& s, const Binding& b, const Type* want);
  // While it lives, an argument is read as where it was written: `a(a(1))` is no recursion of `a`.
  class AtArgument {
   public:
    AtArgument(Lowerer& lowerer, const Binding& b) : lowerer_(lowerer), open_(lowerer.inlining_) {
      if (b.argument_depth < open_.size()) lowerer_.inlining_.resize(b.argument_depth);
    }
    ~AtArgument() { lowerer_.inlining_ = std::move(open_); }
    AtArgument(const AtArgument&) = delete;
    AtArgument& operator=(const AtArgument&) = delete;

   private:
    Lowerer& lowerer_;
    std::vector<const Symbol*> open_;
  };
  std::optional<int> Bound(const Scope& s, const ast::Expr& e);
  ExprId RelativeValue(const Scope& s, const std::vector<int>& labels, Span span);
  ExprId Direction(const Scope& s, const ast::Expr& e, ExprId cell);  // of a cell: relative ones are turned there
  ExprId Unrolled(const Scope& s, const ast::Expr& e, Op op, ExprId set);
  ExprId FunctionArity(const ast::Expr& call, std::string_view name, std::size_t min, std::size_t max,
                       std::size_t given);
  ExprId RunFunction(const Scope& s, const std::vector<const ast::Expr*>& args, Span span);
  ExprId ChoiceFunction(const Scope& s, std::string_view name, const ast::Expr& arg, Span span);
  ExprId CanPlay(const Scope& s, const std::vector<const ast::Expr*>& args, Span span);
  WalkResult WalkName(const Scope& s, const ast::Expr& e);
  WalkResult WalkCall(const Scope& s, const ast::Expr& e);
  WalkResult WalkIf(const Scope& s, const ast::Expr& e);
  WalkResult WalkFromSlot(const Binding& b, Span span);
  Scope GuardScope(const Scope& s);
  WalkNodeId StepAlong(const Scope& s, const ast::Expr& e, WalkOp op);
  WalkResult WalkParts(const Scope& s, const ast::Expr& e);
  void LowerStatement(int kind, const ast::PieceItem& item, int number);
  void AddStatement(int kind, const ast::PieceItem& item, int number, WalkNodeId node, bool may_stay, bool moves,
                    bool takes, bool threatens);
  void LowerCan(int kind, const ast::PieceItem& item);
  void LowerPromotion(int kind, const ast::PieceItem& item);
  void LowerEffect(const Scope& s, const ast::Effect& e, rules::Block& out);
  void Assign(const Scope& s, const ast::Effect& e, rules::Block& out);
  void SetUp(const Scope& s, const ast::Effect& e, rules::Block& out);
  void LowerHandler(const ast::Decl& decl, const ast::Handler& handler);
  void LowerLaw(const ast::Decl& decl, const ast::Law& law);
  void LowerOutcome(const ast::Decl& decl, const ast::Outcome& outcome);
  void LowerLine(const ast::Decl& decl, const ast::ShowDecl& show);
  void LowerShownZones(const ast::ShowZones& zones);
  bool LowerSubject(Scope& s, const ast::Subject& subject, rules::Event& event);
  void MarkRemembered(std::vector<rules::Step>& steps, const std::set<int>& slots);
  bool HasPromotion(KindSet kinds) const;

  std::unordered_multimap<uint64_t, ExprId> expr_table_;
  std::map<std::string, WalkNodeId> node_table_;
  std::map<std::pair<int, bool>, WalkId> walk_table_;
  std::map<std::string, int> cell_set_table_;
  std::map<std::pair<const Symbol*, KindSet>, ActionId> atom_table_;
  std::vector<const Symbol*> inlining_;      // the definitions being written out, outermost first
  std::map<int, WalkId> walk_substitution_;  // slot -> the walk it stands for while a table is made
  std::optional<Binding> walk_variable_;     // a walk in a slot met while lowering a walk
  int64_t spent_ = 0;
  int unrolled_ = 0;
  std::set<std::pair<int, uint32_t>> told_constant_;  // where it was: a definition is read at each use
  bool exhausted_ = false;
  int depth_ = 0;
  int walk_frame_ = kWalkSlots, walk_depth_ = 0;
  std::map<const ast::Turn*, Rounds> rounds_;
};

Lowerer& LowererOf(Context& c);

// Which expressions were visited.
class Visited {
 public:
  // False if it was visited before.
  bool Add(ExprId id) {
    if (id.index() >= seen_.size()) seen_.resize(id.index() + 1);
    if (seen_[id.index()]) return false;
    seen_[id.index()] = true;
    return true;
  }
  void Clear() { seen_.clear(); }

 private:
  std::vector<bool> seen_;
};

// Visits every expression below `id`, itself included, each once.
void VisitExprs(const rules::Rules& rules, ExprId id, Visited& seen,
                const std::function<void(const rules::Expr&)>& visit);

}  // namespace arbiter::check
