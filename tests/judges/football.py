"""An independent judge of Chess Football: a small move generator written from the rule text alone.

Readings (the numbers are those of the notes on the game):
F2  the keeper zone is c2-f2 / c7-f7; option zone_width = b_to_g: b2-g2 / b7-g7.
F4  the ball goes from one cell up to the obstacle (option ball_runs = to_obstacle: as far as it can); a king's goes
    four cells at most, a pawn's one; the way the kicker came does not matter.
F5  a pawn walks one cell straight ahead; it comes onto the ball straight or diagonally ahead, one cell (option
    pawn_strikes: straight or diagonal only).  Option pawn_double: also two cells straight ahead, with or without the
    ball at the end, from the cells on which the pawns of its side begin.  A pawn on the last rank stays there; option
    pawn_promotes: it is a queen from the moment it arrives.
F6  men, posts and keepers stop the ball; the cell that the kicker has left is empty for it.
F7  a goal is a ball that ends in a mouth, whoever kicked it.
F8  a man other than the keeper never enters a mouth; he enters his own zone by a kick of a ball that lies there and
    leaves zone and mouth; nobody enters the other side's zone (option attackers_in: by a kick of a ball that lies
    there, wherever it goes).  A man who stands in a zone stays as long as he likes, and when he moves he moves out
    (option walk_in_zone: his own side's zone also to another cell of it).  Men slide through zones and mouths (option
    through_zone = false: no cell passed belongs to one).
F9  after a move no four men of the mover's colour stand side by side on a rank; the posts are no men.
F10 while the ball lies in a mouth its keeper comes back by a shortest way for a king (occupied cells and cells he may
    not enter are closed to him) and kicks as soon as he is next to it, into his own mouth only if every kick goes
    there.  If he has no such step or kick, any lawful move will do.  The other side moves a man out of that goal's
    zone and mouth if it has one that can leave; if none can, its king goes from the mouth into the zone; otherwise it
    moves freely.
F12 the second half begins with the array, Black moving first (option second_half = turned: the ball on e5).
F15 a side without a move passes.
F17 no king enters the other side's zone or mouth (option keepers_roam: he may, unless a ball lies in that mouth, and
    kick a ball in that zone).
"""

from match import ALL_WAYS, BALL, BLACK, DIAGONAL, ORTHOGONAL, WHITE, ball_of, forward, other, owner, ray, read, shifted

FILES, RANKS = 8, 8
START = "1r1k2r1/8/1bp1qpn1/8/3o4/1NPQ1PB1/8/1R2K1R1 w"
START_TURNED = "1r1k2r1/8/1bp1qpn1/4o3/8/1NPQ1PB1/8/1R2K1R1 b"
DEFAULTS = {"goals_to_win": 0, "halves": 2, "half_length": 45, "golden_goal": False, "zone_width": "c_to_f",
            "ball_runs": "freely", "attackers_in": False, "through_zone": True, "walk_in_zone": False,
            "keepers_roam": False, "pawn_double": False, "pawn_promotes": False, "pawn_strikes": "both",
            "second_half": "as_first"}
HOME_RANK = {WHITE: 0, BLACK: 7}
PAWN_FILES = (2, 5)
LEAPS = [(x * a, y * b) for x in (1, -1) for y in (1, -1) for a, b in ((1, 2), (2, 1))]
LINES = {"Q": ALL_WAYS, "B": DIAGONAL}


def opening(side, opts):
    """The array for a side that begins."""
    turned = side == BLACK and opts["second_half"] == "turned"
    return read(START_TURNED if turned else START, RANKS)[0]


def restart(conceder, opts):
    """After a goal play goes on where it is."""
    return None


def on_board(cell):
    """Is this a cell?"""
    return 0 <= cell[0] < FILES and 0 <= cell[1] < RANKS


def mouth(side):
    """The cells of a side's goal."""
    return {(file, HOME_RANK[side]) for file in range(2, 6)}


def zone(side, opts):
    """The cells of a side's keeper zone, without the mouth."""
    files = range(2, 6) if opts["zone_width"] == "c_to_f" else range(1, 7)
    return {(file, HOME_RANK[side] + forward(side)) for file in files}


