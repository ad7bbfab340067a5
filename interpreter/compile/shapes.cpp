// Shapes that the engine runs directly: events known beforehand, plain statements.
//
// A shape is recognised from the checked rules alone. What does not fit is run as bytecode, and the
// Program says why.
#include <algorithm>

#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

using rules::Op;
using rules::StepOp;

// ---- handlers ------------------------------------------------------------------------------------

constexpr std::size_t kMaxCases = 64;

// The setting of the free names as cell sets and an owner; false if a test is left for play.
bool FoldCase(Builder& b, const rules::Handler& h, const std::vector<std::pair<int, Value>>& slots,
              program::HandlerCase* out, bool* never) {
  Known known;
  known.slots = slots;
  out->slots = slots;
  const rules::Event& e = h.event;
  if (!e.any_owner) {
    const Folded owner = Fold(b.rules, e.owner, known);
    if (owner.kind != Folded::Kind::kValue) return false;
    if (owner.value == kNone) *never = true;
    out->owner = owner.value;
  }
  CellSet from, to, not_from, not_to;
  from.set();
  to.set();
  bool asks_from = false, asks_to = false;
  const auto narrow = [&](ExprId id, CellSet* cells, bool* asks) {
    if (!id.valid()) return true;
    const Folded f = Fold(b.rules, id, known);
    if (f.kind == Folded::Kind::kCells) {
      *cells &= f.cells;
    } else if (f.kind == Folded::Kind::kValue) {
      CellSet one;
      if (f.value != kNone) one.set(static_cast<std::size_t>(f.value));
      *cells &= one;
    } else {
      return false;
    }
    *asks = true;
    return true;
  };
  if (!narrow(e.at, &from, &asks_from)) return false;
  const auto excluded = [&](CellSet* cells) {
    CellSet zone;
    zone.set();
    bool asks = false;
    if (!narrow(e.zone, &zone, &asks)) return false;
    *cells = zone;
    return true;
  };
  switch (e.op) {
    case rules::EventOp::kLands:
      if (!narrow(e.zone, &to, &asks_to)) return false;
      break;
    case rules::EventOp::kEnters:
      if (!narrow(e.zone, &to, &asks_to) || !excluded(&not_from)) return false;
      break;
    case rules::EventOp::kLeaves:
      if (!narrow(e.zone, &from, &asks_from) || !excluded(&not_to)) return false;
      break;
    case rules::EventOp::kMoves:
    case rules::EventOp::kIsMoved:
      if (!narrow(e.from, &from, &asks_from) || !narrow(e.to, &to, &asks_to)) return false;
      break;
    default:
      break;
  }
  if (asks_from) out->from = b.AddSet(from);
  if (asks_to) out->to = b.AddSet(to);
  if (not_from.any()) out->not_from = b.AddSet(not_from);
  if (not_to.any()) out->not_to = b.AddSet(not_to);
  return true;
}

bool FoldCases(Builder& b, const rules::Handler& h, std::size_t at, std::vector<std::pair<int, Value>>* slots,
               std::vector<program::HandlerCase>* out) {
  if (at < h.free.size()) {
    for (const Value v : h.free[at].values) {
      slots->emplace_back(h.free[at].slot, v);
      if (!FoldCases(b, h, at + 1, slots, out)) return false;
      slots->pop_back();
    }
    return true;
  }
  program::HandlerCase made;
  bool never = false;
  if (!FoldCase(b, h, *slots, &made, &never) || out->size() >= kMaxCases) return false;
  if (!never) out->push_back(std::move(made));
  return true;
}

bool IsTurnEvent(rules::EventOp op) {
  return op == rules::EventOp::kTurnBegins || op == rules::EventOp::kTurnEnds || op == rules::EventOp::kAfterAction;
}

// ---- plain statements ----------------------------------------------------------------------------

