"""Games of Daihinmin as clients log them: by player, with the seats that they sit on.

    player one two three four five                  names; may be left out
    /*
    game 0
    class 0 1 2 3 4                                 each player's rank of the game before
    seat 4 2 0 1 3                                  each player's seat
    dealt { s7 d8 ... } { d3 d5 ... } { ... } { ... } { ... jo }
    changed { } { } { } { } { }                     what each gives; nothing in a game without ranks
    play d-3[269244] d-4[439146] c-jqk[303801] p[84] h-678(7)[98] ...
    result 1 0 4 2 3                                each player's rank

A play is its suits and ranks with a dash between (``chs-3``: three of a kind; ``c-jqk``: a sequence), ``jo``, the
joker alone, or ``p``, a pass; what stands in brackets is the time that it took. The joker among other cards is
written as the rank (in a sequence) or suit (in a group) that it stands for: ``h-678(7)``, ``chs-3(s)``. Whose turn it
is follows from the rules. Other lines, such as ``score`` and ``original``, mean nothing. The grammar::

    game     = { "player" name name name name name end } "game" number end { field end }
    field    = "class" numbers | "seat" numbers | "result" numbers | "dealt" hands | "changed" hands | "play" { play }
    numbers  = number number number number number
    hands    = hand hand hand hand hand
    hand     = "{" { card } "}"
    play     = ( "p" | "jo" | suit { suit } "-" rank { rank } [ "(" ( rank | suit ) ")" ] ) [ "[" time "]" ]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NoReturn, TypeVar

from engines.daifugo import dealing, rules
from engines.daifugo.dealing import Gift, Hands
from engines.daifugo.replay import Record, Turn
from engines.daifugo.rules import PACK, PASS, PLAYERS, Hand, Play
from engines.daifugo.text import listed, read_hand, read_play
from engines.text.textfile import shown
from storage.errors import UserError

Each = TypeVar("Each")

BEGINS = re.compile(r"\s*(?:/\*|player\s+[^:]*$|game\s+[0-9]+\s*$)", re.IGNORECASE)
"""Pattern of the beginning of such a text."""
_FIELDS = ("game", "player", "class", "seat", "dealt", "changed", "play", "result")
_HAND = re.compile(r"\{([^{}]*)\}")
_PLAY = re.compile(r"([cdhs]+)-([0-9tjqka]+)(?:\(([^()]*)\))?", re.IGNORECASE)
_TIME = re.compile(r"\[[0-9]*\]$")


def read_logs(lines: Iterable[tuple[int, str]], source: str) -> Iterator[Record]:
    """The games of numbered lines; UserError that names ``source``, game and line when one cannot be read."""
    names: tuple[str, ...] | None = None
    game, count = None, 0
    number = 0
    for number, line in lines:
        head, _, told = line.strip().partition(" ")
        if head.lower() not in _FIELDS:
            continue
        if head.lower() == "player":
            names = tuple(told.split())
        elif head.lower() == "game":
            if game is not None:
                game.fail("result is missing: what each player's rank is", number)
            count += 1
            game = _Game(f"{source}, game {count}", names)
        elif game is None:
            raise UserError(f"{source}, line {number}", f"expected a game, found {shown(line.strip())}")
        else:
            game.told[head.lower()] = (number, told)
            if head.lower() == "result":
                yield game.record(number)
                game = None
    if game is not None:
        game.fail("result is missing: what each player's rank is", number)


class _Game:
    """The fields of one game as they are read."""

    def __init__(self, place: str, names: tuple[str, ...] | None) -> None:
        self._place = place
        self._names = names
        self._line = 0
        self.told: dict[str, tuple[int, str]] = {}

    def record(self, line: int) -> Record:
        """The game, with all of its fields."""
        self._line = line
        seats = self._numbers("seat")
        if self._names is not None and len(self._names) != PLAYERS:
            self._fail(f"{len(self._names)} players; there are {PLAYERS}")
        dealt = self._by_seat(seats, "dealt")
        left = frozenset(PACK).difference(*dealt)
        if left or sum(map(len, dealt)) != len(PACK):
            self._fail(f"missing in what is dealt: {listed(left)}" if left else "a card is dealt twice")
        before, gifts = self._exchange(seats)
        hands = dealing.give(dealt, gifts) if self._can_give(dealt, gifts) else dealt
        return Record(
            deal=dealt,
            turns=tuple(self._turns(hands)),
            result=_order(seats, self._numbers("result")),
            before=before,
            gifts=gifts,
            players=None if self._names is None else tuple(_sorted(seats, self._names)),
        )

    def _exchange(self, seats: tuple[int, ...]) -> tuple[tuple[int, ...] | None, tuple[Gift, ...]]:
        """The seats by ranks of the game before, and what each gives; the tributes first."""
        if "changed" not in self.told:
            return None, ()
        given = self._by_seat(seats, "changed")
        if not any(given):
            return None, ()
        before = _order(seats, self._numbers("class"))
        gifts = [
            Gift(giver, taker, given[giver])
            for giver, taker in zip(before, reversed(before), strict=True)
            if given[giver]
        ]
        return before, tuple(reversed(gifts))

    def _can_give(self, hands: Hands, gifts: tuple[Gift, ...]) -> bool:
        return all(gift.cards <= hands[gift.giver] for gift in gifts)

    def _turns(self, hands: Hands) -> Iterator[Turn]:
        """Each play with the seat to move; from the first illegal play on always that seat, so that the referee
        reports it."""
        line, text = self._field("play")
        self._line = line
        now, is_legal = dealing.first_position(hands), True
        for word in text.split():
            play = self._play(_TIME.sub("", word))
            yield Turn(now.turn, play)
            is_over = rules.is_over(now) or rules.is_stalled(now)
            hand = now.hands[now.turn]
            is_legal &= not is_over and play.cards <= hand and rules.illegal(hand, now.field, play) is None
            if is_legal:
                now = rules.apply(now, play)

    def _play(self, word: str) -> Play:
        if word.lower() == "p":
            return PASS
        if word.lower() == "jo":
            return read_play("JK", self._fail)
        match = _PLAY.fullmatch(word)
        if match is None:
            self._fail(f"play: {shown(word)} is no play like d-3, ch-4, c-jqk, jo or p")
        suits, ranks, joker = match[1].upper(), match[2].upper(), (match[3] or "").upper()
        cards = [suit + rank for suit in suits for rank in ranks]
        stands = "" if not joker else suits + joker if joker in ranks else joker + ranks
        if stands and stands not in cards:
            self._fail(f"play: {shown(word)}: no card of it is what the joker stands for")
        return read_play(" ".join(f"JK={each}" if each == stands else each for each in cards), self._fail)

    def _by_seat(self, seats: tuple[int, ...], name: str) -> Hands:
        self._line, text = self._field(name)
        words = _HAND.findall(text)
        if len(words) != PLAYERS:
            self._fail(f"{name}: {len(words)} hands in braces; there are {PLAYERS}")
        hands: list[Hand] = [read_hand(each, self._fail) if each.strip() else frozenset() for each in words]
        return tuple(_sorted(seats, hands))

    def _numbers(self, name: str) -> tuple[int, ...]:
        self._line, text = self._field(name)
        if sorted(text.split()) != [str(number) for number in range(PLAYERS)]:
            self._fail(f"{name}: {shown(text.strip())} must be the numbers 0 to {PLAYERS - 1} in some order")
        return tuple(map(int, text.split()))

    def _field(self, name: str) -> tuple[int, str]:
        if name not in self.told:
            self._fail(f"{name} is missing")
        return self.told[name]

    def _fail(self, message: str) -> NoReturn:
        self.fail(message, self._line)

    def fail(self, message: str, line: int) -> NoReturn:
        """The user's error in this game."""
        raise UserError(f"{self._place}, line {line}", message)


def _sorted(seats: tuple[int, ...], of_players: Iterable[Each]) -> list[Each]:
    """Values by player, put in the order of seats."""
    return [each for _, each in sorted(zip(seats, of_players, strict=True), key=lambda pair: pair[0])]


def _order(seats: tuple[int, ...], ranks: tuple[int, ...]) -> tuple[int, ...]:
    """The seats in the order of their players' ranks."""
    return tuple(seat for _, seat in sorted(zip(ranks, seats, strict=True)))
