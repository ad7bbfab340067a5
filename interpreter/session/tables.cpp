#include "session/tables.h"

#include <algorithm>

#include "rules/rules.h"
#include "session/data.h"

namespace arbiter::session {

namespace {

std::optional<int> NumberIn(const ShownParts& line, std::size_t part) {
  if (line.fault || part >= line.parts.size()) return std::nullopt;
  return line.parts[part].number;
}

// A faulty line is counted by its `?`.
std::string TextIn(const ShownParts& line, const std::vector<std::size_t>& parts) {
  if (line.fault) return "?";
  std::string text;
  for (std::size_t part : parts) text += line.parts[part].text;
  return text;
}

NumberRow MakeRow(const std::string& label, int changed, const std::map<int, int>& numbers) {
  NumberRow row;
  row.label = label;
  row.changed = changed;
  for (auto [number, count] : numbers) row.games += count;
  if (row.games == 0) return row;
  row.least = numbers.begin()->first;
  row.most = numbers.rbegin()->first;
  int below = 0;
  for (auto [number, count] : numbers) {
    if (below <= row.games / 2) row.median = number;
    below += count;
    row.sum += int64_t{number} * count;
  }
  return row;
}

}  // namespace

ShownCounter::ShownCounter(const Game& game) : game_(game), columns_(Columns()) {
  std::vector<ShownParts> first = ShownPartsIn(game.rules(), game.Start().snapshot());
  for (Column& column : columns_) {
    if (column.number) column.at_first = NumberIn(first[column.line], column.parts.front());
  }
}

std::string ShownCounter::PartLabel(std::size_t line, std::size_t part) const {
  return OneLine(game_.data().sources->Slice(game_.rules().shown[line].written[part]));
}

std::vector<ShownCounter::Column> ShownCounter::Columns() const {
  const rules::Rules& rules = game_.rules();
  std::vector<Column> columns;
  for (std::size_t i = 0; i < rules.shown.size(); ++i) {
    const rules::Shown& line = rules.shown[i];
    std::vector<std::size_t> all, numbers, others;
    for (std::size_t part = 0; part < line.parts.size(); ++part) {
      const rules::Expr& e = rules.exprs[line.parts[part]];
      all.push_back(part);
      if (e.op == rules::Op::kConst) continue;
      (e.type.base == rules::Base::kInt && !e.type.set ? numbers : others).push_back(part);
    }
    std::string label = ShownLabel(line.name);
    bool alone = numbers.size() + others.size() == 1;
    auto add = [&](std::vector<std::size_t> parts, bool number) {
      Column& column = columns.emplace_back();
      column.line = i;
      column.number = number;
      column.label = alone || !(number || !numbers.empty()) ? label : label + ": " + PartLabel(i, parts.front());
      column.parts = std::move(parts);
    };
    for (std::size_t part : numbers) add({part}, true);
    if (numbers.empty()) add(all, false);
    for (std::size_t part : others) {
      if (!numbers.empty()) add({part}, false);
    }
  }
  return columns;
}

void ShownCounter::Add(const rules::Snapshot& last) {
  ++games_;
  std::vector<ShownParts> lines = ShownPartsIn(game_.rules(), last);
  for (Column& column : columns_) {
    const ShownParts& line = lines[column.line];
    if (!column.number) {
      ++(line.stands ? column.texts[TextIn(line, column.parts)] : column.left_out);
    } else if (std::optional<int> number = NumberIn(line, column.parts.front()); number && line.stands) {
      ++column.numbers[*number];
      if (number != column.at_first) ++column.changed;
    }
  }
}

ShownTable ShownCounter::Table() const {
  ShownTable table;
  table.games = games_;
  for (const Column& column : columns_) {
    if (column.number) {
      table.numbers.push_back(MakeRow(column.label, column.changed, column.numbers));
      continue;
    }
    TextRow& row = table.texts.emplace_back();
    row.label = column.label;
    row.left_out = column.left_out;
    row.counts.assign(column.texts.begin(), column.texts.end());
    std::stable_sort(row.counts.begin(), row.counts.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  return table;
}

}  // namespace arbiter::session
