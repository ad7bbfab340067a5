// What the engine runs: tables, walk automata, bytecode, the automaton of turns.
//
// A Program is compiled from checked rules for one board. It is complete in itself: nothing here refers
// to an expression tree; spans are kept for faults only. It never changes and may be shared between
// threads. Every Program has passed Verify(), so the engine does not check again. What a walk, a law or
// a statement was compiled to, and why, is written beside it and can be listed.
//
// Cell sets take `words` 64-bit words each (1, 2 or 4, places included) and lie one after the other in
// `sets`. A row of a walk gives its ends from one origin as a function of the occupied cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "board/board.h"
#include "program/flat.h"
#include "program/index.h"
#include "rules/rules.h"

namespace arbiter::program {

using rules::KindSet;
using rules::Value;

// ---- bytecode ----------------------------------------------------------------------------------

enum class Op : uint8_t {
#define ARBITER_INS(symbol, name, operands) symbol,
#include "program/op.def"
#undef ARBITER_INS
};

struct Ins {
  Op op = Op::kReturn;
  uint8_t flag = 0;
  uint16_t a = 0, b = 0, c = 0;
  int32_t imm = 0;
};

// A piece of code with its own registers. The first registers are the slots of the frame.
struct Function {
  int entry = -1;  // -1: absent; a condition that is absent holds
  int values = 0, cells = 0, lists = 0;
  int named = 1 << 16;  // so many of each may be read before they are written, and begin as none or empty
  int slots = -1;       // of the frame, if it keeps what choices remember: V slots + 2 * slot is the heading, …
  [[nodiscard]] bool present() const { return entry >= 0; }
};

struct PieceTest {
  rules::Side side = rules::Side::kAny;
  KindSet kinds = ~KindSet{0};
};

struct Query {
  int walk = -1;  // constant walk, or
  int walk_register = -1;
  int from_register = -1;
  bool negated = false, empty = false;
  std::vector<PieceTest> pieces;
  int cell_register = -1, cells_register = -1;  // the `cells` part of the filter
  int within_register = -1;
  bool remembers = false;  // results differ by heading, cell before and crossed cells too
  int heading_register = -1, before_register = -1, crossed_register = -1;
  rules::Span span;
};

// ---- walks -------------------------------------------------------------------------------------

enum class WalkForm : uint8_t {
  kConstant,  // the ends depend on the origin only
  kTable,     // … on the occupied cells: looked up
  kFlood      // configurations searched at run time
};

// Ends that depend on the occupied cells within `mask`: set table + index(occupied & mask). With kExtract the index
// is those bits pushed together, lowest cell first; with kMagic it is Folded(the sum of (occupied & mask) * multiplier
// over the words) >> shift. The product has 128 bits: in 64 the highest cells of a word would reach only the highest
// bits, and several of them could not be told apart.
__extension__ using Product = unsigned __int128;
inline uint64_t Folded(Product product) {
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}
struct Group {
  uint32_t table = 0;  // word offset in Program::tables
  uint8_t shift = 0;   // kMagic
  uint64_t mask[4] = {0, 0, 0, 0};
  uint64_t multiplier[4] = {0, 0, 0, 0};  // kMagic
};

inline constexpr std::size_t kMaxGroups = 6;  // of one row
struct Row {
  int32_t constant = -1;  // index of a cell set: ends whatever stands where; -1: none
  int32_t group = 0;      // first index into Program::groups
  int32_t group_count = 0;
  int32_t graph = -1;  // kGraph: first node
  int32_t reach = -1;  // index of a cell set: the ends on some board; -1: not known
};

// Instructions of a walk automaton.
enum class NfaOp : uint8_t { kStep, kAhead, kFace, kTurn, kDeflect, kGuard, kSplit, kAccept };
struct NfaNode {
  NfaOp op = NfaOp::kAccept;
  int over = -1;              // kStep, kAhead: condition (function) for leaving the cell entered; -1: it must be empty
  int loop = -1;              // kSplit: which repetition this is the head of
  int turn = 0;               // kTurn
  int function = -1;          // kGuard
  std::vector<int> labels;    // kStep, kFace: absolute directions
  std::vector<int> relative;  // kStep, kFace: relative directions (board::Relative)
  std::vector<int> value_functions, list_functions;  // kStep, kFace: directions computed
  std::vector<int> next;
};

struct Walk {
  std::string name;
  WalkForm form = WalkForm::kFlood;
  std::string why;
  bool may_stay = false, reads_back = false, reads_frame = false;
  bool reads_me = false;           // tables hold only where the side is me
  bool crosses_only_empty = true;  // no `over`: a stop of `steps` must be empty
  int direction_slot = -1;         // slot of the caller that gives a direction, for which there are rows of its own
  int directions = 0;              // … one for each of so many
  int rows = -1;                   // first row; by direction, player, origin
  std::vector<NfaNode> nodes;
  int start = 0;
  std::vector<int> frame_values, frame_cells, frame_lists;  // slots of the caller that its functions read
  std::vector<int> frame_choices;  // … and slots of choices whose heading, cell before or crossed cells they read
  int tables = 0, groups = 0, bits = 0;  // for the listing: distinct tables, most groups and index bits of a row
};

// ---- state -------------------------------------------------------------------------------------

struct Variable {
  std::string name;
  int offset = 0, count = 1;
  bool brief = false, clock = false;
  rules::Type type;
  rules::Span span;
};

// Maps a value to its ordinal among the values of an index, or -1.
struct IndexMap {
  Value low = 0;
  std::vector<int16_t> ordinals;
};

struct Promotion {
  std::vector<int> kinds;
  Function zone;         // gives a cell set in S register 0… see Function result; absent with static_zone
  int static_zone = -1;  // cell set + player, if the zone depends on the player only
  Function condition;
  bool optional = false;
};

struct Kind {
  std::string name;
  bool may_be_off_board = false;
  bool fixed = false;
  std::vector<Promotion> promotions;
};

// ---- actions, events, laws, ends ---------------------------------------------------------------

struct Action {
  int name = -1;
  bool has_self = false;
  KindSet kinds = 0;
  Function function;
  struct Part {  // of the text that names the move
    Function value;
    rules::Base base = rules::Base::kCell;
    int enumeration = -1;
  };
  std::vector<Part> written;
  Function gate;          // about the position alone: if it does not hold, the action has no instance
  int first_choice = -1;  // query from where self stands, without registers: if it has no end, self has no instance
  int choices = 0;
  bool plain = false;  // a statement of the plain shape: see Plain
  std::string origin, why;
  rules::Span span;
};

// A statement that takes its own piece to one cell, removing what stands there: the shape that the
// move generator makes from tables alone.
struct Plain {
  int action = -1;
  int kind = -1;
  int walk = -1;
  bool empty = false;          // may end on an empty cell
  KindSet captures = 0;        // … on enemies of these kinds, which are removed
  int from = -1, within = -1;  // first of a cell set a player; -1: everywhere
  Function condition;          // tested once for each piece
  Function effects;            // after the move; slots as in the action
  int slot = -1;               // of the cell chosen
  bool promotes = false;
  bool overlaps = false;  // another statement of the kind may reach the same cell, with the same result
};

struct Handler {
  rules::EventOp op{};
  std::vector<rules::FreeVar> free;
  uint64_t phases = 0;
  Function match;  // owner, at, zone, from, to: may this event be one?
  Function condition;
  Function block;
  KindSet kinds = ~KindSet{0};
  int barrier = -1;
  int first_case = 0, case_count = -1;  // its cases; -1: tested by `match`
  bool owner_tested = false;            // then V register `owner_register` of `match` holds the owner
  int owner_register = -1;
  rules::Span span;
};

// One setting of the free names of a handler of a piece event, its tests folded into cell sets.
struct HandlerCase {
  std::vector<std::pair<int, Value>> slots;
  int owner = -2;          // -2: any
  int from = -1, to = -1;  // the cell left, entered must lie in this set; -1: anywhere or nowhere
  int not_from = -1, not_to = -1;
};

// Attacks of one player's pieces by statements with nothing to test but the occupied cells.
struct AttackFamily {
  KindSet kinds = 0;
  std::vector<Row> rows;       // by target: the origins from which it is attacked
  std::vector<int32_t> lines;  // by target * cells + origin: first index into Program::lines, -1: none
  bool lines_exact = true;     // every path is in `lines` and needs empty cells only
};
// A path between an attacker and its target: the cells that must be empty.
struct Line {
  int32_t between = -1;  // cell set
  int32_t next = -1;     // another path between the same two cells
};

struct Attack {
  KindSet kinds = 0;
  int walk = -1;
  Function cells, from, to, condition;
  bool folded = false;  // part of the families
};

struct Law {
  rules::Law::Scope scope{};
  std::vector<rules::FreeVar> free;
  uint64_t phases = 0;
  Function condition;
  int actor_slot = -1;
  bool asks_stuck = false;
  KindSet guarded = 0;  // recognised: no piece of mine of these kinds may be attacked …
  bool only = false;    // … as long as there is only one
  std::string why;
};

struct End {
  rules::End::Kind kind{};
  bool at_once = false, reads_clock = false;
  std::vector<rules::FreeVar> free;
  uint64_t phases = 0;
  Function player, condition, block;
  int number = 0;
  rules::Span span;
};

// ---- turns -------------------------------------------------------------------------------------

struct Offer {
  rules::Offer::Kind kind{};
  std::vector<int> parts;
  Function condition;
  std::vector<int> actions;
  int next = -1;
  rules::Offer::By by = rules::Offer::By::kAnyone;
};

struct TurnState {
  int offer = -1;
  bool in_longest = false;
  bool accept_only = false;  // nothing but the end of the turn
  std::string name;
};

struct Phase {
  std::string name;
  Function player;
  int turn = -1;
  Function after;
  rules::Span span;
};

// How an offer is generated. An offer of one action that ends the turn is direct: its plain statements are made from
// tables and counted in bulk. Direct offers may be parts of others.
struct Plan {
  bool direct = false;
  std::vector<std::vector<int>> plain;  // by kind: indices into Program::plain
  std::vector<int> others;              // actions that are run as bytecode
  KindSet movers = 0;                   // kinds with plain statements
  int next = -1;
  std::string why;
  // Of everything below the offer:
  bool apart = false;   // no move of a direct part can be met again elsewhere: direct parts may be made from tables
  bool unique = false;  // no two instances that are run as bytecode have the same list of choices
  bool light = false;   // every part is direct, or ends the turn
};

// Elements of the state that the end of a turn makes larger or smaller: inside these bounds it keeps them in range.
struct Nudge {
  int first = 0, count = 0;
  int low = 0, high = 0;
};

// ---- the whole ---------------------------------------------------------------------------------

struct Program {
  board::Board board;
  int cells = 0, board_cells = 0, players = 0, kinds_count = 0, words = 1;
  KindSet all_kinds = 0;
  std::vector<int16_t> place_first;  // by cell: the first slot of its place, or the cell itself
  std::vector<int16_t> place_size;   // by cell: slots of the place that begins here, else 0
  std::vector<uint64_t> sets;        // cell sets
  std::vector<std::vector<Value>> lists;
  std::vector<KindSet> kind_sets;
  std::vector<IndexMap> index_maps;
  std::vector<std::vector<Value>> walk_maps;
  std::vector<std::vector<Value>> attributes;  // [attribute * kinds + kind], a number: one item
  std::vector<std::vector<rules::SetupId>> setup_tables;
  int board_set = -1;  // all cells on the board

