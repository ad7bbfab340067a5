// Calls in expressions: the functions of the language, and defines, written out where they stand.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/lower.h"

namespace arbiter::check {

namespace {

struct Function {
  std::string_view name;
  std::size_t min, max;
  std::string_view call;  // how it is written
};

constexpr std::array kFunctions = {
    Function{"next", 2, 2, "next(CELL, DIRECTION)"},
    Function{"way", 2, 2, "way(DIRECTION, CELL)"},
    Function{"reaches", 3, 3, "reaches(CELL, WALK, CELL)"},
    Function{"reach", 2, 2, "reach(CELL, WALK)"},
    Function{"steps", 3, 3, "steps(CELL, CELL, WALK)"},
    Function{"distance", 3, 3, "distance(CELL, CELL, WALK)"},
    Function{"run", 3, 3, "run(CELL, DIRECTION, DEFINE)"},
    Function{"rank", 1, 1, "rank(CELL)"},
    Function{"file", 1, 1, "file(CELL)"},
    Function{"cell", 1, 2, "cell(FILE, RANK)"},
    Function{"colour", 1, 1, "colour(CELL)"},
    Function{"opponent", 0, 1, "opponent of PLAYER"},
    Function{"attacked", 1, 1, "attacked(PIECE)"},
    Function{"endangered", 1, 1, "endangered(PIECE)"},
    Function{"stuck", 1, 1, "stuck(PLAYER)"},
    Function{"heading", 1, 1, "heading(CHOICE)"},
    Function{"before", 1, 1, "before(CHOICE)"},
    Function{"crossed", 1, 1, "crossed(CHOICE)"},
    Function{"owner", 1, 1, "owner(PIECE)"},
    Function{"kind", 1, 1, "kind(PIECE)"},
    Function{"can_play", 1, 2, "can_play(ACTION)"},
};

const Function* FindFunction(std::string_view name) {
  auto found = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

}  // namespace

// ---- templates ---------------------------------------------------------------------------------

bool Lowerer::BindParameters(Scope& inner, const Scope& s, const std::vector<ast::Param>& params,
                             const std::vector<const ast::Expr*>& args, Span span, const Symbol& symbol) {
  if (params.size() != args.size()) {
    Diagnostic& d = c.Error(Code::kTypeArity, span,
                            fmt::format("`{}` takes {} argument{}, but {} {} given", symbol.name, params.size(),
                                        params.size() == 1 ? "" : "s", args.size(), args.size() == 1 ? "is" : "are"));
    if (symbol.span.valid()) d.labels.push_back({symbol.span, "declared here"});
    std::vector<std::string> names;
    for (const ast::Param& param : params) names.push_back(param.name.text);
    d.help.push_back(names.empty() ? fmt::format("write `{}` alone", symbol.name)
                                   : fmt::format("write `{}({})`", symbol.name, fmt::join(names, ", ")));
    return false;
  }
  for (std::size_t i = 0; i < params.size(); ++i) {
    Binding b;
    b.kind = Binding::Kind::kArgument;
    b.name = params[i].name.text;
    b.argument = args[i];
    b.argument_scope = &s;
    b.argument_depth = inlining_.size();
    if (params[i].type) {
      const ast::Type& written = *params[i].type;
      const std::string& word = written.name.text;
      // What is no value is read where it stands.
      bool by_place = written.kind == ast::TypeKind::kName &&
                      (word == "walk" || word == "direction" || word == "directions" || word == "action");
      if (written.kind == ast::TypeKind::kName && (word == "zone" || word == "cells")) {
        b.typed = true;
        b.type = CellsType();
      } else if (!by_place) {
        std::optional<Type> type = ResolveType(c, written, symbol.name);
        if (!type) return false;
        b.typed = true;
        b.type = *type;
      }
    }
    inner.bindings.push_back(std::move(b));
  }
  return true;
}

ExprId Lowerer::InlineDefine(const Scope& s, Symbol& symbol, const std::vector<const ast::Expr*>& args, Span span,
                             const Type* want) {
  const auto* define = symbol.decl ? std::get_if<ast::Define>(&symbol.decl->payload) : nullptr;
  if (!define || !define->value || symbol.broken) return ExprId();
  Scope inner = TemplateScope(s);
  if (!BindParameters(inner, s, define->params, args, span, symbol)) return ExprId();
  if (!Enter(symbol, span)) return ExprId();
  ExprId value = Lower(inner, *define->value, want);
  Leave();
  return Defined(value, symbol.decl->span);
}

// ---- functions ---------------------------------------------------------------------------------

ExprId Lowerer::FunctionArity(const ast::Expr& call, std::string_view name, std::size_t min, std::size_t max,
                              std::size_t given) {
  std::string takes =
      min == max ? fmt::format("{} argument{}", min, min == 1 ? "" : "s") : fmt::format("{} or {} arguments", min, max);
  c.Error(Code::kTypeArity, call.span,
          fmt::format("`{}` takes {}, but {} {} given", name, takes, given, given == 1 ? "is" : "are"))
      .help.push_back(fmt::format("write `{}`", FindFunction(name)->call));
  return ExprId();
}

ExprId Lowerer::Direction(const Scope& s, const ast::Expr& e, ExprId cell) {
  if (!cell.valid()) return cell;
  std::optional<std::vector<int>> labels = StaticDirections(s, e);
  if (!labels) return Lower(s, e, OfBase(Base::kDirection));
  if (labels->size() != 1) {
    c.Error(Code::kTypeMismatch, e.span, fmt::format("one direction is needed, but these are {}", labels->size()));
    return ExprId();
  }
  int label = labels->front();
  if (label >= 0) return Const(OfBase(Base::kDirection), label, e.span);
  return Make(Op::kWay, OfBase(Base::kDirection), e.span, {cell}, -1 - label);
}

ExprId Lowerer::RunFunction(const Scope& s, const std::vector<const ast::Expr*>& args, Span span) {
  ExprId cell = Lower(s, *args[0], CellType());
  ExprId direction = Direction(s, *args[1], cell);
  Binding here;
  here.name = "cell";
  here.type = CellType();
  here.slot = (*s.frame_size)++;
  Written w = Follow(s, *args[2]);
  Symbol* define = w.expr->kind == ast::ExprKind::kName ? Use(w.expr->text, {SymbolKind::kDefine}) : nullptr;
  ExprId body;
  if (define) {
    Scope with_cell = TemplateScope(s);
    with_cell.bindings.push_back(here);
    ast::Expr name;
    name.kind = ast::ExprKind::kName;
    name.text = here.name;
    name.span = args[2]->span;
    body = InlineDefine(with_cell, *define, {&name}, args[2]->span, nullptr);
  } else if (w.expr->kind == ast::ExprKind::kFilter) {  // `run(a1, e, own)`
    body = FilterCondition(*w.scope, *w.expr, Local(here, span));
  } else {
    c.Error(Code::kTypeMismatch, args[2]->span,
            "`run` needs a filter or the name of a define of one cell as its third argument")
        .help.push_back("`run(a1, e, own)`, or `define mine(c) = c is own` and `run(a1, e, mine)`");
    return ExprId();
  }
  if (!body.valid()) return body;
  body = Convert(body, BoolType(), args[2]->span);
  if (!cell.valid() || !direction.valid() || !body.valid()) return ExprId();
  rules::Expr made;
  made.op = Op::kRun;
  made.type = IntType();
  made.span = span;
  made.slot = here.slot;
  made.children = {cell, direction, body};
  return Intern(std::move(made));
}

ExprId Lowerer::ChoiceFunction(const Scope& s, std::string_view name, const ast::Expr& arg, Span span) {
  Written w = Follow(s, arg);
  const Binding* b = w.expr->kind == ast::ExprKind::kName ? w.scope->Find(w.expr->text) : nullptr;
  if (!b || b->kind != Binding::Kind::kSlot || !b->from_walk || !instance) {
    c.Error(Code::kTypeMismatch, arg.span, fmt::format("`{}` needs the name of a choice made by a walk", name))
        .help.push_back("`choose x = WALK from … onto …` makes one");
    return ExprId();
  }
  instance->remembered.insert(b->slot);
  rules::Expr made;
  made.op = name == "heading" ? Op::kChoiceHeading : name == "before" ? Op::kChoiceBefore : Op::kChoiceCrossed;
  made.type = name == "heading" ? OfBase(Base::kDirection) : name == "before" ? CellType() : CellsType();
  made.span = span;
  made.slot = b->slot;
  return Intern(std::move(made));
}

ExprId Lowerer::CanPlay(const Scope& s, const std::vector<const ast::Expr*>& args, Span span) {
  std::optional<ast::Name> what;
  const ast::Expr* player = nullptr;
  for (const ast::Expr* arg : args) {
    Written w = Follow(s, *arg);
    Symbol* symbol =
        w.expr->kind == ast::ExprKind::kName ? Use(w.expr->text, {SymbolKind::kAction, SymbolKind::kTurn}) : nullptr;
    if (symbol && !what) {
      what = ast::Name{w.expr->text, w.expr->span};
    } else if (!player) {
      player = arg;
    }
  }
  if (!what) {
    const ast::Expr& last = *args.back();
    UnknownName(last.text, last.span, "action or turn", c.symbols.Names([](const Symbol& symbol) {
      return symbol.kind == SymbolKind::kAction || symbol.kind == SymbolKind::kTurn;
    }));
    return ExprId();
  }
  ExprId who = player ? Lower(s, *player, PlayerType()) : Make(Op::kMe, PlayerType(), span, {});
  // Equal names are one question; what they stand for is filled in when all pieces are known.
  const auto asked = std::find_if(can_plays.begin(), can_plays.end(),
                                  [&](const auto& question) { return question.second.text == what->text; });
  ExprId id = Make(Op::kCanPlay, BoolType(), span, {who}, static_cast<Value>(asked - can_plays.begin()));
  if (id.valid()) can_plays.emplace_back(id, *what);
  return id;
}

ExprId Lowerer::CallFunction(const Scope& s, const ast::Expr& call, std::string_view name,
                             const std::vector<const ast::Expr*>& args, const Type* want) {
  Span span = call.span;
  Symbol* define = Use(name, {SymbolKind::kDefine});
  if (define) return InlineDefine(s, *define, args, span, want);
  const Function* function = FindFunction(name);
  if (!function) {
    Symbol* other = c.symbols.Find(name);
    if (other && !other->broken) {
      ++other->uses;
      Diagnostic& d =
          c.Error(Code::kTypeMismatch, call.word.valid() ? call.word : span,
                  fmt::format("`{}` is a {}, but a value is needed here", name, SymbolKindName(other->kind)));
      if (other->span.valid()) d.labels.push_back({other->span, "declared here"});
      return ExprId();
    }
    if (other) return ExprId();
    std::vector<std::string> near =
        c.symbols.Names([](const Symbol& symbol) { return symbol.kind == SymbolKind::kDefine; });
    for (const Function& f : kFunctions) near.emplace_back(f.name);
    UnknownName(name, call.word.valid() ? call.word : span, "function", near);
    return ExprId();
  }
  if (args.size() < function->min || args.size() > function->max) {
    return FunctionArity(call, name, function->min, function->max, args.size());
  }
  auto cell = [&](std::size_t i) { return Lower(s, *args[i], CellType()); };
  const board::Board& board = c.board();
  if (name == "next") {
    ExprId from = cell(0);
    ExprId along = Direction(s, *args[1], from);
    std::optional<Value> a = ValueOf(from), d = ValueOf(along);
    if (a && d) {
      int to = *a == kNone || *d == kNone ? -1 : board.Next(*d, *a);
      return Const(CellType(), to < 0 ? kNone : to, span);
    }
    return Make(Op::kNext, CellType(), span, {from, along});
  }
  if (name == "way") return Direction(s, *args[0], cell(1));
  if (name == "reaches" || name == "reach") {
    ExprId from = cell(0), walk = WalkValue(s, *args[1]);
    if (name == "reach") return Make(Op::kEnds, CellsType(), span, {walk, from});
    ExprId to = cell(2);
    return Make(Op::kReaches, BoolType(), span, {from, walk, to});
  }
  if (name == "steps" || name == "distance") {
    ExprId from = cell(0), to = cell(1), walk = WalkValue(s, *args[2]);
    return Make(name == "steps" ? Op::kSteps : Op::kDistance, IntType(), span, {from, to, walk});
  }
  if (name == "run") return RunFunction(s, args, span);
  if (name == "rank" || name == "file") {
    ExprId of = cell(0);
    if (std::optional<Value> a = ValueOf(of)) {
      int number = *a == kNone ? 0 : name == "rank" ? board.rank(*a) : board.file(*a);
      return Const(IntType(), number == 0 ? kNone : number, span);
    }
    return Make(name == "rank" ? Op::kRank : Op::kFile, IntType(), span, {of});
  }
  if (name == "cell") {
    if (args.size() == 1) return cell(0);  // `cell of p`
    ExprId file = Lower(s, *args[0], IntType()), rank = Lower(s, *args[1], IntType());
    std::optional<Value> f = ValueOf(file), r = ValueOf(rank);
    if (f && r) {
      bool inside = *f >= 1 && *r >= 1 && *f <= board.width() && *r <= board.height();
      int at = inside ? board.At(*f, *r) : -1;
      return Const(CellType(), at < 0 ? kNone : at, span);
    }
    return Make(Op::kCellAt, CellType(), span, {file, rank});
  }
  if (name == "colour") {
    ExprId of = cell(0);
    if (std::optional<Value> a = ValueOf(of); a && *a != kNone) {
      int colour = board.colour(*a);
      return Const(IntType(), colour < 0 ? kNone : colour, span);
    }
    return Make(Op::kColour, IntType(), span, {of});
  }
  if (name == "opponent") {
    if (rules.player_count() != 2) {
      c.Error(Code::kTypeMismatch, span,
              fmt::format("`opponent` is for games of two players, this one has {}", rules.player_count()));
      return ExprId();
    }
    ExprId of = args.empty() ? Make(Op::kMe, PlayerType(), span, {}) : Lower(s, *args[0], PlayerType());
    if (std::optional<Value> p = ValueOf(of)) return Const(PlayerType(), *p == kNone ? kNone : 1 - *p, span);
    if (of.valid() && at(of).op == Op::kOpponent) return at(of).children[0];
    return Make(Op::kOpponent, PlayerType(), span, {of});
  }
  if (name == "attacked") {
    ExprId what = Lower(s, *args[0], nullptr);
    if (what.valid() && type(what).base == Base::kKind) what = Convert(what, PieceType(), args[0]->span);
    if (what.valid() && type(what).base != Base::kPiece) what = Convert(what, CellType(), args[0]->span);
    if (what.valid() && type(what).set) what = Convert(what, CellType(), args[0]->span);
    return Make(Op::kAttacked, BoolType(), span, {what});
  }
  if (name == "endangered") return Make(Op::kEndangered, BoolType(), span, {Lower(s, *args[0], PieceType())});
  if (name == "stuck") return Make(Op::kStuck, BoolType(), span, {Lower(s, *args[0], PlayerType())});
  if (name == "owner") return Make(Op::kOwner, PlayerType(), span, {Lower(s, *args[0], PieceType())});
  if (name == "kind") return Make(Op::kKindOf, OfBase(Base::kKind), span, {Lower(s, *args[0], PieceType())});
  if (name == "can_play") return CanPlay(s, args, span);
  return ChoiceFunction(s, name, *args[0], span);
}

}  // namespace arbiter::check
