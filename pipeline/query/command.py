"""``yamafuda query``: SQL of the command line, of a file on standard input, or typed by someone."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.query.formats import Format
from pipeline.query.output import choose_output
from pipeline.query.schema import schema_of
from pipeline.query.showing import show
from storage.errors import UserError


def query(
    sql: str | None,
    schema: str | None,
    with_unfinished: bool,
    form: Format | None,
    as_json: bool,
    file: Path | None,
) -> None:
    """Do what the command is asked for; UserError for what cannot be done."""
    output = choose_output(form, as_json, file)
    if schema is not None:
        if sql is not None:
            raise UserError("--schema", "is asked for without SQL")
        output.give(schema_of(schema))
    elif sql is None and sys.stdin.isatty():
        if file is not None:
            raise UserError("-o", "takes the answer of SQL that is given: yamafuda query -o FILE SQL")
        from pipeline.query.shell import run_shell

        run_shell(output, with_unfinished)
    else:
        show(sys.stdin.read() if sql is None else sql, output, with_unfinished)
