// Declarations, set-ups and examples; and the small readers every rule needs (spans, names, numbers).
#include <algorithm>
#include <charconv>

#include "parse/build.h"

namespace arbiter::parse {

using diagnostics::Code;

// ---- places and words --------------------------------------------------------------------------

Span Builder::SpanOf(const antlr4::Token* token) const { return tokens_[token->getTokenIndex()].span; }

Span Builder::SpanOf(TreeNode* ctx) const {
  const antlr4::Token* first = ctx->getStart();
  const antlr4::Token* last = ctx->getStop();
  Span begin = SpanOf(first);
  if (last == nullptr || last->getTokenIndex() < first->getTokenIndex()) return {file_, begin.begin, begin.begin};
  return source::Join(begin, SpanOf(last));
}

std::string_view Builder::TextOf(const antlr4::Token* token) const { return TextOf(SpanOf(token)); }

antlr4::Token* Builder::Find(TreeNode* ctx, std::string_view word) const {
  for (const Child& child : ctx->children) {
    auto* node = child.token;
    if (node != nullptr && TextOf(node->getSymbol()) == word) return node->getSymbol();
  }
  return nullptr;
}

Name Builder::NameOf(const antlr4::Token* token) const { return {std::string(TextOf(token)), SpanOf(token)}; }
Name Builder::NameOf(antlr4::tree::TerminalNode* node) const { return NameOf(node->getSymbol()); }
Name Builder::NameOf(TreeNode* ctx) const { return NameOf(ctx->getStart()); }

std::string Builder::StringOf(antlr4::tree::TerminalNode* node) const {
  std::string_view quoted = TextOf(node->getSymbol());
  return std::string(quoted.substr(1, quoted.size() - 2));
}

int64_t Builder::Number(antlr4::tree::TerminalNode* node, int64_t most) {
  std::string_view digits = TextOf(node->getSymbol());
  int64_t value = 0;
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc() && value <= most) return value;
  sink_.Error(Code::kTypeRange, SpanOf(node->getSymbol()),
              "this number is too large: at most " + std::to_string(most) + " is possible here");
  return most;
}

void Builder::Append(Cites& cites, const std::vector<P::CiteContext*>& contexts) const {
  for (auto* each : contexts) {
    std::string_view text = TextOf(each->getStart());
    cites.push_back({std::string(text.substr(text.find_first_of("0123456789"))), SpanOf(each)});
  }
}

Cites Builder::CitesOf(const std::vector<P::CiteContext*>& contexts) const {
  Cites cites;
  Append(cites, contexts);
  return cites;
}

std::string Builder::DocBefore(TreeNode* ctx) const {
  std::vector<std::string_view> lines;
  for (std::size_t i = ctx->getStart()->getTokenIndex(); i-- > 0;) {
    if (tokens_[i].kind != TokenKind::kDoc) break;
    std::string_view line = TextOf(tokens_[i].span).substr(3);
    if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  std::string doc;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!doc.empty()) doc += '\n';
    doc += *line;
  }
  return doc;
}

// ---- the file ----------------------------------------------------------------------------------

ast::File Builder::BuildFile(P::FileContext* ctx) {
  ast::File file;
  file.file = file_;
  EachItem<P::DeclContext>(
      ctx, [&](P::DeclContext* decl) { file.decls.push_back(BuildDecl(decl)); },
      [&](Span span) {
        ast::Decl decl;
        decl.span = span;
        file.decls.push_back(std::move(decl));
      });
  return file;
}

// The name a declaration that could not be read was going to declare, so that uses of it are not
// reported as unknown.
Name Builder::GuessName(TreeNode* ctx) const {
  std::size_t last = ctx->getStop() != nullptr ? ctx->getStop()->getTokenIndex() : ctx->getStart()->getTokenIndex();
  for (std::size_t i = ctx->getStart()->getTokenIndex(); i <= last && i < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kWord) return {std::string(TextOf(token.span)), token.span};
  }
  return {};
}

