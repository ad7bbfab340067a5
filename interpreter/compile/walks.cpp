// Walks: patterns -> automata -> what their ends depend on -> tables.
#include <algorithm>
#include <utility>

#include "compile/builder.h"
#include "compile/fold.h"

namespace arbiter::compile {
namespace {

using program::NfaNode;
using program::NfaOp;
using rules::WalkNodeId;
using rules::WalkOp;

constexpr int kNoTest = -2;          // `over` of a configuration that was not entered by a step
constexpr int kMostDirections = 24;  // of a board, for walks to have tables for each
constexpr int kMaxWays = 6000;       // configurations followed from one origin before tables are given up
constexpr int kMaxNodes = 100000;    // of one automaton

// ---- pattern -> automaton -----------------------------------------------------------------------

// The automaton together with the expressions behind its functions.
struct Automaton {
  std::vector<NfaNode> nodes;
  std::vector<ExprId> guard, over;              // by node
  std::vector<std::vector<ExprId>> directions;  // by node
  int start = 0;
  bool relative = false;
};

class AutomatonBuilder {
 public:
  AutomatonBuilder(const Rules& rules, Automaton* out) : rules_(rules), out_(*out) {}

  void Build(WalkNodeId root) {
    const int accept = Add(NfaOp::kAccept, -1);
    out_.start = Node(root, accept, ExprId());
  }

 private:
  int Add(NfaOp op, int next) {
    NfaNode node;
    node.op = op;
    if (next >= 0) node.next.push_back(next);
    out_.nodes.push_back(std::move(node));
    out_.guard.emplace_back();
    out_.over.emplace_back();
    out_.directions.emplace_back();
    return static_cast<int>(out_.nodes.size()) - 1;
  }

  void Directions(const rules::WalkNode& from, int at) {
    NfaNode& node = out_.nodes[static_cast<std::size_t>(at)];
    for (const rules::StepDirection& d : from.directions) {
      switch (d.kind) {
        case rules::StepDirection::Kind::kLabel:
          node.labels.push_back(d.label);
          break;
        case rules::StepDirection::Kind::kRelative:
          node.relative.push_back(static_cast<int>(d.relative));
          out_.relative = true;
          break;
        case rules::StepDirection::Kind::kExpr:
          out_.directions[static_cast<std::size_t>(at)].push_back(d.expr);
          break;
      }
    }
  }

  // Gives the entry of the part that goes on at `next`.
  int Node(WalkNodeId id, int next, ExprId over) {
    if (out_.nodes.size() > kMaxNodes) return next;
    const rules::WalkNode& n = rules_.walk_nodes[id];
    switch (n.op) {
      case WalkOp::kStep:
      case WalkOp::kFace: {
        const int at = Add(n.op == WalkOp::kStep ? NfaOp::kStep : NfaOp::kFace, next);
        Directions(n, at);
        out_.over[static_cast<std::size_t>(at)] = over;
        return at;
      }
      case WalkOp::kAhead: {
        const int at = Add(NfaOp::kAhead, next);
        out_.over[static_cast<std::size_t>(at)] = over;
        return at;
      }
      case WalkOp::kTurn: {
        const int at = Add(NfaOp::kTurn, next);
        out_.nodes[static_cast<std::size_t>(at)].turn = n.min;
        return at;
      }
      case WalkOp::kDeflect:
        return Add(NfaOp::kDeflect, next);
      case WalkOp::kGuard: {
        const int at = Add(NfaOp::kGuard, next);
        out_.guard[static_cast<std::size_t>(at)] = n.expr;
        return at;
      }
      case WalkOp::kThen: {
        int at = next;
        for (auto c = n.children.rbegin(); c != n.children.rend(); ++c) at = Node(*c, at, over);
        return at;
      }
      case WalkOp::kWays: {
        std::vector<int> entries;
        for (const WalkNodeId c : n.children) entries.push_back(Node(c, next, over));
        const int at = Add(NfaOp::kSplit, -1);
        out_.nodes[static_cast<std::size_t>(at)].next = std::move(entries);
        return at;
      }
      case WalkOp::kRepeat:
        return Repeat(n, next, over);
      case WalkOp::kOver:
        return Node(n.children[0], next, n.expr);
    }
    return next;
  }

