// `written`: the text that names a move, put together from texts and from the choices of the action (language B9).
//
// A choice is shown as it was made. A chosen cell stays in its slot; of a chosen piece, and of `self`, the cell is
// kept in a slot of its own when it is chosen. Which `written` counts depends on the branches taken: where two
// branches meet that say different things, a slot remembers which. All parts of all texts become one list, each
// under the condition that its text counts; parts of the others are none.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "check/lower.h"

namespace arbiter::check {

namespace {

rules::Step LetStep(int slot, ExprId value, Span span) {
  rules::Step let;
  let.op = rules::StepOp::kLet;
  let.span = span;
  let.slot = slot;
  let.expr = value;
  return let;
}

Binding SlotOf(int slot, Type type) {
  Binding b;
  b.slot = slot;
  b.type = type;
  return b;
}

bool EndsGame(const rules::Block& block) {
  return std::any_of(block.begin(), block.end(), [](const rules::Effect& e) {
    switch (e.op) {
      case rules::EffectOp::kWin:
      case rules::EffectOp::kLose:
      case rules::EffectOp::kDraw:
      case rules::EffectOp::kResult:
        return true;
      default:
        return EndsGame(e.body) || EndsGame(e.otherwise);
    }
  });
}

// What a step leaves in its slot; sets are left out, for no text shows them.
std::optional<Type> Leaves(const rules::Rules& rules, const rules::Step& step) {
  if (step.op == rules::StepOp::kChoose || step.op == rules::StepOp::kLetWalk) return CellType();
  if (step.op != rules::StepOp::kChooseIn && step.op != rules::StepOp::kLet) return std::nullopt;
  Type left = rules.exprs[step.expr].type;
  if (step.op == rules::StepOp::kLet && left.set) return std::nullopt;
  left.set = false;
  return left;
}

// Effects that may end the game leave what comes after them undone: what the text reads of that must not be left
// from another choice tried before. `later`: slots set behind these steps; grows by those that are set in them.
void ForgetBefore(const rules::Rules& rules, std::vector<rules::Step>& steps, std::map<int, Type>& later,
                  const std::function<ExprId(Type)>& none_of) {
  for (std::size_t i = steps.size(); i-- > 0;) {
    rules::Step& step = steps[i];
    std::map<int, Type> inside = later;
    ForgetBefore(rules, step.otherwise, inside, none_of);
    ForgetBefore(rules, step.body, later, none_of);
    later.insert(inside.begin(), inside.end());
    if (std::optional<Type> left = Leaves(rules, step)) later.emplace(step.slot, *left);
    bool ends = step.op == rules::StepOp::kPerform || (step.op == rules::StepOp::kEffects && EndsGame(step.effects));
    if (!ends || later.empty()) continue;
    std::vector<rules::Step> forget;
    for (const auto& [slot, type] : later) forget.push_back(LetStep(slot, none_of(type), step.span));
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(i), forget.begin(), forget.end());
  }
}

// Keeps the cell of each chosen piece that the text shows.
void KeepCells(std::vector<rules::Step>& steps, const std::map<int, int>& slots,
               const std::function<rules::Step(int, int, Span)>& keep) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    KeepCells(steps[i].body, slots, keep);
    KeepCells(steps[i].otherwise, slots, keep);
    auto found = steps[i].op == rules::StepOp::kChooseIn ? slots.find(steps[i].slot) : slots.end();
    if (found == slots.end()) continue;
    rules::Step let = keep(found->first, found->second, steps[i].span);
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(++i), std::move(let));
  }
}

}  // namespace

ExprId Lowerer::WrittenPart(const Scope& s, const ast::Expr& e) {
  constexpr std::string_view kMayStand = "`written` takes texts in quotes, `self`, and names of choices";
  Written w = Follow(s, e);
  if (w.expr->kind == ast::ExprKind::kName) {
    const std::string& name = w.expr->text;
    const Binding* b = w.scope->Find(name);
    if (b && b->kind == Binding::Kind::kSlot && b->chosen) {
      if (b->type.base != Base::kPiece) return Local(*b, e.span);
      auto [kept, added] = instance->cell_slots.emplace(b->slot, 0);
      if (added) kept->second = (*s.frame_size)++;
      return Local(SlotOf(kept->second, CellType()), e.span);
    }
    if (!b && name == "self" && w.scope->has_self) {
      if (instance->self_slot < 0) instance->self_slot = (*s.frame_size)++;
      return Local(SlotOf(instance->self_slot, CellType()), e.span);
    }
    bool known = b || name == "self" || c.symbols.Find(name) || IsReserved(name);
    if (!known) {
      std::vector<std::string> near;
      for (const Scope* scope = &s; scope; scope = scope->parent) {
        for (const Binding& binding : scope->bindings) {
          if (binding.chosen) near.push_back(binding.name);
        }
      }
      UnknownName(name, w.expr->span, "choice", near).notes.emplace_back(kMayStand);
      return ExprId();
    }
  }
  in_move_text = true;
  ExprId text = Lower(s, e, nullptr);
  in_move_text = false;
  if (!text.valid()) return text;
  const Type& is = type(text);
  if (is.base == Base::kEnum && is.enumeration == kTextEnum && !is.set) return text;
  Diagnostic& d =
      w.expr->kind == ast::ExprKind::kName
          ? c.Error(Code::kTypeMismatch, e.span, fmt::format("`{}` is no choice of this action", w.expr->text))
          : c.Error(Code::kTypeMismatch, e.span,
                    fmt::format("a text is needed here, but this is {}", TypeText(rules, is)));
  d.help.emplace_back(kMayStand);
  return ExprId();
}

