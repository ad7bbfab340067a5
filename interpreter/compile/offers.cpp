// Which offers are made from tables: those of one action that ends the turn, where nothing that follows from the action
// can make it impossible, or nothing but laws that may be asked before it follows.
#include <algorithm>

#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

using rules::StepOp;

bool Remembers(const std::vector<rules::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const rules::Step& s) {
    return (s.op == StepOp::kChoose && s.remembers) || s.op == StepOp::kPerform || Remembers(s.body) ||
           Remembers(s.otherwise);
  });
}

// The one play of an offer whose turn is a single action: its actions and where they lead; else why not.
std::string SinglePlay(const Program& p, int offer, std::vector<int>* actions, int* next) {
  const program::Offer& o = p.offers[static_cast<std::size_t>(offer)];
  if (o.kind == rules::Offer::Kind::kOr) {
    for (const int part : o.parts) {
      std::string why = SinglePlay(p, part, actions, next);
      if (!why.empty()) return why;
    }
    return {};
  }
  if (o.kind != rules::Offer::Kind::kPlay) return "a turn is more than one choice of one action";
  if (o.by != rules::Offer::By::kAnyone) return "which piece may act depends on the one that acted before";
  if (!p.turn_states[static_cast<std::size_t>(o.next)].accept_only) return "more actions may follow";
  *next = o.next;
  actions->insert(actions->end(), o.actions.begin(), o.actions.end());
  return {};
}

bool AnyOf(const std::vector<bool>& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); }

// Does the law ask where pieces stand, of what kind and whose they are, and nothing else but who is on turn?
bool AsksTheBoard(const Builder& b, const rules::Law& law) {
  Reads reads;
  CollectReads(b.rules, law.condition, &reads);
  return !reads.piece_state && !reads.walk_names && !reads.questions && !AnyOf(reads.vars);
}

// May what is written change the answer to what is read?
bool Disturbs(const Writes& w, const Reads& r) {
  if (r.questions) return w.board || w.piece_state || AnyOf(w.vars);
  if ((r.board && w.board) || (r.piece_state && w.piece_state)) return true;
  for (std::size_t i = 0; i < std::min(w.vars.size(), r.vars.size()); ++i) {
    if (w.vars[i] && r.vars[i]) return true;
  }
  return false;
}

// What handlers and the ends of phases write, by the time when laws see it.
struct Following {
  Writes action, turn_end, turn_begin;
};

// Steps of numbers that one turn can make by handlers of the turn, which run once for each of their settings. Handlers
// of pieces run as often as something moves: false if one of them may leave a range.
bool CollectFollowing(const Builder& b, Following* following, std::vector<program::Nudge>* nudges) {
  const auto add = [&](const rules::Block& block, ExprId condition, std::size_t settings, bool once, Writes* to) {
    if (condition.valid()) {
      const Folded f = Fold(b.rules, condition, Known{});
      if (f.kind == Folded::Kind::kValue && (f.value == 0 || f.value == kNone)) return true;
    }
    to->steps.clear();
    CollectWrites(b.rules, block, to, condition);
    if (!once && !to->steps.empty()) return false;
    for (const Writes::Step& step : to->steps) {
      const rules::Variable& var = b.rules.vars[step.var];
      program::Nudge nudge{var.offset, var.count, var.type.low, var.type.high};
      auto at = std::find_if(nudges->begin(), nudges->end(), [&](const auto& n) { return n.first == var.offset; });
      if (at == nudges->end()) at = nudges->insert(at, nudge);
      const int by = step.by * static_cast<int>(std::min<std::size_t>(settings, 1000));
      (by < 0 ? at->low : at->high) -= by;
    }
    return true;
  };
  for (const rules::Handler& h : b.rules.handlers) {
    std::size_t settings = 1;
    for (const rules::FreeVar& name : h.free) settings *= name.values.size();
    const rules::EventOp op = h.event.op;
    const bool of_turn = op == rules::EventOp::kTurnBegins || op == rules::EventOp::kTurnEnds;
    Writes* to = op == rules::EventOp::kTurnBegins ? &following->turn_begin
                 : op == rules::EventOp::kTurnEnds ? &following->turn_end
                                                   : &following->action;
    if (!add(h.block, h.condition, settings, of_turn || op == rules::EventOp::kAfterAction, to)) return false;
  }
  return std::all_of(b.rules.phases.begin(), b.rules.phases.end(), [&](const rules::Phase& phase) {
    return add(phase.after, ExprId{}, 1, true, &following->turn_end);
  });
}

