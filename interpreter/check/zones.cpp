// Zones: sets of cells, perhaps indexed, in any order, each computed once after those it names.
//
// `zone goal[White] = …` gives the cells for one index, `zone closed[p] = …` those for all at once.
// What an index ranges over is found from the values and types written in any declaration of the zone;
// a name that says nothing ranges over the players.

#include <algorithm>
#include <map>
#include <set>

#include "check/declare.h"
#include "check/letters.h"
#include "check/passes.h"

namespace arbiter::check {

using rules::Base;
using rules::CellSet;
using rules::Value;

namespace {

constexpr int kMaxCombinations = 8192;  // of all zones: places in their tables
constexpr int kMaxDepth = 300;          // zones and defines through which one zone is defined

struct Part {  // one declaration of a zone
  const ast::Zone* zone = nullptr;
  Symbol* symbol = nullptr;
  IndexPattern pattern;
  enum class State : uint8_t { kNew, kOpen, kDone } state = State::kNew;
};

class Zones {
 public:
  explicit Zones(Context& c) : c_(c) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      if (const auto* zone = std::get_if<ast::Zone>(&d.decl->payload)) Collect(*zone);
      if (const auto* board = std::get_if<ast::Board>(&d.decl->payload)) {
        for (const ast::BoardItem& item : board->items) {
          if (item.zone) Collect(*item.zone);
        }
      }
    }
    for (auto& [symbol, parts] : families_) Index(*symbol, parts);
    for (Part& part : parts_) Build(part);
    for (auto& [symbol, parts] : families_) Complete(*symbol, parts);
  }

 private:
  void Collect(const ast::Zone& zone) {
    Symbol* symbol = c_.symbols.Find(zone.name.text);
    bool mine = symbol != nullptr && symbol->kind == SymbolKind::kZone && symbol->id >= 0 &&
                !c_.rules.zones[rules::ZoneId(symbol->id)].is_place;
    if (!mine) return;
    parts_.push_back({&zone, symbol, {}});
    auto [at, fresh] = family_of_.emplace(symbol, families_.size());
    if (fresh) families_.emplace_back(symbol, std::vector<std::size_t>{});
    families_[at->second].second.push_back(parts_.size() - 1);
  }

  // ---- what the indices range over ---------------------------------------------------------------

  void Index(Symbol& symbol, const std::vector<std::size_t>& parts) {
    rules::Zone& zone = c_.rules.zones[rules::ZoneId(symbol.id)];
    std::size_t count = parts_[parts.front()].zone->index.size();
    for (std::size_t part : parts) {
      const ast::Zone& written = *parts_[part].zone;
      if (written.index.size() == count) continue;
      Diagnostic& d = c_.Error(Code::kTypeArity, written.name.span,
                               "`" + symbol.name + "` has " + std::to_string(written.index.size()) + " indices here");
      d.labels.push_back({parts_[parts.front()].zone->name.span, "and " + std::to_string(count) + " here"});
      d.help.push_back("write the same indices in every declaration of a zone");
      symbol.broken = true;
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      auto type = TypeOf(symbol, parts, i);
      if (!type) {
        symbol.broken = true;
        return;
      }
      zone.index_types.push_back(*type);
      zone.index.push_back(ValuesOf(c_, *type));
    }
    if (CountOf(zone.index) > kMaxCombinations - combinations_) {
      c_.Error(Code::kLimitCount, symbol.span, "`" + symbol.name + "` has too many combinations of indices")
          .help.push_back("all zones together have at most " + std::to_string(kMaxCombinations));
      symbol.broken = true;
      return;
    }
    combinations_ += CountOf(zone.index);
    symbol.index_types = zone.index_types;
    zone.cells.assign(static_cast<std::size_t>(CountOf(zone.index)), CellSet{});
    for (std::size_t part : parts) Pattern(parts_[part], zone);
  }

