#include "rules/fen.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace arbiter::rules {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// ---- names -------------------------------------------------------------------------------------

// All places with the names of their slots' family: "out[White]".
struct Place {
  std::string name;
  std::vector<int> slots;
};

std::vector<Place> PlacesOf(const Rules& rules) {
  std::vector<Place> places;
  for (const Zone& zone : rules.zones) {
    if (!zone.is_place) continue;
    for (const CellSet& cells : zone.cells) {
      Place place;
      for (std::size_t i = cells._Find_first(); i < cells.size(); i = cells._Find_next(i)) {
        place.slots.push_back(static_cast<int>(i));
      }
      if (place.slots.empty()) continue;
      const std::string& slot = rules.board.name(place.slots.front());
      place.name = slot.substr(0, slot.rfind('['));
      places.push_back(std::move(place));
    }
  }
  return places;
}

// The kinds of which one piece is off the board when none is anywhere: what a text need not say.
std::vector<PieceRecord> DefaultLifted(const Rules& rules, const std::vector<PieceRecord>& standing,
                                       const std::vector<Value>& state) {
  std::vector<PieceRecord> lifted;
  for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
    if (!rules.kinds[k].neutral || !rules.kinds[k].may_be_off_board) continue;
    bool there = std::any_of(standing.begin(), standing.end(),
                             [&](const PieceRecord& p) { return p.kind == static_cast<int>(k); });
    if (!there) lifted.push_back({kNone, static_cast<int>(k), kNone, state});
  }
  return lifted;
}

std::vector<Value> Initial(const IdVector<VarId, Variable>& vars, int size) {
  std::vector<Value> state(At(size), kNone);
  for (const Variable& v : vars) std::copy(v.initial.begin(), v.initial.end(), state.begin() + v.offset);
  return state;
}

// The letter of a piece, and the owner that a reader gives it.
struct Lettered {
  std::string letter;
  Value owner = kNone;
};
Lettered LetterOf(const Kind& kind, Value owner) {
  if (kind.letters.empty()) return {"?", owner};
  if (kind.neutral) return {kind.letters.front(), kNone};
  if (owner >= 0 && At(owner) < kind.letters.size()) return {kind.letters[At(owner)], owner};
  return {kind.letters.front(), 0};
}

// ---- writing -----------------------------------------------------------------------------------

class Writer {
 public:
  Writer(const Rules& rules, const Snapshot& s) : r_(rules), s_(s) {
    initial_ = Initial(r_.vars, r_.state_size);
    piece_initial_ = Initial(r_.piece_vars, r_.piece_state_size);
    by_cell_.assign(At(r_.board.size()), nullptr);
    for (const PieceRecord& p : s_.pieces) {
      if (p.cell != kNone) by_cell_[At(p.cell)] = &p;
    }
  }

  std::string Write() {
    out_ = Board();
    out_ += " " + Side();
    std::vector<bool> told(At(r_.state_size), false);
    for (const FenField& field : r_.fen_fields) out_ += " " + Field(field, told);
    State(told);
    Places();
    Lifted();
    Turn();
    return std::move(out_);
  }

 private:
  static void Flush(std::string& out, int& empty) {
    if (empty > 0) out += std::to_string(empty);
    empty = 0;
  }

  void Cell(std::string& out, int& empty, int cell) {
    const PieceRecord* piece = cell < 0 ? nullptr : by_cell_[At(cell)];
    if (cell >= 0 && piece == nullptr) {
      ++empty;
      return;
    }
    Flush(out, empty);
    out += cell < 0 ? "*" : LetterOf(r_.kinds[At(piece->kind)], piece->owner).letter;
    if (piece != nullptr) Details(*piece, r_.board.name(cell));
  }

