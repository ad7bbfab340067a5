#include "parse/expected.h"

#include <algorithm>

#include "parse/words.h"

namespace arbiter::parse {

using antlr4::atn::ATNState;
using antlr4::atn::RuleTransition;
using antlr4::atn::Transition;

namespace {

constexpr std::size_t kMaxConfigs = 20000;  // far beyond what the grammar can reach

}  // namespace

Automaton::Automaton(antlr4::Parser& parser) : parser_(parser), atn_(parser.getATN()) {}

int Automaton::Push(ATNState* follow, int below) {
  auto [at, fresh] = known_.emplace(std::pair(follow, below), static_cast<int>(stacks_.size()));
  if (fresh) stacks_.emplace_back(follow, below);
  return at->second;
}

int Automaton::StackOf(antlr4::ParserRuleContext* ctx) {
  std::vector<std::size_t> calls;
  for (antlr4::RuleContext* at = ctx; at != nullptr && at->parent != nullptr;
       at = dynamic_cast<antlr4::RuleContext*>(at->parent)) {
    calls.push_back(at->invokingState);
  }
  int stack = -1;
  for (std::size_t i = calls.size(); i-- > 0;) {
    auto* call = dynamic_cast<RuleTransition*>(atn_.states[calls[i]]->transitions[0]);
    if (call != nullptr) stack = Push(call->followState, stack);
  }
  return stack;
}

Automaton::Configs Automaton::AtStartOf(antlr4::ParserRuleContext* ctx) {
  return Closure({{atn_.ruleToStartState[ctx->getRuleIndex()], StackOf(ctx)}});
}

Automaton::Configs Automaton::AtState(std::size_t state, antlr4::ParserRuleContext* ctx) {
  return Closure({{atn_.states[state], StackOf(ctx)}});
}

Automaton::Configs Automaton::Closure(Configs configs) {
  std::set<Config> seen(configs.begin(), configs.end());
  for (std::size_t i = 0; i < configs.size() && configs.size() < kMaxConfigs; ++i) {
    Config at = configs[i];
    auto add = [&](Config next) {
      if (seen.insert(next).second) configs.push_back(next);
    };
    if (at.state->getStateType() == ATNState::RULE_STOP) {
      if (at.stack >= 0) {
        auto [follow, below] = stacks_[static_cast<std::size_t>(at.stack)];
        add({follow, below, -1});
      }
      continue;
    }
    for (Transition* transition : at.state->transitions) {
      if (auto* call = dynamic_cast<RuleTransition*>(transition)) {
        int begun = at.begun;
        if (begun < 0 && !RuleWords(parser_.getRuleNames()[call->ruleIndex]).empty()) {
          begun = static_cast<int>(call->ruleIndex);
        }
        add({call->target, Push(call->followState, at.stack), begun});
      } else if (transition->isEpsilon()) {
        add({transition->target, at.stack, at.begun});
      }
    }
  }
  return configs;
}

Automaton::Configs Automaton::After(const Configs& configs, std::size_t token) {
  Configs next;
  for (const Config& at : configs) {
    for (Transition* transition : at.state->transitions) {
      if (transition->isEpsilon() || !transition->matches(token, 1, atn_.maxTokenType)) continue;
      next.push_back({transition->target, at.stack, -1});
    }
  }
  std::sort(next.begin(), next.end());
  next.erase(std::unique(next.begin(), next.end()), next.end());
  return Closure(std::move(next));
}

Automaton::Expected Automaton::ExpectedAt(const Configs& configs) const {
  Expected expected;
  std::set<std::string> rules;
  std::set<std::string> tokens;
  const antlr4::dfa::Vocabulary& words = parser_.getVocabulary();
  for (const Config& at : configs) {
    for (Transition* transition : at.state->transitions) {
      if (transition->isEpsilon()) continue;
      for (ssize_t token : transition->label().toList()) {
        auto type = static_cast<std::size_t>(token);
        expected.tokens.insert(type);
        if (at.begun < 0) {
          tokens.insert(token < 0 ? "the end of the file"
                                  : TokenWords(words.getLiteralName(type), words.getSymbolicName(type)));
        }
      }
      if (at.begun >= 0) {
        rules.emplace(RuleWords(parser_.getRuleNames()[static_cast<std::size_t>(at.begun)]));
      }
    }
  }
  rules.erase("-");
  // What may follow any value is worth a word only if nothing else is possible.
  std::set<std::string> firm;
  for (const std::string& rule : rules) {
    if (rule != "an operator" && rule != "arguments in parentheses") firm.insert(rule);
  }
  std::set<std::string> firm_tokens;
  for (const std::string& token : tokens) {
    bool loose =
        token.size() > 2 && token.front() == '`' && IsLoose(std::string_view(token).substr(1, token.size() - 2));
    if (!loose && token != "a citation") firm_tokens.insert(token);
  }
  if (!firm.empty() || !firm_tokens.empty()) {
    rules = std::move(firm);
    tokens = std::move(firm_tokens);
  }
  expected.words.assign(rules.begin(), rules.end());
  for (const std::string& token : tokens) {
    if (rules.count(token) == 0) expected.words.push_back(token);
  }
  return expected;
}

std::size_t Automaton::Survives(Configs configs, const std::vector<std::size_t>& tokens) {
  std::size_t count = 0;
  for (std::size_t token : tokens) {
    configs = After(configs, token);
    if (configs.empty()) break;
    ++count;
  }
  return count;
}

}  // namespace arbiter::parse
