// Golden cases of tests/golden/syntax, and what must hold for every one of them.
#include "../support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "parse/parse.h"

namespace arbiter::testing {
namespace {

void RunParser(const std::string& path, const std::string& text, source::SourceMap& sources, diagnostics::Sink& sink) {
  parse::Parse(sources, sources.Add(path, text), sink);
}

class SyntaxGolden : public ::testing::TestWithParam<std::string> {};

TEST_P(SyntaxGolden, errors_are_as_written_under_the_text) { CheckGolden(GetParam(), RunParser); }

// A fix is edits; applied, its diagnostic is gone and none is new at that place.
TEST_P(SyntaxGolden, applied_fixes_take_their_diagnostic_away) {
  std::string text = golden_internal::Strip(ReadWhole(std::filesystem::path(ARBITER_SOURCE_DIR) / GetParam()));
  source::SourceMap sources;
  diagnostics::Sink sink;
  RunParser(GetParam(), text, sources, sink);
  for (const diagnostics::Diagnostic& found : sink.all()) {
    for (const diagnostics::Fix& fix : found.fixes) {
      std::string mended = text;
      std::vector<diagnostics::Edit> edits = fix.edits;
      std::sort(edits.begin(), edits.end(), [](const auto& a, const auto& b) { return a.span.begin > b.span.begin; });
      for (const auto& edit : edits) mended.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.replacement);
      source::SourceMap mended_sources;
      diagnostics::Sink after;
      RunParser(GetParam(), mended, mended_sources, after);
      for (const diagnostics::Diagnostic& left : after.all()) {
        EXPECT_FALSE(left.message == found.message && left.span.begin == found.span.begin)
            << "fix `" << fix.title << "` leaves: " << found.message;
      }
      EXPECT_LE(after.all().size(), sink.all().size()) << "fix `" << fix.title << "` of: " << found.message;
    }
  }
}

// No sentence, rule or token name of ANTLR's reaches a reader.
TEST_P(SyntaxGolden, speaks_no_antlr) {
  std::string text = golden_internal::Strip(ReadWhole(std::filesystem::path(ARBITER_SOURCE_DIR) / GetParam()));
  source::SourceMap sources;
  diagnostics::Sink sink;
  RunParser(GetParam(), text, sources, sink);
  static const std::regex kForeign(
      "mismatched input|no viable|extraneous|missing '|expecting|token recognition|<EOF>|T__|NAME|STRING|Context");
  EXPECT_FALSE(sink.all().empty());
  for (const diagnostics::Diagnostic& found : sink.all()) {
    std::string all = found.message + found.caption;
    for (const auto& note : found.notes) all += note;
    for (const auto& help : found.help) all += help;
    EXPECT_FALSE(std::regex_search(all, kForeign)) << all;
    EXPECT_TRUE(found.message.empty() || !std::isupper(static_cast<unsigned char>(found.message[0]))) << found.message;
    EXPECT_FALSE(found.message.ends_with(".")) << found.message;
  }
}

INSTANTIATE_TEST_SUITE_P(syntax, SyntaxGolden, ::testing::ValuesIn(GoldenFiles("syntax")),
                         [](const auto& info) { return GoldenName(info.param); });

}  // namespace
}  // namespace arbiter::testing
