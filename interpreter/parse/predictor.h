// Prediction without computing it: the parser's decisions by tables that were made from ANTLR's automaton at build
// time (grammar/arbiter_tables.cpp). Where a table ends, or nothing fits, ANTLR decides as ever. Only for the quick
// stage (SLL). Private to parse/ and its tests.
#pragma once

#include "parse/antlr.h"

namespace arbiter::parse {

class Predictor : public antlr4::atn::ParserATNSimulator {
 public:
  // Takes the place of the parser's own; the parser owns it.
  static Predictor* Install(antlr4::Parser* parser);

  std::size_t adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                              antlr4::ParserRuleContext* outer) override;

  // What the table alone says; 0 if it does not know.
  static std::size_t Known(antlr4::TokenStream* input, std::size_t decision);

  [[nodiscard]] std::size_t asked() const { return asked_; }  // how often ANTLR was asked

 private:
  Predictor(antlr4::Parser* parser, const ParserATNSimulator& other);

  antlr4::Parser* parser_;
  std::size_t asked_ = 0;
};

}  // namespace arbiter::parse
