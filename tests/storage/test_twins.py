"""The numpy codec and digest and their twins in the compiled core give the same bytes and refuse the same."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import _native
from storage.block import decode_block, encode_block
from storage.digest import table_digest
from storage.errors import DamagedFileError

DTYPES: dict[str, Any] = {"none": None, "float32": np.float32, "float64": np.float64, "uint8": np.uint8}


@st.composite
def tables(draw: st.DrawFn) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64] | None, str, int]:
    """Keys (narrow or wide), values as the core takes them, value type, width."""
    wide = draw(st.booleans())
    key_bits = draw(st.integers(65, 256) if wide else st.integers(1, 64))
    sample = sorted(draw(st.sets(st.integers(0, 2**key_bits - 1), min_size=1, max_size=100)))
    words = [[key >> shift & (2**64 - 1) for shift in (192, 128, 64, 0)] for key in sample]
    keys = np.array(words if wide else sample, np.uint64)
    value_type = draw(st.sampled_from(list(DTYPES)))
    if value_type == "none":
        return keys, None, value_type, key_bits
    elements = st.integers(0, 255) if value_type == "uint8" else st.floats(0, 1)
    values = draw(st.lists(elements, min_size=len(sample), max_size=len(sample)))
    return keys, np.array(values, np.float64), value_type, key_bits


def stored(values: npt.NDArray[np.float64] | None, value_type: str) -> npt.NDArray[Any] | None:
    return None if values is None else values.astype(DTYPES[value_type])


@given(tables())
def test_both_encoders_make_the_same_bytes(table: Any) -> None:
    keys, values, value_type, key_bits = table
    block = encode_block(keys, stored(values, value_type), key_bits)
    assert _native.encode_block(keys, values, value_type, key_bits) == block
    keys_back, values_back = _native.decode_block(np.frombuffer(block, np.uint8))
    np.testing.assert_array_equal(keys_back, keys)
    if values is not None:
        np.testing.assert_array_equal(values_back, stored(values, value_type).astype(np.float64))  # type: ignore[union-attr]


@pytest.mark.parametrize("bits", [17, 40, 64])
def test_both_encoders_agree_on_large_blocks(bits: int) -> None:
    rng = np.random.default_rng(bits)
    keys = np.unique(rng.integers(0, 2**bits, 60_000, dtype=np.uint64))
    values = rng.random(len(keys))
    block = encode_block(keys, values, bits)
    assert _native.encode_block(keys, values, "float64", bits) == block


@given(tables(), st.integers(0, 30))
def test_both_digests_agree(table: Any, layer: int) -> None:
    keys, values, value_type, _ = table
    if values is None:
        return
    digest = table_digest(layer, keys, stored(values, value_type))  # type: ignore[arg-type]
    assert _native.table_digest(layer, keys, values, value_type) == (digest.lane_0, digest.lane_1)


@given(tables(), st.data())
def test_both_decoders_agree_on_forged_blocks(table: Any, data: st.DataObject) -> None:
    """With the checksum made to fit: the core never ends in a panic, and takes what the reference takes."""
    keys, values, value_type, key_bits = table
    block = bytearray(encode_block(keys, stored(values, value_type), key_bits))
    for _ in range(data.draw(st.integers(1, 3))):
        block[data.draw(st.integers(0, len(block) - 1))] = data.draw(st.integers(0, 255))
    struct.pack_into("<I", block, 32, zlib.crc32(block[36:], zlib.crc32(block[:32])))
    array = np.frombuffer(bytes(block), np.uint8)
    try:
        reference = decode_block(array)
    except DamagedFileError:
        reference = None
    try:
        keys_back, _ = _native.decode_block(array)
    except ValueError:
        assert reference is None
    else:
        if reference is not None and reference.keys is not None:
            np.testing.assert_array_equal(keys_back, reference.keys)


def test_both_refuse_a_flipped_bit() -> None:
    block = bytearray(encode_block(np.arange(1000, dtype=np.uint64), np.zeros(1000, np.float32), 10))
    for position in range(0, len(block), 37):
        block[position] ^= 4
        with pytest.raises(DamagedFileError):
            decode_block(block)
        with pytest.raises(ValueError, match=r"\S"):
            _native.decode_block(np.frombuffer(bytes(block), np.uint8))
        block[position] ^= 4
