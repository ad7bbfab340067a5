// Walks: ast -> walk nodes (language A4, B2 to B4), filters and queries.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

// ---- nodes and walks ---------------------------------------------------------------------------

WalkNodeId Lowerer::InternNode(rules::WalkNode node) {
  std::string key = fmt::format("{} {} {} {}", static_cast<int>(node.op), node.min, node.max, node.expr.value);
  for (const rules::StepDirection& d : node.directions) {
    key += fmt::format(" d{}:{}:{}:{}", static_cast<int>(d.kind), d.label, static_cast<int>(d.relative), d.expr.value);
  }
  for (WalkNodeId child : node.children) {
    if (!child.valid()) return child;
    key += fmt::format(" {}", child.value);
  }
  auto [found, added] = node_table_.emplace(std::move(key), rules.walk_nodes.next_id());
  if (added) rules.walk_nodes.Add(std::move(node));
  return found->second;
}

WalkNodeId Lowerer::StepNode(const std::vector<int>& labels, WalkOp op, Span span) {
  rules::WalkNode node;
  node.op = op;
  node.span = span;
  for (int label : labels) {
    rules::StepDirection d;
    if (label >= 0) {
      d.label = label;
    } else {
      d.kind = rules::StepDirection::Kind::kRelative;
      d.relative = static_cast<board::Relative>(-1 - label);
    }
    node.directions.push_back(d);
  }
  return InternNode(std::move(node));
}

WalkNodeId Lowerer::ThenNode(std::vector<WalkNodeId> parts, Span span) {
  std::vector<WalkNodeId> flat;
  for (WalkNodeId part : parts) {
    if (!part.valid()) return part;
    const rules::WalkNode& node = rules.walk_nodes[part];
    if (node.op == WalkOp::kThen) {
      flat.insert(flat.end(), node.children.begin(), node.children.end());
    } else {
      flat.push_back(part);
    }
  }
  if (flat.size() == 1) return flat[0];
  rules::WalkNode node;
  node.op = WalkOp::kThen;
  node.span = span;
  node.children = std::move(flat);
  return InternNode(std::move(node));
}

WalkNodeId Lowerer::WaysNode(std::vector<WalkNodeId> parts, Span span) {
  std::vector<WalkNodeId> flat;
  for (WalkNodeId part : parts) {
    if (!part.valid()) return part;
    const rules::WalkNode& node = rules.walk_nodes[part];
    std::vector<WalkNodeId> ways = node.op == WalkOp::kWays ? node.children : std::vector<WalkNodeId>{part};
    for (WalkNodeId way : ways) {
      if (std::find(flat.begin(), flat.end(), way) == flat.end()) flat.push_back(way);
    }
  }
  if (flat.size() == 1) return flat[0];
  rules::WalkNode node;
  node.op = WalkOp::kWays;
  node.span = span;
  node.children = std::move(flat);
  return InternNode(std::move(node));
}

WalkNodeId Lowerer::RepeatNode(WalkNodeId child, int min, int max, Span span) {
  if (!child.valid() || (min == 1 && max == 1)) return child;
  if (max == 0) return ThenNode({}, span);
  rules::WalkNode node;
  node.op = WalkOp::kRepeat;
  node.span = span;
  node.children = {child};
  node.min = min;
  node.max = max;
  return InternNode(std::move(node));
}

