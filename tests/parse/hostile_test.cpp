// Input nobody writes by hand: a diagnostic, soon, and never a crash.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "parse/driver.h"

namespace arbiter::parse {
namespace {

struct Outcome {
  std::vector<diagnostics::Diagnostic> found;
  double seconds = 0;

  [[nodiscard]] std::string First() const {
    return found.empty() ? "" : std::string(diagnostics::CodeName(found[0].code));
  }
};

Outcome Try(const std::string& text) {
  Outcome outcome;
  source::SourceMap sources;
  diagnostics::Sink sink;
  auto begin = std::chrono::steady_clock::now();
  { ast::File file = Parse(sources, sources.Add("hostile.rules", text), sink); }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  outcome.found = sink.all();
  EXPECT_LT(outcome.seconds, 10.0);  // measured: below one second; the room is for busy machines and sanitizers
  for (const auto& each : outcome.found) EXPECT_LE(each.span.end, text.size());
  return outcome;
}

std::string Times(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

struct Case {
  const char* name;
  std::string text;
  const char* code;  // of the first diagnostic; "" for none
};

class Hostile : public ::testing::TestWithParam<Case> {};

TEST_P(Hostile, gives_the_diagnostic) {
  Outcome outcome = Try(GetParam().text);
  EXPECT_EQ(outcome.First(), GetParam().code) << (outcome.found.empty() ? "" : outcome.found[0].message);
}

INSTANTIATE_TEST_SUITE_P(
    cases, Hostile,
    ::testing::Values(
        Case{"empty", "", ""}, Case{"blank", " \n\t\r\n", ""}, Case{"comment_only", "// nothing", ""},
        Case{"byte_order_mark", "\xEF\xBB\xBFgame \"X\"\n", ""}, Case{"one_brace", "{", "syntax-unclosed"},
        Case{"one_closing_brace", "}", "syntax-unclosed"}, Case{"one_quote", "\"", "syntax-unclosed"},
        Case{"three_quotes", "\"\"\"", "syntax-unclosed"},
        Case{"nul_bytes", std::string("game \"X\"\n\0\0\0\n", 13), "syntax-encoding"},
        Case{"nul_in_text", std::string("game \"a\0b\"", 10), "syntax-encoding"},
        Case{"escape_in_text", "game \"a\x1b[31mb\"", "syntax-encoding"},
        Case{"text_turned_round", "game \"a\xe2\x80\xae b\"", "syntax-encoding"},
        Case{"letters_of_many_scripts", "game \"a\xc3\xa9\xe2\x82\xac\xe6\xbc\xa2\"", ""},
        Case{"lone_continuation_byte", "game \"\x80\"", "syntax-encoding"},
        Case{"overlong", "game \"\xC0\xAF\"", "syntax-encoding"},
        Case{"surrogate", "game \"\xED\xA0\x80\"", "syntax-encoding"},
        Case{"beyond_unicode", "game \"\xF4\x90\x80\x80\"", "syntax-encoding"},
        Case{"cut_in_the_middle", "game \"\xE5\xB8", "syntax-encoding"},
        Case{"parentheses", "define a = " + Times("(", 100000), "limit-nesting"},
        Case{"closed_parentheses", "define a = " + Times("(", 100000) + "1" + Times(")", 100000), "limit-nesting"},
        Case{"braces", Times("{", 100000), "limit-nesting"},
        Case{"brackets", "define a = x" + Times("[x", 100000), "limit-nesting"},
        Case{"nested_blocks", "effect e " + Times("{ if a ", 100000), "limit-nesting"},
        Case{"negations", "define a = " + Times("not ", 200000) + "b", "limit-nesting"},
        Case{"minuses", "define a = " + Times("- ", 200000) + "1", "limit-nesting"},
        Case{"conditions", "define a = " + Times("if ", 200000), "limit-nesting"},
        Case{"conditions_with_branches", "define a = " + Times("if a then ", 90000) + "b", "limit-nesting"},
        Case{"conditional_chain", "define a = " + Times("if a then b else ", 50000) + "b", "limit-nesting"},
        Case{"quantifiers", "define a = " + Times("some x in s : ", 60000) + "b", "limit-nesting"},
        Case{"sum", "define a = 1" + Times(" + 1", 200000), "limit-nesting"},
        Case{"of_chain", "define a = b" + Times(" of b", 150000), "limit-nesting"},
        Case{"fields", "define a = b" + Times(".b", 400000), "limit-nesting"},
        Case{"implications", "define a = b" + Times(" implies b", 90000), "limit-nesting"},
        Case{"turn_alternatives", "turn = " + Times("if a : b otherwise ", 50000) + "b", "limit-nesting"},
        Case{"turn_in_parentheses", "turn = " + Times("(", 100000), "limit-nesting"},
        Case{"else_if_chain", "effect e { if a {}" + Times(" else if a {}", 70000) + " }", "limit-nesting"},
        Case{"many_library_files", Times("use std.walks\n", 2000), ""},
        Case{"many_moves", "example \"e\" { legal" + Times(" a1-a2", 3000) + " }", ""},
        Case{"sum_over_lines", "define a = b" + Times(" +\nuse", 150000), "limit-nesting"},
        Case{"replaces", Times("replace ", 100000), "syntax-unexpected"},
        Case{"one_long_word", Times("a", 1 << 20), "syntax-unexpected"},
        Case{"one_long_number", "define a = " + Times("9", 1 << 19), "type-range"},
        Case{"one_long_text", "game \"" + Times("x", 1 << 19) + "\"", ""},
        Case{"one_long_comment", "//" + Times("x", (1 << 20) - 2), ""},
        Case{"too_large", Times("x", (1 << 20) + 1), "limit-size"},
        Case{"many_words", Times("a ", 500000), "syntax-unexpected"},
        Case{"many_semicolons", Times(";", 1 << 20), "syntax-unexpected"},
        Case{"many_quotes", Times("\"\n", 1 << 19), "syntax-unclosed"},
        Case{"many_broken_declarations", Times("piece =\n", 80000), "syntax-unexpected"},
        Case{"many_closing_braces", Times("}\n", 1 << 19), "syntax-unclosed"},
        Case{"alternating_brackets", "define a = " + Times("(]", 100000), "syntax-unclosed"},
        Case{"many_diagrams", Times("setup \"\"\"\n", 100001), "syntax-unclosed"}),
    [](const auto& info) { return info.param.name; });

// What may be long, is.
TEST(Hostile, long_lists_are_fine) {
  EXPECT_EQ(Try("walk a = n" + Times(" then n", 20000)).First(), "");
  EXPECT_EQ(Try("walk a = n" + Times(" | n", 20000)).First(), "");
  EXPECT_EQ(Try("zone z = a1" + Times(", a1", 50000)).First(), "");
  EXPECT_EQ(Try(Times("game \"x\"\n", 50000)).First(), "");
  EXPECT_EQ(Try("effect e {" + Times(" x.y = a + b of c", 20000) + " }").First(), "");
  EXPECT_EQ(Try("effect e {" + Times(" if a { } else { }", 20000) + " }").First(), "");
  EXPECT_EQ(Try("piece P \"p\" {" + Times(" move n if a and b", 20000) + " }").First(), "");
}

// Any bytes at all: random ones, and real text with random damage.
TEST(Hostile, random_bytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 300; ++i) text += static_cast<char>(random() % 256);
    Try(text);
  }
}

TEST(Hostile, damaged_text) {
  const std::string whole =
      "game \"X\"\nplayers White facing n, Black facing s\nboard { squares 8 x 8 without c3..e5 zone a[p] = rank 1 "
      "§1.1 }\n"
      "state { brief ep : cell? = none  clock q : 0..9 = 0 }\npiece King \"K\" royal { move or take step(all) from "
      "a[me] do { ep = x } }\n"
      "action go(w : walk) by King | Queen { choose x = w from self onto not own or ep within a[me]  let y = if a then "
      "b else c\n"
      "  if y { do { self -> x lift y } } else { require some p in own pieces of me except King on a : p is not empty "
      "} }\n"
      "turn = if a : (go else pass{0..2}) otherwise any move then longest go by same §2.1\nwhen King of p moves from a "
      "to b in ph if c { win p }\n"
      "setup k[White] to move White \"\"\"\n K . k\n\"\"\"\nexample \"e\" §1 with a = b { setup k[White] moves of a1 = "
      "{ a1-b1=Q O-O } perft 1..2 = 3, 4 }\n";
  std::mt19937 random(11);
  for (int round = 0; round < 600; ++round) {
    std::string text = whole;
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0; --edits) {
      std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 6);
          break;
        case 1:
          text.insert(at, 1, "(){}[]\"=:;.,-+*|?<>@x1 \n"[random() % 25]);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        default:
          text.resize(at);
          break;
      }
      if (text.empty()) text = "x";
    }
    Try(text);
  }
}

}  // namespace
}  // namespace arbiter::parse
