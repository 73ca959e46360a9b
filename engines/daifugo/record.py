"""Records of games of Daihinmin as text, which the referee can replay.

    players: rule rule mc rule rand           names by seat; may be left out
    before: 2 0 4 1 3                         the seats by their ranks in the game before; left out without ranks
    deal 0: C3 D5 ...                         each hand as it is dealt
    ...
    3 gives 2: S2 JK                          the exchange, if there are ranks
    1 gives 0: H2
    2 gives 3: C4 D4
    0 gives 1: C6
    1: D3 / 2: D5 / 3: pass / 4: S5 / ...     each turn: a seat and its play
    result: 0 2 1 4 3                         the seats as they finished

A turn ends with "/" or with its line, and blank lines mean nothing; printed is a trick a line. The result ends a game.
After 20 passes in a row it says how the lot put those who still have cards. The grammar::

    games    = { game }
    game     = { "players:" name { name } end | "before:" seats end } deal deal deal deal deal { gift } { turn } result
    deal     = "deal" seat ":" hand end
    gift     = seat "gives" seat ":" hand end
    turn     = seat ":" play end
    result   = "result:" seats end
    seats    = seat seat seat seat seat               (all of them, the first first)
    seat     = "0" | "1" | "2" | "3" | "4"
    end      = end of line | "/"
"""

from __future__ import annotations

import re
from typing import NoReturn

from engines.daifugo.clientlog import BEGINS, read_logs
from engines.daifugo.dealing import Gift
from engines.daifugo.replay import Record, Turn, tricks
from engines.daifugo.rules import PACK, PLAYERS, Hand
from engines.daifugo.text import (
    format_hand,
    format_play,
    format_seats,
    listed,
    numbered_lines,
    read_hand,
    read_order,
    read_play,
    twice,
)
from engines.text.textfile import shown
from storage.errors import UserError

_WIDTH = 100
"""Characters after which a printed trick goes on in the next line."""
_INDENT = "    "
_IS_GAMES = re.compile(r"\s*(?:deal\s+[0-4]\s*:|players\s*:)", re.IGNORECASE)
_IS_TURN = re.compile(r"\s*[0-4]\s*:|\s*result\s*:", re.IGNORECASE)
_PART = re.compile(
    r"(?P<head>players|before|result)\s*:(?P<of_head>.*)"
    r"|deal\s+(?P<dealt>[0-4])\s*:(?P<of_deal>.*)"
    r"|(?P<giver>[0-4])\s+gives\s+(?P<taker>[0-4])\s*:(?P<of_gift>.*)"
    r"|(?P<seat>[0-4])\s*:(?P<of_turn>.*)",
    re.IGNORECASE | re.ASCII,
)


def is_games(text: str) -> bool:
    """Whether a text is one of games, in this form or another, and not of positions."""
    lines = [line for _, line in numbered_lines(text) if line]
    return any(map(_IS_GAMES.match, lines)) or bool(lines and BEGINS.match(lines[0]))


def read_records(text: str, source: str = "games") -> list[Record]:
    """All games of a text, in this form or as clients log them (``clientlog``).

    UserError that names ``source``, game, line, place and card when one cannot be read.
    """
    found: list[Record] = []
    reader: _Reader | None = None
    lines = list(numbered_lines(text))
    if BEGINS.match(next((line for _, line in lines if line), "")):
        return list(read_logs(lines, source))
    for number, line in lines:
        for part in filter(None, (part.strip() for part in line.split("/"))):
            reader = reader or _Reader(f"{source}, game {len(found) + 1}", number)
            record = reader.read(part, number)
            if record is not None:
                found.append(record)
                reader = None
    if reader is not None:
        reader.fail_at_end()
    return found


def read_game(text: str, source: str = "game") -> Record:
    """The one game of a text, of which the end may be missing: then its result is empty."""
    lines = list(numbered_lines(text))
    if BEGINS.match(next((line for _, line in lines if line), "")):
        found = list(read_logs(lines, source))
        if len(found) != 1:
            raise UserError(source, f"there are {len(found)} games in it; one is wanted")
        return found[0]
    reader = _Reader(source, 1)
    record = None
    for number, line in lines:
        for part in filter(None, (part.strip() for part in line.split("/"))):
            if record is not None:
                raise UserError(f"{source}, line {number}", "the game has its result already")
            record = reader.read(part, number)
    return record or reader.unfinished()


def parted(record: str) -> tuple[str, str]:
    """A game of ``format_record``: what comes before the first turn, and the rest."""
    lines = record.splitlines()
    begin = next((at for at, line in enumerate(lines) if _IS_TURN.match(line)), len(lines))
    return "\n".join(lines[:begin]), "\n".join(lines[begin:])


