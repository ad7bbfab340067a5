// Handlers, laws and ends (language B6, B7, B10 to B12), and the order in which all is lowered.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

// The frame of a handler, law or end while it is being read.
struct EventFrame {
  std::vector<rules::FreeVar> free;
  std::vector<std::string> names;

  Scope Open(int* frame_size) {
    Scope s;
    s.frame_size = frame_size;
    s.free = &free;
    s.free_names = &names;
    s.free_open = true;
    return s;
  }
};

bool Asks(const rules::Rules& rules, ExprId id, std::initializer_list<Op> ops) {
  bool found = false;
  Visited seen;
  VisitExprs(rules, id, seen,
             [&](const rules::Expr& e) { found = found || std::find(ops.begin(), ops.end(), e.op) != ops.end(); });
  return found;
}

bool ReadsClock(const rules::Rules& rules, ExprId id) {
  bool found = false;
  Visited seen;
  VisitExprs(rules, id, seen, [&](const rules::Expr& e) {
    if (e.op == Op::kState) {
      found = found || rules.vars[rules::VarId(e.value)].life == rules::Variable::Life::kClock;
    } else if (e.op == Op::kPieceState) {
      found = found || rules.piece_vars[rules::VarId(e.value)].life == rules::Variable::Life::kClock;
    }
  });
  return found;
}

rules::EventOp OpOf(ast::EventKind kind) {
  switch (kind) {
    case ast::EventKind::kTurnEnds:
      return rules::EventOp::kTurnEnds;
    case ast::EventKind::kAfterAction:
      return rules::EventOp::kAfterAction;
    case ast::EventKind::kLands:
      return rules::EventOp::kLands;
    case ast::EventKind::kEnters:
      return rules::EventOp::kEnters;
    case ast::EventKind::kLeaves:
      return rules::EventOp::kLeaves;
    case ast::EventKind::kCrosses:
      return rules::EventOp::kCrosses;
    case ast::EventKind::kMoves:
      return rules::EventOp::kMoves;
    case ast::EventKind::kIsMoved:
      return rules::EventOp::kIsMoved;
    case ast::EventKind::kIsCaptured:
      return rules::EventOp::kIsCaptured;
    default:
      return rules::EventOp::kTurnBegins;
  }
}

bool OfPiece(ast::EventKind kind) {
  return kind != ast::EventKind::kTurnBegins && kind != ast::EventKind::kTurnEnds &&
         kind != ast::EventKind::kAfterAction && kind != ast::EventKind::kNoLegalTurn;
}

}  // namespace

bool Lowerer::LowerSubject(Scope& s, const ast::Subject& subject, rules::Event& event) {
  bool ok = true;
  if (subject.name.present()) {
    std::optional<KindSet> kinds = KindsOfNames({subject.name});
    ok = kinds.has_value();
    event.kinds = kinds.value_or(0);
  } else if (!subject.any_piece && !subject.at) {
    return false;
  }
  if (subject.at) {
    event.at = Cells(s, *subject.at);
    ok = ok && event.at.valid();
  }
  if (subject.owner) {
    event.any_owner = false;
    event.owner = Lower(s, *subject.owner, PlayerType());
    ok = ok && event.owner.valid();
  }
  return ok;
}

