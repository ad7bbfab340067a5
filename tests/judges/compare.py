"""Compares the judges with the program: moves of random positions, counts of two turns, games played to the end.

    compare.py GAME RULES [--positions N [--counts]] [--games N [--longest N] [--anywhere] [--match]] [--odd]
               [--options default|single|mixed] [-o name=value ...] [--seed S] [--arbiter PROGRAM]

Positions have men on cells where they may be; --odd puts them anywhere.  Games are driven through `arbiter play`: after
every move the position, the goals, the half and the list of moves are compared, and at the end the result.
Every difference is printed with its position and options; the last line says how much was compared.
"""

import argparse
import collections
import importlib
import random
import re
import subprocess
import sys
import tempfile

from match import ALL_WAYS, BALL, BLACK, Match, NAMES, WHITE, ball_of, count, other, shifted, spelled, written

VALUES = {
    "shakhbol": {"kick_duty": ["must", "may"], "keeper_walk": ["slides", "steps"], "own_goals": [False, True]},
    "football": {"zone_width": ["c_to_f", "b_to_g"], "ball_runs": ["freely", "to_obstacle"],
                 "attackers_in": [False, True], "through_zone": [True, False], "walk_in_zone": [False, True],
                 "keepers_roam": [False, True], "pawn_double": [False, True], "pawn_promotes": [False, True],
                 "pawn_strikes": ["both", "straight", "diagonal"]}}
MATCH_VALUES = {
    "shakhbol": {"goals_to_win": [0, 1, 2, 3], "halves": [0, 1, 2], "half_length": [1, 2, 3, 5, 10, 45],
                 "golden_goal": [False, True], "restart": ["conceder", "white"],
                 "draw_rule": ["repetition", "goalless", "never"], "goalless_limit": [10, 11, 20]},
    "football": {"goals_to_win": [0, 1, 2, 3], "halves": [0, 1, 2], "half_length": [1, 2, 3, 5, 10, 45],
                 "golden_goal": [False, True], "second_half": ["as_first", "turned"]}}

POSITION = r"^[A-Za-z0-9/*]*/[A-Za-z0-9/*]* [wb]\b"


# -- positions

def place(board, rng, letter, cells):
    """Put a man on a random free cell."""
    free = [cell for cell in cells if cell not in board]
    if free:
        board[rng.choice(free)] = letter


def place_ball(board, rng, cells):
    """Put the ball somewhere, often next to a man."""
    free = [cell for cell in cells if cell not in board]
    near = [cell for cell in free if any(board.get(shifted(cell, way)) for way in ALL_WAYS)]
    board[rng.choice(near if near and rng.random() < 0.7 else free)] = BALL


def shakhbol_position(rng, odd, opts):
    """A random position of Shakhbol; an odd one has men where they cannot be."""
    board = {}
    cells = [(file, rank) for file in range(5) for rank in range(8)]
    field = cells if odd else [cell for cell in cells if 0 < cell[1] < 7]
    for letter, rank in (("G", 0), ("g", 7)):
        if not odd or rng.random() < 0.8:
            place(board, rng, letter, [cell for cell in cells if cell[1] == rank])
    for letter in "AADADD"[:rng.randint(1, 6)] + "aadadd"[:rng.randint(0, 6)]:
        place(board, rng, letter, field)
    place_ball(board, rng, [cell for cell in cells if 0 < cell[1] < 7])
    return board


def football_position(rng, odd, opts):
    """A random position of Chess Football; an odd one has men and posts where they cannot be."""
    import football
    cells = [(file, rank) for file in range(8) for rank in range(8)]
    boxes = {side: football.box(side, opts) for side in (WHITE, BLACK)}
    mouths = football.mouth(WHITE) | football.mouth(BLACK)
    board = {(1, 0): "R", (6, 0): "R", (1, 7): "r", (6, 7): "r"}
    if odd and rng.random() < 0.5:
        board = {}
        for letter in "RRrr"[rng.randint(0, 3):]:
            place(board, rng, letter, cells)
    scene = rng.random()
    if scene < 0.05:
        corner(board, rng)
    for letter, side in (("K", WHITE), ("k", BLACK)):
        if letter in board.values():
            continue
        field = [cell for cell in cells if odd or opts["keepers_roam"] or cell not in boxes[other(side)]]
        home = rng.random() < 0.5
        goal = boxes[side if rng.random() < 0.7 else other(side)]
        place(board, rng, letter, [cell for cell in field if cell in goal] if home else field)
    if 0.05 < scene < 0.2:
        siege(board, rng, {side: mouths if odd else mouths | boxes[other(side)] for side in (WHITE, BLACK)})
    for letters, side in (("QNBPPQNB", WHITE), ("qnbppqnb", BLACK)) if scene > 0.2 else ():
        far = mouths if opts["attackers_in"] else mouths | boxes[other(side)]
        field = [cell for cell in cells if odd or cell not in far]
        if rng.random() < 0.3:
            field = [cell for cell in field if cell[1] in ((0, 1, 2) if rng.random() < 0.5 else (5, 6, 7))] or field
        for letter in letters[:rng.choice((0, 3, 5, 5, 5, 5, 8))]:
            own = [cell for cell in field if letter not in "Pp" or odd or cell[1] != (0 if side == WHITE else 7)]
            starts = [cell for cell in own if letter in "Pp" and cell[1] == (2 if side == WHITE else 5)]
            place(board, rng, letter, starts if starts and rng.random() < 0.3 else own)
        if rng.random() < 0.25:
            wall(board, rng, letters, field)
    pick = rng.random()
    everywhere = list(mouths) if pick < 0.25 else cells
    if 0.25 <= pick < 0.4:
        everywhere = [cell for side in boxes for cell in boxes[side] if cell not in mouths]
    if all(cell in board for cell in everywhere):
        everywhere = cells
    if BALL not in board.values():
        place_ball(board, rng, everywhere)
    return board