WalkNodeId Lowerer::LeapNode(int a, int b, Span span) {
  std::vector<int> labels;
  std::string wrong = c.builder.Leap(a, b, &labels);
  if (!wrong.empty()) {
    c.Error(Code::kWalkLeap, span, wrong);
    return WalkNodeId();
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return StepNode(labels, WalkOp::kStep, span);
}

namespace {

// The text of the author, if it is short, in one line.
std::string NameOf(const source::SourceMap& sources, Span span) {
  std::string name;
  if (!span.valid()) return name;
  for (char ch : sources.Slice(span)) {
    bool blank = ch == ' ' || ch == '\n' || ch == '\t' || ch == '\r';
    if (blank && (name.empty() || name.back() == ' ')) continue;
    name += blank ? ' ' : ch;
  }
  return name.size() <= 60 && name.find("//") == std::string::npos ? name : std::string();
}

// The slots an expression reads without binding them itself, and whether it reads `back`.
void ReadsOf(const rules::Rules& rules, ExprId id, std::set<int>& read, std::set<int>& bound, bool& back) {
  Visited seen;
  VisitExprs(rules, id, seen, [&](const rules::Expr& e) {
    switch (e.op) {
      case Op::kLocal:
      case Op::kChoiceHeading:
      case Op::kChoiceBefore:
      case Op::kChoiceCrossed:
        read.insert(e.slot);
        break;
      case Op::kSome:
      case Op::kEvery:
      case Op::kCount:
      case Op::kFilter:
      case Op::kRun:
        bound.insert(e.slot);
        break;
      case Op::kBack:
        back = true;
        break;
      default:
        break;
    }
  });
}

}  // namespace

WalkId Lowerer::InternWalk(WalkNodeId root, bool may_stay, Span span) {
  if (!root.valid()) return WalkId();
  auto known = walk_table_.find({root.value, may_stay});
  if (known != walk_table_.end()) return known->second;
  rules::Walk walk;
  walk.name = NameOf(c.sources, span);
  walk.root = root;
  walk.may_stay = may_stay;
  walk.span = span;
  std::set<int> read, bound;
  std::set<int> seen;
  std::vector<WalkNodeId> open{root};
  while (!open.empty()) {
    WalkNodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id.value).second) continue;
    const rules::WalkNode& node = rules.walk_nodes[id];
    if (node.expr.valid()) ReadsOf(rules, node.expr, read, bound, walk.reads_back);
    for (const rules::StepDirection& d : node.directions) {
      if (d.expr.valid()) ReadsOf(rules, d.expr, read, bound, walk.reads_back);
    }
    open.insert(open.end(), node.children.begin(), node.children.end());
  }
  for (int slot : read) walk.reads_frame = walk.reads_frame || !bound.contains(slot);
  WalkId id = rules.walks.Add(std::move(walk));
  walk_table_.emplace(std::pair(root.value, may_stay), id);
  return id;
}

// ---- forms of walks ----------------------------------------------------------------------------

// Where expressions inside walks are read.
Scope Lowerer::GuardScope(const Scope& s) {
  Scope inner = Inside(s);
  inner.in_walk = true;
  inner.frame_size = &walk_frame_;
  return inner;
}

// One bound of a repetition.
std::optional<int> Lowerer::Bound(const Scope& s, const ast::Expr& e) {
  ExprId value = Lower(s, e, nullptr);
  if (!value.valid()) return std::nullopt;
  constexpr std::string_view kMayStand = "a number stands here, or a name for one: an option, a define, a parameter";
  if (type(value).base != Base::kInt || type(value).set) {
    c.Error(Code::kTypeMismatch, e.span,
            fmt::format("a number of times is needed here, but this is {}", TypeText(rules, type(value))))
        .help.emplace_back(kMayStand);
    return std::nullopt;
  }
  if (std::optional<Value> number = ValueOf(value)) return *number;
  Diagnostic& d = c.Error(Code::kTypeMismatch, e.span, "the bound of a repetition is no constant");
  d.notes.push_back("it is known only while the game is played, and repetitions are written out before");
  d.help.emplace_back(kMayStand);
  if (Written given = Follow(s, e); given.expr != &e) d.labels.push_back({given.expr->span, "given here"});
  return std::nullopt;
}

Lowerer::Rounds Lowerer::LowerTimes(const Scope& s, const ast::Times& times) {
  Rounds rounds{times.min, times.max};
  auto read = [&](const ast::ExprPtr& bound, int& number) {
    if (!bound) return;
    std::optional<int> value = Bound(s, *bound);
    rounds.broken = rounds.broken || !value;
    number = value.value_or(0);
  };
  read(times.least, rounds.min);
  read(times.most, rounds.max);
  bool bounded = times.most || times.max >= 0;
  rounds.min = std::max(rounds.min, 0);
  rounds.never = bounded && rounds.max < rounds.min;
  return rounds;
}

