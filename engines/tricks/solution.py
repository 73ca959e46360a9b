"""The answers about a single deal: values, the matrices of its first trick, best cards, swaps.

Deals of more than ``PLAYED_MAX`` cards each are not played; where a rule tells their values (``large``), they have all
of it but the swaps.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from engines import _native
from engines.contract.limit import LimitHitError
from engines.tricks import large, rules
from engines.tricks.deal import pattern_of, point_cards
from engines.tricks.rules import Hand
from engines.tricks.text import PLAYED_MAX, WrittenDeal
from storage.errors import UserError

STATES_MAX = 100_000_000
"""Most states: about 2 GB; no deal that was tried needs a hundredth of it."""
REFEREE_CARDS = 5
"""Deals of up to so many cards each are also played by the referee."""

PLAYED = "played to the end"

Matrix = list[list[int]]


@dataclass(frozen=True)
class Rules:
    """Which cards are point cards, and whether they are to be won."""

    points: str = "highest"
    """``highest``, ``lowest``, or the number of cards above them."""
    aim: str = "most"

    def above(self, cards: int, count: int) -> int:
        """Cards above the ``count`` point cards of 2 * ``cards`` cards."""
        if self.points == "highest":
            return 0
        return 2 * cards - count if self.points == "lowest" else int(self.points)


@dataclass(frozen=True)
class Table:
    """A deal's values and matrices. Left's points throughout; rows are Left's cards, columns Right's, descending."""

    left: Hand
    right: Hand
    value_left_leads: int
    value_right_leads: int
    G: Matrix
    """With the first trick's points."""
    W: Matrix
    """Without them."""


@dataclass(frozen=True)
class Swap:
    """Two cards that follow one another change hands."""

    left_gives: int
    left_gets: int
    after: Table


@dataclass(frozen=True)
class Solution:
    """All that is known of a deal."""

    table: Table
    point_cards: list[int]
    """Descending."""
    left_leads: list[int]
    """Best cards of Left in the lead."""
    right_leads: list[int]
    right_replies: dict[int, list[int]]
    """Best cards of Right after each card that Left leads."""
    left_replies: dict[int, list[int]]
    swaps: list[Swap]
    """From the lowest pair up."""
    states_count: int
    known: str
    """How: ``PLAYED``, or what a rule rests on."""


def solve(deal: WrittenDeal, chosen: Rules) -> Solution:
    """Everything about a deal, by the core; small deals are played by the referee too.

    UserError when the point cards do not fit, or when a deal is too large to be played and no rule tells its value;
    LimitHitError when more than ``STATES_MAX`` states follow.
    """
    cards = len(deal.left)
    above = chosen.above(cards, deal.count)
    if above + deal.count > 2 * cards:
        raise UserError(
            "--points",
            f"{above} cards above {deal.count} point cards are more than the {2 * cards} cards dealt",
        )
    if cards > PLAYED_MAX:
        return _told(deal, above, chosen.aim)
    core = _Core(deal, above, chosen.aim)
    try:
        table = core.table(deal.left, deal.right)
        swaps = [Swap(*pair, core.table(*_swapped(deal, *pair))) for pair in _adjacent(deal)]
    except MemoryError:
        raise LimitHitError("states") from None
    return _solution(table, core.points, chosen.aim, swaps, core.solver.states_count, PLAYED)


def _told(deal: WrittenDeal, above: int, aim: str) -> Solution:
    """By a rule."""
    cards = len(deal.left)
    found = large.first_trick(deal, above, aim)
    if found is None:
        raise UserError(
            "deal",
            f"{cards} cards each; for more than {PLAYED_MAX} with such point cards there is no rule",
        )
    G, known = found
    points = _points(deal, above)
    W = [
        [gain - (len(points & {a, b}) if a > b else 0) for b, gain in zip(deal.right, row, strict=True)]
        for a, row in zip(deal.left, G, strict=True)
    ]
    values = [rules.of_matrix(G, left_leads, aim == "fewest") for left_leads in (True, False)]
    return _solution(Table(deal.left, deal.right, values[0], values[1], G, W), points, aim, [], 0, known)


