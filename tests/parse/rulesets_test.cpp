// Every rule file of the repository: it parses in the quick stage, and `arbiter fmt` keeps it.
#include <gtest/gtest.h>

#include <chrono>

#include "../support/golden.h"
#include "parse/driver.h"

namespace arbiter::testing {
namespace {

std::vector<std::string> RuleFiles() {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  fs::path root = ARBITER_SOURCE_DIR;
  for (const char* folder : {"stdlib", "rulesets", "tests/rulesets", "tests/golden/format"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() == ".rules") found.push_back(fs::relative(entry.path(), root).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Read {
  source::SourceMap sources;
  diagnostics::Sink sink;
  parse::Trace trace;
  ast::File file;
  source::FileId id;

  explicit Read(const std::string& text) {
    id = sources.Add("file.rules", text);
    file = parse::ParseTraced(sources, id, sink, &trace);
  }
};

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

class EveryRuleFile : public ::testing::TestWithParam<std::string> {
 protected:
  std::string text_ = ReadWhole(std::filesystem::path(ARBITER_SOURCE_DIR) / GetParam());
};

TEST_P(EveryRuleFile, parses_without_full_context) {
  Read read(text_);
  for (const auto& found : read.sink.all()) ADD_FAILURE() << found.message;
  EXPECT_FALSE(read.trace.entered_full_context);
  EXPECT_LE(read.trace.predictions_computed, 3U);  // the tables reach far enough
  EXPECT_FALSE(read.file.decls.empty());
}

// Generous: a warm parse takes one to six milliseconds; a test machine may be busy.
TEST_P(EveryRuleFile, parses_quickly_when_warm) {
  Read cold(text_);
  auto begin = std::chrono::steady_clock::now();
  Read warm(text_);
  auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(std::chrono::duration_cast<std::chrono::milliseconds>(took).count(), 500);
}

TEST_P(EveryRuleFile, formatting_keeps_the_tree_and_every_comment) {
  Read before(text_);
  std::string formatted = parse::Format(before.sources, before.id, before.sink);
  Read after(formatted);
  EXPECT_EQ(ast::Dump(before.file), ast::Dump(after.file));
  EXPECT_EQ(CountOf(text_, "//"), CountOf(formatted, "//"));
  EXPECT_EQ(CountOf(text_, "§"), CountOf(formatted, "§"));
}

TEST_P(EveryRuleFile, formatting_twice_changes_nothing) {
  Read first(text_);
  std::string once = parse::Format(first.sources, first.id, first.sink);
  Read second(once);
  EXPECT_EQ(once, parse::Format(second.sources, second.id, second.sink));
}

TEST_P(EveryRuleFile, spans_lie_inside_the_text_and_begin_at_their_words) {
  Read read(text_);
  for (const ast::Decl& decl : read.file.decls) {
    ASSERT_LE(decl.span.begin, decl.span.end);
    ASSERT_LE(decl.span.end, text_.size());
    std::string_view slice = read.sources.Slice(decl.span);
    ASSERT_FALSE(slice.empty());
    EXPECT_TRUE(slice.front() >= 'a' && slice.front() <= 'z') << slice;
    for (const ast::Cite& cite : decl.cites) EXPECT_TRUE(read.sources.Slice(cite.span).ends_with(cite.clause));
  }
}

INSTANTIATE_TEST_SUITE_P(all, EveryRuleFile, ::testing::ValuesIn(RuleFiles()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace arbiter::testing
