#include "render/graphs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "render/view.h"

namespace arbiter::render {

using board::Board;
using rules::ActionId;
using rules::ExprId;
using rules::OfferId;
using rules::Rules;
using rules::TurnStateId;
using rules::WalkId;
using rules::WalkNode;
using rules::WalkNodeId;
using rules::WalkOp;

namespace {

// Drawings beyond these sizes help nobody; the text says that it stopped.
constexpr std::size_t kMostPositions = 100;
constexpr int kMostEdges = 4000;

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Shown(const Rules& rules, const ExprText& text, ExprId id) {
  if (!id.valid()) return "";
  return text ? text(id) : rules::DumpExpr(rules, id);
}

// ---- labels of steps ---------------------------------------------------------------------------

// A name for a whole set of labels, where it has one.
std::string SetName(const Board& board, const board::LabelSet& set) {
  board::LabelSet straight;
  board::LabelSet diagonal;
  for (int d = 0; d < board.direction_count(); ++d) (board.is_diagonal(d) ? diagonal : straight).set(At(d));
  if (set.count() > 1 && set == straight) return "orthogonal";
  if (set.count() > 1 && set == diagonal) return "diagonal";
  if (set.count() > 2 && set == (straight | diagonal)) return "all";
  if (board.shape() != board::Shape::kSquares || set.count() < 4) return "";
  // All symmetric forms of one leap: the set is closed under right angles and mirrors of one member.
  int x = 0;
  int y = 0;
  for (int l = board.direction_count(); l < board.label_count() && x == 0 && y == 0; ++l) {
    if (!set.test(At(l))) continue;
    const std::string& name = board.label_name(l);  // "(1,2)"
    x = std::abs(std::atoi(name.c_str() + 1));
    y = std::abs(std::atoi(name.c_str() + name.find(',') + 1));
  }
  board::LabelSet forms;
  for (const auto& [a, b] : {std::pair(x, y), std::pair(y, x)}) {
    for (const int sign_a : {1, -1}) {
      for (const int sign_b : {1, -1}) {
        const int label = board.FindVector(sign_a * a, sign_b * b);
        if (label < 0) return "";
        forms.set(At(label));
      }
    }
  }
  return forms == set ? "leap(" + std::to_string(std::min(x, y)) + "," + std::to_string(std::max(x, y)) + ")" : "";
}

std::string DirectionsText(const Rules& rules, const std::vector<rules::StepDirection>& directions,
                           const ExprText& text) {
  board::LabelSet labels;
  std::string names;
  for (const rules::StepDirection& direction : directions) {
    if (direction.kind == rules::StepDirection::Kind::kLabel && direction.label >= 0) {
      labels.set(At(direction.label));
      continue;
    }
    names += names.empty() ? "" : " ";
    names += direction.kind == rules::StepDirection::Kind::kRelative ? std::string(RelativeText(direction.relative))
                                                                     : Shown(rules, text, direction.expr);
  }
  std::string set = SetName(rules.board, labels);
  for (int l = 0; set.empty() && l < rules.board.label_count(); ++l) {
    if (labels.test(At(l))) names += (names.empty() ? "" : " ") + rules.board.label_name(l);
  }
  return set.empty() || names.empty() ? set + names : set + " " + names;
}

std::string TurnName(const Board& board, int parts) {
  const int full = board.full_turn();
  parts = ((parts % full) + full) % full;
  const std::map<int, const char*> names = {
      {1, "half_right"}, {2, "right"}, {full / 2, "back"}, {full - 2, "left"}, {full - 1, "half_left"}};
  const auto found = names.find(parts);
  return "turn " + (found == names.end() ? std::to_string(parts) + "/" + std::to_string(full) : found->second);
}

// ---- the automaton of a walk -------------------------------------------------------------------

// Glushkov's construction: a position per step, guard or turn as often as it is written out; position
// b follows a if it may come next. State 0 is the beginning.
class WalkAutomaton {
 public:
  WalkAutomaton(const Rules& rules, const ExprText& text) : rules_(rules), text_(text) { NewPosition(""); }

  void Build(WalkNodeId root) {
    const Fragment all = Node(root, "");
    follow_[0] = all.first;
    accepting_.assign(labels_.size(), false);
    accepting_[0] = all.nullable;
    for (const int position : all.last) accepting_[At(position)] = true;
  }

  [[nodiscard]] bool complete() const { return complete_; }

