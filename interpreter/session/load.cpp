// The face: from a name to a checked game.
#include <algorithm>
#include <utility>

#include "check/check.h"
#include "compile/compile.h"
#include "diagnostics/render.h"
#include "parse/parse.h"
#include "session/data.h"

namespace arbiter {

namespace {

constexpr std::string_view kRulesets = "rulesets/";
constexpr std::string_view kSuffix = ".rules";

// "rulesets/chess/chess.rules" -> "chess"; "" if the path is no ruleset.
std::string ShortName(std::string_view path) {
  if (!path.starts_with(kRulesets) || !path.ends_with(kSuffix)) return {};
  std::size_t slash = path.rfind('/');
  return std::string(path.substr(slash + 1, path.size() - slash - 1 - kSuffix.size()));
}

Problem MakeProblem(const diagnostics::Diagnostic& d, const source::SourceMap& sources) {
  Problem problem;
  problem.severity = static_cast<Problem::Severity>(d.severity);
  problem.code = diagnostics::CodeName(d.code);
  problem.message = d.message;
  problem.help = d.help;
  for (const diagnostics::Fix& fix : d.fixes) problem.help.push_back(fix.title);
  if (d.span.valid()) {
    problem.path = sources.path(d.span.file);
    source::Place begin = sources.PlaceOf(d.span.file, d.span.begin);
    source::Place end = sources.PlaceOf(d.span.file, d.span.end);
    problem.line = begin.line;
    problem.column = begin.column;
    problem.end_line = end.line;
    problem.end_column = end.column;
  }
  return problem;
}

Checked CheckWith(const Source& source, const Options& options, const source::Loader& loader,
                  std::optional<std::string> text) {
  auto sources = std::make_shared<source::SourceMap>();
  diagnostics::Sink sink;
  check::Request request;
  request.path = source.path;
  request.options = options;
  std::unique_ptr<rules::Rules> rules = check::Check(request, loader, *sources, sink);
  std::optional<Game> game;
  if (rules != nullptr && !sink.has_errors()) {
    auto data = std::make_shared<Game::Data>();
    data->source = source;
    data->options = options;
    data->sources = sources;
    data->rules = std::move(rules);
    data->oracle = validate::MakeOracle(*data->rules);
    data->from_text = text.has_value();
    if (text) data->text = std::move(*text);
    game.emplace(std::move(data));
  }
  return {std::move(game), MakeReport(sources, sink)};
}

Formatted FormatWith(const std::string& path, const source::LoadResult& loaded) {
  auto sources = std::make_shared<source::SourceMap>();
  diagnostics::Sink sink;
  if (loaded.problem != source::LoadResult::Problem::kNone) {
    diagnostics::Code code = loaded.problem == source::LoadResult::Problem::kTooLarge
                                 ? diagnostics::Code::kLimitSize
                                 : diagnostics::Code::kImportMissing;
    const char* what = "cannot be read";
    switch (loaded.problem) {
      case source::LoadResult::Problem::kMissing:
        what = "does not exist";
        break;
      case source::LoadResult::Problem::kDirectory:
        what = "is a folder, not a rule file";
        break;
      case source::LoadResult::Problem::kTooLarge:
        what = "is larger than a rule file may be (1 MiB)";
        break;
      default:
        break;
    }
    sink.Error(code, {}, "`" + path + "` " + what);
    return {std::nullopt, false, MakeReport(sources, sink)};
  }
  source::FileId file = sources->Add(path, loaded.text);
  std::string text = parse::Format(*sources, file, sink);
  if (sink.has_errors()) return {std::nullopt, false, MakeReport(sources, sink)};
  bool changed = text != loaded.text;
  return {std::move(text), changed, MakeReport(sources, sink)};
}

}  // namespace

// ---- sources ------------------------------------------------------------------------------------

source::LoadResult BuiltInLoader::Read(const std::string& path) const {
  if (auto text = source::FindEmbedded(path)) return {source::LoadResult::Problem::kNone, std::string(*text)};
  return {source::LoadResult::Problem::kMissing, {}};
}

source::LoadResult OverlayLoader::Read(const std::string& path) const {
  if (path == path_) {
    if (text_.size() > source::kMaxTextBytes) return {source::LoadResult::Problem::kTooLarge, {}};
    return {source::LoadResult::Problem::kNone, text_};
  }
  return rest_.Read(path);
}

source::LoadResult ReadBeside(const Source& source, const std::string& path) {
  return source.built_in ? BuiltInLoader().Read(path) : source::FileLoader().Read(path);
}

std::vector<std::pair<std::string, Source>> BuiltIn() {
  std::vector<std::pair<std::string, Source>> found;
  for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
    std::string name = ShortName(file.path);
    if (!name.empty()) found.push_back({std::move(name), {std::string(file.path), true}});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return found;
}

Source Find(const std::string& name) {
  bool path = name.find('/') != std::string::npos || name.ends_with(kSuffix);
  if (!path && !name.empty()) {
    for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
      if (ShortName(file.path) == name) return {std::string(file.path), true};
    }
  }
  return {name, false};
}

