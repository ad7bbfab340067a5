// The rule files of the project, for tests that take them all.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace arbiter::testing_support {

// Whole paths, sorted, of the *.rules below these folders of the project.
inline std::vector<std::string> RuleFiles(const std::vector<std::string>& folders = {"rulesets", "tests/rulesets"}) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ARBITER_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".rules") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace arbiter::testing_support
