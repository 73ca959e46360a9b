"""Progress of a run in a notebook: a bar below the cell, which at the end becomes a line that says what the run
took."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import Any, Self

from engines.text.words import duration
from pipeline.display import counted, speed_words
from pipeline.meter import Standing


def is_notebook() -> bool:
    """Whether a Jupyter kernel runs this; nothing is imported to find out."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class NotebookDisplay:
    """A bar below the cell."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._begin_s = time.monotonic()
        self._count = ""
        self._shown: Any = None

    def __enter__(self) -> Self:
        from IPython.display import HTML, display

        self._shown = display(HTML(self._html("", None)), display_id=True)
        return self

    def __exit__(self, *_: object) -> None:
        took = duration(time.monotonic() - self._begin_s)
        self._update(", ".join(filter(None, [self._count, took])), None)

    def show(self, standing: Standing) -> None:
        """Move the bar."""
        if standing.total_count:
            self._count = f"{counted(standing)} {standing.unit}"
            words = ", ".join([self._count, *speed_words(standing)])
            self._update(words, standing.share)

    def note(self, text: str) -> None:
        """Print a line, which the notebook shows beside the bar."""
        print(f"{self._title}: {text}", file=sys.stderr, flush=True)

    def _update(self, words: str, share: float | None) -> None:
        from IPython.display import HTML

        self._shown.update(HTML(self._html(words, share)))

    def _html(self, words: str, share: float | None) -> str:
        bar = "" if share is None else f'<progress value="{share:.4f}" max="1"></progress> '
        return f"<div>{escape(self._title)} {bar}{escape(words)}</div>"
