"""An independent judge of Gravitatur Chess: turns, ends and counts, written from the rule text alone.

A board is a dict from cells (file, rank), both from 0, to letters, as in match.py.  A turn is a tuple of actions:

    ("place", cell)                the Gravitatur
    ("move", from, to, letter)     an ordinary move; letter is what a pawn becomes, or ""
    ("swap", from, to)             a teleport of the king

Readings (the numbers are those of the notes on the game):
G1  the Gravitatur acts along rank, file and diagonal (option lines).
G2  the first man on each line comes next to it, whoever owns it; those behind him stay.
G3  placing is a duty when it is possible and the turn can be completed (option gravity = may).
G4  if no placement can be completed, an ordinary move or a teleport is made (option no_placement = stalemate).
G6  own check and neighbouring kings are judged after the pull; G7 a check given by the pull ends the turn.
G10 a pawn has its double step on its first rank (option double_step: an unmoved pawn only, or never).
G15 both use it, each on his own turn (option sharing = alternately: only when the other has used it since).
"""

import collections

from match import (ALL_WAYS, BLACK, DIAGONAL, NAMES, ORTHOGONAL, WHITE, forward, name, other, owner, read, shifted,
                   written)

FILES = RANKS = 8
START = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"
DEFAULTS = {"lines": "all", "gravity": "must", "no_placement": "plain", "double_step": "first_rank",
            "sharing": "every_turn", "dead_positions": True, "threefold": True, "fifty": True,
            "pulled_pawns": False}
LINES = {"all": ALL_WAYS, "orthogonal": ORTHOGONAL, "diagonal": DIAGONAL}
KNIGHTLY = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
RIDES = {"Q": ALL_WAYS, "R": ORTHOGONAL, "B": DIAGONAL}
LEAPS = {"K": ALL_WAYS, "N": KNIGHTLY}
CELLS = [(file, rank) for rank in range(RANKS) for file in range(FILES)]
ON_BOARD = frozenset(CELLS)
FIRST = {WHITE: 1, BLACK: 6}
LAST = {WHITE: 7, BLACK: 0}


# -- attacks and pulls

def king_of(board, side):
    """The cell of the king, or None."""
    king = "K" if side == WHITE else "k"
    return next((cell for cell, letter in board.items() if letter == king), None)


def first_man(board, cell, way):
    """The first man in a line from a cell, or None."""
    cell = shifted(cell, way)
    while cell in ON_BOARD:
        if cell in board:
            return cell
        cell = shifted(cell, way)
    return None


def attacked(board, cell, by):
    """Does a man of `by` attack the cell?"""
    mine = (lambda c: board[c].upper() if c in board and owner(board[c]) == by else "")
    if any(mine(shifted(cell, way)) == kind for kind, ways in LEAPS.items() for way in ways):
        return True
    if any(mine((cell[0] + side, cell[1] - forward(by))) == "P" for side in (-1, 1)):
        return True
    for way in ALL_WAYS:
        man = first_man(board, cell, way)
        if man and way in RIDES.get(mine(man), ()):
            return True
    return False


def in_check(board, side):
    """Is the king of a side attacked? Kings attack each other too, and that keeps them apart."""
    king = king_of(board, side)
    return king is not None and attacked(board, king, other(side))


def pull(board, cell, opts):
    """The board after the Gravitatur has been on an empty cell, and the men that came nearer."""
    after, pulled = dict(board), []
    for way in LINES[opts["lines"]]:
        man, beside = first_man(board, cell, way), shifted(cell, way)
        if man and man != beside:
            after[beside] = after.pop(man)
            pulled.append((man, beside))
    return after, pulled


# -- moves

def goals(board, cell, opts, moved=()):
    """Where the man on a cell may go, own king or not."""
    letter = board[cell]
    side, kind = owner(letter), letter.upper()
    if kind == "P":
        ahead = shifted(cell, (0, forward(side)))
        if ahead not in ON_BOARD or ahead in board:
            return
        yield ahead
        double = shifted(ahead, (0, forward(side)))
        fresh = opts["double_step"] == "first_rank" or opts["double_step"] == "unmoved" and cell not in moved
        if cell[1] == FIRST[side] and fresh and double not in board:
            yield double
        return
    for way in LEAPS.get(kind, ()):
        to = shifted(cell, way)
        if to in ON_BOARD and (to not in board or kind == "K" and owner(board[to]) == other(side)):
            yield to
    for way in RIDES.get(kind, ()):
        to = shifted(cell, way)
        while to in ON_BOARD and to not in board:
            yield to
            to = shifted(to, way)


def do(board, action, opts):
    """The board after an action."""
    if action[0] == "place":
        return pull(board, action[1], opts)[0]
    after = dict(board)
    man = after.pop(action[1])
    if action[0] == "swap":
        after[action[1]], after[action[2]] = board[action[2]], man
    else:
        after[action[2]] = action[3] or man
    return after


