"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Stackgame(Game):
    """The stack game of Tanaka's Calculation paper: exact tables, random play, single states."""

    name = "stackgame"
    title = "The stack game: m boards of n cards each, a simple form of Calculation"
    jobs = {
        "stackgame_table": "engines.stackgame.table:StackgameTable",
        "stackgame_play": "engines.stackgame.play:StackgamePlay",
    }
    forms = {
        "state": "Chains of [count{stacks}], so many cards that may not go on these stacks, joined by -> in the order "
        "in which they leave; chains are separated by ;. A card is CHAIN.INDEX from 0, and 1.2 < 0.7 says that it "
        "leaves before another.",
    }
    positions_of = "engines.stackgame.positions:StackgamePositions"
    explorer_of = "engines.stackgame.exploring:StackgameExplorer"
    verbs = {
        "advise": "engines.stackgame.asked:advise",
        "show": "engines.stackgame.showing:show",
        "report": "engines.stackgame.report:report",
        "sections": "engines.stackgame.sections:sections",
    }
    commands = {
        "prob": "engines.stackgame.asked:prob",
    }
