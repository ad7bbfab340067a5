// Actions: steps run top to bottom, each on the position that the effects above it left.
//
// A step that can go several ways is tried every way on a copy of the run; `then` receives every run that
// came through all steps. False from `then` stops the whole search and is passed up.
#include <algorithm>

#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::Base;
using rules::Step;
using rules::StepOp;
using rules::Token;

// Steps of walks and choices looked at for one question, per action that may be tried.
constexpr int64_t kBranchesPerAction = 20;

constexpr int64_t kChoiceCost = 50;  // a choice copies the whole run

bool Machine::Spend(int64_t cost) {
  const int64_t budget = kBranchesPerAction * r_.lookahead_budget;
  branches_ += cost;
  if (branches_ < budget) return true;
  Fault({}, "turn-lookahead", "the moves of one position take more than " + std::to_string(budget) + " steps to find");
  return false;
}

void Machine::Fault(rules::Span span, std::string code, std::string message) {
  if (!fault) fault = rules::Fault{span, std::move(code), std::move(message)};
}

// When one action is looked for, runs that have chosen otherwise are given up.
bool Machine::Wanted(const Run& run) const {
  if (only == nullptr || depth_ > 0 || asking_ > 0 || in_endangered_) return true;
  const auto& wanted = only->tokens;
  return run.tokens.size() <= wanted.size() && std::equal(run.tokens.begin(), run.tokens.end(), wanted.begin());
}

bool Machine::Steps(const std::vector<Step>& steps, std::size_t at, Run& run, const Then& then) {
  if (!Wanted(run)) return true;
  if (at == steps.size() || run.over()) return then(run);
  const Step& s = steps[at];
  const Then rest = [&](Run& r) { return Steps(steps, at + 1, r, then); };
  switch (s.op) {
    case StepOp::kChoose:
      Mark(run, s.span);
      return Choose(s, run, rest);
    case StepOp::kChooseIn:
      Mark(run, s.span);
      return ChooseIn(s, run, rest);
    case StepOp::kLet:
      Mark(run, s.span);
      if (r_.exprs[s.expr].type.set) {
        Set set = EvalSet(s.expr, run.view());
        run.frame.At(s.slot) = Slot{kNone, std::move(set), kNone, kNone, {}};
      } else {
        run.frame.Bind(s.slot, Eval(s.expr, run.view()));
      }
      return rest(run);
    case StepOp::kLetWalk: {
      Mark(run, s.span);
      const bool barriers = !r_.board.barriers().empty();
      std::vector<WalkEnd> ends = Query(s.query, run.view(), barriers);
      const Value from = Eval(s.query.from, run.view());
      Value cell = kNone;
      for (const WalkEnd& end : ends) {
        if (cell != kNone && end.cell != cell) {
          Fault(s.span, "let-ambiguous", "this `let` walk has several ends here");
          return true;
        }
        cell = end.cell;
        NotePath(run, from, end);
      }
      run.frame.Bind(s.slot, cell);
      return rest(run);
    }
    case StepOp::kRequire:
      if (!Holds(s.expr, run.view())) return true;
      Mark(run, s.span);
      return rest(run);
    case StepOp::kEffects:
      Mark(run, s.span);
      return Effects(s.effects, run) ? rest(run) : true;
    case StepOp::kIf: {
      const std::vector<Step>& branch = Holds(s.expr, run.view()) ? s.body : s.otherwise;
      if (!branch.empty()) Mark(run, s.span);
      return Steps(branch, 0, run, rest);
    }
    case StepOp::kFor: {
      const Set set = EvalSet(s.expr, run.view());
      if (!set.empty()) Mark(run, s.span);
      return Each(s, set, 0, run, rest);
    }
    case StepOp::kCapture: {
      const int on = run.position.At(Eval(s.expr, run.view()));
      if (on >= 0 &&
          SidePasses(rules::Side::kEnemy, run.position.pieces[static_cast<std::size_t>(on)].owner, run.view())) {
        Remove(run, on);
        Mark(run, s.span);
      }
      return rest(run);
    }
    case StepOp::kPerform:
      return Perform(s, run, rest);
    case StepOp::kName:
      Mark(run, s.span);
      run.tokens.push_back(Token{Base::kAction, s.value, -1});
      return rest(run);
    case StepOp::kPromote:
      return Promote(run, rest);
  }
  return true;
}

