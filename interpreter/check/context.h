// What the passes of the checker share. Private to check/.
//
// Order of passes: imports (one flat list of declarations) -> declare (symbols of everything, types of
// state, kinds, enumerations) -> options -> board and zones -> lower (walks, expressions, actions,
// turns, handlers, laws, ends) -> set-ups, examples -> lints.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ast/ast.h"
#include "diagnostics/diagnostic.h"
#include "rules/rules.h"
#include "source/loader.h"
#include "source/source.h"

namespace arbiter::check {

using diagnostics::Code;
using diagnostics::Diagnostic;
using source::Span;

enum class SymbolKind : uint8_t {
  kOption,
  kPlayer,
  kKind,
  kClass,
  kZone,
  kStateVar,
  kPieceVar,
  kAttribute,
  kDirectionSet,
  kEnumValue,
  kEnum,
  kPhase,
  kAction,
  kDefine,
  kWalk,
  kEffect,
  kTurn,
  kSetup,
  kRing,
  kBarrier
};
std::string_view SymbolKindName(SymbolKind kind);  // "zone", "piece", "state variable"

struct Symbol {
  SymbolKind kind{};
  std::string name;
  Span span;                        // of the name where it is declared
  const ast::Decl* decl = nullptr;  // null for enumeration values
  int id = -1;                      // index in Rules (kind, class, zone, var, phase, enum, …)
  bool library = false;             // declared in stdlib, or built in
  bool broken = false;              // its declaration was wrong: users stay silent
  int uses = 0;
  rules::Type type;                      // options, variables, enumeration values
  rules::Value value = rules::kNone;     // option: chosen value; enumeration value: its index; player
  std::vector<rules::Type> index_types;  // kZone, kStateVar
  std::vector<int> labels;               // kDirectionSet; relative directions as -1 - int(board::Relative)
  std::vector<rules::Value> option_set;  // an option of type `directions {…}`: the labels chosen
};

// One namespace for everything but fields (piece state, attributes: reached by `.`) and enumeration
// values, which may repeat between enumerations.
class Symbols {
 public:
  Symbol* Add(Symbol symbol);                                     // does not look for duplicates
  Symbol* Find(std::string_view name);                            // not fields, not enumeration values
  Symbol* FindField(std::string_view name);                       // kPieceVar, kAttribute
  Symbol* FindEnumValue(std::string_view name, int enumeration);  // -1: any; null also if several
  std::vector<Symbol*> EnumValues(std::string_view name);         // in every enumeration
  std::vector<std::string> Names(const std::function<bool(const Symbol&)>& keep) const;  // for "did you mean"
  const std::vector<std::unique_ptr<Symbol>>& all() const { return all_; }

 private:
  std::vector<std::unique_ptr<Symbol>> all_;
  // The first symbol of a name that was added; enumeration values all of them.
  std::unordered_map<std::string, Symbol*> names_, fields_;
  std::unordered_map<std::string, std::vector<Symbol*>> enum_values_;
};

struct SourceDecl {
  const ast::Decl* decl = nullptr;
  bool library = false;
};

// All set-ups of one name. Ids are given before lowering, contents after it.
struct SetupFamily {
  std::vector<rules::Type> index_types;  // empty: one set-up
  std::vector<rules::SetupId> setups;    // flat, last index fastest; invalid: not declared
  Span span;
};

struct Context {
  Context(const source::SourceMap& s, diagnostics::Sink& d, rules::Rules& r) : sources(s), sink(d), rules(r) {}

  const source::SourceMap& sources;
  diagnostics::Sink& sink;
  rules::Rules& rules;
  Symbols symbols;
  std::vector<SourceDecl> decls;  // flat, after imports, extends, replace, delete; in file order
  std::vector<std::unique_ptr<ast::File>> files;
  // By kind: the items of `like`, its own, those of `every piece`.
  std::vector<std::vector<const ast::PieceItem*>> kind_items;
  std::map<std::string, SetupFamily, std::less<>> setup_families;  // "": the set-up without a name
  // By file that cites clauses: where its rule text is (empty: none) and the span of that declaration.
  struct RuleText {
    std::string path;
    Span span;
  };
  std::map<source::FileId, RuleText> texts;
  // By where a `use` or `extends` stands: the file it brings in.
  std::map<std::pair<source::FileId, uint32_t>, source::FileId> imported;
  board::Builder builder;  // until the board is taken into `rules`; leaps may still be added
  bool board_taken = false;
  bool trace = false;
  std::shared_ptr<class Lowerer> lowerer;  // lower.h; made on the first use

