#include "diagnostics/render.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <map>

namespace arbiter::diagnostics {

namespace {

constexpr int kTabWidth = 4;
constexpr std::string_view kCut = "…";

enum class Ink { kNone, kError, kWarning, kNote, kFrame, kHelp, kStrong };

std::string Paint(const Style& style, Ink ink, const std::string& text) {
  if (!style.color || ink == Ink::kNone || text.empty()) return text;
  static constexpr std::array<const char*, 7> kCodes = {"",         "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m",
                                                        "\x1b[34m", "\x1b[1;32m", "\x1b[1m"};
  return kCodes[static_cast<std::size_t>(ink)] + text + "\x1b[0m";
}

Ink InkOf(Severity severity) {
  return severity == Severity::kError ? Ink::kError : severity == Severity::kWarning ? Ink::kWarning : Ink::kNote;
}

const char* NameOf(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "note";
}

// A line of the source as it is shown: tabs become blanks, control characters a visible sign; `column[i]` is
// the display column at which byte i begins, with one entry more for the end.
struct Shown {
  std::string text;
  std::vector<std::size_t> at;  // byte of `text` at which byte i of the line begins
  std::vector<int> column;
};

Shown Show(std::string_view line) {
  Shown shown;
  int column = 0;
  std::size_t i = 0;
  while (i < line.size()) {
    utf8proc_int32_t point = 0;
    auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(line.data() + i),
                                   static_cast<utf8proc_ssize_t>(line.size() - i), &point);
    bool bad = length <= 0;
    std::size_t bytes = bad ? 1 : static_cast<std::size_t>(length);
    for (std::size_t k = 0; k < bytes; ++k) {
      shown.at.push_back(shown.text.size());
      shown.column.push_back(column);
    }
    if (!bad && point == '\t') {
      int blanks = kTabWidth - column % kTabWidth;
      shown.text.append(static_cast<std::size_t>(blanks), ' ');
      column += blanks;
    } else if (bad || point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 ||
               (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069)) {
      shown.text += "\xEF\xBF\xBD";  // U+FFFD: control signs must not reach the terminal
      column += 1;
    } else {
      shown.text.append(line.substr(i, bytes));
      column += utf8proc_charwidth(point);
    }
    i += bytes;
  }
  shown.at.push_back(shown.text.size());
  shown.column.push_back(column);
  return shown;
}

struct Mark {
  uint32_t begin = 0, end = 0;  // bytes of the line
  std::string text;
  bool primary = false;
};

// One diagnostic being written.
class Frame {
 public:
  Frame(const source::SourceMap& sources, const Style& style) : sources_(sources), style_(style) {}

  std::string Write(const Diagnostic& d) {
    ink_ = InkOf(d.severity);
    out_ += Paint(style_, ink_, std::string(NameOf(d.severity)) + "[" + std::string(CodeName(d.code)) + "]");
    out_ += Paint(style_, Ink::kStrong, ": " + d.message) + "\n";
    gutter_ = 1;
    Widen(d.span);
    for (const Label& label : d.labels) Widen(label.span);
    for (const Label& step : d.path) Widen(step.span);
    if (d.span.valid()) WriteFiles(d);
    for (const Label& step : d.path) WriteStep(step);
    for (const std::string& note : d.notes) WriteTail("note", note);
    for (const std::string& help : d.help) WriteTail("help", help);
    for (const Fix& fix : d.fixes) WriteTail("help", fix.title);
    return std::move(out_);
  }

 private:
  void Widen(Span span) {
    if (!span.valid()) return;
    int line = sources_.PlaceOf(span.file, span.begin).line;
    gutter_ = std::max(gutter_, static_cast<int>(std::to_string(line).size()));
  }

  std::string Margin(const std::string& number) const {
    return std::string(static_cast<std::size_t>(gutter_) - number.size() + 1, ' ') + number + " ";
  }

  void Arrow(const char* arrow, Span span) {
    source::Place place = sources_.PlaceOf(span.file, span.begin);
    out_ += Paint(style_, Ink::kFrame, std::string(static_cast<std::size_t>(gutter_) + 1, ' ') + arrow) + " " +
            sources_.path(span.file) + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + "\n";
  }

  void Bar(const std::string& number, const std::string& rest) {
    out_ += Paint(style_, Ink::kFrame, Margin(number) + "|") + (rest.empty() ? "" : " " + rest) + "\n";
  }

  // The primary file first, then the files of labels, in the order of the labels.
  void WriteFiles(const Diagnostic& d) {
    std::vector<source::FileId> files{d.span.file};
    for (const Label& label : d.labels) {
      bool known = std::find(files.begin(), files.end(), label.span.file) != files.end();
      if (label.span.valid() && !known) files.push_back(label.span.file);
    }
    for (source::FileId file : files) {
      std::map<int, std::vector<Mark>> lines;
      Span first = d.span;
      if (file == d.span.file) {
        AddMark(&lines, d.span, d.caption, true);
      } else {
        first = {};
      }
      for (const Label& label : d.labels) {
        if (!label.span.valid() || label.span.file != file) continue;
        if (!first.valid()) first = label.span;
        AddMark(&lines, label.span, label.text, false);
      }
      Arrow(file == d.span.file ? "-->" : ":::", first);
      WriteLines(file, lines);
    }
  }

