"""The command ``yamafuda show daifugo``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from engines.contract.game import example
from engines.daifugo.check import FILE_BYTES
from engines.daifugo.game import Daifugo
from engines.text.textfile import read_text
from storage.errors import UserError

_SEAT = re.compile(r"^([0-4]):", re.MULTILINE)
_COUNT = re.compile(r"^(seat [0-4]): ([0-9]+)$", re.MULTILINE)
_LOCK = re.compile(r"^(lock: )([CDHS]+)$", re.MULTILINE)
_CARD = re.compile(r"\b[CDHS][A2-90JQK]\b")


@example(f"Example: yamafuda show daifugo games.record. {Daifugo.forms['position']}")
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Positions, or games; - is standard input.")],
    text: Annotated[
        bool, typer.Option("--text", help="Write them as they are read, in place of a drawing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object each and line.")] = False,
) -> None:
    """Draw positions and games.

    Hands weakest card first; of a game the deal, the exchange, each trick in a line, and the result. Games that
    clients have logged are written as all others.
    """
    found = _written(read_text(file, FILE_BYTES), str(file))
    if not found:
        raise UserError(str(file), "there is no position and no game in it")
    for number, each in enumerate(found, start=1):
        if as_json:
            print(json.dumps({"number": number, "text": each}))
        else:
            print(("\n" if number > 1 else "") + (each if text else drawing(each)))


def drawing(written: str) -> str:
    """A position or game as people look at it: seats by name, cards by their signs."""
    from engines.text.cards import SIGNS, SUITS, sign_of_name

    seats = _COUNT.sub(r"\1: \2 cards", _SEAT.sub(r"seat \1:", written))
    locked = _LOCK.sub(lambda line: line[1] + " ".join(SIGNS[SUITS.index(suit)] for suit in line[2]), seats)
    return _CARD.sub(lambda card: sign_of_name(card[0]), locked)


def _written(text: str, source: str) -> Sequence[str]:
    from engines.daifugo.position import format_position, read_positions
    from engines.daifugo.record import format_record, is_games, read_records

    if is_games(text):
        return [format_record(record) for record in read_records(text, source)]
    return [format_position(view) for view in read_positions(text, source)]
