// What a rule file tells about a position: its `show` lines, as text.
//
// The reference evaluator computes them, whichever plays: they are few, and nothing in play depends on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arbiter/arbiter.h"
#include "rules/snapshot.h"

namespace arbiter::session {

inline constexpr std::size_t kMaxShownText = 400;  // code points; what is longer ends with `…`
inline constexpr int kShownColumns = 100;          // of lines that stand beside each other

struct ShownLine {
  std::string label;  // the name, with blanks for `_`
  std::string text;   // `?` where the rules meet a fault
  bool operator==(const ShownLine&) const = default;
};

struct ShownLines {
  std::vector<ShownLine> lines;  // in file order; those whose condition does not hold are left out
  std::vector<bool> told;        // a part of one of these lines read it: per element of the state, then of each piece's
};

enum class ShownKind : uint8_t {
  kAll,
  kOfState  // those that read nothing but state that is no clock: what changes at moments worth telling
};

// "turns_left" -> "turns left".
std::string ShownLabel(std::string name);

ShownLines ShownIn(const Position& at, ShownKind kind = ShownKind::kAll);

// One line, part by part.
struct ShownParts {
  bool stands = false;  // its condition holds; the parts are read anyway
  bool fault = false;   // the rules meet a fault in it: the parts are worth nothing
  struct Part {
    std::string text;
    std::optional<int> number;  // a number that is there
  };
  std::vector<Part> parts;
};
// Of every line of the rules, in file order.
std::vector<ShownParts> ShownPartsIn(const rules::Rules& rules, const rules::Snapshot& at);

// "score 1:0   half 1": beside each other if they fit, else under each other. Every row begins with `before` and ends
// with a newline; nothing if there are no lines.
std::string ShownRows(const std::vector<ShownLine>& lines, std::string_view before = {});

}  // namespace arbiter::session
