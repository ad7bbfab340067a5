// Passes and helpers that only Check() and the declaration passes call. Private to check/.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/context.h"

namespace arbiter::check {

void ResolveDirectionOptions(Context& c);  // needs the board
void BuildBarriers(Context& c);            // needs the zones

void CheckHidden(Context& c);     // needs the board
void MergeKindItems(Context& c);  // fills kind_items
void DeclareSetups(Context& c);   // fills setup_families

std::string HolesText(const Context& c);  // ", holes left out" if the board has any

// Where the game is named, for what has no place of its own; the start of the file otherwise.
Span GameSpan(const Context& c);

// The labels of `n`, `orthogonal`, `forward`, `n | e`, `{ n, e }`; reports and gives none if it is no
// direction of this board. Relative ones as -1 - int(Relative).
std::vector<int> LabelsOf(Context& c, const ast::Expr& expr);

// Like Suggest, and knows `north` for `n`.
void SuggestDirection(const Context& c, Diagnostic& d, Span span, std::string_view wrong,
                      const std::vector<std::string>& names);

// Lowers an expression that must be known before the game; reports otherwise. `what` says what was
// expected: "a condition".
std::optional<rules::Value> ConstantOf(Context& c, const Scope& scope, const ast::Expr& expr, const rules::Type& type,
                                       std::string_view what);
std::optional<rules::CellSet> CellsOf(Context& c, const Scope& scope, const ast::Expr& expr);

// The set-up that `kickoff[White]` names; reports and gives an invalid id if there is none.
rules::SetupId SetupOf(Context& c, const Scope& scope, const ast::SetupRef& ref);

// `points[White]`: its place in the flat state, its type and its variable; reports if it is none.
struct Element {
  int flat = -1;
  const rules::Variable* variable = nullptr;
};
std::optional<Element> ElementOf(Context& c, const Scope& scope, const ast::Expr& expr);
// The value in range of such an element.
std::optional<rules::Value> ElementValue(Context& c, const Scope& scope, const ast::Expr& expr,
                                         const rules::Variable& variable);
// The player of this name; reports and gives -1 if there is none.
int PlayerOf(Context& c, const Scope& scope, const ast::Name& name);
// The cell of this name; reports and gives -1 if there is none.
int CellOf(Context& c, const ast::Name& name);

// Reads a diagram; gives the pieces, or reports and gives nothing.
std::optional<std::vector<rules::SetupPiece>> ReadDiagram(Context& c, std::string_view text, Span span);
// The kinds of which the rules make pieces: `place K of … at …`, `… becomes K`.
std::set<std::string> PlacedKinds(const Context& c);
// Adds the neutral pieces that are off the board, or reports those that may not be. `span`: who forgot them.
bool AddMissing(Context& c, const std::set<std::string>& placed, std::vector<rules::SetupPiece>& pieces, Span span);

}  // namespace arbiter::check
