// Set-ups, FEN fields, what is shown, and examples.
#include "parse/build.h"

namespace arbiter::parse {

using diagnostics::Code;

ast::SetupRef Builder::BuildSetupRef(P::SetupRefContext* ctx) {
  ast::SetupRef ref;
  ref.name = NameOf(ctx->NAME());
  ref.span = SpanOf(ctx);
  if (ctx->subscript() != nullptr) ref.index = BuildExprs(ctx->subscript()->expr());
  return ref;
}

ast::Payload Builder::BuildSetup(P::SetupDeclContext* ctx) {
  ast::Setup setup;
  if (ctx->NAME() != nullptr) setup.name = NameOf(ctx->NAME());
  if (ctx->subscript() != nullptr) setup.index = BuildExprs(ctx->subscript()->expr());
  if (ctx->setupRef() != nullptr) setup.base = BuildSetupRef(ctx->setupRef());
  for (auto* each : ctx->placement()) setup.with.emplace_back(NameOf(each->name(0)), NameOf(each->name(1)));
  if (ctx->name() != nullptr) setup.to_move = NameOf(ctx->name());
  if (ctx->DIAGRAM() != nullptr) {
    std::string_view quoted = TextOf(ctx->DIAGRAM()->getSymbol());
    setup.diagram = quoted.substr(3, quoted.size() - 6);
    setup.diagram_span = SpanOf(ctx->DIAGRAM()->getSymbol());
  }
  if (ctx->STRING() != nullptr) {
    setup.fen = StringOf(ctx->STRING());
    setup.fen_span = SpanOf(ctx->STRING()->getSymbol());
  }
  bool has_board = ctx->DIAGRAM() != nullptr || ctx->STRING() != nullptr;
  if (!has_board && !setup.base) {
    sink_.Error(Code::kSyntaxUnexpected, SpanOf(ctx), "this set-up does not say where the pieces stand")
        .help.push_back("write a diagram between `\"\"\"` and `\"\"\"`, or `fen \"…\"`, or `= another_setup`");
  }
  if (has_board && setup.base) {
    sink_
        .Error(Code::kSyntaxUnexpected, has_board && ctx->DIAGRAM() ? setup.diagram_span : setup.fen_span,
               "a set-up that is derived from another has no diagram of its own")
        .help.push_back("name the changes: `= " + setup.base->name.text + " with Ball on c5`");
  }
  return setup;
}

ast::Payload Builder::BuildFen(P::FenDeclContext* ctx, Cites* cites) {
  ast::FenDecl fen;
  Append(*cites, ctx->fenBody()->cite());
  EachItem<P::FenFieldContext>(
      ctx->fenBody(),
      [&](P::FenFieldContext* each) {
        if (each->exception) return;
        ast::FenField field;
        field.span = SpanOf(each);
        std::string_view word = TextOf(each->getStart());
        field.kind = word == "flags"    ? ast::FenField::Kind::kFlags
                     : word == "cell"   ? ast::FenField::Kind::kCell
                     : word == "number" ? ast::FenField::Kind::kNumber
                                        : ast::FenField::Kind::kSkip;
        if (each->STRING() != nullptr) field.letters = StringOf(each->STRING());
        for (auto* target : each->postfix()) field.targets.push_back(BuildPostfix(target));
        fen.fields.push_back(std::move(field));
      },
      [](Span) {});
  return fen;
}

ast::Payload Builder::BuildShow(P::ShowDeclContext* ctx) {
  if (ctx->names() != nullptr) return ast::ShowZones{NameOf(Find(ctx, "zones")), NamesOf(ctx->names()->name())};
  ast::ShowDecl show;
  show.name = NameOf(ctx->label());
  show.parts = BuildExprs(ctx->expr());
  if (Has(ctx, "if")) {
    show.condition = std::move(show.parts.back());
    show.parts.pop_back();
  }
  return show;
}

// ---- examples ----------------------------------------------------------------------------------

ast::Payload Builder::BuildExample(P::ExampleDeclContext* ctx, Cites* cites) {
  ast::Example example;
  if (ctx->STRING() != nullptr) example.title = StringOf(ctx->STRING());
  Append(*cites, ctx->cite());
  for (auto* chosen : ctx->chosen()) {
    example.options.emplace_back(NameOf(chosen->name()), BuildExpr(chosen->expr()));
  }
  EachItem<P::ExampleItemContext>(
      ctx->exampleBody(), [&](P::ExampleItemContext* item) { example.items.push_back(BuildExampleItem(item)); },
      [&](Span span) {
        ast::ExampleItem item;
        item.span = span;
        example.items.push_back(std::move(item));
      });
  return example;
}

// A move as written; blanks between its parts do not count.
std::pair<std::string, Span> Builder::BuildMove(P::PlayedMoveContext* ctx) const {
  if (ctx->STRING() != nullptr) return {StringOf(ctx->STRING()), SpanOf(ctx)};
  return {Unspaced(SpanOf(ctx)), SpanOf(ctx)};
}

std::string Builder::Unspaced(Span span) const {
  std::string text;
  for (char c : text_.substr(span.begin, span.end - span.begin)) {
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') text += c;
  }
  return text;
}

ast::ExampleItem Builder::BuildExampleItem(P::ExampleItemContext* ctx) {
  using Kind = ast::ExampleItem::Kind;
  ast::ExampleItem item;
  item.span = SpanOf(ctx);
  if (ctx->exception) return item;
  auto play = [&](const std::vector<P::PlayedMoveContext*>& moves) {
    for (auto* move : moves) item.moves.push_back(BuildMove(move));
  };
  if (auto* setup = AsAlternative<P::ExSetupContext>(ctx)) {
    item.kind = Kind::kSetup;
    if (setup->setupRef() != nullptr) item.setup = BuildSetupRef(setup->setupRef());
  } else if (auto* position = AsAlternative<P::ExPositionContext>(ctx)) {
    if (position->STRING() != nullptr) {
      item.kind = Kind::kFen;
      item.text = StringOf(position->STRING());
      item.span = SpanOf(position->STRING()->getSymbol());
    } else {
      item.kind = Kind::kPosition;
      BuildPosition(position->positionBody(), &item);
    }
  } else if (auto* moves = AsAlternative<P::ExMovesContext>(ctx)) {
    item.kind = Kind::kMoves;
    if (moves->NAME() != nullptr) {
      Span of = SpanOf(moves->NAME()->getSymbol());
      if (!moves->slotIndex().empty()) of = source::Join(of, SpanOf(moves->slotIndex().back()));
      item.of = {Unspaced(of), of};
    }
    if (moves->expr() != nullptr) item.where = BuildExpr(moves->expr());
    play(moves->playedMove());
  } else if (auto* count = AsAlternative<P::ExCountContext>(ctx)) {
    item.kind = Kind::kCount;
    item.numbers.push_back(Number(count->INT(), INT64_MAX));
  } else if (auto* legal = AsAlternative<P::ExLegalContext>(ctx)) {
    item.kind = TextOf(legal->which) == "legal" ? Kind::kLegal : Kind::kIllegal;
    play(legal->playedMove());
    item.because = CitesOf(legal->cite());
  } else if (auto* after = AsAlternative<P::ExAfterContext>(ctx)) {
    item.kind = Kind::kAfter;
    play(after->playedMove());
  } else if (auto* holds = AsAlternative<P::ExHoldsContext>(ctx)) {
    item.kind = Kind::kHolds;
    item.where = BuildExpr(holds->expr());
  } else if (auto* perft = AsAlternative<P::ExPerftContext>(ctx)) {
    item.kind = Kind::kPerft;
    std::vector<antlr4::tree::TerminalNode*> ints = perft->INT();
    bool range = Has(perft, "..");
    item.low = SmallNumber(ints[0]);
    item.high = range ? SmallNumber(ints[1]) : item.low;
    for (std::size_t i = range ? 2 : 1; i < ints.size(); ++i) item.numbers.push_back(Number(ints[i], INT64_MAX));
    if (static_cast<int64_t>(item.numbers.size()) != static_cast<int64_t>(item.high) - item.low + 1) {
      sink_.Error(Code::kTypeArity, item.span,
                  "perft " + std::to_string(item.low) + ".." + std::to_string(item.high) +
                      " needs one number a depth: " + std::to_string(item.numbers.size()) +
                      (item.numbers.size() == 1 ? " is" : " are") + " given");
      item.kind = Kind::kError;
    }
  } else if (auto* result = AsAlternative<P::ExResultContext>(ctx)) {
    item.kind = Kind::kResult;
    if (!result->share().empty()) {
      item.word = "points";
      for (auto* share : result->share()) {
        item.points.emplace_back(BuildExpr(share->expr()), NameOf(share->postfix()));
      }
    } else if (result->word != nullptr) {
      item.word = TextOf(result->word);
      if (result->name() != nullptr) item.player = NameOf(result->name());
    } else {
      item.word = TextOf(result->NAME()->getSymbol());
      if (item.word != "none") {
        sink_.Error(Code::kSyntaxUnexpected, SpanOf(result->NAME()->getSymbol()), "expected a result after `result`")
            .help.push_back(
                "write `result win White`, `result lose White`, `result draw`, `result none` or `result 3 to White, 0 "
                "to Black`");
        item.kind = Kind::kError;
      }
    }
  }
  return item;
}

namespace {

// Cells begin with a small Latin letter, pieces and players with anything else.
bool LooksLikeCell(const Name& name) { return name.text[0] >= 'a' && name.text[0] <= 'z'; }

}  // namespace

// `White King d1  Rook c1 c2   travelled[White] = true   to move Black`: a run of names is split where
// cells are followed by pieces.
void Builder::BuildPosition(P::PositionBodyContext* ctx, ast::ExampleItem* item) {
  std::vector<Name> heads;
  std::vector<Name> cells;
  auto flush = [&]() {
    if (heads.empty() && cells.empty()) return;
    ast::ExampleItem::Entry entry;
    Span span = heads.empty() ? cells.front().span : heads.front().span;
    if (heads.empty()) {
      sink_.Error(Code::kSyntaxUnexpected, span, "expected a piece before the cell `" + cells.front().text + "`")
          .help.push_back("write `White King d1`");
    } else if (cells.empty()) {
      sink_.Error(Code::kSyntaxUnexpected, heads.back().span, "expected a cell after `" + heads.back().text + "`")
          .help.push_back("write the player, the piece and its cells: `White King d1`");
    } else if (heads.size() > 2) {
      sink_.Error(Code::kSyntaxUnexpected, heads[2].span, "expected a cell after `" + heads[1].text + "`")
          .help.push_back("write the player, the piece and its cells: `White King d1`");
    } else {
      if (heads.size() == 2) entry.player = heads.front();
      entry.kind = heads.back();
      entry.cells = std::move(cells);
      item->entries.push_back(std::move(entry));
    }
    heads.clear();
    cells.clear();
  };
  EachItem<P::PositionEntryContext>(
      ctx,
      [&](P::PositionEntryContext* each) {
        if (each->exception) return;
        if (each->NAME() != nullptr) {
          Name name = NameOf(each->NAME());
          bool cell = LooksLikeCell(name) || !each->subscript().empty();
          if (!each->subscript().empty()) name = {Unspaced(SpanOf(each)), SpanOf(each)};
          if (!cell && !cells.empty()) flush();
          (cell ? cells : heads).push_back(std::move(name));
          return;
        }
        flush();
        ast::ExampleItem::Entry entry;
        if (each->target() != nullptr) {
          entry.variable = BuildTarget(each->target());
          entry.value = BuildExpr(each->expr());
        } else {
          entry.to_move = NameOf(each->name());
        }
        item->entries.push_back(std::move(entry));
      },
      [](Span) {});
  flush();
}

}  // namespace arbiter::parse
