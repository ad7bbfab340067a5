// What the `show` lines of a rule file told at the end of many games, in numbers.
//
// A number in a line gets a row of its own; a line without numbers, and every other part of a line with them, is
// counted by its text. Parts that always say the same because they are written out in the rules are left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "session/shown.h"

namespace arbiter::session {

struct NumberRow {
  std::string label;                    // "move", "score: goals[White]"
  int games = 0;                        // at whose end the number was there; if none, the rest means nothing
  int changed = 0;                      // games at whose end it was not what it is at the beginning, shown there or not
  int least = 0, median = 0, most = 0;  // of an even number of games the upper of the two in the middle
  int64_t sum = 0;
  [[nodiscard]] double mean() const { return static_cast<double>(sum) / games; }
};

struct TextRow {
  std::string label;
  int left_out = 0;                                 // games at whose end the line did not stand
  std::vector<std::pair<std::string, int>> counts;  // the most frequent first, equal ones by their text
};

struct ShownTable {
  int games = 0;
  std::vector<NumberRow> numbers;  // in file order
  std::vector<TextRow> texts;
};

class ShownCounter {
 public:
  explicit ShownCounter(const Game& game);

  void Add(const rules::Snapshot& last);
  [[nodiscard]] ShownTable Table() const;

 private:
  struct Column {
    std::size_t line = 0;
    std::vector<std::size_t> parts;  // one that holds numbers, or those whose text is counted
    bool number = false;
    std::string label;
    std::optional<int> at_first;
    int changed = 0, left_out = 0;
    std::map<int, int> numbers;
    std::map<std::string, int> texts;
  };
  [[nodiscard]] std::vector<Column> Columns() const;
  [[nodiscard]] std::string PartLabel(std::size_t line, std::size_t part) const;

  Game game_;
  int games_ = 0;
  std::vector<Column> columns_;
};

}  // namespace arbiter::session
