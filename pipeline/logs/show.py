"""``yamafuda logs``: what the driver and the workers of a run said."""

from __future__ import annotations

import sys

from pipeline.logs.run_log import read_log
from pipeline.roots import locate
from storage.layout import RunLayout


def show_log(run: str, unit: str | None, as_json: bool) -> None:
    """Print the log of RUN, or of one unit of it; a line on stderr when there is nothing."""
    layout = RunLayout(locate(run))
    count = 0
    for line in read_log(layout, unit):
        print(line.as_json() if as_json else line.as_text())
        count += 1
    if not count:
        of_unit = f"unit {unit} of " if unit else ""
        print(
            f"nothing is kept of {of_unit}{layout.run_dir.name}: what units say is kept when a try fails or warns",
            file=sys.stderr,
        )
