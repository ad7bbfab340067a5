// The flat machine against the two others: moves and where they lead, counts, what is taken back, random games.
//
// Every game of tests/support/flat_games.h and every ruleset that has a flat form is played at random and put into
// random positions. The reference evaluator says how many moves there are and where some of them lead; the machine
// without the flat form, which agrees with it (tests/agreement), where all of them lead and what counts and outcomes
// have to be.
#include "engine/flat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>

#include "engine/machine_all.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/notation.h"
#include "support/flat_games.h"
#include "support/random_position.h"
#include "support/rule_files.h"
#include "support/table_index.h"

namespace arbiter::engine {
namespace {

namespace fs = std::filesystem;
using program::TableIndex;
using rules::Outcome;
using rules::Snapshot;
using testing_support::CheckGame;

struct Before {  // any order of positions of one game
  bool operator()(const Snapshot& a, const Snapshot& b) const {
    return std::tie(a.mover, a.state, a.pieces) < std::tie(b.mover, b.state, b.pieces);
  }
};
using Positions = std::map<Snapshot, int, Before>;  // how often

// A flat machine, whatever its width.
class AnyFlat {
 public:
  struct Played {
    int turns = 0, occurrences = 0;
    bool has_move = false;
  };
  virtual ~AnyFlat() = default;
  virtual bool Load(const Snapshot& at) = 0;
  [[nodiscard]] virtual Snapshot Save() const = 0;
  virtual Positions Successors(const Snapshot& at) = 0;
  virtual uint64_t Perft(int depth, bool bulk) = 0;
  [[nodiscard]] virtual bool gave_up() const = 0;
  virtual Played PlayRandomly(uint64_t* random, int max_turns) = 0;
};

template <int W>
class FlatOf final : public AnyFlat {
 public:
  using Tables = FlatTables<W, MagicIndex>;
  explicit FlatOf(std::shared_ptr<const program::Program> p)
      : tables_(std::make_shared<const Tables>(std::move(p))), machine_(tables_), other_(tables_) {}
  bool Load(const Snapshot& at) override { return machine_.Load(at); }
  [[nodiscard]] Snapshot Save() const override { return machine_.Save(); }
  Positions Successors(const Snapshot& at) override {
    std::vector<FlatMove> moves;
    EXPECT_TRUE(other_.Load(at));
    other_.List(&moves);
    Positions found;
    for (const FlatMove& move : moves) {
      other_.Load(at);
      other_.Play(move);
      ++found[other_.Save()];
    }
    return found;
  }
  uint64_t Perft(int depth, bool bulk) override { return machine_.Perft(depth, bulk); }
  [[nodiscard]] bool gave_up() const override { return machine_.gave_up(); }
  Played PlayRandomly(uint64_t* random, int max_turns) override {
    const auto game = machine_.PlayRandomly(random, max_turns);
    return {game.turns, game.occurrences, game.has_move};
  }

 private:
  std::shared_ptr<const Tables> tables_;
  FlatMachine<W, MagicIndex> machine_, other_;
};

std::unique_ptr<AnyFlat> MakeFlat(std::shared_ptr<const program::Program> p) {
  if (p->words == 1) return std::make_unique<FlatOf<1>>(std::move(p));
  if (p->words == 2) return std::make_unique<FlatOf<2>>(std::move(p));
  return std::make_unique<FlatOf<4>>(std::move(p));
}

int Total(const Positions& positions) {
  int total = 0;
  for (const auto& [at, times] : positions) total += times;
  return total;
}

// A game, by every machine there is.
struct Game {
  std::unique_ptr<rules::Rules> rules;
  std::shared_ptr<const program::Program> fast;  // with the flat form, tables by turns
  std::unique_ptr<AnyFlat> flat;
  std::optional<Position> slow, quick;
  std::optional<oracle::Oracle> oracle;
  std::string why;  // it has no flat form

  // False: it has no flat form.
  bool Make(std::unique_ptr<rules::Rules> from, uint64_t number) {
    rules = std::move(from);
    const auto magic = compile::Compile(*rules, TableIndex::kMagic);
    if (!magic->flat.usable) {
      why = magic->flat.why;
      return false;
    }
    const TableIndex index = testing_support::AnyTableIndex(number);
    fast = index == TableIndex::kMagic ? magic : compile::Compile(*rules, index);
    EXPECT_TRUE(fast->flat.usable);
    auto without = std::make_shared<program::Program>(*magic);
    without->flat.usable = false;
    flat = MakeFlat(magic);
    slow.emplace(without);
    quick.emplace(fast);
    oracle.emplace(*rules);
    return true;
  }
  // Where the moves lead, by the machine without the flat form: the reference evaluator is too slow for all of them.
  Positions Successors(const Snapshot& at) {
    slow->Load(at);
    std::vector<Handle> moves;
    slow->List(&moves);
    Positions found;
    for (const Handle& move : moves) {
      slow->Play(move);
      ++found[slow->Save()];
      slow->Undo();
    }
    return found;
  }
  [[nodiscard]] std::string Text(const Snapshot& at) const { return rules::FormatPosition(*rules, at); }
};

class Comparing {
 public:
  Comparing(Game& game, uint64_t seed, int deep) : g_(game), random_(seed), deep_(deep) {}

