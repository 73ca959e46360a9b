"""Questions to all runs, in SQL or by name."""

from __future__ import annotations

from collections.abc import Mapping

from yamafuda.rows import Rows
from yamafuda.texts import text_of


def query(sql: str, *, partial: bool = False) -> Rows:
    """Ask all runs with SQL (DuckDB's), as ``yamafuda query`` does.

    The views: ``runs``; ``JOB``, each item of a kind of job once; ``JOB_rows``, all rows of all its runs; and one for
    each run, by its name. ``partial`` includes runs that are not finished, as far as they are. UserError for SQL that
    is wrong or does more than read.

        yamafuda.query("SELECT outcome, count(*) FROM klondike_sweep GROUP BY ALL")
    """
    from pipeline.query.answer import answer
    from pipeline.query.fence import statements
    from storage.errors import UserError

    asked = statements(text_of(sql, "SQL"))
    if len(asked) > 1:
        raise UserError("SQL", f"has {len(asked)} statements; ask one at a time")
    return Rows(answer(asked[0], partial, as_arrow=True).table)


def examples() -> Mapping[str, str]:
    """Worked examples: name -> SQL for ``query``. Comments at the beginning say what it asks, and which commands make
    the data.

    yamafuda.query(yamafuda.examples()["hardest-deals"])
    """
    from pipeline.query.examples import examples as found

    return {each.name: each.sql for each in found()}


def load(name: str, *, partial: bool = False) -> Rows:
    """The rows of a kind of job, each item once, or the rows of one run.

    ``name``: a job's (``klondike_sweep``), or a run's folder, its label, or the beginning of its name or id. Rows of
    sweeps are in the order of seeds and items. UserError when there is neither.
    """
    from engines.contract.nearest import did_you_mean
    from engines.contract.registry import job_names
    from pipeline.query.fence import identifier
    from pipeline.roots import locate
    from storage.errors import UserError

    view = text_of(name, "name")
    if name not in job_names():
        try:
            view = locate(name).name
        except UserError as error:
            hint = did_you_mean(name, job_names())
            raise UserError(name, f"is neither a kind of job{hint} nor a run ({error.message})") from error
    rows = query(f"SELECT * FROM {identifier(view)}", partial=partial)
    keys = [(name, "ascending") for name in ("seed", "index") if name in rows.columns]
    return Rows(rows.to_arrow().sort_by(keys)) if keys else rows
