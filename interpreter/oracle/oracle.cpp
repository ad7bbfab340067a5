#include "oracle/oracle.h"

#include <algorithm>

#include "oracle/machine.h"

namespace arbiter::oracle {

using rules::Move;
using rules::Outcome;
using rules::Snapshot;
using Kind = rules::Outcome::Kind;

namespace {

void Report(const Machine& machine, std::optional<rules::Fault>* fault) {
  if (fault != nullptr && !*fault && machine.fault) *fault = machine.fault;
}

// One action of the list with all that follows from it.
struct Entry {
  Move move;
  Snapshot next;
  Outcome outcome;
  bool turn_complete = false;
  std::vector<rules::Span> marks;
};

bool SameResult(const Entry& a, const Entry& b) {
  return a.turn_complete == b.turn_complete && a.outcome == b.outcome && a.next == b.next;
}

// Sorted, one entry for each list of choices.
std::vector<Entry> Merge(Machine& machine, const rules::Rules& rules, std::vector<Entry> entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.move < b.move; });
  std::vector<Entry> merged;
  for (Entry& e : entries) {
    if (merged.empty() || merged.back().move != e.move) {
      merged.push_back(std::move(e));
    } else if (!SameResult(merged.back(), e)) {
      const int name = e.move.tokens.front().value;
      const auto action = std::find_if(rules.actions.begin(), rules.actions.end(),
                                       [&](const rules::Action& a) { return a.name == name; });
      machine.Fault(action == rules.actions.end() ? rules::Span{} : action->span, "move-ambiguous",
                    "the same choices lead to two different positions, or to two places of the turn");
    } else {  // both are what is done
      merged.back().marks.insert(merged.back().marks.end(), e.marks.begin(), e.marks.end());
    }
  }
  return merged;
}

// Everything offered at `at`, results included. `only`: just this action.
std::vector<Entry> List(Machine& machine, const rules::Rules& rules, const Snapshot& at, const Move* only) {
  const Position p = Load(rules, at);
  if (only != nullptr && !only->tokens.empty()) machine.only = only;
  Offered offered = machine.At(p, false);
  machine.only = nullptr;
  std::vector<Entry> entries;
  const bool between = machine.BetweenTurns(p);
  if (only == nullptr && between && machine.Ends(p, false, {}, offered.any()).kind != Kind::kNone) return entries;
  if (offered.accept) {
    entries.push_back(
        {Move{}, Save(rules, offered.accept->next), offered.accept->outcome, true, std::move(offered.accept->marks)});
  }
  for (Made& made : offered.plays) {
    entries.push_back({std::move(made.move), Save(rules, made.next), std::move(made.outcome), made.turn_complete,
                       std::move(made.marks)});
  }
  return Merge(machine, rules, std::move(entries));
}

uint64_t Count(const rules::Rules& rules, const Snapshot& at, int depth, bool by_actions,
               std::optional<rules::Fault>* fault) {
  if (depth <= 0) return 1;
  Machine machine(rules);
  const bool between = machine.BetweenTurns(Load(rules, at));
  uint64_t total = 0;
  for (const Entry& e : List(machine, rules, at, nullptr)) {
    // To end a turn that has begun is no action of its own.
    const bool counts = by_actions ? !e.move.tokens.empty() || between : e.turn_complete;
    const int left = depth - (counts ? 1 : 0);
    if (e.outcome.kind != Kind::kNone) {
      total += left == 0 ? 1 : 0;
    } else {
      total += Count(rules, e.next, left, by_actions, fault);
    }
  }
  Report(machine, fault);
  return total;
}

}  // namespace

Snapshot Oracle::Initial(rules::SetupId setup) const {
  const rules::Setup& s = rules_.setups[setup];
  if (trace_ != nullptr) trace_->done.insert(s.span);
  Snapshot initial = rules::MakeSnapshot(rules_, s.pieces, s.to_move, s.state);
  Machine machine(rules_, trace_);
  const Value player = machine.PhasePlayer(Load(rules_, initial));
  if (player != kNone) initial.mover = player;
  return initial;
}

std::vector<Move> Oracle::Moves(const Snapshot& at, std::optional<rules::Fault>* fault) const {
  Machine machine(rules_, trace_);
  std::vector<Move> moves;
  for (Entry& e : List(machine, rules_, at, nullptr)) moves.push_back(std::move(e.move));
  Report(machine, fault);
  return moves;
}

std::optional<Oracle::Applied> Oracle::Apply(const Snapshot& at, const Move& move,
                                             std::optional<rules::Fault>* fault) const {
  Machine machine(rules_, trace_);
  std::vector<Entry> list = List(machine, rules_, at, &move);
  Report(machine, fault);
  for (Entry& e : list) {
    if (e.move != move) continue;
    if (trace_ != nullptr) {
      trace_->done.insert(e.marks.begin(), e.marks.end());
      trace_->done.insert(rules_.phases[static_cast<std::size_t>(at.phase)].span);
    }
    return Applied{std::move(e.next), std::move(e.outcome), e.turn_complete};
  }
  return std::nullopt;
}

