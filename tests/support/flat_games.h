// Small games that have a flat form, one for each thing that the form can say, as rule texts; and how a text becomes
// a game.
//
// tests/compile asks that each of them is found to be flat, tests/engine that it is played right.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/check.h"
#include "compile/compile.h"

namespace arbiter::testing_support {

struct FlatGame {
  std::string name, text;
};

struct CheckedGame {
  std::unique_ptr<rules::Rules> rules;  // null: refused
  std::string error;                    // the first one
};

inline CheckedGame CheckGame(const std::string& text) {
  source::MemoryLoader loader;
  loader.Add("game.rules", text);
  source::SourceMap sources;
  diagnostics::Sink sink;
  CheckedGame game;
  game.rules = check::Check({"game.rules", {}, false}, loader, sources, sink);
  for (const auto& d : sink.all()) {
    if (d.severity == diagnostics::Severity::kError && game.error.empty()) game.error = d.message;
  }
  return game;
}

// Two armies in the middle of a small board, which is where most of these games are played. `body` says the pieces M
// (a man), C (a chief) and R (a runner) and everything else.
inline const std::string kDiagram = R"(
  5  r . c . r
  4  m m . m m
  3  . . . . .
  2  M M . M M
  1  R . C . R
     a b c d e
)";
inline std::string OnFiveByFive(const std::string& body, const std::string& diagram = kDiagram) {
  return R"(game "Probe"
use std.walks
players White facing n, Black facing s
board {
  squares 5 x 5
  zone last[White] = rank 5   zone last[Black] = rank 1
  zone second[White] = rank 2   zone second[Black] = rank 4
}
)" + body +
         "\nsetup to move White \"\"\"" + diagram + "\"\"\"\n";
}

// What most of them have in common: men of the usual kind, runners, and a chief.
inline const std::string kMan = R"(piece Man "M" { move step(forward)  take step(forward_diagonal) }
)";
inline const std::string kRunner = R"(piece Runner "R" { move or take slide(orthogonal) }
)";
inline const std::string kChief = R"(piece Chief "C" { move or take step(all) }
)";
// The chief may not be left attacked.
inline const std::string kRoyalChief = R"(use std.royal
piece Chief "C" royal { move or take step(all) }
)";

