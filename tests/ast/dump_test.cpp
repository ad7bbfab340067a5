// The dump is short, stable, and tells everything apart that means something different.
#include <gtest/gtest.h>

#include <map>

#include "ast/ast.h"
#include "parse/parse.h"

namespace arbiter::ast {
namespace {

std::string DumpOf(const std::string& text) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  File file = parse::Parse(sources, sources.Add("test.rules", text), sink);
  EXPECT_TRUE(sink.all().empty()) << text;
  return Dump(file);
}

TEST(Dump, an_empty_file_is_empty) { EXPECT_EQ(Dump(File{}), ""); }

TEST(Dump, error_nodes_are_shown) {
  File file;
  file.decls.emplace_back();
  file.decls.back().payload = ErrorDecl{{"Queen", {}}};
  EXPECT_EQ(Dump(file), "error Queen\n");
}

TEST(Dump, blanks_and_comments_do_not_matter) {
  EXPECT_EQ(DumpOf("define f = a+b // c\n"), DumpOf("// x\ndefine  f\n=\na + b"));
}

// Texts that differ in one thing: no two dumps are the same.
TEST(Dump, different_texts_have_different_dumps) {
  std::vector<std::string> texts = {"define f = a + b",
                                    "define f = a - b",
                                    "show f = a",
                                    "show f = a, b",
                                    "show f = a if b",
                                    "show zones a, b",
                                    "define g = a + b",
                                    "define f(a) = a + b",
                                    "define f(a : b) = a + b",
                                    "define f = a == b",
                                    "define f = a of b",
                                    "define f = a.b",
                                    "define f = a[b]",
                                    "define f = a(b)",
                                    "define f = \"a\"",
                                    "define f = 1",
                                    "define f = not a",
                                    "define f = a exists",
                                    "define f = a is b",
                                    "define f = a is not b",
                                    "walk f = a then b",
                                    "walk f = a | b",
                                    "walk f = a*",
                                    "walk f = a+",
                                    "walk f = a?",
                                    "walk f = a{1..2}",
                                    "walk f = a may stay",
                                    "walk f = (if a)",
                                    "turn = a then b",
                                    "turn = a or b",
                                    "turn = a else b",
                                    "turn = a by same",
                                    "turn = a by other",
                                    "turn = any move except a",
                                    "turn = any move except a, b",
                                    "turn = any move except a by other",
                                    "action f { let a = b }",
                                    "action f { let a : c = b }",
                                    "example { holds a }",
                                    "example { moves where a = { } }",
                                    "turn = longest a",
                                    "turn = a{0..2}",
                                    "turn f = a then b",
                                    "turn = if a : b otherwise c",
                                    "forbid a",
                                    "forbid at turn end a",
                                    "forbid in b a",
                                    "forbid action by b when a",
                                    "win p when a",
                                    "lose p when a",
                                    "win p at once when a",
                                    "win p in b when a",
                                    "draw when a",
                                    "draw when repetition 3",
                                    "draw when repetition 4",
                                    "limit turns 3",
                                    "piece P { move a }",
                                    "piece P { take a }",
                                    "piece P { threaten a }",
                                    "piece P { move or take a }",
                                    "piece P { move a to b }",
                                    "piece P { move a from b }",
                                    "piece P { move a if b }",
                                    "piece P { move a do { b() } }",
                                    "neutral piece P",
                                    "fixed piece P",
                                    "piece P \"P\"",
                                    "piece P like Q",
                                    "piece P q",
                                    "state { a : b = c }",
                                    "piece state { a : b = c }",
                                    "state { clock a : b = c }",
                                    "state { brief a : b = c }",
                                    "state { a[b] : b = c }",
                                    "state { a : b? = c }",
                                    "zone a = b",
                                    "zone a[b] = b",
                                    "zone a = b, c",
                                    "zone a = b §1",
                                    "zone a = b §2"};
  std::map<std::string, std::string> seen;
  for (const std::string& text : texts) {
    auto [at, fresh] = seen.emplace(DumpOf(text), text);
    EXPECT_TRUE(fresh) << text << " and " << at->second << " give " << at->first;
  }
}

}  // namespace
}  // namespace arbiter::ast
