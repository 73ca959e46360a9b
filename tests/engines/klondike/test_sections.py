"""``yamafuda report klondike --html``: figures, their tables and queries, from the text report's own numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_helpers import Run
from run_helpers import run_of
from section_helpers import assert_page_is_sound, assert_queries_make

from engines.contract.chart import Curves, Dots
from engines.contract.game import SECTIONS, Roots
from engines.contract.section import Section
from engines.klondike.game import Klondike
from engines.solitaire.report import rates_of, read_pools

HERE = Path("results")
ALL = Roots(HERE, HERE)

pytestmark = pytest.mark.usefixtures("workspace")


def sections(roots: Roots = ALL) -> list[Section]:
    """What the game shows."""
    return list(Klondike().function(SECTIONS)(roots))


def without_times(found: list[Section]) -> list[Section]:
    """Of a deal that two runs have searched the time may be either's."""
    return [each for each in found if each.name != "elapsed-s"]


def test_tables_are_the_reports_and_their_queries_make_them() -> None:
    run_of("klondike_sweep", "deals=40", "limits.states=500")
    run_of("klondike_sweep", "deals=30", "first=20", "limits.states=500", "deal_texts=true")
    run_of("klondike_sweep", "deals=20", "redeals=2", "limits.states=500")
    run_of("klondike_sweep", "deals=20", "draw=1", "limits.states=500")
    run_of("klondike_sweep", "deals=20", "redeal_rule=standard", "deal_last=false", "limits.states=500")
    found = sections()
    assert [each.name for each in found[:3]] == ["won", "states", "elapsed-s"]
    assert_queries_make(without_times(found))
    won, states = found[:2]
    pools = read_pools(Klondike(), ALL)
    for row, pool in zip(won.rows, pools, strict=True):
        assert rates_of(Klondike(), pool).items() <= row.items()
    assert isinstance(won.chart, Dots)
    assert "draw 1, redeals unlimited" in won.chart.names
    ours, published = won.chart.series
    assert all(each is not None for each in ours.values)
    assert [each is not None for each in published.values] == ["published_source" in row for row in won.rows]
    assert isinstance(states.chart, Curves)
    assert (states.chart.x.log, states.chart.y.log) == (True, True)
    assert len(states.chart.curves) == len(pools) == len(states.rows)


def test_chosen_runs_alone_count() -> None:
    first = run_of("klondike_sweep", "deals=30", "limits.states=500")
    second = run_of("klondike_sweep", "deals=20", "first=20", "limits.states=500", "deal_texts=true")
    run_of("klondike_sweep", "deals=10", "redeals=2", "limits.states=500")
    one = sections(Roots(HERE, HERE, (first,)))
    assert [row["deals_count"] for row in one[0].rows] == [30]
    assert {row["outcome"] for row in one[1].rows} == {"won", "lost"}
    assert_queries_make(one)
    both = sections(Roots(HERE, HERE, (first, second)))
    assert [row["deals_count"] for row in both[0].rows] == [40]
    assert_queries_make(without_times(both))


def test_page(yamafuda: Run) -> None:
    run = run_of("klondike_sweep", "deals=10", "limits.states=500")
    assert yamafuda("report", "klondike", "--html", "game.html") == (0, "game.html\n", "")
    shown = assert_page_is_sound(Path("game.html").read_text())
    for words in (
        "Random deals that can be won",
        "82.20",
        "Shintani",
        run.name,
        "job=klondike_sweep job.deals=10",
    ):
        assert words in shown
    assert yamafuda("report", run.name[:-3], "--html", "run.html") == (0, "run.html\n", "")
    first = Path("run.html").read_bytes()
    assert "Random deals that can be won" in assert_page_is_sound(first.decode())
    yamafuda("report", str(run), "--html", "again.html")
    assert Path("again.html").read_bytes() == first
    status, out, err = yamafuda("report", run.name)
    assert (status, err) == (0, "")
    assert out.startswith(f"run         {run.name}\n")
    assert "Random deals that can be won with all cards known" in out
