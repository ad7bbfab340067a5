#include "rules/notation.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace arbiter::rules {
namespace {

std::string WithoutBlanks(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c != ' ' && c != '\t' && c != '\n') out += c;
  }
  return out;
}

template <class T>
bool Inside(Value value, const std::vector<T>& list) {
  return value >= 0 && static_cast<std::size_t>(value) < list.size();
}

std::string KindText(const Rules& rules, Value value) {
  if (!Inside(value, rules.kinds)) return "=?";
  const Kind& kind = rules.kinds[static_cast<std::size_t>(value)];
  return "=" + (kind.letters.empty() ? kind.name : kind.letters.front());
}

// `12.` and `3...` are the numbers of turns in a saved game.
bool IsTurnNumber(std::string_view text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos &&
         text.find_first_not_of('.', digits) == std::string_view::npos;
}

// How much of the action's names a text shows.
enum class Names : uint8_t { kNone, kFirst, kAll };

std::string Build(const Rules& rules, const Move& move, Notation notation, Names names) {
  if (move.tokens.empty()) return "done";
  const std::string name = TokenText(rules, move.tokens.front());
  if (notation == Notation::kCanonical && names != Names::kAll) {
    std::string text;
    for (const Token& part : move.written) text += TokenText(rules, part);
    if (!text.empty()) return names == Names::kFirst ? name + ":" + text : text;
  }
  std::string text;
  bool first_choice = true;
  for (std::size_t i = 1; i < move.tokens.size(); ++i) {
    const Token& token = move.tokens[i];
    if (token.base == Base::kAction) {
      if (names == Names::kAll) {
        if (!first_choice) text += "-";
        text += TokenText(rules, token) + ":";
        first_choice = true;
      }
      continue;
    }
    if (!first_choice && notation != Notation::kUci && token.base != Base::kKind) text += "-";
    text += TokenText(rules, token);
    first_choice = false;
  }
  if (text.empty()) return name;
  return names == Names::kNone ? text : name + ":" + text;
}

// Letters and digits that matter when a person types carelessly.
std::string Normal(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '0') c = 'o';  // `0-0` for `O-O`; both sides are folded alike
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '-' || c == 'x' || c == '>' || c == '=' || c == ':') {
      continue;
    }
    out += c;
  }
  return out;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r' || text.back() == '\n')) {
    text.remove_suffix(1);
  }
  return text;
}

std::string_view WithoutMarks(std::string_view text) {
  while (!text.empty() && (text.back() == '+' || text.back() == '#' || text.back() == '!' || text.back() == '?')) {
    text.remove_suffix(1);
  }
  return text;
}

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t changed = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

// What may have been meant: texts that begin with what was typed, then texts that differ from it by a slip or two.
std::vector<int> Near(const std::vector<std::string>& texts, const std::vector<std::string>& folded,
                      const std::string& typed) {
  std::vector<int> found;
  if (typed.empty()) return found;
  for (std::size_t i = 0; i < texts.size() && found.size() < kMaxCandidates; ++i) {
    if (folded[i].starts_with(typed)) found.push_back(static_cast<int>(i));
  }
  if (!found.empty() || typed.size() > 64) return found;
  std::vector<std::pair<std::size_t, int>> ranked;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::size_t distance = EditDistance(typed, folded[i]);
    if (distance <= std::max<std::size_t>(1, typed.size() / 3)) ranked.emplace_back(distance, static_cast<int>(i));
  }
  std::sort(ranked.begin(), ranked.end());
  for (std::size_t i = 0; i < ranked.size() && i < kMaxCandidates; ++i) found.push_back(ranked[i].second);
  return found;
}

}  // namespace