  // Nodes and edges; states with the same continuations are one.
  [[nodiscard]] std::string Text() const {
    const std::vector<int> part = Merged();
    std::map<int, int> number;
    std::vector<int> queue = {0};
    number[part[0]] = 0;
    std::map<std::pair<int, int>, std::set<std::string>> edges;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const int to : follow_[At(queue[i])]) {
        const auto [found, fresh] = number.emplace(part[At(to)], static_cast<int>(number.size()));
        if (fresh) queue.push_back(to);
        edges[{number[part[At(queue[i])]], found->second}].insert(labels_[At(to)]);
      }
    }
    std::string out;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::string n = std::to_string(i);
      out += "  s" + n + " [label=" + n + (accepting_[At(queue[i])] ? " shape=doublecircle" : "") + "];\n";
    }
    for (const auto& [ends, labels] : edges) {
      std::string label;
      for (const std::string& one : labels) label += (label.empty() ? "" : "\n") + one;
      out += "  s" + std::to_string(ends.first) + " -> s" + std::to_string(ends.second) + " [label=" + Quoted(label) +
             "];\n";
    }
    return out;
  }

 private:
  struct Fragment {
    bool nullable = true;
    std::set<int> first, last;
  };

  int NewPosition(const std::string& label) {
    labels_.push_back(label);
    follow_.emplace_back();
    return static_cast<int>(labels_.size()) - 1;
  }

  Fragment Atom(const std::string& label) {
    const int position = NewPosition(label);
    return {false, {position}, {position}};
  }

  Fragment Then(Fragment a, const Fragment& b) {
    for (const int end : a.last) follow_[At(end)].insert(b.first.begin(), b.first.end());
    if (a.nullable) a.first.insert(b.first.begin(), b.first.end());
    if (b.nullable) {
      a.last.insert(b.last.begin(), b.last.end());
    } else {
      a.last = b.last;
    }
    a.nullable = a.nullable && b.nullable;
    return a;
  }

  Fragment Node(WalkNodeId id, const std::string& over) {
    if (!id.valid() || labels_.size() > kMostPositions) {
      complete_ = complete_ && id.valid();
      return {};
    }
    const WalkNode& node = rules_.walk_nodes[id];
    switch (node.op) {
      case WalkOp::kStep:
        return Atom(DirectionsText(rules_, node.directions, text_) + over);
      case WalkOp::kAhead:
        return Atom("ahead" + over);
      case WalkOp::kFace:
        return Atom("face " + DirectionsText(rules_, node.directions, text_));
      case WalkOp::kTurn:
        return Atom(TurnName(rules_.board, node.min));
      case WalkOp::kDeflect:
        return Atom("deflect");
      case WalkOp::kGuard:
        return Atom("if " + Shown(rules_, text_, node.expr));
      case WalkOp::kOver:
        return node.children.empty() ? Fragment{} : Node(node.children[0], "\nover " + Shown(rules_, text_, node.expr));
      case WalkOp::kThen: {
        Fragment all;
        for (const WalkNodeId child : node.children) all = Then(all, Node(child, over));
        return all;
      }
      case WalkOp::kWays: {
        Fragment all;
        all.nullable = false;
        for (const WalkNodeId child : node.children) {
          const Fragment one = Node(child, over);
          all.nullable |= one.nullable;
          all.first.insert(one.first.begin(), one.first.end());
          all.last.insert(one.last.begin(), one.last.end());
        }
        return all;
      }
      case WalkOp::kRepeat:
        return Repeat(node, over);
    }
    return {};
  }

  Fragment Repeat(const WalkNode& node, const std::string& over) {
    Fragment all;
    if (node.children.empty()) return all;
    const int rounds = node.max < 0 ? std::max(node.min, 1) : node.max;
    for (int i = 0; i < rounds; ++i) {
      if (labels_.size() > kMostPositions) {
        complete_ = false;
        break;
      }
      const std::size_t before = labels_.size();
      Fragment one = Node(node.children[0], over);
      if (labels_.size() == before) break;  // nothing to repeat
      if (node.max < 0 && i == rounds - 1) {
        for (const int end : one.last) follow_[At(end)].insert(one.first.begin(), one.first.end());
      }
      one.nullable |= i >= node.min;
      all = Then(std::move(all), one);
    }
    return all;
  }

  // Refines "may end here" until states of one part have the same labelled continuations.
  [[nodiscard]] std::vector<int> Merged() const {
    std::vector<int> part(labels_.size());
    std::vector<int> label(labels_.size());
    std::map<std::string, int> numbers;
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = accepting_[i] ? 1 : 0;
      label[i] = numbers.emplace(labels_[i], static_cast<int>(numbers.size())).first->second;
    }
    for (std::size_t count = 0;;) {
      using Signature = std::pair<int, std::set<std::pair<int, int>>>;
      std::map<Signature, int> parts;
      std::vector<int> next(part.size());
      for (std::size_t i = 0; i < part.size(); ++i) {
        Signature signature{part[i], {}};
        for (const int to : follow_[i]) signature.second.emplace(label[At(to)], part[At(to)]);
        next[i] = parts.emplace(std::move(signature), static_cast<int>(parts.size())).first->second;
      }
      part = std::move(next);
      if (parts.size() == count) return part;
      count = parts.size();
    }
  }

  const Rules& rules_;
  const ExprText& text_;
  std::vector<std::string> labels_;
  std::vector<std::set<int>> follow_;
  std::vector<bool> accepting_;
  bool complete_ = true;
};

}  // namespace

