// Actions: steps, calls, the instances that turns play (language B1, B9, B13, B14).
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

int Lowerer::ActionName(const std::string& name) {
  auto found = std::find(rules.action_names.begin(), rules.action_names.end(), name);
  int index = static_cast<int>(found - rules.action_names.begin());
  if (found == rules.action_names.end()) rules.action_names.push_back(name);
  return index;
}

void Lowerer::MarkRemembered(std::vector<rules::Step>& steps, const std::set<int>& slots) {
  for (rules::Step& step : steps) {
    if (step.op == rules::StepOp::kChoose && slots.contains(step.slot)) step.remembers = true;
    MarkRemembered(step.body, slots);
    MarkRemembered(step.otherwise, slots);
  }
}

ActionId Lowerer::Finish(Instance& made, int frame_size) {
  rules::Action& action = made.action;
  MarkRemembered(action.steps, made.remembered);
  FinishWritten(made, frame_size);
  if (action.has_self && HasPromotion(action.kinds)) {
    rules::Step promote;
    promote.op = rules::StepOp::kPromote;
    promote.span = action.span;
    action.steps.push_back(std::move(promote));
  }
  action.frame_size = frame_size;
  if (frame_size > kWalkSlots) {
    c.Error(Code::kLimitExpansion, action.span,
            fmt::format("this action has {} names and choices, {} is the most", frame_size, kWalkSlots));
  }
  return rules.actions.Add(std::move(action));
}

// ---- steps -------------------------------------------------------------------------------------

void Lowerer::LowerSteps(Scope& s, const std::vector<ast::Step>& steps, std::vector<rules::Step>& out, bool in_loop) {
  for (const ast::Step& step : steps) LowerStep(s, step, out, in_loop);
}

// A step that does nothing but be passed.
rules::Step Lowerer::Passed(Span span) {
  rules::Step step;
  step.op = rules::StepOp::kRequire;
  step.span = span;
  step.expr = True(span);
  return step;
}

