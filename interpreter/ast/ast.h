// The rule file as a tree, exactly as it was written.
//
// Nothing here is resolved: a name is text with a span. A node of kind kError stands where the
// parser could not read something; later passes are silent about it. The tree of one file owns
// all its nodes; trees are built once by parse/ and then left alone (check/ may move declarations
// out of it when a file extends another).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "source/source.h"

namespace arbiter::ast {

using source::Span;

struct Name {
  std::string text;  // empty in an error node
  Span span;
  [[nodiscard]] bool present() const { return !text.empty(); }
};

struct Cite {
  std::string clause;  // "4.2"
  Span span;
};
using Cites = std::vector<Cite>;

// ---- expressions and walks ---------------------------------------------------------------------
//
// One node type for expressions, walks and filters: the same name or call may turn out to be any of
// them, and an argument is read by the type of the parameter it meets.

enum class ExprKind : uint8_t {
  kError,
  // expressions
  kInt,            // number
  kString,         // text (without quotes)
  kName,           // text. Also true, false, none, me, self, everywhere, cells, directions, `ahead`, `deflect`, `done`
  kCall,           // text(children…)
  kIndex,          // children[0][children[1..]]
  kField,          // children[0].text
  kOf,             // children[0] of children[1]        (King of p, opponent of p)
  kNot,            // not children[0]
  kBinary,         // children[0] text children[1]; text: and or implies == != < <= > >= + - & in "not in" ..
  kQuantifier,     // text (some every no count) name.text in children[0] : children[1]
  kIf,             // if children[0] then children[1] else children[2]
  kIs,             // children[0] is [not] words…       (negated; words: empty, own, enemy, royal, King, own King)
  kExists,         // children[0] exists
  kPieces,         // `[own|enemy] pieces|NAME [of children.owner] [except names] [on cells]`, see below
  kCells,          // `empty cells`, `own cells`, `enemy cells`: words[0]
  kRank,           // rank(s)/file(s): text is "rank" or "file"; children[0] int, name or range
  kSet,            // { children… }
  kComprehension,  // { name in children[0] : children[1] }
  // walks
  kThen,     // children in sequence
  kWays,     // children as alternatives
  kRepeat,   // children[0]{times}. `?` 0..1, `*` 0..-1, `+` 1..-1
  kOver,     // children[0] over children[1]; children[1] is kFilter or an expression
  kGuard,    // (if children[0])
  kFace,     // face children[0]
  kTurn,     // turn text      (left, right, half_left, half_right, back, …)
  kLeap,     // leap(children[0], children[1])
  kBetza,    // betza "text"
  kMayStay,  // children[0] may stay
  // filters: `[not] term or term …`
  kFilter,     // negated; children are kFilterTerm
  kFilterTerm  // words: {"empty"} {"occupied"} {"any","piece"} {"any"} {"enemy"} {"own"} {"enemy","Rook"} {"Rook"}
               // {"ep"}
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

// How often a part comes. A bound that is no plain number (an option, a parameter, `times - 1`) is an
// expression, and then the number beside it means nothing; `{times}` has it as both bounds.
struct Times {
  int min = 0, max = 0;  // max -1: no bound
  ExprPtr least, most;
};

struct Expr {
  ExprKind kind = ExprKind::kError;
  Span span;
  Span word;  // the name or operator itself, for carets
  std::string text;
  int64_t number = 0;        // kInt
  Times times;               // kRepeat
  bool negated = false;      // kIs, kFilter
  Name name;                 // the variable of kQuantifier, kComprehension
  std::vector<Name> words;   // kIs, kCells, kFilterTerm; kPieces: {[own|enemy|empty|royal], "pieces"|kind or class}
  std::vector<Name> except;  // kPieces
  ExprPtr owner;             // kPieces: `of …`
  ExprPtr on;                // kPieces: `on …`
  std::vector<ExprPtr> children;
};

// A query: `W from E onto FILTER [within Z]`.
struct Query {
  ExprPtr walk;
  ExprPtr from;
  ExprPtr onto;    // kFilter
  ExprPtr within;  // may be null
  Span span;
};

// ---- effects -----------------------------------------------------------------------------------

enum class EffectKind : uint8_t {
  kError,
  kMove,     // target -> value
  kLift,     // lift target
  kPut,      // put target on value
  kPlace,    // place name of owner at value
  kRemove,   // remove [at] target
  kSwap,     // swap target, value
  kBecomes,  // target becomes value
  kJoins,    // target joins value
  kAssign,   // target op value; op: = += -=
  kSetUp,    // set up value
  kGoto,     // goto value
  kWin,      // win value
  kLose,     // lose value
  kDraw,     // draw
  kResult,   // result values to players
  kIf,       // if value { body } else { otherwise }
  kFor,      // for name in value { body }
  kCall      // name(args): an `effect`
};

struct Effect {
  EffectKind kind = EffectKind::kError;
  Span span;
  Name name;
  ExprPtr target;
  ExprPtr value;
  ExprPtr owner;
  std::string op;
  std::vector<ExprPtr> args;                         // kCall
  std::vector<std::pair<ExprPtr, ExprPtr>> results;  // kResult: points, player
  std::vector<Effect> body;
  std::vector<Effect> otherwise;
  Cites cites;
};
using Block = std::vector<Effect>;

// ---- types and parameters ----------------------------------------------------------------------

enum class TypeKind : uint8_t { kError, kName, kRange, kSet };

// `bool`, `cell?`, `0..12`, `{ a, b }`, `directions { all, orthogonal }`.
struct Type {
  TypeKind kind = TypeKind::kError;
  Name name;                    // kName, and in front of a set
  ExprPtr low, high;            // kRange: constants or options
  std::vector<ExprPtr> values;  // kSet
  bool optional = false;
  Span span;
};

struct Param {
  Name name;
  std::optional<Type> type;
};

struct Index {  // `[player, side in { kingside, queenside }]`; for zones also `[White]`, `[p]`
  Name name;
  std::optional<Type> type;
};

// ---- actions -----------------------------------------------------------------------------------

enum class StepKind : uint8_t {
  kError,
  kChoose,     // choose name = query | choose name in value
  kLet,        // let name [: type] = query | let name [: type] = value
  kRequire,    // require value
  kDo,         // do { block }
  kIf,         // if value { body } else { otherwise }
  kFor,        // for name in value { body }
  kWritten,    // written parts
  kThreatens,  // threatens value
  kCall        // name(args): another action, `any_move(p)`, or an effect
};

struct Step {
  StepKind kind = StepKind::kError;
  Span span;
  Name name;
  std::optional<Type> type;  // kLet
  std::optional<Query> query;
  ExprPtr value;
  Block block;
  std::vector<ExprPtr> args;  // kCall; the parts of kWritten
  std::vector<Step> body;
  std::vector<Step> otherwise;
  Cites cites;
};

// ---- turns -------------------------------------------------------------------------------------

enum class TurnKind : uint8_t {
  kError,
  kAtom,    // name: an action, a named turn, done, pass, or "any move"
  kThen,    // children in sequence
  kOr,      // children
  kElse,    // children, first that can be completed
  kIf,      // if condition : children[0] otherwise children[1]
  kRepeat,  // children[0]{times}
  kLongest  // longest children[0]
};

struct Turn {
  TurnKind kind = TurnKind::kError;
  Span span;
  enum class By : uint8_t { kAnyone, kSame, kOther };

