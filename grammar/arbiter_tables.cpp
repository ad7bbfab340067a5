// Made at build time from the generated lexer and parser: what they know, as tables that cost nothing to load.
//
//  - the words and signs of the language, with the numbers of their tokens;
//  - the letters that a name may have;
//  - prediction: for each decision that one token does not settle, ANTLR's own SLL automaton, computed in advance
//    (ANTLR computes it anew in every process, configuration by configuration, while it parses).
//
// The grammar stays the only source: parse/lexer.cpp and parse/predictor.cpp read these tables, and tests/parse holds
// both to ANTLR's own lexer and prediction. The automata may be infinite, so they are cut off; where a table ends, the
// predictor asks ANTLR.
//
//   arbiter_tables OUT.cpp
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ArbiterLexer.h"
#include "ArbiterParser.h"
#include "antlr4-runtime.h"

namespace {

using antlr4::atn::ATN;
using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using antlr4::dfa::DFA;
using antlr4::dfa::DFAState;
using arbiter_grammar::ArbiterLexer;
using arbiter_grammar::ArbiterParser;

constexpr std::size_t kMaxStates = 128;  // of one decision; tests/parse sees to it that rule files hardly need more

[[noreturn]] void Fail(const std::string& message) {
  std::fprintf(stderr, "arbiter_tables: %s\n", message.c_str());
  std::exit(1);
}

// ---- words and letters ---------------------------------------------------------------------------

void WriteWords(const antlr4::dfa::Vocabulary& words, std::ostream& out) {
  std::map<std::string, std::size_t> literals;
  for (std::size_t type = 1; type <= words.getMaxTokenType(); ++type) {
    std::string literal = words.getLiteralName(type);
    if (literal.empty()) continue;
    literals[literal.substr(1, literal.size() - 2)] = type;
  }
  out << "const Word kWords[] = {\n";
  for (const auto& [word, type] : literals) out << "    {\"" << word << "\", " << type << "},\n";
  out << "};\nconst std::size_t kWordCount = " << literals.size() << ";\n\n";
}

void WriteLetters(const ArbiterLexer& lexer, std::ostream& out) {
  const std::vector<std::string>& rules = lexer.getRuleNames();
  auto found = std::find(rules.begin(), rules.end(), "LETTER");
  if (found == rules.end()) Fail("the grammar has no fragment LETTER");
  ATNState* at = lexer.getATN().ruleToStartState[static_cast<std::size_t>(found - rules.begin())];
  while (at->transitions.size() == 1 && at->transitions[0]->isEpsilon()) at = at->transitions[0]->target;
  if (at->transitions.size() != 1) Fail("the fragment LETTER is not one set of characters");
  auto ranges = at->transitions[0]->label().getIntervals();
  out << "const Range kLetters[] = {\n";
  for (const auto& range : ranges) out << "    {" << range.a << ", " << range.b << "},\n";
  out << "};\nconst std::size_t kLetterCount = " << ranges.size() << ";\n\n";
}

// ---- prediction ----------------------------------------------------------------------------------

class Simulator : public antlr4::atn::ParserATNSimulator {
 public:
  explicit Simulator(antlr4::Parser* parser, std::vector<DFA>& automata, antlr4::atn::PredictionContextCache& cache)
      : ParserATNSimulator(parser, parser->getATN(), automata, cache) {
    setPredictionMode(antlr4::atn::PredictionMode::SLL);
  }

  DFAState* Start(DFA& dfa) {
    if (dfa.isPrecedenceDfa()) Fail("a rule recurses on its left");
    _dfa = &dfa;
    dfa.s0 =
        addDFAState(dfa, new DFAState(computeStartState(dfa.atnStartState, &antlr4::ParserRuleContext::EMPTY, false)));
    return dfa.s0;
  }