class StatementReader {
 public:
  StatementReader(Builder& b, const rules::Action& action, int index) : b_(b), action_(action), index_(index) {}

  // Empty, or why the action is not of the plain shape.
  std::string Read(std::vector<program::Plain>* out) {
    if (!action_.has_self) return "no piece acts";
    if (!action_.written.empty()) return "its moves are written in words of their own";
    std::string why = Shape();
    if (!why.empty()) return why;
    for (int kind = 0; kind < b_.program.kinds_count; ++kind) {
      if (((action_.kinds >> kind) & 1) == 0) continue;
      program::Plain plain = plain_;
      plain.kind = kind;
      if (plain.promotes && !b_.program.kinds[static_cast<std::size_t>(kind)].promotions.empty()) {
        if (b_.program.promotion_zones[static_cast<std::size_t>(kind)] < 0)
          return "its promotion depends on the position";
      } else {
        plain.promotes = false;
      }
      out->push_back(plain);
    }
    return {};
  }

 private:
  std::string Shape() {
    const auto& steps = action_.steps;
    std::size_t at = 0;
    std::vector<ExprId> before;
    for (; at < steps.size() && steps[at].op == StepOp::kRequire; ++at) before.push_back(steps[at].expr);
    if (at == steps.size() || steps[at].op != StepOp::kChoose) return "it does not begin with the choice of a cell";
    const rules::Step& choose = steps[at++];
    if (choose.remembers) return "its effects depend on the way";
    plain_.action = index_;
    plain_.slot = choose.slot;
    std::string why = ReadQuery(choose.query);
    if (!why.empty()) return why;
    std::vector<ExprId> after;
    for (; at < steps.size() && steps[at].op == StepOp::kRequire; ++at) after.push_back(steps[at].expr);
    bool captures = false;
    if (at < steps.size() && steps[at].op == StepOp::kCapture) {
      if (!IsSlot(steps[at].expr)) return "it captures elsewhere";
      captures = true;
      ++at;
    }
    if (!captures && plain_.captures != 0) return "it ends on a piece that it does not remove";
    std::vector<const rules::Block*> blocks;
    for (; at < steps.size() && steps[at].op == StepOp::kEffects; ++at) blocks.push_back(&steps[at].effects);
    if (blocks.empty() || blocks.front()->empty() || !IsOwnMove(blocks.front()->front())) {
      return "its first effect is not the move of the piece to the cell chosen";
    }
    if (at < steps.size() && steps[at].op == StepOp::kPromote) {
      plain_.promotes = true;
      ++at;
    }
    if (at != steps.size()) return "more follows than effects and promotion";
    why = ReadEffects(blocks);
    if (!why.empty()) return why;
    why = ReadLimits(before, after);
    return why;
  }

  bool IsSlot(ExprId id) const {
    const rules::Expr& e = b_.rules.exprs[id];
    return e.op == Op::kLocal && e.slot == plain_.slot;
  }
  bool IsSelfCell(ExprId id) const {
    const rules::Expr& e = b_.rules.exprs[id];
    return e.op == Op::kCellOf && b_.rules.exprs[e.children[0]].op == Op::kSelf;
  }
  bool IsOwnMove(const rules::Effect& e) const {
    return e.op == rules::EffectOp::kMove && b_.rules.exprs[e.a].op == Op::kSelf && IsSlot(e.b);
  }