// One step (or a `face`) along what `e` says: fixed directions, or directions known when it is made.
WalkNodeId Lowerer::StepAlong(const Scope& s, const ast::Expr& e, WalkOp op) {
  if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) {
    return StepNode(*labels, op, e.span);
  }
  ExprId value = Lower(GuardScope(s), e, nullptr);
  if (!value.valid()) return WalkNodeId();
  if (type(value).base != Base::kDirection) {
    c.Error(Code::kTypeMismatch, e.span,
            fmt::format("a direction is needed here, but this is {}", TypeText(rules, type(value))));
    return WalkNodeId();
  }
  if (std::optional<std::vector<Value>> labels = ElementsOf(value)) return StepNode(*labels, op, e.span);
  rules::WalkNode node;
  node.op = op;
  node.span = e.span;
  rules::StepDirection d;
  d.kind = rules::StepDirection::Kind::kExpr;
  d.expr = value;
  node.directions.push_back(d);
  return InternNode(std::move(node));
}

WalkResult Lowerer::LowerWalk(const Scope& s, const ast::Expr& e) {
  if (!Spend(e.span)) return {};
  if (depth_ > 1500) {
    c.Error(Code::kLimitExpansion, e.span, "this is nested too deeply");
    return {};
  }
  if (walk_depth_ == 0) walk_frame_ = kWalkSlots;
  ++depth_;
  ++walk_depth_;
  WalkResult result = WalkParts(s, e);
  --walk_depth_;
  --depth_;
  if (walk_frame_ > kWalkSlots) walk_slots = std::max(walk_slots, walk_frame_);
  return result;
}

