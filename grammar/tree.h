// What the generated parser and the nodes of its tree are made of, instead of ANTLR's own classes (the options of
// Arbiter.g4 name these).
//
// They do the same with less: ANTLR asks by dynamic_cast what a node is, at every step of the parser and for every
// child that a caller looks at. Here a node says which rule it was made by, and a parent of a node is a node.
#pragma once

#include <typeinfo>
#include <vector>

#include "antlr4-runtime.h"

namespace arbiter_grammar {

// A token in the tree, skipped or not; null for what a rule made.
inline antlr4::tree::TerminalNode* AsToken(antlr4::tree::ParseTree* node) {
  if (!node->children.empty()) return nullptr;  // to compare types takes longer
  const std::type_info& type = typeid(*node);
  const bool token = type == typeid(antlr4::tree::TerminalNodeImpl) || type == typeid(antlr4::tree::ErrorNodeImpl);
  return token ? static_cast<antlr4::tree::TerminalNode*>(node) : nullptr;
}

// A token that error recovery skipped.
inline bool IsSkipped(const antlr4::tree::ParseTree* node) {
  return typeid(*node) == typeid(antlr4::tree::ErrorNodeImpl);
}

// What a rule made; null for a token.
inline antlr4::ParserRuleContext* AsRule(antlr4::tree::ParseTree* node) {
  return AsToken(node) != nullptr ? nullptr : static_cast<antlr4::ParserRuleContext*>(node);
}

// `node` if the rule of Context made it, by any of its alternatives; else null.
template <class Context>
Context* As(antlr4::tree::ParseTree* node) {
  static const std::size_t rule = Context(nullptr, 0).getRuleIndex();
  antlr4::ParserRuleContext* made = AsRule(node);
  return made != nullptr && made->getRuleIndex() == rule ? static_cast<Context*>(made) : nullptr;
}

// `node` if it is the alternative that the grammar labels so; else null.
template <class Context>
Context* AsAlternative(antlr4::ParserRuleContext* node) {
  return typeid(*node) == typeid(Context) ? static_cast<Context*>(node) : nullptr;
}

class TreeNode : public antlr4::ParserRuleContext {
 public:
  TreeNode() = default;
  TreeNode(antlr4::ParserRuleContext* parent, std::size_t invoking_state)
      : antlr4::ParserRuleContext(parent, invoking_state) {
    children.reserve(3);  // most have no more, and would get there in three steps
  }

  // These take the place of ANTLR's in what is generated.
  template <class Context>
  Context* getRuleContext(std::size_t skip) {
    for (antlr4::tree::ParseTree* child : children) {
      Context* found = As<Context>(child);
      if (found != nullptr && skip-- == 0) return found;
    }
    return nullptr;
  }
  template <class Context>
  std::vector<Context*> getRuleContexts() {
    std::vector<Context*> all;
    for (antlr4::tree::ParseTree* child : children) {
      if (Context* found = As<Context>(child)) all.push_back(found);
    }
    return all;
  }
  antlr4::tree::TerminalNode* getToken(std::size_t type, std::size_t skip) override {
    for (antlr4::tree::ParseTree* child : children) {
      antlr4::tree::TerminalNode* token = AsToken(child);
      if (token != nullptr && token->getSymbol()->getType() == type && skip-- == 0) return token;
    }
    return nullptr;
  }
};

class TreeParser : public antlr4::Parser {
 public:
  explicit TreeParser(antlr4::TokenStream* input) : antlr4::Parser(input) {}

 protected:
  void addContextToParseTree() override {
    if (_ctx->parent != nullptr) static_cast<antlr4::ParserRuleContext*>(_ctx->parent)->addChild(_ctx);
  }
  // Takes the place of ANTLR's in what is generated.
  void exitRule() {
    _ctx->stop = _input->LT(_matchedEOF ? 1 : -1);
    if (!_parseListeners.empty()) triggerExitRuleEvent();
    setState(_ctx->invokingState);
    _ctx = static_cast<antlr4::ParserRuleContext*>(_ctx->parent);
  }
};

}  // namespace arbiter_grammar
