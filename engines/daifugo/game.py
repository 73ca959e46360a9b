"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Daifugo(Game):
    """Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first."""

    name = "daifugo"
    title = "Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first"
    jobs = {
        "daifugo_learn": "engines.daifugo.learn:DaifugoLearn",
        "daifugo_estimate": "engines.daifugo.estimation:DaifugoEstimate",
        "daifugo_tournament": "engines.daifugo.tournament:DaifugoTournament",
    }
    verbs = {
        "solve": "engines.daifugo.solve:solve",
        "check": "engines.daifugo.check:check",
        "report": "engines.daifugo.report:report",
    }
    commands = {
        "daifugo-tables": "engines.daifugo.tables_report:tables",
    }
