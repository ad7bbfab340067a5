#include "validate/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "oracle/oracle.h"
#include "rules/fen.h"
#include "rules/notation.h"

namespace arbiter::validate {

namespace {

using rules::ExampleStep;
using rules::kNone;
using rules::Value;

constexpr double kPerftBudget = 3e7;  // turns; some seconds at worst

std::string Joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

// What has been played in an example: the position, its result and what repetition counts.
struct Game {
  Snapshot at;
  Outcome outcome;
  int turns = 0;
  std::map<uint64_t, int> seen;
};

class Runner {
 public:
  Runner(const rules::Rules& rules, const Evaluator& evaluator, const Questions& questions, uint64_t largest_perft)
      : rules_(rules), evaluator_(evaluator), questions_(questions), largest_perft_(largest_perft) {}

  std::vector<ExampleFailure> Run(const rules::Example& example) {
    for (const ExampleStep& step : example.steps) {
      span_ = step.span;
      RunStep(step);
      if (broken_) break;  // the rest would speak of a position that was never reached
    }
    return std::move(failures_);
  }

 private:
  ExampleFailure& Fail(std::string message) {
    failures_.push_back({span_, std::move(message), {}});
    return failures_.back();
  }

  bool Faulted() {
    if (!fault_) return false;
    Fail(fmt::format("the rules break here: {}", fault_->message)).notes.push_back("code: " + fault_->code);
    fault_.reset();
    return true;
  }

  void Begin(Snapshot at) {
    game_ = Game{};
    game_->at = std::move(at);
    game_->seen[evaluator_.Key(game_->at)] = 1;
    game_->outcome = evaluator_.Status(game_->at, 1, 0, &fault_);
    broken_ = Faulted();
  }

  std::vector<Move> Offered(const Game& game) {
    if (game.outcome.kind != Outcome::Kind::kNone) return {};
    return evaluator_.Moves(game.at, &fault_);
  }

  // Null if it was played; else why not.
  std::optional<std::string> Play(Game& game, const std::string& text) {
    if (game.outcome.kind != Outcome::Kind::kNone) {
      return fmt::format("`{}` cannot be played: the game is over ({})", text, OutcomeText(rules_, game.outcome));
    }
    std::vector<Move> moves = Offered(game);
    if (fault_) return fmt::format("the rules break here: {}", std::exchange(fault_, std::nullopt)->message);
    const int found = rules::FindExact(rules_, moves, text);
    if (found < 0) return fmt::format("`{}` is not among the moves", text);
    auto applied = evaluator_.Apply(game.at, moves[static_cast<std::size_t>(found)], &fault_);
    if (fault_) return fmt::format("the rules break here: {}", std::exchange(fault_, std::nullopt)->message);
    if (!applied) return fmt::format("`{}` could not be played", text);
    game.at = std::move(applied->next);
    game.outcome = std::move(applied->outcome);
    if (applied->turn_complete) {
      ++game.turns;
      int occurrences = ++game.seen[evaluator_.Key(game.at)];
      if (game.outcome.kind == Outcome::Kind::kNone) {
        game.outcome = evaluator_.Status(game.at, occurrences, game.turns, &fault_);
      }
    }
    if (fault_) return fmt::format("the rules break here: {}", std::exchange(fault_, std::nullopt)->message);
    return std::nullopt;
  }

  void NoteMoves(ExampleFailure& failure, const Game& game) {
    std::vector<std::string> texts = rules::MoveTexts(rules_, Offered(game));
    fault_.reset();
    constexpr std::size_t kShown = 60;
    std::size_t count = texts.size();
    if (count > kShown) texts.resize(kShown);
    failure.notes.push_back(
        count == 0 ? "there is no move"
                   : fmt::format("the {} moves: {}{}", count, Joined(texts, " "), count > kShown ? " …" : ""));
  }

  // A claim that a move is not offered is empty if the text could not be a move at all.
  bool CouldBeMove(const std::string& text) {
    if (IsWritten(text)) return true;
    std::string rest = text;
    if (std::size_t colon = rest.find(':'); colon != std::string::npos) {
      std::string name = rest.substr(0, colon);
      const auto& names = rules_.action_names;
      if (std::find(names.begin(), names.end(), name) == names.end()) return Unknown("action", name);
      rest = rest.substr(colon + 1);
    }
    for (std::size_t at = 0; at <= rest.size();) {
      std::size_t stop = std::min(rest.find_first_of("-=", at), rest.size());
      std::string part = rest.substr(at, stop - at);
      bool kind = at > 0 && rest[at - 1] == '=';
      at = stop + 1;
      if (part.empty()) continue;
      if (kind ? IsLetter(part) : IsWord(part)) continue;
      return Unknown(kind ? "piece letter" : "cell", part);
    }
    return true;
  }

