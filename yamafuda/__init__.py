"""yamafuda from Python: compute card games in bulk, and look at the results.

    import yamafuda

    yamafuda.game("superpuzz").solve("S2 S3 D3 / HA H3 SA / DA D2 C3 / H2 CA C2")
    run = yamafuda.run("klondike_sweep", deals=100, redeals=2)
    run.rows().to_pandas()
    yamafuda.query("SELECT outcome, count(*) FROM klondike_sweep GROUP BY ALL")

Everything public is named here. Slow imports happen when a function is called. Errors that a user can mend are
``UserError``: one line that names the place.
"""

from storage.errors import UserError
from yamafuda.answers import examples, load, query
from yamafuda.computing import run
from yamafuda.found import Found
from yamafuda.games import Game, Games, game, games
from yamafuda.positions import Play, Position, Replay
from yamafuda.reports import report_html
from yamafuda.rows import Rows
from yamafuda.runs import Run, Runs, runs

__all__ = [
    "Found",
    "Game",
    "Games",
    "Play",
    "Position",
    "Replay",
    "Rows",
    "Run",
    "Runs",
    "UserError",
    "examples",
    "game",
    "games",
    "load",
    "query",
    "report_html",
    "run",
    "runs",
]
