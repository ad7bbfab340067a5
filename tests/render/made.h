// Rules made by hand, as the checker would make them: enough of them to be drawn.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "rules/rules.h"
#include "rules/snapshot.h"

namespace arbiter::render {

inline rules::Kind MakeKind(const std::string& name, std::vector<std::string> letters, bool neutral = false) {
  rules::Kind kind;
  kind.name = name;
  kind.letters = std::move(letters);
  kind.neutral = neutral;
  return kind;
}

inline rules::Rules MakeRules(board::Builder builder, std::vector<rules::Kind> kinds) {
  rules::Rules rules;
  rules.title = "Made & tested";
  rules.players = {{"White"}, {"Black"}};
  rules.board = builder.Take();
  rules.kinds = std::move(kinds);
  rules::Phase phase;
  phase.turn = rules.turn_states.Add({});
  rules.phases.push_back(phase);
  return rules;
}

inline board::Builder SquaresBoard(int width, int height, const std::vector<std::string>& holes = {},
                                   bool wrap_files = false) {
  board::Builder builder;
  board::CellSet cut;
  for (const std::string& hole : holes)
    cut.set(static_cast<std::size_t>(board::Builder::GridCell(hole, width, height)));
  EXPECT_EQ(builder.Squares(width, height, cut, wrap_files, false), "");
  return builder;
}

// Pieces as "a1=K" (the letter of kind and owner), "-=K" lifted.
inline rules::Snapshot MakePosition(const rules::Rules& rules, const std::vector<std::string>& pieces) {
  rules::Snapshot at;
  at.place = rules.phases[0].turn;
  for (const rules::Variable& variable : rules.vars) {
    at.state.insert(at.state.end(), variable.initial.begin(), variable.initial.end());
  }
  for (const std::string& text : pieces) {
    const std::size_t sign = text.rfind('=');
    const std::string letter = text.substr(sign + 1);
    rules::PieceRecord piece;
    bool found = false;
    for (std::size_t k = 0; k < rules.kinds.size(); ++k) {
      for (std::size_t p = 0; p < rules.kinds[k].letters.size() && !found; ++p) {
        if (rules.kinds[k].letters[p] != letter) continue;
        piece.kind = static_cast<int>(k);
        piece.owner = rules.kinds[k].neutral ? rules::kNone : static_cast<int>(p);
        found = true;
      }
    }
    EXPECT_TRUE(found) << text;
    const std::string cell = text.substr(0, sign);
    piece.cell = cell == "-" ? rules::kNone : rules.board.Find(cell);
    EXPECT_NE(piece.cell, -1) << text;
    for (const rules::Variable& variable : rules.piece_vars) {
      piece.state.insert(piece.state.end(), variable.initial.begin(), variable.initial.end());
    }
    at.pieces.push_back(piece);
  }
  return at;
}

}  // namespace arbiter::render
