#include "session/match.h"

#include <utility>

namespace arbiter::session {

namespace {

void Tell(const MatchWatch& watch, const std::string& what) {
  if (watch.on_refused) watch.on_refused(what);
}

// The actions of `before` that are no longer in `record`, in the order in which they were played.
std::string TakenBack(const std::vector<std::string>& before, const Record& record) {
  std::string text = "taken back:";
  for (std::size_t i = record.entries().size(); i < before.size(); ++i) text += " " + before[i];
  return text;
}

// Does a choice that is not a move. False: the player leaves.
bool DoOther(Record& record, Choice& choice, const MatchWatch& watch) {
  std::vector<std::string> before;
  for (const auto& entry : record.entries()) before.push_back(entry.move);
  bool done = true;
  std::string what = "loaded";
  switch (choice.kind) {
    case Choice::Kind::kUndo:
      done = record.Undo();
      what = TakenBack(before, record);
      break;
    case Choice::Kind::kTakeBack:
      done = record.TakeBack();
      what = TakenBack(before, record);
      break;
    case Choice::Kind::kReplace:
      if (choice.record) record = std::move(*choice.record);
      break;
    default:
      return false;
  }
  if (!done) Tell(watch, "nothing has been played");
  if (done && watch.on_change) watch.on_change(record, what);
  return true;
}

}  // namespace

Choice RandomPlayer::Choose(const Record&, const std::vector<Move>& moves) {
  return {Choice::Kind::kMove, moves[random_.Below(moves.size())], std::nullopt};
}

MatchEnd RunMatch(Record& record, const std::vector<std::shared_ptr<Player>>& players, int max_turns,
                  const MatchWatch& watch) {
  while (!record.ended()) {
    if (watch.stop && watch.stop(record)) return {MatchEnd::Kind::kStopped, {}};
    if (record.turns() >= max_turns) return {MatchEnd::Kind::kTurns, {}};
    std::vector<Move> moves = record.Moves();
    if (std::string fault = record.position().Fault(); !fault.empty()) return {MatchEnd::Kind::kFault, fault};
    if (moves.empty()) return {MatchEnd::Kind::kNoMoves, {}};
    Player& player = *players[static_cast<std::size_t>(record.position().player())];
    Choice choice = player.Choose(record, moves);
    if (choice.kind != Choice::Kind::kMove || !choice.move) {
      if (!DoOther(record, choice, watch)) return {MatchEnd::Kind::kLeft, {}};
      continue;
    }
    if (std::string error = record.Play(*choice.move); !error.empty()) return {MatchEnd::Kind::kFault, error};
    if (watch.on_move) watch.on_move(record);
  }
  return {MatchEnd::Kind::kResult, {}};
}

}  // namespace arbiter::session