  int positions = 0, moves = 0, faults = 0;
  std::string last_fault;

  // Everything about one position; the legal successors, empty if the game is over.
  Positions Compare(const Snapshot& at) {
    SCOPED_TRACE(g_.Text(at));
    std::optional<rules::Fault> fault;
    const auto list = g_.oracle->Moves(at, &fault);
    const Outcome status = g_.oracle->Status(at, 0, 0, &fault);
    if (fault) {  // the rules contradict themselves here: nothing is promised
      ++faults;
      last_fault = fault->message;
      return {};
    }
    ++positions;
    EXPECT_TRUE(g_.flat->Load(at));
    EXPECT_TRUE(g_.flat->Save() == at) << "saved as " << g_.Text(g_.flat->Save());
    const Positions expected = g_.Successors(at);
    EXPECT_EQ(Total(expected), static_cast<int>(list.size()));
    for (int i = 0; i < 3 && !list.empty(); ++i) {  // a few: to apply one move takes it as long as to list all
      const auto applied = g_.oracle->Apply(at, list[random_() % list.size()], &fault);
      EXPECT_TRUE(applied && applied->turn_complete && expected.contains(applied->next));
    }
    moves += static_cast<int>(list.size());
    if (status.kind == Outcome::Kind::kNone) ExpectSame(at, expected, g_.flat->Successors(at));
    for (const bool bulk : {true, false}) {
      EXPECT_EQ(g_.flat->Perft(0, bulk), 1U);
      EXPECT_EQ(g_.flat->Perft(1, bulk), list.size()) << "one deep, bulk " << bulk;
    }
    Deep(at, list.size());
    return expected;
  }

  // A random walk of so many turns, beginning here.
  void Walk(Snapshot at, int turns) {
    for (int turn = 0; turn < turns && !::testing::Test::HasFailure(); ++turn) {
      const Positions next = Compare(at);
      if (next.empty()) break;
      at = std::next(next.begin(), static_cast<std::ptrdiff_t>(random_() % next.size()))->first;
    }
  }

 private:
  // Counts against the machine without the flat form; nothing is left changed.
  void Deep(const Snapshot& at, std::size_t first) {
    if (first > 80 || static_cast<int>(random_() % 100) >= deep_) return;
    g_.slow->ClearFault();
    g_.slow->Load(at);
    g_.quick->Load(at);
    for (int depth = 2; depth <= (first > 14 ? 2 : 3); ++depth) {
      const uint64_t count = g_.slow->Perft(depth, true);
      for (const bool bulk : {true, false}) {
        const uint64_t found = g_.flat->Perft(depth, bulk);
        if (g_.flat->gave_up()) {  // asked of the machine without, which says what contradicts itself
          EXPECT_TRUE(g_.slow->fault());
          return;
        }
        EXPECT_EQ(found, count) << depth << " deep, bulk " << bulk;
        EXPECT_TRUE(g_.flat->Save() == at) << depth << " deep, bulk " << bulk;
        EXPECT_EQ(g_.quick->Perft(depth, bulk), count) << depth << " deep, bulk " << bulk;
      }
    }
    EXPECT_FALSE(g_.slow->fault()) << g_.slow->fault()->message;
    // Also what does not show in a position is as it was: the same game follows as from a machine newly loaded.
    uint64_t source = random_(), same = source;
    const auto played = g_.flat->PlayRandomly(&source, 12);
    const Snapshot end = g_.flat->Save();
    g_.flat->Load(at);
    const auto again = g_.flat->PlayRandomly(&same, 12);
    EXPECT_TRUE(g_.flat->Save() == end);
    EXPECT_EQ(played.turns, again.turns);
    EXPECT_EQ(played.occurrences, again.occurrences);
  }

  void ExpectSame(const Snapshot& at, const Positions& expected, const Positions& found) {
    EXPECT_EQ(Total(found), Total(expected));
    const auto told = [&](const Positions& some, const Positions& others, const char* who) {
      int shown = 0;
      for (const auto& [position, times] : some) {
        const auto same = others.find(position);
        const int there = same == others.end() ? 0 : same->second;
        if (there == times || ++shown > 3) continue;
        ADD_FAILURE() << who << " " << times << " times, and not " << there << ": " << g_.Text(position) << " from "
                      << g_.Text(at);
      }
    };
    told(expected, found, "the other machine leads");
    told(found, expected, "the flat machine leads");
  }

