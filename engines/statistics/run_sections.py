"""Sections of a report on any run: outcomes, time and states of a sweep, layers of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engines.contract.chart import PERCENT, SECONDS, Axis, Curve, Curves, Dots, DotSeries, Value
from engines.contract.runs import first_rows
from engines.contract.section import Column, Section
from engines.statistics.intervals import wilson
from engines.statistics.quantiles import Group, quantile_section
from engines.statistics.sql import column_sql, share_sql
from storage.dataset import part_paths, read_rows

if TYPE_CHECKING:
    import pyarrow as pa

    from engines.contract.engine import Engine
    from storage.place import Place

OUTCOMES = ("won", "lost", "undecided")
MEASURES = {"elapsed_s": Axis("time of a row", SECONDS), "states_count": Axis("states of a row", "states")}
"""Columns that many sweeps have."""


def sweep_sections(engine: Engine, run_dir: Place) -> Iterator[Section]:
    """Outcomes with intervals, and distributions of time and states, for the items before the first missing one."""
    if not part_paths(run_dir):
        return
    known = engine.columns().names
    measures = [name for name in MEASURES if name == "elapsed_s" or name in known]
    rows = first_rows(run_dir, ["outcome", *measures], engine.renamed)
    if not len(rows):
        return
    outcomes = [each for each in rows["outcome"].to_pylist() if each is not None]
    condition = _before_gap(run_dir, rows)
    if outcomes:
        yield _outcomes(outcomes, run_dir.name, condition)
    for measure in measures:
        yield from _measure(rows, measure, bool(outcomes), run_dir.name, condition)


def _before_gap(run_dir: Place, rows: pa.Table) -> str:
    """A condition that leaves out all after the first missing item."""
    index = read_rows(run_dir, ["index"])["index"]
    return "true" if len(rows) == len(index) else f'"index" <= {index[len(rows) - 1].as_py()}'


def _outcomes(outcomes: Sequence[str], run: str, condition: str) -> Section:
    counts, total = Counter(outcomes), len(outcomes)
    names = [name for name in OUTCOMES if counts[name]]
    values = [Value(counts[name] / total, *wilson(counts[name], total)) for name in names]
    return Section(
        name="outcomes",
        title="Outcomes",
        columns=(
            Column("outcome", "outcome"),
            Column("items_count", "rows"),
            Column("total_count", "of"),
            Column("share", "share", PERCENT, "share_low", "share_high"),
        ),
        rows=tuple(
            {
                "outcome": name,
                "items_count": counts[name],
                "total_count": total,
                "share": each.value,
                "share_low": each.low,
                "share_high": each.high,
            }
            for name, each in zip(names, values, strict=True)
        ),
        query=(
            "WITH counted AS (\n    SELECT outcome, count(*) AS items_count,\n"
            "        sum(count(*)) OVER ()::BIGINT AS total_count\n"
            f"    FROM {column_sql(run)} WHERE outcome IS NOT NULL AND {condition} GROUP BY outcome\n)\n"
            f"SELECT *,\n    {share_sql('share', 'items_count', 'total_count')}\nFROM counted ORDER BY ALL"
        ),
        chart=Dots(Axis("share of rows", PERCENT), tuple(names), (DotSeries("share", tuple(values)),)),
        notes=("95% intervals of shares are Wilson's.",),
        runs=(run,),
    )


def _measure(rows: pa.Table, measure: str, by_outcome: bool, run: str, condition: str) -> Iterator[Section]:
    axis = MEASURES[measure]
    pairs = [
        (outcome or "", value)
        for outcome, value in zip(rows["outcome"].to_pylist(), rows[measure].to_pylist(), strict=True)
        if value is not None
    ]
    groups = []
    for outcome in OUTCOMES if by_outcome else ("",):
        values = [value for each, value in pairs if each == outcome]
        if values:
            groups.append(Group(outcome or "rows", {"outcome": outcome} if by_outcome else {}, values))
    if groups:
        yield quantile_section(
            measure.replace("_", "-"),
            axis.title[0].upper() + axis.title[1:],
            measure,
            axis,
            groups,
            [Column("outcome", "outcome")] if by_outcome else [],
            column_sql(run),
            f"{measure} IS NOT NULL AND {condition}" + (" AND outcome IS NOT NULL" if by_outcome else ""),
            key_sql={"outcome": "outcome"} if by_outcome else {},
            runs=[run],
        )


def table_sections(run_dir: Place) -> Iterator[Section]:
    """States, bytes and time of each layer of a finished table; empty for an unfinished one."""
    if not part_paths(run_dir):
        return
    names = ["states_count", "size_bytes", "elapsed_s"]
    rows = read_rows(run_dir, ["layer", *names])
    found = rows.group_by("layer").aggregate([(name, "sum") for name in names]).sort_by("layer").to_pylist()
    layers = [{"layer": row["layer"], **{name: row[f"{name}_sum"] for name in names}} for row in found]
    points = [(float(row["layer"]), Value(row["states_count"])) for row in layers if row["states_count"]]
    counts = ", ".join(f"sum({name})::BIGINT AS {name}" for name in ("states_count", "size_bytes"))
    yield Section(
        name="layers",
        title="States of each layer",
        columns=(
            Column("layer", "layer", "cards"),
            Column("states_count", "states"),
            Column("size_bytes", "size", "bytes"),
            Column("elapsed_s", "time", SECONDS),
        ),
        rows=tuple(layers),
        query=(
            f"SELECT layer, {counts}, sum(elapsed_s) AS elapsed_s\n"
            f"FROM {column_sql(run_dir.name)}\nGROUP BY layer ORDER BY layer"
        ),
        chart=Curves(Axis("layer", "cards"), Axis("states", log=True), (Curve("states", tuple(points)),)),
        notes=(
            "All states are counted, so there is no interval. Time is that of the last phase, over all shards.",
        ),
    )