ast::Decl Builder::BuildDecl(P::DeclContext* ctx) {
  ast::Decl decl;
  decl.span = SpanOf(ctx);
  decl.doc = DocBefore(ctx);
  if (ctx->exception || ctx->declaration() == nullptr) {
    decl.payload = ast::ErrorDecl{GuessName(ctx)};
    return decl;
  }
  decl.replaces = Has(ctx, "replace");
  decl.payload = BuildPayload(ctx->declaration(), &decl.cites);
  Append(decl.cites, ctx->cite());
  return decl;
}

ast::Payload Builder::BuildPayload(P::DeclarationContext* ctx, Cites* cites) {
  TreeNode* inner = ctx->children.front().rule;
  switch (inner->getRuleIndex()) {
    case P::RuleGameDecl:
      return ast::Game{StringOf(ctx->gameDecl()->STRING())};
    case P::RuleAuthorDecl:
      return ast::Author{StringOf(ctx->authorDecl()->STRING())};
    case P::RuleTextDecl:
      return ast::Text{StringOf(ctx->textDecl()->STRING()), SpanOf(ctx->textDecl()->STRING()->getSymbol())};
    case P::RuleUseDecl: {
      P::PathContext* path = ctx->useDecl()->path();
      std::string module;
      for (const Name& part : NamesOf(path->name())) module += (module.empty() ? "" : ".") + part.text;
      return ast::Use{std::move(module), SpanOf(path)};
    }
    case P::RuleExtendsDecl:
      return ast::Extends{StringOf(ctx->extendsDecl()->STRING()), SpanOf(ctx->extendsDecl()->STRING()->getSymbol())};
    case P::RuleDeleteDecl:
      if (auto* label = ctx->deleteDecl()->label()) {
        return ast::Delete{NameOf(Find(ctx->deleteDecl(), "show")), NameOf(label)};
      }
      return ast::Delete{NameOf(ctx->deleteDecl()->deletable()), NameOf(ctx->deleteDecl()->name())};
    case P::RuleOptionDecl:
      return ast::Option{NameOf(ctx->optionDecl()->name()), BuildType(ctx->optionDecl()->type()),
                         BuildExpr(ctx->optionDecl()->expr())};
    case P::RulePlayersDecl: {
      ast::Players players;
      for (auto* each : ctx->playersDecl()->player()) {
        std::vector<Name> names = NamesOf(each->name());
        players.players.push_back({names[0], names.size() > 1 ? names[1] : Name{}});
      }
      return players;
    }
    case P::RuleBoardDecl:
      return BuildBoard(ctx->boardDecl(), cites);
    case P::RuleZoneDecl:
      return BuildZone(ctx->zoneDecl());
    case P::RuleStateDecl:
      return BuildState(ctx->stateDecl(), cites);
    case P::RulePieceDecl:
      return BuildPiece(ctx->pieceDecl(), cites);
    case P::RuleAttributeDecl:
      return ast::PieceAttribute{NameOf(ctx->attributeDecl()->name()), BuildType(ctx->attributeDecl()->type())};
    case P::RuleEveryPieceDecl: {
      ast::EveryPiece every;
      if (auto* names = ctx->everyPieceDecl()->names()) every.except = NamesOf(names->name());
      every.items = BuildPieceItems(ctx->everyPieceDecl()->pieceBody(), cites);
      return every;
    }
    case P::RuleClassDecl:
      return ast::ClassDecl{NamesOf(ctx->classDecl()->names()->name())};
    case P::RuleActionDecl: {
      P::ActionDeclContext* decl = ctx->actionDecl();
      ast::Action action;
      std::vector<Name> names = NamesOf(decl->name());
      action.name = names.front();
      action.by.assign(names.begin() + 1, names.end());
      action.params = BuildParams(decl->params());
      action.steps = BuildSteps(decl->stepBody(), cites);
      return action;
    }
    case P::RuleDefineDecl:
      return ast::Define{NameOf(ctx->defineDecl()->name()), BuildParams(ctx->defineDecl()->params()),
                         BuildExpr(ctx->defineDecl()->expr())};
    case P::RuleWalkDecl:
      return ast::WalkDecl{NameOf(ctx->walkDecl()->name()), BuildParams(ctx->walkDecl()->params()),
                           BuildWalk(ctx->walkDecl()->walk())};
    case P::RuleEffectDecl:
      return ast::EffectDecl{NameOf(ctx->effectDecl()->name()), BuildParams(ctx->effectDecl()->params()),
                             BuildBlock(ctx->effectDecl()->block(), cites)};
    case P::RuleTurnDecl: {
      ast::TurnDecl turn;
      if (ctx->turnDecl()->name() != nullptr) turn.name = NameOf(ctx->turnDecl()->name());
      turn.turn = BuildTurn(ctx->turnDecl()->turn());
      return turn;
    }
    case P::RulePhaseDecl:
      return BuildPhase(ctx->phaseDecl(), cites);
    case P::RuleHandlerDecl:
      return BuildHandler(ctx->handlerDecl(), cites);
    case P::RuleLawDecl:
      return BuildLaw(ctx->lawDecl());
    case P::RuleOutcomeDecl:
      return BuildOutcome(ctx->outcomeDecl());
    case P::RuleSetupDecl:
      return BuildSetup(ctx->setupDecl());
    case P::RuleStartDecl:
      return ast::Start{BuildSetupRef(ctx->startDecl()->setupRef())};
    case P::RuleFenDecl:
      return BuildFen(ctx->fenDecl(), cites);
    case P::RuleShowDecl:
      return BuildShow(ctx->showDecl());
    case P::RuleExampleDecl:
      return BuildExample(ctx->exampleDecl(), cites);
    default:
      return ast::ErrorDecl{};
  }
}

