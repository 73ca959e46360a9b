"""``yamafuda serve``: the command, which the command line finds by its entry point."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from yamafuda import UserError

PORT = 8642


def serve(
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen at. One that others reach has a token in its URL.", metavar="ADDRESS"
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Port to listen at; 0 takes a free one.", min=0, max=65535)
    ] = PORT,
    results: Annotated[
        str | None,
        typer.Option(help="Folder or URL of sweep runs.", metavar="PLACE", show_default="results"),
    ] = None,
    tables: Annotated[
        str | None,
        typer.Option(
            help="Folder or URL of table runs.", metavar="PLACE", show_default="where sweep runs are"
        ),
    ] = None,
    time_s: Annotated[
        float, typer.Option(help="Seconds that a page may compute at most.", min=0.1, metavar="X")
    ] = 20.0,
    memory_bytes: Annotated[
        int, typer.Option(help="Memory that a page may compute in at most.", min=1 << 26, metavar="N")
    ] = 2 << 30,
) -> None:
    """Show runs, games and positions in a browser.

    Prints the site's URL and serves it until it is interrupted.
    """
    # For everything that reads runs, in this process and in those that compute.
    given = {"YAMAFUDA_RESULTS": results, "YAMAFUDA_TABLES": tables}
    os.environ |= {name: place for name, place in given.items() if place is not None}
    try:
        from pages.serving import serve_site
        from pages.workshop import Limits
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "jinja2"):
            raise
        raise UserError("serve", f"needs {error.name}: pip install 'yamafuda[pages]'") from error
    serve_site(host, port, Limits(time_s, memory_bytes))


serve.__dict__["example"] = "Example: yamafuda serve --port 8642"
