#include "rules/clauses.h"

namespace arbiter::rules {

namespace {

constexpr std::string_view kSection = "§";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

std::string_view Trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t' || s.front() == '\r')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

// The length of `4`, `4.2`, `4.2.1a` at the start of `s`, or 0. A full stop at its end is no part of it.
std::size_t NumberLength(std::string_view s) {
  std::size_t at = 0;
  while (at < s.size() && IsDigit(s[at])) ++at;
  if (at == 0) return 0;
  while (at + 1 < s.size() && s[at] == '.' && IsDigit(s[at + 1])) {
    ++at;
    while (at < s.size() && IsDigit(s[at])) ++at;
  }
  bool letter = at < s.size() && IsLower(s[at]) && (at + 1 == s.size() || !IsLower(s[at + 1]));
  return letter ? at + 1 : at;
}

bool EndsNumber(std::string_view rest) {
  if (rest.empty()) return true;
  unsigned char c = static_cast<unsigned char>(rest.front());
  return c == ' ' || c == '\t' || c == '.' || c == ':' || c == ')' || c == '(' || c == '*' || c == '\r' || c >= 0x80;
}

struct Start {
  bool heading = false;     // a heading, numbered or not
  std::string_view number;  // empty: no clause starts here
  std::string_view rest;    // what follows the number on this line
};

bool SkipBullet(std::string_view& s) {
  if (s.size() > 1 && (s[0] == '-' || s[0] == '*' || s[0] == '>') && s[1] == ' ') {
    s = Trim(s.substr(2));
    return true;
  }
  return false;
}

Start ReadStart(std::string_view line) {
  Start start;
  std::string_view s = Trim(line);
  std::size_t marks = 0;
  while (marks < s.size() && s[marks] == '#') ++marks;
  if (marks > 0 && marks <= 6 && marks < s.size() && s[marks] == ' ') {
    start.heading = true;
    s = Trim(s.substr(marks));
  } else {
    SkipBullet(s);
  }
  bool bold = s.starts_with("**");
  if (bold) s.remove_prefix(2);
  bool section = s.starts_with(kSection);
  if (section) s = Trim(s.substr(kSection.size()));
  if (!start.heading && !bold && !section) return start;
  std::size_t length = NumberLength(s);
  if (length == 0 || !EndsNumber(s.substr(length))) return start;
  std::string_view rest = s.substr(length);
  if (!rest.empty() && (rest.front() == '.' || rest.front() == ':')) rest.remove_prefix(1);
  // Bold words that begin with a number ("**3 pieces**") are no clause: the mark closes at once.
  if (bold && !start.heading && !rest.starts_with("**")) return start;
  start.number = s.substr(0, length);
  start.rest = rest;
  return start;
}

// Adds words without emphasis marks, blanks squeezed.
void AddWords(std::string& text, std::string_view words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    char c = words[i];
    if (c == '*' && i + 1 < words.size() && words[i + 1] == '*') {
      ++i;
      continue;
    }
    bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank) {
      text += c;
    } else if (!text.empty() && text.back() != ' ') {
      text += ' ';
    }
  }
  if (!text.empty() && text.back() != ' ') text += ' ';
}

Clause::Kind TakeMark(std::string_view& rest) {
  std::string_view s = Trim(rest);
  while (s.starts_with("**")) s = Trim(s.substr(2));
  for (auto [mark, kind] : {std::pair<std::string_view, Clause::Kind>{"(commentary)", Clause::Kind::kCommentary},
                            {"(outside play)", Clause::Kind::kOutsidePlay}}) {
    if (s.starts_with(mark)) {
      rest = s.substr(mark.size());
      return kind;
    }
  }
  return Clause::Kind::kRule;
}

}  // namespace

std::vector<Clause> ReadClauses(std::string_view markdown) {
  std::vector<Clause> clauses;
  bool fenced = false, open = false, heading = false, body = false;
  auto close = [&] {
    if (!open) return;
    Clause& last = clauses.back();
    while (!last.text.empty() && last.text.back() == ' ') last.text.pop_back();
    if (heading && !body && last.kind == Clause::Kind::kRule) last.kind = Clause::Kind::kHeading;
    open = false;
  };
  int line_number = 0;
  for (std::size_t at = 0; at < markdown.size();) {
    std::size_t stop = markdown.find('\n', at);
    if (stop == std::string_view::npos) stop = markdown.size();
    std::string_view line = markdown.substr(at, stop - at);
    at = stop + 1;
    ++line_number;
    std::string_view trimmed = Trim(line);
    bool fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
    Start start = fenced || fence ? Start{} : ReadStart(line);
    if (fence) fenced = !fenced;
    if (start.heading || !start.number.empty()) close();
    if (!start.number.empty()) {
      Clause clause;
      clause.number = std::string(start.number);
      clause.begin = static_cast<uint32_t>(start.number.data() - markdown.data());
      clause.end = clause.begin + static_cast<uint32_t>(start.number.size());
      clause.line = line_number;
      clause.kind = TakeMark(start.rest);
      AddWords(clause.text, start.rest);
      clauses.push_back(std::move(clause));
      open = true;
      heading = start.heading;
      body = false;
    } else if (open && !start.heading && !trimmed.empty()) {
      body = true;
      AddWords(clauses.back().text, trimmed);
    }
  }
  close();
  return clauses;
}

const Clause* FindClause(const std::vector<Clause>& clauses, std::string_view number) {
  for (const Clause& clause : clauses) {
    if (clause.number == number) return &clause;
  }
  return nullptr;
}

}  // namespace arbiter::rules