def _solution(
    table: Table, points: frozenset[int], aim: str, swaps: list[Swap], states_count: int, known: str
) -> Solution:
    fewest = aim == "fewest"
    rows = dict(zip(table.left, table.G, strict=True))
    columns = dict(zip(table.right, (list(column) for column in zip(*table.G, strict=True)), strict=True))
    replies = [_best(table.right, row, not fewest) for row in rows.values()]
    answers = [_best(table.left, column, fewest) for column in columns.values()]
    return Solution(
        table,
        sorted(points, reverse=True),
        [card for card, row in rows.items() if rules.best(row, not fewest) == table.value_left_leads],
        [card for card, column in columns.items() if rules.best(column, fewest) == table.value_right_leads],
        dict(zip(table.left, replies, strict=True)),
        dict(zip(table.right, answers, strict=True)),
        swaps,
        states_count,
        known,
    )


def _points(deal: WrittenDeal, above: int) -> frozenset[int]:
    order = sorted(deal.left + deal.right)
    ranks = point_cards(len(deal.left), above, deal.count)
    return frozenset(card for rank, card in enumerate(order, start=1) if rank in ranks)


def _best(hand: Hand, gains: list[int], fewest: bool) -> list[int]:
    return [card for card, gain in zip(hand, gains, strict=True) if gain == rules.best(gains, fewest)]


def _adjacent(deal: WrittenDeal) -> list[tuple[int, int]]:
    """(Left's card, Right's card) that follow one another."""
    order = sorted(deal.left + deal.right)
    pairs = [pair for pair in itertools.pairwise(order) if (pair[0] in deal.left) != (pair[1] in deal.left)]
    return [(x, y) if x in deal.left else (y, x) for x, y in pairs]


def _swapped(deal: WrittenDeal, gives: int, gets: int) -> tuple[Hand, Hand]:
    left = tuple(sorted({*deal.left, gets} - {gives}, reverse=True))
    return left, tuple(sorted({*deal.right, gives} - {gets}, reverse=True))


class _Core:
    """The core with the deal's point cards, which stay where they are when hands change."""

    def __init__(self, deal: WrittenDeal, above: int, aim: str) -> None:
        self.points = _points(deal, above)
        self.aim = aim
        self.solver = _native.TricksSolver(aim, STATES_MAX)

    def table(self, left: Hand, right: Hand) -> Table:
        """Values and matrices; the first trick is checked against the values, and small deals against the referee."""
        values = [self._value(left, right, left_leads) for left_leads in (True, False)]
        W = [[self._value(_less(left, a), _less(right, b), a > b) for b in right] for a in left]
        G = [
            [rest + (len(self.points & {a, b}) if a > b else 0) for b, rest in zip(right, row, strict=True)]
            for a, row in zip(left, W, strict=True)
        ]
        fewest = self.aim == "fewest"
        agrees = values == [rules.of_matrix(G, left_leads, fewest) for left_leads in (True, False)]
        if agrees and len(left) <= REFEREE_CARDS:
            referee = rules.Deal(left, right, self.points, fewest)
            agrees = rules.payoff_matrix(referee) == G and rules.rest_matrix(referee) == W
        if not agrees:
            raise RuntimeError(f"the core's values of {left} and {right} are not what the rules say")
        return Table(left, right, values[0], values[1], G, W)

    def _value(self, left: Hand, right: Hand, left_leads: bool) -> int:
        points = self.points & {*left, *right}
        above = sum(card > max(points) for card in left + right) if points else 0
        return self.solver.value(len(left), pattern_of(left, right), above, len(points), left_leads)


def _less(hand: Hand, card: int) -> Hand:
    return tuple(each for each in hand if each != card)
