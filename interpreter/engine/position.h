// A position of one game and what can be done with it: the fast evaluator.
//
// A Position plays a Program; it knows no rule text. It gives and takes the plain values of
// rules/snapshot.h, exactly as the reference evaluator does: the same actions, results and keys. Undo
// is exact. Copying a Position copies the game state, not the history. Different Positions may be used
// by different threads; they share what never changes: the Program and the flat tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "program/program.h"
#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::engine {

struct Applied {
  rules::Outcome outcome;  // by an effect or an `at once` end; ends between turns: ask Status
  bool turn_complete = false;
};

// One offered action as the engine keeps it: cheap to make and to play, without the text of its tokens.
// Good for the position that listed it, also after other actions were played and undone.
struct Handle {
  int16_t action = -1;          // index into Rules::actions; -1: `done`, the turn ends here
  int16_t next = -1;            // the place in the turn that it leads to
  int16_t from = -1;            // the cell of the piece that acts
  int16_t to = -1;              // plain moves only
  int16_t promote = -1;         // plain moves only: the kind chosen
  int16_t statement = -1;       // plain moves only: index into Program::plain; -1: not plain
  bool complete = false;        // the turn is over after it
  std::vector<uint16_t> picks;  // else: which element of every choice
};

// How a game of random actions went.
struct RandomGame {
  rules::Outcome outcome;  // none: it was stopped, by `max_turns`, a turn without an end, a dead end or a fault
  int turns = 0;
  int64_t actions = 0;
};
inline constexpr int kLongestTurn = 500;  // actions; a random game stops in a turn that is longer

class CoreBase;

class Position {
 public:
  // The start set-up of the program.
  explicit Position(std::shared_ptr<const program::Program> program);
  Position(const Position& other);
  Position& operator=(const Position& other);
  Position(Position&&) noexcept;
  Position& operator=(Position&&) noexcept;
  ~Position();

  [[nodiscard]] const program::Program& program() const;

  // what stands where
  void Load(rules::SetupId setup);
  void Load(const rules::Snapshot& snapshot);  // of the same Rules; forgets the history
  [[nodiscard]] rules::Snapshot Save() const;
  [[nodiscard]] int mover() const;
  [[nodiscard]] bool between_turns() const;

  // The legal actions that can be completed to a turn, sorted; empty when the game has ended by Status
  // with 0, 0 or no turn exists. (A game that an effect ended: Applied says so, the position does not.) Where a turn
  // may end but may also go on, the action without tokens is `done`.
  [[nodiscard]] std::vector<rules::Move> Moves();
  // Plays one of Moves(); nothing happens and nullopt comes back if it is none of them.
  std::optional<Applied> Apply(const rules::Move& move);
  // Takes the last Apply or Play back. Nothing happens at the beginning of the history.
  void Undo();
  [[nodiscard]] int history_size() const;

  // The same for callers in a hurry. `out` receives every action of Moves(), in no particular order.
  void List(std::vector<Handle>* out);
  Applied Play(const Handle& handle);
  [[nodiscard]] rules::Move MoveOf(const Handle& handle);

  // The result of a position between turns: see oracle::Oracle::Status.
  [[nodiscard]] rules::Outcome Status(int occurrences, int turns);

  // The repetition key of rules/snapshot.h: kept up to date, and computed anew.
  [[nodiscard]] uint64_t key() const;
  [[nodiscard]] uint64_t key_from_scratch() const;

  // Sequences of `depth` complete turns (or actions). With `bulk` the last turn is counted without being
  // played wherever the rules show that this is exact; without, every leaf is made.
  uint64_t Perft(int depth, bool bulk, bool by_actions = false);

  // Makes what Perft and PlayRandomly need and copies of this position share; they make it themselves when it is not
  // there.
  void Prepare();

  // Plays on with random legal actions, each as likely as the others, until the game ends or `max_turns` are played.
  // Turns and repetitions count from here. The position is left where the game stopped, without a history. `random` is
  // the state of the random source and goes on; the same state gives the same game. A fault stops the game, also one
  // seen before: see ClearFault.
  RandomGame PlayRandomly(uint64_t* random, int max_turns);

  // What a copy of this position takes, in bytes; what it has found out on the way is not counted.
  [[nodiscard]] std::size_t bytes() const;

  // The first fault of the rule file seen since the last ClearFault.
  [[nodiscard]] const std::optional<rules::Fault>& fault() const;
  void ClearFault();

 private:
  std::unique_ptr<CoreBase> core_;
};

}  // namespace arbiter::engine
