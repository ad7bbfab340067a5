// What movements do to the state: the effects of statements and the handlers of events, told before any position is
// known and kept by origin and end.
//
// Handlers run in the order of the file, and so their writes are put together. What is removed is known
// only while playing; its changes come after those of the movement, which must not make a difference (InOrder).
#include <algorithm>
#include <limits>

#include "compile/flat.h"

namespace arbiter::compile {

using program::FlatAdd;
using program::FlatChange;
using program::FlatField;
using rules::EventOp;
using rules::Op;

namespace {

constexpr int kAtTurnEnd =
    std::numeric_limits<int>::max() / 2;  // added to the order of handlers of the end of the turn
constexpr std::size_t kMaxChanges = 255;
constexpr std::size_t kMaxChangeBytes = std::size_t{1} << 23;

}  // namespace

// The assignments of a block; false if one of them depends on the position.
bool FlatMaker::WritesOf(const rules::Block& block, Known& known, int order, std::vector<FlatWrite>* out) {
  for (const rules::Effect& effect : block) {
    if (effect.op == rules::EffectOp::kIf) {
      const Folded f = Fold(rules_, effect.a, known);
      if (f.kind != Folded::Kind::kValue) return false;
      const bool holds = f.value != 0 && f.value != kNone;
      if (!WritesOf(holds ? effect.body : effect.otherwise, known, order, out)) return false;
      continue;
    }
    if (effect.op != rules::EffectOp::kSet) return false;
    rules::Expr place;  // the element written, as if it was read
    place.op = Op::kState;
    place.value = static_cast<Value>(effect.var.index());
    place.children = effect.indices;
    FlatWrite write;
    write.order = order;
    write.element = Element(place, known);
    if (write.element < 0) return false;
    const FlatField& field = f_.fields[static_cast<std::size_t>(write.element)];
    const Folded value = Fold(rules_, effect.a, known);
    if (value.kind == Folded::Kind::kValue) {
      if (value.value == kNone && !field.optional) continue;  // assigning none to what is never none does nothing
      write.value = value.value;
      if (field.clock && write.value != kNone) write.value = std::clamp(write.value, field.low, field.high);
      if (!field.Holds(write.value)) return false;
      out->push_back(write);
      continue;
    }
    // The element itself and a number more or less.
    const rules::Expr& sum = rules_.exprs[effect.a];
    if (!field.clock || field.optional || (sum.op != Op::kAdd && sum.op != Op::kSub)) return false;
    const rules::Expr& own = rules_.exprs[sum.children[0]];
    const Folded amount = Fold(rules_, sum.children[1], known);
    if (own.op != Op::kState || Element(own, known) != write.element || amount.kind != Folded::Kind::kValue ||
        amount.value == kNone) {
      return false;
    }
    write.adds = true;
    write.value = sum.op == Op::kAdd ? amount.value : -amount.value;
    if (write.value < -1000 || write.value > 1000) return false;
    out->push_back(write);
  }
  return true;
}

// The handlers of piece events, each setting of their names apart.
bool FlatMaker::CollectEvents(int player) {
  std::vector<EventCase> cases;
  for (std::size_t i = 0; i < rules_.handlers.size(); ++i) {
    const rules::Handler& h = rules_.handlers[i];
    const program::Handler& compiled = p_.handlers[i];
    if (h.event.op == EventOp::kTurnBegins || h.event.op == EventOp::kTurnEnds || h.event.op == EventOp::kAfterAction) {
      continue;
    }
    if (compiled.case_count < 0) return Fail("where an event happens depends on the position");
    for (int k = 0; k < compiled.case_count; ++k) {
      EventCase made;
      made.handler = static_cast<int>(i);
      made.limits = &p_.cases[static_cast<std::size_t>(compiled.first_case + k)];
      Known known = OfPlayer(player);
      known.slots = made.limits->slots;
      const Folded holds = h.condition.valid() ? Fold(rules_, h.condition, known) : Folded{};
      if (holds.is(0) || holds.is(kNone)) continue;
      made.constant = (!h.condition.valid() || holds.kind == Folded::Kind::kValue) &&
                      WritesOf(h.block, known, made.handler, &made.writes);
      if (!made.constant) made.writes.clear();
      cases.push_back(std::move(made));
    }
  }
  events_.push_back(std::move(cases));
  return true;
}

// What the handlers of piece events write after this movement.
bool FlatMaker::Events(const FlatMovement& m, int player, std::vector<FlatWrite>* out) {
  for (const EventCase& event : events_[static_cast<std::size_t>(player)]) {
    const program::Handler& compiled = p_.handlers[static_cast<std::size_t>(event.handler)];
    const program::HandlerCase& limits = *event.limits;
    if (((compiled.kinds >> m.kind) & 1) == 0 || (limits.owner != -2 && m.owner != limits.owner)) continue;
    bool concerns = true;
    switch (compiled.op) {
      case EventOp::kLeaves:
        concerns = !m.removed;
        break;
      case EventOp::kMoves:
        concerns = m.by_self && !m.removed;
        break;
      case EventOp::kIsMoved:
        concerns = !m.removed;
        break;
      case EventOp::kIsCaptured:
        concerns = m.removed && m.owner >= 0 && m.owner != player;
        break;
      default:
        break;
    }
    if (!concerns) continue;
    const auto in = [&](int set, int cell) { return cell >= 0 && p_.set_has(set, cell); };
    if (limits.from >= 0 && !in(limits.from, m.from)) continue;
    if (limits.to >= 0 && !in(limits.to, m.to)) continue;
    if (limits.not_from >= 0 && in(limits.not_from, m.from)) continue;
    if (limits.not_to >= 0 && in(limits.not_to, m.to)) continue;
    if (event.constant) {
      out->insert(out->end(), event.writes.begin(), event.writes.end());
      continue;
    }
    const rules::Handler& h = rules_.handlers[static_cast<std::size_t>(event.handler)];
    Known known = OfPlayer(player);
    known.slots = limits.slots;
    known.slots.emplace_back(rules::kSlotFrom, m.from < 0 ? kNone : m.from);
    known.slots.emplace_back(rules::kSlotTo, m.to < 0 ? kNone : m.to);
    known.piece_slots.emplace_back(rules::kSlotIt, KnownPiece{m.kind, m.owner, m.removed ? -1 : m.to});
    if (h.condition.valid()) {
      const Folded holds = Fold(rules_, h.condition, known);
      if (holds.kind != Folded::Kind::kValue) return Fail("whether a handler runs depends on the position");
      if (holds.value == 0 || holds.value == kNone) continue;
    }
    if (!WritesOf(h.block, known, event.handler, out)) return Fail("what a handler does depends on the position");
  }
  return true;
}

// Handlers of the action itself and of the end of the turn.
bool FlatMaker::AddWritesAfter(int player, std::vector<FlatWrite>* out) {
  for (std::size_t i = 0; i < rules_.handlers.size(); ++i) {
    const rules::Handler& h = rules_.handlers[i];
    const bool after = h.event.op == EventOp::kAfterAction;
    if (!after && h.event.op != EventOp::kTurnEnds) continue;
    const int order = static_cast<int>(i) + (after ? 0 : kAtTurnEnd);
    for (const Setting& setting : Settings(h.free)) {
      Known known = OfPlayer(player);
      known.slots = setting;
      if (h.condition.valid()) {
        const Folded holds = Fold(rules_, h.condition, known);
        if (holds.kind != Folded::Kind::kValue) return Fail("whether a handler runs depends on the position");
        if (holds.value == 0 || holds.value == kNone) continue;
      }
      if (!WritesOf(h.block, known, order, out)) return Fail("what a handler does depends on the position");
    }
  }
  return true;
}

// Puts writes together in their order. At the end of the turn brief elements that nothing was assigned to are
// what they were in the beginning. `timeless`: without clocks that only ends read.
bool FlatMaker::Compose(std::vector<FlatWrite> writes, bool whole_turn, bool timeless, FlatChange* out) {
  std::stable_sort(writes.begin(), writes.end(),
                   [](const FlatWrite& a, const FlatWrite& b) { return a.order < b.order; });
  std::map<int, FlatWrite> last;
  for (const FlatWrite& write : writes) {
    const auto [at, fresh] = last.emplace(write.element, write);
    if (fresh || !write.adds) {
      at->second = write;
      continue;
    }
    const FlatField& field = f_.fields[static_cast<std::size_t>(write.element)];
    if (at->second.adds && (at->second.value < 0) != (write.value < 0)) return false;  // it may stop in between
    at->second.value += write.value;
    if (!at->second.adds) at->second.value = std::clamp(at->second.value, field.low, field.high);
  }
  if (whole_turn) {
    for (const int element : p_.brief) {
      FlatWrite reset;
      reset.element = element;
      reset.value = p_.initial_state[static_cast<std::size_t>(element)];
      last.emplace(element, reset);
    }
  }
  for (const auto& [element, write] : last) {
    const FlatField& field = f_.fields[static_cast<std::size_t>(element)];
    if (timeless && field.clock) continue;
    if (!write.adds) {
      if (!field.Holds(write.value)) return false;
      out->keep &= ~field.mask();
      out->set |= field.Encoded(write.value);
      continue;
    }
    if (write.value == 0) continue;
    FlatAdd add;
    add.shift = field.shift;
    add.width = field.width;
    add.amount = write.value;
    add.most = field.high - field.low;
    out->adds.push_back(add);
  }
  return true;
}

bool FlatMaker::ChangeOf(const std::vector<FlatWrite>& writes, bool whole_turn, bool timeless, int* index) {
  FlatChange change;
  if (!Compose(writes, whole_turn, timeless, &change)) return Fail("a clock goes up and down in one action");
  const auto found = std::find(f_.changes.begin(), f_.changes.end(), change);
  *index = static_cast<int>(found - f_.changes.begin());
  if (found == f_.changes.end()) {
    if (f_.changes.size() >= kMaxChanges) return Fail("movements change the state in too many ways");
    f_.changes.push_back(std::move(change));
  }
  return true;
}

// The tables of one plain statement.
bool FlatMaker::MakeMoved(int statement, int player) {
  const program::Plain& s = p_.plain[static_cast<std::size_t>(statement)];
  const rules::Action& action = rules_.actions[rules::ActionId(s.action)];
  std::vector<FlatWrite> after;
  if (!AddWritesAfter(player, &after)) return false;
  moved_writes_.insert(moved_writes_.end(), after.begin(), after.end());
  const auto cells = static_cast<std::size_t>(p_.cells);
  program::ChangeTable whole(cells * cells, 0), timeless(cells * cells, 0);
  std::vector<const rules::Effect*> effects;
  for (const rules::Step& step : action.steps) {
    if (step.op != rules::StepOp::kEffects) continue;
    for (const rules::Effect& effect : step.effects) effects.push_back(&effect);
  }
  rules::Block rest;
  // The first effect is the move itself: see StatementReader.
  for (std::size_t i = 1; i < effects.size(); ++i) rest.push_back(*effects[i]);
  std::map<std::vector<std::pair<int, int64_t>>, std::pair<int, int>> known_changes;
  for (int from = 0; from < p_.board_cells; ++from) {
    if (s.from >= 0 && !p_.set_has(s.from + player, from)) continue;
    const program::Row& row =
        p_.rows[static_cast<std::size_t>(p_.walks[static_cast<std::size_t>(s.walk)].rows + player * p_.cells + from)];
    for (int to = 0; to < p_.board_cells; ++to) {
      if (!p_.set_has(row.reach, to) || (s.within >= 0 && !p_.set_has(s.within + player, to))) continue;
      std::vector<FlatWrite> writes;
      if (!rest.empty()) {
        Known known = OfPlayer(player);
        known.has_self = true;
        known.self = KnownPiece{s.kind, player, to};
        known.slots.emplace_back(s.slot, to);
        if (!WritesOf(rest, known, -1, &writes)) return Fail("an effect of a statement depends on the position");
      }
      FlatMovement m;
      m.kind = s.kind;
      m.owner = player;
      m.from = from;
      m.to = to;
      m.by_self = true;
      if (!Events(m, player, &writes)) return false;
      std::vector<std::pair<int, int64_t>> key;
      for (const FlatWrite& w : writes) {
        key.emplace_back(w.order,
                         (int64_t{w.element} << 33) ^ (int64_t{w.adds} << 32) ^ static_cast<uint32_t>(w.value));
      }
      auto [at, fresh] = known_changes.emplace(std::move(key), std::make_pair(0, 0));
      if (fresh) {
        moved_writes_.insert(moved_writes_.end(), writes.begin(), writes.end());
        writes.insert(writes.end(), after.begin(), after.end());
        if (!ChangeOf(writes, true, false, &at->second.first) || !ChangeOf(writes, true, true, &at->second.second)) {
          return false;
        }
      }
      const std::size_t index = static_cast<std::size_t>(from) * cells + static_cast<std::size_t>(to);
      whole[index] = static_cast<uint8_t>(at->second.first);
      timeless[index] = static_cast<uint8_t>(at->second.second);
    }
  }
  const auto nothing = [](const program::ChangeTable& table) {
    return std::all_of(table.begin(), table.end(), [](uint8_t c) { return c == 0; });
  };
  if (nothing(whole)) whole.clear();
  if (nothing(timeless)) timeless.clear();
  const auto slot = static_cast<std::size_t>(statement * p_.players + player);
  f_.moved[slot] = std::move(whole);
  f_.moved_timeless[slot] = std::move(timeless);
  return true;
}

// The tables of what is removed, by code and cell.
bool FlatMaker::MakeRemoved(int player) {
  const auto cells = static_cast<std::size_t>(p_.cells);
  program::ChangeTable whole(static_cast<std::size_t>(f_.codes) * cells, 0), timeless = whole;
  bool any = false, any_timeless = false;
  for (int code = 1; code < f_.codes; ++code) {
    for (int cell = 0; cell < p_.board_cells; ++cell) {
      FlatMovement m;
      m.kind = KindOf(static_cast<Code>(code));
      m.owner = OwnerOf(static_cast<Code>(code));
      m.from = cell;
      m.removed = true;
      std::vector<FlatWrite> writes;
      if (!Events(m, player, &writes)) return false;
      if (writes.empty()) continue;
      removed_writes_.insert(removed_writes_.end(), writes.begin(), writes.end());
      int change = 0, without_clocks = 0;
      if (!ChangeOf(writes, false, false, &change) || !ChangeOf(writes, false, true, &without_clocks)) return false;
      const std::size_t at = static_cast<std::size_t>(code) * cells + static_cast<std::size_t>(cell);
      whole[at] = static_cast<uint8_t>(change);
      timeless[at] = static_cast<uint8_t>(without_clocks);
      any = any || change != 0;
      any_timeless = any_timeless || without_clocks != 0;
    }
  }
  f_.removed.push_back(any ? std::move(whole) : program::ChangeTable{});
  f_.removed_timeless.push_back(any_timeless ? std::move(timeless) : program::ChangeTable{});
  return true;
}

// May what is removed write after everything else? Only if nothing that writes to the same element comes later, or
// writes something else.
bool FlatMaker::InOrder() {
  const auto unique = [](std::vector<FlatWrite>* writes) {
    const auto key = [](const FlatWrite& w) { return std::make_tuple(w.element, w.order, w.adds, w.value); };
    std::sort(writes->begin(), writes->end(), [&](const FlatWrite& a, const FlatWrite& b) { return key(a) < key(b); });
    writes->erase(std::unique(writes->begin(), writes->end(),
                              [&](const FlatWrite& a, const FlatWrite& b) { return key(a) == key(b); }),
                  writes->end());
  };
  unique(&moved_writes_);
  unique(&removed_writes_);
  for (const FlatWrite& removed : removed_writes_) {
    for (const FlatWrite& moved : moved_writes_) {
      if (moved.element != removed.element || moved.order < removed.order) continue;
      if (!moved.adds && !removed.adds && moved.value == removed.value) continue;
      return Fail("what a capture and a movement do to the state depends on their order");
    }
    for (const FlatWrite& other : removed_writes_) {  // one action may remove several pieces
      if (other.element != removed.element) continue;
      if (other.adds != removed.adds || (!other.adds && other.value != removed.value)) {
        return Fail("what several captures do to the state depends on their order");
      }
    }
  }
  return true;
}

bool FlatMaker::MakeChanges() {
  const auto slots = p_.plain.size() * static_cast<std::size_t>(p_.players);
  f_.moved.resize(slots);
  f_.moved_timeless.resize(slots);
  f_.changes.emplace_back();
  for (int player = 0; player < p_.players; ++player) {
    if (!CollectEvents(player) || !MakeRemoved(player)) return false;
    for (const auto& statements : plan_->plain) {
      for (const int statement : statements) {
        if (!MakeMoved(statement, player)) return false;
      }
    }
  }
  std::size_t bytes = 0;
  for (const auto* tables : {&f_.moved, &f_.moved_timeless, &f_.removed, &f_.removed_timeless}) {
    for (const program::ChangeTable& table : *tables) bytes += table.size();
  }
  if (bytes > kMaxChangeBytes) return Fail("the tables of what movements change would take too much memory");
  return true;
}

}  // namespace arbiter::compile