  std::vector<Ins> code;
  std::vector<rules::Span> spans;   // by instruction: for faults
  std::vector<Function> functions;  // of walks
  Function widest_frame;            // registers enough for any slot that a walk may read
  std::vector<Query> queries;

  std::vector<Walk> walks;
  std::vector<Row> rows;
  TableIndex index = TableIndex::kExtract;  // of all groups
  std::vector<Group> groups;
  std::vector<uint64_t> tables;

  std::vector<Kind> kinds;
  std::vector<Variable> vars, piece_vars;
  std::vector<int> state_var;  // flat element -> variable
  std::vector<bool> state_in_key;
  std::vector<Value> initial_state;  // by flat element
  std::vector<Value> initial_piece_state;
  std::vector<int> piece_state_key;      // elements of piece state that are part of the key …
  std::vector<int> piece_state_rest;     // … and the others
  std::vector<uint64_t> piece_features;  // key of (1, cell, kind, owner): by code * (cells + 1) + cell
  std::vector<uint64_t> state_features;  // key of (2, element): the value is mixed in
  int state_size = 0, piece_state_size = 0;
  std::vector<int> brief;  // flat elements of brief variables

  std::vector<Action> actions;
  std::vector<Plain> plain;
  std::vector<int> promotion_zones;   // by kind: first of a cell set a player where it may promote; -1: none
  std::vector<int16_t> promotion_at;  // by (kind * players + player) * cells + cell: into promotion_options; -1: none
  std::vector<std::vector<int>> promotion_options;  // kinds; -1: stays what it is
  std::vector<Handler> handlers;
  std::vector<HandlerCase> cases;
  bool has_turn_begins = false, has_turn_ends = false, has_crosses = false;
  bool has_turn_laws = false, has_at_once = false;
  bool has_plain_ends = false;                  // ends that perft must ask, other than `no legal turn`
  std::vector<std::vector<int>> first_actions;  // by phase: all actions its turn may begin with
  std::vector<Attack> attacks;
  std::vector<std::vector<AttackFamily>> families;  // by player
  std::vector<Line> lines;
  bool attacks_folded = false;  // the families are all attacks there are
  std::vector<Law> laws;
  std::vector<End> ends;
  std::vector<Offer> offers;
  std::vector<TurnState> turn_states;
  std::vector<Phase> phases;
  std::vector<Plan> plans;  // by offer
  // Nothing that follows from an action can make it impossible but laws, which may be asked before anything else
  // follows; as long as the nudged numbers are inside their bounds.
  bool harmless = false;
  std::vector<Nudge> nudges;
  Flat flat;  // the same game in its flat form, if it has one
  std::vector<rules::Setup> setups;
  rules::SetupId start;
  int lookahead_budget = 1000000;

