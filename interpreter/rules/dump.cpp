// The checked rules as text: one line per declaration, effects and steps indented below it.
//
// Expressions are written with their usual signs where they have them and as name(children) from expr.def
// where they do not. Slots of a frame are $0, $1 …. Walks are written as an author would.
#include <fmt/format.h>

#include <string>

#include "rules/rules.h"

namespace arbiter::rules {
namespace {

class Dumper {
 public:
  explicit Dumper(const Rules& rules) : r_(rules) {}

  std::string out;

  [[nodiscard]] std::string E(ExprId id) const { return Expression(id, 0); }
  [[nodiscard]] std::string W(WalkId id) const;
  void Whole();

 private:
  const Rules& r_;

  void Line(int indent, const std::string& text) {
    out += std::string(static_cast<std::size_t>(indent) * 2, ' ') + text + "\n";
  }

  // ---- values ----
  [[nodiscard]] std::string Literal(const Type& type, Value value) const;
  [[nodiscard]] std::string Cells(const CellSet& set) const;
  [[nodiscard]] std::string Kinds(KindSet kinds) const;
  [[nodiscard]] std::string TypeText(const Type& type) const;
  [[nodiscard]] std::string ActionName(ActionId id) const;
  [[nodiscard]] std::string ActionList(const std::vector<ActionId>& actions) const;

  // ---- expressions and walks ----
  [[nodiscard]] std::string Expression(ExprId id, int depth) const;
  [[nodiscard]] std::string Call(const Expr& e, int depth) const;
  [[nodiscard]] std::string Node(WalkNodeId id, int depth) const;
  [[nodiscard]] std::string Directions(const std::vector<StepDirection>& list) const;
  [[nodiscard]] std::string FilterText(const Filter& f) const;
  [[nodiscard]] std::string QueryText(const Query& q) const;
  [[nodiscard]] std::string Free(const std::vector<FreeVar>& free) const;
  [[nodiscard]] std::string PhaseSet(uint64_t phases) const;
  [[nodiscard]] std::string OfferText(OfferId id, int depth) const;

  // ---- blocks ----
  void Effects(const Block& block, int indent);
  void One(const Effect& e, int indent);
  void Steps(const std::vector<Step>& steps, int indent);
  void OneStep(const Step& s, int indent);

