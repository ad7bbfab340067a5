// The flat form as the machine runs it: pointers instead of indices, made once for a game.

template <int W, class Index>
FlatTables<W, Index>::FlatTables(std::shared_ptr<const program::Program> from)
    : program(std::move(from)), flat(program->flat), cells(program->cells) {
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
  MakeCases();
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
      test.pieces.push_back({Codes(pieces.codes), pieces.cells < 0, {}});
      if (pieces.cells >= 0) test.pieces.back().cells = Cells::From(program->set(pieces.cells));
    }
    if (from.op == program::FlatTest::Op::kCanPlay) {
      for (const program::FlatSide& side : flat.sides) {
        auto& groups = test.groups.emplace_back();
        for (const program::FlatGroup& group : side.groups) {
          if (std::find(from.parts.begin(), from.parts.end(), group.action) != from.parts.end()) {
            groups.push_back(&group);
          }
        }
      }
    }
    tests.push_back(std::move(test));
  }
}

// What a part of a test says that must hold (or must not, if `holds` is false) for the whole.
template <int W, class Index>
void FlatTables<W, Index>::GatePart(int index, bool holds, Gated* gated) const {
  using Op = program::FlatTest::Op;
  const program::FlatTest& test = flat.tests[static_cast<std::size_t>(index)];
  switch (test.op) {
    case Op::kAll:
    case Op::kAny:
      if ((test.op == Op::kAll) != holds) return;
      for (const int part : test.parts) GatePart(part, holds, gated);
      return;
    case Op::kNot:
      GatePart(test.parts.front(), !holds, gated);
      return;
    case Op::kState:
      if (holds) {
        if ((gated->mask & test.mask) != 0) return;
        gated->mask |= test.mask;
        gated->value |= test.value;
      } else if (gated->never_mask == 0) {
        gated->never_mask = test.mask;
        gated->never = test.value;
      }
      return;
    case Op::kPieces:
      if (holds || test.least != 1) return;
      for (const program::FlatPieces& pieces : test.pieces) {
        if (pieces.cells < 0) gated->none.insert(gated->none.end(), pieces.codes.begin(), pieces.codes.end());
      }
      return;
    default:
      return;
  }
}

template <int W, class Index>
typename FlatTables<W, Index>::Gated FlatTables<W, Index>::GatedBy(int test) const {
  Gated gated;
  gated.test = test;
  if (test >= 0) GatePart(test, true, &gated);
  std::reverse(gated.none.begin(), gated.none.end());  // cheap kinds are declared last and are there longest
  return gated;
}

