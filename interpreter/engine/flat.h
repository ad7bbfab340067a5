// The flat machine: plays and counts a game in its flat form (program/flat.h). Private to engine/.
//
// The way of a move: Generate finds the ends of every piece and hands them to a sink, which counts, lists or draws
// one; Make plays one of the list and Unmake takes it back. FlatTables is what never changes, shared by all
// positions of a game; FlatMachine is one position. Everything that may hurry is a template over the width of the sets
// (W), the index of the tables, and the player on turn (Me; -1: asked while playing).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/bits.h"
#include "engine/core.h"
#include "engine/index.h"

namespace arbiter::engine {

using program::Code;

inline namespace ARBITER_ENGINE_PROCESSOR {

// One move of a list. With `mover` kCase, `from` and `to` are the index of the case (low byte first).
struct FlatMove {
  static constexpr uint8_t kCase = 255;
  uint8_t from = 0, to = 0, mover = 0;
  Code becomes = program::kNoPiece;
  [[nodiscard]] int flat_case() const { return from | (to << 8); }
  static FlatMove OfCase(int index) {
    return {static_cast<uint8_t>(index & 255), static_cast<uint8_t>(index >> 8), kCase, program::kNoPiece};
  }
};

// Room for cells that are written before they are read: what is not needed costs nothing.
template <class T, std::size_t N>
class Room {
 public:
  T& operator[](std::size_t i) { return reinterpret_cast<T*>(bytes_)[i]; }
  const T& operator[](std::size_t i) const { return reinterpret_cast<const T*>(bytes_)[i]; }
  T* data() { return reinterpret_cast<T*>(bytes_); }

 private:
  alignas(T) std::byte bytes_[N * sizeof(T)];
};

}  // namespace ARBITER_ENGINE_PROCESSOR

template <int W, class Index>
struct FlatTables {
  using Cells = Bits<W>;
  using Entry = typename Index::template Entry<W>;

  explicit FlatTables(std::shared_ptr<const program::Program> from);

  // A few codes in one place. The first two are always there: the set of the empty cell's code is empty.
  struct Codes {
    std::array<Code, 2> first{};
    bool has_more = false;
    std::vector<Code> more;
    Codes() = default;
    explicit Codes(const std::vector<Code>& all) : has_more(all.size() > 2) {
      for (std::size_t i = 0; i < all.size(); ++i) i < 2 ? void(first[i] = all[i]) : more.push_back(all[i]);
    }
  };
  // Ends by origin: one constant set and one look-up a cell.
  struct Share {
    std::vector<Cells> constants;  // empty: none
    std::vector<Entry> entries;    // empty: none
  };
  struct Shift {
    Cells origins;
    int via = 0, rest = 0, delta = 0;  // via + rest = delta
  };
  enum class Form : uint8_t { kConstant, kTable, kShift, kMany };
  // Everything about a mover that listing and counting need.
  struct Mover {
    Form form = Form::kConstant;
    uint8_t onto = 0;  // of FlatMover::Onto
    uint8_t index = 0;
    uint8_t shift_count = 0;
    bool unusual = false;  // it has a test, or takes some kinds only
    bool promotes = false;
    Codes codes;
    const Cells* constants = nullptr;
    const Entry* entries = nullptr;
    std::array<Shift, 3> shifts;
    Cells zone;  // of promotion
    std::vector<const Share*> shares;
    // of unusual movers
    int test = -1;
    bool onto_empty = false;
    Codes captures;
    // of promotions
    int promotion_extra = 0;                    // moves more for each end in the zone; -1: differs by cell
    std::vector<std::vector<Code>> promotions;  // by cell of the zone
  };
  // Pieces that attack alike, of one player; rows are by target.
  struct Attackers {
    int lookups = 0;  // 0: their attacks depend on the board only
    std::array<const Entry*, program::kMaxGroups> entries{};
    const Cells* constants = nullptr;  // by target; null if nothing attacks on every board
    const Cells* between = nullptr;    // by target * cells + origin: the cells that must be empty
    const int32_t* more = nullptr;     // by the same: another path, an index into Program::lines; null: never
  };
  struct Change {
    uint64_t keep = ~uint64_t{0}, set = 0;
    const program::FlatAdd* adds = nullptr;
    int count = 0;
  };
  struct Test {
    program::FlatTest::Op op{};
    int least = 0;
    uint64_t mask = 0, value = 0;
    std::vector<int> parts;
    struct Pieces {
      Codes codes;
      bool everywhere = true;
      Cells cells;
    };
    std::vector<Pieces> pieces;
    std::vector<std::vector<const program::FlatGroup*>> groups;  // of kCanPlay, by player
  };
  // A test with what must hold for it at least, asked first.
  struct Gated {
    int test = -1;
    uint64_t mask = 0, value = 0;        // (state & mask) == value
    uint64_t never_mask = 0, never = 0;  // (state & never_mask) != never, unless the mask is 0
    std::vector<Code> none;              // no piece of these
    int change = 0;                      // of a handler
    const program::FlatEnd* end = nullptr;
  };
  struct Case {
    uint64_t mask = 0, value = 0;
    int origin = -1;
    Code self = program::kNoPiece;
    Cells empty;
    Cells leaves, enters;  // cells that are empty or occupied afterwards, where that is changed
    Cells removes;         // of `leaves`: what stands there is gone
    const program::FlatCase* rest = nullptr;
  };
  struct Side {
    std::vector<Mover> guarded_movers, movers;
    // By index of the mover * codes + code: what its movements change, by origin * cells + end; null: nothing.
    std::vector<const uint8_t*> changes, timeless_changes;
    std::vector<Code> first_code;  // by index of the mover
    std::vector<Attackers> enemies;
    std::vector<Codes> enemy_codes;  // of the same
    const Cells* reach = nullptr;    // by target * enemies.size(): origins that attack it on some board
    Codes guarded;
    bool guards = false;
    std::vector<Gated> begins, ends, clock_ends;
    const std::vector<program::FlatGroup>* groups = nullptr;
    const uint8_t *removed = nullptr, *timeless_removed = nullptr;  // by code * cells + cell
  };

