// What stands in braces and does something: steps, effects, turns, events.
#include "parse/build.h"

namespace arbiter::parse {

using ast::Effect;
using ast::EffectKind;
using ast::Step;
using ast::StepKind;
using ast::Turn;
using ast::TurnKind;
using ast::TurnPtr;

namespace {

// Folds `if a X else if b Y else Z` into nested nodes: the chain stands flat in the grammar.
template <class Node, class Kind>
void Chain(Node* first, std::vector<Node> rest, std::vector<Node> last, Kind) {
  std::vector<Node> otherwise = std::move(last);
  while (!rest.empty()) {
    Node link = std::move(rest.back());
    rest.pop_back();
    link.otherwise = std::move(otherwise);
    otherwise.clear();
    otherwise.push_back(std::move(link));
  }
  first->otherwise = std::move(otherwise);
}

}  // namespace

// ---- actions -----------------------------------------------------------------------------------

std::vector<Step> Builder::BuildSteps(P::StepBodyContext* ctx, Cites* cites) {
  Append(*cites, ctx->cite());
  std::vector<Step> steps;
  EachItem<P::StepContext>(
      ctx, [&](P::StepContext* step) { steps.push_back(BuildStep(step)); },
      [&](Span span) {
        Step step;
        step.span = span;
        steps.push_back(std::move(step));
      });
  return steps;
}

Step Builder::BuildStep(P::StepContext* ctx) {
  Step step;
  step.span = SpanOf(ctx);
  if (ctx->exception) return step;
  if (auto* walk = AsAlternative<P::ChooseWalkContext>(ctx)) {
    step.kind = StepKind::kChoose;
    step.name = NameOf(walk->name());
    step.query = BuildQuery(walk->query());
    step.cites = CitesOf(walk->cite());
  } else if (auto* in = AsAlternative<P::ChooseInContext>(ctx)) {
    step.kind = StepKind::kChoose;
    step.name = NameOf(in->name());
    step.value = BuildExpr(in->expr());
    step.cites = CitesOf(in->cite());
  } else if (auto* let = AsAlternative<P::LetStepContext>(ctx)) {
    step.kind = StepKind::kLet;
    step.name = NameOf(let->name());
    if (let->type() != nullptr) step.type = BuildType(let->type());
    if (let->query() != nullptr) {
      step.query = BuildQuery(let->query());
    } else {
      step.value = BuildExpr(let->expr());
    }
    step.cites = CitesOf(let->cite());
  } else if (auto* require = AsAlternative<P::RequireStepContext>(ctx)) {
    step.kind = StepKind::kRequire;
    step.value = BuildExpr(require->expr());
    step.cites = CitesOf(require->cite());
  } else if (auto* does = AsAlternative<P::DoStepContext>(ctx)) {
    step.kind = StepKind::kDo;
    step.block = BuildBlock(does->block(), &step.cites);
    Append(step.cites, does->cite());
  } else if (auto* test = AsAlternative<P::IfStepContext>(ctx)) {
    std::vector<Step> links;
    std::vector<Step> last;
    for (std::size_t i = 0; i < test->expr().size(); ++i) {
      Step link;
      link.kind = StepKind::kIf;
      link.span = i == 0 ? step.span : source::Join(SpanOf(test->expr(i)), SpanOf(test->stepBody(i)));
      link.value = BuildExpr(test->expr(i));
      link.body = BuildSteps(test->stepBody(i), &link.cites);
      links.push_back(std::move(link));
    }
    if (test->stepBody().size() > links.size()) {
      last = BuildSteps(test->stepBody(links.size()), &links.front().cites);
    }
    step = std::move(links.front());
    links.erase(links.begin());
    Append(step.cites, test->cite());
    Chain(&step, std::move(links), std::move(last), StepKind::kIf);
  } else if (auto* loop = AsAlternative<P::ForStepContext>(ctx)) {
    step.kind = StepKind::kFor;
    step.name = NameOf(loop->name());
    step.value = BuildExpr(loop->expr());
    step.body = BuildSteps(loop->stepBody(), &step.cites);
    Append(step.cites, loop->cite());
  } else if (auto* written = AsAlternative<P::WrittenStepContext>(ctx)) {
    step.kind = StepKind::kWritten;
    step.args = BuildExprs(written->expr());
    step.cites = CitesOf(written->cite());
  } else if (auto* threatens = AsAlternative<P::ThreatensStepContext>(ctx)) {
    step.kind = StepKind::kThreatens;
    step.value = BuildExpr(threatens->expr());
    step.cites = CitesOf(threatens->cite());
  } else if (auto* call = AsAlternative<P::CallStepContext>(ctx)) {
    step.kind = StepKind::kCall;
    step.name = NameOf(call->name());
    step.args = BuildArgs(call->args());
    step.cites = CitesOf(call->cite());
  }
  return step;
}

// ---- effects -----------------------------------------------------------------------------------

Block Builder::BuildBlock(P::BlockContext* ctx, Cites* cites) {
  Append(*cites, ctx->cite());
  Block block;
  EachItem<P::EffectContext>(
      ctx, [&](P::EffectContext* effect) { block.push_back(BuildEffect(effect)); },
      [&](Span span) {
        Effect effect;
        effect.span = span;
        block.push_back(std::move(effect));
      });
  return block;
}

Effect Builder::BuildEffect(P::EffectContext* ctx) {
  Effect effect;
  effect.span = SpanOf(ctx);
  if (ctx->exception) return effect;
  for (const Child& child : ctx->children) {
    if (auto* cite = child.As<P::CiteContext>()) Append(effect.cites, {cite});
  }
  if (auto* lift = AsAlternative<P::LiftContext>(ctx)) {
    effect.kind = EffectKind::kLift;
    effect.target = BuildPostfix(lift->postfix());
  } else if (auto* put = AsAlternative<P::PutContext>(ctx)) {
    effect.kind = EffectKind::kPut;
    effect.target = BuildPostfix(put->postfix(0));
    effect.value = BuildPostfix(put->postfix(1));
  } else if (auto* place = AsAlternative<P::PlaceEffectContext>(ctx)) {
    effect.kind = EffectKind::kPlace;
    effect.name = NameOf(place->name());
    if (place->owner != nullptr) effect.owner = BuildPostfix(place->owner);
    effect.value = BuildPostfix(place->where);
  } else if (auto* remove = AsAlternative<P::RemoveContext>(ctx)) {
    effect.kind = EffectKind::kRemove;
    effect.target = BuildPostfix(remove->postfix());
  } else if (auto* swap = AsAlternative<P::SwapContext>(ctx)) {
    effect.kind = EffectKind::kSwap;
    effect.target = BuildPostfix(swap->postfix(0));
    effect.value = BuildPostfix(swap->postfix(1));
  } else if (auto* set_up = AsAlternative<P::SetUpContext>(ctx)) {
    effect.kind = EffectKind::kSetUp;
    effect.value = BuildPostfix(set_up->postfix());
  } else if (auto* go = AsAlternative<P::GotoContext>(ctx)) {
    effect.kind = EffectKind::kGoto;
    effect.value = BuildPostfix(go->postfix());
  } else if (auto* verdict = AsAlternative<P::VerdictEffectContext>(ctx)) {
    effect.kind = TextOf(verdict->verdict) == "win" ? EffectKind::kWin : EffectKind::kLose;
    effect.value = BuildPostfix(verdict->postfix());
  } else if (AsAlternative<P::DrawEffectContext>(ctx) != nullptr) {
    effect.kind = EffectKind::kDraw;
  } else if (auto* result = AsAlternative<P::ResultContext>(ctx)) {
    effect.kind = EffectKind::kResult;
    for (auto* share : result->share()) {
      effect.results.emplace_back(BuildExpr(share->expr()), BuildPostfix(share->postfix()));
    }
  } else if (auto* test = AsAlternative<P::IfEffectContext>(ctx)) {
    std::vector<Effect> links;
    std::vector<Effect> last;
    for (std::size_t i = 0; i < test->expr().size(); ++i) {
      Effect link;
      link.kind = EffectKind::kIf;
      link.span = i == 0 ? effect.span : source::Join(SpanOf(test->expr(i)), SpanOf(test->block(i)));
      link.value = BuildExpr(test->expr(i));
      link.body = BuildBlock(test->block(i), &link.cites);
      links.push_back(std::move(link));
    }
    if (test->block().size() > links.size()) last = BuildBlock(test->block(links.size()), &links.front().cites);
    links.front().cites.insert(links.front().cites.end(), effect.cites.begin(), effect.cites.end());
    effect = std::move(links.front());
    links.erase(links.begin());
    Chain(&effect, std::move(links), std::move(last), EffectKind::kIf);
  } else if (auto* loop = AsAlternative<P::ForEffectContext>(ctx)) {
    effect.kind = EffectKind::kFor;
    effect.name = NameOf(loop->name());
    effect.value = BuildExpr(loop->expr());
    effect.body = BuildBlock(loop->block(), &effect.cites);
  } else if (auto* change = AsAlternative<P::ChangeEffectContext>(ctx)) {
    effect.target = BuildTarget(change->target());
    if (change->op != nullptr) {
      effect.kind = EffectKind::kAssign;
      effect.op = TextOf(change->op);
      effect.value = BuildExpr(change->expr());
    } else {
      effect.kind = Has(change, "->")        ? EffectKind::kMove
                    : Has(change, "becomes") ? EffectKind::kBecomes
                                             : EffectKind::kJoins;
      effect.value = BuildPostfix(change->postfix());
    }
  } else if (auto* call = AsAlternative<P::CallEffectContext>(ctx)) {
    effect.kind = EffectKind::kCall;
    effect.name = NameOf(call->name());
    effect.args = BuildArgs(call->args());
  }
  return effect;
}

// ---- turns and phases --------------------------------------------------------------------------

namespace {

TurnPtr MakeTurn(TurnKind kind, Span span) {
  auto turn = std::make_unique<Turn>();
  turn->kind = kind;
  turn->span = span;
  return turn;
}

// One part alone is itself; several become a node of `kind`.
TurnPtr Together(TurnKind kind, std::vector<TurnPtr> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  TurnPtr turn = MakeTurn(kind, source::Join(parts.front()->span, parts.back()->span));
  turn->children = std::move(parts);
  return turn;
}

}  // namespace

TurnPtr Builder::BuildTurn(P::TurnContext* ctx) {
  std::vector<P::TurnElseContext*> branches = ctx->turnElse();
  TurnPtr turn = BuildTurnElse(branches.back());
  for (std::size_t i = ctx->expr().size(); i-- > 0;) {
    TurnPtr branch = MakeTurn(TurnKind::kIf, source::Join(SpanOf(ctx->expr(i)), turn->span));
    branch->condition = BuildExpr(ctx->expr(i));
    branch->children.push_back(BuildTurnElse(branches[i]));
    branch->children.push_back(std::move(turn));
    turn = std::move(branch);
  }
  return turn;
}

TurnPtr Builder::BuildTurnElse(P::TurnElseContext* ctx) {
  std::vector<TurnPtr> parts;
  for (auto* each : ctx->turnOr()) parts.push_back(BuildTurnOr(each));
  return Together(TurnKind::kElse, std::move(parts));
}

TurnPtr Builder::BuildTurnOr(P::TurnOrContext* ctx) {
  std::vector<TurnPtr> parts;
  for (auto* each : ctx->turnSeq()) parts.push_back(BuildTurnSeq(each));
  return Together(TurnKind::kOr, std::move(parts));
}

TurnPtr Builder::BuildTurnSeq(P::TurnSeqContext* ctx) {
  std::vector<TurnPtr> parts;
  for (auto* each : ctx->turnPart()) parts.push_back(BuildTurnPart(each));
  TurnPtr turn = Together(TurnKind::kThen, std::move(parts));
  Append(turn->cites, ctx->cite());
  return turn;
}

TurnPtr Builder::BuildTurnPart(P::TurnPartContext* ctx) {
  TurnPtr turn = BuildTurnAtom(ctx->turnAtom());
  if (ctx->quant() != nullptr) {
    TurnPtr repeat = MakeTurn(TurnKind::kRepeat, source::Join(turn->span, SpanOf(ctx->quant())));
    repeat->times = ReadQuant(ctx->quant());
    repeat->children.push_back(std::move(turn));
    turn = std::move(repeat);
  }
  if (Has(ctx, "longest")) {
    TurnPtr longest = MakeTurn(TurnKind::kLongest, SpanOf(ctx));
    longest->children.push_back(std::move(turn));
    turn = std::move(longest);
  }
  return turn;
}

TurnPtr Builder::BuildTurnAtom(P::TurnAtomContext* ctx) {
  if (ctx->turn() != nullptr) {
    TurnPtr inner = BuildTurn(ctx->turn());
    inner->span = SpanOf(ctx);
    return inner;
  }
  TurnPtr atom = MakeTurn(TurnKind::kAtom, SpanOf(ctx));
  if (ctx->name() != nullptr) {
    atom->name = NameOf(ctx->name());
  } else {
    atom->name = {"any move", SpanOf(ctx)};
    if (ctx->names() != nullptr) {
      for (auto* each : ctx->names()->name()) atom->except.push_back(NameOf(each));
    }
  }
  if (ctx->which != nullptr) atom->by = TextOf(ctx->which) == "same" ? Turn::By::kSame : Turn::By::kOther;
  return atom;
}

ast::Phase Builder::BuildPhase(P::PhaseDeclContext* ctx, Cites* cites) {
  ast::Phase phase;
  phase.name = NameOf(ctx->name());
  P::PhaseBodyContext* body = ctx->phaseBody();
  Append(*cites, body->cite());
  auto once = [&](bool seen, TreeNode* item) {
    if (!seen) return;
    sink_.Error(diagnostics::Code::kNameDuplicate, SpanOf(item->getStart()),
                "phase `" + phase.name.text + "` has two parts `" + std::string(TextOf(item->getStart())) + "`");
  };
  EachItem<P::PhaseItemContext>(
      body,
      [&](P::PhaseItemContext* item) {
        if (item->exception) return;
        if (auto* player = AsAlternative<P::PhasePlayerContext>(item)) {
          once(phase.player != nullptr, item);
          phase.player = BuildExpr(player->expr());
          Append(*cites, player->cite());
        } else if (auto* turn = AsAlternative<P::PhaseTurnContext>(item)) {
          once(phase.turn != nullptr, item);
          phase.turn = BuildTurn(turn->turn());
        } else if (auto* after = AsAlternative<P::PhaseAfterContext>(item)) {
          once(phase.after.has_value(), item);
          phase.after = BuildBlock(after->block(), cites);
          Append(*cites, after->cite());
        }
      },
      [](Span) {});
  return phase;
}

// ---- events ------------------------------------------------------------------------------------

ast::Event Builder::BuildEvent(P::EventContext* ctx) {
  ast::Event event;
  event.span = SpanOf(ctx);
  if (auto* turn = AsAlternative<P::TurnEventContext>(ctx)) {
    event.kind = TextOf(turn->which) == "begins" ? ast::EventKind::kTurnBegins : ast::EventKind::kTurnEnds;
  } else if (AsAlternative<P::NoTurnEventContext>(ctx) != nullptr) {
    event.kind = ast::EventKind::kNoLegalTurn;
  } else if (AsAlternative<P::ActionEventContext>(ctx) != nullptr) {
    event.kind = ast::EventKind::kAfterAction;
  } else if (auto* piece = AsAlternative<P::PieceEventContext>(ctx)) {
    event.subject = BuildSubject(piece->subject());
    if (piece->zone != nullptr) {
      event.kind = Has(piece, "lands")    ? ast::EventKind::kLands
                   : Has(piece, "enters") ? ast::EventKind::kEnters
                   : Has(piece, "leaves") ? ast::EventKind::kLeaves
                                          : ast::EventKind::kCrosses;
      event.zone = BuildTerm(piece->zone);
    } else {
      event.kind = Has(piece, "moves")   ? ast::EventKind::kMoves
                   : Has(piece, "moved") ? ast::EventKind::kIsMoved
                                         : ast::EventKind::kIsCaptured;
      std::size_t next = 0;
      if (Has(piece, "from")) event.from = BuildTerm(piece->term(next++));
      if (Has(piece, "to")) event.to = BuildTerm(piece->term(next));
    }
  }
  return event;
}

ast::Subject Builder::BuildSubject(P::SubjectContext* ctx) {
  ast::Subject subject;
  subject.span = SpanOf(ctx);
  if (ctx->name() != nullptr) {
    subject.name = NameOf(ctx->name());
  } else if (Has(ctx, "at")) {
    subject.at = BuildCore(ctx->core());
  } else {
    subject.any_piece = true;
  }
  if (ctx->postfix() != nullptr) subject.owner = BuildPostfix(ctx->postfix());
  return subject;
}

}  // namespace arbiter::parse
