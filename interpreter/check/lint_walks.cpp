// Walks that can never be gone: found by walking them on the board with every condition true and every
// cell as it likes to be.
#include <fmt/format.h>

#include <algorithm>

#include "check/lints.h"
#include "check/lower.h"

namespace arbiter::check {

namespace {

using rules::StepDirection;

// Cells and headings in which a walker may be; heading -1: none yet.
using Places = std::set<std::pair<int, int>>;

class Walker {
 public:
  Walker(const rules::Rules& rules, const board::Board& board) : rules_(rules), board_(board) {}

  Places Run(WalkNodeId root, const Places& from, int player) {
    player_ = player;
    return Run(root, from);
  }

  // `ahead` or `turn` reached in some run, but in none with a heading.
  std::set<int> WithoutHeading() const {
    std::set<int> without;
    std::set_difference(met_.begin(), met_.end(), headed_.begin(), headed_.end(),
                        std::inserter(without, without.begin()));
    return without;
  }

 private:
  Places Run(WalkNodeId id, const Places& from) {
    const rules::WalkNode& node = rules_.walk_nodes[id];
    Places to;
    switch (node.op) {
      case WalkOp::kStep:
      case WalkOp::kFace:
        for (const auto& [cell, heading] : from) {
          for (int label : Labels(node, cell)) {
            int next = node.op == WalkOp::kFace ? cell : board_.Next(label, cell);
            if (next >= 0) to.emplace(next, label);
          }
        }
        break;
      case WalkOp::kAhead:
        for (const auto& [cell, heading] : from) {
          if (heading < 0) continue;
          headed_.insert(id.value);
          if (int next = board_.Next(heading, cell); next >= 0) to.emplace(next, heading);
        }
        if (!from.empty()) met_.insert(id.value);
        break;
      case WalkOp::kTurn:
        for (const auto& [cell, heading] : from) {
          int turned = heading < 0 ? -1 : board_.Rotate(heading, node.min);
          if (turned >= 0) to.emplace(cell, turned);
          if (heading >= 0) headed_.insert(id.value);
        }
        if (!from.empty()) met_.insert(id.value);
        break;
      case WalkOp::kDeflect:
        for (const auto& [cell, heading] : from) {
          int turned = heading < 0 || heading >= board_.label_count() ? -1 : board_.Deflect(cell, heading);
          if (turned >= 0) to.emplace(cell, turned);
        }
        break;
      case WalkOp::kGuard:
        to = from;
        break;
      case WalkOp::kThen:
        to = from;
        for (WalkNodeId child : node.children) to = Run(child, to);
        break;
      case WalkOp::kWays:
        for (WalkNodeId child : node.children) to.merge(Run(child, from));
        break;
      case WalkOp::kOver:
        to = Run(node.children[0], from);
        break;
      case WalkOp::kRepeat: {
        Places now = from;
        for (int i = 0; i < node.min && !now.empty(); ++i) now = Run(node.children[0], now);
        to = now;
        for (int i = node.min; node.max < 0 || i < node.max; ++i) {
          now = Run(node.children[0], now);
          std::size_t before = to.size();
          to.insert(now.begin(), now.end());
          if (to.size() == before) break;
        }
        break;
      }
    }
    return to;
  }

  std::vector<int> Labels(const rules::WalkNode& node, int cell) const {
    std::vector<int> labels;
    for (const StepDirection& d : node.directions) {
      if (d.kind == StepDirection::Kind::kLabel) {
        labels.push_back(d.label);
      } else if (d.kind == StepDirection::Kind::kRelative) {
        if (int label = board_.Way(d.relative, player_, cell); label >= 0) labels.push_back(label);
      } else {
        for (int label = 0; label < board_.direction_count(); ++label) labels.push_back(label);
      }
    }
    return labels;
  }