  std::string ReadQuery(const rules::Query& q) {
    const rules::Expr& walk = b_.rules.exprs[q.walk];
    if (walk.op != Op::kConst) return "the walk is chosen while playing";
    plain_.walk = walk.value;
    if (b_.program.walks[static_cast<std::size_t>(plain_.walk)].rows < 0) {
      return "the walk has no tables: " + b_.program.walks[static_cast<std::size_t>(plain_.walk)].why;
    }
    if (b_.program.walks[static_cast<std::size_t>(plain_.walk)].directions > 0)
      return "a direction is chosen while playing";
    if (!IsSelfCell(q.from)) return "the walk does not begin at the piece";
    if (q.onto.negated || q.onto.cells.valid()) return "where it may end is no plain filter";
    plain_.empty = q.onto.empty;
    for (const rules::PieceTest& t : q.onto.pieces) {
      if (t.side != rules::Side::kEnemy) return "it may end on other pieces than enemies";
      plain_.captures |= t.kinds & b_.program.all_kinds;
    }
    if (!plain_.empty && plain_.captures == 0) return "where it may end is no plain filter";
    if (q.within.valid()) {
      std::vector<CellSet> sets;
      for (int player = 0; player < b_.program.players; ++player) {
        Known known;
        known.has_player = true;
        known.player = player;
        const Folded f = Fold(b_.rules, q.within, known);
        if (f.kind != Folded::Kind::kCells) return "the cells it may end on depend on the position";
        sets.push_back(f.cells);
      }
      within_ = std::move(sets);
    }
    return {};
  }

  std::string ReadEffects(const std::vector<const rules::Block*>& blocks) {
    rules::Block rest;
    for (const rules::Block* block : blocks) rest.insert(rest.end(), block->begin(), block->end());
    rest.erase(rest.begin());
    Writes writes;
    CollectWrites(b_.rules, rest, &writes);
    if (writes.board) return "it changes more on the board than one move";
    if (writes.can_fault) return "an effect may be out of range";
    plain_.effects = CompileBlock(b_, rest, action_.frame_size);
    return {};
  }

  // Requirements that fold for every origin or end become cell sets; the rest is tested for each piece.
  std::string ReadLimits(const std::vector<ExprId>& before, const std::vector<ExprId>& after) {
    std::vector<CellSet> from(static_cast<std::size_t>(b_.program.players));
    for (auto& set : from) set.set();
    bool limited = false;
    std::vector<ExprId> open;
    for (const ExprId id : before) {
      std::vector<CellSet> narrowed = from;
      if (FoldOverCells(id, true, &narrowed)) {
        from = std::move(narrowed);
        limited = true;
      } else {
        open.push_back(id);
      }
    }
    if (limited) plain_.from = b_.AddSets(from);
    if (!within_.empty() || !after.empty()) {
      if (within_.empty()) {
        within_.resize(static_cast<std::size_t>(b_.program.players));
        for (auto& set : within_) set.set();
      }
      for (const ExprId id : after) {
        if (!FoldOverCells(id, false, &within_)) return "a requirement asks about the position after the choice";
      }
      plain_.within = b_.AddSets(within_);
    }
    if (open.size() > 1) return "several requirements about the position";
    if (open.size() == 1) plain_.condition = CompileValue(b_, open.front(), action_.frame_size);
    return {};
  }

  bool FoldOverCells(ExprId id, bool origin, std::vector<CellSet>* sets) {
    for (int player = 0; player < b_.program.players; ++player) {
      for (int cell = 0; cell < b_.program.board_cells; ++cell) {
        Known known;
        known.has_player = true;
        known.player = player;
        if (origin) {
          known.self_on_origin = true;
          known.origin = cell;
        } else {
          known.slots.emplace_back(plain_.slot, cell);
        }
        const Folded f = Fold(b_.rules, id, known);
        if (f.kind != Folded::Kind::kValue) return false;
        if (f.value == 0 || f.value == kNone)
          (*sets)[static_cast<std::size_t>(player)].reset(static_cast<std::size_t>(cell));
      }
    }
    return true;
  }

  Builder& b_;
  const rules::Action& action_;
  int index_;
  program::Plain plain_;
  std::vector<CellSet> within_;
};

