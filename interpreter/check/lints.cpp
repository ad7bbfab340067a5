// Warnings and notes about checked rules (language A8): what is allowed and probably not meant.
//
// Names that nothing uses, pieces that never move, phases that are never reached or never left, games
// without an end, cells that cannot be entered, zones that break the symmetry of the game. Walks have
// a file of their own, lint_walks.cpp.
#include "check/lints.h"

#include <fmt/format.h>

#include <algorithm>

#include "board/graph.h"
#include "check/lower.h"
#include "check/passes.h"

namespace arbiter::check {

namespace {

// ---- names -------------------------------------------------------------------------------------

bool LintsUse(const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::kOption:
    case SymbolKind::kZone:
    case SymbolKind::kStateVar:
    case SymbolKind::kPieceVar:
    case SymbolKind::kAttribute:
    case SymbolKind::kDirectionSet:
    case SymbolKind::kAction:
    case SymbolKind::kDefine:
    case SymbolKind::kWalk:
    case SymbolKind::kEffect:
    case SymbolKind::kTurn:
    case SymbolKind::kClass:
      return true;
    default:
      return false;
  }
}

void UnusedNames(Context& c) {
  Lowerer& lowerer = LowererOf(c);
  for (const std::unique_ptr<Symbol>& symbol : c.symbols.all()) {
    if (symbol->library || symbol->broken || !symbol->decl || !LintsUse(*symbol)) continue;
    if (symbol->uses == 0) {
      std::string_view verb = symbol->kind == SymbolKind::kAction ? "played by no turn" : "never used";
      c.Warning(Code::kNameUnused, symbol->span,
                fmt::format("the {} `{}` is {}", SymbolKindName(symbol->kind), symbol->name, verb))
          .help.push_back("use it, or delete it");
    } else if (symbol->kind == SymbolKind::kAction && !lowerer.reached_actions.contains(symbol.get())) {
      c.Warning(Code::kNameUnused, symbol->span, fmt::format("no turn can reach the action `{}`", symbol->name))
          .help.push_back("name it in a turn, give it to a piece with `can`, or delete it");
    }
  }
}

// ---- what effects do -----------------------------------------------------------------------------

struct Reach {
  std::set<Value> phases;  // named by `goto`
  bool any_phase = false;  // a `goto` that is known only in play
  bool ends = false;       // win, lose, draw, result
  bool moves = false;      // pieces go somewhere
  bool removes = false;
};

void Collect(const rules::Rules& rules, const rules::Block& block, Reach& reach) {
  for (const rules::Effect& e : block) {
    switch (e.op) {
      case rules::EffectOp::kGoto:
        if (rules.exprs[e.a].op == Op::kConst) {
          reach.phases.insert(rules.exprs[e.a].value);
        } else {
          reach.any_phase = true;
        }
        break;
      case rules::EffectOp::kWin:
      case rules::EffectOp::kLose:
      case rules::EffectOp::kDraw:
      case rules::EffectOp::kResult:
        reach.ends = true;
        break;
      case rules::EffectOp::kMove:
      case rules::EffectOp::kMoveToPlace:
      case rules::EffectOp::kPut:
      case rules::EffectOp::kSwap:
      case rules::EffectOp::kPlace:
      case rules::EffectOp::kSetUp:
        reach.moves = true;
        break;
      case rules::EffectOp::kRemove:
        reach.removes = true;
        break;
      default:
        break;
    }
    Collect(rules, e.body, reach);
    Collect(rules, e.otherwise, reach);
  }
}

void Collect(const rules::Rules& rules, const std::vector<rules::Step>& steps, Reach& reach) {
  for (const rules::Step& step : steps) {
    Collect(rules, step.effects, reach);
    Collect(rules, step.body, reach);
    Collect(rules, step.otherwise, reach);
    for (ActionId action : step.actions) Collect(rules, rules.actions[action].steps, reach);
  }
}

// ---- turns and phases ----------------------------------------------------------------------------

struct TurnReach {
  std::set<int> states;
  std::set<int> actions;
};

void Follow(const rules::Rules& rules, OfferId offer, std::vector<TurnStateId>& next, TurnReach& reach) {
  if (!offer.valid()) return;
  const rules::Offer& o = rules.offers[offer];
  for (ActionId action : o.actions) reach.actions.insert(action.value);
  if (o.next.valid() && !o.actions.empty()) next.push_back(o.next);
  for (OfferId part : o.parts) Follow(rules, part, next, reach);
}

TurnReach ReachOf(const rules::Rules& rules, TurnStateId start) {
  TurnReach reach;
  std::vector<TurnStateId> open{start};
  while (!open.empty()) {
    TurnStateId state = open.back();
    open.pop_back();
    if (!state.valid() || !reach.states.insert(state.value).second) continue;
    Follow(rules, rules.turn_states[state].offer, open, reach);
  }
  return reach;
}

// Whether a turn can be over here or after actions that exist.
bool CanComplete(const rules::Rules& rules, OfferId offer, const std::vector<bool>& complete) {
  if (!offer.valid()) return false;
  const rules::Offer& o = rules.offers[offer];
  switch (o.kind) {
    case rules::Offer::Kind::kAccept:
      return true;
    case rules::Offer::Kind::kPlay:
      return !o.actions.empty() && o.next.valid() && complete[o.next.index()];
    default:
      return std::any_of(o.parts.begin(), o.parts.end(),
                         [&](OfferId part) { return CanComplete(rules, part, complete); });
  }
}

std::vector<bool> CompletePlaces(const rules::Rules& rules) {
  std::vector<bool> complete(rules.turn_states.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < complete.size(); ++i) {
      if (complete[i] || !CanComplete(rules, rules.turn_states[TurnStateId(i)].offer, complete)) continue;
      complete[i] = changed = true;
    }
  }
  return complete;
}

