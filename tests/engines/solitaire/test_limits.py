"""Limits of a search: what reaches one has hit it."""

from __future__ import annotations

import pytest

from engines.solitaire.limits import PROCESS_BYTES, Bounds, SearchLimits

BOUNDS = Bounds(states_count=10, memory_bytes=1000, time_s=2.0)


@pytest.mark.parametrize(
    ("used", "limit"),
    [
        ((9, 999, 1.9), None),
        ((10, 999, 1.9), "states"),
        ((9, 1000, 1.9), "memory"),
        ((9, 999, 2.0), "time"),
        ((11, 1001, 2.1), "states"),
    ],
)
def test_a_bound_is_reached_by_what_is_as_much(used: tuple[int, int, float], limit: str | None) -> None:
    assert BOUNDS.reached(*used) == limit
    assert Bounds().reached(*used) is None


def test_a_search_has_what_the_process_around_it_leaves() -> None:
    limits = SearchLimits(memory_bytes=3 * PROCESS_BYTES, states=7, time_s=0.5)
    assert limits.bounds() == Bounds(7, 2 * PROCESS_BYTES, 0.5)