void Machine::NotePath(Run& run, Value from, const WalkEnd& end) {
  if (r_.board.barriers().empty()) return;
  // Several ways to one cell: it crosses if one of them does.
  if (!run.paths.empty() && run.paths.back().from == from && run.paths.back().to == end.cell) {
    run.paths.back().barriers |= end.barriers;
  } else {
    run.paths.push_back({from, end.cell, end.barriers});
  }
}

bool Machine::Choose(const Step& s, Run& run, const Then& then) {
  const Value from = Eval(s.query.from, run.view());
  const bool barriers = !r_.board.barriers().empty();
  const std::vector<WalkEnd> ends = Query(s.query, run.view(), s.remembers || barriers);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!Spend(kChoiceCost)) return false;
    Run next = run;
    const std::size_t first = i;
    if (s.remembers) {
      NotePath(next, from, ends[i]);
    } else {
      for (; i < ends.size() && ends[i].cell == ends[first].cell; ++i) NotePath(next, from, ends[i]);
      --i;
    }
    const WalkEnd& end = ends[first];
    next.tokens.push_back(Token{Base::kCell, end.cell, -1});
    next.frame.Bind(s.slot, end.cell);
    if (s.remembers) next.frame.At(s.slot) = Slot{end.cell, {}, end.heading, end.before, end.crossed};
    if (!then(next)) return false;
  }
  return true;
}

bool Machine::ChooseIn(const Step& s, Run& run, const Then& then) {
  const rules::Type& type = r_.exprs[s.expr].type;
  std::vector<Value> offered;  // cells of pieces already offered, for equal pieces of one place
  for (Value x : EvalSet(s.expr, run.view())) {
    if (!Spend(kChoiceCost)) return false;
    Value name = x;
    if (type.base == Base::kPiece) {
      name = CellOfChoice(x, run.position);
      if (name != kNone && std::find(offered.begin(), offered.end(), name) != offered.end()) continue;
      offered.push_back(name);
    }
    Run next = run;
    next.tokens.push_back(Token{type.base, name, type.base == Base::kEnum ? type.enumeration : -1});
    next.frame.Bind(s.slot, x);
    if (!then(next)) return false;
  }
  return true;
}

// Equal pieces in one place are one choice, given by the first slot that holds one.
Value Machine::CellOfChoice(Value piece, const Position& p) const {
  const Piece& wanted = p.pieces[static_cast<std::size_t>(piece)];
  if (wanted.cell == kNone || !r_.board.is_place(wanted.cell)) return wanted.cell;
  for (const rules::Zone& zone : r_.zones) {
    if (!zone.is_place) continue;
    for (const rules::CellSet& place : zone.cells) {
      if (!place.test(static_cast<std::size_t>(wanted.cell))) continue;
      for (std::size_t slot = place._Find_first(); slot < place.size(); slot = place._Find_next(slot)) {
        const int on = p.At(static_cast<Value>(slot));
        if (on < 0) continue;
        const Piece& other = p.pieces[static_cast<std::size_t>(on)];
        const bool equal = other.kind == wanted.kind && other.owner == wanted.owner && other.state == wanted.state;
        if (equal) return static_cast<Value>(slot);
      }
    }
  }
  return wanted.cell;
}

bool Machine::Each(const Step& s, const Set& set, std::size_t at, Run& run, const Then& then) {
  if (at == set.size() || run.over()) return then(run);
  if (!Spend()) return false;
  run.frame.Bind(s.slot, set[at]);
  return Steps(s.body, 0, run, [&](Run& r) { return Each(s, set, at + 1, r, then); });
}

