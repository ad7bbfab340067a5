// Which state belongs to the repetition key (language B11): what some reachable rule reads.
//
// A variable that is read only to compute itself, or another variable that nobody reads, is not part
// of the key: two positions that differ in it have the same future.
#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

class Reader {
 public:
  // Expressions from `shown_begin` to `shown_end` belong to no rule.
  Reader(rules::Rules& rules, ExprId shown_begin, ExprId shown_end)
      : rules_(rules),
        shown_begin_(shown_begin),
        shown_end_(shown_end),
        live_(rules.vars.size()),
        piece_live_(rules.piece_vars.size()) {}

  void Run() {
    do {
      changed_ = false;
      seen_.Clear();
      ReadAll();
    } while (changed_);
    std::vector<bool> shown(live_.size()), piece_shown(piece_live_.size());
    Visited told;
    for (const rules::Shown& line : rules_.shown) {
      for (ExprId part : line.parts) {
        VisitExprs(rules_, part, told, [&](const rules::Expr& e) {
          if (e.op == Op::kState) shown[static_cast<std::size_t>(e.value)] = true;
          if (e.op == Op::kPieceState) piece_shown[static_cast<std::size_t>(e.value)] = true;
        });
      }
    }
    for (std::size_t i = 0; i < live_.size(); ++i) Mark(rules_.vars[rules::VarId(i)], live_[i], shown[i]);
    for (std::size_t i = 0; i < piece_live_.size(); ++i) {
      Mark(rules_.piece_vars[rules::VarId(i)], piece_live_[i], piece_shown[i]);
    }
  }

 private:
  static void Mark(rules::Variable& variable, bool live, bool shown) {
    variable.in_key = live && variable.life != rules::Variable::Life::kClock;
    variable.only_shown = shown && !live;
  }

  void Set(std::vector<bool>& flags, Value index) {
    std::vector<bool>::reference flag = flags[static_cast<std::size_t>(index)];
    if (flag) return;
    flag = true;
    changed_ = true;
  }

  void ReadWalk(WalkId walk) {
    if (!walk.valid() || !walks_.insert(walk.value).second) return;
    std::vector<WalkNodeId> open{rules_.walks[walk].root};
    while (!open.empty()) {
      WalkNodeId id = open.back();
      open.pop_back();
      const rules::WalkNode& node = rules_.walk_nodes[id];
      Read(node.expr);
      for (const rules::StepDirection& d : node.directions) Read(d.expr);
      open.insert(open.end(), node.children.begin(), node.children.end());
    }
  }

  void Read(ExprId id) {
    std::vector<WalkId> walks;
    VisitExprs(rules_, id, seen_, [&](const rules::Expr& e) {
      if (e.op == Op::kState) Set(live_, e.value);
      if (e.op == Op::kPieceState) Set(piece_live_, e.value);
      if (e.op == Op::kConst && e.type.base == Base::kWalk && e.value != kNone) walks.push_back(WalkId(e.value));
      if (e.op == Op::kWalkMap) {
        const std::vector<WalkId>& map = rules_.walk_maps[static_cast<std::size_t>(e.value)];
        walks.insert(walks.end(), map.begin(), map.end());
      }
      if (e.op == Op::kAttribute && rules_.attributes[static_cast<std::size_t>(e.value)].type.base == Base::kWalk) {
        for (const rules::Kind& kind : rules_.kinds) {
          if (static_cast<std::size_t>(e.value) >= kind.attributes.size()) continue;
          for (Value walk : kind.attributes[static_cast<std::size_t>(e.value)]) walks.push_back(WalkId(walk));
        }
      }
    });
    for (WalkId walk : walks) ReadWalk(walk);
  }

  void Read(const rules::Query& query) {
    Read(query.walk);
    Read(query.from);
    Read(query.onto.cells);
    Read(query.within);
  }