  // Null if `token` cannot follow.
  DFAState* After(DFA& dfa, DFAState* state, std::size_t token) {
    _dfa = &dfa;
    DFAState* next = computeTargetState(dfa, state, token);
    mergeCache.clear();
    return next == ERROR.get() ? nullptr : next;
  }
};

// One state of a table: for each token where to go.
//   0: ask ANTLR; n > 0: state n - 1; n < 0: alternative -n.
using Row = std::vector<int>;

// Tokens between which a state does not tell get the same text.
std::vector<std::string> Kinds(const DFAState& state, std::size_t max_token) {
  std::vector<std::string> kinds(max_token + 1);
  std::size_t number = 0;
  for (const auto& config : state.configs->configs) {
    for (Transition* transition : config->state->transitions) {
      ++number;
      if (transition->isEpsilon()) continue;
      for (ssize_t token : transition->label().toList()) {
        if (token > 0) kinds[static_cast<std::size_t>(token)] += std::to_string(number) + " ";
      }
    }
  }
  return kinds;
}

// The least alternative, if whatever lets another one go on lets it go on too; else 0. Two alternatives that stay
// possible for ever are decided for the least one in the end, which ANTLR finds out at the end of a long look ahead
// only. A text that turns out wrong on the way fails in the parser instead of in the prediction.
std::size_t Prevails(const DFAState& state) {
  using antlr4::atn::ATNConfig;
  const auto& configs = state.configs->configs;
  std::size_t least = configs.front()->alt;
  for (const auto& config : configs) least = std::min(least, config->alt);
  for (const auto& config : configs) {
    bool shared = std::any_of(configs.begin(), configs.end(), [&](const auto& other) {
      return other->alt == least && other->state == config->state && *other->context == *config->context;
    });
    if (!shared) return 0;
  }
  return least;
}

// What rule files are full of is looked at first.
std::vector<int> Costs(const antlr4::Parser& parser, std::size_t max_token) {
  std::vector<int> costs(max_token + 1, 4);
  for (std::size_t token = 1; token <= max_token; ++token) {
    std::string literal = parser.getVocabulary().getLiteralName(token);
    bool frequent =
        literal == "'of'" || (!literal.empty() && std::string("()[],.|").find(literal[1]) != std::string::npos);
    if (frequent) costs[token] = 1;
  }
  costs[ArbiterParser::NAME] = costs[ArbiterParser::INT] = 1;
  return costs;
}

// Empty if one token settles the decision: the generated parser looks at that itself.
std::vector<Row> Table(Simulator& simulator, DFA& dfa, const std::vector<int>& costs) {
  std::size_t max_token = costs.size() - 1;
  std::map<DFAState*, int> number;
  std::vector<DFAState*> states;
  std::vector<int> cost;
  std::set<std::pair<int, int>> open;  // cost and number of the states that have no row yet
  auto of = [&](DFAState* state, int at) {
    auto [known, fresh] = number.emplace(state, static_cast<int>(states.size()));
    int it = known->second;
    if (fresh) {
      states.push_back(state);
      cost.push_back(at);
      open.emplace(at, it);
    } else if (at < cost[it] && open.erase({cost[it], it}) > 0) {
      cost[it] = at;
      open.emplace(at, it);
    }
    return it + 1;
  };
  of(simulator.Start(dfa), 0);
  std::vector<Row> rows;
  std::map<int, int> place;  // by number
  bool settled = true;
  while (!open.empty() && rows.size() < kMaxStates) {
    int it = open.begin()->second;
    open.erase(open.begin());
    place.emplace(it, static_cast<int>(rows.size()));
    Row row(max_token + 1);
    std::vector<std::string> kinds = Kinds(*states[it], max_token);
    std::map<std::string, DFAState*> known;
    for (std::size_t token = 0; token <= max_token; ++token) {  // 0 stands for the end of the text
      if (token > 0 && kinds[token].empty()) continue;
      DFAState* next = nullptr;
      auto found = token > 0 ? known.find(kinds[token]) : known.end();
      if (found != known.end()) {
        next = found->second;
      } else {
        next = simulator.After(dfa, states[it], token > 0 ? token : antlr4::Token::EOF);
        if (token > 0) known.emplace(kinds[token], next);
      }
      if (next == nullptr) continue;
      settled = settled && next->isAcceptState && !next->requiresFullContext;
      std::size_t alternative = next->isAcceptState ? next->prediction : Prevails(*next);
      if (alternative != 0) {
        row[token] = -static_cast<int>(alternative);
      } else if (token != 0) {  // nothing comes behind the end
        row[token] = of(next, cost[it] + costs[token]);
      }
    }
    if (settled) return {};
    rows.push_back(std::move(row));
  }
  for (Row& row : rows) {
    for (int& next : row) {
      if (next <= 0) continue;
      auto found = place.find(next - 1);
      next = found == place.end() ? 0 : found->second + 1;
    }
  }
  return rows;
}

template <class Numbers>
void WriteNumbers(const Numbers& numbers, std::ostream& out) {
  std::size_t count = 0;
  for (int number : numbers) out << number << (++count % 32 == 0 ? ",\n" : ",");
  out << "};\n";
}

// Tokens that behave alike in all states are one class.
int WriteTable(const std::vector<Row>& rows, std::size_t decision, std::ostream& out) {
  std::map<std::vector<int>, int> columns;
  std::vector<const std::vector<int>*> order;
  std::vector<int> classes;
  for (std::size_t token = 0; token < rows[0].size(); ++token) {
    std::vector<int> column;
    for (const Row& row : rows) column.push_back(row[token]);
    auto [at, fresh] = columns.emplace(std::move(column), static_cast<int>(order.size()));
    if (fresh) order.push_back(&at->first);
    classes.push_back(at->second);
  }
  if (order.size() > 255 || rows.size() > 32000) Fail("a table of prediction is too large");
  std::vector<int> next;
  for (std::size_t state = 0; state < rows.size(); ++state) {
    for (const std::vector<int>* column : order) next.push_back((*column)[state]);
  }
  out << "static const uint8_t kClasses" << decision << "[] = {";
  WriteNumbers(classes, out);
  out << "static const int16_t kNext" << decision << "[] = {";
  WriteNumbers(next, out);
  return static_cast<int>(order.size());
}

void WritePredictions(antlr4::Parser& parser, std::ostream& out) {
  const ATN& atn = parser.getATN();
  antlr4::atn::PredictionContextCache cache;
  std::vector<DFA> automata;
  for (std::size_t i = 0; i < atn.getNumberOfDecisions(); ++i) automata.emplace_back(atn.getDecisionState(i), i);
  Simulator simulator(&parser, automata, cache);
  std::vector<int> costs = Costs(parser, atn.maxTokenType);
  std::ostringstream list;
  for (DFA& dfa : automata) {
    std::vector<Row> rows = Table(simulator, dfa, costs);
    if (rows.empty()) {
      list << "    {nullptr, nullptr, 0},\n";
    } else {
      int classes = WriteTable(rows, dfa.decision, out);
      list << "    {kClasses" << dfa.decision << ", kNext" << dfa.decision << ", " << classes << "},\n";
    }
  }
  out << "\nconst Prediction kPredictions[] = {\n" << list.str() << "};\n";
  out << "const std::size_t kPredictionCount = " << automata.size() << ";\n";
  out << "const std::size_t kMaxTokenType = " << atn.maxTokenType << ";\n\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) Fail("usage: arbiter_tables OUT.cpp");
  std::ofstream out(argv[1]);
  ArbiterLexer lexer(nullptr);
  ArbiterParser parser(nullptr);
  out << "// Written by grammar/arbiter_tables.cpp from Arbiter.g4.\n#include \"arbiter_tables.h\"\n\nnamespace "
         "arbiter_grammar {\n\n";
  WriteWords(parser.getVocabulary(), out);
  WriteLetters(lexer, out);
  WritePredictions(parser, out);
  out << "}  // namespace arbiter_grammar\n";
  out.close();
  if (!out) Fail(std::string("cannot write ") + argv[1]);
}
