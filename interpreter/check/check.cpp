#include "check/check.h"

#include "check/context.h"
#include "check/passes.h"

namespace arbiter::check {

namespace {

// What every game needs; said once, at its title.
void CheckComplete(Context& c) {
  if (c.rules.players.empty()) {
    c.Error(Code::kGameIncomplete, GameSpan(c), "the game has no players")
        .help.push_back("add for example `players White facing n, Black facing s`");
  }
  if (c.rules.kinds.empty()) {
    c.Error(Code::kGameIncomplete, GameSpan(c), "the game has no pieces")
        .help.push_back("add for example `piece Rook \"R\" { move or take slide(orthogonal) }`");
  }
}

std::string TitleOf(const std::string& path) {
  std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.rfind('.'));
}

// The passes in order. Where a pass leaves nothing to build on, the rest is not tried: its errors
// would only repeat the first.
void RunPasses(Context& c, const Request& request, const source::Loader& loader, source::SourceMap& sources) {
  diagnostics::Sink& sink = c.sink;
  if (!ResolveImports(c, request.path, loader, sources)) return;
  DeclareHeads(c);
  ChooseOptions(c, request.options);
  CheckComplete(c);
  if (c.rules.players.empty() || c.rules.kinds.empty()) return;
  BuildBoard(c);
  if (c.board().size() == 0 || sink.truncated()) return;
  CheckHidden(c);
  ResolveDirectionOptions(c);
  DeclareState(c);
  MergeKindItems(c);
  std::size_t before = sink.all().size();
  BuildZones(c);
  // A player or value that is not there: whatever else names it would only say so again.
  for (std::size_t i = before; i < sink.all().size(); ++i) {
    if (sink.all()[i].code == Code::kNameUnknown) return;
  }
  BuildBarriers(c);
  DeclareSetups(c);
  if (sink.truncated()) return;
  LowerEverything(c);
  c.rules.board = c.builder.Take();
  c.board_taken = true;
  // Positions are read by the checked rules: these must be whole.
  if (!c.rules.phases.empty() && c.rules.phases.front().turn.valid()) {
    BuildSetups(c);
    if (!sink.has_errors()) BuildExamples(c);
    if (!sink.has_errors()) FillExampleQuestions(c);
  }
  if (sink.truncated()) return;
  CollectCitations(c);
  CheckCitations(c, loader, sources);
  if (!sink.has_errors() && request.lint) Lint(c);
}

}  // namespace

std::unique_ptr<rules::Rules> Check(const Request& request, const source::Loader& loader, source::SourceMap& sources,
                                    diagnostics::Sink& sink) {
  auto rules = std::make_unique<rules::Rules>();
  Context c(sources, sink, *rules);
  c.trace = request.trace;
  RunPasses(c, request, loader, sources);
  sink.Sort();
  if (sink.has_errors()) return nullptr;
  if (rules->title.empty()) rules->title = TitleOf(request.path);
  return rules;
}

}  // namespace arbiter::check