inline std::vector<FlatGame> FlatGames() {
  std::vector<FlatGame> games;
  const auto add = [&](const std::string& name, std::string text) { games.push_back({name, std::move(text)}); };
  const auto small = [&](const std::string& name, const std::string& body, const std::string& diagram = kDiagram) {
    add(name, OnFiveByFive(body, diagram));
  };

  small("nothing_but_moves", kMan + kRunner + kChief);
  small("one_guarded", kMan + kRunner + kRoyalChief);
  small("all_guarded", R"(use std.royal
piece Man "M" royal { move step(forward)  take step(forward_diagonal) }
piece Runner "R" royal { move or take slide(orthogonal) }
piece Chief "C" { move or take step(all) }
)");
  // Two kinds of guarded pieces, a bent slider, a lame leaper.
  small("several_guarded_and_bent_lines", R"(use std.royal
piece Man "M" royal { move or take step(all) }
piece Runner "R" { move or take diagonal then ahead* then (turn right then ahead+)? }
piece Chief "C" { move or take lame_knight(orthogonal) }
)");
  small("captures_of_some_kinds", R"(
piece Man "M" { move step(forward)  can bite }
piece Runner "R" { move slide(orthogonal)  can strike }
piece Chief "C" { move step(all)  can strike  can bite }
action bite { choose to = step(forward_diagonal) from self onto enemy Runner or enemy Chief  do { remove at to  self -> to } }
action strike { choose to = slide(diagonal) from self onto enemy Man  do { remove at to  self -> to } }
)");
  small("promotion", kRunner + kRoyalChief + R"(
piece Guard "G" { move or take step(orthogonal) }
piece Man "M" {
  move step(forward)  take step(forward_diagonal)
  promotes to Runner | Guard in last[me]
}
)");
  small("promotion_if_one_likes_and_differing_by_cell", kRunner + kChief + R"(
piece Guard "G" { move or take step(orthogonal) }
piece Man "M" {
  move step(all)
  promotes to Runner in last[me] optional
  promotes to Guard in file a
}
)");
  small("promotion_in_a_special_action", kRunner + kChief + R"(
state { allowed[player] : bool = true }
piece Man "M" {
  move step(forward)
  can leapfrog
  promotes to Runner | Chief in last[me]
}
action leapfrog {
  require allowed[me]
  choose over_it = step(forward) from self onto enemy
  choose to = step(forward) from over_it onto empty
  do { remove at over_it  self -> to }
}
when Chief of p moves { allowed[p] = false }
)");
  small("castling", R"(use std.royal
piece Chief "C" royal { move or take step(all)  can castle }
piece Runner "R" { move or take slide(orthogonal) }
)" + kMan + R"(
state { may[player] : bool = true }
action castle {
  require may[me]
  choose to = e then ahead from self onto empty
  let rook = slide(e) from self onto own Runner within { e1, e5 }
  require rook exists
  require not attacked(self) and not attacked(to)
  do { rook -> next(self, e)  self -> to }
}
when Chief of p moves { may[p] = false }
when Runner of p leaves last[opponent of p] { may[p] = false }
when piece at last[opponent of p] is captured { may[p] = false }
)");
  small("taking_in_passing", kRunner + kRoyalChief + R"(
state { brief passed : cell? = none }
piece Man "M" {
  move step(forward)
  move forward then ahead from second[me] do { passed = next(self, backward) }
  take step(forward_diagonal)
  can take_passing
}
action take_passing {
  choose to = step(forward_diagonal) from self onto passed
  do { remove at next(to, backward)  self -> to }
}
when turn begins if passed exists and not can_play(take_passing) { passed = none }
draw when repetition 3
)");
  // Several pieces fall at once, of either side, guarded ones too.
  small("an_action_that_removes_all_around", kRunner + kRoyalChief + R"(
state { blasts : 0..1 = 0 }
piece Man "M" { move step(forward)  can blast }
action blast {
  choose to = step(forward) from self onto enemy
  do { remove at next(to, e)  remove at next(to, w)  remove at to  self -> to  blasts = 1 }
}
when Chief of p is captured { blasts = 0 }
)");
  // An enemy is moved, which may open a line or close one.
  small("an_action_that_pushes", kMan + kChief + R"(
piece Runner "R" { move or take slide(orthogonal)  can push }
action push {
  choose hit = step(orthogonal) from self onto enemy Runner
  choose land = step(orthogonal) from hit onto empty
  do { hit -> land  self -> hit }
}
)");
  small("an_action_that_moves_a_friend", kMan + kRoyalChief + R"(
piece Runner "R" { move or take slide(orthogonal)  can throw }
action throw {
  choose friend = step(orthogonal) from self onto own Chief
  choose land = slide(diagonal) from friend onto empty
  do { friend -> land }
}
)");
  small("an_action_that_gives_up_a_friend", kMan + kRoyalChief + R"(
piece Runner "R" { move or take slide(orthogonal)  can drop }
action drop { choose friend = step(orthogonal) from self onto own Man or own Chief  do { remove at friend } }
)");
  small("an_action_of_nobody", kMan + kRunner + kChief + R"(
state { phase_of : 0..3 = 0  last_cell : cell? = none }
turn = any move or rest or mark
action rest { require phase_of < 2  do { phase_of = 2 } }
action mark { choose c in { a1, c3, e5 }  require last_cell != c  do { last_cell = c } }
when any piece moves { phase_of = 0 }
)");
  small("pass_beside_moves", kMan + kRunner + kRoyalChief + "turn = any move or pass\n");
  small("conditions_by_state_and_pieces", kRunner + kChief + R"(
state { awake : bool = true  level : 1..6? = none  count_down : 0..5 = 2 }
piece Man "M" {
  move step(forward) if awake
  move step(backward) if level exists and level >= 3
  take step(forward_diagonal) if (count x in enemy pieces : x is Runner) >= 1
  move step(sideways) if not (level < 4) and count_down <= 3
  move forward then ahead if no x in own pieces on rank 3 : x is Man
}
when Man moves { awake = false }
when Runner moves { awake = true  level = none }
when Chief moves from everywhere to file c { level = 3 }
when Chief moves from everywhere to file d { level = 5 }
when any piece is captured { count_down = 4 }
)");
  small("ends_over_sets_and_counts", kMan + kRunner + kChief + R"(
state { won_by : player? = none }
win p when won_by == p
lose p when no x in pieces of p : x is Chief
win p when Chief of p in last[p]
draw when (count x in pieces except Chief : true) <= 6
draw when every x in pieces : x is Chief or x is Runner
win me when (count x in own pieces on rank 3 : x is Man) == 3
when Runner of p enters { c3 } { won_by = p }
limit turns 60
)");
  // The end is held for two players at once in some positions, which is a fault.
  small("an_end_for_two_at_once", kMan + kRunner + kChief + R"(
win p when (count x in pieces of p : true) <= 5
)");
  small("ends_without_moves", kMan + kRoyalChief + R"(
piece Runner "R" { move or take step(diagonal) }
when no legal turn { if in_check(me) { win opponent } else { draw } }
draw when repetition 3
limit turns 80
)");
  small("clocks_that_stop", kMan + kRunner + kChief + R"(
state {
  clock quiet : 0..7 = 0
  clock rest[player] : -2..3 = 3
  tired[player] : bool = false
}
when after action { quiet += 1 }
when any piece is captured { quiet = 0 }
when Runner of p moves { rest[p] -= 2 }
when Chief of p moves { rest[p] += 5 }
draw when quiet >= 6
lose p when rest[p] == -2
)");
  small("handlers_that_look_at_cells", kMan + kRunner + kChief + R"(
state {
  last_from : cell? = none
  last_to : cell = c3
  fallen : bool = false
  arrived : bool = false
  brief mark : 0..3 = 1
}
when Runner moves { last_from = from }
when Chief is moved { last_to = to }
when Man of p is captured { fallen = true }
zone middle = b3..c3
when any piece enters middle if it is Runner { mark = 3 }
when Man of p leaves second[p] { mark = 2 }
when any piece of p lands in last[p] { arrived = true }
win me when fallen and mark == 2 and (last_from == a1 or arrived)
)");
  small("state_set_at_the_beginning", kMan + kRunner + kChief + R"(
state { brief mood : 0..3 = 1  seen[player] : bool = false  by_turn : bool = false }
when turn begins if seen[me] { mood = 1 }
when turn begins if some x in own pieces on rank 3 : x is Man { by_turn = true }
when turn begins if (count x in enemy pieces on rank 3 : x is Man) >= 2 { by_turn = false }
when Runner of p moves { seen[p] = true }
when Chief of p moves { seen[p] = false }
when Man moves if me == White { mood = 2 }
)");
  small("statements_that_meet", kMan + kChief + R"(
piece Runner "R" { move step(n)  move slide(orthogonal)  take step(n)  take step(all) }
)");
  small("neutral_pieces_in_the_way", R"(use std.royal
neutral piece Stone "o" { }
piece Man "M" { move step(forward)  take step(forward_diagonal)  can shove }
piece Runner "R" { move or take slide(orthogonal) }
piece Chief "C" royal { move or take step(all) }
action shove {
  choose hit = step(forward) from self onto Stone
  choose land = step(forward) from hit onto empty
  do { hit -> land  self -> hit }
}
state { home : bool = false }
when Stone enters rank 5 { home = true }
win White when home
)",
        R"(
  5  r . c . r
  4  . m o m .
  3  . . o . .
  2  . M o M .
  1  R . C . R
     a b c d e
)");
  small("a_stone_is_taken", R"(use std.royal
neutral piece Stone "o" { }
piece Man "M" { move step(forward)  can crush }
piece Runner "R" { move or take slide(orthogonal)  can crush }
piece Chief "C" royal { move or take step(all) }
action crush {
  choose hit = step(all) from self onto Stone
  do { remove at hit  self -> hit }
}
state { crushed : bool = false }
when Stone is moved { crushed = true }
when any piece is captured { crushed = true }
win Black when crushed and Stone in { c3 }
)",
        R"(
  5  r . c . r
  4  . m . m .
  3  . . o . .
  2  . M . M .
  1  R . C o R
     a b c d e
)");
  add("three_players", R"(game "Three"
use std.walks
use std.royal
players Red facing n, Green facing s, Blue facing e
board { squares 6 x 6 }
piece King "K" "k" "q" royal { move or take step(all)  can leave }
piece Rook "R" "r" "t" { move or take slide(orthogonal) }
piece Man "M" "m" "n" { move step(forward)  take step(forward_diagonal) }
state { brief moved_by : player? = none  lost[player] : bool = false  clock quiet : 0..9 = 0 }
action leave { require not lost[me]  choose to = all then ahead from self onto enemy Rook  do { remove at to  self -> to } }
when Rook of p moves { moved_by = p }
when any piece of p is captured { lost[p] = true }
when after action { quiet += 1 }
when Man moves { quiet = 0 }
when no legal turn { if in_check(me) { lose me } else { draw } }
draw when repetition 3
draw when quiet == 9
setup to move Red """
  6  . m k q . m
  5  . . . t . r
  4  . . . . . .
  3  t n . . . .
  2  . . M M . .
  1  R . K . . R
     a b c d e f
"""
)");
  const auto wide = [](int width, int height, const std::string& ahead = "*") {
    std::string text = R"(game "Wide"
use std.walks
use std.royal
use std.quiet
players White facing n, Black facing s
board {
  squares )" + std::to_string(width) +
                       " x " + std::to_string(height) + R"(
  zone last[White] = rank )" +
                       std::to_string(height) + R"(   zone last[Black] = rank 1
  zone second[White] = rank 2   zone second[Black] = rank )" +
                       std::to_string(height - 1) + R"(
}
walk far(d) = face d then ahead then ahead)" +
                       ahead + R"(