  const rules::Rules& rules_;
  const board::Board& board_;
  int player_ = 0;
  std::set<int> met_, headed_;
};

void Visit(const rules::Rules& rules, WalkNodeId id, std::set<int>& seen, std::vector<WalkNodeId>& out) {
  if (!seen.insert(id.value).second) return;
  out.push_back(id);
  for (WalkNodeId child : rules.walk_nodes[id].children) Visit(rules, child, seen, out);
}

}  // namespace

void LintWalks(Context& c) {
  const rules::Rules& rules = c.rules;
  const board::Board& board = c.board();
  std::set<int> used;  // walks that a statement, an attack or an attribute names
  for (const rules::Attack& attack : rules.attacks) {
    if (attack.walk.valid()) used.insert(attack.walk.value);
  }
  for (const rules::Expr& expr : rules.exprs) {
    if (expr.op == Op::kConst && expr.type.base == Base::kWalk && expr.value != kNone) used.insert(expr.value);
  }
  for (WalkId walk : LowererOf(c).walk_domain) used.insert(walk.value);
  std::set<int> reported;
  for (int w : used) {
    const rules::Walk& walk = rules.walks[WalkId(w)];
    if (!walk.root.valid()) continue;
    bool leaves = false;
    Walker walker(rules, board);
    for (int player = 0; player < std::max(1, rules.player_count()); ++player) {
      for (int cell = 0; cell < board.board_size() && !(leaves && walker.WithoutHeading().empty()); ++cell) {
        Places ends = walker.Run(walk.root, {{cell, -1}}, player);
        leaves = leaves || walk.may_stay ||
                 std::any_of(ends.begin(), ends.end(), [&](const auto& end) { return end.first != cell; });
      }
    }
    std::set<int> headless = walker.WithoutHeading();
    std::vector<WalkNodeId> nodes;
    std::set<int> seen;
    Visit(rules, walk.root, seen, nodes);
    bool told = false;
    for (WalkNodeId id : nodes) {
      const rules::WalkNode& node = rules.walk_nodes[id];
      if (headless.contains(id.value) && reported.insert(id.value).second) {
        c.Warning(
             Code::kWalkHeading, node.span,
             node.op == WalkOp::kAhead ? "`ahead` comes before any direction" : "a turn comes before any direction")
            .help.push_back("a step or `face DIRECTION` before it sets the heading");
        told = true;
      }
      bool steps = node.op == WalkOp::kStep || node.op == WalkOp::kFace;
      if (steps && !node.directions.empty()) {
        bool somewhere = false;
        for (const StepDirection& d : node.directions) {
          for (int cell = 0; cell < board.board_size() && !somewhere; ++cell) {
            if (d.kind == StepDirection::Kind::kLabel) {
              somewhere = board.Next(d.label, cell) >= 0;
            } else if (d.kind == StepDirection::Kind::kExpr) {
              somewhere = true;
            } else {
              for (int p = 0; p < rules.player_count(); ++p)
                somewhere = somewhere || board.Way(d.relative, p, cell) >= 0;
            }
          }
        }
        if (!somewhere) {
          told = true;
          if (!reported.insert(id.value).second) continue;
          Diagnostic& d = c.Warning(Code::kWalkDirection, node.span, "no cell of this board has this direction");
          if (node.directions[0].kind == StepDirection::Kind::kRelative) {
            d.help.push_back("players have a facing (`players White facing n`), or rings give one (`facing along …`)");
          }
        }
      }
      if (node.op == WalkOp::kDeflect) {
        bool somewhere = false;
        for (int cell = 0; cell < board.board_size() && !somewhere; ++cell) {
          for (int d = 0; d < board.direction_count() && !somewhere; ++d) somewhere = board.Deflect(cell, d) >= 0;
        }
        if (!somewhere && reported.insert(id.value).second) {
          c.Warning(Code::kWalkDeflect, node.span, "this board deflects nowhere")
              .help.push_back("the board says where: `deflect at a1 w -> n`, `deflect diagonals at edges`");
        }
      }
    }
    if (!leaves && !told && walk.span.valid()) {
      c.Warning(Code::kWalkNever, walk.span, "this walk cannot leave any cell");
    }
  }
}

}  // namespace arbiter::check
