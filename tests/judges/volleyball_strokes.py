"""Chess Volleyball for its judge: how men move, how the ball flies, and what a block lets through.

A board is a dict from cells (file, rank), both from 0, to men; a man is anything whose `kind` is a letter and whose
`side` is WHITE or BLACK.  The numbers V1, V2 ... are those of the notes on the game.
"""

from match import BLACK, DIAGONAL, ORTHOGONAL, WHITE, other, shifted

LIGHT = "VNM"  # the higher ones stand later; only a catching block asks for that
STRENGTH = {"N": 0, "V": 0, "M": 0, "B": 2, "J": 3, "R": 4, "Q": 5}


def turned(leap):
    """A leap in all its directions."""
    a, b = leap
    return sorted({(x * s, y * t) for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)})


class Court:
    """A board with its net and the options that say how men act."""

    def __init__(self, opts, size=8):
        self.opts, self.size, self.net = opts, size, size // 2
        self.cells = [(file, rank) for file in range(size) for rank in range(size)]
        self.corners = {(f, r) for f in (0, size - 1) for r in (0, size - 1)} if size == 10 else set()
        self.halves = {side: [cell for cell in self.cells if self.half(cell) == side] for side in (WHITE, BLACK)}
        self.kinds = self._kinds()

    # -- the field

    def half(self, cell):
        """Whose half a cell is in, or None when it is off the board."""
        if not (0 <= cell[0] < self.size and 0 <= cell[1] < self.size):
            return None
        return WHITE if cell[1] < self.net else BLACK

    def row(self, cell):
        """How far a cell is from the net: 1 is the row beside it."""
        return self.net - cell[1] if cell[1] < self.net else cell[1] - self.net + 1

    def mirrored(self, cell):
        """The cell as far from the net on the other side."""
        return (cell[0], self.size - 1 - cell[1])

    # -- ways of acting

    def _kinds(self):
        """For each letter its variants (V7): a name, the leaps or the ways of a slide, and whether it slides."""
        straight = [[(3, 0)], [(4, 0)]] if self.opts["straight_leaps"] == "two" else [[(3, 0), (4, 0)]]
        vizier = {"all": [(2, 3), (1, 3)], "scheme": [(2, 3)], "one_three": [(1, 3)]}[self.opts["vizier_leaps"]]
        leaps = {"N": [[(1, 2)]], "V": straight + [[leap] for leap in vizier], "M": straight + [[(1, 1)]]}
        if self.size == 10:
            more = {"two_three": (2, 3), "one_three": (1, 3), "three_straight": (3, 0), "four_straight": (4, 0)}
            leaps["N"].append([more[self.opts["knight_extra"]]])
        kinds = {letter: [([way for leap in group for way in turned(leap)], False) for group in groups]
                 for letter, groups in leaps.items()}
        kinds["B"], kinds["R"] = [(DIAGONAL, True)], [(ORTHOGONAL, True)]
        kinds["Q"] = kinds["R"] + kinds["B"]
        if self.opts["queen_turns"]:
            kinds["Q"] = [(ORTHOGONAL + DIAGONAL, True)]
        if self.size == 10:
            kinds["J"] = [(ORTHOGONAL, True), (DIAGONAL, False)]
        return kinds

    def reach(self, board, cell, variant, inside=None):
        """Where the man on a cell can go by a variant, the ball being no obstacle (V9); in one half, if it is told."""
        ways, slides = variant
        for way in ways:
            to = shifted(cell, way)
            while self.half(to) and (inside is None or self.half(to) == inside) and to not in board:
                yield to
                if not slides:
                    break
                to = shifted(to, way)

    def variant(self, board, cell, ball):
        """The variant by which the man on a cell comes to the ball, or None; geometry leaves no choice."""
        man = board[cell]
        for variant in self.kinds[man.kind]:
            if ball in self.reach(board, cell, variant, man.side):
                return variant
        return None

    def aiming(self, board, side, ball):
        """The cells of the men of a side that come to the ball by one move."""
        return {cell for cell, man in board.items() if man.side == side and self.variant(board, cell, ball)}

    # -- flights

    def flight(self, board, ball, variant):
        """Where the man on the ball's cell can send it: cells of his own half, and cells beyond the net.

        A throw into a catching block ends on the cell of the man who catches it.
        """
        man, (ways, slides) = board[ball], variant
        near = list(self.reach(board, ball, variant, man.side))
        far = []
        for way in ways:
            if slides:
                far += self._beyond(board, ball, way, man)
            elif self.half(shifted(ball, way)) == other(man.side) and shifted(ball, way) not in board:
                far.append(shifted(ball, way))
        return near, [to for to in far if to not in self.corners]

    def _beyond(self, board, cell, way, man):
        """The cells behind the net on which a sliding throw can land (V43-V48)."""
        cell = shifted(cell, way)
        while self.half(cell) == man.side:
            if cell in board:
                return []
            cell = shifted(cell, way)
        line = []
        while self.half(cell):
            line.append(cell)
            cell = shifted(cell, way)
        block = 0
        while block < len(line) and line[block] in board:
            block += 1
        catcher = self.catcher(board, line[:2])
        if catcher:
            return [catcher] if self.flights_off(board, catcher) else []
        if not self.overflown([board[cell] for cell in line[:block]], man):
            return []
        open_cells = []
        for cell in line[block:]:
            if cell in board:
                break
            open_cells.append(cell)
        return open_cells

    def overflown(self, block, man):
        """Does a heavy man throw over the men that stand one behind another at the net (V45, V46)?"""
        if len(block) == 1:
            return STRENGTH[block[0].kind] < STRENGTH[man.kind]
        most = 3 if self.opts["three_light"] == "open" else 2
        return len(block) <= most and all(other_man.kind in LIGHT for other_man in block)

    def catcher(self, board, pair):
        """The cell of the man from whom a heavy ball flies off, if light men of two kinds stand there (V66)."""
        kinds = [board[cell].kind for cell in pair if cell in board]
        if self.size != 10 or len(kinds) < 2 or kinds[0] == kinds[1] or not set(kinds) <= set(LIGHT):
            return None
        return max(pair, key=lambda cell: LIGHT.index(board[cell].kind))

    def flights_off(self, board, cell):
        """Where a ball that the man on a cell has caught can come down."""
        return [to for variant in self.kinds[board[cell].kind] for to in self.reach(board, cell, variant)
                if to not in self.corners
                and (self.opts["catch_back"] == "anywhere" or self.half(to) != board[cell].side)]

    def bounced(self, board, ball, variant):
        """Where a failed serve can land (V30): along the variant, or back from the net by it."""
        man, (ways, slides) = board[ball], variant
        found = set(self.reach(board, ball, variant, man.side))
        for way in ways:
            cell = shifted(ball, way)
            while slides and self.half(cell) == man.side and cell not in board:
                cell = shifted(cell, way)
            while self.half(cell) == other(man.side) and self.mirrored(cell) not in board:
                found.add(self.mirrored(cell))
                if not slides:
                    break
                cell = shifted(cell, way)
        return found

    def stroke(self, man, cell):
        """What arrives on a cell from a man that has thrown: heavy or light, and near or far (V38, V39)."""
        near_rows = self.opts.get("near_rows", 2)
        return ("light" if man.kind in LIGHT else "heavy", "near" if self.row(cell) <= near_rows else "far")

    # -- hits and combinations

    def after_hit(self, board, cell, ball):
        """The board when the man on a cell has come to the ball."""
        after = dict(board)
        after[ball] = after.pop(cell)
        return after

    def combinations(self, board, ball, side, direct, used=frozenset(), hits=3, first=None):
        """The complete returns: tuples of hits (from, ball, to), the last of them over the net (V35, V36).

        With `first` the first hit is made from one of these cells.
        """
        for cell, man in board.items():
            if man.side != side or man in used or first is not None and cell not in first:
                continue
            variant = self.variant(board, cell, ball)
            if not variant:
                continue
            after = self.after_hit(board, cell, ball)
            near, far = self.flight(after, ball, variant)
            if direct:
                for to in far:
                    yield (("hit", cell, ball, to),)
            if hits > 1:
                for to in near:
                    for rest in self.combinations(after, to, side, True, used | {man}, hits - 1):
                        yield (("hit", cell, ball, to),) + rest

    def retreats(self, board, ball, side):
        """Who can open a line to the ball in a rally (V69): from, to, and the cells of the men who reach it then."""
        before = self.aiming(board, side, ball)
        for cell, man in list(board.items()):
            if self.size != 10 or man.side != side or man.kind not in "VMJ":
                continue
            for variant in self.kinds[man.kind]:
                for to in self.reach(board, cell, variant, side):
                    after = self.after_hit(board, cell, to)
                    opened = self.aiming(after, side, ball) - before - {to}
                    if to != ball and opened:
                        yield cell, to, opened
