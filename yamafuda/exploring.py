"""Positions whose worth is known exactly: what every play is worth, and what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.contract.exploring import Explored, Explorer
    from engines.contract.options import Option


@dataclass(frozen=True)
class Explorable:
    """A game that can be explored."""

    name: str
    title: str
    value_name: str
    row_name: str
    """What is played next, such as ``card``."""
    place_name: str
    """Where it goes, such as ``stack``."""
    start_options: tuple[Option, ...]
    """The options in which its first positions differ."""
    examples: tuple[tuple[str, str], ...]
    """Positions to begin with: a description and a text for each."""
    form: str
    """How a position is written."""
    table_command: str
    """The command that makes a table."""


def explorable() -> list[Explorable]:
    """All games that can be explored."""
    from engines.contract.registry import games

    return [explorable_game(game.name) for game in games() if game.explorer() is not None]


def explorable_game(name: str) -> Explorable:
    """A game by its name; UserError when there is none, or it cannot be explored."""
    from engines.contract.registry import game

    found, explorer = game(name), _explorer(name)
    return Explorable(
        name,
        found.title,
        explorer.value_name,
        explorer.row_name,
        explorer.place_name,
        tuple(explorer.options()),
        explorer.examples,
        " ".join(found.forms.values()),
        explorer.table_command,
    )


def first_position(name: str, **options: Any) -> str:
    """The text of a game's first position; UserError for unknown options, or for options that contradict each other.

    first_position("stackgame", stacks=3, boards=2, cards=5)
    """
    return _explorer(name).start_of(options)


def stored_positions(name: str) -> list[tuple[str, str]]:
    """The first positions of the games that have finished tables: a description and a text for each."""
    from pipeline.roots import roots

    return _explorer(name).stored_starts(roots()["tables"])


def explore(name: str, position: str, *, editing: bool = False) -> Explored:
    """The value of each play in a position: from a finished table (``stored`` names it), or else computed.

    ``editing``: also positions that differ from it a little. UserError for a text that cannot be read. A position
    that takes too long has no values; ``problem`` says why.
    """
    found = _explore(name, position, True, editing)
    assert found is not None, "values that no table has are computed"
    return found


def explore_stored(name: str, position: str, *, editing: bool = False) -> Explored | None:
    """As ``explore``, without computing; None when no finished table has the position."""
    return _explore(name, position, False, editing)


def _explore(name: str, position: str, computing: bool, editing: bool) -> Explored | None:
    from pipeline.roots import roots

    return _explorer(name).explore(position, roots()["tables"], computing, editing)


def drawn_position(name: str, position: str) -> str:
    """A position as HTML with SVG in it; the page has ``yamafuda.cards.STYLE``. Empty for a game that draws none."""
    from engines.contract.registry import game
    from yamafuda.cards import drawn

    positions = game(name).positions()
    if positions is None:
        return ""
    (found,) = positions.read(position, "position")
    return drawn(positions.picture(found))


def _explorer(name: str) -> Explorer:
    from engines.contract.registry import game
    from storage.errors import UserError

    found = game(name).explorer()
    if found is None:
        raise UserError(name, "this game has no explorer")
    return found
