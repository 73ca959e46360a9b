"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Klondike(Game):
    """Klondike: columns built down in alternating colours, a stock dealt one or three at a time, all cards known."""

    name = "klondike"
    title = "Klondike: columns built down in alternating colours, a stock dealt one or three cards at a time"
    jobs = {
        "klondike_sweep": "engines.klondike.sweep:KlondikeSweep",
        "klondike_deals": "engines.klondike.deals:KlondikeDeals",
    }
    verbs = {
        "solve": "engines.klondike.solve:solve",
        "check": "engines.klondike.check:check",
        "report": "engines.klondike.report:report",
    }