  // True if the block does more than set variables that nobody reads.
  bool Read(const rules::Block& block) {
    bool matters = false;
    for (const rules::Effect& e : block) {
      bool effect_matters = true;
      if (e.op == rules::EffectOp::kSet) effect_matters = live_[e.var.index()];
      if (e.op == rules::EffectOp::kSetPiece) effect_matters = piece_live_[e.var.index()];
      if (e.op == rules::EffectOp::kIf || e.op == rules::EffectOp::kFor) {
        bool body = Read(e.body), otherwise = Read(e.otherwise);
        effect_matters = body || otherwise;
      }
      if (!effect_matters) continue;
      matters = true;
      Read(e.a);
      Read(e.b);
      Read(e.c);
      for (ExprId id : e.indices) Read(id);
      for (ExprId id : e.args) Read(id);
    }
    return matters;
  }

  void Read(const std::vector<rules::Step>& steps) {
    for (const rules::Step& step : steps) {
      Read(step.query);
      Read(step.expr);
      Read(step.effects);
      Read(step.body);
      Read(step.otherwise);
    }
  }

  void ReadAll() {
    walks_.clear();
    std::vector<bool> reachable(rules_.actions.size());
    auto reach = [&](const std::vector<ActionId>& actions) {
      for (ActionId id : actions) reachable[id.index()] = true;
    };
    std::vector<bool> entered(rules_.turn_states.size()), offered(rules_.offers.size());
    std::vector<OfferId> open;
    auto enter = [&](TurnStateId place) {
      if (!place.valid() || entered[place.index()]) return;
      entered[place.index()] = true;
      open.push_back(rules_.turn_states[place].offer);
    };
    for (const rules::Phase& phase : rules_.phases) enter(phase.turn);
    for (std::size_t i = 0; i < rules_.exprs.size(); ++i) {
      bool shown = i >= shown_begin_.index() && i < shown_end_.index();
      if (shown) continue;
      reach(rules_.exprs[ExprId(i)].actions);
      enter(rules_.exprs[ExprId(i)].turn);
    }
    while (!open.empty()) {
      const OfferId id = open.back();
      open.pop_back();
      if (!id.valid() || offered[id.index()]) continue;
      offered[id.index()] = true;
      const rules::Offer& offer = rules_.offers[id];
      Read(offer.condition);
      reach(offer.actions);
      enter(offer.next);
      open.insert(open.end(), offer.parts.begin(), offer.parts.end());
    }
    for (std::size_t i = 0; i < rules_.actions.size(); ++i) {
      for (const rules::Step& step : rules_.actions[ActionId(i)].steps) {
        if (reachable[i]) reach(step.actions);
      }
    }
    for (std::size_t i = 0; i < rules_.actions.size(); ++i) {
      if (reachable[i]) Read(rules_.actions[ActionId(i)].steps);
    }
    for (const rules::Attack& attack : rules_.attacks) {
      ReadWalk(attack.walk);
      Read(attack.cells);
      Read(attack.from);
      Read(attack.to);
      Read(attack.condition);
    }
    for (const rules::Kind& kind : rules_.kinds) {
      for (const rules::Promotion& promotion : kind.promotions) {
        Read(promotion.zone);
        Read(promotion.condition);
      }
    }
    for (const rules::Phase& phase : rules_.phases) {
      Read(phase.player);
      Read(phase.after);
    }
    for (const rules::Handler& handler : rules_.handlers) {
      if (!Read(handler.block)) continue;
      Read(handler.event.owner);
      Read(handler.event.at);
      Read(handler.event.zone);
      Read(handler.event.from);
      Read(handler.event.to);
      Read(handler.condition);
    }
    for (const rules::Law& law : rules_.laws) Read(law.condition);
    for (const rules::End& end : rules_.ends) {
      Read(end.player);
      Read(end.condition);
      Read(end.block);
    }
  }

  rules::Rules& rules_;
  ExprId shown_begin_, shown_end_;
  std::vector<bool> live_, piece_live_;
  Visited seen_;
  std::set<int> walks_;
  bool changed_ = false;
};

}  // namespace

void Lowerer::ComputeKeys() { Reader(rules, shown_begin, shown_end).Run(); }

}  // namespace arbiter::check
