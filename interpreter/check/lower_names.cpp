// Names: what a name means where it stands, and what was probably meant.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

// ---- scopes ------------------------------------------------------------------------------------

const Binding* Scope::Find(std::string_view name) const {
  for (const Scope* scope = this; scope; scope = scope->parent) {
    for (auto it = scope->bindings.rbegin(); it != scope->bindings.rend(); ++it) {
      if (it->name == name) return &*it;
    }
  }
  return nullptr;
}

Scope Inside(const Scope& outer) {
  Scope scope = outer;
  scope.bindings.clear();
  scope.parent = &outer;
  return scope;
}

Scope TemplateScope(const Scope& caller) {
  Scope scope;
  scope.has_self = caller.has_self;
  scope.self_kinds = caller.self_kinds;
  scope.in_walk = caller.in_walk;
  scope.frame_size = caller.frame_size;
  return scope;
}

// ---- symbols -----------------------------------------------------------------------------------

Symbol* Lowerer::Use(std::string_view name, std::initializer_list<SymbolKind> kinds) {
  auto wanted = [&](const Symbol& symbol) { return std::find(kinds.begin(), kinds.end(), symbol.kind) != kinds.end(); };
  Symbol* found = c.symbols.Find(name);
  if (found && !wanted(*found)) {
    found = nullptr;
    for (const std::unique_ptr<Symbol>& symbol : c.symbols.all()) {
      if (symbol->name == name && wanted(*symbol)) {
        found = symbol.get();
        break;
      }
    }
  }
  if (found) ++found->uses;
  return found;
}

std::optional<KindSet> Lowerer::KindsNamed(std::string_view name) {
  Symbol* symbol = Use(name, {SymbolKind::kKind, SymbolKind::kClass});
  if (!symbol) return std::nullopt;
  if (symbol->kind == SymbolKind::kKind) return symbol->id < 0 ? KindSet{0} : KindSet{1} << symbol->id;
  KindSet kinds = 0;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    const std::vector<int>& classes = rules.kinds[k].classes;
    if (std::find(classes.begin(), classes.end(), symbol->id) != classes.end()) kinds |= KindSet{1} << k;
  }
  return kinds;
}

std::optional<KindSet> Lowerer::KindsOfNames(const std::vector<ast::Name>& names) {
  KindSet all = 0;
  bool ok = true;
  for (const ast::Name& name : names) {
    if (!name.present()) return std::nullopt;
    std::optional<KindSet> kinds = KindsNamed(name.text);
    if (kinds) {
      all |= *kinds;
      continue;
    }
    ok = false;
    UnknownName(name.text, name.span, "piece or class", c.symbols.Names([](const Symbol& symbol) {
      return symbol.kind == SymbolKind::kKind || symbol.kind == SymbolKind::kClass;
    }));
  }
  if (!ok) return std::nullopt;
  return all;
}

// ---- reserved and unknown ----------------------------------------------------------------------

bool Lowerer::IsReserved(std::string_view name) const {
  static const std::set<std::string, std::less<>> words = {"true",  "false",   "none",       "me",
                                                           "self",  "phase",   "everywhere", "opponent",
                                                           "ahead", "deflect", "players",    "directions"};
  if (words.contains(name)) return true;
  return c.board().Find(name) >= 0 || DirectionLabels(c, name).has_value();
}

bool Lowerer::CheckLocalName(const Scope& s, const ast::Name& name) {
  if (!name.present()) return false;
  if (IsReserved(name.text)) {
    std::string_view what = c.board().Find(name.text) >= 0              ? "a cell of this board"
                            : DirectionLabels(c, name.text).has_value() ? "a direction"
                                                                        : "a word of the language";
    c.Error(Code::kNameReserved, name.span, fmt::format("`{}` is {} and cannot be a new name", name.text, what));
    return false;
  }
  if (s.in_handler && (name.text == "it" || name.text == "from" || name.text == "to")) {
    c.Error(Code::kNameReserved, name.span, fmt::format("`{}` has a meaning of its own in handlers", name.text));
    return false;
  }
  if (s.Find(name.text)) {
    c.Error(Code::kNameDuplicate, name.span, fmt::format("`{}` is already a name here", name.text));
    return false;
  }
  return true;
}

