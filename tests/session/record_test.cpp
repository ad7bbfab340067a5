// Game records: play, undo, repetition; saved games; matches.
#include "session/record.h"

#include <set>

#include "session/match.h"
#include "session/save.h"
#include "tiny.h"

namespace arbiter::session {
namespace {

Record Played(const Game& game, const std::vector<std::string>& moves, const std::string& start = {}) {
  Record record(start.empty() ? game.Start() : *game.Read(start));
  for (const std::string& move : moves) EXPECT_EQ(record.Play(move), "") << move;
  return record;
}

TEST(Record, plays_to_a_win) {
  Record record = Played(Tiny(), {"a1-a2", "b3-a2", "b1-b2"});
  EXPECT_FALSE(record.ended());
  EXPECT_EQ(record.turns(), 3);
  EXPECT_EQ(record.Play("a2-a1"), "");
  ASSERT_TRUE(record.ended());
  EXPECT_EQ(OutcomeText(record.start().game(), record.outcome()), "Black wins");
  EXPECT_TRUE(record.Moves().empty());
  EXPECT_NE(record.Play("b2-b3"), "");
}

TEST(Record, a_player_without_a_turn_loses) {
  Record record = Played(Tiny(), {"a1-a2", "b3-b2"});
  ASSERT_TRUE(record.ended());  // a2 and b1 are blocked, nothing stands slantwise
  EXPECT_EQ(record.outcome().winner, 1);
  EXPECT_NE(record.outcome().why.find("no legal turn"), std::string::npos) << record.outcome().why;
}

TEST(Record, refused_moves_change_nothing) {
  Record record = Played(Tiny(), {"a1-a2"});
  EXPECT_NE(record.Play("a1-a2"), "");
  EXPECT_EQ(record.entries().size(), 1U);
  EXPECT_EQ(record.position().player(), 1);
}

TEST(Record, undo_goes_back_exactly) {
  Game game = Tiny();
  Record record = Played(game, {"a1-a2", "b3-a2", "b1-b2", "a2-a1"});
  ASSERT_TRUE(record.ended());
  EXPECT_TRUE(record.Undo());
  EXPECT_FALSE(record.ended());
  EXPECT_EQ(record.position().Text(), Played(game, {"a1-a2", "b3-a2", "b1-b2"}).position().Text());
  while (record.Undo()) {
  }
  EXPECT_EQ(record.position().Text(), game.Start().Text());
  EXPECT_EQ(record.turns(), 0);
  EXPECT_FALSE(record.Undo());
}

TEST(Record, taking_back_returns_to_the_same_player) {
  Record record = Played(Tiny(), {"a1-a2", "b3-a2", "b1-b2"});
  EXPECT_EQ(record.position().player(), 1);
  EXPECT_TRUE(record.TakeBack());
  EXPECT_EQ(record.position().player(), 1);
  EXPECT_EQ(record.entries().size(), 1U);
}

const std::vector<std::string> kShuffle = {"a1-b1", "a3-b3", "b1-a1", "b3-a3"};

TEST(Record, the_third_time_is_a_draw_and_undo_uncounts) {
  Game game = Tiny({{"shuffle", "true"}});
  Record record = Played(game, kShuffle, "g2/3/G2 w");
  for (const char* move : {"a1-b1", "a3-b3", "b1-a1"}) ASSERT_EQ(record.Play(move), "");
  EXPECT_FALSE(record.ended());
  ASSERT_EQ(record.Play("b3-a3"), "");
  ASSERT_TRUE(record.ended());
  EXPECT_EQ(record.outcome().kind, Outcome::Kind::kDraw);
  EXPECT_EQ(record.entries().back().occurrences, 3);
  // Back and forth over the edge three times: it is the third time again, not the fourth or fifth.
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(record.Undo());
    EXPECT_FALSE(record.ended());
    EXPECT_EQ(record.Play("b3-a3"), "");
    EXPECT_EQ(record.entries().back().occurrences, 3);
  }
}

TEST(Save, a_written_game_reads_back) {
  Game game = Tiny({{"shuffle", "true"}});
  Record record = Played(game, {"a1-b1", "a3-b3", "b1-c1"}, "g2/3/G2 w");
  std::string text = WriteGame(record);
  EXPECT_EQ(text,
            "ruleset  tiny.rules\n"
            "option   shuffle = true\n"
            "start    g2/3/G2 w\n"
            "\n"
            "1.  a1-b1  a3-b3\n"
            "2.  b1-c1\n"
            "\n"
            "result   unfinished\n");
  Result<SavedGame> saved = ParseGame(text);
  ASSERT_TRUE(saved) << saved.error;
  EXPECT_EQ(saved->options, (Options{{"shuffle", "true"}}));
  Result<Record> again = Replay(game, *saved);
  ASSERT_TRUE(again) << again.error;
  EXPECT_EQ(WriteGame(*again), text);
  EXPECT_EQ(Verify(game, *saved), "");
}

TEST(Save, the_start_of_the_rule_file_is_not_written) {
  std::string text = WriteGame(Record(Tiny().Start()));
  EXPECT_EQ(text, "ruleset  tiny.rules\n\nresult   unfinished\n");
}

TEST(Save, says_which_line_is_wrong) {
  Game game = Tiny();
  auto error = [&](const std::string& text) {
    Result<SavedGame> saved = ParseGame(text);
    return saved ? Verify(game, *saved) : saved.error;
  };
  EXPECT_EQ(error("ruleset tiny\n1. a1-a2 b3-a2\n"), "");
  EXPECT_EQ(error("ruleset tiny // the tiny one\n// nothing yet\n"), "");
  EXPECT_NE(error("1. a1-a2\n").find("line 1"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\n\n1. a1-a2\n2. a1-a2\n").find("line 4"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\n1. a1-a2, b3-a2\n").find("no comma"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\n1. a1-a2 b3-b2\nresult draw\n").find("Black wins"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\nresult White wins\n").find("unfinished"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\noption shuffle\n").find("line 2"), std::string::npos);
  EXPECT_NE(error("ruleset tiny\nresult draw\n1. a1-a2\n").find("line 3"), std::string::npos);
  EXPECT_NE(error("").find("ruleset"), std::string::npos);
}

std::vector<std::shared_ptr<Player>> RandomPlayers(uint64_t seed) {
  return {std::make_shared<RandomPlayer>(seed), std::make_shared<RandomPlayer>(seed + 1)};
}

TEST(Match, the_same_seed_plays_the_same_game) {
  Game game = Tiny();
  auto play = [&](uint64_t seed) {
    Record record(game.Start());
    EXPECT_EQ(RunMatch(record, RandomPlayers(seed), 100, {}).kind, MatchEnd::Kind::kResult);
    return WriteGame(record);
  };
  EXPECT_EQ(play(7), play(7));
  std::set<std::string> games;
  for (uint64_t seed = 0; seed < 20; ++seed) games.insert(play(seed));
  EXPECT_GT(games.size(), 3U);
}

class Scripted : public Player {
 public:
  explicit Scripted(std::vector<Choice::Kind> kinds) : kinds_(std::move(kinds)) {}
  Choice Choose(const Record&, const std::vector<Move>& moves) override {
    if (at_ == kinds_.size()) return {Choice::Kind::kLeave, {}, {}};
    Choice::Kind kind = kinds_[at_++];
    return {kind, kind == Choice::Kind::kMove ? std::optional<Move>(moves.front()) : std::nullopt, {}};
  }

 private:
  std::vector<Choice::Kind> kinds_;
  std::size_t at_ = 0;
};

TEST(Match, a_player_may_take_back_and_leave) {
  using Kind = Choice::Kind;
  Record record(Tiny().Start());
  auto white = std::make_shared<Scripted>(std::vector<Kind>{Kind::kUndo, Kind::kMove, Kind::kTakeBack, Kind::kMove});
  auto black = std::make_shared<Scripted>(std::vector<Kind>{Kind::kMove, Kind::kMove});
  int refused = 0, shown = 0;
  MatchWatch watch;
  watch.on_refused = [&](const std::string&) { ++refused; };
  std::vector<std::string> changes;
  watch.on_move = [&](const Record&) { ++shown; };
  watch.on_change = [&](const Record&, const std::string& what) { changes.push_back(what); };
  MatchEnd end = RunMatch(record, {white, black}, 100, watch);
  EXPECT_EQ(refused, 1);  // nothing to undo at the start
  EXPECT_EQ(shown, 4);    // two moves before the way back, two after it
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].rfind("taken back: ", 0), 0U) << changes[0];
  EXPECT_EQ(end.kind, MatchEnd::Kind::kLeft);
  EXPECT_EQ(record.entries().size(), 2U);
}

TEST(Match, stops_when_it_is_told_to) {
  Record record(Tiny().Start());
  MatchWatch watch;
  watch.stop = [](const Record& r) { return r.entries().size() == 1; };
  EXPECT_EQ(RunMatch(record, RandomPlayers(3), 100, watch).kind, MatchEnd::Kind::kStopped);
  EXPECT_EQ(record.entries().size(), 1U);
  Record other(Tiny().Start());
  EXPECT_EQ(RunMatch(other, RandomPlayers(3), 1, {}).kind, MatchEnd::Kind::kTurns);
}

}  // namespace
}  // namespace arbiter::session
