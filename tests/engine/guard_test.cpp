// Blockers and pins against making every move and asking: two forms of one law, which the compiler tells apart.
//
// The plain form is recognised and answered by reversed tables; with a double negation it is asked after
// every action. Both must offer the same moves everywhere: on small boards in every position, on larger ones
// and on boards that wrap, with bent walks, several guarded pieces and conditions, in random ones.
#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "compile/compile.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "support/rules_maker.h"
#include "support/table_index.h"

namespace arbiter::engine {
namespace {

using namespace testing_support;  // NOLINT

struct Pieces {
  int chief, tower, jumper, snake;
};

// A chief that may not be left under attack, a slider, a leaper, and a piece that goes round one corner.
struct Game {
  explicit Game(int width, int height) : m(width, height) {}
  Maker m;
  Pieces kinds{};

  void Build(bool recognisable) {
    kinds.chief = m.Kind("Chief", "C");
    kinds.tower = m.Kind("Tower", "T");
    kinds.jumper = m.Kind("Jumper", "J");
    kinds.snake = m.Kind("Snake", "S");
    const std::vector<std::string> four = {"n", "e", "s", "w"};
    const WalkId step = m.Walk(m.Step({"n", "ne", "e", "se", "s", "sw", "w", "nw"}));
    const WalkId slide = m.Slide(four);
    const WalkId leap = m.Walk(m.Leap(1, 2));
    // A slide along a diagonal that may turn once by a right angle and slide on.
    WalkNode turn;
    turn.op = WalkOp::kTurn;
    turn.min = 2;
    const WalkNodeId turned = m.r.walk_nodes.Add(turn);
    const WalkId bent = m.Walk(m.Then(
        {m.Step({"ne", "se", "sw", "nw"}), m.Star(m.Ahead()), m.Times(m.Then({turned, m.Plus(m.Ahead())}), 0, 1)}));
    std::vector<ActionId> actions;
    const auto goes = [&](int kind, WalkId walk) {
      actions.push_back(m.Goes("go" + std::to_string(kind), KindSet{1} << kind, walk));
      Attack attack;
      attack.kinds = KindSet{1} << kind;
      attack.walk = walk;
      attack.frame_size = 1;
      m.r.attacks.push_back(attack);
    };
    goes(kinds.chief, step);
    goes(kinds.tower, slide);
    goes(kinds.jumper, leap);
    goes(kinds.snake, bent);
    m.OneAction(actions);
    const ExprId pieces = m.E(Op::kPieces, Maker::T(Base::kPiece, true));
    m.r.exprs[pieces].kinds = KindSet{1} << kinds.chief;
    m.r.exprs[pieces].side = Side::kMine;
    ExprId attacked = m.B(Op::kAttacked, {m.Local(0, Base::kPiece)});
    if (!recognisable) attacked = m.B(Op::kAnd, {attacked, m.B(Op::kLe, {m.Number(0), m.Number(1)})});
    const ExprId some = m.B(Op::kSome, {pieces, attacked});
    m.r.exprs[some].slot = 0;
    Law law;
    law.condition = some;
    law.frame_size = 1;
    m.r.laws.push_back(law);
    m.Done();
  }
};

struct Pair {
  Game table, asked;
  std::shared_ptr<const program::Program> table_program, asked_program;
  Pair(int width, int height, program::TableIndex index = program::BestIndex())
      : table(width, height), asked(width, height) {
    table.Build(true);
    asked.Build(false);
    table_program = compile::Compile(table.m.r, index);
    asked_program = compile::Compile(asked.m.r, index);
  }
};

void ExpectSame(Position& table, Position& asked, const Snapshot& at) {
  table.Load(at);
  asked.Load(at);
  const auto moves = table.Moves();
  ASSERT_EQ(moves, asked.Moves());
  ASSERT_EQ(table.Perft(1, true), moves.size());
  ASSERT_EQ(table.Perft(1, false), moves.size());
}

TEST(Guard, the_two_forms_are_told_apart) {
  const Pair pair(4, 4);
  EXPECT_NE(pair.table_program->laws[0].guarded, 0U);
  EXPECT_EQ(pair.asked_program->laws[0].guarded, 0U);
  const int start = pair.table_program->phases[0].turn;
  EXPECT_TRUE(pair.table_program->plan(start).direct);
  EXPECT_FALSE(pair.asked_program->plan(start).direct);
}

TEST(Guard, every_position_of_four_pieces_on_a_small_board) {
  const Pair pair(3, 4);
  const auto& k = pair.table.kinds;
  Position table(pair.table_program), asked(pair.asked_program);
  const auto name = [&](int cell) { return pair.table.m.r.board.name(cell); };
  for (int a = 0; a < 12; ++a) {
    for (int b = 0; b < 12; ++b) {
      for (int c = 0; c < 12; ++c) {
        for (int d = 0; d < 12; ++d) {
          if (a == b || a == c || a == d || b == c || b == d || c == d) continue;
          const Snapshot at = pair.table.m.At(
              {{k.chief, 0, name(a)}, {k.tower, 0, name(b)}, {k.snake, 1, name(c)}, {k.tower, 1, name(d)}});
          ExpectSame(table, asked, at);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

class Random : public ::testing::TestWithParam<std::tuple<std::pair<int, int>, program::TableIndex>> {};

// Any number of guarded pieces, none included; the widths of the boards ask for every width of set.
TEST_P(Random, positions) {
  const auto [size, index] = GetParam();
  const auto [width, height] = size;
  const Pair pair(width, height, index);
  Position table(pair.table_program), asked(pair.asked_program);
  std::mt19937 random(7);
  const int cells = width * height;
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < (cells > 64 ? 60 : 400); ++round) {
    std::vector<Maker::Man> men;
    std::vector<bool> taken(static_cast<std::size_t>(cells), false);
    const int count = 3 + below(cells / 4 + 1);
    for (int i = 0; i < count; ++i) {
      const int cell = below(cells);
      if (taken[static_cast<std::size_t>(cell)]) continue;
      taken[static_cast<std::size_t>(cell)] = true;
      const int kind = i < 2 || below(20) == 0 ? 0 : 1 + below(3);
      men.push_back({kind, i % 2, pair.table.m.r.board.name(cell)});
    }
    ExpectSame(table, asked, pair.table.m.At(men, round % 2));
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Boards, Random,
                         ::testing::Combine(::testing::Values(std::pair{5, 5}, std::pair{8, 8}, std::pair{10, 10},
                                                              std::pair{13, 13}),
                                            ::testing::ValuesIn(TableIndexes())));

TEST(Guard, counts_are_those_of_the_oracle) {
  for (const program::TableIndex index : TableIndexes()) {
    const Pair pair(6, 6, index);
    const auto& k = pair.table.kinds;
    const Snapshot at = pair.table.m.At({{k.chief, 0, "b1"},
                                         {k.tower, 0, "a1"},
                                         {k.snake, 0, "c2"},
                                         {k.jumper, 0, "d2"},
                                         {k.chief, 1, "e6"},
                                         {k.tower, 1, "f6"},
                                         {k.snake, 1, "d5"},
                                         {k.jumper, 1, "c5"}});
    Position position(pair.table_program);
    position.Load(at);
    EXPECT_GT(position.Perft(3, true), 1000U);
    EXPECT_EQ(position.Perft(2, true), oracle::Oracle(pair.table.m.r).Perft(at, 2));
  }
}

}  // namespace
}  // namespace arbiter::engine
