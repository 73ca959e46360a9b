"""The arguments of ``yamafuda submit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.arguments import ConfigDir, Json
from storage.errors import UserError


def submit(
    words: Annotated[
        list[str],
        typer.Argument(metavar="KEY=VALUE...", help="As for run; cluster.address is the dashboard's."),
    ],
    multirun: Annotated[bool, typer.Option("-m", "--multirun", help="A series, as for run.")] = False,
    config_dir: ConfigDir = None,
    label: Annotated[str, typer.Option("--label", help="What you call the run; it may stand for RUN.")] = "",
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", metavar="FILE", help="Send this wheel, not what is installed here."),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow/--no-follow", help="Show what the driver says until it ends.")
    ] = True,
    status: Annotated[
        bool, typer.Option("--status", help="Show how submissions of these words stand.")
    ] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the driver; the same command goes on.")] = False,
    logs: Annotated[
        str | None, typer.Option("--logs", metavar="UNIT", help="Show what a unit of the run said.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a job on a Ray cluster, the driver there, too.

    Sends the package, starts the driver on the head and follows it. While it works, the same words follow it again.
    """
    from pipeline.submit import command

    if status + stop + (logs is not None) > 1:
        raise UserError("submit", "give one of --status, --stop and --logs")
    request = command.request_of(words, multirun, label, config_dir, wheel, as_json)
    if status:
        ended = command.show_status(request)
    elif stop:
        ended = command.stop(request)
    elif logs is not None:
        ended = command.show_logs(request, logs)
    else:
        ended = command.submit(request, follow)
    raise typer.Exit(ended)
