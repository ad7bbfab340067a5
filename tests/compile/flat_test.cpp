// Which games have a flat form, and what is said of those that have none: a smallest game for every reason.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/compile.h"
#include "support/flat_games.h"

namespace arbiter::compile {
namespace {

using testing_support::CheckedGame;
using testing_support::CheckGame;
using testing_support::FlatGame;
using testing_support::OnFiveByFive;

std::shared_ptr<const program::Program> Compiled(const std::string& text) {
  const CheckedGame game = CheckGame(text);
  if (!game.rules) ADD_FAILURE() << game.error << "\n" << text;
  return game.rules ? Compile(*game.rules) : nullptr;
}

// ---- games with a flat form ----------------------------------------------------------------------

class Usable : public ::testing::TestWithParam<FlatGame> {};

TEST_P(Usable, form) {
  const auto p = Compiled(GetParam().text);
  ASSERT_TRUE(p);
  EXPECT_TRUE(p->flat.usable) << p->flat.why;
  EXPECT_EQ(p->flat.why, "one action a turn; what it changes is known beforehand");
}
INSTANTIATE_TEST_SUITE_P(Games, Usable, ::testing::ValuesIn(testing_support::FlatGames()),
                         [](const auto& info) { return info.param.name; });

// ---- games without ---------------------------------------------------------------------------------

struct Refused {
  std::string why, body, board;
};

// Men that do one thing more than to step, and nothing else.
Refused Action(const std::string& why, const std::string& steps, const std::string& more = "") {
  return {why, "piece Man \"M\" { move step(all)  can act }\n" + more + "action act {\n" + steps + "\n}\n", ""};
}
Refused Statement(const std::string& why, const std::string& statements, const std::string& more = "") {
  return {why, "piece Man \"M\" { move step(s)  " + statements + " }\n" + more, ""};
}
Refused Rule(const std::string& why, const std::string& more, const std::string& board = "") {
  Refused made = Statement(why, "take step(all)", more);
  made.board = board;
  return made;
}

const std::string kNumbers =
    "state { x : 0..3 = 0  y : 0..3 = 0  spot : cell? = none  flag : bool = true  other : bool = true }\nwhen turn "
    "ends { x = 1 }\n";

std::vector<Refused> AllRefused() {
  std::string many_numbers = "state {";
  for (int i = 0; i < 9; ++i) many_numbers += " x" + std::to_string(i) + " : 0..255 = 0";
  many_numbers += " }\nwhen turn ends {";
  for (int i = 0; i < 9; ++i) many_numbers += " x" + std::to_string(i) + " = 1";
  many_numbers += " }\n";
  std::string attackers = "use std.royal\npiece Man \"M\" royal { move step(all) }\n";
  for (int i = 1; i <= 22; ++i) {  // each attacks in a manner of its own
    const std::string north = "n{" + std::to_string(i / 5) + "}", east = "e{" + std::to_string(i % 5) + "}";
    attackers += "piece K" + std::string(1, static_cast<char>('a' + i)) + " \"" + "ABCDEFGHIJKLNOPQRSTUVWXYZ"[i] +
                 "\" { move or take (" +
                 (i < 5        ? east
                  : i % 5 == 0 ? north
                               : north + " then " + east) +
                 ") over any }\n";
  }
  return {
      // the shape of the game
      Rule("there are places off the board", "state { x : 0..1 = 0 }\n", "place bench[player] 1"),
      Rule("there are several phases", "phase one { turn = any move  after { goto two } }\nphase two { }\n"),
      Rule("the phase says who is on turn", "phase one { player White }\n"),
      Rule("the phase does something after every turn", "state { x : 0..1 = 0 }\nphase one { after { x = 1 } }\n"),
      Rule("pieces have a state of their own",
           "piece state { used : bool = false }\nwhen Man moves { it.used = true }\n"),
      Rule("an event asks for barriers crossed", "state { x : 0..1 = 0 }\nwhen Man crosses wall { x = 1 }\n",
           "barrier wall between ranks 1..2 and ranks 3..5"),
      Rule("an end is asked at once", "draw at once when (count m in pieces : true) <= 3\n"),
      Rule("more actions may follow", "turn = any move then any move\n"),
      Rule("a law has to be asked about every position", "forbid (count m in own pieces : true) == 2\n"),
      Rule("the state takes more than 63 bits", many_numbers),
      // beginnings of turns
      Rule("a handler of the beginning of a turn asks about more than pieces and state",
           "state { x : 0..1 = 0 }\nwhen turn begins if attacked(a1) { x = 1 }\n"),
      Rule("what a handler does depends on the position", kNumbers + "when turn begins { flag = other }\n"),
      Rule("a clock decides more than ends",
           "state { clock quiet : 0..9 = 0  x : 0..1 = 0 }\nwhen after action { quiet += 1 }\n"
           "when turn begins if quiet == 3 { x = 1 }\n"),
      Rule("the beginning of a turn sets what lasts for one turn",
           "state { brief x : 0..3 = 0 }\nwhen turn begins if no m in own pieces on rank 3 : true { x = 2 }\n"),
      // ends
      Rule("who wins by an end depends on the position",
           "state { best : player? = none }\nwhen Man moves { best = me }\nwin best when best exists\n"),
      Rule("an end asks about more than pieces and state", "lose me when attacked(a1)\n"),
      Rule("an end asks about more than pieces and state", "draw when stuck(me)\n"),
      // what movements change
      Rule("where an event happens depends on the position", kNumbers + "when Man enters own cells { y = 2 }\n"),
      Rule("whether a handler runs depends on the position", kNumbers + "when Man moves if x == 1 { y = 2 }\n"),
      Rule("whether a handler runs depends on the position", kNumbers + "when turn ends if x == 1 { y = 2 }\n"),
      Rule("what a handler does depends on the position", kNumbers + "when Man moves { flag = other }\n"),
      Rule("what a handler does depends on the position", kNumbers + "when after action { flag = other }\n"),
      Rule("a clock goes up and down in one action",
           "state { clock quiet : 0..9 = 5 }\nwhen Man moves { quiet += 1 }\nwhen Man is moved { quiet -= 1 }\n"),
      Rule("movements change the state in too many ways",
           "state { a : cell? = none  b : cell? = none }\npiece Rider \"R\" { move slide(all) }\n"
           "when any piece moves { a = from  b = to }\n"),
      Rule("what a capture and a movement do to the state depends on their order",
           "state { x : 0..3 = 0 }\nwhen Man is captured { x = 1 }\nwhen Man moves { x = 2 }\n"),
      Rule(
          "what several captures do to the state depends on their order",
          "state { x : 0..3 = 0 }\nwhen Man of White is captured { x = 1 }\nwhen Man of Black is captured { x = 2 }\n"),
      // statements
      {"an effect of a statement depends on the position",
       "piece Man \"M\" { move step(e) do { flag = other } }\n" + kNumbers, ""},
      Statement("a statement asks about more than pieces and state", "move step(e) if attacked(self)"),
      Statement("a clock decides more than ends", "move step(e) if quiet == 2",
                "state { clock quiet : 0..9 = 0 }\nwhen after action { quiet += 1 }\n"),
      Statement("statements that may reach the same cell have different limits",
                "move slide(e) if x == 1  move step(e)", kNumbers),
      Statement("statements that may reach the same cell have different limits",
                "move slide(e) if x == 1  move step(e)  move step(w)", kNumbers),
      // special actions
      Action("an action asks about the position after an effect",
             "choose to = step(e) from self onto empty  do { self -> to }  require next(to, e) is empty"),
      Action("an action asks for an attack that tables do not tell",
             "require not attacked(self)  choose to = step(e) from self onto empty\ndo { remove at next(to, e)  self "
             "-> to }",
             "piece Gun \"R\" { threaten slide(n) if a1 is empty  move step(n) }\n"),
      Action(
          "an action asks about more than pieces and state",
          "require attacked(self)  choose to = step(e) from self onto empty\ndo { remove at next(to, e)  self -> to }"),
      Action("an action chooses after an effect",
             "choose a = step(e) from self onto empty  do { self -> a }  choose b = step(e) from a onto enemy\n"
             "do { remove at b }"),
      Action("where a walk begins depends on the position",
             "choose to = step(e) from spot onto empty  do { self -> to }", kNumbers),
      Action("the cells that a walk may end on depend on the position",
             "choose to = step(e) from self onto empty within reach(a1, step(all))  do { remove at to  self -> to }"),
      Action("where a walk may end is no plain filter",
             "choose to = step(e) from self onto not own  do { remove at to  self -> to }"),
      Action("an action has too many cases",
             "choose a in everywhere  choose b in everywhere  choose c in everywhere  choose d in everywhere\n"
             "require a != b and c != d  do { x = 2 }",
             kNumbers),
      Action("the cell that a walk may end on depends on more than the state",
             "choose to = step(e) from self onto beyond  do { self -> to }",
             kNumbers + "define beyond = next(spot, e)\n"),
      Action("a `let` walk may have several ends",
             "let r = slide(all) from self onto own Man  require r exists\n"
             "choose to = step(e) from self onto empty  do { self -> to }"),
      Action("a piece removes itself", "choose to = step(e) from self onto empty  do { remove self }"),
      Action("what an action moves depends on the position",
             "choose to = step(e) from self onto empty  do { spot -> to }", kNumbers),
      Action("what an action removes depends on the position", "do { remove at spot }", kNumbers),
      Action("an effect depends on the position", "do { if x == 1 { y = 2 } else { y = 1 } }", kNumbers),
      Action("an effect depends on the position", "do { y = x }", kNumbers),
      Action("an action does more than move, remove and change the state",
             "choose other = step(all) from self onto own Man  do { swap self, other }"),
      Action("an action goes on without a piece that it looked for",
             "let r = step(e) from self onto own Man\nchoose to = step(w) from self onto empty  do { self -> to }"),
      Action("an action depends on the way of a choice",
             "choose to = step(all) from self onto empty  do { self -> to  y = (if heading(to) == n then 1 else 2) }",
             kNumbers),
      Action("what an action may choose depends on the position", "choose c in empty cells  do { self -> c }"),
      Action("an action names something that depends on the position",
             "let goal = (if x == 1 then a1 else b1)  do { spot = goal }", kNumbers),
      Action("an action names a piece",
             "choose hit = step(e) from self onto enemy Man  let h : piece = hit  do { remove h  self -> hit }"),
      Action("the steps of an action depend on the position",
             "if x == 1 { require a1 is empty }\nchoose to = step(e) from self onto empty  do { self -> to }",
             kNumbers),
      Action("an action calls another one, or loops",
             "for c in { a1, b1 } { do { remove at c } }\nchoose to = step(e) from self onto empty  do { self -> to }"),
      Action("a clock decides more than ends",
             "require quiet == 1  choose to = step(e) from self onto empty\ndo { remove at next(to, e)  self -> to }",
             "state { clock quiet : 0..9 = 0 }\nwhen after action { quiet += 1 }\n"),
      Action("a promotion depends on the position", "do { remove at a1 }",
             kNumbers + "every piece { promotes to Gun in rank 5 if x == 1 }\npiece Gun \"R\" { move step(n) }\n"),
      {"a walk has no tables",
       "piece Man \"M\" { can act }\naction act {\n"
       "choose to = all+ from self onto enemy  do { remove at to  self -> to }\n}\n",
       ""},
      {"two cases are the same move",
       "piece Man \"M\" { can act(n)  can act(e) }\n" + kNumbers +
           "action act(d) {\n  choose c in { c3, d3 }  require d == n or x == 1  do { spot = c }\n}\n",
       ""},
      {"there are too many kinds of attacks", attackers, ""},
      {"an action moves an enemy, which may then attack a guarded piece",
       "use std.royal\npiece Man \"M\" royal { move step(all)  can push }\npiece Rider \"R\" { move or take slide(all) "
       "}\n"
       "action push {\n  choose hit = step(all) from self onto enemy Rider\n"
       "  choose land = step(all) from hit onto empty\n  do { hit -> land }\n}\n",
       ""},
  };
}

class Unusable : public ::testing::TestWithParam<Refused> {};

TEST_P(Unusable, says_why) {
  const auto p = Compiled(R"(game "Probe"
use std.walks
players White facing n, Black facing s
limit turns 50
board { squares 5 x 5 )" + GetParam().board +
                          " }\n" + GetParam().body + R"(
setup to move White """
  5  . m . m .
  4  . . . . .
  3  . . . . .
  2  . . . . .
  1  . M . M .
"""
)");
  ASSERT_TRUE(p);
  EXPECT_FALSE(p->flat.usable);
  EXPECT_EQ(p->flat.why.substr(0, GetParam().why.size()), GetParam().why) << p->flat.why << GetParam().body;
  EXPECT_TRUE(p->flat.code_of.empty() && p->flat.sides.empty() && p->flat.cases.empty());  // nothing half made
}
INSTANTIATE_TEST_SUITE_P(Reasons, Unusable, ::testing::ValuesIn(AllRefused()), [](const auto& info) {
  std::string name = std::to_string(info.index) + "_";
  for (const char c : info.param.why.substr(0, 60)) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    if (c == ' ') name += '_';
  }
  return name;
});

}  // namespace
}  // namespace arbiter::compile
