// Which games have a flat form: pieces, state, laws, ends; the order in which the parts are made.
#include "compile/flat.h"

#include <algorithm>
#include <bit>

namespace arbiter::compile {

using program::FlatField;
using program::FlatTest;
using rules::EventOp;

namespace {

constexpr int kStateBits = 64;

int WidthOf(int64_t values) {
  return values <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<uint64_t>(values - 1)));
}

}  // namespace

std::vector<Code> FlatMaker::Codes(rules::KindSet kinds, rules::Side side, int player, Value of) const {
  std::vector<Code> codes;
  for (int code = 1; code < f_.codes; ++code) {
    const int owner = OwnerOf(static_cast<Code>(code));
    if (((kinds >> KindOf(static_cast<Code>(code))) & 1) == 0) continue;
    bool in = true;
    switch (side) {
      case rules::Side::kAny:
        break;
      case rules::Side::kOwn:
      case rules::Side::kMine:
        in = owner == player;
        break;
      case rules::Side::kEnemy:
        in = owner >= 0 && owner != player;
        break;
      case rules::Side::kOf:
        in = owner == of;
        break;
      case rules::Side::kNeutral:
        in = owner < 0;
        break;
    }
    if (in) codes.push_back(static_cast<Code>(code));
  }
  return codes;
}

std::vector<FlatMaker::Setting> FlatMaker::Settings(const std::vector<rules::FreeVar>& free) {
  std::vector<Setting> settings = {{}};
  for (const rules::FreeVar& name : free) {
    std::vector<Setting> more;
    for (const Setting& setting : settings) {
      for (const Value v : name.values) {
        more.push_back(setting);
        more.back().emplace_back(name.slot, v);
      }
    }
    settings = std::move(more);
  }
  return settings;
}

bool FlatMaker::FitsShape() {
  if (p_.cells != p_.board_cells) return Fail("there are places off the board");
  if (p_.phases.size() != 1) return Fail("there are several phases");
  const rules::Phase& phase = rules_.phases.front();
  if (phase.player.valid()) return Fail("the phase says who is on turn");
  if (!phase.after.empty()) return Fail("the phase does something after every turn");
  plan_ = &p_.plan(phase.turn.value);
  if (!plan_->direct) return Fail(plan_->why);
  if (!p_.nudges.empty()) return Fail("a handler may take a number out of its range");
  for (const program::Law& law : p_.laws) {
    if (law.guarded == 0) return Fail("a law has to be asked about every position");
    if (law.only) return Fail("a piece is guarded only as long as there is one of its kind");
  }
  if (p_.piece_state_size > 0) return Fail("pieces have a state of their own");
  if (p_.has_crosses) return Fail("an event asks for barriers crossed");
  if (p_.has_at_once) return Fail("an end is asked at once");
  return true;
}

// Codes of the pieces that can be: every kind with every owner that it may have.
bool FlatMaker::MakeCodes() {
  f_.by_kind.assign(static_cast<std::size_t>(p_.kinds_count * (p_.players + 1)), program::kNoPiece);
  f_.players = p_.players;
  f_.code_of.push_back({-1, -1});
  for (int kind = 0; kind < p_.kinds_count; ++kind) {
    for (int owner = -1; owner < p_.players; ++owner) {
      if (rules_.kinds[static_cast<std::size_t>(kind)].neutral != (owner < 0)) continue;
      if (f_.code_of.size() > program::kMaxCodes) return Fail("there are too many kinds of pieces");
      f_.by_kind[static_cast<std::size_t>(kind * (p_.players + 1) + owner + 1)] = static_cast<Code>(f_.code_of.size());
      f_.code_of.push_back({static_cast<int16_t>(kind), static_cast<int16_t>(owner)});
    }
  }
  f_.codes = static_cast<int>(f_.code_of.size());
  return true;
}

bool FlatMaker::MakeFields() {
  int shift = 0;
  for (const rules::Variable& var : rules_.vars) {
    if (var.type.set || var.type.base == rules::Base::kPiece) return Fail("the state holds sets or pieces");
    FlatField field;
    field.optional = var.type.optional;
    field.clock = var.life == rules::Variable::Life::kClock;
    field.low = var.type.low;
    field.high = var.type.high;
    const int64_t values = int64_t{field.high} - field.low + 1 + (field.optional ? 1 : 0);
    const int width = WidthOf(values);
    for (int i = 0; i < var.count; ++i) {
      if (width > 20 || shift + width > kStateBits - 1) return Fail("the state takes more than 63 bits");
      field.shift = static_cast<uint8_t>(shift);
      field.width = static_cast<uint8_t>(width);
      f_.fields.push_back(field);
      shift += width;
    }
  }
  return true;
}

