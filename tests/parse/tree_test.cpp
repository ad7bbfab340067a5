// Text and the tree it becomes: every construct of the language once.
#include <gtest/gtest.h>

#include "parse/parse.h"

namespace arbiter::parse {
namespace {

std::string DumpOf(const std::string& text) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  ast::File file = Parse(sources, sources.Add("test.rules", text), sink);
  std::string out = ast::Dump(file);
  for (const auto& found : sink.all()) out += "! " + found.message + "\n";
  return out;
}

struct Row {
  const char* text;
  const char* dump;
};

class Tree : public ::testing::TestWithParam<Row> {};

TEST_P(Tree, is_read_as) { EXPECT_EQ(DumpOf(GetParam().text), GetParam().dump) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(
    expressions, Tree,
    ::testing::Values(
        Row{"define f = not a and b or c implies d", "define f = (implies (or (and (not a) b) c) d)\n"},
        Row{"define f = a implies b implies c", "define f = (implies a (implies b c))\n"},
        Row{"define f = a - b - c & d", "define f = (& (- (- a b) c) d)\n"},
        Row{"define f = not a == b", "define f = (not (== a b))\n"},
        Row{"define f = a + 1 == b and c in d + e", "define f = (and (== (+ a 1) b) (in c (+ d e)))\n"},
        Row{"define f = a not in b", "define f = (not in a b)\n"}, Row{"define f = -3", "define f = -3\n"},
        Row{"define f = a - -b", "define f = (- a (- 0 b))\n"},
        Row{"define f = a and some x in s : b or c", "define f = (and a (some x s (or b c)))\n"},
        Row{"define f = (some x in s : b) or c", "define f = (or (some x s b) c)\n"},
        Row{"define f = if a then b else c or d", "define f = (if a b (or c d))\n"},
        Row{"define f = x is not own Rook or y is empty", "define f = (or (is not [own Rook] x) (is [empty] y))\n"},
        Row{"define f = a + b exists", "define f = (exists (+ a b))\n"},
        Row{"define f = King of opponent of p", "define f = (of King (of opponent p))\n"},
        Row{"define f(a, b : walk) = x.y[a, 1].z", "define f[a, b:walk] = (.z (index (.y x) a 1))\n"},
        Row{"define f = royal pieces of me", "define f = (pieces [royal pieces] of me)\n"},
        Row{"define f = pieces of opponent of p", "define f = (pieces [pieces] of (of opponent p))\n"},
        Row{"define f = no x in pieces of opponent of p except King on out : c",
            "define f = (no x (pieces [pieces] of (of opponent p) except [King] on out) c)\n"},
        Row{"define f = (count x in heavy pieces of opponent of me : true) == 0",
            "define f = (== (count x (pieces [heavy pieces] of (of opponent me)) true) 0)\n"},
        Row{"define f = own pieces except King, Pawn on out[me]",
            "define f = (pieces [own pieces] except [King Pawn] on (index out me))\n"},
        Row{"define f = pieces on rank 8", "define f = (pieces [pieces] on (rank 8))\n"},
        Row{"define f = count x in own Rook : x is own", "define f = (count x (pieces [own Rook]) (is [own] x))\n"},
        Row{"define f = run(c, e, own)", "define f = (run() c e (filter [own]))\n"},
        Row{"define f = ranks 2..7 & file d + files a..c",
            "define f = (+ (& (rank (.. 2 7)) (file d)) (file (.. a c)))\n"},
        Row{"define f = rank(c) + file(x)", "define f = (+ (rank() c) (file() x))\n"},
        Row{"define f = { c in s : c is empty }", "define f = (all c s (is [empty] c))\n"},
        Row{"define f = {}", "define f = (set)\n"}, Row{"define f = { a, b, c }", "define f = (set a b c)\n"},
        Row{"define f = c3..e5", "define f = (.. c3 e5)\n"},
        Row{"define f = from in a and to in b", "define f = (and (in from a) (in to b))\n"},
        Row{"define f = reaches(a, step(all) then ahead*, b)",
            "define f = (reaches() a (then (step() all) ({0..} ahead)) b)\n"}));

INSTANTIATE_TEST_SUITE_P(
    walks, Tree,
    ::testing::Values(
        Row{"walk w = a then b | c", "walk w = (ways (then a b) c)\n"},
        Row{"walk w(d) = d then ahead* then (deflect then ahead+)?",
            "walk w[d] = (then d ({0..} ahead) ({0..1} (then deflect ({1..} ahead))))\n"},
        Row{"walk w = n{2..4} | n{3} | n{2..}", "walk w = (ways ({2..4} n) ({3..3} n) ({2..} n))\n"},
        Row{"walk w = face all then turn half_left then leap(1, 2)",
            "walk w = (then (face all) (turn half_left) (leap 1 2))\n"},
        Row{"walk w = step(all) then (if here in field)", "walk w = (then (step() all) (guard (in here field)))\n"},
        Row{"walk w = (f) over any then f over ( here is empty or back is light )",
            "walk w = (then (over f (filter [any])) (over f (or (is [empty] here) (is [light] back))))\n"},
        Row{"walk w = slide(all) may stay", "walk w = (may-stay (slide() all))\n"},
        Row{"walk w = betza \"FfmW\"", "walk w = (betza \"FfmW\")\n"},
        Row{"walk w = self.flights | f[me]", "walk w = (ways (.flights self) (index f me))\n"}));

INSTANTIATE_TEST_SUITE_P(
    declarations, Tree,
    ::testing::Values(
        Row{"game \"G\" §1 @2.3", "game \"G\"\n cites §1 §2.3\n"},
        Row{"/// First line.\n///second\nauthor \"A\"", "doc \"First line.\\nsecond\"\nauthor \"A\"\n"},
        Row{"use std.walks §1", "use std.walks\n cites §1\n"},
        Row{"extends \"a.rules\" replace define f = 1 delete piece Pawn",
            "extends \"a.rules\"\nreplace\ndefine f = 1\ndelete piece Pawn\n"},
        Row{"option o : 1..20 = 1 option p : { a, b } = a option q : bool = true option r : directions { all } = all",
            "option o : 1..20 = 1\noption p : {a b} = a\noption q : bool = true\noption r : directions{all} = all\n"},
        Row{"option o : -9..max = 0", "option o : -9..max = 0\n"},
        Row{"players White facing n, Black", "players White/n Black\n"},
        Row{"board { squares 8x8 without c3..e5 wrap files wrap ranks §1 }",
            "board\n  squares 8 8 without (.. c3 e5) wrap files ranks §1\n"},
        Row{"board { hexes hexagon 5 cells a b c link a n -> b, b s -> a directions fwd = n, ne }",
            "board\n  hexes hexagon 5\n  cells a b c\n  link a n b\n  link b s a\n  directions fwd n ne\n"},
        Row{"board { place out[player] 10 ring r clockwise from a1 around c3..e5 facing along r, q }",
            "board\n  place out[player] 10\n  ring r clockwise a1 without (.. c3 e5)\n  facing r q\n"},
        Row{"board { deflect at a1 w -> n, a7 n -> e if x == y deflect diagonals at edges barrier net between rank 4 "
            "and rank 5 }",
            "board\n  deflect-at a1:w->n a7:n->e if (== x y)\n  deflect-edges diagonals edges\n  barrier net (rank 4) "
            "(rank 5)\n"},
        Row{"zone c[p, side in { k, q }] = a1, b1 + c1", "zone c[p, side:{k q}] = a1 (+ b1 c1)\n"},
        Row{"state { brief ep : cell? = none clock q[player] : 0..9 = 0 set : bool = true } piece state { used : bool "
            "= false }",
            "state\n  brief ep : cell? = none\n  clock q[player] : 0..9 = 0\n  set : bool = true\npiece-state\n  used "
            ": bool = false\n"},
        Row{"neutral piece Ball \"o\" { may be off board } fixed piece Post \"R\" piece B2 \"王\" \"玉\" like Bishop "
            "heavy royal {}",
            "neutral piece Ball \"o\"\n  may-be-off-board\nfixed piece Post \"R\"\npiece B2 \"王\" \"玉\" like Bishop "
            "[heavy royal]\n"},
        Row{"piece P { move or take or threaten n from a to not b if c do { x = 1 } §1 }",
            "piece P\n  move take threaten n from a to (not b) if c §1\n    assign x = 1\n"},
        Row{"piece P { promotes to A | B in z[me] if c optional can kick(step(all), n) if d betza \"W\" strength = 3, "
            "leap(1, 2) }",
            "piece P\n  promotes [A B] in (index z me) if c optional\n  can kick (step() all) n if d\n  betza \"W\"\n  "
            "strength = 3 (leap 1 2)\n"},
        Row{"piece attribute s : 1..4 every piece except K, B { move n } class heavy, light",
            "attribute s : 1..4\nevery-piece except [K B]\n  move n\nclass heavy light\n"}));

INSTANTIATE_TEST_SUITE_P(
    actions, Tree,
    ::testing::Values(
        Row{"walk w = a{2..t - 1} | b{t} | c{t..} turn x = y{0..t}",
            "walk w = (ways ({2..(- t 1)} a) ({t..t} b) ({t..} c))\nturn x = ({0..t} y)\n"},
        Row{"action a(w : walk) by K | L { choose x = w from self onto empty or enemy Rook within z choose s in { k, q "
            "} }",
            "action a[w:walk] by K L\n  choose x w from self onto (filter [empty] [enemy Rook]) within z\n  choose s = "
            "(set k q)\n"},
        Row{"action a { let p = slide(d) from c onto not any piece let q = 1 require p exists §2 written \"x\", q "
            "threatens z b(1) }",
            "action a\n  let p (slide() d) from c onto (filter not [any piece])\n  let q = 1\n  require = (exists p) "
            "§2\n  written \"x\" q\n  threatens = z\n  call b 1\n"},
        Row{"action a { if x { b() } else if y { c() } else { d() } for e in all { f() } }",
            "action a\n  if = x\n    call b\n  else\n    if = y\n      call c\n    else\n      call d\n  for e = all\n "
            "   call f\n"},
        Row{"effect e(a) { lift B self -> x put B on c place K of p at c remove at d remove e swap a, b }",
            "effect e[a]\n  lift B\n  move self x\n  put B c\n  place K of p c\n  remove d\n  remove e\n  swap a b\n"},
        Row{"effect e { m becomes King m joins p x += 1 y[me] -= 2 set up k[p] goto net win p lose q draw }",
            "effect e\n  becomes m King\n  joins m p\n  assign x += 1\n  assign (index y me) -= 2\n  set-up (index k "
            "p)\n  goto net\n  win p\n  lose q\n  draw\n"},
        Row{"effect e { result 3 to p, 0 to opponent of p if a { b() } else if c { d() } else { } for m in pieces on "
            "out { m.r = 1 } }",
            "effect e\n  result 3 to p 0 to (of opponent p)\n  if a\n    call b\n  else\n    if c\n      call d\n  for "
            "m (pieces [pieces] on out)\n    assign (.r m) = 1\n"}));

INSTANTIATE_TEST_SUITE_P(
    play, Tree,
    ::testing::Values(
        Row{"turn = a then b or c else any move §1", "turn = (else (or (then a b) c) (play any move §1))\n"},
        Row{"turn t = if x : a otherwise if y : b otherwise c{0..2} then longest d",
            "turn t = (if x a (if y b (then ({0..2} c) (longest d))))\n"},
        Row{"turn = (a by same)* then longest (b or c)+ then done",
            "turn = (then ({0..} (play a by-same)) (longest ({1..} (or b c))) done)\n"},
        Row{"phase p { player q turn = a after { goto r } }", "phase p\n  player q\n  turn a\n  after\n    goto r\n"},
        Row{"when Man of opponent of p is captured { draw }", "when is-captured Man of (of opponent p)\n  draw\n"},
        Row{"effect e { place Man of opponent of p at c }", "effect e\n  place Man of (of opponent p) c\n"},
        Row{"when Ball of p lands in z[p] in q, r if c { draw }",
            "when lands Ball of p (index z p) in-phase [q r] if c\n  draw\n"},
        Row{"when any piece is captured { draw } when piece at a1 is moved from b to c { draw } when K moves { draw }",
            "when is-captured any-piece\n  draw\nwhen is-moved piece-at a1 from b to c\n  draw\nwhen moves K\n  "
            "draw\n"},
        Row{"when turn begins { draw } when turn ends { draw } when no legal turn { draw } when after action { draw }",
            "when turn-begins\n  draw\nwhen turn-ends\n  draw\nwhen no-legal-turn\n  draw\nwhen after-action\n  "
            "draw\n"},
        Row{"when Ball crosses net { draw } when Ball enters z { draw } when Ball leaves rank 1 { draw }",
            "when crosses Ball net\n  draw\nwhen enters Ball z\n  draw\nwhen leaves Ball (rank 1)\n  draw\n"},
        Row{"forbid a forbid at turn end b forbid in p, q c forbid action by K when d",
            "forbid a\nforbid at-turn-end b\nforbid in-phase [p q] c\nforbid action-by K d\n"},
        Row{"win p at once when a lose opponent of p in net when b draw when c draw when repetition 3 if d limit turns "
            "50 if e",
            "win p at-once when a\nlose (of opponent p) in-phase [net] when b\ndraw when c\ndraw-repetition 3 when "
            "d\nlimit-turns 50 when e\n"}));

INSTANTIATE_TEST_SUITE_P(
    setups, Tree,
    ::testing::Values(
        Row{"setup k[White] to move White \"\"\"\n K .\n\"\"\" setup fen \"8/8 w\" setup b = k[White] "
            "with Ball on c5, King on e1 to move Black start b",
            "setup k White to-move White diagram \"\\n K .\\n\"\nsetup fen \"8/8 w\"\nsetup b = k White "
            "with Ball on c5 with King on e1 to-move Black\nstart b\n"},
        Row{"show score = a, \":\", if b then \"c\" else \"d\" if e show move = f §1 show zones g, zones",
            "show score = a \":\" (if b \"c\" \"d\") if e\nshow move = f\n cites §1\nshow-zones [g zones]\n"},
        Row{"show zones = show replace show count = zones delete show draw",
            "show zones = show\nreplace\nshow count = zones\ndelete show draw\n"},
        Row{"fen { flags \"KQ\" = x[W, k], x[W, q] cell ep number quiet skip }",
            "fen (flags \"KQ\" (index x W k) (index x W q)) (cell ep) (number quiet) (skip)\n"},
        Row{"example \"e\" §1 with a = b, c = 2 { setup k position \"8/8 w\" position fen \"8 b\" perft "
            "1..2 = 3, 4 perft 5 = 6 }",
            "example \"e\" a=b c=2\n  setup k\n  fen \"8/8 w\"\n  fen \"8 b\"\n  perft 1..2 3 4\n  perft "
            "5..5 6\n cites §1\n"},
        Row{"example { position { White King d1 d2 Rook c1 Black King d7 Ball e5 to move Black t[White] "
            "= true a1.used = false } }",
            "example \"\"\n  position (White King d1 d2) (Rook c1) (Black King d7) (Ball e5) (to-move "
            "Black) ((index t White) = true) ((.used a1) = false)\n"},
        Row{"example { moves = { d2 c3-d2-a5 castle:e1-g1 e7-e8=Q O-O } moves of c1 = { b1 d1=Q } moves "
            "where a == b = { c } count moves = 20 }",
            "example \"\"\n  moves d2 c3-d2-a5 castle:e1-g1 e7-e8=Q O-O\n  moves of c1 b1 d1=Q\n  moves "
            "where (== a b) c\n  count 20\n"},
        Row{"example { legal c3-c4-c3 pass illegal a1-b2 because §4.5 after e2-e4 e7-e5 : result win "
            "White result draw result none result 3 to White, 0 to Black }",
            "example \"\"\n  legal c3-c4-c3 pass\n  illegal a1-b2 §4.5\n  after e2-e4 e7-e5\n  result "
            "win White\n  result draw\n  result none\n  result points 3 to White 0 to Black\n"}));

INSTANTIATE_TEST_SUITE_P(names, Tree,
                         ::testing::Values(Row{"piece Король \"К\" { move шаг(все) } zone поле = a1",
                                               "piece Король \"К\"\n  move (шаг() все)\nzone поле = a1\n"},
                                           Row{"piece 王 \"王\" \"玉\" { move step(all) } players 先手, 後手",
                                               "piece 王 \"王\" \"玉\"\n  move (step() all)\nplayers 先手 後手\n"},
                                           Row{"piece From \"F\" { move n } piece Turn \"T\" { can If }",
                                               "piece From \"F\"\n  move n\npiece Turn \"T\"\n  can If\n"},
                                           Row{"define f = set + text + start + clock + cell",
                                               "define f = (+ (+ (+ (+ set text) start) clock) cell)\n"}));

// Offsets are bytes, also after letters of two, three and four bytes.
TEST(Spans, count_bytes) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  std::string text = "game \"Ж帅😀\"\nzone поле = aa12 §4.2\n";
  ast::File file = Parse(sources, sources.Add("test.rules", text), sink);
  ASSERT_EQ(file.decls.size(), 2U);
  EXPECT_EQ(sources.Slice(file.decls[0].span), "game \"Ж帅😀\"");
  const auto& zone = std::get<ast::Zone>(file.decls[1].payload);
  EXPECT_EQ(sources.Slice(zone.name.span), "поле");
  EXPECT_EQ(sources.Slice(zone.cells[0]->span), "aa12");
  EXPECT_EQ(sources.Slice(file.decls[1].cites[0].span), "§4.2");
  EXPECT_EQ(file.decls[1].cites[0].clause, "4.2");
}

// What could not be read is an error node in its place; the rest is there.
TEST(ErrorNodes, stand_in_the_place_of_what_could_not_be_read) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  ast::File file = Parse(sources,
                         sources.Add("test.rules",
                                     "piece Queen \"Q\" { move n\n  move then then\n  take s }\n"
                                     "piece (\npiece Rook \"R\" { move n }\n"),
                         sink);
  EXPECT_EQ(ast::Dump(file), "piece Queen \"Q\"\n  move n\n  error\n  take s\nerror \npiece Rook \"R\"\n  move n\n");
}

TEST(ParseExpr, reads_one_expression) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  ast::ExprPtr expr = ParseExpr(sources, sources.Add("expr", "to in zone and not x"), sink);
  ASSERT_EQ(expr->kind, ast::ExprKind::kBinary);
  EXPECT_EQ(expr->text, "and");
  EXPECT_TRUE(sink.all().empty());
  expr = ParseExpr(sources, sources.Add("wrong", "a and and b"), sink);
  EXPECT_EQ(expr->kind, ast::ExprKind::kError);
  EXPECT_EQ(sink.all().size(), 1U);
  expr = ParseExpr(sources, sources.Add("more", "a b"), sink);
  EXPECT_EQ(expr->kind, ast::ExprKind::kError);
  EXPECT_EQ(sink.all().size(), 2U);
}

}  // namespace
}  // namespace arbiter::parse
