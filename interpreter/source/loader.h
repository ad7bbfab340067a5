// Where texts come from: files, or the library that is built into the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::source {

inline constexpr std::size_t kMaxTextBytes = 1 << 20;  // 1 MiB a file

struct LoadResult {
  enum class Problem { kNone, kMissing, kDirectory, kTooLarge, kUnreadable };
  Problem problem = Problem::kNone;
  std::string text;
};

class Loader {
 public:
  virtual ~Loader() = default;
  // `path` relative to the working folder or absolute.
  [[nodiscard]] virtual LoadResult Read(const std::string& path) const = 0;
};

// Reads real files, never more than kMaxTextBytes of one.
class FileLoader : public Loader {
 public:
  [[nodiscard]] LoadResult Read(const std::string& path) const override;
};

// Texts in memory, for tests.
class MemoryLoader : public Loader {
 public:
  void Add(std::string path, std::string text) { files_.emplace_back(std::move(path), std::move(text)); }
  [[nodiscard]] LoadResult Read(const std::string& path) const override;

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

// The library (`stdlib/`) and the rulesets (`rulesets/`) are embedded by the build.
struct EmbeddedFile {
  std::string_view path;  // "stdlib/walks.rules", "rulesets/chess/chess.rules"
  std::string_view text;
};
const std::vector<EmbeddedFile>& EmbeddedFiles();
std::optional<std::string_view> FindEmbedded(std::string_view path);

// `Join("rulesets/a/b.rules", "../x.md")` = "rulesets/x.md": a path beside another file.
std::string BesidePath(const std::string& file, const std::string& relative);

}  // namespace arbiter::source
