// What the declaration passes of the checker share among themselves. Private to check/.
//
// These passes give every name its place in the Rules and in Symbols; they read expressions only
// where constants are needed (options, cells of zones, initial values).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/context.h"

namespace arbiter::check {

// Adds a symbol, or reports why the name cannot be declared: a built-in word, or declared before
// (then null). Fields and enumeration values have namespaces of their own.
Symbol* Declare(Context& c, Symbol symbol);

std::string WithArticle(std::string_view noun);  // "an option"
bool IsBuiltInWord(std::string_view name);

// `no zone named `gaol``, with the near name among those of `kinds`, if any.
Diagnostic& UnknownName(Context& c, Span span, std::string_view what, std::string_view name,
                        std::initializer_list<SymbolKind> kinds);
// The module of the library that declares a name ("std.royal"), or "".
std::string LibraryModule(std::string_view name);
void Suggest(Diagnostic& diagnostic, Span span, std::string_view wrong, const std::vector<std::string>& names);

// The kinds and classes that a list names, as a set; reports unknown ones.
rules::KindSet KindsOf(Context& c, const std::vector<ast::Name>& names);

// A whole number from numbers, options and + -. Reports and gives nothing if it is none.
std::optional<rules::Value> ConstantInt(Context& c, const ast::Expr& expr);

// What a value is called in texts: "true", "12", "White", "c_f", "none".
std::string ValueText(const Context& c, const rules::Type& type, rules::Value value);
std::string TypeText(const Context& c, const rules::Type& type);
// "bench[White]" for the slot "bench[White][2]"; and the names of all places that one declaration makes.
std::string NameOfPlace(const std::string& slot);
std::vector<std::string> PlaceNames(const Context& c, const rules::Zone& zone);

// ---- indices -----------------------------------------------------------------------------------

// `[p, kingside]` of a zone or set-up: each index is one value, or a name for all values of its type.
struct IndexPattern {
  struct Part {
    std::string name;  // empty: a value
    rules::Value value = rules::kNone;
    Span span;
  };
  std::vector<Part> parts;
};

// A constant of some type: a player, an enumeration value or a number; null type: unknown name.
struct NamedValue {
  rules::Type type;
  rules::Value value = rules::kNone;
};
std::optional<NamedValue> FindValue(Context& c, std::string_view name, const rules::Type* want);

int CountOf(const std::vector<std::vector<rules::Value>>& index);
// The place of one choice of values in a flat table, last index fastest; -1 if it is none.
int FlatOf(const std::vector<std::vector<rules::Value>>& index, const std::vector<rules::Value>& values);
// All flat places that the pattern stands for, each with the values of its names in order of the parts.
struct PatternPlace {
  int flat = 0;
  std::vector<rules::Value> values;
};
std::vector<PatternPlace> PlacesOf(const std::vector<std::vector<rules::Value>>& index, const IndexPattern& pattern);
// A scope in which the names of a pattern stand for these values.
Scope ScopeOf(const std::vector<rules::Type>& types, const IndexPattern& pattern,
              const std::vector<rules::Value>& values);

}  // namespace arbiter::check
