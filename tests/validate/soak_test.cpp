// Random games, on games made by hand: a counter that goes up, and what may go wrong with it.
#include "validate/soak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace arbiter::validate {
namespace {

// State: one number. Each turn it grows by one or two; what happens then is up to the test.
class Counting : public Evaluator {
 public:
  std::function<std::vector<Move>(int)> moves = [](int) { return std::vector<Move>{Step(1), Step(2)}; };
  std::function<Outcome(int, int, int)> status = [](int n, int, int) {
    Outcome outcome;
    if (n >= 10) {
      outcome.kind = Outcome::Kind::kWin;
      outcome.winner = n % 2;
      outcome.end = 0;
    }
    return outcome;
  };
  std::function<bool(int)> completes = [](int) { return true; };
  std::function<std::optional<Fault>(int)> fault = [](int) { return std::nullopt; };

  std::optional<rules::PieceRecord> piece;  // stands in every position

  static Move Step(int by) {
    Move move;
    move.tokens = {{rules::Base::kAction, 0}, {rules::Base::kInt, by}};
    return move;
  }
  [[nodiscard]] Snapshot Initial(rules::SetupId) const override {
    Snapshot at;
    at.state = {0};
    at.place = rules::TurnStateId(0);
    if (piece) at.pieces = {*piece};
    return at;
  }
  std::vector<Move> Moves(const Snapshot& at, std::optional<Fault>* out) const override {
    if (auto found = fault(at.state[0])) *out = found;
    return moves(at.state[0]);
  }
  std::optional<Applied> Apply(const Snapshot& at, const Move& move, std::optional<Fault>*) const override {
    Applied applied;
    applied.next = at;
    applied.next.state[0] += move.tokens[1].value;
    applied.turn_complete = completes(at.state[0]);
    return applied;
  }
  Outcome Status(const Snapshot& at, int occurrences, int turns, std::optional<Fault>*) const override {
    return status(at.state[0], occurrences, turns);
  }
  [[nodiscard]] uint64_t Key(const Snapshot& at) const override { return static_cast<uint64_t>(at.state[0]); }
  uint64_t Perft(const Snapshot&, int, PerftMode, std::optional<Fault>*) const override { return 0; }
};

rules::Rules TwoPlayers() {
  rules::Rules rules;
  rules.players = {{"White"}, {"Black"}};
  rules.phases.push_back({"play", {}, {}, {}, 0, {}});
  rules.turn_states.Add({});
  rules.phases.back().turn = rules::TurnStateId(0);
  return rules;
}

TEST(Soak, counts_lengths_and_results) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  SoakRequest request;
  request.games = 50;
  SoakReport report = Soak(rules, game, request);
  EXPECT_EQ(report.games, 50);
  EXPECT_TRUE(report.troubles.empty());
  ASSERT_EQ(report.lengths.size(), 50U);
  EXPECT_TRUE(std::is_sorted(report.lengths.begin(), report.lengths.end()));
  EXPECT_GE(report.lengths.front(), 5);
  EXPECT_LE(report.lengths.back(), 10);
  EXPECT_LT(report.lengths.front(), report.lengths.back());
  EXPECT_EQ(report.results["White wins"] + report.results["Black wins"], 50);
  EXPECT_EQ(report.end_counts[0], 50);
  EXPECT_EQ(report.most_moves, 2U);
}

TEST(Soak, counts_what_was_played) {
  rules::Rules rules = TwoPlayers();
  rules.action_names = {"add", "then"};
  Counting game;
  game.moves = [](int n) {
    Move done, step = Counting::Step(3), both = Counting::Step(3);
    step.tokens[1].base = rules::Base::kCell;
    both.tokens.push_back({rules::Base::kAction, 1});
    // On the first turn the piece on cell 3 acts, on the second something else is named, the third only ends it.
    return std::vector<Move>{n == 0 ? step : n == 3 ? both : Counting::Step(4)};
  };
  game.status = [](int n, int, int) {
    Outcome outcome;
    if (n >= 10) outcome.kind = Outcome::Kind::kDraw;
    return outcome;
  };
  game.piece = rules::PieceRecord{3, 7, 0, {}};
  std::vector<int> ends;
  SoakRequest request;
  request.games = 4;
  request.on_end = [&](const Snapshot& last) { ends.push_back(last.state[0]); };
  SoakReport report = Soak(rules, game, request);
  EXPECT_EQ(ends, (std::vector<int>{10, 10, 10, 10}));
  ASSERT_EQ(report.played.size(), 3U);
  std::vector<Played> expected = {{{0}, -1}, {{0}, 7}, {{0, 1}, -1}};
  std::size_t i = 0;
  for (const auto& [played, count] : report.played) {
    EXPECT_EQ(played, expected[i++]);
    EXPECT_EQ(count.times, 4);
    EXPECT_EQ(count.games, 4);
  }
}