  Name name;
  std::vector<Name> except;  // `any move except …`
  By by = By::kAnyone;
  ExprPtr condition;
  Times times;  // kRepeat
  std::vector<std::unique_ptr<Turn>> children;
  Cites cites;
};
using TurnPtr = std::unique_ptr<Turn>;

// ---- declarations ------------------------------------------------------------------------------

struct Game {
  std::string title;
};
struct Author {
  std::string text;
};
struct Text {
  std::string path;
  Span span;
};
struct Use {
  std::string module;
  Span span;
};  // "std.walks"
struct Extends {
  std::string path;
  Span span;
};
struct Delete {
  Name what;
  Name name;
};  // delete piece Pawn
struct Option {
  Name name;
  Type type;
  ExprPtr value;
};
struct PlayerDecl {
  Name name;
  Name facing;
};  // facing may be absent
struct Players {
  std::vector<PlayerDecl> players;
};

struct Zone {
  Name name;
  std::vector<Index> index;
  std::vector<ExprPtr> cells;  // the union
};

enum class BoardItemKind : uint8_t {
  kError,
  kSquares,       // squares numbers[0] x numbers[1]; without: cut cells; wrap: files | ranks
  kHexes,         // hexes names[0] numbers…   (shape: hexagon N | rhombus W H | rectangle W H)
  kCells,         // cells names…
  kLink,          // link names[0] names[1] -> names[2]
  kDirections,    // directions names[0] = values…   a named set of directions
  kPlace,         // place names[0] index numbers[0]
  kRing,          // ring names[0] names[1](clockwise|counterclockwise) from names[2] [around without]
  kFacing,        // facing along names…
  kDeflectAt,     // deflect at CELL FROM -> TO, …: turns; [if condition]
  kDeflectEdges,  // deflect diagonals at edges: names[0], names[1]; [if condition]
  kBarrier,       // barrier names[0] between values[0] and values[1]
  kZone           // zone
};

struct Deflection {
  Name cell, from, to;
};

struct BoardItem {
  BoardItemKind kind = BoardItemKind::kError;
  Span span;
  std::vector<Name> names;
  std::vector<int> numbers;
  std::vector<Span> number_spans;
  std::vector<Index> index;
  std::vector<ExprPtr> values;
  std::vector<Deflection> turns;
  ExprPtr without;
  std::vector<Name> wrap;
  ExprPtr condition;
  std::optional<Zone> zone;
  Cites cites;
};
struct Board {
  std::vector<BoardItem> items;
};

struct StateVar {
  enum class Life : uint8_t { kPlain, kBrief, kClock };
  Life life = Life::kPlain;
  Name name;
  std::vector<Index> index;
  Type type;
  ExprPtr initial;
  Span span;
};
struct State {
  bool of_pieces = false;
  std::vector<StateVar> vars;
};

struct Riders {
  ExprPtr from;  // null: anywhere
  ExprPtr to;    // a `kNot` node for `to not Z`
  ExprPtr condition;
  std::optional<Block> effects;
};

enum class PieceItemKind : uint8_t {
  kError,
  kMoves,          // (move|take|threaten joined by or) walk riders
  kBetza,          // betza "FfmW" as a statement: text in walk (kBetza)
  kPromotes,       // promotes to names in zone [if condition] [optional]
  kCan,            // can name(args) riders
  kMayBeOffBoard,  // may be off board
  kAttribute       // name = values…
};

struct PieceItem {
  PieceItemKind kind = PieceItemKind::kError;
  Span span;
  bool moves = false, takes = false, threatens = false;
  ExprPtr walk;
  Riders riders;
  Name name;
  std::vector<ExprPtr> args;
  std::vector<Name> names;  // promotion kinds
  ExprPtr zone;
  ExprPtr condition;
  bool optional = false;
  std::vector<ExprPtr> values;
  Cites cites;
};

struct Piece {
  bool neutral = false, fixed = false;
  Name name;
  std::vector<std::string> letters;  // "K", or two for caseless scripts
  Span letters_span;
  Name like;  // piece B2 like Bishop
  std::vector<Name> classes;
  std::vector<PieceItem> items;
};
struct PieceAttribute {
  Name name;
  Type type;
};
struct EveryPiece {
  std::vector<Name> except;
  std::vector<PieceItem> items;
};
struct ClassDecl {
  std::vector<Name> names;
};

struct Action {
  Name name;
  std::vector<Param> params;
  std::vector<Name> by;
  std::vector<Step> steps;
};
struct Define {
  Name name;
  std::vector<Param> params;
  ExprPtr value;
};
struct WalkDecl {
  Name name;
  std::vector<Param> params;
  ExprPtr walk;
};
struct EffectDecl {
  Name name;
  std::vector<Param> params;
  Block block;
};
struct TurnDecl {
  Name name;
  TurnPtr turn;
};  // name absent: the game's turn
struct Phase {
  Name name;
  ExprPtr player;
  TurnPtr turn;
  std::optional<Block> after;
};

enum class EventKind : uint8_t {
  kError,
  kTurnBegins,
  kTurnEnds,
  kNoLegalTurn,
  kAfterAction,
  kLands,
  kEnters,
  kLeaves,
  kCrosses,
  kMoves,
  kIsMoved,
  kIsCaptured
};

struct Subject {
  bool any_piece = false;
  ExprPtr at;     // `piece at E`
  Name name;      // kind or class
  ExprPtr owner;  // `of p`
  Span span;
};

struct Event {
  EventKind kind = EventKind::kError;
  Subject subject;
  ExprPtr zone;      // lands in, enters, leaves; the barrier's name for crosses
  ExprPtr from, to;  // moves, is moved
  Span span;
};

struct Handler {
  Event event;
  std::vector<Name> phases;
  ExprPtr condition;
  Block block;
};

struct Law {
  enum class Scope : uint8_t { kEveryAction, kTurnEnd, kAction };
  Scope scope = Scope::kEveryAction;
  std::vector<Name> phases;
  Name actor;  // forbid action by NAME when …
  ExprPtr condition;
};

struct Outcome {
  enum class Kind : uint8_t { kWin, kLose, kDraw, kRepetition, kLimitTurns };
  Kind kind = Kind::kDraw;
  bool at_once = false;
  std::vector<Name> phases;
  ExprPtr player;     // win, lose
  ExprPtr condition;  // of repetition and limit: constant under the options, may be absent
  int number = 0;     // repetition N, limit turns N
  Span number_span;
};

struct SetupRef {
  Name name;
  std::vector<ExprPtr> index;
  Span span;
};

struct Setup {
  Name name;  // absent: the only one
  std::vector<ExprPtr> index;
  std::optional<SetupRef> base;             // = B with K on c
  std::vector<std::pair<Name, Name>> with;  // kind (possibly "kind of player" is not needed), cell
  Name to_move;
  std::string diagram;  // the text between the quotes
  Span diagram_span;
  std::string fen;
  Span fen_span;
};
struct Start {
  SetupRef setup;
};

// How the further fields of the game's customary FEN map to its state, in the order of the fields.
struct FenField {
  enum class Kind : uint8_t { kFlags, kCell, kNumber, kSkip };
  Kind kind = Kind::kSkip;
  std::string letters;           // kFlags: "KQkq"
  std::vector<ExprPtr> targets;  // kFlags: one per letter; kCell, kNumber: one
  Span span;
};
struct FenDecl {
  std::vector<FenField> fields;
};

// A line of information about a position: show score = goals[White], ":", goals[Black] if C
struct ShowDecl {
  Name name;
  std::vector<ExprPtr> parts;
  ExprPtr condition;  // may be null
};
// show zones A, B: those that pictures tint.
struct ShowZones {
  Name word;  // `zones`
  std::vector<Name> names;
};

struct ExampleItem {
  enum class Kind : uint8_t {
    kError,
    kSetup,     // setup [ref]
    kPosition,  // position { … } : entries
    kFen,       // position fen "…" / position "…"
    kMoves,     // moves = {…} | moves of CELL = {…} | moves where C = {…}
    kCount,     // count moves = n
    kLegal,     // legal M M …   (a turn; several actions separated by blanks)
    kIllegal,   // illegal M [because §n]
    kAfter,     // after M M …   (plays them; the following items speak of the new position)
    kPerft,     // perft a..b = n, …
    kResult,    // result win P | lose P | draw | none | points n to P, …
    kHolds      // holds C
  };
  Kind kind = Kind::kError;
  Span span;
  std::optional<SetupRef> setup;
  // kPosition, in order: player, kind, cells or places (`bench[White]`); or a state variable and its value; or
  // `to move P`.
  struct Entry {
    Name player, kind;
    std::vector<Name> cells;
    ExprPtr variable, value;  // `travelled[White] = true`
    Name to_move;
  };
  std::vector<Entry> entries;
  std::string text;                                 // kFen
  Name of;                                          // moves of CELL
  ExprPtr where;                                    // moves where C; holds C
  std::vector<std::pair<std::string, Span>> moves;  // as written, e.g. "c3-c4-c3", "O-O", "e7-e8=Q"
  Cites because;
  int low = 0, high = 0;  // perft
  std::vector<int64_t> numbers;
  std::string word;  // kResult: win lose draw none points
  Name player;
  std::vector<std::pair<ExprPtr, Name>> points;
};

struct Example {
  std::string title;
  // `with option = value` lines: `example "…" §1 with sideways = any { … }`
  std::vector<std::pair<Name, ExprPtr>> options;
  std::vector<ExampleItem> items;
};

struct ErrorDecl {
  Name name;  // what it was going to declare, as far as one can tell; often absent
};

using Payload =
    std::variant<ErrorDecl, Game, Author, Text, Use, Extends, Delete, Option, Players, Board, Zone, State, Piece,
                 PieceAttribute, EveryPiece, ClassDecl, Action, Define, WalkDecl, EffectDecl, TurnDecl, Phase, Handler,
                 Law, Outcome, Setup, Start, FenDecl, ShowDecl, ShowZones, Example>;

struct Decl {
  Payload payload;
  Span span;
  bool replaces = false;  // `replace …`
  std::string doc;        // the `///` lines above, without the slashes
  Cites cites;
};

struct File {
  source::FileId file;
  std::vector<Decl> decls;
};

// A short, stable dump for tests: one node a line, indented.
std::string Dump(const File& file);

}  // namespace arbiter::ast