void Lowerer::LowerWritten(const Scope& s, const ast::Step& step) {
  if (!instance) return;
  std::vector<ExprId> parts;
  bool ok = true;
  for (const ast::ExprPtr& arg : step.args) {
    if (arg) parts.push_back(WrittenPart(s, *arg));
    ok = ok && arg && parts.back().valid();
  }
  if (!ok) return;
  auto index = static_cast<Value>(instance->written.size());
  instance->written.push_back(std::move(parts));
  instance->depths.push_back(instance->calls.size());
  instance->said[instance->calls.size()] = Const(IntType(), index, step.span);
}

// `other` holds at the end of the body, what the instance has at the end of the other branch.
void Lowerer::JoinWritten(const Scope& s, const std::map<std::size_t, ExprId>& other, rules::Step& branches) {
  std::map<std::size_t, ExprId>& said = instance->said;
  ExprId nothing = Const(IntType(), -1, branches.span);
  for (const auto& [depth, value] : other) said.emplace(depth, nothing);
  for (auto& [depth, value] : said) {
    auto found = other.find(depth);
    ExprId in_body = found == other.end() ? nothing : found->second;
    if (in_body == value) continue;
    int slot = (*s.frame_size)++;
    branches.body.push_back(LetStep(slot, in_body, branches.span));
    branches.otherwise.push_back(LetStep(slot, value, branches.span));
    value = Local(SlotOf(slot, IntType()), branches.span);
  }
}

// What the outermost action says counts, and of that what was reached last. The kind of a promotion, chosen after
// all steps, stands behind it.
void Lowerer::FinishWritten(Instance& made, int& frame_size) {
  if (made.said.empty()) return;
  rules::Action& action = made.action;
  Span span = action.span;
  KeepCells(action.steps, made.cell_slots, [&](int choice, int cell, Span at) {
    return LetStep(cell, CellOf(Local(SlotOf(choice, PieceType()), at), at), at);
  });
  ExprId promoted;
  if (action.has_self && HasPromotion(action.kinds)) {
    Type kind = OfBase(Base::kKind);
    int slot = frame_size++;
    ExprId now = Make(Op::kKindOf, kind, span, {SelfExpr(span)});
    ExprId before = Local(SlotOf(slot, kind), span);
    action.steps.push_back(LetStep(slot, now, span));
    ExprId changed = And({Make(Op::kExists, BoolType(), span, {before}), Not(Equal(now, before, span), span)}, span);
    promoted = If(changed, now, Const(kind, kNone, span), span);
  }
  std::map<int, Type> later;
  ForgetBefore(rules, action.steps, later, [&](const Type& type) { return Const(type, kNone, span); });
  if (made.self_slot >= 0) {
    auto first = std::find_if(action.steps.begin(), action.steps.end(),
                              [](const rules::Step& s) { return s.op != rules::StepOp::kRequire; });
    action.steps.insert(first, LetStep(made.self_slot, CellOf(SelfExpr(span), span), span));
  }
  auto say = [&](std::size_t index, ExprId when) {
    std::vector<ExprId> parts = made.written[index];
    if (promoted.valid()) parts.push_back(promoted);
    for (ExprId part : parts) {
      action.written.push_back(when.valid() ? If(when, part, Const(type(part), kNone, span), span) : part);
    }
  };
  ExprId nothing_yet;  // of what the actions further out say; invalid: certainly
  auto also = [&](ExprId condition) { return nothing_yet.valid() ? And({nothing_yet, condition}, span) : condition; };
  for (const auto& [depth, said] : made.said) {
    if (std::optional<Value> index = ValueOf(said)) {
      if (*index < 0) continue;
      say(static_cast<std::size_t>(*index), nothing_yet);
      return;
    }
    for (std::size_t i = 0; i < made.written.size(); ++i) {
      ExprId counts = Equal(said, Const(IntType(), static_cast<Value>(i), span), span);
      if (made.depths[i] == depth) say(i, also(counts));
    }
    nothing_yet = also(Equal(said, Const(IntType(), -1, span), span));
  }
}

}  // namespace arbiter::check