  std::optional<rules::Type> TypeOf(const Symbol& symbol, const std::vector<std::size_t>& parts, std::size_t i) {
    std::optional<std::vector<int>> enumerations;  // that have all the values written so far
    for (std::size_t part : parts) {
      const ast::Index& index = parts_[part].zone->index[i];
      if (index.type) {
        auto type = ResolveType(c_, *index.type, index.name.text);
        bool good = type && !type->set && !ValuesOf(c_, *type).empty();
        if (type && !good) {
          c_.Error(Code::kTypeState, index.type->span, "an index needs a type with few values")
              .help.push_back("write `side in { left_wing, right_wing }` or a range");
        }
        return good ? type : std::nullopt;
      }
      if (index.name.text == "player") return PlayerType();
      Symbol* named = c_.symbols.Find(index.name.text);
      bool valued = named != nullptr && (named->kind == SymbolKind::kPlayer || named->kind == SymbolKind::kKind ||
                                         named->kind == SymbolKind::kPhase);
      if (valued) return FindValue(c_, index.name.text, nullptr)->type;
      std::vector<int> having;
      for (const Symbol* value : c_.symbols.EnumValues(index.name.text)) having.push_back(value->type.enumeration);
      if (having.empty()) continue;
      if (!enumerations) {
        enumerations = having;
      } else {
        std::erase_if(*enumerations, [&](int e) { return std::find(having.begin(), having.end(), e) == having.end(); });
      }
    }
    if (!enumerations) return NamedOrPlayer(parts, i);
    if (enumerations->empty()) {
      c_.Error(Code::kTypeMismatch, symbol.span, "no enumeration has all the values that index `" + symbol.name + "`")
          .help.push_back("write the type of the index: `side in { left_wing, right_wing }`");
      return std::nullopt;
    }
    rules::Type type;
    type.base = Base::kEnum;
    type.enumeration = enumerations->front();
    type.high = static_cast<Value>(c_.rules.enums[static_cast<std::size_t>(type.enumeration)].values.size()) - 1;
    return type;
  }

  rules::Type PlayerType() const {
    rules::Type type;
    type.base = Base::kPlayer;
    type.high = static_cast<Value>(c_.rules.players.size()) - 1;
    return type;
  }

  // `zone corner[p, side]`: a free name that is called as an enumeration ranges over that.
  std::optional<rules::Type> NamedOrPlayer(const std::vector<std::size_t>& parts, std::size_t i) {
    for (std::size_t part : parts) {
      const std::string& name = parts_[part].zone->index[i].name.text;
      for (std::size_t e = 0; e < c_.rules.enums.size(); ++e) {
        if (c_.rules.enums[e].name != name) continue;
        rules::Type type;
        type.base = Base::kEnum;
        type.enumeration = static_cast<int>(e);
        type.high = static_cast<Value>(c_.rules.enums[e].values.size()) - 1;
        return type;
      }
    }
    return PlayerType();
  }

  void Pattern(Part& part, const rules::Zone& zone) {
    for (std::size_t i = 0; i < part.zone->index.size(); ++i) {
      const ast::Name& name = part.zone->index[i].name;
      auto value = FindValue(c_, name.text, &zone.index_types[i]);
      if (value && value->type.base == zone.index_types[i].base) {
        part.pattern.parts.push_back({"", value->value, name.span});
        continue;
      }
      if (!value && Misspelt(part, name, zone.index_types[i])) {
        failed_.insert(part.symbol);
        part.state = Part::State::kDone;
        continue;
      }
      part.pattern.parts.push_back({name.text, rules::kNone, name.span});
    }
  }

  // A free name must be used; one that is not, or begins like a player's name, is a misspelt value.
  bool Misspelt(const Part& part, const ast::Name& name, const rules::Type& type) {
    std::vector<std::string> names;
    for (Value value : ValuesOf(c_, type)) names.push_back(ValueText(c_, type, value));
    bool capital = LowerFirst(name.text) != name.text;
    std::string near = diagnostics::Nearest(name.text, names);
    bool used = std::any_of(part.zone->cells.begin(), part.zone->cells.end(),
                            [&](const ast::ExprPtr& e) { return Reads(*e, name.text); });
    if (!capital && (near.empty() || used)) return false;
    if (!reported_.insert(name.text).second) return true;  // said once
    Diagnostic& d = c_.Error(Code::kNameUnknown, name.span, "no value named `" + name.text + "` for this index");
    Suggest(d, name.span, name.text, names);
    std::string list;
    for (const std::string& value : names) list += (list.empty() ? "`" : ", `") + value + "`";
    bool players = type.base == Base::kPlayer;
    if (d.fixes.empty()) d.help.push_back((players ? "the players are " : "its values are ") + list);
    return true;
  }

