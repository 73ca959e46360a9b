"""The command ``yamafuda prob``. What takes time to import is imported when the command runs."""

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
    from engines.stackgame.prob import Answer


STATE_BYTES = 1 << 16
"""No text of a state is longer, comments and blanks included."""


@example("Example: yamafuda prob --stacks 3 '[7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7'")
def prob(
    state: Annotated[
        str | None,
        typer.Argument(
            metavar="STATE",
            help=Stackgame.forms["state"],
            show_default=False,
        ),
    ] = None,
    stacks: Annotated[int, typer.Option(help="Number of stacks.")] = 3,
    file: Annotated[
        Path | None, typer.Option(help="Read the state from a file instead; - is standard input.")
    ] = None,
    tables: TABLES = "results",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")] = False,
) -> None:
    """Tell a stack-game state's win probability.

    Also the best stack for every card that may come next.
    """
    from engines.stackgame.prob import answer

    found = answer(_typed(state, file), stacks, table_runs(tables))
    print(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found)))


def _typed(state: str | None, file: Path | None) -> str:
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
