// Mistakes of every kind and what the checker says about them: tests/golden/check/*.rules.
#include "../support/golden.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "check/check.h"

namespace arbiter {
namespace {

void RunCheck(const std::string& path, const std::string& text, source::SourceMap& sources, diagnostics::Sink& sink) {
  source::MemoryLoader loader;
  loader.Add(path, text);
  // What stands beside the case: files it extends, its rule text.
  std::filesystem::path folder = std::filesystem::path(ARBITER_SOURCE_DIR) / "tests/golden/check";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::string name = std::filesystem::relative(entry.path(), ARBITER_SOURCE_DIR).string();
    if (entry.is_regular_file() && name != path) loader.Add(name, testing::ReadWhole(entry.path()));
  }
  check::Request request;
  request.path = path;
  check::Check(request, loader, sources, sink);
}

class CheckGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(CheckGolden, says_what_is_wrong) { testing::CheckGolden(GetParam(), RunCheck); }

INSTANTIATE_TEST_SUITE_P(Files, CheckGolden, ::testing::ValuesIn(testing::GoldenFiles("check")),
                         [](const auto& info) { return testing::GoldenName(info.param); });

TEST(Diagnostics, every_code_has_a_page) {
  for (diagnostics::Code code : diagnostics::AllCodes()) {
    std::filesystem::path page = std::filesystem::path(ARBITER_SOURCE_DIR) / "docs/diagnostics" /
                                 (std::string(diagnostics::CodeName(code)) + ".md");
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
  }
}

}  // namespace
}  // namespace arbiter
