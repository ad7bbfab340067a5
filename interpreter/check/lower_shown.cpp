// What is told about positions: `show NAME = part, part, …` and `show zones A, B`.
//
// Lowered after all rules, so that its expressions can be told from theirs: what only a line reads counts
// neither for the repetition key nor for what can be played.
#include <fmt/format.h>

#include <algorithm>

#include "check/declare.h"
#include "check/lower.h"

namespace arbiter::check {

namespace {

// Operations whose value depends on nothing but their children.
bool IsPure(const rules::Rules& rules, const rules::Expr& e) {
  switch (e.op) {
    case Op::kConst:
    case Op::kConstSet:
    case Op::kConstCells:
    case Op::kLocal:
    case Op::kNot:
    case Op::kAnd:
    case Op::kOr:
    case Op::kImplies:
    case Op::kIf:
    case Op::kEq:
    case Op::kLt:
    case Op::kLe:
    case Op::kAdd:
    case Op::kSub:
    case Op::kIn:
    case Op::kIsEmptySet:
    case Op::kSome:
    case Op::kEvery:
    case Op::kCount:
    case Op::kFilter:
    case Op::kMakeSet:
    case Op::kUnion:
    case Op::kMinus:
    case Op::kIntersect:
    case Op::kZone:
    case Op::kOpponent:
    case Op::kNext:
    case Op::kRank:
    case Op::kFile:
    case Op::kCellAt:
    case Op::kColour:
    case Op::kDistance:
      return true;
    case Op::kExists:
      return rules.exprs[e.children[0]].type.base != Base::kPiece;
    case Op::kState:
      return rules.vars[rules::VarId(e.value)].life != rules::Variable::Life::kClock;
    default:
      return false;
  }
}

}  // namespace

void Lowerer::LowerShown() {
  shown_begin = rules.exprs.next_id();
  for (const SourceDecl& source : c.decls) {
    if (const auto* show = std::get_if<ast::ShowDecl>(&source.decl->payload)) LowerLine(*source.decl, *show);
    if (const auto* zones = std::get_if<ast::ShowZones>(&source.decl->payload)) LowerShownZones(*zones);
  }
  shown_end = rules.exprs.next_id();
}

void Lowerer::LowerLine(const ast::Decl& decl, const ast::ShowDecl& show) {
  rules::Shown made;
  made.name = show.name.text;
  made.span = decl.span;
  Scope s;
  s.frame_size = &made.frame_size;
  bool ok = true;
  for (const ast::ExprPtr& part : show.parts) {
    ExprId id = part ? Lower(s, *part, nullptr) : ExprId();
    ok = ok && id.valid();
    if (!id.valid()) continue;
    made.parts.push_back(id);
    made.written.push_back(part->span);
    const Type& have = type(id);
    if (have.base != Base::kWalk && have.base != Base::kAction) continue;
    ok = false;
    c.Error(Code::kTypeMismatch, part->span, fmt::format("{} cannot be shown", TypeText(rules, have)))
        .help.push_back("show where it leads: `reach(CELL, WALK)`");
  }
  if (show.condition) {
    made.condition = Condition(s, *show.condition);
    std::optional<bool> truth = Truth(made.condition);
    ok = ok && made.condition.valid() && truth != false;
    if (truth) made.condition = ExprId();
  }
  if (!ok) return;
  Visited seen;
  made.of_state = true;
  auto look = [&](ExprId id) {
    VisitExprs(rules, id, seen, [&](const rules::Expr& e) { made.of_state = made.of_state && IsPure(rules, e); });
  };
  for (ExprId part : made.parts) look(part);
  look(made.condition);
  rules.shown.push_back(std::move(made));
}

void Lowerer::LowerShownZones(const ast::ShowZones& zones) {
  for (const ast::Name& name : zones.names) {
    if (!name.present()) continue;
    Symbol* symbol = Use(name.text, {SymbolKind::kZone});
    if (!symbol) {
      check::UnknownName(c, name.span, "zone", name.text, {SymbolKind::kZone});
      continue;
    }
    if (symbol->broken || symbol->id < 0) continue;
    rules::ZoneId id(symbol->id);
    if (rules.zones[id].is_place) {
      Diagnostic& d = c.Error(Code::kTypeMismatch, name.span, fmt::format("`{}` is a place, not a zone", name.text));
      d.labels.push_back({symbol->span, "declared here"});
      d.help.push_back("leave it out: places are always drawn, beside the board");
      continue;
    }
    if (std::find(rules.shown_zones.begin(), rules.shown_zones.end(), id) == rules.shown_zones.end()) {
      rules.shown_zones.push_back(id);
    }
  }
}

}  // namespace arbiter::check
