// What may come next in a turn.
//
// Only complete turns exist: an action is visited if the turn can be finished after it, which is found by
// trying. While an action is visited, the position is the one it leads to; where nobody asks for it and nothing that
// follows can make the action impossible, handlers, ends and the end of the turn are left out, and laws are asked at
// once.

template <int W, class Index>
bool Machine<W, Index>::Try() {
  if (++budget_.tried <= p_.lookahead_budget && depth_ <= kMaxDepth) return true;
  budget_.spent = true;
  Fault(
      p_.phases.front().span, "turn-lookahead",
      "finding out whether a turn can be completed took more than " + std::to_string(p_.lookahead_budget) + " actions");
  return false;
}

template <int W, class Index>
bool Machine<W, Index>::RunAction(int index, int self, Then then, const Handle* replay) {
  const program::Action& action = p_.actions[static_cast<std::size_t>(index)];
  RunScope run(*this);
  const Mark mark = SaveMark();
  sc_.result = Result{};
  Call top;
  Context c;
  c.me = sc_.mover;
  c.self = c.actor = self;
  c.call = &top;
  c.replay = replay;
  Frame frame(*this, action.function, &c);
  PushToken(rules::Base::kAction, action.name);
  if (self >= 0) PushToken(rules::Base::kCell, pieces_[static_cast<std::size_t>(self)].cell);
  auto finish = [&](Context& done) {
    if (!Whole()) return true;
    if (action.written.empty() || !texts_wanted_) return then(done);
    std::vector<rules::Token> written = Written(action, done);
    if (written.empty()) return then(done);
    written_.swap(written);
    const bool go_on = then(done);
    written_.swap(written);
    return go_on;
  };
  Then wrapped(finish);
  const bool go_on = Exec(action.function.entry, c, &wrapped);
  Restore(mark);
  return go_on;
}

template <int W, class Index>
bool Machine<W, Index>::Instances(int index, rules::Offer::By by, Then then) {
  using By = rules::Offer::By;
  const program::Action& action = p_.actions[static_cast<std::size_t>(index)];
  if (!action.has_self && by != By::kAnyone) return true;
  Cells own = KindMask(action.kinds) & by_owner_[static_cast<std::size_t>(sc_.mover + 1)] & board_;
  if (action.has_self && !own.Any()) return true;
  if (action.gate.present() && !Truth(Evaluate(action.gate, sc_.mover, -1))) return true;
  if (!action.has_self) return RunAction(index, -1, then, nullptr);
  if (by != By::kAnyone) {
    const int last = sc_.last_self < 0 ? -1 : pieces_[static_cast<std::size_t>(sc_.last_self)].cell;
    if (by == By::kSame) {
      if (last < 0) return true;
      own &= Cells::Of(last);
    } else if (last >= 0) {
      own &= ~Cells::Of(last);
    }
  }
  Context c;
  c.me = sc_.mover;
  const program::Query* first =
      action.first_choice < 0 ? nullptr : &p_.queries[static_cast<std::size_t>(action.first_choice)];
  const Cells onto = first == nullptr ? Cells{} : Filtered(*first, c);
  while (own.Any()) {
    const int from = own.Pop();
    if (first != nullptr) {
      const program::Row* row = RowOf(first->walk, sc_.mover, from, c);
      if (row != nullptr && !(RowEnds(*row, occupied_) & onto).Any()) continue;
    }
    if (!RunAction(index, on_[static_cast<std::size_t>(from)], then, nullptr)) return false;
  }
  return true;
}

template <int W, class Index>
bool Machine<W, Index>::Finish(int action, int next, int actor, Visit visit) {
  if (depth_ > 0 && !Try()) return false;
  Yield made;
  made.action = action;
  made.next = next;
  const bool ends_turn = p_.turn_states[static_cast<std::size_t>(next)].accept_only;
  if (ends_turn && !results_wanted_ && Harmless()) {
    if (!Lawful(actor)) return true;
    made.complete = true;
    return visit(made);
  }
  const Mark mark = SaveMark();
  bool go_on = true;
  if (Consequences(actor)) {
    if (over()) {
      if (!p_.has_turn_laws || !Forbidden(rules::Law::Scope::kTurnEnd, -1)) {
        GameOver();
        made.complete = true;
        go_on = visit(made);
      }
    } else {
      EnterPlace(next, actor);
      if (ends_turn) {
        if (EndTurn()) {
          made.complete = true;
          go_on = visit(made);
        }
      } else {
        const WaysOn on = FindWaysOn();
        if (on.plays) {
          go_on = visit(made);
        } else if (on.accepts && EndTurn()) {
          made.complete = true;
          go_on = visit(made);
        }
      }
    }
  }
  Restore(mark);
  return go_on;
}