  static bool Reads(const ast::Expr& expr, std::string_view name) {
    if (expr.kind == ast::ExprKind::kName && expr.text == name) return true;
    return std::any_of(expr.children.begin(), expr.children.end(),
                       [&](const ast::ExprPtr& child) { return child && Reads(*child, name); });
  }

  // ---- cells -----------------------------------------------------------------------------------

  void Build(Part& part) {
    if (part.state != Part::State::kNew || part.symbol->broken) return;
    part.state = Part::State::kOpen;
    open_.push_back(&part);
    std::set<const ast::Expr*> seen;
    for (const ast::ExprPtr& cells : part.zone->cells) Needs(*cells, part, seen, static_cast<int>(open_.size()));
    open_.pop_back();
    part.state = Part::State::kDone;
    if (!failed_.contains(part.symbol)) Fill(part);
  }

  // Builds the zones that an expression names, also through `define`.
  void Needs(const ast::Expr& expr, const Part& user, std::set<const ast::Expr*>& seen, int depth) {
    if (!seen.insert(&expr).second || failed_.contains(user.symbol)) return;
    if (depth > kMaxDepth) {
      failed_.insert(user.symbol);
      c_.Error(Code::kLimitExpansion, user.zone->name.span,
               "`" + user.zone->name.text + "` is defined through more than " + std::to_string(kMaxDepth) + " others")
          .help.push_back("define it by cells");
      return;
    }
    bool indexed =
        expr.kind == ast::ExprKind::kIndex && !expr.children.empty() && expr.children[0]->kind == ast::ExprKind::kName;
    const std::string* name = indexed ? &expr.children[0]->text : nullptr;
    if (expr.kind == ast::ExprKind::kName || expr.kind == ast::ExprKind::kCall) name = &expr.text;
    Symbol* symbol = name != nullptr ? c_.symbols.Find(*name) : nullptr;
    if (symbol != nullptr && symbol->kind == SymbolKind::kZone) {
      NeedsZone(*symbol, expr, indexed, user);
    } else if (symbol != nullptr && symbol->kind == SymbolKind::kDefine && symbol->decl != nullptr) {
      const auto* define = std::get_if<ast::Define>(&symbol->decl->payload);
      if (define != nullptr && define->value) Needs(*define->value, user, seen, depth + 1);
    }
    for (std::size_t i = indexed ? 1 : 0; i < expr.children.size(); ++i) {
      if (expr.children[i]) Needs(*expr.children[i], user, seen, depth);
    }
  }

  void NeedsZone(Symbol& symbol, const ast::Expr& expr, bool indexed, const Part& user) {
    auto family = family_of_.find(&symbol);
    if (family == family_of_.end()) return;
    for (std::size_t at : families_[family->second].second) {
      Part& part = parts_[at];
      if (indexed && !MayMatch(part, expr)) continue;
      if (part.state == Part::State::kOpen) {
        Cycle(part, user, expr);
        return;
      }
      Build(part);
      if (symbol.broken || failed_.contains(&symbol)) failed_.insert(user.symbol);
    }
  }

  // Could `name[…]` mean this declaration? Only different constants say no.
  bool MayMatch(const Part& part, const ast::Expr& expr) {
    const rules::Zone& zone = c_.rules.zones[rules::ZoneId(part.symbol->id)];
    for (std::size_t i = 0; i < part.pattern.parts.size() && i + 1 < expr.children.size(); ++i) {
      const ast::Expr& index = *expr.children[i + 1];
      if (!part.pattern.parts[i].name.empty() || index.kind != ast::ExprKind::kName) continue;
      auto value = FindValue(c_, index.text, &zone.index_types[i]);
      if (value && value->value != part.pattern.parts[i].value) return false;
    }
    return true;
  }

