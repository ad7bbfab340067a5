// What a Position shows: lists of moves, playing and taking back, results, perft.

template <int W, class Index>
Handle Machine<W, Index>::HandleOf(const Yield& y) const {
  Handle handle;
  handle.action = static_cast<int16_t>(y.action);
  handle.next = static_cast<int16_t>(y.next);
  handle.complete = y.complete;
  if (y.action < 0) return handle;
  handle.picks.assign(picks_.begin() + static_cast<std::ptrdiff_t>(pick_base_), picks_.end());
  if (p_.actions[static_cast<std::size_t>(y.action)].has_self)
    handle.from = static_cast<int16_t>(tokens_[token_base_ + 1].value);
  return handle;
}

// False: the list is longer than anybody could use, and the question is given up.
template <int W, class Index>
bool Machine<W, Index>::AddEntry(const Yield& y, std::vector<Entry>* out) {
  if (out->size() >= kMaxListed) return Exhausted();
  Entry e;
  e.handle = HandleOf(y);
  if (y.action >= 0) {
    e.written = written_;
    e.tokens.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(token_base_), tokens_.end());
  }
  out->push_back(std::move(e));
  return true;
}

// Every action, with its list of choices.
template <int W, class Index>
struct Machine<W, Index>::EntrySink {
  Machine& m;
  std::vector<Entry>* out;
  bool results = false;
  std::size_t found = 0;
  bool Ends() {
    Yield done;
    done.complete = true;
    return m.AddEntry(done, out);
  }
  bool Acts(const Yield& y) { return m.AddEntry(y, out); }
  bool Direct(const program::Plan& plan) {
    std::vector<Handle> plain;
    m.ListPlain(plan, &plain);
    found += plain.size();
    for (Handle& h : plain) {
      Entry e;
      e.tokens = m.PlainMove(h).tokens;
      e.handle = std::move(h);
      out->push_back(std::move(e));
    }
    return m.EachOther(plan, [&](const Yield& y) {
      ++found;
      return Acts(y);
    });
  }
};

template <int W, class Index>
void Machine<W, Index>::Entries(std::vector<Entry>* out) {
  budget_ = Budget{};
  EntrySink sink{*this, out};
  Gather(sink);
}

// One entry for each list of choices, sorted.
template <int W, class Index>
void Machine<W, Index>::Merge(std::vector<Entry>* entries) {
  std::stable_sort(entries->begin(), entries->end(),
                   [](const Entry& a, const Entry& b) { return a.tokens < b.tokens; });
  std::vector<Entry> merged;
  for (Entry& e : *entries) {
    if (merged.empty() || merged.back().tokens != e.tokens) {
      merged.push_back(std::move(e));
      continue;
    }
    const Applied first = Play(merged.back().handle);
    const rules::Snapshot first_next = Save();
    Undo();
    const Applied second = Play(e.handle);
    const bool same =
        first.turn_complete == second.turn_complete && first.outcome == second.outcome && first_next == Save();
    Undo();
    if (!same) {
      const int name = e.tokens.front().value;
      rules::Span span;
      for (const program::Action& a : p_.actions) {
        if (a.name == name) {
          span = a.span;
          break;
        }
      }
      Fault(span, "move-ambiguous", "the same choices lead to two different positions, or to two places of the turn");
    }
  }
  *entries = std::move(merged);
}

template <int W, class Index>
std::vector<rules::Move> Machine<W, Index>::Moves() {
  std::vector<Entry> entries;
  texts_wanted_ = true;
  Entries(&entries);
  texts_wanted_ = false;
  if (between_turns() && Ended(entries.empty() ? 0 : 1)) return {};
  Merge(&entries);
  std::vector<rules::Move> moves;
  for (Entry& e : entries) {
    rules::Move move;
    move.tokens = std::move(e.tokens);
    move.written = std::move(e.written);
    moves.push_back(std::move(move));
  }
  return moves;
}

template <int W, class Index>
bool Machine<W, Index>::Ended(int has_turn) {
  if (!p_.has_plain_ends && has_turn == 1) return false;
  const Mark mark = SaveMark();
  sc_.result = Result{};
  TestEnds(false, 0, 0, has_turn);
  const bool ended = over();
  Restore(mark);
  return ended;
}

template <int W, class Index>
std::optional<Applied> Machine<W, Index>::Apply(const rules::Move& move) {
  std::vector<Entry> entries;
  Entries(&entries);
  std::erase_if(entries, [&](const Entry& e) { return e.tokens != move.tokens; });
  if (entries.empty()) return std::nullopt;
  Merge(&entries);
  return Play(entries.front().handle);
}

