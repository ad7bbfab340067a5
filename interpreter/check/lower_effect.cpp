// Effects (language B16) and templates of effects.
#include <fmt/format.h>

#include <algorithm>

#include "check/declare.h"
#include "check/lower.h"

namespace arbiter::check {

using rules::EffectOp;

void Lowerer::LowerBlock(const Scope& s, const ast::Block& block, rules::Block& out) {
  for (const ast::Effect& effect : block) LowerEffect(s, effect, out);
}

bool Lowerer::InlineEffect(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                           rules::Block& out) {
  const auto* decl = symbol.decl ? std::get_if<ast::EffectDecl>(&symbol.decl->payload) : nullptr;
  if (!decl || symbol.broken) return false;
  Scope inner = TemplateScope(s);
  if (!BindParameters(inner, s, decl->params, args, span, symbol)) return false;
  if (!Enter(symbol, span)) return false;
  LowerBlock(inner, decl->block, out);
  Leave();
  return true;
}

namespace {

EffectOp PlainOp(ast::EffectKind kind) {
  switch (kind) {
    case ast::EffectKind::kLift:
      return EffectOp::kLift;
    case ast::EffectKind::kPut:
      return EffectOp::kPut;
    case ast::EffectKind::kRemove:
      return EffectOp::kRemove;
    case ast::EffectKind::kSwap:
      return EffectOp::kSwap;
    case ast::EffectKind::kBecomes:
      return EffectOp::kBecomes;
    case ast::EffectKind::kJoins:
      return EffectOp::kJoins;
    case ast::EffectKind::kGoto:
      return EffectOp::kGoto;
    case ast::EffectKind::kWin:
      return EffectOp::kWin;
    case ast::EffectKind::kLose:
      return EffectOp::kLose;
    default:
      return EffectOp::kDraw;
  }
}

}  // namespace

void Lowerer::LowerEffect(const Scope& s, const ast::Effect& e, rules::Block& out) {
  if (!Spend(e.span)) return;
  rules::Effect made;
  made.span = e.span;
  made.op = PlainOp(e.kind);
  auto read = [&](const ast::ExprPtr& written, const Type& want) {
    return written ? Lower(s, *written, want) : ExprId();
  };
  bool ok = true;
  switch (e.kind) {
    case ast::EffectKind::kError:
      return;
    case ast::EffectKind::kMove: {
      made.op = EffectOp::kMove;
      made.a = read(e.target, PieceType());
      if (!e.value) return;
      ExprId to = Lower(s, *e.value, nullptr);
      if (!to.valid() || !made.a.valid()) return;
      if (type(to).set) {
        std::optional<CellSet> cells = CellsOf(to);
        bool place = cells ? (*cells & c.board().cells()).none()
                           : at(to).op == Op::kZone && rules.zones[rules::ZoneId(at(to).value)].is_place;
        if (!place) {
          c.Error(Code::kTypeMismatch, e.value->span,
                  "a piece moves to one cell or to a place, but this is a set of cells")
              .help.push_back("choose one: `choose c in …`, then `… -> c`");
          return;
        }
        std::vector<std::string> places;
        for (const rules::Zone& zone : rules.zones) {
          if (!cells || !zone.is_place) continue;
          std::vector<std::string> names = PlaceNames(c, zone);
          for (std::size_t i = 0; i < names.size() && i < zone.cells.size(); ++i) {
            if ((zone.cells[i] & *cells).any()) places.push_back(names[i]);
          }
        }
        if (places.size() > 1) {
          c.Error(Code::kTypeArity, e.value->span,
                  fmt::format("a piece moves to one place, but these are {}: `{}`", places.size(),
                              fmt::join(places, "`, `")))
              .help.push_back(
                  fmt::format("say which: `{}`, or an expression as index, such as `[me]`", places.front()));
          return;
        }
        made.op = EffectOp::kMoveToPlace;
        made.b = to;
      } else {
        made.b = Convert(to, CellType(), e.value->span);
      }
      ok = made.b.valid();
      break;
    }
    case ast::EffectKind::kLift:
    case ast::EffectKind::kRemove:
      made.a = read(e.target, PieceType());
      ok = made.a.valid();
      break;
    case ast::EffectKind::kPut:
      made.a = read(e.target, PieceType());
      made.b = read(e.value, CellType());
      ok = made.a.valid() && made.b.valid();
      break;
    case ast::EffectKind::kSwap:
      made.a = read(e.target, PieceType());
      made.b = read(e.value, PieceType());
      ok = made.a.valid() && made.b.valid();
      break;
    case ast::EffectKind::kJoins:
      made.a = read(e.target, PieceType());
      made.b = read(e.value, PlayerType());
      ok = made.a.valid() && made.b.valid();
      break;
    case ast::EffectKind::kBecomes:
      made.a = read(e.target, PieceType());
      made.b = read(e.value, OfBase(Base::kKind));
      ok = made.a.valid() && made.b.valid();
      break;
    case ast::EffectKind::kPlace: {
      made.op = EffectOp::kPlace;
      ast::Expr name;
      name.kind = ast::ExprKind::kName;
      name.text = e.name.text;
      name.span = e.name.span;
      if (!e.name.present()) return;
      made.a = Lower(s, name, OfBase(Base::kKind));
      made.c = read(e.value, CellType());
      std::optional<Value> kind = ValueOf(made.a);
      bool neutral = kind && *kind >= 0 && rules.kinds[static_cast<std::size_t>(*kind)].neutral;
      if (e.owner) {
        made.b = read(e.owner, PlayerType());
        if (neutral) {
          c.Error(Code::kTypeMismatch, e.owner->span, fmt::format("`{}` is neutral and has no owner", e.name.text));
          return;
        }
      } else {
        made.b = neutral ? Const(PlayerType(), kNone, e.span) : Make(Op::kMe, PlayerType(), e.span, {});
      }
      ok = made.a.valid() && made.b.valid() && made.c.valid();
      break;
    }
    case ast::EffectKind::kAssign:
      Assign(s, e, out);
      return;
    case ast::EffectKind::kSetUp:
      SetUp(s, e, out);
      return;
    case ast::EffectKind::kGoto:
      made.a = read(e.value, OfBase(Base::kPhase));
      ok = made.a.valid();
      break;
    case ast::EffectKind::kWin:
    case ast::EffectKind::kLose:
      made.a = read(e.value, PlayerType());
      ok = made.a.valid();
      break;
    case ast::EffectKind::kDraw:
      break;
    case ast::EffectKind::kResult:
      made.op = EffectOp::kResult;
      for (const auto& [points, player] : e.results) {
        made.args.push_back(read(points, IntType()));
        made.args.push_back(read(player, PlayerType()));
      }
      ok = std::all_of(made.args.begin(), made.args.end(), [](ExprId id) { return id.valid(); });
      break;
    case ast::EffectKind::kIf: {
      if (!e.value) return;
      made.op = EffectOp::kIf;
      made.a = Condition(s, *e.value);
      if (std::optional<bool> truth = Truth(made.a)) {
        rules::Block unused;
        LowerBlock(s, e.body, *truth ? out : unused);
        LowerBlock(s, e.otherwise, *truth ? unused : out);
        return;
      }
      LowerBlock(s, e.body, made.body);
      LowerBlock(s, e.otherwise, made.otherwise);
      ok = made.a.valid();
      break;
    }
    case ast::EffectKind::kFor: {
      if (!e.value) return;
      made.op = EffectOp::kFor;
      made.a = Lower(s, *e.value, nullptr);
      if (!made.a.valid() || !CheckLocalName(s, e.name)) return;
      Type element = type(made.a);
      if (!element.set) {
        c.Error(Code::kTypeMismatch, e.value->span,
                fmt::format("a set is needed after `in`, but this is {}", TypeText(rules, element)));
        return;
      }
      element.set = false;
      Scope inner = Inside(s);
      Binding b;
      b.name = e.name.text;
      b.type = element;
      b.slot = made.slot = (*s.frame_size)++;
      inner.bindings.push_back(b);
      LowerBlock(inner, e.body, made.body);
      break;
    }
    case ast::EffectKind::kCall: {
      if (!e.name.present()) return;
      std::vector<const ast::Expr*> args;
      for (const ast::ExprPtr& arg : e.args) {
        if (!arg) return;
        args.push_back(arg.get());
      }
      if (Symbol* effect = Use(e.name.text, {SymbolKind::kEffect})) {
        if (!c.trace) {
          InlineEffect(s, *effect, args, e.name.span, out);
          return;
        }
        made.op = EffectOp::kIf;  // the call itself can be told
        made.a = True(e.span);
        if (InlineEffect(s, *effect, args, e.name.span, made.body)) out.push_back(std::move(made));
        return;
      }
      Symbol* other = c.symbols.Find(e.name.text);
      if (other && !other->broken) {
        ++other->uses;
        c.Error(Code::kTypeMismatch, e.name.span,
                fmt::format("`{}` is a {}, but an effect is needed here", e.name.text, SymbolKindName(other->kind)));
        return;
      }
      if (other) return;
      UnknownName(e.name.text, e.name.span, "effect",
                  c.symbols.Names([](const Symbol& k) { return k.kind == SymbolKind::kEffect; }));
      return;
    }
  }
  if (ok) out.push_back(std::move(made));
}

// ---- state -------------------------------------------------------------------------------------

void Lowerer::Assign(const Scope& s, const ast::Effect& e, rules::Block& out) {
  if (!e.target || !e.value) return;
  rules::Effect made;
  made.span = e.span;
  ExprId old = Lower(s, *e.target, nullptr);
  if (!old.valid()) return;
  const rules::Expr target = at(old);
  const rules::Variable* var = nullptr;
  if (target.op == Op::kState) {
    made.op = EffectOp::kSet;
    made.var = rules::VarId(target.value);
    made.indices = target.children;
    var = &rules.vars[made.var];
  } else if (target.op == Op::kPieceState) {
    made.op = EffectOp::kSetPiece;
    made.var = rules::VarId(target.value);
    made.b = target.children[0];
    var = &rules.piece_vars[made.var];
  } else {
    Diagnostic& d = c.Error(Code::kTypeMismatch, e.target->span, "only a state variable can be given a value");
    if (e.op == "=") d.help.push_back("`==` compares two values");
    return;
  }
  Type want = var->type;
  ExprId value = Lower(s, *e.value, e.op == "=" ? want : IntType());
  if (!value.valid()) return;
  if (e.op != "=") {
    if (want.base != Base::kInt) {
      c.Error(Code::kTypeMismatch, e.target->span,
              fmt::format("`{}` is for numbers, but this is {}", e.op, TypeText(rules, want)));
      return;
    }
    value = Arithmetic(e.op == "+=" ? Op::kAdd : Op::kSub, old, value, e.span);
  }
  if (std::optional<Value> constant = ValueOf(value)) {
    if (*constant == kNone && !want.optional) {
      c.Error(Code::kTypeMismatch, e.value->span,
              fmt::format("`{}` always has a value; `none` is not allowed", var->name))
          .labels.push_back({var->span, "a `?` behind the type allows it"});
      return;
    }
    if (want.base == Base::kInt && *constant != kNone && (*constant < want.low || *constant > want.high)) {
      Diagnostic& d =
          c.Error(Code::kTypeRange, e.value->span,
                  fmt::format("`{}` goes from {} to {}, but this is {}", var->name, want.low, want.high, *constant));
      d.labels.push_back({var->span, "declared here"});
      d.help.push_back("widen the range, or stay inside it");
      return;
    }
  }
  made.a = value;
  if (made.a.valid()) out.push_back(std::move(made));
}

void Lowerer::SetUp(const Scope& s, const ast::Effect& e, rules::Block& out) {
  if (!e.value) return;
  const ast::Expr& what = *e.value;
  const ast::Expr& named = what.kind == ast::ExprKind::kIndex && what.children[0] ? *what.children[0] : what;
  std::size_t given = what.kind == ast::ExprKind::kIndex ? what.children.size() - 1 : 0;
  Written w = Follow(s, named);
  auto family = w.expr->kind == ast::ExprKind::kName ? c.setup_families.find(w.expr->text) : c.setup_families.end();
  if (family == c.setup_families.end()) {
    if (w.expr->kind == ast::ExprKind::kError) return;
    UnknownName(w.expr->text, named.span, "set-up",
                c.symbols.Names([](const Symbol& k) { return k.kind == SymbolKind::kSetup; }));
    return;
  }
  Use(family->first, {SymbolKind::kSetup});
  const SetupFamily& setups = family->second;
  if (setups.index_types.size() != given) {
    c.Error(Code::kTypeArity, what.span,
            fmt::format("the set-up `{}` has {} ind{}, but {} {} given", family->first, setups.index_types.size(),
                        setups.index_types.size() == 1 ? "ex" : "ices", given, given == 1 ? "is" : "are"));
    return;
  }
  rules::Effect made;
  made.op = EffectOp::kSetUp;
  made.span = e.span;
  std::size_t flat = 0;
  ExprId open;  // the one index that is known only when the effect happens
  std::vector<std::size_t> sizes, known;
  std::size_t open_at = given;
  for (std::size_t i = 0; i < given; ++i) {
    if (!what.children[i + 1]) return;
    ExprId index = IndexValue(s, *what.children[i + 1], setups.index_types[i]);
    if (!index.valid()) return;
    std::vector<Value> values = ValuesOf(c, setups.index_types[i]);
    sizes.push_back(values.size());
    std::optional<Value> constant = ValueOf(index);
    auto place = std::find(values.begin(), values.end(), constant.value_or(kNone));
    known.push_back(constant && place != values.end() ? static_cast<std::size_t>(place - values.begin()) : 0);
    if (constant) continue;
    if (open.valid()) {
      c.Error(Code::kTypeMismatch, what.children[i + 1]->span, "only one index of a set-up may vary");
      return;
    }
    open = index;
    open_at = i;
  }
  auto flat_index = [&](std::size_t value) {
    flat = 0;
    for (std::size_t i = 0; i < given; ++i) flat = flat * sizes[i] + (i == open_at ? value : known[i]);
    return flat;
  };
  made.a = open;
  std::size_t count = open.valid() ? sizes[open_at] : 1;
  for (std::size_t value = 0; value < count; ++value) {
    std::size_t index = flat_index(value);
    rules::SetupId id = index < setups.setups.size() ? setups.setups[index] : rules::SetupId();
    if (!id.valid()) {
      c.Error(Code::kNameUnknown, what.span,
              fmt::format("not every index of the set-up `{}` is declared", family->first))
          .labels.push_back({setups.span, "declared here"});
      return;
    }
    made.setups.push_back(id);
  }
  out.push_back(std::move(made));
}

}  // namespace arbiter::check
