"""The declaration of the game: start here."""

from __future__ import annotations

from engines.contract.game import Game


class Superpuzz(Game):
    """Superpuzz: one pack dealt into four rows, kings taken out; cards move into the holes until rows are sorted."""

    name = "superpuzz"
    title = (
        "Superpuzz: one pack in four rows, kings taken out; cards move into the holes until rows are sorted"
    )
    jobs = {
        "superpuzz_sweep": "engines.superpuzz.sweep:SuperpuzzSweep",
    }
    verbs = {
        "solve": "engines.superpuzz.solve:solve",
        "check": "engines.superpuzz.check:check",
        "report": "engines.superpuzz.report:report",
    }
