// Walks, read off the definition: a pattern turns a set of places where a walker may stand into the
// set of places where it may stand afterwards.
#include <algorithm>
#include <set>

#include "oracle/machine.h"

namespace arbiter::oracle {
namespace {

using rules::WalkNode;
using rules::WalkNodeId;
using rules::WalkOp;

// Where a walker stands and what it remembers. Fields that this walk does not need stay at their defaults,
// so that two ways to the same standing are one.
struct Stand {
  Value cell = kNone;
  Value heading = kNone;
  Value back = kNone;
  ExprId over;        // what the cell must satisfy if it is left again; invalid: be empty
  bool fresh = true;  // still on the origin, from which the first departure is no crossing
  Set crossed;
  uint32_t barriers = 0;
  auto operator<=>(const Stand&) const = default;
};

class Matcher {
 public:
  using Stands = std::set<Stand>;

  Matcher(Machine& machine, const rules::Rules& rules, const View& v, Value origin, bool back, bool paths,
          std::function<bool()> spend)
      : m_(machine), r_(rules), v_(v), origin_(origin), back_(back), paths_(paths), spend_(std::move(spend)) {}

  void Match(WalkNodeId id, const Stand& s, ExprId over, Stands& out) {
    if (!spend_()) return;
    const WalkNode& n = r_.walk_nodes[id];
    switch (n.op) {
      case WalkOp::kStep:
        for (Value label : Labels(n, s)) Step(s, label, over, out);
        return;
      case WalkOp::kAhead:
        if (s.heading != kNone) Step(s, s.heading, over, out);
        return;
      case WalkOp::kFace:
        for (Value label : Labels(n, s)) Turned(s, label, out);
        return;
      case WalkOp::kTurn:
        if (s.heading != kNone) Turned(s, r_.board.Rotate(s.heading, n.min), out);
        return;
      case WalkOp::kDeflect:
        if (s.heading != kNone) Turned(s, r_.board.Deflect(s.cell, s.heading), out);
        return;
      case WalkOp::kGuard:
        if (Holds(n.expr, s)) out.insert(s);
        return;
      case WalkOp::kThen: {
        Stands now = {s};
        for (WalkNodeId child : n.children) now = All(child, now, over);
        out.insert(now.begin(), now.end());
        return;
      }
      case WalkOp::kWays:
        for (WalkNodeId child : n.children) Match(child, s, over, out);
        return;
      case WalkOp::kRepeat:
        if (paths_) {
          std::vector<Stand> path;
          RepeatPath(n, s, 0, over, path, out);
        } else {
          Repeat(n, s, over, out);
        }
        return;
      case WalkOp::kOver:
        Match(n.children.front(), s, n.expr, out);
        return;
    }
  }

  Stands All(WalkNodeId id, const Stands& from, ExprId over) {
    Stands out;
    for (const Stand& s : from) Match(id, s, over, out);
    return out;
  }

 private:
  Machine& m_;
  const rules::Rules& r_;
  const View& v_;
  Value origin_;
  bool back_, paths_;
  std::function<bool()> spend_;

  bool Holds(ExprId id, const Stand& s) {
    const Point point{s.cell, s.heading, s.back, origin_};
    return m_.Holds(id, View{v_.position, v_.me, v_.self, v_.frame, &point});
  }

  Set Labels(const WalkNode& n, const Stand& s) {
    const Point point{s.cell, s.heading, s.back, origin_};
    const View here{v_.position, v_.me, v_.self, v_.frame, &point};
    Set labels;
    for (const rules::StepDirection& d : n.directions) {
      switch (d.kind) {
        case rules::StepDirection::Kind::kLabel:
          labels.push_back(d.label);
          break;
        case rules::StepDirection::Kind::kRelative:
          labels.push_back(r_.board.Way(d.relative, static_cast<int>(m_.SideOf(v_)), s.cell));
          break;
        case rules::StepDirection::Kind::kExpr:
          for (Value label : m_.EvalSet(d.expr, here)) labels.push_back(label);
          break;
      }
    }
    std::erase_if(labels, [](Value label) { return label < 0; });
    return labels;
  }

