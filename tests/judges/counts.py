"""The counts of the notes on the games, made again by the judges."""

import sys

import football
import gravitatur
import shakhbol
import volleyball
from match import Match, count

KEEPER = "2g2/1d1d1/2o2/1AAA1/5/2a2/1DDD1/2G2 w"
IN_CHECK = "4k3/8/8/8/1b6/8/8/R3K2N w"
ARRAY = volleyball.START[8].removesuffix("w")
BEGIN = {"shakhbol": lambda opts, text: Match(shakhbol, opts, text),
         "football": lambda opts, text: Match(football, opts, text), "gravitatur": gravitatur.Match,
         "volleyball8": volleyball.Match, "volleyball10": lambda opts, text: volleyball.Match(opts, text, 10)}
FREE = {"first_server": "free"}
CASES = [("shakhbol", {}, None, [16, 398, 5249, 112289, 1946896]), ("shakhbol", {}, KEEPER, [17, 159, 1414, 19724]),
         ("shakhbol", {"kick_duty": "may"}, None, [38, 1082, 42401]),
         ("shakhbol", {"keeper_walk": "steps"}, None, [16, 372, 4771]),
         ("shakhbol", {"own_goals": True}, None, [16, 398, 5359]), ("football", {}, None, [46, 1358, 49381]),
         ("gravitatur", {}, None, [983]), ("gravitatur", {"gravity": "may"}, None, [1010]),
         ("gravitatur", {}, IN_CHECK, [4, 2825]), ("gravitatur", {"gravity": "may"}, IN_CHECK, [4, 2885]),
         ("volleyball8", {}, None, [3, 216]), ("volleyball8", FREE, None, [40, 7550]),
         ("volleyball8", FREE, ARRAY + "b server=Black", [29]),
         ("volleyball8", {"vizier_leaps": "scheme"}, None, [3, 188]),
         ("volleyball8", {"vizier_leaps": "one_three"}, None, [3, 122]),
         ("volleyball8", {"straight_leaps": "one"}, None, [3, 232]),
         ("volleyball8", {"queen_turns": True}, None, [3, 392]),
         ("volleyball10", {}, None, [4, 425]), ("volleyball10", FREE, None, [65])]

# Chess Volleyball 8x8, the first serve of a side without an obligatory server: how many pairs of the ball's cell and a
# server, how many of them can throw, how many throws; and the returns after each serve of the obligatory server.
SERVES = {"w": (14, 13, 35), "b": (11, 10, 25)}
RETURNS = {"c3d2a5": 124, "c3d2g5": 64, "c3d4b6": 28}


def serves(side):
    """Pairs, pairs that throw, and throws of a side's first serve."""
    match = volleyball.Match(FREE, ARRAY + {"w": "w", "b": "b server=Black"}[side])
    hits = [turn[0] for turn in match.moves()]
    throws = [hit for hit in hits if match.court.half(hit[3]) != side]
    return len({hit[1:3] for hit in hits}), len({hit[1:3] for hit in throws}), len(throws)


def returns():
    """The returns after each first serve."""
    found = {}
    for turn in volleyball.Match().moves():
        match = volleyball.Match()
        match.play(turn)
        found[volleyball.spelled(turn[0])] = len(match.moves())
    return found


def main():
    """Count to the depth on the command line (4); exit code 1 if a count differs."""
    deep = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    wrong = 0

    def show(what, found, expected):
        nonlocal wrong
        wrong += found != expected
        print(what, found, "ok" if found == expected else f"NOT {expected}")

    for game, opts, text, expected in CASES:
        found = [count(BEGIN[game](opts, text), n + 1) for n in range(min(deep, len(expected)))]
        show(f"{game} {opts} {text or 'start'}", found, expected[:deep])
    for side, expected in SERVES.items():
        show(f"volleyball8 first serve of {side}: pairs, pairs that throw, throws", serves(side), expected)
    show("volleyball8 returns", returns(), RETURNS)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
