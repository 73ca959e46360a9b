"""The answers to the statements of a text, one after another."""

from __future__ import annotations

from pipeline.query.answer import answer
from pipeline.query.fence import statements
from pipeline.query.formats import Format
from pipeline.query.output import Output
from storage.errors import UserError


def show(sql: str, output: Output, with_unfinished: bool) -> None:
    """Answer every statement of ``sql``, one after another."""
    asked = statements(sql)
    if output.file is not None and len(asked) > 1:
        raise UserError("-o", f"a file takes the answer of one statement; SQL has {len(asked)}")
    for number, statement in enumerate(asked):
        found = answer(statement, with_unfinished, output.as_arrow)
        if number and output.format in (Format.table, Format.csv):
            print()
        output.give(found)
