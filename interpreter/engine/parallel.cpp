#include "engine/parallel.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace arbiter::engine {
namespace {

// Tasks differ in size: with several for each thread none is busy long after the others.
constexpr std::size_t kTasksPerThread = 8;
constexpr int kMaxLevels = 3;  // of actions that are dealt out

// What is left to count behind some first actions.
struct Task {
  std::vector<Handle> played;
  int depth = 0;
};

class Splitter {
 public:
  Splitter(Position& at, bool bulk, bool by_actions, int threads)
      : at_(at), bulk_(bulk), by_actions_(by_actions), threads_(threads) {}

  uint64_t Count(int depth) {
    const auto enough = static_cast<std::size_t>(threads_) * kTasksPerThread;
    tasks_.push_back({{}, depth});
    for (int level = 0; level < kMaxLevels && tasks_.size() < enough; ++level) {
      for (const Task& task : std::exchange(tasks_, {})) Expand(task);
    }
    Share();
    return total_;
  }
  [[nodiscard]] bool faulted() const { return faulted_; }

 private:
  // One action further. What needs no counting, because the game or the last turn is over, is counted here.
  void Expand(const Task& task) {
    if (task.depth <= 1) {  // quick enough as it is, and counted in bulk where that is exact
      tasks_.push_back(task);
      return;
    }
    const int before = at_.history_size();
    for (const Handle& handle : task.played) at_.Play(handle);
    const bool between = at_.between_turns();
    std::vector<Handle> next;
    at_.List(&next);
    for (Handle& handle : next) {
      const Applied applied = at_.Play(handle);
      at_.Undo();
      // To end a turn that has begun is no action of its own.
      const bool counts = by_actions_ ? handle.action >= 0 || between : applied.turn_complete;
      const int left = task.depth - (counts ? 1 : 0);
      if (applied.outcome.kind != rules::Outcome::Kind::kNone) continue;  // no sequence of `depth` goes through here
      Task& further = tasks_.emplace_back(task);
      further.played.push_back(std::move(handle));
      further.depth = left;
    }
    while (at_.history_size() > before) at_.Undo();
    faulted_ = faulted_ || at_.fault().has_value();
  }

  // Every thread takes the next task until none is left; this one is the first of them.
  void Share() {
    at_.Prepare();
    std::vector<std::thread> others;
    const std::size_t wanted = std::min(static_cast<std::size_t>(threads_), tasks_.size());
    try {
      while (others.size() + 1 < wanted) others.emplace_back([this] { Work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those there are do the work.
    }
    Work();
    for (std::thread& thread : others) thread.join();
  }

  void Work() {
    Position mine(at_);
    mine.ClearFault();
    uint64_t sum = 0;
    for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
      for (const Handle& handle : tasks_[i].played) mine.Play(handle);
      sum += mine.Perft(tasks_[i].depth, bulk_, by_actions_);
      while (mine.history_size() > 0) mine.Undo();
    }
    total_ += sum;
    if (mine.fault()) faulted_ = true;
  }

  Position& at_;
  const bool bulk_, by_actions_;
  const int threads_;
  std::vector<Task> tasks_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<uint64_t> total_ = 0;
  std::atomic<bool> faulted_ = false;
};

}  // namespace

uint64_t PerftOnThreads(Position& at, int depth, bool bulk, bool by_actions, int threads) {
  if (threads <= 1 || at.fault()) return at.Perft(depth, bulk, by_actions);
  Splitter splitter(at, bulk, by_actions, std::min(threads, kMaxThreads));
  const uint64_t count = splitter.Count(depth);
  if (!splitter.faulted()) return count;
  at.ClearFault();
  return at.Perft(depth, bulk, by_actions);
}

}  // namespace arbiter::engine
