#include "session/record.h"

#include <fmt/format.h>

#include <utility>

namespace arbiter::session {

Record::Record(Position start) : start_(std::move(start)) {
  seen_[start_.Key()] = 1;
  if (auto status = start_.Status(1, 0)) start_outcome_ = *status;
}

std::vector<Move> Record::Moves() const {
  if (ended()) return {};
  return position().Moves();
}

std::string Record::Play(const Move& move) {
  if (ended()) return fmt::format("the game is over: {}", OutcomeText(start_.game(), outcome()));
  int player = position().player();
  Result<Step> step = position().Apply(move);
  if (!step) return step.error;
  Entry entry{move.text(), player, step->turn_complete, step->next, step->outcome, turns(), 0};
  if (step->turn_complete) {
    ++entry.turns;
    uint64_t key = step->next.Key();
    auto known = seen_.find(key);
    entry.occurrences = known == seen_.end() ? 1 : known->second + 1;
    if (!entry.outcome.ended()) {
      Result<Outcome> status = step->next.Status(entry.occurrences, entry.turns);
      if (!status) return status.error;
      entry.outcome = *status;
    }
    seen_[key] = entry.occurrences;
  }
  entries_.push_back(std::move(entry));
  return {};
}

std::string Record::Play(std::string_view typed) {
  if (ended()) return fmt::format("the game is over: {}", OutcomeText(start_.game(), outcome()));
  Result<Move> move = position().FindMove(typed);
  return move ? Play(*move) : move.error;
}

bool Record::Undo() {
  if (entries_.empty()) return false;
  const Entry& last = entries_.back();
  if (last.ends_turn) --seen_[last.after.Key()];
  entries_.pop_back();
  return true;
}

bool Record::TakeBack() {
  if (entries_.empty()) return false;
  int player = ended() ? entries_.back().player : position().player();
  do {
    Undo();
  } while (!entries_.empty() && position().player() != player);
  return true;
}

std::string OutcomeText(const Game& game, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kNone:
      return "no result";
    case Outcome::Kind::kDraw:
      return "a draw";
    case Outcome::Kind::kWin:
      return game.players()[static_cast<std::size_t>(outcome.winner)] + " wins";
    case Outcome::Kind::kPoints:
      break;
  }
  std::string text;
  std::vector<std::string> players = game.players();
  for (std::size_t p = 0; p < outcome.points.size(); ++p) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}{} to {}", outcome.points[p], p == 0 ? " points" : "", players[p]);
  }
  return text;
}

}  // namespace arbiter::session
