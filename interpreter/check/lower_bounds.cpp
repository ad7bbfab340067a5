// A bound on what one question may cost: quantifiers inside quantifiers multiply.
//
// Evaluators have no budget for conditions, so a rule file whose conditions would run for ever is
// refused here. Sizes are the largest that a set can have on this board.
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

constexpr double kMostQuestions = 16'000'000;

class Questions {
 public:
  explicit Questions(Context& c)
      : c_(c), rules_(c.rules), cells_(std::max(1, c.board().size())), known_(c.rules.exprs.size(), -1.0) {}

  void Run() {
    for (const rules::Action& action : rules_.actions) {
      Steps(action.steps, 1);
      for (ExprId part : action.written) Ask(part, 1);
    }
    for (const rules::Attack& attack : rules_.attacks) {
      Walk(attack.walk);
      for (ExprId id : {attack.cells, attack.from, attack.to, attack.condition}) Ask(id, 1);
    }
    for (const rules::Kind& kind : rules_.kinds) {
      for (const rules::Promotion& promotion : kind.promotions) {
        Ask(promotion.zone, 1);
        Ask(promotion.condition, 1);
      }
    }
    for (const rules::Offer& offer : rules_.offers) Ask(offer.condition, 1);
    for (const rules::Phase& phase : rules_.phases) {
      Ask(phase.player, 1);
      Effects(phase.after, 1);
    }
    for (const rules::Handler& handler : rules_.handlers) {
      double times = Free(handler.free);
      for (ExprId id : {handler.event.owner, handler.event.at, handler.event.zone, handler.event.from, handler.event.to,
                        handler.condition}) {
        Ask(id, times);
      }
      Effects(handler.block, times);
    }
    for (const rules::Law& law : rules_.laws) Ask(law.condition, Free(law.free));
    for (const rules::End& end : rules_.ends) {
      Ask(end.player, Free(end.free));
      Ask(end.condition, Free(end.free));
      Effects(end.block, 1);
    }
    for (const rules::Shown& line : rules_.shown) {
      for (ExprId part : line.parts) Ask(part, 1);
      Ask(line.condition, 1);
    }
  }

 private:
  static double Free(const std::vector<rules::FreeVar>& free) {
    double times = 1;
    for (const rules::FreeVar& var : free) times *= static_cast<double>(std::max<std::size_t>(1, var.values.size()));
    return times;
  }

  // The most elements a set can have.
  double Size(ExprId id) const {
    const rules::Expr& e = rules_.exprs[id];
    if (e.op == Op::kConstSet) return static_cast<double>(e.values.size());
    if (e.op == Op::kConstCells) {
      return static_cast<double>(rules_.cell_sets[static_cast<std::size_t>(e.value)].count());
    }
    if (e.op == Op::kMakeSet) return static_cast<double>(e.children.size());
    if (e.op == Op::kFilter || e.op == Op::kMinus) return Size(e.children[0]);
    if (e.op == Op::kIntersect) return std::min(Size(e.children[0]), Size(e.children[1]));
    switch (e.type.base) {
      case Base::kPlayer:
        return std::max(1, rules_.player_count());
      case Base::kDirection:
        return std::max(1, c_.board().direction_count());
      case Base::kWalk:
        return static_cast<double>(std::max<std::size_t>(1, rules_.walks.size()));
      default:
        return cells_;
    }
  }

  // Questions asked for one answer: the product of the nested sets, the largest branch.
  double Of(ExprId id) {
    if (!id.valid()) return 1;
    double& known = known_[id.index()];
    if (known >= 0) return known;
    known = 1;  // a guard that asks for its own walk adds nothing
    const rules::Expr& e = rules_.exprs[id];
    double most = 1;
    switch (e.op) {
      case Op::kSome:
      case Op::kEvery:
      case Op::kCount:
      case Op::kFilter:
        most = std::max(Of(e.children[0]), std::max(1.0, Size(e.children[0])) * Of(e.children[1]));
        break;
      case Op::kRun:
        most = std::max({Of(e.children[0]), Of(e.children[1]), cells_ * Of(e.children[2])});
        break;
      case Op::kConst:
        if (e.type.base == Base::kWalk && e.value != kNone) most = Walk(WalkId(e.value));
        break;
      case Op::kWalkMap:
        for (WalkId walk : rules_.walk_maps[static_cast<std::size_t>(e.value)]) most = std::max(most, Walk(walk));
        break;
      default:
        for (ExprId child : e.children) most = std::max(most, Of(child));
    }
    known_[id.index()] = most;
    return most;
  }

  double Walk(WalkId id) {
    if (!id.valid()) return 1;
    double most = 1;
    std::set<int> seen;
    std::vector<WalkNodeId> open{rules_.walks[id].root};
    while (!open.empty()) {
      WalkNodeId at = open.back();
      open.pop_back();
      if (!seen.insert(at.value).second) continue;
      const rules::WalkNode& node = rules_.walk_nodes[at];
      most = std::max(most, Of(node.expr));
      for (const rules::StepDirection& d : node.directions) most = std::max(most, Of(d.expr));
      open.insert(open.end(), node.children.begin(), node.children.end());
    }
    if (most > kMostQuestions) Refuse(rules_.walks[id].span, most);
    return most > 1 ? cells_ * most : 1;
  }

  void Ask(ExprId id, double times) {
    if (!id.valid()) return;
    double questions = times * Of(id);
    if (questions > kMostQuestions) Refuse(rules_.exprs[id].span, questions);
  }

  void Refuse(Span span, double questions) {
    c_.Error(Code::kLimitExpansion, span, fmt::format("this may ask {:.0f} million questions", questions / 1e6))
        .help.push_back("quantifiers inside quantifiers multiply: look through smaller sets, or through one at a time");
  }

  void Effects(const rules::Block& block, double times) {
    for (const rules::Effect& e : block) {
      for (ExprId id : {e.a, e.b, e.c}) Ask(id, times);
      for (ExprId id : e.indices) Ask(id, times);
      for (ExprId id : e.args) Ask(id, times);
      double inside = e.op == rules::EffectOp::kFor && e.a.valid() ? times * std::max(1.0, Size(e.a)) : times;
      if (inside > kMostQuestions) return Refuse(e.span, inside);
      Effects(e.body, inside);
      Effects(e.otherwise, inside);
    }
  }

  void Steps(const std::vector<rules::Step>& steps, double times) {
    for (const rules::Step& step : steps) {
      for (ExprId id : {step.expr, step.query.walk, step.query.from, step.query.onto.cells, step.query.within}) {
        Ask(id, times);
      }
      Effects(step.effects, times);
      double inside =
          step.op == rules::StepOp::kFor && step.expr.valid() ? times * std::max(1.0, Size(step.expr)) : times;
      if (inside > kMostQuestions) return Refuse(step.span, inside);
      Steps(step.body, inside);
      Steps(step.otherwise, inside);
    }
  }

  Context& c_;
  const rules::Rules& rules_;
  double cells_;
  std::vector<double> known_;  // by expression; -1: not asked yet
};

}  // namespace

void Lowerer::CheckQuestions() { Questions(c).Run(); }

}  // namespace arbiter::check
