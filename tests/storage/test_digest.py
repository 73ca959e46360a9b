"""Digest and exact sum: pinned, independent of order and split, exactly rounded."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.digest import (
    TableDigest,
    exact_sum,
    exact_sum_float,
    exact_sum_from_hex,
    exact_sum_hex,
    table_digest,
)

MASK = 2**64 - 1


def slow_digest(records: list[tuple[int, ...]]) -> TableDigest:
    """The definition in storage/FORMAT.md, word by word, in plain integers."""
    lanes = []
    for start in (0x243F6A8885A308D3, 0x13198A2E03707344):
        total = 0
        for words in records:
            h = start
            for word in words:
                z = ((h ^ word) + 0x9E3779B97F4A7C15) & MASK
                z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
                z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
                h = z ^ z >> 31
            total = (total + h) & MASK
        lanes.append(total)
    return TableDigest(*lanes)


def bits_of(values: npt.NDArray[Any]) -> list[int]:
    width = {1: "B", 4: "<I", 8: "<Q"}[values.dtype.itemsize]
    return [struct.unpack(width, value.tobytes())[0] for value in values]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("wide", [False, True])
def test_digest_is_the_definition(dtype: Any, wide: bool) -> None:
    rng = np.random.default_rng(3)
    keys = rng.integers(0, 2**64, (50, 4) if wide else 50, dtype=np.uint64)
    values = (rng.random(50) * 200).astype(dtype)
    records = [
        (9, *map(int, np.atleast_1d(key)), bits) for key, bits in zip(keys, bits_of(values), strict=True)
    ]
    assert table_digest(9, keys, values) == slow_digest(records)


def test_digest_is_pinned() -> None:
    keys = np.array([0, 1, 2**63], np.uint64)
    digest = table_digest(5, keys, np.array([0.0, 0.5, 1.0], np.float32))
    assert digest.hex() == "a44e7a6434b28ab15e0710c418083108"
    assert TableDigest.from_hex(digest.hex()) == digest
    assert TableDigest().hex() == 32 * "0"


def test_parts_add_up_in_any_order_and_everything_counts() -> None:
    keys = np.arange(100, dtype=np.uint64)
    values = np.linspace(0, 1, 100)
    whole = table_digest(1, keys, values)
    assert table_digest(1, keys[70:], values[70:]) + table_digest(1, keys[:70], values[:70]) == whole
    assert table_digest(1, keys[::-1], values[::-1]) == whole
    assert table_digest(1, keys[:0], values[:0]) == TableDigest()
    swapped = values.copy()
    swapped[[3, 4]] = swapped[[4, 3]]
    for other in (
        table_digest(2, keys, values),
        table_digest(1, keys, swapped),
        table_digest(1, keys[1:], values[1:]),
        table_digest(1, keys, values.astype(np.float32)),
    ):
        assert other.lane_0 != whole.lane_0
        assert other.lane_1 != whole.lane_1


@pytest.mark.parametrize("text", ["", "0" * 31, "0" * 33, "g" * 32, "A" * 32, "-" + "0" * 31])
def test_other_text_is_no_digest(text: str) -> None:
    with pytest.raises(ValueError, match="digest"):
        TableDigest.from_hex(text)


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(finite, max_size=50), st.integers(0, 50))
def test_exact_sum_is_exactly_rounded_and_mergeable(numbers: list[float], cut: int) -> None:
    values = np.array(numbers, np.float64)
    total = exact_sum(values)
    assert total == exact_sum(values[cut:]) + exact_sum(values[:cut])
    assert exact_sum_from_hex(exact_sum_hex(total)) == total
    try:
        expected = math.fsum(numbers)
    except OverflowError:
        return
    assert exact_sum_float(total) == expected


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=50))
def test_exact_sum_of_float32(numbers: list[float]) -> None:
    assert exact_sum_float(exact_sum(np.array(numbers, np.float32))) == math.fsum(numbers)


def test_exact_sum_of_the_smallest_and_of_many() -> None:
    assert exact_sum(np.array([5e-324])) == 1
    assert exact_sum(np.array([1.0], np.float32)) == 2**1074
    assert exact_sum(np.array([])) == 0
    values = np.full(3_000_000, np.nextafter(1.0, 0.0))
    assert exact_sum(values) == 3_000_000 * (2**53 - 1) << 1074 - 53


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_exact_sum_refuses_what_is_not_finite(bad: float) -> None:
    with pytest.raises(ValueError, match="infinite or not a number"):
        exact_sum(np.array([1.0, bad]))