Outcome Oracle::Status(const Snapshot& at, int occurrences, int turns, std::optional<rules::Fault>* fault) const {
  Machine machine(rules_, trace_);
  Outcome out = machine.Ends(Load(rules_, at), false, {occurrences, turns});
  if (trace_ != nullptr && out.end >= 0) {
    const rules::End& end = rules_.ends[static_cast<std::size_t>(out.end)];
    trace_->done.insert(end.span);
    if (end.kind == rules::End::Kind::kNoLegalTurn)
      trace_->done.insert(machine.end_marks.begin(), machine.end_marks.end());
  }
  Report(machine, fault);
  return out;
}

bool Oracle::Holds(const Snapshot& at, rules::ExprId condition, const std::vector<rules::Value>& frame,
                   std::optional<rules::Fault>* fault) const {
  Machine machine(rules_, trace_);
  const Position p = Load(rules_, at);
  Frame slots;
  for (std::size_t i = 0; i < frame.size(); ++i) slots.Bind(static_cast<int>(i), frame[i]);
  const bool holds = machine.Holds(condition, View{p, p.mover, -1, &slots, nullptr});
  Report(machine, fault);
  return holds;
}

std::vector<rules::Value> Oracle::Values(const Snapshot& at, rules::ExprId expr, std::vector<bool>* read,
                                         std::optional<rules::Fault>* fault) const {
  Machine machine(rules_, trace_);
  machine.read = read;
  const Position p = Load(rules_, at);
  Frame slots;
  const View view{p, p.mover, -1, &slots, nullptr};
  std::vector<rules::Value> values =
      rules_.exprs[expr].type.set ? machine.EvalSet(expr, view) : std::vector<rules::Value>{machine.Eval(expr, view)};
  Report(machine, fault);
  return values;
}

std::vector<int> Oracle::WalkEnds(const Snapshot& at, rules::WalkId walk, int from) const {
  Machine machine(rules_, trace_);
  const Position p = Load(rules_, at);
  Frame frame;
  std::vector<int> cells;
  for (const WalkEnd& end : machine.Walk(walk, from, View{p, p.mover, p.At(from), &frame, nullptr}))
    cells.push_back(end.cell);
  return cells;
}

uint64_t Oracle::Key(const Snapshot& at) const {
  std::vector<Value> first_slot(static_cast<std::size_t>(rules_.board.size()));
  for (std::size_t c = 0; c < first_slot.size(); ++c) first_slot[c] = static_cast<Value>(c);
  for (const rules::Zone& zone : rules_.zones) {
    if (!zone.is_place) continue;
    for (const rules::CellSet& place : zone.cells) {
      for (std::size_t c = place._Find_first(); c < place.size(); c = place._Find_next(c)) {
        first_slot[c] = static_cast<Value>(place._Find_first());
      }
    }
  }
  uint64_t key = 0;
  const auto add = [&](const std::vector<Value>& numbers) { key += rules::Feature(numbers.data(), numbers.size()); };
  for (const rules::PieceRecord& piece : at.pieces) {
    const Value cell = piece.cell == kNone ? kNone : first_slot[static_cast<std::size_t>(piece.cell)];
    std::vector<Value> numbers = {1, cell, piece.kind, piece.owner};
    for (const rules::Variable& var : rules_.piece_vars) {
      if (!var.in_key) continue;
      for (int i = 0; i < var.count; ++i) numbers.push_back(piece.state[static_cast<std::size_t>(var.offset + i)]);
    }
    add(numbers);
  }
  for (const rules::Variable& var : rules_.vars) {
    if (!var.in_key) continue;
    for (int i = var.offset; i < var.offset + var.count; ++i) add({2, i, at.state[static_cast<std::size_t>(i)]});
  }
  add({3, at.mover});
  add({4, at.phase});
  add({5, at.place.value});
  if (at.last_self != kNone) add({6, at.last_self});
  if (at.next_phase != kNone) add({7, at.next_phase});
  if (at.next_player != kNone) add({8, at.next_player});
  for (std::size_t i = 0; i < at.brief_set.size(); ++i) {
    if (at.brief_set[i]) add({9, static_cast<Value>(i)});
  }
  return key;
}

uint64_t Oracle::Perft(const Snapshot& at, int depth, bool by_actions, std::optional<rules::Fault>* fault) const {
  return Count(rules_, at, depth, by_actions, fault);
}

}  // namespace arbiter::oracle
