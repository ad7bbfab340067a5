"""An independent judge of Shakhbol: a small move generator written from the rule text alone.

Readings (the numbers are those of the notes on the game):
S1  if a man of the side to move can kick, the turn is a kick (option kick_duty = may: it need not be).
S2  the keeper slides any distance along his rank (option keeper_walk = steps: one cell).
S4  no kick over the own goal line (option own_goals: the other side scores, and the duty holds for it too).
S5  the cell that the kicker has left is empty for the ball.
S6  the kicker stands next to the ball; S7 the ball moves at least one cell, or there is no kick.
S8  defenders kick along the two forward diagonals, attackers (S12) along rank and file in all four ways.
S10 after a goal everything stands as in the beginning, with the conceding side to move; its ball is c4 or c5.
    A man found on a goal line against the rules walks and kicks like any other, but nobody goes onto a goal line.
"""

from match import (ALL_WAYS, BALL, BLACK, DIAGONAL, ORTHOGONAL, WHITE, ball_of, forward, other, owner, ray, read,
                   shifted)

FILES, RANKS = 5, 8
START = "2g2/1ddd1/1aaa1/5/2o2/1AAA1/1DDD1/2G2 w"
START_BLACK = "2g2/1ddd1/1aaa1/2o2/5/1AAA1/1DDD1/2G2 b"
DEFAULTS = {"goals_to_win": 1, "halves": 0, "half_length": 45, "golden_goal": False, "kick_duty": "must",
            "keeper_walk": "slides", "own_goals": False, "restart": "conceder", "draw_rule": "repetition",
            "goalless_limit": 100}
GOAL_LINE = {WHITE: 0, BLACK: 7}


def opening(side, opts=None):
    """The array when `side` begins."""
    return read(START if side == WHITE else START_BLACK, RANKS)[0]


def restart(conceder, opts):
    """The array after a goal, and who moves."""
    side = conceder if opts["restart"] == "conceder" else WHITE
    return opening(side), side


def on_board(cell):
    """Is this a cell?"""
    return 0 <= cell[0] < FILES and 0 <= cell[1] < RANKS


def empty(board, cell):
    """A cell of the board with nothing on it."""
    return on_board(cell) and cell not in board


def in_field(cell):
    """Not on a goal line."""
    return 0 < cell[1] < RANKS - 1


def keeper_walks(board, cell, opts):
    """Where a keeper goes."""
    most = 1 if opts["keeper_walk"] == "steps" else 99
    return [to for way in ((1, 0), (-1, 0)) for to in ray(cell, way, lambda c: empty(board, c), most)]


def walks(board, cell, letter, opts):
    """Where a man goes without a kick."""
    if letter in "Gg":
        return keeper_walks(board, cell, opts)
    return [to for way in ALL_WAYS for to in ray(cell, way, lambda c: empty(board, c)) if in_field(to)]


def kick_ways(letter):
    """The directions in which a man kicks."""
    if letter in "Aa":
        return ORTHOGONAL
    if letter in "Dd":
        return [way for way in DIAGONAL if way[1] == forward(owner(letter))]
    return []


def kicks(board, cell, letter, opts):
    """The kicks of a man, as moves."""
    ball = ball_of(board)
    if ball is None or max(abs(ball[0] - cell[0]), abs(ball[1] - cell[1])) != 1:
        return []
    side = owner(letter)
    free = lambda c: empty(board, c) or c == cell
    targets = [to for way in kick_ways(letter) for to in ray(ball, way, free)]
    return [(cell, ball, to) for to in targets if opts["own_goals"] or to[1] != GOAL_LINE[side]]


def moves(board, side, opts):
    """The moves of a side."""
    men = [(cell, letter) for cell, letter in board.items() if owner(letter) == side]
    struck = [move for cell, letter in men for move in kicks(board, cell, letter, opts)]
    if struck and opts["kick_duty"] == "must":
        return struck
    return struck + [(cell, to) for cell, letter in men for to in walks(board, cell, letter, opts)]


def play(board, side, move, opts):
    """The board after a move, and who has scored."""
    board = dict(board)
    man = board.pop(move[0])
    if len(move) == 2:
        board[move[1]] = man
        return board, None
    board[move[1]] = man
    board[move[2]] = BALL
    losers = [defender for defender, rank in GOAL_LINE.items() if move[2][1] == rank]
    return board, other(losers[0]) if losers else None