def corner(board, rng):
    """A side with next to no moves: the king shut in beside his post, pawns against other men."""
    side = rng.choice((WHITE, BLACK))
    king, pawn, men = ("K", "P", "qnbp") if side == WHITE else ("k", "p", "QNBP")
    rank, up = (0, 1) if side == WHITE else (7, -1)
    file = rng.choice((0, 7))
    for cell, letters in (((file, rank), king), ((file, rank + up), men + pawn), ((abs(file - 1), rank + up), men)):
        if rng.random() < 0.95:
            board.setdefault(cell, rng.choice(letters))
    for _ in range(rng.randint(0, 2)):
        cell = (rng.randint(2, 5), rng.randint(2, 4))
        ahead = (cell[0], cell[1] + up)
        if cell not in board and ahead not in board:
            board[cell], board[ahead] = pawn, rng.choice(men[1:] + "o" if BALL not in board.values() else men[1:])


def siege(board, rng, far):
    """Men crowded about a goal, so that the way of its keeper is long or blocked."""
    ranks = rng.choice(((0, 1, 2, 3), (4, 5, 6, 7)))
    for letter in rng.sample("QNBPPqnbppNBnbQq", rng.randint(4, 14)):
        place(board, rng, letter, [(file, rank) for file in range(8) for rank in ranks
                                   if (file, rank) not in far[WHITE if letter.isupper() else BLACK]])


def wall(board, rng, letters, field):
    """Three men in a row, if there is room."""
    file, rank = rng.randint(0, 5), rng.randint(0, 7)
    row = [(file + n, rank) for n in range(3)]
    if all(cell in field and cell not in board for cell in row):
        for cell in row:
            board[cell] = rng.choice([letter for letter in letters if letter not in "Pp"])


def broken_wall(board):
    """Do four men of one colour stand side by side already?"""
    import football
    for side in (WHITE, BLACK):
        for rank in range(8):
            row = "".join(board.get((file, rank), ".") for file in range(8))
            if re.search("[KQNBPR]{4}" if side == WHITE else "[kqnbpr]{4}", row):
                return True
    return False


# -- options

def random_options(game, rng, kind, fixed):
    """Options for one comparison."""
    values = VALUES[game]
    opts = {}
    if kind == "single":
        key = rng.choice(list(values))
        opts[key] = rng.choice(values[key][1:])
    elif kind == "mixed":
        opts = {key: rng.choice(values[key]) for key in values}
    opts.update(fixed)
    return opts