  std::string Board() {
    std::string out;
    int empty = 0;
    if (r_.board.shape() == board::Shape::kGraph) {
      for (int cell = 0; cell < r_.board.board_size(); ++cell) Cell(out, empty, cell);
      Flush(out, empty);
      return out;
    }
    for (int rank = r_.board.height(); rank >= 1; --rank) {
      for (int file = 1; file <= r_.board.width(); ++file) Cell(out, empty, r_.board.At(file, rank));
      Flush(out, empty);
      if (rank > 1) out += "/";
    }
    return out;
  }

  std::string Side() const {
    if (r_.player_count() == 2) return s_.mover == 0 ? "w" : "b";
    return r_.players[At(s_.mover)].name;
  }

  std::string Field(const FenField& field, std::vector<bool>& told) const {
    auto value = [&](std::size_t i) { return s_.state[At(field.targets[i])]; };
    auto tell = [&](std::size_t i) { told[At(field.targets[i])] = true; };
    switch (field.kind) {
      case FenField::Kind::kSkip:
        return "1";  // most often a counter that no rule reads; other programs want a number there
      case FenField::Kind::kFlags: {
        std::string flags;
        for (std::size_t i = 0; i < field.targets.size() && i < field.letters.size(); ++i) {
          if (value(i) == 1) flags += field.letters[i];
          if (value(i) != kNone) tell(i);
        }
        return flags.empty() ? "-" : flags;
      }
      case FenField::Kind::kCell:
        tell(0);
        return value(0) == kNone ? "-" : r_.board.name(value(0));
      case FenField::Kind::kNumber:
        tell(0);
        return value(0) == kNone ? "-" : std::to_string(value(0));
    }
    return "-";
  }

  void Say(const std::string& name, const std::string& value) { rest_ += " " + name + "=" + value; }

  void State(const std::vector<bool>& told) {
    for (const Variable& v : r_.vars) {
      for (int i = 0; i < v.count; ++i) {
        std::size_t flat = At(v.offset + i);
        if (told[flat] || s_.state[flat] == initial_[flat]) continue;
        out_ += " " + ElementName(r_, v, i) + "=" + ValueName(r_, v.type, s_.state[flat]);
      }
    }
    out_ += rest_;
    rest_.clear();
  }

  // The owner, if its letter does not say it, and state that is not initial.
  void Details(const PieceRecord& piece, const std::string& name) {
    if (LetterOf(r_.kinds[At(piece.kind)], piece.owner).owner != piece.owner) {
      Say(name + ".owner", piece.owner == kNone ? "none" : r_.players[At(piece.owner)].name);
    }
    for (const Variable& v : r_.piece_vars) {
      for (int i = 0; i < v.count; ++i) {
        Value value = piece.state[At(v.offset + i)];
        if (value == piece_initial_[At(v.offset + i)]) continue;
        Say(name + "." + ElementName(r_, v, i), ValueName(r_, v.type, value));
      }
    }
  }

  void Places() {
    for (const Place& place : PlacesOf(r_)) {
      std::string letters;
      for (int slot : place.slots) {
        const PieceRecord* piece = by_cell_[At(slot)];
        if (piece == nullptr) continue;
        letters += LetterOf(r_.kinds[At(piece->kind)], piece->owner).letter;
        Details(*piece, r_.board.name(slot));
      }
      if (!letters.empty()) out_ += " " + place.name + "=" + letters;
    }
    out_ += rest_;
    rest_.clear();
  }

  void Lifted() {
    std::vector<PieceRecord> standing, lifted;
    for (const PieceRecord& p : s_.pieces) (p.cell == kNone ? lifted : standing).push_back(p);
    if (lifted == DefaultLifted(r_, standing, piece_initial_)) return;
    std::string letters;
    for (std::size_t i = 0; i < lifted.size(); ++i) {
      letters += LetterOf(r_.kinds[At(lifted[i].kind)], lifted[i].owner).letter;
      Details(lifted[i], "off.board[" + std::to_string(i + 1) + "]");
    }
    out_ += " off.board=" + (letters.empty() ? "-" : letters) + rest_;
    rest_.clear();
  }