void Lowerer::LowerStep(Scope& s, const ast::Step& step, std::vector<rules::Step>& out, bool in_loop) {
  if (!Spend(step.span)) return;
  rules::Step made;
  made.span = step.span;
  auto bind = [&](Type type, bool from_walk, bool chosen) {
    Binding b;
    b.name = step.name.text;
    b.type = type;
    b.slot = made.slot = (*s.frame_size)++;
    b.from_walk = from_walk;
    b.chosen = chosen;
    s.bindings.push_back(b);
  };
  auto no_choice = [&](std::string_view what) {
    if (in_loop) {
      c.Error(Code::kTypeMismatch, step.span,
              fmt::format("there is no {} inside `for`: a list of choices has a fixed length", what))
          .help.push_back("choose first, or choose from a set: `choose x in { … }`");
    }
  };
  switch (step.kind) {
    case ast::StepKind::kError:
      return;
    case ast::StepKind::kChoose: {
      no_choice("choice");
      if (!CheckLocalName(s, step.name)) return BindBroken(s, step.name);
      if (step.query) {
        made.op = rules::StepOp::kChoose;
        bool ok = LowerQuery(s, *step.query, &made.query);
        bind(CellType(), true, true);
        if (ok) out.push_back(std::move(made));
        return;
      }
      if (!step.value) return;
      made.op = rules::StepOp::kChooseIn;
      made.expr = Lower(s, *step.value, nullptr);
      if (!made.expr.valid()) return BindBroken(s, step.name);
      Type element = type(made.expr);
      if (!element.set) {
        c.Error(Code::kTypeMismatch, step.value->span,
                fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, element)));
        return BindBroken(s, step.name);
      }
      element.set = false;
      bind(element, false, true);
      out.push_back(std::move(made));
      return;
    }
    case ast::StepKind::kLet: {
      if (!CheckLocalName(s, step.name)) return BindBroken(s, step.name);
      std::optional<Type> wanted;
      if (step.type) {
        wanted = ResolveType(c, *step.type, step.name.text);
        if (!wanted) return BindBroken(s, step.name);
      }
      if (step.query) {
        if (wanted && !SameKind(*wanted, CellType())) {
          c.Error(Code::kTypeMismatch, step.type->span, "the end of a walk is a cell")
              .help.push_back(
                  "leave the type out here; `let b : piece = …` on the next line reads the piece on that cell");
          return BindBroken(s, step.name);
        }
        made.op = rules::StepOp::kLetWalk;
        bool ok = LowerQuery(s, *step.query, &made.query);
        bind(CellType(), false, false);
        if (ok) out.push_back(std::move(made));
        return;
      }
      if (!step.value) return;
      made.op = rules::StepOp::kLet;
      made.expr = Lower(s, *step.value, wanted ? &*wanted : nullptr);
      if (!made.expr.valid()) return BindBroken(s, step.name);
      if (IsConstant(made.expr)) {
        if (c.trace) out.push_back(Passed(step.span));
        Binding b;
        b.kind = Binding::Kind::kConst;
        b.name = step.name.text;
        b.type = type(made.expr);
        b.constant = made.expr;
        b.value = ValueOf(made.expr).value_or(kNone);
        s.bindings.push_back(b);
        return;
      }
      bind(type(made.expr), false, false);
      out.push_back(std::move(made));
      return;
    }
    case ast::StepKind::kRequire: {
      if (!step.value) return;
      made.op = rules::StepOp::kRequire;
      made.expr = Condition(s, *step.value);
      if (!made.expr.valid() || (Truth(made.expr) == true && !c.trace)) return;
      out.push_back(std::move(made));
      return;
    }
    case ast::StepKind::kDo: {
      made.op = rules::StepOp::kEffects;
      LowerBlock(s, step.block, made.effects);
      if (made.effects.empty()) return;
      if (!out.empty() && out.back().op == rules::StepOp::kEffects) {  // nothing happens between two `do`
        rules::Block& before = out.back().effects;
        before.insert(before.end(), made.effects.begin(), made.effects.end());
      } else {
        out.push_back(std::move(made));
      }
      return;
    }
    case ast::StepKind::kIf: {
      if (!step.value) return;
      made.op = rules::StepOp::kIf;
      made.expr = Condition(s, *step.value);
      Scope yes = Inside(s), no = Inside(s);
      const auto before = instance ? instance->said : std::map<std::size_t, ExprId>();
      if (std::optional<bool> truth = Truth(made.expr)) {
        std::vector<rules::Step> unused;
        LowerSteps(*truth ? no : yes, *truth ? step.otherwise : step.body, unused, in_loop);
        if (instance) instance->said = before;
        LowerSteps(*truth ? yes : no, *truth ? step.body : step.otherwise, out, in_loop);
        return;
      }
      LowerSteps(yes, step.body, made.body, in_loop);
      const auto after = instance ? std::exchange(instance->said, before) : before;
      LowerSteps(no, step.otherwise, made.otherwise, in_loop);
      if (instance) JoinWritten(s, after, made);
      if (made.expr.valid()) out.push_back(std::move(made));
      return;
    }
    case ast::StepKind::kFor: {
      if (!step.value) return;
      made.op = rules::StepOp::kFor;
      made.expr = Lower(s, *step.value, nullptr);
      if (!made.expr.valid() || !CheckLocalName(s, step.name)) return;
      Type element = type(made.expr);
      if (!element.set) {
        c.Error(Code::kTypeMismatch, step.value->span,
                fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, element)));
        return;
      }
      element.set = false;
      Scope inner = Inside(s);
      Binding b;
      b.name = step.name.text;
      b.type = element;
      b.slot = made.slot = (*s.frame_size)++;
      inner.bindings.push_back(b);
      LowerSteps(inner, step.body, made.body, true);
      out.push_back(std::move(made));
      return;
    }
    case ast::StepKind::kWritten: {
      if (in_loop) {
        c.Error(Code::kTypeMismatch, step.span, "`written` stands inside `for`: a move has one text")
            .help.push_back("write it before or after the loop");
        return;
      }
      LowerWritten(s, step);
      if (c.trace) out.push_back(Passed(step.span));
      return;
    }
    case ast::StepKind::kThreatens:
      return;  // LowerThreats reads it
    case ast::StepKind::kCall: {
      std::vector<const ast::Expr*> args;
      for (const ast::ExprPtr& arg : step.args) {
        if (!arg) return;
        args.push_back(arg.get());
      }
      if (!step.name.present()) return;
      if (step.name.text == "any_move") {
        no_choice("action");
        if (args.size() != 1) {
          c.Error(Code::kTypeArity, step.span,
                  fmt::format("`any_move` takes 1 argument, but {} are given", args.size()));
          return;
        }
        made.op = rules::StepOp::kPerform;
        made.expr = Lower(s, *args[0], PieceType());
        if (made.expr.valid()) out.push_back(std::move(made));
        return;
      }
      if (Symbol* effect = Use(step.name.text, {SymbolKind::kEffect})) {
        made.op = rules::StepOp::kEffects;
        if (InlineEffect(s, *effect, args, step.name.span, made.effects)) out.push_back(std::move(made));
        return;
      }
      Symbol* action = Use(step.name.text, {SymbolKind::kAction});
      if (!action) {
        std::vector<std::string> near = c.symbols.Names(
            [](const Symbol& k) { return k.kind == SymbolKind::kAction || k.kind == SymbolKind::kEffect; });
        near.emplace_back("any_move");
        UnknownName(step.name.text, step.name.span, "action or effect", near);
        return;
      }
      no_choice("action");
      InlineAction(s, *action, args, step.name.span, out, true);
      return;
    }
  }
}

