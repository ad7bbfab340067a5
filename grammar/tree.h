// What the generated parser and the nodes of its tree are made of, instead of ANTLR's own classes (the options of
// Arbiter.g4 name these).
//
// They do the same with less. ANTLR asks by dynamic_cast what a node is, at every step of the parser and for every
// child that a caller looks at; every node, and every list of children, has memory of its own. Here a list of children
// says what they are, and a whole tree lies in a few blocks: it is never taken apart, it is gone with its blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

#include "antlr4-runtime.h"

namespace arbiter_grammar {

class TreeNode;

// The number of the rule that makes a Context, by any of its alternatives.
template <class Context>
std::size_t RuleOf() {
  static const std::size_t rule = Context(nullptr, 0).getRuleIndex();
  return rule;
}

// One child of a node: a token, or what a rule made.
struct Child {
  antlr4::tree::TerminalNode* token = nullptr;
  TreeNode* rule = nullptr;
  std::size_t type = 0;  // of the token; the number of the rule
  bool skipped = false;  // a token that error recovery went over

  // The node, if the rule of Context made it; else null.
  template <class Context>
  Context* As() const {
    return rule != nullptr && type == RuleOf<Context>() ? static_cast<Context*>(rule) : nullptr;
  }
};

class TreeNode : public antlr4::ParserRuleContext {
 public:
  using antlr4::ParserRuleContext::ParserRuleContext;

  // In place of ANTLR's list, which stays empty. There when the rule has been read; before, see
  // TreeParser::ChildrenSoFar.
  std::span<const Child> children;

  // These take the place of ANTLR's in what is generated.
  template <class Context>
  Context* getRuleContext(std::size_t skip) {
    for (const Child& child : children) {
      Context* found = child.As<Context>();
      if (found != nullptr && skip-- == 0) return found;
    }
    return nullptr;
  }
  template <class Context>
  std::vector<Context*> getRuleContexts() {
    std::vector<Context*> all;
    for (const Child& child : children) {
      if (Context* found = child.As<Context>()) all.push_back(found);
    }
    return all;
  }
  antlr4::tree::TerminalNode* getToken(std::size_t type, std::size_t skip) override {
    for (const Child& child : children) {
      if (child.token != nullptr && child.type == type && skip-- == 0) return child.token;
    }
    return nullptr;
  }
  std::vector<antlr4::tree::TerminalNode*> getTokens(std::size_t type) override {
    std::vector<antlr4::tree::TerminalNode*> all;
    for (const Child& child : children) {
      if (child.token != nullptr && child.type == type) all.push_back(child.token);
    }
    return all;
  }

 private:
  friend class TreeParser;
  std::size_t first_ = 0;  // while the rule is being read: where its children begin among those of all such rules
};

// `node` if it is the alternative that the grammar labels so; else null.
template <class Context>
Context* AsAlternative(TreeNode* node) {
  return typeid(*node) == typeid(Context) ? static_cast<Context*>(node) : nullptr;
}

// Where the nodes of a tree live: one behind the other, and gone together. Takes the place of ANTLR's tracker in what
// is generated. Nodes are not destroyed: they own nothing, but for the error that a rule ended with.
class Nodes {
 public:
  Nodes() = default;
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  ~Nodes() {
    for (TreeNode* node : failed_) node->exception = nullptr;
  }

  template <class Node, class... From>
  Node* createInstance(From... from) {
    return new (Room(sizeof(Node))) Node(from...);
  }
  std::span<const Child> Keep(std::span<const Child> children) {
    if (children.empty()) return {};
    auto* copy = static_cast<Child*>(Room(children.size_bytes()));
    std::uninitialized_copy(children.begin(), children.end(), copy);
    return {copy, children.size()};
  }
  void Failed(TreeNode* node) { failed_.push_back(node); }

 private:
  static constexpr std::size_t kBlock = std::size_t{64} * 1024;

  void* Room(std::size_t size) {
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    size = (size + kAlign - 1) / kAlign * kAlign;
    if (size > left_) {
      left_ = std::max(kBlock, size);
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
      next_ = blocks_.back().get();
    }
    left_ -= size;
    return std::exchange(next_, next_ + size);
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::vector<TreeNode*> failed_;
};

class TreeParser : public antlr4::Parser {
 public:
  explicit TreeParser(antlr4::TokenStream* input) : antlr4::Parser(input) {}

  // What a rule that is still being read has got so far.
  std::span<const Child> ChildrenSoFar(const antlr4::ParserRuleContext* node) const {
    std::size_t end = open_.size();
    const TreeNode* at = Current();
    for (; at != node; at = static_cast<const TreeNode*>(at->parent)) end = at->first_ - 1;
    return std::span(open_).subspan(at->first_, end - at->first_);
  }

  antlr4::Token* match(std::size_t type) override {
    antlr4::Token* token = _input->LT(1);
    if (token->getType() != type) return _errHandler->recoverInline(this);  // throws
    if (type == antlr4::Token::EOF) _matchedEOF = true;
    _errHandler->reportMatch(this);
    return consume();
  }
  antlr4::Token* consume() override {
    antlr4::Token* token = _input->LT(1);
    const std::size_t type = token->getType();
    if (type != antlr4::Token::EOF) _input->consume();
    auto* node = _tracker.createInstance<antlr4::tree::TerminalNodeImpl>(token);
    node->parent = _ctx;
    open_.push_back({node, nullptr, type, _errHandler->inErrorRecoveryMode(this)});
    return token;
  }
  void enterRule(antlr4::ParserRuleContext* context, std::size_t state, std::size_t rule) override {
    auto* node = static_cast<TreeNode*>(context);
    setState(state);
    _ctx = node;
    node->start = _input->LT(1);
    open_.push_back({nullptr, node, rule});
    node->first_ = open_.size();
  }
  // `context` is the node of the rule, or one of a labelled alternative that takes its place.
  void enterOuterAlt(antlr4::ParserRuleContext* context, std::size_t /*alternative*/) override {
    if (context == _ctx) return;
    auto* node = static_cast<TreeNode*>(context);
    node->first_ = Current()->first_;
    open_[node->first_ - 1].rule = node;
    _ctx = node;
  }

 protected:
  // These take the place of ANTLR's in what is generated.
  Nodes _tracker;
  void exitRule() {
    TreeNode* node = Current();
    node->children = _tracker.Keep(std::span(open_).subspan(node->first_));
    open_.resize(node->first_);
    if (node->exception) _tracker.Failed(node);
    node->stop = _input->LT(_matchedEOF ? 1 : -1);
    setState(node->invokingState);
    _ctx = static_cast<antlr4::ParserRuleContext*>(node->parent);
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

 private:
  TreeNode* Current() const { return static_cast<TreeNode*>(_ctx); }

  std::vector<Child> open_;  // of all rules that are being read, the outermost first; each behind its own entry
};

}  // namespace arbiter_grammar
