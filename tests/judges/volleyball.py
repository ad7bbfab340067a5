"""An independent judge of Chess Volleyball, on 8x8 and 10x10: serves, returns, penalties, sets and the mating stage.

How men and ball go is in volleyball_strokes.py; here is the match.  A turn is a tuple of actions:

    ("hit", from, ball, to)      a man comes to the ball and sends it on
    ("off", from, to)            the ball flies off from a man of a catching block
    ("retreat", from, to)        a man opens a line to the ball before a return
    ("move", from, to)           a penalty approach, or a move of the mating stage
    ("ball", cell)               the ball is placed on the server's line for an approach before the serve
    ("remove", cell)             a man goes to the bench
    ("enter", letter, cell)      a man comes back from the bench
    ("swap", cell, cell)         a team changes its array
    ("keep",) ("skip",) ("concede",)   the array stays; no penalty is made; no return or no serve is made

The numbers V1, V2 ... are those of the notes on the game, and the options bear the names of the rule files.
"""

import collections
import re

from match import ALL_WAYS, BALL, BLACK, NAMES, WHITE, name, other, read, shifted, written
from volleyball_strokes import Court

START = {8: "2vq1m2/r5nv/2b4r/2n1b3/R7/1NB4R/V3B1N1/2VQ1M2 w",
         10: "5j4/3vq1m3/1r5nv1/3b4r1/3n1b4/1R8/2NB4R1/1V3B1N2/3VQ1M3/5J4 w"}
DEFAULTS = {"team_arrays": False, "vizier_leaps": "all", "straight_leaps": "two", "queen_turns": False,
            "failed_serve_costs_minute": False, "set_closes": "at_return", "serve_duty": "any_serve",
            "no_serve": "approach", "must_return": True, "three_light": "closed", "penalty_duty": "always",
            "penalty_aim": "ball", "first_server": "obligatory", "chess_stage": True, "overtime_cap": 40,
            "points_cap": 61, "knight_extra": "two_three", "near_rows": 2, "catch_back": "anywhere",
            "sets_to_win": 2, "set_length": 12, "last_set_length": 8, "overtime": True,
            "clear_win": 3, "narrow_win": 2, "narrow_loss": 1, "even_match": 1}
BENCH, PAIRS = 6, 12
STROKES = {"flat": ("heavy", "near"), "smash": ("heavy", "far"),
           "glider": ("light", "near"), "candle": ("light", "far")}
SIDES = {title: side for side, title in NAMES.items()}


class Man(collections.namedtuple("Man", "letter born")):
    """A man: his letter and the cell on which he was first seen, which tells him from his like."""

    @property
    def kind(self):
        """His letter in upper case."""
        return self.letter.upper()

    @property
    def side(self):
        """Whose man he is."""
        return WHITE if self.letter.isupper() else BLACK


def fields(words):
    """Set, minute, points and sets won, as a position tells them."""
    told = {key: int(value) for key, _, value in (word.partition("=") for word in words) if value.isdigit()}
    points, sets = ({side: told.get(f"{what}[{title}]", 0) for side, title in NAMES.items()}
                    for what in ("points", "sets"))
    return told.get("set", 1), told.get("minute", 0), points, sets


def spelled(action):
    """An action as the program writes it, without the signs between its cells."""
    verb, cells = action[0], "".join(name(one) for one in action[1:] if isinstance(one, tuple))
    if verb == "enter":
        return f"bench {action[1]}{cells}"
    before = {"ball": "ball", "swap": "swap:"}.get(verb, "" if cells else verb)
    return before + cells + ("out" if verb == "remove" else "")


def heard(action, place):
    """An action of the program as `spelled` has it: a man on the bench by his letter, not by his place there."""
    bench = re.match(r"(bench\[\w+\])\[(\d+)\](.*)", action)
    if not bench:
        return action
    letters = next(word for word in place.split() if word.startswith(bench[1] + "=")).partition("=")[2]
    return f"bench {letters[int(bench[2]) - 1]}{bench[3]}"


def crowned(man, loser):
    """A man as he is in the mating stage: the loser's moor is a king."""
    return man._replace(letter="K" if loser == WHITE else "k") if man.kind == "M" and man.side == loser else man