  // ---- declarations ----
  void Variables();
  void Kind_(std::size_t index);
  void Zones();
  void WalkMaps();
  void Actions();
  void Attacks();
  void Turns();
  void Events();
  void Laws();
  void Ends();
  void Setups();
  void Shown_();
};

const char* OpName(Op op) {
  static constexpr const char* kNames[] = {
#define ARBITER_OP(symbol, name, phrase) name,
#include "rules/expr.def"
#undef ARBITER_OP
  };
  return kNames[static_cast<std::size_t>(op)];
}

const char* RelativeName(board::Relative relative) {
  static constexpr const char* kNames[] = {"forward",  "forward_right", "right", "backward_right",
                                           "backward", "backward_left", "left",  "forward_left",
                                           "along",    "against"};
  return kNames[static_cast<std::size_t>(relative)];
}

const char* SideName(Side side) {
  static constexpr const char* kNames[] = {"any", "own", "enemy", "my", "of", "neutral"};
  return kNames[static_cast<std::size_t>(side)];
}

template <class T>
bool Inside(Value value, const T& list) {
  return value >= 0 && static_cast<std::size_t>(value) < list.size();
}

std::string Dumper::Literal(const Type& type, Value value) const {
  if (value == kNone) return "none";
  const auto i = static_cast<std::size_t>(value);
  switch (type.base) {
    case Base::kBool:
      return value != 0 ? "true" : "false";
    case Base::kPlayer:
      if (Inside(value, r_.players)) return r_.players[i].name;
      break;
    case Base::kCell:
      if (value >= 0 && value < r_.board.size()) return r_.board.name(value);
      break;
    case Base::kKind:
      if (Inside(value, r_.kinds)) return r_.kinds[i].name;
      break;
    case Base::kDirection:
      if (value >= 0 && value < r_.board.label_count()) return r_.board.label_name(value);
      break;
    case Base::kPhase:
      if (Inside(value, r_.phases)) return r_.phases[i].name;
      break;
    case Base::kWalk:
      if (Inside(value, r_.walks)) return "walk " + W(WalkId(value));
      break;
    case Base::kEnum:
      if (type.enumeration == kTextEnum && Inside(value, r_.written_texts)) return "\"" + r_.written_texts[i] + "\"";
      if (type.enumeration >= 0 && Inside(value, r_.enums[static_cast<std::size_t>(type.enumeration)].values)) {
        return r_.enums[static_cast<std::size_t>(type.enumeration)].values[i];
      }
      break;
    case Base::kInt:
    case Base::kPiece:
    case Base::kAction:
      break;
  }
  return std::to_string(value);
}

std::string Dumper::Cells(const CellSet& set) const {
  if (set == r_.board.cells()) return "everywhere";
  std::string text = "{";
  for (int c = 0; c < r_.board.size(); ++c) {
    if (set.test(static_cast<std::size_t>(c))) text += " " + r_.board.name(c);
  }
  return text + " }";
}

std::string Dumper::Kinds(KindSet kinds) const {
  std::string text;
  bool all = true;
  for (std::size_t k = 0; k < r_.kinds.size(); ++k) {
    if ((kinds >> k & 1) == 0) {
      all = false;
      continue;
    }
    if (!text.empty()) text += "|";
    text += r_.kinds[k].name;
  }
  return all ? "piece" : text.empty() ? "nothing" : text;
}

std::string Dumper::TypeText(const Type& type) const {
  static constexpr const char* kNames[] = {"bool", "int",       "enum",  "player", "cell",  "piece",
                                           "kind", "direction", "phase", "walk",   "action"};
  std::string text = kNames[static_cast<std::size_t>(type.base)];
  if (type.base == Base::kInt) text = fmt::format("{}..{}", type.low, type.high);
  if (type.base == Base::kEnum && type.enumeration >= 0)
    text = r_.enums[static_cast<std::size_t>(type.enumeration)].name;
  if (type.set) text += " set";
  if (type.optional) text += "?";
  return text;
}

std::string Dumper::ActionName(ActionId id) const {
  if (!id.valid()) return "?";
  const int name = r_.actions[id].name;
  return fmt::format("{}#{}", Inside(name, r_.action_names) ? r_.action_names[static_cast<std::size_t>(name)] : "?",
                     id.value);
}

std::string Dumper::ActionList(const std::vector<ActionId>& actions) const {
  std::string text;
  for (ActionId a : actions) text += (text.empty() ? "" : " ") + ActionName(a);
  return text;
}

std::string Dumper::Expression(ExprId id, int depth) const {
  if (!id.valid()) return "-";
  if (depth > 200) return "…";
  const Expr& e = r_.exprs[id];
  const auto child = [&](std::size_t i) { return Expression(e.children[i], depth + 1); };
  const auto infix = [&](const char* sign) {
    std::string text = "(";
    for (std::size_t i = 0; i < e.children.size(); ++i) text += (i == 0 ? "" : sign) + child(i);
    return text + ")";
  };
  switch (e.op) {
    case Op::kConst:
      return Literal(e.type, e.value);
    case Op::kConstCells:
      return Cells(r_.cell_sets[static_cast<std::size_t>(e.value)]);
    case Op::kConstSet: {
      std::string text = "{";
      for (Value v : e.values) text += " " + Literal(e.type, v);
      return text + " }";
    }
    case Op::kLocal:
      return "$" + std::to_string(e.slot);
    case Op::kAnd:
      return infix(" and ");
    case Op::kOr:
      return infix(" or ");
    case Op::kImplies:
      return infix(" implies ");
    case Op::kEq:
      return infix(" == ");
    case Op::kLt:
      return infix(" < ");
    case Op::kLe:
      return infix(" <= ");
    case Op::kAdd:
      return infix(" + ");
    case Op::kSub:
      return infix(" - ");
    case Op::kIn:
      return infix(" in ");
    case Op::kUnion:
      return infix(" ∪ ");
    case Op::kMinus:
      return infix(" \\ ");
    case Op::kIntersect:
      return infix(" & ");
    case Op::kIf:
      return fmt::format("(if {} then {} else {})", child(0), child(1), child(2));
    case Op::kSome:
    case Op::kEvery:
    case Op::kCount:
    case Op::kFilter:
      return fmt::format("({} ${} in {} : {})", OpName(e.op), e.slot, child(0), child(1));
    case Op::kRun:
      return fmt::format("run({}, {}, ${} : {})", child(0), child(1), e.slot, child(2));
    default:
      return Call(e, depth);
  }
}

// name[what](children): the fields an operation reads stand in brackets.
std::string Dumper::Call(const Expr& e, int depth) const {
  std::string what;
  switch (e.op) {
    case Op::kState:
      what = r_.vars[VarId(e.value)].name;
      break;
    case Op::kPieceState:
      what = r_.piece_vars[VarId(e.value)].name;
      break;
    case Op::kZone:
      what = r_.zones[ZoneId(e.value)].name;
      break;
    case Op::kAttribute:
      what = r_.attributes[static_cast<std::size_t>(e.value)].name;
      break;
    case Op::kWay:
      what = RelativeName(static_cast<board::Relative>(e.value));
      break;
    case Op::kWalkMap:
      what = std::to_string(e.value);
      break;
    case Op::kPieces:
      what = fmt::format("{} {}", SideName(e.side), Kinds(e.kinds));
      break;
    case Op::kTheOnly:
    case Op::kIsKind:
      what = Kinds(e.kinds);
      break;
    case Op::kChoiceHeading:
    case Op::kChoiceBefore:
    case Op::kChoiceCrossed:
      what = "$" + std::to_string(e.slot);
      break;
    case Op::kCanPlay:
      what = e.turn.valid() ? fmt::format("turn {}", e.turn.value) : ActionList(e.actions);
      break;
    default:
      break;
  }
  std::string text = OpName(e.op);
  if (!what.empty()) text += "[" + what + "]";
  if (e.children.empty()) return text;
  text += "(";
  for (std::size_t i = 0; i < e.children.size(); ++i)
    text += (i == 0 ? "" : ", ") + Expression(e.children[i], depth + 1);
  return text + ")";
}

std::string Dumper::Directions(const std::vector<StepDirection>& list) const {
  std::string text;
  for (const StepDirection& d : list) {
    if (!text.empty()) text += "|";
    switch (d.kind) {
      case StepDirection::Kind::kLabel:
        text += d.label >= 0 && d.label < r_.board.label_count() ? r_.board.label_name(d.label) : "?";
        break;
      case StepDirection::Kind::kRelative:
        text += RelativeName(d.relative);
        break;
      case StepDirection::Kind::kExpr:
        text += "[" + E(d.expr) + "]";
        break;
    }
  }
  return list.size() == 1 ? text : "(" + text + ")";
}

std::string Dumper::Node(WalkNodeId id, int depth) const {
  if (!id.valid()) return "-";
  if (depth > 200) return "…";
  const WalkNode& n = r_.walk_nodes[id];
  const auto join = [&](const char* sign) {
    std::string text;
    for (WalkNodeId child : n.children) text += (text.empty() ? "" : sign) + Node(child, depth + 1);
    return "(" + text + ")";
  };
  switch (n.op) {
    case WalkOp::kStep:
      return Directions(n.directions);
    case WalkOp::kAhead:
      return "ahead";
    case WalkOp::kFace:
      return "face " + Directions(n.directions);
    case WalkOp::kTurn:
      return fmt::format("turn {}", n.min);
    case WalkOp::kDeflect:
      return "deflect";
    case WalkOp::kGuard:
      return "(if " + E(n.expr) + ")";
    case WalkOp::kThen:
      return join(" then ");
    case WalkOp::kWays:
      return join(" | ");
    case WalkOp::kRepeat: {
      std::string body = n.children.empty() ? "-" : Node(n.children.front(), depth + 1);
      if (n.max < 0 && n.min <= 1) return body + (n.min == 0 ? "*" : "+");
      if (n.min == 0 && n.max == 1) return body + "?";
      return n.max < 0 ? fmt::format("{}{{{}..}}", body, n.min) : fmt::format("{}{{{}..{}}}", body, n.min, n.max);
    }
    case WalkOp::kOver:
      return fmt::format("({} over {})", n.children.empty() ? "-" : Node(n.children.front(), depth + 1), E(n.expr));
  }
  return "?";
}

std::string Dumper::W(WalkId id) const {
  if (!id.valid()) return "-";
  const Walk& w = r_.walks[id];
  return Node(w.root, 0) + (w.may_stay ? " may stay" : "");
}

std::string Dumper::FilterText(const Filter& f) const {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " or ") + part; };
  if (f.empty) add("empty");
  for (const PieceTest& t : f.pieces) add(fmt::format("{} {}", SideName(t.side), Kinds(t.kinds)));
  if (f.cells.valid()) add(E(f.cells));
  if (text.empty()) text = "nothing";
  return f.negated ? "not (" + text + ")" : text;
}