def read_turns(text: str, source: str = "turns") -> tuple[list[Turn], tuple[int, ...]]:
    """The turns of a text without a deal, and the result, which may be missing: then it is empty."""
    turns: list[Turn] = []
    result: tuple[int, ...] = ()
    for number, line in numbered_lines(text):

        def fail(message: str, number: int = number) -> NoReturn:
            raise UserError(f"{source}, line {number}", message)

        for part in filter(None, (part.strip() for part in line.split("/"))):
            match = _PART.fullmatch(part)
            if result:
                fail("the game has its result already")
            if match is not None and match["seat"] is not None:
                turns.append(Turn(int(match["seat"]), read_play(match["of_turn"], fail)))
            elif match is not None and match["head"] == "result":
                result = read_order(match["of_head"], fail)
            else:
                fail(f"expected a turn like 0: S3, found {shown(part)}")
    return turns, result


def format_record(record: Record) -> str:
    """The lines of a game; ``read_records`` gives it back."""
    lines = []
    if record.players is not None:
        lines.append(f"players: {' '.join(record.players)}")
    if record.before is not None:
        lines.append(f"before: {format_seats(record.before)}")
    lines += [f"deal {seat}: {format_hand(hand)}" for seat, hand in enumerate(record.deal)]
    lines += [f"{gift.giver} gives {gift.taker}: {format_hand(gift.cards)}" for gift in record.gifts]
    for trick in tricks(record):
        line = ""
        for turn in trick:
            written = f"{turn.seat}: {format_play(turn.play)}"
            if len(line) + len(written) > _WIDTH:
                lines.append(line)
                line = _INDENT + written
            else:
                line += f" / {written}" if line else written
        lines.append(line)
    return "\n".join([*lines, f"result: {format_seats(record.result)}"])


class _Reader:
    """The parts of one game as they are read."""

    def __init__(self, place: str, line: int) -> None:
        self._place = place
        self._line = line
        self._name = ""
        self._players: tuple[str, ...] | None = None
        self._before: tuple[int, ...] | None = None
        self._deal: dict[int, Hand] = {}
        self._gifts: list[Gift] = []
        self._turns: list[Turn] = []
        self._lines: list[int] = []

    def read(self, part: str, line: int) -> Record | None:
        """Read one part; returns the game after its last part."""
        self._line, self._name = line, ""
        match = _PART.fullmatch(part)
        if match is None:
            self.fail(f"expected a turn like 0: S3 or another part of a game, found {shown(part)}")
        self._name = part.partition(":")[0].strip()
        if match["head"] is not None:
            return self._read_head(match["head"].lower(), match["of_head"])
        if match["dealt"] is not None:
            self._read_deal(int(match["dealt"]), match["of_deal"])
        elif match["giver"] is not None:
            self._after_the_deal()
            if self._turns:
                self.fail("the exchange comes before the first turn")
            cards = read_hand(match["of_gift"], self.fail)
            self._gifts.append(Gift(int(match["giver"]), int(match["taker"]), cards))
        else:
            self._after_the_deal()
            self._turns.append(Turn(int(match["seat"]), read_play(match["of_turn"], self.fail)))
            self._lines.append(line)
        return None

    def _read_head(self, name: str, text: str) -> Record | None:
        if name == "result":
            self._after_the_deal()
            return self._record(read_order(text, self.fail))
        if self._deal:
            self.fail("comes before the deal; a game ends with result:")
        if name == "players":
            if self._players is not None:
                self.fail("is given twice")
            self._players = tuple(text.split())
            if len(self._players) != PLAYERS:
                self.fail(f"{len(self._players)} names; there are {PLAYERS}, by seat")
        else:
            if self._before is not None:
                self.fail("is given twice")
            self._before = read_order(text, self.fail)
        return None

    def _read_deal(self, seat: int, text: str) -> None:
        if seat in self._deal:
            self.fail("is given twice; a game ends with result:")
        self._deal[seat] = read_hand(text, self.fail)
        self._name = ""
        twice([(f"deal {each}", hand) for each, hand in self._deal.items()], self.fail)

    def _after_the_deal(self) -> None:
        """Fail unless all hands are there."""
        missing = [seat for seat in range(PLAYERS) if seat not in self._deal]
        if missing:
            self._name = ""
            self.fail(f"deal {missing[0]}: is missing: the hands come first, one for each seat")
        left = frozenset(PACK).difference(*self._deal.values())
        if left:
            self._name = ""
            self.fail(f"missing in the deal: {listed(left)}")

    def _record(self, result: tuple[int, ...]) -> Record:
        return Record(
            deal=tuple(self._deal[seat] for seat in range(PLAYERS)),
            turns=tuple(self._turns),
            result=result,
            before=self._before,
            gifts=tuple(self._gifts),
            players=self._players,
            lines=tuple(self._lines),
        )

    def unfinished(self) -> Record:
        """The game as far as it was read."""
        self._after_the_deal()
        return self._record(())

    def fail_at_end(self) -> NoReturn:
        """The user's error that the game does not end."""
        self._name = ""
        self.fail("result: is missing: the seats as they finished")

    def fail(self, message: str) -> NoReturn:
        """The user's error in this game, on the line that is read."""
        name = f"{self._name}: " if self._name else ""
        raise UserError(f"{self._place}, line {self._line}", name + message)
