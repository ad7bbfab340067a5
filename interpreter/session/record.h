// The record of one game: where it started, what was played, and what the past decides.
//
// A Position has no past. The record adds it: how often a position has stood, how many turns were
// played, the result, and the way back. Nothing here prints.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arbiter/arbiter.h"

namespace arbiter::session {

class Record {
 public:
  struct Entry {
    std::string move;  // its text in the position where it was played
    int player = 0;    // who played it
    bool ends_turn = false;
    Position after;
    Outcome outcome;      // after it
    int turns = 0;        // complete turns after it
    int occurrences = 0;  // of the position after it, if it ended a turn
  };

  explicit Record(Position start);

  // where the game stands
  [[nodiscard]] const Position& position() const { return entries_.empty() ? start_ : entries_.back().after; }
  [[nodiscard]] const Outcome& outcome() const { return entries_.empty() ? start_outcome_ : entries_.back().outcome; }
  [[nodiscard]] bool ended() const { return outcome().ended(); }
  [[nodiscard]] int turns() const { return entries_.empty() ? 0 : entries_.back().turns; }
  // What may be played: nothing once the game has ended.
  [[nodiscard]] std::vector<Move> Moves() const;

  // what was played
  [[nodiscard]] const Position& start() const { return start_; }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  // Plays a move of Moves(). Gives "" or why not; then nothing has changed.
  std::string Play(const Move& move);
  std::string Play(std::string_view typed);

  // Takes the last action back. False at the start.
  bool Undo();
  // Goes back to where the player now on turn (or who made the last move of an ended game) chose last.
  bool TakeBack();

 private:
  Position start_;
  Outcome start_outcome_;
  std::vector<Entry> entries_;
  std::unordered_map<uint64_t, int> seen_;  // positions between turns, by key
};

// "White wins", "a draw", "3 points to White, 0 to Black", "no result".
std::string OutcomeText(const Game& game, const Outcome& outcome);

}  // namespace arbiter::session
