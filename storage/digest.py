"""Checksums of a table's content, however it is cut into files: a digest and an exact sum.

Both are sums over records, so that shards can be computed anywhere, in any order, and merged.
storage/FORMAT.md has the definitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_LANE_STARTS = (0x243F6A8885A308D3, 0x13198A2E03707344)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LANE_MASK = (1 << 64) - 1

#: An exact sum is an integer in units of 2**-1074, the smallest positive float64.
EXACT_SUM_SHIFT = 1074
_SUM_CHUNK_COUNT = 1 << 20


@dataclass(frozen=True)
class TableDigest:
    """Two 64-bit sums over the records of a table or of a part of it; the empty part is ``TableDigest()``."""

    lane_0: int = 0
    lane_1: int = 0

    def __add__(self, other: TableDigest) -> TableDigest:
        """Digest of two disjoint parts together."""
        return TableDigest(
            (self.lane_0 + other.lane_0) & _LANE_MASK, (self.lane_1 + other.lane_1) & _LANE_MASK
        )

    def hex(self) -> str:
        """32 hexadecimal digits: lane 0, then lane 1."""
        return f"{self.lane_0:016x}{self.lane_1:016x}"

    @classmethod
    def from_hex(cls, text: str) -> TableDigest:
        """Inverse of ``hex``; ValueError for any other text."""
        if len(text) != 32 or not set(text) <= set("0123456789abcdef"):
            raise ValueError(f"digest: {text!r} is not 32 hexadecimal digits")
        return cls(int(text[:16], 16), int(text[16:], 16))


def table_digest(layer: int, keys: npt.NDArray[np.uint64], values: npt.NDArray[Any]) -> TableDigest:
    """Digest of the records of one layer.

    ``keys``: (N,) uint64 keys or indices, or (N, 4) uint64 wide keys, most significant word first.
    ``values``: (N,) float32, float64 or uint8; their bits count, so -0.0 and 0.0 differ.
    """
    if len(keys) != len(values):
        raise ValueError(f"values: {len(values)} do not go with {len(keys)} keys")
    columns = [keys] if keys.ndim == 1 else [keys[:, word] for word in range(keys.shape[1])]
    words = [np.full(len(keys), layer, np.uint64), *columns, _value_bits(values)]
    return TableDigest(*(_lane(start, words) for start in _LANE_STARTS))


def _lane(start: int, words: list[npt.NDArray[np.uint64]]) -> int:
    mixed = np.full(len(words[0]), start, np.uint64)
    for word in words:
        mixed = _mix64((mixed ^ word) + _GAMMA)
    return int(mixed.sum(dtype=np.uint64))


def _mix64(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators)."""
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return x ^ (x >> np.uint64(31))


def _value_bits(values: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    if values.dtype not in (np.float32, np.float64, np.uint8):
        raise ValueError(f"values: dtype {values.dtype} is not stored")
    unsigned = {1: np.uint8, 4: np.uint32, 8: np.uint64}[values.dtype.itemsize]
    return np.ascontiguousarray(values).view(unsigned).astype(np.uint64)


def exact_sum(values: npt.NDArray[Any]) -> int:
    """Sum of ``values`` (float32 or float64, any shape) without rounding, as an integer times 2**-1074.

    Sums of parts are added as integers. ValueError when a value is infinite or not a number.
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).ravel().view(np.uint64)
    total = 0
    for begin in range(0, len(bits), _SUM_CHUNK_COUNT):
        total += _exact_sum_chunk(bits[begin : begin + _SUM_CHUNK_COUNT])
    return total


def _exact_sum_chunk(bits: npt.NDArray[np.uint64]) -> int:
    exponents = (bits >> np.uint64(52)).astype(np.int64)  # with the sign as bit 11
    if bool((exponents & 0x7FF == 0x7FF).any()):
        raise ValueError("values: infinite or not a number")
    mantissas = bits & np.uint64((1 << 52) - 1)
    mantissas |= (exponents & 0x7FF != 0).astype(np.uint64) << np.uint64(52)
    # Halves of at most 27 bits, so that their float64 sums over a chunk of 2**20 values stay exact.
    low = np.bincount(exponents, (mantissas & np.uint64((1 << 26) - 1)).astype(np.float64))
    high = np.bincount(exponents, (mantissas >> np.uint64(26)).astype(np.float64))
    total = 0
    for exponent in np.flatnonzero(low + high):
        mantissa = (int(high[exponent]) << 26) + int(low[exponent])
        shifted = mantissa << max(int(exponent) & 0x7FF, 1) - 1
        total += -shifted if exponent >> 11 else shifted
    return total


def exact_sum_float(total: int) -> float:
    """The float64 nearest to an exact sum (ties to even); OverflowError when it is too large for one."""
    return total / (1 << EXACT_SUM_SHIFT)


def exact_sum_hex(total: int) -> str:
    """Text form for footers: hexadecimal digits, after ``-`` when negative."""
    return f"{total:x}"


def exact_sum_from_hex(text: str) -> int:
    """Inverse of ``exact_sum_hex``; ValueError for any other text."""
    return int(text, 16)
