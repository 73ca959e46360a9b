"""``yamafuda daifugo-tables``: the content of HE's tables, figures 3 to 8 of the paper for any two, and their sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.contract.answer import Answer, Door
from engines.contract.asking import answers_each
from engines.contract.game import example
from storage.errors import UserError
from storage.place import Place, place_at

if TYPE_CHECKING:  # what takes time to import is imported when the command runs
    from engines.daifugo.he_table import HeTable

WIDTH, HEIGHT = 51, 21
"""Characters of a printed figure."""
ENDS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Possible ends of its axes: both axes end at the first with room for all points."""
PAPER = "paonR2 115967 hands, 210 classes, groups 0.62; kishimen 124700 hands, 202 classes, groups 0.58"
"""The paper's figures for its two tables (section 3.2.1)."""


@dataclass(frozen=True)
class Plot:
    """A figure of the paper: a point for each class, the mean of its probabilities of some items in either table."""

    figure: int
    title: str
    first: int
    """Items, as in ``he_table.ITEMS``, from this one"""
    last: int
    """to this one."""


PLOTS = (
    Plot(3, "3 to 7", 0, 4),
    Plot(4, "8", 5, 5),
    Plot(5, "9 to Q", 6, 9),
    Plot(6, "K to 2", 10, 12),
    Plot(7, "groups", 13, 13),
    Plot(8, "sequences", 14, 14),
)


@dataclass(frozen=True)
class Point:
    """A class that was seen at least 10 times in both tables."""

    number: int
    """The class, 0 to 255."""
    x: float
    y: float
    x_seen_count: int
    y_seen_count: int


@dataclass(frozen=True)
class Scatter:
    """A figure of two tables, all points."""

    figure: int
    title: str
    x_mean: float
    """Of all hands of the first table: the mean weighted by how often classes were seen."""
    y_mean: float
    correlation: float | None
    """Of the points, each counted once; None where one of the two does not vary."""
    points: list[Point]


@example("Example: yamafuda daifugo-tables 3f2a rule.parquet --merged all.parquet")
@answers_each("")
def tables(
    door: Door,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="TABLE...",
            help="Parquet files, or runs of daifugo_learn: folders, or beginnings of their names or ids.",
            show_default=False,
        ),
    ],
    player: Annotated[
        str | None, typer.Option(help="For runs with several players: whose hands to use.")
    ] = None,
    merged: Annotated[Path | None, typer.Option(help="Write the sum of all tables to this file.")] = None,
    results: Annotated[
        str, typer.Option(help="Folder or URL of runs.", metavar="PLACE", envvar="YAMAFUDA_RESULTS")
    ] = "results",
) -> Iterator[Answer]:
    """Show what the player HE has learnt.

    How many hands of how many classes it has seen; for two tables also figures 3 to 8 of the paper. In a figure each
    class that both have seen at least 10 times is a point: its probability in the first table across, in the second
    upwards. A digit is the number of classes at a place; + means more than 9.
    """
    from engines.daifugo.he_table import load, merge, save

    if merged is not None and merged.suffix != ".parquet":
        raise UserError("--merged", f"{merged} must end in .parquet")
    paths = [_place(name, place_at(results, "--results")) for name in names]
    found = [load(path, player) for path in paths]
    if merged is not None:
        save(merged, merge(found))
    for number, (path, table) in enumerate(zip(paths, found, strict=True), start=1):
        is_last = number == len(found)
        lines = [*_lines(path, table), *([f"the paper, 10000 games each: {PAPER}"] if is_last else [])]
        yield Answer(_values(path, table), tuple(lines), apart=False)
    if len(found) == 2:
        for each in figures_3_to_8(*found):
            yield Answer(asdict(each), tuple(_drawn(each)))


def _place(name: str, results: Place) -> Place:
    """The file or the run's folder that is meant."""
    from storage.layout import find_run, runs_called

    given = place_at(name, "TABLE")
    if given.exists() or not runs_called([results], name):
        return given
    return find_run([results], name)