WalkResult Lowerer::WalkParts(const Scope& s, const ast::Expr& e) {
  for (const ast::ExprPtr& child : e.children) {
    if (!child) return {};
  }
  switch (e.kind) {
    case ast::ExprKind::kError:
      return {};
    case ast::ExprKind::kName:
      return WalkName(s, e);
    case ast::ExprKind::kCall:
      return WalkCall(s, e);
    case ast::ExprKind::kThen:
    case ast::ExprKind::kWays: {
      std::vector<WalkNodeId> parts;
      bool may_stay = false;
      for (const ast::ExprPtr& child : e.children) {
        WalkResult part = LowerWalk(s, *child);
        if (!part.node.valid()) return {};
        may_stay = may_stay || part.may_stay;
        parts.push_back(part.node);
      }
      if (e.kind == ast::ExprKind::kThen) return {ThenNode(std::move(parts), e.span), may_stay};
      // Ways that are single steps become one step in several directions.
      if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) {
        return {StepNode(*labels, WalkOp::kStep, e.span), may_stay};
      }
      return {WaysNode(std::move(parts), e.span), may_stay};
    }
    case ast::ExprKind::kRepeat: {
      WalkResult part = LowerWalk(s, *e.children[0]);
      Rounds rounds = LowerTimes(GuardScope(s), e.times);
      if (rounds.broken || !part.node.valid()) return {};
      if (rounds.max > 256 || rounds.min > 256) {
        c.Error(Code::kTypeRange, e.span, "a walk repeats a part at most 256 times; `*` has no bound");
        return {};
      }
      if (rounds.never) return {WaysNode({}, e.span)};
      return {RepeatNode(part.node, rounds.min, rounds.max, e.span), part.may_stay};
    }
    case ast::ExprKind::kOver: {
      WalkResult part = LowerWalk(s, *e.children[0]);
      Scope inner = GuardScope(s);
      const ast::Expr& over = *e.children[1];
      ExprId here = Make(Op::kHere, CellType(), over.span, {});
      Written w = Follow(inner, over);  // a filter may be given as an argument
      ExprId condition = w.expr->kind == ast::ExprKind::kFilter ? FilterCondition(GuardScope(*w.scope), *w.expr, here)
                                                                : Condition(inner, over);
      if (!part.node.valid() || !condition.valid()) return {};
      rules::WalkNode node;
      node.op = WalkOp::kOver;
      node.span = e.span;
      node.children = {part.node};
      node.expr = condition;
      return {InternNode(std::move(node)), part.may_stay};
    }
    case ast::ExprKind::kGuard: {
      Scope inner = GuardScope(s);
      ExprId condition = Condition(inner, *e.children[0]);
      if (!condition.valid()) return {};
      if (std::optional<bool> truth = Truth(condition)) {
        return {*truth ? ThenNode({}, e.span) : WaysNode({}, e.span)};
      }
      rules::WalkNode node;
      node.op = WalkOp::kGuard;
      node.span = e.span;
      node.expr = condition;
      return {InternNode(std::move(node))};
    }
    case ast::ExprKind::kFace: {
      Scope inner = GuardScope(s);
      return {StepAlong(inner, *e.children[0], WalkOp::kFace)};
    }
    case ast::ExprKind::kTurn: {
      bool hexes = c.board().shape() == board::Shape::kHexes;
      static const std::map<std::string, std::pair<int, int>, std::less<>> turns = {
          // eighths on squares; twelfths on hexes, where a right turn leads to the next edge
          {"right", {2, 2}},      {"left", {6, 10}}, {"half_right", {1, 1}},
          {"half_left", {7, 11}}, {"back", {4, 6}},  {"around", {4, 6}},
      };
      auto found = turns.find(e.text);
      if (found == turns.end()) {
        std::vector<std::string> names;
        for (const auto& [name, parts] : turns) names.push_back(name);
        UnknownName(e.text, e.word.valid() ? e.word : e.span, "turn", names)
            .notes.push_back("a walk turns `left`, `right`, `half_left`, `half_right` or `back`");
        return {};
      }
      rules::WalkNode node;
      node.op = WalkOp::kTurn;
      node.span = e.span;
      node.min = hexes ? found->second.second : found->second.first;
      return {InternNode(std::move(node))};
    }
    case ast::ExprKind::kLeap: {
      std::optional<Value> a = ValueOf(Lower(s, *e.children[0], IntType()));
      std::optional<Value> b = ValueOf(Lower(s, *e.children[1], IntType()));
      if (!a || !b) {
        if (!c.sink.has_errors()) c.Error(Code::kTypeMismatch, e.span, "a leap needs two fixed numbers");
        return {};
      }
      return {LeapNode(*a, *b, e.span)};
    }
    case ast::ExprKind::kBetza: {
      BetzaWalks walks;
      if (!Betza(e.text, e.span, false, &walks)) return {};
      return {WaysNode(std::move(walks.both), e.span)};
    }
    case ast::ExprKind::kMayStay: {  // the origin is an end too: going nowhere is one of the ways
      WalkResult part = LowerWalk(s, *e.children[0]);
      return {WaysNode({part.node, ThenNode({}, e.span)}, e.span), true};
    }
    case ast::ExprKind::kIf:
      return WalkIf(s, e);
    case ast::ExprKind::kBinary:
    case ast::ExprKind::kSet:
      if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) {
        return {StepNode(*labels, WalkOp::kStep, e.span)};
      }
      if (e.text == "+") {
        c.Error(Code::kTypeMismatch, e.span, "walks are not added")
            .help.push_back("`A | B` goes either way, `A then B` both");
        return {};
      }
      [[fallthrough]];
    default: {
      Scope inner = GuardScope(s);
      ExprId value = Lower(inner, e, nullptr);
      if (!value.valid()) return {};
      if (type(value).base == Base::kDirection) return {StepAlong(inner, e, WalkOp::kStep)};
      Diagnostic& d = c.Error(Code::kTypeMismatch, e.span,
                              fmt::format("a walk is needed here, but this is {}", TypeText(rules, type(value))));
      if (type(value).base == Base::kWalk) d.help.push_back("take one of them: `choose f in …`; or all: `any_of(…)`");
      return {};
    }
  }
}

WalkResult Lowerer::WalkIf(const Scope& s, const ast::Expr& e) {
  Scope inner = GuardScope(s);
  ExprId condition = Condition(inner, *e.children[0]);
  if (!condition.valid()) return {};
  if (std::optional<bool> truth = Truth(condition)) return LowerWalk(s, *e.children[*truth ? 1 : 2]);
  WalkResult yes = LowerWalk(s, *e.children[1]), no = LowerWalk(s, *e.children[2]);
  auto guard = [&](ExprId test) {
    rules::WalkNode node;
    node.op = WalkOp::kGuard;
    node.span = e.span;
    node.expr = test;
    return InternNode(std::move(node));
  };
  WalkNodeId first = ThenNode({guard(condition), yes.node}, e.span);
  WalkNodeId second = ThenNode({guard(Not(condition, e.span)), no.node}, e.span);
  return {WaysNode({first, second}, e.span), yes.may_stay || no.may_stay};
}

