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

constexpr int64_t kBudget = 300'000;  // places tried for one walk

class Walker {
 public:
  Walker(const rules::Rules& rules, const board::Board& board) : rules_(rules), board_(board) {}

  Places Run(WalkNodeId root, const Places& from, int player) {
    player_ = player;
    return Run(root, from);
  }

  // True if the walk is too large to be tried everywhere: then nothing is said about it.
  bool exhausted() const { return spent_ > kBudget; }

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
    if (spent_ > kBudget) return to;
    spent_ += static_cast<int64_t>(from.size() * std::max<std::size_t>(1, node.directions.size()));
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
        for (int i = node.min; (node.max < 0 || i < node.max) && !now.empty(); ++i) {
          Places fresh;  // only what is new can lead to something new
          for (const auto& place : Run(node.children[0], now)) {
            if (to.insert(place).second) fresh.insert(place);
          }
          now = std::move(fresh);
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
  int64_t spent_ = 0;
  std::set<int> met_, headed_;
};

void Visit(const rules::Rules& rules, WalkNodeId id, std::set<int>& seen, std::vector<WalkNodeId>& out) {
  if (!seen.insert(id.value).second) return;
  out.push_back(id);
  for (WalkNodeId child : rules.walk_nodes[id].children) Visit(rules, child, seen, out);
}

// What is wrong with the parts of one walk. Nodes are shared between walks, so a part may have been
// written elsewhere: then the walk is marked.
class PartLint {
 public:
  PartLint(Context& c, const rules::Walk& walk) : c_(c), rules_(c.rules), board_(c.board()), walk_(walk) {}

  // True if something was said.
  bool Run(const std::set<int>& headless) {
    std::vector<WalkNodeId> nodes;
    std::set<int> seen;
    Visit(rules_, walk_.root, seen, nodes);
    for (WalkNodeId id : nodes) {
      const rules::WalkNode& node = rules_.walk_nodes[id];
      if (headless.contains(id.value)) {
        std::string_view what = node.op == WalkOp::kAhead ? "`ahead`" : "a turn";
        Warn(Code::kWalkHeading, node, fmt::format("{} comes before any direction", what))
            .help.push_back("a step or `face DIRECTION` before it sets the heading");
      }
      bool steps = node.op == WalkOp::kStep || node.op == WalkOp::kFace;
      if (steps && !node.directions.empty() && !SomewhereSteps(node)) {
        const StepDirection& first = node.directions[0];
        bool leap = first.kind == StepDirection::Kind::kLabel && board_.is_vector(first.label);
        Diagnostic& d = leap ? Warn(Code::kWalkLeap, node, "no cell of this board has a cell so far away")
                             : Warn(Code::kWalkDirection, node, "no cell of this board has this direction");
        if (leap) {
          d.help.push_back(fmt::format("the board has {} files and {} ranks", board_.width(), board_.height()));
        } else if (first.kind == StepDirection::Kind::kRelative) {
          d.help.push_back("players have a facing (`players White facing n`), or rings give one (`facing along …`)");
        } else {
          d.help.push_back("take a direction in which some cell has a neighbour");
        }
      }
      if (node.op == WalkOp::kDeflect && !SomewhereDeflects()) {
        Warn(Code::kWalkDeflect, node, "this board deflects nowhere")
            .help.push_back("the board says where: `deflect at a1 w -> n`, `deflect diagonals at edges`");
      }
    }
    return told_;
  }

 private:
  Diagnostic& Warn(Code code, const rules::WalkNode& node, std::string message) {
    told_ = true;
    const Span& whole = walk_.span;
    bool inside = node.span.file == whole.file && node.span.begin >= whole.begin && node.span.end <= whole.end;
    Diagnostic& d = c_.Warning(code, inside ? node.span : whole, std::move(message));
    // Equal parts are shared: the span may be of another walk of the file, but the library's own says where.
    bool library = node.span.valid() && c_.sources.path(node.span.file).starts_with("stdlib/");
    if (!inside && library) d.path.push_back({node.span, "here"});
    return d;
  }

  bool SomewhereSteps(const rules::WalkNode& node) const {
    for (const StepDirection& d : node.directions) {
      if (d.kind == StepDirection::Kind::kExpr) return true;
      for (int cell = 0; cell < board_.board_size(); ++cell) {
        if (d.kind == StepDirection::Kind::kLabel) {
          if (board_.Next(d.label, cell) >= 0) return true;
          continue;
        }
        for (int p = 0; p < rules_.player_count(); ++p) {
          if (board_.Way(d.relative, p, cell) >= 0) return true;
        }
      }
    }
    return false;
  }

  bool SomewhereDeflects() const {
    for (int cell = 0; cell < board_.board_size(); ++cell) {
      for (int d = 0; d < board_.direction_count(); ++d) {
        if (board_.Deflect(cell, d) >= 0) return true;
      }
    }
    return false;
  }

  Context& c_;
  const rules::Rules& rules_;
  const board::Board& board_;
  const rules::Walk& walk_;
  bool told_ = false;
};

// Walks that a statement, an attack or an attribute names.
std::set<int> UsedWalks(Context& c) {
  std::set<int> used;
  for (const rules::Attack& attack : c.rules.attacks) {
    if (attack.walk.valid()) used.insert(attack.walk.value);
  }
  for (const rules::Expr& expr : c.rules.exprs) {
    if (expr.op == Op::kConst && expr.type.base == Base::kWalk && expr.value != kNone) used.insert(expr.value);
  }
  for (WalkId walk : LowererOf(c).walk_domain) used.insert(walk.value);
  return used;
}

}  // namespace

void LintWalks(Context& c) {
  const board::Board& board = c.board();
  for (int id : UsedWalks(c)) {
    const rules::Walk& walk = c.rules.walks[WalkId(id)];
    if (!walk.root.valid()) continue;
    bool leaves = false;
    Walker walker(c.rules, board);
    for (int player = 0; player < std::max(1, c.rules.player_count()); ++player) {
      for (int cell = 0; cell < board.board_size() && !walker.exhausted(); ++cell) {
        if (leaves && walker.WithoutHeading().empty()) break;
        Places ends = walker.Run(walk.root, {{cell, -1}}, player);
        leaves = leaves || walk.may_stay ||
                 std::any_of(ends.begin(), ends.end(), [&](const auto& end) { return end.first != cell; });
      }
    }
    if (walker.exhausted()) continue;
    bool told = PartLint(c, walk).Run(walker.WithoutHeading());
    if (!leaves && !told && walk.span.valid()) {
      c.Warning(Code::kWalkNever, walk.span, "this walk cannot leave any cell")
          .help.push_back("count its steps against the board");
    }
  }
}

}  // namespace arbiter::check
