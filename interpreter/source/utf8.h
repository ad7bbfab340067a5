// UTF-8, as far as the readers of texts need it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace arbiter::source {

// The byte offset of the first malformed sequence (overlong forms, surrogates and values beyond
// U+10FFFF included); nothing if all is well.
std::optional<std::size_t> FindInvalidUtf8(std::string_view text);

// The byte offset of the first character that a terminal or an editor obeys instead of showing it: control characters
// but tab and line ends, and the marks that turn the direction of text round (Unicode TR 36, "Trojan source").
// Expects well-formed text.
std::optional<std::size_t> FindControl(std::string_view text);

// The number of bytes of the code point that starts with `lead`; 1 for a byte that starts none.
std::size_t Utf8Length(unsigned char lead);

}  // namespace arbiter::source