  int Repeat(const rules::WalkNode& n, int next, ExprId over) {
    int at = next;
    const int loop = loops_++;
    if (n.max < 0) {
      at = Add(NfaOp::kSplit, next);
      out_.nodes[static_cast<std::size_t>(at)].loop = loop;
      const int body = Node(n.children[0], at, over);
      out_.nodes[static_cast<std::size_t>(at)].next.push_back(body);
    } else {
      for (int i = n.min; i < n.max && out_.nodes.size() <= kMaxNodes; ++i) {
        const int body = Node(n.children[0], at, over);
        at = Add(NfaOp::kSplit, next);
        out_.nodes[static_cast<std::size_t>(at)].loop = loop;
        out_.nodes[static_cast<std::size_t>(at)].next.push_back(body);
      }
    }
    for (int i = 0; i < n.min && out_.nodes.size() <= kMaxNodes; ++i) at = Node(n.children[0], at, over);
    return at;
  }

  const Rules& rules_;
  Automaton& out_;
  int loops_ = 0;
};

// ---- automaton -> relation ----------------------------------------------------------------------

struct Config {
  int node = 0, cell = 0, heading = -1, over = kNoTest, back = -1;
};

// The paths by which configurations were reached from one origin.
class Reached {
 public:
  void Clear() {
    std::fill(first_.begin(), first_.end(), -1);
    paths_.clear();
  }
  // Adds the path unless one that is there already holds whenever it does.
  bool Add(uint64_t key, const Path& path) {
    std::size_t at = Place(key);
    for (int i = first_[at]; i >= 0; i = paths_[static_cast<std::size_t>(i)].next) {
      if (Covers(paths_[static_cast<std::size_t>(i)].path, path)) return false;
    }
    if (paths_.size() * 2 >= first_.size()) {
      Grow();
      at = Place(key);
    }
    paths_.push_back({key, path, first_[at]});
    first_[at] = static_cast<int>(paths_.size()) - 1;
    return true;
  }
  static bool Covers(const Path& a, const Path& b) {  // whenever b holds, a does
    return (a.empty & ~b.empty).none() && (a.occupied & ~b.occupied).none();
  }

 private:
  struct Known {
    uint64_t key;
    Path path;
    int next;  // of the same key, or -1
  };
  // Where the key stands or may be put: a table with open addresses, never more than half full.
  [[nodiscard]] std::size_t Place(uint64_t key) const {
    const std::size_t mask = first_.size() - 1;
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15) >> 32) & mask;
    while (first_[at] >= 0 && paths_[static_cast<std::size_t>(first_[at])].key != key) at = (at + 1) & mask;
    return at;
  }
  void Grow() {
    const std::vector<int> old = std::exchange(first_, std::vector<int>(first_.size() * 2, -1));
    for (const int head : old) {
      if (head >= 0) first_[Place(paths_[static_cast<std::size_t>(head)].key)] = head;
    }
  }
  std::vector<int> first_ = std::vector<int>(256, -1);  // by place: index into paths_
  std::vector<Known> paths_;
};

class Explorer {
 public:
  Explorer(const Rules& rules, const Automaton& automaton, const rules::Walk& walk, int player, WayLists* ways,
           std::vector<std::pair<int, Value>> slots)
      : rules_(rules),
        board_(rules.board),
        ways_(*ways),
        automaton_(automaton),
        walk_(walk),
        ends_(static_cast<std::size_t>(rules.board.size())) {
    known_.has_player = true;
    known_.player = player;
    known_.in_walk = true;
    known_.slots = std::move(slots);
    FindOneEntry();
  }

  // Was anything asked that could have another answer for another player?
  [[nodiscard]] bool asked() const { return asked_; }

  bool Explore(int origin, std::vector<Related>* out, std::string* why) {
    origin_ = origin;
    seen_.Clear();
    reached_.reset();
    stack_.clear();
    failed_.clear();
    stack_.push_back({Config{automaton_.start, origin, -1, kNoTest, -1}, Path{}});
    int ways = 0;
    while (!stack_.empty()) {
      const State state = stack_.back();
      stack_.pop_back();
      if (Dominated(state)) continue;
      if (++ways > kMaxWays) {
        *why = "too many ways";
        return false;
      }
      Expand(state);
      if (!failed_.empty()) {
        *why = failed_;
        return false;
      }
    }
    out->clear();
    out->reserve(reached_.count());
    for (std::size_t cell = reached_._Find_first(); cell < reached_.size(); cell = reached_._Find_next(cell)) {
      out->push_back({static_cast<int>(cell), ways_.Add(ends_[cell])});
    }
    return true;
  }

