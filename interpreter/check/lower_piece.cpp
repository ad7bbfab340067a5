// What pieces can do: statements `move or take W …`, `can NAME(…)`, promotions, attributes.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"
#include "check/passes.h"

namespace arbiter::check {

namespace {

Scope PieceScope(int kind, int* frame) {
  Scope s;
  s.has_self = true;
  s.self_kinds = KindSet{1} << kind;
  s.frame_size = frame;
  return s;
}

// `strength = 3`: one value, inside the range of the attribute.
std::optional<Value> AttributeValue(Context& c, const Scope& s, const ast::PieceItem& item, const Type& type) {
  if (item.values.size() != 1) {
    c.Error(Code::kTypeMismatch, item.span, "`" + item.name.text + "` takes one value")
        .help.push_back("only attributes that are walks have several");
    return std::nullopt;
  }
  if (!item.values.front()) return std::nullopt;
  const ast::Expr& written = *item.values.front();
  std::optional<Value> value = ConstantOf(c, s, written, type, "a value");
  if (!value || (*value >= type.low && *value <= type.high)) return value;
  c.Error(Code::kTypeRange, written.span,
          "`" + std::to_string(*value) + "` is outside the range of `" + item.name.text + "`")
      .help.push_back(fmt::format("it goes from {} to {}", type.low, type.high));
  return std::nullopt;
}

}  // namespace

void Lowerer::LowerAttributes() {
  int frame = 0;
  for (std::size_t k = 0; k < rules.kinds.size() && k < c.kind_items.size(); ++k) {
    rules::Kind& kind = rules.kinds[k];
    std::set<std::string> done;
    const auto& items = c.kind_items[k];
    // The last statement of an attribute counts: a piece's own stands after those it shares.
    for (auto it = items.rbegin(); it != items.rend(); ++it) {
      const ast::PieceItem& item = **it;
      if (item.kind == ast::PieceItemKind::kMayBeOffBoard) kind.may_be_off_board = true;
      if (item.kind != ast::PieceItemKind::kAttribute || !item.name.present()) continue;
      Symbol* symbol = c.symbols.FindField(item.name.text);
      if (!symbol || symbol->kind != SymbolKind::kAttribute) continue;
      if (symbol->id < 0 || !done.insert(item.name.text).second) continue;
      kind.attributes.resize(std::max(kind.attributes.size(), static_cast<std::size_t>(symbol->id) + 1));
      std::vector<Value>& values = kind.attributes[static_cast<std::size_t>(symbol->id)];
      values.clear();
      if (symbol->type.base != Base::kWalk) {
        if (auto value = AttributeValue(c, PieceScope(static_cast<int>(k), &frame), item, symbol->type)) {
          values.push_back(*value);
        }
        continue;
      }
      for (const ast::ExprPtr& value : item.values) {
        if (!value) continue;
        Scope s = PieceScope(static_cast<int>(k), &frame);
        WalkResult walk = LowerWalk(s, *value);
        if (!walk.node.valid()) continue;
        WalkId id = InternWalk(walk.node, walk.may_stay, value->span);
        if (std::find(values.begin(), values.end(), id.value) == values.end()) values.push_back(id.value);
        if (std::find(walk_domain.begin(), walk_domain.end(), id) == walk_domain.end()) walk_domain.push_back(id);
      }
      std::sort(values.begin(), values.end());
    }
    kind.attributes.resize(rules.attributes.size());
  }
}

bool Lowerer::HasPromotion(KindSet kinds) const {
  for (std::size_t k = 0; k < c.kind_items.size(); ++k) {
    if (!(kinds >> k & 1)) continue;
    for (const ast::PieceItem* item : c.kind_items[k]) {
      if (item->kind == ast::PieceItemKind::kPromotes) return true;
    }
  }
  return false;
}

void Lowerer::LowerPromotion(int kind, const ast::PieceItem& item) {
  rules::Promotion promotion;
  promotion.span = item.span;
  promotion.optional = item.optional;
  Scope s = PieceScope(kind, &promotion.frame_size);
  bool ok = true;
  for (const ast::Name& name : item.names) {
    if (!name.present()) {
      ok = false;
      continue;
    }
    std::optional<KindSet> kinds = KindsNamed(name.text);
    if (!kinds) {
      ok = false;
      UnknownName(name.text, name.span, "piece to promote to", c.symbols.Names([](const Symbol& symbol) {
        return symbol.kind == SymbolKind::kKind || symbol.kind == SymbolKind::kClass;
      }));
      continue;
    }
    for (int k = 0; k < rules::kMaxKinds; ++k) {
      bool fresh = std::find(promotion.kinds.begin(), promotion.kinds.end(), k) == promotion.kinds.end();
      if ((*kinds >> k & 1) && fresh) promotion.kinds.push_back(k);
    }
  }
  if (!item.zone) return;
  promotion.zone = Cells(s, *item.zone);
  if (item.condition) promotion.condition = Condition(s, *item.condition);
  if (!ok || !promotion.zone.valid() || (item.condition && !promotion.condition.valid())) return;
  if (std::optional<bool> truth = Truth(promotion.condition)) {
    if (!*truth) return;
    promotion.condition = ExprId();
  }
  rules.kinds[static_cast<std::size_t>(kind)].promotions.push_back(std::move(promotion));
}

// ---- move, take, threaten ----------------------------------------------------------------------

void Lowerer::AddStatement(int kind, const ast::PieceItem& item, int number, WalkNodeId node, bool may_stay, bool moves,
                           bool takes, bool threatens) {
  if (!node.valid()) return;
  const std::string& kind_name = rules.kinds[static_cast<std::size_t>(kind)].name;
  WalkId walk = InternWalk(node, may_stay, item.walk->span);
  const ast::Riders& riders = item.riders;
  // `from`, `to`, `if` in a frame of their own: once for the action, once for the attack.
  struct Limits {
    ExprId from, to, condition;
    bool ok = true, never = false;
  };
  auto limits = [&](const Scope& s) {
    Limits l;
    auto zone = [&](const ast::ExprPtr& written, ExprId& out) {
      if (!written) return;
      bool without = written->kind == ast::ExprKind::kNot && written->children[0];
      out = Cells(s, without ? *written->children[0] : *written);
      if (without) out = SetOperation(Op::kMinus, ConstCellSet(c.board().cells(), written->span), out, written->span);
      l.ok = l.ok && out.valid();
    };
    zone(riders.from, l.from);
    zone(riders.to, l.to);
    if (riders.condition) {
      l.condition = Condition(s, *riders.condition);
      l.ok = l.ok && l.condition.valid();
      if (std::optional<bool> truth = Truth(l.condition)) {
        l.never = !*truth;
        l.condition = ExprId();
      }
    }
    return l;
  };
  if (moves || takes) {
    Instance made;
    instance = &made;
    int frame = 0;
    Scope s = PieceScope(kind, &frame);
    rules::Action& action = made.action;
    action.name = ActionName("go");
    action.has_self = true;
    action.kinds = s.self_kinds;
    action.span = item.span;
    action.origin = fmt::format("statement {} of {}", number, kind_name);
    Limits l = limits(s);
    auto require = [&](ExprId condition) {
      rules::Step step;
      step.op = rules::StepOp::kRequire;
      step.span = item.span;
      step.expr = condition;
      action.steps.push_back(std::move(step));
    };
    if (l.from.valid()) require(In(CellOf(SelfExpr(item.span), item.span), l.from, item.span));
    if (l.condition.valid()) require(l.condition);
    rules::Step choose;
    choose.op = rules::StepOp::kChoose;
    choose.span = item.span;
    choose.slot = frame++;
    choose.query.walk = Const(OfBase(Base::kWalk), walk.value, item.walk->span);
    choose.query.from = CellOf(SelfExpr(item.span), item.span);
    choose.query.onto.empty = moves;
    if (takes) choose.query.onto.pieces.push_back({Side::kEnemy, ~KindSet{0}});
    // A walk that may stay ends where the piece stands: no obstacle to itself.
    if (may_stay && moves) choose.query.onto.cells = CellOf(SelfExpr(item.span), item.span);
    choose.query.within = l.to;
    Binding to;
    to.type = CellType();
    to.slot = choose.slot;
    action.steps.push_back(std::move(choose));
    if (takes) {
      rules::Step capture;
      capture.op = rules::StepOp::kCapture;
      capture.span = item.span;
      capture.expr = Local(to, item.span);
      action.steps.push_back(std::move(capture));
    }
    rules::Step effects;
    effects.op = rules::StepOp::kEffects;
    effects.span = item.span;
    rules::Effect move;
    move.op = rules::EffectOp::kMove;
    move.span = item.span;
    move.a = SelfExpr(item.span);
    move.b = Local(to, item.span);
    effects.effects.push_back(move);
    if (riders.effects) LowerBlock(s, *riders.effects, effects.effects);
    action.steps.push_back(std::move(effects));
    instance = nullptr;
    if (l.ok && !l.never) piece_statements.push_back(Finish(made, frame));
  }
  if (takes || threatens) {
    rules::Attack attack;
    Scope s = PieceScope(kind, &attack.frame_size);
    Limits l = limits(s);
    attack.kinds = s.self_kinds;
    attack.walk = walk;
    attack.from = l.from;
    attack.to = l.to;
    attack.condition = l.condition;
    attack.span = item.span;
    if (l.ok && !l.never) rules.attacks.push_back(std::move(attack));
  }
}

void Lowerer::LowerStatement(int kind, const ast::PieceItem& item, int number) {
  if (!item.walk) return;
  int frame = 0;
  Scope s = PieceScope(kind, &frame);
  if (item.kind == ast::PieceItemKind::kBetza) {
    BetzaWalks walks;
    if (!Betza(item.walk->text, item.walk->span, true, &walks)) return;
    auto add = [&](std::vector<WalkNodeId>& nodes, bool moves, bool takes) {
      if (nodes.empty()) return;
      AddStatement(kind, item, number, WaysNode(std::move(nodes), item.walk->span), false, moves, takes, false);
    };
    add(walks.both, true, true);
    add(walks.moves, true, false);
    add(walks.takes, false, true);
    return;
  }
  WalkResult walk = LowerWalk(s, *item.walk);
  AddStatement(kind, item, number, walk.node, walk.may_stay, item.moves, item.takes, item.threatens);
}

// ---- can ---------------------------------------------------------------------------------------

void Lowerer::LowerCan(int kind, const ast::PieceItem& item) {
  if (!item.name.present()) return;
  Symbol* symbol = Use(item.name.text, {SymbolKind::kAction});
  if (!symbol) {
    UnknownName(item.name.text, item.name.span, "action",
                c.symbols.Names([](const Symbol& s) { return s.kind == SymbolKind::kAction; }));
    return;
  }
  if (!symbol->decl || symbol->broken) return;
  const std::string& kind_name = rules.kinds[static_cast<std::size_t>(kind)].name;
  Instance made;
  instance = &made;
  int frame = 0;
  Scope s = PieceScope(kind, &frame);
  rules::Action& action = made.action;
  action.name = ActionName(item.name.text);
  action.has_self = true;
  action.kinds = s.self_kinds;
  action.span = item.span;
  action.origin = fmt::format("{} of {}", item.name.text, kind_name);
  bool ok = true, never = false;
  ExprId from, condition;
  auto require = [&](ExprId test) {
    if (!test.valid()) {
      ok = false;
      return;
    }
    if (std::optional<bool> truth = Truth(test)) {
      never = never || !*truth;
      return;
    }
    rules::Step step;
    step.op = rules::StepOp::kRequire;
    step.span = item.span;
    step.expr = test;
    action.steps.push_back(std::move(step));
  };
  auto zone = [&](const ast::Expr& written) {
    bool without = written.kind == ast::ExprKind::kNot && written.children[0];
    ExprId cells = Cells(s, without ? *written.children[0] : written);
    if (without) cells = SetOperation(Op::kMinus, ConstCellSet(c.board().cells(), written.span), cells, written.span);
    return cells;
  };
  if (item.riders.from) {
    from = zone(*item.riders.from);
    require(In(CellOf(SelfExpr(item.span), item.span), from, item.span));
  }
  if (item.riders.condition) {
    condition = Condition(s, *item.riders.condition);
    require(condition);
  }
  std::vector<const ast::Expr*> args;
  for (const ast::ExprPtr& arg : item.args) {
    if (arg) args.push_back(arg.get());
  }
  if (!InlineAction(s, *symbol, args, item.name.span, action.steps, false)) ok = false;
  if (item.riders.to) require(In(CellOf(SelfExpr(item.span), item.span), zone(*item.riders.to), item.span));
  if (item.riders.effects) {
    rules::Step then;
    then.op = rules::StepOp::kEffects;
    then.span = item.span;
    LowerBlock(s, *item.riders.effects, then.effects);
    action.steps.push_back(std::move(then));
  }
  instance = nullptr;
  if (!ok) return;
  if (never) {
    can[item.name.text];  // known, though no piece has it under these options
    return;
  }
  ActionId id = Finish(made, frame);
  piece_statements.push_back(id);
  can[item.name.text].push_back(id);
  LowerThreats(*symbol, s, action.kinds, from, Truth(condition) ? ExprId() : condition);
}

void Lowerer::LowerPieces() {
  LowerAttributes();
  for (std::size_t k = 0; k < rules.kinds.size() && k < c.kind_items.size(); ++k) {
    for (const ast::PieceItem* item : c.kind_items[k]) {
      if (item->kind == ast::PieceItemKind::kPromotes) LowerPromotion(static_cast<int>(k), *item);
    }
  }
  for (std::size_t k = 0; k < rules.kinds.size() && k < c.kind_items.size(); ++k) {
    int number = 0;
    for (const ast::PieceItem* item : c.kind_items[k]) {
      ++number;
      switch (item->kind) {
        case ast::PieceItemKind::kMoves:
        case ast::PieceItemKind::kBetza:
          LowerStatement(static_cast<int>(k), *item, number);
          break;
        case ast::PieceItemKind::kCan:
          LowerCan(static_cast<int>(k), *item);
          break;
        default:
          break;
      }
    }
  }
}

}  // namespace arbiter::check