// ---- checking -----------------------------------------------------------------------------------

Checked Check(const Source& source, const Options& options) {
  if (source.built_in) return CheckWith(source, options, BuiltInLoader(), std::nullopt);
  return CheckWith(source, options, source::FileLoader(), std::nullopt);
}

Checked CheckText(const std::string& path, const std::string& text, const Options& options) {
  source::FileLoader files;
  return CheckWith({path, false}, options, OverlayLoader(path, text, files), text);
}

std::unique_ptr<const rules::Rules> TracedRules(const Game::Data& data) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  check::Request request;
  request.path = data.source.path;
  request.options = data.options;
  request.lint = false;
  request.trace = true;
  if (data.source.built_in) return check::Check(request, BuiltInLoader(), sources, sink);
  source::FileLoader files;
  if (!data.from_text) return check::Check(request, files, sources, sink);
  return check::Check(request, OverlayLoader(data.source.path, data.text, files), sources, sink);
}

Formatted Format(const Source& source) { return FormatWith(source.path, ReadBeside(source, source.path)); }

Formatted FormatText(const std::string& path, const std::string& text) {
  source::FileLoader files;
  return FormatWith(path, OverlayLoader(path, text, files).Read(path));
}

Report MakeReport(std::shared_ptr<const source::SourceMap> sources, diagnostics::Sink& sink) {
  sink.Sort();
  auto data = std::make_shared<Report::Data>();
  data->diagnostics = sink.all();
  data->truncated = sink.truncated();
  for (const diagnostics::Diagnostic& d : data->diagnostics) data->problems.push_back(MakeProblem(d, *sources));
  data->sources = std::move(sources);
  return Report(std::move(data));
}

bool Report::ok() const { return Count(Problem::Severity::kError) == 0; }
const std::vector<Problem>& Report::problems() const { return data_->problems; }

int Report::Count(Problem::Severity severity) const {
  return static_cast<int>(std::count_if(data_->problems.begin(), data_->problems.end(),
                                        [&](const Problem& p) { return p.severity == severity; }));
}

std::string Report::Text(bool colour) const {
  std::string text;
  diagnostics::Style style;
  style.color = colour;
  for (const diagnostics::Diagnostic& d : data_->diagnostics) {
    text += diagnostics::Render(d, *data_->sources, style) + "\n";
  }
  if (data_->truncated) text += "there are more errors; these come first\n";
  return text;
}

std::string Report::Json() const {
  std::string text;
  for (const diagnostics::Diagnostic& d : data_->diagnostics) {
    text += (text.empty() ? "[" : ",\n ") + diagnostics::ToJson(d, *data_->sources);
  }
  return text.empty() ? "[]" : text + "]";
}

// ---- tables, when they are needed ---------------------------------------------------------------

const std::shared_ptr<const program::Program>& Game::Data::program() const {
  std::call_once(compiled_, [&] {
    program_ = compile::Compile(*rules);
    engine_ = validate::MakeEngine(program_);
  });
  return program_;
}

const validate::Evaluator& Game::Data::evaluator(Evaluator which) const {
  if (which == Evaluator::kOracle) return *oracle;
  static_cast<void>(program());
  return *engine_;
}

}  // namespace arbiter