  // Whether the text is put together from texts given by `written` and from words that choices have.
  bool IsWritten(const std::string& text) {
    if (rules_.written_texts.empty() || text.size() > 200) return false;
    std::vector<bool> reached(text.size() + 1);
    reached[0] = true;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!reached[at]) continue;
      for (std::string part : rules_.written_texts) {
        std::erase(part, ' ');
        if (text.compare(at, part.size(), part) == 0) reached[at + part.size()] = true;
      }
      const bool kind = text[at] == '=';
      for (std::size_t size = 1; size <= 40 && at + size <= text.size(); ++size) {
        const std::string part = text.substr(kind ? at + 1 : at, kind ? size - 1 : size);
        if (kind ? IsLetter(part) : IsWord(part)) reached[at + size] = true;
      }
    }
    return reached.back();
  }

  bool IsLetter(const std::string& part) {
    return std::any_of(rules_.kinds.begin(), rules_.kinds.end(), [&](const rules::Kind& kind) {
      return kind.name == part || std::find(kind.letters.begin(), kind.letters.end(), part) != kind.letters.end();
    });
  }

  bool IsWord(const std::string& part) {
    if (rules_.board.Find(part) >= 0) return true;
    auto in = [&](const auto& list, auto name) {
      return std::any_of(list.begin(), list.end(), [&](const auto& x) { return name(x) == part; });
    };
    if (in(rules_.action_names, [](const std::string& s) { return s; })) return true;
    if (in(rules_.players, [](const rules::Player& p) { return p.name; })) return true;
    if (in(rules_.phases, [](const rules::Phase& p) { return p.name; })) return true;
    if (in(rules_.zones, [](const rules::Zone& z) { return z.name; })) return true;
    for (const rules::Enumeration& e : rules_.enums) {
      if (in(e.values, [](const std::string& s) { return s; })) return true;
    }
    if (std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
    for (int label = 0; label < rules_.board.label_count(); ++label) {
      if (rules_.board.label_name(label) == part) return true;
    }
    return part.find_first_of("[(,") != std::string::npos;  // a slot of a place, a leap: as the notation writes them
  }

  bool Unknown(std::string_view what, const std::string& part) {
    Fail(fmt::format("no {} named `{}`, so this says nothing about the moves", what, part));
    return false;
  }

  void RunStep(const ExampleStep& step) {
    if (step.kind == ExampleStep::Kind::kSetup) return Begin(evaluator_.Initial(step.setup));
    if (step.kind == ExampleStep::Kind::kPosition) {
      return Begin(rules::ExamplePosition(rules_, step));
    }
    if (!game_) Begin(evaluator_.Initial(rules_.start));
    if (broken_) return;
    switch (step.kind) {
      case ExampleStep::Kind::kMoves:
        return CheckMoves(step);
      case ExampleStep::Kind::kMovesOf:
        return CheckMovesOf(step);
      case ExampleStep::Kind::kMovesWhere:
        return CheckMovesWhere(step);
      case ExampleStep::Kind::kCount:
        return CheckCount(step);
      case ExampleStep::Kind::kLegal:
        return CheckLegal(step);
      case ExampleStep::Kind::kIllegal:
        return CheckIllegal(step);
      case ExampleStep::Kind::kAfter:
        return PlayAfter(step);
      case ExampleStep::Kind::kPerft:
        return CheckPerft(step);
      case ExampleStep::Kind::kResult:
        return CheckResult(step);
      case ExampleStep::Kind::kHolds:
        return CheckHolds(step);
      default:
        return;
    }
  }

  void Compare(const std::vector<std::string>& expected, const std::vector<std::string>& found, std::string_view what) {
    std::set<std::string> want(expected.begin(), expected.end());
    std::set<std::string> have(found.begin(), found.end());
    std::vector<std::string> missing, extra;
    std::set_difference(want.begin(), want.end(), have.begin(), have.end(), std::back_inserter(missing));
    std::set_difference(have.begin(), have.end(), want.begin(), want.end(), std::back_inserter(extra));
    if (missing.empty() && extra.empty()) return;
    ExampleFailure& failure = Fail(fmt::format("{} differ from what the example says", what));
    if (!missing.empty()) failure.notes.push_back("said, but not possible: " + Joined(missing, " "));
    if (!extra.empty()) failure.notes.push_back("possible, but not said: " + Joined(extra, " "));
  }

  // What an example says, in the texts of the list: another form of a move that is offered means that move.
  std::vector<std::string> AsOffered(std::vector<std::string> said, const std::vector<Move>& moves,
                                     const std::vector<std::string>& texts) {
    const std::set<std::string> known(texts.begin(), texts.end());
    for (std::string& text : said) {
      if (known.contains(text)) continue;
      const int index = rules::FindExact(rules_, moves, text);
      if (index >= 0) text = texts[static_cast<std::size_t>(index)];
    }
    return said;
  }

  void CheckMoves(const ExampleStep& step) {
    const std::vector<Move> moves = Offered(*game_);
    const std::vector<std::string> texts = rules::MoveTexts(rules_, moves);
    if (!Faulted()) Compare(AsOffered(step.moves, moves, texts), texts, "the moves");
  }

  // The first and the last cell among the choices; -1: none. `suffix` is what follows the last cell: "=Q".
  struct Ends {
    int first = -1, last = -1;
    std::string suffix;
  };
  Ends EndsOf(const Move& move) {
    Ends ends;
    for (const rules::Token& token : move.tokens) {
      bool cell = token.base == rules::Base::kCell || token.base == rules::Base::kPiece;
      if (cell && token.value >= 0) {
        if (ends.first < 0) ends.first = token.value;
        ends.last = token.value;
        ends.suffix.clear();
      } else if (token.base == rules::Base::kKind) {
        ends.suffix = rules::TokenText(rules_, token);
      }
    }
    return ends;
  }
  std::string EndText(const Ends& ends) { return rules_.board.name(ends.last) + ends.suffix; }

  void CheckMovesOf(const ExampleStep& step) {
    std::vector<std::string> found;
    for (const Move& move : Offered(*game_)) {
      Ends ends = EndsOf(move);
      if (ends.first == step.cell) found.push_back(EndText(ends));
    }
    if (!Faulted()) Compare(step.moves, found, fmt::format("the moves of `{}`", rules_.board.name(step.cell)));
  }

  void CheckMovesWhere(const ExampleStep& step) {
    std::vector<Move> moves = Offered(*game_);
    std::vector<std::string> texts = rules::MoveTexts(rules_, moves);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      Ends ends = EndsOf(moves[i]);
      std::vector<Value> frame(static_cast<std::size_t>(std::max(2, step.frame_size)), kNone);
      if (ends.first >= 0) frame[0] = ends.first;
      if (ends.last >= 0) frame[1] = ends.last;
      if (questions_.holds(game_->at, step.where, frame, &fault_)) found.push_back(texts[i]);
    }
    if (!Faulted()) Compare(AsOffered(step.moves, moves, texts), found, "the moves that meet the condition");
  }

