// What the grammar says, as tables. Written by the program of arbiter_tables.cpp at build time; see there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arbiter_grammar {

// The words and signs of the language, sorted by their bytes.
struct Word {
  std::string_view text;
  uint16_t type;
};
extern const Word kWords[];
extern const std::size_t kWordCount;

// The code points of which a name is made, besides digits and `_`; sorted, both ends included.
struct Range {
  uint32_t first, last;
};
extern const Range kLetters[];
extern const std::size_t kLetterCount;

// How one decision of the parser is made: an automaton over the coming tokens, tokens put together into classes.
// An entry n > 0 is state n - 1, n < 0 alternative -n, and 0 says that ANTLR must be asked.
struct Prediction {
  const uint8_t* classes;  // by the type of a token; 0 is the end of the text
  const int16_t* next;     // state * class_count + class
  uint16_t class_count;
};
extern const Prediction kPredictions[];  // by decision; `next` is null where one token settles it
extern const std::size_t kPredictionCount;
extern const std::size_t kMaxTokenType;

}  // namespace arbiter_grammar
