"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Tricks(Game):
    """Two-person single-suit trick taking with point cards (Kanehiro's thesis)."""

    name = "tricks"
    title = "Trick taking with point cards: two players, a single suit"
    jobs = {
        "tricks_table": "engines.tricks.table:TricksTable",
        "tricks_theorems": "engines.tricks.theorems:TricksTheorems",
    }
    forms = {
        "deal": "A=8,7,6,4 B=5,3,2,1 k=4, or AAABABBB k=4: who has the highest card, the next one, and so on. k is the "
        "number of point cards.",
    }
    positions_of = "engines.tricks.positions:TricksPositions"
    verbs = {
        "advise": "engines.tricks.advise:advise",
        "solve": "engines.tricks.solve:solve",
        "show": "engines.tricks.showing:show",
        "report": "engines.tricks.report:report",
        "sections": "engines.tricks.sections:sections",
    }
