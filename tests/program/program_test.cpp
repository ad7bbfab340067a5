// Programs as values: what Verify refuses, and the texts that tell what a program is.
#include "program/program.h"

#include <gtest/gtest.h>

#include "compile/compile.h"
#include "support/rules_maker.h"

namespace arbiter::program {
namespace {

using namespace testing_support;  // NOLINT

Program Small() {
  Maker m(4, 4);
  m.Kind("Man", "M");
  const WalkId slide = m.Slide({"n", "e"});
  m.OneAction({m.Goes("go", 1, slide)});
  m.r.walks[slide].name = "up_and_right";
  m.Done();
  return *compile::Compile(m.r);
}

TEST(Verify, accepts_what_the_compiler_makes) { EXPECT_EQ(Verify(Small()), ""); }

TEST(Verify, refuses_what_leads_nowhere) {
  const auto broken = [](auto breaks) {
    Program p = Small();
    breaks(p);
    return Verify(p);
  };
  EXPECT_NE(broken([](Program& p) { p.code[0] = {Op::kJump, 0, 0, 0, 0, 100000}; }), "");
  EXPECT_NE(broken([](Program& p) { p.code[0] = {Op::kCellsConst, 0, 0, 0, 0, -1}; }), "");
  EXPECT_NE(broken([](Program& p) { p.code[0] = {Op::kChoose, 0, 0, 0, 0, 77}; }), "");
  EXPECT_NE(broken([](Program& p) { p.code[0] = {Op::kSet, 0, 0, 0, 0, 5}; }), "");
  EXPECT_NE(broken([](Program& p) { p.rows[0].constant = 1 << 20; }), "");
  EXPECT_NE(broken([](Program& p) { p.groups[0].table = static_cast<uint32_t>(p.tables.size()); }), "");
  EXPECT_NE(broken([](Program& p) { p.walks[0].start = 99; }), "");
  EXPECT_NE(broken([](Program& p) { p.walks[0].nodes[0].next.push_back(99); }), "");
  EXPECT_NE(broken([](Program& p) { p.turn_states[0].offer = 9; }), "");
  EXPECT_NE(broken([](Program& p) { p.phases.clear(); }), "");
  EXPECT_NE(broken([](Program& p) { p.words = 3; }), "");
}

TEST(Listing, names_every_part_and_its_form) {
  const std::string text = Listing(Small());
  EXPECT_NE(text.find("16 cells, 0 off-board, sets of 64 bits"), std::string::npos) << text;
  EXPECT_NE(text.find("  up_and_right: table (the ends depend on which cells are occupied"), std::string::npos) << text;
  EXPECT_NE(text.find("direct, counted in bulk"), std::string::npos) << text;
}

TEST(Dump, writes_the_code_of_one_action) {
  const Program p = Small();
  const std::string text = Dump(p, 0);
  EXPECT_NE(text.find("choose"), std::string::npos) << text;
  EXPECT_NE(text.find("capture"), std::string::npos);
  EXPECT_NE(text.find("promote"), std::string::npos);
  EXPECT_EQ(Dump(p, 99), "");
}

}  // namespace
}  // namespace arbiter::program
