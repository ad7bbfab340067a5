#include "fuzz/campaign.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fuzz/rule_file.h"
#include "fuzz/shrink.h"

namespace arbiter::fuzz {
namespace {

namespace fs = std::filesystem;
using Kind = Verdict::Kind;

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void Count(const Verdict& verdict, Report& report) {
  ++report.files;
  report.illegal += verdict.kind == Kind::kIllegal;
  report.slow += verdict.kind == Kind::kSlow;
  report.direct += verdict.direct;
  report.flat += verdict.flat;
  report.guarded += verdict.guarded;
  report.unguarded += verdict.unguarded;
  report.wide += verdict.cells > 64;
  report.widest += verdict.cells > 128;
  report.positions += verdict.positions;
  report.moves += verdict.moves;
  report.counts += verdict.counts;
  report.faults += verdict.faults;
  if (!verdict.codes.empty()) ++report.codes[verdict.codes.front()];
  if (!verdict.why.empty()) ++report.reasons[verdict.why];
}

// The file, smaller if possible, and how to see it again.
Failure Keep(const Orders& orders, uint64_t seed, const std::string& text, Verdict verdict, std::FILE* out) {
  const fs::path folder = orders.folder.empty() ? fs::temp_directory_path() / "arbiter_fuzz" : fs::path(orders.folder);
  fs::create_directories(folder);
  const std::string name = "seed_" + std::to_string(seed);
  std::ofstream(folder / (name + ".rules")) << text;
  std::string small = text;
  if (orders.shrinks) {
    small = Shrink(
        text, [&](const std::string& shorter) { return Judge(shorter, seed, orders.budget).kind == verdict.kind; });
    if (const Verdict again = Judge(small, seed, orders.budget); again.failed()) verdict = again;
  }
  const std::string path = (folder / (name + ".small.rules")).string();
  std::ofstream(path) << small;
  std::ofstream(folder / (name + ".txt")) << verdict.difference << "\n";
  fmt::print(out, "seed {}: {}\n", seed, verdict.difference);
  fmt::print(out, "  the file as it was made: {}\n", (folder / (name + ".rules")).string());
  fmt::print(out, "  again: {} --file {} --first {} --last {} --no-shrink --budget 20\n", orders.command, path, seed,
             seed);
  if (!verdict.position.empty())
    fmt::print(out, "  moves: arbiter moves {} --position \"{}\"\n", path, verdict.position);
  fmt::print(out, "{}", small);
  std::fflush(out);
  return {seed, verdict.difference, small};
}

void Tell(const Report& r, std::FILE* out) {
  fmt::print(out, "{} files, {} refused, {} too slow, {} with a difference\n", r.files, r.illegal, r.slow,
             r.failures.size());
  fmt::print(out,
             "{} with turns from tables, {} counted from sets, {} with a recognised law, {} with another; {} of more "
             "than 64 cells, {} of "
             "more than 128\n",
             r.direct, r.flat, r.guarded, r.unguarded, r.wide, r.widest);
  fmt::print(out, "{} positions, {} offered moves, {} positions counted, {} games given up\n", r.positions, r.moves,
             r.counts, r.faults);
  for (const auto& [code, count] : r.codes) fmt::print(out, "  refused for {}: {}\n", code, count);
  for (const auto& [why, count] : r.reasons) fmt::print(out, "  not from sets: {}: {}\n", why, count);
  std::fflush(out);
}

}  // namespace

Report Run(const Orders& orders, std::FILE* out) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Report report;
  for (uint64_t seed = orders.first;; ++seed) {
    const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (orders.seconds > 0 ? passed > orders.seconds : seed > orders.last) break;
    const std::string text = orders.file.empty() ? MakeRuleFile(seed) : ReadFile(orders.file);
    const Verdict verdict = Judge(text, seed, orders.budget);
    Count(verdict, report);
    if (verdict.kind == Kind::kIllegal) {
      fmt::print(out, "seed {} is refused: {}: {}\n", seed, verdict.codes.front(), verdict.difference);
    }
    if (verdict.kind == Kind::kSlow) fmt::print(out, "seed {} is too slow\n", seed);
    if (!verdict.failed()) continue;
    report.failures.push_back(Keep(orders, seed, text, verdict, out));
    if (static_cast<int>(report.failures.size()) >= orders.most_failures) break;
  }
  Tell(report, out);
  return report;
}

}  // namespace arbiter::fuzz
