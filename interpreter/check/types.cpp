// Written types, the values of a type, and constants that are needed before lowering.

#include <algorithm>
#include <limits>

#include "check/declare.h"

namespace arbiter::check {

using rules::Base;
using rules::Type;
using rules::Value;

namespace {

struct TypeName {
  std::string_view name;
  Base base;
  bool set;
};
constexpr TypeName kTypeNames[] = {
    {"bool", Base::kBool, false},
    {"number", Base::kInt, false},
    {"player", Base::kPlayer, false},
    {"players", Base::kPlayer, true},
    {"cell", Base::kCell, false},
    {"cells", Base::kCell, true},
    {"zone", Base::kCell, true},
    {"piece", Base::kPiece, false},
    {"pieces", Base::kPiece, true},
    {"kind", Base::kKind, false},
    {"kinds", Base::kKind, true},
    {"direction", Base::kDirection, false},
    {"directions", Base::kDirection, true},
    {"phase", Base::kPhase, false},
    {"phases", Base::kPhase, false},
    {"walk", Base::kWalk, false},
    {"walks", Base::kWalk, true},
};

void SetRange(const Context& c, Type& type) {
  auto count = [&](std::size_t n) { type.low = 0, type.high = n == 0 ? 0 : static_cast<Value>(n - 1); };
  switch (type.base) {
    case Base::kBool:
      type.low = 0, type.high = 1;
      break;
    case Base::kInt:
      type.low = std::numeric_limits<Value>::min() + 1, type.high = std::numeric_limits<Value>::max();
      break;
    case Base::kEnum:
      count(c.rules.enums[static_cast<std::size_t>(type.enumeration)].values.size());
      break;
    case Base::kPlayer:
      count(c.rules.players.size());
      break;
    case Base::kKind:
      count(c.rules.kinds.size());
      break;
    case Base::kPhase:
      count(c.rules.phases.size());
      break;
    case Base::kCell:
      count(static_cast<std::size_t>(c.board().size()));
      break;
    case Base::kDirection:
      count(static_cast<std::size_t>(c.board().direction_count()));
      break;
    default:
      count(0);
  }
}

std::optional<Type> ResolveRange(Context& c, const ast::Type& type) {
  auto low = ConstantInt(c, *type.low);
  auto high = ConstantInt(c, *type.high);
  if (!low || !high) return std::nullopt;
  if (*low > *high) {
    c.Error(Code::kTypeRange, Join(type.low->span, type.high->span),
            "the range " + std::to_string(*low) + ".." + std::to_string(*high) + " is empty")
        .help.push_back("the smaller number comes first");
    return std::nullopt;
  }
  Type result;
  result.base = Base::kInt;
  result.low = *low;
  result.high = *high;
  return result;
}

constexpr std::size_t kMaxEnumerations = 500;

// The enumeration with exactly these values, made if there is none; -1: there are too many.
int EnumerationOf(Context& c, const std::vector<ast::Name>& values, const std::string& owner) {
  std::vector<std::string> names;
  for (const ast::Name& value : values) names.push_back(value.text);
  for (std::size_t i = 0; i < c.rules.enums.size(); ++i) {
    if (c.rules.enums[i].values == names) return static_cast<int>(i);
  }
  if (c.rules.enums.size() == kMaxEnumerations) return -1;
  int id = static_cast<int>(c.rules.enums.size());
  c.rules.enums.push_back({owner, names});
  for (std::size_t i = 0; i < values.size(); ++i) {
    Symbol symbol;
    symbol.kind = SymbolKind::kEnumValue;
    symbol.name = values[i].text;
    symbol.span = values[i].span;
    symbol.id = id;
    symbol.value = static_cast<Value>(i);
    symbol.type.base = Base::kEnum;
    symbol.type.enumeration = id;
    SetRange(c, symbol.type);
    Declare(c, std::move(symbol));
  }
  return id;
}

std::optional<Type> ResolveSet(Context& c, const ast::Type& type, const std::string& owner) {
  if (type.name.text == "directions") {
    Type result;
    result.base = Base::kDirection;
    result.set = true;
    return result;
  }
  if (type.name.present()) {
    c.Error(Code::kNameUnknown, type.name.span, "`" + type.name.text + "` is no type with values")
        .help.push_back("an enumeration is written `{ a, b }`, directions to choose from `directions { a, b }`");
    return std::nullopt;
  }
  std::vector<ast::Name> values;
  bool optional = type.optional;
  bool good = true;
  for (const ast::ExprPtr& value : type.values) {
    if (value->kind == ast::ExprKind::kError) return std::nullopt;
    if (value->kind != ast::ExprKind::kName) {
      c.Error(Code::kTypeMismatch, value->span, "the values of an enumeration are names");
      good = false;
      continue;
    }
    if (value->text == "none") {
      optional = true;
      continue;
    }
    if (value->text == "true" || value->text == "false" || value->text == "me" || value->text == "self") {
      c.Error(Code::kNameReserved, value->span, "`" + value->text + "` is a word of the language")
          .help.push_back("give this value another name, or write `bool`");
      good = false;
      continue;
    }
    auto same = std::find_if(values.begin(), values.end(), [&](const ast::Name& n) { return n.text == value->text; });
    if (same != values.end()) {
      Diagnostic& d =
          c.Error(Code::kNameDuplicate, value->span, "`" + value->text + "` stands twice in one enumeration");
      d.labels.push_back({same->span, "first here"});
      good = false;
      continue;
    }
    values.push_back({value->text, value->span});
  }
  if (!good || values.empty()) return std::nullopt;
  Type result;
  result.base = Base::kEnum;
  result.optional = optional;
  result.enumeration = EnumerationOf(c, values, owner);
  if (result.enumeration < 0) {
    c.Error(Code::kLimitCount, type.span, "more than " + std::to_string(kMaxEnumerations) + " enumerations")
        .help.push_back("say the same with fewer");
    return std::nullopt;
  }
  SetRange(c, result);
  return result;
}

std::optional<Type> ResolveNamed(Context& c, const ast::Type& type) {
  Type result;
  result.optional = type.optional;
  for (const TypeName& known : kTypeNames) {
    if (known.name != type.name.text) continue;
    result.base = known.base;
    result.set = known.set;
    SetRange(c, result);
    return result;
  }
  for (std::size_t i = 0; i < c.rules.enums.size(); ++i) {
    if (c.rules.enums[i].name != type.name.text) continue;
    result.base = Base::kEnum;
    result.enumeration = static_cast<int>(i);
    SetRange(c, result);
    return result;
  }
  std::vector<std::string> names;
  for (const TypeName& known : kTypeNames) names.emplace_back(known.name);
  for (const rules::Enumeration& e : c.rules.enums) names.push_back(e.name);
  Diagnostic& d = c.Error(Code::kNameUnknown, type.name.span, "no type named `" + type.name.text + "`");
  Suggest(d, type.name.span, type.name.text, names);
  if (d.fixes.empty()) {
    d.help.push_back(
        "types are bool, a range `0..12`, an enumeration `{ a, b }`, player, cell, kind, direction, phase; in `let` "
        "also piece");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Type> ResolveType(Context& c, const ast::Type& type, const std::string& owner_name) {
  std::optional<Type> result;
  switch (type.kind) {
    case ast::TypeKind::kError:
      return std::nullopt;
    case ast::TypeKind::kRange:
      result = ResolveRange(c, type);
      break;
    case ast::TypeKind::kSet:
      result = ResolveSet(c, type, owner_name);
      break;
    case ast::TypeKind::kName:
      result = ResolveNamed(c, type);
      break;
  }
  if (result && type.optional) result->optional = true;
  return result;
}

std::vector<Value> ValuesOf(const Context& c, const Type& type) {
  constexpr int64_t kMost = 1 << 16;
  Type range = type;
  if (type.base == Base::kCell) {
    range.low = 0;
    range.high = static_cast<Value>(c.board().board_size() - 1);
  } else if (type.base != Base::kInt) {
    SetRange(c, range);
  }
  std::vector<Value> values;
  if (type.base == Base::kWalk || type.base == Base::kPiece || type.base == Base::kAction) return values;
  if (type.base == Base::kPhase && c.rules.phases.empty()) return values;
  int64_t count = int64_t{range.high} - range.low + 1;
  for (int64_t i = 0; i < std::min(count, kMost); ++i) values.push_back(static_cast<Value>(range.low + i));
  return values;
}

std::optional<Value> ConstantInt(Context& c, const ast::Expr& expr) {
  using ast::ExprKind;
  auto fits = [](int64_t n) { return n > std::numeric_limits<Value>::min() && n <= std::numeric_limits<Value>::max(); };
  auto too_large = [&] {
    c.Error(Code::kTypeRange, expr.span, "a number too large to count with");
    return std::optional<Value>{};
  };
  switch (expr.kind) {
    case ExprKind::kError:
      return std::nullopt;
    case ExprKind::kInt:
      return fits(expr.number) ? std::optional(static_cast<Value>(expr.number)) : too_large();
    case ExprKind::kBinary: {
      if (expr.text != "+" && expr.text != "-") break;
      auto a = ConstantInt(c, *expr.children[0]);
      auto b = ConstantInt(c, *expr.children[1]);
      if (!a || !b) return std::nullopt;
      int64_t n = expr.text == "+" ? int64_t{*a} + *b : int64_t{*a} - *b;
      return fits(n) ? std::optional(static_cast<Value>(n)) : too_large();
    }
    case ExprKind::kName: {
      Symbol* symbol = c.symbols.Find(expr.text);
      if (symbol == nullptr) {
        UnknownName(c, expr.span, "option", expr.text, {SymbolKind::kOption});
        return std::nullopt;
      }
      ++symbol->uses;
      if (symbol->broken) return std::nullopt;
      if (symbol->kind == SymbolKind::kOption && symbol->type.base == Base::kInt && symbol->value != rules::kNone) {
        return symbol->value;
      }
      Diagnostic& d =
          c.Error(Code::kTypeMismatch, expr.span, "`" + expr.text + "` is no number that is known before the game");
      d.labels.push_back({symbol->span, "declared here"});
      d.help.push_back("write a number, or an option that is a range");
      return std::nullopt;
    }
    default:
      break;
  }
  c.Error(Code::kTypeMismatch, expr.span, "expected a number known before the game")
      .help.push_back("write a number, or an option that is a range");
  return std::nullopt;
}

std::string ValueText(const Context& c, const Type& type, Value value) {
  if (value == rules::kNone) return "none";
  auto at = static_cast<std::size_t>(value);
  switch (type.base) {
    case Base::kBool:
      return value != 0 ? "true" : "false";
    case Base::kEnum:
      return c.rules.enums[static_cast<std::size_t>(type.enumeration)].values[at];
    case Base::kPlayer:
      return c.rules.players[at].name;
    case Base::kCell:
      return c.board().name(value);
    case Base::kKind:
      return c.rules.kinds[at].name;
    case Base::kDirection:
      return c.board().label_name(value);
    case Base::kPhase:
      return c.rules.phases[at].name;
    default:
      return std::to_string(value);
  }
}

std::string TypeText(const Context& c, const Type& type) {
  std::string text;
  switch (type.base) {
    case Base::kBool:
      text = "bool";
      break;
    case Base::kInt:
      text = std::to_string(type.low) + ".." + std::to_string(type.high);
      break;
    case Base::kEnum: {
      for (const std::string& value : c.rules.enums[static_cast<std::size_t>(type.enumeration)].values) {
        text += (text.empty() ? "{ " : ", ") + value;
      }
      text += " }";
      break;
    }
    default:
      for (const TypeName& known : kTypeNames) {
        if (known.base == type.base && known.set == type.set) {
          text = known.name;
          break;
        }
      }
  }
  return type.optional ? text + "?" : text;
}

std::string NameOfPlace(const std::string& slot) { return slot.substr(0, slot.rfind('[')); }

std::vector<std::string> PlaceNames(const Context& c, const rules::Zone& zone) {
  std::vector<std::string> names;
  for (const rules::CellSet& slots : zone.cells) {
    std::size_t first = slots._Find_first();
    if (first < slots.size()) names.push_back(NameOfPlace(c.board().name(static_cast<int>(first))));
  }
  return names;
}

// ---- indices -----------------------------------------------------------------------------------

std::optional<NamedValue> FindValue(Context& c, std::string_view name, const Type* want) {
  if (name == "true" || name == "false") return NamedValue{Type{}, name == "true" ? 1 : 0};
  Symbol* symbol = nullptr;
  if (want == nullptr || want->base == Base::kEnum) {
    symbol = c.symbols.FindEnumValue(name, want != nullptr ? want->enumeration : -1);
    if (symbol != nullptr) {
      ++symbol->uses;
      return NamedValue{symbol->type, symbol->value};
    }
  }
  symbol = c.symbols.Find(name);
  if (symbol == nullptr) return std::nullopt;
  Type type;
  if (symbol->kind == SymbolKind::kPlayer) type.base = Base::kPlayer;
  if (symbol->kind == SymbolKind::kKind) type.base = Base::kKind;
  if (symbol->kind == SymbolKind::kPhase) type.base = Base::kPhase;
  if (type.base == Base::kBool) return std::nullopt;
  SetRange(c, type);
  ++symbol->uses;
  return NamedValue{type, symbol->id};
}

int CountOf(const std::vector<std::vector<Value>>& index) {
  int64_t count = 1;
  for (const auto& values : index) count = std::min<int64_t>(count * static_cast<int64_t>(values.size()), 1 << 20);
  return static_cast<int>(count);
}

int FlatOf(const std::vector<std::vector<Value>>& index, const std::vector<Value>& values) {
  int flat = 0;
  for (std::size_t i = 0; i < index.size(); ++i) {
    auto at = std::find(index[i].begin(), index[i].end(), values[i]);
    if (at == index[i].end()) return -1;
    flat = flat * static_cast<int>(index[i].size()) + static_cast<int>(at - index[i].begin());
  }
  return flat;
}

std::vector<PatternPlace> PlacesOf(const std::vector<std::vector<Value>>& index, const IndexPattern& pattern) {
  std::vector<PatternPlace> places;
  if (pattern.parts.size() != index.size()) return places;
  std::vector<Value> values(index.size());
  std::function<void(std::size_t)> fill = [&](std::size_t i) {
    if (i == index.size()) {
      int flat = FlatOf(index, values);
      if (flat >= 0) places.push_back({flat, values});
      return;
    }
    const IndexPattern::Part& part = pattern.parts[i];
    for (Value value : part.name.empty() ? std::vector<Value>{part.value} : index[i]) {
      values[i] = value;
      // `[p, p]` means the same value twice.
      bool same = true;
      for (std::size_t j = 0; j < i && !part.name.empty(); ++j) {
        same &= pattern.parts[j].name != part.name || values[j] == value;
      }
      if (same) fill(i + 1);
    }
  };
  fill(0);
  return places;
}

Scope ScopeOf(const std::vector<Type>& types, const IndexPattern& pattern, const std::vector<Value>& values) {
  Scope scope;
  for (std::size_t i = 0; i < pattern.parts.size(); ++i) {
    if (pattern.parts[i].name.empty()) continue;
    Binding binding;
    binding.kind = Binding::Kind::kConst;
    binding.name = pattern.parts[i].name;
    binding.type = types[i];
    binding.value = values[i];
    scope.bindings.push_back(std::move(binding));
  }
  return scope;
}

}  // namespace arbiter::check
