"""Games of Calculation that begin with a card on each foundation: the ace, two, three and four are laid there first.

Such a deck is a whole one, from which these are drawn first and have to go to the foundations that they begin.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.calculation.rules import DRAWN, FOUNDATIONS, Move

BASES = tuple(range(1, FOUNDATIONS + 1))
"""The rank that each foundation begins with."""


class LaidDeck(tuple[int, ...]):
    """Ranks from 1, each four times: ``BASES``, which lie on the foundations, then the others, first drawn first."""

    __slots__ = ()


def laid_count(deck: Sequence[int]) -> int:
    """How many cards of a deck lie on the foundations when the game begins."""
    return len(BASES) if isinstance(deck, LaidDeck) else 0


def laying_moves(deck: Sequence[int]) -> tuple[Move, ...]:
    """The moves that lay them there. Every game of the deck begins with them; they are not counted."""
    return tuple(Move(DRAWN, foundation) for foundation in range(laid_count(deck)))
