"""Deals that are typed card by card: their cells, and what is wrong in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.options import Option
    from engines.contract.positions import Positions


@dataclass(frozen=True)
class Cell:
    """A cell of a deal."""

    typed: str
    mistake: str
    """What is wrong there; empty when nothing is."""


@dataclass(frozen=True)
class Sheet:
    """A deal that is filled in."""

    sizes: tuple[Option, ...]
    """The options that set its size."""
    chosen: Mapping[str, Any]
    """Their values."""
    piles: tuple[tuple[str, tuple[Cell, ...]], ...]
    """Name and cells of each pile."""
    example: str
    """How cards are typed."""
    missing: str
    """The cards that are missing, in words; empty when every card has a cell."""
    holes_count: int
    """Cells that stay empty."""
    deal: str
    """The deal's text; empty while the deal is not complete."""


def can_be_filled(game: str) -> bool:
    """Whether deals of a game can be typed card by card."""
    from engines.contract.registry import game as declared

    positions = declared(game).positions()
    return positions is not None and positions.blank(positions.sizes()) is not None


def sheet(
    game: str, sizes: Mapping[str, str] | None = None, typed: Sequence[Sequence[str]] | None = None
) -> Sheet:
    """A deal of these sizes with what was typed in its cells, pile by pile; ``typed``: None before anything was.

    UserError for a game without such deals, and for impossible sizes.
    """
    from engines.contract.blank import filled
    from engines.contract.options import options_of
    from engines.contract.positions import made
    from engines.contract.registry import game as declared
    from engines.text.cards import shown_card
    from storage.errors import UserError

    positions: Positions[Any] | None = declared(game).positions()
    values = {name: value for name, value in (sizes or {}).items() if value != ""}
    chosen = None if positions is None else made(positions.sizes, values)
    blank = None if positions is None else positions.blank(chosen)
    if positions is None or blank is None:
        raise UserError(game, "its deals are not typed card by card")
    found = filled(blank, typed or [], positions.card)
    words = [
        [*(typed[pile] if typed and pile < len(typed) else ()), *[""] * count][:count]
        for pile, (_, count) in enumerate(blank.piles)
    ]
    return Sheet(
        sizes=tuple(options_of(positions.sizes)),
        chosen=vars(chosen),
        piles=tuple(
            (
                title,
                tuple(
                    Cell(word, "" if typed is None else found.mistakes.get((pile, cell), ""))
                    for cell, word in enumerate(words[pile])
                ),
            )
            for pile, (title, _) in enumerate(blank.piles)
        ),
        example=blank.example,
        missing=", ".join(
            shown_card(name) + (f" ×{count}" if count > 1 else "") for name, count in found.missing.items()
        ),
        holes_count=blank.holes_count,
        deal=positions.filled(chosen, found.names) if found.is_whole else "",
    )