// ---- board -------------------------------------------------------------------------------------

ast::Board Builder::BuildBoard(P::BoardDeclContext* ctx, Cites* cites) {
  ast::Board board;
  Append(*cites, ctx->boardBody()->cite());
  EachItem<P::BoardItemContext>(
      ctx->boardBody(), [&](P::BoardItemContext* item) { AddBoardItem(item, &board.items); },
      [&](Span span) {
        ast::BoardItem item;
        item.span = span;
        board.items.push_back(std::move(item));
      });
  return board;
}

void Builder::AddBoardItem(P::BoardItemContext* ctx, std::vector<ast::BoardItem>* items) {
  using ast::BoardItemKind;
  ast::BoardItem item;
  item.span = SpanOf(ctx);
  if (ctx->exception) {
    items->push_back(std::move(item));
    return;
  }
  for (const Child& child : ctx->children) {
    if (auto* cite = child.As<P::CiteContext>()) Append(item.cites, {cite});
  }
  auto number = [&](antlr4::tree::TerminalNode* node) {
    item.numbers.push_back(SmallNumber(node));
    item.number_spans.push_back(SpanOf(node->getSymbol()));
  };
  if (auto* squares = AsAlternative<P::SquaresContext>(ctx)) {
    item.kind = BoardItemKind::kSquares;
    number(squares->INT(0));
    Name by = NameOf(squares->NAME());  // `x`, or `x8` where the author left no blank
    if (squares->INT().size() > 1) {
      number(squares->INT(1));
    } else {
      int value = 0;
      const char* end = by.text.data() + by.text.size();
      if (by.text.size() > 1) std::from_chars(by.text.data() + 1, end, value);
      item.numbers.push_back(value);
      item.number_spans.push_back(by.span);
    }
    bool joined = squares->INT().size() == 1;
    bool fine = by.text[0] == 'x' && (joined ? by.text.size() > 1 && by.text.size() < 6 &&
                                                   by.text.find_first_not_of("0123456789", 1) == std::string::npos
                                             : by.text.size() == 1);
    if (!fine) {
      sink_.Error(Code::kSyntaxUnexpected, by.span, "expected `x` between the width and the height")
          .help.push_back("write `squares 8 x 8`");
      item.kind = BoardItemKind::kError;
    }
    if (squares->expr() != nullptr) item.without = BuildExpr(squares->expr());
    item.wrap = NamesOf(squares->wrapAxis());
  } else if (auto* hexes = AsAlternative<P::HexesContext>(ctx)) {
    item.kind = BoardItemKind::kHexes;
    item.names.push_back(NameOf(hexes->NAME()));
    for (auto* node : hexes->INT()) number(node);
    if (hexes->expr() != nullptr) item.without = BuildExpr(hexes->expr());
  } else if (auto* cells = AsAlternative<P::CellsContext>(ctx)) {
    item.kind = BoardItemKind::kCells;
    item.names = NamesOf(cells->NAME());
  } else if (auto* links = AsAlternative<P::LinksContext>(ctx)) {
    std::vector<P::LinkContext*> each = links->link();
    for (std::size_t i = 0; i < each.size(); ++i) {
      ast::BoardItem link;
      link.kind = BoardItemKind::kLink;
      link.span = SpanOf(each[i]);
      link.names = {NameOf(each[i]->name(0)), NameOf(each[i]->name(1)), NameOf(each[i]->name(2))};
      if (i == 0) link.cites = item.cites;
      items->push_back(std::move(link));
    }
    return;
  } else if (auto* directions = AsAlternative<P::DirectionsContext>(ctx)) {
    item.kind = BoardItemKind::kDirections;
    item.names.push_back(NameOf(directions->name()));
    item.values = BuildExprs(directions->expr());
  } else if (auto* place = AsAlternative<P::PlaceContext>(ctx)) {
    item.kind = BoardItemKind::kPlace;
    item.names.push_back(NameOf(place->name()));
    item.index = BuildIndex(place->index());
    number(place->INT());
  } else if (auto* ring = AsAlternative<P::RingContext>(ctx)) {
    item.kind = BoardItemKind::kRing;
    item.names = {NameOf(ring->name(0)), NameOf(ring->NAME()), NameOf(ring->name(1))};
    if (ring->expr() != nullptr) item.without = BuildExpr(ring->expr());
  } else if (auto* facing = AsAlternative<P::FacingContext>(ctx)) {
    item.kind = BoardItemKind::kFacing;
    item.names = NamesOf(facing->names()->name());
  } else if (auto* at = AsAlternative<P::DeflectAtContext>(ctx)) {
    item.kind = BoardItemKind::kDeflectAt;
    for (auto* turn : at->turnAt()) {
      item.turns.push_back({NameOf(turn->name(0)), NameOf(turn->name(1)), NameOf(turn->name(2))});
    }
    if (at->expr() != nullptr) item.condition = BuildExpr(at->expr());
  } else if (auto* edges = AsAlternative<P::DeflectEdgesContext>(ctx)) {
    item.kind = BoardItemKind::kDeflectEdges;
    item.names = NamesOf(edges->name());
    if (edges->expr() != nullptr) item.condition = BuildExpr(edges->expr());
  } else if (auto* barrier = AsAlternative<P::BarrierContext>(ctx)) {
    item.kind = BoardItemKind::kBarrier;
    item.names.push_back(NameOf(barrier->name()));
    for (auto* term : barrier->term()) item.values.push_back(BuildTerm(term));
  } else if (auto* zone = AsAlternative<P::BoardZoneContext>(ctx)) {
    item.kind = BoardItemKind::kZone;
    item.zone = BuildZone(zone->zoneDecl());
  }
  items->push_back(std::move(item));
}

