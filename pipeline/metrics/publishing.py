"""Publishes the figures of a run while it goes on: to its runner every few seconds, and over HTTP on request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

TELL_S = 5.0
"""Seconds between two reports to the runner, less than between two requests of Prometheus."""

Figures = Mapping[str, float]
Tell = Callable[[Figures, Mapping[str, str]], None]


@contextmanager
def publishing(
    read: Callable[[], Figures], labels: Mapping[str, str], port: int | None, tell: Tell
) -> Iterator[None]:
    """While entered, ``tell`` gets what ``read`` returns, the last time at the end; ``port`` is served unless
    it is None.

    UserError when the port cannot be had.
    """
    leave = threading.Event()

    def look() -> None:
        while not leave.wait(TELL_S):
            tell(read(), labels)

    with ExitStack() as stack:
        if port is not None:
            from pipeline.metrics.endpoint import serving

            stack.enter_context(serving(port, read, labels))
        thread = threading.Thread(target=look, name="metrics", daemon=True)
        thread.start()
        try:
            yield
            tell(read(), labels)
        finally:
            leave.set()
            thread.join()
