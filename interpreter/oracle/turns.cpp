// Turns: which actions are offered at a place in a turn, and what happens between two turns.
//
// Only complete turns exist: an action is offered if the turn can be finished after it, which is found
// by trying, to the depth it takes and to the budget of the rules.
#include <algorithm>

#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::Offer;
using rules::OfferId;

namespace {

constexpr int kMaxDepth = 200;  // actions of one turn

}  // namespace

bool Machine::Try() {
  if (++tried_ <= r_.lookahead_budget && depth_ <= kMaxDepth) return true;
  const rules::Phase& phase = r_.phases.front();
  Fault(
      phase.span, "turn-lookahead",
      "finding out whether a turn can be completed took more than " + std::to_string(r_.lookahead_budget) + " actions");
  return false;
}

Offered Machine::At(const Position& p, bool first_only) {
  Offered out;
  std::vector<rules::Span> around = std::move(turn_path_);
  turn_path_.clear();
  Offers(r_.turn_states[p.place].offer, p, first_only, out);
  turn_path_ = std::move(around);
  return out;
}

bool Machine::HasTurn(const Position& p) { return Any(r_.turn_states[p.place].offer, p); }

// Is anything offered at all? Also where just one action is looked for, every action counts.
bool Machine::Any(OfferId id, const Position& p) {
  const rules::Move* saved = only;
  only = nullptr;
  Offered found;
  Offers(id, p, true, found);
  only = saved;
  return found.any();
}

void Machine::Offers(OfferId id, const Position& p, bool first_only, Offered& out) {
  const Offer& offer = r_.offers[id];
  if (offer.span.valid()) turn_path_.push_back(offer.span);
  OffersOf(offer, p, first_only, out);
  if (offer.span.valid()) turn_path_.pop_back();
}

void Machine::OffersOf(const Offer& offer, const Position& p, bool first_only, Offered& out) {
  switch (offer.kind) {
    case Offer::Kind::kAccept:
      if (out.accept) return;
      out.accept = EndTurn(p);
      if (out.accept) out.accept->marks.insert(out.accept->marks.end(), turn_path_.begin(), turn_path_.end());
      return;
    case Offer::Kind::kPlay:
      if (!first_only || out.plays.empty()) Plays(offer, p, first_only, out);
      return;
    case Offer::Kind::kOr:
      for (OfferId part : offer.parts) Offers(part, p, first_only, out);
      return;
    case Offer::Kind::kElse:
      for (OfferId part : offer.parts) {
        if (!Any(part, p)) continue;
        Offers(part, p, first_only, out);
        return;
      }
      return;
    case Offer::Kind::kIf: {
      Frame frame;
      const bool holds = Holds(offer.condition, View{p, p.mover, -1, &frame, nullptr});
      if (holds) {
        Offers(offer.parts[0], p, first_only, out);
      } else if (offer.parts.size() > 1) {
        Offers(offer.parts[1], p, first_only, out);
      }
      return;
    }
    case Offer::Kind::kLongest:
      Longest(offer, p, out);
      return;
  }
}

void Machine::Plays(const Offer& offer, const Position& p, bool first_only, Offered& out) {
  for (rules::ActionId action : offer.actions) {
    const bool go_on = Instances(action, p, &offer, [&](Run& run) {
      if (depth_ > 0 && !Try()) return false;
      if (!Consequences(run)) return true;
      std::optional<Made> made = Complete(run, offer.next);
      if (made) {
        made->marks.insert(made->marks.end(), turn_path_.begin(), turn_path_.end());
        out.plays.push_back(std::move(*made));
      }
      return !(made && first_only);
    });
    if (!go_on) return;
  }
}

// Of what the part offers, what most actions of the part can follow.
void Machine::Longest(const Offer& offer, const Position& p, Offered& out) {
  Offered inside;
  for (OfferId part : offer.parts) Offers(part, p, false, inside);
  std::vector<int> lengths;
  int best = 0;
  for (const Made& made : inside.plays) {
    lengths.push_back(Follow(made));
    best = std::max(best, lengths.back());
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == best) out.plays.push_back(std::move(inside.plays[i]));
  }
  if (best == 0 && !out.accept) out.accept = std::move(inside.accept);
}

// The number of actions of a `longest` part from this one on: an action is inside if it leads to a place inside.
int Machine::Follow(const Made& made) {
  if (!r_.turn_states[made.leads_to].in_longest) return 0;
  if (made.turn_complete) return 1;
  ++depth_;
  int most = 0;
  for (const Made& next : At(made.next, false).plays) most = std::max(most, Follow(next));
  --depth_;
  return 1 + most;
}

