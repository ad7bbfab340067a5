// arbiter play: a person or a random player on either side.
//
// Without a terminal, and if nobody asked for a person, both sides play at random and the game is printed
// as `--save` would write it. With a person named on the command line the moves are read from standard input, line by
// line, terminal or not.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <random>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/load.h"
#include "diagnostics/diagnostic.h"
#include "render/text.h"
#include "session/match.h"
#include "session/record.h"
#include "session/save.h"
#include "source/loader.h"

namespace arbiter::cli {

namespace {

constexpr int kDefaultTurns = 1000;
constexpr std::size_t kMaxLine = 4096;

// Behind an example of a move.
constexpr const char* kHelp =
    "  12            play the move with this number\n"
    "  c1            what the piece on c1 can do, where that is no move by itself\n"
    "  moves         all moves, numbered\n"
    "  undo          take the last action back; against a random player, your own last choice\n"
    "  back          take back to your own last choice\n"
    "  board         the board again\n"
    "  position      the position as text, for `--position`\n"
    "  game          the game so far, as it is saved\n"
    "  save FILE     save the game\n"
    "  load FILE     go on with a saved game\n"
    "  random        let chance choose this move\n"
    "  quit          stop\n";

// One line of standard input without its end; none at the end of input.
std::optional<std::string> ReadLine() {
  std::string line;
  int c = 0;
  while ((c = std::fgetc(stdin)) != EOF && c != '\n') {
    if (line.size() < kMaxLine) line += static_cast<char>(c);
  }
  if (c == EOF && line.empty()) return std::nullopt;
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.pop_back();
  std::size_t begin = 0;
  while (begin < line.size() && std::isspace(static_cast<unsigned char>(line[begin])) != 0) ++begin;
  return line.substr(begin);
}

std::string Numbered(const Move& move) { return fmt::format("{:>4}  {}\n", move.index() + 1, move.text()); }

std::string MoveTable(const std::vector<Move>& moves) {
  std::size_t width = 0;
  for (const Move& move : moves) width = std::max(width, move.text().size());
  std::size_t columns = std::max<std::size_t>(1, 76 / (width + 8));
  std::string text;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    bool last = (i + 1) % columns == 0 || i + 1 == moves.size();
    text += fmt::format("{:>4}  {:<{}}", moves[i].index() + 1, moves[i].text(), last ? 0 : width + 2);
    if (last) text += '\n';
  }
  return text;
}

Result<session::Record> LoadRecord(const std::string& path, const std::string& instead, const Arguments& arguments) {
  source::LoadResult loaded = source::FileLoader().Read(path);
  if (loaded.problem != source::LoadResult::Problem::kNone) {
    return {std::nullopt, fmt::format("`{}` cannot be read", path)};
  }
  Result<session::SavedGame> saved = session::ParseGame(loaded.text);
  if (!saved) return {std::nullopt, fmt::format("{}: {}", path, saved.error)};
  Source source = Find(instead.empty() ? saved->ruleset : instead);
  std::error_code error;
  if (!source.built_in && !std::filesystem::exists(source.path, error)) {
    source.path = source::BesidePath(path, source.path);
  }
  Options options = saved->options;
  options.insert(options.end(), arguments.options.begin(), arguments.options.end());
  Checked checked = Check(source, options);
  if (!checked.game)
    return {std::nullopt, fmt::format("{}: the rules cannot be used\n{}", path, checked.report.Text())};
  Result<session::Record> record = session::Replay(*checked.game, *saved, arguments.evaluator);
  if (!record) return {std::nullopt, fmt::format("{}: {}", path, record.error)};
  return record;
}

// A person at standard input.
class Person : public session::Player {
 public:
  Person(Output& out, const Arguments& arguments, std::vector<std::string> seats, bool terminal, uint64_t seed)
      : out_(out), arguments_(arguments), seats_(std::move(seats)), terminal_(terminal), chance_(seed) {}

  session::Choice Choose(const session::Record& record, const std::vector<Move>& moves) override {
    using Kind = session::Choice::Kind;
    while (true) {
      Prompt(record, moves);
      std::optional<std::string> line = ReadLine();
      if (!line || *line == "quit" || *line == "q" || *line == "exit") return {Kind::kLeave, {}, {}};
      if (line->empty()) continue;
      std::string word = line->substr(0, line->find(' '));
      std::string rest = line->size() > word.size() ? line->substr(line->find_first_not_of(' ', word.size())) : "";
      if (word == "undo" || word == "u") return {Undo(record), {}, {}};
      if (word == "back") return {Kind::kTakeBack, {}, {}};
      if (word == "random") return chance_.Choose(record, moves);
      if (word == "load" && rest.empty()) {
        out_.Print("load what? `load FILE`\n");
        continue;
      }
      if (word == "load") {
        Result<session::Record> loaded = LoadRecord(rest, {}, arguments_);
        if (loaded && loaded->start().game().source().path == record.start().game().source().path) {
          return {Kind::kReplace, {}, std::move(loaded.value)};
        }
        out_.Print(loaded ? "that is a game by other rules: leave, and use --resume\n" : loaded.error + "\n");
        continue;
      }
      if (Tell(word, rest, record, moves)) continue;
      Result<Move> move = record.position().FindMove(*line);
      if (move) return {Kind::kMove, *move, {}};
      out_.Print(move.error + "\n");
    }
  }

