"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Tricks(Game):
    """Its form is the deal (``text``)."""

    name = "tricks"
    title = "Two-person single-suit trick taking with point cards"
    jobs = {
        "tricks_table": "engines.tricks.table:TricksTable",
        "tricks_theorems": "engines.tricks.theorems:TricksTheorems",
    }
    verbs = {
        "solve": "engines.tricks.solve:solve",
        "report": "engines.tricks.report:report",
        "figure": "engines.tricks.drawing:draw",
    }
