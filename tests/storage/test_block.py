"""Blocks: what goes in comes out, and no bytes whatever get past the decoder or break it."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from storage.block import (
    HEADER_BYTES,
    bucket_low_bits,
    decode_block,
    encode_block,
    order_key,
    read_header,
)
from storage.errors import DamagedFileError

VALUE_DTYPES = [None, np.float32, np.float64, np.uint8]


def values_for(count: int, dtype: Any) -> npt.NDArray[Any] | None:
    return None if dtype is None else (np.arange(count) % 251).astype(dtype)


def words(key: int) -> list[int]:
    return [key >> shift & (2**64 - 1) for shift in (192, 128, 64, 0)]


def reseal(block: bytearray) -> bytes:
    """The block with the checksum that goes with its bytes."""
    struct.pack_into("<I", block, 32, zlib.crc32(block[36:], zlib.crc32(block[:32])))
    return bytes(block)


@st.composite
def blocks(draw: st.DrawFn) -> bytes:
    dtype = draw(st.sampled_from(VALUE_DTYPES))
    codec = draw(st.sampled_from([1, 2, 3]))
    if codec == 3:
        count = draw(st.integers(1, 50))
        first = draw(st.sampled_from([0, 7, 2**40, 2**64 - count]))
        return encode_block(None, values_for(count, dtype or np.uint8), 64, first)
    key_bits = draw(st.integers(1, 64 if codec == 1 else 256))
    sample = sorted(draw(st.sets(st.integers(0, 2**key_bits - 1), min_size=1, max_size=60)))
    keys = np.array(sample if codec == 1 else [words(key) for key in sample], np.uint64)
    return encode_block(keys, values_for(len(sample), dtype), key_bits)


@given(data=st.data(), key_bits=st.integers(1, 64), dtype=st.sampled_from(VALUE_DTYPES))
def test_bucketed_keys_round_trip(data: st.DataObject, key_bits: int, dtype: Any) -> None:
    sample = data.draw(st.sets(st.integers(0, 2**key_bits - 1), min_size=1, max_size=200))
    keys = np.array(sorted(sample), np.uint64)
    values = values_for(len(keys), dtype)
    encoded = encode_block(keys, values, key_bits)
    block = decode_block(encoded)
    assert block.keys is not None
    np.testing.assert_array_equal(block.keys, keys)
    assert (block.first, block.last, block.count) == (int(keys[0]), int(keys[-1]), len(keys))
    assert block.key_bits == key_bits
    assert (block.values is None) == (values is None)
    if values is not None:
        np.testing.assert_array_equal(block.values, values, strict=True)
    assert order_key(encoded) == int(keys[-1]).to_bytes(8, "big")


@given(data=st.data(), key_bits=st.integers(1, 256), dtype=st.sampled_from(VALUE_DTYPES))
def test_wide_keys_round_trip(data: st.DataObject, key_bits: int, dtype: Any) -> None:
    sample = sorted(data.draw(st.sets(st.integers(0, 2**key_bits - 1), min_size=1, max_size=60)))
    keys = np.array([words(key) for key in sample], np.uint64)
    encoded = encode_block(keys, values_for(len(sample), dtype), key_bits)
    block = decode_block(encoded)
    assert block.keys is not None
    np.testing.assert_array_equal(block.keys, keys, strict=True)
    assert (block.first, block.last) == (sample[0], sample[-1])
    assert order_key(encoded) == sample[-1].to_bytes((key_bits + 7) // 8, "big")


@pytest.mark.parametrize("first", [0, 12345, 2**64 - 1000])
@pytest.mark.parametrize("dtype", VALUE_DTYPES[1:])
def test_values_at_an_index_round_trip(first: int, dtype: Any) -> None:
    values = values_for(1000, dtype)
    encoded = encode_block(None, values, 64, first)
    block = decode_block(encoded)
    assert block.keys is None
    np.testing.assert_array_equal(block.values, values, strict=True)  # type: ignore[arg-type]
    assert (block.first, block.last) == (first, first + 999)
    assert order_key(encoded) == (first + 999).to_bytes(8, "big")


@given(
    values=hnp.arrays(np.uint32, st.integers(1, 30)),
    key_bits=st.integers(6, 64),
)
def test_values_keep_their_bits(values: npt.NDArray[np.uint32], key_bits: int) -> None:
    keys = np.arange(len(values), dtype=np.uint64)
    block = decode_block(encode_block(keys, values.view(np.float32), key_bits))
    assert block.values is not None
    np.testing.assert_array_equal(block.values.view(np.uint32), values)


def test_full_block_of_dense_and_of_spread_keys() -> None:
    dense = np.arange(65535, dtype=np.uint64) + np.uint64(77)
    spread = np.cumsum(np.random.default_rng(1).integers(1, 2**44, 65535, dtype=np.uint64))
    for keys, bytes_max in ((dense, 100_000), (spread, 65535 * 7)):
        encoded = encode_block(keys, None, 64)
        assert len(encoded) < bytes_max
        np.testing.assert_array_equal(decode_block(encoded).keys, keys)  # type: ignore[arg-type]


def test_bytes_of_a_small_block_are_pinned() -> None:
    keys = np.array([5, 6, 300], np.uint64)
    encoded = encode_block(keys, np.array([0.5, 1.0, 0.0], np.float32), 9)
    assert encoded.hex() == (
        "594d4231010109000300000001000000"  # magic, codec, value type, width, count, buckets
        "05000000000000002c01000000000000"  # first and last key
        "aa52f58060000000"  # checksum, length
        "0900000000000000"  # low bits
        "0000030000000000"  # directory
        "00029c0400000000" + 16 * "00" + "0000003f0000803f0000000000000000"
    )


def test_low_bits_at_the_ends_of_the_range() -> None:
    assert bucket_low_bits(1, 0) == 0
    assert bucket_low_bits(2, 2**64 - 1) == 64
    assert bucket_low_bits(17, 2**64 - 1) == 63
    assert bucket_low_bits(65535, 65534) == 4
    keys = np.array([0, 2**64 - 1], np.uint64)
    np.testing.assert_array_equal(decode_block(encode_block(keys, None, 64)).keys, keys)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keys", "values", "key_bits", "field"),
    [
        (np.array([], np.uint64), None, 8, "keys"),
        (np.array([2, 1], np.uint64), None, 8, "keys"),
        (np.array([1, 1], np.uint64), None, 8, "keys"),
        (np.array([1, 256], np.uint64), None, 8, "keys"),
        (np.array([1, 2], np.int64), None, 8, "keys"),
        (np.arange(65536, dtype=np.uint64), None, 20, "keys"),
        (np.array([[0, 0, 1, 0], [0, 0, 0, 5]], np.uint64), None, 200, "keys"),
        (np.array([[1, 0, 0, 0]], np.uint64), None, 192, "keys"),
        (np.array([1, 2], np.uint64), np.zeros(3, np.float32), 8, "values"),
        (np.array([1, 2], np.uint64), np.zeros(2, np.int32), 8, "values"),
        (np.array([1, 2], np.uint64), None, 65, "key_bits"),
        (None, None, 64, "values"),
        (None, np.zeros(2, np.uint8), 63, "key_bits"),
    ],
)
def test_encoder_names_what_does_not_fit(keys: Any, values: Any, key_bits: int, field: str) -> None:
    with pytest.raises(ValueError, match=field):
        encode_block(keys, values, key_bits)


@given(blocks(), st.data())
def test_every_flipped_bit_is_found(block: bytes, data: st.DataObject) -> None:
    bit = data.draw(st.integers(0, 8 * len(block) - 1))
    broken = bytearray(block)
    broken[bit // 8] ^= 1 << bit % 8
    with pytest.raises(DamagedFileError):
        decode_block(broken)


@given(blocks(), st.data())
def test_every_shortened_block_is_found(block: bytes, data: st.DataObject) -> None:
    length = data.draw(st.integers(0, len(block) - 1))
    with pytest.raises(DamagedFileError):
        decode_block(block[:length])
    with pytest.raises(DamagedFileError):
        order_key(np.frombuffer(block, np.uint8)[:length])


@given(st.binary(max_size=300))
def test_garbage_is_refused(data: bytes) -> None:
    for buffer in (data, b"YMB1" + data):
        with pytest.raises(DamagedFileError):
            decode_block(buffer)


@given(blocks(), st.data())
def test_a_forged_checksum_gives_a_sound_block_or_an_error(block: bytes, data: st.DataObject) -> None:
    """What passes the decoder is a block that the encoder makes: one set of states, one sequence of bytes."""
    broken = bytearray(block)
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.one_of(st.integers(4, HEADER_BYTES - 1), st.integers(4, len(broken) - 1)))
        broken[position] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        struct.pack_into("<I", broken, 36, len(broken))
    forged = reseal(broken)
    try:
        decoded = decode_block(forged)
    except DamagedFileError:
        return
    first = decoded.first if decoded.keys is None else 0
    assert encode_block(decoded.keys, decoded.values, decoded.key_bits, first) == forged
    assert read_header(forged).count == decoded.count


@given(blocks(), st.integers(0, 100), st.data())
def test_a_forged_length_is_refused(block: bytes, cut: int, data: st.DataObject) -> None:
    longer = bytearray(block + bytes(8)) if data.draw(st.booleans()) else bytearray(block[: -1 - cut])
    if len(longer) >= HEADER_BYTES:
        struct.pack_into("<I", longer, 36, len(longer))
        reseal(longer)
    with pytest.raises(DamagedFileError):
        decode_block(longer)


def test_messages_say_what_is_wrong() -> None:
    block = bytearray(encode_block(np.arange(100, dtype=np.uint64), None, 8))
    with pytest.raises(DamagedFileError, match="version b'2' is unknown"):
        decode_block(b"YMB2" + block[4:])
    with pytest.raises(DamagedFileError, match="starts with b'PAR1'"):
        decode_block(b"PAR1" + block[4:])
    with pytest.raises(DamagedFileError, match="long, its header says"):
        decode_block(block + bytes(8))
    with pytest.raises(DamagedFileError, match="checksum"):
        decode_block(block[:-1] + b"\x01")
