// State, piece state and attributes: types, indices, initial values.

#include <algorithm>
#include <map>
#include <set>

#include "check/declare.h"
#include "check/letters.h"
#include "check/passes.h"

namespace arbiter::check {

using rules::Base;
using rules::Value;

namespace {

constexpr int kMaxElements = 4096;  // of all state, and of the state of one piece

bool Bounded(const rules::Type& type, const ast::Type& written) {
  if (type.set) return false;
  switch (type.base) {
    case Base::kBool:
    case Base::kEnum:
    case Base::kPlayer:
    case Base::kCell:
    case Base::kKind:
    case Base::kDirection:
    case Base::kPhase:
      return true;
    case Base::kInt:
      return written.kind == ast::TypeKind::kRange;
    default:
      return false;
  }
}

bool Mentions(const ast::Expr& expr, const std::vector<ast::Index>& names) {
  if (expr.kind == ast::ExprKind::kName) {
    return std::any_of(names.begin(), names.end(), [&](const ast::Index& i) { return i.name.text == expr.text; });
  }
  return std::any_of(expr.children.begin(), expr.children.end(),
                     [&](const ast::ExprPtr& child) { return child && Mentions(*child, names); });
}

class State {
 public:
  explicit State(Context& c) : c_(c) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      if (c_.sink.truncated()) return;
      if (const auto* attribute = std::get_if<ast::PieceAttribute>(&d.decl->payload)) Attribute(*d.decl, *attribute);
      if (const auto* state = std::get_if<ast::State>(&d.decl->payload)) {
        for (const ast::StateVar& var : state->vars) Variable(*d.decl, *state, var);
      }
    }
  }

 private:
  void Attribute(const ast::Decl& decl, const ast::PieceAttribute& attribute) {
    Symbol* symbol = c_.symbols.FindField(attribute.name.text);
    if (symbol == nullptr || symbol->decl != &decl) return;
    auto type = ResolveType(c_, attribute.type, attribute.name.text);
    if (!type) {
      symbol->broken = true;
      return;
    }
    bool walks = type->base == Base::kWalk && type->set;
    if (!walks && !Bounded(*type, attribute.type)) {
      symbol->broken = true;
      c_.Error(Code::kTypeState, attribute.type.span, "an attribute cannot have this type")
          .help.push_back("an attribute is a range `1..4`, `walks`, bool or an enumeration");
      return;
    }
    symbol->type = *type;
    c_.rules.attributes[static_cast<std::size_t>(symbol->id)].type = *type;
  }

  void Variable(const ast::Decl& decl, const ast::State& state, const ast::StateVar& var) {
    Symbol* symbol = state.of_pieces ? c_.symbols.FindField(var.name.text) : c_.symbols.Find(var.name.text);
    bool mine = symbol != nullptr && symbol->decl == &decl && symbol->span == var.name.span;
    if (!mine) return;
    rules::Variable variable;
    variable.name = var.name.text;
    variable.life = static_cast<rules::Variable::Life>(var.life);
    variable.span = var.name.span;
    if (!Index(var, variable, *symbol) || !Typed(var, variable)) return;
    symbol->type = variable.type;
    auto& vars = state.of_pieces ? c_.rules.piece_vars : c_.rules.vars;
    int& size = state.of_pieces ? c_.rules.piece_state_size : c_.rules.state_size;
    if (variable.count > kMaxElements - size) {
      c_.Error(Code::kLimitCount, var.name.span, "`" + variable.name + "` makes the state too large")
          .help.push_back("all state together has at most " + std::to_string(kMaxElements) + " values");
      return;
    }
    // From here on its users may speak of it, whatever its initial value is.
    symbol->broken = false;
    Initial(var, variable, *symbol);
    variable.offset = size;
    size += variable.count;
    symbol->id = vars.Add(std::move(variable)).value;
  }

