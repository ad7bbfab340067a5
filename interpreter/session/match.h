// Players, and the running of a match between them.
//
// A player is asked for a choice whenever it is on turn. Whoever runs a match watches it through
// callbacks; nothing here prints, sleeps or reads a clock.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "session/record.h"
#include "validate/random.h"

namespace arbiter::session {

struct Choice {
  enum class Kind : uint8_t {
    kMove,
    kUndo,      // take the last action back
    kTakeBack,  // back to this player's last choice
    kReplace,   // go on with `record`: a game that was loaded
    kLeave      // stop the match
  };
  Kind kind = Kind::kLeave;
  std::optional<Move> move;
  std::optional<Record> record;
};

class Player {
 public:
  virtual ~Player() = default;
  // `moves` are Moves() of the record, never empty.
  virtual Choice Choose(const Record& record, const std::vector<Move>& moves) = 0;
};

// Every legal action is equally likely. The same seed plays the same game.
class RandomPlayer : public Player {
 public:
  explicit RandomPlayer(uint64_t seed) : random_(seed) {}
  Choice Choose(const Record& record, const std::vector<Move>& moves) override;

 private:
  validate::Random random_;
};

struct MatchWatch {
  std::function<void(const Record&)> on_move;                        // after every action
  std::function<void(const Record&, const std::string&)> on_change;  // after anything else: what was done, in words
  std::function<void(const std::string&)> on_refused;                // a choice that could not be done, and why
  std::function<bool(const Record&)> stop;                           // asked before every choice
};

struct MatchEnd {
  enum class Kind : uint8_t {
    kResult,   // the record has ended
    kNoMoves,  // nobody can play and no end applies
    kTurns,    // `max_turns` were played
    kStopped,  // by `stop`
    kLeft,     // a player left
    kFault     // the rules contradict themselves: `error`
  };
  Kind kind = Kind::kResult;
  std::string error;
};

// Plays until somebody stops it. `players` has one entry per player of the game.
MatchEnd RunMatch(Record& record, const std::vector<std::shared_ptr<Player>>& players, int max_turns,
                  const MatchWatch& watch);

}  // namespace arbiter::session
