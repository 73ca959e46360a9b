"""Games replayed: ``check daifugo``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.source import Source
from engines.daifugo.game import Daifugo
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.daifugo.replay import Record

FILE_BYTES = 1 << 24
"""Longest file of positions or games, in bytes: room for some 5,000 games."""


@example(f"Example: yamafuda check daifugo games.record. {Daifugo.forms['game']}")
@answers_each("a game")
def check(
    door: Door,
    record: Annotated[Source, typer.Argument(metavar="RECORD", help="Games; - is standard input.")],
) -> Iterator[Answer]:
    """Replay games of Daihinmin by the rules.

    When a game breaks them, its first illegal turn is named, and the exit status is 2.
    """
    from engines.daifugo.record import read_records

    records = read_records(record.read(FILE_BYTES), record.name)
    if not records:
        raise UserError(record.name, "there is no game in it")
    for number, each in enumerate(records, start=1):
        problem = _problem(each)
        line = f"game {number}: {_line(each, problem)}"
        yield Answer(_values(each, problem), (line,), status=0 if problem is None else 2, apart=False)


def _problem(record: Record) -> str | None:
    from engines.daifugo.replay import replay

    return replay(record).problem


def _values(record: Record, problem: str | None) -> dict[str, Any]:
    return {
        "legal": problem is None,
        "turns_count": len(record.turns),
        "result": list(record.result),
        "problem": problem,
    }


def _line(record: Record, problem: str | None) -> str:
    if problem is not None:
        return f"wrong: {problem}"
    return f"{len(record.turns)} turns, seats finished in the order {' '.join(map(str, record.result))}"
