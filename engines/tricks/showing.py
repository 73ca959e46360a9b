"""Deals drawn and written: ``show tricks``. What takes time to import is imported when it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from engines.tricks.game import Tricks
from engines.tricks.solve import DEALS, asked_deals


@example(f'Example: yamafuda show tricks "AAABABBB k=4" --to cards. A deal is like {Tricks.forms["deal"]}')
@answers_each("a deal")
def show(
    door: Door,
    deal: DEALS,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="cards|owners", help="Write deals in this form instead of a drawing."),
    ] = None,
) -> Iterator[Answer]:
    """Draw deals.

    Each card stands below the next higher one, in the column of who has it.
    """
    from engines.tricks.text import FORMS, draw_deal
    from storage.errors import UserError

    if to is not None and to not in FORMS:
        raise UserError("--to", f"must be {' or '.join(FORMS)}; got {to!r}")
    for number, each in enumerate(asked_deals(deal), start=1):
        text = draw_deal(each) if to is None else FORMS[to](each)
        values = {"deal_number": number, "deal": FORMS["cards"](each), "text": text}
        yield Answer(values, (text,), apart=to is None)