  std::shared_ptr<const program::Program> program;
  const program::Flat& flat;
  int cells = 0;
  std::vector<Side> sides;
  std::vector<Change> changes;
  std::vector<Test> tests;
  std::vector<Case> cases;
  std::array<uint8_t, 256> side_of{};  // by code: owner + 1
  uint64_t key_mask = 0;               // state that is part of the repetition key

 private:
  Entry EntryOf(int group) const;
  void MakeShares();
  void MakeSides();
  void MakeMover(int player, const program::FlatMover& from, Mover* to) const;
  void MakeChanges(int player, std::size_t index, const program::FlatMover& from, Side* side) const;
  void MakeAttackers(int player, Side* side);
  void MakeTests();
  void MakeCases();
  Gated GatedBy(int test) const;
  void GatePart(int test, bool holds, Gated* gated) const;
  const Cells* Lines(const program::AttackFamily& family, const int32_t** more);

  std::vector<uint64_t> nothing_ = std::vector<uint64_t>(W, 0);
  struct LineTable {
    std::vector<bool> told;
    std::unique_ptr<std::vector<Cells>> between;
  };
  std::vector<LineTable> lines_;
  std::vector<std::unique_ptr<Share>> shares_;
  std::vector<std::unique_ptr<std::vector<Cells>>> sets_;
  std::vector<std::unique_ptr<std::vector<Entry>>> entries_;
  std::vector<std::unique_ptr<std::vector<int32_t>>> indices_;
};

template <int W, class Index>
class FlatMachine {
 public:
  using Tables = FlatTables<W, Index>;
  using Cells = Bits<W>;

  explicit FlatMachine(std::shared_ptr<const Tables> tables) : t_(*tables), tables_(std::move(tables)) {}

  // False: the flat form cannot hold this position.
  bool Load(const rules::Snapshot& snapshot);
  [[nodiscard]] rules::Snapshot Save() const;

  // As Position::Perft, from a position between turns. `gave_up` afterwards: the count means nothing, an end holds for
  // two players at once.
  uint64_t Perft(int depth, bool bulk);
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // Plays moves drawn at random, each as likely as the others, until an end holds, no move is left, or `max_turns` are
  // played. How often positions came up before is begun anew.
  struct Game {
    int turns = 0, occurrences = 1;
    bool has_move = true;  // in the last position
  };
  Game PlayRandomly(uint64_t* random, int max_turns);

  // Every move of the position, in the order in which they are found.
  void List(std::vector<FlatMove>* out);
  void Play(const FlatMove& move);

 private:
  using Mover = typename Tables::Mover;
  using Side = typename Tables::Side;
  static constexpr int kCells = W * 64;

  // Which ends keep the guarded pieces safe.
  struct Guard {
    Cells allowed = ~Cells{};
    Cells pinned;
    Room<Cells, kCells> line;  // by cell of a pinned piece
    Guard() {}                 // NOLINT: `line` stays as it is
  };
  struct Undo {
    uint64_t state, key;
    Code taken;
    std::size_t saved;
  };
  struct Saved {
    uint8_t cell;
    Code code;
  };
  template <class Sink>
  struct PlainBatch;
  struct CountSink;
  struct ListSink;
  struct DrawSink;