  void Turn() {
    if (s_.phase != 0) Say("phase", r_.phases[At(s_.phase)].name);
    if (s_.place != r_.phases[At(s_.phase)].turn) Say("turn.place", std::to_string(s_.place.value));
    if (s_.last_self != kNone) Say("turn.self", r_.board.name(s_.last_self));
    if (s_.next_phase != kNone) Say("turn.phase", r_.phases[At(s_.next_phase)].name);
    if (s_.next_player != kNone) Say("turn.player", r_.players[At(s_.next_player)].name);
    std::string set;
    for (const Variable& v : r_.vars) {
      for (int i = 0; i < v.count; ++i) {
        bool marked = At(v.offset + i) < s_.brief_set.size() && s_.brief_set[At(v.offset + i)];
        if (marked) set += (set.empty() ? "" : ",") + ElementName(r_, v, i);
      }
    }
    if (!set.empty()) Say("turn.set", set);
    out_ += rest_;
  }

  const Rules& r_;
  const Snapshot& s_;
  std::vector<Value> initial_, piece_initial_;
  std::vector<const PieceRecord*> by_cell_;
  std::string out_, rest_;
};

// ---- reading -----------------------------------------------------------------------------------

constexpr std::size_t kMaxLifted = 256;

class Reader {
 public:
  Reader(const Rules& rules, std::string_view text) : r_(rules), text_(text) {}

  PositionResult Read() {
    if (text_.size() > kMaxPositionText) {
      Fail(text_.substr(0, 0), "a position text longer than " + std::to_string(kMaxPositionText) + " bytes",
           "shorten it");
      return std::move(result_);
    }
    Prepare();
    std::size_t at = 0;
    std::string_view board = Next(at);
    if (board.empty()) {
      Fail(text_.substr(0, 0), "an empty position text", "begin it with the board, rank by rank from the top");
    } else if (Board(board)) {
      Rest(at);
    }
    if (failed_) return std::move(result_);
    Finish();
    return std::move(result_);
  }

 private:
  // ---- errors and tokens -----------------------------------------------------------------------

  bool Fail(std::string_view where, std::string message, std::string help) {
    if (failed_) return false;
    failed_ = true;
    result_.message = std::move(message);
    result_.help = std::move(help);
    result_.offset = static_cast<std::size_t>(where.data() - text_.data());
    result_.length = where.size();
    return false;
  }

  std::string_view Next(std::size_t& at) const {
    while (at < text_.size() && static_cast<unsigned char>(text_[at]) <= ' ') ++at;
    std::size_t begin = at;
    while (at < text_.size() && static_cast<unsigned char>(text_[at]) > ' ') ++at;
    return text_.substr(begin, at - begin);
  }

  void Prepare() {
    for (std::size_t k = 0; k < r_.kinds.size(); ++k) {
      const Kind& kind = r_.kinds[k];
      for (std::size_t p = 0; p < kind.letters.size(); ++p) {
        Value owner = kind.neutral ? kNone : static_cast<Value>(p);
        letters_.emplace(kind.letters[p], std::pair(static_cast<int>(k), owner));
        longest_ = std::max(longest_, kind.letters[p].size());
      }
    }
    piece_initial_ = Initial(r_.piece_vars, r_.piece_state_size);
    snapshot_.state = Initial(r_.vars, r_.state_size);
    snapshot_.brief_set.assign(At(r_.state_size), false);
    places_ = PlacesOf(r_);
  }

  // The piece whose letter stands in front, the longest first; takes the letter away.
  std::optional<PieceRecord> Piece(std::string_view& rest) const {
    for (std::size_t n = std::min(longest_, rest.size()); n > 0; --n) {
      auto found = letters_.find(std::string(rest.substr(0, n)));
      if (found == letters_.end()) continue;
      rest.remove_prefix(n);
      return PieceRecord{kNone, found->second.first, found->second.second, piece_initial_};
    }
    return std::nullopt;
  }

