"""Compares a judge of turns in parts with the program, part by part: lists of actions, counts, games to the end.

    compare_turns.py GAME RULES [--positions N] [--counts N] [--games N [--longest N] [--anywhere]]
                     [--options default|single|mixed] [-o name=value ...] [--seed S] [--arbiter PROGRAM]

Of a random position the list of its first actions is compared, and the lists behind some of them; with --counts how
many ways every first action can be completed.  Games are driven through `arbiter play`, an action at a time: before
each the position and the list of actions are compared, and at the end the result.
"""

import collections
import random
import re
import subprocess
import sys
import tempfile

import compare
import gravitatur
import volleyball
import volleyball_scenes
from match import ALL_WAYS, BLACK, WHITE, shifted, written

VALUES = {
    "gravitatur": {"lines": ["all", "orthogonal", "diagonal"], "gravity": ["must", "may"],
                   "no_placement": ["plain", "stalemate"], "double_step": ["first_rank", "unmoved", "never"],
                   "sharing": ["every_turn", "alternately"], "dead_positions": [True, False],
                   "threefold": [True, False], "fifty": [True, False], "pulled_pawns": [False, True]},
    "volleyball8": {"team_arrays": [False, True], "vizier_leaps": ["all", "scheme", "one_three"],
                    "straight_leaps": ["two", "one"], "queen_turns": [False, True],
                    "failed_serve_costs_minute": [False, True], "set_closes": ["at_return", "at_landing"],
                    "serve_duty": ["any_serve", "must_throw"], "no_serve": ["approach", "point"],
                    "must_return": [True, False], "three_light": ["closed", "open"],
                    "penalty_duty": ["always", "needed"], "penalty_aim": ["ball", "anything"],
                    "first_server": ["obligatory", "free"], "chess_stage": [True, False],
                    "overtime_cap": [0, 1, 3, 40], "points_cap": [7, 8, 61]}}
# Only in games from the beginning: a position in the middle of a match has its own idea of how long a set is.
MATCH_VALUES = {"sets_to_win": [1, 2], "set_length": [3, 12], "last_set_length": [2, 8], "overtime": [True, False],
                "clear_win": [3, 5], "narrow_win": [2, 4], "narrow_loss": [0, 1], "even_match": [1, 2]}
VALUES["volleyball10"] = {**VALUES["volleyball8"], "near_rows": [2, 3], "catch_back": ["anywhere", "over_net"],
                          "knight_extra": ["two_three", "one_three", "three_straight", "four_straight"]}


# -- positions

def gravitatur_position(rng):
    """Kings apart, and men as many as chance wants; pawns stand where pawns can stand."""
    cells = [(file, rank) for file in range(8) for rank in range(8)]
    king = rng.choice(cells)
    near = {king} | {shifted(king, way) for way in ALL_WAYS}
    board = {king: "K", rng.choice([cell for cell in cells if cell not in near]): "k"}
    for letters in ("QRRBBNNPPPPPPPP", "qrrbbnnpppppppp"):
        for letter in rng.sample(letters, rng.choice((0, 1, 2, 3, 5, 8, 12))):
            field = [cell for cell in cells if letter not in "Pp" or 0 < cell[1] < 7]
            first = [cell for cell in field if cell[1] == (1 if letter == "P" else 6)]
            late = [cell for cell in field if cell[1] == (6 if letter == "P" else 1)]
            pick = rng.random() if letter in "Pp" else 1
            compare.place(board, rng, letter, first if pick < 0.3 else late if pick < 0.4 else field)
    if rng.random() < 0.1:
        shut_in(board, rng)
    return board


def shut_in(board, rng):
    """White men around a black king in the corner and the other way round: few placements, mates, stalemates."""
    king, men = rng.choice((("k", "QRBNP"), ("K", "qrbnp")))
    old = next(cell for cell, letter in board.items() if letter == king)
    foe = next(cell for cell, letter in board.items() if letter == king.swapcase())
    corner = rng.choice([cell for cell in ((0, 0), (0, 7), (7, 0), (7, 7))
                         if max(abs(cell[0] - foe[0]), abs(cell[1] - foe[1])) > 3])
    del board[old]
    board[corner] = king
    for way in ALL_WAYS:
        cell = shifted(corner, way)
        if 0 <= cell[0] < 8 and 0 <= cell[1] < 8 and rng.random() < 0.8:
            board.setdefault(cell, rng.choice(men[:4] + men.swapcase()[:4]))