  void Turned(const Stand& s, Value heading, Stands& out) {
    if (heading < 0) return;
    Stand t = s;
    t.heading = heading;
    out.insert(t);
  }

  void Step(const Stand& s, Value label, ExprId over, Stands& out) {
    const int next = r_.board.Next(label, s.cell);
    if (next < 0) return;
    if (!s.fresh) {
      const bool free = s.over.valid() ? Holds(s.over, s) : v_.position.Empty(s.cell);
      if (!free) return;
    }
    Stand t = s;
    t.cell = next;
    t.heading = label;
    t.over = over;
    t.fresh = false;
    if (back_ || paths_) t.back = s.cell;
    if (paths_) {
      if (!s.fresh) {
        auto at = std::lower_bound(t.crossed.begin(), t.crossed.end(), s.cell);
        if (at == t.crossed.end() || *at != s.cell) t.crossed.insert(at, s.cell);
      }
      t.barriers |= Crossed(s.cell, next, label);
    }
    out.insert(t);
  }

  uint32_t Crossed(Value from, int to, Value label) const {
    uint32_t mask = 0;
    const auto& barriers = r_.board.barriers();
    for (std::size_t b = 0; b < barriers.size() && b < 32; ++b) {
      const bool crosses =
          r_.board.is_vector(label)
              ? barriers[b].Parts(from, to)
              : barriers[b].edges[static_cast<std::size_t>(from)].test(static_cast<std::size_t>(label));
      if (crosses) mask |= uint32_t{1} << b;
    }
    return mask;
  }

  // The sets reached after 0, 1, 2 … rounds. A standing reached again brings nothing new: the earlier
  // one has more rounds left.
  void Repeat(const WalkNode& n, const Stand& s, ExprId over, Stands& out) {
    const WalkNodeId child = n.children.front();
    Stands now = {s};
    for (int i = 0; i < n.min && !now.empty(); ++i) {
      if (!spend_()) return;
      now = All(child, now, over);
    }
    Stands seen = now;
    for (int i = n.min; (n.max < 0 || i < n.max) && !now.empty(); ++i) {
      Stands fresh;
      for (const Stand& t : All(child, now, over)) {
        if (seen.insert(t).second) fresh.insert(t);
      }
      now = std::move(fresh);
    }
    out.insert(seen.begin(), seen.end());
  }

  // Where the way matters every path is followed. Rounds that are counted are different places in the
  // pattern; in the unbounded rest the walker never comes to the same place in the same standing twice.
  void RepeatPath(const WalkNode& n, const Stand& s, int rounds, ExprId over, std::vector<Stand>& path, Stands& out) {
    const bool unbounded = n.max < 0 && rounds >= n.min;
    const Stand base = Base(s);
    if (unbounded && std::find(path.begin(), path.end(), base) != path.end()) return;
    if (rounds >= n.min) out.insert(s);
    if (n.max >= 0 && rounds >= n.max) return;
    if (!spend_()) return;
    if (unbounded) path.push_back(base);
    Stands next;
    Match(n.children.front(), s, over, next);
    for (const Stand& t : next) RepeatPath(n, t, rounds + 1, over, path, out);
    if (unbounded) path.pop_back();
  }

