// Verify: every index that the engine follows without looking leads somewhere.
#include "program/program.h"

namespace arbiter::program {
namespace {

class Verifier {
 public:
  explicit Verifier(const Program& p) : p_(p) {}

  std::string Run() {
    if (p_.words != 1 && p_.words != 2 && p_.words != 4) return "words";
    if (p_.cells > 64 * p_.words) return "more cells than the sets hold";
    for (const Ins& ins : p_.code) Instruction(ins);
    for (const Function& f : p_.functions) Entry(f);
    for (const Action& a : p_.actions) {
      Entry(a.function);
      if (a.first_choice >= 0) In(a.first_choice, p_.queries.size(), "query");
    }
    for (const Handler& h : p_.handlers) {
      Entry(h.match);
      Entry(h.condition);
      Entry(h.block);
    }
    for (const Walk& w : p_.walks) Automaton(w);
    for (const Row& row : p_.rows) CheckRow(row);
    for (const auto& families : p_.families) {
      for (const AttackFamily& f : families) {
        for (const Row& row : f.rows) CheckRow(row);
      }
    }
    for (const Offer& o : p_.offers) {
      for (const int part : o.parts) In(part, p_.offers.size(), "offer");
      for (const int a : o.actions) In(a, p_.actions.size(), "action");
      if (o.kind == rules::Offer::Kind::kPlay) In(o.next, p_.turn_states.size(), "turn state");
    }
    for (const TurnState& s : p_.turn_states) In(s.offer, p_.offers.size(), "offer");
    for (const Phase& phase : p_.phases) In(phase.turn, p_.turn_states.size(), "turn state");
    if (p_.phases.empty()) Wrong("no phase");
    if (p_.plans.size() != p_.offers.size()) Wrong("plans");
    for (const Plan& plan : p_.plans) {
      if (!plan.direct) continue;
      In(plan.next, p_.turn_states.size(), "turn state");
      for (const int a : plan.others) In(a, p_.actions.size(), "action");
      for (const auto& statements : plan.plain) {
        for (const int s : statements) In(s, p_.plain.size(), "statement");
      }
    }
    for (const Nudge& n : p_.nudges) {
      In(n.first, static_cast<std::size_t>(p_.state_size), "state element");
      In(n.first + n.count - 1, static_cast<std::size_t>(p_.state_size), "state element");
    }
    return wrong_;
  }

 private:
  void Wrong(std::string what) {
    if (wrong_.empty()) wrong_ = std::move(what);
  }
  void In(int64_t index, std::size_t size, const char* what) {
    if (index < 0 || index >= static_cast<int64_t>(size)) Wrong(std::string(what) + " " + std::to_string(index));
  }
  void Entry(const Function& f) {
    if (f.present()) In(f.entry, p_.code.size(), "entry");
  }
  void Set(int index) { In((int64_t{index} + 1) * p_.words - 1, p_.sets.size(), "set"); }

  void Instruction(const Ins& ins) {
    switch (ins.op) {
      case Op::kJump:
      case Op::kJumpFalse:
      case Op::kJumpTrue:
      case Op::kNextCell:
      case Op::kNextItem:
        In(ins.imm, p_.code.size(), "jump");
        break;
      case Op::kState:
        In(ins.imm, static_cast<std::size_t>(p_.state_size), "state element");
        break;
      case Op::kPieceState:
      case Op::kCellsHolding:
        In(ins.imm, static_cast<std::size_t>(p_.piece_state_size), "piece state element");
        break;
      case Op::kIndex:
        In(ins.imm, p_.index_maps.size(), "index map");
        break;
      case Op::kCellsConst:
      case Op::kCellsBack:
        Set(ins.imm);
        break;
      case Op::kListConst:
      case Op::kCanPlay:
      case Op::kPerform:
        In(ins.imm, p_.lists.size(), "list");
        break;
      case Op::kCanPlayTurn:
        In(ins.imm, p_.turn_states.size(), "turn state");
        break;
      case Op::kPieces:
      case Op::kTheOnly:
      case Op::kIsKind:
        In(ins.imm, p_.kind_sets.size(), "kind set");
        break;
      case Op::kAttribute:
      case Op::kAttributeList:
        In((int64_t{ins.imm} + 1) * p_.kinds_count - 1, p_.attributes.size(), "attribute");
        break;
      case Op::kWalkMap:
        In(ins.imm, p_.walk_maps.size(), "walk map");
        break;
      case Op::kChoose:
      case Op::kLetWalk:
        In(ins.imm, p_.queries.size(), "query");
        break;
      case Op::kSet:
        In(ins.imm, p_.vars.size(), "variable");
        break;
      case Op::kSetPiece:
      case Op::kSetPieces:
        In(ins.imm, p_.piece_vars.size(), "piece variable");
        break;
      case Op::kSetUp:
        In(ins.imm, p_.setup_tables.size(), "set-up table");
        break;
      default:
        break;
    }
  }

  void Automaton(const Walk& w) {
    In(w.start, w.nodes.size(), "walk node");
    for (const NfaNode& node : w.nodes) {
      for (const int next : node.next) In(next, w.nodes.size(), "walk node");
      if (node.op != NfaOp::kAccept && node.op != NfaOp::kSplit && node.next.size() != 1)
        Wrong("walk node without next");
      if (node.over >= 0) In(node.over, p_.functions.size(), "function");
      if (node.op == NfaOp::kGuard) In(node.function, p_.functions.size(), "function");
    }
    if (w.rows >= 0)
      In(int64_t{w.rows} + int64_t{p_.players} * p_.cells * (w.directions > 0 ? w.directions : 1) - 1, p_.rows.size(),
         "row");
  }

  void CheckRow(const Row& row) {
    if (row.constant >= 0) Set(row.constant);
    if (row.reach >= 0) Set(row.reach);
    for (int g = row.group; g < row.group + row.group_count; ++g) {
      In(g, p_.groups.size(), "group");
      if (!wrong_.empty()) return;
      const Group& group = p_.groups[static_cast<std::size_t>(g)];
      int bits = 0;
      for (const uint64_t w : group.mask) bits += __builtin_popcountll(w);
      if (p_.index == TableIndex::kMagic) bits = 64 - group.shift;
      if (bits < 1 || bits > 32) return Wrong("index of a table");
      In(static_cast<int64_t>(group.table) + (int64_t{1} << bits) * p_.words - 1, p_.tables.size(), "table");
    }
  }

  const Program& p_;
  std::string wrong_;
};

}  // namespace

std::string Verify(const Program& program) { return Verifier(program).Run(); }

}  // namespace arbiter::program
