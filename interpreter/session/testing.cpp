#include "session/testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "session/data.h"
#include "session/save.h"
#include "validate/examples.h"

namespace arbiter::session {

namespace {

// "rulesets/a/b.rules" and "b" are the same ruleset to a recorded game.
std::string_view Stem(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  return path.substr(0, path.rfind(".rules"));
}

class Tester {
 public:
  Tester(const Game& game, const TestRequest& request) : game_(game), request_(request) {}

  std::vector<TestCase> Run() {
    const auto& examples = game_.rules().examples;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (Wanted(examples[i].title)) RunExample(i);
    }
    for (const RecordedGame& recorded : request_.games) {
      std::string title = recorded.path.substr(recorded.path.rfind('/') + 1);
      if (Wanted(title)) RunGame(recorded, std::move(title));
    }
    return std::move(cases_);
  }

 private:
  [[nodiscard]] bool Wanted(const std::string& title) const { return title.find(request_.only) != std::string::npos; }

  void RunExample(std::size_t index) {
    const rules::Example& example = game_.rules().examples[index];
    TestCase made;
    made.title = example.title;
    made.clauses = example.clauses;
    made.options = example.options;
    std::tie(made.path, made.line) = PlaceOf(game_, example.span);
    bool other_options = !example.options.empty() && example.steps.empty();
    const Checked* other = other_options ? &Under(example.options) : nullptr;
    if (other != nullptr && !other->game) {
      made.failures.push_back(
          {made.path, made.line, 0, "the rules are wrong under these options", {other->report.Text()}});
    } else {
      const Game::Data& data = other == nullptr ? game_.data() : other->game->data();
      auto failures =
          validate::RunExample(*data.rules, data.evaluator(request_.evaluator), validate::MakeQuestions(*data.rules),
                               data.rules->examples[index], request_.largest_perft);
      for (validate::ExampleFailure& failure : failures) made.failures.push_back(Placed(data, std::move(failure)));
    }
    cases_.push_back(std::move(made));
  }

  static TestFailure Placed(const Game::Data& data, validate::ExampleFailure failure) {
    TestFailure placed{{}, 0, 0, std::move(failure.message), std::move(failure.notes)};
    if (failure.span.valid()) {
      source::Place place = data.sources->PlaceOf(failure.span.file, failure.span.begin);
      placed.path = data.sources->path(failure.span.file);
      placed.line = place.line;
      placed.column = place.column;
    }
    return placed;
  }

  // The same rule file with more options; each combination is checked once.
  const Checked& Under(const Options& more) {
    std::map<std::string, std::string> merged;
    for (const auto& [name, value] : game_.options()) merged[name] = value;
    for (const auto& [name, value] : more) merged[name] = value;
    Options options(merged.begin(), merged.end());
    auto known = checked_.find(options);
    if (known != checked_.end()) return known->second;
    const Game::Data& data = game_.data();
    Checked made = data.from_text ? CheckText(data.source.path, data.text, options) : Check(data.source, options);
    return checked_.emplace(std::move(options), std::move(made)).first->second;
  }

  void RunGame(const RecordedGame& recorded, std::string title) {
    TestCase made;
    made.kind = TestCase::Kind::kGame;
    made.title = std::move(title);
    made.path = recorded.path;
    auto fail = [&](std::string message) { made.failures.push_back({recorded.path, 0, 0, std::move(message), {}}); };
    Result<SavedGame> saved = ParseGame(recorded.text);
    if (!saved) {
      fail(saved.error);
    } else if (Stem(saved->ruleset) != Stem(game_.source().path)) {
      made.skipped = fmt::format("it is a game of `{}`", saved->ruleset);
    } else {
      made.options = saved->options;
      const Checked& checked = Under(saved->options);
      if (!checked.game) {
        fail("the rules are wrong under its options");
      } else if (std::string error = Verify(*checked.game, *saved, request_.evaluator); !error.empty()) {
        fail(error);
      }
    }
    cases_.push_back(std::move(made));
  }

  const Game& game_;
  const TestRequest& request_;
  std::vector<TestCase> cases_;
  std::map<Options, Checked> checked_;
};

}  // namespace

std::vector<TestCase> RunTests(const Game& game, const TestRequest& request) { return Tester(game, request).Run(); }

std::vector<RecordedGame> BuiltInGames(const Source& source) {
  std::vector<RecordedGame> games;
  std::string folder = source.path.substr(0, source.path.rfind('/') + 1) + "games/";
  for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
    if (file.path.starts_with(folder)) games.push_back({std::string(file.path), std::string(file.text)});
  }
  return games;
}

validate::SoakReport RunSoak(const Game& game, Evaluator evaluator, const validate::SoakRequest& request) {
  return validate::Soak(game.rules(), game.data().evaluator(evaluator), request);
}

std::string PlayedText(const Game& game, const validate::Played& played) {
  if (played.names.empty()) return "done";
  std::string text;
  for (int name : played.names) {
    text += (text.empty() ? "" : ": ") + game.rules().action_names[static_cast<std::size_t>(name)];
  }
  if (played.kind >= 0) text += " " + game.rules().kinds[static_cast<std::size_t>(played.kind)].name;
  return text;
}

std::string EndText(const Game& game, int end) {
  if (end < 0) return "an effect of an action or handler";
  rules::Outcome outcome;
  outcome.kind = rules::Outcome::Kind::kDraw;
  outcome.end = end;
  return MakeOutcome(game.data(), outcome).why;
}

namespace {

struct RuleText {
  std::string path, text;
};

Result<RuleText> ReadText(const Game::Data& data) {
  const std::string& written = data.rules->text_path;
  if (written.empty()) return {std::nullopt, "the rule file names no rule text: add `text \"rules.md\"`"};
  std::string rule_file =
      data.rules->text_span.valid() ? data.sources->path(data.rules->text_span.file) : data.source.path;
  std::string path = source::BesidePath(rule_file, written);
  source::LoadResult loaded = ReadBeside(data.source, path);
  if (loaded.problem != source::LoadResult::Problem::kNone) {
    return {std::nullopt, fmt::format("the rule text `{}` cannot be read", path)};
  }
  return {RuleText{path, std::move(loaded.text)}, {}};
}

}  // namespace

Result<TextCoverage> CoverText(const Game& game) {
  Result<RuleText> read = ReadText(game.data());
  if (!read) return {std::nullopt, read.error};
  return {TextCoverage{read->path, validate::CoverageOf(game.rules(), read->text)}, {}};
}

Result<TextExercise> ExerciseText(const Game& game, const validate::SoakRequest& request) {
  Result<RuleText> read = ReadText(game.data());
  if (!read) return {std::nullopt, read.error};
  std::unique_ptr<const rules::Rules> traced = TracedRules(game.data());
  if (traced == nullptr) return {std::nullopt, "the rule file cannot be read a second time"};
  return {TextExercise{read->path, validate::ExerciseClauses(*traced, read->text, request)}, {}};
}

std::pair<std::string, int> PlaceOf(const Game& game, const source::Span& span) {
  if (!span.valid()) return {{}, 0};
  const source::SourceMap& sources = *game.data().sources;
  return {sources.path(span.file), sources.PlaceOf(span.file, span.begin).line};
}

}  // namespace arbiter::session
