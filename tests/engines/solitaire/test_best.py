"""``solve --best`` of lost deals, against the referee's exhaustive answer on small ones."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_helpers import Run

from engines.klondike import core as klondike_core
from engines.klondike import rules as klondike
from engines.klondike.position import format_position
from engines.klondike.rules import REPORT, Rules
from engines.solitaire.limits import Bounds
from engines.superpuzz import core as superpuzz_core
from engines.superpuzz import paper
from engines.superpuzz import rules as superpuzz
from engines.superpuzz.game import Superpuzz

sys.path += [str(Path(__file__).parents[1] / game) for game in ("klondike", "superpuzz")]

from klondike_helpers import small_deal
from klondike_helpers import walk as klondike_walk
from superpuzz_helpers import as_deal, figure, random_positions

pytestmark = pytest.mark.usefixtures("workspace")


def solved(yamafuda: Run, game: str, deals: list[str], *words: str) -> list[dict[str, Any]]:
    """What the command tells of each deal."""
    Path("deals").write_text("\n\n".join(deals))
    status, out, err = yamafuda("solve", game, "deals", "--best", "--json", *words)
    assert (status, err) == (0, "")
    return list(map(json.loads, out.splitlines()))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Rules(redeals=0), ["--redeals", "0"]),
        (replace(REPORT, redeals=1), ["--rules", "report", "--redeals", "1"]),
    ],
)
def test_klondike(yamafuda: Run, options: Rules, words: list[str]) -> None:
    chance = random.Random(11)
    positions = []
    for _ in range(16):
        deal = small_deal(chance, *chance.choice([(2, 3, 3), (3, 3, 4), (2, 4, 2)]))
        positions.append(klondike_walk(deal, options, chance, chance.randrange(4))[1])
    counts = set()
    told = solved(yamafuda, "klondike", [format_position(each, " / ") for each in positions], *words)
    for position, each in zip(positions, told, strict=True):
        most = max(sum(at.foundations) for at, _ in klondike.reachable(position, options))
        if each["outcome"] == "won":
            assert each["best"] is None
            continue
        best = each["best"]
        assert (best["count"], best["most_count"], best["limit"]) == (most, most, None)
        counts.add(most)
    assert len(counts) > 1


def test_superpuzz(yamafuda: Run) -> None:
    positions = [*random_positions(2, 30, seed=2), *random_positions(3, 40, seed=3)]
    told = solved(yamafuda, "superpuzz", [Superpuzz().format_deal(as_deal(each)) for each in positions])
    counts = set()
    for position, each in zip(positions, told, strict=True):
        if each["outcome"] == "won":
            continue
        most = max(len(superpuzz.in_place(at)) for at, _ in superpuzz.reachable(position))
        assert (each["best"]["count"], each["best"]["most_count"], each["best"]["limit"]) == (
            most,
            most,
            None,
        )
        counts.add(most)
    assert len(counts) > 1


def test_cards_in_their_places() -> None:
    """They go on from an ace at the left edge; what stands elsewhere in sequence does not count."""
    deal = figure("7").position
    assert superpuzz.in_place(deal) == []
    won = Superpuzz().read_deals("DA D2 -- / C2 CA -- / SA S2 -- / -- HA H2", "text")[0].position
    assert superpuzz.in_place(won) == [0, 1, 6, 7]


def test_a_limit_leaves_bounds(yamafuda: Run) -> None:
    """Figure 6 (a) has no win and millions of positions."""
    text = paper.example("figure-6a.deal")
    (told,) = solved(yamafuda, "superpuzz", [text], "--states", "20000")
    best = told["best"]
    assert best["limit"] == "states"
    assert best["count"] < best["most_count"] <= 48
    assert len(best["moves"]) > 0
    status, out, _ = yamafuda("solve", "superpuzz", "deals", "--best", "--states", "20000")
    assert status == 0
    assert f"# best: at least {best['count']}, at most {best['most_count']} cards in their places" in out
    Path("solved").write_text(out)
    assert yamafuda("check", "superpuzz", "deals", "solved")[1].splitlines()[1:] == [
        "deal 1: no solution is given"
    ]


def test_a_line_that_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    (position,) = random_positions(3, 1, seed=1)
    monkeypatch.setattr(superpuzz, "in_place", lambda _: [1] * 99)
    with pytest.raises(RuntimeError, match="not"):
        superpuzz_core.best(as_deal(position), Bounds())
    deal = small_deal(random.Random(1), 2, 3, 2)
    monkeypatch.setattr(klondike, "replay", lambda *_: klondike.first_position([1, 2], 1, 2))
    with pytest.raises(RuntimeError, match="founds"):
        klondike_core.best(deal, Rules(), Bounds())
