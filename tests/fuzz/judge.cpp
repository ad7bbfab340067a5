#include "fuzz/judge.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "check/check.h"
#include "compile/compile.h"
#include "support/comparison.h"
#include "support/table_index.h"

namespace arbiter::fuzz {
namespace {

constexpr const char* kPath = "random.rules";
constexpr int kCountedGames = 1000;  // at most, by the engine alone

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Verdict JudgeHere(const std::string& text, uint64_t seed, const Budget& budget) {
  Verdict verdict;
  source::MemoryLoader loader;
  loader.Add(kPath, text);
  source::SourceMap sources;
  diagnostics::Sink sink;
  const std::unique_ptr<rules::Rules> rules = check::Check({kPath, {}, false}, loader, sources, sink);
  if (!rules) {
    verdict.kind = Verdict::Kind::kIllegal;
    for (const auto& d : sink.all()) {
      if (d.severity != diagnostics::Severity::kError) continue;
      verdict.codes.emplace_back(diagnostics::CodeName(d.code));
      if (verdict.difference.empty()) verdict.difference = d.message;
    }
    return verdict;
  }
  rules->lookahead_budget = 5000;
  const auto program = compile::Compile(*rules, testing_support::AnyTableIndex(seed));
  verdict.cells = program->board_cells;
  verdict.flat = program->flat.usable;
  if (!verdict.flat) verdict.why = program->flat.why;
  for (std::size_t place = 0; place < program->turn_states.size(); ++place) {
    verdict.direct |= program->plan(static_cast<int>(place)).direct;
  }
  for (const auto& law : program->laws) (law.guarded != 0 ? verdict.guarded : verdict.unguarded) = true;
  Compare(*rules, program, seed, budget, &verdict);
  return verdict;
}

// ---- from one process to another ------------------------------------------------------------------

std::string Write(const Verdict& v) {
  return nlohmann::json{{"kind", static_cast<int>(v.kind)},
                        {"codes", v.codes},
                        {"difference", v.difference},
                        {"position", v.position},
                        {"positions", v.positions},
                        {"moves", v.moves},
                        {"counts", v.counts},
                        {"faults", v.faults},
                        {"direct", v.direct},
                        {"flat", v.flat},
                        {"why", v.why},
                        {"guarded", v.guarded},
                        {"unguarded", v.unguarded},
                        {"cells", v.cells}}
      .dump();
}
Verdict Read(const std::string& text) {
  const nlohmann::json j = nlohmann::json::parse(text);
  Verdict v;
  v.kind = static_cast<Verdict::Kind>(j["kind"].get<int>());
  v.codes = j["codes"];
  v.difference = j["difference"];
  v.position = j["position"];
  v.positions = j["positions"], v.moves = j["moves"], v.counts = j["counts"], v.faults = j["faults"];
  v.direct = j["direct"], v.flat = j["flat"], v.why = j["why"], v.guarded = j["guarded"], v.unguarded = j["unguarded"],
  v.cells = j["cells"];
  return v;
}

std::string ReadAll(int file) {
  std::string all;
  char block[4096];
  for (ssize_t n = 0; (n = read(file, block, sizeof block)) > 0;) all.append(block, static_cast<std::size_t>(n));
  return all;
}

[[noreturn]] void RunChild(int answer, int complaints, const std::string& text, uint64_t seed, const Budget& budget) {
  dup2(complaints, STDERR_FILENO);
  const auto seconds = static_cast<rlim_t>(std::ceil(budget.longest));
  const rlimit limit{seconds, seconds + 5};
  setrlimit(RLIMIT_CPU, &limit);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const std::string said = Write(JudgeHere(text, seed, budget));
  for (std::size_t done = 0; done < said.size();) {
    const ssize_t n = write(answer, said.data() + done, said.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  _exit(0);
}

}  // namespace

void Compare(const rules::Rules& rules, const std::shared_ptr<const program::Program>& program, uint64_t seed,
             const Budget& budget, Verdict* verdict) {
  const double begin = ProcessorSeconds();
  for (int game = 0; game < budget.games; ++game) {
    Comparison comparison(rules, program, "random rules", seed + static_cast<uint64_t>(game));
    comparison.compares_counts = true;
    comparison.stops = [&] { return ProcessorSeconds() - begin > budget.seconds; };
    const bool same = comparison.Play(game == 0 ? comparison.Start() : comparison.Random());
    verdict->positions += comparison.positions;
    verdict->moves += comparison.moves;
    verdict->counts += comparison.counts;
    verdict->faults += comparison.faults;
    if (same) continue;
    verdict->kind = Verdict::Kind::kDifferent;
    verdict->difference = comparison.difference();
    verdict->position = comparison.position();
    return;
  }
  // What is counted without the reference evaluator is counted often.
  if (!verdict->flat) return;
  const double counts_begin = ProcessorSeconds();
  const auto stops = [&] { return ProcessorSeconds() - counts_begin > budget.seconds; };
  for (int game = 0; game < kCountedGames && !stops(); ++game) {
    Comparison comparison(rules, program, "random rules", seed + static_cast<uint64_t>(game));
    comparison.stops = stops;
    const bool same = comparison.PlayCounts(game == 0 ? comparison.Start() : comparison.Random());
    verdict->counts += comparison.counts;
    if (same) continue;
    verdict->kind = Verdict::Kind::kDifferent;
    verdict->difference = comparison.difference();
    verdict->position = comparison.position();
    return;
  }
}

Verdict Judge(const std::string& text, uint64_t seed, const Budget& budget) {
  int answer[2], complaints[2];
  if (pipe(answer) != 0 || pipe(complaints) != 0) std::abort();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) RunChild(answer[1], complaints[1], text, seed, budget);
  close(answer[1]);
  close(complaints[1]);
  const std::string said = ReadAll(answer[0]), complained = ReadAll(complaints[0]);
  close(answer[0]);
  close(complaints[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !said.empty()) return Read(said);
  Verdict verdict;
  const bool slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  verdict.kind = slow ? Verdict::Kind::kSlow : Verdict::Kind::kStopped;
  verdict.difference = "stopped by " + std::string(WIFSIGNALED(status) ? "signal " : "exit code ") +
                       std::to_string(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)) + "\n" + complained;
  return verdict;
}

}  // namespace arbiter::fuzz