// Why what follows from an action may make it impossible; empty if nothing but laws can, which may be asked as soon
// as the pieces stand where the action leads them, and as long as the nudged numbers are not near their edges.
std::string Harmful(const Builder& b, std::vector<program::Nudge>* nudges) {
  Following following;
  if (!CollectFollowing(b, &following, nudges)) return "a handler may take a number out of its range";
  if (following.action.can_fail || following.turn_begin.can_fail) return "a handler may make a move impossible";
  if (following.turn_end.can_fail) return "the end of a turn may make a move impossible";
  for (std::size_t i = 0; i < b.rules.laws.size(); ++i) {
    const rules::Law& law = b.rules.laws[i];
    Reads reads;
    if (b.program.laws[i].guarded != 0 && b.program.attacks_folded) {
      reads.board = true;
    } else {
      CollectReads(b.rules, law.condition, &reads);
    }
    if (Disturbs(following.action, reads)) return "a handler changes what a law asks about";
    if (law.scope == rules::Law::Scope::kTurnEnd && Disturbs(following.turn_end, reads)) {
      return "the end of a turn changes what a law asks about";
    }
  }
  return {};
}

// Why plain statements cannot be made from tables, where what follows does no harm.
std::string NotFromTables(const Builder& b) {
  const Program& p = b.program;
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    if (p.laws[i].guarded == 0 && !AsksTheBoard(b, b.rules.laws[i])) {
      return "a law asks about more than where the pieces stand";
    }
    if (p.laws[i].guarded != 0 && !p.attacks_folded) return "an attack depends on more than which cells are occupied";
  }
  return {};
}

// Why the moves that leave the guarded pieces safe cannot be had from paths and pins; empty if they can.
std::string Unguardable(const Program& p) {
  rules::KindSet guarded = 0;
  for (const program::Law& law : p.laws) guarded |= law.guarded;
  if (guarded == 0) return {};
  for (const auto& families : p.families) {
    for (const program::AttackFamily& f : families) {
      if (!f.lines_exact) return "an attack may need an occupied cell";
    }
  }
  for (std::size_t kind = 0; kind < p.kinds.size(); ++kind) {
    if (((guarded >> kind) & 1) != 0 && !p.kinds[kind].promotions.empty()) {
      return "a piece that may not be attacked may be promoted";
    }
    for (const program::Promotion& x : p.kinds[kind].promotions) {
      for (const int k : x.kinds) {
        if (((guarded >> k) & 1) != 0) return "a piece may be promoted to one that may not be attacked";
      }
    }
  }
  return {};
}

class Planner {
 public:
  explicit Planner(Builder& b) : b_(b), p_(b.program) {}

  void Run() {
    why_not_ = Harmful(b_, &p_.nudges);
    p_.harmless = why_not_.empty();
    if (why_not_.empty()) why_not_ = NotFromTables(b_);
    if (why_not_.empty()) why_not_ = Unguardable(p_);
    p_.plans.resize(p_.offers.size());
    for (std::size_t i = 0; i < p_.offers.size(); ++i) MakeDirect(static_cast<int>(i));
    for (std::size_t i = 0; i < p_.offers.size(); ++i) {
      program::Plan& plan = p_.plans[i];
      plan.apart = Apart(static_cast<int>(i));
      plan.unique = Unique(static_cast<int>(i), plan.apart);
      plan.light = Light(static_cast<int>(i));
    }
  }