// Can nothing but laws make an action impossible that ends the turn here?
template <int W, class Index>
bool Machine<W, Index>::Harmless() const {
  if (!p_.harmless) return false;
  for (const program::Nudge& n : p_.nudges) {
    for (int i = n.first; i < n.first + n.count; ++i) {
      const Value at = state_[static_cast<std::size_t>(i)];
      if (at < n.low || at > n.high) return false;
    }
  }
  return true;
}

// Has no instance that is run as bytecode the list of choices of another one?
template <int W, class Index>
bool Machine<W, Index>::AllUnique() const {
  return p_.plan(sc_.place).unique && (!p_.harmless || Harmless());  // else plain statements are run, too
}

// Do the laws allow the position that an action leads to? Where nothing that follows from it changes what they ask.
template <int W, class Index>
bool Machine<W, Index>::Lawful(int actor) {
  using Scope = rules::Law::Scope;
  return p_.laws.empty() ||
         !(Forbidden(Scope::kEveryAction, actor) || Forbidden(Scope::kAction, actor) || Forbidden(Scope::kTurnEnd, -1));
}

// ---- going through an offer ----------------------------------------------------------------------

// What is done with all that is offered is up to a sink:
//   bool Ends()                       the turn may end here; it has ended, for as long as the call takes
//   bool Acts(const Yield&)           an action, made; the turn can be completed after it
//   bool Direct(const program::Plan&) the moves of a direct offer; not made, and looked for by the sink
//   bool results                      must the position be the one to which an action leads, when it ends the turn?
//   std::size_t found                 raised with everything that is offered, by Direct too
// False stops the search.
template <int W, class Index>
template <class Sink>
bool Machine<W, Index>::Gather(Sink& sink) {
  const bool outer = std::exchange(results_wanted_, sink.results);
  const int offer = p_.turn_states[static_cast<std::size_t>(sc_.place)].offer;
  bool ended = false;
  const bool go_on = GatherOffer(offer, p_.plans[static_cast<std::size_t>(offer)].apart && Harmless(), &ended, sink);
  results_wanted_ = outer;
  return go_on;
}

// `tables`: may direct offers be handed on as they are? `ended`: the sink knows that the turn may end here.
template <int W, class Index>
template <class Sink>
bool Machine<W, Index>::GatherOffer(int index, bool tables, bool* ended, Sink& sink) {
  using Kind = rules::Offer::Kind;
  const program::Offer& offer = p_.offers[static_cast<std::size_t>(index)];
  const program::Plan& plan = p_.plans[static_cast<std::size_t>(index)];
  if (tables && plan.direct) return sink.Direct(plan);
  const auto acts = [&](const Yield& y) {
    ++sink.found;
    return sink.Acts(y);
  };
  switch (offer.kind) {
    case Kind::kAccept: {
      const Mark mark = SaveMark();
      sc_.result = Result{};
      bool go_on = true;
      if (EndTurn()) {
        ++sink.found;
        RunScope run(*this);
        if (!std::exchange(*ended, true)) go_on = sink.Ends();
      }
      Restore(mark);
      return go_on;
    }
    case Kind::kPlay:
      return Plays(offer, acts);
    case Kind::kOr:
      return std::all_of(offer.parts.begin(), offer.parts.end(),
                         [&](int part) { return GatherOffer(part, tables, ended, sink); });
    case Kind::kElse:
      for (const int part : offer.parts) {
        const std::size_t before = sink.found;
        if (!GatherOffer(part, tables, ended, sink)) return false;
        if (sink.found != before) return true;
      }
      return true;
    case Kind::kIf:
      if (Truth(Evaluate(offer.condition, sc_.mover, -1))) return GatherOffer(offer.parts[0], tables, ended, sink);
      return offer.parts.size() < 2 || GatherOffer(offer.parts[1], tables, ended, sink);
    case Kind::kLongest:
      return Longest(offer, [&](const Yield& y) {
        if (y.action >= 0) return acts(y);
        ++sink.found;
        return std::exchange(*ended, true) || sink.Ends();
      });
  }
  return true;
}