def gravitatur_choice(match, turns, rng):
    """A random turn; captures and turns that one action ends are taken more often than not."""
    short = [turn for turn in turns if len(turn) == 1]
    taking = [turn for turn in turns if turn[-1][0] == "move" and turn[-1][2] in match.board]
    pick = rng.random()
    among = taking if taking and pick < 0.2 else short if short and pick < 0.5 else turns
    return rng.choice(among) if among else None


def random_options(game, rng, how, fixed):
    """Options for one case."""
    opts, values = {}, VALUES[game]
    if how == "mixed":
        opts = {key: rng.choice(value) for key, value in values.items() if rng.random() < 0.5}
    elif how == "single":
        key = rng.choice(sorted(values))
        opts = {key: rng.choice(values[key])}
    return {**opts, **fixed}


# -- what the judge and the program say

def firsts(module, turns):
    """The first actions of complete turns and what may follow each."""
    found = {}
    for turn in turns:
        found.setdefault(module.spelled(turn[0]), set()).update(map(module.spelled, turn[1:2]))
    return found


def heard(args, cases):
    """For each case its list of actions and the lists behind the first actions it names: one process for all."""
    with tempfile.TemporaryDirectory() as where:
        lines, places = [], 0
        for index, (text, opts, tried) in enumerate(cases):
            path = f"{where}/{index}.game"
            with open(path, "w") as file:
                chosen = "".join(f"option   {key} = {compare.shown(value)}\n" for key, value in opts.items())
                file.write(f"ruleset  {args.rules}\n{chosen}start    {text}\n\nresult   unfinished\n")
            lines += ["load " + path, "position", "moves"]
            for action in tried:
                lines += [action, "position", "moves", "undo"]
            places += 1 + len(tried)
        sides = ["--player", "White=person", "--player", "Black=person"]
        run = subprocess.run([args.arbiter, "play", args.rules, *sides], input="\n".join(lines + ["quit", ""]),
                             capture_output=True, text=True)
    found = []
    for line in run.stdout.splitlines():
        if re.match(compare.POSITION, line):
            found.append((line.strip(), []))
        elif re.match(r"^\s+\d+  \S", line) and found:
            found[-1][1].extend(map(compare.plain, re.findall(r"\d+  (\S\S+)", line)))
    if len(found) != places:
        sys.exit(f"{len(found)} answers to {places} questions\n{run.stdout[-2000:]}{run.stderr}")
    return iter(found)


# -- comparing

