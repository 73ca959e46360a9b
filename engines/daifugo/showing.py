"""Positions and games drawn: ``show daifugo``. What takes time to import is imported when it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.contract.source import Source
from engines.daifugo.check import FILE_BYTES
from engines.daifugo.game import Daifugo
from storage.errors import UserError

_SEAT = re.compile(r"^([0-4]):", re.MULTILINE)
_COUNT = re.compile(r"^(seat [0-4]): ([0-9]+)$", re.MULTILINE)
_LOCK = re.compile(r"^(lock: )([CDHS]+)$", re.MULTILINE)
_CARD = re.compile(r"\b[CDHS][A2-90JQK]\b")


@example(f"Example: yamafuda show daifugo games.record. {Daifugo.forms['position']}")
@answers_each("each")
def show(
    door: Door,
    file: Annotated[Source, typer.Argument(metavar="FILE", help="Positions, or games; - is standard input.")],
    text: Annotated[bool, typer.Option("--text", help="Write them as text instead of a drawing.")] = False,
) -> Iterator[Answer]:
    """Draw positions and games.

    Hands have the weakest card first. A game has the deal, the exchange, each trick on a line, and the result. Games
    from clients' logs are written in the same form.
    """
    found = _written(file.read(FILE_BYTES), file.name)
    if not found:
        raise UserError(file.name, "there is no position and no game in it")
    for number, each in enumerate(found, start=1):
        yield Answer({"number": number, "text": each}, (each if text else drawing(each),))


def drawing(written: str) -> str:
    """A position or game as a drawing: seats by name, cards by their signs."""
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
