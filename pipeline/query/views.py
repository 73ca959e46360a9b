"""The views over the rows of runs, as SQL: which files are read, and which of their rows are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pipeline.query.columns import Columns
from pipeline.query.fence import identifier, quoted
from pipeline.query.items import Family
from pipeline.query.reading import readable
from pipeline.query.runs import Run

Describe = Callable[[str], Mapping[str, str]]
"""Name -> type of the columns of a SELECT."""
_FAMILY, _PLACE = "_family", "_place"


def all_rows(runs: Sequence[Run], columns: Columns, describe: Describe) -> str:
    """All rows of runs, of every attempt, whether the runs are finished or not."""
    return _united([(run.version, run.paths(), ()) for run in runs], columns, describe)


def rows_of_run(run: Run, columns: Columns, describe: Describe) -> str:
    """For each item of a run, finished or not, the rows of its highest attempt."""
    return _united([_latest(run, run.groups)], columns, describe)


def each_item_once(families: Iterable[Family], columns: Columns, describe: Describe) -> str:
    """For each item the rows of one run: the first in its family that decides it, or else the first."""
    alone, shared = list[Run](), list[tuple[Run, int, int]]()
    item: Sequence[str] = ()
    for number, family in enumerate(families):
        if family.span is None:
            alone.append(family.runs[0])
            continue
        item = family.span.item
        for place, run in enumerate(family.runs):
            if family.overlaps[run.folder]:
                shared.append((run, number, place))
            else:
                alone.append(run)
    told = [_united([_latest(run, run.whole_groups) for run in alone], columns, describe)] if alone else []
    if shared:
        rows = _united([_latest(run, run.whole_groups) for run, _, _ in shared], columns, describe)
        told.append(_best(rows, shared, item))
    return " UNION ALL BY NAME ".join(told) if told else columns.nothing()


def _best(rows: str, shared: Sequence[tuple[Run, int, int]], item: Sequence[str]) -> str:
    """For each item of ``rows`` those of one run; ``shared``: runs with their family and their place in it."""
    ranks = ", ".join(f"({quoted(run.id)}, {family}, {place})" for run, family, place in shared)
    key = ", ".join([_FAMILY, *map(identifier, item)])
    places = 1 + max(place for _, _, place in shared)
    # Runs in which an item is undecided come after all runs that decide it.
    return f"""(
        WITH placed AS NOT MATERIALIZED (
            SELECT * FROM ({rows}) JOIN (VALUES {ranks}) AS ranks(run_id, {_FAMILY}, {_PLACE}) USING (run_id)
        ), found AS (
            SELECT {key}, {_PLACE} + {places} * max(coalesce(outcome = 'undecided', false)::INTEGER) AS open_place
            FROM placed GROUP BY {key}, {_PLACE}
        ), best AS (
            SELECT {key}, min(open_place) % {places} AS {_PLACE} FROM found GROUP BY {key}
        )
        SELECT * EXCLUDE ({_FAMILY}, {_PLACE}) FROM placed SEMI JOIN best USING ({key}, {_PLACE})
    )"""


def _latest(run: Run, groups: Iterable[Sequence[str]]) -> tuple[int, list[str], list[str]]:
    """The engine's version, the parts of units with one part, and those of units with several attempts."""
    one, several = list[str](), list[str]()
    for group in groups:
        (several if len(group) > 1 else one).extend(group)
    return run.version, one, several


def _united(
    parts: Iterable[tuple[int, Sequence[str], Sequence[str]]], columns: Columns, describe: Describe
) -> str:
    """Rows of files in today's columns; files of one engine version have the same names for them."""
    by_version: dict[int, tuple[list[str], list[str]]] = {}
    for version, one, several in parts:
        found = by_version.setdefault(version, ([], []))
        found[0].extend(one)
        found[1].extend(several)
    selects = []
    for one, several in by_version.values():
        sources = [f"SELECT * FROM {_read(one)}"] if one else []
        if several:
            from storage.dataset import current_rows_sql

            sources.append(current_rows_sql(*map(readable, several)))
        if sources:
            source = " UNION ALL BY NAME ".join(sources)
            selects.append(f"SELECT {columns.select(describe(source))} FROM ({source})")
    return " UNION ALL BY NAME ".join(selects) if selects else columns.nothing()


def _read(paths: Iterable[str]) -> str:
    return f"read_parquet([{', '.join(quoted(readable(path)) for path in paths)}], union_by_name = true)"
