"""Values of columns are read with their units."""

from __future__ import annotations

import pytest

from pages.cells import cell_words, head_words


@pytest.mark.parametrize(
    ("column", "value", "head", "words"),
    [
        ("elapsed_s", 5.543e-05, "elapsed", "55.4 µs"),
        ("elapsed_s", 0.0, "elapsed", "0 s"),
        ("states_count", 1234567, "states", "1,234,567"),
        ("peak_bytes", 122880, "peak", "123 kB"),
        ("redeals_needed_count", None, "redeals needed", ""),
        ("deal_last", True, "deal last", "yes"),
        ("seed", 20261129, "seed", "20261129"),
        ("score_mean", 0.1234567, "score mean", "0.1235"),
        ("s", "text", "s", "text"),
    ],
)
def test_cells(column: str, value: object, head: str, words: str) -> None:
    assert head_words(column) == head
    assert cell_words(value, column) == words
