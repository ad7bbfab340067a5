#include "validate/soak.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "validate/examples.h"
#include "validate/random.h"

namespace arbiter::validate {

namespace {

class Soaker {
 public:
  Soaker(const rules::Rules& rules, const Evaluator& evaluator, const SoakRequest& request)
      : rules_(rules), evaluator_(evaluator), request_(request) {
    report_.turns_in_phase.assign(rules.phases.size(), 0);
  }

  SoakReport Run() {
    for (int game = 0; game < request_.games; ++game) {
      if (game > 0 && request_.stop && request_.stop()) break;
      // The first game has the seed itself, so that a game in trouble can be played again alone; the others
      // are far from it, so that reports of neighbouring seeds share no game.
      PlayGame(game == 0 ? request_.seed
                         : rules::Mix(request_.seed + 0x9e3779b97f4a7c15 * static_cast<uint64_t>(game)));
      ++report_.games;
      if (request_.on_game) request_.on_game();
    }
    std::sort(report_.lengths.begin(), report_.lengths.end());
    return std::move(report_);
  }

 private:
  void Trouble(SoakTrouble trouble) {
    int& count = report_.trouble_counts[trouble.kind];
    if (++count <= kMaxTroubles) report_.troubles.push_back(std::move(trouble));
  }

  bool Faulted(uint64_t seed, int turn) {
    if (!fault_) return false;
    Trouble({SoakTrouble::Kind::kFault, seed, turn, fault_->message, {}, fault_});
    fault_.reset();
    return true;
  }

  // `at` is the position before the move.
  void Count(const Snapshot& at, const Move& move, std::set<Played>& in_this_game) {
    Played played;
    for (const rules::Token& token : move.tokens) {
      if (token.base == rules::Base::kAction) played.names.push_back(token.value);
    }
    bool names_cell = move.tokens.size() > 1 &&
                      (move.tokens[1].base == rules::Base::kPiece || move.tokens[1].base == rules::Base::kCell);
    if (names_cell) {
      auto piece = std::find_if(at.pieces.begin(), at.pieces.end(),
                                [&](const rules::PieceRecord& p) { return p.cell == move.tokens[1].value; });
      if (piece != at.pieces.end()) played.kind = piece->kind;
    }
    PlayedCount& count = report_.played[played];
    ++count.times;
    if (in_this_game.insert(std::move(played)).second) ++count.games;
  }

  void PlayGame(uint64_t seed) {
    Random random(seed);
    Snapshot at = evaluator_.Initial(rules_.start);
    std::unordered_map<uint64_t, int> seen;
    seen[evaluator_.Key(at)] = 1;
    Outcome outcome = evaluator_.Status(at, 1, 0, &fault_);
    std::set<int> late_phases;
    std::set<Played> played;
    int turns = 0, actions_in_turn = 0;
    while (outcome.kind == Outcome::Kind::kNone) {
      if (Faulted(seed, turns)) return;
      if (turns >= request_.max_turns) return Endless(seed, turns, late_phases);
      if (actions_in_turn >= request_.max_actions_a_turn) return EndlessTurn(seed, turns, at);
      std::vector<Move> moves = evaluator_.Moves(at, &fault_);
      if (Faulted(seed, turns)) return;
      if (moves.empty()) return DeadEnd(seed, turns, at);
      report_.most_moves = std::max(report_.most_moves, moves.size());
      const Move& move = moves[random.Below(moves.size())];
      auto applied = evaluator_.Apply(at, move, &fault_);
      if (Faulted(seed, turns) || !applied) return;
      Count(at, move, played);
      ++report_.actions;
      ++actions_in_turn;
      int phase = at.phase;
      at = std::move(applied->next);
      outcome = std::move(applied->outcome);
      if (!applied->turn_complete) continue;
      ++turns;
      ++report_.turns;
      ++report_.turns_in_phase[static_cast<std::size_t>(phase)];
      if (turns > request_.max_turns / 2) late_phases.insert(phase);
      actions_in_turn = 0;
      int occurrences = ++seen[evaluator_.Key(at)];
      if (outcome.kind == Outcome::Kind::kNone) outcome = evaluator_.Status(at, occurrences, turns, &fault_);
    }
    if (Faulted(seed, turns)) return;
    if (request_.on_end) request_.on_end(at);
    report_.lengths.push_back(turns);
    ++report_.results[OutcomeText(rules_, outcome)];
    ++report_.end_counts[outcome.end];
  }

  void Endless(uint64_t seed, int turns, const std::set<int>& phases) {
    SoakTrouble trouble{SoakTrouble::Kind::kEndlessGame, seed, turns, {}, {}, {}};
    for (int phase : phases) trouble.phases.push_back(rules_.phases[static_cast<std::size_t>(phase)].name);
    trouble.message = fmt::format("the game has not ended after {} turns", turns);
    Trouble(std::move(trouble));
  }

  void EndlessTurn(uint64_t seed, int turns, const Snapshot& at) {
    std::string where = rules_.turn_states[at.place].name;
    Trouble({SoakTrouble::Kind::kEndlessTurn,
             seed,
             turns,
             fmt::format("turn {} has not ended after {} actions{}", turns + 1, request_.max_actions_a_turn,
                         where.empty() ? "" : " (" + where + ")"),
             {rules_.phases[static_cast<std::size_t>(at.phase)].name},
             {}});
  }

  void DeadEnd(uint64_t seed, int turns, const Snapshot& at) {
    Trouble({SoakTrouble::Kind::kDeadEnd,
             seed,
             turns,
             fmt::format("{} has no turn, and no end of the rule file says what that means",
                         rules_.players[static_cast<std::size_t>(at.mover)].name),
             {rules_.phases[static_cast<std::size_t>(at.phase)].name},
             {}});
  }

  const rules::Rules& rules_;
  const Evaluator& evaluator_;
  const SoakRequest& request_;
  SoakReport report_;
  std::optional<Fault> fault_;
};

}  // namespace

SoakReport Soak(const rules::Rules& rules, const Evaluator& evaluator, const SoakRequest& request) {
  return Soaker(rules, evaluator, request).Run();
}

}  // namespace arbiter::validate