WalkResult Lowerer::WalkFromSlot(const Binding& b, Span span) {
  auto chosen = walk_substitution_.find(b.slot);
  if (chosen != walk_substitution_.end()) {
    const rules::Walk& walk = rules.walks[chosen->second];
    return {walk.root, walk.may_stay};
  }
  if (walk_variable_ && walk_variable_->slot != b.slot) {
    c.Error(Code::kTypeMismatch, span, "a walk can be built from one chosen walk, not from two")
        .labels.push_back({span, fmt::format("`{}` and `{}`", walk_variable_->name, b.name)});
    return {};
  }
  walk_variable_ = b;
  return {};
}

WalkResult Lowerer::WalkName(const Scope& s, const ast::Expr& e) {
  const std::string_view name = e.text;
  if (const Binding* found = s.Find(name)) {
    const Binding b = *found;
    if (b.kind == Binding::Kind::kArgument) {
      Scope scope = Inside(*b.argument_scope);
      scope.in_walk = scope.in_walk || s.in_walk;
      scope.frame_size = s.frame_size;
      AtArgument at(*this, b);
      return LowerWalk(scope, *b.argument);
    }
    if (b.type.base == Base::kWalk && !b.type.set) {
      if (b.kind == Binding::Kind::kSlot) return WalkFromSlot(b, e.span);
      if (b.value == kNone) return {WaysNode({}, e.span)};
      const rules::Walk& walk = rules.walks[WalkId(b.value)];
      return {walk.root, walk.may_stay};
    }
    return {StepAlong(s, e, WalkOp::kStep)};
  }
  if (name == "ahead" || name == "deflect") {
    rules::WalkNode node;
    node.op = name == "ahead" ? WalkOp::kAhead : WalkOp::kDeflect;
    node.span = e.span;
    return {InternNode(std::move(node))};
  }
  if (Symbol* walk = Use(name, {SymbolKind::kWalk})) {
    const auto* decl = walk->decl ? std::get_if<ast::WalkDecl>(&walk->decl->payload) : nullptr;
    if (!decl || !decl->walk || walk->broken) return {};
    Scope inner = TemplateScope(s);
    if (!BindParameters(inner, s, decl->params, {}, e.span, *walk)) return {};
    if (!Enter(*walk, e.span)) return {};
    WalkResult result = LowerWalk(inner, *decl->walk);
    Leave();
    return result;
  }
  if (std::optional<std::vector<int>> labels = StaticDirections(s, e)) {
    return {StepNode(*labels, WalkOp::kStep, e.span)};
  }
  if (Symbol* symbol = c.symbols.Find(name)) {
    ++symbol->uses;
    if (symbol->kind == SymbolKind::kStateVar || symbol->kind == SymbolKind::kDefine) {
      return {StepAlong(s, e, WalkOp::kStep)};
    }
    if (symbol->broken) return {};
    Diagnostic& d = c.Error(Code::kTypeMismatch, e.span,
                            fmt::format("`{}` is a {}, but a walk is needed here", name, SymbolKindName(symbol->kind)));
    if (symbol->span.valid()) d.labels.push_back({symbol->span, "declared here"});
    return {};
  }
  std::vector<std::string> near = c.symbols.Names([](const Symbol& symbol) {
    return symbol.kind == SymbolKind::kWalk || symbol.kind == SymbolKind::kDirectionSet;
  });
  for (int label = 0; label < c.board().direction_count(); ++label) near.push_back(c.board().label_name(label));
  near.insert(near.end(), {"forward", "backward", "left", "right", "sideways", "forward_diagonal", "backward_diagonal",
                           "along", "against", "orthogonal", "diagonal", "all", "ahead", "deflect"});
  UnknownName(name, e.span, "direction or walk", near);
  return {};
}

