// The flat form as the machine runs it: pointers instead of indices, made once for a game.

template <int W, class Index>
FlatTables<W, Index>::FlatTables(std::shared_ptr<const program::Program> from)
    : program(std::move(from)), flat(program->flat), cells(program->cells) {
  side_of.fill(board::kMaxPlayers + 1);
  for (int code = 1; code < flat.codes; ++code) {
    side_of[static_cast<std::size_t>(code)] = static_cast<uint8_t>(flat.code_of[static_cast<std::size_t>(code)][1] + 1);
  }
  for (const program::FlatChange& change : flat.changes) {
    changes.push_back({change.keep, change.set, change.adds.data(), static_cast<int>(change.adds.size())});
  }
  for (std::size_t i = 0; i < flat.fields.size(); ++i) {
    if (program->state_in_key[i]) key_mask |= flat.fields[i].mask();
  }
  MakeTests();
  MakeShares();
  MakeSides();
}

template <int W, class Index>
typename FlatTables<W, Index>::Entry FlatTables<W, Index>::EntryOf(int group) const {
  if (group < 0) return Entry(program::Group{}, nothing_.data());
  return Entry(program->groups[static_cast<std::size_t>(group)], program->tables.data());
}

template <int W, class Index>
void FlatTables<W, Index>::MakeTests() {
  for (const program::FlatTest& from : flat.tests) {
    Test test;
    test.op = from.op;
    test.least = from.least;
    test.mask = from.mask;
    test.value = from.value;
    test.parts = from.parts;
    for (const program::FlatPieces& pieces : from.pieces) {
      test.pieces.push_back({pieces.codes, pieces.cells < 0, {}});
      if (pieces.cells >= 0) test.pieces.back().cells = Cells::From(program->set(pieces.cells));
    }
    tests.push_back(std::move(test));
  }
}

template <int W, class Index>
void FlatTables<W, Index>::MakeShares() {
  for (const program::FlatShare& from : flat.shares) {
    auto share = std::make_unique<Share>();
    const auto any = [](const std::vector<int32_t>& list) {
      return std::any_of(list.begin(), list.end(), [](int32_t i) { return i >= 0; });
    };
    if (any(from.constants)) {
      for (const int32_t set : from.constants) {
        share->constants.push_back(set < 0 ? Cells{} : Cells::From(program->set(set)));
      }
    }
    if (any(from.groups)) {
      for (const int32_t group : from.groups) share->entries.push_back(EntryOf(group));
    }
    shares_.push_back(std::move(share));
  }
}

template <int W, class Index>
void FlatTables<W, Index>::MakeMover(int player, const program::FlatMover& from, Mover* to) {
  to->onto = from.onto;
  to->onto_empty = from.onto_empty;
  to->guarded = from.guarded;
  to->test = from.test;
  to->codes = from.codes;
  to->captures = from.captures;
  if (from.within >= 0) {
    to->limited = true;
    to->within = Cells::From(program->set(from.within));
  }
  for (const int share : from.shares) to->shares.push_back(shares_[static_cast<std::size_t>(share)].get());
  for (const program::FlatShift& shift : from.shifts) {
    to->shifts.push_back({Cells::From(program->set(shift.origins)), shift.via, shift.delta - shift.via, shift.delta});
  }
  if (to->shares.size() == 1) {
    const Share& share = *to->shares.front();
    to->constants = share.constants.empty() ? nullptr : share.constants.data();
    to->entries = share.entries.empty() ? nullptr : share.entries.data();
  }
  if (!to->shifts.empty()) {
    to->form = Form::kShift;
  } else if (to->entries != nullptr && to->constants == nullptr) {
    to->form = Form::kTable;
  } else if (to->constants != nullptr && to->entries == nullptr) {
    to->form = Form::kConstant;
  } else {
    to->form = Form::kMany;
  }
  to->changes.assign(static_cast<std::size_t>(flat.codes), nullptr);
  to->timeless_changes = to->changes;
  for (std::size_t i = 0; i < from.codes.size(); ++i) {
    const auto slot = static_cast<std::size_t>(from.statements[i] * program->players + player);
    if (!flat.moved[slot].empty()) to->changes[from.codes[i]] = flat.moved[slot].data();
    if (!flat.moved_timeless[slot].empty()) to->timeless_changes[from.codes[i]] = flat.moved_timeless[slot].data();
  }
  if (from.promotion_zone < 0) return;
  to->promotes = true;
  to->zone = Cells::From(program->set(from.promotion_zone));
  to->promotions.resize(static_cast<std::size_t>(cells));
  for (Cells zone = to->zone; zone.Any();) {
    const int cell = zone.Pop();
    const int option =
        program
            ->promotion_at[static_cast<std::size_t>((from.promotion_kind * program->players + player) * cells + cell)];
    auto& codes = to->promotions[static_cast<std::size_t>(cell)];
    for (const int kind : program->promotion_options[static_cast<std::size_t>(option)]) {
      codes.push_back(kind < 0 ? from.codes.front()
                               : flat.by_kind[static_cast<std::size_t>(kind * (program->players + 1) + player + 1)]);
    }
    const int extra = static_cast<int>(codes.size()) - 1;
    to->promotion_extra = to->promotion_extra == 0 || to->promotion_extra == extra ? extra : -1;
  }
}