  void CheckCount(const ExampleStep& step) {
    auto count = static_cast<int64_t>(Offered(*game_).size());
    if (Faulted() || count == step.numbers.front()) return;
    NoteMoves(Fail(fmt::format("there are {} moves, not {}", count, step.numbers.front())), *game_);
  }

  void CheckLegal(const ExampleStep& step) {
    Game game = *game_;
    for (const std::string& text : step.moves) {
      if (auto why = Play(game, text)) {
        NoteMoves(Fail(*why), game);
        return;
      }
    }
  }

  void CheckIllegal(const ExampleStep& step) {
    if (step.moves.empty()) return;
    Game game = *game_;
    for (std::size_t i = 0; i + 1 < step.moves.size(); ++i) {
      if (auto why = Play(game, step.moves[i])) {
        NoteMoves(Fail(*why), game);
        return;
      }
    }
    const std::string& last = step.moves.back();
    const std::vector<Move> moves = Offered(game);
    if (Faulted()) return;
    if (rules::FindExact(rules_, moves, last) >= 0) {
      Fail(fmt::format("`{}` is legal here", last));
    } else {
      CouldBeMove(last);
    }
  }

  void PlayAfter(const ExampleStep& step) {
    for (const std::string& text : step.moves) {
      if (auto why = Play(*game_, text)) {
        NoteMoves(Fail(*why), *game_);
        broken_ = true;
        return;
      }
    }
  }

  // Every depth up to the last is counted: the growth so far says whether the next is within the budget.
  void CheckPerft(const ExampleStep& step) {
    double last = 1, growth = 1;
    for (int depth = 0; depth <= step.high; ++depth) {
      bool claimed = depth >= step.low;
      auto want = claimed ? static_cast<uint64_t>(step.numbers[static_cast<std::size_t>(depth - step.low)]) : 0;
      if (claimed && want > largest_perft_) return;
      if (last * growth > kPerftBudget) {
        Fail(fmt::format("perft {} would count about {:.0e} turns, more than an example may ({:.0e})", depth,
                         last * growth, kPerftBudget));
        return;
      }
      uint64_t found = evaluator_.Perft(game_->at, depth, {}, &fault_);
      if (Faulted()) return;
      growth = last > 0 ? std::max(1.0, static_cast<double>(found) / last) : 1;
      last = static_cast<double>(found);
      if (claimed && found != want) {
        Fail(fmt::format("perft {} counts {}, not {}", depth, found, want));
        return;
      }
    }
  }