WalkResult Lowerer::WalkCall(const Scope& s, const ast::Expr& e) {
  if (e.text == "any_of" && e.children.size() == 1) return {AnyOfNode(s, *e.children[0])};
  std::vector<const ast::Expr*> args;
  for (const ast::ExprPtr& child : e.children) args.push_back(child.get());
  if (Symbol* walk = Use(e.text, {SymbolKind::kWalk})) {
    const auto* decl = walk->decl ? std::get_if<ast::WalkDecl>(&walk->decl->payload) : nullptr;
    if (!decl || !decl->walk || walk->broken) return {};
    Scope inner = TemplateScope(s);
    if (!BindParameters(inner, s, decl->params, args, e.span, *walk)) return {};
    if (!Enter(*walk, e.span)) return {};
    WalkResult result = LowerWalk(inner, *decl->walk);
    Leave();
    return result;
  }
  bool value = c.symbols.Find(e.text) || e.text == "way";
  if (value) return {StepAlong(s, e, WalkOp::kStep)};  // a direction that is computed
  std::vector<std::string> near =
      c.symbols.Names([](const Symbol& symbol) { return symbol.kind == SymbolKind::kWalk; });
  near.insert(near.end(), {"leap", "any_of"});
  UnknownName(e.text, e.word.valid() ? e.word : e.span, "walk", near);
  return {};
}

// `any_of(flights)`: any of the walks that the acting piece has in that attribute.
WalkNodeId Lowerer::AnyOfNode(const Scope& s, const ast::Expr& e) {
  Written w = Follow(s, e);
  bool by_name = w.expr->kind == ast::ExprKind::kName;
  bool of_self = w.expr->kind == ast::ExprKind::kField && w.expr->children[0] &&
                 w.expr->children[0]->kind == ast::ExprKind::kName && w.expr->children[0]->text == "self";
  Symbol* symbol = by_name || of_self ? c.symbols.FindField(w.expr->text) : nullptr;
  if (!symbol || symbol->kind != SymbolKind::kAttribute || symbol->type.base != Base::kWalk || !s.has_self) {
    c.Error(Code::kTypeMismatch, e.span, "`any_of` needs an attribute of the acting piece that holds walks");
    return WalkNodeId();
  }
  ++symbol->uses;
  std::vector<WalkNodeId> ways;
  bool one_kind = s.self_kinds != 0 && (s.self_kinds & (s.self_kinds - 1)) == 0;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    if (!(s.self_kinds >> k & 1)) continue;
    const auto& attributes = rules.kinds[k].attributes;
    if (static_cast<std::size_t>(symbol->id) >= attributes.size()) continue;
    std::vector<WalkNodeId> own;
    for (Value walk : attributes[static_cast<std::size_t>(symbol->id)]) own.push_back(rules.walks[WalkId(walk)].root);
    if (one_kind) return WaysNode(std::move(own), e.span);
    rules::Expr is_kind;
    is_kind.op = Op::kIsKind;
    is_kind.type = BoolType();
    is_kind.span = e.span;
    is_kind.kinds = KindSet{1} << k;
    is_kind.children = {SelfExpr(e.span)};
    rules::WalkNode guard;
    guard.op = WalkOp::kGuard;
    guard.span = e.span;
    guard.expr = Intern(std::move(is_kind));
    ways.push_back(ThenNode({InternNode(std::move(guard)), WaysNode(std::move(own), e.span)}, e.span));
  }
  return WaysNode(std::move(ways), e.span);
}

// ---- walks as values ---------------------------------------------------------------------------

ExprId Lowerer::WalkValue(const Scope& s, const ast::Expr& e) {
  Written w = Follow(s, e);
  Type walk_type = OfBase(Base::kWalk);
  if (w.expr->kind == ast::ExprKind::kName) {
    const Binding* b = w.scope->Find(w.expr->text);
    if (b && b->type.base == Base::kWalk && !b->type.set && !walk_substitution_.contains(b->slot)) {
      return Local(*b, e.span);
    }
  }
  std::optional<Binding> outer_variable = std::exchange(walk_variable_, std::nullopt);
  WalkResult result = LowerWalk(s, e);
  std::optional<Binding> variable = std::exchange(walk_variable_, outer_variable);
  if (result.node.valid()) {
    return Const(walk_type, InternWalk(result.node, result.may_stay, w.expr->span).value, e.span);
  }
  if (!variable) return ExprId();
  // It depends on a walk chosen when the action is made: a table over all that it may be.
  std::vector<WalkId> table;
  for (WalkId walk : walk_domain) {
    walk_substitution_[variable->slot] = walk;
    WalkResult made = LowerWalk(s, e);
    walk_substitution_.erase(variable->slot);
    if (!made.node.valid()) return ExprId();
    if (table.size() <= walk.index()) table.resize(walk.index() + 1);
    table[walk.index()] = InternWalk(made.node, made.may_stay, e.span);
  }
  auto known = std::find(rules.walk_maps.begin(), rules.walk_maps.end(), table);
  Value index = static_cast<Value>(known - rules.walk_maps.begin());
  if (known == rules.walk_maps.end()) rules.walk_maps.push_back(std::move(table));
  return Make(Op::kWalkMap, walk_type, e.span, {Local(*variable, e.span)}, index);
}

