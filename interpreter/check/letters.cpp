#include "check/letters.h"

#include <utf8proc.h>

#include <algorithm>

namespace arbiter::check {

namespace {

// The length in bytes of the first code point, and the code point.
utf8proc_ssize_t First(std::string_view text, utf8proc_int32_t* code) {
  *code = -1;
  return utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                          static_cast<utf8proc_ssize_t>(text.size()), code);
}

std::string ReplaceFirst(std::string_view text, utf8proc_int32_t (*change)(utf8proc_int32_t)) {
  utf8proc_int32_t code = -1;
  utf8proc_ssize_t length = First(text, &code);
  if (length <= 0) return std::string(text);
  utf8proc_uint8_t bytes[4];
  utf8proc_ssize_t written = utf8proc_encode_char(change(code), bytes);
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(written));
  return out.append(text.substr(static_cast<std::size_t>(length)));
}

bool IsLetter(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL || category == UTF8PROC_CATEGORY_LT ||
         category == UTF8PROC_CATEGORY_LM || category == UTF8PROC_CATEGORY_LO || category == UTF8PROC_CATEGORY_SO;
}

}  // namespace

std::string UpperFirst(std::string_view text) { return ReplaceFirst(text, utf8proc_toupper); }
std::string LowerFirst(std::string_view text) { return ReplaceFirst(text, utf8proc_tolower); }

std::size_t FirstLength(std::string_view text) {
  utf8proc_int32_t code = -1;
  utf8proc_ssize_t length = First(text, &code);
  return length > 0 ? static_cast<std::size_t>(length) : 0;
}

// One letter with its accents: position texts put letters next to each other, digits count empty cells.
bool LetterTable::Usable(const std::string& letter, Span span) {
  utf8proc_int32_t code = -1;
  utf8proc_ssize_t length = First(letter, &code);
  bool good = length > 0 && IsLetter(utf8proc_category(code));
  std::string_view rest = std::string_view(letter).substr(length > 0 ? static_cast<std::size_t>(length) : 0);
  while (good && !rest.empty()) {
    length = First(rest, &code);
    good = length > 0 && utf8proc_category(code) == UTF8PROC_CATEGORY_MN;
    rest.remove_prefix(length > 0 ? static_cast<std::size_t>(length) : rest.size());
  }
  if (good) return true;
  c_.Error(Code::kPieceLetter, span, "`" + letter + "` cannot stand for a piece")
      .help.push_back("a piece is written as one letter, as in `piece Rook \"R\"`");
  return false;
}

bool LetterTable::Claim(const std::string& letter, const rules::Kind& kind, Span span) {
  auto [known, fresh] = taken_.emplace(letter, Owner{kind.name, span});
  if (fresh) return true;
  Diagnostic& d =
      c_.Error(Code::kPieceLetter, span,
               "`" + kind.name + "` and `" + known->second.kind + "` have the same letter `" + letter + "`");
  d.labels.push_back({known->second.span, "taken by `" + known->second.kind + "`"});
  d.help.push_back("give one of them another letter");
  return false;
}

std::vector<std::string> LetterTable::ForPlayers(const rules::Kind& kind, const ast::Piece& piece, Span span) {
  std::size_t players = c_.rules.players.size();
  std::vector<std::string> letters = piece.letters;
  if (letters.empty()) letters.push_back(UpperFirst(kind.name.substr(0, FirstLength(kind.name))));
  if (letters.size() == 1 && players == 2 && LowerFirst(letters[0]) != UpperFirst(letters[0])) {
    return {UpperFirst(letters[0]), LowerFirst(letters[0])};
  }
  if (letters.size() == players) return letters;
  Diagnostic& d = c_.Error(Code::kPieceLetter, span,
                           "`" + kind.name + "` needs " + std::to_string(players) + " letters, one for each player");
  d.help.push_back(players == 2 ? "this script has no small letters: write both, as in `\"王\" \"玉\"`"
                                : "write them one after the other, in the order of the players");
  return {};
}

void LetterTable::Give(rules::Kind& kind, const ast::Piece& piece) {
  if (c_.rules.players.empty()) return;
  Span span = piece.letters_span.valid() ? piece.letters_span : piece.name.span;
  for (const std::string& letter : piece.letters) {
    if (!Usable(letter, span)) return;
  }
  if (kind.neutral) {
    kind.letters = piece.letters;
    if (kind.letters.empty()) kind.letters.push_back(LowerFirst(kind.name.substr(0, FirstLength(kind.name))));
    if (kind.letters.size() > 1) {
      kind.letters.clear();
      c_.Error(Code::kPieceLetter, span, "`" + kind.name + "` belongs to nobody and has one letter")
          .help.push_back("write one letter");
      return;
    }
  } else {
    kind.letters = ForPlayers(kind, piece, span);
  }
  for (const std::string& letter : kind.letters) {
    if (Claim(letter, kind, span)) continue;
    kind.letters.clear();  // diagrams with this letter stay silent
    return;
  }
}

}  // namespace arbiter::check
