// What the passes of the compiler share. Private to compile/.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "program/program.h"
#include "rules/rules.h"

namespace arbiter::compile {

using program::Function;
using program::Program;
using rules::CellSet;
using rules::ExprId;
using rules::kNone;
using rules::Rules;
using rules::Value;

using SetWords = std::array<uint64_t, 4>;

struct Builder {
  const Rules& rules;
  Program& program;

  int AddSet(const CellSet& cells);               // equal sets share one index
  int AddSets(const std::vector<CellSet>& sets);  // one after the other; gives the first index
  int AddList(const std::vector<Value>& values);
  int AddKinds(rules::KindSet kinds);
  int AddIndexMap(const std::vector<Value>& values);

  std::map<SetWords, int> set_index;
  std::map<rules::KindSet, int> kind_index;
  std::map<std::vector<Value>, int> list_index, map_index;
  std::map<std::pair<int, int>, int> walk_functions;  // (expression, frame size) -> Program::functions
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

// ---- walks.cpp ---------------------------------------------------------------------------------

// One way to be related: `empty` must hold no piece, every cell of `occupied` one.
struct Path {
  CellSet empty, occupied;
};
// For one origin (or target): the other cell and the ways.
struct Related {
  int cell = -1;
  std::vector<Path> paths;
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
  // False, and why, if it would take too many groups or too much memory.
  bool MakeRow(int anchor, const std::vector<Related>& related, program::Row* row, std::string* why);
  [[nodiscard]] int last_bits() const { return last_bits_; }

 private:
  struct Item {
    const Related* related = nullptr;
    CellSet relevant;
    std::size_t asks = 0;  // size of `relevant`
    std::string key;
  };
  struct Known {
    std::vector<std::string> keys;  // sorted
    program::Group group;
    int bits = 0;
  };
  struct Bin {
    CellSet mask;
    std::vector<const Item*> items;
  };
  static std::vector<Bin> FillBins(const std::vector<const Item*>& items, std::size_t cap);
  bool Pack(const std::vector<const Item*>& items, std::vector<Bin>* bins) const;
  static std::vector<uint64_t> TableOf(const std::vector<const Item*>& items, const std::vector<int>& bits,
                                       std::size_t words);
  std::vector<const Known*> Share(int anchor, std::vector<const Item*>* left) const;
  bool MakeGroup(const std::vector<const Item*>& items, const CellSet& mask, program::Group* group, std::string* why);

  Builder& b_;
  std::map<int, std::vector<Known>> by_anchor_;
  std::map<std::vector<std::string>, program::Group> by_content_;
  int last_bits_ = 0;
};

void CompileWalks(Builder& b, Tables& tables, WalkRelations* relations);

// ---- attacks.cpp, shapes.cpp --------------------------------------------------------------------------------

void FoldAttacks(Builder& b, Tables& tables, const WalkRelations& relations);
void RecogniseLaws(Builder& b);
void RecogniseStatements(Builder& b);
void MakeHandlerCases(Builder& b);
void PlanOffers(Builder& b);
void MakeFlat(Builder& b, Tables& tables, const WalkRelations& relations);  // flat.cpp; after all others

}  // namespace arbiter::compile