ast::Zone Builder::BuildZone(P::ZoneDeclContext* ctx) {
  ast::Zone zone;
  zone.name = NameOf(ctx->name());
  zone.index = BuildIndex(ctx->index());
  zone.cells = BuildExprs(ctx->expr());
  return zone;
}

ast::State Builder::BuildState(P::StateDeclContext* ctx, Cites* cites) {
  ast::State state;
  state.of_pieces = Has(ctx, "piece");
  Append(*cites, ctx->stateBody()->cite());
  EachItem<P::StateVarContext>(
      ctx->stateBody(),
      [&](P::StateVarContext* each) {
        if (each->exception) return;
        ast::StateVar var;
        var.span = SpanOf(each);
        if (each->life != nullptr) {
          var.life = TextOf(each->life) == "brief" ? ast::StateVar::Life::kBrief : ast::StateVar::Life::kClock;
        }
        var.name = NameOf(each->name());
        var.index = BuildIndex(each->index());
        var.type = BuildType(each->type());
        var.initial = BuildExpr(each->expr());
        Append(*cites, each->cite());
        state.vars.push_back(std::move(var));
      },
      [](Span) {});
  return state;
}

// ---- pieces ------------------------------------------------------------------------------------

ast::Piece Builder::BuildPiece(P::PieceDeclContext* ctx, Cites* cites) {
  ast::Piece piece;
  piece.neutral = Has(ctx, "neutral");
  piece.fixed = Has(ctx, "fixed");
  piece.name = NameOf(ctx->name(0));
  for (auto* node : ctx->STRING()) {
    piece.letters.push_back(StringOf(node));
    piece.letters_span = source::Join(piece.letters_span, SpanOf(node->getSymbol()));
  }
  if (ctx->name().size() > 1) piece.like = NameOf(ctx->name(1));
  piece.classes = NamesOf(ctx->NAME());
  if (ctx->pieceBody() != nullptr) piece.items = BuildPieceItems(ctx->pieceBody(), cites);
  return piece;
}