class Report(compare.Report):
    """What was compared and what differed."""

    def compare_positions(self, cases, rng):
        """The lists of many positions, and behind some first actions of each."""
        asked, expected = [], []
        for text, opts in cases:
            match = self.args.begin(opts, text)
            found = firsts(self.args.module, match.moves())
            if match.result:
                self.seen["over: " + match.result] += 1
                continue
            open_ones = sorted(action for action, follow in found.items() if follow)
            tried = rng.sample(open_ones, min(4, len(open_ones)))
            self.seen["turns ended by the first part"] += sum(
                "*" in action and not follow for action, follow in found.items())
            asked.append((text, opts, tried))
            expected.append((text, opts, list(found)))
            expected += [(f"{text} {action}", opts, found[action]) for action in tried]
        for (text, opts, ours), (place, theirs) in zip(expected, heard(self.args, asked)):
            self.seen["lists"] += 1
            theirs = [self.args.module.heard(one, place) for one in theirs]
            self.seen["actions"] += len(theirs)
            if sorted(ours) != sorted(theirs):
                self.differ("list", opts, text, ours, theirs, place)
        self.seen["positions"] += len(cases)

    def compare_counts(self, text, opts):
        """How many turns begin with each action."""
        ours = collections.Counter(self.args.module.spelled(turn[0]) for turn in self.args.begin(opts, text).moves())
        out, err = compare.ask(self.args, "perft", "1", "--divide", "--position", text, *compare.flags(opts))
        theirs = {compare.plain(action): int(n) for action, n in re.findall(r"^(\S*[a-z]\S*) (\d+)$", out, re.M)}
        self.seen["counted"] += sum(theirs.values())
        self.seen["positions"] += 1
        if ours != theirs:
            self.differ("counts", opts, text, ours.items(), theirs.items(), err)

    def compare_game(self, opts, rng, text=None):
        """A random game; every list of actions and the result."""
        match, table = self.args.begin(opts, text), compare.Table(self.args, opts, text)
        log = []
        while len(log) < self.args.longest:
            turns = match.moves()
            turn = self.args.choice(match, turns, rng)
            for part, action in enumerate(turn or [None]):
                place, listed, tail = table.look()
                listed = {self.args.module.heard(one, place): whole for one, whole in listed.items()}
                if match.result or place is None:
                    table.close()
                    self.seen["games"] += 1
                    return self.end_of_game(opts, match, place, tail, log)
                turns = [one for one in turns if one[:part] == turn[:part]]
                ours = {self.args.module.spelled(one[part]) for one in turns}
                self.seen["actions"] += len(listed)
                self.seen["lists"] += 1
                if ours != set(listed) or part == 0 and not match.agrees(place):
                    table.close()
                    return self.differ("game", opts, f"{place} | {match.text()}", ours, listed, " ".join(log[-6:]))
                self.seen["played " + action[0]] += 1
                log.append(listed[self.args.module.spelled(action)])
                table.say(log[-1])
            match.play(turn)
        table.close()
        self.seen["games"] += 1
        self.seen["ended: not"] += 1

    def end_of_game(self, opts, match, text, tail, log):
        """Do both say that it is over, and how?"""
        ends = (re.match(r"a draw|\w+ wins|\d+ points to \w+, \d+ to \w+", line) for line in tail)
        line = next((end[0] for end in ends if end), "?")
        self.seen["ended: " + line] += 1
        ours = match.result or "none"
        if text is not None or ours.lower() not in line.lower():
            self.differ("result", opts, text or match.text(), [ours], [line], " ".join(log[-6:]))

def game_of(args):
    """The module of a game, how it begins a match, and how it makes a position and a choice."""
    if args.game == "gravitatur":
        size = gravitatur.FILES
        return (gravitatur, gravitatur.Match, lambda rng: written(
            gravitatur_position(rng), rng.choice((WHITE, BLACK)), size, size), gravitatur_choice)
    size = int(args.game.removeprefix("volleyball"))
    scene = volleyball_scenes.scene if args.scenes else volleyball_scenes.start
    return (volleyball, lambda opts, text: volleyball.Match(opts, text, size), lambda rng: scene(rng, size),
            volleyball_scenes.choice)


def main():
    """Read the command line and compare."""
    parser = compare.arguments(__doc__, VALUES)
    parser.add_argument("--counts", type=int, default=0)
    parser.add_argument("--scenes", action="store_true", help="positions from the middle of a match")
    args = parser.parse_args()
    args.module, args.begin, position, args.choice = game_of(args)
    rng, report = random.Random(args.seed), Report(args)
    fixed = dict(map(compare.parse_option, args.fixed))

    def case():
        return position(rng), random_options(args.game, rng, args.options, fixed)

    for start in range(0, args.positions, 200):
        report.compare_positions([case() for _ in range(min(200, args.positions - start))], rng)
    for _ in range(args.counts):
        report.compare_counts(*case())
    for _ in range(args.games):
        text, opts = case()
        if args.module is volleyball and args.options == "mixed" and not args.anywhere:
            opts = {**{key: rng.choice(values) for key, values in MATCH_VALUES.items() if rng.random() < 0.5}, **opts}
        report.compare_game(opts, rng, text if args.anywhere else None)
    print(args.game, args.options, fixed, dict(report.seen))
    return 1 if report.seen["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
