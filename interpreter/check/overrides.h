// What one file changes in what it imports: `replace`, `delete`, and library names declared anew.
// Private to check/.
#pragma once

#include <vector>

#include "check/context.h"

namespace arbiter::check {

struct Item {
  ast::Decl* decl = nullptr;
  bool library = false;
  bool gone = false;
};
using Items = std::vector<Item>;

// Acts on the `replace` and `delete` of file `own` among the items from `imported` on; what stands
// before, and what other files declare, is what they can change.
void ApplyOverrides(Context& c, Items& items, std::size_t imported, source::FileId own);

// A name that the rule files declare too is taken out of the library; a note says so.
void DropShadowed(Context& c, Items& items);

}  // namespace arbiter::check