 private:
  struct State {
    Config config;
    Path path;
  };

  // A node that only one split leads to is reached with what that split was reached with: asking there is enough.
  void FindOneEntry() {
    std::vector<int> entries(automaton_.nodes.size(), 0);
    ++entries[static_cast<std::size_t>(automaton_.start)];
    for (const NfaNode& node : automaton_.nodes) {
      for (const int next : node.next) ++entries[static_cast<std::size_t>(next)];
    }
    one_entry_.assign(automaton_.nodes.size(), false);
    for (const NfaNode& node : automaton_.nodes) {
      if (node.op != NfaOp::kSplit) continue;
      for (const int next : node.next) {
        const auto at = static_cast<std::size_t>(next);
        one_entry_[at] = entries[at] == 1;
      }
    }
  }

  // Adds the path to an end unless it says nothing new; drops those it makes superfluous.
  void AddPath(int end, const Path& path) {
    const auto cell = static_cast<std::size_t>(end);
    std::vector<Path>& paths = ends_[cell];
    if (!reached_.test(cell)) paths.clear();  // of another origin
    reached_.set(cell);
    for (const Path& p : paths) {
      if (Reached::Covers(p, path)) return;
    }
    std::erase_if(paths, [&](const Path& p) { return Reached::Covers(path, p); });
    paths.push_back(path);
  }

  bool Dominated(const State& s) {
    const Config& c = s.config;
    if (one_entry_[static_cast<std::size_t>(c.node)]) return false;
    uint64_t key = static_cast<uint64_t>(c.node);
    key = (key << 9) | static_cast<uint64_t>(c.cell);
    key = (key << 8) | static_cast<uint64_t>(c.heading + 1);
    key = (key << 18) | static_cast<uint64_t>(c.over + 2);
    key = (key << 9) | static_cast<uint64_t>(c.back + 1);
    return !seen_.Add(key, s.path);
  }

  void At(const Config& c) {
    asked_ = true;
    known_.here = c.cell;
    known_.heading = c.heading < 0 ? kNone : c.heading;
    known_.back = c.back < 0 ? kNone : c.back;
    known_.origin = origin_;
  }

  // Adds to `path` what the folded condition asks of `cell`. False: it never holds.
  bool Ask(ExprId id, int cell, Path* path) {
    const Folded f = Fold(rules_, id, known_);
    switch (f.kind) {
      case Folded::Kind::kValue:
        return f.value != 0 && f.value != kNone;
      case Folded::Kind::kEmptyHere:
        path->empty.set(static_cast<std::size_t>(cell));
        break;
      case Folded::Kind::kOccupiedHere:
        path->occupied.set(static_cast<std::size_t>(cell));
        break;
      default:
        failed_ = "a test depends on more than which cells are occupied";
        return false;
    }
    return (path->empty & path->occupied).none();
  }

  bool Leave(const Config& c, Path* path) {
    if (c.over == kNoTest) return true;
    if (c.over < 0) {
      path->empty.set(static_cast<std::size_t>(c.cell));
      return (path->empty & path->occupied).none();
    }
    At(c);
    return Ask(ExprId(c.over), c.cell, path);
  }

  // The directions of a step or face where the walker stands: in `labels_`.
  bool Labels(const NfaNode& node, int index, const Config& c) {
    labels_.assign(node.labels.begin(), node.labels.end());
    asked_ = asked_ || !node.relative.empty();
    for (const int r : node.relative) {
      const int way = board_.Way(static_cast<board::Relative>(r), known_.player, c.cell);
      if (way >= 0) labels_.push_back(way);
    }
    for (const ExprId id : automaton_.directions[static_cast<std::size_t>(index)]) {
      At(c);
      const Folded f = Fold(rules_, id, known_);
      if (f.kind == Folded::Kind::kValue) {
        if (f.value != kNone) labels_.push_back(f.value);
      } else if (f.kind == Folded::Kind::kList) {
        labels_.insert(labels_.end(), f.list.begin(), f.list.end());
      } else {
        failed_ = "a direction is computed while playing";
        return false;
      }
    }
    return true;
  }

  void Step(const State& s, const NfaNode& node, int index, std::span<const int> labels) {
    Path path = s.path;
    if (!Leave(s.config, &path)) return;
    const ExprId over = automaton_.over[static_cast<std::size_t>(index)];
    for (const int label : labels) {
      const int to = board_.Next(label, s.config.cell);
      if (to < 0) continue;
      Push(Config{node.next[0], to, label, over.valid() ? over.value : -1, walk_.reads_back ? s.config.cell : -1},
           path);
    }
  }