std::string TokenText(const Rules& rules, const Token& token) {
  const Value v = token.value;
  const auto index = static_cast<std::size_t>(v);
  if (v == kNone) return "none";
  switch (token.base) {
    case Base::kBool:
      return v != 0 ? "true" : "false";
    case Base::kInt:
      return std::to_string(v);
    case Base::kEnum: {
      if (token.enumeration == kTextEnum) {
        return Inside(v, rules.written_texts) ? WithoutBlanks(rules.written_texts[index]) : "?";
      }
      if (token.enumeration < 0) return std::to_string(v);
      const auto& values = rules.enums[static_cast<std::size_t>(token.enumeration)].values;
      return Inside(v, values) ? values[index] : "?";
    }
    case Base::kPlayer:
      return Inside(v, rules.players) ? rules.players[index].name : "?";
    case Base::kCell:
    case Base::kPiece:
      return v >= 0 && v < rules.board.size() ? rules.board.name(v) : "?";
    case Base::kKind:
      return KindText(rules, v);
    case Base::kDirection:
      return v >= 0 && v < rules.board.label_count() ? WithoutBlanks(rules.board.label_name(v)) : "?";
    case Base::kPhase:
      return Inside(v, rules.phases) ? rules.phases[index].name : "?";
    case Base::kWalk: {
      if (v < 0 || index >= rules.walks.size()) return "?";
      const std::string& name = rules.walks[WalkId(v)].name;
      return name.empty() ? "walk" + std::to_string(v) : WithoutBlanks(name);
    }
    case Base::kAction:
      return Inside(v, rules.action_names) ? rules.action_names[index] : "?";
  }
  return "?";
}

std::string MoveText(const Rules& rules, const Move& move, Notation notation) {
  return Build(rules, move, notation, Names::kNone);
}

std::vector<std::string> MoveTexts(const Rules& rules, const std::vector<Move>& offered, Notation notation) {
  std::vector<std::string> texts(offered.size());
  std::vector<std::size_t> open(offered.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (Names names : {Names::kNone, Names::kFirst, Names::kAll}) {
    std::map<std::string, int> seen;
    for (std::size_t i : open) texts[i] = Build(rules, offered[i], notation, names);
    for (const std::string& text : texts) ++seen[text];
    open.clear();
    for (std::size_t i = 0; i < offered.size(); ++i) {
      if (seen[texts[i]] > 1 || IsTurnNumber(texts[i])) open.push_back(i);
    }
    if (open.empty()) return texts;
  }
  // Two names that differ in blanks only: the place in the list tells them apart.
  std::map<std::string, int> count;
  for (std::size_t i : open) {
    if (int n = ++count[texts[i]]; n > 1) texts[i] += "#" + std::to_string(n);
  }
  return texts;
}

int FindExact(const Rules& rules, const std::vector<Move>& offered, std::string_view text) {
  for (Notation notation : {Notation::kCanonical, Notation::kPlain, Notation::kUci}) {
    const std::vector<std::string> texts = MoveTexts(rules, offered, notation);
    if (auto at = std::find(texts.begin(), texts.end(), text); at != texts.end()) {
      return static_cast<int>(at - texts.begin());
    }
  }
  return -1;
}

Typed FindMove(const Rules& rules, const std::vector<Move>& offered, std::string_view typed) {
  Typed result;
  typed = Trim(typed);
  result.index = FindExact(rules, offered, typed);
  if (result.index >= 0) return result;
  const std::vector<std::string> texts = MoveTexts(rules, offered, Notation::kCanonical);
  const std::vector<std::string> uci = MoveTexts(rules, offered, Notation::kUci);
  if (!typed.empty() && typed.size() <= 6 &&
      std::all_of(typed.begin(), typed.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const int number = std::stoi(std::string(typed));
    if (number >= 1 && static_cast<std::size_t>(number) <= offered.size()) result.index = number - 1;
    return result;
  }
  // Carelessly typed: the long forms too, so that `Kick c1 c2` finds `kick:c1-c2` where `c1-c2` would do.
  const std::string wanted = Normal(WithoutMarks(typed));
  std::vector<std::string> folded(offered.size());
  std::vector<int> fits;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    folded[i] = Normal(texts[i]);
    const bool fit = wanted == folded[i] || wanted == Normal(uci[i]) ||
                     wanted == Normal(Build(rules, offered[i], Notation::kCanonical, Names::kNone)) ||
                     wanted == Normal(Build(rules, offered[i], Notation::kCanonical, Names::kFirst)) ||
                     wanted == Normal(Build(rules, offered[i], Notation::kPlain, Names::kFirst)) ||
                     wanted == Normal(Build(rules, offered[i], Notation::kUci, Names::kNone));
    if (fit && !wanted.empty()) fits.push_back(static_cast<int>(i));
  }
  if (fits.size() == 1) {
    result.index = fits.front();
    return result;
  }
  result.ambiguous = fits.size() > 1;
  result.candidates = result.ambiguous ? fits : Near(texts, folded, wanted);
  if (result.candidates.size() > kMaxCandidates) result.candidates.resize(kMaxCandidates);
  return result;
}

}  // namespace arbiter::rules
