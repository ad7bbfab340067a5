// Which laws are seen to guard pieces, in whatever words, and which say something else.
#include <gtest/gtest.h>

#include <string>

#include "compile/compile.h"
#include "support/flat_games.h"

namespace arbiter::compile {
namespace {

struct LawText {
  std::string text;
  std::string guards;  // letters of the kinds; empty: no guard
  bool only = false;
};

class Guards : public ::testing::TestWithParam<LawText> {};

TEST_P(Guards, are_recognised_by_what_they_say) {
  const auto game = testing_support::CheckGame(testing_support::OnFiveByFive(
      "class great\npiece Man \"M\" great { move or take step(all) }\n"
      "piece Cat \"C\" great { move or take step(all) }\npiece Rat \"R\" { move or take slide(orthogonal) }\n" +
      GetParam().text + "\n"));
  ASSERT_TRUE(game.rules) << game.error;
  const auto program = Compile(*game.rules);
  ASSERT_EQ(program->laws.size(), 1U);
  std::string guards;
  for (const char letter : {'M', 'C', 'R'}) {
    for (std::size_t k = 0; k < game.rules->kinds.size(); ++k) {
      const bool named = game.rules->kinds[k].letters[0][0] == letter;
      if (named && ((program->laws[0].guarded >> k) & 1) != 0) guards += letter;
    }
  }
  EXPECT_EQ(guards, GetParam().guards) << program->laws[0].why;
  EXPECT_EQ(program->laws[0].only, GetParam().only);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, Guards,
    ::testing::Values(LawText{"forbid some k in own Man : attacked(k)", "M"},
                      LawText{"forbid some k in own pieces : k is Man and attacked(k)", "M"},
                      LawText{"forbid some k in own pieces : attacked(k) and k is great", "MC"},
                      LawText{"forbid some k in own pieces : (k is Man or k is Rat) and attacked(k)", "MR"},
                      LawText{"forbid some k in own pieces : attacked(k) and not (k is Rat)", "MC"},
                      LawText{"forbid not (no k in own Man : attacked(k))", "M"},
                      LawText{"forbid not (every k in own Man : not attacked(k))", "M"},
                      LawText{"forbid not (every k in own pieces : k is Rat or not attacked(k))", "MC"},
                      LawText{"forbid (count k in own Man : attacked(k)) > 0", "M"},
                      LawText{"forbid (count k in own Man : attacked(k)) >= 1", "M"},
                      LawText{"forbid (count k in own Man : attacked(k)) != 0", "M"},
                      LawText{"forbid some k in pieces : k is Man and k is own and attacked(k)", "M"},
                      LawText{"forbid some k in pieces of me : attacked(k)", "MCR"},
                      LawText{"forbid (some k in own Man : attacked(k)) or (some k in own Cat : attacked(k))", "MC"},
                      LawText{"forbid at turn end some k in own Man : attacked(k)", "M"},
                      LawText{"forbid attacked(Man of me)", "M", true},
                      LawText{"forbid attacked(Man of me) or attacked(Cat of me)", ""},
                      LawText{"forbid attacked(Man of opponent)", ""},
                      LawText{"forbid some k in enemy Man : attacked(k)", ""},
                      LawText{"forbid some k in pieces : k is Man and attacked(k)", ""},
                      LawText{"forbid (count k in own Man : attacked(k)) >= 2", ""},
                      LawText{"forbid every k in own Man : attacked(k)", ""},
                      LawText{"forbid no k in own Man : not attacked(k)", ""},
                      LawText{"forbid some k in own Man on rank 1 : attacked(k)", ""},
                      LawText{"forbid some k in own Man : attacked(k) and k in rank 1", ""},
                      LawText{"forbid some k in own Man : not attacked(k)", ""}),
    [](const auto& info) { return "law_" + std::to_string(info.index); });

}  // namespace
}  // namespace arbiter::compile
