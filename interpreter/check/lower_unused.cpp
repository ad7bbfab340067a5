// Reads what nothing uses: a define, walk, effect or action is written out only where it is used, so
// mistakes inside the others would go unseen. What comes out is thrown away.
#include "check/lower.h"

namespace arbiter::check {

namespace {

const ast::Expr& Unknown() {
  static const ast::Expr unknown;  // an argument that everything is silent about
  return unknown;
}

template <class Decl>
const Decl* DeclOf(const Symbol& symbol) {
  return symbol.decl ? std::get_if<Decl>(&symbol.decl->payload) : nullptr;
}

}  // namespace

void Lowerer::CheckUnused() {
  std::vector<Symbol*> unused;
  for (const std::unique_ptr<Symbol>& symbol : c.symbols.all()) {
    bool reached = symbol->kind == SymbolKind::kAction ? reached_actions.contains(symbol.get()) : symbol->uses > 0;
    if (!symbol->library && !symbol->broken && !reached) unused.push_back(symbol.get());
  }
  for (Symbol* symbol : unused) {
    int frame = 0;
    Scope s;
    s.has_self = true;
    s.frame_size = &frame;
    std::vector<const ast::Expr*> args;
    auto bind_unknown = [&](const std::vector<ast::Param>& params) { args.assign(params.size(), &Unknown()); };
    int uses = symbol->uses;
    if (const auto* define = DeclOf<ast::Define>(*symbol)) {
      bind_unknown(define->params);
      static_cast<void>(InlineDefine(s, *symbol, args, symbol->span, nullptr));
    } else if (const auto* walk = DeclOf<ast::WalkDecl>(*symbol)) {
      if (!walk->walk) continue;
      Scope inner = TemplateScope(s);
      bind_unknown(walk->params);
      if (!BindParameters(inner, s, walk->params, args, symbol->span, *symbol)) continue;
      if (!Enter(*symbol, symbol->span)) continue;
      walk_variable_.reset();
      WalkResult result = LowerWalk(inner, *walk->walk);
      if (walk->params.empty() && result.node.valid()) {  // `arbiter graph walk NAME` shows it all the same
        InternWalk(result.node, result.may_stay, symbol->span);
      }
      Leave();
    } else if (const auto* effect = DeclOf<ast::EffectDecl>(*symbol)) {
      bind_unknown(effect->params);
      rules::Block block;
      InlineEffect(s, *symbol, args, symbol->span, block);
    } else if (const auto* action = DeclOf<ast::Action>(*symbol)) {
      bind_unknown(action->params);
      Instance made;
      instance = &made;
      s.has_self = !action->by.empty();
      if (s.has_self) s.self_kinds = ~KindSet{0};
      std::vector<rules::Step> steps;
      InlineAction(s, *symbol, args, symbol->span, steps, false);
      reached_actions.erase(symbol);
      instance = nullptr;
    }
    symbol->uses = uses;
  }
}

}  // namespace arbiter::check
