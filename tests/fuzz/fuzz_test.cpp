// Random rule files: a fixed number of them in every run, ARBITER_FUZZ=2000 for more, ARBITER_SEED=… to begin
// elsewhere.
#include <gtest/gtest.h>

#include <cstdlib>

#include "check/check.h"
#include "compile/compile.h"
#include "fuzz/campaign.h"
#include "fuzz/rule_file.h"
#include "fuzz/shrink.h"

namespace arbiter::fuzz {
namespace {

uint64_t Environment(const char* name, uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

TEST(Fuzz, both_evaluators_play_random_rule_files_alike) {
  Orders orders;
  const uint64_t count = Environment("ARBITER_FUZZ", 80);
  orders.first = Environment("ARBITER_SEED", 1);
  orders.last = orders.first + count - 1;
  orders.command = "build/fuzz_rules";
  if (count <= 80) orders.budget.seconds = 0.1;
  const Report report = fuzz::Run(orders, stdout);
  EXPECT_TRUE(report.failures.empty());
  EXPECT_LE(report.illegal * 50, report.files) << "the generator writes too many files that are refused";
  EXPECT_GT(report.positions, report.files * 5) << "next to nothing was compared";
  EXPECT_GT(report.moves, report.positions) << "the rules offer nothing";
  EXPECT_GT(report.direct * 6, report.files) << "many files are meant to have turns that are made from tables";
  EXPECT_GT(report.flat, 0) << "some files are meant to be counted from sets";
  EXPECT_GT(report.guarded, 0);
  EXPECT_GT(report.unguarded, 0);
}

TEST(Fuzz, a_seed_is_one_file) {
  EXPECT_EQ(MakeRuleFile(12), MakeRuleFile(12));
  EXPECT_NE(MakeRuleFile(12), MakeRuleFile(13));
}

TEST(Fuzz, a_refused_file_says_why) {
  const Verdict verdict =
      Judge("game \"Nothing\"\nplayers White, Black\nboard { squares 2 x 2 }\npiece A \"A\" { move up }\n", 1, {});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kIllegal);
  ASSERT_FALSE(verdict.codes.empty());
}

// A game, and the engine of another one in which a piece goes one way less: that must be seen.
TEST(Fuzz, a_difference_is_found) {
  const auto load = [](const std::string& statement) {
    source::MemoryLoader loader;
    loader.Add("two.rules",
               "game \"Two\"\nuse std.walks\nplayers White, Black\nboard { squares 3 x 3 }\npiece Ant \"A\" { " +
                   statement + " }\nlimit turns 20\nsetup to move White \"\"\"\n  . a .\n  . . .\n  A . .\n\"\"\"\n");
    source::SourceMap sources;
    diagnostics::Sink sink;
    return check::Check({"two.rules", {}, false}, loader, sources, sink);
  };
  const auto rules = load("move or take step(all)"), others = load("move or take step(orthogonal)");
  ASSERT_TRUE(rules && others);
  Verdict verdict;
  Compare(*rules, compile::Compile(*rules), 1, {}, &verdict);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kSame) << verdict.difference;
  Compare(*rules, compile::Compile(*others), 1, {}, &verdict);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kDifferent);
  EXPECT_NE(verdict.difference.find("only the oracle offers: a1-b2"), std::string::npos) << verdict.difference;
}

TEST(Shrink, keeps_what_shows_it_and_little_else) {
  const std::string text =
      "game \"G\"\nboard {\n  squares 3 x 3\n  zone a = a1\n}\npiece A {\n  move n to a if (x)\n  take s\n}\n"
      "setup \"\"\"\n  A . a\n  A A A\n\"\"\"\n";
  const std::string small = Shrink(text, [](const std::string& t) {
    return t.find("move n") != std::string::npos && t.find("a\n") != std::string::npos;
  });
  EXPECT_NE(small.find("move n"), std::string::npos);
  EXPECT_EQ(small.find("squares"), std::string::npos);
  EXPECT_EQ(small.find("take"), std::string::npos);
  EXPECT_EQ(small.find("if (x)"), std::string::npos);
  EXPECT_LT(small.size(), text.size() / 2);
}

}  // namespace
}  // namespace arbiter::fuzz