std::string Dumper::QueryText(const Query& q) const {
  std::string text = fmt::format("{} from {} onto {}", E(q.walk), E(q.from), FilterText(q.onto));
  return q.within.valid() ? text + " within " + E(q.within) : text;
}

std::string Dumper::Free(const std::vector<FreeVar>& free) const {
  std::string text;
  for (const FreeVar& v : free) {
    text += fmt::format(" ${} in {{", v.slot);
    for (Value value : v.values) text += " " + Literal(v.type, value);
    text += " }";
  }
  return text.empty() ? text : " for" + text;
}

std::string Dumper::PhaseSet(uint64_t phases) const {
  std::string text;
  for (std::size_t i = 0; i < r_.phases.size(); ++i) {
    if (phases >> i & 1) text += (text.empty() ? " in " : ", ") + r_.phases[i].name;
  }
  return text;
}

void Dumper::Effects(const Block& block, int indent) {
  for (const Effect& e : block) One(e, indent);
}

void Dumper::One(const Effect& e, int indent) {
  const auto indexed = [&](const std::string& name) {
    std::string text = name;
    for (std::size_t i = 0; i < e.indices.size(); ++i) text += (i == 0 ? "[" : ", ") + E(e.indices[i]);
    return e.indices.empty() ? text : text + "]";
  };
  switch (e.op) {
    case EffectOp::kMove:
    case EffectOp::kMoveToPlace:
      return Line(indent, fmt::format("{} -> {}{}", E(e.a), E(e.b), e.op == EffectOp::kMove ? "" : " (first free)"));
    case EffectOp::kLift:
      return Line(indent, "lift " + E(e.a));
    case EffectOp::kPut:
      return Line(indent, fmt::format("put {} on {}", E(e.a), E(e.b)));
    case EffectOp::kPlace:
      return Line(indent, fmt::format("place {} of {} at {}", E(e.a), E(e.b), E(e.c)));
    case EffectOp::kRemove:
      return Line(indent, "remove " + E(e.a));
    case EffectOp::kSwap:
      return Line(indent, fmt::format("swap {}, {}", E(e.a), E(e.b)));
    case EffectOp::kBecomes:
      return Line(indent, fmt::format("{} becomes {}", E(e.a), E(e.b)));
    case EffectOp::kJoins:
      return Line(indent, fmt::format("{} joins {}", E(e.a), E(e.b)));
    case EffectOp::kSet:
      return Line(indent, fmt::format("{} = {}", indexed(r_.vars[e.var].name), E(e.a)));
    case EffectOp::kSetPiece:
      return Line(indent, fmt::format("{}.{} = {}", E(e.b), r_.piece_vars[e.var].name, E(e.a)));
    case EffectOp::kSetUp: {
      std::string text = "set up";
      for (SetupId s : e.setups) text += " " + (s.valid() ? r_.setups[s].name : "-");
      return Line(indent, e.a.valid() ? text + " by " + E(e.a) : text);
    }
    case EffectOp::kGoto:
      return Line(indent, "goto " + E(e.a));
    case EffectOp::kWin:
    case EffectOp::kLose:
      return Line(indent, (e.op == EffectOp::kWin ? "win " : "lose ") + E(e.a));
    case EffectOp::kDraw:
      return Line(indent, "draw");
    case EffectOp::kResult: {
      std::string text = "result";
      for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
        text += fmt::format("{} {} to {}", i == 0 ? "" : ",", E(e.args[i]), E(e.args[i + 1]));
      }
      return Line(indent, text);
    }
    case EffectOp::kIf:
      Line(indent, "if " + E(e.a));
      Effects(e.body, indent + 1);
      if (!e.otherwise.empty()) {
        Line(indent, "else");
        Effects(e.otherwise, indent + 1);
      }
      return;
    case EffectOp::kFor:
      Line(indent, fmt::format("for ${} in {}", e.slot, E(e.a)));
      Effects(e.body, indent + 1);
      return;
  }
}