// Everything, made action by action.
template <int W, class Index>
struct Machine<W, Index>::VisitSink {
  Visit visit;
  bool results = false;
  std::size_t found = 0;
  bool Ends() {
    Yield done;
    done.complete = true;
    return visit(done);
  }
  bool Acts(const Yield& y) { return visit(y); }
  bool Direct(const program::Plan& /*plan*/) { return true; }  // not asked: Longest and Follow go without tables
};

// How a turn can go on, and whether it can.
template <int W, class Index>
struct Machine<W, Index>::WaysSink {
  Machine& m;
  WaysOn on;
  bool results = false;
  std::size_t found = 0;
  bool Ends() { return on.accepts = true; }
  bool Acts(const Yield& /*y*/) {
    on.plays = true;
    return false;
  }
  bool Direct(const program::Plan& plan) {
    if (m.depth_ > 0 && !m.Try()) return false;
    on.plays = m.HasPlain(plan) || !m.EachOther(plan, [](const Yield&) { return false; });
    found += on.plays ? 1 : 0;
    return !on.plays;
  }
};

// Several first parts of a turn often lead to one position, so what is found out is kept.
template <int W, class Index>
typename Machine<W, Index>::WaysOn Machine<W, Index>::FindWaysOn() {
  const bool may = MayRemember() && !p_.plan(sc_.place).light;
  const uint64_t key = may ? WholeKey() : 0;
  if (may) {
    if (const auto found = known_.ways_on.find(key); found != known_.ways_on.end()) return found->second;
  }
  WaysSink ways{*this, {}};
  ++depth_;
  Gather(ways);
  --depth_;
  if (may && MayRemember()) Known::Keep(&known_.ways_on, key, ways.on);
  return ways.on;
}

template <int W, class Index>
bool Machine<W, Index>::HasTurn() {
  WaysSink ways{*this, {}};
  Gather(ways);
  return ways.on.plays || ways.on.accepts;
}

template <int W, class Index>
void Machine<W, Index>::EnterPlace(int place, int actor) {
  sc_.place = place;
  const int cell = actor < 0 ? -1 : pieces_[static_cast<std::size_t>(actor)].cell;
  sc_.last_self = cell >= 0 && cell < p_.board_cells ? actor : -1;  // a piece in a place does not act again
  Settle();
}

template <int W, class Index>
bool Machine<W, Index>::Plays(const program::Offer& offer, Visit visit) {
  for (const int action : offer.actions) {
    const bool go_on =
        Instances(action, offer.by, [&](Context& c) { return Finish(action, offer.next, c.actor, visit); });
    if (!go_on) return false;
  }
  return true;
}

// Of what the part offers, what most actions of the part can follow.
template <int W, class Index>
bool Machine<W, Index>::Longest(const program::Offer& offer, Visit visit) {
  std::vector<int> lengths;
  int best = 0;
  const auto each_part = [&](Visit v) {
    VisitSink sink{v};
    bool ended = false;
    return std::all_of(offer.parts.begin(), offer.parts.end(),
                       [&](int part) { return GatherOffer(part, false, &ended, sink); });
  };
  each_part([&](const Yield& y) {
    if (y.action < 0) return true;
    lengths.push_back(Follow(y));
    best = std::max(best, lengths.back());
    return true;
  });
  std::size_t at = 0;
  return each_part([&](const Yield& y) {
    if (y.action < 0) return best > 0 || visit(y);
    return at >= lengths.size() || lengths[at++] != best || visit(y);
  });
}

// The number of actions of a `longest` part from this one on: an action is inside if it leads to a place inside.
template <int W, class Index>
int Machine<W, Index>::Follow(const Yield& made) {
  if (!p_.turn_states[static_cast<std::size_t>(made.next)].in_longest) return 0;
  if (made.complete) return 1;
  int most = 0;
  const auto longer = [&](const Yield& y) {
    if (y.action >= 0) most = std::max(most, Follow(y));
    return true;
  };
  VisitSink sink{longer};
  bool ended = false;
  ++depth_;
  GatherOffer(p_.turn_states[static_cast<std::size_t>(sc_.place)].offer, false, &ended, sink);
  --depth_;
  return 1 + most;
}