  void Cycle(const Part& part, const Part& user, const ast::Expr& expr) {
    std::string message = &part == &user ? "`" + part.zone->name.text + "` is defined by itself"
                                         : "`" + part.zone->name.text + "` is defined by a zone that it defines";
    Diagnostic& d = c_.Error(Code::kZoneCycle, expr.span, message);
    auto first = std::find(open_.begin(), open_.end(), &part);
    for (auto on = first; on != open_.end(); ++on) {
      d.labels.push_back({(*on)->zone->name.span, "`" + (*on)->zone->name.text + "` is defined here"});
      failed_.insert((*on)->symbol);
    }
    d.help.push_back("define one of them by cells");
  }

  void Fill(Part& part) {
    rules::Zone& zone = c_.rules.zones[rules::ZoneId(part.symbol->id)];
    for (const PatternPlace& place : PlacesOf(zone.index, part.pattern)) {
      auto [owner, fresh] = owners_.emplace(std::pair(part.symbol, place.flat), part.zone->name.span);
      if (!fresh) {
        Diagnostic& d =
            c_.Error(Code::kNameDuplicate, part.zone->name.span, "`" + Named(zone, place.flat) + "` is declared twice");
        d.labels.push_back({owner->second, "declared here"});
        d.help.push_back(owner->second.file == part.zone->name.span.file
                             ? "keep one, or join them: `zone z = a1, b1`"
                             : "to change the imported one, write `replace` in front");
        return;
      }
      Scope scope = ScopeOf(zone.index_types, part.pattern, place.values);
      CellSet cells;
      for (const ast::ExprPtr& expr : part.zone->cells) {
        auto some = CellsOf(c_, scope, *expr);
        if (!some) {
          failed_.insert(part.symbol);
          return;
        }
        cells |= *some;
      }
      zone.cells[static_cast<std::size_t>(place.flat)] = cells;
    }
  }

  std::string Named(const rules::Zone& zone, int flat) const {
    std::string text;
    for (std::size_t i = zone.index.size(); i-- > 0;) {
      int size = static_cast<int>(zone.index[i].size());
      Value value = zone.index[i][static_cast<std::size_t>(flat % size)];
      text = ValueText(c_, zone.index_types[i], value) + (text.empty() ? "" : ", " + text);
      flat /= size;
    }
    return text.empty() ? zone.name : zone.name + "[" + text + "]";
  }

  void Complete(const Symbol& symbol, const std::vector<std::size_t>& parts) {
    const rules::Zone& zone = c_.rules.zones[rules::ZoneId(symbol.id)];
    if (symbol.broken || failed_.contains(&symbol) || zone.index.empty()) return;
    for (int flat = 0; flat < static_cast<int>(zone.cells.size()); ++flat) {
      if (owners_.contains(std::pair(&symbol, flat))) continue;
      Diagnostic& d = c_.Warning(Code::kZoneIncomplete, parts_[parts.front()].zone->name.span,
                                 "nothing says what `" + Named(zone, flat) + "` is");
      d.notes.push_back("it has no cells");
      d.help.push_back("add `zone " + Named(zone, flat) + " = …`");
      return;
    }
  }

  Context& c_;
  std::vector<Part> parts_;
  std::vector<std::pair<Symbol*, std::vector<std::size_t>>> families_;  // in file order
  std::map<const Symbol*, std::size_t> family_of_;                      // its place in families_
  // Zones with a wrong declaration: they keep their types and are empty, so that nothing else is
  // reported where they are used.
  std::set<const Symbol*> failed_;
  std::set<std::string> reported_;  // names that no value has
  int combinations_ = 0;
  std::vector<Part*> open_;
  std::map<std::pair<const Symbol*, int>, Span> owners_;
};

}  // namespace

void BuildZones(Context& c) { Zones(c).Run(); }

}  // namespace arbiter::check