def ordinary(board, side, opts, moved, checked):
    """The moves and teleports after which the own king is safe."""
    found = []
    for cell, letter in board.items():
        if owner(letter) != side:
            continue
        for to in goals(board, cell, opts, moved):
            becomes = [""]
            if letter in "Pp" and to[1] == LAST[side]:
                becomes = list("QRBN" if side == WHITE else "qrbn")
            found += [("move", cell, to, new) for new in becomes]
    king = king_of(board, side)
    if king and not checked:
        found += [("swap", king, cell) for cell, letter in board.items()
                  if owner(letter) == side and letter.upper() in "QRBN" and not attacked(board, cell, other(side))]
    return [action for action in found
            if board.get(action[2], "").upper() != "K" and not in_check(do(board, action, opts), side)]


def placements(board, side, opts, moved):
    """The turns that begin with the Gravitatur."""
    turns = []
    for cell in CELLS:
        if cell in board:
            continue
        after, pulled = pull(board, cell, opts)
        if in_check(after, side):
            continue
        place = ("place", cell)
        if in_check(after, other(side)):
            turns.append((place,))
        else:
            turns += [(place, action) for action in ordinary(after, side, opts, follow(moved, pulled), False)]
    return turns


def turns_of(board, side, opts, moved=frozenset(), holder=None):
    """All complete turns of a side."""
    plain = [(action,) for action in ordinary(board, side, opts, moved, in_check(board, side))]
    if in_check(board, side) or opts["sharing"] == "alternately" and holder not in (None, side):
        return plain
    placed = placements(board, side, opts, moved)
    if opts["gravity"] == "may":
        return placed + plain
    return placed or ([] if opts["no_placement"] == "stalemate" else plain)


def follow(moved, pulled):
    """The cells of men that have been moved, after some have gone from a cell to another at once."""
    left = moved - {man for man, _ in pulled}
    return left | {beside for _, beside in pulled}


# -- writing

def spelled(action):
    """An action as the program writes it, without the signs between its cells and without the usual queen."""
    if action[0] == "place":
        return "G*" + name(action[1])
    becomes = action[3].upper() if action[0] == "move" else ""
    return name(action[1]) + name(action[2]) + ("=" + becomes if becomes not in ("", "Q") else "")


def heard(action, place):
    """An action of the program as `spelled` has it."""
    return action


# -- games

class Match:
    """A game from a given position on, and how it ends; the same front as Match of match.py."""

    def __init__(self, opts=None, text=None):
        self.opts = {**DEFAULTS, **(opts or {})}
        self.board, self.side = read(text or START, RANKS)
        self.moved, self.holder, self.quiet, self.result = frozenset(), WHITE, 0, None
        self.seen = collections.Counter([self.identity()])
        self._ends()

    def copy(self):
        """A game that can be played on without touching this one."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.seen = self.seen.copy()
        return twin

    def text(self):
        """The position as the program writes it, state left out."""
        return written(self.board, self.side, FILES, RANKS)

    def agrees(self, place):
        """Does a position of the program tell the same board and side?"""
        return " ".join(place.split()[:2]) == self.text()

    def identity(self):
        """What makes two positions the same."""
        more = ()
        if self.opts["double_step"] == "unmoved":
            more += tuple(sorted(cell for cell in self.moved for pawn, side in (("P", WHITE), ("p", BLACK))
                                 if self.board.get(cell) == pawn and cell[1] == FIRST[side]))
        return (self.text(), self.holder if self.opts["sharing"] == "alternately" else None, more)

    def turns(self):
        """The complete turns as `moves` gives them when the game is not over."""
        return turns_of(self.board, self.side, self.opts, self.moved, self.holder)

    def moves(self):
        """The turns of the side to move; none when the game is over."""
        return [] if self.result else self.turns()

    def play(self, turn):
        """Make a turn and see whether the game is over."""
        mover, progress = self.side, False
        for action in turn:
            if action[0] == "place":
                self.board, pulled = pull(self.board, action[1], self.opts)
                self.moved = follow(self.moved, pulled)
                self.holder = other(mover)
                progress |= self.opts["pulled_pawns"] and any(self.board[to] in "Pp" for _, to in pulled)
                continue
            progress |= self.board[action[1]] in "Pp" or action[0] == "move" and action[2] in self.board
            both = [(action[1], action[2])] + ([(action[2], action[1])] if action[0] == "swap" else [])
            self.board = do(self.board, action, self.opts)
            self.moved = follow(self.moved, both)
        self.quiet = 0 if progress else self.quiet + 1
        self.side = other(mover)
        self.seen[self.identity()] += 1
        self._ends()

    def _ends(self):
        """Mate and stalemate come first, then the draws of the laws of chess."""
        men = sorted(letter for letter in self.board.values() if letter not in "Kk")
        if not self.turns():
            self.result = NAMES[other(self.side)] + " wins" if in_check(self.board, self.side) else "draw"
        elif self.opts["dead_positions"] and (not men or len(men) == 1 and men[0] in "NnBb"):
            self.result = "draw"
        elif self.seen[self.identity()] >= (3 if self.opts["threefold"] else 5):
            self.result = "draw"
        elif self.quiet >= (100 if self.opts["fifty"] else 150):
            self.result = "draw"
