// Events, laws and ends: what follows from what has happened.
#include <algorithm>

#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::EventOp;
using rules::Handler;
using rules::Law;

namespace {

bool InPhase(uint64_t phases, int phase) { return phases == 0 || (phases >> phase & 1) != 0; }

}  // namespace

bool Machine::ForAll(const std::vector<rules::FreeVar>& free, std::size_t at, Frame& frame,
                     const std::function<bool()>& body) {
  if (at == free.size()) return body();
  for (Value value : free[at].values) {
    frame.Bind(free[at].slot, value);
    if (!ForAll(free, at + 1, frame, body)) return false;
  }
  return true;
}

// ---- handlers ----------------------------------------------------------------------------------

// One pass in file order. A handler sees every movement raised so far, also by handlers above, not its own.
bool Machine::Handlers(Pass pass, Run& run) {
  for (const Handler& h : r_.handlers) {
    if (run.over()) return true;
    if (!InPhase(h.phases, run.position.phase)) continue;
    switch (h.event.op) {
      case EventOp::kTurnBegins:
        if (pass == Pass::kTurnBegins && !Handle(h, nullptr, run)) return false;
        break;
      case EventOp::kTurnEnds:
        if (pass == Pass::kTurnEnds && !Handle(h, nullptr, run)) return false;
        break;
      case EventOp::kAfterAction:
        if (pass == Pass::kAction && !Handle(h, nullptr, run)) return false;
        break;
      default: {
        const std::vector<Movement> raised = run.movements;
        for (const Movement& m : raised) {
          if (!run.over() && !Handle(h, &m, run)) return false;
        }
        break;
      }
    }
  }
  return true;
}

bool Machine::Handle(const Handler& h, const Movement* m, Run& run) {
  run.frame = Frame();
  if (m != nullptr) {
    run.frame.Bind(rules::kSlotIt, m->piece);
    run.frame.Bind(rules::kSlotFrom, m->from);
    run.frame.Bind(rules::kSlotTo, m->to);
  }
  return ForAll(h.free, 0, run.frame, [&] {
    if (run.over()) return true;
    if (m != nullptr && !Matches(h.event, m, run)) return true;
    if (!Holds(h.condition, run.view())) return true;
    Mark(run, h.span);
    return Effects(h.block, run);
  });
}

bool Machine::Matches(const rules::Event& e, const Movement* m, Run& run) {
  const View v = run.view();
  if ((e.kinds >> m->kind & 1) == 0) return false;
  if (!e.any_owner && (m->owner == kNone || Eval(e.owner, v) != m->owner)) return false;
  if (e.at.valid() && !Element(e.at, m->from, v)) return false;
  const auto from_in = [&](ExprId cells) { return Element(cells, m->from, v); };
  const auto to_in = [&](ExprId cells) { return Element(cells, m->to, v); };
  const bool moved = m->from != kNone && m->to != kNone && m->from != m->to;
  const bool between = (!e.from.valid() || from_in(e.from)) && (!e.to.valid() || to_in(e.to));
  switch (e.op) {
    case EventOp::kLands:
      return to_in(e.zone);
    case EventOp::kEnters:
      return to_in(e.zone) && !from_in(e.zone);
    case EventOp::kLeaves:
      return !m->removed && from_in(e.zone) && !to_in(e.zone);
    case EventOp::kCrosses:
      return (m->barriers >> e.barrier & 1) != 0;
    case EventOp::kMoves:
      return m->by_self && moved && between;
    case EventOp::kIsMoved:
      return moved && between;
    case EventOp::kIsCaptured:
      return m->captured;
    default:
      return false;
  }
}

// ---- laws --------------------------------------------------------------------------------------