bool Applies(uint64_t phases, std::size_t phase) { return phases == 0 || (phases >> phase & 1); }

void Phases(Context& c) {
  const rules::Rules& rules = c.rules;
  std::vector<bool> complete = CompletePlaces(rules);
  std::vector<Reach> out(rules.phases.size());
  bool ends_anywhere = !rules.ends.empty();
  for (std::size_t p = 0; p < rules.phases.size(); ++p) {
    const rules::Phase& phase = rules.phases[p];
    for (int action : ReachOf(rules, phase.turn).actions) {
      Collect(rules, rules.actions[ActionId(action)].steps, out[p]);
    }
    Collect(rules, phase.after, out[p]);
    for (const rules::Handler& handler : rules.handlers) {
      if (Applies(handler.phases, p)) Collect(rules, handler.block, out[p]);
    }
    for (const rules::End& end : rules.ends) {
      if (Applies(end.phases, p)) out[p].ends = true;
    }
    ends_anywhere = ends_anywhere || out[p].ends;
    bool stuck_end = std::any_of(rules.ends.begin(), rules.ends.end(), [&](const rules::End& end) {
      return end.kind == rules::End::Kind::kNoLegalTurn && Applies(end.phases, p);
    });
    if (phase.turn.valid() && !complete[phase.turn.index()]) {
      Span span = phase.span.valid() ? phase.span : GameSpan(c);
      Diagnostic& d = stuck_end ? c.Warning(Code::kTurnIncomplete, span, "") : c.Error(Code::kTurnIncomplete, span, "");
      d.message = phase.name.empty() || rules.phases.size() == 1
                      ? "this turn can never be completed"
                      : fmt::format("the turn of the phase `{}` can never be completed", phase.name);
      const std::vector<ast::Name>& empty = LowererOf(c).empty_atoms;
      if (!empty.empty()) {
        d.labels.push_back({empty[0].span, fmt::format("no piece and no player has `{}`", empty[0].text)});
      } else {
        d.notes.push_back("every way through it needs an action that no piece and no player has");
      }
    }
  }
  if (!ends_anywhere) {
    c.Warning(Code::kGameEndless, GameSpan(c), "nothing ends this game")
        .help.push_back("say for example `win p when …`, `draw when repetition 3` or `when no legal turn { … }`");
    return;
  }
  if (rules.phases.size() < 2) return;
  std::set<std::size_t> reached;
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    std::size_t p = open.back();
    open.pop_back();
    if (!reached.insert(p).second) continue;
    for (Value next : out[p].phases) open.push_back(static_cast<std::size_t>(next));
    if (!out[p].any_phase) continue;
    // A phase kept in a variable: any that is assigned to one somewhere; all, to be on the safe side.
    for (std::size_t q = 0; q < rules.phases.size(); ++q) open.push_back(q);
  }
  for (std::size_t p = 0; p < rules.phases.size(); ++p) {
    const rules::Phase& phase = rules.phases[p];
    Symbol* symbol = c.symbols.Find(phase.name);
    Span span = symbol && symbol->kind == SymbolKind::kPhase ? symbol->span : phase.span;
    if (!reached.contains(p)) {
      c.Warning(Code::kPhaseUnreached, span, fmt::format("no `goto` leads to the phase `{}`", phase.name))
          .notes.push_back(fmt::format("the game begins in `{}`, the first phase of the file", rules.phases[0].name));
    } else if (out[p].phases.empty() && !out[p].any_phase && !out[p].ends) {
      c.Warning(Code::kPhaseEndless, span,
                fmt::format("the phase `{}` is never left, and nothing ends the game in it", phase.name));
    }
  }
}

