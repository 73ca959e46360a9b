"""How a player of Calculation plays, as options of a command and as fields of a job."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from engines.text.textfile import shown
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.player import Options

STACKS_MAX = 5
"""Of the tables that players play by."""
KEEP_MAX = 1_000_000
EXPONENT_MAX = 100
EXACT_CARDS_MAX = 24
LOOK_AHEAD_MAX = 2
FILE_BYTES = 1 << 26
"""No file of decks or games is longer: room for 100,000 games of moves."""

Keep = Annotated[int, typer.Option(help="Assignments of the cards on stacks that are kept, the best ones.")]
LookAhead = Annotated[int, typer.Option(metavar=f"0..{LOOK_AHEAD_MAX}", help="Draws that are looked ahead.")]
Value = Annotated[
    str,
    typer.Option(
        metavar="norm|max|independent",
        help="What a position is worth by its assignments: the norm of their values, the best, or 1 - prod(1 - p).",
    ),
]
Exponent = Annotated[
    float, typer.Option(help="Of the norm: 1 is the sum, large ones are as good as the best.")
]
Alike = Annotated[
    str,
    typer.Option(
        metavar="once|all", help="Of assignments that leave the same states: keep the first, or all."
    ),
]
Recast = Annotated[
    str,
    typer.Option(
        metavar="drawn|none",
        help="Before a card is tried, also think of other targets for stacked cards of its rank, or do not.",
    ),
]
ExactCards = Annotated[
    int,
    typer.Option(
        metavar="0..24",
        help="With --edges all: states of so many cards that the table has not are worked out.",
    ),
]
Edges = Annotated[
    str,
    typer.Option(
        metavar="own|all",
        help="Whose cards on stacks order and forbid, of one or two foundations: their own, or those of all.",
    ),
]
Ties = Annotated[
    str,
    typer.Option(
        metavar="foundation|stack|last_stack",
        help="Of equally good plays: most cards on foundations, fewest, or most and then the last stack.",
    ),
]
Misfits = Annotated[
    str,
    typer.Option(
        metavar="exchange|drop",
        help="Assignments that meant another card for a place that one went to: exchange the two, or drop them.",
    ),
]
Eager = Annotated[
    bool, typer.Option("--eager/--no-eager", help="Move stack tops to foundations as soon as they fit.")
]
Choice = TypeVar("Choice", bound=StrEnum)


def player_options(
    *,
    ranks: int,
    stacks: int,
    keep: int,
    look_ahead: int,
    value: str,
    exponent: float,
    alike: str,
    recast: str,
    edges: str,
    exact_cards: int,
    ties: str,
    misfits: str,
    eager: bool,
    prefix: str = "--",
) -> Options:
    """The options of a command (or job: ``prefix``); UserError naming the one that is wrong."""
    from engines.calculation import estimate, player
    from engines.calculation.rules import RANKS_MAX, RANKS_MIN

    for name, number, least, most in (
        ("ranks", ranks, RANKS_MIN, RANKS_MAX),
        ("stacks", stacks, 1, STACKS_MAX),
        ("keep", keep, 1, KEEP_MAX),
        ("look_ahead", look_ahead, 0, LOOK_AHEAD_MAX),
        ("exponent", exponent, 1, EXPONENT_MAX),
        ("exact_cards", exact_cards, 0, EXACT_CARDS_MAX),
    ):
        if not least <= number <= most:
            raise UserError(_named(prefix, name), f"must be {least} to {most}; got {number}")
    return player.Options(
        ranks=ranks,
        stacks=stacks,
        keep=keep,
        look_ahead=look_ahead,
        value=_choice(player.PositionValue, prefix, "value", value),
        exponent=exponent,
        alike=_choice(player.Alike, prefix, "alike", alike),
        recast=_choice(player.Recast, prefix, "recast", recast),
        edges=_choice(estimate.Edges, prefix, "edges", edges),
        exact_cards=exact_cards,
        ties=_choice(player.Ties, prefix, "ties", ties),
        misfits=_choice(player.Misfits, prefix, "misfits", misfits),
        eager=eager,
    )


def _choice(kind: type[Choice], prefix: str, name: str, text: str) -> Choice:
    names = [each.value for each in kind]
    if text not in names:
        raise UserError(_named(prefix, name), f"{shown(text)} is none of {', '.join(names)}")
    return kind(text)


def _named(prefix: str, name: str) -> str:
    return prefix + (name.replace("_", "-") if prefix == "--" else name)