void Lowerer::BindBroken(Scope& s, const ast::Name& name) {
  static const ast::Expr unknown;  // an error node
  Binding b;
  b.kind = Binding::Kind::kArgument;
  b.name = name.text;
  b.argument = &unknown;
  b.argument_scope = &s;
  s.bindings.push_back(std::move(b));
}

void Lowerer::SuggestNearest(Diagnostic& d, std::string_view name, Span span, const std::vector<std::string>& near) {
  std::string nearest = name.size() < 2 ? std::string() : diagnostics::Nearest(name, near);
  if (nearest.size() < 2) {  // every letter is near to every other
    if (near.empty()) {
      d.help.push_back("the game declares none");
    } else if (near.size() <= 10) {
      d.help.push_back(fmt::format("it could be {}", fmt::join(near, ", ")));
    } else {
      d.help.push_back("correct the name, or declare it");
    }
    return;
  }
  d.fixes.push_back(
      {fmt::format("did you mean `{}`?", nearest), {{span, nearest}}, diagnostics::Fix::Confidence::kMaybe});
}

bool Lowerer::InLibrary(Span span) const {
  return span.valid() && std::string_view(c.sources.path(span.file)).starts_with("stdlib/");
}

Diagnostic& Lowerer::UnknownName(std::string_view name, Span span, std::string_view what,
                                 const std::vector<std::string>& near) {
  // A name that the library expects of the game is missed once, however often the library uses it.
  if (InLibrary(span) && !missed.emplace(name).second) {
    unsaid = Diagnostic{};
    return unsaid;
  }
  Diagnostic& d = c.Error(Code::kNameUnknown, span, fmt::format("no {} named `{}`", what, name));
  SuggestNearest(d, name, span, near);
  if (InLibrary(span) && d.help.empty()) {
    d.help.push_back(fmt::format("the library uses it and leaves it to the game: declare `{}` in your file", name));
  }
  return d;
}

std::vector<std::string> Lowerer::ValueNames(const Scope& s) {
  std::vector<std::string> names = c.symbols.Names([](const Symbol& symbol) {
    switch (symbol.kind) {
      case SymbolKind::kOption:
      case SymbolKind::kPlayer:
      case SymbolKind::kKind:
      case SymbolKind::kZone:
      case SymbolKind::kStateVar:
      case SymbolKind::kDirectionSet:
      case SymbolKind::kEnumValue:
      case SymbolKind::kPhase:
      case SymbolKind::kDefine:
        return true;
      default:
        return false;
    }
  });
  for (const Scope* scope = &s; scope; scope = scope->parent) {
    for (const Binding& binding : scope->bindings) names.push_back(binding.name);
  }
  for (int label = 0; label < c.board().direction_count(); ++label) names.push_back(c.board().label_name(label));
  names.insert(names.end(), {"everywhere", "opponent", "self", "forward", "backward", "left", "right", "sideways",
                             "forward_diagonal", "backward_diagonal", "along", "against", "orthogonal", "diagonal"});
  return names;
}

// ---- directions --------------------------------------------------------------------------------

namespace {

using board::Relative;

constexpr int Encoded(Relative relative) { return -1 - static_cast<int>(relative); }

const std::map<std::string, std::vector<int>, std::less<>>& RelativeNames() {
  static const std::map<std::string, std::vector<int>, std::less<>> names = {
      {"forward", {Encoded(Relative::kForward)}},
      {"forward_right", {Encoded(Relative::kForwardRight)}},
      {"right", {Encoded(Relative::kRight)}},
      {"backward_right", {Encoded(Relative::kBackwardRight)}},
      {"backward", {Encoded(Relative::kBackward)}},
      {"backward_left", {Encoded(Relative::kBackwardLeft)}},
      {"left", {Encoded(Relative::kLeft)}},
      {"forward_left", {Encoded(Relative::kForwardLeft)}},
      {"along", {Encoded(Relative::kAlong)}},
      {"against", {Encoded(Relative::kAgainst)}},
      {"sideways", {Encoded(Relative::kRight), Encoded(Relative::kLeft)}},
      {"forward_diagonal", {Encoded(Relative::kForwardRight), Encoded(Relative::kForwardLeft)}},
      {"backward_diagonal", {Encoded(Relative::kBackwardRight), Encoded(Relative::kBackwardLeft)}},
  };
  return names;
}

}  // namespace

