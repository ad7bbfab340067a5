// Both layouts of tables hold the same ends, and the search for multipliers keeps its promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "compile/compile.h"
#include "compile/magic.h"
#include "support/rules_maker.h"

namespace arbiter::compile {
namespace {

using namespace testing_support;  // NOLINT
using program::Program;
using program::TableIndex;

// ---- multipliers ---------------------------------------------------------------------------------

uint64_t IndexOf(const Magic& magic, const uint64_t* set, int words) {
  program::Product product = 0;
  for (int i = 0; i < words; ++i) product += static_cast<program::Product>(set[i]) * magic.multiplier[i];
  return program::Folded(product) >> magic.shift;
}

class Multipliers : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Multipliers, every_set_of_cells_leads_to_its_own_entry) {
  const auto [words, count] = GetParam();
  std::mt19937_64 random(static_cast<uint64_t>(words * 100 + count));
  for (int round = 0; round < 10; ++round) {
    std::vector<int> all(static_cast<std::size_t>(64 * words));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    std::shuffle(all.begin(), all.end(), random);
    std::vector<int> cells(all.begin(), all.begin() + count);
    std::sort(cells.begin(), cells.end());
    // Every entry another one: the hardest case.
    const auto width = static_cast<std::size_t>(words);
    std::vector<uint64_t> table((std::size_t{1} << count) * width);
    for (auto& word : table) word = random();
    SparseNumbers numbers;
    const Magic magic = FindMagic(cells, table, words, &numbers);
    ASSERT_EQ(magic.table.size(), (std::size_t{1} << (64 - magic.shift)) * width);
    for (uint32_t entry = 0; entry < uint32_t{1} << count; ++entry) {
      uint64_t set[4] = {0, 0, 0, 0};
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if ((entry >> i & 1) != 0) set[cells[i] >> 6] |= uint64_t{1} << (cells[i] & 63);
      }
      const std::size_t at = IndexOf(magic, set, words) * width;
      ASSERT_TRUE(std::equal(table.begin() + static_cast<std::ptrdiff_t>(entry * width),
                             table.begin() + static_cast<std::ptrdiff_t>((entry + 1) * width),
                             magic.table.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    const Magic again = FindMagic(cells, table, words, &numbers);
    EXPECT_TRUE(std::equal(std::begin(magic.multiplier), std::end(magic.multiplier), again.multiplier));
    EXPECT_EQ(magic.table, again.table);
  }
}
INSTANTIATE_TEST_SUITE_P(WordsAndCells, Multipliers,
                         ::testing::Values(std::pair{1, 1}, std::pair{1, 7}, std::pair{1, 9}, std::pair{2, 2},
                                           std::pair{2, 7}, std::pair{4, 1}, std::pair{4, 7}, std::pair{4, 9}));

// The last cells of all words: on a board sixteen wide they are one file.
TEST(Multipliers, tell_the_last_cells_of_all_words_apart) {
  const std::vector<int> cells = {63, 127, 191, 255};
  std::vector<uint64_t> table;
  for (uint64_t i = 0; i < 64; ++i) table.push_back(i);
  SparseNumbers numbers;
  EXPECT_FALSE(FindMagic(cells, table, 4, &numbers).table.empty());
}

// ---- rows ----------------------------------------------------------------------------------------

using Words = std::array<uint64_t, 4>;

uint64_t Extracted(uint64_t set, uint64_t mask) {
  uint64_t index = 0;
  for (uint64_t bit = 1; mask != 0; bit += bit, mask &= mask - 1) {
    if ((set & mask & -mask) != 0) index |= bit;
  }
  return index;
}

Words EndsOf(const Program& p, const program::Row& row, const Words& occupied) {
  Words ends{};
  const auto words = static_cast<std::size_t>(p.words);
  const auto add = [&](const uint64_t* from) {
    for (std::size_t i = 0; i < words; ++i) ends[i] |= from[i];
  };
  if (row.constant >= 0) add(p.set(row.constant));
  for (int g = row.group; g < row.group + row.group_count; ++g) {
    const program::Group& group = p.groups[static_cast<std::size_t>(g)];
    uint64_t index = 0;
    program::Product product = 0;
    int shift = 0;
    for (std::size_t i = 0; i < words; ++i) {
      if (p.index == TableIndex::kExtract) index |= Extracted(occupied[i], group.mask[i]) << shift;
      shift += std::popcount(group.mask[i]);
      product += static_cast<program::Product>(occupied[i] & group.mask[i]) * group.multiplier[i];
    }
    if (p.index == TableIndex::kMagic) index = program::Folded(product) >> group.shift;
    add(p.tables.data() + group.table + index * words);
  }
  return ends;
}

struct Board {
  int width, height;
  bool wraps;
};
class Layouts : public ::testing::TestWithParam<Board> {};

// Slides, a walk that turns on the way, one that must jump, and attacks by all of them.
void AddWalks(Maker* m) {
  const std::vector<std::string> straight = {"n", "e", "s", "w"}, diagonal = {"ne", "se", "sw", "nw"};
  WalkNode turn;
  turn.op = WalkOp::kTurn;
  turn.min = 2;
  const WalkNodeId turned = m->r.walk_nodes.Add(turn);
  const WalkNodeId occupied = m->Guard(m->B(Op::kNot, {m->B(Op::kIsEmpty, {m->Here()})}));
  const std::vector<WalkId> walks = {
      m->Slide(straight), m->Slide({"n", "ne", "e", "se", "s", "sw", "w", "nw"}),
      m->Walk(m->Then({m->Step(diagonal), m->Times(m->Ahead(), 0, 3), m->Times(m->Then({turned, m->Ahead()}), 0, 1)})),
      m->Walk(m->Then({m->Over(m->Then({m->Step(straight), occupied, m->Ahead()}), m->Const(Base::kBool, 1))}))};
  std::vector<ActionId> actions;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    m->Kind("Kind" + std::to_string(i), std::string(1, static_cast<char>('A' + i)));
    actions.push_back(m->Goes("go" + std::to_string(i), KindSet{1} << i, walks[i]));
    Attack attack;
    attack.kinds = KindSet{1} << i;
    attack.walk = walks[i];
    m->r.attacks.push_back(attack);
  }
  m->OneAction(actions);
  m->Done();
}

TEST_P(Layouts, hold_the_same_ends) {
  const Board board = GetParam();
  CellSet holes;
  holes.set(10);
  Maker m(board.width, board.height, holes, board.wraps);
  AddWalks(&m);
  const auto extract = Compile(m.r, TableIndex::kExtract), magic = Compile(m.r, TableIndex::kMagic);
  ASSERT_EQ(extract->rows.size(), magic->rows.size());
  std::mt19937_64 random(5);
  int looked_up = 0;
  for (int round = 0; round < 200; ++round) {
    Words occupied{};
    for (int c = 0; c < extract->cells; ++c) {
      const bool stands = static_cast<int>(random() % 8) < round % 8;
      if (stands) occupied[static_cast<std::size_t>(c >> 6)] |= uint64_t{1} << (c & 63);
    }
    const auto same = [&](const program::Row& a, const program::Row& b) {
      looked_up += a.group_count;
      return EndsOf(*extract, a, occupied) == EndsOf(*magic, b, occupied);
    };
    for (std::size_t i = 0; i < extract->rows.size(); ++i) ASSERT_TRUE(same(extract->rows[i], magic->rows[i])) << i;
    for (std::size_t player = 0; player < 2; ++player) {
      ASSERT_EQ(extract->families[player].size(), magic->families[player].size());
      for (std::size_t f = 0; f < extract->families[player].size(); ++f) {
        const auto &a = extract->families[player][f].rows, &b = magic->families[player][f].rows;
        for (std::size_t i = 0; i < a.size(); ++i) ASSERT_TRUE(same(a[i], b[i])) << "attack " << f << " of " << i;
      }
    }
  }
  EXPECT_GT(looked_up, 10000);
}
INSTANTIATE_TEST_SUITE_P(Boards, Layouts,
                         ::testing::Values(Board{8, 8, false}, Board{7, 6, true}, Board{10, 10, false},
                                           Board{9, 12, true}, Board{14, 14, false}, Board{16, 16, true}));

TEST(Layouts, of_equal_rules_are_equal) {
  Maker m(8, 8);
  AddWalks(&m);
  const auto once = Compile(m.r, TableIndex::kMagic), twice = Compile(m.r, TableIndex::kMagic);
  EXPECT_EQ(once->tables, twice->tables);
}

}  // namespace
}  // namespace arbiter::compile
