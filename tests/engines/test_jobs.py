"""Jobs of all games: what is out of range is named before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import assert_named

pytestmark = pytest.mark.usefixtures("workspace")

OUT_OF_RANGE = {
    "calculation_open": (
        "deals=0 first=-1 seed=-1 stacks=0 stacks=6 ranks=3 ranks=14 "
        "limits.states=0 limits.time_s=0 limits.memory_bytes=1000"
    ),
    "calculation_best": "ranks=3 ranks=7 stacks=0 stacks=6 limits.states=0 limits.memory_bytes=1000",
    "superpuzz_sweep": (
        f"columns=1 columns=14 deals=0 first=-1 seed=-1 seed={1 << 64} mode=prove order=width order=breadth "
        "limits.states=0 limits.time_s=0 limits.time_s=nan limits.time_s=inf limits.memory_bytes=1000 "
        "limits.retries_count=-1"
    ),
    "klondike_sweep": (
        "deals=0 first=-1 seed=-1 seed=null draw=2 redeals=-1 redeals=1000001 redeal_rule=vegas "
        "limits.states=0 limits.time_s=0 limits.memory_bytes=1000"
    ),
    "klondike_deals": (
        "deals=0 first=-1 seed=-1 seed=null draw=2 redeals=-1 redeals=1000001 redeal_rule=vegas "
        "limits.states=0 limits.time_s=0 limits.memory_bytes=1000"
    ),
    "klondike_blind": (
        f"deals=0 first=-1 first={1 << 43} seed=-1 seed=null draw=2 samples=0 samples=1001 search_states=0 "
        "limits.states=0"
    ),
    "superpuzz_redeals": (
        f"columns=1 columns=14 shuffles=-1 shuffles=8 deals=0 first=-1 first={1 << 60} seed=-1 seed=null "
        "search_states=0"
    ),
    "daifugo_estimate": (
        "positions=0 positions=51 worlds=1 generators=[] generators=[rand,rand] generators=[nobody] generators=[rule] "
        "players=[rule,rule] games=0"
    ),
    "daifugo_learn": (
        "games=0 seed=-1 seat_period=0 rank_period=0 players=[] players=[rule,rule] players=[nobody] "
        "limits.memory_bytes=10"
    ),
}
"""By job: fields and values, one of them wrong."""


@pytest.mark.parametrize(
    ("name", "word"), [(name, word) for name, words in OUT_OF_RANGE.items() for word in words.split()]
)
def test_a_field_that_is_wrong_is_named(name: str, word: str) -> None:
    assert_named(name, word, "job." + word.partition("=")[0])


@pytest.mark.parametrize(
    ("name", "word", "field"),
    [
        *((name, "file=empty.txt", "job.deals") for name in ("klondike_sweep", "klondike_deals")),
        *((name, "file=missing.txt", "missing.txt") for name in ("klondike_sweep", "klondike_deals")),
        ("daifugo_estimate", "generators=[he]", "job.kinds.he.table"),
        ("daifugo_learn", "players=[he]", "job.kinds.he.table"),
    ],
)
def test_what_a_field_asks_for_is_named(name: str, word: str, field: str) -> None:
    Path("empty.txt").write_text("# nothing\n")
    assert_named(name, word, field)