std::optional<std::vector<int>> DirectionLabels(Context& c, std::string_view name) {
  Symbol* symbol = c.symbols.Find(name);
  if (symbol && symbol->kind == SymbolKind::kDirectionSet) {
    ++symbol->uses;
    return symbol->labels;
  }
  const board::Board& board = c.board();
  if (int label = board.FindDirection(name); label >= 0) return std::vector<int>{label};
  if (name == "orthogonal" || name == "diagonal" || name == "all") {
    std::vector<int> labels;
    for (int label = 0; label < board.direction_count(); ++label) {
      if (name == "all" || (name == "diagonal") == board.is_diagonal(label)) labels.push_back(label);
    }
    return labels;
  }
  auto relative = RelativeNames().find(name);
  if (relative != RelativeNames().end()) return relative->second;
  return std::nullopt;
}

std::optional<std::vector<int>> Lowerer::StaticDirections(const Scope& s, const ast::Expr& e) {
  std::vector<int> labels;
  auto add = [&](const std::vector<int>& more) {
    for (int label : more) {
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  };
  switch (e.kind) {
    case ast::ExprKind::kName: {
      if (const Binding* found = s.Find(e.text)) {
        const Binding b = *found;
        if (b.kind == Binding::Kind::kArgument) {
          if (++depth_ > 200) return --depth_, std::nullopt;
          std::optional<std::vector<int>> result = StaticDirections(*b.argument_scope, *b.argument);
          --depth_;
          return result;
        }
        if (b.kind == Binding::Kind::kConst && b.type.base == Base::kDirection) {
          if (!b.constant.valid()) return b.value == kNone ? std::nullopt : std::optional(std::vector<int>{b.value});
          std::optional<std::vector<Value>> values = ElementsOf(b.constant);
          if (!values) return std::nullopt;
          add(*values);
          return labels;
        }
        return std::nullopt;
      }
      Symbol* option = c.symbols.Find(e.text);
      if (option && option->kind == SymbolKind::kOption && option->type.base == Base::kDirection) {
        ++option->uses;
        if (!option->type.set) return std::vector<int>{option->value};
        if (!option->labels.empty()) return option->labels;
        add(option->option_set);
        return labels;
      }
      return DirectionLabels(c, e.text);
    }
    case ast::ExprKind::kBinary:
      if (e.text != "+" && e.text != "-" && e.text != "&") return std::nullopt;
      [[fallthrough]];
    case ast::ExprKind::kWays:
    case ast::ExprKind::kSet: {
      bool first = true;
      for (const ast::ExprPtr& child : e.children) {
        if (!child) return std::nullopt;
        std::optional<std::vector<int>> part = StaticDirections(s, *child);
        if (!part) return std::nullopt;
        auto holds = [&](int label) { return std::find(part->begin(), part->end(), label) != part->end(); };
        if (e.kind != ast::ExprKind::kBinary || e.text == "+" || first) {
          add(*part);
        } else if (e.text == "-") {
          std::erase_if(labels, holds);
        } else {
          std::erase_if(labels, [&](int label) { return !holds(label); });
        }
        first = false;
      }
      if (e.children.empty()) return std::nullopt;
      return labels;
    }
    case ast::ExprKind::kIf: {
      if (e.children.size() != 3 || !e.children[1] || !e.children[2]) return std::nullopt;
      std::optional<std::vector<int>> yes = StaticDirections(s, *e.children[1]);
      std::optional<std::vector<int>> no = StaticDirections(s, *e.children[2]);
      if (!yes || !no) return std::nullopt;
      std::optional<bool> truth = Truth(Condition(s, *e.children[0]));
      if (!truth) return std::nullopt;
      return *truth ? yes : no;
    }
    default:
      return std::nullopt;
  }
}

Lowerer::Written Lowerer::Follow(const Scope& s, const ast::Expr& e) const {
  Written w{&e, &s};
  for (int steps = 0; steps < 1000 && w.expr->kind == ast::ExprKind::kName; ++steps) {
    const Binding* b = w.scope->Find(w.expr->text);
    if (!b || b->kind != Binding::Kind::kArgument) break;
    w = {b->argument, b->argument_scope};
  }
  return w;
}

// ---- a name as a value -------------------------------------------------------------------------

ExprId Lowerer::ArgumentValue(const Scope& s, const Binding& b, const Type* want) {
  Scope scope = Inside(*b.argument_scope);
  scope.in_walk = scope.in_walk || s.in_walk;  // `here` in an argument is the cell where the parameter stands
  scope.frame_size = s.frame_size;
  AtArgument at(*this, b);
  if (!b.typed) return Lower(scope, *b.argument, want);
  ExprId value = Lower(scope, *b.argument, &b.type);
  return want ? Convert(value, *want, b.argument->span) : value;
}

// Relative directions as values: at the cell where the walk is, else where self stands.
ExprId Lowerer::RelativeValue(const Scope& s, const std::vector<int>& labels, Span span) {
  ExprId cell;
  bool relative = std::any_of(labels.begin(), labels.end(), [](int label) { return label < 0; });
  if (relative) {
    if (s.in_walk) {
      cell = Make(Op::kHere, CellType(), span, {});
    } else if (s.has_self) {
      cell = CellOf(SelfExpr(span), span);
    } else {
      c.Error(Code::kTypeMismatch, span, "a relative direction needs a cell to be relative to")
          .help.push_back("write `way(forward, CELL)`");
      return ExprId();
    }
  }
  std::vector<Value> absolute;
  std::vector<ExprId> parts;
  for (int label : labels) {
    if (label >= 0) {
      absolute.push_back(label);
      parts.push_back(Const(OfBase(Base::kDirection), label, span));
    } else {
      parts.push_back(Make(Op::kWay, OfBase(Base::kDirection), span, {cell}, -1 - label));
    }
  }
  if (labels.size() == 1) return parts[0];
  if (!relative) return ConstValues(Base::kDirection, std::move(absolute), span);
  return Make(Op::kMakeSet, SetOf(Base::kDirection), span, std::move(parts));
}

namespace {

std::optional<Op> WalkWord(std::string_view name) {
  if (name == "here") return Op::kHere;
  if (name == "heading") return Op::kHeading;
  if (name == "back") return Op::kBack;
  if (name == "origin") return Op::kOrigin;
  return std::nullopt;
}

}  // namespace

namespace {

bool LooksLikeCell(std::string_view name) {
  std::size_t letters = 0, digits = 0;
  while (letters < name.size() && name[letters] >= 'a' && name[letters] <= 'z') ++letters;
  while (letters + digits < name.size() && name[letters + digits] >= '0' && name[letters + digits] <= '9') ++digits;
  return letters >= 1 && letters <= 2 && digits >= 1 && letters + digits == name.size();
}

}  // namespace

ExprId Lowerer::SymbolValue(const Scope& s, Symbol& symbol, const ast::Expr& e, const Type* want) {
  if (symbol.broken) return ExprId();
  switch (symbol.kind) {
    case SymbolKind::kOption:
      if (symbol.type.set) return RelativeValue(s, symbol.labels.empty() ? symbol.option_set : symbol.labels, e.span);
      return Const(symbol.type, symbol.value, e.span);
    case SymbolKind::kPlayer:
      return Const(PlayerType(), symbol.id, e.span);
    case SymbolKind::kKind:
      return Const(OfBase(Base::kKind), symbol.id, e.span);
    case SymbolKind::kPhase:
      return Const(OfBase(Base::kPhase), symbol.id, e.span);
    case SymbolKind::kZone:
      return ZoneRead(s, symbol, {}, e.span);
    case SymbolKind::kStateVar:
      return StateRead(s, symbol, {}, e.span);
    case SymbolKind::kDefine:
      return InlineDefine(s, symbol, {}, e.span, want);
    default: {
      Diagnostic& d =
          c.Error(Code::kTypeMismatch, e.span,
                  fmt::format("`{}` is a {}, but a value is needed here", symbol.name, SymbolKindName(symbol.kind)));
      if (symbol.span.valid()) d.labels.push_back({symbol.span, "declared here"});
      return ExprId();
    }
  }
}

ExprId Lowerer::NameValue(const Scope& s, const ast::Expr& e, const Type* want) {
  const std::string_view name = e.text;
  if (const Binding* found = s.Find(name)) {
    const Binding b = *found;
    return b.kind == Binding::Kind::kArgument ? ArgumentValue(s, b, want) : Local(b, e.span);
  }
  if (s.free) {
    for (std::size_t i = 0; i < s.free->size(); ++i) {
      if ((*s.free_names)[i] != name) continue;
      Binding b;
      b.type = (*s.free)[i].type;
      b.slot = (*s.free)[i].slot;
      return Local(b, e.span);
    }
  }
  if (want && want->base == Base::kEnum) {
    if (want->enumeration == kColourEnum && (name == "dark" || name == "light")) {
      return Const(OfBase(Base::kInt), name == "light", e.span);
    }
    if (want->enumeration >= 0) {
      if (Symbol* value = c.symbols.FindEnumValue(name, want->enumeration)) {
        ++value->uses;
        return Const(value->type, value->value, e.span);
      }
    }
  }
  if (name == "true" || name == "false") return Const(BoolType(), name == "true", e.span);
  if (name == "none") return Const(want && !want->set ? *want : CellType(), kNone, e.span);
  if (name == "me") return Make(Op::kMe, PlayerType(), e.span, {});
  if (name == "everywhere") return ConstCellSet(c.board().cells(), e.span);
  if (name == "phase") return Make(Op::kPhase, OfBase(Base::kPhase), e.span, {});
  if (name == "self") {
    if (s.has_self) return SelfExpr(e.span);
    c.Error(Code::kNameUnknown, e.span, "there is no `self` here: no piece is acting")
        .help.push_back(s.in_handler ? "the piece of the event is `it`" : "an action has a `self` with `by KIND`");
    return ExprId();
  }
  if (name == "opponent") {
    return CallFunction(s, e, "opponent", {}, want);
  }
  if (s.in_walk) {
    if (std::optional<Op> op = WalkWord(name)) {
      return Make(*op, *op == Op::kHeading ? OfBase(Base::kDirection) : CellType(), e.span, {});
    }
  }
  if (want && want->base == Base::kPhase) {
    if (Symbol* phase = Use(name, {SymbolKind::kPhase})) return SymbolValue(s, *phase, e, want);
  }
  Symbol* symbol = Use(name, {SymbolKind::kOption, SymbolKind::kPlayer, SymbolKind::kKind, SymbolKind::kZone,
                              SymbolKind::kStateVar, SymbolKind::kPhase, SymbolKind::kDefine});
  if (symbol) return SymbolValue(s, *symbol, e, want);
  if (int cell = c.board().Find(name); cell >= 0) return Const(CellType(), cell, e.span);
  if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) return RelativeValue(s, *labels, e.span);
  if (name == "players") {
    std::vector<Value> all;
    for (int p = 0; p < rules.player_count(); ++p) all.push_back(p);
    return ConstValues(Base::kPlayer, std::move(all), e.span);
  }
  if (name == "directions") {
    std::vector<Value> all;
    for (int d = 0; d < c.board().direction_count(); ++d) all.push_back(d);
    return ConstValues(Base::kDirection, std::move(all), e.span);
  }
  bool wants_other_enum = want && want->base == Base::kEnum && want->enumeration >= 0;
  if (!wants_other_enum) {
    std::vector<Symbol*> values = c.symbols.EnumValues(name);
    if (values.size() == 1) {
      ++values[0]->uses;
      return Const(values[0]->type, values[0]->value, e.span);
    }
    if (values.size() > 1) {
      Diagnostic& d = c.Error(Code::kNameAmbiguous, e.span, fmt::format("`{}` is a value of several lists", name));
      for (const Symbol* value : values) d.labels.push_back({value->span, "one of them"});
      return ExprId();
    }
  }
  if (s.free && s.free_open && want && !want->set && want->base == Base::kPlayer) {
    return IndexValue(s, e, *want);
  }
  if (Symbol* other = c.symbols.Find(name)) {
    ++other->uses;
    return SymbolValue(s, *other, e, want);
  }
  std::vector<std::string> near = ValueNames(s);
  std::string what = "name that means a value";
  if (wants_other_enum) {
    what = "value";
    near = rules.enums[static_cast<std::size_t>(want->enumeration)].values;
  } else if (want && want->base == Base::kPlayer) {
    what = "player";
  } else if (want && want->base == Base::kDirection) {
    what = "direction";
  } else if (want && want->base == Base::kPhase) {
    what = "phase";
  } else if (want && want->base == Base::kKind) {
    what = "piece";
  }
  if (WalkWord(name)) {
    c.Error(Code::kNameUnknown, e.span, fmt::format("`{}` has a meaning only inside a walk", name));
    return ExprId();
  }
  if (what == "name that means a value") {
    if (LooksLikeCell(name) && c.board().shape() != board::Shape::kGraph) {
      c.Error(Code::kBoardCell, e.span, fmt::format("no cell `{}` on this board", name))
          .help.push_back(fmt::format("the board has {} files and {} ranks", c.board().width(), c.board().height()));
      return ExprId();
    }
    Diagnostic& d = c.Error(Code::kNameUnknown, e.span, fmt::format("nothing is named `{}`", name));
    SuggestNearest(d, name, e.span, near);
    return ExprId();
  }
  Diagnostic& d = UnknownName(name, e.span, what, near);
  if (s.free && !s.free_open && want && want->base == Base::kPlayer) {
    d.help.push_back("a name that ranges over all players stands in the event, or in the condition of a law or end");
  }
  return ExprId();
}

