// Moves as text and back, dumps, keys of numbers.
#include "rules/notation.h"

#include <gtest/gtest.h>

#include "support/rules_maker.h"

namespace arbiter::rules {
namespace {

using testing_support::Maker;

class NotationTest : public ::testing::Test {
 protected:
  Maker m{8, 8};

  void SetUp() override {
    m.Kind("Rook", "R");
    m.r.action_names = {"go", "kick", "leave", "pass"};
    m.r.written_texts = {"O-O"};
    m.OneAction({});
    m.Done();
  }
  [[nodiscard]] Token Cell(const std::string& name) const { return {Base::kCell, m.r.board.Find(name), -1}; }
  static Token Name(int index) { return {Base::kAction, index, -1}; }
  [[nodiscard]] Move Plain(int name, const std::vector<std::string>& cells) const {
    Move move;
    move.tokens.push_back(Name(name));
    for (const auto& cell : cells) move.tokens.push_back(Cell(cell));
    return move;
  }
};

TEST_F(NotationTest, choices_are_joined_and_kinds_stand_behind_an_equals_sign) {
  Move promotion = Plain(0, {"d6", "e7"});
  promotion.tokens.push_back({Base::kKind, 0, -1});
  EXPECT_EQ(MoveText(m.r, promotion), "d6-e7=R");
  EXPECT_EQ(MoveText(m.r, promotion, Notation::kUci), "d6e7=R");
  EXPECT_EQ(MoveText(m.r, Plain(3, {})), "pass");
  EXPECT_EQ(MoveText(m.r, Move{}), "done");
  Move written = Plain(0, {"e1", "g1"});
  written.written = {{Base::kEnum, 0, kTextEnum}};
  EXPECT_EQ(MoveText(m.r, written), "O-O");
  EXPECT_EQ(MoveText(m.r, written, Notation::kUci), "e1g1");
}

TEST_F(NotationTest, a_written_text_is_put_together_from_parts) {
  m.r.written_texts = {"-", " > ", ""};
  const auto text = [](Value index) { return Token{Base::kEnum, index, kTextEnum}; };
  Move kick = Plain(1, {"c3", "c4", "c5"}), other = Plain(0, {"c3", "c4", "c6"}), same = Plain(0, {"c3", "c4", "c5"});
  kick.written = {Cell("c3"), text(0), Cell("c4"), text(1), Cell("c5")};
  other.written = {text(2)};
  same.written = kick.written;
  EXPECT_EQ(MoveText(m.r, kick), "c3-c4>c5");
  EXPECT_EQ(MoveText(m.r, kick, Notation::kPlain), "c3-c4-c5");
  EXPECT_EQ(MoveText(m.r, kick, Notation::kUci), "c3c4c5");
  EXPECT_EQ(MoveText(m.r, other), "c3-c4-c6") << "a text of nothing is none";
  EXPECT_EQ(MoveTexts(m.r, {kick, other, same}),
            (std::vector<std::string>{"kick:c3-c4>c5", "c3-c4-c6", "go:c3-c4>c5"}));
  const std::vector<Move> list = {kick, other};
  for (const char* typed : {"c3-c4>c5", "c3-c4-c5", "c3c4c5", "C3 c4 c5", "kick:c3-c4-c5"}) {
    EXPECT_EQ(FindMove(m.r, list, typed).index, 0) << typed;
  }
  EXPECT_EQ(FindExact(m.r, {kick, same}, "c3-c4-c5"), -1);
  EXPECT_EQ(FindExact(m.r, {kick, same}, "go:c3-c4-c5"), 1);
  EXPECT_TRUE(FindMove(m.r, {kick, same}, "c3-c4-c5").ambiguous);
}

TEST_F(NotationTest, equal_texts_in_one_list_get_names) {
  Move inner_go = Plain(2, {"c1"}), inner_kick = Plain(2, {"c1"});
  inner_go.tokens.insert(inner_go.tokens.end(), {Name(0), Cell("c2")});
  inner_kick.tokens.insert(inner_kick.tokens.end(), {Name(1), Cell("c2")});
  const std::vector<Move> list = {Plain(0, {"a1", "a2"}), Plain(0, {"c1", "c2"}), Plain(1, {"a1", "a2"}), inner_go,
                                  inner_kick};
  EXPECT_EQ(MoveTexts(m.r, list),
            (std::vector<std::string>{"go:a1-a2", "go:c1-c2", "kick:a1-a2", "leave:c1-go:c2", "leave:c1-kick:c2"}));
}

TEST_F(NotationTest, typed_text_is_found_exactly_then_by_number_then_carelessly) {
  const std::vector<Move> list = {Plain(0, {"a1", "a2"}), Plain(0, {"a1", "b1"}), Plain(3, {})};
  EXPECT_EQ(FindMove(m.r, list, "a1-b1").index, 1);
  EXPECT_EQ(FindMove(m.r, list, " a1b1 ").index, 1);
  EXPECT_EQ(FindMove(m.r, list, "3").index, 2);
  EXPECT_EQ(FindMove(m.r, list, "4").index, -1);
  EXPECT_EQ(FindMove(m.r, list, "A1 x B1+").index, 1);
  EXPECT_EQ(FindMove(m.r, list, "PASS").index, 2);
  EXPECT_EQ(FindMove(m.r, list, "").index, -1);
}

TEST_F(NotationTest, what_fits_several_moves_is_refused_with_candidates) {
  const std::vector<Move> list = {Plain(0, {"a1", "a2"}), Plain(1, {"a1", "a2"}), Plain(0, {"h1", "h2"})};
  const Typed both = FindMove(m.r, list, "a1-a2");
  EXPECT_EQ(both.index, -1);
  EXPECT_TRUE(both.ambiguous);
  EXPECT_EQ(both.candidates, (std::vector<int>{0, 1}));
  const Typed begun = FindMove(m.r, list, "h1");
  EXPECT_EQ(begun.candidates, std::vector<int>{2});
  EXPECT_FALSE(begun.ambiguous);
  EXPECT_EQ(FindMove(m.r, list, "h1-h3").candidates, std::vector<int>{2});
  EXPECT_TRUE(FindMove(m.r, list, "zzzzzzzz").candidates.empty());
}

TEST_F(NotationTest, every_offered_text_finds_its_move_again) {
  const std::vector<Move> list = {Plain(0, {"a1", "a2"}), Plain(1, {"a1", "a2"}), Plain(0, {"h1", "h2"}), Move{},
                                  Plain(3, {})};
  for (Notation notation : {Notation::kCanonical, Notation::kUci}) {
    const auto texts = MoveTexts(m.r, list, notation);
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(FindMove(m.r, list, texts[i]).index, static_cast<int>(i)) << texts[i];
  }
}

TEST(Mix, is_the_splitmix64_finaliser) {
  // The first output of splitmix64 seeded with 0 is the finaliser of its increment.
  EXPECT_EQ(Mix(0x9e3779b97f4a7c15), 0xe220a8397b1dcdaf);
  const Value a[] = {1, 2}, b[] = {2, 1};
  EXPECT_NE(Feature(a, 2), Feature(b, 2));
  EXPECT_NE(Feature(a, 1), Feature(a, 2));
}

TEST_F(NotationTest, dumps_speak_the_language_of_the_author) {
  Maker d(3, 3);
  const ExprId sum = d.E(Op::kAdd, Maker::Int(0, 9), {d.Number(1), d.Local(2, Base::kInt)});
  const ExprId some = d.E(Op::kSome, Maker::T(Base::kBool),
                          {d.Cells({"a1", "b2"}), d.B(Op::kIsEmpty, {d.Local(0, Base::kCell)})}, kNone, 0);
  const WalkId slide = d.Slide({"n", "e"});
  const WalkId guarded = d.Walk(d.Then({d.Step({"n"}), d.Guard(some), d.Times(d.Ahead(), 2, 4)}), false, true);
  d.OneAction({});
  d.Done();
  EXPECT_EQ(DumpExpr(d.r, sum), "(1 + $2)");
  EXPECT_EQ(DumpExpr(d.r, some), "(some $0 in { a1 b2 } : is-empty($0))");
  EXPECT_EQ(DumpWalk(d.r, slide), "((n|e) then ahead*)");
  EXPECT_EQ(DumpWalk(d.r, guarded), "(n then (if (some $0 in { a1 b2 } : is-empty($0))) then ahead{2..4}) may stay");
}

}  // namespace
}  // namespace arbiter::rules
