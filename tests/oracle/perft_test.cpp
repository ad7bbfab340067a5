// Counts that were made independently of this project, by the reference evaluator from the rule files.
//
// Deeper counts are the engine's (tests/counts); these say that the definition itself is right.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/check.h"
#include "oracle/oracle.h"
#include "rules/fen.h"

namespace arbiter::oracle {
namespace {

struct Count {
  const char* file;
  const char* option;    // "name=value" or ""
  const char* position;  // "": the start
  std::vector<uint64_t> counts;
};

class Counts : public ::testing::TestWithParam<Count> {};

TEST_P(Counts, equal_the_published_ones) {
  const Count& c = GetParam();
  check::Request request{std::string(ARBITER_SOURCE_DIR) + "/" + c.file, {}, false};
  const std::string option = c.option;
  if (!option.empty()) {
    request.options.emplace_back(option.substr(0, option.find('=')), option.substr(option.find('=') + 1));
  }
  source::FileLoader loader;
  source::SourceMap sources;
  diagnostics::Sink sink;
  const auto rules = check::Check(request, loader, sources, sink);
  ASSERT_TRUE(rules) << (sink.all().empty() ? "" : sink.all().front().message);
  const Oracle oracle(*rules);
  rules::Snapshot at = oracle.Initial(rules->start);
  if (*c.position != '\0') {
    const auto parsed = rules::ParsePosition(*rules, c.position);
    ASSERT_TRUE(parsed.snapshot) << parsed.message;
    at = *parsed.snapshot;
  }
  std::optional<rules::Fault> fault;
  std::vector<uint64_t> found;
  for (std::size_t depth = 1; depth <= c.counts.size(); ++depth) {
    found.push_back(oracle.Perft(at, static_cast<int>(depth), false, &fault));
  }
  EXPECT_EQ(found, c.counts);
  EXPECT_FALSE(fault) << fault->code << ": " << fault->message;
}

const char* const kChess = "rulesets/chess/chess.rules";
const char* const kRollerball = "rulesets/rollerball/rollerball.rules";

INSTANTIATE_TEST_SUITE_P(
    Published, Counts,
    ::testing::Values(
        Count{kChess, "", "", {20, 400, 8902}},
        Count{kChess, "", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", {48, 2039}},
        Count{kChess, "", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812}},
        Count{kChess, "", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", {6, 264}},
        Count{kRollerball, "", "", {7, 49, 476, 4652}}, Count{kRollerball, "side_slides=any", "", {7, 49, 507}},
        Count{kRollerball, "", "r6/7/2***2/R1***k1/2***2/1K5/5R1 w", {21, 361}},
        Count{kRollerball, "", "2r4/1K3p1/2***2/2***2/2***2/5k1/3bR2 w travelled[White]=true", {7, 124, 1144}},
        Count{kRollerball, "", "2r4/1r1kbpp/2***2/2***2/2***2/1PPKB2/3R1R1 w", {20, 457}},
        Count{"rulesets/shakhbol/shakhbol.rules", "", "", {16, 398, 5249}},
        Count{"rulesets/gravitatur/gravitatur.rules", "", "", {983}},
        Count{"rulesets/gravitatur/gravitatur.rules", "", "4k3/8/8/8/1b6/8/8/R3K2N w", {4, 2825}},
        Count{"rulesets/football/football.rules", "", "", {46, 1358}},
        Count{"tests/rulesets/xiangqi.rules", "", "", {44, 1920}},
        Count{"tests/rulesets/minishogi.rules", "", "", {14, 181, 2512}},
        Count{"tests/rulesets/checkers.rules", "", "", {7, 49, 302, 1469}},
        Count{"tests/rulesets/draughts.rules", "", "", {9, 81, 658}},
        Count{"tests/rulesets/tictactoe.rules", "", "", {9, 72, 504, 3024}}));

}  // namespace
}  // namespace arbiter::oracle
