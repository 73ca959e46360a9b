"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Stackgame(Game):
    """Its form is the state (``text``)."""

    name = "stackgame"
    title = "The stack game: m boards of n cards each, what Calculation is made of"
    jobs = {
        "stackgame_table": "engines.stackgame.table:StackgameTable",
        "stackgame_play": "engines.stackgame.play:StackgamePlay",
    }
    verbs = {
        "report": "engines.stackgame.report:report",
    }
    commands = {
        "prob": "engines.stackgame.commands:prob",
    }
