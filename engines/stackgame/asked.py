"""The value of a state: ``prob`` and ``advise stackgame``. What takes time to import is imported when it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from engines.contract.answer import Answer, Door
from engines.contract.game import example
from engines.contract.limit import TIME, LimitHitError, undecided, within
from engines.contract.source import Source, Typed
from engines.stackgame.game import Stackgame
from engines.stackgame.table_option import TABLES, table_runs
from engines.stackgame.text import STACKS, STATE_BYTES, stacks_told
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.stackgame.prob import Known, Play


STATE = Annotated[
    Source | None,
    typer.Argument(metavar="STATE", help=Stackgame.forms["state"], show_default=False),
    Typed(),
]
STACKS_GIVEN = Annotated[
    int | None,
    typer.Option("--stacks", help="Number of stacks.", show_default=f"what the state says, or {STACKS}"),
]
FILE = Annotated[Source | None, typer.Option(help="Read the state from a file instead; - is standard input.")]


@example("Example: yamafuda prob --stacks 3 '[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7'")
def prob(
    door: Door,
    state: STATE = None,
    stacks: STACKS_GIVEN = None,
    file: FILE = None,
    tables: TABLES = "results",
    time_s: TIME = None,
) -> Iterator[Answer]:
    """Give a stack-game state's win probability.

    Also the best stack for every card that may come next.
    """
    from engines.stackgame.prob import answer

    found = within(time_s, partial(answer, *typed(state, file, stacks), table_runs(tables)))
    if isinstance(found, LimitHitError):
        yield undecided("state", found)
        return
    yield Answer(asdict(found), tuple(_lines(found)), stored=found.stored)


@example("Example: yamafuda advise stackgame --stacks 3 '[7{}] -> [1{1}]; [3{}] -> [1{1}]'")
def advise(
    door: Door,
    state: STATE = None,
    stacks: STACKS_GIVEN = None,
    file: FILE = None,
    tables: TABLES = "results",
    time_s: TIME = None,
) -> Iterator[Answer]:
    """Give the win probability after each play.

    A play puts a card that may come on a stack. The best stack comes first; plays that lose for certain have 0.
    """
    from engines.stackgame.prob import advice

    advised = within(time_s, partial(advice, *typed(state, file, stacks), table_runs(tables)))
    if isinstance(advised, LimitHitError):
        yield undecided("state", advised)
        return
    found, plays = advised
    plays.sort(key=lambda play: (play.chain, play.index, -play.probability))
    values = {
        "rules": {"stacks": found.stacks},
        "probability": found.probability,
        "source": found.source,
        "plays": list(map(asdict, plays)),
    }
    yield Answer(values, tuple(_advice_lines(found, plays)), stored=found.stored)


def typed(state: Source | None, file: Source | None, stacks: int | None) -> tuple[str, int]:
    """The state that was typed or read from a file, and its number of stacks.

    UserError when there are both states or none, or two numbers of stacks.
    """
    if (state is None) == (file is None):
        raise UserError("STATE", "give either the state or --file")
    given = state or file
    assert given is not None
    told, text = stacks_told(given.read(STATE_BYTES), "state")
    if told and stacks is not None and stacks != told:
        raise UserError("--stacks", f"the state says {told}; got {stacks}")
    return text, told or (STACKS if stacks is None else stacks)


def _lines(found: Known) -> list[str]:
    """The answer for people."""
    canonical = "none: a card can go on no stack" if found.canonical is None else found.canonical
    lines = [
        f"probability  {found.probability:.8g}",
        f"canonical    {canonical}",
        f"source       {found.source}",
        "",
        "card   stack  probability",
    ]
    for each in found.placements:
        stack = "-" if each.stack is None else str(each.stack)
        lines.append(f"{f'{each.chain}.{each.index}':5}  {stack:5}  {each.probability:.8g}")
    return lines


def _advice_lines(found: Known, plays: list[Play]) -> list[str]:
    lines = [
        f"{found.stacks} stacks, probability {found.probability:.8g} ({found.source}), {len(plays)} plays",
        "card   stack  probability",
    ]
    return lines + [
        f"{f'{each.chain}.{each.index}':5}  {each.stack:<5}  {each.probability:.8g}" for each in plays
    ]