std::optional<WalkId> Lowerer::ConstantWalk(const Scope& s, const ast::Expr& e) {
  ExprId value = WalkValue(s, e);
  if (!value.valid()) return std::nullopt;
  std::optional<Value> walk = ValueOf(value);
  if (walk) return WalkId(*walk);
  c.Error(Code::kTypeMismatch, e.span, "this walk is not fixed: it is chosen when the action is made");
  return std::nullopt;
}

// ---- filters and queries -----------------------------------------------------------------------

ExprId Lowerer::FilterCondition(const Scope& s, const ast::Expr& filter, ExprId cell) {
  bool ok = true;
  rules::Filter f = LowerFilter(s, filter, &ok);
  if (!ok) return ExprId();
  std::vector<ExprId> parts;
  Span span = filter.span;
  ExprId piece = PieceAt(cell, span);
  if (f.empty) parts.push_back(Make(Op::kIsEmpty, BoolType(), span, {cell}));
  for (const rules::PieceTest& test : f.pieces) {
    std::vector<ExprId> tests;
    if (test.side == Side::kOwn) tests.push_back(Make(Op::kIsOwn, BoolType(), span, {piece}));
    if (test.side == Side::kEnemy) tests.push_back(Make(Op::kIsEnemy, BoolType(), span, {piece}));
    if (test.side == Side::kNeutral) {
      tests.push_back(Equal(Make(Op::kOwner, PlayerType(), span, {piece}), Const(PlayerType(), kNone, span), span));
    }
    if (test.kinds != ~KindSet{0}) {
      rules::Expr is_kind;
      is_kind.op = Op::kIsKind;
      is_kind.type = BoolType();
      is_kind.span = span;
      is_kind.kinds = test.kinds;
      is_kind.children = {piece};
      tests.push_back(Intern(std::move(is_kind)));
    }
    if (test.side == Side::kAny || test.side == Side::kNeutral) {
      tests.push_back(Make(Op::kExists, BoolType(), span, {piece}));
    }
    parts.push_back(And(std::move(tests), span));
  }
  if (f.cells.valid()) {
    parts.push_back(type(f.cells).set
                        ? In(cell, f.cells, span)
                        : And({Make(Op::kExists, BoolType(), span, {f.cells}), Equal(cell, f.cells, span)}, span));
  }
  bool everything = f.empty && std::any_of(f.pieces.begin(), f.pieces.end(), [](const rules::PieceTest& t) {
                      return t.side == Side::kAny && t.kinds == ~KindSet{0};
                    });
  ExprId any = everything ? True(span) : Or(std::move(parts), span);
  return f.negated ? Not(any, span) : any;
}