// ---- pieces ------------------------------------------------------------------------------------

Span KindSpan(const Context& c, std::size_t kind) {
  for (const std::unique_ptr<Symbol>& symbol : c.symbols.all()) {
    if (symbol->kind == SymbolKind::kKind && symbol->id == static_cast<int>(kind)) return symbol->span;
  }
  return c.rules.kinds[kind].span;
}

bool IsLibraryKind(const Context& c, std::size_t kind) {
  return std::any_of(c.symbols.all().begin(), c.symbols.all().end(), [&](const std::unique_ptr<Symbol>& symbol) {
    return symbol->kind == SymbolKind::kKind && symbol->id == static_cast<int>(kind) && symbol->library;
  });
}

void Pieces(Context& c) {
  const rules::Rules& rules = c.rules;
  KindSet active = 0;
  bool general = false;  // actions that move pieces as they like
  for (const rules::Offer& offer : rules.offers) {
    for (ActionId id : offer.actions) {
      const rules::Action& action = rules.actions[id];
      active |= action.kinds;
      Reach reach;
      Collect(rules, action.steps, reach);
      general = general || (!action.has_self && reach.moves);
    }
  }
  for (ActionId id : LowererOf(c).piece_statements) active |= rules.actions[id].kinds;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    const rules::Kind& kind = rules.kinds[k];
    if (IsLibraryKind(c, k)) continue;
    bool acts = active >> k & 1;
    if (kind.fixed && acts) {
      c.Warning(Code::kPieceFixed, KindSpan(c, k), fmt::format("`{}` is fixed, but has a move of its own", kind.name));
    } else if (!kind.fixed && !kind.neutral && !acts && !general) {
      Diagnostic& d = c.Warning(Code::kPieceIdle, KindSpan(c, k), fmt::format("`{}` never moves", kind.name));
      d.help.push_back("give it a move, or say `fixed piece` if that is meant");
    }
    for (const rules::Promotion& promotion : kind.promotions) {
      bool itself =
          std::find(promotion.kinds.begin(), promotion.kinds.end(), static_cast<int>(k)) != promotion.kinds.end();
      if (itself) {
        c.Warning(Code::kPromotionIdle, promotion.span, fmt::format("`{}` may become what it is", kind.name))
            .help.push_back("a promotion that may be left out is `optional`");
      }
    }
  }
}

// A general action that takes as a piece takes, by coming to stand where an enemy stood, is no attack
// unless it says so.
void Attacks(Context& c) {
  const rules::Rules& rules = c.rules;
  bool asked =
      std::any_of(rules.exprs.begin(), rules.exprs.end(), [](const rules::Expr& e) { return e.op == Op::kAttacked; });
  if (!asked) return;
  for (const Symbol* symbol : LowererOf(c).reached_actions) {
    const auto* decl = symbol->decl ? std::get_if<ast::Action>(&symbol->decl->payload) : nullptr;
    if (!decl || symbol->library || decl->steps.empty()) continue;
    bool threatens = std::any_of(decl->steps.begin(), decl->steps.end(),
                                 [](const ast::Step& s) { return s.kind == ast::StepKind::kThreatens; });
    bool onto_enemy = std::any_of(decl->steps.begin(), decl->steps.end(), [](const ast::Step& s) {
      if (!s.query || !s.query->onto) return false;
      const auto& terms = s.query->onto->children;
      return std::any_of(terms.begin(), terms.end(), [](const ast::ExprPtr& term) {
        return term && !term->words.empty() && term->words[0].text == "enemy";
      });
    });
    bool removes = std::any_of(decl->steps.begin(), decl->steps.end(), [](const ast::Step& s) {
      return std::any_of(s.block.begin(), s.block.end(),
                         [](const ast::Effect& e) { return e.kind == ast::EffectKind::kRemove; });
    });
    if (threatens || !onto_enemy || !removes) continue;
    Diagnostic& d = c.sink.Add(diagnostics::Severity::kNote, Code::kAttackDiffers, symbol->span,
                               fmt::format("`{}` takes, but attacks nothing", symbol->name));
    d.notes.push_back("`attacked` knows `take` and `threaten` statements; a general action attacks what it says");
    d.help.push_back("if it should count as an attack, add `threatens reach(self, WALK)`");
  }
}

// ---- board and zones -----------------------------------------------------------------------------

std::string ListCells(const board::Board& board, const CellSet& cells) {
  std::vector<std::string> names;
  for (int cell = 0; cell < board.size() && names.size() < 9; ++cell) {
    if (cells.test(static_cast<std::size_t>(cell))) names.push_back(board.name(cell));
  }
  std::string more = cells.count() > 8 ? " …" : "";
  if (names.size() > 8) names.resize(8);
  return fmt::format("{}{}", fmt::join(names, " "), more);
}

