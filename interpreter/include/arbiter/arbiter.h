// Arbiter in one header: load a rule file, check it, see its positions and moves, play and count.
//
//     arbiter::Checked checked = arbiter::Check(arbiter::Find("chess"));
//     if (!checked.game) { fputs(checked.report.Text().c_str(), stderr); return 1; }
//     arbiter::Position at = checked.game->Start();
//     for (const arbiter::Move& move : at.Moves()) puts(move.text().c_str());
//     arbiter::Position next = *at.Apply(*at.FindMove("e2-e4").value).value;
//
// Everything here is a value: cheap to copy, never changed once made, safe to share between threads. Nothing
// throws, prints or reads a global. What goes wrong comes back as a Report (the rule file) or as the
// `error` of a Result (a position, a move, a fault that the rules run into while they are played).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace arbiter {

namespace rules {  // only for those who draw boards or lists: see Game::rules() and Position::snapshot()
struct Rules;
struct Snapshot;
}  // namespace rules

template <class T>
struct Result {
  std::optional<T> value;
  std::string error;  // empty exactly if there is a value

  [[nodiscard]] explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

// ---- where rule files come from -----------------------------------------------------------------

// A rule file: on disk, or one of the rulesets built into the program.
struct Source {
  std::string path;       // as problems name it
  bool built_in = false;  // read from the program, not from disk
};

// `name` is a path, or the short name of a built-in ruleset. Anything with a slash or ending in `.rules` is a path.
Source Find(const std::string& name);

// The short names of the built-in rulesets, sorted, and where each stands.
std::vector<std::pair<std::string, Source>> BuiltIn();

using Options = std::vector<std::pair<std::string, std::string>>;  // name, value

// ---- checking -----------------------------------------------------------------------------------

struct Problem {
  enum class Severity : uint8_t { kError, kWarning, kNote };
  Severity severity = Severity::kError;
  std::string code;                                        // "name-unknown": a page in docs/diagnostics
  std::string message;                                     // lower case, without a full stop
  std::string path;                                        // empty: of no place
  int line = 0, column = 0, end_line = 0, end_column = 0;  // from 1, in code points; the end is exclusive
  std::vector<std::string> help;
};

// What a check found.
class Report {
 public:
  [[nodiscard]] bool ok() const;  // no errors; there may be warnings
  [[nodiscard]] const std::vector<Problem>& problems() const;
  [[nodiscard]] int Count(Problem::Severity severity) const;
  // With source lines and carets, as a terminal shows it; empty if there is no problem.
  [[nodiscard]] std::string Text(bool colour = false) const;
  [[nodiscard]] std::string Json() const;  // an array

