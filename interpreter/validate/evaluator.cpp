#include "validate/evaluator.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "engine/parallel.h"
#include "engine/position.h"
#include "oracle/oracle.h"
#include "validate/random.h"

namespace arbiter::validate {

RandomGames Evaluator::PlayRandomly(const Snapshot& at, uint64_t seed, int games, int max_turns,
                                    std::optional<Fault>* fault) const {
  Random random(seed);
  RandomGames sum;
  std::optional<Fault> met;
  for (; sum.games < games && !met; ++sum.games) {
    Snapshot now = at;
    std::unordered_map<uint64_t, int> stood = {{Key(now), 1}};
    Outcome outcome = Status(now, 1, 0, &met);
    int turns = 0, in_turn = 0;
    while (outcome.kind == Outcome::Kind::kNone && turns < max_turns && in_turn < engine::kLongestTurn && !met) {
      const std::vector<Move> moves = Moves(now, &met);
      if (moves.empty() || met) break;
      std::optional<Applied> applied = Apply(now, moves[random.Below(moves.size())], &met);
      if (!applied || met) break;
      now = std::move(applied->next);
      outcome = std::move(applied->outcome);
      ++sum.actions;
      ++in_turn;
      if (!applied->turn_complete) continue;
      ++turns;
      in_turn = 0;
      const int occurrences = ++stood[Key(now)];
      if (outcome.kind == Outcome::Kind::kNone) outcome = Status(now, occurrences, turns, &met);
    }
    sum.turns += turns;
    if (outcome.kind != Outcome::Kind::kNone && !met) ++sum.ended;
  }
  if (fault != nullptr && met && !*fault) *fault = met;
  return sum;
}

namespace {

class OracleEvaluator : public Evaluator {
 public:
  explicit OracleEvaluator(const rules::Rules& rules, oracle::Trace* trace) : oracle_(rules, trace) {}

  [[nodiscard]] Snapshot Initial(rules::SetupId setup) const override { return oracle_.Initial(setup); }
  std::vector<Move> Moves(const Snapshot& at, std::optional<Fault>* fault) const override {
    return oracle_.Moves(at, fault);
  }
  std::optional<Applied> Apply(const Snapshot& at, const Move& move, std::optional<Fault>* fault) const override {
    auto applied = oracle_.Apply(at, move, fault);
    if (!applied) return std::nullopt;
    return Applied{std::move(applied->next), std::move(applied->outcome), applied->turn_complete};
  }
  Outcome Status(const Snapshot& at, int occurrences, int turns, std::optional<Fault>* fault) const override {
    return oracle_.Status(at, occurrences, turns, fault);
  }
  [[nodiscard]] uint64_t Key(const Snapshot& at) const override { return oracle_.Key(at); }
  uint64_t Perft(const Snapshot& at, int depth, PerftMode mode, std::optional<Fault>* fault) const override {
    return oracle_.Perft(at, depth, mode.by_actions, fault);  // it never counts in bulk
  }

 private:
  oracle::Oracle oracle_;
};

// A position of the engine is a workplace: each call takes a free one, loads its snapshot and gives it back.
class EngineEvaluator : public Evaluator {
 public:
  explicit EngineEvaluator(std::shared_ptr<const program::Program> program) : program_(std::move(program)) {}

  [[nodiscard]] Snapshot Initial(rules::SetupId setup) const override {
    Workplace place(*this);
    place->Load(setup);
    return place->Save();
  }
  std::vector<Move> Moves(const Snapshot& at, std::optional<Fault>* fault) const override {
    Workplace place(*this, at, fault);
    return place->Moves();
  }
  std::optional<Applied> Apply(const Snapshot& at, const Move& move, std::optional<Fault>* fault) const override {
    Workplace place(*this, at, fault);
    auto applied = place->Apply(move);
    if (!applied) return std::nullopt;
    return Applied{place->Save(), std::move(applied->outcome), applied->turn_complete};
  }
  Outcome Status(const Snapshot& at, int occurrences, int turns, std::optional<Fault>* fault) const override {
    Workplace place(*this, at, fault);
    return place->Status(occurrences, turns);
  }
  [[nodiscard]] uint64_t Key(const Snapshot& at) const override {
    Workplace place(*this, at, nullptr);
    return place->key();
  }
  uint64_t Perft(const Snapshot& at, int depth, PerftMode mode, std::optional<Fault>* fault) const override {
    Workplace place(*this, at, fault);
    return engine::PerftOnThreads(*place, depth, mode.bulk, mode.by_actions, mode.threads);
  }
  RandomGames PlayRandomly(const Snapshot& at, uint64_t seed, int games, int max_turns,
                           std::optional<Fault>* fault) const override {
    Workplace place(*this, at, fault);
    RandomGames sum;
    for (; sum.games < games && !place->fault(); ++sum.games) {
      if (sum.games > 0) place->Load(at);
      const engine::RandomGame game = place->PlayRandomly(&seed, max_turns);
      sum.turns += game.turns;
      sum.actions += game.actions;
      if (game.outcome.kind != Outcome::Kind::kNone) ++sum.ended;
    }
    return sum;
  }

 private:
  class Workplace {
   public:
    explicit Workplace(const EngineEvaluator& owner) : owner_(owner), position_(owner.Take()) {}
    Workplace(const EngineEvaluator& owner, const Snapshot& at, std::optional<Fault>* fault)
        : owner_(owner), fault_(fault), position_(owner.Take()) {
      position_->ClearFault();
      position_->Load(at);
    }
    ~Workplace() {
      if (fault_ != nullptr && !*fault_ && position_->fault()) *fault_ = position_->fault();
      owner_.Give(std::move(position_));
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    engine::Position& operator*() { return *position_; }
    engine::Position* operator->() { return position_.get(); }

   private:
    const EngineEvaluator& owner_;
    std::optional<Fault>* fault_ = nullptr;
    std::unique_ptr<engine::Position> position_;
  };

  std::unique_ptr<engine::Position> Take() const {
    {
      std::lock_guard lock(mutex_);
      if (!spare_.empty()) {
        auto position = std::move(spare_.back());
        spare_.pop_back();
        return position;
      }
    }
    return std::make_unique<engine::Position>(program_);
  }
  void Give(std::unique_ptr<engine::Position> position) const {
    std::lock_guard lock(mutex_);
    spare_.push_back(std::move(position));
  }

  std::shared_ptr<const program::Program> program_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<engine::Position>> spare_;
};

}  // namespace

std::unique_ptr<Evaluator> MakeOracle(const rules::Rules& rules) {
  return std::make_unique<OracleEvaluator>(rules, nullptr);
}

std::unique_ptr<Evaluator> MakeTracedOracle(const rules::Rules& rules, oracle::Trace& trace) {
  return std::make_unique<OracleEvaluator>(rules, &trace);
}

std::unique_ptr<Evaluator> MakeEngine(std::shared_ptr<const program::Program> program) {
  return std::make_unique<EngineEvaluator>(std::move(program));
}

}  // namespace arbiter::validate
