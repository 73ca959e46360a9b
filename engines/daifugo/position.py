"""Positions of Daihinmin: what the player whose turn it is knows, or all hands.

    turn: 0
    before: 2 0 4 1 3                the seats by their ranks in the game before, the first first
    0: C5 S7 H0 D2                   the hand of seat 0
    1: 7                             seat 1 has seven cards, which are not known
    2: 3
    3: 5
    4: -                             no cards left
    finished: 4                      seats without cards, the first to finish first
    field: S9                        what is to be beaten; left out when the field is empty
    last: 3                          who played it
    lock: S                          suits that are locked; left out without a lock
    revolution: yes                  left out when there is none
    passed: 1 2                      seats that are out until the trick is cleared
    passes: 2                        passes in a row up to now; left out when there is none
    played 3: C3; D4 H4; S9          all plays of a seat, the first first; so for the others
    played: C4 C6 H5 ...             other cards that are gone, by unknown players
    gave: C6                         what the player whose turn it is gave in the exchange
    got: D2                          and what it got

Lines come in any order, a blank line ends the position. Where a hand is not known, all cards that are gone must be
given (those on the field are given already); where all hands are known, the rest is gone. The grammar::

    positions = { blank line } [ position { blank line { blank line } position } ] { blank line }
    position  = { part end }
    part      = "turn:" seat | "last:" seat | "before:" seats | "finished:" seats | "passed:" seats
              | seat ":" hand | seat ":" number | "field:" play | "lock:" suit { suit } | "revolution:" ( "yes" | "no" )
              | "passes:" number | "played" seat ":" [ play { ";" play } ] | "played:" hand | "gave:" hand | "got:" hand
    seats     = { seat blanks }
    seat      = "0" | "1" | "2" | "3" | "4"
    end       = end of line | "/"                     (a position of lines joined by "/" ends with its line)
"""

from __future__ import annotations

import re
from typing import NoReturn

from engines.daifugo import rules
from engines.daifugo.rules import PACK, PASS, PASSES_MAX, PLAYERS, Field, Hand, Play
from engines.daifugo.text import (
    format_hand,
    format_play,
    format_seats,
    listed,
    numbered_lines,
    read_hand,
    read_order,
    read_play,
    read_seats,
    twice,
)
from engines.daifugo.view import View, problem
from engines.text import cards
from engines.text.textfile import shown
from storage.errors import UserError

HAND_MAX = 11
"""Most cards of a hand at a turn."""
_PART = re.compile(
    r"(?P<name>turn|before|[0-4]|finished|field|last|lock|revolution|passed|passes|played(?:\s+[0-4])?|gave|got)"
    r"\s*:(?P<text>.*)",
    re.IGNORECASE | re.ASCII,
)


def format_position(view: View, line_end: str = "\n") -> str:
    """The lines of a position; ``read_positions`` gives it back. ``line_end`` stands between them."""
    lines = [f"turn: {view.turn}"]
    if view.before is not None:
        lines.append(f"before: {format_seats(view.before)}")
    for seat, (hand, count) in enumerate(zip(view.hands, view.counts, strict=True)):
        lines.append(f"{seat}: {count if hand is None else format_hand(hand)}")
    if view.finished:
        lines.append(f"finished: {format_seats(view.finished)}")
    if view.field.play != PASS:
        lines.append(f"field: {format_play(view.field.play)}")
    lines.append(f"last: {view.last}")
    if view.field.lock:
        lines.append("lock: " + "".join(cards.SUITS[suit] for suit in sorted(view.field.lock)))
    if view.field.revolution:
        lines.append("revolution: yes")
    if view.passed:
        lines.append(f"passed: {format_seats(sorted(view.passed))}")
    if view.passes_count:
        lines.append(f"passes: {view.passes_count}")
    told = view.field.play.cards.union(*(play.cards for plays in view.plays for play in plays))
    for seat, plays in enumerate(view.plays):
        if plays:
            lines.append(f"played {seat}: {'; '.join(map(format_play, plays))}")
    if view.gone - told and None in view.hands:
        lines.append(f"played: {format_hand(view.gone - told)}")
    for name, given in (("gave", view.gave), ("got", view.got)):
        if given:
            lines.append(f"{name}: {format_hand(given)}")
    return line_end.join(lines)


def read_positions(text: str, source: str = "positions", may_be_over: bool = False) -> list[View]:
    """All positions of a text; UserError that names ``source``, position, line, place and card when one is wrong.

    ``may_be_over``: also positions in which the game is over.
    """
    found: list[View] = []
    reader: _Reader | None = None
    for number, line in [*numbered_lines(text), (0, "")]:
        parts = [part.strip() for part in line.split("/")]
        if len(parts) > 1 and reader is not None:
            found.append(reader.view())
            reader = None
        for part in filter(None, parts):
            reader = reader or _Reader(f"{source}, position {len(found) + 1}", number, may_be_over)
            reader.read(part, number)
        if reader is not None and (len(parts) > 1 or not line):
            found.append(reader.view())
            reader = None
    return found


