"""Finished tables of trick taking."""

from __future__ import annotations

from engines import _native
from engines.tables.finished import FinishedTable
from engines.tricks.table import TricksTable, TricksTableJob
from storage.errors import UserError
from storage.place import Place

JOB = "tricks_table"


def find_table(tables_dir: Place, cards: int, points: str, aim: str) -> FinishedTable[TricksTable]:
    """The smallest finished table that has the deals of ``cards`` cards each; UserError without one."""
    for size in range(cards, _native.TRICKS_CARDS_MAX + 1):
        job = TricksTableJob(JOB, cards=size, points=points, aim=aim)
        found = FinishedTable.find(tables_dir, TricksTable(job))
        if found is not None:
            return found
    raise UserError(
        "job",
        f"there is no finished table of {cards} cards below {tables_dir}; build it first: yamafuda run "
        f"job={JOB} job.cards={cards} job.points={points} job.aim={aim}",
    )
