// What the passes of the compiler share. Private to compile/.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/magic.h"
#include "program/program.h"
#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::compile {

using program::Function;
using program::Program;
using rules::CellSet;
using rules::ExprId;
using rules::kNone;
using rules::Rules;
using rules::Value;

using SetWords = std::array<uint64_t, 4>;

// ---- ways.cpp ----------------------------------------------------------------------------------

// For look-ups only: nothing depends on its order.
struct HashNumbers {
  template <typename Numbers>
  std::size_t operator()(const Numbers& numbers) const {
    uint64_t hash = numbers.size();
    for (const uint64_t n : numbers) hash = rules::Mix(hash ^ n);
    return static_cast<std::size_t>(hash);
  }
};

// One way to be related: `empty` must hold no piece, every cell of `occupied` one.
struct Path {
  CellSet empty, occupied;
  bool operator==(const Path&) const = default;
};
// All the ways between two cells.
struct Ways {
  std::vector<Path> paths;
  CellSet relevant;      // the cells that they ask about
  std::size_t asks = 0;  // how many those are
  bool always = false;   // one of them asks nothing
  int alike = 0;         // the first list that holds on the same boards, as far as that is easily seen
};
// Lists of ways, equal ones once. List 0 is the one way that asks nothing.
class WayLists {
 public:
  WayLists() { Add({Path{}}); }
  int Add(const std::vector<Path>& paths);
  const Ways& operator[](int index) const { return lists_[static_cast<std::size_t>(index)]; }

 private:
  std::vector<Ways> lists_;
  std::unordered_multimap<std::size_t, int> index_;  // by hash
};

struct Builder {
  const Rules& rules;
  Program& program;

  int AddSet(const CellSet& cells);               // equal sets share one index
  int AddSets(const std::vector<CellSet>& sets);  // one after the other; gives the first index
  int AddList(const std::vector<Value>& values);
  int AddKinds(rules::KindSet kinds);
  int AddIndexMap(const std::vector<Value>& values);

  std::unordered_map<SetWords, int, HashNumbers> set_index;
  std::map<rules::KindSet, int> kind_index;
  std::map<std::vector<Value>, int> list_index, map_index;
  std::map<std::pair<int, int>, int> walk_functions;  // (expression, frame size) -> Program::functions
  WayLists ways;                                      // of all relations
};

// ---- code.cpp ----------------------------------------------------------------------------------

// Functions over expressions and blocks, in a frame of `frame_size` slots. An invalid id gives an absent
// function.
Function CompileValue(Builder& b, ExprId id, int frame_size, bool keeps_choices = false);
Function CompileCells(Builder& b, ExprId id, int frame_size);
Function CompileList(Builder& b, ExprId id, int frame_size, bool keeps_choices = false);
Function CompileBlock(Builder& b, const rules::Block& block, int frame_size);
// Condition and block of a handler in one frame with the tests of its event.
void CompileHandler(Builder& b, const rules::Handler& handler, program::Handler* out);
void CompileAction(Builder& b, const rules::Action& action, program::Action* out);
// Do all of `holds` hold, and is none of `exists` none?
Function CompileGate(Builder& b, const std::vector<ExprId>& holds, const std::vector<ExprId>& exists, int frame_size);

// What the last cell must hold, but for `cells`, which take registers.
inline void CopyFilter(const rules::Filter& from, program::Query* to) {
  to->negated = from.negated;
  to->empty = from.empty;
  for (const rules::PieceTest& t : from.pieces) to->pieces.push_back({t.side, t.kinds});
}

// ---- walks.cpp ---------------------------------------------------------------------------------

// For one origin (or target): the other cell and the ways, an index into Builder::ways.
struct Related {
  int cell = -1;
  int ways = 0;
};
struct Relation {
  bool known = false;
  std::string why;                       // if not known
  std::vector<std::vector<Related>> at;  // by origin
};

// Relations of every walk, by player; equal ones are shared.
struct WalkRelations {
  std::vector<std::vector<Relation>> by_walk;  // [walk][player]; one entry if the player does not matter
  [[nodiscard]] const Relation& Of(int walk, int player) const {
    const auto& r = by_walk[static_cast<std::size_t>(walk)];
    return r[r.size() == 1 ? 0 : static_cast<std::size_t>(player)];
  }
};

// Rows of tables; shares what is equal.
class Tables {
 public:
  explicit Tables(Builder& b) : b_(b) {}
  // `related`: every cell once. False, and why, if it would take too many groups or too much memory.
  bool MakeRow(int anchor, std::span<const Related> related, program::Row* row, std::string* why);
  [[nodiscard]] int last_bits() const { return last_bits_; }

 private:
  using Key = uint64_t;  // of an item: the cell, and what its ways say
  struct Item {
    int cell = -1;
    const Ways* ways = nullptr;
    Key key = 0;
  };
  using Items = std::vector<const Item*>;
  struct Known {
    std::vector<Key> keys;  // sorted
    program::Group group;
    int bits = 0;
  };
  struct Bin {
    CellSet mask;
    std::size_t size = 0;  // of `mask`
    Items items;
  };
  static bool FillBins(const Items& items, std::size_t cap, std::size_t most, std::vector<Bin>* bins);
  bool Pack(Items items, std::vector<Bin>* bins) const;
  static void FillTable(const Items& items, const std::vector<int>& bits, std::size_t words, uint64_t* table);
  std::vector<const Known*> Share(int anchor, Items* left) const;
  bool MakeGroup(const Bin& bin, const std::vector<Key>& keys, program::Group* group, std::string* why);
  bool PlaceTable(const Items& items, const std::vector<int>& bits, program::Group* group, std::string* why);
  void Remember(int anchor, std::vector<Known> made);

  Builder& b_;
  std::unordered_map<int, std::vector<Known>> by_anchor_;  // the largest first
  std::unordered_map<std::vector<Key>, program::Group, HashNumbers> by_content_;
  SparseNumbers numbers_;
  int last_bits_ = 0;
};

void CompileWalks(Builder& b, Tables& tables, WalkRelations* relations);

// ---- attacks.cpp, guards.cpp, shapes.cpp, offers.cpp -----------------------------

void FoldAttacks(Builder& b, Tables& tables, const WalkRelations& relations);
void RecogniseLaws(Builder& b);
void RecogniseStatements(Builder& b);
void MakeHandlerCases(Builder& b);
void PlanOffers(Builder& b);
void MakeFlat(Builder& b, Tables& tables, const WalkRelations& relations);  // flat.cpp; after all others

}  // namespace arbiter::compile
