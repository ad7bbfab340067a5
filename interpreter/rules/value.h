// Values at run time: one integer each, or a set.
//
// A bool is 0 or 1; a player, kind, phase, direction (label), walk, enumeration value or cell its
// index; an int itself. A piece is a handle of the position that holds it and means nothing
// outside. `kNone` is `none` of every type.
#pragma once

#include <cstdint>
#include <limits>

namespace arbiter::rules {

using Value = int32_t;
inline constexpr Value kNone = std::numeric_limits<Value>::min();

// Enumerations that no list of names belongs to: see Type::enumeration.
inline constexpr int kColourEnum = -2;  // dark, light
inline constexpr int kTextEnum = -3;    // "O-O": an index into Rules::written_texts

enum class Base : uint8_t { kBool, kInt, kEnum, kPlayer, kCell, kPiece, kKind, kDirection, kPhase, kWalk, kAction };

struct Type {
  Base base = Base::kBool;
  bool set = false;
  bool optional = false;
  int enumeration = -1;     // kEnum: index into Rules::enums, or one of the two above
  Value low = 0, high = 1;  // the range of a bool, int, enum, player, phase, kind or cell variable
  bool operator==(const Type&) const = default;
};

}  // namespace arbiter::rules
