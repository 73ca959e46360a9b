"""The command ``yamafuda report``: what runs have found beside what a paper prints, game by game."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer

from storage.errors import UserError

GAMES = {
    "stackgame": "engines.stackgame.report",
    "superpuzz": "engines.superpuzz.report",
    "klondike": "engines.klondike.report",
    "daifugo": "engines.daifugo.report",
    "calculation": "engines.calculation.report",
    "tricks": "engines.tricks.report",
}
"""Game -> module with ``report(folder: Path, as_json: bool) -> bool``, which prints and tells whether all is right.

One that reports on tables and on sweeps has ``report_sweeps`` for the latter, with the same parameters.
"""
FIGURES = {"tricks": "engines.tricks.figure"}
"""Game -> module with ``draw(folder: Path, target: Path)``, which writes a figure."""
OF_TABLES = ("stackgame", "tricks")
"""Games whose report is on tables."""


def register(app: typer.Typer) -> None:
    """Add the command ``report`` to ``app``."""
    app.command(epilog="Example: yamafuda report superpuzz")(report)


def report(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=f"{', '.join(GAMES)}.")] = "stackgame",
    tables: Annotated[
        Path, typer.Option(help="Folder of table runs.", envvar=["YAMAFUDA_TABLES", "YAMAFUDA_RESULTS"])
    ] = Path("results"),
    results: Annotated[Path, typer.Option(help="Folder of sweep runs.", envvar="YAMAFUDA_RESULTS")] = Path(
        "results"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines on stdout.")] = False,
    svg: Annotated[
        Path | None, typer.Option(help=f"Also write a figure to this file ({', '.join(FIGURES)}).")
    ] = None,
) -> None:
    """Compare runs with the paper's numbers; exit status 1 when one that is exact differs.

    stackgame: built tables (--tables) beside tables 1 and 2 and the probabilities. superpuzz: censuses of random deals
    (--results) beside table 1, and figure 8. klondike: shares of random deals that can be won (--results), by rules,
    beside published ones. daifugo: tournaments (--results) beside table 1, and figure 9. calculation: wins (--results)
    beside tables 3 and 4, and runs with the same decks against each other. tricks: built tables (--tables): shares won,
    what leading costs, and how the thesis's statements fare (--results).
    """
    if game not in GAMES:
        raise UserError("GAME", f"there is no report of {game!r}; there are: {', '.join(GAMES)}")
    folder = tables if game in OF_TABLES else results
    if svg is not None:
        if game not in FIGURES:
            raise UserError("--svg", f"there is no figure of {game}; there are: {', '.join(FIGURES)}")
        importlib.import_module(FIGURES[game]).draw(folder, svg)
    module = importlib.import_module(GAMES[game])
    all_right = module.report(folder, as_json)
    if hasattr(module, "report_sweeps"):
        all_right = module.report_sweeps(results, as_json) and all_right
    if not all_right:
        raise typer.Exit(1)