  bool Index(const ast::StateVar& var, rules::Variable& variable, Symbol& symbol) {
    for (const ast::Index& index : var.index) {
      std::optional<rules::Type> type;
      if (index.type) {
        type = ResolveType(c_, *index.type, index.name.text);
      } else {
        ast::Type written;
        written.kind = ast::TypeKind::kName;
        written.name = index.name;
        written.span = index.name.span;
        type = ResolveType(c_, written, index.name.text);
      }
      if (!type) return false;
      std::vector<Value> values = ValuesOf(c_, *type);
      if (type->set || values.empty() || values.size() > kMaxElements) {
        c_.Error(Code::kTypeState, index.type ? index.type->span : index.name.span,
                 "an index needs a type with few values")
            .help.push_back("write `player`, `side in { left_wing, right_wing }` or a range");
        return false;
      }
      symbol.index_types.push_back(*type);
      variable.index.push_back(std::move(values));
      variable.index_types.push_back(*type);
    }
    variable.count = CountOf(variable.index);
    return true;
  }

  bool Typed(const ast::StateVar& var, rules::Variable& variable) {
    auto type = ResolveType(c_, var.type, var.name.text);
    if (!type) return false;
    if (!Bounded(*type, var.type)) {
      Diagnostic& d = c_.Error(Code::kTypeState, var.type.span, "state cannot have this type");
      if (type->base == Base::kInt) {
        d.help.push_back("give its range: `0..100`");
      } else if (type->base == Base::kPiece) {
        d.help.push_back("remember its cell: `cell?`");
      } else {
        d.help.push_back("state is bool, a range, an enumeration, player, cell, kind, direction or phase");
      }
      return false;
    }
    if (variable.life == rules::Variable::Life::kClock && type->base != Base::kInt) {
      c_.Error(Code::kTypeState, var.type.span, "a clock counts: it needs a range")
          .help.push_back("write for example `0..100`");
      return false;
    }
    variable.type = *type;
    return true;
  }

  void Initial(const ast::StateVar& var, rules::Variable& variable, const Symbol& symbol) {
    variable.initial.assign(static_cast<std::size_t>(variable.count),
                            variable.type.optional ? rules::kNone : variable.type.low);
    if (!var.initial) return;
    IndexPattern pattern;
    for (const ast::Index& index : var.index) pattern.parts.push_back({index.name.text, rules::kNone, index.name.span});
    bool each = Mentions(*var.initial, var.index);
    for (const PatternPlace& place : PlacesOf(variable.index, pattern)) {
      Scope scope = ScopeOf(symbol.index_types, pattern, place.values);
      auto value = ConstantOf(c_, scope, *var.initial, variable.type, "a value");
      if (!value || !Fits(var, variable.type, *value)) return;
      if (!each) {
        std::fill(variable.initial.begin(), variable.initial.end(), *value);
        return;
      }
      variable.initial[static_cast<std::size_t>(place.flat)] = *value;
    }
  }

  bool Fits(const ast::StateVar& var, const rules::Type& type, Value value) {
    if (value == rules::kNone) {
      if (type.optional) return true;
      Diagnostic& d = c_.Error(Code::kTypeMismatch, var.initial->span, "`" + var.name.text + "` cannot be none");
      d.labels.push_back({var.type.span, "its type"});
      d.help.push_back("write a `?` after the type if it may be none");
      return false;
    }
    if (value >= type.low && value <= type.high) return true;
    Diagnostic& d = c_.Error(Code::kTypeRange, var.initial->span,
                             "`" + ValueText(c_, type, value) + "` is outside the range of `" + var.name.text + "`");
    d.labels.push_back({var.type.span, "its range"});
    d.help.push_back("widen the range, or begin inside it");
    return false;
  }

  Context& c_;
};

// ---- items of kinds ----------------------------------------------------------------------------

class Kinds {
 public:
  explicit Kinds(Context& c) : c_(c), done_(c.rules.kinds.size()) {}

