// Puts a Program together from checked rules, part by part.
#include "compile/compile.h"

#include <algorithm>

#include "base/check.h"
#include "compile/builder.h"
#include "compile/fold.h"
#include "rules/snapshot.h"

namespace arbiter::compile {

// ---- Builder -------------------------------------------------------------------------------------

namespace {

SetWords WordsOf(const CellSet& cells, int words) {
  static const CellSet kWord(~0ULL);
  SetWords made{};
  for (int i = 0; i < words; ++i) {
    made[static_cast<std::size_t>(i)] = ((cells >> static_cast<std::size_t>(64 * i)) & kWord).to_ullong();
  }
  return made;
}

void AppendSet(Program& program, const SetWords& set) {
  program.sets.insert(program.sets.end(), set.begin(), set.begin() + program.words);
}

int SetCount(const Program& program) { return static_cast<int>(program.sets.size()) / program.words; }

}  // namespace

int Builder::AddSet(const CellSet& cells) {
  const SetWords words = WordsOf(cells, program.words);
  const auto [at, added] = set_index.try_emplace(words, SetCount(program));
  if (added) AppendSet(program, words);
  return at->second;
}

int Builder::AddSets(const std::vector<CellSet>& sets) {
  const int first = SetCount(program);
  for (const CellSet& s : sets) AppendSet(program, WordsOf(s, program.words));
  return first;
}

int Builder::AddList(const std::vector<Value>& values) {
  const auto [at, added] = list_index.try_emplace(values, static_cast<int>(program.lists.size()));
  if (added) program.lists.push_back(values);
  return at->second;
}

int Builder::AddKinds(rules::KindSet kinds) {
  const auto [at, added] = kind_index.try_emplace(kinds, static_cast<int>(program.kind_sets.size()));
  if (added) program.kind_sets.push_back(kinds);
  return at->second;
}

int Builder::AddIndexMap(const std::vector<Value>& values) {
  const auto [at, added] = map_index.try_emplace(values, static_cast<int>(program.index_maps.size()));
  if (!added) return at->second;
  program::IndexMap map;
  if (!values.empty()) {
    map.low = *std::min_element(values.begin(), values.end());
    const Value high = *std::max_element(values.begin(), values.end());
    map.ordinals.assign(static_cast<std::size_t>(high - map.low + 1), -1);
    for (std::size_t i = values.size(); i-- > 0;) {
      map.ordinals[static_cast<std::size_t>(values[i] - map.low)] = static_cast<int16_t>(i);
    }
  }
  program.index_maps.push_back(std::move(map));
  return at->second;
}

// ---- parts ---------------------------------------------------------------------------------------

namespace {

// Functions that share a frame have room for the largest.
void ShareFrame(std::vector<Function*> functions) {
  Function most;
  int named = 0;
  for (const Function* f : functions) {
    most.values = std::max(most.values, f->values);
    most.cells = std::max(most.cells, f->cells);
    most.lists = std::max(most.lists, f->lists);
    most.slots = std::max(most.slots, f->slots);
    if (f->present()) named = std::max(named, f->named);
  }
  for (Function* f : functions) {
    f->values = most.values;
    f->cells = most.cells;
    f->lists = most.lists;
    f->slots = most.slots;
    f->named = named;
  }
}

void MakeBoard(Builder& b) {
  Program& p = b.program;
  const Rules& rules = b.rules;
  p.board = rules.board;
  p.cells = rules.board.size();
  p.board_cells = rules.board.board_size();
  p.players = rules.player_count();
  p.kinds_count = static_cast<int>(rules.kinds.size());
  p.all_kinds = p.kinds_count >= 64 ? ~rules::KindSet{0} : (rules::KindSet{1} << p.kinds_count) - 1;
  p.words = p.cells <= 64 ? 1 : p.cells <= 128 ? 2 : 4;
  p.board_set = b.AddSet(rules.board.cells());
  p.place_first.resize(static_cast<std::size_t>(p.cells));
  p.place_size.assign(static_cast<std::size_t>(p.cells), 0);
  for (int c = 0; c < p.cells; ++c) p.place_first[static_cast<std::size_t>(c)] = static_cast<int16_t>(c);
  for (const rules::Zone& zone : rules.zones) {
    if (!zone.is_place) continue;
    for (const CellSet& place : zone.cells) {
      const std::size_t first = place._Find_first();
      if (first >= place.size()) continue;
      p.place_size[first] = static_cast<int16_t>(place.count());
      for (std::size_t c = first; c < place.size(); c = place._Find_next(c)) {
        p.place_first[c] = static_cast<int16_t>(first);
      }
    }
  }
}

program::Variable VariableOf(const rules::Variable& from) {
  program::Variable var;
  var.name = from.name;
  var.offset = from.offset;
  var.count = from.count;
  var.brief = from.life == rules::Variable::Life::kBrief;
  var.clock = from.life == rules::Variable::Life::kClock;
  var.type = from.type;
  var.span = from.span;
  return var;
}

void MakeState(Builder& b) {
  Program& p = b.program;
  const Rules& rules = b.rules;
  p.state_size = rules.state_size;
  p.piece_state_size = rules.piece_state_size;
  p.initial_state.assign(static_cast<std::size_t>(p.state_size), kNone);
  p.initial_piece_state.assign(static_cast<std::size_t>(p.piece_state_size), kNone);
  p.state_in_key.assign(static_cast<std::size_t>(p.state_size), false);
  for (const rules::Variable& from : rules.vars) {
    for (int i = 0; i < from.count; ++i) {
      const auto at = static_cast<std::size_t>(from.offset + i);
      if (static_cast<std::size_t>(i) < from.initial.size())
        p.initial_state[at] = from.initial[static_cast<std::size_t>(i)];
      p.state_in_key[at] = from.in_key;
      if (from.life == rules::Variable::Life::kBrief) p.brief.push_back(from.offset + i);
    }
    p.vars.push_back(VariableOf(from));
  }
  for (const rules::Variable& from : rules.piece_vars) {
    for (int i = 0; i < from.count; ++i) {
      const auto at = static_cast<std::size_t>(from.offset + i);
      if (static_cast<std::size_t>(i) < from.initial.size()) {
        p.initial_piece_state[at] = from.initial[static_cast<std::size_t>(i)];
      }
      (from.in_key ? p.piece_state_key : p.piece_state_rest).push_back(from.offset + i);
    }
    p.piece_vars.push_back(VariableOf(from));
  }
  for (int kind = 0; kind < p.kinds_count; ++kind) {
    for (int owner = -1; owner < p.players; ++owner) {
      for (int cell = 0; cell <= p.cells; ++cell) {
        const Value numbers[4] = {1, cell == p.cells ? kNone : p.place_first[static_cast<std::size_t>(cell)], kind,
                                  owner < 0 ? kNone : owner};
        p.piece_features.push_back(rules::Feature(numbers, 4));
      }
    }
  }
  for (int i = 0; i < p.state_size; ++i) {
    const Value numbers[2] = {2, i};
    p.state_features.push_back(rules::Feature(numbers, 2));
  }
}

void MakeKinds(Builder& b) {
  Program& p = b.program;
  const Rules& rules = b.rules;
  for (const rules::Kind& from : rules.kinds) {
    program::Kind kind;
    kind.name = from.name;
    kind.may_be_off_board = from.may_be_off_board;
    kind.fixed = from.fixed;
    for (const rules::Promotion& promotion : from.promotions) {
      program::Promotion made;
      made.kinds = promotion.kinds;
      made.optional = promotion.optional;
      made.zone = CompileCells(b, promotion.zone, promotion.frame_size);
      made.condition = CompileValue(b, promotion.condition, promotion.frame_size);
      std::vector<CellSet> zones;
      for (int player = 0; player < p.players; ++player) {
        Known known;
        known.has_player = true;
        known.player = player;
        const Folded zone = Fold(rules, promotion.zone, known);
        if (zone.kind == Folded::Kind::kCells) zones.push_back(zone.cells);
      }
      if (static_cast<int>(zones.size()) == p.players) made.static_zone = b.AddSets(zones);
      kind.promotions.push_back(std::move(made));
    }
    p.kinds.push_back(std::move(kind));
  }
  p.attributes.resize(rules.attributes.size() * rules.kinds.size());
  for (std::size_t a = 0; a < rules.attributes.size(); ++a) {
    for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
      const auto& given = rules.kinds[k].attributes;
      if (a < given.size()) p.attributes[a * rules.kinds.size() + k] = given[a];
    }
  }
  for (const auto& map : rules.walk_maps) {
    std::vector<Value> values;
    for (const rules::WalkId id : map) values.push_back(id.valid() ? id.value : kNone);
    p.walk_maps.push_back(std::move(values));
  }
}

void MakeActions(Builder& b) {
  Program& p = b.program;
  for (const rules::Action& from : b.rules.actions) {
    program::Action action;
    CompileAction(b, from, &action);
    std::vector<Function*> functions{&action.function};
    for (program::Action::Part& part : action.written) functions.push_back(&part.value);
    ShareFrame(functions);
    p.actions.push_back(std::move(action));
  }
  for (const rules::Handler& from : b.rules.handlers) {
    program::Handler handler;
    CompileHandler(b, from, &handler);
    ShareFrame({&handler.match, &handler.condition, &handler.block});
    p.has_turn_begins = p.has_turn_begins || handler.op == rules::EventOp::kTurnBegins;
    p.has_turn_ends = p.has_turn_ends || handler.op == rules::EventOp::kTurnEnds;
    p.has_crosses = p.has_crosses || handler.op == rules::EventOp::kCrosses;
    p.handlers.push_back(std::move(handler));
  }
  for (const rules::Attack& from : b.rules.attacks) {
    program::Attack attack;
    attack.kinds = from.kinds;
    attack.walk = from.walk.value;
    attack.cells = CompileCells(b, from.cells, from.frame_size);
    attack.from = CompileCells(b, from.from, from.frame_size);
    attack.to = CompileCells(b, from.to, from.frame_size);
    attack.condition = CompileValue(b, from.condition, from.frame_size);
    p.attacks.push_back(std::move(attack));
  }
}

void MakeLawsAndEnds(Builder& b) {
  Program& p = b.program;
  for (const rules::Law& from : b.rules.laws) {
    program::Law law;
    law.scope = from.scope;
    law.free = from.free;
    law.phases = from.phases;
    law.condition = CompileValue(b, from.condition, from.frame_size);
    law.actor_slot = from.actor_slot;
    law.asks_stuck = from.asks_stuck;
    p.has_turn_laws = p.has_turn_laws || law.scope == rules::Law::Scope::kTurnEnd;
    p.laws.push_back(std::move(law));
  }
  for (const rules::End& from : b.rules.ends) {
    program::End end;
    end.kind = from.kind;
    end.at_once = from.at_once;
    end.reads_clock = from.reads_clock;
    end.free = from.free;
    end.phases = from.phases;
    end.player = CompileValue(b, from.player, from.frame_size);
    end.condition = CompileValue(b, from.condition, from.frame_size);
    end.block = CompileBlock(b, from.block, from.frame_size);
    end.number = from.number;
    end.span = from.span;
    // A frame even where nothing is asked: the free names need their slots.
    Function frame;
    frame.values = frame.cells = frame.lists = from.frame_size + 1;
    ShareFrame({&end.player, &end.condition, &end.block, &frame});
    p.has_at_once = p.has_at_once || end.at_once;
    const bool counted = end.kind == rules::End::Kind::kRepetition || end.kind == rules::End::Kind::kLimit;
    p.has_plain_ends = p.has_plain_ends || (!end.reads_clock && !counted && end.kind != rules::End::Kind::kNoLegalTurn);
    p.ends.push_back(std::move(end));
  }
}

void CollectActions(const Rules& rules, rules::OfferId id, std::vector<int>* out) {
  const rules::Offer& offer = rules.offers[id];
  for (const rules::ActionId a : offer.actions) out->push_back(a.value);
  for (const rules::OfferId part : offer.parts) CollectActions(rules, part, out);
}

void MakeTurns(Builder& b) {
  Program& p = b.program;
  const Rules& rules = b.rules;
  for (const rules::Offer& from : rules.offers) {
    program::Offer offer;
    offer.kind = from.kind;
    for (const rules::OfferId part : from.parts) offer.parts.push_back(part.value);
    offer.condition = CompileValue(b, from.condition, from.frame_size);
    for (const rules::ActionId a : from.actions) offer.actions.push_back(a.value);
    offer.next = from.next.value;
    offer.by = from.by;
    p.offers.push_back(std::move(offer));
  }
  for (const rules::TurnState& from : rules.turn_states) {
    program::TurnState state;
    state.offer = from.offer.value;
    state.in_longest = from.in_longest;
    state.name = from.name;
    state.accept_only = rules.offers[from.offer].kind == rules::Offer::Kind::kAccept;
    p.turn_states.push_back(std::move(state));
  }
  for (const rules::Phase& from : rules.phases) {
    program::Phase phase;
    phase.name = from.name;
    phase.player = CompileValue(b, from.player, from.frame_size);
    phase.turn = from.turn.value;
    phase.after = CompileBlock(b, from.after, from.frame_size);
    phase.span = from.span;
    std::vector<int> first;
    CollectActions(rules, rules.turn_states[from.turn].offer, &first);
    p.first_actions.push_back(std::move(first));
    p.phases.push_back(std::move(phase));
  }
  for (const rules::Setup& setup : rules.setups) p.setups.push_back(setup);
  p.start = rules.start;
  p.lookahead_budget = rules.lookahead_budget;
}

}  // namespace

