// Games of random actions. Every legal action of a position is as likely as any other.

template <int W, class Index>
RandomGame Machine<W, Index>::PlayRandomly(uint64_t* random, int max_turns) {
  RandomGame game;
  if (p_.flat.usable && between_turns() && !fault) {
    FlatMachine<W, Index> flat(FlatOfGame());
    if (flat.Load(Save())) {
      const auto played = flat.PlayRandomly(random, max_turns);
      Load(flat.Save());
      game.turns = played.turns;
      game.actions = played.turns;
      game.outcome = OutcomeOf(played.occurrences, played.turns, played.has_move ? 1 : 0);
      if (fault) game.outcome = {};
      return game;
    }
  }
  std::vector<Handle> choices;
  std::unordered_map<uint64_t, int> stood;  // how often, by key
  const bool repeats = std::any_of(p_.ends.begin(), p_.ends.end(),
                                   [](const auto& e) { return e.kind == rules::End::Kind::kRepetition; });
  int in_turn = 0;
  bool begins = between_turns();
  while (!fault) {
    history_.clear();
    journal_.clear();
    Choices(&choices);
    if (begins) {
      const int occurrences = repeats ? ++stood[key()] : 1;
      game.outcome = OutcomeOf(occurrences, game.turns, choices.empty() ? 0 : 1);
      if (game.outcome.kind != rules::Outcome::Kind::kNone) break;
    }
    if (choices.empty() || game.turns >= max_turns || in_turn >= kLongestTurn || fault) break;
    const Applied applied = Play(choices[RandomBelow(random, choices.size())]);
    ++game.actions;
    ++in_turn;
    begins = applied.turn_complete;
    if (begins) {
      ++game.turns;
      in_turn = 0;
    }
    game.outcome = applied.outcome;
    if (game.outcome.kind != rules::Outcome::Kind::kNone) break;
  }
  if (fault) game.outcome = {};
  history_.clear();
  journal_.clear();
  return game;
}