piece Queen "Q" { move or take far(all) }
piece Rook "R" { move or take far(orthogonal) }
piece Knight "N" { move or take leap(1, 2)  move or take leap(1, 3) }
piece King "K" royal { move or take step(all)  can jump }
state { brief ep : cell? = none  may_jump[player] : bool = true }
piece Pawn "P" zeroing {
  move step(forward)
  move forward then ahead from second[me] do { ep = next(self, backward) }
  take step(forward_diagonal)
  can en_passant
  promotes to Queen | Rook in last[me]
}
action en_passant {
  choose to = step(forward_diagonal) from self onto ep
  do { remove at next(to, backward)  self -> to }
}
when turn begins if ep exists and not can_play(en_passant) { ep = none }
action jump {
  require may_jump[me]
  choose to = forward then ahead from self onto empty
  require not attacked(self) and not attacked(to)
  do { self -> to }
}
when King of p moves { may_jump[p] = false }
draw when quiet >= 20
draw when repetition 3
setup to move White """
)";
    const auto row = [&](int rank) {
      std::string line;
      for (int file = 0; file < width; ++file) {
        char c = '.';
        const std::string back = "RNQK.NR";
        if (rank == 1 || rank == height) c = back[static_cast<std::size_t>(file) % back.size()];
        if ((rank == 1 || rank == height) && file > 6 && c == 'K') c = 'N';
        if (rank == 2 || rank == height - 1) c = file % 3 == 0 ? '.' : 'P';
        if (rank > height / 2 && c != '.') c = static_cast<char>(c - 'A' + 'a');
        line += std::string(" ") + c;
      }
      return line + "\n";
    };
    for (int rank = height; rank >= 1; --rank) text += row(rank);
    return text + "\"\"\"\n";
  };
  add("eighty_cells", wide(10, 8));
  add("all_of_128_cells", wide(16, 8, "{0..5}"));
  add("a_hundred_and_forty_four_cells", wide(12, 12));
  add("all_of_256_cells", wide(16, 16, "?"));
  small("pieces_that_attack_where_they_stand", kMan + kRoyalChief + R"(
piece Runner "R" { move step(orthogonal)  take step(orthogonal) may stay  threaten step(diagonal) may stay }
)");
  // Lines that come back to where they began.
  add("both_sides_wrap", R"(game "Ring"
use std.walks
use std.royal
players White facing n, Black facing s
board { squares 5 x 5 wrap files wrap ranks }
piece King "K" royal { move or take step(all) }
piece Rook "R" { move or take slide(orthogonal) }
piece Bishop "B" { move or take slide(diagonal) }
piece Man "M" { move forward then ahead  take step(forward_diagonal) }
draw when repetition 3
setup to move White """
  5  . m k b r
  4  . . . . .
  3  . . . . .
  2  . M . . .
  1  R . K B .
     a b c d e
"""
)");
  add("a_free_graph", R"(game "Graph"
use std.walks
players White, Black
board {
  cells a b c d e f
  link a east -> b, b east -> c, c east -> d, d east -> e, e east -> f, f east -> a, a over -> d, d over -> a
}
piece Man "M" { move or take east then ahead*  move or take step(over) }
lose p when no x in pieces of p : true
setup to move White """
  M . . m . .
"""
)");
  return games;
}

}  // namespace arbiter::testing_support
