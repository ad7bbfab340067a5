// The face: games, positions and moves.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/position.h"
#include "program/program.h"
#include "rules/fen.h"
#include "rules/notation.h"
#include "session/data.h"
#include "session/shown.h"
#include "validate/examples.h"

namespace arbiter {

namespace {

std::string Shortened(const std::string& line, std::size_t most = 100) {
  if (line.size() <= most) return line;
  std::size_t cut = most;
  while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
  return line.substr(0, cut) + "…";
}

// A declaration up to its block and without its citations: "when no legal turn".
std::string Headline(std::string_view text) {
  text = text.substr(0, text.find('{'));
  text = text.substr(0, text.find("§"));
  return Shortened(OneLine(text.substr(0, text.find(" @"))));
}

std::string Quote(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += "`" + word + "`";
  }
  return text;
}

std::size_t CodePoints(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The message, the text with a caret under the wrong part, and the help.
std::string Pointed(std::string_view text, const rules::PositionResult& wrong) {
  std::string error = wrong.message;
  constexpr std::size_t kShown = 400;
  if (text.size() <= kShown && wrong.offset <= text.size() && text.find('\n') == std::string_view::npos) {
    std::size_t before = CodePoints(text.substr(0, wrong.offset));
    std::size_t width = std::max<std::size_t>(1, CodePoints(text.substr(wrong.offset, wrong.length)));
    error += fmt::format("\n  {}\n  {}{}", text, std::string(before, ' '), std::string(width, '^'));
  }
  if (!wrong.help.empty()) error += "\n  help: " + wrong.help;
  return error;
}

}  // namespace

std::string OneLine(std::string_view text) {
  std::string line;
  for (char c : text) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// ---- results of other rooms, as the face shows them ---------------------------------------------

Outcome MakeOutcome(const Game::Data& game, const rules::Outcome& outcome) {
  Outcome made;
  made.kind = static_cast<Outcome::Kind>(outcome.kind);
  made.winner = outcome.winner;
  made.points = outcome.points;
  if (outcome.kind != rules::Outcome::Kind::kNone && outcome.end >= 0) {
    source::Span span = game.rules->ends[static_cast<std::size_t>(outcome.end)].span;
    if (span.valid()) made.why = Headline(game.sources->Slice(span));
  }
  return made;
}

std::string FaultText(const Game::Data& game, const rules::Fault& fault) {
  std::string text = fmt::format("{} [{}]", fault.message, fault.code);
  if (!fault.span.valid()) return text;
  source::Place place = game.sources->PlaceOf(fault.span.file, fault.span.begin);
  return fmt::format("{} at {}:{}:{}", text, game.sources->path(fault.span.file), place.line, place.column);
}

Position MakePosition(std::shared_ptr<const Game::Data> game, Evaluator which, rules::Snapshot snapshot) {
  auto data = std::make_shared<Position::Data>();
  data->game = std::move(game);
  data->which = which;
  data->snapshot = std::move(snapshot);
  return Position(std::move(data));
}

// ---- Game ---------------------------------------------------------------------------------------

const Source& Game::source() const { return data_->source; }
const Options& Game::options() const { return data_->options; }
const std::string& Game::title() const { return data_->rules->title; }
const std::string& Game::author() const { return data_->rules->author; }
const rules::Rules& Game::rules() const { return *data_->rules; }

Sizes Game::sizes() const {
  const program::Sizes sizes = program::SizesOf(*data_->program());
  return {sizes.tables, sizes.paths, sizes.sets, sizes.code, engine::Position(data_->program()).bytes()};
}

std::vector<std::string> Game::players() const {
  std::vector<std::string> names;
  for (const rules::Player& player : data_->rules->players) names.push_back(player.name);
  return names;
}

std::vector<Option> Game::all_options() const {
  std::vector<Option> all;
  for (const rules::OptionValue& o : data_->rules->options) {
    all.push_back({o.name, o.type_text, o.chosen, o.initial, o.doc, o.values});
  }
  return all;
}

int Game::CellNamed(std::string_view name) const { return data_->rules->board.Find(name); }
std::string Game::CellName(int cell) const { return data_->rules->board.name(cell); }

std::vector<std::string> Game::setups() const {
  std::vector<std::string> names;
  for (const rules::Setup& setup : data_->rules->setups) names.push_back(setup.name);
  return names;
}

std::vector<std::string> Game::phases() const {
  std::vector<std::string> names;
  for (const rules::Phase& phase : data_->rules->phases) names.push_back(phase.name);
  return names;
}

std::vector<std::string> Game::examples() const {
  std::vector<std::string> titles;
  for (const rules::Example& example : data_->rules->examples) titles.push_back(example.title);
  return titles;
}

std::vector<std::string> Game::shows() const {
  std::vector<std::string> labels;
  for (const rules::Shown& line : data_->rules->shown) labels.push_back(session::ShownLabel(line.name));
  return labels;
}

Position Game::Start(Evaluator evaluator) const {
  return MakePosition(data_, evaluator, data_->evaluator(evaluator).Initial(data_->rules->start));
}

Result<Position> Game::Setup(std::string_view name, Evaluator evaluator) const {
  const auto& setups = data_->rules->setups;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    rules::SetupId id(i);
    if (setups[id].name == name) return {MakePosition(data_, evaluator, data_->evaluator(evaluator).Initial(id)), {}};
  }
  std::vector<std::string> names = this->setups();
  std::erase(names, std::string());
  if (names.empty()) return {std::nullopt, fmt::format("no set-up named `{}`: the only one has no name", name)};
  return {std::nullopt, fmt::format("no set-up named `{}`: there is {}", name, Quote(names))};
}

Result<Position> Game::Read(std::string_view text, Evaluator evaluator) const {
  rules::PositionResult parsed = rules::ParsePosition(*data_->rules, text);
  if (!parsed.snapshot) return {std::nullopt, Pointed(text, parsed)};
  return {MakePosition(data_, evaluator, std::move(*parsed.snapshot)), {}};
}

Result<Position> Game::OfExample(std::string_view title, Evaluator evaluator) const {
  const auto& examples = data_->rules->examples;
  std::vector<const rules::Example*> fitting;
  for (const rules::Example& example : examples) {
    if (example.title == title) {
      fitting.assign(1, &example);
      break;
    }
    if (std::string_view(example.title).starts_with(title)) fitting.push_back(&example);
  }
  if (fitting.empty()) {
    std::string near = diagnostics::Nearest(title, this->examples());
    std::string help = near.empty() ? std::string() : fmt::format(": did you mean `{}`?", near);
    for (std::size_t i = 0; near.empty() && i < examples.size(); ++i) help += "\n  " + examples[i].title;
    return {std::nullopt, fmt::format("no example titled `{}`{}{}", title,
                                      near.empty() && !examples.empty() ? "; there are" : "", help)};
  }
  if (fitting.size() > 1) {
    std::vector<std::string> titles;
    for (const rules::Example* example : fitting) titles.push_back(example->title);
    return {std::nullopt, fmt::format("several examples begin with `{}`: {}", title, Quote(titles))};
  }
  const rules::Example& example = *fitting.front();
  // Under options that it does not name an example has not been read.
  if (example.steps.empty()) {
    std::vector<std::string> options;
    for (const auto& [name, value] : example.options) options.push_back(fmt::format("--option {}={}", name, value));
    return {std::nullopt,
            options.empty()
                ? fmt::format("the example `{}` is for the usual options: leave out `--option`", example.title)
                : fmt::format("this example needs these options and no others: {}", Quote(options))};
  }
  auto at = validate::ExamplePosition(*data_->rules, data_->evaluator(evaluator), example);
  if (!at) return {std::nullopt, fmt::format("the example `{}` has no position", example.title)};
  return {MakePosition(data_, evaluator, std::move(*at)), {}};
}

// ---- Move ---------------------------------------------------------------------------------------

const std::string& Move::text() const { return list_->texts[static_cast<std::size_t>(index_)]; }
const std::string& Move::uci() const { return list_->ucis[static_cast<std::size_t>(index_)]; }

const std::string& Move::action() const {
  static const std::string kDone = "done";  // the empty part that ends a turn
  const rules::Move& move = list_->moves[static_cast<std::size_t>(index_)];
  if (move.tokens.empty()) return kDone;
  return list_->game->rules->action_names[static_cast<std::size_t>(move.tokens.front().value)];
}

std::vector<std::string> Move::Choices() const {
  std::vector<std::string> texts;
  const rules::Move& move = list_->moves[static_cast<std::size_t>(index_)];
  for (std::size_t i = 1; i < move.tokens.size(); ++i) {
    texts.push_back(rules::TokenText(*list_->game->rules, move.tokens[i]));
  }
  return texts;
}

std::vector<int> Move::Cells() const {
  std::vector<int> cells;
  for (const rules::Token& token : list_->moves[static_cast<std::size_t>(index_)].tokens) {
    bool cell = token.base == rules::Base::kCell || token.base == rules::Base::kPiece;
    if (cell && token.value >= 0 && !list_->game->rules->board.is_place(token.value)) cells.push_back(token.value);
  }
  return cells;
}

bool Move::operator==(const Move& other) const {
  return list_->moves[static_cast<std::size_t>(index_)] == other.list_->moves[static_cast<std::size_t>(other.index_)];
}

// ---- Position -----------------------------------------------------------------------------------

const std::shared_ptr<const Move::List>& Position::Data::moves() const {
  std::call_once(listed_, [&] {
    auto list = std::make_shared<Move::List>();
    list->game = game;
    list->moves = evaluator().Moves(snapshot, &list->fault);
    list->texts = rules::MoveTexts(*game->rules, list->moves);
    list->ucis = rules::MoveTexts(*game->rules, list->moves, rules::Notation::kUci);
    list_ = std::move(list);
  });
  return list_;
}

std::vector<Move> Position::Moves() const {
  const auto& list = data_->moves();
  std::vector<Move> moves;
  moves.reserve(list->moves.size());
  for (std::size_t i = 0; i < list->moves.size(); ++i) moves.emplace_back(list, static_cast<int>(i));
  return moves;
}

std::string Position::Fault() const {
  const auto& list = data_->moves();
  return list->fault ? FaultText(*data_->game, *list->fault) : std::string();
}

Result<Move> Position::FindMove(std::string_view typed) const {
  const auto& list = data_->moves();
  rules::Typed found = rules::FindMove(*data_->game->rules, list->moves, typed);
  if (found.index >= 0) return {Move(list, found.index), {}};
  std::vector<std::string> candidates;
  for (int i : found.candidates) candidates.push_back(list->texts[static_cast<std::size_t>(i)]);
  if (found.ambiguous) {
    return {std::nullopt, fmt::format("`{}` fits several moves: {}", typed, Quote(candidates))};
  }
  std::string help = candidates.empty() ? std::string() : fmt::format(": did you mean {}?", Quote(candidates));
  return {std::nullopt, fmt::format("`{}` is not among the moves here{}", typed, help)};
}

Result<Step> Position::Apply(const Move& move) const {
  std::optional<rules::Fault> fault;
  const rules::Move& inner = move.list().moves[static_cast<std::size_t>(move.index())];
  auto applied = data_->evaluator().Apply(data_->snapshot, inner, &fault);
  if (!applied) {
    if (fault) return {std::nullopt, FaultText(*data_->game, *fault)};
    return {std::nullopt, fmt::format("`{}` is not among the moves here", move.text())};
  }
  return {Step{MakePosition(data_->game, data_->which, std::move(applied->next)), applied->turn_complete,
               MakeOutcome(*data_->game, applied->outcome)},
          {}};
}

int Position::player() const { return data_->snapshot.mover; }

std::vector<Piece> Position::Pieces() const {
  const rules::Rules& rules = *data_->game->rules;
  std::vector<Piece> pieces;
  for (const rules::PieceRecord& p : data_->snapshot.pieces) {
    pieces.push_back({rules.kinds[static_cast<std::size_t>(p.kind)].name,
                      p.owner < 0 ? "" : rules.players[static_cast<std::size_t>(p.owner)].name,
                      p.cell < 0 ? "" : rules.board.name(p.cell)});
  }
  return pieces;
}

bool Position::between_turns() const {
  const auto& phases = data_->game->rules->phases;
  return data_->snapshot.place == phases[static_cast<std::size_t>(data_->snapshot.phase)].turn &&
         data_->snapshot.last_self == rules::kNone;
}

std::vector<std::pair<std::string, std::string>> Position::Shown() const {
  std::vector<std::pair<std::string, std::string>> shown;
  for (session::ShownLine& line : session::ShownIn(*this).lines) {
    shown.emplace_back(std::move(line.label), std::move(line.text));
  }
  return shown;
}

std::string Position::Text() const { return rules::FormatPosition(*data_->game->rules, data_->snapshot); }
uint64_t Position::Key() const { return data_->evaluator().Key(data_->snapshot); }

Result<Outcome> Position::Status(int occurrences, int turns) const {
  std::optional<rules::Fault> fault;
  rules::Outcome outcome = data_->evaluator().Status(data_->snapshot, occurrences, turns, &fault);
  if (fault) return {std::nullopt, FaultText(*data_->game, *fault)};
  return {MakeOutcome(*data_->game, outcome), {}};
}

Result<uint64_t> Position::Perft(int depth, PerftOptions options) const {
  std::optional<rules::Fault> fault;
  uint64_t count =
      data_->evaluator().Perft(data_->snapshot, depth, {options.by_actions, options.bulk, options.threads}, &fault);
  if (fault) return {std::nullopt, FaultText(*data_->game, *fault)};
  return {count, {}};
}

Result<RandomGames> Position::PlayRandomly(uint64_t seed, int games, int max_turns) const {
  std::optional<rules::Fault> fault;
  const validate::RandomGames sum = data_->evaluator().PlayRandomly(data_->snapshot, seed, games, max_turns, &fault);
  if (fault) return {std::nullopt, FaultText(*data_->game, *fault)};
  return {RandomGames{sum.games, sum.ended, sum.turns, sum.actions}, {}};
}

Evaluator Position::evaluator() const { return data_->which; }
const rules::Snapshot& Position::snapshot() const { return data_->snapshot; }
Game Position::game() const { return Game(data_->game); }

}  // namespace arbiter
