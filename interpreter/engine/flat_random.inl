// Games of random moves on the flat machine: a move is drawn among the ends that were found, without a list of moves.

// The ends of every piece, kept as they are found.
template <int W, class Index>
struct FlatMachine<W, Index>::DrawSink {
  struct Found {
    Cells ends;
    const Mover* mover = nullptr;  // null: a case
    int from = 0;                  // or the shift, or the case
    bool shifted = false;
    bool unsafe = false;  // of a guarded piece: an end may be attacked
    uint32_t count = 0;
  };
  std::vector<Found>& found;
  uint32_t total = 0;
  using Batch = PlainBatch<DrawSink>;

  static constexpr bool kTakesUnsafe = true;

  void Add(const Mover& m, int from, const Cells& ends) { Keep({ends, &m, from, false, false, Number(m, ends)}); }
  void AddUnsafe(const Mover& m, int from, const Cells& ends) { Keep({ends, &m, from, false, true, Number(m, ends)}); }
  void AddShifted(const Mover& m, int delta, const Cells& ends) {
    Keep({ends, &m, delta, true, false, Number(m, ends)});
  }
  void AddCase(int index) { Keep({{}, nullptr, index, false, false, 1}); }

  // Move number `at`, 0 .. total - 1, and whether it may be unsafe.
  [[nodiscard]] FlatMove Take(uint32_t at, bool* unsafe) const {
    auto it = found.begin();
    for (; at >= it->count; ++it) at -= it->count;
    *unsafe = it->unsafe;
    if (it->mover == nullptr) return FlatMove::OfCase(it->from);
    const Mover& m = *it->mover;
    Cells ends = it->ends;
    FlatMove move;
    move.mover = m.index;
    int to = ends.Pop();
    if (!m.promotes) {
      for (; at > 0; --at) to = ends.Pop();
    } else {
      while (true) {
        const auto& codes = m.promotions[static_cast<std::size_t>(to)];
        const uint32_t moves = codes.empty() ? 1 : static_cast<uint32_t>(codes.size());
        if (at < moves) {
          if (!codes.empty()) move.becomes = codes[at];
          break;
        }
        at -= moves;
        to = ends.Pop();
      }
    }
    move.to = static_cast<uint8_t>(to);
    move.from = static_cast<uint8_t>(it->shifted ? to - it->from : it->from);
    return move;
  }

  // Leaves out an end that was taken and is not safe.
  void Drop(const FlatMove& move) {
    for (Found& f : found) {
      if (!f.unsafe || f.from != move.from || f.mover->index != move.mover) continue;
      total -= f.count;
      f.ends.Clear(move.to);
      f.count = Number(*f.mover, f.ends);
      total += f.count;
    }
  }

 private:
  static uint32_t Number(const Mover& m, const Cells& ends) {
    CountSink sink;
    sink.Add(m, 0, ends);
    return static_cast<uint32_t>(sink.count);
  }
  void Keep(const Found& f) {
    if (f.count == 0) return;
    total += f.count;
    found.push_back(f);
  }
};

// A game under way.
template <int W, class Index>
struct FlatMachine<W, Index>::Course {
  uint64_t* random = nullptr;
  int max_turns = 0;
  Game game;
  std::vector<typename DrawSink::Found> found;
  // How often positions came up, by key: open addressing; a key of 0 is a free place.
  std::vector<std::pair<uint64_t, int>> stood = std::vector<std::pair<uint64_t, int>>(512);
  std::size_t positions = 0;

  int Again(uint64_t key) {
    if (key == 0) key = 1;
    if (2 * ++positions > stood.size()) {
      std::vector<std::pair<uint64_t, int>> old(2 * stood.size());
      old.swap(stood);
      for (const auto& entry : old) {
        if (entry.first != 0) *Place(entry.first) = entry;
      }
    }
    auto* place = Place(key);
    place->first = key;
    return ++place->second;
  }

 private:
  std::pair<uint64_t, int>* Place(uint64_t key) {
    std::size_t at = key & (stood.size() - 1);
    while (stood[at].first != 0 && stood[at].first != key) at = (at + 1) & (stood.size() - 1);
    return &stood[at];
  }
};

template <int W, class Index>
uint64_t FlatMachine<W, Index>::Key() const {
  return rules::Mix(key_ ^ rules::Mix((state_ & t_.key_mask) * 2 + static_cast<uint64_t>(mover_) * 0x9e3779b97f4a7c15));
}

template <int W, class Index>
template <int Me>
bool FlatMachine<W, Index>::StaysSafe(const FlatMove& move) const {
  const Side& side = SideOnTurn<Me>();
  Enemies enemies;
  FindEnemies(side, enemies.data());
  return StaysSafe(side, enemies.data(), move.from, move.to);
}

// False: the game is over, or long enough.
template <int W, class Index>
template <int Me>
bool FlatMachine<W, Index>::PlayTurn(Course* course) {
  Game& game = course->game;
  if (t_.flat.repetition > 0) game.occurrences = course->Again(Key());
  course->found.clear();
  DrawSink sink{course->found};
  Generate<Me>(sink);
  // Ends of guarded pieces are asked for attacks when they are drawn: what is dropped then leaves the others as likely
  // as they were to each other.
  FlatMove move;
  uint64_t random = *course->random;  // drawn from for good if the move is played
  for (bool unsafe = true; unsafe && sink.total > 0;) {
    move = sink.Take(static_cast<uint32_t>(RandomBelow(&random, sink.total)), &unsafe);
    unsafe = unsafe && !StaysSafe<Me>(move);
    if (unsafe) sink.Drop(move);
  }
  game.has_move = sink.total > 0;
  const bool repeated = t_.flat.repetition > 0 && game.occurrences >= t_.flat.repetition;
  const bool limit = t_.flat.limit > 0 && game.turns >= t_.flat.limit;
  if (!game.has_move || repeated || limit || game.turns >= course->max_turns || Ended<Me>(true)) return false;
  *course->random = random;
  Undo undo;
  Make<Me, true, true>(move, &undo);
  saved_.clear();
  ++game.turns;
  return true;
}

template <int W, class Index>
typename FlatMachine<W, Index>::Game FlatMachine<W, Index>::PlayRandomly(uint64_t* random, int max_turns) {
  Course course;
  course.random = random;
  course.max_turns = max_turns;
  if (t_.sides.size() != 2) {
    while (PlayTurn<-1>(&course)) {
    }
    return course.game;
  }
  bool goes_on = mover_ == 0 || PlayTurn<1>(&course);
  while (goes_on) goes_on = PlayTurn<0>(&course) && PlayTurn<1>(&course);
  return course.game;
}