class _Reader:
    """The parts of one position as they are read."""

    def __init__(self, place: str, line: int, may_be_over: bool) -> None:
        self._place = place
        self._may_be_over = may_be_over
        self._line = line
        self._begin = line
        self._part = ""
        self._told: set[str] = set()
        self._hands: dict[int, Hand | None] = {}
        self._counts: dict[int, int] = {}
        self._seats: dict[str, tuple[int, ...]] = {}
        self._plays: list[tuple[Play, ...]] = [()] * PLAYERS
        self._cards: dict[str, Hand] = {}
        self._play = PASS
        self._lock: frozenset[int] = frozenset()
        self._revolution = False
        self._passes_count = 0

    def read(self, part: str, line: int) -> None:
        """Read one part."""
        self._line, self._part = line, ""
        match = _PART.fullmatch(part)
        if match is None:
            self._fail(f"expected turn:, a hand like 0: or another part of a position, found {shown(part)}")
        name, text = " ".join(match["name"].lower().split()), match["text"].strip()
        if name in self._told:
            self._fail(f"{name} is given twice")
        self._told.add(name)
        self._part = name
        word = name.split()[0]
        if name.isdigit():
            self._read_hand(int(name), text)
        elif word in ("turn", "last", "finished", "passed"):
            self._seats[name] = read_seats(text, self._fail)
            if word in ("turn", "last") and len(self._seats[name]) != 1:
                self._fail("one seat must be given")
        elif name == "before":
            self._seats[name] = read_order(text, self._fail)
        elif name in ("played", "gave", "got"):
            self._cards[name] = read_hand(text, self._fail)
        elif word == "played":
            plays = text.split(";") if text else []
            self._plays[int(name.split()[1])] = tuple(self._read_play(play) for play in plays)
        elif name == "field":
            self._play = self._read_play(text)
        elif name == "lock":
            self._lock = self._read_lock(text)
        elif name == "revolution":
            if text.lower() not in ("yes", "no"):
                self._fail(f"{shown(text)} is neither yes nor no")
            self._revolution = text.lower() == "yes"
        else:
            self._passes_count = self._read_number(text, PASSES_MAX - (not self._may_be_over))

    def _read_hand(self, seat: int, text: str) -> None:
        if text.isdecimal():
            count = self._read_number(text, HAND_MAX)
            self._hands[seat] = None if count else frozenset()
            self._counts[seat] = count
            return
        hand = read_hand(text, self._fail)
        if len(hand) > HAND_MAX:
            self._fail(f"{len(hand)} cards; nobody has more than {HAND_MAX}")
        self._hands[seat] = hand
        self._counts[seat] = len(hand)

    def _read_number(self, text: str, most: int) -> int:
        if not re.fullmatch("[0-9]{1,3}", text) or int(text) > most:
            self._fail(f"{shown(text)} is no number up to {most}")
        return int(text)

    def _read_play(self, text: str) -> Play:
        play = read_play(text, self._fail)
        if play == PASS or rules.kind(play) is None:
            self._fail(f"{shown(text.strip())} is no single, group or sequence")
        return play

    def _read_lock(self, text: str) -> frozenset[int]:
        letters = text.upper().split() if " " in text else list(text.upper())
        if not letters or any(letter not in cards.SUITS for letter in letters):
            self._fail(f"{shown(text)} are no suits; a lock is like S or CD")
        return frozenset(map(cards.SUITS.index, letters))

    def view(self) -> View:
        """The position, when all of it was read."""
        self._line, self._part = self._begin, ""
        if "turn" not in self._seats:
            self._fail("turn: is missing: whose turn it is")
        missing = [seat for seat in range(PLAYERS) if seat not in self._hands]
        if missing:
            self._fail(f"{missing[0]}: is missing: the cards of seat {missing[0]}, or how many it has")
        turn = self._seats["turn"][0]
        if self._play != PASS and "last" not in self._seats:
            self._fail("last: is missing: who played what is on the field")
        last = self._seats.get("last", (turn,))[0]
        for seat, plays in enumerate(self._plays):
            # What is on the field may be among its plays.
            known = {*plays, *([self._play] if seat == last else [])}
            count = sum(len(play.cards) for play in known)
            if count + self._counts[seat] > HAND_MAX:
                held = f"seat {seat} played {count} cards and has {self._counts[seat]}"
                self._fail(f"{held}; nobody is dealt more than {HAND_MAX}")
        view = View(
            hands=tuple(self._hands[seat] for seat in range(PLAYERS)),
            counts=tuple(self._counts[seat] for seat in range(PLAYERS)),
            turn=turn,
            last=last,
            gone=self._gone(),
            field=Field(self._play, self._revolution, self._lock),
            passed=frozenset(self._seats.get("passed", ())),
            finished=self._seats.get("finished", ()),
            passes_count=self._passes_count,
            before=self._seats.get("before"),
            plays=tuple(self._plays),
            gave=self._cards.get("gave", frozenset()),
            got=self._cards.get("got", frozenset()),
        )
        is_over = self._may_be_over and len(view.finished) == PLAYERS
        wrong = None if is_over else problem(view)
        if wrong is not None:
            self._fail(wrong)
        return view

    def _gone(self) -> Hand:
        """All cards that were played."""
        played = [(f"played {seat}", play) for seat, plays in enumerate(self._plays) for play in plays]
        hands = [(f"seat {seat}", hand) for seat, hand in self._hands.items() if hand]
        gone = [(name, play.cards) for name, play in played]
        twice([*hands, *gone, ("played", self._cards.get("played", frozenset()))], self._fail)
        told = self._play.cards.union(self._cards.get("played", ()), *(play.cards for _, play in played))
        twice([*hands, ("field", self._play.cards)], self._fail)
        known = told.union(*(hand for hand in self._hands.values() if hand is not None))
        hidden_count = sum(self._counts[seat] for seat, hand in self._hands.items() if hand is None)
        left = frozenset(PACK) - known
        if hidden_count and len(left) != hidden_count:
            self._fail(
                f"{len(left)} cards are in no hand and were not played ({listed(left)}), but the hands that are not "
                f"known have {hidden_count}"
            )
        return told if hidden_count else told | left

    def _fail(self, message: str) -> NoReturn:
        part = f"{self._part}: " if self._part else ""
        raise UserError(f"{self._place}, line {self._line}", part + message)