void Lowerer::LowerHandler(const ast::Decl& decl, const ast::Handler& handler) {
  const ast::Event& written = handler.event;
  if (written.kind == ast::EventKind::kError) return;
  EventFrame frame;
  if (written.kind == ast::EventKind::kNoLegalTurn) {
    rules::End end;
    end.kind = rules::End::Kind::kNoLegalTurn;
    end.span = decl.span;
    end.phases = PhaseBits(handler.phases);
    Scope s = frame.Open(&end.frame_size);
    s.free_open = false;
    if (handler.condition) {
      end.condition = Condition(s, *handler.condition);
      if (!end.condition.valid() || Truth(end.condition) == false) return;
      if (Truth(end.condition)) end.condition = ExprId();
      end.reads_clock = ReadsClock(rules, end.condition);
    }
    LowerBlock(s, handler.block, end.block);
    rules.ends.push_back(std::move(end));
    return;
  }
  rules::Handler made;
  made.span = decl.span;
  made.phases = PhaseBits(handler.phases);
  made.event.op = OpOf(written.kind);
  Scope s = frame.Open(&made.frame_size);
  s.in_handler = true;
  bool ok = true;
  if (OfPiece(written.kind)) {
    ok = LowerSubject(s, written.subject, made.event);
    auto cells = [&](const ast::ExprPtr& expr, ExprId& out) {
      if (!expr) return;
      out = Cells(s, *expr);
      ok = ok && out.valid();
    };
    if (written.kind == ast::EventKind::kCrosses) {
      Symbol* barrier = written.zone && written.zone->kind == ast::ExprKind::kName
                            ? Use(written.zone->text, {SymbolKind::kBarrier})
                            : nullptr;
      if (!barrier) {
        if (!written.zone || written.zone->kind == ast::ExprKind::kError) return;
        UnknownName(written.zone->text, written.zone->span, "barrier",
                    c.symbols.Names([](const Symbol& k) { return k.kind == SymbolKind::kBarrier; }));
        return;
      }
      made.event.barrier = barrier->id;
    } else {
      cells(written.zone, made.event.zone);
    }
    cells(written.from, made.event.from);
    cells(written.to, made.event.to);
    Binding b;
    b.name = "it";
    b.type = PieceType();
    b.slot = rules::kSlotIt;
    s.bindings.push_back(b);
    b.name = "from";
    b.type = CellType();
    b.slot = rules::kSlotFrom;
    s.bindings.push_back(b);
    b.name = "to";
    b.slot = rules::kSlotTo;
    s.bindings.push_back(b);
  }
  s.free_open = false;
  if (handler.condition) {
    made.condition = Condition(s, *handler.condition);
    ok = ok && made.condition.valid();
    if (std::optional<bool> truth = Truth(made.condition)) {
      ok = ok && *truth;
      made.condition = ExprId();
    }
  }
  LowerBlock(s, handler.block, made.block);
  made.free = std::move(frame.free);
  if (ok) rules.handlers.push_back(std::move(made));
}

void Lowerer::LowerLaw(const ast::Decl& decl, const ast::Law& law) {
  if (!law.condition) return;
  EventFrame frame;
  rules::Law made;
  made.span = decl.span;
  made.phases = PhaseBits(law.phases);
  Scope s = frame.Open(&made.frame_size);
  switch (law.scope) {
    case ast::Law::Scope::kEveryAction:
      break;
    case ast::Law::Scope::kTurnEnd:
      made.scope = rules::Law::Scope::kTurnEnd;
      break;
    case ast::Law::Scope::kAction: {
      made.scope = rules::Law::Scope::kAction;
      if (!CheckLocalName(s, law.actor)) return;
      Binding actor;
      actor.name = law.actor.text;
      actor.type = PieceType();
      actor.slot = made.actor_slot = made.frame_size++;
      s.bindings.push_back(actor);
      break;
    }
  }
  made.condition = Condition(s, *law.condition);
  if (!made.condition.valid() || Truth(made.condition) == false) return;
  if (Truth(made.condition) == true) {
    c.Error(Code::kTypeMismatch, law.condition->span, "this condition always holds, so nothing would be allowed");
    return;
  }
  made.free = std::move(frame.free);
  made.asks_stuck = Asks(rules, made.condition, {Op::kStuck, Op::kCanPlay});
  rules.laws.push_back(std::move(made));
}

