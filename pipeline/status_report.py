"""``yamafuda status``: all runs as a table, or everything that is known of one run."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from engines.text.words import duration, size
from pipeline.query.table import ellipsis, on_one_line, shortened
from pipeline.ragged import print_ragged
from pipeline.roots import locate
from pipeline.status import DONE, INTERRUPTED, Status, read_fields, read_status, read_statuses
from storage.place import place_at

NAME_LINES, NAME_WIDTH_LEAST = 2, 14
"""On a terminal a name takes so many lines at most, which are so wide at least: room for the id, and as much before."""
GAP = 3
"""Between columns."""


def show_status(run: str | None, everything: bool, as_json: bool) -> None:
    """Print one run, the runs that are not done, or all of them, the latest last.

    A damaged run is named on stderr and left out; UserError when it is the one that was asked for.
    """
    if run is not None:
        found = [read_status(locate(run))]
    else:
        known = read_statuses()
        found = [status for status in known if everything or status.state != DONE]
    if as_json:
        for status in found:
            print(json.dumps(asdict(status) | {"fields": read_fields(place_at(status.run))}))
    elif run is not None:
        print("\n".join(f"{name:9} {on_one_line(value)}" for name, value in _facts(found[0]) if value))
    elif found:
        _print_table(found)
    elif everything or not known:
        print("no runs")
    else:
        print(f"no unfinished runs; {len(known)} done (--all shows all)")


def _facts(status: Status) -> Iterator[tuple[str, str]]:
    """Everything that is known of a run, by name."""
    units = f"{status.units_done_count:,} of {status.units_count:,} units"
    yield "run", status.name
    yield "id", status.run_id
    fields = read_fields(place_at(status.run)).items()
    told = (f"{name}={value}" for name, value in fields if not isinstance(value, dict))
    yield "job", " ".join([status.job, *told])
    yield "label", status.label
    yield "state", f"{status.state}, {_share(status)}, {units}"
    yield "rate", f"{status.rate_per_s:.3g} a second" if status.rate_per_s else ""
    yield "left", duration(status.left_s) if status.left_s is not None else ""
    yield "begun", f"{duration(status.age_s)} ago" if status.age_s is not None else ""
    yield "size", size(status.size_bytes)
    yield "notes", ", ".join(_notes(status))
    yield "driver", status.driver
    yield "folder", status.run


def _notes(status: Status) -> Iterator[str]:
    if status.attempt > 1:
        yield f"attempt {status.attempt}"
    if status.units_failed_count:
        yield f"{status.units_failed_count} failed"
    # A run that lies interrupted was so once.
    if status.interrupted_count > (status.state == INTERRUPTED):
        yield f"interrupted {status.interrupted_count}x"


def _print_table(found: list[Status]) -> None:
    """The table within the width of the terminal, where names are folded and shortened; elsewhere as wide as it is."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    columns = {
        "run": [on_one_line(status.name) for status in found],
        "state": ["\n".join([status.state, *_notes(status)]) for status in found],
        "done": [_share(status) for status in found],
        "rate": [f"{status.rate_per_s:.3g}/s" if status.rate_per_s else "" for status in found],
        "left": [duration(status.left_s) if status.left_s is not None else "" for status in found],
        "age": [duration(status.age_s) if status.age_s is not None else "" for status in found],
        "size": [size(status.size_bytes) for status in found],
    }
    console = Console(width=None if sys.stdout.isatty() else 1 << 12, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    shown = [name for name, cells in columns.items() if any(cells)]
    others = sum(_width(name, columns[name]) + GAP for name in shown if name != "run")
    # Where not even that fits, the terminal breaks the lines.
    console.width = max(console.width, others + NAME_WIDTH_LEAST)
    names = _within(columns["run"], NAME_LINES * (console.width - others))
    columns["run"] = [
        "\n  ".join([name, *_called(status)]) for name, status in zip(names, found, strict=True)
    ]
    for name in shown:
        is_text = name in ("run", "state")
        # Only names are folded: they get the room that the other columns leave.
        table.add_column(name, justify="left" if is_text else "right", no_wrap=name != "run", overflow="fold")
    for cells in zip(*(columns[name] for name in shown), strict=True):
        table.add_row(*map(Text, cells))
    print_ragged(console, table)


def _width(head: str, cells: Sequence[str]) -> int:
    """Of a column."""
    return max(len(line) for cell in (head, *cells) for line in cell.split("\n"))


def _within(names: Sequence[str], width: int) -> list[str]:
    """Names without their middle where they are wider; whole ones where they could not be told apart without it."""
    short = [shortened(name, width, ellipsis()) if len(name) > width else name for name in names]
    counts = Counter(short)
    return [each if counts[each] == 1 else name for each, name in zip(short, names, strict=True)]


def _called(status: Status) -> list[str]:
    """The user's name for it: the label, and the job file if the run's name comes from another one."""
    own = status.job if not status.name.startswith(status.job) else ""
    return list(filter(None, [own, on_one_line(status.label)]))


def _share(status: Status) -> str:
    """Only a finished run shows 100%."""
    share = status.done_share if status.state == DONE else min(status.done_share, 0.999)
    return f"{share:.0%}" if share in (0.0, 1.0) else f"{share:.1%}"