std::string WalkGraph(const Rules& rules, WalkId walk, const ExprText& text) {
  const rules::Walk& w = rules.walks[walk];
  WalkAutomaton automaton(rules, text);
  automaton.Build(w.root);
  std::string caption = w.name.empty() ? "walk " + std::to_string(walk.value) : w.name;
  if (w.may_stay) caption += " (may stay)";
  if (!automaton.complete()) caption += " (cut: more than " + std::to_string(kMostPositions) + " places)";
  return "digraph walk {\n  rankdir=LR;\n  label=" + Quoted(caption) +
         ";\n  node [shape=circle];\n  from [shape=point];\n  from -> s0;\n" + automaton.Text() + "}\n";
}

// ---- turns -------------------------------------------------------------------------------------

namespace {

// Where effects go to: constant phases, and expressions.
struct Targets {
  std::set<int> phases;
  std::set<ExprId> others;
};

class TurnDrawing {
 public:
  TurnDrawing(const Rules& rules, const ExprText& text) : rules_(rules), text_(text) {}

  std::string Text() {
    std::string out = "digraph turns {\n  rankdir=LR;\n  compound=true;\n  node [shape=box style=rounded];\n";
    for (std::size_t p = 0; p < rules_.phases.size(); ++p) out += PhaseText(static_cast<int>(p));
    out += outside_;
    if (edges_ > kMostEdges) out += "  cut [label=\"cut: more edges than can be drawn\"];\n";
    return out + "}\n";
  }

 private:
  std::string PhaseText(int index) {
    const rules::Phase& phase = rules_.phases[At(index)];
    prefix_ = "p" + std::to_string(index);
    body_.clear();
    queue_.clear();
    known_.clear();
    played_.clear();
    const std::string name = phase.name.empty() ? "turn" : phase.name;
    std::string caption = rules_.phases.size() > 1 ? "phase " + name : name;
    if (phase.player.valid()) caption += "\nplayer " + Shown(rules_, text_, phase.player);
    body_ += "    " + End() + " [label=\"end of turn\" shape=doublecircle style=solid fontsize=9];\n";
    if (phase.turn.valid()) State(phase.turn);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const rules::TurnState& state = rules_.turn_states[queue_[i]];
      const std::string label = i == 0 ? name : state.name.empty() ? "then" : state.name;
      body_ +=
          "    " + State(queue_[i]) + " [label=" + Quoted(label + (state.in_longest ? "\n(longest)" : "")) + "];\n";
      Emit(State(queue_[i]), state.offer, "", 0);
    }
    Gotos(index);
    return "  subgraph cluster_" + prefix_ + " {\n    label=" + Quoted(caption) + ";\n" + body_ + "  }\n";
  }

  [[nodiscard]] std::string End() const { return prefix_ + "_end"; }

  std::string State(TurnStateId id) {
    if (known_.insert(id).second) queue_.push_back(id);
    return prefix_ + "_s" + std::to_string(id.value);
  }

  void Edge(const std::string& from, const std::string& to, const std::string& label) {
    if (++edges_ > kMostEdges) return;
    body_ += "    " + from + " -> " + to + (label.empty() ? "" : " [label=" + Quoted(label) + "]") + ";\n";
  }

  std::string Helper(const std::string& attributes) {
    const std::string name = prefix_ + "_h" + std::to_string(helpers_++);
    body_ += "    " + name + " [" + attributes + "];\n";
    return name;
  }