bool Machine::Forbidden(Law::Scope scope, const Position& p, int actor) {
  bool forbidden = false;
  for (const Law& law : r_.laws) {
    if (law.scope != scope || !InPhase(law.phases, p.phase)) continue;
    if (law.asks_stuck && asking_ > 0) continue;
    if (scope == Law::Scope::kAction && actor < 0) continue;
    Frame frame;
    if (law.actor_slot >= 0) frame.Bind(law.actor_slot, actor);
    const bool clean = ForAll(law.free, 0, frame, [&] {
      return !Holds(law.condition, View{p, p.mover, -1, &frame, nullptr});
    });
    if (clean) continue;
    if (trace_ == nullptr) return true;
    if (asking_ == 0 && !in_endangered_) trace_->asked.insert(law.span);
    forbidden = true;  // and the other laws too
  }
  return forbidden;
}

bool Machine::Consequences(Run& run) {
  run.self = -1;
  if (!run.over() && !Handlers(Pass::kAction, run)) return false;
  if (Forbidden(Law::Scope::kEveryAction, run.position, run.actor)) return false;
  if (Forbidden(Law::Scope::kAction, run.position, run.actor)) return false;
  if (!run.over()) run.outcome = Ends(run.position, true, {});
  if (run.outcome.end >= 0) Mark(run, r_.ends[static_cast<std::size_t>(run.outcome.end)].span);
  return true;
}

// ---- ends --------------------------------------------------------------------------------------

// `players`: those whom the end names, for the values under which it holds.
bool Machine::EndHolds(const rules::End& end, const Position& p, std::vector<Value>& players) {
  bool holds = false;
  Frame frame;
  ForAll(end.free, 0, frame, [&] {
    const View v{p, p.mover, -1, &frame, nullptr};
    if (!Holds(end.condition, v)) return true;
    holds = true;
    if (end.player.valid()) {
      const Value player = Eval(end.player, v);
      if (player != kNone && std::find(players.begin(), players.end(), player) == players.end())
        players.push_back(player);
    }
    return true;
  });
  return holds;
}

rules::Outcome Machine::NoTurn(const rules::End& end, const Position& p) {
  Run run;
  run.position = p;
  run.me = p.mover;
  ForAll(end.free, 0, run.frame, [&] {
    if (Holds(end.condition, run.view())) Effects(end.block, run);
    return !run.over();
  });
  end_marks = run.marks;
  return run.outcome;
}

rules::Outcome Machine::Ends(const Position& p, bool at_once, Counts counts, std::optional<bool> has_turn) {
  using Kind = rules::End::Kind;
  const bool counting = counts.occurrences > 0;
  for (std::size_t i = 0; i < r_.ends.size(); ++i) {
    const rules::End& end = r_.ends[i];
    if (at_once && !end.at_once) continue;
    if (!InPhase(end.phases, p.phase) || (end.reads_clock && !counting)) continue;
    rules::Outcome out;
    switch (end.kind) {
      case Kind::kWin:
      case Kind::kLose: {
        std::vector<Value> players;
        if (!EndHolds(end, p, players) || players.empty()) continue;
        if (players.size() > 1) {
          Fault(end.span, "end-ambiguous", "this end holds for two players at once");
          return {};
        }
        out = Decided(end.kind == Kind::kWin, players.front());
        break;
      }
      case Kind::kDraw: {
        std::vector<Value> players;
        if (!EndHolds(end, p, players)) continue;
        out.kind = rules::Outcome::Kind::kDraw;
        break;
      }
      case Kind::kNoLegalTurn:
        if (at_once) continue;
        if (!has_turn) has_turn = HasTurn(p);
        if (*has_turn) continue;
        out = NoTurn(end, p);
        break;
      case Kind::kRepetition:
        if (at_once || !counting || counts.occurrences < end.number) continue;
        out.kind = rules::Outcome::Kind::kDraw;
        break;
      case Kind::kLimit:
        if (at_once || !counting || counts.turns < end.number) continue;
        out.kind = rules::Outcome::Kind::kDraw;
        break;
    }
    if (out.kind == rules::Outcome::Kind::kNone) continue;
    out.end = static_cast<int>(i);
    return out;
  }
  return {};
}

}  // namespace arbiter::oracle