  Game& g_;
  std::mt19937_64 random_;
  int deep_;  // percent of positions
};

// A game of random moves, step by step and at once; what it comes to is what the machine without the flat form says.
void CompareGame(Game& g, const Snapshot& start, uint64_t seed, int most) {
  SCOPED_TRACE(g.Text(start) + " seed " + std::to_string(seed));
  g.quick->ClearFault();
  g.quick->Load(start);
  uint64_t whole = seed;
  const RandomGame game = g.quick->PlayRandomly(&whole, most);
  const Snapshot end = g.quick->Save();
  if (g.quick->fault()) return;
  EXPECT_EQ(game.actions, game.turns);
  std::map<uint64_t, int> stood;
  Snapshot at = start;
  g.quick->Load(at);
  uint64_t steps = seed;
  for (int turn = 0;; ++turn) {
    const int occurrences = ++stood[g.oracle->Key(at)];
    g.slow->Load(at);
    const Outcome outcome = g.slow->Status(occurrences, turn);
    const Positions list = g.Successors(at);
    if (turn == game.turns) {
      EXPECT_TRUE(outcome == game.outcome) << "ended by end " << game.outcome.end << ", not by " << outcome.end;
      EXPECT_TRUE(outcome.kind != Outcome::Kind::kNone || turn == most || list.empty()) << "stopped without a reason";
      EXPECT_TRUE(end == at) << g.Text(end);
      EXPECT_EQ(whole, steps);
      return;
    }
    ASSERT_EQ(outcome.kind, Outcome::Kind::kNone) << "it went on after " << turn << " turns, at " << g.Text(at);
    ASSERT_EQ(g.quick->PlayRandomly(&steps, 1).turns, 1);
    const Snapshot next = g.quick->Save();
    ASSERT_TRUE(list.contains(next)) << g.Text(next) << " is not reached by a move from " << g.Text(at);
    at = next;
  }
}

// Every move of a position is drawn, and none of them much more often than it should.
void CompareDraws(Game& g, const Snapshot& at, uint64_t seed) {
  SCOPED_TRACE(g.Text(at));
  std::optional<rules::Fault> fault;
  if (g.oracle->Status(at, 1, 0, &fault).kind != Outcome::Kind::kNone || fault) return;
  const Positions expected = g.flat->Successors(at);
  const int total = Total(expected);
  if (total == 0 || total > 60) return;
  constexpr int kTimes = 60;
  Positions drawn;
  for (int i = 0; i < kTimes * total; ++i) {
    ASSERT_TRUE(g.flat->Load(at));
    if (g.flat->PlayRandomly(&seed, 1).turns != 1) {
      ADD_FAILURE() << "no move was drawn";
      return;
    }
    ++drawn[g.flat->Save()];
  }
  for (const auto& [position, times] : drawn) {
    EXPECT_TRUE(expected.contains(position)) << g.Text(position) << " is reached by no move";
  }
  for (const auto& [position, times] : expected) {  // 60 times each; eight standard deviations are 62
    EXPECT_GT(drawn[position], 0) << g.Text(position);
    EXPECT_LT(drawn[position], times * kTimes + 8 * std::sqrt(times * kTimes)) << g.Text(position);
  }
}

void CompareAll(Game& g, uint64_t seed, int walks) {
  const int turns = g.rules->board.board_size() > 64 ? 12 : 40;
  std::mt19937_64 random(seed);
  Comparing comparing(g, seed, 15);
  const auto start = [&] {
    return g.oracle->Initial(rules::SetupId(static_cast<int32_t>(random() % g.rules->setups.size())));
  };
  for (int i = 0; i < walks && !::testing::Test::HasFailure(); ++i) {
    comparing.Walk(start(), turns);
    for (int k = 0; k < 6; ++k) {
      comparing.Walk(testing_support::RandomPosition(*g.rules, random), 4);
    }
    const Snapshot somewhere = testing_support::RandomPosition(*g.rules, random);
    CompareGame(g, start(), random(), 3 * turns);
    CompareGame(g, somewhere, random(), 3 * turns);
    if (i % 3 == 0) CompareDraws(g, somewhere, random());
  }
  EXPECT_GT(comparing.positions, 2 * walks) << comparing.faults << " faults, the last: " << comparing.last_fault;
  EXPECT_GT(comparing.moves, comparing.positions);
}

// ---- small games -----------------------------------------------------------------------------------

class FlatGames : public ::testing::TestWithParam<testing_support::FlatGame> {};

TEST_P(FlatGames, are_played_as_the_rules_say) {
  auto checked = CheckGame(GetParam().text);
  ASSERT_TRUE(checked.rules) << checked.error;
  const std::size_t cells = static_cast<std::size_t>(checked.rules->board.board_size());
  for (uint64_t number = 0; number < testing_support::TableIndexes().size(); ++number) {
    Game game;
    ASSERT_TRUE(game.Make(CheckGame(GetParam().text).rules, number)) << game.why;
    CompareAll(game, 7 + number, cells > 64 ? 1 : 4);
  }
}
INSTANTIATE_TEST_SUITE_P(Small, FlatGames, ::testing::ValuesIn(testing_support::FlatGames()),
                         [](const auto& info) { return info.param.name; });

// ---- rulesets --------------------------------------------------------------------------------------

std::unique_ptr<rules::Rules> CheckFile(const std::string& path) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  return check::Check({path, {}, false}, source::FileLoader(), sources, sink);
}

class Rulesets : public ::testing::TestWithParam<std::string> {};

TEST_P(Rulesets, with_a_flat_form) {
  Game game;
  auto rules = CheckFile(GetParam());
  ASSERT_TRUE(rules);
  if (rules->setups.empty() || !game.Make(std::move(rules), GetParam().size())) {
    GTEST_SKIP() << "it has no flat form";
  }
  CompareAll(game, 3, 1);
}
INSTANTIATE_TEST_SUITE_P(Files, Rulesets, ::testing::ValuesIn(testing_support::RuleFiles()), [](const auto& info) {
  std::string name = fs::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name + "_" + std::to_string(info.index);
});

// ---- what is not loaded ------------------------------------------------------------------------------

class Odd : public ::testing::Test {
 protected:
  void Make(const std::string& body) {
    auto checked = CheckGame(testing_support::OnFiveByFive(body));
    ASSERT_TRUE(checked.rules) << checked.error;
    ASSERT_TRUE(game.Make(std::move(checked.rules), 0));
    at = game.oracle->Initial(rules::SetupId(0));
  }
  Game game;
  Snapshot at;
};

TEST_F(Odd, positions_inside_a_turn_are_left_to_the_other_machine) {
  Make(testing_support::kMan + testing_support::kRunner + testing_support::kChief +
       "state { brief x : 0..3 = 0 }\nwhen Man moves { x = 2 }\n");
  EXPECT_TRUE(game.flat->Load(at));
  Snapshot odd = at;
  odd.brief_set[0] = true;
  EXPECT_FALSE(game.flat->Load(odd));
  odd = at;
  odd.last_self = 3;
  EXPECT_FALSE(game.flat->Load(odd));
  odd = at;
  odd.state[0] = 4;  // out of its range
  EXPECT_FALSE(game.flat->Load(odd));
  odd.state[0] = rules::kNone;
  EXPECT_FALSE(game.flat->Load(odd));
  game.slow->Load(odd);
  game.quick->Load(odd);
  EXPECT_EQ(game.quick->Perft(2, true), game.slow->Perft(2, true));
  uint64_t fast = 1, slow = 1;
  const RandomGame a = game.quick->PlayRandomly(&fast, 5), b = game.slow->PlayRandomly(&slow, 5);
  EXPECT_EQ(a.turns, b.turns);
}

TEST_F(Odd, pieces_that_nobody_can_own_are_left_to_the_other_machine) {
  Make(testing_support::kMan + testing_support::kRunner + testing_support::kChief +
       "neutral piece Stone \"o\" { may be off board }\n");
  const auto& kinds = game.rules->kinds;
  const auto found = std::find_if(kinds.begin(), kinds.end(), [](const rules::Kind& kind) { return kind.neutral; });
  ASSERT_NE(found, kinds.end());
  const int stone = static_cast<int>(found - kinds.begin());
  std::erase_if(at.pieces, [](const rules::PieceRecord& piece) { return piece.cell == rules::kNone; });
  EXPECT_TRUE(game.flat->Load(at));
  Snapshot odd = at;
  odd.pieces.push_back({rules::kNone, stone, rules::kNone, {}});
  EXPECT_FALSE(game.flat->Load(odd));  // it is off the board
  odd.pieces.back().cell = game.rules->board.Find("c3");
  rules::Canonicalize(*game.rules, odd);
  EXPECT_TRUE(game.flat->Load(odd));
  odd.pieces.front().owner = rules::kNone;
  EXPECT_FALSE(game.flat->Load(odd));
}

}  // namespace
}  // namespace arbiter::engine