  const board::Board& board() const { return board_taken ? rules.board : builder.peek(); }
  // The templates being written out, outermost first: where each was called, and its name.
  std::vector<std::pair<Span, std::string>> calls;

  // A fault inside the library is shown at the author's call, with the steps down as the path.
  Diagnostic& Error(Code code, Span span, std::string message);
  Diagnostic& Warning(Code code, Span span, std::string message) {
    return sink.Warning(code, span, std::move(message));
  }
};

// ---- declare.cpp, options.cpp, board_items.cpp, setups.cpp (the declarations) -------------------

bool ResolveImports(Context& c, const std::string& path, const source::Loader& loader, source::SourceMap& sources);
void DeclareHeads(Context& c);  // players, classes, kinds, phases, options (types), names of all the rest
void ChooseOptions(Context& c, const std::vector<std::pair<std::string, std::string>>& chosen);
void BuildBoard(Context& c);    // board items, then facing; leap vectors of all walks are added before it is taken
void DeclareState(Context& c);  // state, piece state, attributes, kinds' items: needs options and cells
void BuildZones(Context& c);    // zones in the board and in the file, any order; places are zones too
void BuildSetups(Context& c);   // set-ups, start, fen fields
void BuildExamples(Context& c);
// What their `holds` asks with `can_play`.
void FillExampleQuestions(Context& c);
void CollectCitations(Context& c);

// Resolves a written type. Enumerations are made on the spot (one per declaration) and get symbols for
// their values.
std::optional<rules::Type> ResolveType(Context& c, const ast::Type& type, const std::string& owner_name);
// All values of an index or free name of this type, in order.
std::vector<rules::Value> ValuesOf(const Context& c, const rules::Type& type);

// ---- lower_*.cpp (expressions, walks, actions, turns, events) -----------------------------------

// Names visible while lowering. A binding is a frame slot, a constant, or an argument that is
// lowered again wherever the parameter stands (by name).
struct Scope;

struct Binding {
  enum class Kind : uint8_t { kSlot, kConst, kArgument };
  Kind kind = Kind::kSlot;
  std::string name;
  rules::Type type;
  int slot = -1;
  rules::Value value = rules::kNone;
  const ast::Expr* argument = nullptr;  // kArgument, with the scope in which it was written
  const Scope* argument_scope = nullptr;
  std::size_t argument_depth = 0;  // kArgument: how many definitions were being written out where it stands
  bool typed = false;              // kArgument: the parameter has a written type, `type`
  rules::ExprId constant{};        // kConst: a constant set (then `value` is not used)
  bool from_walk = false;          // kSlot of a `choose … = W`: has a heading, a cell before, crossed cells
  bool chosen = false;             // kSlot of a `choose`
};

struct Scope {
  const Scope* parent = nullptr;
  std::vector<Binding> bindings;
  // what surrounds the expression
  bool has_self = false;
  rules::KindSet self_kinds = 0;
  bool in_walk = false;
  bool in_handler = false;
  int* frame_size = nullptr;  // next free slot of the frame being built
  // When set, an unknown name in a position of this type becomes a free variable (handlers, laws, ends).
  std::vector<rules::FreeVar>* free = nullptr;
  std::vector<std::string>* free_names = nullptr;
  bool free_open = false;  // false: names found before may be used, none is added
  int depth = 0;           // of inlining, against recursion

  const Binding* Find(std::string_view name) const;
};

// Lowers and folds: an expression whose parts are constants (options, cells, zones with constant indices,
// set operations, `if` over options) comes back as kConst, kConstSet or kConstCells. `want` guides names
// that mean different things (a kind name as a piece or a kind; an enumeration value) and inserts
// conversions; null: whatever it is. Gives an invalid id after reporting an error.
rules::ExprId LowerExpr(Context& c, const Scope& scope, const ast::Expr& expr, const rules::Type* want);
std::optional<rules::CellSet> ConstantCells(const Context& c, rules::ExprId id);  // kConstCells, or one kConst cell
std::optional<rules::Value> ConstantValue(const Context& c, rules::ExprId id);

// The labels of a direction or set of directions by name (absolute: n, ne, …; orthogonal, diagonal, all;
// relative: forward, sideways, along, …; the author's own sets); relative ones as -1 - int(Relative).
std::optional<std::vector<int>> DirectionLabels(Context& c, std::string_view name);

void LowerEverything(Context& c);  // pieces, actions, attacks, turns, phases, handlers, laws, ends; fills `in_key`

// ---- lints.cpp ----------------------------------------------------------------------------------

void Lint(Context& c);
void CheckCitations(Context& c, const source::Loader& loader, source::SourceMap& sources);  // against the rule text

}  // namespace arbiter::check
