// What could have stood at a place: a walk over ANTLR's automaton with the full stack of rules.
//
// ANTLR's own set of expected tokens is that of one state of the parser; this one is exact for any token of
// an item, and can be asked "what if another word stood here?". Private to parse/.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parse/antlr.h"

namespace arbiter::parse {

class Automaton {
 public:
  explicit Automaton(antlr4::Parser& parser);

  struct Config {
    antlr4::atn::ATNState* state;
    int stack;       // index into stacks_; -1: empty
    int begun = -1;  // the first rule with a human name entered since the last token
    auto operator<=>(const Config&) const = default;
  };
  using Configs = std::vector<Config>;

  // At the start of the rule of `ctx`, called from where it was called.
  Configs AtStartOf(antlr4::ParserRuleContext* ctx);
  // At the parser's present state, inside `ctx`.
  Configs AtState(std::size_t state, antlr4::ParserRuleContext* ctx);
  // After one token; empty if it cannot stand here.
  Configs After(const Configs& configs, std::size_t token);

  struct Expected {
    std::vector<std::string> words;  // for people, each once, those of rules first
    std::set<std::size_t> tokens;
  };
  [[nodiscard]] Expected ExpectedAt(const Configs& configs) const;

  // How many of `tokens` can follow, at most all.
  std::size_t Survives(Configs configs, const std::vector<std::size_t>& tokens);

 private:
  int Push(antlr4::atn::ATNState* follow, int below);
  int StackOf(antlr4::ParserRuleContext* ctx);
  Configs Closure(Configs configs);

  antlr4::Parser& parser_;
  const antlr4::atn::ATN& atn_;
  std::vector<std::pair<antlr4::atn::ATNState*, int>> stacks_;
  std::map<std::pair<antlr4::atn::ATNState*, int>, int> known_;
};

}  // namespace arbiter::parse
