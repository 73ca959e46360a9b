"""Deals and positions of Klondike in any of their text forms.

A file has, in any order and form,

    deals    = { blank line | caption | deal }

where the first line of a deal decides its form: see ``FORMS``, and their modules. ``#`` starts a comment that ends
with the line; a line with nothing else is no blank line. ``examples`` has some of each.
"""

from __future__ import annotations

from engines.klondike import diagram, digits, figure, numbered, plain, position, solvitaire, talon
from engines.klondike.plain import format_plain
from engines.klondike.position import format_position
from engines.klondike.rules import Position
from engines.text import jsonform
from engines.text.forms import Form, read_all

FORMS = (
    Form("Solvitaire's JSON", jsonform.BEGINS, solvitaire.read_solvitaire),
    Form("figures of the report (cell: ...)", figure.BEGINS, figure.read_figures),
    Form("Talon: with <..> for face-down cards", talon.BEGINS, talon.read_talon),
    Form("numbered piles, top card first (0: to 12:)", diagram.BEGINS, diagram.read_diagram),
    Form("positions (stock:, waste:, foundations:, 0: C4 | H3)", position.LINE, position.read_positions),
    Form("greenfelt N, pysol N", numbered.BEGINS, numbered.read_numbered),
    Form("three digits a card", digits.BEGINS, digits.read_digits),
    Form("52 cards on a line (S3 H0 ...)", plain.BEGINS, plain.read_plain),
)
"""The first form whose pattern fits the line is the form of the deal."""


def read_deals(text: str, source: str = "deals") -> list[Position]:
    """All positions of a text; UserError that names ``source``, deal, line, place and card when one is wrong."""
    return read_all(text, source, FORMS, figure.CAPTION)


def format_deal(deal: Position) -> str:
    """A position on one line, in the plain form if it is a whole first deal; ``read_deals`` gives it back."""
    return format_plain(deal) or format_position(deal, " / ")
