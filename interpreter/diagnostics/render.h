// A diagnostic as text for a terminal, and as JSON: two views of one value.
//
//     error[name-unknown]: no direction named `nort`
//       --> rulesets/chess/pawn.rules:14:18
//        |
//      9 | directions north, south, east, west
//        |            ----- declared here
//     14 |   step forward = nort
//        |                  ^^^^ not a direction of this board
//        = help: did you mean `north`?
//
// Nothing here prints. Same diagnostic, same bytes.
#pragma once

#include <string>

#include "diagnostics/diagnostic.h"
#include "source/source.h"

namespace arbiter::diagnostics {

struct Style {
  bool color = false;
  int width = 120;  // of the terminal; longer lines of the source are cut around what is marked
};

// One diagnostic, with a line break at the end.
std::string Render(const Diagnostic& diagnostic, const source::SourceMap& sources, const Style& style = {});

// All of them with an empty line between, and a last line that counts errors and warnings.
std::string RenderAll(const Sink& sink, const source::SourceMap& sources, const Style& style = {});

// "2 errors, 1 warning"; empty if there are none.
std::string CountLine(const Sink& sink);

// The number of columns a text takes in a terminal: wide characters two, combining marks none.
int DisplayWidth(std::string_view text);

// {"severity":"error","code":"name-unknown","message":…,"file":…,"span":{…},"labels":[…],…}
std::string ToJson(const Diagnostic& diagnostic, const source::SourceMap& sources);

// {"diagnostics":[…],"errors":n,"warnings":n,"truncated":false}, indented, with a line break at the end.
std::string ToJson(const Sink& sink, const source::SourceMap& sources);

}  // namespace arbiter::diagnostics
