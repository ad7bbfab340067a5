// Our tokens as ANTLR's parser wants to see them: a stream over a list that is there already.
//
// ANTLR's own streams ask a lexer, buffer what it gives, and look at the channel of every token again and again.
// Places are bytes. Private to parse/.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "parse/antlr.h"
#include "parse/tokens.h"

namespace arbiter::parse {

class Stream : public antlr4::TokenStream {
 public:
  // Of `tokens` the last is the end. Both must outlive the stream, and the stream every tree that is read from it.
  Stream(const std::vector<Token>& tokens, TokenText text);

  // ---- what the parser reads: tokens that are no comments ----
  void consume() override;
  std::size_t LA(ssize_t ahead) override {
    return ahead > 0 ? all_[visible_[Ahead(ahead)]].getType() : LT(ahead)->getType();
  }
  antlr4::Token* LT(ssize_t ahead) override;
  std::size_t index() override { return visible_[at_]; }
  void seek(std::size_t index) override { at_ = rank_[std::min(index, rank_.size() - 1)]; }
  ssize_t mark() override { return 0; }
  void release(ssize_t /*marker*/) override {}

  // ---- all tokens ----
  antlr4::Token* get(std::size_t index) const override { return const_cast<One*>(&all_[index]); }
  std::size_t size() override { return all_.size(); }
  std::string getText(const antlr4::misc::Interval& interval) override;
  std::string getText() override { return std::string(text_.all()); }
  std::string getText(antlr4::RuleContext* ctx) override { return getText(ctx->getSourceInterval()); }
  std::string getText(antlr4::Token* start, antlr4::Token* stop) override;
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getSourceName() const override { return {}; }

 private:
  class One final : public antlr4::Token {
   public:
    One(const Stream* stream, std::size_t index, const parse::Token& token)
        : stream_(stream), index_(index), token_(&token) {}
    std::string getText() const override { return std::string(stream_->text_(*token_)); }
    std::size_t getType() const override { return token_->type; }
    std::size_t getLine() const override { return 0; }  // places are bytes; source::SourceMap knows lines
    std::size_t getCharPositionInLine() const override { return token_->span.begin; }
    std::size_t getChannel() const override;
    std::size_t getTokenIndex() const override { return index_; }
    std::size_t getStartIndex() const override { return token_->span.begin; }
    std::size_t getStopIndex() const override { return static_cast<std::size_t>(token_->span.end) - 1; }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    antlr4::CharStream* getInputStream() const override { return nullptr; }
    std::string toString() const override { return getText(); }

   private:
    const Stream* stream_;
    std::size_t index_;
    const parse::Token* token_;
  };

  [[nodiscard]] std::size_t Ahead(ssize_t ahead) const {
    return std::min(at_ + static_cast<std::size_t>(ahead) - 1, visible_.size() - 1);
  }

  TokenText text_;
  std::vector<One> all_;
  std::vector<std::size_t> visible_;  // indices into all_
  std::vector<std::size_t> rank_;     // by index: where in visible_ the first visible token from there is
  std::size_t at_ = 0;                // in visible_
};

}  // namespace arbiter::parse
