"""The option of commands that read finished tables of the stack game: where these are."""

from __future__ import annotations

from typing import Annotated

import typer

from storage.place import Place, place_at

TABLES = Annotated[
    str,
    typer.Option(
        help="Folder or URL of table runs.",
        metavar="PLACE",
        envvar=["YAMAFUDA_TABLES", "YAMAFUDA_RESULTS"],
    ),
]


def table_runs(tables: str) -> Place:
    """What the option means; UserError when that is nothing."""
    return place_at(tables, "--tables")
