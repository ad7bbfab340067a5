#include "peers.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <ctime>

namespace arbiter::bench {
namespace {

double ChildSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// The whole run of the program.
Run RunWhole(const Peer& peer, const std::string& fen, int depth) {
  Run run;
  const double before = ChildSeconds();
  const std::string command =
      fmt::format("printf 'position fen {}\\ngo perft {}\\nquit\\n' | {} 2>/dev/null", fen, depth, peer.path);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  std::array<char, 256> line{};
  while (fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
    unsigned long long nodes = 0;
    if (std::sscanf(line.data(), "Nodes searched: %llu", &nodes) == 1) run.count = nodes;
  }
  pclose(pipe);
  run.seconds = ChildSeconds() - before;
  return run;
}

}  // namespace

bool Peer::installed() const { return access(path.c_str(), X_OK) == 0; }

Run Peer::Perft(const std::string& fen, int depth) const {
  const Run start = RunWhole(*this, fen, 1);
  Run run = RunWhole(*this, fen, depth);
  run.seconds -= start.seconds;
  return run;
}

double ProcessorSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace arbiter::bench
