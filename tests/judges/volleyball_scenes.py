"""Random moments of Chess Volleyball, written as the program writes positions, and random choices of a turn."""

import collections

import compare
import volleyball
from match import BALL, BLACK, NAMES, WHITE, name, other, owner, written


def array(rng, size):
    """Men anywhere in their halves, a bishop of each on each colour; sometimes few, or in the middle, or at the net."""
    board = {}
    for letters, ranks in (("MBBRRQNNVV", range(size // 2)), ("mbbrrqnnvv", range(size // 2, size))):
        letters += ("J" if letters[0] == "M" else "j") if size == 10 else ""
        half = [(file, rank) for file in range(size) for rank in ranks]
        middle = [cell for cell in half if abs(2 * cell[0] - size + 1) == 1]
        net = [cell for cell in half if abs(2 * cell[1] - size + 1) <= 3]
        crowd, liked, keen = rng.choice((("", [], 0), (letters, middle, 1), ("MmNnVv", net, 0.7)))
        for n, letter in enumerate(letters[:3] + "".join(rng.sample(letters[3:], rng.choice((0, 1, 3, 5, 7, 7))))):
            cells = [cell for cell in half if letter not in "Bb" or sum(cell) % 2 == n - 1]
            better = [cell for cell in cells if letter in crowd and cell in liked and cell not in board]
            compare.place(board, rng, letter, better if better and rng.random() < keen else cells)
    return board


def told_as_text(told):
    """State as a position writes it; what is false or 0 is left out."""
    return "".join(f" {key}={compare.shown(value)}" for key, value in told.items() if value)


def time(rng):
    """Some set, some score, some minute; often the last one is near, and with a level score it may be over."""
    number, points = rng.choice((1, 2, 3)), (rng.randint(0, 3), rng.randint(0, 3))
    last = (8 if number == 3 else 12) - (points[0] != points[1])
    won = {1: (0, 0), 2: rng.choice(((0, 1), (1, 0))), 3: (1, 1)}[number]
    told = {"set": number if number > 1 else 0, "minute": rng.choice((last, last - 1, rng.randint(0, last)))}
    for key, values in (("points", points), ("sets", won)):
        told.update({f"{key}[White]": values[0], f"{key}[Black]": values[1]})
    return told_as_text(told)


def start(rng, size):
    """White serves first, and the men stand anywhere."""
    return written(array(rng, size), WHITE, size, size) + time(rng)


def scene(rng, size):
    """Any moment of a match: a serve, a return, a penalty, or the mating stage, with marks on the men."""
    board, side = array(rng, size), rng.choice((WHITE, BLACK))
    phase = rng.choice(("serve", "serve", "rally", "rally", "penalty", "penalty", "mating", "mating", "removal"))
    if phase == "mating":
        return mating_scene(board, side, rng, size)
    if phase == "removal":
        return removal_scene(rng, size)
    mine = [cell for cell, letter in board.items() if owner(letter) == side]
    server = side if phase == "serve" else rng.choice((WHITE, BLACK))
    spot = rng.random() < 0.5 if phase == "serve" else phase == "penalty" and server == side
    told = {"phase": phase, "server": NAMES[server], "serve_no": rng.choice((1, 2)), "spot": spot,
            "has_served[White]": rng.random() < 0.7, "has_served[Black]": rng.random() < 0.7,
            "receiver": NAMES[side], "loser": NAMES[side], "arranged[White]": True, "arranged[Black]": True}
    if phase != "serve" or spot:
        half = range(size // 2) if side == WHITE else range(size // 2, size)
        compare.place(board, rng, BALL, [(file, rank) for file in range(size) for rank in half])
    if phase == "rally":
        theirs = [cell for cell, letter in board.items() if owner(letter) == other(side)]
        told.update({"shot": rng.choice(list(volleyball.STROKES)), name(rng.choice(theirs)) + ".threw": True})
    if told["serve_no"] == 2:
        for cell in rng.sample(mine, rng.choice((1, 1, 1, min(3, len(mine))))):
            told[name(cell) + ".served"] = server == side
    for who in (WHITE, BLACK):
        men = [cell for cell, letter in board.items() if owner(letter) == who]
        for mark in ("threw_last", "threw_second", "threw_third")[:rng.randint(0, 3)]:
            told[f"{name(rng.choice(men))}.{mark}"] = True
        if rng.random() < 0.3 and len(men) > 2:
            told.update(benched(board, rng.sample(men, rng.choice((1, 1, 2))), NAMES[who], rng, told))
    return written(board, side, size, size) + time(rng) + told_as_text(told)


def benched(board, men, side, rng, told):
    """Takes unmarked men off the board and tells of them on the bench."""
    men = [cell for cell in men if not any(key.startswith(name(cell) + ".") for key in told)]
    found = {f"bench[{side}]": "".join(board.pop(cell) for cell in men)}
    found.update({f"bench[{side}][{place}].rest": rng.choice((1, 1, 2, 3, 6)) for place in range(1, len(men) + 1)})
    return found


def removal_scene(rng, size):
    """A server with three men who may have to take one off; chance finds few such positions, so it tries often."""
    for _ in range(100):
        board = {}
        for letters, ranks in (("M" + "".join(rng.choices("BRQNV", k=2)), range(size // 2)),
                               ("mbrqnv", range(size // 2, size))):
            for letter in letters:
                compare.place(board, rng, letter, [(file, rank) for file in range(size) for rank in ranks])
        compare.place(board, rng, BALL, [(file, rank) for file in range(size) for rank in range(size // 2)])
        told = {"spot": True, "has_served[White]": True, "arranged[White]": True, "arranged[Black]": True}
        text = written(board, WHITE, size, size) + told_as_text(told)
        if any(action[0] == "remove" for turn in volleyball.Match({}, text, size).turns() for action in turn):
            break
    return text


def mating_scene(board, side, rng, size):
    """A king without his side, somewhere among men who hunt him and men who stand still."""
    loser = rng.choice((WHITE, BLACK))
    cells = [(file, rank) for file in range(size) for rank in range(size)]
    letters = [letter for letter in board.values() if letter != ("M" if loser == WHITE else "m")]
    board = {}
    for letter in ["K" if loser == WHITE else "k"] + letters:
        edge = [cell for cell in cells if letter in "Kk" and (cell[0] in (0, size - 1) or cell[1] in (0, size - 1))]
        compare.place(board, rng, letter, edge if edge and rng.random() < 0.6 else cells)
    hunters = [cell for cell, letter in board.items() if owner(letter) != loser]
    hunters = rng.sample(hunters, min(len(hunters), rng.choice((1, 2, 3, 3))))
    told = {"phase": "mating", "set": 4, f"sets[{NAMES[other(loser)]}]": 2, f"sets[{NAMES[loser]}]": 1,
            "loser": NAMES[loser], "stage": "entered", "mover": NAMES[side],
            "first_mover": NAMES[rng.choice((WHITE, BLACK))], "pairs": rng.randint(0, 11)}
    told.update({name(cell) + ".hunts": True for cell in hunters})
    return written(board, side, size, size) + told_as_text(told)


def choice(match, turns, rng):
    """A random turn, every first action of its own weight; often one into a catching block, if there is one."""
    caught = [turn for turn in turns if turn[-1][0] == "hit" and turn[-1][3] in match.board and len(turn) < 4
              and match.court.half(turn[-1][3]) != match.side]
    groups = collections.defaultdict(list)
    for turn in caught if caught and rng.random() < 0.7 else turns:
        groups[turn[0]].append(turn)
    return rng.choice(rng.choice(list(groups.values()))) if turns else None
