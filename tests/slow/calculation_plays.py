"""Calculation with the pile open as a formula of another kind than the core's: what is played at each turn.

It says what the rules say and nothing more, so that solvers need far longer for it. Plays, onto foundations, are
counted from 0; ``at(card, play)``: which card each one is; ``done(card, play)``: it was one of those before;
``drawn(card, play)``: the card has left the pile when that play is made; ``goes(card, foundation)``; ``waits(card,
stack)``, or it is played as it is drawn; ``under(lower, upper)``: both wait on one stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from engines.calculation import rules


class Formula:
    """Clauses, and the numbers of the variables in them."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self._numbers: dict[tuple[str | int, ...], int] = {}

    def variable(self, *name: str | int) -> int:
        """The number of a variable."""
        return self._numbers.setdefault(name, len(self._numbers) + 1)

    def imply(self, conditions: Sequence[int], conclusions: Sequence[int]) -> None:
        """Add: if all conditions hold, one conclusion does."""
        self.clauses.append([-condition for condition in conditions] + list(conclusions))

    def exactly_one(self, variables: Sequence[int]) -> None:
        """Add: one holds, no two do."""
        self.imply([], variables)
        for pair in combinations(variables, 2):
            self.imply(pair, [])


def formula_of_plays(deck: Sequence[int], stacks: int) -> list[list[int]]:
    """Clauses that can be satisfied if and only if the deck can be won."""
    formula, cards = Formula(), range(len(deck))
    of = formula.variable
    for play in cards:
        formula.exactly_one([of("at", card, play) for card in cards])
    for card in cards:
        formula.exactly_one([of("at", card, play) for play in cards])
        formula.exactly_one([of("goes", card, foundation) for foundation in range(rules.FOUNDATIONS)])
        formula.exactly_one([of("direct", card), *(of("waits", card, stack) for stack in range(stacks))])
        formula.imply([of("done", card, 0)], [])
        for play in cards:
            at, done, drawn = of("at", card, play), of("done", card, play), of("drawn", card, play)
            formula.imply([done], [of("done", card, play + 1)])
            formula.imply([at], [of("done", card, play + 1)])
            formula.imply([of("done", card, play + 1)], [done, at])
            formula.imply([at, done], [])
            formula.imply([at], [drawn])
            if play > 0:
                formula.imply([of("drawn", card, play - 1)], [drawn])
                formula.imply([at, of("direct", card), of("drawn", card, play - 1)], [])
            if card > 0:
                formula.imply([drawn], [of("drawn", card - 1, play)])
                before = card - 1
                formula.imply([of("at", before, play), of("direct", before), drawn], [])
    _add_rows(formula, deck)
    for lower, upper in combinations(cards, 2):
        for stack in range(stacks):
            formula.imply([of("waits", lower, stack), of("waits", upper, stack)], [of("under", lower, upper)])
        for play in cards:
            played_under = [of("under", lower, upper), of("at", lower, play), of("drawn", upper, play)]
            formula.imply(played_under, [of("done", upper, play)])
    return formula.clauses


def _add_rows(formula: Formula, deck: Sequence[int]) -> None:
    """Each foundation takes one card of each rank, in the order of its row."""
    of = formula.variable
    for foundation in range(rules.FOUNDATIONS):
        row = rules.row(foundation, len(deck) // rules.COPIES)
        for card, other in permutations(range(len(deck)), 2):
            both = [of("goes", card, foundation), of("goes", other, foundation)]
            if deck[card] == deck[other]:
                formula.imply(both, [])
            elif row.index(deck[other]) == row.index(deck[card]) + 1:
                for play in range(len(deck)):
                    formula.imply([*both, of("at", other, play)], [of("done", card, play)])
