// Other programs that count move sequences: run as children, so that they are measured on the same machine at the same
// time.
#pragma once

#include <cstdint>
#include <string>

namespace arbiter::bench {

// A count and the processor time that it took.
struct Run {
  uint64_t count = 0;
  double seconds = 0;
  [[nodiscard]] double rate() const { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }
};

// A program that understands UCI and `go perft N`. Debian's stockfish and fairy-stockfish do, and count the last turn
// without making it.
struct Peer {
  std::string name, path;
  [[nodiscard]] bool installed() const;
  // From a FEN of orthodox chess. Its start, measured by a count of depth 1, is taken off.
  [[nodiscard]] Run Perft(const std::string& fen, int depth) const;
};

// Processor time of this process, in seconds.
double ProcessorSeconds();

}  // namespace arbiter::bench
