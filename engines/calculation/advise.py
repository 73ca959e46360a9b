"""The values of plays in a position: ``advise calculation``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.calculation.game import Calculation
from engines.calculation.options import STACKS_MAX
from engines.calculation.player import Method, Options
from engines.contract.answer import Answer, Door
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, check_time, undecided, within
from engines.contract.parameters import with_options
from engines.contract.source import Source
from engines.stackgame.table_option import TABLES, table_runs
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation import estimate
    from engines.calculation.player import Play
    from engines.calculation.position import Told
    from engines.calculation.rules import Position

POSITION_BYTES = 1 << 16
"""Longest text of a position in bytes, with comments and blanks."""


@example(f"Example: yamafuda advise calculation position.txt --keep 1000. {Calculation.forms['position']}")
@with_options(Method)
def advise(
    door: Door,
    file: Annotated[Source, typer.Argument(metavar="POSITIONFILE", help="A position; - is standard input.")],
    options: Method,
    tables: TABLES = "results",
    time_s: TIME = None,
) -> Iterator[Answer]:
    """Give the value of every play in a position.

    The best play comes first, each with its best assignment: the cards on stacks, each with the foundation that it is
    meant for. A play is a move of the drawn card and moves of stack tops after it; the position before the next draw
    is valued. Values only order the plays. They are not probabilities: with --value norm they can be above 1, and
    late in a game 0 does not prove that all is lost, since an assignment that wins may not be among those found. At
    most 256 plays are looked at. With --playouts the play that they choose comes first, and each play that they tried
    has the mean chance of its playouts, and their number: a play with fewer was given up as no better. Moves after
    the last draw follow from the best assignment and are not printed. If the position gives all cards on stacks a
    foundation and no card is drawn, the values of that assignment come first: of each foundation alone, of each two,
    and of all four.
    """
    from engines.calculation.core import open_player
    from engines.calculation.estimate import has_first
    from engines.calculation.position import read_position

    check_time(time_s)
    told = read_position(file.read(POSITION_BYTES), file.name)
    if (stacks := len(told.position.stacks)) > STACKS_MAX:
        raise UserError(file.name, f"has {stacks} stacks; plays are valued with at most {STACKS_MAX}")
    player = open_player(
        Options(**vars(options), ranks=told.position.ranks, stacks=stacks), table_runs(tables)
    )
    assignment = told.assignment()
    given = None
    if assignment is not None and told.position.drawn is None:
        if has_first(told.position, assignment):
            # The table has no state for it; that does not mean that it is lost.
            door.note(
                f"{file.name}: the assignment that is given has no values: it means a foundation's very first card, "
                "which lies on a stack, for that foundation"
            )
        else:
            given = player.evaluate(told.position, assignment)
    plays = within(time_s, partial(player.advise, told.position))
    if isinstance(plays, LimitHitError):
        yield undecided("position", plays)
        return
    lines = _lines(told.position, given, plays, has_playouts=options.playouts > 0)
    yield Answer(_values(told, given, plays), tuple(lines))


def _values(told: Told, given: estimate.Value | None, plays: list[Play]) -> dict[str, Any]:
    from engines.calculation.text import name_of

    drawn = told.position.drawn
    return {
        "drawn": None if drawn is None else name_of(drawn),
        "given": None if given is None else _given_values(given),
        "plays": [
            {
                "value": play.value,
                "chance": _chance(play),
                "playouts_count": len(play.chances),
                "moves": _moves(told.position, play),
                "assignment": None if play.assignment is None else _stacks(play),
            }
            for play in plays
        ],
    }


def _given_values(given: estimate.Value) -> dict[str, Any]:
    return {
        "singles": {str(board): value for board, value in given.singles.items()},
        "pairs": {f"{a}{b}": value for (a, b), value in given.pairs.items()},
        "value": given.probability,
    }


def _chance(play: Play) -> float | None:
    """The mean chance of a play's playouts."""
    return sum(play.chances) / len(play.chances) if play.chances else None


def _lines(
    position: Position, given: estimate.Value | None, plays: list[Play], has_playouts: bool
) -> Iterator[str]:
    from engines.calculation.text import name_of

    if given is not None:
        yield "the assignment that is given"
        for board, value in given.singles.items():
            yield f"p{board:<4} {value:.7g}"
        for (a, b), value in given.pairs.items():
            yield f"p{a}{b:<3} {value:.7g}"
        yield f"value {given.probability:.7g}"
        yield ""
    yield "no card is drawn" if position.drawn is None else f"drawn {name_of(position.drawn)}"
    chance_title = "chance  playouts  " if has_playouts else ""
    yield f"value          {chance_title}play; best assignment, stack by stack"
    for play in plays:
        stacks = "lost" if play.assignment is None else " | ".join(_stacks(play))
        tried = _tried(play) if has_playouts else ""
        yield f"{play.value:<13.7g}  {tried}{_moves(position, play) or 'none'}; {stacks}"


def _tried(play: Play) -> str:
    """The columns of playouts."""
    chance = _chance(play)
    return f"{'' if chance is None else f'{chance:.4f}':<6}  {len(play.chances):>8}  "


def _moves(position: Position, play: Play) -> str:
    """The moves of a play, in the form of games."""
    from engines.calculation.record import format_moves

    return format_moves([] if position.drawn is None else [position.drawn], play.moves)


def _stacks(play: Play) -> list[str]:
    """The stacks after a play with the best assignment, each as in a position's row."""
    from engines.calculation.position import format_board
    from engines.calculation.rules import FOUNDATIONS

    assert play.assignment is not None
    return format_board(play.position, play.assignment)[FOUNDATIONS:]
