// Expressions, walks, filters, types.
//
// The grammar gives operands and operators as one flat list; precedence is decided here. Chains are at
// most as long as nesting.cpp allows, so recursion is bounded.
#include <algorithm>
#include <array>

#include "parse/build.h"

namespace arbiter::parse {

namespace {

// Tightest first: sums, comparisons, `not`, `and`, `or`, `implies`.
enum Tightness { kImplies = 1, kOr = 2, kAnd = 3, kNegation = 4, kComparison = 5, kSum = 6, kMinus = 7 };

int TightnessOf(std::string_view word) {
  if (word == "implies") return kImplies;
  if (word == "or") return kOr;
  if (word == "and") return kAnd;
  if (word == "+" || word == "-" || word == "&") return kSum;
  return kComparison;
}

// A comparison that stands without parentheses of its own.
bool IsBareComparison(const Expr& expr) {
  return expr.kind == ExprKind::kBinary && expr.text != ".." && TightnessOf(expr.text) == kComparison &&
         expr.span.begin == expr.children.front()->span.begin;
}

}  // namespace

ExprPtr Builder::Make(ExprKind kind, Span span) const {
  auto made = std::make_unique<Expr>();
  made->kind = kind;
  made->span = span;
  made->word = span;
  return made;
}

ExprPtr Builder::BuildExpr(P::ExprContext* ctx) {
  std::vector<Flat> flat;
  for (const Child& child : ctx->children) {
    if (auto* infix = child.As<P::InfixContext>()) {
      flat.push_back({Flat::Kind::kInfix, infix});
    } else if (auto* operand = child.As<P::OperandContext>()) {
      for (auto* prefix : operand->prefix()) flat.push_back({Flat::Kind::kPrefix, prefix});
      flat.push_back({Flat::Kind::kTerm, operand->term()});
      for (auto* suffix : operand->suffix()) flat.push_back({Flat::Kind::kSuffix, suffix});
    }
  }
  std::size_t at = 0;
  return ReadFlat(flat, at, kImplies);
}

// Reads operators that bind at least as tightly as `tightness`. Afterwards `at` is at the end or at a
// looser operator.
ExprPtr Builder::ReadFlat(const std::vector<Flat>& flat, std::size_t& at, int tightness) {
  ExprPtr left = ReadPrefixed(flat, at);
  while (at < flat.size()) {
    if (flat[at].kind == Flat::Kind::kSuffix) {
      if (tightness > kComparison) return left;
      left = ApplySuffix(std::move(left), static_cast<P::SuffixContext*>(flat[at++].ctx));
      continue;
    }
    auto* infix = static_cast<P::InfixContext*>(flat[at].ctx);
    std::string text(TextOf(infix->getStart()));
    if (text == "not") text = "not in";
    int own = TightnessOf(text);
    if (own < tightness) return left;
    ++at;
    ExprPtr right = ReadFlat(flat, at, own == kImplies ? own : own + 1);
    ExprPtr both = Make(ExprKind::kBinary, source::Join(left->span, right->span));
    both->text = text;
    both->word = SpanOf(infix);
    if (own == kComparison && IsBareComparison(*left)) {
      sink_.Error(diagnostics::Code::kSyntaxUnexpected, both->word, "comparisons do not chain")
          .help.push_back("join two comparisons with `and`, or put one into parentheses");
      both->kind = ExprKind::kError;
    }
    both->children.push_back(std::move(left));
    both->children.push_back(std::move(right));
    left = std::move(both);
  }
  return left;
}

ExprPtr Builder::ReadPrefixed(const std::vector<Flat>& flat, std::size_t& at) {
  if (flat[at].kind != Flat::Kind::kPrefix) return BuildTerm(static_cast<P::TermContext*>(flat[at++].ctx));
  auto* prefix = static_cast<P::PrefixContext*>(flat[at++].ctx);
  Span word = SpanOf(prefix->getStart());
  ExprPtr made;
  if (prefix->quantifier != nullptr) {
    made = Make(ExprKind::kQuantifier, word);
    made->text = TextOf(prefix->quantifier);
    made->name = NameOf(prefix->name());
    made->children.push_back(BuildExpr(prefix->expr(0)));
    made->children.push_back(ReadFlat(flat, at, kImplies));
  } else if (!prefix->expr().empty()) {
    made = Make(ExprKind::kIf, word);
    made->children.push_back(BuildExpr(prefix->expr(0)));
    made->children.push_back(BuildExpr(prefix->expr(1)));
    made->children.push_back(ReadFlat(flat, at, kImplies));
  } else if (TextOf(prefix->getStart()) == "not") {
    made = Make(ExprKind::kNot, word);
    made->children.push_back(ReadFlat(flat, at, kNegation));
  } else {
    ExprPtr inner = ReadFlat(flat, at, kMinus);
    if (inner->kind == ExprKind::kInt) {
      inner->number = -inner->number;
      inner->span = source::Join(word, inner->span);
      inner->word = inner->span;
      return inner;
    }
    made = Make(ExprKind::kBinary, word);
    made->text = "-";
    made->children.push_back(Make(ExprKind::kInt, word));
    made->children.push_back(std::move(inner));
  }
  made->word = word;
  made->span = source::Join(word, made->children.back()->span);
  return made;
}

ExprPtr Builder::ApplySuffix(ExprPtr inner, P::SuffixContext* ctx) {
  bool is = Has(ctx, "is");
  ExprPtr made = Make(is ? ExprKind::kIs : ExprKind::kExists, source::Join(inner->span, SpanOf(ctx)));
  made->word = SpanOf(ctx->getStart());
  if (is) {
    made->negated = Has(ctx, "not");
    for (const Child& child : ctx->isWord()->children) {
      if (auto* rule = child.rule) {
        made->words.push_back(NameOf(rule));
      } else if (auto* token = child.token) {
        made->words.push_back(NameOf(token));
      }
    }
  }
  made->children.push_back(std::move(inner));
  return made;
}

ExprPtr Builder::BuildTerm(P::TermContext* ctx) {
  if (auto* set = ctx->pieceSet()) return BuildPieceSet(set);
  if (auto* line = ctx->rankOrFile()) return BuildLine(line);
  ExprPtr low = BuildPostfix(ctx->postfix(0));
  if (ctx->setTail() != nullptr) return NamedPieces(std::move(low), SpanOf(Find(ctx, "pieces")), ctx->setTail());
  if (ctx->postfix().size() < 2) return low;
  ExprPtr range = Make(ExprKind::kBinary, SpanOf(ctx));
  range->text = "..";
  range->word = SpanOf(Find(ctx, ".."));
  range->children.push_back(std::move(low));
  range->children.push_back(BuildPostfix(ctx->postfix(1)));
  return range;
}

// `heavy pieces of p`: the grammar lets any value stand in front of `pieces`; only a name makes sense.
ExprPtr Builder::NamedPieces(ExprPtr name, Span word, P::SetTailContext* tail) {
  Span span = source::Join(name->span, tail->getStop() != nullptr ? source::Join(word, SpanOf(tail)) : word);
  if (name->kind != ExprKind::kName || name->span != name->word) {
    sink_.Error(diagnostics::Code::kSyntaxUnexpected, name->span,
                "expected a class or a kind of piece before `pieces`");
    return Make(ExprKind::kError, span);
  }
  ExprPtr pieces = Make(ExprKind::kPieces, span);
  pieces->words = {Name{name->text, name->span}, Name{"pieces", word}};
  ReadTail(tail, pieces.get());
  return pieces;
}

void Builder::ReadTail(P::SetTailContext* tail, Expr* pieces) {
  if (tail->postfix() != nullptr) pieces->owner = BuildPostfix(tail->postfix());
  pieces->except = NamesOf(tail->NAME());
  if (tail->term() != nullptr) pieces->on = BuildTerm(tail->term());
  pieces->word = source::Join(pieces->words.front().span, pieces->words.back().span);
}

ExprPtr Builder::BuildPieceSet(P::PieceSetContext* ctx) {
  Span span = SpanOf(ctx);
  if (ctx->setTail() == nullptr) {
    Name side = NameOf(ctx->side);
    if (ctx->cells != nullptr) {
      ExprPtr cells = Make(ExprKind::kCells, span);
      cells->words.push_back(side);
      return cells;
    }
    ExprPtr term = Make(ExprKind::kFilterTerm, span);
    term->words.push_back(side);
    return FilterOf(std::move(term));
  }
  ExprPtr pieces = Make(ExprKind::kPieces, span);
  if (ctx->side != nullptr) pieces->words.push_back(NameOf(ctx->side));
  if (ctx->NAME() != nullptr) pieces->words.push_back(NameOf(ctx->NAME()));
  antlr4::Token* word = Find(ctx, "pieces");
  if (word != nullptr && pieces->words.size() < 2) pieces->words.push_back(NameOf(word));
  ReadTail(ctx->setTail(), pieces.get());
  return pieces;
}

ExprPtr Builder::BuildLine(P::RankOrFileContext* ctx) {
  if (ctx->args() != nullptr) {  // the function `rank(c)`
    ExprPtr call = Make(ExprKind::kCall, SpanOf(ctx));
    call->text = TextOf(ctx->getStart());
    call->word = SpanOf(ctx->getStart());
    call->children = BuildArgs(ctx->args());
    return call;
  }
  ExprPtr line = Make(ExprKind::kRank, SpanOf(ctx));
  line->word = SpanOf(ctx->getStart());
  line->text = TextOf(ctx->getStart()).substr(0, 4);  // ranks, files: the same
  ExprPtr low = BuildLineBound(ctx->lineBound(0));
  if (ctx->lineBound().size() > 1) {
    ExprPtr high = BuildLineBound(ctx->lineBound(1));
    ExprPtr range = Make(ExprKind::kBinary, source::Join(low->span, high->span));
    range->text = "..";
    range->children.push_back(std::move(low));
    range->children.push_back(std::move(high));
    low = std::move(range);
  }
  line->children.push_back(std::move(low));
  return line;
}

ExprPtr Builder::BuildLineBound(P::LineBoundContext* ctx) {
  ExprPtr bound = Make(ctx->INT() != nullptr ? ExprKind::kInt : ExprKind::kName, SpanOf(ctx));
  if (ctx->INT() != nullptr) {
    bound->number = Number(ctx->INT(), 1'000'000);
  } else {
    bound->text = NameOf(ctx->NAME()).text;
  }
  return bound;
}

// `a of b of c` is `a of (b of c)`.
ExprPtr Builder::JoinOf(std::vector<ExprPtr> parts) const {
  ExprPtr right = std::move(parts.back());
  parts.pop_back();
  while (!parts.empty()) {
    ExprPtr left = std::move(parts.back());
    parts.pop_back();
    ExprPtr both = Make(ExprKind::kOf, source::Join(left->span, right->span));
    both->word = left->word;
    both->children.push_back(std::move(left));
    both->children.push_back(std::move(right));
    right = std::move(both);
  }
  return right;
}

ExprPtr Builder::BuildPostfix(P::PostfixContext* ctx) {
  std::vector<ExprPtr> parts;
  for (auto* core : ctx->core()) parts.push_back(BuildCore(core));
  return JoinOf(std::move(parts));
}

ExprPtr Builder::BuildCore(P::CoreContext* ctx) { return AddTrailers(BuildAtom(ctx->atom()), ctx->trailer()); }

ExprPtr Builder::AddTrailers(ExprPtr inner, const std::vector<P::TrailerContext*>& trailers) {
  for (auto* trailer : trailers) {
    Span span = source::Join(inner->span, SpanOf(trailer));
    ExprPtr outer;
    if (trailer->subscript() != nullptr) {
      outer = Make(ExprKind::kIndex, span);
      outer->word = inner->word;
      outer->children.push_back(std::move(inner));
      for (auto* each : trailer->subscript()->expr()) outer->children.push_back(BuildExpr(each));
    } else {
      outer = Make(ExprKind::kField, span);
      Name field = NameOf(trailer->name());
      outer->text = field.text;
      outer->word = field.span;
      outer->children.push_back(std::move(inner));
    }
    inner = std::move(outer);
  }
  return inner;
}

ExprPtr Builder::BuildNamed(P::NameContext* name, P::ArgsContext* args) {
  Name word = NameOf(name);
  if (args == nullptr) {
    ExprPtr made = Make(ExprKind::kName, word.span);
    made->text = word.text;
    return made;
  }
  ExprPtr made = Make(ExprKind::kCall, source::Join(word.span, SpanOf(args)));
  made->text = word.text;
  made->word = word.span;
  made->children = BuildArgs(args);
  if (word.text != "leap") return made;
  if (made->children.size() == 2) {
    made->kind = ExprKind::kLeap;
    return made;
  }
  sink_.Error(diagnostics::Code::kSyntaxUnexpected, made->span, "`leap` takes two numbers")
      .help.push_back("write `leap(1, 2)` for a jump of one and two");
  return Make(ExprKind::kError, made->span);
}

ExprPtr Builder::BuildAtom(P::AtomContext* ctx) {
  Span span = SpanOf(ctx);
  if (ctx->name() != nullptr) return BuildNamed(ctx->name(), ctx->args());
  if (ctx->expr() != nullptr) {
    ExprPtr inner = BuildExpr(ctx->expr());
    inner->span = span;  // brackets belong to it
    return inner;
  }
  if (ctx->INT() != nullptr) {
    ExprPtr made = Make(ExprKind::kInt, span);
    made->number = Number(ctx->INT(), INT32_MAX);
    return made;
  }
  if (ctx->STRING() != nullptr) {
    ExprPtr made = Make(ExprKind::kString, span);
    made->text = StringOf(ctx->STRING());
    return made;
  }
  return BuildSet(ctx->set());
}

ExprPtr Builder::BuildSet(P::SetContext* ctx) {
  ExprPtr made = Make(ExprKind::kSet, SpanOf(ctx));
  made->children = BuildExprs(ctx->expr());
  if (!Has(ctx, ":")) return made;
  Expr& range = *made->children.front();
  bool fits = range.kind == ExprKind::kBinary && range.text == "in" && range.children[0]->kind == ExprKind::kName;
  if (!fits) {
    sink_.Error(diagnostics::Code::kSyntaxUnexpected, range.span, "expected `name in set` before `:`")
        .help.push_back("write `{ c in field : c is empty }`");
    made->kind = ExprKind::kError;
    return made;
  }
  made->kind = ExprKind::kComprehension;
  made->name = {range.children[0]->text, range.children[0]->span};
  ExprPtr over = std::move(range.children[1]);
  made->children.front() = std::move(over);
  return made;
}

ExprPtr Builder::BuildTarget(P::TargetContext* ctx) {
  std::vector<ExprPtr> parts;
  parts.push_back(AddTrailers(BuildNamed(ctx->name(), ctx->args()), ctx->trailer()));
  for (auto* core : ctx->core()) parts.push_back(BuildCore(core));
  return JoinOf(std::move(parts));
}

ExprPtr Builder::BuildArg(P::ArgContext* ctx) {
  return ctx->expr() != nullptr ? BuildExpr(ctx->expr()) : BuildWalk(ctx->walk());
}

std::vector<ExprPtr> Builder::BuildArgs(P::ArgsContext* ctx) {
  std::vector<ExprPtr> args;
  if (ctx == nullptr) return args;
  for (auto* each : ctx->arg()) args.push_back(BuildArg(each));
  return args;
}

std::vector<ExprPtr> Builder::BuildExprs(const std::vector<P::ExprContext*>& contexts) {
  std::vector<ExprPtr> exprs;
  for (auto* each : contexts) exprs.push_back(BuildExpr(each));
  return exprs;
}

// ---- walks -------------------------------------------------------------------------------------

ExprPtr Builder::BuildWalk(P::WalkContext* ctx) {
  std::vector<ExprPtr> ways;
  for (auto* seq : ctx->walkSeq()) {
    std::vector<ExprPtr> items;
    for (auto* item : seq->walkItem()) items.push_back(BuildWalkItem(item));
    if (items.size() == 1) {
      ways.push_back(std::move(items.front()));
    } else {
      ways.push_back(Make(ExprKind::kThen, SpanOf(seq)));
      ways.back()->children = std::move(items);
    }
  }
  ExprPtr walk;
  if (ways.size() == 1) {
    walk = std::move(ways.front());
  } else {
    walk = Make(ExprKind::kWays, SpanOf(ctx));
    walk->children = std::move(ways);
  }
  if (!Has(ctx, "may")) return walk;
  ExprPtr stay = Make(ExprKind::kMayStay, SpanOf(ctx));
  stay->word = source::Join(SpanOf(Find(ctx, "may")), SpanOf(Find(ctx, "stay")));
  stay->children.push_back(std::move(walk));
  return stay;
}

ExprPtr Builder::ReadTimes(P::TimesContext* ctx, int* number) {
  auto part = [&](P::Times1Context* each) {
    ExprPtr made = Make(each->INT() != nullptr ? ExprKind::kInt : ExprKind::kName, SpanOf(each));
    if (each->INT() != nullptr) {
      made->number = SmallNumber(each->INT());
    } else {
      made->text = NameOf(each->name()).text;
    }
    return made;
  };
  ExprPtr sum = part(ctx->times1(0));
  for (std::size_t i = 1; i < ctx->times1().size(); ++i) {
    ExprPtr right = part(ctx->times1(i));
    ExprPtr both = Make(ExprKind::kBinary, source::Join(sum->span, right->span));
    antlr4::tree::TerminalNode* sign = ctx->children[2 * i - 1].token;
    both->text = TextOf(sign->getSymbol());
    both->word = SpanOf(sign->getSymbol());
    both->children.push_back(std::move(sum));
    both->children.push_back(std::move(right));
    sum = std::move(both);
  }
  if (sum->kind != ExprKind::kInt) return sum;
  *number = static_cast<int>(sum->number);
  return nullptr;
}

ast::Times Builder::ReadQuant(P::QuantContext* ctx) {
  ast::Times times;
  std::string_view first = TextOf(ctx->getStart());
  times.min = first == "+" ? 1 : 0;
  times.max = first == "?" ? 1 : -1;
  if (first != "{") return times;
  bool open = ctx->dots != nullptr && ctx->times().size() < 2;
  times.least = ReadTimes(ctx->times(0), &times.min);
  if (!open) times.most = ReadTimes(ctx->times().back(), &times.max);
  if (!times.least && !times.most && times.max >= 0 && times.max < times.min) {
    sink_.Error(diagnostics::Code::kSyntaxUnexpected, SpanOf(ctx),
                "the upper bound of a repetition is below the lower bound");
    times.max = times.min;
  }
  return times;
}

ExprPtr Builder::BuildWalkItem(P::WalkItemContext* ctx) {
  ExprPtr item = BuildWalkAtom(ctx->walkAtom());
  if (ctx->quant() != nullptr) {
    ExprPtr repeat = Make(ExprKind::kRepeat, source::Join(item->span, SpanOf(ctx->quant())));
    repeat->word = SpanOf(ctx->quant());
    repeat->times = ReadQuant(ctx->quant());
    repeat->children.push_back(std::move(item));
    item = std::move(repeat);
  }
  if (ctx->overCond() != nullptr) {
    P::OverCondContext* condition = ctx->overCond();
    ExprPtr over = Make(ExprKind::kOver, SpanOf(ctx));
    over->word = SpanOf(Find(ctx, "over"));
    over->children.push_back(std::move(item));
    over->children.push_back(condition->expr() != nullptr ? BuildExpr(condition->expr())
                                                          : FilterOf(BuildFilterTerm(condition->filterTerm())));
    item = std::move(over);
  }
  return item;
}

ExprPtr Builder::BuildWalkAtom(P::WalkAtomContext* ctx) {
  Span span = SpanOf(ctx);
  ExprPtr made;
  if (auto* named = AsAlternative<P::WalkNameContext>(ctx)) {
    return AddTrailers(BuildNamed(named->name(), named->args()), named->trailer());
  }
  if (auto* inner = AsAlternative<P::WalkParensContext>(ctx)) {
    made = BuildWalk(inner->walk());
    made->span = span;
    return made;
  }
  if (auto* face = AsAlternative<P::FaceContext>(ctx)) {
    made = Make(ExprKind::kFace, span);
    made->children.push_back(BuildCore(face->core()));
  } else if (auto* turn = AsAlternative<P::TurnHeadingContext>(ctx)) {
    made = Make(ExprKind::kTurn, span);
    made->text = NameOf(turn->NAME()).text;
    made->word = SpanOf(turn->NAME()->getSymbol());
  } else if (auto* guard = AsAlternative<P::GuardContext>(ctx)) {
    made = Make(ExprKind::kGuard, span);
    made->children.push_back(BuildExpr(guard->expr()));
  } else if (auto* betza = AsAlternative<P::BetzaContext>(ctx)) {
    made = Make(ExprKind::kBetza, span);
    made->text = StringOf(betza->STRING());
    made->word = SpanOf(betza->STRING()->getSymbol());
  } else {
    made = Make(ExprKind::kName, span);
    made->text = TextOf(ctx->getStart());
  }
  return made;
}

ExprPtr Builder::FilterOf(ExprPtr term) const {
  ExprPtr filter = Make(ExprKind::kFilter, term->span);
  filter->children.push_back(std::move(term));
  return filter;
}

ExprPtr Builder::BuildFilter(P::FilterContext* ctx) {
  ExprPtr filter = Make(ExprKind::kFilter, SpanOf(ctx));
  filter->negated = Has(ctx, "not");
  for (auto* term : ctx->filterTerm()) filter->children.push_back(BuildFilterTerm(term));
  return filter;
}

ExprPtr Builder::BuildFilterTerm(P::FilterTermContext* ctx) {
  ExprPtr term = Make(ExprKind::kFilterTerm, SpanOf(ctx));
  for (const Child& child : ctx->children) {
    if (auto* rule = child.rule) {
      term->words.push_back(NameOf(rule));
    } else if (auto* token = child.token) {
      term->words.push_back(NameOf(token));
    }
  }
  return term;
}

ast::Query Builder::BuildQuery(P::QueryContext* ctx) {
  ast::Query query;
  query.span = SpanOf(ctx);
  query.walk = BuildWalk(ctx->walk());
  query.from = BuildExpr(ctx->expr(0));
  query.onto = BuildFilter(ctx->filter());
  if (ctx->expr().size() > 1) query.within = BuildExpr(ctx->expr(1));
  return query;
}

// ---- types -------------------------------------------------------------------------------------

ExprPtr Builder::BuildBound(P::BoundContext* ctx) {
  ExprPtr bound = Make(ctx->INT() != nullptr ? ExprKind::kInt : ExprKind::kName, SpanOf(ctx));
  if (ctx->INT() != nullptr) {
    bound->number = Number(ctx->INT(), INT32_MAX);
    if (Has(ctx, "-")) bound->number = -bound->number;
  } else {
    bound->text = NameOf(ctx->name()).text;
  }
  return bound;
}

ast::Type Builder::BuildType(P::TypeContext* ctx) {
  ast::Type type;
  type.span = SpanOf(ctx);
  type.optional = Has(ctx, "?");
  if (ctx->range() != nullptr) {
    type.kind = ast::TypeKind::kRange;
    type.low = BuildBound(ctx->range()->bound(0));
    type.high = BuildBound(ctx->range()->bound(1));
    return type;
  }
  type.kind = ctx->enumSet() != nullptr ? ast::TypeKind::kSet : ast::TypeKind::kName;
  if (ctx->name() != nullptr) type.name = NameOf(ctx->name());
  if (ctx->enumSet() != nullptr) type.values = BuildExprs(ctx->enumSet()->expr());
  return type;
}

std::vector<ast::Param> Builder::BuildParams(P::ParamsContext* ctx) {
  std::vector<ast::Param> params;
  if (ctx == nullptr) return params;
  for (auto* each : ctx->param()) {
    ast::Param param;
    param.name = NameOf(each->name());
    if (each->type() != nullptr) param.type = BuildType(each->type());
    params.push_back(std::move(param));
  }
  return params;
}

std::vector<ast::Index> Builder::BuildIndex(P::IndexContext* ctx) {
  std::vector<ast::Index> index;
  if (ctx == nullptr) return index;
  for (auto* each : ctx->indexItem()) {
    ast::Index item;
    item.name = NameOf(each->name());
    if (each->type() != nullptr) item.type = BuildType(each->type());
    index.push_back(std::move(item));
  }
  return index;
}

}  // namespace arbiter::parse
