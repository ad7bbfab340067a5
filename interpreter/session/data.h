// What stands behind the values of the public face. Private to session/.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "diagnostics/diagnostic.h"
#include "program/program.h"
#include "rules/rules.h"
#include "rules/snapshot.h"
#include "source/loader.h"
#include "source/source.h"
#include "validate/evaluator.h"

namespace arbiter {

struct Report::Data {
  std::shared_ptr<const source::SourceMap> sources;
  std::vector<diagnostics::Diagnostic> diagnostics;
  bool truncated = false;
  std::vector<Problem> problems;
};

struct Game::Data {
  Source source;
  Options options;
  std::shared_ptr<const source::SourceMap> sources;
  std::unique_ptr<const rules::Rules> rules;
  std::unique_ptr<const validate::Evaluator> oracle;
  std::string text;  // where the rule file was given as a text
  bool from_text = false;

  // Tables cost time: they are made when somebody first asks for them.
  [[nodiscard]] const std::shared_ptr<const program::Program>& program() const;
  [[nodiscard]] const validate::Evaluator& evaluator(Evaluator which) const;

 private:
  mutable std::once_flag compiled_;
  mutable std::shared_ptr<const program::Program> program_;
  mutable std::unique_ptr<const validate::Evaluator> engine_;
};

struct Move::List {
  std::shared_ptr<const Game::Data> game;
  std::vector<rules::Move> moves;
  std::vector<std::string> texts, ucis;
  std::optional<rules::Fault> fault;
};

struct Position::Data {
  std::shared_ptr<const Game::Data> game;
  Evaluator which = Evaluator::kEngine;
  rules::Snapshot snapshot;

  [[nodiscard]] const std::shared_ptr<const Move::List>& moves() const;
  [[nodiscard]] const validate::Evaluator& evaluator() const { return game->evaluator(which); }

 private:
  mutable std::once_flag listed_;
  mutable std::shared_ptr<const Move::List> list_;
};

// The embedded files under the paths they have in the repository.
class BuiltInLoader : public source::Loader {
 public:
  [[nodiscard]] source::LoadResult Read(const std::string& path) const override;
};

// One text in front of another loader.
class OverlayLoader : public source::Loader {
 public:
  OverlayLoader(std::string path, std::string text, const source::Loader& rest)
      : path_(std::move(path)), text_(std::move(text)), rest_(rest) {}
  [[nodiscard]] source::LoadResult Read(const std::string& path) const override;

 private:
  std::string path_, text_;
  const source::Loader& rest_;
};

// The rules of the game, checked once more to be traced (rules.h); null if the files have changed and are wrong now.
std::unique_ptr<const rules::Rules> TracedRules(const Game::Data& data);

// Reads what stands beside a rule file: its rule text, its recorded games.
source::LoadResult ReadBeside(const Source& source, const std::string& path);

Report MakeReport(std::shared_ptr<const source::SourceMap> sources, diagnostics::Sink& sink);
Position MakePosition(std::shared_ptr<const Game::Data> game, Evaluator which, rules::Snapshot snapshot);
Outcome MakeOutcome(const Game::Data& game, const rules::Outcome& outcome);
std::string FaultText(const Game::Data& game, const rules::Fault& fault);
// What an author wrote, with one blank for all blanks and line ends in a row.
std::string OneLine(std::string_view text);

}  // namespace arbiter
