"""Positions of single-suit trick taking for every door.

Moves are the cards in the order in which they are played, with or without a slash between tricks: ``8 5 / 7 3``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from engines.contract.blank import Blank
from engines.contract.options import option
from engines.contract.picture import Picture
from engines.contract.positions import NOT_FINISHED, Play, Positions, Replayed, only_one
from engines.text.textfile import shown, whole_number
from engines.text.words import count_of
from engines.tricks.picture import picture
from engines.tricks.position import BEGUN, Position, format_position, lines_of, read_position
from engines.tricks.text import CARD_MAX, PLAYED_MAX, WrittenDeal, format_deal, read_deals
from storage.errors import UserError


class Points(StrEnum):
    """Which cards of a deal are point cards."""

    highest = "highest"
    lowest = "lowest"


class Aim(StrEnum):
    """Whether they are to be won or avoided."""

    most = "most"
    fewest = "fewest"


class Leader(StrEnum):
    """Who leads the first trick."""

    A = "A"
    B = "B"


@dataclass(unsafe_hash=True)
class Rules:
    """The rules of a game; positions in the middle of a game have their own points and leader."""

    points: Points = option(Points.highest, "Which cards of a deal are point cards.")
    aim: Aim = option(Aim.most, "Point cards are to be won (most) or to be avoided (fewest).")
    leads: Leader = option(Leader.A, "Who leads the first trick of a deal.")


@dataclass(unsafe_hash=True)
class Sizes:
    """The size of a deal."""

    cards: int = option(4, "Cards of each player.", least=1, most=PLAYED_MAX)
    k: int = option(4, "Point cards.", most=2 * PLAYED_MAX)


class TricksPositions(Positions[Position]):
    """Deals, and games that have begun."""

    options = Rules
    sizes = Sizes

    def blank(self, sizes: Sizes) -> Blank:
        """Both hands."""
        names = {str(card): 1 for card in range(1, 2 * sizes.cards + 1)}
        return Blank(
            (("Left (A)", sizes.cards), ("Right (B)", sizes.cards)), names, f"1 to {2 * sizes.cards}"
        )

    def card(self, word: str) -> str | None:
        """A number."""
        number = whole_number(word, CARD_MAX)
        return str(number) if number else None

    def filled(self, sizes: Sizes, names: Sequence[Sequence[str]]) -> str:
        """A deal."""
        return f"A={','.join(names[0])} B={','.join(names[1])} k={sizes.k}"

    def read(self, text: str, name: str) -> list[Position]:
        """A line each. The point cards of deals are the highest, and A leads."""
        return [_read(line, place, Rules()) for line, place in lines_of(text, name)]

    def write(self, position: Position) -> str:
        """As one that has begun."""
        return format_position(position)

    def picture(self, position: Position) -> Picture:
        """Hands, table, what was taken."""
        return picture(position)

    def plays(self, position: Position, rules: Rules) -> Iterator[Play[Position]]:
        """Every card of the player whose turn it is."""
        for card in position.left if position.left_to_play else position.right:
            yield _play(position, card)

    def replay(self, deal: str, moves: str, rules: Rules) -> Replayed[Position]:
        """Cards in the order of play."""
        start = only_one([_read(line, place, rules) for line, place in lines_of(deal, "deal")], "deal")
        steps: list[Play[Position]] = []
        now = start
        for number, word in enumerate(moves.replace("/", " ").replace(",", " ").split(), start=1):
            card = whole_number(word, CARD_MAX)
            if not card:
                raise UserError("moves", f"card {number}: {shown(word)} is not a card, a number from 1 on")
            hand = now.left if now.left_to_play else now.right
            if card not in hand:
                who = "Left" if now.left_to_play else "Right"
                held = " ".join(map(str, hand)) or "no card"
                problem = f"card {number}, {card}: it is {who}'s turn, who has {held}"
                return Replayed(start, tuple(steps), problem, NOT_FINISHED)
            steps.append(_play(now, card))
            now = steps[-1].after
        return Replayed(start, tuple(steps), None, _ending(now, rules))

    def asked(self, position: Position) -> tuple[str, Mapping[str, Any]] | None:
        """The deal that is left, with a card that was led still in its hand; None at the end."""
        table = () if position.table is None else (position.table,)
        left = tuple(sorted((*position.left, *(table if position.left_leads else ())), reverse=True))
        right = tuple(sorted((*position.right, *(() if position.left_leads else table)), reverse=True))
        order = sorted(left + right, reverse=True)
        marks = [card in position.points for card in order]
        above, count = (marks.index(True), sum(marks)) if any(marks) else (0, 0)
        if not order or not all(marks[above : above + count]):
            return None
        ends = {0: "highest", len(order) - count: "lowest"}
        return format_deal(WrittenDeal(left, right, count)), {"points": ends.get(above, str(above))}


def _read(line: str, place: str, rules: Rules) -> Position:
    if BEGUN.search(line):
        return read_position(line, place)
    (deal,) = read_deals(line, place.partition(", line")[0])
    order = sorted(deal.left + deal.right, reverse=rules.points == Points.highest)
    return Position(deal.left, deal.right, frozenset(order[: deal.count]), rules.leads == Leader.A)


def _play(position: Position, card: int) -> Play[Position]:
    """A card of who has the turn."""
    is_left = position.left_to_play
    who = "Left" if is_left else "Right"
    left = tuple(each for each in position.left if each != card)
    right = tuple(each for each in position.right if each != card)
    after = replace(position, left=left, right=right)
    if position.table is None:
        return Play(str(card), f"{who} leads {card}", replace(after, table=card))
    trick = (position.table, card)
    left_takes = is_left == (card > position.table)
    taker = "Left" if left_takes else "Right"
    points = count_of(position.points_of(trick), "point card")
    after = replace(
        after,
        table=None,
        left_leads=left_takes,
        left_won=position.left_won + (trick if left_takes else ()),
        right_won=position.right_won + (() if left_takes else trick),
    )
    return Play(str(card), f"{who} plays {card}; {taker} takes the trick, {points}", after)


def _ending(position: Position, rules: Rules) -> str:
    if not position.is_over:
        return NOT_FINISHED
    left, right = position.points_of(position.left_won), position.points_of(position.right_won)
    if left == right:
        return "drawn"
    return "Left wins" if (left > right) == (rules.aim == Aim.most) else "Right wins"
