"""The command ``yamafuda check daifugo``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engines.contract.game import example
from engines.daifugo.game import Daifugo
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.daifugo.replay import Record

FILE_BYTES = 1 << 24
"""No file of positions or games is longer: room for some 5,000 games."""


@example(f"Example: yamafuda check daifugo games.record. {Daifugo.forms['game']}")
def check(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="Games; - is standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a game and line.")] = False,
) -> None:
    """Replay games of Daihinmin by the rules.

    Exit status 2 when one breaks them, told with its first illegal turn.
    """
    from engines.daifugo.record import read_records

    records = read_records(read_text(record, FILE_BYTES), str(record))
    if not records:
        raise UserError(str(record), "there is no game in it")
    right = True
    for number, each in enumerate(records, start=1):
        problem = _problem(each)
        right &= problem is None
        print(_json(each, problem) if as_json else f"game {number}: {_line(each, problem)}", flush=True)
    raise typer.Exit(0 if right else 2)


def _problem(record: Record) -> str | None:
    from engines.daifugo.replay import replay

    return replay(record).problem


def _json(record: Record, problem: str | None) -> str:
    return json.dumps(
        {
            "legal": problem is None,
            "turns_count": len(record.turns),
            "result": list(record.result),
            "problem": problem,
        }
    )


def _line(record: Record, problem: str | None) -> str:
    if problem is not None:
        return f"wrong: {problem}"
    return f"{len(record.turns)} turns, seats finished in the order {' '.join(map(str, record.result))}"