  void Push(const Config& config, const Path& path) { stack_.push_back({config, path}); }

  void Expand(const State& s) {
    const Config& c = s.config;
    const NfaNode& node = automaton_.nodes[static_cast<std::size_t>(c.node)];
    switch (node.op) {
      case NfaOp::kAccept:
        if (c.cell != origin_ || walk_.may_stay) AddPath(c.cell, s.path);
        return;
      case NfaOp::kSplit:
        for (auto n = node.next.rbegin(); n != node.next.rend(); ++n) {
          Push(Config{*n, c.cell, c.heading, c.over, c.back}, s.path);
        }
        return;
      case NfaOp::kStep:
        if (Labels(node, c.node, c)) Step(s, node, c.node, labels_);
        return;
      case NfaOp::kAhead:
        if (c.heading >= 0) Step(s, node, c.node, std::span(&c.heading, 1));
        return;
      case NfaOp::kFace:
        if (!Labels(node, c.node, c)) return;
        for (const int label : labels_) Push(Config{node.next[0], c.cell, label, c.over, c.back}, s.path);
        return;
      case NfaOp::kTurn: {
        const int turned = c.heading < 0 ? -1 : board_.Rotate(c.heading, node.turn);
        if (turned >= 0) Push(Config{node.next[0], c.cell, turned, c.over, c.back}, s.path);
        return;
      }
      case NfaOp::kDeflect: {
        const int turned = c.heading < 0 ? -1 : board_.Deflect(c.cell, c.heading);
        if (turned >= 0) Push(Config{node.next[0], c.cell, turned, c.over, c.back}, s.path);
        return;
      }
      case NfaOp::kGuard: {
        At(c);
        Path path = s.path;
        if (Ask(automaton_.guard[static_cast<std::size_t>(c.node)], c.cell, &path)) {
          Push(Config{node.next[0], c.cell, c.heading, c.over, c.back}, path);
        }
        return;
      }
    }
  }

  const Rules& rules_;
  const board::Board& board_;
  WayLists& ways_;
  const Automaton& automaton_;
  const rules::Walk& walk_;
  Known known_;
  int origin_ = 0;
  bool asked_ = false;
  std::vector<bool> one_entry_;  // by node
  std::vector<State> stack_;
  std::vector<int> labels_;
  Reached seen_;
  CellSet reached_;                      // ends
  std::vector<std::vector<Path>> ends_;  // by cell; of those reached
  std::string failed_;
};

// `slots`: values of the frame that are known. `asked`: was anything asked that could have another answer for another
// player?
Relation Relate(Builder& b, const Automaton& automaton, const rules::Walk& walk, int player, bool* asked,
                std::vector<std::pair<int, Value>> slots = {}) {
  const Rules& rules = b.rules;
  Relation relation;
  Explorer explorer(rules, automaton, walk, player, &b.ways, std::move(slots));
  relation.at.resize(static_cast<std::size_t>(rules.board.size()));
  for (int origin = 0; origin < rules.board.board_size(); ++origin) {
    if (!explorer.Explore(origin, &relation.at[static_cast<std::size_t>(origin)], &relation.why)) {
      relation.at.clear();
      return relation;
    }
  }
  relation.known = true;
  *asked = explorer.asked();
  return relation;
}

bool Contains(const Rules& rules, ExprId id, rules::Op op) {
  if (!id.valid()) return false;
  const rules::Expr& e = rules.exprs[id];
  if (e.op == op) return true;
  return std::any_of(e.children.begin(), e.children.end(), [&](ExprId c) { return Contains(rules, c, op); });
}

bool IsChoice(rules::Op op) {
  return op == rules::Op::kChoiceHeading || op == rules::Op::kChoiceBefore || op == rules::Op::kChoiceCrossed;
}

// Slots whose choices an expression asks about.
void CollectChoices(const Rules& rules, ExprId id, std::vector<int>* choices) {
  const rules::Expr& e = rules.exprs[id];
  if (IsChoice(e.op) && std::find(choices->begin(), choices->end(), e.slot) == choices->end()) {
    choices->push_back(e.slot);
  }
  for (const ExprId c : e.children) CollectChoices(rules, c, choices);
}