template <int W, class Index>
Applied Machine<W, Index>::Play(const Handle& handle) {
  history_.push_back(SaveMark());
  sc_.result = Result{};
  if (handle.action < 0) {
    EndTurn();
    return {OutcomeNow(), true};
  }
  budget_ = Budget{};
  if (handle.statement >= 0) {
    MakePlain(handle);
    return {OutcomeNow(), true};
  }
  const program::Action& action = p_.actions[static_cast<std::size_t>(handle.action)];
  const int self = action.has_self ? on_[static_cast<std::size_t>(handle.from)] : -1;
  RunAction(
      handle.action, self,
      [&](Context& c) {
        if (!over()) Handlers(Pass::kAction, sc_.mover);
        if (!over() && p_.has_at_once) TestEnds(true, 0, 0, 1);
        if (over()) {
          GameOver();
        } else {
          EnterPlace(handle.next, c.actor);
          if (handle.complete) EndTurn();
        }
        committed_ = true;  // what was done stays while the search unwinds
        return false;
      },
      &handle);
  committed_ = false;
  return {OutcomeNow(), handle.complete};
}

template <int W, class Index>
void Machine<W, Index>::Undo() {
  if (history_.empty()) return;
  Restore(history_.back());
  history_.pop_back();
}

// Every action as a handle; with its choices only where two actions may have the same ones.
template <int W, class Index>
struct Machine<W, Index>::ListSink {
  Machine& m;
  std::vector<Handle>* out;
  bool unique;
  std::vector<Entry> entries{};
  bool results = false;
  std::size_t found = 0;
  bool Ends() {
    Yield done;
    done.complete = true;
    return Acts(done);
  }
  bool Acts(const Yield& y) {
    if (!unique) return m.AddEntry(y, &entries);
    if (out->size() >= kMaxListed) return m.Exhausted();
    out->push_back(m.HandleOf(y));
    return true;
  }
  bool Direct(const program::Plan& plan) {
    const std::size_t before = out->size();
    m.ListPlain(plan, out);
    found += out->size() - before;
    return m.EachOther(plan, [&](const Yield& y) {
      ++found;
      return Acts(y);
    });
  }
};

// The legal actions, whatever the ends of the game say. `out` is used again from call to call.
template <int W, class Index>
void Machine<W, Index>::Choices(std::vector<Handle>* out) {
  out->clear();
  budget_ = Budget{};
  ListSink sink{*this, out, AllUnique()};
  Gather(sink);
  if (sink.entries.empty()) return;
  Merge(&sink.entries);
  for (Entry& e : sink.entries) out->push_back(std::move(e.handle));
}

template <int W, class Index>
void Machine<W, Index>::List(std::vector<Handle>* out) {
  Choices(out);
  if (between_turns() && Ended(out->empty() ? 0 : 1)) out->clear();
}

template <int W, class Index>
rules::Move Machine<W, Index>::MoveOf(const Handle& handle) {
  rules::Move move;
  if (handle.action < 0) return move;
  if (handle.statement >= 0) return PlainMove(handle);
  const program::Action& action = p_.actions[static_cast<std::size_t>(handle.action)];
  const int self = action.has_self ? on_[static_cast<std::size_t>(handle.from)] : -1;
  budget_ = Budget{};
  texts_wanted_ = true;
  RunAction(
      handle.action, self,
      [&](Context&) {
        move.tokens.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(token_base_), tokens_.end());
        move.written = written_;
        return false;
      },
      &handle);
  texts_wanted_ = false;
  return move;
}

template <int W, class Index>
rules::Outcome Machine<W, Index>::Status(int occurrences, int turns) {
  return OutcomeOf(occurrences, turns, -1);
}

// `has_turn`: whether the player on turn has one, as 0 or 1; -1: not known yet.
template <int W, class Index>
rules::Outcome Machine<W, Index>::OutcomeOf(int occurrences, int turns, int has_turn) {
  const Mark mark = SaveMark();
  budget_ = Budget{};
  sc_.result = Result{};
  TestEnds(false, occurrences, turns, has_turn);
  const rules::Outcome outcome = OutcomeNow();
  Restore(mark);
  return outcome;
}