 private:
  // Against another person the last action; against chance, which would only play again, one's own last choice.
  [[nodiscard]] session::Choice::Kind Undo(const session::Record& record) const {
    if (record.entries().empty()) return session::Choice::Kind::kUndo;
    bool person = seats_[static_cast<std::size_t>(record.entries().back().player)] == "person";
    return person ? session::Choice::Kind::kUndo : session::Choice::Kind::kTakeBack;
  }

  void Prompt(const session::Record& record, const std::vector<Move>& moves) {
    Game game = record.start().game();
    out_.Print(fmt::format("{} to move ({}; `help`)> ",
                           game.players()[static_cast<std::size_t>(record.position().player())],
                           Plural(static_cast<int64_t>(moves.size()), "move")));
    if (!terminal_) out_.Print("\n");
    out_.Flush();
  }

  // Answers a question. False if it was none.
  bool Tell(const std::string& word, const std::string& rest, const session::Record& record,
            const std::vector<Move>& moves) {
    if (word == "help" || word == "?") {
      out_.Print(fmt::format("  {:<12}  play this move; other spellings that fit one move only do as well\n{}",
                             moves.front().text(), kHelp));
    } else if (word == "moves" || word == "m") {
      out_.Print(MoveTable(moves));
    } else if (word == "board") {
      out_.Print(render::BoardText(record.position()));
    } else if (word == "position") {
      out_.Print(record.position().Text() + "\n");
    } else if (word == "game") {
      out_.Print(session::WriteGame(record));
    } else if (word == "save") {
      std::string error =
          rest.empty() ? "save where? `save FILE`" : WriteFileAtomically(rest, session::WriteGame(record));
      out_.Print(error.empty() ? fmt::format("saved to {}\n", rest) : error + "\n");
    } else if (record.position().FindMove(word)) {
      return false;  // the name of a cell may be a whole move
    } else if (int cell = record.start().game().CellNamed(word); cell >= 0 && rest.empty()) {
      Hint(cell, word, record, moves);
    } else {
      return false;
    }
    return true;
  }

  void Hint(int cell, const std::string& name, const session::Record& record, const std::vector<Move>& moves) {
    std::string text;
    render::TextOptions options;
    options.state = false;
    for (const Move& move : moves) {
      std::vector<int> cells = move.Cells();
      if (cells.empty() || cells.front() != cell) continue;
      text += Numbered(move);
      options.marked.set(static_cast<std::size_t>(cells.back()));
    }
    if (text.empty()) {
      out_.Print(fmt::format("nothing can be done from {} now\n", name));
      return;
    }
    out_.Print(render::BoardText(record.position(), options));
    out_.Print(text);
  }