  void Emit(const std::string& from, OfferId id, const std::string& label, int depth) {
    if (!id.valid() || edges_ > kMostEdges || depth > 1000) return;
    const rules::Offer& offer = rules_.offers[id];
    using Kind = rules::Offer::Kind;
    switch (offer.kind) {
      case Kind::kAccept:
        Edge(from, End(), label);
        return;
      case Kind::kPlay: {
        std::string names = label;
        std::set<int> shown;
        for (const ActionId action : offer.actions) {
          played_.insert(action);
          const int name = rules_.actions[action].name;
          if (!shown.insert(name).second) continue;
          names += names.empty() ? "" : shown.size() == 1 ? " " : ", ";
          names += ActionName(name);
        }
        if (offer.by == rules::Offer::By::kSame) names += " by same";
        if (offer.by == rules::Offer::By::kOther) names += " by other";
        if (offer.next.valid()) Edge(from, State(offer.next), names);
        return;
      }
      case Kind::kOr:
        for (const OfferId part : offer.parts) Emit(from, part, label, depth + 1);
        return;
      case Kind::kElse: {
        const std::string box = Helper("label=\"else\" shape=box style=solid fontsize=9");
        Edge(from, box, label);
        for (std::size_t i = 0; i < offer.parts.size(); ++i) {
          Emit(box, offer.parts[i], std::to_string(i + 1) + ".", depth + 1);
        }
        return;
      }
      case Kind::kIf: {
        const std::string diamond =
            Helper("label=" + Quoted(Shown(rules_, text_, offer.condition)) + " shape=diamond style=solid fontsize=9");
        Edge(from, diamond, label);
        if (!offer.parts.empty()) Emit(diamond, offer.parts[0], "yes:", depth + 1);
        if (offer.parts.size() > 1) Emit(diamond, offer.parts[1], "no:", depth + 1);
        return;
      }
      case Kind::kLongest: {
        const std::string box = Helper("label=\"longest\" shape=box style=solid fontsize=9");
        Edge(from, box, label);
        for (const OfferId part : offer.parts) Emit(box, part, "", depth + 1);
        return;
      }
    }
  }

  // ---- phases that follow ----

  void Collect(const rules::Block& block, Targets* targets) const {
    for (const rules::Effect& effect : block) {
      if (effect.op == rules::EffectOp::kGoto && effect.a.valid()) {
        const rules::Expr& target = rules_.exprs[effect.a];
        if (target.op == rules::Op::kConst) {
          targets->phases.insert(target.value);
        } else {
          targets->others.insert(effect.a);
        }
      }
      Collect(effect.body, targets);
      Collect(effect.otherwise, targets);
    }
  }

  void Collect(const std::vector<rules::Step>& steps, Targets* targets, std::set<ActionId>* seen) const {
    for (const rules::Step& step : steps) {
      Collect(step.effects, targets);
      Collect(step.body, targets, seen);
      Collect(step.otherwise, targets, seen);
      for (const ActionId called : step.actions) {
        if (seen->insert(called).second) Collect(rules_.actions[called].steps, targets, seen);
      }
    }
  }

  void Gotos(int index) {
    std::map<std::string, Targets> by_cause;
    for (const ActionId action : played_) {
      std::set<ActionId> seen = {action};
      Targets targets;
      Collect(rules_.actions[action].steps, &targets, &seen);
      Targets& all = by_cause[ActionName(rules_.actions[action].name)];
      all.phases.merge(targets.phases);
      all.others.merge(targets.others);
    }
    Collect(rules_.phases[At(index)].after, &by_cause["after"]);
    for (const rules::Handler& handler : rules_.handlers) {
      if (handler.phases != 0 && (handler.phases >> index & 1) == 0) continue;
      Collect(handler.block, &by_cause[EventText(handler.event)]);
    }
    for (const auto& [cause, targets] : by_cause) {
      for (const int phase : targets.phases) {
        if (phase < 0 || At(phase) >= rules_.phases.size() || !rules_.phases[At(phase)].turn.valid()) continue;
        Dashed("p" + std::to_string(phase) + "_s" + std::to_string(rules_.phases[At(phase)].turn.value), cause);
      }
      for (const ExprId other : targets.others) {
        const std::string name = prefix_ + "_g" + std::to_string(helpers_++);
        outside_ += "  " + name + " [label=" + Quoted(Shown(rules_, text_, other)) + " shape=plaintext];\n";
        Dashed(name, cause);
      }
    }
  }

  [[nodiscard]] std::string ActionName(int name) const {
    return name >= 0 && At(name) < rules_.action_names.size() ? rules_.action_names[At(name)] : "?";
  }

  void Dashed(const std::string& to, const std::string& cause) {
    if (++edges_ > kMostEdges) return;
    outside_ += "  " + End() + " -> " + to + " [style=dashed label=" + Quoted(cause) + "];\n";
  }

  static std::string EventText(const rules::Event& event) {
    static constexpr const char* kNames[] = {"turn begins", "turn ends", "after action", "lands",    "enters",
                                             "leaves",      "crosses",   "moves",        "is moved", "is captured"};
    return std::string("when ") + kNames[static_cast<std::size_t>(event.op)];
  }

  const Rules& rules_;
  const ExprText& text_;
  std::string prefix_, body_, outside_;
  std::vector<TurnStateId> queue_;
  std::set<TurnStateId> known_;
  std::set<ActionId> played_;
  int helpers_ = 0, edges_ = 0;
};

}  // namespace

std::string TurnGraph(const Rules& rules, const ExprText& text) { return TurnDrawing(rules, text).Text(); }

}  // namespace arbiter::render
