"""Moves of Calculation in words and as JSON values. Foundations and stacks are counted from 0, as boards show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.calculation import rules
from engines.calculation.laid import laid_count
from engines.calculation.position import format_board, format_position, untold
from engines.calculation.record import written_moves
from engines.calculation.rules import DRAWN, FOUNDATIONS, Move, Position
from engines.calculation.text import name_of, ranks_of
from engines.solitaire.telling import ToldMove


def tell_moves(deck: Sequence[int], moves: Sequence[Move], stacks: int) -> Iterator[ToldMove]:
    """The legal moves of a game: ``7 from the pile to stack 0``, each with the board after it."""
    ranks = ranks_of(deck)
    before, pile = rules.start(ranks, stacks), iter(deck)
    after = rules.positions(deck, moves, ranks, stacks)
    told = zip(moves, written_moves(deck, moves), after, strict=True)
    for number, (move, written, position) in enumerate(told):
        card = name_of(next(pile) if move.source == DRAWN else before.stacks[move.source][-1])
        source, target, words = places_of(card, move)
        values = {"move": written, "cards": [card], "from": source.removeprefix("the "), "to": target}
        yield ToldMove(written, words, values, *_shown(position), number < laid_count(deck))
        before = position


def places_of(card: str, move: Move) -> tuple[str, str, str]:
    """From where and to where a card goes, and both in words."""
    source = "the pile" if move.source == DRAWN else f"stack {move.source}"
    foundation = move.target < FOUNDATIONS
    target = f"foundation {move.target}" if foundation else f"stack {move.target - FOUNDATIONS}"
    return source, target, f"{card} from {source} to {target}"


def _shown(position: Position) -> tuple[str, str]:
    """A position as it is read, and as a board."""
    targets = untold(position)
    return format_position(position, targets), "\n".join(format_board(position, targets))