void CollectSlots(const Rules& rules, ExprId id, std::vector<int>* v, std::vector<int>* s, std::vector<int>* l) {
  const rules::Expr& e = rules.exprs[id];
  if (e.op == rules::Op::kLocal) {
    auto* list = !e.type.set ? v : e.type.base == rules::Base::kCell ? s : l;
    if (std::find(list->begin(), list->end(), e.slot) == list->end()) list->push_back(e.slot);
  }
  for (const ExprId c : e.children) CollectSlots(rules, c, v, s, l);
}

int MaxSlot(const Rules& rules, ExprId id) {
  const rules::Expr& e = rules.exprs[id];
  int max = e.slot;
  for (const ExprId c : e.children) max = std::max(max, MaxSlot(rules, c));
  return max;
}

enum class Wanted : uint8_t { kValue, kList };
int WalkFunction(Builder& b, ExprId id, Wanted wanted) {
  const auto key = std::make_pair(id.value, static_cast<int>(wanted));
  const auto found = b.walk_functions.find(key);
  if (found != b.walk_functions.end()) return found->second;
  const int frame = MaxSlot(b.rules, id) + 1;
  std::vector<int> choices;
  CollectChoices(b.rules, id, &choices);
  const bool keeps = !choices.empty();
  b.program.functions.push_back(wanted == Wanted::kValue ? CompileValue(b, id, frame, keeps)
                                                         : CompileList(b, id, frame, keeps));
  const int index = static_cast<int>(b.program.functions.size()) - 1;
  b.walk_functions[key] = index;
  return index;
}

// Fills in the functions of the automaton.
void AttachFunctions(Builder& b, Automaton& automaton, program::Walk* walk) {
  const auto attach = [&](ExprId id, Wanted wanted) {
    CollectSlots(b.rules, id, &walk->frame_values, &walk->frame_cells, &walk->frame_lists);
    CollectChoices(b.rules, id, &walk->frame_choices);
    if (Contains(b.rules, id, rules::Op::kMe)) walk->reads_me = true;
    return WalkFunction(b, id, wanted);
  };
  for (std::size_t i = 0; i < automaton.nodes.size(); ++i) {
    NfaNode& node = automaton.nodes[i];
    if (automaton.guard[i].valid()) node.function = attach(automaton.guard[i], Wanted::kValue);
    if (automaton.over[i].valid() && (node.op == NfaOp::kStep || node.op == NfaOp::kAhead)) {
      node.over = attach(automaton.over[i], Wanted::kValue);
      walk->crosses_only_empty = false;
    }
    for (const ExprId d : automaton.directions[i]) {
      const bool set = b.rules.exprs[d].type.set;
      (set ? node.list_functions : node.value_functions).push_back(attach(d, set ? Wanted::kList : Wanted::kValue));
    }
  }
}

bool IsConstant(const WayLists& ways, const Relation& relation) {
  return std::all_of(relation.at.begin(), relation.at.end(), [&](const std::vector<Related>& at) {
    return std::all_of(at.begin(), at.end(), [&](const Related& r) { return ways[r.ways].relevant.none(); });
  });
}

std::size_t Weight(const std::vector<Relation>& relations) {
  std::size_t n = 0;
  for (const Relation& r : relations) {
    for (const auto& at : r.at) n += at.size();
  }
  return n;
}

// The slot of the frame from which the walk takes a direction, if it reads nothing else of the frame; else -1.
int DirectionSlot(const Builder& b, const Automaton& automaton, const program::Walk& walk) {
  if (walk.frame_values.size() != 1 || !walk.frame_cells.empty() || !walk.frame_lists.empty() ||
      !walk.frame_choices.empty() || b.rules.board.label_count() > kMostDirections) {
    return -1;
  }
  const auto is_direction = [&](const std::vector<ExprId>& ids) {
    return std::all_of(ids.begin(), ids.end(), [&](ExprId id) {
      if (!id.valid()) return true;
      const rules::Expr& e = b.rules.exprs[id];
      return e.op == rules::Op::kLocal ? e.type.base == rules::Base::kDirection
                                       : !Contains(b.rules, id, rules::Op::kLocal);
    });
  };
  const bool fits = std::all_of(automaton.directions.begin(), automaton.directions.end(), is_direction) &&
                    is_direction(automaton.guard) && is_direction(automaton.over);
  return fits ? walk.frame_values.front() : -1;
}

