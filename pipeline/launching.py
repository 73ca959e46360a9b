"""Jobs that a command runs before it ends, with its exit status: ``run``, and commands of games that return a job."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import typer

from engines.contract.game import Launch


def launch(
    words: list[str],
    *,
    multirun: bool = False,
    config_dir: Path | None = None,
    label: str = "",
    dry: bool = False,
    as_json: bool,
    show_trace: bool,
) -> NoReturn:
    """Run what ``words`` name (``run_series``), and end the command."""
    from pipeline.runners.watch import ClusterLostError
    from pipeline.series import run_series
    from pipeline.signals import end_lost, exit_with_children, to_go_on

    try:
        status = run_series(
            words,
            multirun=multirun,
            config_dir=config_dir,
            label=label,
            dry=dry,
            as_json=as_json,
            show_trace=show_trace,
        )
    except ClusterLostError as error:
        end_lost(error)
    if status == 130:
        print(f"interrupted; {to_go_on()}", file=sys.stderr, flush=True)
        # Nothing is left to do, and a Ray whose start was cut short can hang or crash at a regular exit.
        exit_with_children(status)
    raise typer.Exit(status)


def launching(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command's function that runs the job which ``function`` returns, if it returns one."""

    @functools.wraps(function)
    def command(*arguments: Any, **options: Any) -> Any:
        found = function(*arguments, **options)
        if isinstance(found, Launch):
            launch(_words(found), as_json=found.as_json, show_trace=False)
        return found

    return command


def _words(found: Launch) -> list[str]:
    """What it names, or the run of it that was stopped."""
    from pipeline.stopped import going_on

    if not found.apart:
        return list(found.words)
    words, name = going_on(list(found.words), found.apart)
    if name:
        print(f"goes on with {name}, which was stopped", file=sys.stderr, flush=True)
    return words