def shown(value):
    """The value of an option as the program spells it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def flags(opts):
    """Options as the program takes them."""
    return [word for key, value in opts.items() for word in ("-o", f"{key}={shown(value)}")]


def parse_option(text):
    """`name=value` as a pair."""
    key, value = text.split("=")
    if value in ("true", "false"):
        return key, value == "true"
    return key, int(value) if value.isdigit() else value


# -- the program

def ask(args, command, *more):
    """What the program prints."""
    run = subprocess.run([args.arbiter, command, args.rules, *more], capture_output=True, text=True)
    if "error[" in run.stderr:
        sys.exit(run.stderr)
    return run.stdout, run.stderr


def plain(move):
    """A move with its cells written together; the one promotion there is needs no name."""
    return move.replace("-", "").replace(">", "").replace("=Q", "")


def program_moves(args, text, opts):
    """The moves of a position as the program lists them."""
    out, err = ask(args, "moves", "--uci", "--position", text, *flags(opts))
    return sorted(map(plain, out.split())), err


def program_counts(args, text, opts):
    """How many answers each move has."""
    out, err = ask(args, "perft", "2", "--divide", "--position", text, *flags(opts))
    found = {}
    for line in out.splitlines():
        words = line.split()
        if len(words) == 2 and not words[0].isdigit():
            found[plain(words[0])] = int(words[1])
    return found, err


def agrees(text, match):
    """Are board, side, goals, and with a time the half and its moves, what the program says?"""
    fields = dict(re.findall(r"(\S+)=(\S+)", text))
    kept = {f"goals[{name}]": match.goals[side] for side, name in NAMES.items()}
    if match.opts["halves"]:
        kept["half"] = match.half - 1
        kept.update({f"made[{name}]": match.made[side] for side, name in NAMES.items()})
        fields["half"] = int(fields.get("half", 1)) - 1
    same = all(int(fields.get(key, 0)) == value for key, value in kept.items())
    return same and " ".join(text.split()[:2]) == match.text()


def batch_moves(args, cases):
    """The moves of many positions with their options, from one process: it loads a game that begins in each."""
    with tempfile.TemporaryDirectory() as where:
        lines = []
        for index, (text, opts) in enumerate(cases):
            path = f"{where}/{index}.game"
            with open(path, "w") as file:
                chosen = "".join(f"option   {key} = {shown(value)}\n" for key, value in opts.items())
                file.write(f"ruleset  {args.rules}\n{chosen}start    {text}\n\nresult   unfinished\n")
            lines += ["load " + path, "position", "moves"]
        sides = ["--player", "White=person", "--player", "Black=person"]
        run = subprocess.run([args.arbiter, "play", args.rules, *sides], input="\n".join(lines + ["quit", ""]),
                             capture_output=True, text=True)
    found = []
    for line in run.stdout.splitlines():
        if re.match(POSITION, line):
            found.append((line.strip(), []))
        elif re.match(r"^\s+\d+  \S", line) and found:
            found[-1][1].extend(map(plain, re.findall(r"\d+  (\S+)", line)))
    if len(found) != len(cases):
        sys.exit(f"{len(found)} answers to {len(cases)} positions\n{run.stderr}")
    return found


class Table:
    """A game at the program's `play`, both sides driven from here."""

    def __init__(self, args, opts, text):
        sides = ["--player", "White=person", "--player", "Black=person", "--max-turns", "100000"]
        begin = ["--position", text] if text else []
        self.run = subprocess.Popen([args.arbiter, "play", args.rules, *sides, *flags(opts), *begin], text=True,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=1)

    def say(self, *lines):
        """Give commands."""
        try:
            self.run.stdin.write("\n".join(lines) + "\n")
            self.run.stdin.flush()
        except BrokenPipeError:
            pass

    def look(self):
        """The position and the moves on turn as the program spells them, or the last lines when the game is over."""
        self.say("position", "moves", "?")
        text, moves, tail = None, [], []
        for line in self.run.stdout:
            tail.append(line.rstrip())
            if re.match(POSITION, line):
                text = line.strip()
            elif re.match(r"^\s+\d+  \S", line) and text:
                moves += re.findall(r"\d+  (\S+)", line)
            elif line.startswith("  quit"):
                return text, {plain(move): move for move in moves}, []
        return None, {}, tail

    def close(self):
        """Leave the game."""
        self.say("quit")
        try:
            self.run.stdin.close()
        except BrokenPipeError:
            pass
        self.run.stdout.close()
        self.run.wait()


# -- comparing