// A free name that is nearly the name of a value is probably that value misspelt.
void Lowerer::WarnIfNear(const ast::Expr& e, const Type& type) {
  std::vector<std::string> values;
  if (type.base == Base::kEnum && type.enumeration >= 0) {
    values = rules.enums[static_cast<std::size_t>(type.enumeration)].values;
  } else if (type.base == Base::kPlayer) {
    for (const rules::Player& player : rules.players) values.push_back(player.name);
  }
  std::string near = e.text.size() < 4 ? std::string() : diagnostics::Nearest(e.text, values);
  if (near.empty()) return;
  Diagnostic& d = c.Warning(Code::kNameUnknown, e.span,
                            fmt::format("`{}` is no value and ranges over all of {}", e.text, fmt::join(values, ", ")));
  d.fixes.push_back({fmt::format("did you mean `{}`?", near), {{e.span, near}}, diagnostics::Fix::Confidence::kMaybe});
}

ExprId Lowerer::IndexValue(const Scope& s, const ast::Expr& e, const Type& type) {
  bool may_be_free = s.free && s.free_open && e.kind == ast::ExprKind::kName && !s.Find(e.text);
  if (may_be_free) {
    bool known = std::find(s.free_names->begin(), s.free_names->end(), e.text) != s.free_names->end() ||
                 IsReserved(e.text) || c.symbols.Find(e.text) ||
                 (type.base == Base::kEnum && c.symbols.FindEnumValue(e.text, type.enumeration));
    if (!known) {
      // Names of values begin with a small letter; a capital is a misspelt player or piece.
      unsigned char first = static_cast<unsigned char>(e.text[0]);
      if (first >= 'A' && first <= 'Z') {
        UnknownName(e.text, e.span, type.base == Base::kPlayer ? "player" : "value", ValueNames(s));
        return ExprId();
      }
      WarnIfNear(e, type);
      rules::FreeVar var;
      var.slot = (*s.frame_size)++;
      var.type = type;
      var.values = ValuesOf(c, type);
      s.free->push_back(var);
      s.free_names->push_back(e.text);
      Binding b;
      b.type = type;
      b.slot = var.slot;
      return Local(b, e.span);
    }
  }
  return Lower(s, e, &type);
}

}  // namespace arbiter::check
