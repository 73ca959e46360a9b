"""The declaration of the toys: imports nothing that takes time."""

from __future__ import annotations

from engines.contract.game import Game


class Toy(Game):
    """Found by the entry point in ``toys-1.dist-info``, as those of installed packages are."""

    name = "toy"
    title = "Numbers instead of games"
    jobs = {"toy_sweep": "toy:ToySweep", "toy_hands": "toy:ToyHands", "toy_table": "toy:ToyTable"}
    verbs = {"solve": "toy_commands:solve"}