std::vector<ast::PieceItem> Builder::BuildPieceItems(P::PieceBodyContext* ctx, Cites* cites) {
  std::vector<ast::PieceItem> items;
  Append(*cites, ctx->cite());
  EachItem<P::PieceItemContext>(
      ctx, [&](P::PieceItemContext* item) { items.push_back(BuildPieceItem(item)); },
      [&](Span span) {
        ast::PieceItem item;
        item.span = span;
        items.push_back(std::move(item));
      });
  return items;
}

ast::PieceItem Builder::BuildPieceItem(P::PieceItemContext* ctx) {
  using ast::PieceItemKind;
  ast::PieceItem item;
  item.span = SpanOf(ctx);
  if (ctx->exception) return item;
  for (const Child& child : ctx->children) {
    if (auto* cite = child.As<P::CiteContext>()) Append(item.cites, {cite});
  }
  if (auto* moves = AsAlternative<P::MovesContext>(ctx)) {
    item.kind = PieceItemKind::kMoves;
    for (auto* verb : moves->verb()) {
      std::string_view word = TextOf(verb->getStart());
      item.moves = item.moves || word == "move";
      item.takes = item.takes || word == "take";
      item.threatens = item.threatens || word == "threaten";
    }
    item.walk = BuildWalk(moves->walk());
    item.riders = BuildRiders(moves->rider());
  } else if (auto* promotes = AsAlternative<P::PromotesContext>(ctx)) {
    item.kind = PieceItemKind::kPromotes;
    item.names = NamesOf(promotes->name());
    item.zone = BuildTerm(promotes->term());
    if (promotes->expr() != nullptr) item.condition = BuildExpr(promotes->expr());
    item.optional = promotes->opt != nullptr;
  } else if (auto* can = AsAlternative<P::CanContext>(ctx)) {
    item.kind = PieceItemKind::kCan;
    item.name = NameOf(can->name());
    item.args = BuildArgs(can->args());
    item.riders = BuildRiders(can->rider());
  } else if (AsAlternative<P::MayBeOffContext>(ctx) != nullptr) {
    item.kind = PieceItemKind::kMayBeOffBoard;
  } else if (auto* betza = AsAlternative<P::BetzaItemContext>(ctx)) {
    item.kind = PieceItemKind::kBetza;
    item.walk = Make(ExprKind::kBetza, SpanOf(betza->STRING()->getSymbol()));
    item.walk->text = StringOf(betza->STRING());
  } else if (auto* attribute = AsAlternative<P::AttributeItemContext>(ctx)) {
    item.kind = PieceItemKind::kAttribute;
    item.name = NameOf(attribute->name());
    for (auto* arg : attribute->arg()) item.values.push_back(BuildArg(arg));
  }
  return item;
}