// Rows of one walk for every player and origin, and every direction if a slot gives it. `known`: by direction, then
// player, or one for all players.
void MakeRows(Builder& b, Tables& tables, int index, const std::vector<Relation>& known) {
  program::Walk& walk = b.program.walks[static_cast<std::size_t>(index)];
  std::vector<std::vector<program::Row>> rows;  // by relation
  bool constant = true;
  for (const Relation& relation : known) {
    if (!relation.known) {
      walk.why = relation.why;
      return;
    }
    constant = constant && IsConstant(b.ways, relation);
    auto& made = rows.emplace_back();
    for (int origin = 0; origin < b.program.cells; ++origin) {
      program::Row row;
      if (!tables.MakeRow(origin, relation.at[static_cast<std::size_t>(origin)], &row, &walk.why)) return;
      walk.groups = std::max(walk.groups, row.group_count);
      walk.bits = std::max(walk.bits, tables.last_bits());
      made.push_back(row);
    }
  }
  walk.form = constant ? program::WalkForm::kConstant : program::WalkForm::kTable;
  const std::string of_direction = walk.directions > 0 ? " and the direction" : "";
  walk.why = constant ? "the ends depend on the origin" + of_direction + " only"
                      : "the ends depend on which cells are occupied" + of_direction;
  walk.rows = static_cast<int>(b.program.rows.size());
  const auto directions = static_cast<std::size_t>(std::max(1, walk.directions));
  const std::size_t relations = rows.size() / directions;  // of one direction
  for (std::size_t d = 0; d < directions; ++d) {
    for (std::size_t player = 0; player < static_cast<std::size_t>(b.program.players); ++player) {
      const auto& made = rows[d * relations + (relations == 1 ? 0 : player)];
      b.program.rows.insert(b.program.rows.end(), made.begin(), made.end());
    }
  }
}

}  // namespace

void CompileWalks(Builder& b, Tables& tables, WalkRelations* relations) {
  const Rules& rules = b.rules;
  relations->by_walk.resize(rules.walks.size());
  std::vector<std::pair<std::size_t, int>> order;
  std::vector<std::vector<Relation>> along(rules.walks.size());  // of walks whose direction a slot gives: see MakeRows
  for (std::size_t i = 0; i < rules.walks.size(); ++i) {
    const rules::Walk& from = rules.walks[rules::WalkId(i)];
    program::Walk walk;
    walk.name = from.name.empty() ? "walk " + std::to_string(i) : from.name;
    walk.may_stay = from.may_stay;
    walk.reads_back = from.reads_back;
    walk.reads_frame = from.reads_frame;
    Automaton automaton;
    AutomatonBuilder(rules, &automaton).Build(from.root);
    AttachFunctions(b, automaton, &walk);
    walk.start = automaton.start;
    bool by_player = automaton.relative;
    for (std::size_t n = 0; n < automaton.nodes.size(); ++n) {
      Reads reads;
      for (const ExprId id : {automaton.guard[n], automaton.over[n]}) CollectReads(rules, id, &reads);
      for (const ExprId id : automaton.directions[n]) CollectReads(rules, id, &reads);
      by_player = by_player || reads.turn;
    }
    auto& known = relations->by_walk[i];
    const int players = by_player ? rules.player_count() : 1;
    bool asked = true;
    for (int p = 0; p < players; ++p) {
      known.push_back(Relate(b, automaton, from, p, &asked));
      if (p == 0 && !asked && IsConstant(b.ways, known.back())) break;  // the same for all players
    }
    if (const int slot = DirectionSlot(b, automaton, walk); slot >= 0) {
      walk.directions = rules.board.label_count();
      walk.direction_slot = slot;
      for (int d = 0; d < walk.directions; ++d) {
        for (int p = 0; p < players; ++p) along[i].push_back(Relate(b, automaton, from, p, &asked, {{slot, d}}));
      }
    }
    walk.nodes = std::move(automaton.nodes);
    b.program.walks.push_back(std::move(walk));
    const std::vector<Relation>& related = along[i].empty() ? known : along[i];
    order.emplace_back(Weight(related) * static_cast<std::size_t>(players) / known.size(), static_cast<int>(i));
  }
  // Small relations first, so that larger ones can be made of their tables.
  std::sort(order.begin(), order.end());
  for (const auto& [weight, index] : order) {
    const auto i = static_cast<std::size_t>(index);
    MakeRows(b, tables, index, along[i].empty() ? relations->by_walk[i] : along[i]);
  }
}

}  // namespace arbiter::compile