  Stand Base(Stand s) const {
    s.crossed.clear();
    s.barriers = 0;
    if (!back_) s.back = kNone;
    return s;
  }
};

}  // namespace

std::vector<WalkEnd> Machine::Walk(rules::WalkId id, Value from, const View& v, bool paths) {
  std::vector<WalkEnd> ends;
  if (!id.valid() || from == kNone) return ends;
  const rules::Walk& walk = r_.walks[id];
  Matcher matcher(*this, r_, v, from, walk.reads_back, paths, [this] { return Spend(); });
  Matcher::Stands out;
  Stand start;
  start.cell = from;
  matcher.Match(walk.root, start, ExprId(), out);
  for (const Stand& s : out) {
    if (s.cell == from && !walk.may_stay) continue;
    WalkEnd end;
    end.cell = s.cell;
    if (paths) end = WalkEnd{s.cell, s.heading, s.back, s.crossed, s.barriers};
    ends.push_back(std::move(end));
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// W repeated n times is one pattern: the stop between two rounds is crossed, the heading carries on.
Value Machine::Rounds(Value from, Value to, rules::WalkId id, const View& v) {
  if (from == kNone || to == kNone || !id.valid()) return kNone;
  if (from == to) return 0;
  const rules::Walk& walk = r_.walks[id];
  Matcher matcher(*this, r_, v, from, walk.reads_back, false, [this] { return Spend(); });
  Stand start;
  start.cell = from;
  Matcher::Stands now = {start}, seen = now;
  for (Value rounds = 1; !now.empty(); ++rounds) {
    Matcher::Stands fresh;
    for (const Stand& s : matcher.All(walk.root, now, ExprId())) {
      if (s.cell == to) return rounds;
      if (seen.insert(s).second) fresh.insert(s);
    }
    now = std::move(fresh);
  }
  return kNone;
}

// ---- queries -----------------------------------------------------------------------------------

bool Machine::Passes(const rules::Filter& f, Value cell, const View& v) {
  const bool nothing_asked = !f.empty && f.pieces.empty() && !f.cells.valid();
  if (nothing_asked) return true;
  const int on = v.position.At(cell);
  bool accepted = f.empty && on < 0;
  for (const rules::PieceTest& t : f.pieces) {
    if (on < 0) continue;
    const Piece& p = v.position.pieces[static_cast<std::size_t>(on)];
    accepted = accepted || ((t.kinds >> p.kind & 1) != 0 && SidePasses(t.side, p.owner, v));
  }
  if (f.cells.valid()) accepted = accepted || Element(f.cells, cell, v);
  return accepted != f.negated;
}

std::vector<WalkEnd> Machine::Query(const rules::Query& q, const View& v, bool paths) {
  const Value walk = Eval(q.walk, v);
  const Value from = Eval(q.from, v);
  std::vector<WalkEnd> ends;
  if (walk == kNone || from == kNone) return ends;
  for (WalkEnd& end : Walk(rules::WalkId(walk), from, v, paths)) {
    if (!Passes(q.onto, end.cell, v)) continue;
    if (q.within.valid() && !Element(q.within, end.cell, v)) continue;
    ends.push_back(std::move(end));
  }
  return ends;
}

// ---- attacks -----------------------------------------------------------------------------------

bool Machine::Attacked(Value cell, const std::vector<bool>& by, const View& v) {
  if (cell == kNone || attack_depth_ >= 8) return false;  // attacks whose conditions ask about attacks, for ever
  ++attack_depth_;
  bool found = false;
  for (int c = 0; c < r_.board.board_size() && !found; ++c) {
    const int attacker = v.position.At(c);
    if (attacker < 0) continue;
    const Piece& piece = v.position.pieces[static_cast<std::size_t>(attacker)];
    if (piece.owner == kNone || !by[static_cast<std::size_t>(piece.owner)]) continue;
    for (const rules::Attack& a : r_.attacks) {
      if ((a.kinds >> piece.kind & 1) == 0) continue;
      Frame frame;
      const View mine{v.position, piece.owner, attacker, &frame, nullptr};
      if (a.from.valid() && !Element(a.from, c, mine)) continue;
      if (a.to.valid() && !Element(a.to, cell, mine)) continue;
      if (!Holds(a.condition, mine)) continue;
      if (!a.walk.valid()) {
        found = Element(a.cells, cell, mine);
      } else {
        for (const WalkEnd& end : Walk(a.walk, c, mine)) found = found || end.cell == cell;
      }
      if (found && trace_ != nullptr) trace_->attacks.insert(a.span);
      if (found) break;
    }
  }
  --attack_depth_;
  return found;
}

}  // namespace arbiter::oracle
