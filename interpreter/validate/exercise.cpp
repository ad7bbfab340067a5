#include "validate/exercise.h"

#include <algorithm>
#include <map>
#include <memory>

#include "oracle/oracle.h"

namespace arbiter::validate {

namespace {

using rules::Span;
using rules::Statement;

class Exerciser {
 public:
  Exerciser(const rules::Rules& rules, std::string_view markdown) : rules_(rules) {
    for (CoveredClause& covered : CoverageOf(rules, markdown).clauses) {
      std::vector<int> none(covered.declarations.size(), 0);
      made_.clauses.push_back({std::move(covered), 0, std::move(none)});
    }
    for (std::size_t i = 0; i < rules.statements.size(); ++i) {
      const Statement& s = rules.statements[i];
      bool plays = s.basis == Statement::Basis::kMark || s.basis == Statement::Basis::kUse;
      if (s.what.empty() || !plays || s.what == "declaration") continue;
      made_.declarations.push_back({s.what, s.name, s.place, 0});
      declared_.push_back(i);
    }
    for (const rules::Action& action : rules.actions) acting_.insert(action.span);
  }

  Exercise Run(SoakRequest request) {
    std::unique_ptr<Evaluator> oracle = MakeTracedOracle(rules_, trace_);
    request.on_game = [this] { Count(); };
    made_.soak = Soak(rules_, *oracle, request);
    made_.games = made_.soak.games;
    return std::move(made_);
  }

 private:
  // What the game left in the trace, and the clauses that it makes count.
  void Count() {
    marks_.clear();
    auto add = [&](const std::set<Span, oracle::SpanOrder>& spans) {
      for (const Span& span : spans) {
        if (span.valid()) marks_[span.file.value].push_back(span);
      }
    };
    // A statement that takes is played or not, whatever it attacks.
    for (const Span& span : acting_) trace_.attacks.erase(span);
    for (const auto* spans : {&trace_.done, &trace_.asked, &trace_.attacks}) add(*spans);
    std::vector<bool> counts = Counts();
    for (ExercisedClause& clause : made_.clauses) {
      bool any = false;
      for (std::size_t i = 0; i < clause.covered.declarations.size(); ++i) {
        // A declaration that cites the clause in several of its lines is listed once.
        if (!CountsAny(clause.covered.declarations[i], counts)) continue;
        ++clause.declaration_games[i];
        any = true;
      }
      if (any) ++clause.games;
    }
    for (std::size_t i = 0; i < declared_.size(); ++i) {
      if (counts[declared_[i]]) ++made_.declarations[i].games;
    }
    trace_ = oracle::Trace{};
  }

  [[nodiscard]] bool CountsAny(const rules::Citation& declaration, const std::vector<bool>& counts) const {
    return std::any_of(rules_.citations.begin(), rules_.citations.end(), [&](const rules::Citation& citation) {
      return citation.statement >= 0 && citation.clause == declaration.clause && citation.what == declaration.what &&
             citation.name == declaration.name && counts[static_cast<std::size_t>(citation.statement)];
    });
  }

  [[nodiscard]] bool Marked(const Span& extent) const {
    auto file = marks_.find(extent.file.value);
    if (file == marks_.end()) return false;
    return std::any_of(file->second.begin(), file->second.end(),
                       [&](const Span& mark) { return extent.begin <= mark.begin && mark.end <= extent.end; });
  }

  [[nodiscard]] std::vector<bool> Counts() const {
    const std::vector<Statement>& all = rules_.statements;
    std::vector<bool> counts(all.size(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
      counts[i] = all[i].basis == Statement::Basis::kAlways ||
                  (all[i].basis == Statement::Basis::kMark && Marked(all[i].extent));
    }
    for (bool grows = true; grows;) {  // names that stand in names
      grows = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (counts[i] || all[i].basis != Statement::Basis::kUse) continue;
        counts[i] = std::any_of(all[i].users.begin(), all[i].users.end(),
                                [&](int user) { return counts[static_cast<std::size_t>(user)]; });
        grows = grows || counts[i];
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].basis != Statement::Basis::kFile || !all[i].file.valid()) continue;
      for (std::size_t j = 0; j < all.size() && !counts[i]; ++j) {
        bool plays = all[j].basis == Statement::Basis::kMark || all[j].basis == Statement::Basis::kUse;
        counts[i] = plays && counts[j] && all[j].extent.file == all[i].file;
      }
    }
    return counts;
  }

  const rules::Rules& rules_;
  oracle::Trace trace_;
  std::set<Span, oracle::SpanOrder> acting_;
  std::vector<std::size_t> declared_;       // the statements of Exercise::declarations
  std::map<int, std::vector<Span>> marks_;  // of one game, by file
  Exercise made_;
};

}  // namespace

int Exercise::rules_in_text() const {
  return static_cast<int>(
      std::count_if(clauses.begin(), clauses.end(), [](const auto& c) { return c.covered.needs_cover(); }));
}

int Exercise::exercised() const {
  return static_cast<int>(std::count_if(clauses.begin(), clauses.end(),
                                        [](const auto& c) { return c.covered.needs_cover() && c.exercised(); }));
}

Exercise ExerciseClauses(const rules::Rules& traced, std::string_view markdown, const SoakRequest& request) {
  return Exerciser(traced, markdown).Run(request);
}

}  // namespace arbiter::validate
