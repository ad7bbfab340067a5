// Which clauses random games exercise, on a game made so that every answer can be worked out by hand.
#include "validate/exercise.h"

#include <gtest/gtest.h>

#include "check/check.h"
#include "diagnostics/render.h"
#include "source/loader.h"

namespace arbiter::validate {
namespace {

// One man a side; White's goes one step and has won, or Black's after that: two turns at most. Each clause of the text
// is cited once, by what the test calls it.
const std::string kHead = R"(
game "Steps"
text "steps.md"
option tall : bool = false
option calm : bool = true
players White facing n, Black facing s
board { squares 3 x 4 }
setup to move White """
  4  . . m
  3  . . .
  2  . . .
  1  M . .
"""
)";

class Texts : public source::Loader {
 public:
  explicit Texts(std::string rules) : rules_(std::move(rules)) {}
  [[nodiscard]] source::LoadResult Read(const std::string& path) const override {
    source::LoadResult result;
    if (path == "steps.rules") {
      result.text = rules_;
      result.problem = source::LoadResult::Problem::kNone;
    } else if (path == "steps.md") {
      for (int i = 1; i <= 20; ++i) result.text += "**" + std::to_string(i) + "** It is so.\n\n";
      result.problem = source::LoadResult::Problem::kNone;
    } else if (path == "more/men.rules") {
      result.text = "piece Man \"M\" { move forward }\n";
      result.problem = source::LoadResult::Problem::kNone;
    } else {
      result.problem = source::LoadResult::Problem::kMissing;
    }
    return result;
  }

 private:
  std::string rules_;
};

struct Checked {
  std::unique_ptr<rules::Rules> traced, plain;
  std::string text;
};

Checked CheckBoth(const std::string& rest) {
  Checked checked;
  Texts texts(kHead + rest);
  checked.text = texts.Read("steps.md").text;
  for (bool trace : {true, false}) {
    source::SourceMap sources;
    diagnostics::Sink sink;
    check::Request request;
    request.path = "steps.rules";
    request.trace = trace;
    (trace ? checked.traced : checked.plain) = check::Check(request, texts, sources, sink);
    for (const auto& d : sink.all()) {
      if (d.severity == diagnostics::Severity::kError) ADD_FAILURE() << diagnostics::Render(d, sources, {});
    }
  }
  return checked;
}

// The clauses exercised in some of ten games, with the number of games: "1:10 3:4".
std::string Exercised(const std::string& rest, int games = 10) {
  Checked checked = CheckBoth(rest);
  if (!checked.traced || !checked.plain) return "wrong rules";
  SoakRequest request;
  request.games = games;
  Exercise exercise = ExerciseClauses(*checked.traced, checked.text, request);
  EXPECT_EQ(exercise.games, games);
  EXPECT_TRUE(exercise.soak.troubles.empty());
  // The games are those of the untraced rules.
  SoakReport plain = Soak(*checked.plain, *MakeOracle(*checked.plain), request);
  EXPECT_EQ(exercise.soak.lengths, plain.lengths);
  EXPECT_EQ(exercise.soak.played, plain.played);
  std::string text;
  for (const ExercisedClause& c : exercise.clauses) {
    if (c.exercised()) text += (text.empty() ? "" : " ") + c.covered.clause.number + ":" + std::to_string(c.games);
  }
  return text;
}

const std::string kWin = "when Man of p moves { win p }\n";

TEST(Exercise, statements_of_pieces_that_were_played) {
  EXPECT_EQ(Exercised("piece Man \"M\" { move forward §1  take forward §2  move forward if tall §3 }\n" + kWin),
            "1:10");
}

TEST(Exercise, a_piece_that_moved_and_one_that_did_not) {
  EXPECT_EQ(Exercised("piece Man \"M\" { move forward } §1\npiece Ox \"X\" { move forward } §2\n" + kWin), "1:10");
}

TEST(Exercise, a_file_that_is_used_and_one_that_nothing_comes_from) {
  EXPECT_EQ(Exercised("use more.men §1\nuse std.adjacency §2\n" + kWin), "1:10");
}

TEST(Exercise, steps_and_effects_that_were_carried_out) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { can go_on }
state { n : 0..9 = 0 }
effect count_up() { n += 1 §1 } §2
effect never_called() { n = 0 §3 } §4
action go_on {
  choose c = step_on from self onto empty §5
  require c is empty §6
  if tall { require c is empty §7 } else { require not tall §8 }
  do {
    if n > 3 { n = 0 §9 } §10
    count_up() §11
    self -> c §12
    remove at b2 §13
  }
  written self, "!", c §14
} §15
walk step_on = forward
when Man of p moves { win p }
)"),
            "1:10 2:10 5:10 6:10 8:10 11:10 12:10 14:10 15:10");
}