void Dumper::Steps(const std::vector<Step>& steps, int indent) {
  for (const Step& s : steps) OneStep(s, indent);
}

void Dumper::OneStep(const Step& s, int indent) {
  switch (s.op) {
    case StepOp::kChoose:
      return Line(indent,
                  fmt::format("choose ${} = {}{}", s.slot, QueryText(s.query), s.remembers ? " remembering" : ""));
    case StepOp::kChooseIn:
      return Line(indent, fmt::format("choose ${} in {}", s.slot, E(s.expr)));
    case StepOp::kLet:
      return Line(indent, fmt::format("let ${} = {}", s.slot, E(s.expr)));
    case StepOp::kLetWalk:
      return Line(indent, fmt::format("let ${} = {}", s.slot, QueryText(s.query)));
    case StepOp::kRequire:
      return Line(indent, "require " + E(s.expr));
    case StepOp::kEffects:
      Line(indent, "do");
      return Effects(s.effects, indent + 1);
    case StepOp::kIf:
      Line(indent, "if " + E(s.expr));
      Steps(s.body, indent + 1);
      if (!s.otherwise.empty()) {
        Line(indent, "else");
        Steps(s.otherwise, indent + 1);
      }
      return;
    case StepOp::kFor:
      Line(indent, fmt::format("for ${} in {}", s.slot, E(s.expr)));
      return Steps(s.body, indent + 1);
    case StepOp::kCapture:
      return Line(indent, "capture on " + E(s.expr));
    case StepOp::kPerform:
      return Line(indent, fmt::format("perform by {}: {}", E(s.expr), ActionList(s.actions)));
    case StepOp::kName:
      return Line(
          indent,
          "name " + (Inside(s.value, r_.action_names) ? r_.action_names[static_cast<std::size_t>(s.value)] : "?"));
    case StepOp::kPromote:
      return Line(indent, "promote");
  }
}