bool FlatMaker::MakeGuards() {
  std::size_t families = 0;
  for (const auto& of_player : p_.families) families += of_player.size();
  if (families > program::kMaxFamilies) return Fail("there are too many kinds of attacks");
  rules::KindSet kinds = 0;
  for (const program::Law& law : p_.laws) kinds |= law.guarded;
  for (int player = 0; player < p_.players; ++player) {
    program::FlatSide side;
    side.guarded = Codes(kinds, rules::Side::kMine, player);
    f_.sides.push_back(std::move(side));
  }
  return true;
}

// Handlers of the beginning of a turn.
bool FlatMaker::MakeBegins() {
  for (int player = 0; player < p_.players; ++player) {
    std::vector<program::FlatHandler> begins;
    for (std::size_t i = 0; i < rules_.handlers.size(); ++i) {
      const rules::Handler& h = rules_.handlers[i];
      if (h.event.op != EventOp::kTurnBegins) continue;
      if (!h.free.empty()) return Fail("a handler of the beginning of a turn has names");
      Known known = OfPlayer(player);
      program::FlatHandler made;
      made.test = Test(h.condition, known);
      if (made.test == kNever) continue;
      if (made.test == kUnknown)
        return Fail("a handler of the beginning of a turn asks about more than pieces and state");
      std::vector<FlatWrite> writes;
      if (!WritesOf(h.block, known, 0, &writes)) return Fail("what a handler does depends on the position");
      for (const FlatWrite& write : writes) {
        const bool brief = std::find(p_.brief.begin(), p_.brief.end(), write.element) != p_.brief.end();
        if (brief && write.value != p_.initial_state[static_cast<std::size_t>(write.element)]) {
          return Fail("the beginning of a turn sets what lasts for one turn");  // it is set in the turn that begins
        }
      }
      if (!ChangeOf(writes, false, false, &made.change)) return false;
      if (ReadsClock(made.test)) return Fail("a clock decides more than ends");
      begins.push_back(made);
    }
    f_.begins.push_back(std::move(begins));
  }
  return true;
}

bool FlatMaker::MakeEnds() {
  using Kind = rules::End::Kind;
  for (std::size_t i = 0; i < rules_.ends.size(); ++i) {
    const rules::End& end = rules_.ends[i];
    if (end.kind == Kind::kNoLegalTurn) continue;  // asked when there is no move
    if (end.kind == Kind::kRepetition || end.kind == Kind::kLimit) {
      int& least = end.kind == Kind::kRepetition ? f_.repetition : f_.limit;
      least = least == 0 ? end.number : std::min(least, end.number);
      continue;
    }
    // Whose turn it is may matter: asked for every player.
    for (int player = 0; player < p_.players; ++player) {
      for (const Setting& setting : Settings(end.free)) {
        Known known = OfPlayer(player);
        known.slots = setting;
        program::FlatEnd made;
        made.mover = player;
        made.index = static_cast<int>(i);
        made.reads_clock = end.reads_clock;
        if (end.kind != Kind::kDraw) {
          const Folded who = end.player.valid() ? Fold(rules_, end.player, known) : Folded{};
          if (who.kind != Folded::Kind::kValue) return Fail("who wins by an end depends on the position");
          if (who.value == kNone) continue;
          made.player = who.value;
        }
        made.test = Test(end.condition, known);
        if (made.test == kNever) continue;
        if (made.test == kUnknown) return Fail("an end asks about more than pieces and state");
        if (!made.reads_clock && ReadsClock(made.test)) return Fail("a clock decides more than ends");
        f_.ends.push_back(made);
      }
    }
  }
  return true;
}

void FlatMaker::Make() {
  const bool made = [&] {
    if (!FitsShape() || !MakeCodes() || !MakeFields() || !MakeGuards() || !MakeChanges()) return false;
    for (int player = 0; player < p_.players; ++player) {
      if (!MakeMovers(player) || !MakeCases(player)) return false;
    }
    if (!MakeBegins() || !MakeEnds() || !InOrder()) return false;
    for (const program::FlatSide& side : f_.sides) {
      for (const program::FlatMover& mover : side.movers) {
        if (ReadsClock(mover.test)) return Fail("a clock decides more than ends");
      }
    }
    uint64_t clocks = 0;
    for (const FlatField& field : f_.fields) {
      if (field.clock) clocks |= field.mask();
    }
    for (const program::FlatCase& c : f_.cases) {
      const bool reads = std::any_of(c.tests.begin(), c.tests.end(), [&](int test) { return ReadsClock(test); });
      if (reads || (c.mask & clocks) != 0) return Fail("a clock decides more than ends");
    }
    return true;
  }();
  f_.usable = made;
  if (made) {
    f_.why = "one action a turn; what it changes is known beforehand";
    return;
  }
  Flat nothing;
  nothing.why = f_.why;
  f_ = std::move(nothing);
}

void MakeFlat(Builder& b, Tables& tables, const WalkRelations& relations) { FlatMaker(b, tables, relations).Make(); }

}  // namespace arbiter::compile
