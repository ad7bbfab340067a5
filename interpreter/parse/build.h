// ANTLR's tree -> our tree. Private to parse/.
//
// One method a grammar rule. A context that carries an exception, or a stretch of skipped tokens, becomes
// one error node; every other context is complete, because recovery happens at list items only
// (recovery.h). Nothing is reported here but what the grammar cannot say (numbers too large, set-ups
// without pieces, and the like).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ast/ast.h"
#include "diagnostics/diagnostic.h"
#include "parse/antlr.h"
#include "parse/tokens.h"

namespace arbiter::parse {

using P = arbiter_grammar::ArbiterParser;
using arbiter_grammar::AsAlternative;
using arbiter_grammar::Child;
using arbiter_grammar::TreeNode;
using ast::Block;
using ast::Cites;
using ast::Expr;
using ast::ExprKind;
using ast::ExprPtr;
using ast::Name;

class Builder {
 public:
  // The places of the tree's tokens are bytes of `text`; `tokens` are all tokens, by the tree's indices.
  Builder(std::string_view text, source::FileId file, const std::vector<Token>& tokens, diagnostics::Sink& sink)
      : text_(text), file_(file), tokens_(tokens), sink_(sink) {}

  ast::File BuildFile(P::FileContext* ctx);
  ExprPtr BuildExpr(P::ExprContext* ctx);

 private:
  // ---- places and words ----
  Span SpanOf(const antlr4::Token* token) const;
  Span SpanOf(TreeNode* ctx) const;
  std::string_view TextOf(const antlr4::Token* token) const;
  std::string_view TextOf(Span span) const { return text_.substr(span.begin, span.end - span.begin); }
  // The first direct child that is the token `word`; null if there is none.
  antlr4::Token* Find(TreeNode* ctx, std::string_view word) const;
  bool Has(TreeNode* ctx, std::string_view word) const { return Find(ctx, word) != nullptr; }
  Name NameOf(TreeNode* ctx) const;
  Name NameOf(antlr4::tree::TerminalNode* node) const;
  Name NameOf(const antlr4::Token* token) const;
  template <class Contexts>
  std::vector<Name> NamesOf(const Contexts& contexts) const {
    std::vector<Name> names;
    for (auto* each : contexts) names.push_back(NameOf(each));
    return names;
  }
  std::string StringOf(antlr4::tree::TerminalNode* node) const;  // without its quotes
  int64_t Number(antlr4::tree::TerminalNode* node, int64_t most);
  int SmallNumber(antlr4::tree::TerminalNode* node) { return static_cast<int>(Number(node, 1'000'000)); }
  Cites CitesOf(const std::vector<P::CiteContext*>& contexts) const;
  void Append(Cites& cites, const std::vector<P::CiteContext*>& contexts) const;
  std::string DocBefore(TreeNode* ctx) const;

  // Calls `item` for each child of type Item and `error` once for each stretch of skipped tokens.
  template <class Item, class OnItem, class OnError>
  void EachItem(TreeNode* body, OnItem item, OnError error) const {
    bool in_error = false;
    for (const Child& child : body->children) {
      if (child.skipped) {
        if (!in_error) error(SpanOf(child.token->getSymbol()));
        in_error = true;
      } else if (auto* found = child.template As<Item>()) {
        in_error = false;
        item(found);
      }
    }
  }

  // ---- build_expr.cpp: expressions, walks, filters, types ----
  ExprPtr Make(ExprKind kind, Span span) const;
  ExprPtr BuildTerm(P::TermContext* ctx);
  ExprPtr BuildPieceSet(P::PieceSetContext* ctx);
  ExprPtr NamedPieces(ExprPtr name, Span word, P::SetTailContext* tail);
  void ReadTail(P::SetTailContext* tail, Expr* pieces);
  ExprPtr BuildSet(P::SetContext* ctx);
  ExprPtr BuildLine(P::RankOrFileContext* ctx);
  ExprPtr BuildLineBound(P::LineBoundContext* ctx);
  ExprPtr BuildPostfix(P::PostfixContext* ctx);
  ExprPtr BuildCore(P::CoreContext* ctx);
  ExprPtr BuildAtom(P::AtomContext* ctx);
  ExprPtr BuildTarget(P::TargetContext* ctx);
  ExprPtr BuildNamed(P::NameContext* name, P::ArgsContext* args);
  ExprPtr AddTrailers(ExprPtr inner, const std::vector<P::TrailerContext*>& trailers);
  ExprPtr JoinOf(std::vector<ExprPtr> parts) const;
  ExprPtr BuildArg(P::ArgContext* ctx);
  std::vector<ExprPtr> BuildArgs(P::ArgsContext* ctx);
  std::vector<ExprPtr> BuildExprs(const std::vector<P::ExprContext*>& contexts);
  ExprPtr BuildWalk(P::WalkContext* ctx);
  ExprPtr BuildWalkItem(P::WalkItemContext* ctx);
  ExprPtr BuildWalkAtom(P::WalkAtomContext* ctx);
  ExprPtr BuildFilter(P::FilterContext* ctx);
  ExprPtr BuildFilterTerm(P::FilterTermContext* ctx);
  ExprPtr FilterOf(ExprPtr term) const;
  ast::Query BuildQuery(P::QueryContext* ctx);
  ast::Times ReadQuant(P::QuantContext* ctx);
  ExprPtr ReadTimes(P::TimesContext* ctx, int* number);  // null for a plain number
  ast::Type BuildType(P::TypeContext* ctx);
  ExprPtr BuildBound(P::BoundContext* ctx);
  std::vector<ast::Param> BuildParams(P::ParamsContext* ctx);
  std::vector<ast::Index> BuildIndex(P::IndexContext* ctx);