  static std::string_view FirstCharacter(std::string_view text) {
    std::size_t n = text.empty() ? 0 : 1;
    while (n < text.size() && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80U) ++n;
    return text.substr(0, n);
  }

  // ---- the board -------------------------------------------------------------------------------

  // One row: `width` places, of which `cell(i)` is a cell or -1.
  template <class CellOf>
  bool Row(std::string_view row, int width, const std::string& name, CellOf cell) {
    std::string_view rest = row;
    int at = 0;
    std::string size = name + " has " + std::to_string(width) + " places";
    while (!rest.empty()) {
      std::string_view start = rest;
      std::string_view one = FirstCharacter(rest);
      int count = 1;
      std::optional<PieceRecord> piece;
      bool hole = rest.front() == '*';
      if (rest.front() >= '0' && rest.front() <= '9') {
        auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), count);
        one = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || count < 1)
          return Fail(one, "`" + std::string(one) + "` is no number of empty cells", "write 1 or more");
        rest.remove_prefix(one.size());
      } else if (hole) {
        rest.remove_prefix(1);
      } else if (piece = Piece(rest); !piece) {
        return Fail(one, "no piece has the letter `" + std::string(one) + "`", "the letters are " + Letters());
      } else {
        one = start.substr(0, start.size() - rest.size());
      }
      if (count > width - at) return Fail(one, "this row of the board is too long", size);
      for (int i = 0; i < count; ++i, ++at) {
        int target = cell(at);
        if (hole != (target < 0)) {
          return hole ? Fail(one, "`*` stands where the board has a cell", "write a number for empty cells")
                      : Fail(one, "there is no cell here", "write `*` where the board has none");
        }
        if (piece) {
          piece->cell = target;
          snapshot_.pieces.push_back(*piece);
        }
      }
    }
    if (at < width) {
      return Fail(row, "this row of the board is too short: " + std::to_string(at) + " places", size);
    }
    return true;
  }

  std::string Letters() const {
    std::string list;
    for (const auto& [letter, piece] : letters_) list += (list.empty() ? "" : " ") + letter;
    return list;
  }

  bool Board(std::string_view board) {
    if (r_.board.shape() == board::Shape::kGraph) {
      return Row(board, r_.board.board_size(), "the board", [](int i) { return i; });
    }
    int rank = r_.board.height();
    for (std::size_t begin = 0; begin <= board.size(); --rank) {
      std::size_t end = std::min(board.find('/', begin), board.size());
      std::string_view row = board.substr(begin, end - begin);
      if (rank < 1) {
        return Fail(row, "too many rows", "the board has " + std::to_string(r_.board.height()) + " ranks");
      }
      bool good =
          Row(row, r_.board.width(), "rank " + std::to_string(rank), [&](int i) { return r_.board.At(i + 1, rank); });
      if (!good) return false;
      begin = end + 1;
    }
    if (rank > 0) {
      return Fail(board, "too few rows",
                  "the board has " + std::to_string(r_.board.height()) + " ranks, the top one first");
    }
    return true;
  }

  // ---- what follows ----------------------------------------------------------------------------

  void Rest(std::size_t at) {
    std::size_t field = 0;
    bool side = false;
    for (std::string_view token = Next(at); !token.empty() && !failed_; token = Next(at)) {
      if (token.find('=') != std::string_view::npos) {
        assignments_.push_back(token);
      } else if (!assignments_.empty()) {
        Fail(token, "expected `name=value`", "the fields of FEN come before the names");
      } else if (!side) {
        side = true;
        Side(token);
      } else if (field < r_.fen_fields.size()) {
        Field(r_.fen_fields[field++], token);
      } else {
        Fail(token, "expected `name=value`",
             r_.fen_fields.empty() ? "this game declares no further fields of FEN"
                                   : "this game has no more fields of FEN");
      }
    }
    result_.names_side = side;
    // Contents of places before what is said of single pieces; those before all else, in any order.
    for (int pass = 0; pass < 2 && !failed_; ++pass) {
      for (std::string_view token : assignments_) Assign(token, pass);
      if (pass == 0 && !lifted_said_) {
        for (PieceRecord& p : DefaultLifted(r_, snapshot_.pieces, piece_initial_)) lifted_.push_back(std::move(p));
      }
    }
  }

  bool Side(std::string_view token) {
    if (r_.player_count() == 2 && (token == "w" || token == "b")) {
      snapshot_.mover = token == "w" ? 0 : 1;
      return true;
    }
    for (int p = 0; p < r_.player_count(); ++p) {
      if (r_.players[At(p)].name == token) {
        snapshot_.mover = p;
        return true;
      }
    }
    std::string names;
    for (const Player& p : r_.players) names += (names.empty() ? "`" : ", `") + p.name + "`";
    return Fail(token, "no player `" + std::string(token) + "`",
                (r_.player_count() == 2 ? "write `w`, `b`, " : "write ") + names);
  }

  bool Field(const FenField& field, std::string_view token) {
    auto& state = snapshot_.state;
    switch (field.kind) {
      case FenField::Kind::kSkip:
        return true;
      case FenField::Kind::kFlags:
        return Flags(field, token);
      case FenField::Kind::kCell: {
        if (token == "-") {
          state[At(field.targets[0])] = kNone;
          return true;
        }
        int cell = r_.board.Find(token);
        if (cell < 0) return Fail(token, "no cell `" + std::string(token) + "` on this board", "write a cell, or `-`");
        state[At(field.targets[0])] = cell;
        return true;
      }
      case FenField::Kind::kNumber:
        break;
    }
    const Variable* variable = Owner(field.targets[0]);
    if (token == "-" && variable != nullptr && variable->type.optional) {
      state[At(field.targets[0])] = kNone;
      return true;
    }
    Value value = 0;
    auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size() || variable == nullptr) {
      return Fail(token, "expected a number", "this field of FEN counts");
    }
    // A clock stops at its bound; nothing else may be out of range.
    if (variable->life == Variable::Life::kClock) value = std::clamp(value, variable->type.low, variable->type.high);
    if (value < variable->type.low || value > variable->type.high) {
      return Fail(token, "`" + std::string(token) + "` is outside the range of `" + variable->name + "`",
                  RangeText(variable->type));
    }
    state[At(field.targets[0])] = value;
    return true;
  }

  bool Flags(const FenField& field, std::string_view token) {
    for (int target : field.targets) snapshot_.state[At(target)] = 0;
    if (token == "-") return true;
    for (std::size_t i = 0; i < token.size(); ++i) {
      std::size_t at = field.letters.find(token[i]);
      if (at == std::string::npos || at >= field.targets.size()) {
        return Fail(FirstCharacter(token.substr(i)), "no letter of this field",
                    "write some of `" + field.letters + "`, or `-`");
      }
      snapshot_.state[At(field.targets[at])] = 1;
    }
    return true;
  }

  const Variable* Owner(int flat) const {
    for (const Variable& v : r_.vars) {
      if (flat >= v.offset && flat < v.offset + v.count) return &v;
    }
    return nullptr;
  }

  static std::string RangeText(const Type& type) {
    return "it goes from " + std::to_string(type.low) + " to " + std::to_string(type.high);
  }

  // ---- name=value --------------------------------------------------------------------------------

  // First pass: what pieces there are; second pass: the rest.
  bool Assign(std::string_view token, int pass) {
    if (failed_) return false;
    std::size_t equals = token.find('=');
    std::string_view name = token.substr(0, equals);
    std::string_view value = token.substr(equals + 1);
    if (name == "off.board") return pass != 0 || Lifted(value);
    for (const Place& place : places_) {
      if (place.name == name) return pass != 0 || Fill(place, value);
    }
    if (pass == 0) return true;
    if (name == "phase") return Phase(value, snapshot_.phase);
    if (name.starts_with("turn.")) return Turn(name, value);
    std::size_t dot = name.find('.', name.starts_with("off.board[") ? 4 : 0);
    if (dot != std::string_view::npos) return OfPiece(name, dot, value);
    return Variables(r_.vars, name, value, snapshot_.state);
  }

  bool Lifted(std::string_view letters) {
    lifted_said_ = true;
    if (letters == "-") return true;
    return Letters(letters, [&](PieceRecord piece, std::string_view where) {
      if (!r_.kinds[At(piece.kind)].may_be_off_board) {
        return Fail(where, "`" + r_.kinds[At(piece.kind)].name + "` may not be off the board", "leave it out");
      }
      if (lifted_.size() == kMaxLifted) return Fail(where, "too many pieces off the board", "leave some out");
      lifted_.push_back(std::move(piece));
      return true;
    });
  }

  bool Fill(const Place& place, std::string_view letters) {
    std::size_t used = 0;
    for (const PieceRecord& p : snapshot_.pieces) {
      if (std::find(place.slots.begin(), place.slots.end(), p.cell) != place.slots.end()) {
        return Fail(letters, "`" + place.name + "` is filled twice", "write it once");
      }
    }
    return Letters(letters, [&](PieceRecord piece, std::string_view where) {
      if (used == place.slots.size()) {
        return Fail(where, "`" + place.name + "` has only " + std::to_string(used) + " places", "leave some out");
      }
      piece.cell = place.slots[used++];
      snapshot_.pieces.push_back(std::move(piece));
      return true;
    });
  }

  template <class Take>
  bool Letters(std::string_view rest, Take take) {
    if (rest.empty()) return Fail(rest, "expected letters of pieces", "leave it out if it is empty");
    while (!rest.empty()) {
      std::string_view one = FirstCharacter(rest);
      auto piece = Piece(rest);
      if (!piece)
        return Fail(one, "no piece has the letter `" + std::string(one) + "`", "the letters are " + Letters());
      if (!take(std::move(*piece), one)) return false;
    }
    return true;
  }

  bool OfPiece(std::string_view name, std::size_t dot, std::string_view value) {
    std::string_view where = name.substr(0, dot), field = name.substr(dot + 1);
    PieceRecord* piece = nullptr;
    if (where.starts_with("off.board[") && where.ends_with("]")) {
      std::string_view digits = where.substr(10, where.size() - 11);
      std::size_t number = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (number >= 1 && number <= lifted_.size()) piece = &lifted_[number - 1];
    } else {
      int cell = r_.board.Find(where);
      if (cell < 0) return Fail(where, "no cell `" + std::string(where) + "` on this board", "write `cell.name=value`");
      for (PieceRecord& p : snapshot_.pieces) {
        if (p.cell == cell) piece = &p;
      }
    }
    if (piece == nullptr)
      return Fail(where, "no piece stands on `" + std::string(where) + "`", "put one there, or leave this out");
    if (field != "owner") return Variables(r_.piece_vars, field, value, piece->state);
    Type type;
    type.base = Base::kPlayer;
    type.optional = true;
    type.high = r_.player_count() - 1;
    auto owner = ReadValue(type, value);
    if (!owner) return Fail(value, "no player `" + std::string(value) + "`", "write a player, or `none`");
    piece->owner = *owner;
    return true;
  }

  bool Phase(std::string_view value, int& phase) {
    for (std::size_t i = 0; i < r_.phases.size(); ++i) {
      if (r_.phases[i].name == value) {
        phase = static_cast<int>(i);
        return true;
      }
    }
    return Fail(value, "no phase named `" + std::string(value) + "`", "write a phase of the game");
  }

  bool Turn(std::string_view name, std::string_view value) {
    if (name == "turn.place") {
      int place = -1;
      auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), place);
      bool good =
          error == std::errc() && end == value.data() + value.size() && place >= 0 && At(place) < r_.turn_states.size();
      if (!good) return Fail(value, "no place in a turn has this number", "copy it from a position that was printed");
      place_ = TurnStateId(place);
      return true;
    }
    if (name == "turn.self") {
      int cell = r_.board.Find(value);
      if (cell < 0) return Fail(value, "no cell `" + std::string(value) + "` on this board", "write a cell");
      snapshot_.last_self = cell;
      return true;
    }
    if (name == "turn.phase") {
      int phase = 0;
      if (!Phase(value, phase)) return false;
      snapshot_.next_phase = phase;
      return true;
    }
    if (name == "turn.player") {
      Type type;
      type.base = Base::kPlayer;
      type.high = r_.player_count() - 1;
      auto player = ReadValue(type, value);
      if (!player) return Fail(value, "no player `" + std::string(value) + "`", "write a player");
      snapshot_.next_player = *player;
      return true;
    }
    if (name == "turn.set") return Marks(value);
    return Fail(name, "no part of a turn is called `" + std::string(name) + "`",
                "there are turn.place, turn.self, turn.phase, turn.player and turn.set");
  }

  bool Marks(std::string_view list) {
    while (!list.empty()) {
      std::size_t end = 0;
      for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end) {
        depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
      }
      auto element = Element(r_.vars, list.substr(0, end));
      if (!element) return false;
      snapshot_.brief_set[At(element->second)] = true;
      list.remove_prefix(std::min(end + 1, list.size()));
    }
    return true;
  }

  // ---- variables and values ----------------------------------------------------------------------

  std::optional<std::pair<const Variable*, int>> Element(const IdVector<VarId, Variable>& vars, std::string_view name) {
    std::string_view base = name.substr(0, name.find('['));
    const Variable* found = nullptr;
    for (const Variable& v : vars) {
      if (v.name == base) found = &v;
    }
    if (found == nullptr) {
      Fail(base, "nothing named `" + std::string(base) + "` can be set",
           "write a state variable, a place or `cell.name`");
      return std::nullopt;
    }
    std::vector<std::string_view> words;
    std::string_view rest = name.substr(base.size());
    if (!rest.empty() && rest.ends_with("]")) {
      rest = rest.substr(1, rest.size() - 2);
      while (true) {
        std::size_t comma = rest.find(',');
        words.push_back(rest.substr(0, comma));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
      }
    }
    bool closed = name == base || name.ends_with("]");
    if (!closed || words.size() != found->index.size()) {
      Fail(name, "`" + found->name + "` has " + std::to_string(found->index.size()) + " indices",
           found->index.empty() ? "write its name alone" : "write them as in `" + ElementName(r_, *found, 0) + "`");
      return std::nullopt;
    }
    int flat = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      auto value = ReadValue(found->index_types[i], words[i]);
      auto at = value ? std::find(found->index[i].begin(), found->index[i].end(), *value) : found->index[i].end();
      if (at == found->index[i].end()) {
        Fail(words[i], "`" + std::string(words[i]) + "` is no index of `" + found->name + "`",
             "write one as in `" + ElementName(r_, *found, 0) + "`");
        return std::nullopt;
      }
      flat = flat * static_cast<int>(found->index[i].size()) + static_cast<int>(at - found->index[i].begin());
    }
    return std::pair(found, found->offset + flat);
  }

  bool Variables(const IdVector<VarId, Variable>& vars, std::string_view name, std::string_view text,
                 std::vector<Value>& state) {
    auto element = Element(vars, name);
    if (!element) return false;
    const Type& type = element->first->type;
    auto value = ReadValue(type, text);
    if (!value) {
      return Fail(text.empty() ? name : text,
                  "`" + std::string(text) + "` is no value of `" + element->first->name + "`",
                  type.base == Base::kInt ? RangeText(type) : "write a value of its type");
    }
    state[At(element->second)] = *value;
    return true;
  }

  std::optional<Value> ReadValue(const Type& type, std::string_view text) const {
    if (text == "none") return type.optional ? std::optional(kNone) : std::nullopt;
    if (type.base == Base::kInt) {
      Value value = 0;
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      bool good = error == std::errc() && end == text.data() + text.size() && value >= type.low && value <= type.high;
      return good ? std::optional(value) : std::nullopt;
    }
    if (type.base == Base::kCell) {
      int cell = r_.board.Find(text);
      return cell >= 0 ? std::optional(cell) : std::nullopt;
    }
    Value most = Most(type);
    for (Value v = 0; v <= most; ++v) {
      if (ValueName(r_, type, v) == text) return v;
    }
    return std::nullopt;
  }

  Value Most(const Type& type) const {
    auto last = [](std::size_t size) { return static_cast<Value>(size) - 1; };
    switch (type.base) {
      case Base::kBool:
        return 1;
      case Base::kEnum:
        return last(r_.enums[At(type.enumeration)].values.size());
      case Base::kPlayer:
        return last(r_.players.size());
      case Base::kKind:
        return last(r_.kinds.size());
      case Base::kDirection:
        return r_.board.label_count() - 1;
      case Base::kPhase:
        return last(r_.phases.size());
      default:
        return -1;
    }
  }

  void Finish() {
    for (PieceRecord& p : lifted_) snapshot_.pieces.push_back(std::move(p));
    if (!r_.phases.empty()) snapshot_.place = place_.valid() ? place_ : r_.phases[At(snapshot_.phase)].turn;
    Canonicalize(r_, snapshot_);
    result_.snapshot = std::move(snapshot_);
  }

  const Rules& r_;
  std::string_view text_;
  PositionResult result_;
  bool failed_ = false;
  Snapshot snapshot_;
  TurnStateId place_;
  std::vector<PieceRecord> lifted_;
  bool lifted_said_ = false;
  std::vector<Value> piece_initial_;
  std::vector<Place> places_;
  std::vector<std::string_view> assignments_;
  std::map<std::string, std::pair<int, Value>> letters_;
  std::size_t longest_ = 0;
};

}  // namespace