// By target and origin the cells that must be empty; further paths stay in lists.
template <int W, class Index>
const Bits<W>* FlatTables<W, Index>::Lines(const program::AttackFamily& family, const int32_t** more) {
  auto between = std::make_unique<std::vector<Cells>>(family.lines.size());
  auto next = std::make_unique<std::vector<int32_t>>(family.lines.size(), -1);
  bool any = false;
  for (std::size_t i = 0; i < family.lines.size(); ++i) {
    if (family.lines[i] < 0) continue;
    const program::Line& line = program->lines[static_cast<std::size_t>(family.lines[i])];
    (*between)[i] = Cells::From(program->set(line.between));
    (*next)[i] = line.next;
    any = any || line.next >= 0;
  }
  *more = nullptr;
  if (any) {
    *more = next->data();
    indices_.push_back(std::move(next));
  }
  sets_.push_back(std::move(between));
  return sets_.back()->data();
}

template <int W, class Index>
void FlatTables<W, Index>::MakeAttackers(int player, Side* side) {
  std::vector<const program::AttackFamily*> families;
  for (int enemy = 0; enemy < program->players; ++enemy) {
    if (enemy == player) continue;
    for (const program::AttackFamily& family : program->families[static_cast<std::size_t>(enemy)]) {
      Attackers a;
      for (int kind = 0; kind < program->kinds_count; ++kind) {
        const Code code = flat.by_kind[static_cast<std::size_t>(kind * (program->players + 1) + enemy + 1)];
        if (((family.kinds >> kind) & 1) != 0 && code != program::kNoPiece) a.codes.push_back(code);
      }
      if (a.codes.empty()) continue;
      families.push_back(&family);
      auto constants = std::make_unique<std::vector<Cells>>(static_cast<std::size_t>(cells));
      bool any_constant = false;
      for (int target = 0; target < cells; ++target) {
        const program::Row& row = family.rows[static_cast<std::size_t>(target)];
        a.lookups = std::max(a.lookups, row.group_count);
        if (row.constant < 0) continue;
        any_constant = true;
        (*constants)[static_cast<std::size_t>(target)] = Cells::From(program->set(row.constant));
      }
      a.tables = a.lookups > 0;
      if (any_constant) {
        a.constants = constants->data();
        sets_.push_back(std::move(constants));
      }
      for (int i = 0; i < a.lookups; ++i) {
        auto entries = std::make_unique<std::vector<Entry>>();
        for (int target = 0; target < cells; ++target) {
          const program::Row& row = family.rows[static_cast<std::size_t>(target)];
          entries->push_back(EntryOf(i < row.group_count ? row.group + i : -1));
        }
        a.entries[static_cast<std::size_t>(i)] = entries->data();
        entries_.push_back(std::move(entries));
      }
      a.between = Lines(family, &a.more);
      side->enemies.push_back(std::move(a));
    }
  }
  auto reach = std::make_unique<std::vector<Cells>>();
  for (std::size_t target = 0; target < static_cast<std::size_t>(cells); ++target) {
    for (const program::AttackFamily* family : families) {
      reach->push_back(Cells::From(program->set(family->rows[target].reach)));
    }
  }
  side->reach = reach->data();
  sets_.push_back(std::move(reach));
}

template <int W, class Index>
void FlatTables<W, Index>::MakeSides() {
  sides.resize(flat.sides.size());
  for (std::size_t player = 0; player < sides.size(); ++player) {
    Side& side = sides[player];
    const program::FlatSide& from = flat.sides[player];
    side.movers.resize(from.movers.size());
    for (std::size_t i = 0; i < from.movers.size(); ++i) {
      MakeMover(static_cast<int>(player), from.movers[i], &side.movers[i]);
      side.movers[i].index = static_cast<uint8_t>(i);
    }
    side.guarded = from.guarded;
    MakeAttackers(static_cast<int>(player), &side);
    for (const program::FlatHandler& h : flat.begins[player]) side.begins.emplace_back(h.test, h.change);
    for (const program::FlatEnd& end : flat.ends) {
      if (end.mover != static_cast<int>(player)) continue;
      (end.reads_clock ? side.clock_ends : side.ends).emplace_back(end.test, &end);
    }
    if (!flat.removed[player].empty()) side.removed = flat.removed[player].data();
    if (!flat.removed_timeless[player].empty()) side.timeless_removed = flat.removed_timeless[player].data();
  }
}
