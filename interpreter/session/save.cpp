#include "session/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "session/shown.h"

namespace arbiter::session {

namespace {

constexpr std::size_t kMaxSavedBytes = 4 << 20;
constexpr std::size_t kMaxSavedMoves = 200000;

std::string_view Trim(std::string_view s) {
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!s.empty() && blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && blank(s.back())) s.remove_suffix(1);
  return s;
}

std::string_view WithoutComment(std::string_view line) {
  // A comment starts a line or follows a blank: `//` inside a position would be part of it.
  for (std::size_t at = line.find("//"); at != std::string_view::npos; at = line.find("//", at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

// Takes the first word off `s`.
std::string_view TakeWord(std::string_view& s) {
  s = Trim(s);
  std::size_t stop = std::min(s.find_first_of(" \t"), s.size());
  std::string_view word = s.substr(0, stop);
  s = Trim(s.substr(stop));
  return word;
}

bool IsRoundNumber(std::string_view word) {
  if (word.size() < 2 || word.back() != '.') return false;
  while (!word.empty() && word.back() == '.') word.remove_suffix(1);
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class Parser {
 public:
  Result<SavedGame> Run(std::string_view text) {
    if (text.size() > kMaxSavedBytes) return {std::nullopt, "the game is larger than 4 MiB"};
    for (std::size_t at = 0; at <= text.size() && error_.empty();) {
      std::size_t stop = std::min(text.find('\n', at), text.size());
      ++line_;
      ReadLine(Trim(WithoutComment(text.substr(at, stop - at))));
      at = stop + 1;
    }
    if (error_.empty() && game_.ruleset.empty()) error_ = "no `ruleset` line: this is no saved game";
    if (!error_.empty()) return {std::nullopt, error_};
    return {std::move(game_), {}};
  }

 private:
  void Fail(std::string_view what) { error_ = fmt::format("line {}: {}", line_, what); }

  void ReadLine(std::string_view line) {
    if (line.empty()) return;
    std::string_view rest = line;
    std::string_view word = TakeWord(rest);
    if (word == "result") {
      game_.result = std::string(rest);
      game_.result_line = line_;
    } else if (game_.result) {
      Fail("nothing but comments may follow the result");
    } else if (game_.moves.empty() && ReadHead(word, rest)) {
      return;
    } else if (game_.ruleset.empty()) {
      Fail("expected `ruleset NAME`");
    } else {
      ReadMoves(line);
    }
  }

  bool ReadHead(std::string_view word, std::string_view rest) {
    if (word == "ruleset") {
      if (rest.empty()) Fail("expected a name after `ruleset`");
      game_.ruleset = std::string(rest);
    } else if (word == "option") {
      std::size_t equals = rest.find('=');
      if (equals == std::string_view::npos) {
        Fail("expected `option name = value`");
      } else {
        game_.options.emplace_back(Trim(rest.substr(0, equals)), Trim(rest.substr(equals + 1)));
      }
    } else if (word == "start") {
      game_.start = std::string(rest);
    } else if (word == "note") {
      std::string_view name = TakeWord(rest);
      game_.notes.emplace_back(name, rest);
    } else {
      return false;
    }
    return true;
  }

  void ReadMoves(std::string_view line) {
    while (!line.empty()) {
      std::string_view word = TakeWord(line);
      if (IsRoundNumber(word)) continue;
      bool goes_on = word.back() == ',';
      if (goes_on) word.remove_suffix(1);
      if (word.empty()) return Fail("a comma without a move before it");
      if (game_.moves.size() >= kMaxSavedMoves) return Fail("more moves than a game may have (200000)");
      game_.moves.push_back({std::string(word), goes_on, line_});
    }
  }

  SavedGame game_;
  std::string error_;
  int line_ = 0;
};

// What `--option` would need to get these rules again.
Options ChosenOptions(const Game& game) {
  Options options;
  for (const Option& option : game.all_options()) {
    if (option.chosen != option.initial) options.emplace_back(option.name, option.chosen);
  }
  return options;
}

std::string RulesetName(const Game& game) {
  const std::string& path = game.source().path;
  if (!game.source().built_in) return path;
  for (const auto& [name, source] : BuiltIn()) {
    if (source.path == path) return name;
  }
  return path;
}

}  // namespace

Result<SavedGame> ParseGame(std::string_view text) { return Parser().Run(text); }

Result<Record> Replay(const Game& game, const SavedGame& saved, Evaluator evaluator) {
  Position start = game.Start(evaluator);
  if (!saved.start.empty()) {
    Result<Position> read = game.Read(saved.start, evaluator);
    if (!read) return {std::nullopt, "start: " + read.error};
    start = *read;
  }
  Record record(start);
  for (const SavedMove& move : saved.moves) {
    std::string error = record.Play(move.text);
    if (!error.empty()) return {std::nullopt, fmt::format("line {}: {}", move.line, error)};
  }
  return {std::move(record), {}};
}

std::string Verify(const Game& game, const SavedGame& saved, Evaluator evaluator) {
  Result<Record> record = Replay(game, saved, evaluator);
  if (!record) return record.error;
  for (std::size_t i = 0; i < saved.moves.size(); ++i) {
    const Record::Entry& entry = record->entries()[i];
    if (entry.move != saved.moves[i].text) {
      return fmt::format("line {}: `{}` is written `{}`", saved.moves[i].line, saved.moves[i].text, entry.move);
    }
    bool last = i + 1 == saved.moves.size();
    if (entry.ends_turn == saved.moves[i].turn_goes_on && !last) {
      return fmt::format("line {}: after `{}` the turn {}", saved.moves[i].line, entry.move,
                         entry.ends_turn ? "is over: no comma" : "goes on: a comma is missing");
    }
  }
  std::string found = ResultWord(game, record->outcome());
  if (saved.result && *saved.result != found) {
    return fmt::format("line {}: the result is `{}`, not `{}`", saved.result_line, found, *saved.result);
  }
  return {};
}

std::string ResultWord(const Game& game, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kNone:
      return "unfinished";
    case Outcome::Kind::kDraw:
      return "draw";
    case Outcome::Kind::kWin:
      return game.players()[static_cast<std::size_t>(outcome.winner)] + " wins";
    case Outcome::Kind::kPoints:
      break;
  }
  std::string text = "points";
  for (int points : outcome.points) text += fmt::format(" {}", points);
  return text;
}

namespace {

// The moves, a line a round; behind a turn that changed it what `show` says of the state.
std::string WriteMoves(const Record& record) {
  constexpr std::string_view kComment = "// ";
  std::string text;
  // A round ends when the player who began is on turn again.
  int round = 0;
  int first = record.start().player();
  bool turn_begins = true;
  bool line_begins = true;
  std::vector<ShownLine> told = ShownIn(record.start(), ShownKind::kOfState).lines;
  for (const Record::Entry& entry : record.entries()) {
    bool round_begins = turn_begins && (round == 0 || entry.player == first);
    if (round_begins) ++round;
    if (line_begins) text += fmt::format("{}.{}", round, round_begins ? "" : "..");
    text += fmt::format("{}{}{}", turn_begins ? "  " : " ", entry.move, entry.ends_turn ? "" : ",");
    turn_begins = entry.ends_turn;
    std::string changed;
    if (entry.ends_turn) {
      std::vector<ShownLine> now = ShownIn(entry.after, ShownKind::kOfState).lines;
      std::vector<ShownLine> fresh = now;
      std::erase_if(fresh,
                    [&](const ShownLine& line) { return std::find(told.begin(), told.end(), line) != told.end(); });
      changed = ShownRows(fresh, kComment);
      told = std::move(now);
    }
    line_begins =
        (entry.ends_turn && entry.after.player() == first) || !changed.empty() || &entry == &record.entries().back();
    if (line_begins) text += '\n';
    text += changed;
  }
  // An unfinished turn carries no comma at the very end.
  if (!turn_begins) text.erase(text.size() - 2, 1);
  if (!text.empty()) text = "\n" + text;
  std::string last = ShownRows(ShownIn(record.position()).lines, kComment);
  return text + (last.empty() ? "" : "\n" + last);
}

}  // namespace

std::string WriteGame(const Record& record) {
  Game game = record.start().game();
  std::string text = fmt::format("ruleset  {}\n", RulesetName(game));
  for (const auto& [name, value] : ChosenOptions(game)) text += fmt::format("option   {} = {}\n", name, value);
  std::string start = record.start().Text();
  if (start != game.Start(record.start().evaluator()).Text()) text += fmt::format("start    {}\n", start);
  text += WriteMoves(record);
  text += fmt::format("\nresult   {}\n", ResultWord(game, record.outcome()));
  return text;
}

}  // namespace arbiter::session
