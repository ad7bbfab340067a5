// How syntax errors are found, told and got over.
//
// The second stage's error strategy. An error unwinds to the list item in which it happened (a declaration, a
// statement, an effect …); the rest of the item is skipped, brackets respected, and reading goes on. No
// sentence of ANTLR's is used. Private to parse/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "parse/antlr.h"
#include "parse/expected.h"
#include "parse/tokens.h"

namespace arbiter::parse {

class Recovery : public antlr4::DefaultErrorStrategy {
 public:
  // `mended.tokens` are the parser's tokens, index by index.
  Recovery(const Mended& mended, TokenText text, diagnostics::Sink& sink) : mended_(mended), text_(text), sink_(sink) {}

  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override;
  void recover(antlr4::Parser* parser, std::exception_ptr e) override;
  antlr4::Token* recoverInline(antlr4::Parser* parser) override;
  void sync(antlr4::Parser* parser) override;

 private:
  struct Trouble {
    std::size_t at = 0;           // index of the offending token
    std::size_t item_begin = 0;   // index of the first token of its item
    std::string item;             // the item's rule
    std::size_t list_begin = 0;   // index of the first token of the list the item is in
    Automaton::Configs before;    // what is possible in front of the offending token
    Automaton::Configs previous;  // and in front of the token before it
    bool starts_item = false;     // the item itself could not begin
    std::set<std::size_t> other;  // tokens that would begin another item: possible, but not meant
  };
  // The trouble met when `item` is read again up to the token `offending`.
  Trouble Reread(antlr4::Parser* parser, antlr4::ParserRuleContext* item, std::size_t offending,
                 Automaton& automaton) const;
  // Goes back to a word that began the next declaration but was read as a name; false if there is none.
  bool StepBack(antlr4::Parser* parser, Trouble* trouble) const;
  // An item that begins in the middle of a line may be the rest of the one before it (`forward ahead`).
  bool TellRestOfPrevious(antlr4::Parser* parser, antlr4::ParserRuleContext* item, const Trouble& trouble,
                          Automaton& automaton);
  void Tell(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton);
  bool TellSlip(const Trouble& trouble, const Automaton::Expected& expected, antlr4::Parser* parser, bool sure);
  bool TellMisspelling(antlr4::Parser* parser, const Trouble& trouble, std::size_t through, Automaton& automaton);
  [[nodiscard]] std::vector<std::size_t> Missing(antlr4::Parser* parser, const Trouble& trouble, std::size_t through,
                                                 const Automaton::Expected& expected, Automaton& automaton) const;
  void TellMissing(const Trouble& trouble, const std::vector<std::string>& words);
  void TellExpected(antlr4::Parser* parser, const Trouble& trouble, Automaton& automaton,
                    const Automaton::Expected& expected);
  void TellNoItem(const Trouble& trouble, const Automaton::Expected& expected);
  [[nodiscard]] bool IsTouched(std::size_t at) const;
  [[nodiscard]] std::string Quote(std::size_t at) const;
  [[nodiscard]] int DepthBetween(std::size_t begin, std::size_t end) const;
  [[nodiscard]] std::vector<std::size_t> TypesFrom(std::size_t at, std::size_t through) const;
  [[nodiscard]] std::size_t Ahead(std::size_t at, int count) const;
  void SkipItem(antlr4::Parser* parser, std::size_t list_rule, std::size_t item_rule, std::size_t item_begin);

  const Mended& mended_;
  TokenText text_;
  diagnostics::Sink& sink_;
  int told_ = 0;
  std::set<std::pair<std::size_t, std::string>> told_once_;  // the list, and the message
};

}  // namespace arbiter::parse