// ---- calls and instances -----------------------------------------------------------------------

bool Lowerer::InlineAction(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                           std::vector<rules::Step>& out, bool named) {
  const auto* decl = symbol.decl ? std::get_if<ast::Action>(&symbol.decl->payload) : nullptr;
  if (!decl || symbol.broken) return false;
  reached_actions.insert(&symbol);
  Scope inner = TemplateScope(s);
  if (!BindParameters(inner, s, decl->params, args, span, symbol)) return false;
  if (!Enter(symbol, span)) return false;
  if (instance) instance->calls.push_back(&symbol);
  if (named) {
    rules::Step name;
    name.op = rules::StepOp::kName;
    name.span = span;
    name.value = ActionName(symbol.name);
    out.push_back(std::move(name));
  }
  // A value given to an action is read once, where it is called.
  for (Binding& b : inner.bindings) {
    if (b.kind != Binding::Kind::kArgument || !b.typed || b.type.set) continue;
    ExprId value = ArgumentValue(s, b, &b.type);
    if (!value.valid()) continue;
    Binding given;
    given.name = b.name;
    given.type = b.type;
    if (std::optional<Value> constant = ValueOf(value)) {
      given.kind = Binding::Kind::kConst;
      given.value = *constant;
    } else {
      rules::Step let;
      let.op = rules::StepOp::kLet;
      let.span = span;
      let.slot = given.slot = (*s.frame_size)++;
      let.expr = value;
      out.push_back(std::move(let));
    }
    b = given;
  }
  if (!decl->by.empty()) {
    std::optional<KindSet> by = KindsOfNames(decl->by);
    if (by && !s.has_self) {
      c.Error(Code::kTypeMismatch, span,
              fmt::format("`{}` is an action of a piece, but no piece acts here", symbol.name))
          .help.push_back("give the calling action a `by KIND`");
      by.reset();
    }
    if (by && (s.self_kinds & ~*by) != 0) {
      rules::Expr is_kind;
      is_kind.op = Op::kIsKind;
      is_kind.type = BoolType();
      is_kind.span = span;
      is_kind.kinds = *by;
      is_kind.children = {SelfExpr(span)};
      rules::Step require;
      require.op = rules::StepOp::kRequire;
      require.span = span;
      require.expr = Intern(std::move(is_kind));
      out.push_back(std::move(require));
    }
    if (by) inner.self_kinds = s.self_kinds & *by;
  }
  LowerSteps(inner, decl->steps, out, false);
  Leave();
  if (instance) instance->calls.pop_back();
  return true;
}