class Match:
    """A match from the array, or from a given position on."""

    def __init__(self, opts=None, text=None, size=8):
        self.opts = {**DEFAULTS, **(opts or {})}
        self.court = Court(self.opts, size)
        letters, _ = read(text or START[size], size)
        self.board = {cell: Man(letter, cell) for cell, letter in letters.items() if letter != BALL}
        self.ball = next((cell for cell, letter in letters.items() if letter == BALL), None)
        self.side, self.stage = WHITE, "swap" if self.opts["team_arrays"] else "serve"
        # The match (V13-V23): time, score, who has thrown the last three goals of each side, and the end.
        self.set, self.minute, self.points, self.sets = fields((text or "").split()[2:])
        self.scorers, self.result = {WHITE: (), BLACK: ()}, None
        # The serve: whose; his first or second (0: none in this set yet); who has served in the pair; who must; whether
        # he has approached for it; which side has its first serve still to make.
        self.server, self.serve, self.served, self.forced, self.approached = WHITE, 1, frozenset(), frozenset(), False
        self.obliged = {side: self.opts["first_server"] == "obligatory" for side in NAMES}
        # The rally: what has come from whom; who has caught it, and where the ball is with him.
        self.stroke = self.thrower = self.caught = self.caught_on = None
        # Men off the board with the minutes they have left, and who goes on when they are back.
        self.bench, self.waiting = {WHITE: (), BLACK: ()}, None
        # The mating stage: the king's cell, who attacks, half-moves made, whether the next one is not counted.
        self.winner, self.king, self.attackers, self.steps, self.free_step = None, None, frozenset(), 0, False
        if text:
            self._tell(text)
        self._settle()

    def _tell(self, text):
        """What a position of the program says besides board, time and score: what is going on, and marks on men."""
        told = dict(word.split("=") for word in text.split()[2:])

        def marked(mark):
            return frozenset(man for cell, man in self.board.items() if told.get(f"{name(cell)}.{mark}") == "true")

        phase = told.get("phase", "serve" if told.get("arranged[Black]") == "true" else self.stage)
        self.side, self.stage = text.split()[1], {"rally": "return", "mating": "chess"}.get(phase, phase)
        self.server, self.serve = SIDES[told.get("server", "White")], int(told.get("serve_no", 1))
        self.served, self.forced, self.approached = marked("served"), marked("called"), told.get("came_near") == "true"
        for side, title in NAMES.items():
            self.obliged[side] &= told.get(f"has_served[{title}]") != "true"
            goals = [man for mark in ("threw_third", "threw_second", "threw_last") for man in marked(mark)]
            self.scorers[side] = tuple(man for man in goals if man.side == side)
            self.bench[side] = tuple((Man(letter, (title, place)), int(told[f"bench[{title}][{place}].rest"]))
                                     for place, letter in enumerate(told.get(f"bench[{title}]", ""), 1))
        if self.stage == "return":
            self.stroke, self.thrower = STROKES[told["shot"]], next(iter(marked("threw")), None)
        if self.stage == "chess":
            self.winner, self.attackers = other(SIDES[told.get("loser", "White")]), marked("hunts")
            self.king = next(cell for cell, man in self.board.items() if man.kind == "K")
            first = SIDES[told.get("first_mover", "White")]
            self.steps = 2 * int(told.get("pairs", 0)) + (self.side != first)

    def copy(self):
        """A match that can be played on without touching this one."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        for field in ("points", "sets", "scorers", "obliged", "bench"):
            setattr(twin, field, getattr(self, field).copy())
        return twin

    def text(self):
        """The board and the side as the program writes them."""
        board = {cell: man.letter for cell, man in self.board.items()}
        if self.ball is not None:
            board[self.ball] = BALL
        return written(board, self.side, self.court.size, self.court.size)

    def agrees(self, place):
        """Does a position of the program tell the same board and side, and before the mating stage the same match?"""
        words = place.split()
        told = dict(word.split("=") for word in words[2:])
        theirs = (*fields(words[2:]), SIDES[told.get("server", "White")], int(told.get("serve_no", 1)))
        ours = (self.set, self.minute, self.points, self.sets, self.server, self.serve)
        return " ".join(words[:2]) == self.text() and (theirs == ours or self.stage == "chess")

    # -- turns

    def turns(self):
        """The complete turns of the side to act."""
        return [] if self.result else getattr(self, "_turns_" + self.stage)()

    moves = turns

    def _own(self, side=None):
        side = side or self.side
        return [(cell, man) for cell, man in self.board.items() if man.side == side]

    def _turns_swap(self):
        own = sorted(self._own())
        return [(("keep",),)] + [(("swap", a, b),) for n, (a, man) in enumerate(own) for b, mate in own[n + 1:]
                                 if man.kind != mate.kind]

    def _turns_enter(self):
        return [(("enter", letter, cell),) for letter in self._due(self.side) for cell in self.court.halves[self.side]
                if cell not in self.board and cell != self.ball]

    def _turns_serve(self):
        """A serve; if there is none an approach, perhaps after a removal (V29, V56); if there is none, the point."""
        clean = self.ball is None
        balls = self._line() if clean else [self.ball]
        turns = self._duty(self._clean_serves(balls) if clean else self._spot_serves(self.ball))
        if not turns and not self.approached and not (clean and self.opts["no_serve"] == "point"):
            placed = [((("ball", ball),) if clean else (), ball) for ball in balls]
            turns = [first + turn for first, ball in placed for turn in self._approach_turns(self.board, ball)]
            turns = turns or [first + turn for first, ball in placed for turn in self._removal_turns(ball)]
        return turns or [(("concede",),)]

    def _turns_return(self):
        turns = list(self._combinations())
        return turns + ([] if turns and self.opts["must_return"] else [(("concede",),)])

    def _turns_off(self):
        return [(("off", self.caught_on, to),) for to in self.court.flights_off(self.board, self.caught_on)]

    def _turns_penalty(self):
        turns = self._approach_turns(self.board, self.ball)
        needless = self.opts["penalty_duty"] == "needed" and self.court.aiming(self.board, self.side, self.ball)
        return turns + ([(("skip",),)] if needless or not turns else [])

    def _turns_chess(self):
        if self.king is None:
            return self._turns_king_enters()
        if self.board[self.king].side == self.side:
            return [(("move", self.king, to),) for to in self._king_steps()]
        return [(("move", cell, to),) for cell, man in self.board.items() if man in self.attackers
                for to in self._attack_moves(self.board, cell)]

    # -- serving

    def _line(self):
        """The free cells of the central line of the server's half, or of the next one when it is full (V26, V27)."""
        file = self.court.net - 1
        for line in (file, file + 1):
            free = [cell for cell in self.court.halves[self.server] if cell[0] == line and cell not in self.board]
            if free:
                return free
        return []

    def _fresh(self, men):
        """Those who have not served in this pair of serves (V24)."""
        return {man for man in men if man not in self.served}

    def _clean_serves(self, line):
        """The serves from a line: by the obligatory server, or by the fresh men, or by anybody (V24, V25)."""
        own = dict(self._own(self.server))
        groups = [self._fresh(own.values()), set(own.values())]
        if self.obliged[self.server]:
            groups.insert(0, {man for cell, man in own.items() if man.kind == "B" and sum(cell) % 2 == 0})
        for men in groups:
            turns = [turn for ball in line for turn in self._serves(ball, men)]
            if turns:
                return turns
        return []

    def _spot_serves(self, ball):
        """The serves from where the ball lies: by the men of the penalty, or by who aims; by fresh men first (V33)."""
        men = self.forced or {self.board[cell] for cell in self.court.aiming(self.board, self.server, ball)}
        return self._serves(ball, self._fresh(men)) or self._serves(ball, men)

    def _serves(self, ball, men):
        """The serves of some men from a cell; who cannot throw fails and says where the ball comes down (V28, V30)."""
        turns = []
        for cell, man in self._own(self.server):
            variant = self.court.variant(self.board, cell, ball) if man in men else None
            if variant:
                after = self.court.after_hit(self.board, cell, ball)
                ends = self.court.flight(after, ball, variant)[1] or self.court.bounced(after, ball, variant)
                turns += [(("hit", cell, ball, to),) for to in ends]
        return turns

    def _duty(self, turns):
        """With serve_duty = must_throw a serve that crosses the net goes before one that fails."""
        good = [turn for turn in turns if self.court.half(turn[-1][3]) != self.server]
        return good if good and self.opts["serve_duty"] == "must_throw" else turns

    # -- penalties

    def _approaches(self, board, side, ball):
        """Moves after which the man aims, or another whose line has been opened; and who these are (V52, V53)."""
        before = self.court.aiming(board, side, ball)
        for cell, man in list(board.items()):
            if man.side != side:
                continue
            for variant in self.court.kinds[man.kind]:
                for to in self.court.reach(board, cell, variant, side):
                    if to == ball:
                        continue
                    after = self.court.after_hit(board, cell, to)
                    aim = self.court.aiming(after, side, ball)
                    men = {after[one] for one in aim if one == to or one not in before}
                    if men:
                        yield cell, to, frozenset(men)

    def _approach_turns(self, board, ball):
        """The penalty moves there are for a ball; before an own serve those that leave a fresh server go first."""
        if self.side != self.server and self.opts["penalty_aim"] == "anything":
            return [(("move", cell, to),) for cell, man in self._own() for variant in self.court.kinds[man.kind]
                    for to in self.court.reach(board, cell, variant, self.side) if to != ball]
        found = list(self._approaches(board, self.side, ball))
        if self.side == self.server:
            found = [one for one in found if self._fresh(one[2])] or found
        return [(("move", cell, to),) for cell, to, _ in found]

    def _removal_turns(self, ball):
        """Own men whose removal makes an approach possible, and the approach (V56)."""
        turns = []
        for cell, _ in self._own():
            board = dict(self.board)
            del board[cell]
            turns += [(("remove", cell),) + turn for turn in self._approach_turns(board, ball)]
        return turns

    def _combinations(self):
        """The complete returns, those after a retreat too (V35, V69); who has caught the ball does not hit it (V67)."""
        court, direct, used = self.court, self.stroke == ("light", "near"), frozenset({self.caught})
        yield from court.combinations(self.board, self.ball, self.side, direct, used)
        for cell, to, opened in court.retreats(self.board, self.ball, self.side):
            after = court.after_hit(self.board, cell, to)
            for hits in court.combinations(after, self.ball, self.side, direct, used | {after[to]}, first=opened):
                yield (("retreat", cell, to),) + hits

    # -- playing

    def play(self, turn):
        """Make a turn and go on to the next decision."""
        for action in turn:
            getattr(self, "_do_" + action[0])(*action[1:])
        self._settle()

    def _do_keep(self):
        self._next_team()

    def _do_swap(self, a, b):
        self.board = dict(self.board)
        for cell, man in ((a, self.board[b]), (b, self.board[a])):
            self.board[cell] = Man(man.letter, cell)
        self.obliged[self.side] = False
        self._next_team()

    def _next_team(self):
        self.side, self.stage = (BLACK, "swap") if self.side == WHITE else (WHITE, "serve")

    def _do_ball(self, cell):
        self.ball = cell

    def _do_hit(self, cell, ball, to):
        man, caught = self.board[cell], to in self.board and to != cell
        self.board = self.court.after_hit(self.board, cell, ball)
        self.ball = to
        crossed = self.court.half(to) != man.side
        if self.stage == "serve":
            self.served |= {man}
            self.obliged[man.side], self.forced, self.approached = False, frozenset(), False
            if not crossed:
                if self.opts["failed_serve_costs_minute"]:
                    self._pass_minute()
                self._goal(other(man.side), None)
        if crossed:
            self._thrown(man, to)
            if caught and self.stage == "return":
                self.ball, self.stage, self.caught_on = None, "off", to

    def _thrown(self, man, to):
        """A throw takes a minute, and the other side receives it."""
        self.stroke, self.thrower, self.caught = self.court.stroke(man, to), man, None
        self.side, self.stage = other(man.side), "return"
        self._pass_minute()
        if self.opts["set_closes"] == "at_landing":
            self._close_set(rally=True)

    def _do_off(self, cell, to):
        man = self.board[cell]
        if self.court.half(to) == man.side:
            self.ball, self.stage, self.caught = to, "return", man
            self.stroke = self.court.stroke(self.thrower, to)
            return
        if self.opts["set_closes"] == "at_return":
            self._close_set(rally=True)
        if self.stage == "off" and not self.result:
            self.ball = to
            self._thrown(man, to)

    def _do_retreat(self, cell, to):
        self.board = self.court.after_hit(self.board, cell, to)

    def _do_move(self, cell, to):
        man = self.board[cell]
        if self.stage == "chess":
            return self._chess_move(man, cell, to)
        self.forced = frozenset()
        if self.side == self.server:
            self.forced = next(men for a, b, men in self._approaches(self.board, self.side, self.ball)
                               if (a, b) == (cell, to))
        self.board = self.court.after_hit(self.board, cell, to)
        self.approached = self.side == self.server
        self._to_serve()

    def _do_skip(self):
        self.forced = frozenset()
        self._to_serve()

    def _to_serve(self):
        if self.side != self.server:
            self.ball = None
        self.side, self.stage = self.server, "serve"

    def _do_concede(self):
        self._goal(other(self.side), self.thrower if self.stage == "return" else None)

    def _do_remove(self, cell):
        self.board = dict(self.board)
        self.bench[self.side] += ((self.board.pop(cell), BENCH),)

    def _do_enter(self, letter, cell):
        entry = min((left, n, man) for n, (man, left) in enumerate(self.bench[self.side]) if man.letter == letter)
        self.bench[self.side] = tuple(one for n, one in enumerate(self.bench[self.side]) if n != entry[1])
        self.board = {**self.board, cell: entry[2]}
        self.side, self.stage = self.waiting

    # -- time and score

    def _pass_minute(self):
        self.minute += 1
        self.bench = {side: tuple((man, left - 1) for man, left in men) for side, men in self.bench.items()}

    def _due(self, side):
        """The letters of the men who have to come back from the bench now (V57)."""
        return {man.letter for man, left in self.bench[side] if left <= 0}

    def _goal(self, scorer, thrower):
        """A point; then the set may be over, and the side that lost the ball makes its penalty."""
        self.points[scorer] += 1
        if thrower:
            self.scorers[scorer] = (self.scorers[scorer] + (thrower,))[-3:]
        self.stroke = self.thrower = self.caught = None
        self.forced, self.approached = frozenset(), False
        self._next_serve()
        self._close_set(rally=False)
        if self.result or self.stage == "chess":
            return
        if self.ball is None:
            self.side, self.stage = self.server, "serve"
        else:
            self.side, self.stage = other(scorer), "penalty"

    def _next_serve(self):
        """Two serves a side in turn; after a set that changed in a rally the new set's server begins (V22, V23)."""
        if self.serve == 2:
            self.server = other(self.server)
        if self.serve != 1:
            self.served = frozenset()
        self.serve = 2 if self.serve == 1 else 1

    def _close_set(self, rally):
        """Ends the set if its time is over and somebody leads, or if it has lasted too long (V13, V14, V83)."""
        most = 2 * self.opts["sets_to_win"] - 1
        over = self.minute - self.opts["last_set_length" if self.set == most > 1 else "set_length"]
        capped = 0 < self.opts["points_cap"] <= sum(self.points.values())
        level = self.points[WHITE] == self.points[BLACK]
        drawn = not self.opts["overtime"] or 0 < self.opts["overtime_cap"] <= over
        if not capped and (over < 0 or level and not drawn):
            return
        if not level:
            self.sets[max(self.points, key=self.points.get)] += 1
        lead = self.sets[WHITE] - self.sets[BLACK]
        if self.set == most or max(self.sets.values()) == self.opts["sets_to_win"]:
            return self._end(lead, rally)
        self.set, self.minute, self.points = self.set + 1, 0, {WHITE: 0, BLACK: 0}
        self.server = WHITE if self.set % 2 else BLACK
        self.serve, self.served = (0 if rally else 1), frozenset()

    def _end(self, lead, rally):
        """The match is decided, and its winner may still have to catch the loser's king (V19, V71)."""
        winner = WHITE if lead > 0 else BLACK
        if lead == 0:
            self.result = self._points_of(WHITE, self.opts["even_match"], self.opts["even_match"])
        elif self.opts["chess_stage"]:
            self._begin_chess(winner, rally)
        elif self.sets[winner] == self.set:
            self._wins(winner)
        else:
            self._wins_narrowly(winner)

    def _wins(self, winner):
        self.result = self._points_of(winner, self.opts["clear_win"], 0)

    def _wins_narrowly(self, winner):
        self.result = self._points_of(winner, self.opts["narrow_win"], self.opts["narrow_loss"])

    def _points_of(self, winner, *points):
        white, black = points if winner == WHITE else points[::-1]
        return f"{white} points to White, {black} to Black"

    # -- between decisions

    def _settle(self):
        """Does what comes before the next decision: men come back, and a set closes before a return (V14, V57)."""
        if self.result:
            return
        if self.stage == "chess":
            return self._settle_chess()
        due = [side for side in (WHITE, BLACK) if self.stage != "off" and self._due(side)]
        if due:
            self.waiting = (self.side, self.stage)
            self.side, self.stage = due[0], "enter"
        elif self.stage == "return" and self.opts["set_closes"] == "at_return" and any(self._combinations()):
            self._close_set(rally=True)
            if self.stage == "chess":
                self._settle_chess()

    # -- the mating stage

    def _begin_chess(self, winner, rally):
        """The loser's moor is a king, and the men of the winner's last three goals hunt him (V73, V74)."""
        self.side = self.side if rally else self.server
        self.winner, self.ball, self.stage, self.steps, self.free_step = winner, None, "chess", 0, None
        self.attackers = frozenset(self.scorers[winner]) & frozenset(self.board.values())

    def _settle_chess(self):
        """A king on the bench comes back first, and one who stands in check moves first (V57, V78)."""
        loser = other(self.winner)
        if self.free_step is None:
            self.board = {cell: crowned(man, loser) for cell, man in self.board.items()}
            self.bench[loser] = tuple((crowned(man, loser), left) for man, left in self.bench[loser])
            self.king = next((cell for cell, man in self._own(loser) if man.kind == "K"), None)
            if self.king is None and self.attackers:
                self.waiting, self.side = (self.side, "chess"), loser
                return
            self.free_step = False
            if self.attackers and self.side != loser and self._in_check(self.board, self.king):
                self.side, self.free_step = loser, True
        self._end_chess()

    def _attack_moves(self, board, cell):
        man = board[cell]
        if man.kind == "M":
            return [to for to in (shifted(cell, way) for way in ALL_WAYS) if self.court.half(to) and to not in board]
        return [to for variant in self.court.kinds[man.kind] for to in self.court.reach(board, cell, variant)]

    def _in_check(self, board, king):
        """Does an attacker reach the king's cell?"""
        board = {cell: man for cell, man in board.items() if cell != king}
        return any(king in self._attack_moves(board, cell) for cell, man in board.items() if man in self.attackers)

    def _king_steps(self):
        for way in ALL_WAYS:
            to = shifted(self.king, way)
            if self.court.half(to) and (to not in self.board or self.board[to] in self.attackers):
                if not self._in_check(self.court.after_hit(self.board, self.king, to), to):
                    yield to

    def _chess_move(self, man, cell, to):
        self.attackers -= {self.board.get(to)}
        self.board = self.court.after_hit(self.board, cell, to)
        if cell == self.king:
            self.king = to
        self.steps += not self.free_step
        self.free_step = False
        self.side = other(self.side)

    def _turns_king_enters(self):
        king = next(man.letter for man, _ in self.bench[self.side] if man.kind == "K")
        return [(("enter", king, cell),) for cell in self.court.halves[self.side] if cell not in self.board]

    def _end_chess(self):
        """Mate, or the king is safe: nobody attacks, nobody can move, or the moves are used up (V76-V80)."""
        hunted = self.side != self.winner
        stuck = not self.attackers or not self.turns()
        if hunted and stuck and self.attackers and self._in_check(self.board, self.king):
            self._wins(self.winner)
        elif stuck or self.steps >= 2 * PAIRS:
            self._wins_narrowly(self.winner)
