#include "session/shown.h"

#include <algorithm>
#include <utility>

#include "diagnostics/render.h"
#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/rules.h"

namespace arbiter::session {

namespace {

using rules::Base;
using rules::Value;

std::string PieceText(const rules::Rules& rules, const rules::PieceRecord& piece) {
  const std::vector<std::string>& letters = rules.kinds[static_cast<std::size_t>(piece.kind)].letters;
  std::size_t owner = piece.owner >= 0 && static_cast<std::size_t>(piece.owner) < letters.size()
                          ? static_cast<std::size_t>(piece.owner)
                          : 0;
  std::string text = letters.empty() ? "?" : letters[owner];
  return piece.cell == rules::kNone ? text : text + rules.board.name(piece.cell);
}

std::string ValueText(const rules::Rules& rules, const rules::Snapshot& at, const rules::Type& type, Value value) {
  if (value == rules::kNone) return "none";
  if (type.base == Base::kPiece) return PieceText(rules, at.pieces[static_cast<std::size_t>(value)]);
  if (type.base == Base::kEnum && type.enumeration == rules::kTextEnum) {
    return rules.written_texts[static_cast<std::size_t>(value)];
  }
  if (type.base == Base::kEnum && type.enumeration < 0) return std::to_string(value);
  return rules::ValueName(rules, type, value);
}

std::string PartText(const rules::Rules& rules, const rules::Snapshot& at, const rules::Type& type,
                     const std::vector<Value>& values) {
  if (type.set && values.empty()) return "-";
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : " ") + ValueText(rules, at, type, values[i]);
  return text;
}

std::string Cut(std::string text) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && ++points > kMaxShownText) return text.substr(0, i) + "…";
  }
  return text;
}

}  // namespace

std::string ShownLabel(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

ShownLines ShownIn(const Position& at, ShownKind kind) {
  Game game = at.game();
  const rules::Rules& rules = game.rules();
  const rules::Snapshot& snapshot = at.snapshot();
  oracle::Oracle oracle(rules);
  ShownLines shown;
  std::size_t elements = snapshot.state.size();
  for (const rules::PieceRecord& piece : snapshot.pieces) elements += piece.state.size();
  shown.told.assign(elements, false);
  for (const rules::Shown& line : rules.shown) {
    if (kind == ShownKind::kOfState && !line.of_state) continue;
    std::optional<rules::Fault> fault;
    bool holds = !line.condition.valid() || oracle.Holds(snapshot, line.condition, {}, &fault);
    if (!holds && !fault) continue;
    std::string text;
    std::vector<bool> read(elements, false);
    for (rules::ExprId part : line.parts) {
      if (fault || text.size() > 4 * kMaxShownText) break;  // no character is longer than four bytes
      text += PartText(rules, snapshot, rules.exprs[part].type, oracle.Values(snapshot, part, &read, &fault));
    }
    if (!fault) {
      for (std::size_t i = 0; i < read.size(); ++i) shown.told[i] = shown.told[i] || read[i];
    }
    shown.lines.push_back({ShownLabel(line.name), fault ? "?" : Cut(std::move(text))});
  }
  return shown;
}

std::vector<ShownParts> ShownPartsIn(const rules::Rules& rules, const rules::Snapshot& at) {
  oracle::Oracle oracle(rules);
  std::vector<ShownParts> lines;
  for (const rules::Shown& line : rules.shown) {
    ShownParts& made = lines.emplace_back();
    std::optional<rules::Fault> fault;
    made.stands = !line.condition.valid() || oracle.Holds(at, line.condition, {}, &fault) || fault;
    for (rules::ExprId part : line.parts) {
      if (fault) break;
      const rules::Type& type = rules.exprs[part].type;
      std::vector<Value> values = oracle.Values(at, part, nullptr, &fault);
      ShownParts::Part& shown = made.parts.emplace_back();
      shown.text = Cut(PartText(rules, at, type, values));
      if (type.base == Base::kInt && !type.set && values.front() != rules::kNone) shown.number = values.front();
    }
    made.fault = fault.has_value();
  }
  return lines;
}

std::string ShownRows(const std::vector<ShownLine>& lines, std::string_view before) {
  constexpr std::string_view kBetween = "   ";
  std::string row, rows;
  for (const ShownLine& line : lines) {
    std::string words = line.text.empty() ? line.label : line.label + " " + line.text;
    row += (row.empty() ? "" : std::string(kBetween)) + words;
    rows += std::string(before) + words + "\n";
  }
  if (row.empty()) return row;
  row = std::string(before) + row;
  return diagnostics::DisplayWidth(row) <= kShownColumns ? row + "\n" : rows;
}

}  // namespace arbiter::session