std::vector<ActionId> Lowerer::AtomActions(const ast::Name& name) {
  if (!name.present()) return {};
  auto statements = can.find(name.text);
  Symbol* symbol = Use(name.text, {SymbolKind::kAction});
  if (statements != can.end()) return statements->second;
  if (!symbol) {
    if (name.text == "pass") {
      auto [known, added] = atom_table_.emplace(std::pair(nullptr, KindSet{0}), ActionId());
      if (added) {
        rules::Action pass;
        pass.name = ActionName("pass");
        pass.span = name.span;
        pass.origin = "pass";
        known->second = rules.actions.Add(std::move(pass));
      }
      return {known->second};
    }
    std::vector<std::string> near =
        c.symbols.Names([](const Symbol& s) { return s.kind == SymbolKind::kAction || s.kind == SymbolKind::kTurn; });
    near.insert(near.end(), {"done", "pass"});
    UnknownName(name.text, name.span, "action or turn", near);
    return {};
  }
  const auto* decl = symbol->decl ? std::get_if<ast::Action>(&symbol->decl->payload) : nullptr;
  if (!decl || symbol->broken) return {};
  KindSet kinds = 0;
  if (!decl->by.empty()) {
    std::optional<KindSet> by = KindsOfNames(decl->by);
    if (!by) {
      symbol->broken = true;
      return {};
    }
    kinds = *by;
  }
  auto [known, added] = atom_table_.emplace(std::pair(symbol, kinds), ActionId());
  if (!added) return known->second.valid() ? std::vector<ActionId>{known->second} : std::vector<ActionId>{};
  Instance made;
  Instance* outer = std::exchange(instance, &made);
  std::vector<const Symbol*> stack = std::exchange(inlining_, {});
  auto calls = std::exchange(c.calls, {});
  int frame = 0;
  Scope s;
  s.has_self = !decl->by.empty();
  s.self_kinds = kinds;
  s.frame_size = &frame;
  made.action.name = ActionName(name.text);
  made.action.has_self = s.has_self;
  made.action.kinds = kinds;
  made.action.span = symbol->span;
  made.action.origin = name.text;
  bool ok = InlineAction(s, *symbol, {}, name.span, made.action.steps, false);
  instance = outer;
  inlining_ = std::move(stack);
  c.calls = std::move(calls);
  if (!ok || (s.has_self && kinds == 0)) return {};  // no piece of the game is of that class
  ActionId id = Finish(made, frame);
  atom_table_[std::pair(symbol, kinds)] = id;
  LowerThreats(*symbol, s, kinds, ExprId(), ExprId());
  return {id};
}

std::vector<ActionId> Lowerer::AnyMove(const std::vector<ast::Name>& except, bool report) {
  std::vector<int> left_out;
  for (const ast::Name& name : except) {
    if (!name.present()) continue;
    if (!Use(name.text, {SymbolKind::kAction})) {
      if (report) {
        UnknownName(name.text, name.span, "action",
                    c.symbols.Names([](const Symbol& s) { return s.kind == SymbolKind::kAction; }));
      }
      continue;
    }
    if (report && !IsWrittenInPiece(name.text)) {
      c.Error(Code::kTypeMismatch, name.span,
              fmt::format("no piece `can {}`, so it is not among `any move` anyway", name.text))
          .help.push_back("leave it out here");
      continue;
    }
    left_out.push_back(ActionName(name.text));
  }
  std::vector<ActionId> actions;
  for (ActionId id : piece_statements) {
    const bool out = std::find(left_out.begin(), left_out.end(), rules.actions[id].name) != left_out.end();
    if (!out) actions.push_back(id);
  }
  return actions;
}

