// Random boards as text: the items of `board { … }` and what the rest of a rule file has to know about them.
#pragma once

#include <string>
#include <vector>

#include "fuzz/dice.h"

namespace arbiter::fuzz {

struct BoardText {
  enum class Form { kSquares, kHexes, kGraph };
  Form form = Form::kSquares;
  std::vector<std::string> items;      // lines of `board { … }`, zones left out
  std::vector<std::string> cells;      // the names of the cells there are
  std::vector<std::vector<int>> rows;  // of a diagram, from the top: index into `cells`, or -1 for no cell
  int width = 0, height = 0;           // of a grid; 0: a free graph
  std::vector<std::string> directions;
  std::vector<std::string> direction_sets;  // names of sets of several directions
  std::vector<std::string> relative;        // `forward` and so on, where the board has them
  std::vector<std::string> turns;           // what may stand behind `turn`
  std::vector<std::string> facing;          // two or three directions that players may face; empty: none
  bool deflects = false;
  bool wraps = false;

  [[nodiscard]] bool grid() const { return form != Form::kGraph; }
};

BoardText MakeBoard(Dice& dice);

}  // namespace arbiter::fuzz
