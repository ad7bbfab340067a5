// What rule text is lowered to: tests/golden/lower/*.rules.
//
// A case says what it shows (`// view: action hop`, `// view: forbid`): the parts of the dump of the
// checked rules that begin so. They stand at its end behind `//=`. ARBITER_REWRITE=1 writes them; read
// the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "check/check.h"
#include "rules/rules.h"

namespace arbiter {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> Cases() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(fs::path(ARBITER_SOURCE_DIR) / "tests/golden/lower")) {
    if (entry.path().extension() == ".rules") found.push_back(entry.path().stem().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string Shown(const std::string& dump, const std::vector<std::string>& views) {
  std::string out;
  std::istringstream lines(dump);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) {
      inside = std::any_of(views.begin(), views.end(), [&](const std::string& v) { return line.starts_with(v); });
    }
    if (inside) out += "//= " + line + "\n";
  }
  return out;
}

class Lowering : public ::testing::TestWithParam<std::string> {};

TEST_P(Lowering, gives_these_rules) {
  fs::path path = fs::path(ARBITER_SOURCE_DIR) / "tests/golden/lower" / (GetParam() + ".rules");
  std::ifstream file(path);
  std::string text, expected;
  std::vector<std::string> views;
  check::Request request;
  request.path = "case.rules";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("//= ")) {
      expected += line + "\n";
      continue;
    }
    text += line + "\n";
    if (line.starts_with("// view: ")) views.push_back(line.substr(9));
    if (line.starts_with("// option: ")) {
      std::string option = line.substr(11);
      request.options.emplace_back(option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
    }
  }
  file.close();
  source::MemoryLoader loader;
  loader.Add(request.path, text);
  source::SourceMap sources;
  diagnostics::Sink sink;
  std::unique_ptr<rules::Rules> rules = check::Check(request, loader, sources, sink);
  std::string problems;
  for (const diagnostics::Diagnostic& d : sink.all()) problems += d.message + "\n";
  ASSERT_NE(rules, nullptr) << problems;
  std::string shown = Shown(rules::Dump(*rules), views);
  const char* rewrite = std::getenv("ARBITER_REWRITE");
  if (rewrite != nullptr && *rewrite == '1') {
    std::ofstream(path) << text << shown;
    return;
  }
  EXPECT_FALSE(views.empty());
  EXPECT_EQ(expected, shown) << "run with ARBITER_REWRITE=1 and read the diff";
}

INSTANTIATE_TEST_SUITE_P(Files, Lowering, ::testing::ValuesIn(Cases()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace arbiter