template <int W, class Index>
void FlatTables<W, Index>::MakeCases() {
  for (const program::FlatCase& from : flat.cases) {
    Case to;
    to.mask = from.mask;
    to.value = from.value;
    to.origin = from.origin;
    to.self = from.self;
    to.rest = &from;
    if (from.empty >= 0) to.empty = Cells::From(program->set(from.empty));
    for (const auto& step : from.steps) {
      to.leaves.Set(step.from);
      to.enters.Clear(step.from);
      if (step.to < 0) {
        to.removes.Set(step.from);
      } else {
        to.enters.Set(step.to);
        to.leaves.Clear(step.to);
      }
    }
    cases.push_back(std::move(to));
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
void FlatTables<W, Index>::MakeMover(int player, const program::FlatMover& from, Mover* to) const {
  to->onto = static_cast<uint8_t>(from.onto);
  to->onto_empty = from.onto_empty;
  to->test = from.test;
  to->codes = Codes(from.codes);
  to->captures = Codes(from.captures);
  to->unusual = to->test >= 0 || from.onto == program::FlatMover::Onto::kSome;
  for (const int share : from.shares) to->shares.push_back(shares_[static_cast<std::size_t>(share)].get());
  for (const program::FlatShift& shift : from.shifts) {
    to->shifts[to->shift_count++] = {Cells::From(program->set(shift.origins)), shift.via, shift.delta - shift.via,
                                     shift.delta};
  }
  if (to->shares.size() == 1) {
    const Share& share = *to->shares.front();
    to->constants = share.constants.empty() ? nullptr : share.constants.data();
    to->entries = share.entries.empty() ? nullptr : share.entries.data();
  }
  if (to->shift_count > 0) {
    to->form = Form::kShift;
  } else if (to->entries != nullptr && to->constants == nullptr) {
    to->form = Form::kTable;
  } else if (to->constants != nullptr && to->entries == nullptr) {
    to->form = Form::kConstant;
  } else {
    to->form = Form::kMany;
  }
  if (from.promotion_zone < 0) return;
  to->promotes = true;
  to->zone = Cells::From(program->set(from.promotion_zone));
  to->promotions.resize(static_cast<std::size_t>(cells));
  bool first = true;
  for (Cells zone = to->zone; zone.Any(); first = false) {
    const int cell = zone.Pop();
    const int option =
        program
            ->promotion_at[static_cast<std::size_t>((from.promotion_kind * program->players + player) * cells + cell)];
    auto& codes = to->promotions[static_cast<std::size_t>(cell)];
    for (const int kind : program->promotion_options[static_cast<std::size_t>(option)]) {
      codes.push_back(kind < 0 ? from.codes.front() : flat.CodeOf(kind, player));
    }
    const int extra = static_cast<int>(codes.size()) - 1;
    to->promotion_extra = first || to->promotion_extra == extra ? extra : -1;
  }
}

template <int W, class Index>
void FlatTables<W, Index>::MakeChanges(int player, std::size_t index, const program::FlatMover& from,
                                       Side* side) const {
  const auto codes = static_cast<std::size_t>(flat.codes);
  side->changes.resize((index + 1) * codes, nullptr);
  side->timeless_changes.resize((index + 1) * codes, nullptr);
  side->first_code.push_back(from.codes.front());
  for (std::size_t i = 0; i < from.codes.size(); ++i) {
    const auto slot = static_cast<std::size_t>(from.statements[i] * program->players + player);
    const std::size_t at = index * codes + from.codes[i];
    if (!flat.moved[slot].empty()) side->changes[at] = flat.moved[slot].data();
    if (!flat.moved_timeless[slot].empty()) side->timeless_changes[at] = flat.moved_timeless[slot].data();
  }
}

// By target and origin the cells that must be empty; further paths stay in lists. Families that agree where both say
// something share one table: what is asked often stays in the cache.
template <int W, class Index>
const Bits<W>* FlatTables<W, Index>::Lines(const program::AttackFamily& family, const int32_t** more) {
  const std::size_t size = family.lines.size();
  std::vector<bool> told(size);
  std::vector<Cells> between(size);
  auto next = std::make_unique<std::vector<int32_t>>(size, -1);
  bool any = false;
  for (std::size_t i = 0; i < size; ++i) {
    if (family.lines[i] < 0) continue;
    const program::Line& line = program->lines[static_cast<std::size_t>(family.lines[i])];
    told[i] = true;
    between[i] = Cells::From(program->set(line.between));
    (*next)[i] = line.next;
    any = any || line.next >= 0;
  }
  *more = nullptr;
  if (any) {
    *more = next->data();
    indices_.push_back(std::move(next));
  }
  for (LineTable& table : lines_) {
    bool agree = true;
    for (std::size_t i = 0; i < size && agree; ++i) {
      agree = !told[i] || !table.told[i] || (*table.between)[i] == between[i];
    }
    if (!agree) continue;
    for (std::size_t i = 0; i < size; ++i) {
      if (!told[i]) continue;
      table.told[i] = true;
      (*table.between)[i] = between[i];
    }
    return table.between->data();
  }
  lines_.push_back({std::move(told), std::make_unique<std::vector<Cells>>(std::move(between))});
  return lines_.back().between->data();
}

template <int W, class Index>
void FlatTables<W, Index>::MakeAttackers(int player, Side* side) {
  std::vector<const program::AttackFamily*> families;
  for (int enemy = 0; enemy < program->players; ++enemy) {
    if (enemy == player) continue;
    for (const program::AttackFamily& family : program->families[static_cast<std::size_t>(enemy)]) {
      Attackers a;
      std::vector<Code> codes;
      for (int kind = 0; kind < program->kinds_count; ++kind) {
        const Code code = flat.CodeOf(kind, enemy);
        if (((family.kinds >> kind) & 1) != 0 && code != program::kNoPiece) codes.push_back(code);
      }
      if (codes.empty()) continue;
      side->enemy_codes.emplace_back(codes);
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
      if (a.lookups > 0) a.between = Lines(family, &a.more);
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
    for (std::size_t i = 0; i < from.movers.size(); ++i) {
      Mover mover;
      mover.index = static_cast<uint8_t>(i);
      MakeMover(static_cast<int>(player), from.movers[i], &mover);
      MakeChanges(static_cast<int>(player), i, from.movers[i], &side);
      (from.movers[i].guarded ? side.guarded_movers : side.movers).push_back(std::move(mover));
    }
    side.guarded = Codes(from.guarded);
    side.guards = !from.guarded.empty();
    side.groups = &from.groups;
    MakeAttackers(static_cast<int>(player), &side);
    for (const program::FlatHandler& h : flat.begins[player]) {
      side.begins.push_back(GatedBy(h.test));
      side.begins.back().change = h.change;
    }
    for (const program::FlatEnd& end : flat.ends) {
      if (end.mover != static_cast<int>(player)) continue;
      auto& ends = end.reads_clock ? side.clock_ends : side.ends;
      ends.push_back(GatedBy(end.test));
      ends.back().end = &end;
    }
    if (!flat.removed[player].empty()) side.removed = flat.removed[player].data();
    if (!flat.removed_timeless[player].empty()) side.timeless_removed = flat.removed_timeless[player].data();
  }
}