void Dumper::Variables() {
  const auto list = [&](const IdVector<VarId, Variable>& vars, const char* word) {
    static constexpr const char* kLives[] = {"", "brief ", "clock "};
    for (const Variable& v : vars) {
      std::string text = fmt::format("{} {}{}", word, kLives[static_cast<std::size_t>(v.life)], v.name);
      if (v.count != 1 || !v.index.empty()) text += fmt::format("[{}]", v.count);
      text += " : " + TypeText(v.type) + " =";
      for (Value value : v.initial) text += " " + Literal(v.type, value);
      Line(0, text + fmt::format(" @{}{}", v.offset, v.in_key ? "" : " not in key"));
    }
  };
  list(r_.vars, "state");
  list(r_.piece_vars, "piece state");
}

void Dumper::Kind_(std::size_t index) {
  const Kind& k = r_.kinds[index];
  std::string text = (k.neutral ? "neutral piece " : k.fixed ? "fixed piece " : "piece ") + k.name;
  for (const std::string& letter : k.letters) text += " \"" + letter + "\"";
  for (int c : k.classes) text += " " + r_.classes[static_cast<std::size_t>(c)];
  if (k.may_be_off_board) text += " may be off board";
  Line(0, text);
  for (std::size_t a = 0; a < k.attributes.size() && a < r_.attributes.size(); ++a) {
    if (k.attributes[a].empty()) continue;
    Type one = r_.attributes[a].type;
    std::string values;
    for (Value v : k.attributes[a]) values += (values.empty() ? " " : ", ") + Literal(one, v);
    Line(1, r_.attributes[a].name + " =" + values);
  }
  for (const Promotion& p : k.promotions) {
    std::string kinds;
    for (int kind : p.kinds) kinds += (kinds.empty() ? "" : " | ") + r_.kinds[static_cast<std::size_t>(kind)].name;
    Line(1, fmt::format("promotes to {} in {}{}{}", kinds, E(p.zone),
                        p.condition.valid() ? " if " + E(p.condition) : "", p.optional ? " optional" : ""));
  }
}

void Dumper::Zones() {
  for (const Zone& z : r_.zones) {
    for (std::size_t i = 0; i < z.cells.size(); ++i) {
      const std::string index = z.index.empty() ? "" : "[" + std::to_string(i) + "]";
      Line(0, fmt::format("{} {}{} = {}", z.is_place ? "place" : "zone", z.name, index, Cells(z.cells[i])));
    }
  }
}

