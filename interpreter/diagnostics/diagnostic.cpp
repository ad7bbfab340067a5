#include "diagnostics/diagnostic.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace arbiter::diagnostics {

namespace {

struct CodeText {
  std::string_view name;
  std::string_view phrase;
};

constexpr std::array kCodes = {
#define ARBITER_CODE(symbol, name, phrase) CodeText{name, phrase},
#include "diagnostics/codes.def"
#undef ARBITER_CODE
};

// Optimal string alignment distance (Damerau-Levenshtein without repeated edits of one place).
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// Names of more than 60 signs are cut: what stands in backticks is for recognising, not for reading.
std::string CutNames(const std::string& message) {
  constexpr std::size_t kMost = 60;
  if (message.size() <= kMost) return message;
  std::string out;
  std::size_t signs = 0;
  bool inside = false, cut = false;
  for (char c : message) {
    bool begins_sign = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (c == '`') {
      inside = !inside;
      signs = 0;
      cut = false;
    } else if (inside && begins_sign && ++signs > kMost) {
      if (!cut) out += "…";
      cut = true;
    }
    if (!cut) out += c;
  }
  return out;
}

}  // namespace

std::string_view CodeName(Code code) { return kCodes[static_cast<std::size_t>(code)].name; }
std::string_view CodePhrase(Code code) { return kCodes[static_cast<std::size_t>(code)].phrase; }

std::vector<Code> AllCodes() {
  std::vector<Code> all;
  for (std::size_t i = 0; i < kCodes.size(); ++i) all.push_back(static_cast<Code>(i));
  return all;
}

Diagnostic& Sink::Add(Severity severity, Code code, Span span, std::string message) {
  message = CutNames(message);
  bool repeated = std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& d) {
    return d.code == code && d.span == span && d.message == message;
  });
  bool full = severity == Severity::kError && errors_ >= limit_;
  if (full) truncated_ = true;
  Diagnostic made;
  made.severity = severity;
  made.code = code;
  made.span = span;
  made.message = std::move(message);
  if (repeated || full) {
    dropped_ = std::move(made);
    return dropped_;
  }
  if (severity == Severity::kError) ++errors_;
  all_.push_back(std::move(made));
  return all_.back();
}

void Sink::Sort() {
  std::stable_sort(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.span.file.value, a.span.begin) < std::tuple(b.span.file.value, b.span.begin);
  });
}

std::string Nearest(std::string_view wrong, const std::vector<std::string>& candidates) {
  if (wrong.size() > 64) return {};  // no name anybody declared is that long; the distance is quadratic
  std::string best;
  std::size_t least = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate == wrong || candidate.size() > wrong.size() + 3) continue;
    std::size_t distance = Distance(wrong, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace arbiter::diagnostics