  [[nodiscard]] const Plan& plan(int place) const {
    return plans[static_cast<std::size_t>(turn_states[static_cast<std::size_t>(place)].offer)];
  }
  [[nodiscard]] const uint64_t* set(int index) const {
    return sets.data() + static_cast<std::size_t>(index) * static_cast<std::size_t>(words);
  }
  [[nodiscard]] bool set_has(int index, int cell) const { return (set(index)[cell >> 6] >> (cell & 63)) & 1; }
};

// ---- text in and out ---------------------------------------------------------------------------

// What each walk, statement, law and place was compiled to, and why.
struct ListingLine {
  std::string part;  // "walk", "attack", "law", "action", "turn", "flat", "memory"
  std::string name;
  std::string form;  // "table", "plain", "bytecode", "look-up", …
  std::string why;
};
std::vector<ListingLine> ListingLines(const Program& program);
std::string Listing(const Program& program);
// The bytecode of one action, by index, or of everything (-1): short and stable.
std::string Dump(const Program& program, int action = -1);

// What the parts of a program take, in bytes.
struct Sizes {
  std::size_t tables =
      0;  // ends of walks and attacks by the occupied cells, with what leads to them; what a move changes
  std::size_t paths = 0;  // between attackers and their targets
  std::size_t sets = 0;
  std::size_t code = 0;
};
Sizes SizesOf(const Program& program);

// Empty, or the first thing wrong: a jump out of its function, a register or index out of range.
std::string Verify(const Program& program);

}  // namespace arbiter::program