def figures_3_to_8(a: HeTable, b: HeTable) -> list[Scatter]:
    """The figures, with ``a`` across and ``b`` upwards. In the paper these are kishimen and paonR2."""
    import numpy as np

    from engines.daifugo.he_table import SEEN_MIN

    both = np.flatnonzero((a.seen >= SEEN_MIN) & (b.seen >= SEEN_MIN))
    shares = a.shares()[both], b.shares()[both]
    found = []
    for plot in PLOTS:
        items = slice(plot.first, plot.last + 1)
        x, y = (table[:, items].mean(axis=1) for table in shares)
        varies = len(both) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0
        found.append(
            Scatter(
                figure=plot.figure,
                title=plot.title,
                x_mean=_mean(a, items),
                y_mean=_mean(b, items),
                correlation=float(np.corrcoef(x, y)[0, 1]) if varies else None,
                points=[
                    Point(int(number), float(across), float(up), int(a.seen[number]), int(b.seen[number]))
                    for number, across, up in zip(both, x, y, strict=True)
                ],
            )
        )
    return found


def _mean(table: HeTable, items: slice) -> float:
    """The mean probability of some items over all hands."""
    return float(table.held[:, items].sum(axis=0).mean()) / float(table.seen.sum())


def _often_count(table: HeTable) -> int:
    from engines.daifugo.he_table import SEEN_MIN

    return int((table.seen >= SEEN_MIN).sum())


def _means(table: HeTable) -> dict[str, float]:
    return {plot.title: _mean(table, slice(plot.first, plot.last + 1)) for plot in PLOTS}


def _values(path: Place, table: HeTable) -> dict[str, Any]:
    return {
        "table": str(path),
        "hands_count": int(table.seen.sum()),
        "classes_count": int((table.seen > 0).sum()),
        "often_seen_classes_count": _often_count(table),
        "means": _means(table),
        "sources": [asdict(source) for source in table.sources],
    }


def _lines(path: Place, table: HeTable) -> Iterator[str]:
    from engines.daifugo.he_table import SEEN_MIN

    of = ", ".join(f"{each.player} ({each.games_count} games, seed {each.seed})" for each in table.sources)
    yield f"{path}: {of or 'unknown players'}"
    yield f"    {int(table.seen.sum())} hands, {_often_count(table)} classes seen at least {SEEN_MIN} times"
    means = ", ".join(f"{title} {value:.3f}" for title, value in _means(table).items())
    yield f"    mean probabilities: {means}"


def _drawn(figure: Scatter) -> Iterator[str]:
    """A figure as text."""
    yield f"Figure {figure.figure}: {figure.title}"
    cells: Counter[tuple[int, int]] = Counter()
    largest = max((max(point.x, point.y) for point in figure.points), default=0)
    end = next(end for end in ENDS if end >= largest)
    for point in figure.points:
        cells[round(point.y / end * (HEIGHT - 1)), round(point.x / end * (WIDTH - 1))] += 1
    for row in reversed(range(HEIGHT)):
        mark = f"{end * row / (HEIGHT - 1):.2f}" if row % 5 == 0 else ""
        line = "".join(_mark(cells[row, column]) for column in range(WIDTH))
        yield f"{mark:>4} |{line}".rstrip()
    scale = "".join(f"{end * step / 5:<10.2f}" for step in range(6))
    yield "     +" + "-" * WIDTH
    yield f"      {scale}".rstrip()
    correlation = "none" if figure.correlation is None else f"{figure.correlation:.3f}"
    yield (
        f"      {len(figure.points)} classes, correlation {correlation}; "
        f"means of all hands {figure.x_mean:.3f} across, {figure.y_mean:.3f} upwards"
    )


def _mark(count: int) -> str:
    return " " if count == 0 else str(count) if count <= 9 else "+"
