"""Pools: the results of all runs of a solitaire together, random deals by sizes and options, each deal once."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engines.contract.options import JOB, options_of
from engines.contract.registry import engine_class
from engines.contract.runs import Runs, first_rows, run_plan, sound_runs
from engines.solitaire.figures import figure_columns
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.job import DealsJob
from engines.solitaire.sweep import SolitaireSweep
from engines.statistics.sql import RunRows
from storage.errors import DamagedFileError, UserError
from storage.layout import RunLayout
from storage.place import Place

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Pool:
    """The random deals of all runs with the same sizes and options, each once."""

    sizes: dict[str, Any]
    options: Any
    told: dict[str, Any]
    """Sizes and options, None for one that makes no difference."""
    rows: pa.Table
    """``seed``, ``deal_index`` and the columns for figures, in the order of seed and index."""
    unfinished: list[str]
    """A remark on each run that is not done."""
    runs: list[RunRows]
    """The runs that the rows come from."""


def pools(game: Solitaire[Any, Any, Any], runs: Runs) -> list[Pool]:
    """Pools of the sweeps that decide deals of a seed.

    A deal in several runs counts once, as decided if one of them has decided it. From a run that is not done, or has
    failed units, only the deals before the first missing one are taken: those after it would be a biased sample, the
    quick ones.
    """
    import pyarrow as pa

    jobs = {name: each for name in game.jobs if issubclass(each := engine_class(name), SolitaireSweep)}
    found: dict[tuple[Any, ...], Pool] = {}
    tables: dict[tuple[Any, ...], list[pa.Table]] = {}
    for one in sound_runs(runs, lambda run_dir: _of_run(game, jobs, run_dir)):
        key = tuple(one.told.values())
        pool = found.setdefault(key, dataclasses.replace(one, unfinished=[], runs=[]))
        pool.unfinished.extend(one.unfinished)
        pool.runs.extend(one.runs)
        tables.setdefault(key, []).append(one.rows)
    return [
        dataclasses.replace(pool, rows=each_once(pa.concat_tables(tables[key])))
        for key, pool in sorted(found.items(), key=lambda each: _order(game, each[1].told))
    ]


def _of_run(
    game: Solitaire[Any, Any, Any], jobs: Mapping[str, type[SolitaireSweep]], run_dir: Place
) -> Pool | None:
    """The pool of one run; None when it decides no deals of a seed, or none yet."""
    from storage.dataset import part_paths

    plan = run_plan(run_dir)
    values = plan["job"]
    engine = jobs.get(str(values.get("name")))
    if engine is None or values.get("seed") is None or values.get("mode", DECIDE) != DECIDE:
        return None
    if not part_paths(run_dir):
        return None
    rows = first_rows(run_dir, ["seed", "deal_index", *figure_columns(game)], engine.renamed)
    if len(rows) == 0:
        return None
    if plan["engine_version"] < engine.counted_since:
        rows = without_values(rows, "moves_count")
    job = _job(engine, values, RunLayout(run_dir).plan)
    remark = f"{run_dir.name}: not done, {len(rows):,} of {plan['items_count']:,} deals count"
    unfinished = [remark] if len(rows) < plan["items_count"] else []
    counted = RunRows(run_dir.name, len(rows) if unfinished else None)
    told = job.sizes() | game.distinct(job.options())
    return Pool(job.sizes(), job.options(), told, rows, unfinished, [counted])


def _job(engine: type[SolitaireSweep], values: dict[str, Any], plan: Place) -> DealsJob:
    """The sizes and options of a plan's job; DamagedFileError when one is missing or wrong."""
    job: DealsJob = engine.job_type()  # type: ignore[assignment]
    for each in options_of(type(job)):
        if each.name not in values and each.name not in job.later:
            raise DamagedFileError(str(plan), f"is not a plan (job.{each.name} is missing)")
        value = values.get(each.name, job.later.get(each.name))
        try:
            each.check(value, JOB)
        except (UserError, TypeError) as error:
            raise DamagedFileError(str(plan), f"is not a plan ({error})") from None
        setattr(job, each.name, each.read(value))
    return job


def without_values(rows: pa.Table, name: str) -> pa.Table:
    """The same rows, with null in a column."""
    import pyarrow as pa

    place, field = rows.schema.get_field_index(name), rows.schema.field(name)
    return rows.set_column(place, field, pa.nulls(len(rows), field.type))


def each_once(rows: pa.Table) -> pa.Table:
    """Each deal once: a decided row rather than an open one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_open = pc.equal(rows["outcome"], "undecided")
    keys = [("seed", "ascending"), ("deal_index", "ascending"), ("is_open", "ascending")]
    order = pc.sort_indices(rows.append_column("is_open", is_open), sort_keys=keys)
    rows = rows.take(order).combine_chunks()
    differs = pc.or_(*(pc.not_equal(rows[name][1:], rows[name][:-1]) for name in ("seed", "deal_index")))
    return rows.filter(pa.chunked_array([pa.array([True]), *differs.chunks]))


def _order(game: Solitaire[Any, Any, Any], told: dict[str, Any]) -> tuple[Any, ...]:
    """Choices in their order, the usual one first; numbers ascending, no value last."""
    usual = {
        each.name: each.default for each in options_of(game.options) if each.choices or each.type is bool
    }
    return tuple(
        (value is not None and value != usual[name], str(value))
        if name in usual
        else (math.inf if value is None else value, "")
        for name, value in told.items()
    )