void Dumper::WalkMaps() {
  for (std::size_t i = 0; i < r_.walk_maps.size(); ++i) {
    Line(0, fmt::format("walk map {}", i));
    for (std::size_t w = 0; w < r_.walk_maps[i].size(); ++w) {
      if (r_.walk_maps[i][w].valid()) Line(1, W(WalkId(w)) + " => " + W(r_.walk_maps[i][w]));
    }
  }
}

void Dumper::Actions() {
  for (std::size_t i = 0; i < r_.actions.size(); ++i) {
    const Action& a = r_.actions[ActionId(i)];
    std::string written;
    for (ExprId part : a.written) written += (written.empty() ? " written " : ", ") + E(part);
    Line(0, fmt::format("action {}{} frame {}{}", ActionName(ActionId(i)), a.has_self ? " by " + Kinds(a.kinds) : "",
                        a.frame_size, written));
    Steps(a.steps, 1);
  }
}

void Dumper::Attacks() {
  for (const Attack& a : r_.attacks) {
    std::string text = fmt::format("attack by {} {}", Kinds(a.kinds), a.walk.valid() ? W(a.walk) : "on " + E(a.cells));
    if (a.from.valid()) text += " from " + E(a.from);
    if (a.to.valid()) text += " to " + E(a.to);
    if (a.condition.valid()) text += " if " + E(a.condition);
    Line(0, text);
  }
}

std::string Dumper::OfferText(OfferId id, int depth) const {
  if (!id.valid()) return "-";
  if (depth > 200) return "…";
  const Offer& o = r_.offers[id];
  const auto join = [&](const char* sign) {
    std::string text;
    for (OfferId part : o.parts) text += (text.empty() ? "" : sign) + OfferText(part, depth + 1);
    return "(" + text + ")";
  };
  switch (o.kind) {
    case Offer::Kind::kAccept:
      return "accept";
    case Offer::Kind::kPlay:
      return fmt::format("{}{} then t{}", ActionList(o.actions),
                         o.by == Offer::By::kSame    ? " by same"
                         : o.by == Offer::By::kOther ? " by other"
                                                     : "",
                         o.next.value);
    case Offer::Kind::kOr:
      return join(" or ");
    case Offer::Kind::kElse:
      return join(" else ");
    case Offer::Kind::kIf:
      return fmt::format("(if {} : {} otherwise {})", E(o.condition), OfferText(o.parts[0], depth + 1),
                         o.parts.size() > 1 ? OfferText(o.parts[1], depth + 1) : "-");
    case Offer::Kind::kLongest:
      return "longest " + join(" ");
  }
  return "?";
}

void Dumper::Turns() {
  for (std::size_t i = 0; i < r_.turn_states.size(); ++i) {
    const TurnState& t = r_.turn_states[TurnStateId(i)];
    Line(0, fmt::format("t{}{}{} = {}", i, t.name.empty() ? "" : " \"" + t.name + "\"",
                        t.in_longest ? " in longest" : "", OfferText(t.offer, 0)));
  }
  for (const Phase& p : r_.phases) {
    Line(0, fmt::format("phase {} player {} turn t{}", p.name, p.player.valid() ? E(p.player) : "next", p.turn.value));
    Effects(p.after, 1);
  }
}

void Dumper::Events() {
  static constexpr const char* kNames[] = {"turn begins", "turn ends", "after action", "lands in", "enters",
                                           "leaves",      "crosses",   "moves",        "is moved", "is captured"};
  for (const Handler& h : r_.handlers) {
    const Event& v = h.event;
    std::string text = "when ";
    if (v.op > EventOp::kAfterAction) {
      text += Kinds(v.kinds);
      if (!v.any_owner) text += " of " + E(v.owner);
      if (v.at.valid()) text += " at " + E(v.at);
      text += " ";
    }
    text += kNames[static_cast<std::size_t>(v.op)];
    if (v.zone.valid()) text += " " + E(v.zone);
    if (v.from.valid()) text += " from " + E(v.from);
    if (v.to.valid()) text += " to " + E(v.to);
    if (v.barrier >= 0) text += " " + r_.board.barriers()[static_cast<std::size_t>(v.barrier)].name;
    text += PhaseSet(h.phases) + Free(h.free);
    if (h.condition.valid()) text += " if " + E(h.condition);
    Line(0, text);
    Effects(h.block, 1);
  }
}