  Output& out_;
  const Arguments& arguments_;
  std::vector<std::string> seats_;
  bool terminal_;
  session::RandomPlayer chance_;
};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Who plays each side: "person" or "random". Empty after an error.
std::vector<std::string> Seats(const Game& game, const Arguments& arguments, bool terminal, Output& out) {
  std::vector<std::string> names = game.players();
  std::vector<std::string> seats(names.size());
  for (const auto& [name, who] : arguments.players) {
    auto found = std::find_if(names.begin(), names.end(), [&](const auto& n) { return Lower(n) == Lower(name); });
    std::string list;
    for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
    if (found == names.end()) {
      std::string near = diagnostics::Nearest(name, {"save", "resume", "seed", "player", "position", "option"});
      UsageError(out, fmt::format("`--{}` is neither an option of `play` nor a player of this game ({}){}", name, list,
                                  near.empty() ? "" : fmt::format(": did you mean `--{}`?", near)));
      return {};
    }
    if (who != "person" && who != "random") {
      UsageError(out, fmt::format("{} is played by a `person` or at `random`, not by `{}`", *found, who));
      return {};
    }
    seats[static_cast<std::size_t>(found - names.begin())] = who;
  }
  bool person = std::find(seats.begin(), seats.end(), "person") != seats.end();
  bool first_free = true;
  for (std::string& seat : seats) {
    if (!seat.empty()) continue;
    // At a terminal somebody wants to play: the first side that nobody has taken.
    bool take = terminal && !person && first_free;
    seat = take ? "person" : "random";
    first_free = false;
  }
  return seats;
}

// `what`: what was done, if it was no move.
void ShowMove(const session::Record& record, Output& out, const std::string& what = {}) {
  Game game = record.start().game();
  if (!what.empty()) {
    out.Print("\n" + what + "\n");
  } else if (!record.entries().empty()) {
    const auto& last = record.entries().back();
    out.Print(fmt::format("\n{} plays {}\n", game.players()[static_cast<std::size_t>(last.player)], last.move));
  }
  out.Print(render::BoardText(record.position()));
}

std::string WhyStopped(const session::MatchEnd& end) {
  using Kind = session::MatchEnd::Kind;
  switch (end.kind) {
    case Kind::kResult:
      return {};
    case Kind::kNoMoves:
      return "there is no move, and no end of the rules says what that means";
    case Kind::kTurns:
      return "stopped";
    case Kind::kStopped:
      return "stopped";
    case Kind::kLeft:
      return "left unfinished";
    case Kind::kFault:
      return end.error;
  }
  return {};
}

std::optional<session::Record> Begin(const Arguments& arguments, Output& out, int* exit_code) {
  if (!arguments.resume.empty()) {
    if (!arguments.position.empty() || !arguments.setup.empty() || !arguments.example.empty() ||
        !arguments.after.empty()) {
      *exit_code =
          UsageError(out, "a resumed game stands where it stands: no --position, --setup, --example or --after");
      return std::nullopt;
    }
    std::string instead = arguments.files.empty() ? std::string() : arguments.files.front();
    Result<session::Record> record = LoadRecord(arguments.resume, instead, arguments);
    if (!record) *exit_code = ProblemError(out, record.error);
    return record.value;
  }
  std::optional<Game> game = LoadGame(arguments.files.front(), arguments, out, exit_code);
  if (!game) return std::nullopt;
  std::optional<Position> at = LoadPosition(*game, arguments, out, exit_code);
  if (!at) return std::nullopt;
  return session::Record(*at);
}

}  // namespace

int RunPlay(const Arguments& arguments, Output& out) {
  int exit_code = kExitOk;
  std::optional<session::Record> record = Begin(arguments, out, &exit_code);
  if (!record) return exit_code;
  Game game = record->start().game();
  bool terminal = isatty(STDIN_FILENO) == 1;
  std::vector<std::string> seats = Seats(game, arguments, terminal, out);
  if (seats.empty()) return kExitUsage;
  bool person = std::find(seats.begin(), seats.end(), "person") != seats.end();

  // A person at a terminal meets another game every time; programs get the same one unless they ask.
  uint64_t game_seed = arguments.seed_given || !terminal ? arguments.seed : std::random_device{}();
  std::vector<std::shared_ptr<session::Player>> players;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    uint64_t seed = game_seed * 1000003 + i;
    if (seats[i] == "person") {
      players.push_back(std::make_shared<Person>(out, arguments, seats, terminal, seed));
    } else {
      players.push_back(std::make_shared<session::RandomPlayer>(seed));
    }
  }
  session::MatchWatch watch;
  watch.stop = [&](const session::Record&) { return out.gone(); };
  if (person && !arguments.json) {
    std::string table;
    for (std::size_t i = 0; i < seats.size(); ++i) {
      table += fmt::format("{}{}: {}", i == 0 ? "" : ", ", game.players()[i], seats[i]);
    }
    if (std::find(seats.begin(), seats.end(), "random") != seats.end()) table += fmt::format(" (seed {})", game_seed);
    out.Print(fmt::format("{}. {}\n\n", game.title(), table));
    ShowMove(*record, out);
    watch.on_move = [&](const session::Record& now) { ShowMove(now, out); };
    watch.on_change = [&](const session::Record& now, const std::string& what) { ShowMove(now, out, what); };
    watch.on_refused = [&](const std::string& why) { out.Print(why + "\n"); };
  }
  int max_turns = arguments.max_turns > 0 ? arguments.max_turns : kDefaultTurns;
  session::MatchEnd end = session::RunMatch(*record, players, max_turns + record->turns(), watch);

  std::string why = WhyStopped(end);
  if (!arguments.save.empty()) {
    std::string error = WriteFileAtomically(arguments.save, session::WriteGame(*record));
    if (!error.empty()) exit_code = ProblemError(out, error);
  }
  if (arguments.json) {
    out.Print(PlayJson(*record, why));
  } else {
    if (!person) out.Print(session::WriteGame(*record));
    if (person) out.Print("\n");
    std::string result = record->ended() ? session::OutcomeText(game, record->outcome()) : why;
    if (!record->outcome().why.empty()) result += fmt::format(" (by `{}`)", record->outcome().why);
    // A comment, so that the whole output of a random game is a saved game.
    out.Print(fmt::format("{}{}, after {}\n", person ? "" : "// ", result, Plural(record->turns(), "turn")));
    if (person && !record->ended()) out.Print(fmt::format("position  {}\n", record->position().Text()));
  }
  return end.kind == session::MatchEnd::Kind::kFault ? kExitProblem : exit_code;
}

}  // namespace arbiter::cli
