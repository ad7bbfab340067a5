// Shapes that the engine runs directly: plain statements, events known beforehand, places in a turn.
#include <algorithm>

#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {

void RecogniseStatements(Builder&) {}
void MakeHandlerCases(Builder&) {}

namespace {

bool Remembers(const std::vector<rules::Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const rules::Step& s) {
    return (s.op == rules::StepOp::kChoose && s.remembers) || s.op == rules::StepOp::kPerform || Remembers(s.body) ||
           Remembers(s.otherwise);
  });
}

void Collect(const Program& p, int offer, std::vector<int>* actions) {
  const program::Offer& o = p.offers[static_cast<std::size_t>(offer)];
  actions->insert(actions->end(), o.actions.begin(), o.actions.end());
  for (const int part : o.parts) Collect(p, part, actions);
}

// Can no two instances of these actions have the same list of choices?
bool Unique(const Builder& b, const std::vector<int>& actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const rules::Action& x = b.rules.actions[rules::ActionId(actions[i])];
    if (Remembers(x.steps)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const rules::Action& y = b.rules.actions[rules::ActionId(actions[j])];
      if (actions[i] == actions[j]) return false;
      if (x.name == y.name && (!x.has_self || !y.has_self || (x.kinds & y.kinds) != 0)) return false;
    }
  }
  return true;
}

}  // namespace

void PlanPlaces(Builder& b) {
  Program& p = b.program;
  for (const program::TurnState& state : p.turn_states) {
    program::PlacePlan plan;
    std::vector<int> actions;
    Collect(p, state.offer, &actions);
    plan.unique = Unique(b, actions);
    p.plans.push_back(std::move(plan));
  }
}

}  // namespace arbiter::compile
