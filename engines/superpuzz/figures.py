"""The paper's table 1, to be shown beside the figures of a census."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from engines.statistics.intervals import mean
from engines.superpuzz import paper


def beside_paper(columns: int, rows: pa.Table) -> dict[str, Any]:
    """The paper's row; ``states_z``: how many standard errors our mean is from the paper's.

    ``rows``: ``outcome`` and ``states_count``. Only decided deals are used, because one that hit a limit has more
    states than were counted. The paper gives no spread. Its standard error is taken from our distribution, with the
    paper's number of deals.
    """
    printed = {f"paper_{name}": value for name, value in asdict(paper.TABLE_1[columns]).items()}
    found = mean([row["states_count"] for row in rows.to_pylist() if row["outcome"] != "undecided"])
    z = None
    if found is not None and found[1]:
        decided_count = len(rows) - rows["outcome"].to_pylist().count("undecided")
        both = math.hypot(found[1], found[1] * math.sqrt(decided_count / paper.DEALS_COUNT))
        z = (found[0] - paper.TABLE_1[columns].states_mean) / both
    return printed | {"paper_deals_count": paper.DEALS_COUNT, "states_z": z}
