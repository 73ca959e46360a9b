"""``yamafuda query``: SQL from the command line, an example, standard input, or the shell."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from pipeline.query.examples import answer_of, example_named, list_of_examples
from pipeline.query.formats import Format
from pipeline.query.output import choose_output
from pipeline.query.schema import schema_of
from pipeline.query.showing import show
from storage.errors import UserError


def query(
    sql: str | None,
    schema: str | None,
    example: str | None,
    list_examples: bool,
    show_sql: bool,
    with_unfinished: bool,
    form: Format | None,
    as_json: bool,
    file: Path | None,
) -> None:
    """Do what the command is asked for; UserError for what cannot be done."""
    output = choose_output(form, as_json, file)
    _check_one(
        sql, {"--schema": schema is not None, "--example": example is not None, "--examples": list_examples}
    )
    if show_sql and example is None:
        raise UserError("--show", "prints the SQL of an example: --example NAME --show")
    if schema is not None:
        output.give(schema_of(schema))
    elif list_examples:
        output.give(list_of_examples())
    elif example is not None and show_sql:
        print(example_named(example).sql, end="")
    elif example is not None:
        found = example_named(example)
        output.give(answer_of(found, with_unfinished, output.as_arrow))
    elif sql is None and sys.stdin.isatty():
        if file is not None:
            raise UserError("-o", "takes the answer to SQL on the command line: yamafuda query -o FILE SQL")
        from pipeline.query.shell import run_shell

        run_shell(output, with_unfinished)
    else:
        show(sys.stdin.read() if sql is None else sql, output, with_unfinished)


def _check_one(sql: str | None, asked: Mapping[str, bool]) -> None:
    """UserError for two questions at once."""
    given = [name for name, is_asked in asked.items() if is_asked]
    if sql is not None and given:
        raise UserError(given[0], "takes no SQL")
    if len(given) > 1:
        raise UserError(given[0], f"does not go with {given[1]}")