void BoardCells(Context& c) {
  const board::Board& board = c.board();
  if (board.board_size() < 2) return;
  Span span;
  for (const SourceDecl& source : c.decls) {
    if (const auto* decl = std::get_if<ast::Board>(&source.decl->payload)) {
      span = decl->items.empty() ? source.decl->span : decl->items[0].span;
    }
  }
  // With leaps: a cell that only a leap enters is entered.
  board::LabelSet labels = board::Labels(board, true);
  CellSet never = board::Unreachable(board, labels);
  if (never.any()) {
    c.Warning(Code::kBoardUnreachable, span, fmt::format("no step enters {}", ListCells(board, never)));
  }
  CellSet ends = board::DeadEnds(board, labels);
  if (ends.any()) {
    c.Warning(Code::kBoardDeadEnd, span, fmt::format("no way leads back from {}", ListCells(board, ends)));
  }
}

CellSet Image(const CellSet& cells, const board::Symmetry& symmetry) {
  CellSet image;
  for (std::size_t cell = 0; cell < symmetry.cells.size(); ++cell) {
    if (cells.test(cell)) image.set(static_cast<std::size_t>(symmetry.cells[cell]));
  }
  return image;
}

// Does the first set-up look the same for the other player? Neutral pieces may stand anywhere.
bool KeepsSetup(const rules::Rules& rules, const board::Symmetry& symmetry) {
  const std::vector<rules::SetupPiece>& pieces = rules.setups[rules.start].pieces;
  std::set<std::tuple<int, int, Value>> placed;
  for (const rules::SetupPiece& p : pieces) placed.emplace(p.cell, p.kind, p.owner);
  return std::all_of(pieces.begin(), pieces.end(), [&](const rules::SetupPiece& p) {
    if (p.owner == kNone || p.cell < 0 || p.cell >= static_cast<int>(symmetry.cells.size())) return true;
    return placed.contains({symmetry.cells[static_cast<std::size_t>(p.cell)], p.kind, 1 - p.owner});
  });
}

bool KeepsZone(const rules::Zone& zone, const board::Symmetry& symmetry) {
  int players = -1;
  std::size_t stride = 1, player_stride = 0;
  for (std::size_t i = zone.index.size(); i-- > 0;) {
    if (zone.index_types[i].base == Base::kPlayer && zone.index[i].size() == 2) {
      if (players >= 0) return true;
      players = static_cast<int>(i);
      player_stride = stride;
    }
    stride *= zone.index[i].size();
  }
  if (players < 0) return true;
  for (std::size_t flat = 0; flat < zone.cells.size(); ++flat) {
    bool second = flat / player_stride % 2 == 1;
    std::size_t other = second ? flat - player_stride : flat + player_stride;
    if (Image(zone.cells[flat], symmetry) != zone.cells[other]) return false;
  }
  return true;
}

void ZoneSymmetry(Context& c) {
  const rules::Rules& rules = c.rules;
  bool by_player = std::any_of(rules.zones.begin(), rules.zones.end(), [](const rules::Zone& zone) {
    return !zone.is_place && std::any_of(zone.index_types.begin(), zone.index_types.end(),
                                         [](const Type& t) { return t.base == Base::kPlayer; });
  });
  if (!by_player || rules.player_count() != 2 || !rules.start.valid()) return;
  std::vector<board::Symmetry> kept;
  for (board::Symmetry& symmetry : board::FindSymmetries(c.board(), 200'000, 64).found) {
    if (board::KeepsFrames(c.board(), symmetry, {1, 0}) && KeepsSetup(rules, symmetry)) {
      kept.push_back(std::move(symmetry));
    }
  }
  if (kept.empty()) return;
  for (const rules::Zone& zone : rules.zones) {
    bool told = std::any_of(c.sink.all().begin(), c.sink.all().end(), [&](const Diagnostic& d) {
      return d.code == Code::kZoneIncomplete && d.span == zone.span;
    });
    if (zone.is_place || told) continue;
    bool closed = std::any_of(kept.begin(), kept.end(), [&](const board::Symmetry& s) { return KeepsZone(zone, s); });
    if (closed) continue;
    c.sink
        .Add(diagnostics::Severity::kNote, Code::kZoneAsymmetric, zone.span,
             fmt::format("the zone `{}` is not the same for both players", zone.name))
        .notes.push_back("the board and the set-up are: laid onto themselves, they change only the players");
  }
}

}  // namespace

void Lint(Context& c) {
  UnusedNames(c);
  Phases(c);
  Pieces(c);
  Attacks(c);
  LintWalks(c);
  BoardCells(c);
  ZoneSymmetry(c);
}

}  // namespace arbiter::check
