// Mistakes planted in copies of chess and Rollerball: tests/golden/planted/*.rules.
//
// Each is told once: one diagnostic, with its place and what to do next.
#include <gtest/gtest.h>

#include <filesystem>

#include "../support/golden.h"
#include "check/check.h"

namespace arbiter {
namespace {

namespace fs = std::filesystem;

void RunPlanted(const std::string& path, const std::string& text, source::SourceMap& sources, diagnostics::Sink& sink) {
  source::MemoryLoader loader;
  loader.Add(path, text);
  for (const char* game : {"chess", "rollerball"}) {
    fs::path rule_text = fs::path(ARBITER_SOURCE_DIR) / "rulesets" / game / (std::string(game) + ".md");
    loader.Add("tests/golden/planted/" + std::string(game) + ".md", testing::ReadWhole(rule_text));
  }
  check::Request request;
  request.path = path;
  check::Check(request, loader, sources, sink);
}

class Planted : public ::testing::TestWithParam<std::string> {};

TEST_P(Planted, is_told_once_with_a_next_step) {
  testing::CheckGolden(GetParam(), RunPlanted);
  std::string text = testing::ReadWhole(fs::path(ARBITER_SOURCE_DIR) / GetParam());
  source::SourceMap sources;
  diagnostics::Sink sink;
  RunPlanted(GetParam(), testing::golden_internal::Strip(text), sources, sink);
  ASSERT_EQ(sink.all().size(), 1U);
  const diagnostics::Diagnostic& only = sink.all().front();
  EXPECT_TRUE(only.span.valid());
  EXPECT_FALSE(only.help.empty() && only.fixes.empty()) << only.message;
}

INSTANTIATE_TEST_SUITE_P(Files, Planted, ::testing::ValuesIn(testing::GoldenFiles("planted")),
                         [](const auto& info) { return testing::GoldenName(info.param); });

TEST(PlantedFiles, there_are_thirty_kinds) { EXPECT_GE(testing::GoldenFiles("planted").size(), 30U); }

}  // namespace
}  // namespace arbiter
