// Walks and turns as Graphviz texts.
#pragma once

#include <functional>
#include <string>

#include "rules/rules.h"

namespace arbiter::render {

// How to show an expression; by default rules::DumpExpr. A caller that has the sources may give the
// author's own words (Expr::span).
using ExprText = std::function<std::string(rules::ExprId)>;

// The automaton of a walk: an edge per step, guard, face, turn or deflection; double circles are
// places where the walk may end. States that allow the same continuations are one.
std::string WalkGraph(const rules::Rules& rules, rules::WalkId walk, const ExprText& text = {});

// The turns of every phase: a node per place in a turn, an edge per action that may be played there;
// diamonds choose (`if`), boxes order (`else`: 1 before 2). Dashed edges lead to the phases that
// actions, handlers and `after` blocks go to.
std::string TurnGraph(const rules::Rules& rules, const ExprText& text = {});

}  // namespace arbiter::render