TEST(Soak, only_games_that_end_tell_their_end) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  game.status = [](int, int, int) { return Outcome{}; };
  SoakRequest request;
  request.games = 2;
  request.max_turns = 5;
  int ends = 0;
  request.on_end = [&](const Snapshot&) { ++ends; };
  SoakReport report = Soak(rules, game, request);
  EXPECT_EQ(ends, 0);
  ASSERT_EQ(report.played.size(), 1U);
  EXPECT_EQ(report.played.begin()->second.times, 10);
  EXPECT_EQ(report.played.begin()->second.games, 2);
}

TEST(Soak, the_same_seed_gives_the_same_report) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  SoakRequest request;
  EXPECT_EQ(Soak(rules, game, request).lengths, Soak(rules, game, request).lengths);
  SoakRequest other = request;
  other.seed = 1000;
  EXPECT_NE(Soak(rules, game, request).lengths, Soak(rules, game, other).lengths);
}

TEST(Soak, reports_games_that_do_not_end) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  game.status = [](int, int, int) { return Outcome{}; };
  SoakRequest request;
  request.games = 20;
  request.max_turns = 30;
  SoakReport report = Soak(rules, game, request);
  EXPECT_TRUE(report.lengths.empty());
  EXPECT_EQ(report.trouble_counts[SoakTrouble::Kind::kEndlessGame], 20);
  ASSERT_EQ(report.troubles.size(), static_cast<std::size_t>(kMaxTroubles));
  EXPECT_EQ(report.troubles.front().phases, std::vector<std::string>{"play"});
  EXPECT_EQ(report.troubles.front().seed, request.seed);
  // The game of the last trouble, alone: the same trouble again.
  SoakRequest again = request;
  again.games = 1;
  again.seed = report.troubles.back().seed;
  EXPECT_EQ(Soak(rules, game, again).troubles.front().seed, again.seed);
}

TEST(Soak, reports_turns_that_do_not_end) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  game.status = [](int, int, int) { return Outcome{}; };
  game.completes = [](int n) { return n < 3; };
  SoakRequest request;
  request.games = 1;
  SoakReport report = Soak(rules, game, request);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_EQ(report.troubles.front().kind, SoakTrouble::Kind::kEndlessTurn);
}

TEST(Soak, reports_dead_ends_and_faults) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  game.moves = [](int n) { return n > 5 ? std::vector<Move>{} : std::vector<Move>{Counting::Step(1)}; };
  SoakRequest request;
  request.games = 1;
  SoakReport report = Soak(rules, game, request);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_EQ(report.troubles.front().kind, SoakTrouble::Kind::kDeadEnd);
  EXPECT_EQ(report.troubles.front().turn, 6);

  game.fault = [](int n) {
    return n == 4 ? std::optional<Fault>(Fault{{}, "rule-out-of-range", "too far"}) : std::nullopt;
  };
  report = Soak(rules, game, request);
  ASSERT_EQ(report.troubles.size(), 1U);
  EXPECT_EQ(report.troubles.front().kind, SoakTrouble::Kind::kFault);
  EXPECT_EQ(report.troubles.front().turn, 4);
  EXPECT_EQ(report.troubles.front().message, "too far");
}

TEST(Soak, counts_how_often_a_position_has_stood) {
  rules::Rules rules = TwoPlayers();
  Counting game;
  // It never moves on, so the third time comes after two turns.
  game.moves = [](int) { return std::vector<Move>{Counting::Step(0)}; };
  game.status = [](int, int occurrences, int turns) {
    Outcome outcome;
    if (occurrences == 3 && turns == 2) outcome.kind = Outcome::Kind::kDraw;
    return outcome;
  };
  SoakRequest request;
  request.games = 3;
  request.max_turns = 10;
  SoakReport report = Soak(rules, game, request);
  EXPECT_EQ(report.results["a draw"], 3);
  EXPECT_EQ(report.lengths, (std::vector<int>{2, 2, 2}));
}

}  // namespace
}  // namespace arbiter::validate
