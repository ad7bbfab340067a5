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

template <int W, class Index>
void Machine<W, Index>::Entries(std::vector<Entry>* out) {
  budget_ = Budget{};
  const auto add = [&](const Yield& y) { return AddEntry(y, out); };
  const program::PlacePlan* plan = Direct();
  if (plan == nullptr) {
    At(add);
    return;
  }
  std::vector<Handle> plain;
  ListPlain(*plan, &plain);
  for (Handle& h : plain) {
    Entry e;
    e.tokens = PlainMove(h).tokens;
    e.handle = std::move(h);
    out->push_back(std::move(e));
  }
  EachOther(*plan, add);
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
  Entries(&entries);
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

// The legal actions, whatever the ends of the game say. `out` is used again from call to call.
template <int W, class Index>
void Machine<W, Index>::Choices(std::vector<Handle>* out) {
  out->clear();
  budget_ = Budget{};
  const program::PlacePlan& plan = p_.plans[static_cast<std::size_t>(sc_.place)];
  const bool unique = plan.direct ? plan.others_unique : plan.unique;
  std::vector<Entry> entries;
  const auto add = [&](const Yield& y) {
    if (!unique) return AddEntry(y, &entries);
    if (out->size() >= kMaxListed) return Exhausted();
    out->push_back(HandleOf(y));
    return true;
  };
  if (plan.direct) {
    ListPlain(plan, out);
    EachOther(plan, add);
  } else {
    At(add);
  }
  if (entries.empty()) return;
  Merge(&entries);
  for (Entry& e : entries) out->push_back(std::move(e.handle));
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
  RunAction(
      handle.action, self,
      [&](Context&) {
        move.tokens.assign(tokens_.begin() + static_cast<std::ptrdiff_t>(token_base_), tokens_.end());
        move.written = written_;
        return false;
      },
      &handle);
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
  const uint64_t led_to = key();
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

template <int W, class Index>
uint64_t Machine<W, Index>::Count(int depth, bool bulk, bool by_actions) {
  if (depth <= 0) return 1;
  if (budget_.spent) return 0;  // a fault: the count means nothing any more
  const Budget outer = budget_;
  budget_ = Budget{};
  const bool between = between_turns();
  const program::PlacePlan* plan = Direct();
  if (between && plan != nullptr) {
    const uint64_t total = CountDirect(*plan, depth, bulk);
    Resume(outer);
    return total;
  }
  if (between && Ended(1)) {
    Resume(outer);
    return 0;
  }
  // Inside a turn: another first part may have led here before.
  const bool may = !between && MayRemember();
  uint64_t key = 0;
  if (may) {
    key = rules::Mix(WholeKey() + static_cast<uint64_t>(depth) * 2 + (by_actions ? 1 : 0));
    if (const auto found = known_.counts.find(key); found != known_.counts.end()) {
      Resume(outer);
      return found->second;
    }
  }
  const uint64_t total = CountOffers(depth, bulk, by_actions);
  if (may && MayRemember()) Known::Keep(&known_.counts, key, total);
  Resume(outer);
  return total;
}

template <int W, class Index>
uint64_t Machine<W, Index>::CountOffers(int depth, bool bulk, bool by_actions) {
  const bool between = between_turns();
  uint64_t total = 0;
  std::vector<std::pair<uint64_t, uint64_t>> seen;
  const bool unique = p_.plans[static_cast<std::size_t>(sc_.place)].unique;
  At([&](const Yield& y) {
    if (!unique && y.action >= 0 && Repeats(y, &seen)) return true;
    // To end a turn that has begun is no action of its own.
    const bool counts = by_actions ? y.action >= 0 || between : y.complete;
    const int left = depth - (counts ? 1 : 0);
    if (over()) {
      total += left == 0 ? 1 : 0;
    } else {
      total += Count(left, bulk, by_actions);
    }
    return true;
  });
  return total;
}