ast::Riders Builder::BuildRiders(const std::vector<P::RiderContext*>& contexts) {
  ast::Riders riders;
  auto zone = [&](P::RiderZoneContext* ctx) {
    ExprPtr cells = BuildTerm(ctx->term());
    if (!Has(ctx, "not")) return cells;
    ExprPtr outside = Make(ExprKind::kNot, SpanOf(ctx));
    outside->word = SpanOf(ctx->getStart());
    outside->children.push_back(std::move(cells));
    return outside;
  };
  auto once = [&](bool seen, P::RiderContext* ctx) {
    if (!seen) return;
    sink_.Error(Code::kSyntaxUnexpected, SpanOf(ctx->getStart()),
                "a second `" + std::string(TextOf(ctx->getStart())) + "` in one statement");
  };
  for (P::RiderContext* ctx : contexts) {
    if (ctx->expr() != nullptr) {
      once(riders.condition != nullptr, ctx);
      riders.condition = BuildExpr(ctx->expr());
    } else if (ctx->block() != nullptr) {
      once(riders.effects.has_value(), ctx);
      Cites ignored;
      riders.effects = BuildBlock(ctx->block(), &ignored);
    } else if (Has(ctx, "to")) {
      once(riders.to != nullptr, ctx);
      riders.to = zone(ctx->riderZone());
    } else {
      once(riders.from != nullptr, ctx);
      if (ctx->riderZone() != nullptr) riders.from = zone(ctx->riderZone());
    }
  }
  return riders;
}

// ---- events, laws, ends ------------------------------------------------------------------------

ast::Payload Builder::BuildHandler(P::HandlerDeclContext* ctx, Cites* cites) {
  ast::Handler handler;
  handler.event = BuildEvent(ctx->event());
  if (ctx->names() != nullptr) handler.phases = NamesOf(ctx->names()->name());
  if (ctx->expr() != nullptr) handler.condition = BuildExpr(ctx->expr());
  handler.block = BuildBlock(ctx->block(), cites);
  return handler;
}

ast::Payload Builder::BuildLaw(P::LawDeclContext* ctx) {
  ast::Law law;
  if (Has(ctx, "turn")) law.scope = ast::Law::Scope::kTurnEnd;
  if (ctx->names() != nullptr) law.phases = NamesOf(ctx->names()->name());
  if (Has(ctx, "action")) {
    law.scope = ast::Law::Scope::kAction;
    law.actor = NameOf(ctx->name());
    if (Has(ctx, "turn")) {
      sink_.Error(Code::kSyntaxUnexpected, SpanOf(ctx->getStart()),
                  "a law speaks either of the end of the turn or of the actions of a piece");
    }
  }
  law.condition = BuildExpr(ctx->expr());
  return law;
}

ast::Payload Builder::BuildOutcome(P::OutcomeDeclContext* ctx) {
  ast::Outcome outcome;
  outcome.at_once = Has(ctx, "once");
  if (auto* win = AsAlternative<P::WinOutcomeContext>(ctx)) {
    outcome.kind = TextOf(win->verdict) == "win" ? ast::Outcome::Kind::kWin : ast::Outcome::Kind::kLose;
    outcome.player = BuildPostfix(win->postfix());
    if (win->names() != nullptr) outcome.phases = NamesOf(win->names()->name());
    outcome.condition = BuildExpr(win->expr());
  } else if (auto* draw = AsAlternative<P::DrawOutcomeContext>(ctx)) {
    if (draw->names() != nullptr) outcome.phases = NamesOf(draw->names()->name());
    if (draw->expr() != nullptr) outcome.condition = BuildExpr(draw->expr());
    if (draw->INT() != nullptr) {
      outcome.kind = ast::Outcome::Kind::kRepetition;
      outcome.number = SmallNumber(draw->INT());
      outcome.number_span = SpanOf(draw->INT()->getSymbol());
    }
  } else if (auto* limit = AsAlternative<P::LimitOutcomeContext>(ctx)) {
    outcome.kind = ast::Outcome::Kind::kLimitTurns;
    if (limit->expr() != nullptr) outcome.condition = BuildExpr(limit->expr());
    outcome.number = SmallNumber(limit->INT());
    outcome.number_span = SpanOf(limit->INT()->getSymbol());
  }
  return outcome;
}

}  // namespace arbiter::parse