PositionResult ParsePosition(const Rules& rules, std::string_view text) { return Reader(rules, text).Read(); }

std::string FormatPosition(const Rules& rules, const Snapshot& snapshot) { return Writer(rules, snapshot).Write(); }

Snapshot ExamplePosition(const Rules& rules, const ExampleStep& step) {
  Snapshot made = MakeSnapshot(rules, {}, step.to_move, step.state);
  std::vector<Value> initial = Initial(rules.piece_vars, rules.piece_state_size);
  for (const SetupPiece& piece : step.pieces) {
    PieceRecord record{piece.cell < 0 ? kNone : piece.cell, piece.kind, piece.owner, initial};
    for (const auto& [index, value] : piece.state) record.state[At(index)] = value;
    made.pieces.push_back(std::move(record));
  }
  made.phase = step.phase;
  made.place = rules.phases[At(step.phase)].turn;
  Canonicalize(rules, made);
  return made;
}

std::string ElementName(const Rules& rules, const Variable& variable, int element) {
  std::string index;
  for (std::size_t i = variable.index.size(); i-- > 0;) {
    int size = static_cast<int>(variable.index[i].size());
    Value value = variable.index[i][At(element % size)];
    index = ValueName(rules, variable.index_types[i], value) + (index.empty() ? "" : "," + index);
    element /= size;
  }
  return index.empty() ? variable.name : variable.name + "[" + index + "]";
}

std::string ValueName(const Rules& rules, const Type& type, Value value) {
  if (value == kNone) return "none";
  switch (type.base) {
    case Base::kBool:
      return value != 0 ? "true" : "false";
    case Base::kEnum:
      return rules.enums[At(type.enumeration)].values[At(value)];
    case Base::kPlayer:
      return rules.players[At(value)].name;
    case Base::kCell:
      return rules.board.name(value);
    case Base::kKind:
      return rules.kinds[At(value)].name;
    case Base::kDirection:
      return rules.board.label_name(value);
    case Base::kPhase:
      return rules.phases[At(value)].name;
    default:
      return std::to_string(value);
  }
}

}  // namespace arbiter::rules
