"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Daifugo(Game):
    """Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first."""

    name = "daifugo"
    title = "Daihinmin (Daifugo): five players, 53 cards, who gets rid of the own ones first"
    jobs = {
        "daifugo_learn": "engines.daifugo.learn:DaifugoLearn",
        "daifugo_policy": "engines.daifugo.policy_job:DaifugoPolicy",
        "daifugo_estimate": "engines.daifugo.estimate:DaifugoEstimate",
        "daifugo_tournament": "engines.daifugo.tournament:DaifugoTournament",
        "daifugo_uecda": "engines.daifugo.uecda.sweep:DaifugoUecda",
    }
    verbs = {
        "advise": "engines.daifugo.advise:advise",
        "solve": "engines.daifugo.advise:advise",  # its earlier name
        "check": "engines.daifugo.check:check",
        "show": "engines.daifugo.showing:show",
        "report": "engines.daifugo.report:report",
        "sections": "engines.daifugo.sections:sections",
    }
    positions_of = "engines.daifugo.positions:DaifugoPositions"
    forms = {
        "position": "A position is whose turn it is, that hand, and how many cards the others have, like turn: 0 / "
        "0: C5 S7 H0 D2 / 1: 7 / 2: 3 / 3: 5 / 4: - / finished: 4 / field: S9 / last: 3.",
        "game": "A game is its deal, like deal 0: S3 D5 JK, its turns, like 0: S3 / 1: S5 S6 JK=S7 / 2: pass, and its "
        "result: 0 1 2 3 4, the seats as they finished; with ranks also before: 1 0 2 4 3, those of the game before, "
        "and what each gives, like 3 gives 1: JK S2. Also read are games as clients log them (dealt { s7 d8 ... }, "
        "play d-3[26] ...).",
    }
    commands = {
        "daifugo-tables": "engines.daifugo.tables_report:tables",
    }
    services = {
        "play-uecda": "engines.daifugo.uecda.playing:play",
        "serve-uecda": "engines.daifugo.uecda.serving:serve",
    }
