// Queries, effects and the steps of actions -> bytecode; functions around expressions and blocks.
#include <algorithm>

#include "compile/coder.h"

namespace arbiter::compile {

// ---- queries, effects, steps --------------------------------------------------------------------

int Coder::MakeQuery(const rules::Query& q, const rules::Step* step) {
  program::Query query;
  const Expr& walk = rules_.exprs[q.walk];
  if (walk.op == RuleOp::kConst) {
    query.walk = walk.value;
  } else {
    query.walk_register = V(q.walk);
  }
  query.from_register = V(q.from);
  CopyFilter(q.onto, &query);
  if (q.onto.cells.valid()) {
    if (rules_.exprs[q.onto.cells].type.set) {
      query.cells_register = S(q.onto.cells);
    } else {
      query.cell_register = V(q.onto.cells);
    }
  }
  if (q.within.valid()) query.within_register = S(q.within);
  if (step != nullptr && step->remembers && function_.slots > step->slot) {
    query.remembers = true;
    query.heading_register = function_.slots + 2 * step->slot;
    query.before_register = query.heading_register + 1;
    query.crossed_register = function_.slots + step->slot;
  }
  if (step != nullptr) query.span = step->span;
  b_.program.queries.push_back(std::move(query));
  return static_cast<int>(b_.program.queries.size()) - 1;
}

void Coder::Effect(const rules::Effect& e) {
  using rules::EffectOp;
  const auto simple = [&](Op op) {
    const int a = e.a.valid() ? V(e.a) : 0;
    const int b = e.b.valid() ? V(e.b) : 0;
    const int c = e.c.valid() ? V(e.c) : Constant(kNone);
    Emit(op, a, b, c);
  };
  switch (e.op) {
    case EffectOp::kMove:
      return simple(Op::kMove);
    case EffectOp::kMoveToPlace: {
      const int piece = V(e.a), place = S(e.b);
      Emit(Op::kMoveToPlace, piece, place);
      return;
    }
    case EffectOp::kLift:
      return simple(Op::kLift);
    case EffectOp::kPut:
      return simple(Op::kPut);
    case EffectOp::kPlace: {
      const int kind = V(e.a), owner = e.b.valid() ? V(e.b) : Constant(kNone), cell = V(e.c);
      Emit(Op::kPlace, kind, owner, cell);
      return;
    }
    case EffectOp::kRemove:
      return simple(Op::kRemove);
    case EffectOp::kSwap:
      return simple(Op::kSwap);
    case EffectOp::kBecomes:
      return simple(Op::kBecomes);
    case EffectOp::kJoins: {
      const int piece = V(e.a), owner = e.b.valid() ? V(e.b) : Constant(kNone);
      Emit(Op::kJoins, piece, owner);
      return;
    }
    case EffectOp::kSet: {
      const rules::Variable& var = rules_.vars[e.var];
      const int value = V(e.a);
      int constant = 0;
      const int reg = FlatIndex(e.indices, var.index, &constant);
      if (reg < 0) {
        Emit(Op::kSet, value, 0, constant, e.var.value, 1);
      } else {
        Emit(Op::kSet, value, reg, constant, e.var.value, 0);
      }
      return;
    }
    case EffectOp::kSetPiece: {
      const int value = V(e.a), piece = V(e.b);
      Emit(Op::kSetPiece, value, piece, 0, e.var.value);
      return;
    }
    case EffectOp::kSetUp: {
      const int at = e.a.valid() ? V(e.a) : Constant(0);
      b_.program.setup_tables.push_back(e.setups);
      Emit(Op::kSetUp, at, 0, 0, static_cast<int>(b_.program.setup_tables.size()) - 1);
      return;
    }
    case EffectOp::kGoto:
      return simple(Op::kGoto);
    case EffectOp::kWin:
      return simple(Op::kWin);
    case EffectOp::kLose:
      return simple(Op::kLose);
    case EffectOp::kDraw:
      Emit(Op::kDraw);
      return;
    case EffectOp::kResult:
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        const int points = V(e.args[i]), player = V(e.args[i + 1]);
        Emit(Op::kPoints, points, player, 0, i == 0 ? 1 : 0, i + 3 >= e.args.size() ? 1 : 0);
      }
      return;
    case EffectOp::kIf: {
      std::vector<int> no;
      JumpUnless(e.a, &no);
      Block(e.body);
      if (e.otherwise.empty()) {
        for (const int at : no) Patch(at);
        return;
      }
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Block(e.otherwise);
      Patch(done);
      return;
    }
    case EffectOp::kFor:
      if (SetForAll(e)) return;
      Loop(e.a, e.slot, true, [&](std::vector<int>*) { Block(e.body); });
      return;
  }
}

