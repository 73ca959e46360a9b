"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Calculation(Game):
    """Calculation: four foundations built in steps of one to four, a pile drawn card by card, and a few stacks."""

    name = "calculation"
    title = (
        "Calculation: four foundations built in steps of one to four, a pile drawn card by card, a few stacks"
    )
    jobs = {
        "calculation_sweep": "engines.calculation.sweep:CalculationSweep",
        "calculation_open": "engines.calculation.open_sweep:CalculationOpen",
    }
    verbs = {
        "solve": "engines.calculation.solve:solve",
        "check": "engines.calculation.check:check",
        "advise": "engines.calculation.advise:advise",
        "report": "engines.calculation.report:report",
    }
