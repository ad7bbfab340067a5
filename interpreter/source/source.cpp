#include "source/source.h"

#include <algorithm>

namespace arbiter::source {

Span Join(Span a, Span b) {
  if (!a.valid()) return b;
  if (!b.valid() || a.file != b.file) return a;
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

FileId SourceMap::Add(std::string path, std::string text) {
  if (auto known = Find(path)) return *known;
  std::vector<uint32_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    starts.push_back(static_cast<uint32_t>(at + 1));
  }
  return files_.Add({std::move(path), std::move(text), std::move(starts)});
}

std::optional<FileId> SourceMap::Find(std::string_view path) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[FileId(i)].path == path) return FileId(i);
  }
  return std::nullopt;
}

std::string_view SourceMap::Slice(Span span) const {
  std::string_view all = text(span.file);
  if (span.begin > all.size()) return {};
  return all.substr(span.begin, span.end - span.begin);
}

Place SourceMap::PlaceOf(FileId id, uint32_t offset) const {
  const File& file = files_[id];
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(file.text.size()));
  auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  int line = static_cast<int>(after - file.line_starts.begin());
  int column = 1;
  for (uint32_t i = file.line_starts[static_cast<std::size_t>(line - 1)]; i < offset; ++i) {
    if ((static_cast<unsigned char>(file.text[i]) & 0xC0U) != 0x80U) ++column;
  }
  return {line, column};
}

uint32_t SourceMap::LineStart(FileId id, int line) const {
  return files_[id].line_starts[static_cast<std::size_t>(line - 1)];
}

int SourceMap::LineCount(FileId id) const { return static_cast<int>(files_[id].line_starts.size()); }

std::string_view SourceMap::Line(FileId id, int line) const {
  const File& file = files_[id];
  uint32_t begin = LineStart(id, line);
  uint32_t end = line < LineCount(id) ? LineStart(id, line + 1) : static_cast<uint32_t>(file.text.size());
  std::string_view text = std::string_view(file.text).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

}  // namespace arbiter::source
