// Golden files for diagnostics: the errors stand as comments under the text they are about.
//
//     step forward = nort
//     //             ^^^^ error[name-unknown]: no direction named `nort`
//     //             help: did you mean `north`?
//
// A case is the file without these comments. It is run, its diagnostics are written under its lines, and
// the outcome must be the file as it is on disk. ARBITER_REWRITE=1 in the environment writes the files
// instead; the diff is the review. Carets count display columns; a span that begins where the `//` would
// stand is written as `// [columns a..b]`, one that runs over several lines ends with its first line.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "source/source.h"

namespace arbiter::testing {

// Adds the text (and whatever it imports) to `sources` and reports into the sink. `path` is the file's
// path relative to the repository; the text has no expectations in it.
using GoldenRun = std::function<void(const std::string& path, const std::string& text, source::SourceMap& sources,
                                     diagnostics::Sink& sink)>;

inline std::string ReadWhole(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

// Every `fail_*.rules` (and `warn_*.rules`) below tests/golden/<folder>, sorted, relative to the repository.
inline std::vector<std::string> GoldenFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  fs::path root = ARBITER_SOURCE_DIR;
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests/golden" / folder)) {
    std::string name = entry.path().filename().string();
    bool is_case = name.starts_with("fail_") || name.starts_with("warn_");
    if (is_case && name.ends_with(".rules")) found.push_back(fs::relative(entry.path(), root).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// `tests/golden/syntax/fail_no_brace.rules` -> `no_brace`, for the names of parametrized tests.
inline std::string GoldenName(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

namespace golden_internal {

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines{""};
  for (char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

inline std::string Unlines(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\n" : "") + lines[i];
  return text;
}

inline std::string Annotate(const std::string& text, const source::SourceMap& sources, source::FileId root,
                            const std::vector<diagnostics::Diagnostic>& found) {
  std::vector<std::string> lines = Lines(text);
  std::vector<std::string> below(lines.size() + 1);
  for (const diagnostics::Diagnostic& d : found) {
    static constexpr const char* kSeverities[] = {"error", "warning", "note"};
    bool here = d.span.valid() && d.span.file == root;
    source::Place place = d.span.valid() ? sources.PlaceOf(d.span.file, d.span.begin) : source::Place{1, 1};
    std::string lead;
    std::size_t slot = lines.size();
    if (here) {
      slot = static_cast<std::size_t>(place.line - 1);
      source::Place end = sources.PlaceOf(root, d.span.end);
      int line_width = static_cast<int>(sources.Line(root, place.line).size()) + 1;
      int width = std::max(1, (end.line == place.line ? end.column : line_width) - place.column);
      if (place.column >= 4) {
        lead = "//" + std::string(static_cast<std::size_t>(place.column - 3), ' ') +
               std::string(static_cast<std::size_t>(width), '^') + " ";
      } else {
        lead = "// [" + std::to_string(place.column) + ".." + std::to_string(place.column + width - 1) + "] ";
      }
    } else if (d.span.valid()) {
      lead = "// " + sources.path(d.span.file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
             " ";
    } else {
      lead = "// ";
    }
    std::string& out = below[slot];
    out += lead + kSeverities[static_cast<int>(d.severity)] + "[" + std::string(diagnostics::CodeName(d.code)) +
           "]: " + d.message + "\n";
    auto more = [&](const std::string& what) { out += "//   " + what + "\n"; };
    auto where = [&](source::Span span) {
      source::Place at = sources.PlaceOf(span.file, span.begin);
      return (span.file == root ? "" : sources.path(span.file) + ":") + std::to_string(at.line) + ":" +
             std::to_string(at.column);
    };
    if (!d.caption.empty()) more("caption: " + d.caption);
    for (const auto& label : d.labels) more("label: " + where(label.span) + " " + label.text);
    for (const auto& step : d.path) more("path: " + where(step.span) + " " + step.text);
    for (const auto& note : d.notes) more("note: " + note);
    for (const auto& help : d.help) more("help: " + help);
    for (const auto& fix : d.fixes) {
      std::string edits;
      for (const auto& edit : fix.edits) {
        edits += " `" + std::string(sources.Slice(edit.span)) + "` -> `" + edit.replacement + "`";
      }
      more("fix: " + fix.title + (fix.confidence == diagnostics::Fix::Confidence::kSure ? " (sure)" : "") + edits);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    bool last = i + 1 == lines.size();
    if (last && below[i].empty()) {
      out += lines[i];
    } else {
      out += lines[i] + "\n" + below[i];
    }
  }
  return out + below[lines.size()];
}

// Removes what Annotate writes.
inline std::string Strip(const std::string& text) {
  static const std::regex kHead(R"(^//(| .*)(error|warning|note)\[[a-z]+(-[a-z]+)*\]: .*)");
  static const std::regex kMore(R"(^//   (caption|label|path|note|help|fix): .*)");
  std::vector<std::string> kept;
  bool after = false;
  for (const std::string& line : Lines(text)) {
    bool head = std::regex_match(line, kHead);
    after = head || (after && std::regex_match(line, kMore));
    if (!after) kept.push_back(line);
  }
  return Unlines(kept);
}

}  // namespace golden_internal

// Runs one case and compares, or rewrites it.
inline void CheckGolden(const std::string& path, const GoldenRun& run) {
  using namespace golden_internal;
  std::filesystem::path full = std::filesystem::path(ARBITER_SOURCE_DIR) / path;
  std::string on_disk = ReadWhole(full);
  std::string text = Strip(on_disk);
  source::SourceMap sources;
  diagnostics::Sink sink;
  run(path, text, sources, sink);
  sink.Sort();
  source::FileId root = sources.Find(path).value_or(source::FileId());
  std::string now = Annotate(text, sources, root, sink.all());
  const char* rewrite = std::getenv("ARBITER_REWRITE");
  if (rewrite != nullptr && *rewrite == '1') {
    if (now != on_disk) std::ofstream(full, std::ios::binary) << now;
    return;
  }
  EXPECT_EQ(on_disk, now) << path << ": run the test with ARBITER_REWRITE=1 and read the diff";
}

}  // namespace arbiter::testing
