"""The referee of the best play: the chance to win by the rules alone, slow, plain, sharing no code with the core."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from engines.calculation import rules
from engines.calculation.rules import Position

Known = dict[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], Fraction]


def chance(position: Position, known: Known | None = None) -> Fraction:
    """The chance that the best play wins from a position between two draws, all orders of the pile being as likely.

    It is the mean over the cards of the pile of the best that can be done with each. Only few cards may be left: the
    time grows about fivefold with each.
    """
    known = {} if known is None else known
    key = position.heights, tuple(sorted(position.stacks))
    if key not in known:
        pile = position.pile()
        cards_count = sum(pile.values())
        if cards_count == 0:
            known[key] = Fraction(position.is_won())
        else:
            known[key] = Fraction(0)
            for rank, count in pile.items():
                if count:
                    best = max(chance(after, known) for after in turns(position, rank))
                    known[key] += Fraction(count, cards_count) * best
    return known[key]


def turns(position: Position, rank: int) -> Iterator[Position]:
    """All positions to which a drawn card can lead, some of them several times."""
    drawn = rules.draw(position, rank)
    left = [rules.play(drawn, move) for move in rules.legal_moves(drawn)]
    while left:
        after = left.pop()
        yield after
        left += [rules.play(after, move) for move in rules.legal_moves(after)]
