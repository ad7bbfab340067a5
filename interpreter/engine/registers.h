// Registers of the bytecode: a stack of frames whose addresses never move. Private to engine/.
#pragma once

#include <memory>
#include <vector>

#include "engine/processor.h"
#include "rules/value.h"

namespace arbiter::engine {
inline namespace ARBITER_ENGINE_PROCESSOR {

// A growing stack in chunks; what was given out stays where it is.
template <class T>
class ChunkStack {
 public:
  struct Mark {
    std::size_t chunk = 0, used = 0;
  };
  [[nodiscard]] Mark mark() const { return mark_; }
  void Release(const Mark& mark) { mark_ = mark; }
  T* Take(std::size_t count) {
    if (chunks_.empty()) Grow(count);
    while (mark_.used + count > sizes_[mark_.chunk]) {
      if (mark_.chunk + 1 == chunks_.size()) Grow(count);
      ++mark_.chunk;
      mark_.used = 0;
    }
    T* at = chunks_[mark_.chunk].get() + mark_.used;
    mark_.used += count;
    return at;
  }

 private:
  static constexpr std::size_t kChunk = 1024;
  void Grow(std::size_t count) {
    const std::size_t size = count > kChunk ? count : kChunk;
    chunks_.push_back(std::make_unique<T[]>(size));
    sizes_.push_back(size);
  }
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::vector<std::size_t> sizes_;
  Mark mark_;
};

using List = std::vector<rules::Value>;

}  // namespace ARBITER_ENGINE_PROCESSOR
}  // namespace arbiter::engine
