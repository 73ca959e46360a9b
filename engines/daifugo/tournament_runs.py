"""Tournaments as far as they are done: summaries of their runs, also of those that are not finished."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.contract.runs import Runs, first_rows, run_plan, sound_runs
from engines.daifugo.rules import PLAYERS
from engines.daifugo.scores import COLUMNS
from engines.daifugo.tournament import DaifugoTournament, DaifugoTournamentJob, Ranks, summary_of
from engines.statistics.sql import RunRows
from storage.dataset import part_paths
from storage.errors import DamagedFileError
from storage.layout import RunLayout
from storage.manifest import read_summary
from storage.place import Place

ROWS = "rows"
"""Key in a summary for the rows behind it, as ``statistics.sql.RunRows``."""


def read_summaries(runs: Runs) -> Iterator[dict[str, Any]]:
    """Summaries of all tournaments; for those that are not done, of the matches before the first missing one."""
    return sound_runs(runs, _summary)


def _summary(folder: Place) -> dict[str, Any] | None:
    """None for runs of other kinds, and where there is no match yet."""
    layout = RunLayout(folder)
    if not (layout.manifest.is_file() and layout.summary.is_file()):
        return _begun(folder)
    summary = read_summary(folder)
    if summary.get("job", {}).get("name") != "daifugo_tournament" or "variants" not in summary:
        return None
    summary |= {ROWS: RunRows(folder.name)}
    # Earlier summaries call it ``place``.
    return summary if "place_index" in summary else summary | {"place_index": summary["place"]}


def _begun(folder: Place) -> dict[str, Any] | None:
    """What the summary of a tournament that is not done would have, of its first matches; None if there is none."""
    import numpy as np

    plan = run_plan(folder)
    values = plan["job"]
    # In rows of version 2 an item is a row; they are the same rows in the same order.
    versions = (2, DaifugoTournament.version)
    if values.get("name") != "daifugo_tournament" or plan.get("engine_version") not in versions:
        return None
    try:
        job = DaifugoTournamentJob(
            "daifugo_tournament",
            **{key: values[key] for key in ("players", "variants", "place", "games", "rank_period")},
            ranks=Ranks(values["ranks"]),
        )
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise DamagedFileError(str(RunLayout(folder).plan), f"is not a plan ({error})") from None
    if not part_paths(folder):
        return None
    rows = first_rows(folder, [name for name in COLUMNS if name != "index"])
    match_rows = job.match_games() * PLAYERS * len(job.line_ups())
    rows = rows.slice(0, len(rows) // match_rows * match_rows)
    if len(rows) == 0:
        return None
    index = np.arange(len(rows) // PLAYERS, dtype=np.uint64).repeat(PLAYERS)
    found = summary_of(job, rows.append_column("index", [index]))
    games = len(rows) // (PLAYERS * len(job.line_ups()))
    remark = f"{folder.name}: not done, {games:,} of {job.games:,} games count"
    return {"job": values, "unfinished": remark, ROWS: RunRows(folder.name, len(index) // PLAYERS)} | found
