// Problems as data.
//
// A Diagnostic is what was found, where, why, and what to do next. Text for a terminal and JSON
// are two views of it (render.h). Nothing here prints.
//
// Messages are lower case without a full stop; what the author wrote stands in backticks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/source.h"

namespace arbiter::diagnostics {

using source::Span;

enum class Severity : uint8_t { kError, kWarning, kNote };

// Every code there is, listed once in codes.def.
enum class Code : uint16_t {
#define ARBITER_CODE(symbol, name, phrase) symbol,
#include "diagnostics/codes.def"
#undef ARBITER_CODE
};

std::string_view CodeName(Code code);    // "name-unknown"
std::string_view CodePhrase(Code code);  // "a name that nothing declares"
std::vector<Code> AllCodes();

struct Label {
  Span span;
  std::string text;
};

struct Edit {
  Span span;
  std::string replacement;
};

struct Fix {
  enum class Confidence : uint8_t { kSure, kMaybe };
  std::string title;  // the help line: "did you mean `north`?"
  std::vector<Edit> edits;
  Confidence confidence = Confidence::kMaybe;
};

struct Diagnostic {
  Severity severity = Severity::kError;
  Code code{};
  std::string message;
  Span span;
  std::string caption;             // what stands beside the caret; may be empty
  std::vector<Label> labels;       // other places that make it wrong
  std::vector<std::string> notes;  // the rule behind it, where it is not obvious
  std::vector<std::string> help;   // the next step
  std::vector<Label> path;         // from the author's call down into what it uses
  std::vector<Fix> fixes;
};

// Collects diagnostics. Keeps at most `limit` errors and says so in `truncated`; exact repeats
// (same code, same span) are dropped.
class Sink {
 public:
  explicit Sink(std::size_t limit = 50) : limit_(limit) {}

  // The reference stays good until the next Add.
  Diagnostic& Add(Severity severity, Code code, Span span, std::string message);
  Diagnostic& Error(Code code, Span span, std::string message) {
    return Add(Severity::kError, code, span, std::move(message));
  }
  Diagnostic& Warning(Code code, Span span, std::string message) {
    return Add(Severity::kWarning, code, span, std::move(message));
  }

  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return all_; }
  // In the order of the source: by file, then by offset.
  void Sort();

 private:
  std::vector<Diagnostic> all_;
  Diagnostic dropped_;
  std::size_t limit_;
  std::size_t errors_ = 0;
  bool truncated_ = false;
};

// The nearest of `candidates` to `wrong`, or "" if none is near enough to be worth saying
// (Damerau-Levenshtein distance at most a third of the length, at least 1).
std::string Nearest(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace arbiter::diagnostics