void MakePromotions(Builder& b) {
  Program& p = b.program;
  p.promotion_zones.assign(static_cast<std::size_t>(p.kinds_count), -1);
  p.promotion_at.assign(static_cast<std::size_t>(p.kinds_count * p.players * p.cells), -1);
  for (int kind = 0; kind < p.kinds_count; ++kind) {
    const auto& promotions = p.kinds[static_cast<std::size_t>(kind)].promotions;
    const bool fixed = std::all_of(promotions.begin(), promotions.end(), [](const program::Promotion& x) {
      return x.static_zone >= 0 && !x.condition.present();
    });
    if (promotions.empty() || !fixed) continue;
    std::vector<CellSet> zones(static_cast<std::size_t>(p.players));
    for (int player = 0; player < p.players; ++player) {
      for (int cell = 0; cell < p.cells; ++cell) {
        std::vector<int> options;
        bool any = false, stays = true;
        for (const program::Promotion& x : promotions) {
          if (!p.set_has(x.static_zone + player, cell)) continue;
          any = true;
          stays = stays && x.optional;
          for (const int k : x.kinds) {
            if (std::find(options.begin(), options.end(), k) == options.end()) options.push_back(k);
          }
        }
        if (!any) continue;
        if (stays) options.insert(options.begin(), -1);
        zones[static_cast<std::size_t>(player)].set(static_cast<std::size_t>(cell));
        auto at = std::find(p.promotion_options.begin(), p.promotion_options.end(), options);
        if (at == p.promotion_options.end()) at = p.promotion_options.insert(at, options);
        p.promotion_at[static_cast<std::size_t>((kind * p.players + player) * p.cells + cell)] =
            static_cast<int16_t>(at - p.promotion_options.begin());
      }
    }
    p.promotion_zones[static_cast<std::size_t>(kind)] = b.AddSets(zones);
  }
}

CellSet SetOf(const Program& p, int index) {
  CellSet cells;
  if (index < 0) return cells.set();
  for (int c = 0; c < p.cells; ++c) {
    if (p.set_has(index, c)) cells.set(static_cast<std::size_t>(c));
  }
  return cells;
}

// May the two statements lead a piece from one cell to the same cell in the same manner?
bool Overlap(const Program& p, const program::Plain& x, const program::Plain& y) {
  if (!((x.empty && y.empty) || (x.captures & y.captures) != 0)) return false;
  for (int player = 0; player < p.players; ++player) {
    const auto limit = [&](int index) { return SetOf(p, index < 0 ? -1 : index + player); };
    const CellSet within = limit(x.within) & limit(y.within), from = limit(x.from) & limit(y.from);
    for (int origin = 0; origin < p.board_cells; ++origin) {
      if (!from.test(static_cast<std::size_t>(origin))) continue;
      const auto reach = [&](int walk) {
        const int row = p.walks[static_cast<std::size_t>(walk)].rows + player * p.cells + origin;
        return SetOf(p, p.rows[static_cast<std::size_t>(row)].reach);
      };
      if ((reach(x.walk) & reach(y.walk) & within).any()) return true;
    }
  }
  return false;
}

bool SameResult(const program::Plain& x, const program::Plain& y) {
  return !x.effects.present() && !y.effects.present() && x.promotes == y.promotes;
}

// ---- gates ---------------------------------------------------------------------------------------

// What an action asks before anything about its piece or its choices: required first, or a first choice that
// must end on one cell held in the state, which may be none.
Function MakeGate(Builder& b, const rules::Action& action) {
  std::vector<ExprId> holds, exists;
  const auto about_position = [&](ExprId id) {
    Reads reads;
    CollectReads(b.rules, id, &reads);
    return !reads.self && reads.slots.empty() && !reads.questions && !reads.walk_names;
  };
  for (const rules::Step& step : action.steps) {
    if (step.op == StepOp::kRequire) {
      if (about_position(step.expr)) holds.push_back(step.expr);
      continue;
    }
    if (step.op == StepOp::kChoose && step.query.onto.cells.valid() && !step.query.onto.negated &&
        !step.query.onto.empty && step.query.onto.pieces.empty() && !b.rules.exprs[step.query.onto.cells].type.set &&
        about_position(step.query.onto.cells)) {
      exists.push_back(step.query.onto.cells);
    }
    break;
  }
  return holds.empty() && exists.empty() ? Function{} : CompileGate(b, holds, exists, action.frame_size);
}