def box(side, opts):
    """Zone and mouth."""
    return zone(side, opts) | mouth(side)


def too_many(files):
    """Do more than three of these files lie side by side?"""
    return any({file, file + 1, file + 2, file + 3} <= files for file in range(FILES - 3))


class Position:
    """A board seen by the side to move."""

    def __init__(self, board, side, opts):
        self.board, self.side, self.opts = board, side, opts
        self.ball = ball_of(board)
        self.zones = {s: zone(s, opts) for s in (WHITE, BLACK)}
        self.mouths = {s: mouth(s) for s in (WHITE, BLACK)}
        self.boxes = {s: self.zones[s] | self.mouths[s] for s in (WHITE, BLACK)}
        self.men = [(cell, letter) for cell, letter in board.items()
                    if owner(letter) == side and letter.upper() != "R"]
        self.walls = {rank for rank in range(RANKS) if too_many(self.mans_files(rank))}

    def empty(self, cell):
        """A cell of the board with nothing on it."""
        return on_board(cell) and cell not in self.board

    # -- where men go, and where they can come onto the ball

    def passable(self, cell):
        """A cell over which a man may slide."""
        boxed = cell in self.boxes[WHITE] or cell in self.boxes[BLACK]
        return self.empty(cell) and (self.opts["through_zone"] or not boxed)

    def slides(self, cell, way):
        """The cells on which a slide may end, over passable cells; the last of them may be the ball's."""
        ends = []
        while True:
            cell = shifted(cell, way)
            if self.empty(cell) or on_board(cell) and cell == self.ball:
                ends.append(cell)
            if not self.passable(cell):
                return ends

    def pawn_reach(self, cell):
        """The cells in front of a pawn on which it may end, with and without the ball."""
        up, strikes = forward(self.side), self.opts["pawn_strikes"]
        ahead, two = shifted(cell, (0, up)), shifted(cell, (0, up), 2)
        begins = cell[0] in PAWN_FILES and cell[1] == HOME_RANK[self.side] + 2 * up
        straight = [ahead]
        if self.opts["pawn_double"] and begins and self.passable(ahead):
            straight.append(two)
        if strikes == "diagonal":
            straight = [end for end in straight if end != self.ball]
        aslant = [shifted(cell, (x, up)) for x in (-1, 1)] if strikes != "straight" else []
        return straight + [end for end in aslant if end == self.ball]

    def reach(self, cell, letter):
        """Where a man comes by the rules of chess: empty cells and the ball's."""
        kind = letter.upper()
        if kind in LINES:
            return [end for way in LINES[kind] for end in self.slides(cell, way)]
        if kind == "P":
            ends = self.pawn_reach(cell)
        else:
            ends = [shifted(cell, step) for step in (LEAPS if kind == "N" else ALL_WAYS)]
        return [end for end in ends if self.empty(end) or on_board(end) and end == self.ball]

    # -- where the ball goes

    def rays(self, left, way, most):
        """The ball's cells along a line, as far as the kicker may choose among them."""
        cells = ray(self.ball, way, lambda c: self.empty(c) or c == left, most)
        return cells[-1:] if self.opts["ball_runs"] == "to_obstacle" else cells

    def flights(self, cell, letter):
        """Where the ball goes when a man kicks it from a cell."""
        kind = letter.upper()
        if kind == "N":
            ends = [shifted(self.ball, leap) for leap in LEAPS]
            return [end for end in ends if self.empty(end) or end == cell]
        if kind == "P":
            ways, most = [(x, forward(self.side)) for x in (-1, 0, 1)], 1
        else:
            ways, most = (ALL_WAYS, 4) if kind == "K" else (LINES[kind], 99)
        return [end for way in ways for end in self.rays(cell, way, most)]

    # -- the zones and the wall

    def may_enter(self, letter, move):
        """Do zones and mouths allow the move?"""
        to, keeper = move[1], letter.upper() == "K"
        if keeper:
            abroad = self.boxes[other(self.side)]
            if self.ball in self.mouths[other(self.side)] and to in abroad:
                way_out = move[0] in self.mouths[other(self.side)] and to in self.zones[other(self.side)]
                return way_out or self.opts["keepers_roam"] and to != self.ball and move[0] in abroad
            return self.opts["keepers_roam"] or to not in abroad
        if to in self.mouths[WHITE] or to in self.mouths[BLACK]:
            return False
        for side in (WHITE, BLACK):
            if to in self.zones[side]:
                if len(move) == 2:
                    return self.opts["walk_in_zone"] and side == self.side and move[0] in self.zones[side]
                return move[2] not in self.boxes[side] if side == self.side else self.opts["attackers_in"]
        return True

    def mans_files(self, rank):
        """The files on which men of the side stand on a rank."""
        return {cell[0] for cell, letter in self.men if cell[1] == rank}

    def walled(self, move):
        """Would the move leave more than three men of one colour side by side?"""
        if self.walls - {move[0][1], move[1][1]}:
            return True
        for rank in {move[0][1], move[1][1]}:
            files = self.mans_files(rank) - ({move[0][0]} if rank == move[0][1] else set())
            if too_many(files | ({move[1][0]} if rank == move[1][1] else set())):
                return True
        return False

    # -- moves

    def moves_of(self, cell, letter):
        """The lawful moves of a man, the duties after a goal left aside."""
        found = []
        for end in self.reach(cell, letter):
            if end == self.ball:
                found += [(cell, end, target) for target in self.flights(cell, letter)]
            else:
                found.append((cell, end))
        return [move for move in found if self.may_enter(letter, move) and not self.walled(move)]

    def lawful(self):
        """The lawful moves, the duties after a goal left aside."""
        return [move for cell, letter in self.men for move in self.moves_of(cell, letter)]

    def distances(self):
        """How many king's steps each cell that the keeper may use is away from the ball."""
        closed = set() if self.opts["keepers_roam"] else self.boxes[other(self.side)]
        far, edge = {self.ball: 0}, [self.ball]
        king = [cell for cell, letter in self.men if letter.upper() == "K"]
        while edge:
            ring = []
            for cell in edge:
                for way in ALL_WAYS:
                    to = shifted(cell, way)
                    if to not in far and (self.empty(to) and to not in closed or to in king):
                        far[to] = far[cell] + 1
                        ring.append(to)
            edge = ring
        return far

    def keeper_duty(self):
        """What the keeper does after a goal: steps back to the ball, or kicks of it."""
        far = self.distances()
        found = []
        for cell, letter in self.men:
            if letter.upper() == "K" and cell in far:
                found += [move for move in self.moves_of(cell, letter) if far.get(move[1]) == far[cell] - 1]
        kicks = [move for move in found if len(move) == 3]
        return [move for move in kicks if move[2] not in self.mouths[self.side]] or kicks or found

    def leaving(self):
        """After a goal of its own a side's moves out of the other side's box, or of its king out of the mouth."""
        left, goal = self.boxes[other(self.side)], self.mouths[other(self.side)]
        moves = self.lawful()
        out = [move for move in moves if move[0] in left and move[1] not in left]
        return out or [move for move in moves if move[0] in goal and move[1] in left and move[1] not in goal]

    def moves(self):
        """The moves of the side to move."""
        duty = []
        if self.ball in self.mouths[self.side]:
            duty = self.keeper_duty()
        elif self.ball in self.mouths[other(self.side)]:
            duty = self.leaving()
        return duty or self.lawful() or [()]


def moves(board, side, opts):
    """The moves of a side."""
    return Position(board, side, opts).moves()


def play(board, side, move, opts):
    """The board after a move, and who has scored."""
    if not move:
        return board, None
    board = dict(board)
    man = board.pop(move[0])
    if man.upper() == "P" and opts["pawn_promotes"] and move[1][1] == HOME_RANK[other(side)]:
        man = "Q" if side == WHITE else "q"
    board[move[1]] = man
    if len(move) == 2:
        return board, None
    board[move[2]] = BALL
    losers = [defender for defender in (WHITE, BLACK) if move[2] in mouth(defender)]
    return board, other(losers[0]) if losers else None