void Coder::Block(const rules::Block& block) {
  for (const rules::Effect& e : block) {
    const Mark mark = Save();
    const int first = Here();
    Effect(e);
    b_.program.spans.resize(code_.size());
    for (int i = first; i < Here(); ++i) {
      auto& span = b_.program.spans[static_cast<std::size_t>(i)];
      if (!span.valid()) span = e.span;
    }
    Restore(mark);
  }
}

void Coder::Step(const rules::Step& step) {
  using rules::StepOp;
  switch (step.op) {
    case StepOp::kChoose: {
      ++choices_;
      const int query = MakeQuery(step.query, &step);
      Emit(Op::kChoose, step.slot, 0, 0, query);
      return;
    }
    case StepOp::kChooseIn: {
      ++choices_;
      const Expr& set = rules_.exprs[step.expr];
      const int32_t type = static_cast<int32_t>(set.type.base) | ((set.type.enumeration + 1) << 8);
      if (InCells(set)) {
        Emit(Op::kChooseCell, step.slot, S(step.expr), 0, type);
      } else {
        Emit(Op::kChooseItem, step.slot, L(step.expr), 0, type);
      }
      return;
    }
    case StepOp::kLet: {
      const Expr& e = rules_.exprs[step.expr];
      if (InCells(e)) {
        Emit(Op::kCellsCopy, step.slot, S(step.expr));
      } else if (e.type.set) {
        Emit(Op::kListCopy, step.slot, L(step.expr));
      } else {
        Emit(Op::kCopy, step.slot, V(step.expr));
      }
      return;
    }
    case StepOp::kLetWalk:
      Emit(Op::kLetWalk, step.slot, 0, 0, MakeQuery(step.query, &step));
      return;
    case StepOp::kRequire:
      Emit(Op::kRequire, V(step.expr));
      return;
    case StepOp::kEffects:
      Block(step.effects);
      return;
    case StepOp::kIf: {
      std::vector<int> no;
      JumpUnless(step.expr, &no);
      Steps(step.body);
      const int done = Emit(Op::kJump);
      for (const int at : no) Patch(at);
      Steps(step.otherwise);
      Patch(done);
      return;
    }
    case StepOp::kFor:
      Loop(step.expr, step.slot, true, [&](std::vector<int>*) { Steps(step.body); });
      return;
    case StepOp::kCapture:
      Emit(Op::kCapture, V(step.expr));
      return;
    case StepOp::kPerform: {
      std::vector<Value> actions;
      for (const rules::ActionId a : step.actions) actions.push_back(a.value);
      int piece = 0;
      if (step.expr.valid()) {
        piece = V(step.expr);
      } else {
        piece = NewV();
        Emit(Op::kSelf, piece);
      }
      Emit(Op::kPerform, piece, 0, 0, b_.AddList(actions));
      return;
    }
    case StepOp::kName:
      Emit(Op::kName, 0, 0, 0, step.value);
      return;
    case StepOp::kPromote:
      ++choices_;
      Emit(Op::kPromote);
      return;
  }
}

void Coder::Steps(const std::vector<rules::Step>& steps) {
  for (const rules::Step& step : steps) {
    const Mark mark = Save();
    const int first = Here();
    Step(step);
    b_.program.spans.resize(code_.size());
    for (int i = first; i < Here(); ++i) {
      auto& span = b_.program.spans[static_cast<std::size_t>(i)];
      if (!span.valid()) span = step.span;
    }
    Restore(mark);
  }
}

Function CompileValue(Builder& b, ExprId id, int frame_size, bool keeps_choices) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size, keeps_choices);
  coder.Emit(Op::kReturn, coder.V(id));
  return coder.Finish();
}

Function CompileCells(Builder& b, ExprId id, int frame_size) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size);
  coder.Emit(Op::kReturn, coder.S(id), 0, 0, 0, 1);
  return coder.Finish();
}

Function CompileList(Builder& b, ExprId id, int frame_size, bool keeps_choices) {
  if (!id.valid()) return {};
  Coder coder(b, frame_size, keeps_choices);
  coder.Emit(Op::kReturn, coder.L(id), 0, 0, 0, 2);
  return coder.Finish();
}

