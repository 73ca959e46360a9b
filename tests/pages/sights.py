"""The pages that a browser is shown, with runs that all of them need."""

from __future__ import annotations

from pathlib import Path

import yamafuda
from pages.address import address

EXAMPLES = Path(__file__).parents[2] / "engines"
KLONDIKE = {
    "deal": (EXAMPLES / "klondike/examples/k00198.deal").read_text(),
    "moves": (EXAMPLES / "klondike/examples/k00198.solution").read_text(),
    "redeal_rule": "carry",
    "step": 20,
}


def make_runs() -> list[yamafuda.Run]:
    """Small runs below the roots that the environment names."""
    return [
        yamafuda.run("klondike_sweep", deals=12, redeals=2, solution_texts=True, progress=False),
        yamafuda.run("superpuzz_sweep", deals=6, columns=5, label="a label", progress=False),
        yamafuda.run("stackgame_table", cards=4, progress=False),
    ]


def sights(runs: list[yamafuda.Run]) -> dict[str, str]:
    """Name -> path of each page."""
    klondike = f"/runs/{runs[0].name}"

    def example(game: str, file: str) -> str:
        return address(f"/replay/{game}", {"deal": (EXAMPLES / game / "examples" / file).read_text()})

    return {
        "runs": "/runs",
        "no-runs": "/runs?text=nothing",
        "run": klondike,
        "items": f"{klondike}/items",
        "item": f"{klondike}/items/0",
        "games": "/replay",
        "form": "/replay/superpuzz",
        "fill": "/replay/daifugo/fill",
        "klondike": address("/replay/klondike", KLONDIKE),
        "superpuzz": example("superpuzz", "figure-1.deal"),
        "calculation": example("calculation", "appendix-turn-18.position"),
        "daifugo": example("daifugo", "exchange.record"),
        "tricks": address("/replay/tricks", {"deal": "A=7,6,4,3 B=8,5,2,1 k=4"}),
        "stackgame": example("stackgame", "section-3.1.state"),
        "deal-sets": "/deals",
        "deals": "/deals/klondike_sweep?rule-redeals=2&difficulty=medium",
        "explore": "/explore",
        "explore-form": "/explore/stackgame",
        "explorer": "/explore/stackgame/start?stacks=3&boards=2&cards=4",
        "mistake": address("/replay/klondike", {"deal": "S3 S3"}),
        "not-found": "/nothing",
    }