std::optional<Made> Machine::Complete(Run& run, rules::TurnStateId next) {
  Made made;
  made.move.tokens = run.tokens;
  made.move.written = run.written;
  made.leads_to = next;
  made.marks = run.marks;
  if (run.over()) {
    if (Forbidden(rules::Law::Scope::kTurnEnd, run.position, -1)) return std::nullopt;
    Ended ended = GameOver(run);
    made.next = std::move(ended.next);
    made.outcome = std::move(ended.outcome);
    made.turn_complete = true;
    return made;
  }
  Position after = std::move(run.position);
  after.place = next;
  const Value cell = run.actor >= 0 ? after.pieces[static_cast<std::size_t>(run.actor)].cell : kNone;
  after.last_self = cell != kNone && !r_.board.is_place(cell) ? cell : kNone;  // from a place it does not act again
  after = Load(r_, Save(r_, after));
  ++depth_;
  Offered offered = At(after, true);
  --depth_;
  if (!offered.any()) return std::nullopt;
  if (!offered.plays.empty()) {
    made.next = std::move(after);
    return made;
  }
  made.turn_complete = true;
  made.next = std::move(offered.accept->next);
  made.outcome = std::move(offered.accept->outcome);
  made.marks.insert(made.marks.end(), offered.accept->marks.begin(), offered.accept->marks.end());
  return made;
}

// A game that an effect has ended: the position as it stands, outside any turn.
Ended Machine::GameOver(Run& run) const {
  Position p = std::move(run.position);
  p.place = r_.phases[static_cast<std::size_t>(p.phase)].turn;
  p.brief_set.assign(p.brief_set.size(), false);
  p.next_phase = p.next_player = p.last_self = kNone;
  return Ended{Load(r_, Save(r_, p)), run.outcome, std::move(run.marks)};
}

// ---- between two turns -------------------------------------------------------------------------

Value Machine::PhasePlayer(const Position& p) {
  const rules::Phase& phase = r_.phases[static_cast<std::size_t>(p.phase)];
  if (!phase.player.valid()) return kNone;
  Frame frame;
  return Eval(phase.player, View{p, p.mover, -1, &frame, nullptr});
}

std::optional<Ended> Machine::EndTurn(Position position) {
  Run run;
  run.position = std::move(position);
  run.me = run.position.mover;
  if (!Handlers(Pass::kTurnEnds, run)) return std::nullopt;
  if (Forbidden(rules::Law::Scope::kTurnEnd, run.position, -1)) return std::nullopt;
  if (run.over()) return GameOver(run);
  run.frame = Frame();
  if (!Effects(r_.phases[static_cast<std::size_t>(run.position.phase)].after, run)) return std::nullopt;
  if (run.over()) return GameOver(run);

  Position& p = run.position;
  if (p.next_phase != kNone) p.phase = p.next_phase;
  p.next_phase = kNone;
  for (const rules::Variable& var : r_.vars) {
    if (var.life != rules::Variable::Life::kBrief) continue;
    for (std::size_t i = 0; i < var.initial.size(); ++i) {
      const std::size_t element = static_cast<std::size_t>(var.offset) + i;
      if (!p.brief_set[element]) p.state[element] = var.initial[i];
      p.brief_set[element] = false;
    }
  }
  const Value named = PhasePlayer(p);
  const Value in_order = (p.mover + 1) % r_.player_count();
  p.mover = named != kNone ? named : p.next_player != kNone ? p.next_player : in_order;
  p.next_player = p.last_self = kNone;
  p.place = r_.phases[static_cast<std::size_t>(p.phase)].turn;

  Run begins;
  begins.position = std::move(p);
  begins.me = begins.position.mover;
  begins.in_turn_begins = true;
  begins.marks = std::move(run.marks);
  const int phase = begins.position.phase;
  if (!Handlers(Pass::kTurnBegins, begins)) return std::nullopt;
  if (begins.over()) return GameOver(begins);
  Position& next = begins.position;
  if (next.phase != phase || next.next_player != kNone) {
    const Value again = PhasePlayer(next);
    next.mover = again != kNone ? again : next.next_player != kNone ? next.next_player : next.mover;
    next.next_player = kNone;
  }
  return Ended{Load(r_, Save(r_, next)), {}, std::move(begins.marks)};
}

}  // namespace arbiter::oracle