  // The flat operand list of `expr`, read by precedence.
  struct Flat {
    enum class Kind : uint8_t { kPrefix, kTerm, kSuffix, kInfix };
    Kind kind;
    TreeNode* ctx;
  };
  ExprPtr ReadFlat(const std::vector<Flat>& flat, std::size_t& at, int tightness);
  ExprPtr ReadPrefixed(const std::vector<Flat>& flat, std::size_t& at);
  ExprPtr ApplySuffix(ExprPtr inner, P::SuffixContext* ctx);

  // ---- build_body.cpp: steps, effects, turns, events ----
  ast::Step BuildStep(P::StepContext* ctx);
  std::vector<ast::Step> BuildSteps(P::StepBodyContext* ctx, Cites* cites);
  ast::Effect BuildEffect(P::EffectContext* ctx);
  Block BuildBlock(P::BlockContext* ctx, Cites* cites);
  ast::TurnPtr BuildTurn(P::TurnContext* ctx);
  ast::TurnPtr BuildTurnElse(P::TurnElseContext* ctx);
  ast::TurnPtr BuildTurnOr(P::TurnOrContext* ctx);
  ast::TurnPtr BuildTurnSeq(P::TurnSeqContext* ctx);
  ast::TurnPtr BuildTurnPart(P::TurnPartContext* ctx);
  ast::TurnPtr BuildTurnAtom(P::TurnAtomContext* ctx);
  ast::Phase BuildPhase(P::PhaseDeclContext* ctx, Cites* cites);
  ast::Event BuildEvent(P::EventContext* ctx);
  ast::Subject BuildSubject(P::SubjectContext* ctx);

  // ---- build_decl.cpp: declarations ----
  ast::Decl BuildDecl(P::DeclContext* ctx);
  ast::Payload BuildPayload(P::DeclarationContext* ctx, Cites* cites);
  Name GuessName(TreeNode* ctx) const;
  ast::Board BuildBoard(P::BoardDeclContext* ctx, Cites* cites);
  void AddBoardItem(P::BoardItemContext* ctx, std::vector<ast::BoardItem>* items);
  ast::Zone BuildZone(P::ZoneDeclContext* ctx);
  ast::State BuildState(P::StateDeclContext* ctx, Cites* cites);
  ast::Piece BuildPiece(P::PieceDeclContext* ctx, Cites* cites);
  std::vector<ast::PieceItem> BuildPieceItems(P::PieceBodyContext* ctx, Cites* cites);
  ast::PieceItem BuildPieceItem(P::PieceItemContext* ctx);
  ast::Riders BuildRiders(const std::vector<P::RiderContext*>& contexts);
  ast::Payload BuildHandler(P::HandlerDeclContext* ctx, Cites* cites);
  ast::Payload BuildLaw(P::LawDeclContext* ctx);
  ast::Payload BuildOutcome(P::OutcomeDeclContext* ctx);
  ast::Payload BuildSetup(P::SetupDeclContext* ctx);
  ast::SetupRef BuildSetupRef(P::SetupRefContext* ctx);
  ast::Payload BuildFen(P::FenDeclContext* ctx, Cites* cites);
  ast::Payload BuildShow(P::ShowDeclContext* ctx);
  ast::Payload BuildExample(P::ExampleDeclContext* ctx, Cites* cites);
  ast::ExampleItem BuildExampleItem(P::ExampleItemContext* ctx);
  void BuildPosition(P::PositionBodyContext* ctx, ast::ExampleItem* item);
  std::pair<std::string, Span> BuildMove(P::PlayedMoveContext* ctx) const;
  std::string Unspaced(Span span) const;

  std::string_view text_;
  source::FileId file_;
  const std::vector<Token>& tokens_;
  diagnostics::Sink& sink_;
};

}  // namespace arbiter::parse