// Does some piece say `can NAME`, under whatever options?
bool Lowerer::IsWrittenInPiece(const std::string& action) const {
  auto says = [&](const std::vector<ast::PieceItem>& items) {
    return std::any_of(items.begin(), items.end(), [&](const ast::PieceItem& item) {
      return item.kind == ast::PieceItemKind::kCan && item.name.text == action;
    });
  };
  return std::any_of(c.decls.begin(), c.decls.end(), [&](const SourceDecl& d) {
    const auto* piece = std::get_if<ast::Piece>(&d.decl->payload);
    const auto* every = std::get_if<ast::EveryPiece>(&d.decl->payload);
    return (piece && says(piece->items)) || (every && says(every->items));
  });
}

void Lowerer::LowerThreats(const Symbol& symbol, const Scope& s, KindSet kinds, ExprId from, ExprId condition) {
  const auto* decl = symbol.decl ? std::get_if<ast::Action>(&symbol.decl->payload) : nullptr;
  if (!decl) return;
  for (const ast::Step& step : decl->steps) {
    if (step.kind != ast::StepKind::kThreatens || !step.value) continue;
    if (!s.has_self) {
      c.Error(Code::kTypeMismatch, step.span, "only an action of a piece can threaten")
          .help.push_back("give the action a `by KIND`");
      continue;
    }
    rules::Attack attack;
    Scope own = TemplateScope(s);  // it is asked without the action being made: no choices, no lets
    own.frame_size = &attack.frame_size;
    attack.kinds = kinds;
    attack.from = from;
    attack.condition = condition;
    attack.cells = Cells(own, *step.value);
    attack.span = step.span;
    // The slots of the condition are those of the frame in which it was made.
    attack.frame_size = std::max(attack.frame_size, s.frame_size ? *s.frame_size : 0);
    if (attack.cells.valid()) rules.attacks.push_back(std::move(attack));
  }
}

// ---- any_move and can_play, once everything is known ------------------------------------------------

namespace {

void FillSteps(std::vector<rules::Step>& steps, const std::vector<ActionId>& all, Span* found) {
  for (rules::Step& step : steps) {
    if (step.op == rules::StepOp::kPerform) {
      step.actions = all;
      if (!found->valid()) *found = step.span;
    }
    FillSteps(step.body, all, found);
    FillSteps(step.otherwise, all, found);
  }
}

}  // namespace

void Lowerer::FillQuestions() {
  for (; questions_filled_ < can_plays.size(); ++questions_filled_) {  // an instance made here may ask again
    auto [id, name] = can_plays[questions_filled_];
    if (Symbol* turn = Use(name.text, {SymbolKind::kTurn})) {
      rules::TurnStateId start = AskedTurn(*turn, name.span);
      rules.exprs[id].turn = start;
      continue;
    }
    std::vector<ActionId> actions = AtomActions(name);
    rules.exprs[id].actions = std::move(actions);
  }
}

void Lowerer::FillPerformers() {
  FillQuestions();
  for (std::size_t i = 0; i < rules.actions.size(); ++i) {
    ActionId id{i};
    Span found;
    FillSteps(rules.actions[id].steps, piece_statements, &found);
    bool stands_in_piece = std::find(piece_statements.begin(), piece_statements.end(), id) != piece_statements.end();
    if (found.valid() && stands_in_piece) {
      c.Error(Code::kNameRecursive, found, "`any_move` stands in an action that is itself one of the moves of a piece")
          .help.push_back("let the turn call the action by its name instead of `can`");
    }
  }
}

}  // namespace arbiter::check
