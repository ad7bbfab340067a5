// Piece letters: one for every player, all different.
//
// In scripts with capitals a piece names one letter: the first player's is the capital, the second's
// the small one. Otherwise, and with more players, it names one for each. A neutral piece has the one it
// names.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "check/context.h"

namespace arbiter::check {

// The text with its first letter as a capital; unchanged in scripts without capitals.
std::string UpperFirst(std::string_view text);
std::string LowerFirst(std::string_view text);
std::size_t FirstLength(std::string_view text);  // bytes of the first code point

class LetterTable {
 public:
  explicit LetterTable(Context& c) : c_(c) {}
  void Give(rules::Kind& kind, const ast::Piece& piece);

 private:
  struct Owner {
    std::string kind;
    Span span;
  };
  bool Usable(const std::string& letter, Span span);
  std::vector<std::string> ForPlayers(const rules::Kind& kind, const ast::Piece& piece, Span span);
  bool Claim(const std::string& letter, const rules::Kind& kind, Span span);

  Context& c_;
  std::map<std::string, Owner> taken_;
};

}  // namespace arbiter::check
