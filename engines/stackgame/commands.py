"""The commands ``prob`` and ``advise stackgame``. What takes time to import is imported when they run."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engines.contract.game import example
from engines.stackgame.game import Stackgame
from engines.stackgame.table_option import TABLES, table_runs
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.stackgame.prob import Answer, Play


STATE_BYTES = 1 << 16
"""No text of a state is longer, comments and blanks included."""

STATE = Annotated[
    str | None,
    typer.Argument(metavar="STATE", help=Stackgame.forms["state"], show_default=False),
]
STACKS = Annotated[int, typer.Option(help="Number of stacks.")]
FILE = Annotated[Path | None, typer.Option(help="Read the state from a file instead; - is standard input.")]
_JSON = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]


@example("Example: yamafuda prob --stacks 3 '[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7'")
def prob(
    state: STATE = None,
    stacks: STACKS = 3,
    file: FILE = None,
    tables: TABLES = "results",
    as_json: _JSON = False,
) -> None:
    """Tell a stack-game state's win probability.

    Also the best stack for every card that may come next.
    """
    from engines.stackgame.prob import answer

    found = answer(typed(state, file), stacks, table_runs(tables))
    print(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found)))


@example("Example: yamafuda advise stackgame --stacks 3 '[7{}] -> [1{1}]; [3{}] -> [1{1}]'")
def advise(
    state: STATE = None,
    stacks: STACKS = 3,
    file: FILE = None,
    tables: TABLES = "results",
    as_json: _JSON = False,
) -> None:
    """Tell what each card that may come is worth on each stack.

    The probability to win after each play, best stack first; plays after which all is lost have 0.
    """
    from engines.stackgame.prob import advice

    found, plays = advice(typed(state, file), stacks, table_runs(tables))
    plays.sort(key=lambda play: (play.chain, play.index, -play.probability))
    if as_json:
        told = {"rules": {"stacks": stacks}, "probability": found.probability, "source": found.source}
        print(json.dumps(told | {"plays": list(map(asdict, plays))}))
    else:
        print("\n".join(_advice_lines(found, plays)))


def typed(state: str | None, file: Path | None) -> str:
    """The state that was typed, or that of a file; UserError when there are both or none."""
    if (state is None) == (file is None):
        raise UserError("STATE", "give either the state or --file")
    if state is not None:
        return state
    assert file is not None
    return read_text(file, STATE_BYTES)


def _lines(found: Answer) -> list[str]:
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


def _advice_lines(found: Answer, plays: list[Play]) -> list[str]:
    lines = [
        f"{found.stacks} stacks, probability {found.probability:.8g} ({found.source}), {len(plays)} plays",
        "card   stack  probability",
    ]
    return lines + [
        f"{f'{each.chain}.{each.index}':5}  {each.stack:<5}  {each.probability:.8g}" for each in plays
    ]
