"""Checks of texts that callers give."""

from __future__ import annotations


def text_of(value: object, place: str) -> str:
    """The same value; UserError when it is not a text, or has lone surrogates (halves of characters) in it."""
    from storage.errors import UserError

    if not isinstance(value, str):
        raise UserError(place, f"must be a text; got {type(value).__name__}")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise UserError(place, "has halves of characters in it")
    return value
