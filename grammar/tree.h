// What the generated parser and the nodes of its tree are made of, instead of ANTLR's own classes (the options of
// Arbiter.g4 name these).
//
// They do the same with less: ANTLR asks by dynamic_cast what a node is, at every step of the parser and for every
// child that a caller looks at. Here a node says which rule it was made by, and a parent of a node is a node.
// ANTLR has memory of its own for every node; here they lie one behind the other. Its ways out of a rule go through
// a function object; here they are called.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <typeinfo>
#include <utility>
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

// Where the nodes of a tree live: one behind the other, and gone together. Takes the place of ANTLR's tracker in what
// is generated.
class Nodes {
 public:
  Nodes() = default;
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  ~Nodes() {
    for (TreeNode* node : made_) node->~TreeNode();
  }

  template <class Context, class... From>
  Context* createInstance(From... from) {
    auto* node = new (Room(sizeof(Context))) Context(from...);
    made_.push_back(node);
    return node;
  }
  // A token has no children and owns nothing, so nobody need take it down.
  antlr4::tree::TerminalNodeImpl* Token(antlr4::Token* token) {
    return new (Room(sizeof(antlr4::tree::TerminalNodeImpl))) antlr4::tree::TerminalNodeImpl(token);
  }

 private:
  static constexpr std::size_t kBlock = 64 * 1024;

  void* Room(std::size_t size) {
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    size = (size + kAlign - 1) / kAlign * kAlign;
    if (size > left_) {
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kBlock));
      next_ = blocks_.back().get();
      left_ = kBlock;
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::vector<TreeNode*> made_;
};

class TreeParser : public antlr4::Parser {
 public:
  explicit TreeParser(antlr4::TokenStream* input) : antlr4::Parser(input) {}

  antlr4::Token* match(std::size_t type) override {
    antlr4::Token* token = _input->LT(1);
    if (token->getType() != type) return antlr4::Parser::match(type);  // it mends that, or gives up
    if (type == antlr4::Token::EOF) _matchedEOF = true;
    _errHandler->reportMatch(this);
    return consume();
  }
  antlr4::Token* consume() override {
    if (_errHandler->inErrorRecoveryMode(this)) return antlr4::Parser::consume();  // makes it a skipped one
    antlr4::Token* token = _input->LT(1);
    if (token->getType() != antlr4::Token::EOF) _input->consume();
    antlr4::tree::TerminalNodeImpl* node = _tracker.Token(token);
    node->parent = _ctx;
    _ctx->children.push_back(node);
    return token;
  }
  void enterRule(antlr4::ParserRuleContext* node, std::size_t state, std::size_t /*rule*/) override {
    setState(state);
    _ctx = node;
    node->start = _input->LT(1);
    if (node->parent != nullptr) node->parent->children.push_back(node);
  }
  // `node` is the node of the rule, or one of a labelled alternative that takes its place.
  void enterOuterAlt(antlr4::ParserRuleContext* node, std::size_t /*alternative*/) override {
    if (node != _ctx && _ctx->parent != nullptr) _ctx->parent->children.back() = node;
    _ctx = node;
  }

 protected:
  // These take the place of ANTLR's in what is generated.
  Nodes _tracker;
  void exitRule() {
    _ctx->stop = _input->LT(_matchedEOF ? 1 : -1);
    setState(_ctx->invokingState);
    _ctx = static_cast<antlr4::ParserRuleContext*>(_ctx->parent);
  }
  template <class Do>
  class Finally {
   public:
    explicit Finally(Do what) : what_(std::move(what)) {}
    Finally(const Finally&) = delete;
    Finally& operator=(const Finally&) = delete;
    ~Finally() { what_(); }

   private:
    Do what_;
  };
  template <class Do>
  static Finally<Do> finally(Do what) {
    return Finally<Do>(std::move(what));
  }
};

}  // namespace arbiter_grammar