  // The enemies of the player on turn, by the order of Side::enemies.
  using Enemies = Room<Cells, program::kMaxFamilies>;

  // flat_moves.inl
  template <int Me>
  [[nodiscard]] const Side& SideOnTurn() const {
    return t_.sides[static_cast<std::size_t>(Me < 0 ? mover_ : Me)];
  }
  [[nodiscard, gnu::always_inline]] Cells Of(const typename Tables::Codes& codes) const {
    const Cells cells = of_[codes.first[0]] | of_[codes.first[1]];
    return codes.has_more ? cells | OfMore(codes) : cells;
  }
  [[nodiscard, gnu::noinline]] Cells OfMore(const typename Tables::Codes& codes) const {
    Cells cells;
    for (const Code code : codes.more) cells |= of_[code];
    return cells;
  }
  [[gnu::always_inline]] void FindEnemies(const Side& side, Cells* enemies) const {
    for (const auto& codes : side.enemy_codes) *enemies++ = Of(codes);
  }
  [[nodiscard]] Cells Ends(const Mover& m, int from) const;
  bool Attacked(const Side& side, const Cells* enemies, int cell, const Cells& occupied, const Cells& gone) const;
  void Constrain(const Side& side, const Cells* enemies, int target, Guard* guard) const;
  void MorePaths(const typename Tables::Attackers& a, std::size_t at, int from, const Cells& own, Guard* guard) const;
  void AddPath(Cells line, int from, const Cells& own, Guard* guard) const;
  static void Pin(int blocker, const Cells& line, Guard* guard);
  template <int Me, class Sink>
  void Generate(Sink& sink);
  template <class Sink>
  void GeneratePieces(const Mover& m, Cells pieces, const Cells& onto, Sink& sink) const;
  template <class Sink>
  void GeneratePinned(const Mover& m, Cells pieces, const Cells& onto, const Guard& guard, Sink& sink) const;
  template <class Sink>
  void GenerateGuarded(const Side& side, const Cells* enemies, const Cells& guarded, const Cells* onto, Sink& sink);
  [[nodiscard]] bool StaysSafe(const Side& side, const Cells* enemies, int from, int to) const;
  bool Limits(const Mover& m, const Cells* onto, Cells* limited);
  [[nodiscard]] bool MayFit(const typename Tables::Case& c) const {
    return (state_ & c.mask) == c.value && !(occupied_ & c.empty).Any() &&
           (c.origin < 0 || on_[static_cast<std::size_t>(c.origin)] == c.self);
  }
  bool FitsRest(const typename Tables::Case& c, const Side& side, const Cells* enemies);
  template <class Visit>
  bool EachCase(const program::FlatGroup& group, Visit visit) const;
  [[nodiscard]] bool Holds(int test);
  [[nodiscard]] bool Holds(const typename Tables::Gated& gated);
  bool CanPlay(const typename Tables::Test& test);
  template <int Me>
  bool Ended(bool clocks);

  // flat_make.inl
  void Set(int cell, Code code);
  void Put(int cell, Code code);
  void Apply(int change);
  template <int Me, bool kTimed, bool kHash>
  void Make(const FlatMove& m, Undo* undo);
  template <int Me>
  void Unmake(const FlatMove& m, const Undo& undo);
  void DoSteps(const program::FlatCase& c, const uint8_t* removed);
  void UndoSteps(std::size_t mark);
  [[nodiscard]] uint64_t Feature(Code code, int cell) const;
  template <int Me>
  [[nodiscard]] int Next() const {
    return Me < 0 ? (mover_ + 1 == static_cast<int>(t_.sides.size()) ? 0 : mover_ + 1) : 1 - Me;
  }
  static constexpr int Other(int me) { return me < 0 ? -1 : 1 - me; }
  template <int Me, bool kBulk>
  uint64_t Count(int depth);

  // flat_random.inl
  [[nodiscard]] uint64_t Key() const;
  struct Course;
  template <int Me>
  bool PlayTurn(Course* course);
  template <int Me>
  [[nodiscard]] bool StaysSafe(const FlatMove& move) const;

  const Tables& t_;
  std::shared_ptr<const Tables> tables_;
  Cells occupied_;
  std::array<Cells, board::kMaxPlayers + 1> own_;  // by owner + 1; [0]: neutral
  uint64_t state_ = 0;
  uint64_t key_ = 0;  // of the pieces
  int mover_ = 0;
  bool gave_up_ = false;
  std::array<Cells, 256> of_;  // by code; that of kNoPiece is always empty: Of relies on it
  std::array<Code, kCells> on_{};
  std::vector<Saved> saved_;     // by cases, to be taken back
  std::vector<FlatMove> moves_;  // of all depths
};

}  // namespace arbiter::engine
