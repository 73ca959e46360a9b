"""``yamafuda report klondike``: shares by rules from sweeps, each deal once, beside what was published."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_helpers import Run
from hypothesis import given, settings
from klondike_helpers import ALL_RULES, games, told
from run_helpers import rows_of, run_of

from engines.klondike import rules
from engines.klondike.game import Klondike
from engines.klondike.paper import published
from engines.klondike.rules import Move, Position, RedealRule, Rules
from engines.klondike.sweep import KlondikeSweep
from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds
from engines.statistics.intervals import Z, difference, wilson

STANDARD = Rules(redeal_rule=RedealRule.standard)
WORDS = ["redeal_rule=standard", "limits.states=20000"]

pytestmark = pytest.mark.usefixtures("workspace")


def counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many rows there are of each outcome."""
    outcomes = [row["outcome"] for row in rows]
    return {outcome: outcomes.count(outcome) for outcome in ("won", "lost", "undecided")}


def counted(values: dict[str, Any]) -> dict[str, int]:
    """The same of an object of the report."""
    return {
        outcome: values[f"{name}_count"]
        for outcome, name in (("won", "won"), ("lost", "lost"), ("undecided", "open"))
    }


def reported(yamafuda: Run, *words: str) -> list[dict[str, Any]]:
    """The objects that the report prints."""
    status, out, err = yamafuda("report", "klondike", "--json", *words)
    assert (status, err) == (0, "")
    return list(map(json.loads, out.splitlines()))


ALIKE = {told(options): [each for each in ALL_RULES if told(each) == told(options)] for options in ALL_RULES}
"""Rules by what tells them apart."""


@given(games(40))
@settings(max_examples=150, deadline=None)
def test_options_that_make_no_difference_are_one_game(game: tuple[Position, Rules, list[Move]]) -> None:
    position, options, moves = game
    for move in [*moves, None]:
        legal = rules.legal_moves(position, options)
        assert all(rules.legal_moves(position, each) == legal for each in ALIKE[told(options)])
        if move is not None:
            position = rules.play(position, move, options)


def test_options_that_make_a_difference_are_kept() -> None:
    # Four limits and moves back or not: of draw 1 in one form, of draw 3 in one for the standard rule, two for carry.
    assert len(ALIKE) == 4 * 2 * (1 + 3)
    assert all(len(set(map(published, alike))) == 1 for alike in ALIKE.values())