  void CheckResult(const ExampleStep& step) {
    Outcome want;
    if (step.word == "win") {
      want.kind = Outcome::Kind::kWin;
      want.winner = step.player;
    } else if (step.word == "lose") {
      want = LossOf(step.player);
    } else if (step.word == "draw") {
      want.kind = Outcome::Kind::kDraw;
    } else if (step.word == "points") {
      want.kind = Outcome::Kind::kPoints;
      want.points.assign(static_cast<std::size_t>(rules_.player_count()), 0);
      for (auto [points, player] : step.points) want.points[static_cast<std::size_t>(player)] = points;
    }
    Outcome found = game_->outcome;
    found.end = want.end = -1;
    if (found == want) return;
    ExampleFailure& failure =
        Fail(fmt::format("the result is {}, not {}", OutcomeText(rules_, found), OutcomeText(rules_, want)));
    if (found.kind == Outcome::Kind::kNone) NoteMoves(failure, *game_);
  }

  void CheckHolds(const ExampleStep& step) {
    for (const rules::Claim& claim : step.claims) {
      const bool holds = questions_.holds(game_->at, claim.condition, {}, &fault_);
      if (Faulted()) return;
      if (holds) continue;
      ExampleFailure& failure = Fail(fmt::format("`{}` does not hold", claim.text));
      for (const rules::Claim::Side& side : claim.sides) {
        failure.notes.push_back(fmt::format("`{}` is {}", side.text, ValueText(side.value)));
      }
    }
  }

  std::string ValueText(rules::ExprId expr) {
    const rules::Type& type = rules_.exprs[expr].type;
    const Value value = questions_.value(game_->at, expr);
    if (value == kNone) return "none";
    if (type.base == rules::Base::kKind) return rules_.kinds[static_cast<std::size_t>(value)].name;
    return rules::TokenText(rules_, rules::Token{type.base, value, type.enumeration});
  }

  // With two players the loss of one is the win of the other; with more it is a result in points.
  Outcome LossOf(int player) {
    Outcome lost;
    if (rules_.player_count() == 2) {
      lost.kind = Outcome::Kind::kWin;
      lost.winner = 1 - player;
    } else {
      lost.kind = Outcome::Kind::kPoints;
      lost.points.assign(static_cast<std::size_t>(rules_.player_count()), 1);
      lost.points[static_cast<std::size_t>(player)] = 0;
    }
    return lost;
  }

  const rules::Rules& rules_;
  const Evaluator& evaluator_;
  const Questions& questions_;
  uint64_t largest_perft_;
  std::optional<Game> game_;
  std::optional<Fault> fault_;
  std::vector<ExampleFailure> failures_;
  source::Span span_;
  bool broken_ = false;
};

}  // namespace

Questions MakeQuestions(const rules::Rules& rules) {
  oracle::Oracle oracle(rules);
  return {[oracle](const Snapshot& at, rules::ExprId condition, const std::vector<rules::Value>& frame,
                   std::optional<Fault>* fault) { return oracle.Holds(at, condition, frame, fault); },
          [oracle](const Snapshot& at, rules::ExprId expr) { return oracle.Values(at, expr, nullptr).front(); }};
}

std::vector<ExampleFailure> RunExample(const rules::Rules& rules, const Evaluator& evaluator,
                                       const Questions& questions, const rules::Example& example,
                                       uint64_t largest_perft) {
  return Runner(rules, evaluator, questions, largest_perft).Run(example);
}

std::optional<Snapshot> ExamplePosition(const rules::Rules& rules, const Evaluator& evaluator,
                                        const rules::Example& example) {
  for (const ExampleStep& step : example.steps) {
    if (step.kind == ExampleStep::Kind::kSetup) return evaluator.Initial(step.setup);
    if (step.kind == ExampleStep::Kind::kPosition) return rules::ExamplePosition(rules, step);
  }
  return std::nullopt;
}

std::string OutcomeText(const rules::Rules& rules, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kNone:
      return "no result";
    case Outcome::Kind::kDraw:
      return "a draw";
    case Outcome::Kind::kWin:
      return rules.players[static_cast<std::size_t>(outcome.winner)].name + " wins";
    case Outcome::Kind::kPoints:
      break;
  }
  std::vector<std::string> parts;
  for (std::size_t p = 0; p < outcome.points.size(); ++p) {
    parts.push_back(fmt::format("{}{} to {}", outcome.points[p], p == 0 ? " points" : "", rules.players[p].name));
  }
  return Joined(parts, ", ");
}

}  // namespace arbiter::validate
