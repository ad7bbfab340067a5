#include "parse/predictor.h"

#include "arbiter_tables.h"

namespace arbiter::parse {

Predictor::Predictor(antlr4::Parser* parser, const ParserATNSimulator& other)
    : ParserATNSimulator(parser, other.atn, other.decisionToDFA,
                         const_cast<ParserATNSimulator&>(other).getSharedContextCache()),
      parser_(parser) {
  setPredictionMode(antlr4::atn::PredictionMode::SLL);
}

Predictor* Predictor::Install(antlr4::Parser* parser) {
  auto* made = new Predictor(parser, *parser->getInterpreter<ParserATNSimulator>());
  parser->setInterpreter(made);  // deletes the other one
  return made;
}

std::size_t Predictor::Known(antlr4::TokenStream* input, std::size_t decision) {
  if (decision >= arbiter_grammar::kPredictionCount) return 0;
  const arbiter_grammar::Prediction& table = arbiter_grammar::kPredictions[decision];
  if (table.next == nullptr) return 0;
  std::size_t state = 0;
  for (ssize_t ahead = 1;; ++ahead) {
    std::size_t type = input->LA(ahead);
    if (type == antlr4::Token::EOF) type = 0;
    int next = type <= arbiter_grammar::kMaxTokenType ? table.next[state * table.class_count + table.classes[type]] : 0;
    if (next <= 0) return static_cast<std::size_t>(-next);
    state = static_cast<std::size_t>(next) - 1;
  }
}

std::size_t Predictor::adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                                       antlr4::ParserRuleContext* outer) {
  std::size_t known = Known(input, decision);
  if (known != 0) return known;
  ++asked_;
  static_cast<void>(parser_->getATN());  // builds it
  return ParserATNSimulator::adaptivePredict(input, decision, outer);
}

}  // namespace arbiter::parse
