"""The counts of the notes on the games, made again by the judges."""

import sys

import football
import gravitatur
import shakhbol
from match import Match, count

KEEPER = "2g2/1d1d1/2o2/1AAA1/5/2a2/1DDD1/2G2 w"
IN_CHECK = "4k3/8/8/8/1b6/8/8/R3K2N w"
CASES = [(shakhbol, {}, None, [16, 398, 5249, 112289, 1946896]), (shakhbol, {}, KEEPER, [17, 159, 1414, 19724]),
         (shakhbol, {"kick_duty": "may"}, None, [38, 1082, 42401]),
         (shakhbol, {"keeper_walk": "steps"}, None, [16, 372, 4771]),
         (shakhbol, {"own_goals": True}, None, [16, 398, 5359]), (football, {}, None, [46, 1358, 49381]),
         (gravitatur, {}, None, [983]), (gravitatur, {"gravity": "may"}, None, [1010]),
         (gravitatur, {}, IN_CHECK, [4, 2825]), (gravitatur, {"gravity": "may"}, IN_CHECK, [4, 2885])]


def begin(game, opts, text):
    """A game of its own kind, or else a match."""
    return game.Match(opts, text) if game is gravitatur else Match(game, opts, text)


def main():
    """Count to the depth on the command line (4); exit code 1 if a count differs."""
    deep = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    wrong = 0
    for game, opts, text, expected in CASES:
        found = [count(begin(game, opts, text), n + 1) for n in range(min(deep, len(expected)))]
        same = found == expected[:deep]
        wrong += not same
        print(game.__name__, opts, text or "start", found, "ok" if same else f"NOT {expected}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
