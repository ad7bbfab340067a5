// Counts and lists of moves that come from outside this program.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"

namespace {

using Row = std::vector<std::string>;

std::vector<Row> Rows(const std::string& name) {
  std::ifstream in(std::string(ARBITER_SOURCE_DIR "/tests/counts/") + name);
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    Row& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
  }
  return rows;
}

arbiter::Options OptionsOf(const std::string& text) {
  arbiter::Options options;
  std::istringstream words(text == "-" ? "" : text);
  for (std::string word; words >> word;) {
    std::size_t equals = word.find('=');
    options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

TEST(Counts, equal_the_published_ones) {
  std::vector<Row> rows = Rows("counts.tsv");
  ASSERT_FALSE(rows.empty());
  for (const Row& row : rows) {
    ASSERT_EQ(row.size(), 5U) << row[0];
    arbiter::Checked checked = arbiter::Check(arbiter::Find(row[0]), OptionsOf(row[1]));
    ASSERT_TRUE(checked.game) << checked.report.Text();
    auto at =
        row[2] == "-" ? arbiter::Result<arbiter::Position>{checked.game->Start(), ""} : checked.game->Read(row[2]);
    ASSERT_TRUE(at) << row[2] << ": " << at.error;
    auto count = at->Perft(std::stoi(row[3]));
    ASSERT_TRUE(count) << row[2] << ": " << count.error;
    EXPECT_EQ(*count, std::stoull(row[4])) << row[0] << " " << row[1] << " " << row[2] << " depth " << row[3];
  }
}

// "d6e7=R" as other programs write it: "d6e7r".
std::string Plain(const arbiter::Move& move) {
  std::string text = move.uci();
  std::size_t equals = text.find('=');
  if (equals != std::string::npos) {
    text.erase(equals, 1);
    std::transform(text.begin() + static_cast<std::ptrdiff_t>(equals), text.end(),
                   text.begin() + static_cast<std::ptrdiff_t>(equals), [](unsigned char c) { return std::tolower(c); });
  }
  return text;
}

void ExpectListedMoves(arbiter::Evaluator evaluator) {
  std::vector<Row> rows = Rows("rollerball_positions.tsv");
  ASSERT_EQ(rows.size(), 240U);
  arbiter::Checked checked = arbiter::Check(arbiter::Find("rollerball"));
  ASSERT_TRUE(checked.game) << checked.report.Text();
  for (const Row& row : rows) {
    auto at = checked.game->Read(row[1], evaluator);
    ASSERT_TRUE(at) << row[0] << ": " << at.error;
    std::vector<std::string> moves;
    for (const arbiter::Move& move : at->Moves()) moves.push_back(Plain(move));
    std::sort(moves.begin(), moves.end());
    std::string text;
    for (const std::string& move : moves) text += (text.empty() ? "" : " ") + move;
    EXPECT_EQ(text, row.size() > 2 ? row[2] : "") << row[0] << " " << row[1];
  }
}

TEST(RollerballPositions, give_the_listed_moves) { ExpectListedMoves(arbiter::Evaluator::kEngine); }
TEST(RollerballPositions, give_the_listed_moves_by_the_slow_evaluator) {
  ExpectListedMoves(arbiter::Evaluator::kOracle);
}

}  // namespace