std::shared_ptr<const Program> Compile(const Rules& rules, program::TableIndex index) {
  auto program = std::make_shared<Program>();
  program->index = index;
  Builder b{rules, *program, {}, {}, {}, {}, {}, {}};
  MakeBoard(b);
  MakeState(b);
  MakeKinds(b);
  Tables tables(b);
  WalkRelations relations;
  CompileWalks(b, tables, &relations);
  MakeActions(b);
  MakeLawsAndEnds(b);
  MakeTurns(b);
  FoldAttacks(b, tables, relations);
  RecogniseLaws(b);
  MakeHandlerCases(b);
  RecogniseStatements(b);
  PlanOffers(b);
  MakeFlat(b, tables, relations);
  program->spans.resize(program->code.size());
  int widest = 1;
  for (const program::Walk& w : program->walks) {
    for (const auto* slots : {&w.frame_values, &w.frame_cells, &w.frame_lists}) {
      for (const int slot : *slots) widest = std::max(widest, slot + 1);
    }
  }
  for (const rules::End& end : rules.ends) widest = std::max(widest, end.frame_size + 1);
  program->widest_frame.values = program->widest_frame.cells = program->widest_frame.lists = widest;
  const std::string wrong = program::Verify(*program);
  ARBITER_CHECK(wrong.empty());
  return program;
}

}  // namespace arbiter::compile
