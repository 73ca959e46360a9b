"""Games of single-suit trick taking that have begun, as text.

    A=7,6,4 B=5,3,2,1 points=8,7,6,5 leads=A table=8
    A=6,4 B=5,3 points=8,7,6,5 leads=A A-won=8,2 B-won=7,1

A position has the hands, all point cards of the deal, who leads the trick, the card on the table if there is one,
and the cards that each has taken. ``-`` is no card. The grammar::

    position = part { part } end                      (each part once, in any order; ``#`` starts a comment)
    part     = ( "A" | "B" | "points" | "table" | "A-won" | "B-won" ) "=" cards | "leads=" ( "A" | "B" )
    cards    = "-" | number { "," number }

What is left out is empty, and A leads. Cards are those of a deal (``text``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engines.text.textfile import shown, whole_number
from engines.tricks.rules import Hand
from engines.tricks.text import CARD_MAX, PLAYED_MAX
from storage.errors import UserError

NO_CARDS = "-"
_NAMES = ("A", "B", "points", "table", "A-won", "B-won")
BEGUN = re.compile(r"\b(?:points|leads|table|[AB]-won)=", re.IGNORECASE)
"""What a deal does not have."""


@dataclass(frozen=True)
class Position:
    """A game that has begun. Left has A, Right B."""

    left: Hand
    """Descending."""
    right: Hand
    points: frozenset[int]
    """All point cards of the deal."""
    left_leads: bool
    """Who has led the trick, or is to."""
    table: int | None = None
    """The card that was led, of neither hand any more."""
    left_won: Hand = ()
    """In the order of tricks."""
    right_won: Hand = ()

    @property
    def is_over(self) -> bool:
        """Whether all cards were played."""
        return not self.left and not self.right and self.table is None

    @property
    def left_to_play(self) -> bool:
        """Whose turn it is."""
        return self.left_leads == (self.table is None)

    def points_of(self, won: Hand) -> int:
        """Point cards among those that were taken."""
        return len(self.points.intersection(won))


def read_position(text: str, place: str) -> Position:
    """A position; UserError that names ``place`` and the part that is wrong."""
    told: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        name = next((each for each in (*_NAMES, "leads") if each.upper() == name.upper()), "")
        if not equals or not name:
            raise UserError(place, f"{shown(word)} is not one of {'=, '.join((*_NAMES, 'leads'))}=")
        if name in told:
            raise UserError(place, f"{name} is given twice")
        told[name] = value
    cards = {name: _read_cards(name, told.get(name, NO_CARDS), place) for name in _NAMES}
    if told.get("leads", "A").upper() not in ("A", "B"):
        raise UserError(place, f"leads: {shown(told['leads'])} is neither A nor B")
    position = Position(
        left=tuple(sorted(cards["A"], reverse=True)),
        right=tuple(sorted(cards["B"], reverse=True)),
        points=frozenset(cards["points"]),
        left_leads=told.get("leads", "A").upper() == "A",
        table=cards["table"][0] if cards["table"] else None,
        left_won=cards["A-won"],
        right_won=cards["B-won"],
    )
    problem = _problem(position, cards["table"])
    if problem is not None:
        raise UserError(place, problem)
    return position


def format_position(position: Position) -> str:
    """On one line; ``read_position`` gives it back."""
    table = () if position.table is None else (position.table,)
    parts = [("A", position.left), ("B", position.right), ("points", sorted(position.points, reverse=True))]
    parts += [
        (name, cards)
        for name, cards in (("table", table), ("A-won", position.left_won), ("B-won", position.right_won))
        if cards
    ]
    words = [f"{name}={','.join(map(str, cards)) or NO_CARDS}" for name, cards in parts]
    words.insert(3, f"leads={'A' if position.left_leads else 'B'}")
    return " ".join(words)


def lines_of(text: str, source: str) -> Iterator[tuple[str, str]]:
    """Each line with content, without its comment, and its place."""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.partition("#")[0].strip()
        if content:
            yield content, f"{source}, line {number}"


def _read_cards(name: str, text: str, place: str) -> Hand:
    if text == NO_CARDS:
        return ()
    found = []
    for word in text.split(","):
        card = whole_number(word, CARD_MAX)
        if not card:
            raise UserError(place, f"{name}: {shown(word)} is not a card, a number from 1 to {CARD_MAX}")
        found.append(card)
    return tuple(found)


def _problem(position: Position, table: Hand) -> str | None:
    if len(table) > 1:
        return f"table: {len(table)} cards; one at most lies there before the trick is over"
    cards = [*position.left, *position.right, *table, *position.left_won, *position.right_won]
    doubled = next((card for card in cards if cards.count(card) > 1), None)
    if doubled is not None:
        return f"card {doubled} is there twice"
    # The card on the table is one of who leads.
    left_count = len(position.left) + (len(table) if position.left_leads else 0)
    right_count = len(position.right) + (0 if position.left_leads else len(table))
    if left_count != right_count:
        return (
            f"A has {left_count} cards and B has {right_count}, that on the table counted; both have as many"
        )
    if not 1 <= len(cards) <= 2 * PLAYED_MAX:
        return f"{len(cards)} cards; there may be 2 to {2 * PLAYED_MAX}"
    if len(position.left_won) % 2 or len(position.right_won) % 2:
        return "who takes a trick takes two cards"
    missing = position.points.difference(cards)
    return f"points: card {min(missing)} is nowhere" if missing else None
