"""The forms that an answer can have."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """Forms of an answer."""

    table = "table"
    """For people: no wider than the terminal."""
    csv = "csv"
    json = "json"
    """One array."""
    jsonl = "jsonl"
    """An object a line."""
    parquet = "parquet"
    """Only in a file."""