  void Run() {
    c_.kind_items.resize(c_.rules.kinds.size());
    declared_.resize(c_.rules.kinds.size());
    attributes_.resize(c_.rules.kinds.size());
    for (const SourceDecl& d : c_.decls) {
      if (const auto* piece = std::get_if<ast::Piece>(&d.decl->payload)) {
        Symbol* symbol = c_.symbols.Find(UpperFirst(piece->name.text));
        if (symbol != nullptr && symbol->kind == SymbolKind::kKind && symbol->decl == d.decl) {
          declared_[static_cast<std::size_t>(symbol->id)] = piece;
          CheckAttributes(piece->items);
        }
      }
    }
    for (std::size_t k = 0; k < declared_.size(); ++k) Fill(k, 0);
    for (const SourceDecl& d : c_.decls) {
      if (const auto* every = std::get_if<ast::EveryPiece>(&d.decl->payload)) Every(*every);
    }
  }

 private:
  static bool IsAttribute(const ast::PieceItem& item) { return item.kind == ast::PieceItemKind::kAttribute; }

  void CheckAttributes(const std::vector<ast::PieceItem>& items) {
    std::map<std::string_view, const ast::PieceItem*> seen;
    for (const ast::PieceItem& item : items) {
      if (!IsAttribute(item)) continue;
      auto [first, fresh] = seen.emplace(item.name.text, &item);
      if (!fresh) {
        Diagnostic& d = c_.Error(Code::kNameDuplicate, item.name.span, "`" + item.name.text + "` is given twice");
        d.labels.push_back({first->second->name.span, "first here"});
        d.help.push_back("keep one; several walks stand in one list, separated by commas");
      }
      Symbol* symbol = c_.symbols.FindField(item.name.text);
      if (symbol != nullptr && symbol->kind == SymbolKind::kAttribute) {
        ++symbol->uses;
      } else {
        unknown_.insert(&item);
        UnknownName(c_, item.name.span, "attribute", item.name.text, {SymbolKind::kAttribute})
            .notes.push_back("attributes are declared as in `piece attribute strength : 1..4`");
      }
    }
  }

  // Later attributes of the same name win; a model's statements come before the piece's own.
  void Add(std::size_t kind, const ast::PieceItem& item, bool wins) {
    auto& items = c_.kind_items[kind];
    if (IsAttribute(item)) {
      if (unknown_.contains(&item)) return;
      auto [same, fresh] = attributes_[kind].emplace(item.name.text, items.size());
      if (!fresh) {
        if (wins) items[same->second] = &item;
        return;
      }
    }
    items.push_back(&item);
  }

  void Fill(std::size_t kind, int depth) {
    if (done_[kind] || declared_[kind] == nullptr || depth > rules::kMaxKinds) return;
    const ast::Piece& piece = *declared_[kind];
    Symbol* model = piece.like.present() ? c_.symbols.Find(piece.like.text) : nullptr;
    if (model != nullptr && model->kind == SymbolKind::kKind && model->id != static_cast<int>(kind)) {
      Fill(static_cast<std::size_t>(model->id), depth + 1);
      c_.kind_items[kind] = c_.kind_items[static_cast<std::size_t>(model->id)];
      attributes_[kind] = attributes_[static_cast<std::size_t>(model->id)];
    }
    done_[kind] = true;
    for (const ast::PieceItem& item : piece.items) Add(kind, item, true);
  }

  void Every(const ast::EveryPiece& every) {
    CheckAttributes(every.items);
    rules::KindSet except = KindsOf(c_, every.except);
    for (std::size_t k = 0; k < c_.kind_items.size(); ++k) {
      if (((except >> k) & 1U) != 0) continue;
      for (const ast::PieceItem& item : every.items) Add(k, item, false);
    }
  }

  Context& c_;
  std::vector<bool> done_;
  std::vector<const ast::Piece*> declared_;
  std::set<const ast::PieceItem*> unknown_;
  std::vector<std::map<std::string_view, std::size_t>> attributes_;  // where in kind_items
};

}  // namespace

void DeclareState(Context& c) { State(c).Run(); }
void MergeKindItems(Context& c) { Kinds(c).Run(); }

}  // namespace arbiter::check
