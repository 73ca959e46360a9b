"""Reads deals of Superpuzz in any of their text forms: the first line of a deal decides the form.

``#`` starts a comment that ends with the line; a line with nothing else is no blank line.
"""

from __future__ import annotations

from engines.superpuzz import rows, sequences
from engines.superpuzz.deal import Deal
from engines.text import jsonform
from engines.text.forms import Form, read_all

FORMS = (
    Form("JSON with sequences", jsonform.BEGINS, sequences.read_sequences),
    Form("four rows of cards", rows.BEGINS, rows.read_rows),
)


def read_deals(text: str, source: str = "deals") -> list[Deal]:
    """All deals of a text; UserError that names ``source``, deal, line and card when one is wrong."""
    return read_all(text, source, FORMS)
