#include "render/view.h"

#include <utf8proc.h>

#include "render/text.h"
#include "rules/fen.h"

namespace arbiter::render {

using rules::kNone;
using rules::PieceRecord;
using rules::Rules;
using rules::Snapshot;
using rules::Value;
using rules::Variable;

namespace {

template <class T>
bool Inside(Value value, const T& list) {
  return value >= 0 && static_cast<std::size_t>(value) < list.size();
}

}  // namespace

char32_t NextCharacter(std::string_view text, std::size_t& i) {
  utf8proc_int32_t character = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + i;
  const utf8proc_ssize_t read = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - i), &character);
  i += read > 0 ? static_cast<std::size_t>(read) : 1;
  return read > 0 ? static_cast<char32_t>(character) : U'\uFFFD';
}

int DisplayWidth(std::string_view text) {
  int width = 0;
  for (std::size_t i = 0; i < text.size();) {
    width += utf8proc_charwidth(static_cast<utf8proc_int32_t>(NextCharacter(text, i)));
  }
  return width;
}

std::string KindName(const Rules& rules, int kind) {
  return Inside(kind, rules.kinds) ? rules.kinds[static_cast<std::size_t>(kind)].name : "?";
}

std::string PlayerName(const Rules& rules, Value player) {
  return Inside(player, rules.players) ? rules.players[static_cast<std::size_t>(player)].name : "?";
}

std::string Letter(const Rules& rules, int kind, Value owner) {
  if (!Inside(kind, rules.kinds)) return "?";
  const std::vector<std::string>& letters = rules.kinds[static_cast<std::size_t>(kind)].letters;
  if (letters.empty()) return "?";
  return Inside(owner, letters) ? letters[static_cast<std::size_t>(owner)] : letters.front();
}

std::vector<const PieceRecord*> Occupants(const Rules& rules, const Snapshot& at) {
  std::vector<const PieceRecord*> on(static_cast<std::size_t>(rules.board.size()), nullptr);
  for (const PieceRecord& piece : at.pieces) {
    if (Inside(piece.cell, on)) on[static_cast<std::size_t>(piece.cell)] = &piece;
  }
  return on;
}

std::vector<PlaceView> Places(const board::Board& board) {
  std::vector<PlaceView> places;
  for (int slot = board.board_size(); slot < board.size(); ++slot) {
    const std::string& full = board.name(slot);
    const std::string name = full.substr(0, full.rfind('['));
    if (places.empty() || places.back().name != name) places.push_back({name, {}});
    places.back().slots.push_back(slot);
  }
  return places;
}

std::vector<std::string> ChangedState(const Rules& rules, const Snapshot& at, const std::vector<bool>& told) {
  std::vector<std::string> lines;
  for (const Variable& variable : rules.vars) {
    if (variable.only_shown) continue;
    std::vector<std::string> changed;
    bool all_told = true;
    for (int i = 0; i < variable.count; ++i) {
      const std::size_t flat = static_cast<std::size_t>(variable.offset + i);
      if (flat >= at.state.size() || static_cast<std::size_t>(i) >= variable.initial.size()) continue;
      if (at.state[flat] == variable.initial[static_cast<std::size_t>(i)]) continue;
      all_told = all_told && flat < told.size() && told[flat];
      changed.push_back(rules::ElementName(rules, variable, i) + " = " +
                        rules::ValueName(rules, variable.type, at.state[flat]));
    }
    if (!all_told) lines.insert(lines.end(), changed.begin(), changed.end());
  }
  std::size_t before = at.state.size();  // elements in `told` before the piece's
  for (const PieceRecord& piece : at.pieces) {
    for (const Variable& variable : rules.piece_vars) {
      if (variable.only_shown) continue;
      for (int i = 0; i < variable.count; ++i) {
        const std::size_t flat = static_cast<std::size_t>(variable.offset + i);
        if (flat >= piece.state.size() || static_cast<std::size_t>(i) >= variable.initial.size()) continue;
        if (piece.state[flat] == variable.initial[static_cast<std::size_t>(i)]) continue;
        if (before + flat < told.size() && told[before + flat]) continue;
        const std::string where = piece.cell >= 0 && piece.cell < rules.board.size()
                                      ? rules.board.name(piece.cell)
                                      : Letter(rules, piece.kind, piece.owner) + " off the board";
        lines.push_back(where + "." + rules::ElementName(rules, variable, i) + " = " +
                        rules::ValueName(rules, variable.type, piece.state[flat]));
      }
    }
    before += piece.state.size();
  }
  return lines;
}

std::string TurnText(const Rules& rules, const Snapshot& at) {
  std::string text = PlayerName(rules, at.mover) + " to move";
  if (!Inside(at.phase, rules.phases)) return text;
  const rules::Phase& phase = rules.phases[static_cast<std::size_t>(at.phase)];
  if (rules.phases.size() > 1) text += ", phase " + phase.name;
  if (at.place.valid() && at.place != phase.turn && at.place.index() < rules.turn_states.size()) {
    const std::string& name = rules.turn_states[at.place].name;
    text += ", in the turn" + (name.empty() ? "" : ": " + name);
  }
  return text;
}

}  // namespace arbiter::render