Function CompileBlock(Builder& b, const rules::Block& block, int frame_size) {
  if (block.empty()) return {};
  Coder coder(b, frame_size);
  coder.Block(block);
  coder.Emit(Op::kReturn, coder.Constant(1));
  return coder.Finish();
}

Function CompileGate(Builder& b, const std::vector<ExprId>& holds, const std::vector<ExprId>& exists, int frame_size) {
  Coder coder(b, frame_size);
  std::vector<int> no;
  for (const ExprId id : holds) coder.JumpUnless(id, &no);
  for (const ExprId id : exists) {
    const int test = coder.Constant(0);
    coder.Emit(Op::kExists, test, coder.V(id));
    no.push_back(coder.Emit(Op::kJumpFalse, test));
  }
  coder.Emit(Op::kReturn, coder.Constant(1));
  for (const int at : no) coder.Patch(at);
  coder.Emit(Op::kReturn, coder.Constant(0));
  return coder.Finish();
}

void CompileHandler(Builder& b, const rules::Handler& handler, program::Handler* out) {
  const rules::Event& event = handler.event;
  out->op = event.op;
  out->free = handler.free;
  out->phases = handler.phases;
  out->kinds = event.kinds;
  out->barrier = event.barrier;
  out->span = handler.span;
  out->owner_tested = !event.any_owner;
  // One function for the tests of the event (owner and cells), one for condition and block.
  out->owner_register = handler.frame_size;
  {
    Coder coder(b, handler.frame_size + 1);
    std::vector<int> no;
    const auto in_zone = [&](ExprId zone, int slot) {
      if (!zone.valid()) return;
      const int s = coder.S(zone);
      const int r = coder.Constant(0);
      coder.Emit(Op::kInCells, r, slot, s);
      no.push_back(coder.Emit(Op::kJumpFalse, r));
    };
    const auto outside = [&](ExprId zone, int slot) {
      if (!zone.valid()) return;
      const int s = coder.S(zone);
      const int r = coder.Constant(0);
      coder.Emit(Op::kInCells, r, slot, s);
      no.push_back(coder.Emit(Op::kJumpTrue, r));
    };
    if (!event.any_owner && event.owner.valid()) {
      const int want = coder.V(event.owner);
      const int same = coder.Constant(0);
      coder.Emit(Op::kEq, same, out->owner_register, want);
      no.push_back(coder.Emit(Op::kJumpFalse, same));
    }
    in_zone(event.at, rules::kSlotFrom);
    if (event.op == rules::EventOp::kLands) in_zone(event.zone, rules::kSlotTo);
    if (event.op == rules::EventOp::kEnters) {
      outside(event.zone, rules::kSlotFrom);
      in_zone(event.zone, rules::kSlotTo);
    }
    if (event.op == rules::EventOp::kLeaves) {
      in_zone(event.zone, rules::kSlotFrom);
      outside(event.zone, rules::kSlotTo);
    }
    in_zone(event.from, rules::kSlotFrom);
    in_zone(event.to, rules::kSlotTo);
    coder.Emit(Op::kReturn, coder.Constant(1));
    for (const int at : no) coder.Patch(at);
    coder.Emit(Op::kReturn, coder.Constant(0));
    out->match = coder.Finish();
  }
  out->condition = CompileValue(b, handler.condition, handler.frame_size);
  out->block = CompileBlock(b, handler.block, handler.frame_size);
}

namespace {

bool Remembers(const std::vector<rules::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](const rules::Step& s) { return s.remembers || Remembers(s.body) || Remembers(s.otherwise); });
}

}  // namespace

void CompileAction(Builder& b, const rules::Action& action, program::Action* out) {
  out->name = action.name;
  out->has_self = action.has_self;
  out->kinds = action.kinds;
  out->origin = action.origin;
  out->span = action.span;
  const bool keeps_choices = Remembers(action.steps);
  Coder coder(b, action.frame_size, keeps_choices);
  coder.Steps(action.steps);
  coder.Emit(Op::kEnd);
  out->function = coder.Finish();
  out->choices = coder.choices();
  for (rules::ExprId part : action.written) {
    const rules::Type& type = b.rules.exprs[part].type;
    out->written.push_back({CompileValue(b, part, action.frame_size, keeps_choices), type.base,
                            type.base == Base::kEnum ? type.enumeration : -1});
  }
}

}  // namespace arbiter::compile
