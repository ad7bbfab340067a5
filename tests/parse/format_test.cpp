// What `arbiter fmt` does to a text, case by case; that it keeps every rule file is in rulesets_test.cpp.
#include <gtest/gtest.h>

#include "parse/parse.h"

namespace arbiter::parse {
namespace {

std::string FormatOf(const std::string& text, std::size_t errors = 0) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  std::string formatted = Format(sources, sources.Add("test.rules", text), sink);
  EXPECT_EQ(sink.all().size(), errors);
  return formatted;
}

struct Row {
  const char* name;
  const char* before;
  const char* after;
};

class Format_ : public ::testing::TestWithParam<Row> {};

TEST_P(Format_, lays_out) {
  EXPECT_EQ(FormatOf(GetParam().before), GetParam().after);
  EXPECT_EQ(FormatOf(GetParam().after), GetParam().after);
}

INSTANTIATE_TEST_SUITE_P(
    cases, Format_,
    ::testing::Values(
        Row{"indents_by_braces", "action a{\nchoose x=w from self onto empty\n      if a{\n do{self->x}\n}\n}\n",
            "action a {\n  choose x = w from self onto empty\n  if a {\n    do { self -> x }\n  }\n}\n"},
        Row{"blanks_between_tokens", "define f( a ,b )=a [ 1 ]. c+f (x) -1==2\nzone z=c3 .. e5,rank 1\n",
            "define f(a, b) = a[1].c + f (x) -1 == 2\nzone z = c3..e5, rank 1\n"},
        Row{"repetitions_stay_tight", "walk w = a*then b+|c{ 1 .. 4 }then (d)?\n",
            "walk w = a* then b+ | c{1..4} then (d)?\n"},
        Row{"a_bracket_never_goes_on", "action a {\n  written self, \"-\", to\n}\n",
            "action a {\n  written self, \"-\", to\n}\n"},
        Row{"named_bounds_stay_tight", "walk w = a{ t }then b{1 .. t-1}|s(n){t..}\nturn = any move{0..t} or c{ t }\n",
            "walk w = a{t} then b{1..t - 1} | s(n){t..}\nturn = any move{0..t} or c{t}\n"},
        Row{"citations_in_one_margin",
            "game \"G\" §1\noption threefold : bool = true    §2.1 §2.2\n\nplayers White, Black §3   // who\n",
            "game \"G\"                        §1\noption threefold : bool = true  §2.1 §2.2\n\nplayers White, Black   "
            "         §3  // who\n"},
        Row{"comments_of_neighbours", "use a // one\nuse bcd   //two\n\nuse e // three\n",
            "use a    // one\nuse bcd  //two\n\nuse e  // three\n"},
        Row{"keeps_tables", "piece Queen  \"Q\" { move slide(all) }\npiece Rook   \"R\" { move slide(orthogonal) }\n",
            "piece Queen  \"Q\" { move slide(all) }\npiece Rook   \"R\" { move slide(orthogonal) }\n"},
        Row{"diagrams_stay_as_they_are", "  setup  \"\"\"\n  8 . k\n\t 7 K .   \n\"\"\"   // end\n",
            "setup  \"\"\"\n  8 . k\n\t 7 K .   \n\"\"\"  // end\n"},
        Row{"moves_keep_their_spelling",
            "example \"e\" {\nlegal e7-e8=Q castle:e1-g1 c3-c4>c5 e1->a1\nmoves of a1={ a2 a3=Q }\n}\n",
            "example \"e\" {\n  legal e7-e8=Q castle:e1-g1 c3-c4>c5 e1->a1\n  moves of a1 = { a2 a3=Q }\n}\n"},
        Row{"continuations",
            "turn =\nif a : b §1\n    otherwise c\nforbid some p in s : a\n        and b\nfen {\nflags \"KQ\" = "
            "a,\nb\n}\n",
            "turn =\n  if a : b  §1\n    otherwise c\nforbid some p in s : a\n        and b\nfen "
            "{\n  flags \"KQ\" = a,\n    b\n}\n"},
        Row{"repetition_ends_a_line", "walk a = n then ahead+\nwalk b = s +\nwalk c = s\nzone z = a1 +\nb1\n",
            "walk a = n then ahead+\nwalk b = s +\nwalk c = s\nzone z = a1 +\n  b1\n"},
        Row{"reasons_stay_with_their_move", "example \"e\" §1 {\n  illegal a1-a2   because §4.5\n}\n",
            "example \"e\" §1 {\n  illegal a1-a2   because §4.5\n}\n"},
        Row{"surplus_empty_lines", "\n\ngame \"a\"\n\n\n\nuse b   \n\n", "game \"a\"\n\nuse b\n"},
        Row{"documentation_and_comments", "/// About it.\n  // and more  \nboard {\n// inside\nsquares 8 x 8\n}\n",
            "/// About it.\n// and more\nboard {\n  // inside\n  squares 8 x 8\n}\n"},
        Row{"shown_lines",
            "show   score=a,\":\" ,b if c\nshow text = if a then\n\"b\" else \"c\"\nif d§1\nshow zones a ,b\n",
            "show   score = a, \":\", b if c\nshow text = if a then\n  \"b\" else \"c\"\n  if d  §1\nshow "
            "zones a, b\n"},
        Row{"windows_line_ends", "game \"a\"\r\nuse b // c\r\n", "game \"a\"\nuse b  // c\n"}, Row{"empty", "", ""}),
    [](const auto& info) { return info.param.name; });

TEST(Format, leaves_a_text_with_errors_alone) {
  std::string text = "piece   King {\nmove n then\n}\n";
  EXPECT_EQ(FormatOf(text, 1), text);
}

}  // namespace
}  // namespace arbiter::parse
