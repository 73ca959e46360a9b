"""What a run would do and need, without doing or writing anything."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from typing import Any

from engines.contract.job import job_words
from engines.text.words import count_of, duration, size
from pipeline.config import Config, LocalCluster
from pipeline.plan import plan_in_place
from pipeline.run import plan_run
from pipeline.status import read_status

NEW = "new"


def dry_run(config: Config) -> dict[str, Any]:
    """The needs of the run of ``config``, of the tables that are built before it, and of all of them.

    Figures are for the whole run, however much of it is done; None where the engine has no estimate.
    """
    facts = _facts(config)
    tables = [_facts(dataclasses.replace(config, job=table)) for table in plan_run(config).engine.needs()]
    first = [table for table in tables if table["state"] != "done"]
    whole = {key: _sum([each[key] for each in (facts, *first)]) for key in ("core_s", "disk_bytes")}
    return facts | {"builds_first": first, "whole": whole}


def _facts(config: Config) -> dict[str, Any]:
    run = plan_run(config)
    plan, estimate, layout = run.plan, run.engine.estimate(), run.layout
    state, done_count = NEW, 0
    if layout.plan.exists():
        plan, status = plan_in_place(layout, plan), read_status(layout.run_dir)
        state, done_count = status.state, status.units_done_count
    return {
        "job": config.job.name,
        "command": f"yamafuda run {job_words(config.job)}",
        "run": str(layout.run_dir),
        "state": state,
        "contract": plan["contract"],
        "units_count": run.contract.units_count(plan),
        "units_done_count": done_count,
        "items_count": estimate.items_count if estimate else plan.get("items_count"),
        "core_s": round(estimate.core_s, 3) if estimate else None,
        "disk_bytes": estimate.disk_bytes if estimate else None,
        "memory_bytes": config.job.limits.memory_bytes,
    }


def dry_run_lines(facts: dict[str, Any], config: Config) -> Iterator[str]:
    """The same in words."""
    yield _state(facts)
    yield f"  work    {_work(facts)}"
    yield f"  time    {_time(facts['core_s'])}{_on_all(facts, config)}"
    yield f"  disk    {_disk(facts['disk_bytes'])}"
    yield f"  memory  up to {size(facts['memory_bytes'])} for each unit"
    for number, table in enumerate(facts["builds_first"]):
        head = "  " if number else "  first   "
        yield f"{head:10}{table['command']}"
        yield f"          {_work(table)}"
        yield f"          {_time(table['core_s'])}, {_disk(table['disk_bytes'])}"
    if facts["builds_first"]:
        yield f"  in all  {_time(facts['whole']['core_s'])}, {_disk(facts['whole']['disk_bytes'])}"
    yield f"  folder  {facts['run']}"


def _state(facts: dict[str, Any]) -> str:
    done = ""
    if facts["state"] not in (NEW, "done"):
        done = f", {facts['units_done_count']:,} of {facts['units_count']:,} units are done"
    return f"{facts['run'].rpartition('/')[2]}: {facts['state']}{done}"


def _work(facts: dict[str, Any]) -> str:
    count, units = facts["items_count"], facts["units_count"]
    items = "" if count is None else f"{'about ' if facts['contract'] == 'table' else ''}{count:,} "
    items += "" if count is None else "states in " if facts["contract"] == "table" else "items in "
    return f"{items}{count_of(units, 'unit')}"


def _time(core_s: float | None) -> str:
    return "unknown" if core_s is None else f"about {duration(max(1.0, core_s))} of one core"


def _on_all(facts: dict[str, Any], config: Config) -> str:
    if not isinstance(config.cluster, LocalCluster) or facts["core_s"] is None:
        return ""
    cores = min(config.cluster.cpus or os.cpu_count() or 1, facts["units_count"])
    return f", {duration(max(1.0, facts['core_s'] / cores))} on {cores}" if cores > 1 else ""


def _disk(disk_bytes: int | None) -> str:
    return "unknown" if disk_bytes is None else f"about {size(disk_bytes)}"


def _sum(values: list[Any]) -> Any:
    return None if any(value is None for value in values) else sum(values)