def test_figures_are_those_of_the_rows(yamafuda: Run) -> None:
    rows = rows_of(run_of("klondike_sweep", "deals=60", *WORDS))
    (found,) = reported(yamafuda)
    assert [found[name] for name in ("draw", "redeals", "redeal_rule", "deal_last", "foundation_back")] == [
        3, None, "standard", None, False
    ]  # fmt: skip
    assert counted(found) == counts(rows)
    assert (found["won_share_low"], found["won_share_high"]) == (
        wilson(found["won_count"], 60)[0],
        wilson(found["won_count"] + found["open_count"], 60)[1],
    )
    # A deal that hit the limit would have taken more.
    states = sorted(row["states_count"] for row in rows if row["outcome"] != "undecided")
    assert found["states_mean"] == sum(states) / len(states)
    assert states[(len(states) - 1) // 2] <= found["states_median"] <= states[len(states) // 2]
    assert 0 < found["deal_s_median"] <= found["deal_s_p99"]
    # No run has a number of redeals, which is a column nevertheless.
    assert yamafuda("query", "SELECT redeals, deals_count FROM runs", "--json")[1] == (
        '{"redeals": null, "deals_count": 60}\n'
    )
    redeals = [row["redeals_count"] for row in rows if row["outcome"] == "won"]
    assert found["redeals_mean"] == pytest.approx(sum(redeals) / len(redeals))
    assert (found["published_won_share"], found["published_consistent"]) == (0.81524, True)


def test_runs_of_the_same_rules_are_one_pool_of_deals(yamafuda: Run) -> None:
    """Other seeds and ranges add deals; a deal that two runs have counts once, decided if one has decided it."""
    whole = rows_of(run_of("klondike_sweep", "deals=30", *WORDS))
    other = rows_of(run_of("klondike_sweep", "deals=10", "seed=2", *WORDS))
    # With fewer states, and the option that the standard rule has no use for.
    weak = rows_of(
        run_of("klondike_sweep", "deals=25", "first=20", WORDS[0], "deal_last=false", "limits.states=40")
    )
    assert counts(weak[:10]) != counts(whole[20:])
    # Other rules, shortest solutions and deals of a file stay out.
    run_of("klondike_sweep", "deals=2", "redeals=0", *WORDS)
    run_of("klondike_sweep", "deals=1", "mode=shortest", "redeal_rule=standard", "limits.states=100")
    Path("deals.txt").write_text("0: | CA")
    run_of("klondike_sweep", "file=deals.txt", *WORDS)
    with_limit, found = reported(yamafuda)
    assert (with_limit["redeals"], with_limit["deals_count"]) == (0, 2)
    assert found["deals_count"] == 30 + 10 + 15
    assert counted(found) == counts(whole + other + weak[10:])


def test_draw_1_is_one_game_by_either_rule(yamafuda: Run) -> None:
    run_of("klondike_sweep", "deals=10", "draw=1", "limits.states=20000")
    run_of("klondike_sweep", "deals=10", "first=5", "draw=1", *WORDS)
    (found,) = reported(yamafuda)
    assert (found["deals_count"], found["redeal_rule"], found["published_won_share"]) == (15, None, 0.90204)


def test_deals_that_depend_on_the_last_cards(yamafuda: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["redeals=1", "limits.states=100000"]
    with_last = {
        row["deal_index"]: row["outcome"] for row in rows_of(run_of("klondike_sweep", "deals=40", *words))
    }
    without = rows_of(run_of("klondike_sweep", "deals=40", "first=10", "deal_last=false", *words))
    first, second, pair = reported(yamafuda)
    assert (first["deal_last"], second["deal_last"]) == (True, False)
    outcomes = [
        (with_last[row["deal_index"]], row["outcome"]) for row in without if row["deal_index"] in with_last
    ]
    assert pair["deals_count"] == len(outcomes) == 30
    assert (
        pair["won_count"],
        pair["lost_count"],
        pair["won_only_with_count"],
        pair["won_only_without_count"],
    ) == (
        outcomes.count(("won", "won")),
        outcomes.count(("lost", "lost")),
        outcomes.count(("won", "lost")),
        0,
    )
    assert pair["open_count"] == sum("undecided" in each for each in outcomes)
    status, out, _ = yamafuda("report", "klondike")
    assert status == 0
    assert "only with" in out


def test_a_deal_that_is_lost_only_with_the_last_cards_dealt_is_an_error(
    yamafuda: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Klondike.search

    def turned(self: Klondike, deal: Position, options: Rules, mode: str, bounds: Bounds) -> Found[Move]:
        found = answer(self, deal, options, mode, bounds)
        if not options.deal_last:
            return found
        return replace(found, outcome="lost", limit=None, moves=None, counts={"redeals_count": None})

    monkeypatch.setattr(Klondike, "search", turned)
    for word in ("deal_last=true", "deal_last=false"):
        run_of("klondike_sweep", "deals=5", word, "limits.states=20000")
    assert yamafuda("report", "klondike")[0] == 1


def test_deals_after_a_gap_are_left_out(yamafuda: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KlondikeSweep, "unit_items_count", lambda sweep: 5)
    run = run_of("klondike_sweep", "deals=20", *WORDS)
    rows = rows_of(run)
    (run / "data" / "part-000002.parquet").unlink()
    (found,) = reported(yamafuda)
    assert counted(found) == counts(rows[:10])
    (remark,) = found["unfinished"]
    assert remark == f"{run.name}: not done, 10 of 20 deals count"
    assert remark in yamafuda("report", "klondike")[1]


def test_the_printed_tables(yamafuda: Run) -> None:
    assert yamafuda("report", "klondike")[1].startswith("0 sets of rules; runs are in ")
    run_of("klondike_sweep", "deals=30", "limits.states=3000", "redeals=2")
    run_of("klondike_sweep", "deals=30", "limits.states=3000", "foundation_back=true", *WORDS[:1])
    status, out, err = yamafuda("report", "klondike")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    carry, standard = (line.split() for line in lines[2:4])
    assert (carry[:6], standard[:6]) == (
        ["3", "2", "carry", "yes", "no", "30"],
        ["3", "unlimited", "standard", "-", "yes", "30"],
    )
    assert "42.5 ± 3.1" in lines[2]
    assert "81.945 ± 0.084" in lines[3]
    assert any(line.startswith("published: Shintani") for line in lines)
    assert max(map(len, lines)) < 170


def test_a_difference_of_shares_is_that_of_newcombe() -> None:
    """His table II: 56 of 70 against 48 of 80, 9 of 10 against 3 of 10, 10 of 10 against 0 of 10 (method 10)."""
    for (won, total, other, others), expected in {
        (56, 70, 48, 80): (0.0524, 0.3339),
        (9, 10, 3, 10): (0.1705, 0.8090),
        (10, 10, 0, 10): (0.6075, 1.0000),
        (5, 56, 0, 29): (-0.0381, 0.1926),
    }.items():
        found = difference(won / total, *wilson(won, total), other / others, *wilson(other, others))
        assert found == pytest.approx(expected, abs=6e-5)


@pytest.mark.parametrize("total", [30, 200])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.82])
def test_shares_that_are_equal_are_consistent_in_95_of_100_cases(total: int, share: float) -> None:
    """Exactly: over every number of deals won, by its probability, beside a share that is known well."""
    half = Z * (share * (1 - share) / 1_000_000) ** 0.5
    held = 0.0
    for won in range(total + 1):
        low, high = difference(won / total, *wilson(won, total), share, share - half, share + half)
        if low <= 0 <= high:
            held += math.comb(total, won) * share**won * (1 - share) ** (total - won)
    assert 0.92 < held < 0.98