void Dumper::Laws() {
  static constexpr const char* kScopes[] = {"", " at turn end", " action"};
  for (const Law& l : r_.laws) {
    Line(0, fmt::format("forbid{}{}{} : {}{}", kScopes[static_cast<std::size_t>(l.scope)], PhaseSet(l.phases),
                        Free(l.free), E(l.condition), l.asks_stuck ? " (asks stuck)" : ""));
  }
}

void Dumper::Ends() {
  for (const End& e : r_.ends) {
    std::string text;
    switch (e.kind) {
      case End::Kind::kWin:
      case End::Kind::kLose:
        text = (e.kind == End::Kind::kWin ? "win " : "lose ") + E(e.player) + " when";
        break;
      case End::Kind::kDraw:
        text = "draw when";
        break;
      case End::Kind::kNoLegalTurn:
        text = "when no legal turn";
        break;
      case End::Kind::kRepetition:
        text = fmt::format("draw when repetition {}", e.number);
        break;
      case End::Kind::kLimit:
        text = fmt::format("limit turns {}", e.number);
        break;
    }
    if (e.condition.valid()) text += " " + E(e.condition);
    text += PhaseSet(e.phases) + Free(e.free);
    if (e.at_once) text += " at once";
    if (e.reads_clock) text += " (reads clock)";
    Line(0, text);
    Effects(e.block, 1);
  }
}

void Dumper::Setups() {
  for (std::size_t i = 0; i < r_.setups.size(); ++i) {
    const Setup& s = r_.setups[SetupId(i)];
    std::string text = "setup " + (s.name.empty() ? "-" : s.name);
    if (Inside(s.to_move, r_.players)) text += " to move " + r_.players[static_cast<std::size_t>(s.to_move)].name;
    if (SetupId(i) == r_.start) text += " (start)";
    Line(0, text);
    std::string pieces;
    for (const SetupPiece& p : s.pieces) {
      pieces += " ";
      if (Inside(p.owner, r_.players)) pieces += r_.players[static_cast<std::size_t>(p.owner)].name + "-";
      pieces += (Inside(p.kind, r_.kinds) ? r_.kinds[static_cast<std::size_t>(p.kind)].name : "?") + "@";
      pieces += p.cell >= 0 ? r_.board.name(p.cell) : "off";
    }
    if (!pieces.empty()) Line(1, pieces.substr(1));
    std::string state;
    for (const auto& [index, value] : s.state)
      state += fmt::format(" @{}={}", index, value == kNone ? "none" : std::to_string(value));
    if (!state.empty()) Line(1, state.substr(1));
  }
}

void Dumper::Shown_() {
  for (const Shown& line : r_.shown) {
    std::string parts;
    for (ExprId part : line.parts) parts += (parts.empty() ? "" : ", ") + E(part);
    Line(0, fmt::format("show {} = {}{}{}", line.name, parts, line.condition.valid() ? " if " + E(line.condition) : "",
                        line.of_state ? " (of state)" : ""));
  }
  std::string zones;
  for (ZoneId zone : r_.shown_zones) zones += " " + r_.zones[zone].name;
  if (!zones.empty()) Line(0, "show zones" + zones);
}

void Dumper::Whole() {
  Line(0, fmt::format("game \"{}\"", r_.title));
  for (const OptionValue& o : r_.options) Line(0, fmt::format("option {} : {} = {}", o.name, o.type_text, o.chosen));
  std::string players = "players";
  for (const Player& p : r_.players) players += " " + p.name;
  Line(0, players);
  for (std::size_t k = 0; k < r_.kinds.size(); ++k) Kind_(k);
  Variables();
  Zones();
  WalkMaps();
  Actions();
  Attacks();
  Turns();
  Events();
  Laws();
  Ends();
  Setups();
  Shown_();
}

}  // namespace

std::string Dump(const Rules& rules) {
  Dumper dumper(rules);
  dumper.Whole();
  return dumper.out;
}

std::string DumpExpr(const Rules& rules, ExprId id) { return Dumper(rules).E(id); }

std::string DumpWalk(const Rules& rules, WalkId id) { return Dumper(rules).W(id); }

}  // namespace arbiter::rules
