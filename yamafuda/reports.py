"""What runs have found, as pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from yamafuda.runs import Run
from yamafuda.texts import text_of

if TYPE_CHECKING:
    from pipeline.report.content import Content


def report_html(what: str | Run | Sequence[str | Run], *, body: bool = False) -> str:
    """The report of runs or of a game as a page with everything in it, as ``yamafuda report --html`` writes it.

    ``what``: a run, several, or the name of a game, which stands for all its runs. A run is given by its folder,
    its label, or the beginning of its name or id. ``body``: only the content, to be put into another page. UserError
    when there is no such run, and without matplotlib.
    """
    from pipeline.report import page

    return (page.body if body else page.page)(_content(what))


def _content(what: str | Run | Sequence[str | Run]) -> Content:
    from engines.contract.game import Roots
    from engines.contract.registry import game, game_names
    from pipeline.report.content import of_game, of_runs
    from pipeline.roots import locate, roots
    from storage.errors import UserError

    found = roots()
    places = Roots(found["results"], found["tables"])
    if isinstance(what, str) and what in game_names():
        return of_game(game(what), places)
    runs = [what] if isinstance(what, str | Run) else what
    if not isinstance(runs, Iterable):
        raise UserError("what", f"must be a run, several, or the name of a game; got {type(runs).__name__}")
    named = [run.folder if isinstance(run, Run) else text_of(run, "RUN") for run in runs]
    return of_runs([locate(name) for name in named], places)
