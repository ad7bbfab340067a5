// Text to tokens, by hand: what the lexer rules of the grammar say, without ANTLR's automaton for them.
//
// The words, the signs and the letters come from the grammar through tables (grammar/arbiter_tables.cpp); numbers,
// texts, diagrams, citations, comments and blanks are scanned here. tests/parse/lexer_test.cpp holds every token to
// the lexer that ANTLR makes of the grammar. Private to parse/ and its tests.
#pragma once

#include <string_view>
#include <vector>

#include "parse/tokens.h"

namespace arbiter::parse {

// All tokens, comments included, the end as the last. The text must be UTF-8.
std::vector<Token> Lex(std::string_view text, source::FileId file);

}  // namespace arbiter::parse