rules::Filter Lowerer::LowerFilter(const Scope& s, const ast::Expr& filter, bool* ok) {
  rules::Filter out;
  out.negated = filter.negated;
  auto add_cells = [&](ExprId cells, Span span) {
    // One cell alone stays a cell.
    bool set = out.cells.valid() || (cells.valid() && type(cells).set);
    cells = Convert(cells, set ? CellsType() : CellType(), span);
    if (!cells.valid()) {
      *ok = false;
      return;
    }
    out.cells =
        out.cells.valid() ? SetOperation(Op::kUnion, Convert(out.cells, CellsType(), span), cells, span) : cells;
  };
  for (const ast::ExprPtr& child : filter.children) {
    if (!child || child->kind == ast::ExprKind::kError) {
      *ok = false;
      continue;
    }
    const ast::Expr& term = *child;
    if (term.kind != ast::ExprKind::kFilterTerm) {
      add_cells(Lower(s, term, nullptr), term.span);
      continue;
    }
    rules::PieceTest test;
    bool is_piece = false;
    for (std::size_t i = 0; i < term.words.size(); ++i) {
      const ast::Name& word = term.words[i];
      const std::string& w = word.text;
      if (w == "empty" && term.words.size() == 1) {
        out.empty = true;
      } else if (w == "any" && term.words.size() == 1) {
        out.empty = true;
        is_piece = true;
      } else if (w == "occupied" || w == "any" || w == "piece" || w == "pieces") {
        is_piece = true;
      } else if (w == "enemy" || w == "own" || w == "neutral") {
        test.side = w == "enemy" ? Side::kEnemy : w == "own" ? Side::kOwn : Side::kNeutral;
        is_piece = true;
      } else {
        ast::Expr name;
        name.kind = ast::ExprKind::kName;
        name.text = w;
        name.span = word.span;
        Written written = Follow(s, name);
        std::optional<KindSet> kinds;
        if (written.expr->kind == ast::ExprKind::kName && !written.scope->Find(written.expr->text)) {
          kinds = KindsNamed(written.expr->text);
        }
        if (kinds) {
          test.kinds &= *kinds;
          is_piece = true;
          continue;
        }
        if (written.expr->kind == ast::ExprKind::kFilter) {  // `onto F`, where F was given as `enemy or empty`
          rules::Filter given = LowerFilter(*written.scope, *written.expr, ok);
          if (given.negated || test.side != Side::kAny) {
            c.Error(Code::kTypeMismatch, word.span, "a filter with `not` given as an argument stands alone");
            *ok = false;
          }
          out.empty = out.empty || given.empty;
          out.pieces.insert(out.pieces.end(), given.pieces.begin(), given.pieces.end());
          if (given.cells.valid()) add_cells(given.cells, word.span);
          continue;
        }
        bool known = s.Find(w) || c.symbols.Find(w) || c.board().Find(w) >= 0 || w == "self" || w == "everywhere";
        if (!known) {
          std::vector<std::string> near = ValueNames(s);
          near.insert(near.end(), {"empty", "enemy", "own", "any", "occupied"});
          for (std::string& known_class :
               c.symbols.Names([](const Symbol& k) { return k.kind == SymbolKind::kClass; })) {
            near.push_back(std::move(known_class));
          }
          UnknownName(w, word.span, "piece, class or cell", near);
          *ok = false;
          continue;
        }
        ExprId value = Lower(s, name, nullptr);
        if (!value.valid()) {
          *ok = false;
          continue;
        }
        if (type(value).base == Base::kKind && !IsConstant(value)) {  // a kind that was chosen
          Binding p;
          p.type = PieceType();
          p.slot = (*s.frame_size)++;
          rules::Expr all, of_kind;
          all.op = Op::kPieces;
          all.type = SetOf(Base::kPiece);
          all.span = word.span;
          all.side = test.side;
          is_piece = false;
          of_kind.op = Op::kFilter;
          of_kind.type = SetOf(Base::kPiece);
          of_kind.span = word.span;
          of_kind.slot = p.slot;
          ExprId kind_of = Make(Op::kKindOf, OfBase(Base::kKind), word.span, {Local(p, word.span)});
          of_kind.children = {Intern(std::move(all)), Equal(kind_of, value, word.span)};
          add_cells(Intern(std::move(of_kind)), word.span);
          continue;
        }
        add_cells(value, word.span);
      }
    }
    if (is_piece) out.pieces.push_back(test);
  }
  if (filter.children.empty()) *ok = false;
  return out;
}

bool Lowerer::LowerQuery(const Scope& s, const ast::Query& query, rules::Query* out) {
  if (!query.walk || !query.from || !query.onto) return false;
  bool ok = true;
  out->walk = WalkValue(s, *query.walk);
  out->from = Lower(s, *query.from, CellType());
  out->onto = LowerFilter(s, *query.onto, &ok);
  if (query.within) {
    out->within = Cells(s, *query.within);
    ok = ok && out->within.valid();
  }
  return ok && out->walk.valid() && out->from.valid();
}

}  // namespace arbiter::check