  void AddMark(std::map<int, std::vector<Mark>>* lines, Span span, const std::string& text, bool primary) {
    int line = sources_.PlaceOf(span.file, span.begin).line;
    uint32_t start = sources_.LineStart(span.file, line);
    auto length = static_cast<uint32_t>(sources_.Line(span.file, line).size());
    // What runs over several lines is marked to the end of its first line.
    Mark mark{std::min(span.begin - start, length), std::min(span.end - start, length), text, primary};
    (*lines)[line].push_back(std::move(mark));
  }

  void WriteLines(source::FileId file, const std::map<int, std::vector<Mark>>& lines) {
    Bar("", "");
    int last = 0;
    for (const auto& [line, marks] : lines) {
      if (last != 0 && line > last + 2) {
        out_ += Paint(style_, Ink::kFrame, "...") + "\n";
      } else if (last != 0 && line == last + 2) {
        Bar(std::to_string(last + 1), Cut(Show(sources_.Line(file, last + 1)), 0, 0, 0).text);
      }
      WriteLine(sources_.Line(file, line), line, marks);
      last = line;
    }
  }

  struct Window {
    std::string text;
    int shift = 0;  // columns by which marks move to the left
  };

  // The part of a long line around the columns [from, to).
  Window Cut(const Shown& shown, int from, int to, int reserve) const {
    int width = std::max(20, style_.width - gutter_ - 4);
    int total = shown.column.back();
    if (total <= width) return {shown.text, 0};
    width = std::max(20, width - reserve);
    int begin = std::max(0, std::min(from - width / 3, total - width));
    if (to - begin <= width && from < width * 2 / 3) begin = 0;
    std::size_t first = 0;
    while (first + 1 < shown.column.size() && shown.column[first] < begin + (begin > 0 ? 1 : 0)) ++first;
    std::size_t end = first;
    while (end + 1 < shown.column.size() && shown.column[end + 1] <= begin + width - 1) ++end;
    while (end > first && end < shown.at.size() - 1 && shown.at[end] == shown.at[end - 1]) --end;
    std::string text = begin > 0 ? std::string(kCut) : "";
    int shift = begin > 0 ? shown.column[first] - 1 : 0;
    text += shown.text.substr(shown.at[first], shown.at[end] - shown.at[first]);
    if (end + 1 < shown.at.size()) text += kCut;
    return {text, shift};
  }

  void WriteLine(std::string_view line, int number, std::vector<Mark> marks) {
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.primary > b.primary; });
    Shown shown = Show(line);
    int from = shown.column[marks.front().begin];
    int to = std::max(from + 1, shown.column[marks.front().end]);
    Window window = Cut(shown, from, to, 0);
    int limit = DisplayWidth(window.text);
    Bar(std::to_string(number), window.text);
    for (const Mark& mark : marks) {
      int begin = shown.column[mark.begin] - window.shift;
      int end = std::max(begin + 1, shown.column[mark.end] - window.shift);
      if (begin >= limit + 1 || end <= 0) {  // outside of what is shown
        if (!mark.text.empty()) Bar("", Paint(style_, Ink::kFrame, "(in the same line) " + mark.text));
        continue;
      }
      begin = std::max(begin, 0);
      end = std::max(begin + 1, std::min(end, std::max(limit, begin + 1)));
      std::string under(static_cast<std::size_t>(end - begin), mark.primary ? '^' : '-');
      if (!mark.text.empty()) under += " " + mark.text;
      Bar("",
          std::string(static_cast<std::size_t>(begin), ' ') + Paint(style_, mark.primary ? ink_ : Ink::kFrame, under));
    }
  }

  void WriteStep(const Label& step) {
    if (!step.span.valid()) {
      WriteTail("through", step.text);
      return;
    }
    source::Place place = sources_.PlaceOf(step.span.file, step.span.begin);
    WriteTail("through", sources_.path(step.span.file) + ":" + std::to_string(place.line) + ":" +
                             std::to_string(place.column) + ": " + step.text);
  }

  void WriteTail(const std::string& what, const std::string& text) {
    out_ += Paint(style_, Ink::kFrame, std::string(static_cast<std::size_t>(gutter_) + 2, ' ') + "=") + " " +
            Paint(style_, what == "help" ? Ink::kHelp : Ink::kStrong, what) + ": " + text + "\n";
  }

  const source::SourceMap& sources_;
  const Style& style_;
  std::string out_;
  Ink ink_ = Ink::kError;
  int gutter_ = 1;
};

int Count(const Sink& sink, Severity severity) {
  return static_cast<int>(
      std::count_if(sink.all().begin(), sink.all().end(), [&](const Diagnostic& d) { return d.severity == severity; }));
}

}  // namespace

int DisplayWidth(std::string_view text) { return Show(text).column.back(); }

std::string Render(const Diagnostic& diagnostic, const source::SourceMap& sources, const Style& style) {
  return Frame(sources, style).Write(diagnostic);
}

std::string CountLine(const Sink& sink) {
  auto number = [](int count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  int errors = Count(sink, Severity::kError);
  int warnings = Count(sink, Severity::kWarning);
  std::string line;
  if (errors > 0) line = number(errors, "error");
  if (warnings > 0) line += (line.empty() ? "" : ", ") + number(warnings, "warning");
  if (sink.truncated()) line += "; further errors are not shown";
  return line;
}

std::string RenderAll(const Sink& sink, const source::SourceMap& sources, const Style& style) {
  std::string out;
  for (const Diagnostic& diagnostic : sink.all()) out += Render(diagnostic, sources, style) + "\n";
  std::string count = CountLine(sink);
  return count.empty() ? out : out + count + "\n";
}

}  // namespace arbiter::diagnostics