class Report:
    """What was compared and what differed."""

    def __init__(self, args):
        self.args, self.seen, self.shown = args, collections.Counter(), 0

    def differ(self, kind, opts, text, ours, theirs, note=""):
        """One difference."""
        self.seen["differences"] += 1
        if self.shown < self.args.show:
            self.shown += 1
            mine, yours = set(ours), set(theirs)
            print(f"{kind}: {text}  {opts} {note}\n   judge only   {sorted(mine - yours)}"
                  f"\n   program only {sorted(yours - mine)}", flush=True)

    def compare_moves(self, cases):
        """The moves of many positions."""
        for (text, opts), (heard, theirs) in zip(cases, batch_moves(self.args, cases)):
            match = Match(self.args.module, opts, text)
            ours = list(map(spelled, match.moves()))
            self.seen["positions"] += 1
            self.seen["moves"] += len(theirs)
            self.seen["passes"] += theirs == ["pass"]
            self.seen["restarts"] += ball_of(match.board)[1] in (0, match.game.RANKS - 1)
            if sorted(ours) != sorted(theirs) or heard != text:
                self.differ("moves", opts, text, ours, theirs, "" if heard == text else heard)

    def compare_counts(self, text, opts):
        """The moves of one position and the number of answers to each."""
        match = Match(self.args.module, opts, text)
        ours = {}
        for move in match.moves():
            after = match.copy()
            after.play(move)
            ours[spelled(move)] = count(after, 1)
        theirs, err = program_counts(self.args, text, opts)
        ours = {move: n for move, n in ours.items() if n or move in theirs}
        self.seen["positions"] += 1
        self.seen["counted"] += sum(theirs.values())
        self.seen["moves"] += len(theirs)
        if ours != theirs:
            self.differ("counts", opts, text, ours.items(), theirs.items(), err)

    def compare_game(self, opts, rng, text=None):
        """A random game, kicks preferred; every list of moves and the result."""
        match, table = Match(self.args.module, opts, text), Table(self.args, opts, text)
        log = []
        for _ in range(self.args.longest):
            ours = sorted(set(map(spelled, match.moves())))
            text, listed, tail = table.look()
            theirs = sorted(listed)
            if match.result or text is None:
                self.end_of_game(opts, match, text, tail, log)
                break
            self.seen["plies"] += 1
            self.seen["moves"] += len(theirs)
            self.seen["passes"] += theirs == ["pass"]
            self.seen["restarts"] += ball_of(match.board)[1] in (0, match.game.RANKS - 1)
            if ours != theirs or not agrees(text, match):
                self.differ("game", opts, text + " | " + match.text(), ours, theirs,
                            " ".join(log[-6:]) + f" {match.goals} {match.made} {match.half}")
                break
            move = self.choice(match, rng)
            log.append(listed[spelled(move)])
            table.say(log[-1])
            match.play(move)
        table.close()
        self.seen["games"] += 1
        self.seen["goals"] += sum(match.goals.values())

    def end_of_game(self, opts, match, text, tail, log):
        """Do both say that it is over, and how?"""
        line = next((line for line in tail if re.match(r"(a draw|\w+ wins)\b", line)), "?")
        line = re.split(r",| \(", line)[0]
        self.seen["ended: " + line] += 1
        ours = match.result or "none"
        if text is not None or ours.lower() not in line.lower():
            self.differ("result", opts, text or match.text(), [ours], [line], " ".join(log[-6:]) + str(match.goals))

    def choice(self, match, rng):
        """A random move, a goal or a kick more often than not."""
        moves = sorted(match.moves())
        kicks = [move for move in moves if len(move) == 3]
        goals = [move for move in kicks if move[2][1] in (0, match.game.RANKS - 1)]
        pick = rng.random()
        return rng.choice(goals if goals and pick < 0.5 else kicks if kicks and pick < 0.8 else moves)


def arguments(doc, games):
    """The parser of what every comparison asks for."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("game", choices=sorted(games))
    parser.add_argument("rules")
    parser.add_argument("--arbiter", default="arbiter")
    parser.add_argument("--positions", type=int, default=0)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--longest", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--anywhere", action="store_true", help="games from random positions")
    parser.add_argument("--options", choices=["default", "single", "mixed"], default="default")
    parser.add_argument("--show", type=int, default=8)
    parser.add_argument("-o", dest="fixed", action="append", default=[])
    return parser


def main():
    """Read the command line and compare."""
    parser = arguments(__doc__, VALUES)
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--match", action="store_true", help="random options of the match as well")
    args = parser.parse_args()
    args.module = importlib.import_module(args.game)
    rng, report = random.Random(args.seed), Report(args)
    fixed = dict(map(parse_option, args.fixed))
    maker = {"shakhbol": shakhbol_position, "football": football_position}[args.game]
    cases = []
    while len(cases) < args.positions + (args.games if args.anywhere else 0):
        opts = random_options(args.game, rng, args.options, fixed)
        board = maker(rng, args.odd, {**args.module.DEFAULTS, **opts})
        if args.odd or args.game == "shakhbol" or not broken_wall(board):
            cases.append((written(board, rng.choice((WHITE, BLACK)), args.module.FILES, args.module.RANKS), opts))
    for start in range(0, args.positions, 500):
        if args.counts:
            for text, opts in cases[start:min(start + 500, args.positions)]:
                report.compare_counts(text, opts)
        else:
            report.compare_moves(cases[start:min(start + 500, args.positions)])
    for index in range(args.games):
        text, opts = cases[args.positions + index] if args.anywhere else (
            None, random_options(args.game, rng, args.options, fixed))
        if args.match:
            opts.update({key: rng.choice(values) for key, values in MATCH_VALUES[args.game].items()
                         if key not in fixed})
        report.compare_game(opts, rng, text)
    print(args.game, args.options, "odd" if args.odd else "", fixed, dict(report.seen))
    return 1 if report.seen["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
