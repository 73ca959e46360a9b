"""``show`` of every solitaire: deals drawn for people, or in another form."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.game import load
from engines.contract.parameters import parameter
from engines.contract.source import Source
from engines.solitaire.game import LINE, Solitaire
from engines.solitaire.given import deals_of
from storage.errors import UserError

_FLAG = "--to"


def to_parameter(game: Solitaire[Any, Any, Any]) -> inspect.Parameter:
    """The parameter that names a form."""
    names = "|".join(_names(game))
    told = Annotated[
        str | None,
        typer.Option(_FLAG, metavar=names, help="Write deals in this form instead of a drawing."),
    ]
    return parameter("to", None, told)


def show(game: Solitaire[Any, Any, Any], door: Door, file: Source, to: str | None) -> Iterator[Answer]:
    """Draw each deal of a text, or write it in the form ``to``."""
    if to is not None and to not in _names(game):
        raise UserError(_FLAG, f"must be {' or '.join(_names(game))}; got {to!r}")
    deals = deals_of(game, file)
    texts = [None if to is None else written(game, deal, to, n) for n, deal in enumerate(deals, start=1)]
    for number, (deal, text) in enumerate(zip(deals, texts, strict=True), start=1):
        told = {"deal_number": number, "deal": game.format_deal(deal)}
        shown = game.draw_deal(deal) if text is None else text
        # Deals of one line each stand one below another.
        yield Answer(told | ({} if text is None else {"text": text}), (shown,), apart="\n" in shown)


def written(game: Solitaire[Any, Any, Any], deal: Any, form: str, number: int) -> str:
    """A deal in a form; UserError where the form cannot express it."""
    text: str | None = game.format_deal(deal) if form == LINE else load(game.written_forms[form])(deal)
    if text is None:
        raise UserError(_FLAG, f"{form} cannot express all of deal {number}; {LINE} can")
    return text


def _names(game: Solitaire[Any, Any, Any]) -> list[str]:
    return [LINE, *game.written_forms]
