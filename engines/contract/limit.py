"""A limit of processor time for work that has none of its own: a signal stops the core, as Ctrl-C does."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, TypeVar

import typer

from engines.contract.answer import Answer
from storage.errors import UserError

TIME = Annotated[
    float | None,
    typer.Option(
        "--time-s",
        metavar="X",
        help="Limit of processor time for each answer, in seconds.",
        show_default=False,
    ),
]
"""The parameter ``time_s`` of a verb."""
_FLAG = "--time-s"

Result = TypeVar("Result")


class LimitHitError(Exception):
    """Work would exceed a limit; ``limit`` names it: ``time``, ``states``."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


def within(time_s: float | None, work: Callable[[], Result]) -> Result | LimitHitError:
    """What ``work`` returns, or the limit that it hit: its own, or ``time`` after so many seconds.

    UserError for a wrong time, or outside the process's main thread, which alone gets signals.
    """
    check_time(time_s)
    try:
        if time_s is None:
            return work()
        with _alarm(time_s):
            return work()
    except LimitHitError as hit:
        return hit


def check_time(time_s: float | None) -> None:
    """UserError for a time that is not positive and finite."""
    if time_s is not None and not 0 < time_s < float("inf"):
        raise UserError(_FLAG, f"must be more than 0 and finite; got {time_s}")


def undecided(what: str, hit: LimitHitError) -> Answer:
    """The answer where a limit was hit."""
    return Answer({"outcome": "undecided", "limit": hit.limit}, (f"{what}: undecided (limit: {hit.limit})",))


@contextmanager
def _alarm(time_s: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise LimitHitError("time")

    try:
        before = signal.signal(signal.SIGPROF, stop)
    except ValueError:
        raise UserError(_FLAG, "can only be set in the main thread of a process") from None
    signal.setitimer(signal.ITIMER_PROF, time_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