bool Machine::Perform(const Step& s, Run& run, const Then& then) {
  const Value performer = s.expr.valid() ? Eval(s.expr, run.view()) : (run.self < 0 ? kNone : run.self);
  for (rules::ActionId id : s.actions) {
    const rules::Action& action = r_.actions[id];
    if (action.has_self) {
      if (performer == kNone) continue;
      const Piece& p = run.position.pieces[static_cast<std::size_t>(performer)];
      const bool fits = p.cell != kNone && !r_.board.is_place(p.cell) && (action.kinds >> p.kind & 1) != 0;
      if (!fits) continue;
    }
    if (!Spend(kChoiceCost)) return false;
    Run inner = run;
    inner.frame = Frame();
    Mark(inner, s.span);
    Mark(inner, action.span);
    if (action.has_self) {
      inner.self = performer;
      if (run.self < 0) inner.actor = performer;
    }
    inner.tokens.push_back(Token{Base::kAction, action.name, -1});
    const bool go_on = Steps(action.steps, 0, inner, [&](Run& done) {
      Run outer = done;
      if (auto written = Written(action, done); !written.empty()) outer.written = std::move(written);
      outer.frame = run.frame;
      outer.self = run.self;
      return then(outer);
    });
    if (!go_on) return false;
  }
  return true;
}

bool Machine::Promote(Run& run, const Then& then) {
  if (run.self < 0) return then(run);
  const Piece& p = run.position.pieces[static_cast<std::size_t>(run.self)];
  if (p.gone || p.cell == kNone) return then(run);
  std::vector<int> kinds;
  std::vector<rules::Span> allowed_by;
  bool may_stay = true;
  for (const rules::Promotion& promotion : r_.kinds[static_cast<std::size_t>(p.kind)].promotions) {
    Frame frame;
    const View v{run.position, run.me, run.self, &frame, nullptr};
    if (!Element(promotion.zone, p.cell, v) || !Holds(promotion.condition, v)) continue;
    may_stay = may_stay && promotion.optional;
    allowed_by.push_back(promotion.span);
    for (int kind : promotion.kinds) {
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  if (may_stay) {
    Run stays = run;
    if (!then(stays)) return false;
  }
  for (int kind : kinds) {
    if (!Spend(kChoiceCost)) return false;
    Run promoted = run;
    promoted.position.pieces[static_cast<std::size_t>(run.self)].kind = kind;
    promoted.tokens.push_back(Token{Base::kKind, kind, -1});
    for (rules::Span span : allowed_by) Mark(promoted, span);
    if (!then(promoted)) return false;
  }
  return true;
}

std::vector<Token> Machine::Written(const rules::Action& action, Run& run) {
  std::vector<Token> written;
  for (rules::ExprId part : action.written) {
    const rules::Type& type = r_.exprs[part].type;
    const Value value = Eval(part, run.view());
    if (value != kNone) written.push_back(Token{type.base, value, type.base == Base::kEnum ? type.enumeration : -1});
  }
  return written;
}

bool Machine::Whole(const Position& p) const {
  return std::all_of(p.pieces.begin(), p.pieces.end(), [&](const Piece& piece) {
    return piece.gone || piece.cell != kNone || r_.kinds[static_cast<std::size_t>(piece.kind)].may_be_off_board;
  });
}

bool Machine::Instances(rules::ActionId id, const Position& p, const rules::Offer* offer, const Then& then) {
  const rules::Action& action = r_.actions[id];
  const rules::Offer::By by = offer != nullptr ? offer->by : rules::Offer::By::kAnyone;
  const Then finish = [&](Run& run) {
    if (!Whole(run.position) || !Wanted(run)) return true;
    if (auto written = Written(action, run); !written.empty()) run.written = std::move(written);
    return then(run);
  };
  Run start;
  start.position = p;
  start.me = p.mover;
  start.tokens.push_back(Token{Base::kAction, action.name, -1});
  Mark(start, action.span);
  if (!action.has_self) {
    if (by != rules::Offer::By::kAnyone) return true;
    return Steps(action.steps, 0, start, finish);
  }
  for (int cell = 0; cell < r_.board.board_size(); ++cell) {
    const int piece = p.At(cell);
    if (piece < 0) continue;
    if (by == rules::Offer::By::kSame && cell != p.last_self) continue;
    if (by == rules::Offer::By::kOther && cell == p.last_self) continue;
    const Piece& self = p.pieces[static_cast<std::size_t>(piece)];
    if (self.owner != p.mover || (action.kinds >> self.kind & 1) == 0) continue;
    Run run = start;
    run.self = run.actor = piece;
    run.tokens.push_back(Token{Base::kCell, cell, -1});
    if (!Steps(action.steps, 0, run, finish)) return false;
  }
  return true;
}

}  // namespace arbiter::oracle