  struct Data;
  explicit Report(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

class Game;
struct Checked;

// Reads and checks a rule file with everything it imports. Builds no tables: those are made when a Game first needs
// them.
Checked Check(const Source& source, const Options& options = {});
// The same from a text in memory, named `path`; imports are looked for beside that path.
Checked CheckText(const std::string& path, const std::string& text, const Options& options = {});

// The rule file as `arbiter fmt` writes it. Gives no text if the file does not parse.
struct Formatted {
  std::optional<std::string> text;
  bool changed = false;
  Report report;
};
Formatted Format(const Source& source);
Formatted FormatText(const std::string& path, const std::string& text);

// ---- a game -------------------------------------------------------------------------------------

// The engine and the slow reference evaluator: the same answers, by independent ways.
enum class Evaluator : uint8_t { kEngine, kOracle };

struct Outcome {
  enum class Kind : uint8_t { kNone, kWin, kDraw, kPoints };
  Kind kind = Kind::kNone;
  int winner = -1;          // kWin: index into Game::players()
  std::vector<int> points;  // kPoints: one per player
  std::string why;          // the line of the rule file that decided, if one did: "draw when repetition 3"
  [[nodiscard]] bool ended() const { return kind != Kind::kNone; }
};

struct Option {
  std::string name, type, chosen, initial, doc;
  std::vector<std::string> values;  // empty for long ranges
};

// What a game takes in memory, in bytes: what the engine looks up, and one position of it.
struct Sizes {
  std::size_t tables = 0;    // ends of walks and attacks by the occupied cells; what a move changes
  std::size_t paths = 0;     // the cells between an attacker and its target
  std::size_t sets = 0;      // sets of cells
  std::size_t code = 0;      // the bytecode
  std::size_t position = 0;  // one position, without its history
};

class Position;

// A checked rule file under chosen options.
class Game {
 public:
  [[nodiscard]] const Source& source() const;
  [[nodiscard]] const Options& options() const;  // as chosen when it was checked
  [[nodiscard]] const std::string& title() const;
  [[nodiscard]] const std::string& author() const;
  [[nodiscard]] std::vector<std::string> players() const;
  [[nodiscard]] std::vector<Option> all_options() const;
  [[nodiscard]] int CellNamed(std::string_view name) const;  // -1: the board has none
  [[nodiscard]] std::string CellName(int cell) const;
  [[nodiscard]] std::vector<std::string> setups() const;  // names; "" for the only one
  [[nodiscard]] std::vector<std::string> phases() const;
  [[nodiscard]] std::vector<std::string> examples() const;  // titles
  [[nodiscard]] std::vector<std::string> shows() const;     // labels of the lines that `show` declares

  [[nodiscard]] Position Start(Evaluator evaluator = Evaluator::kEngine) const;
  [[nodiscard]] Result<Position> Setup(std::string_view name, Evaluator evaluator = Evaluator::kEngine) const;
  // "BOARD SIDE name=value …", or a FEN with the further fields the rule file declares.
  [[nodiscard]] Result<Position> Read(std::string_view text, Evaluator evaluator = Evaluator::kEngine) const;
  // The position of an example, by its title or an unambiguous beginning of it.
  [[nodiscard]] Result<Position> OfExample(std::string_view title, Evaluator evaluator = Evaluator::kEngine) const;

  [[nodiscard]] Sizes sizes() const;
  [[nodiscard]] const rules::Rules& rules() const;

  struct Data;
  explicit Game(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  [[nodiscard]] const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

struct Checked {
  std::optional<Game> game;  // if there was no error
  Report report;
};

// ---- positions and moves ------------------------------------------------------------------------

// One action that may be made: a whole turn in most games, else a part of one.
class Move {
 public:
  [[nodiscard]] const std::string& text() const;           // "c1-a2", "O-O": unique among the moves of its position
  [[nodiscard]] const std::string& uci() const;            // the choices written together: "c1a2", "d6e7=R"
  [[nodiscard]] const std::string& action() const;         // the name of the action
  [[nodiscard]] std::vector<std::string> Choices() const;  // "c1", "a2", "=R"
  [[nodiscard]] std::vector<int> Cells() const;            // those of the choices that are cells of the board
  // Of the same list of moves, or of an equal position of the same game.
  bool operator==(const Move& other) const;

  struct List;
  Move(std::shared_ptr<const List> list, int index) : list_(std::move(list)), index_(index) {}
  [[nodiscard]] const List& list() const { return *list_; }
  [[nodiscard]] int index() const { return index_; }

 private:
  std::shared_ptr<const List> list_;
  int index_ = 0;
};

struct Step;

struct PerftOptions {
  bool by_actions = false;  // sequences of actions, not of complete turns
  bool bulk = true;         // the last level is counted, not made, where that is exact
  int threads = 1;          // 1 to 256 share the work; the oracle counts on one
};

// Games of random actions, taken together.
struct RandomGames {
  int games = 0, ended = 0;  // the others were stopped: too many turns, a turn without an end, a dead end
  int64_t turns = 0, actions = 0;
};

struct Piece {
  std::string kind;
  std::string owner;  // empty: neutral
  std::string cell;   // empty: off the board for now
};

// Where a game stands: the board, who is on turn, the state, the place within a turn. It has no past:
// repetitions and limits on turns are the record's (session/record.h).
class Position {
 public:
  // The legal actions that can be completed to a turn, sorted; empty when the game has ended.
  [[nodiscard]] std::vector<Move> Moves() const;
  // A fault of the rules met while looking for moves, as a sentence with its place; empty: none.
  [[nodiscard]] std::string Fault() const;
  // By its text, its uci form, its number from 1, or anything near that fits one move only. The error names what
  // may have been meant.
  [[nodiscard]] Result<Move> FindMove(std::string_view typed) const;
  [[nodiscard]] Result<Step> Apply(const Move& move) const;

  [[nodiscard]] int player() const;                 // on turn: index into Game::players()
  [[nodiscard]] std::vector<Piece> Pieces() const;  // in the order of the cells
  [[nodiscard]] bool between_turns() const;         // no part of a turn has been played
  // What the rule file tells about the position with `show`: label and text of each line, in file order.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> Shown() const;
  [[nodiscard]] std::string Text() const;  // can be read back by Game::Read
  [[nodiscard]] uint64_t Key() const;      // equal for equal positions: what repetition compares
  // The result, if the game ends here. `occurrences` counts how often this key has stood, this time included;
  // with 0 repetition, limits and clocks are left out.
  [[nodiscard]] Result<Outcome> Status(int occurrences = 0, int turns = 0) const;
  // How many sequences of `depth` turns (or actions) there are.
  [[nodiscard]] Result<uint64_t> Perft(int depth, PerftOptions options = {}) const;
  // Plays games from here whose actions are drawn from all legal ones, each equally likely. Turns and repetitions count
  // from here. The same seed plays the same games.
  [[nodiscard]] Result<RandomGames> PlayRandomly(uint64_t seed, int games, int max_turns = 2000) const;

  [[nodiscard]] Game game() const;
  [[nodiscard]] Evaluator evaluator() const;
  [[nodiscard]] const rules::Snapshot& snapshot() const;

  struct Data;
  explicit Position(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const Data> data_;
};

// What a move leads to.
struct Step {
  Position next;
  bool turn_complete = false;
  Outcome outcome;  // an end reached by the move itself; ends between turns: next.Status()
};

}  // namespace arbiter
