// Position text: every position survives being written and read; what is wrong is found where it stands.
#include "rules/fen.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <random>

#include "check/check.h"

namespace arbiter {
namespace {

namespace fs = std::filesystem;

using rules::kNone;
using rules::Snapshot;
using rules::Value;

std::unique_ptr<rules::Rules> Load(const std::string& path) {
  source::SourceMap sources;
  diagnostics::Sink sink;
  check::Request request;
  request.path = path;
  auto rules = check::Check(request, source::FileLoader(), sources, sink);
  EXPECT_NE(rules, nullptr) << path << ": " << (sink.all().empty() ? "" : sink.all().front().message);
  return rules;
}

std::vector<std::string> RuleFiles() {
  std::vector<std::string> paths;
  for (const char* folder : {"rulesets", "tests/rulesets"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ARBITER_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".rules") paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Any Snapshot the types allow, likely or not: pieces of any owner anywhere, lifted ones, places in turns.
class Maker {
 public:
  Maker(const rules::Rules& rules, std::mt19937_64& random) : r_(rules), random_(random) {}

  Snapshot Make() {
    Snapshot s = rules::MakeSnapshot(r_, {}, Below(r_.player_count()), {});
    for (int cell = 0; cell < r_.board.size(); ++cell) {
      bool place = r_.board.is_place(cell);
      if (Below(place ? 6 : 4) == 0) s.pieces.push_back(Piece(cell));
    }
    for (int i = Below(3); i > 0; --i) {
      rules::PieceRecord lifted = Piece(kNone);
      if (r_.kinds[static_cast<std::size_t>(lifted.kind)].may_be_off_board) s.pieces.push_back(lifted);
    }
    s.state = Values(r_.vars, s.state);
    s.phase = Below(static_cast<int>(r_.phases.size()));
    s.place = Chance() ? r_.phases[static_cast<std::size_t>(s.phase)].turn
                       : rules::TurnStateId(Below(static_cast<int>(r_.turn_states.size())));
    if (Chance()) s.last_self = Below(r_.board.size());
    if (Chance()) s.next_phase = Below(static_cast<int>(r_.phases.size()));
    if (Chance()) s.next_player = Below(r_.player_count());
    for (std::size_t i = 0; i < s.brief_set.size(); ++i) s.brief_set[i] = Below(5) == 0;
    // A piece that acted in a place moves with the piece; an empty slot would not be canonical.
    if (s.last_self != kNone && r_.board.is_place(s.last_self)) s.last_self = kNone;
    rules::Canonicalize(r_, s);
    return s;
  }

 private:
  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool Chance() { return Below(2) == 0; }

  rules::PieceRecord Piece(Value cell) {
    int kind = Below(static_cast<int>(r_.kinds.size()));
    Value owner = Below(r_.player_count() + 1);
    // Mostly what the rules expect, sometimes a neutral piece with an owner or the reverse.
    if (Below(8) != 0)
      owner = r_.kinds[static_cast<std::size_t>(kind)].neutral ? r_.player_count() : Below(r_.player_count());
    std::vector<Value> state(static_cast<std::size_t>(r_.piece_state_size), kNone);
    for (const rules::Variable& v : r_.piece_vars)
      std::copy(v.initial.begin(), v.initial.end(), state.begin() + v.offset);
    return {cell, kind, owner == r_.player_count() ? kNone : owner, Values(r_.piece_vars, state)};
  }

  std::vector<Value> Values(const IdVector<rules::VarId, rules::Variable>& vars, std::vector<Value> state) {
    for (const rules::Variable& v : vars) {
      for (int i = 0; i < v.count; ++i) {
        Value& value = state[static_cast<std::size_t>(v.offset + i)];
        if (Chance()) value = v.type.low + Below(v.type.high - v.type.low + 1);
        if (v.type.optional && Below(3) == 0) value = kNone;
      }
    }
    return state;
  }

  const rules::Rules& r_;
  std::mt19937_64& random_;
};

TEST(PositionText, every_position_survives_writing_and_reading) {
  int games = 0;
  for (const std::string& path : RuleFiles()) {
    auto rules = Load(path);
    if (rules == nullptr) continue;
    ++games;
    std::mt19937_64 random(7);
    Maker maker(*rules, random);
    for (int i = 0; i < 60; ++i) {
      Snapshot s = maker.Make();
      std::string text = rules::FormatPosition(*rules, s);
      rules::PositionResult read = rules::ParsePosition(*rules, text);
      ASSERT_TRUE(read.snapshot) << path << "\n" << text << "\n" << read.message << " at " << read.offset;
      ASSERT_TRUE(*read.snapshot == s) << path << "\n" << text << "\n" << rules::FormatPosition(*rules, *read.snapshot);
    }
  }
  EXPECT_GT(games, 10);
}

TEST(PositionText, broken_texts_are_refused_where_they_break) {
  std::mt19937_64 random(11);
  const std::string alphabet = "/8*1KkwbXé=[].,- \xff";
  for (const std::string& path : RuleFiles()) {
    auto rules = Load(path);
    if (rules == nullptr) continue;
    Maker maker(*rules, random);
    for (int i = 0; i < 60; ++i) {
      std::string text = rules::FormatPosition(*rules, maker.Make());
      for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits) {
        std::size_t at = random() % text.size();
        if (random() % 2 == 0) {
          text.erase(at, 1 + random() % 4);
        } else {
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
        }
        if (text.empty()) text = " ";
      }
      rules::PositionResult read = rules::ParsePosition(*rules, text);
      if (read.snapshot) {
        std::string again = rules::FormatPosition(*rules, *read.snapshot);
        EXPECT_TRUE(rules::ParsePosition(*rules, again).snapshot == read.snapshot) << text << "\n" << again;
      } else {
        EXPECT_FALSE(read.message.empty());
        EXPECT_FALSE(read.help.empty());
        EXPECT_LE(read.offset + read.length, text.size()) << text;
      }
    }
  }
}

class Chess : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    rules_ = Load(std::string(ARBITER_SOURCE_DIR) + "/rulesets/chess/chess.rules").release();
  }
  static void TearDownTestSuite() {
    delete rules_;
    rules_ = nullptr;
  }
  void SetUp() override { ASSERT_NE(rules_, nullptr); }
  static Value StateOf(const Snapshot& s, const std::string& name) {
    for (const rules::Variable& v : rules_->vars) {
      for (int i = 0; i < v.count; ++i) {
        if (rules::ElementName(*rules_, v, i) == name) return s.state[static_cast<std::size_t>(v.offset + i)];
      }
    }
    ADD_FAILURE() << "no variable " << name;
    return kNone;
  }
  static rules::Rules* rules_;
};
rules::Rules* Chess::rules_ = nullptr;

TEST_F(Chess, standard_fen_sets_what_its_fields_mean) {
  auto read = rules::ParsePosition(*rules_, "r3k2r/8/8/8/4P3/8/8/R3K2R b KQq e3 7 31");
  ASSERT_TRUE(read.snapshot) << read.message;
  const Snapshot& s = *read.snapshot;
  EXPECT_EQ(s.pieces.size(), 7U);
  EXPECT_EQ(s.mover, 1);
  EXPECT_TRUE(read.names_side);
  EXPECT_EQ(StateOf(s, "may_castle[White,kingside]"), 1);
  EXPECT_EQ(StateOf(s, "may_castle[Black,kingside]"), 0);
  EXPECT_EQ(StateOf(s, "may_castle[Black,queenside]"), 1);
  EXPECT_EQ(StateOf(s, "ep"), rules_->board.Find("e3"));
  EXPECT_EQ(StateOf(s, "quiet"), 7);
}

TEST_F(Chess, missing_fields_have_their_initial_values) {
  auto read = rules::ParsePosition(*rules_, "r3k2r/8/8/8/8/8/8/R3K2R");
  ASSERT_TRUE(read.snapshot);
  EXPECT_EQ(read.snapshot->mover, 0);
  EXPECT_FALSE(read.names_side);
  EXPECT_EQ(StateOf(*read.snapshot, "may_castle[White,queenside]"), 1);
}

TEST_F(Chess, names_follow_the_fields) {
  auto read = rules::ParsePosition(*rules_, "4k3/8/8/8/8/8/8/4K3 White - quiet=12 may_castle[White,kingside]=true");
  ASSERT_TRUE(read.snapshot) << read.message;
  EXPECT_EQ(StateOf(*read.snapshot, "quiet"), 12);
  EXPECT_EQ(StateOf(*read.snapshot, "may_castle[White,kingside]"), 1);
  EXPECT_EQ(StateOf(*read.snapshot, "may_castle[White,queenside]"), 0);
}

TEST_F(Chess, a_counter_beyond_its_bound_stops_there) {
  auto read = rules::ParsePosition(*rules_, "4k3/8/8/8/8/8/8/4K3 w - - 5000 9000");
  ASSERT_TRUE(read.snapshot) << read.message;
  for (const rules::Variable& v : rules_->vars) {
    if (v.name != "quiet") continue;
    EXPECT_EQ(read.snapshot->state[static_cast<std::size_t>(v.offset)], v.type.high);
  }
}

struct Wrong {
  const char* name;
  const char* text;
  std::size_t offset;
  const char* message;
};

class WrongText : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongText, is_refused_where_it_is_wrong) {
  static std::unique_ptr<rules::Rules> rules =
      Load(std::string(ARBITER_SOURCE_DIR) + "/rulesets/rollerball/rollerball.rules");
  ASSERT_NE(rules, nullptr);
  auto read = rules::ParsePosition(*rules, GetParam().text);
  ASSERT_FALSE(read.snapshot);
  EXPECT_EQ(read.message, GetParam().message);
  EXPECT_EQ(read.offset, GetParam().offset);
  EXPECT_FALSE(read.help.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongText,
    ::testing::Values(
        Wrong{"nothing", "   ", 0, "an empty position text"},
        Wrong{"unknown_letter", "2rbp2/2rkx2/2***2/2***2/2***2/2PKR2/2PBR2 w", 9, "no piece has the letter `x`"},
        Wrong{"row_long", "2rbp2/2rkp3/2***2/2***2/2***2/2PKR2/2PBR2 w", 10, "this row of the board is too long"},
        Wrong{"row_short", "2rbp2/2rkp1/2***2/2***2/2***2/2PKR2/2PBR2 w", 6,
              "this row of the board is too short: 6 places"},
        Wrong{"rows_few", "2rbp2/2rkp2 w", 0, "too few rows"},
        Wrong{"rows_many", "7/7/2***2/2***2/2***2/7/7/7 w", 26, "too many rows"},
        Wrong{"hole_missing", "7/7/7/2***2/2***2/7/7 w", 4, "there is no cell here"},
        Wrong{"hole_wrong", "7/*6/2***2/2***2/2***2/7/7 w", 2, "`*` stands where the board has a cell"},
        Wrong{"zero", "0/7/2***2/2***2/2***2/7/7 w", 0, "`0` is no number of empty cells"},
        Wrong{"side", "7/7/2***2/2***2/2***2/7/7 x", 26, "no player `x`"},
        Wrong{"variable", "7/7/2***2/2***2/2***2/7/7 w traveled[White]=true", 28,
              "nothing named `traveled` can be set"},
        Wrong{"index", "7/7/2***2/2***2/2***2/7/7 w travelled[Red]=true", 38, "`Red` is no index of `travelled`"},
        Wrong{"index_missing", "7/7/2***2/2***2/2***2/7/7 w travelled=true", 28, "`travelled` has 1 indices"},
        Wrong{"value", "7/7/2***2/2***2/2***2/7/7 w travelled[White]=maybe", 45, "`maybe` is no value of `travelled`"},
        Wrong{"part_of_turn", "7/7/2***2/2***2/2***2/7/7 w turn.palce=1", 28,
              "no part of a turn is called `turn.palce`"},
        Wrong{"piece", "7/7/2***2/2***2/2***2/7/7 w a1.owner=White", 28, "no piece stands on `a1`"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(PositionText, a_text_of_many_megabytes_is_refused) {
  auto rules = Load(std::string(ARBITER_SOURCE_DIR) + "/rulesets/rollerball/rollerball.rules");
  ASSERT_NE(rules, nullptr);
  auto read = rules::ParsePosition(*rules, std::string(10 << 20, '1'));
  EXPECT_FALSE(read.snapshot);
  EXPECT_FALSE(read.message.empty());
}

}  // namespace
}  // namespace arbiter
