// Which conditions become operations on sets and which stay loops, which parts of turns are made from tables, which
// walks have tables for every direction.
#include <gtest/gtest.h>

#include <string>

#include "compile/compile.h"
#include "support/flat_games.h"

namespace arbiter::compile {
namespace {

std::shared_ptr<const program::Program> Compiled(const std::string& body) {
  const auto game = testing_support::CheckGame(
      testing_support::OnFiveByFive("piece Man \"M\" { move step(all) }\npiece Cat \"C\" { move step(all) }\npiece Rat "
                                    "\"R\" { move slide(orthogonal) "
                                    "}\n" +
                                    body + "\n"));
  if (!game.rules) ADD_FAILURE() << game.error << "\n" << body;
  return game.rules ? Compile(*game.rules) : nullptr;
}

int Number(const program::Program& p, program::Op op) {
  return static_cast<int>(std::count_if(p.code.begin(), p.code.end(), [&](const auto& ins) { return ins.op == op; }));
}

class Sets : public ::testing::TestWithParam<const char*> {};
TEST_P(Sets, need_no_loop) {
  const auto p = Compiled(GetParam());
  ASSERT_TRUE(p);
  EXPECT_EQ(Number(*p, program::Op::kNextCell) + Number(*p, program::Op::kNextItem), 0) << program::Dump(*p);
}
INSTANTIATE_TEST_SUITE_P(
    Conditions, Sets,
    ::testing::Values("forbid some c in everywhere : c is own and next(c, e) is enemy",
                      "define man(c) = c is own and not (c is Rat)\nforbid some c in everywhere : run(c, e, man) > 2",
                      "forbid (count m in own pieces : m is Man and m in last[me]) > 1",
                      "forbid every c in rank 1 : c is empty or cell(file(c), 6 - rank(c)) is Cat",
                      "piece state { used : bool = false }\nforbid some m in own pieces : m.used and not (m is Cat)",
                      "piece state { used : bool = false }\nforbid no m in own pieces : not m.used",
                      "piece state { used : 0..3 = 0 }\nwhen turn ends { for m in pieces { m.used = 2 } }",
                      "state { x : bool = true }\nforbid some c in { c in everywhere : if x then c is Man else c is "
                      "own } : c in last[me]"));

class Loops : public ::testing::TestWithParam<const char*> {};
TEST_P(Loops, stay) {
  const auto p = Compiled(GetParam());
  ASSERT_TRUE(p);
  EXPECT_GT(Number(*p, program::Op::kNextCell) + Number(*p, program::Op::kNextItem), 0) << program::Dump(*p);
}
INSTANTIATE_TEST_SUITE_P(
    Conditions, Loops,
    ::testing::Values("forbid some m in own pieces : attacked(m) and kind(m) == Man and m in rank 1",
                      "forbid some c in everywhere : c is own and reaches(c, step(e), c)",
                      "piece state { used : 0..3 = 0 }\nwhen turn ends { for m in pieces { if "
                      "m.used < 3 { m.used += 1 } } }"));

TEST(Parts, of_turns_are_made_from_tables) {
  const auto p = Compiled("action wait { }\nturn = wait then any move");
  ASSERT_TRUE(p);
  const auto& start = p->plan(p->phases[0].turn);
  EXPECT_FALSE(start.direct);
  EXPECT_TRUE(start.apart);
  int direct = 0;
  for (std::size_t place = 0; place < p->turn_states.size(); ++place) direct += p->plan(static_cast<int>(place)).direct;
  EXPECT_EQ(direct, 1);
  EXPECT_TRUE(p->harmless);
}

TEST(Parts, that_share_moves_with_others_are_not) {
  const auto p = Compiled("turn = (any move then any move) or any move");
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->plan(p->phases[0].turn).apart);
}

TEST(Walks, along_a_direction_given_while_playing_have_tables) {
  const auto p = Compiled(
      "action pull by Man {\n  for d in all {\n    let x = slide(d) from self onto any piece\n"
      "    if x exists { do { x -> next(self, d) } }\n  }\n}\nturn = any move or pull");
  ASSERT_TRUE(p);
  const auto found = std::find_if(p->walks.begin(), p->walks.end(), [](const auto& w) { return w.directions > 0; });
  ASSERT_NE(found, p->walks.end());
  EXPECT_EQ(found->form, program::WalkForm::kTable);
  EXPECT_GE(found->rows, 0);
}

}  // namespace
}  // namespace arbiter::compile
