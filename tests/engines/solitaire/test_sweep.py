"""Rows of sweeps, by what searches found."""

from __future__ import annotations

import pytest

from engines.solitaire.found import Found
from engines.solitaire.sweep import found_row
from engines.superpuzz.sweep import SuperpuzzSweepJob


@pytest.mark.parametrize(
    ("outcome", "limit", "told"),
    [
        ("won", None, "won"),
        ("lost", None, "lost"),
        ("undecided", "time", "undecided"),
        ("won", "states", "undecided"),
    ],
)
def test_what_hit_a_limit_is_undecided_though_it_found_a_win(
    outcome: str, limit: str | None, told: str
) -> None:
    moves = ((1, 0),) if outcome == "won" else None
    row = found_row(SuperpuzzSweepJob(), Found(outcome, limit, 7, 100, 0.5, moves))
    assert (row["outcome"], row["limit"], row["states_count"]) == (told, limit, 7)
    assert row["moves_count"] == (1 if moves else None)
