"""Finished tables of trick taking."""

from __future__ import annotations

from pathlib import Path

from engines import _native
from engines.contract.job import run_id
from engines.tricks.table import TricksTable, TricksTableJob
from storage.errors import UserError
from storage.layout import RunLayout

JOB = "tricks_table"


def find_table(tables_dir: Path, cards: int, points: str, aim: str) -> tuple[TricksTable, Path]:
    """The smallest finished table that has the deals of ``cards`` cards each, and its folder; UserError without one."""
    for size in range(cards, _native.TRICKS_CARDS_MAX + 1):
        job = TricksTableJob(JOB, cards=size, points=points, aim=aim)
        folder = tables_dir / run_id(job, TricksTable.version)
        if RunLayout(folder).manifest.exists():
            return TricksTable(job), folder
    raise UserError(
        "job",
        f"there is no finished table of {cards} cards below {tables_dir}; build it first: yamafuda run "
        f"job={JOB} job.cards={cards} job.points={points} job.aim={aim}",
    )
