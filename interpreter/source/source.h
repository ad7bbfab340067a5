// Source texts and places in them.
//
// A SourceMap owns every text that takes part in one run: the rule file, its imports, the
// library. A Span is a half-open range of bytes in one of them. Texts never change once added.
// Columns and lines are computed on demand; columns count code points, from 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace arbiter::source {

using FileId = Id<struct FileTag>;

struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  [[nodiscard]] bool valid() const { return file.valid(); }
  bool operator==(const Span&) const = default;
};

// The smallest span that holds both; either may be invalid.
Span Join(Span a, Span b);

struct Place {
  int line = 1;    // from 1
  int column = 1;  // code points, from 1
};

class SourceMap {
 public:
  // `path` is what diagnostics print. Adding the same path again gives the id it already has.
  FileId Add(std::string path, std::string text);

  [[nodiscard]] std::optional<FileId> Find(std::string_view path) const;
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] const std::string& path(FileId id) const { return files_[id].path; }
  [[nodiscard]] const std::string& text(FileId id) const { return files_[id].text; }

  [[nodiscard]] std::string_view Slice(Span span) const;
  [[nodiscard]] Place PlaceOf(FileId id, uint32_t offset) const;
  // The line without its line break; `line` counts from 1.
  [[nodiscard]] std::string_view Line(FileId id, int line) const;
  [[nodiscard]] uint32_t LineStart(FileId id, int line) const;
  [[nodiscard]] int LineCount(FileId id) const;

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<uint32_t> line_starts;
  };
  IdVector<FileId, File> files_;
};

}  // namespace arbiter::source
