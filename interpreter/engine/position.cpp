// The face of the engine: chooses the machine that fits the board and the tables of the program, and hands everything
// on.
#include "engine/position.h"

#include "base/check.h"
#include "engine/core.h"

namespace arbiter::engine {
namespace {

std::unique_ptr<CoreBase> MakeMachine(std::shared_ptr<const program::Program> program) {
  const int words = program->words;
#if defined(__x86_64__)
  if (program->index == program::TableIndex::kExtract) {
    ARBITER_CHECK(program::CanExtract());
    if (words == 1) return MakeCore64Bmi(std::move(program));
    if (words == 2) return MakeCore128Bmi(std::move(program));
    return MakeCore256Bmi(std::move(program));
  }
#endif
  ARBITER_CHECK(program->index == program::TableIndex::kMagic);
  if (words == 1) return MakeCore64(std::move(program));
  if (words == 2) return MakeCore128(std::move(program));
  return MakeCore256(std::move(program));
}

}  // namespace

Position::Position(std::shared_ptr<const program::Program> program) : core_(MakeMachine(std::move(program))) {
  Load(core_->program().start);
}

Position::Position(const Position& other) : core_(other.core_->Clone()) {}
Position& Position::operator=(const Position& other) {
  if (this != &other) core_ = other.core_->Clone();
  return *this;
}
Position::Position(Position&&) noexcept = default;
Position& Position::operator=(Position&&) noexcept = default;
Position::~Position() = default;

const program::Program& Position::program() const { return core_->program(); }

void Position::Load(rules::SetupId setup) {
  const program::Program& p = core_->program();
  rules::Snapshot s;
  s.state = p.initial_state;
  s.brief_set.assign(s.state.size(), false);
  s.place = rules::TurnStateId(p.phases.front().turn);
  if (setup.valid()) {
    const rules::Setup& from = p.setups[setup.index()];
    for (const rules::SetupPiece& piece : from.pieces) {
      s.pieces.push_back({piece.cell < 0 ? rules::kNone : piece.cell, piece.kind, piece.owner, p.initial_piece_state});
    }
    for (const auto& [index, value] : from.state) s.state[static_cast<std::size_t>(index)] = value;
    s.mover = from.to_move;
  }
  core_->Load(s);
  const rules::Value player = core_->PlayerOfPhase();
  if (player == rules::kNone || player == s.mover) return;
  s.mover = player;
  core_->Load(s);
}

void Position::Load(const rules::Snapshot& snapshot) { core_->Load(snapshot); }
rules::Snapshot Position::Save() const { return core_->Save(); }
int Position::mover() const { return core_->mover(); }
bool Position::between_turns() const { return core_->between_turns(); }
std::vector<rules::Move> Position::Moves() { return core_->Moves(); }
std::optional<Applied> Position::Apply(const rules::Move& move) { return core_->Apply(move); }
void Position::Undo() { core_->Undo(); }
int Position::history_size() const { return core_->history_size(); }
void Position::List(std::vector<Handle>* out) { core_->List(out); }
Applied Position::Play(const Handle& handle) { return core_->Play(handle); }
rules::Move Position::MoveOf(const Handle& handle) { return core_->MoveOf(handle); }
rules::Outcome Position::Status(int occurrences, int turns) { return core_->Status(occurrences, turns); }
void Position::Prepare() { core_->Prepare(); }
uint64_t Position::key() const { return core_->key(); }
uint64_t Position::key_from_scratch() const { return core_->key_from_scratch(); }
uint64_t Position::Perft(int depth, bool bulk, bool by_actions) { return core_->Perft(depth, bulk, by_actions); }
RandomGame Position::PlayRandomly(uint64_t* random, int max_turns) { return core_->PlayRandomly(random, max_turns); }
std::size_t Position::bytes() const { return core_->bytes(); }
const std::optional<rules::Fault>& Position::fault() const { return core_->fault; }
void Position::ClearFault() { core_->fault.reset(); }

}  // namespace arbiter::engine