TEST(Exercise, what_was_tried_but_not_played_does_not_count) {
  // `home` is offered at no time: it leaves the board. `longer` is refused by its own requirement.
  EXPECT_EQ(Exercised(R"(
piece Man "M" { can onward  can home  can longer }
action onward { choose c = forward from self onto empty  do { self -> c } } §1
action home   { choose c = backward from self onto empty §2  do { self -> c } } §3
action longer { choose c = forward from self onto empty §4  require c is Man  do { self -> c } } §5
when Man of p moves { win p }
)"),
            "1:10");
}

TEST(Exercise, handlers_that_ran) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward }
state { n : 0..9 = 0 }
when Man moves { n = 1 } §1
when Man is captured { n = 2 } §2
when Man moves if tall { n = 3 } §3
when Man moves if n == 1 { if n == 1 { n = 4 §4 } else { n = 5 §5 } } §6
when turn ends { win White } §7
when turn begins { n = 1 } §8
)"),
            "1:10 4:10 6:10 7:10");
}

TEST(Exercise, laws_that_took_something_away) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward  move right }
forbid some m in own pieces : m in file b §1
forbid some m in own pieces : m in rank 4 and me == White §2
when Man of p moves { win p }
)"),
            "1:10");
}

TEST(Exercise, the_end_that_ended_the_game) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward }
win p when Man of p in rank 2 and p == White §1
draw when Man of White in rank 1 and me == Black §2
limit turns 3 §3
)"),
            "1:10");
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward if self in rank 1 }
state { n : 0..9 = 0 }
when no legal turn { if n == 0 { draw §1 } else { win opponent §2 } } §3
)"),
            "1:10 3:10");
}

TEST(Exercise, definitions_that_gave_something) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward if not held(self) and (loose(self) or far(self)) and near }
define held(m)  = m in rank 3 §1
define loose(m) = m in rank 1 and m is own §2
define far(m)   = m in rank 4 §3
define near     = loose_ones is not empty §4
define loose_ones = own pieces §5
define fixed_by_options = calm §6
define unused(m) = m in rank 1 §7
zone home = rank 1 §8
when Man of p moves { win p }
)"),
            "2:10 4:10 5:10");
}

TEST(Exercise, names_count_with_what_they_stand_in) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move ahead_only if self in home or calm  move right if tall and self in away }
walk ahead_only = one_step §1
walk one_step = forward §2
walk aside = left §3
zone home = rank 1 §4
zone away = rank 4 §5
option brave : bool = true §6
option shy : bool = true §7
state { made : 0..9 = 0 } §8
state { kept : 0..9 = 0 } §9
when Man of p moves if brave { made = 1  win p }  // shy kept
)"),
            "1:10 2:10 4:10 6:10 8:10");
}

TEST(Exercise, parts_of_turns) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { can onward  can aside  can still }
action onward { choose c = forward from self onto empty  do { self -> c } }
action aside { choose c = right from self onto Man  do { self -> c } }
action still { require true }
turn = if me == White : (aside §1 else first §2) §3 otherwise still §4
turn first = (onward §5) then (still §6 or aside §7)
when turn ends if me == Black { draw }
)"),
            "2:10 3:10 4:10 5:10 6:10");
}

TEST(Exercise, what_stands_behind_the_last_part_is_cited_for_all) {
  const std::string actions = R"(
piece Man "M" { can onward  can aside  can still }
action onward { choose c = forward from self onto empty  do { self -> c } }
action aside { choose c = right from self onto Man  do { self -> c } }
action still { require true }
when turn ends { draw }
)";
  EXPECT_EQ(Exercised(actions + "turn = onward else still or aside §1\n"), "1:10");
  EXPECT_EQ(Exercised(actions + "turn = onward §2 else still or aside §1\n"), "2:10");
  EXPECT_EQ(Exercised(actions + "turn = if me == White : onward or still otherwise onward else still §1\n"), "");
}

TEST(Exercise, phases_setups_boards_and_players) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward }
phase one { player White  turn = any move  after { goto two §1 } } §2
phase two { player Black  turn = any move  after { draw } } §3
phase six { player Black  turn = any move } §4
zone side = file a §5
fixed piece Wall "W" §6
)"),
            "1:10 2:10 3:10 6:10");
}

TEST(Exercise, threats_that_were_found) {
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward if not attacked(self)  threaten forward §1  threaten n then n then n then e then e §2 }
when Man of p moves { win p }
)"),
            "");
  EXPECT_EQ(Exercised(R"(
piece Man "M" { move forward if calm or attacked(self)  move forward if attacked(a1)  threaten forward §1 }
forbid not attacked(c3) §2
when Man of p moves { win p }
)"),
            "1:10");
}

TEST(Exercise, a_game_in_two_parts_counts_games_apart) {
  // White goes ahead or aside, each in some games.
  std::string found = Exercised("piece Man \"M\" { move forward §1  move right §2 }\n" + kWin, 40);
  int ahead = 0, aside = 0;
  ASSERT_EQ(std::sscanf(found.c_str(), "1:%d 2:%d", &ahead, &aside), 2) << found;
  EXPECT_EQ(ahead + aside, 40);
  EXPECT_GT(ahead, 0);
  EXPECT_GT(aside, 0);
}

}  // namespace
}  // namespace arbiter::validate