 private:
  [[nodiscard]] const program::Offer& offer(int index) const { return p_.offers[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const program::Plan& plan(int index) const { return p_.plans[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const program::Action& action(int index) const { return p_.actions[static_cast<std::size_t>(index)]; }

  void MakeDirect(int index) {
    program::Plan& plan = p_.plans[static_cast<std::size_t>(index)];
    plan.plain.resize(static_cast<std::size_t>(p_.kinds_count));
    std::vector<int> played;
    plan.why = SinglePlay(p_, index, &played, &plan.next);
    if (plan.why.empty() && played.empty()) plan.why = "no action is offered";
    if (plan.why.empty()) plan.why = why_not_;
    if (!plan.why.empty()) return;
    for (const int a : played) {
      if (!action(a).plain) plan.others.push_back(a);
    }
    for (std::size_t i = 0; i < p_.plain.size(); ++i) {
      const program::Plain& s = p_.plain[i];
      if (!action(s.action).plain || std::count(played.begin(), played.end(), s.action) == 0) continue;
      plan.plain[static_cast<std::size_t>(s.kind)].push_back(static_cast<int>(i));
      plan.movers |= rules::KindSet{1} << s.kind;
      for (const int a : plan.others) {
        if (action(a).name == action(s.action).name && ((action(a).kinds >> s.kind) & 1) != 0) {
          plan.why = "statements of one piece, plain and not plain, may make the same move";
        }
      }
    }
    plan.direct = plan.why.empty();
    if (plan.direct)
      plan.why =
          "one action and the turn is over; nothing that follows can make a move impossible but laws about the board";
  }

  // May an instance of one action have the list of choices of an instance of the other?
  [[nodiscard]] bool MayMeet(int a, int b) const {
    const rules::Action &x = b_.rules.actions[rules::ActionId(a)], &y = b_.rules.actions[rules::ActionId(b)];
    return x.name == y.name && (!x.has_self || !y.has_self || (x.kinds & y.kinds) != 0);
  }

  // The actions below an offer that tables make, if `tables`, or the others.
  void Collect(int index, bool tables, bool made_from_tables, std::vector<int>* actions) const {
    const program::Offer& o = offer(index);
    const bool direct = tables && plan(index).direct;
    for (const int a : o.actions) {
      if ((direct && action(a).plain) == made_from_tables) actions->push_back(a);
    }
    const bool below = tables && o.kind != rules::Offer::Kind::kLongest;
    for (const int part : o.parts) Collect(part, below, made_from_tables, actions);
  }
  [[nodiscard]] bool Meet(int a, int b, bool tables, bool from_tables_a, bool from_tables_b) const {
    std::vector<int> left, right;
    Collect(a, tables, from_tables_a, &left);
    Collect(b, tables, from_tables_b, &right);
    return std::any_of(left.begin(), left.end(), [&](int x) {
      return std::any_of(right.begin(), right.end(), [&](int y) { return MayMeet(x, y); });
    });
  }
  // Any two parts from which moves are offered at the same time; of all others only one is.
  template <class Test>
  [[nodiscard]] bool AnyTwoParts(const program::Offer& o, Test test) const {
    const bool together = o.kind == rules::Offer::Kind::kOr || o.kind == rules::Offer::Kind::kLongest;
    for (std::size_t i = 0; together && i < o.parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (test(o.parts[i], o.parts[j])) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool Apart(int index) const {
    const program::Offer& o = offer(index);
    if (plan(index).direct || o.kind == rules::Offer::Kind::kLongest) return true;
    if (!std::all_of(o.parts.begin(), o.parts.end(), [&](int part) { return Apart(part); })) return false;
    return !AnyTwoParts(o, [&](int a, int b) {
      return Meet(a, b, true, true, true) || Meet(a, b, true, true, false) || Meet(a, b, true, false, true);
    });
  }

  [[nodiscard]] bool Unique(int index, bool tables) const {
    const program::Offer& o = offer(index);
    std::vector<int> played;
    for (const int a : o.actions) {
      if (!tables || !plan(index).direct || !action(a).plain) played.push_back(a);
    }
    for (std::size_t i = 0; i < played.size(); ++i) {
      if (Remembers(b_.rules.actions[rules::ActionId(played[i])].steps)) return false;
      for (std::size_t j = 0; j < i; ++j) {
        if (MayMeet(played[i], played[j])) return false;
      }
    }
    const bool below = tables && o.kind != rules::Offer::Kind::kLongest;
    if (!std::all_of(o.parts.begin(), o.parts.end(), [&](int part) { return Unique(part, below); })) return false;
    return !AnyTwoParts(o, [&](int a, int b) { return Meet(a, b, below, false, false); });
  }

  [[nodiscard]] bool Light(int index) const {
    using Kind = rules::Offer::Kind;
    const program::Offer& o = offer(index);
    if (plan(index).direct || o.kind == Kind::kAccept) return true;
    if (o.kind == Kind::kPlay || o.kind == Kind::kLongest) return false;
    return std::all_of(o.parts.begin(), o.parts.end(), [&](int part) { return Light(part); });
  }

  Builder& b_;
  Program& p_;
  std::string why_not_;
};

}  // namespace

void PlanOffers(Builder& b) { Planner(b).Run(); }

}  // namespace arbiter::compile
