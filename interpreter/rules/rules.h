// The checked game: resolved, typed, immutable. What both evaluators start from.
//
// Options are folded, imports, templates, defines and effects are inlined; no name is left to look
// up and no type to test. Conversions between cells and pieces are explicit operations. Players are 0 ..; a
// neutral piece has owner kNone. Each action, handler, law, end and attack runs in a frame of its own
// of `frame_size` slots (values or sets); slots are unique within a frame.
//
// The semantics are those of docs/semantics.md (numbered there B0 to B24).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "board/board.h"
#include "rules/ids.h"
#include "rules/value.h"
#include "source/source.h"

namespace arbiter::rules {

using board::CellSet;
using source::Span;

inline constexpr int kMaxKinds = 64;
using KindSet = uint64_t;  // bit k: kind k

// ---- expressions -------------------------------------------------------------------------------

enum class Op : uint8_t {
#define ARBITER_OP(symbol, name, phrase) symbol,
#include "rules/expr.def"
#undef ARBITER_OP
};

enum class Side : uint8_t {
  kAny,    // neutral pieces too
  kOwn,    // owner is kSide
  kEnemy,  // has an owner that is not kSide
  kMine,   // owner is me
  kOf,     // owner is children[0]
  kNeutral
};

struct Expr {
  Op op = Op::kConst;
  Type type;
  Span span;            // what the author wrote
  Value value = kNone;  // kConst; ids and indices as expr.def says
  int slot = -1;
  KindSet kinds = ~KindSet{0};
  Side side = Side::kAny;
  bool on_cells = false;  // kPieces: the last child is a cell set
  std::vector<ExprId> children;
  std::vector<Value> values;      // kConstSet
  std::vector<ActionId> actions;  // kCanPlay
  TurnStateId turn;               // kCanPlay of a named turn: where it begins; then no actions
  std::vector<Span> defined;      // traced rules only: the definitions whose value this is
};

// ---- walks -------------------------------------------------------------------------------------

enum class WalkOp : uint8_t {
  kStep,     // one step along any of `directions`; sets the heading
  kAhead,    // one step along the heading
  kFace,     // heading becomes any of `directions`; no step
  kTurn,     // heading turned clockwise by `min` parts of a full turn; no step
  kDeflect,  // heading becomes the board's deflection here; no step
  kGuard,    // goes on only if `expr` holds here
  kThen,     // children in sequence
  kWays,     // any of the children
  kRepeat,   // children[0], `min` to `max` times (max -1: no bound)
  kOver,     // children[0]; cells entered inside it and left again must satisfy `expr` (with kHere), not be empty
};

// A direction a step may take: an absolute label, a relative direction, or an expression giving a
// direction or a set of directions.
struct StepDirection {
  enum class Kind : uint8_t { kLabel, kRelative, kExpr };
  Kind kind = Kind::kLabel;
  int label = -1;              // kLabel: direction or leap vector
  board::Relative relative{};  // kRelative: for kSide, at the cell where the walker stands
  ExprId expr;                 // kExpr
};

struct WalkNode {
  WalkOp op = WalkOp::kThen;
  Span span;
  std::vector<StepDirection> directions;
  std::vector<WalkNodeId> children;
  ExprId expr;
  int min = 0, max = 0;
};

// A walk denotes the set of cells on which it can end (language B2, B3). Its expressions may read the
// frame of the place that uses it.
struct Walk {
  std::string name;  // for listings; may be empty
  WalkNodeId root;
  bool may_stay = false;     // the origin may be an end
  bool reads_back = false;   // `back` is part of a configuration
  bool reads_frame = false;  // some expression reads a frame slot
  Span span;
};

// ---- filters and queries -----------------------------------------------------------------------

// What the last cell must hold. A cell passes if any enabled part accepts it; `negated` turns the
// whole list round.
struct PieceTest {
  Side side = Side::kAny;  // kAny, kOwn, kEnemy, kNeutral
  KindSet kinds = ~KindSet{0};
};
struct Filter {
  bool negated = false;
  bool empty = false;
  std::vector<PieceTest> pieces;
  ExprId cells;  // a cell (none: nothing) or a cell set; invalid: absent
};

struct Query {
  ExprId walk;  // type kWalk
  ExprId from;  // cell
  Filter onto;
  ExprId within;  // cell set; invalid: everywhere
};

// ---- effects -----------------------------------------------------------------------------------

enum class EffectOp : uint8_t {
  kMove,         // piece a -> cell b. Onto its own cell: nothing, no event
  kMoveToPlace,  // piece a -> the first free slot of cell set b (a place)
  kLift,         // piece a leaves the board, keeps kind, owner, state
  kPut,          // piece a (lifted) on cell b: one movement from the cell of the lift
  kPlace,        // a new piece of kind a, owner b (none: neutral) on cell c, initial state
  kRemove,       // piece a
  kSwap,         // pieces a, b
  kBecomes,      // piece a becomes kind b, keeps state of the same name
  kJoins,        // piece a gets owner b
  kSet,          // state var `var` at `indices` = a
  kSetPiece,     // variable `var` of piece b = a
  kSetUp,        // set up setups[setup_table[index value]]; see Effect::setups
  kGoto,         // phase a is next
  kWin,          // player a
  kLose,         // player a
  kDraw,
  kResult,  // points: pairs (int, player) in `args`
  kIf,      // a; body; otherwise
  kFor      // for slot in set a { body }: the set is fixed before the loop
};

struct Effect {
  EffectOp op = EffectOp::kDraw;
  Span span;
  ExprId a, b, c;
  VarId var;
  std::vector<ExprId> indices;
  std::vector<ExprId> args;
  std::vector<SetupId> setups;  // kSetUp: one, or one per value of `a` (a player)
  int slot = -1;
  std::vector<Effect> body;
  std::vector<Effect> otherwise;
};
using Block = std::vector<Effect>;

// ---- actions -----------------------------------------------------------------------------------

enum class StepOp : uint8_t {
  kChoose,    // slot = one end of `query`; joins the list of choices
  kChooseIn,  // slot = one element of set `expr`; joins the list
  kLet,       // slot = `expr`
  kLetWalk,   // slot = the only end of `query`, none if there is none; several: a fault
  kRequire,   // `expr`
  kEffects,   // `effects`
  kIf,        // `expr`: body, otherwise
  kFor,       // for slot in set `expr` (fixed before): body. No choices inside
  kCapture,   // removes what stands on cell `expr` if it is an enemy of kSide (part of `take`)
  kPerform,   // an instance of one of `actions` by the piece `expr`: name and choices join the list
  kName,      // the name of an action called from here joins the list: Rules::action_names[value]
  kPromote    // self, if it stands where a promotion of its kind allows: the kind joins the list
};

struct Step {
  StepOp op = StepOp::kRequire;
  Span span;
  int slot = -1;
  Query query;
  ExprId expr;
  Block effects;
  std::vector<ActionId> actions;
  int value = -1;
  bool remembers = false;  // kChoose: heading, cell before, crossed cells make results distinct
  std::vector<Step> body;
  std::vector<Step> otherwise;
};

struct Action {
  int name = -1;          // Rules::action_names; `move` and `take` statements are named "go"
  bool has_self = false;  // one instance per piece of me of these kinds that stands on a board cell
  KindSet kinds = 0;      //   (the piece is then the first choice of the list)
  int frame_size = 0;
  std::vector<Step> steps;
  // The text that names the move, in parts, looked at when the action is over: texts (enumeration kTextEnum),
  // choices as they were made. Parts that are none are left out; if all are, the text is built from the choices.
  std::vector<ExprId> written;
  Span span;
  std::string origin;  // "statement 2 of Pawn", "castle": for listings
};

// `take` and `threaten` statements, and `threatens CELLS` of general actions (then `cells`).
struct Attack {
  KindSet kinds = 0;
  WalkId walk;       // invalid if `cells`
  ExprId cells;      // cell set; may read self
  ExprId from;       // cell set in which self must stand; invalid: anywhere
  ExprId to;         // cell set in which the end must lie; invalid: anywhere
  ExprId condition;  // invalid: always
  int frame_size = 0;
  Span span;
};

struct Promotion {
  std::vector<int> kinds;  // in the order written
  ExprId zone;             // cell set
  ExprId condition;        // invalid: always
  bool optional = false;
  int frame_size = 0;  // of zone and condition
  Span span;
};

// ---- turns -------------------------------------------------------------------------------------

// A turn is an automaton. A TurnState is a place in a turn; its offer says what may come next.
struct Offer {
  enum class Kind : uint8_t {
    kAccept,  // the turn may end here
    kPlay,    // one of `actions`, then `next`
    kOr,      // any of the parts
    kElse,    // the first part with an instance that can be completed
    kIf,      // parts[0] if `condition` holds when reached, else parts[1]
    kLongest  // of what parts[0] offers, those from which most actions inside the part can follow
  };
  Kind kind = Kind::kAccept;
  std::vector<OfferId> parts;
  ExprId condition;
  int frame_size = 0;  // of the condition
  std::vector<ActionId> actions;
  TurnStateId next;
  enum class By : uint8_t { kAnyone, kSame, kOther };
  By by = By::kAnyone;  // kSame: self must be the piece that was self of the action before; kOther: it must not
  Span span;            // traced rules only: a part of a turn as it is written, around `parts`
};

struct TurnState {
  OfferId offer;
  bool in_longest = false;  // still inside a `longest` part
  std::string name;         // for graphs and help: "after attract"
};

struct Phase {
  std::string name;
  ExprId player;  // invalid: players alternate
  TurnStateId turn;
  Block after;
  int frame_size = 0;
  Span span;
};

// ---- events, laws, ends ------------------------------------------------------------------------

// A name that ranges over values (`p` in `when Ball lands in goal[p]`): every combination is tried.
struct FreeVar {
  int slot = -1;
  Type type;
  std::vector<Value> values;
};

enum class EventOp : uint8_t {
  kTurnBegins,
  kTurnEnds,
  kAfterAction,
  kLands,
  kEnters,
  kLeaves,
  kCrosses,
  kMoves,
  kIsMoved,
  kIsCaptured
};

struct Event {
  EventOp op = EventOp::kTurnBegins;
  KindSet kinds = ~KindSet{0};  // kind of the piece before any promotion of the same action
  bool any_owner = true;
  ExprId owner;     // if not any_owner
  ExprId at;        // `piece at C`: the cell it stood on; invalid: anywhere
  ExprId zone;      // cell set: lands, enters, leaves
  ExprId from, to;  // cell sets: moves, is moved; invalid: anywhere
  int barrier = -1;
};

// Slots of the frame of a handler of a piece event.
inline constexpr int kSlotIt = 0;    // the piece
inline constexpr int kSlotFrom = 1;  // the cell it left, or none
inline constexpr int kSlotTo = 2;    // the cell it came to, or none

struct Handler {
  Event event;
  std::vector<FreeVar> free;
  uint64_t phases = 0;  // bit set; 0: all
  ExprId condition;     // invalid: always
  Block block;
  int frame_size = 3;
  Span span;
};

struct Law {
  enum class Scope : uint8_t { kEveryAction, kTurnEnd, kAction };
  Scope scope = Scope::kEveryAction;
  std::vector<FreeVar> free;  // forbidden if the condition holds for some values
  uint64_t phases = 0;
  ExprId condition;
  int actor_slot = -1;  // kAction: the slot that holds self of the action just made
  bool asks_stuck = false;
  int frame_size = 0;
  Span span;
};

struct End {
  enum class Kind : uint8_t { kWin, kLose, kDraw, kNoLegalTurn, kRepetition, kLimit };
  Kind kind = Kind::kDraw;
  bool at_once = false;      // tried after every action too
  bool reads_clock = false;  // ignored by perft and `stuck`, as are kRepetition and kLimit
  std::vector<FreeVar> free;
  uint64_t phases = 0;
  ExprId player;     // kWin, kLose
  ExprId condition;  // kWin, kLose, kDraw, kNoLegalTurn; invalid: always
  int number = 0;    // kRepetition, kLimit
  Block block;       // kNoLegalTurn
  int frame_size = 0;
  Span span;
};

// ---- state, kinds, set-ups ---------------------------------------------------------------------

struct Variable {
  enum class Life : uint8_t { kPlain, kBrief, kClock };
  std::string name;
  Life life = Life::kPlain;
  Type type;
  std::vector<std::vector<Value>> index;  // the values of each index
  int offset = 0;                         // of its first element in the flat state
  int count = 1;                          // elements: product of the index sizes, last index fastest
  std::vector<Value> initial;             // one per element
  bool in_key = true;                     // false: clock, or read by no reachable rule
  bool only_shown = false;                // parts of `show` lines read it, and no reachable rule does
  Span span;
  std::vector<Type> index_types;  // of each index, as in Zone: names its values in positions and listings
};

struct Player {
  std::string name;
};

struct Enumeration {
  std::string name;
  std::vector<std::string> values;
};

struct Attribute {
  std::string name;
  Type type;  // an int, or a set of walks
};

struct Kind {
  std::string name;
  std::vector<std::string> letters;  // one per player; neutral: one
  bool neutral = false;
  bool fixed = false;
  bool may_be_off_board = false;
  std::vector<int> classes;
  std::vector<std::vector<Value>> attributes;  // by attribute index; empty: not given
  std::vector<Promotion> promotions;
  Span span;
};

struct Zone {
  std::string name;
  std::vector<std::vector<Value>> index;
  std::vector<Type> index_types;
  std::vector<CellSet> cells;  // flat, last index fastest
  bool is_place = false;
  Span span;
};

struct SetupPiece {
  int kind = -1;
  Value owner = kNone;  // kNone: neutral
  int cell = -1;        // -1: off the board
  // Flat index in the state of the piece, and value, where it is not the initial one; positions of examples only.
  std::vector<std::pair<int, Value>> state;
};

struct Setup {
  std::string name;  // "kickoff[White]"; empty: the only one
  int to_move = 0;
  bool names_mover = false;  // `set up` changes the next player only then
  std::vector<SetupPiece> pieces;
  std::vector<std::pair<int, Value>> state;  // flat index, value: from FEN fields
  Span span;
};

struct FenField {
  enum class Kind : uint8_t { kFlags, kCell, kNumber, kSkip };
  Kind kind = Kind::kSkip;
  std::string letters;       // kFlags
  std::vector<int> targets;  // flat state indices
};

struct OptionValue {
  std::string name;
  Type type;
  std::string type_text;            // "{ with_traffic, any }"
  std::vector<std::string> values;  // all that it may take, as text; empty for long ranges
  std::string chosen, initial;
  std::string doc;
  std::vector<std::string> clauses;
  Span span;
};

struct Citation {
  std::string clause;
  std::string what;  // "option", "piece", "action", "example", …
  std::string name;
  Span span;           // of the declaration
  int statement = -1;  // traced rules only: the statement that cites, none for examples
};

// ---- tracing -----------------------------------------------------------------------------------

// Rules that were checked to be traced tell where everything that is carried out stands, also what is written out
// elsewhere or folded away in other rules: calls of effects, texts of moves, conditions that options settle. The
// values of definitions stay apart, and so do the parts of turns. Their moves and positions are those of the same
// rules untraced; only the oracle runs them.

// A declaration, a part of one, a step, an effect: the places that may cite clauses and those in which names stand.
struct Statement {
  enum class Basis : uint8_t {
    kMark,    // counts if something that stands in it was carried out
    kUse,     // a name: counts if a statement counts in which the name stands
    kFile,    // an import: counts if something in that file counts
    kAlways,  // the board, the players: no game is without them
    kNever    // told, or an example: not played
  };
  Span extent;
  Basis basis = Basis::kMark;
  std::vector<int> users;  // kUse: the innermost statements in which the name stands
  source::FileId file;     // kFile; invalid: not found
  // Declarations of the game's own files only: "when", "Ball lands in goal", and where that stands.
  std::string what, name;
  Span place;
};

// ---- what is told about positions ----------------------------------------------------------------

// A line of information: the texts of the parts, put together. No rule reads it.
struct Shown {
  std::string name;           // as declared
  std::vector<ExprId> parts;  // values and sets of any type but walks
  std::vector<Span> written;  // the parts as the author wrote them
  ExprId condition;           // invalid: always
  bool of_state = false;      // reads nothing but state that is no clock
  int frame_size = 0;
  Span span;
};

// ---- examples ----------------------------------------------------------------------------------

// One condition of `holds A and B`. What it was made from is told if it fails: its text, and for a comparison
// the texts and values of both sides (a piece is shown by its cell).
struct Claim {
  ExprId condition;
  std::string text;
  struct Side {
    std::string text;
    ExprId value;
  };
  std::vector<Side> sides;
};

struct ExampleStep {
  enum class Kind : uint8_t {
    kSetup,
    kPosition,
    kMoves,
    kMovesOf,
    kMovesWhere,
    kCount,
    kLegal,
    kIllegal,
    kAfter,
    kPerft,
    kResult,
    kHolds
  };
  Kind kind = Kind::kSetup;
  SetupId setup;                   // kSetup; kPosition starts from an empty board
  std::vector<SetupPiece> pieces;  // kPosition
  int to_move = 0;
  int phase = 0;
  std::vector<std::pair<int, Value>> state;
  std::vector<std::string> moves;  // as written
  int cell = -1;                   // kMovesOf
  ExprId where;                    // kMovesWhere: frame slot 0 is the first cell chosen, 1 the last
  int frame_size = 2;              // kMovesWhere, kHolds
  std::vector<Claim> claims;       // kHolds
  std::vector<int64_t> numbers;    // kCount: one; kPerft: for depths low..high
  int low = 0, high = 0;
  std::string word;  // kResult: win lose draw none points
  int player = -1;
  std::vector<std::pair<int, int>> points;  // (points, player)
  std::vector<std::string> because;
  Span span;
};

struct Example {
  std::string title;
  std::vector<std::pair<std::string, std::string>> options;  // other than the defaults
  std::vector<ExampleStep> steps;                            // empty where the options differ from those of these Rules
  std::vector<std::string> clauses;
  Span span;
};

// ---- the whole ---------------------------------------------------------------------------------

struct Rules {
  std::string title, author, text_path;
  Span text_span;
  std::vector<Player> players;
  board::Board board;
  std::vector<std::string> classes;
  std::vector<Kind> kinds;
  std::vector<Enumeration> enums;
  std::vector<Attribute> attributes;
  IdVector<ZoneId, Zone> zones;
  std::vector<CellSet> cell_sets;
  IdVector<ExprId, Expr> exprs;
  IdVector<WalkNodeId, WalkNode> walk_nodes;
  IdVector<WalkId, Walk> walks;
  std::vector<std::vector<WalkId>> walk_maps;  // by WalkId of the argument; invalid: none
  std::vector<std::string> action_names;
  std::vector<std::string> written_texts;  // values of the enumeration kTextEnum
  IdVector<ActionId, Action> actions;
  std::vector<Attack> attacks;
  IdVector<VarId, Variable> vars;        // game state
  IdVector<VarId, Variable> piece_vars;  // per piece; offset counts within one piece
  int state_size = 0;                    // flat elements of vars
  int piece_state_size = 0;
  IdVector<OfferId, Offer> offers;
  IdVector<TurnStateId, TurnState> turn_states;
  std::vector<Phase> phases;      // at least one
  std::vector<Handler> handlers;  // in file order
  std::vector<Law> laws;
  std::vector<End> ends;  // in file order
  IdVector<SetupId, Setup> setups;
  SetupId start;
  std::vector<FenField> fen_fields;
  std::vector<Shown> shown;         // in file order
  std::vector<ZoneId> shown_zones;  // that pictures tint; empty: any
  std::vector<OptionValue> options;
  std::vector<Example> examples;
  std::vector<Citation> citations;
  std::vector<Statement> statements;  // traced rules only
  int lookahead_budget = 1000000;     // actions tried to complete one turn

  [[nodiscard]] int player_count() const { return static_cast<int>(players.size()); }
};

// A short, stable dump for tests and for the curious. Whole game, or one declaration by name.
std::string Dump(const Rules& rules);
std::string DumpExpr(const Rules& rules, ExprId id);
std::string DumpWalk(const Rules& rules, WalkId id);

}  // namespace arbiter::rules