// The first choice of an action, if it is one of cells where a walk with tables from the piece itself ends. What else
// limits it is left out: the query is asked to find out quickly that there is nothing to choose.
int FirstChoice(Builder& b, const rules::Action& action) {
  const auto step = std::find_if(action.steps.begin(), action.steps.end(),
                                 [](const rules::Step& s) { return s.op != StepOp::kLet && s.op != StepOp::kRequire; });
  if (!action.has_self || step == action.steps.end() || step->op != StepOp::kChoose) return -1;
  const rules::Query& q = step->query;
  const rules::Expr &walk = b.rules.exprs[q.walk], &from = b.rules.exprs[q.from];
  if (walk.op != Op::kConst || from.op != Op::kCellOf || b.rules.exprs[from.children[0]].op != Op::kSelf ||
      q.onto.cells.valid()) {
    return -1;
  }
  const program::Walk& compiled = b.program.walks[static_cast<std::size_t>(walk.value)];
  if (compiled.rows < 0 || compiled.directions > 0) return -1;
  program::Query query;
  query.walk = walk.value;
  CopyFilter(q.onto, &query);
  b.program.queries.push_back(std::move(query));
  return static_cast<int>(b.program.queries.size()) - 1;
}

}  // namespace

void MakeHandlerCases(Builder& b) {
  for (std::size_t i = 0; i < b.rules.handlers.size(); ++i) {
    const rules::Handler& h = b.rules.handlers[i];
    if (IsTurnEvent(h.event.op)) continue;
    std::vector<program::HandlerCase> cases;
    std::vector<std::pair<int, Value>> slots;
    if (!FoldCases(b, h, 0, &slots, &cases)) continue;
    program::Handler& out = b.program.handlers[i];
    out.first_case = static_cast<int>(b.program.cases.size());
    out.case_count = static_cast<int>(cases.size());
    std::move(cases.begin(), cases.end(), std::back_inserter(b.program.cases));
  }
}

void RecogniseStatements(Builder& b) {
  Program& p = b.program;
  MakePromotions(b);
  for (std::size_t i = 0; i < b.rules.actions.size(); ++i) {
    program::Action& action = p.actions[i];
    std::vector<program::Plain> made;
    action.why = StatementReader(b, b.rules.actions[rules::ActionId(i)], static_cast<int>(i)).Read(&made);
    if (!action.why.empty()) {
      action.gate = MakeGate(b, b.rules.actions[rules::ActionId(i)]);
      action.first_choice = FirstChoice(b, b.rules.actions[rules::ActionId(i)]);
      continue;
    }
    action.plain = true;
    action.why = "one piece goes to one cell by tables";
    p.plain.insert(p.plain.end(), made.begin(), made.end());
  }
  // Two statements of one kind that may meet must have the same result.
  for (std::size_t i = 0; i < p.plain.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      program::Plain &x = p.plain[i], &y = p.plain[j];
      const auto name = [&](const program::Plain& s) { return p.actions[static_cast<std::size_t>(s.action)].name; };
      // Actions of different names are different moves, wherever they lead.
      if (x.kind != y.kind || x.action == y.action || name(x) != name(y) || !Overlap(p, x, y)) continue;
      x.overlaps = y.overlaps = true;
      if (SameResult(x, y)) continue;
      for (const int a : {x.action, y.action}) {
        p.actions[static_cast<std::size_t>(a)].plain = false;
        p.actions[static_cast<std::size_t>(a)].why = "another statement may reach the same cell with other effects";
      }
    }
  }
}

}  // namespace arbiter::compile
