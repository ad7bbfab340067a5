// Names and what they stand for.

#include <array>

#include "check/context.h"

namespace arbiter::check {

namespace {

constexpr std::array<std::string_view, 20> kKindNames = {"option",         "player",      "piece",
                                                         "class",          "zone",        "state variable",
                                                         "piece variable", "attribute",   "set of directions",
                                                         "value",          "enumeration", "phase",
                                                         "action",         "define",      "walk",
                                                         "effect",         "turn",        "setup",
                                                         "ring",           "barrier"};
static_assert(kKindNames.size() == static_cast<std::size_t>(SymbolKind::kBarrier) + 1);

bool IsField(SymbolKind kind) { return kind == SymbolKind::kPieceVar || kind == SymbolKind::kAttribute; }

}  // namespace

std::string_view SymbolKindName(SymbolKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Symbol* Symbols::Add(Symbol symbol) {
  Symbol* added = all_.emplace_back(std::make_unique<Symbol>(std::move(symbol))).get();
  if (added->kind == SymbolKind::kEnumValue) {
    enum_values_[added->name].push_back(added);
  } else {
    (IsField(added->kind) ? fields_ : names_).emplace(added->name, added);
  }
  return added;
}

Symbol* Symbols::Find(std::string_view name) {
  auto found = names_.find(std::string(name));
  return found == names_.end() ? nullptr : found->second;
}

Symbol* Symbols::FindField(std::string_view name) {
  auto found = fields_.find(std::string(name));
  return found == fields_.end() ? nullptr : found->second;
}

Symbol* Symbols::FindEnumValue(std::string_view name, int enumeration) {
  auto found = enum_values_.find(std::string(name));
  if (found == enum_values_.end()) return nullptr;
  if (enumeration < 0) return found->second.size() == 1 ? found->second.front() : nullptr;
  for (Symbol* symbol : found->second) {
    if (symbol->type.enumeration == enumeration) return symbol;
  }
  return nullptr;
}

std::vector<Symbol*> Symbols::EnumValues(std::string_view name) {
  auto found = enum_values_.find(std::string(name));
  return found == enum_values_.end() ? std::vector<Symbol*>{} : found->second;
}

std::vector<std::string> Symbols::Names(const std::function<bool(const Symbol&)>& keep) const {
  constexpr std::size_t kMost = 1000;  // enough for a good guess
  std::vector<std::string> names;
  for (const auto& symbol : all_) {
    if (names.size() < kMost && keep(*symbol)) names.push_back(symbol->name);
  }
  return names;
}

}  // namespace arbiter::check
