"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Daifugo(Game):
    """Positions and records of games are its forms (``position``, ``record``)."""

    name = "daifugo"
    title = "Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first"
    jobs = {
        "daifugo_learn": "engines.daifugo.learn:DaifugoLearn",
        "daifugo_estimate": "engines.daifugo.estimate:DaifugoEstimate",
        "daifugo_tournament": "engines.daifugo.tournament:DaifugoTournament",
    }
    verbs = {
        "advise": "engines.daifugo.advise:advise",
        "solve": "engines.daifugo.advise:advise",  # its name of old
        "check": "engines.daifugo.check:check",
        "report": "engines.daifugo.report:report",
    }
    commands = {
        "daifugo-tables": "engines.daifugo.tables_report:tables",
    }
