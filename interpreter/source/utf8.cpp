#include "source/utf8.h"

namespace arbiter::source {

std::size_t Utf8Length(unsigned char lead) {
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  if (lead >= 0xE0) return lead < 0xF0 ? 3 : 1;
  return lead >= 0xC2 ? 2 : 1;
}

std::optional<std::size_t> FindInvalidUtf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      ++at;
      continue;
    }
    std::size_t length = Utf8Length(lead);
    if (length == 1 || at + length > text.size()) return at;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80U) return at;
    }
    auto second = static_cast<unsigned char>(text[at + 1]);
    bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    bool surrogate = lead == 0xED && second >= 0xA0;
    bool too_large = lead == 0xF4 && second >= 0x90;
    if (overlong || surrogate || too_large) return at;
    at += length;
  }
  return std::nullopt;
}

std::optional<std::size_t> FindControl(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7F) continue;
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) return at;
    if (byte == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0 && text[at + 1] != '\x85') return at;
    if (byte != 0xE2) continue;
    const auto second = static_cast<unsigned char>(text[at + 1]);
    const auto third = static_cast<unsigned char>(text[at + 2]);
    const bool embedding = second == 0x80 && third >= 0xAA && third <= 0xAE;  // U+202A to U+202E
    const bool isolate = second == 0x81 && third >= 0xA6 && third <= 0xA9;    // U+2066 to U+2069
    if (embedding || isolate) return at;
  }
  return std::nullopt;
}

}  // namespace arbiter::source