template <int W, class Index>
uint64_t Machine<W, Index>::Perft(int depth, bool bulk, bool by_actions) {
  budget_ = Budget{};
  if (p_.flat.usable && depth > 1 && between_turns()) {
    FlatMachine<W, Index> flat(FlatOfGame());
    if (flat.Load(Save())) {
      const uint64_t count = flat.Perft(depth, bulk);
      if (!flat.gave_up()) return count;
    }
  }
  return Count(depth, bulk, by_actions);
}

template <int W, class Index>
const std::shared_ptr<const FlatTables<W, Index>>& Machine<W, Index>::FlatOfGame() {
  if (!flat_tables_) flat_tables_ = std::make_shared<const FlatTables<W, Index>>(program_);
  return flat_tables_;
}

// Was the same list of choices seen before? `seen`: lists and where they led.
template <int W, class Index>
bool Machine<W, Index>::Repeats(const Yield& y, std::vector<std::pair<uint64_t, uint64_t>>* seen) {
  uint64_t hash = 0;
  for (std::size_t i = token_base_; i < tokens_.size(); ++i) {
    hash = rules::Mix(hash ^ (static_cast<uint64_t>(static_cast<int64_t>(tokens_[i].value)) * 16 +
                              static_cast<uint64_t>(tokens_[i].base) + 0x9e3779b97f4a7c15));
  }
  const uint64_t led_to = WholeKey();
  for (const auto& [list, result] : *seen) {
    if (list != hash) continue;
    if (result != led_to) {
      Fault(p_.actions[static_cast<std::size_t>(y.action)].span, "move-ambiguous",
            "the same choices lead to two different positions, or to two places of the turn");
    }
    return true;
  }
  seen->emplace_back(hash, led_to);
  return false;
}

// Counts turns, or actions. At the last ply plain moves of direct offers are counted unmade, and other actions without
// what follows from them: see Finish.
template <int W, class Index>
struct Machine<W, Index>::CountSink {
  CountSink(Machine& machine, int plies, bool in_bulk, bool actions)
      : m(machine),
        depth(plies),
        bulk(in_bulk),
        by_actions(actions),
        between(machine.between_turns()),
        unique(machine.AllUnique()),
        results(plies > 1 || !in_bulk || !unique) {}

  Machine& m;
  int depth;
  bool bulk, by_actions, between, unique;
  std::vector<std::pair<uint64_t, uint64_t>> seen{};
  uint64_t total = 0;
  bool results;
  std::size_t found = 0;

  bool Ends() {  // to end a turn that has begun is no action of its own
    Add(depth - (!by_actions || between ? 1 : 0));
    return true;
  }
  bool Acts(const Yield& y) {
    if (!unique && m.Repeats(y, &seen)) return true;
    Add(depth - (by_actions || y.complete ? 1 : 0));
    return true;
  }
  bool Direct(const program::Plan& plan) {
    if (depth == 1 && bulk) {
      const uint64_t count = m.CountPlain(plan);
      total += count;
      found += count;
    } else {
      std::vector<Handle> list;
      m.ListPlain(plan, &list);
      found += list.size();
      for (const Handle& h : list) {
        const Mark mark = m.SaveMark();
        m.MakePlain(h);
        Add(depth - 1);
        m.Restore(mark);
      }
    }
    return m.EachOther(plan, [&](const Yield& y) {
      ++found;
      return Acts(y);
    });
  }
  void Add(int left) {
    if (left > 0 && m.over()) return;
    total += m.Count(left, bulk, by_actions);
  }
};

template <int W, class Index>
uint64_t Machine<W, Index>::Count(int depth, bool bulk, bool by_actions) {
  if (depth <= 0) return 1;
  if (budget_.spent) return 0;  // a fault: the count means nothing any more
  const Budget outer = budget_;
  budget_ = Budget{};
  const bool between = between_turns();
  if (between && Ended(1)) {
    Resume(outer);
    return 0;
  }
  // Inside a turn: another first part may have led here before.
  const bool quick = bulk && depth == 1 && p_.plan(sc_.place).light;
  const bool may = !between && !quick && MayRemember();
  uint64_t key = 0;
  if (may) {
    key = rules::Mix(WholeKey() + static_cast<uint64_t>(depth) * 2 + (by_actions ? 1 : 0));
    if (const auto found = known_.counts.find(key); found != known_.counts.end()) {
      Resume(outer);
      return found->second;
    }
  }
  CountSink sink(*this, depth, bulk, by_actions);
  Gather(sink);
  if (may && MayRemember()) Known::Keep(&known_.counts, key, sink.total);
  Resume(outer);
  return sink.total;
}
