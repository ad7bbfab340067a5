// What a Position asks of the machine behind it, whatever the width of its cell sets. Private to engine/.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/position.h"

namespace arbiter::engine {

class CoreBase {
 public:
  virtual ~CoreBase() = default;
  [[nodiscard]] virtual std::unique_ptr<CoreBase> Clone() const = 0;
  [[nodiscard]] virtual const program::Program& program() const = 0;
  virtual void Load(const rules::Snapshot& snapshot) = 0;
  [[nodiscard]] virtual rules::Snapshot Save() const = 0;
  [[nodiscard]] virtual int mover() const = 0;
  [[nodiscard]] virtual bool between_turns() const = 0;
  virtual std::vector<rules::Move> Moves() = 0;
  virtual std::optional<Applied> Apply(const rules::Move& move) = 0;
  virtual void Undo() = 0;
  [[nodiscard]] virtual int history_size() const = 0;
  virtual void List(std::vector<Handle>* out) = 0;
  virtual Applied Play(const Handle& handle) = 0;
  virtual rules::Move MoveOf(const Handle& handle) = 0;
  virtual rules::Value PlayerOfPhase() = 0;  // kNone: the phase names none
  virtual rules::Outcome Status(int occurrences, int turns) = 0;
  [[nodiscard]] virtual uint64_t key() const = 0;
  [[nodiscard]] virtual uint64_t key_from_scratch() const = 0;
  virtual uint64_t Perft(int depth, bool bulk, bool by_actions) = 0;
  virtual void Prepare() = 0;  // makes what copies share
  virtual RandomGame PlayRandomly(uint64_t* random, int max_turns) = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  std::optional<rules::Fault> fault;
};

using MakeCore = std::unique_ptr<CoreBase> (*)(std::shared_ptr<const program::Program>);
// Portable: tables for kMagic. `…Bmi`: tables for kExtract, on a processor that has the instruction.
std::unique_ptr<CoreBase> MakeCore64(std::shared_ptr<const program::Program> program);
std::unique_ptr<CoreBase> MakeCore64Bmi(std::shared_ptr<const program::Program> program);
std::unique_ptr<CoreBase> MakeCore128(std::shared_ptr<const program::Program> program);
std::unique_ptr<CoreBase> MakeCore128Bmi(std::shared_ptr<const program::Program> program);
std::unique_ptr<CoreBase> MakeCore256(std::shared_ptr<const program::Program> program);
std::unique_ptr<CoreBase> MakeCore256Bmi(std::shared_ptr<const program::Program> program);

}  // namespace arbiter::engine
