"""What Shakhbol and Chess Football have in common: cells, boards as text, goals, halves and the end of a match.

A board is a dict from cells (file, rank), both from 0, to letters: upper case is White's, lower case is Black's,
`o` is the ball.  The module of a game offers

    FILES, RANKS              the size of the board
    DEFAULTS                  option name -> default value
    opening(side, opts)       the board when `side` begins
    moves(board, side, opts)  the list of moves, each a tuple of cells
    play(board, side, move, opts)   the new board and who has scored, if anybody
    restart(conceder, opts)   the board and the side to move after a goal, or None: play goes on

A move is (from, to), or (from, ball, target) for a kick, or () for a pass.
"""

import collections
import re

WHITE, BLACK, BALL = "w", "b", "o"
NAMES = {WHITE: "White", BLACK: "Black"}

ORTHOGONAL = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ALL_WAYS = ORTHOGONAL + DIAGONAL


def other(side):
    """The other side."""
    return BLACK if side == WHITE else WHITE


def forward(side):
    """The step of a rank towards the other side's goal."""
    return 1 if side == WHITE else -1


def owner(letter):
    """Whose man a letter is; the ball is nobody's."""
    if letter is None or letter == BALL:
        return None
    return WHITE if letter.isupper() else BLACK


def ball_of(board):
    """The cell of the ball, or None."""
    return next((cell for cell, letter in board.items() if letter == BALL), None)


def shifted(cell, way, times=1):
    """The cell `times` steps away; it may be off the board."""
    return (cell[0] + way[0] * times, cell[1] + way[1] * times)


def ray(cell, way, free, most=99):
    """The free cells in a line from a cell, nearest first."""
    cells = []
    while len(cells) < most:
        cell = shifted(cell, way)
        if not free(cell):
            break
        cells.append(cell)
    return cells


def name(cell):
    """`c4` for (2, 3)."""
    return "abcdefghij"[cell[0]] + str(cell[1] + 1)


def spelled(move):
    """A move as the program lists it with --uci."""
    return "".join(map(name, move)) if move else "pass"


def read(text, ranks):
    """The board and the side of `2g2/... w`."""
    rows, side = text.split()[:2]
    board = {}
    for down, row in enumerate(rows.split("/")):
        file = 0
        for letter in re.findall(r"\d+|\D", row):
            if letter.isdigit():
                file += int(letter)
            else:
                board[(file, ranks - 1 - down)] = letter
                file += 1
    return board, side


def written(board, side, files, ranks):
    """The text of a board and a side."""
    rows = []
    for rank in reversed(range(ranks)):
        row = ""
        for file in range(files):
            letter = board.get((file, rank))
            if letter:
                row += letter
            else:
                row += "."
        rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
    return "/".join(rows) + " " + side


class Match:
    """A match from a given position on: the goals, the halves, and how it ends."""

    def __init__(self, game, opts=None, text=None):
        self.game = game
        self.opts = {**game.DEFAULTS, **(opts or {})}
        self.board, self.side = read(text, game.RANKS) if text else (game.opening(WHITE, self.opts), WHITE)
        self.goals = {WHITE: 0, BLACK: 0}
        self.made = {WHITE: 0, BLACK: 0}
        self.since_goal = {WHITE: 0, BLACK: 0}
        self.half, self.beginner, self.result = 1, WHITE, None
        self.seen = collections.Counter([self.identity()])
        self._stuck()

    def copy(self):
        """A match that can be played on without touching this one."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        for field in ("goals", "made", "since_goal", "seen"):
            setattr(twin, field, getattr(self, field).copy())
        return twin

    def text(self):
        """The position as the program writes it, without the score."""
        return written(self.board, self.side, self.game.FILES, self.game.RANKS)

    def identity(self):
        """What makes two positions the same."""
        return (self.text(), self.goals[WHITE], self.goals[BLACK])

    def moves(self):
        """The moves of the side to move; none when the match is over."""
        return [] if self.result else self.game.moves(self.board, self.side, self.opts)

    def play(self, move):
        """Make a move, count it and see whether the match is over."""
        mover = self.side
        self.board, scorer = self.game.play(self.board, mover, move, self.opts)
        self.made[mover] += 1
        self.since_goal[mover] += 1
        self.side = other(mover)
        if scorer:
            self._score(scorer)
        if not self.result and self._timed() and min(self.made.values()) >= self.opts["half_length"]:
            self._whistle()
        self.seen[self.identity()] += 1
        if not self.result:
            self._draw_rule()
            self._stuck()

    def _timed(self):
        return self.opts["halves"] > 0

    def _score(self, scorer):
        self.goals[scorer] += 1
        self.since_goal = {WHITE: 0, BLACK: 0}
        golden = self._timed() and self.half > self.opts["halves"]
        if golden or self.goals[scorer] == self.opts["goals_to_win"]:
            self.result = NAMES[scorer] + " wins"
            return
        anew = self.game.restart(other(scorer), self.opts)
        if anew:
            self.board, self.side = anew

    def _whistle(self):
        """A half is over: the next one, the golden goal, or the end."""
        last = self.half >= self.opts["halves"]
        level = self.goals[WHITE] == self.goals[BLACK]
        extra = self.half > self.opts["halves"]
        if last and (extra or not level or not self.opts["golden_goal"]):
            self._as_it_stands()
            return
        self.half += 1
        self.beginner = other(self.beginner)
        self.made = {WHITE: 0, BLACK: 0}
        self.side = self.beginner
        self.board = self.game.opening(self.beginner, self.opts)

    def _stuck(self):
        """A side on turn without a move, which the game does not know, ends the match as it stands."""
        if not self.result and not self.moves():
            self._as_it_stands()

    def _as_it_stands(self):
        ahead = self.goals[WHITE] - self.goals[BLACK]
        self.result = "draw" if ahead == 0 else NAMES[WHITE if ahead > 0 else BLACK] + " wins"

    def _draw_rule(self):
        rule = self.opts.get("draw_rule", "never")
        if self._timed():
            return
        if rule == "repetition" and self.seen[self.identity()] >= 3:
            self.result = "draw"
        elif rule == "goalless" and min(self.since_goal.values()) >= self.opts["goalless_limit"]:
            self._as_it_stands()


def count(match, depth):
    """How many sequences of `depth` turns there are."""
    if depth == 0:
        return 1
    moves = match.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = match.copy()
        after.play(move)
        total += count(after, depth - 1)
    return total