void Lowerer::LowerOutcome(const ast::Decl& decl, const ast::Outcome& outcome) {
  EventFrame frame;
  rules::End made;
  made.span = decl.span;
  made.at_once = outcome.at_once;
  made.phases = PhaseBits(outcome.phases);
  made.number = outcome.number;
  Scope s = frame.Open(&made.frame_size);
  switch (outcome.kind) {
    case ast::Outcome::Kind::kWin:
      made.kind = rules::End::Kind::kWin;
      break;
    case ast::Outcome::Kind::kLose:
      made.kind = rules::End::Kind::kLose;
      break;
    case ast::Outcome::Kind::kDraw:
      made.kind = rules::End::Kind::kDraw;
      break;
    case ast::Outcome::Kind::kRepetition:
      made.kind = rules::End::Kind::kRepetition;
      break;
    case ast::Outcome::Kind::kLimitTurns:
      made.kind = rules::End::Kind::kLimit;
      break;
  }
  bool counts = made.kind == rules::End::Kind::kRepetition || made.kind == rules::End::Kind::kLimit;
  if (counts && made.number < 1) {
    c.Error(Code::kTypeRange, outcome.number_span, "this number must be at least 1");
    return;
  }
  if (outcome.condition) {
    made.condition = Condition(s, *outcome.condition);
    if (!made.condition.valid() || Truth(made.condition) == false) return;  // switched off by an option
    if (Truth(made.condition) == true) {
      if (!counts) {
        c.Error(Code::kTypeMismatch, outcome.condition->span,
                "this condition always holds, so the game would end at once");
        return;
      }
      made.condition = ExprId();
    } else if (counts) {
      c.Error(Code::kTypeMismatch, outcome.condition->span, "what is counted may depend on options only");
      return;
    }
  }
  s.free_open = false;
  if (made.kind == rules::End::Kind::kWin || made.kind == rules::End::Kind::kLose) {
    if (!outcome.player) return;
    made.player = Lower(s, *outcome.player, PlayerType());
    if (!made.player.valid()) return;
  }
  made.free = std::move(frame.free);
  made.reads_clock = ReadsClock(rules, made.condition);
  rules.ends.push_back(std::move(made));
}

void Lowerer::LowerEvents() {
  for (const SourceDecl& source : c.decls) {
    const ast::Decl& decl = *source.decl;
    if (const auto* handler = std::get_if<ast::Handler>(&decl.payload)) LowerHandler(decl, *handler);
    if (const auto* law = std::get_if<ast::Law>(&decl.payload)) LowerLaw(decl, *law);
    if (const auto* outcome = std::get_if<ast::Outcome>(&decl.payload)) LowerOutcome(decl, *outcome);
  }
}

// ---- everything --------------------------------------------------------------------------------

void Lowerer::WidenFrames() {
  if (walk_slots == 0) return;
  auto widen = [&](int& frame) { frame = std::max(frame, walk_slots); };
  for (rules::Action& action : rules.actions) widen(action.frame_size);
  for (rules::Attack& attack : rules.attacks) widen(attack.frame_size);
  for (rules::Handler& handler : rules.handlers) widen(handler.frame_size);
  for (rules::Law& law : rules.laws) widen(law.frame_size);
  for (rules::End& end : rules.ends) widen(end.frame_size);
  for (rules::Phase& phase : rules.phases) widen(phase.frame_size);
  for (rules::Offer& offer : rules.offers) widen(offer.frame_size);
  for (rules::Kind& kind : rules.kinds) {
    for (rules::Promotion& promotion : kind.promotions) widen(promotion.frame_size);
  }
}

// Examples may ask for actions and turns that no rule plays or asks for.
void FillExampleQuestions(Context& c) {
  LowererOf(c).FillQuestions();
  LowererOf(c).WidenFrames();
}

void LowerEverything(Context& c) {
  Lowerer& lowerer = LowererOf(c);
  lowerer.LowerPieces();
  lowerer.LowerEvents();
  lowerer.LowerPhases();
  lowerer.LowerShown();
  lowerer.FillPerformers();
  lowerer.CheckUnused();
  lowerer.WidenFrames();
  if (!c.sink.has_errors()) lowerer.CheckQuestions();
  if (!c.sink.has_errors()) lowerer.ComputeKeys();
}

}  // namespace arbiter::check
