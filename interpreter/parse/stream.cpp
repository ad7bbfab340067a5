#include "parse/stream.h"

#include "base/check.h"

namespace arbiter::parse {

namespace {

bool IsHidden(const Token& token) { return token.kind == TokenKind::kComment || token.kind == TokenKind::kDoc; }

}  // namespace

std::size_t Stream::One::getChannel() const {
  return IsHidden(*token_) ? antlr4::Token::HIDDEN_CHANNEL : antlr4::Token::DEFAULT_CHANNEL;
}

Stream::Stream(const std::vector<Token>& tokens, TokenText text) : text_(text) {
  ARBITER_CHECK(!tokens.empty() && tokens.back().kind == TokenKind::kEnd);
  all_.reserve(tokens.size());
  visible_.reserve(tokens.size());
  rank_.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    all_.emplace_back(this, i, tokens[i]);
    rank_.push_back(visible_.size());
    if (!IsHidden(tokens[i])) visible_.push_back(i);
  }
}

void Stream::consume() {
  if (at_ + 1 < visible_.size()) ++at_;
}

antlr4::Token* Stream::LT(ssize_t ahead) {
  if (ahead == 0) return nullptr;
  if (ahead < 0) {
    auto back = static_cast<std::size_t>(-ahead);
    return back <= at_ ? &all_[visible_[at_ - back]] : nullptr;
  }
  return &all_[visible_[Ahead(ahead)]];
}

std::string Stream::getText(const antlr4::misc::Interval& interval) {
  if (interval.a < 0 || interval.b < interval.a) return {};
  return getText(get(static_cast<std::size_t>(interval.a)),
                 get(std::min(static_cast<std::size_t>(interval.b), all_.size() - 1)));
}

std::string Stream::getText(antlr4::Token* start, antlr4::Token* stop) {
  std::size_t begin = start->getStartIndex(), end = stop->getStopIndex() + 1;
  return begin < end ? std::string(text_.all().substr(begin, end - begin)) : std::string();
}

}  // namespace arbiter::parse
