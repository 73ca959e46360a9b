"""Blocks: sorted runs of states, packed, with a checksum. The plain numpy encoder and decoder.

A block is what a shard file stores under one key (storage/FORMAT.md has every byte). Codec 1 packs keys of up
to 64 bits by buckets, codec 2 stores keys of up to 256 bits as they are, codec 3 stores values at consecutive
indices without keys. The compiled core has a faster twin of the codec; this one is the reference.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from storage.errors import DamagedFileError

MAGIC = b"YMB1"
HEADER = struct.Struct("<4sBBHIIQQIIB7s")
HEADER_BYTES = HEADER.size
BUCKETED_COUNT_MAX = 65535
#: States a bucket holds on average, at least.
BUCKET_COUNT = 16
#: Zero bytes behind the packed low bits, so that a reader may load 16 bytes at any position.
LOWS_SLACK_BYTES = 16

BUCKETED, WIDE, INDEXED = 1, 2, 3
VALUE_TYPES = ("none", "float32", "float64", "uint8")
_VALUE_DTYPES = (None, np.dtype("<f4"), np.dtype("<f8"), np.dtype("u1"))


@dataclass(frozen=True)
class Block:
    """A decoded block.

    ``keys``: (count,) uint64 for codec 1, (count, 4) uint64 (most significant word first) for codec 2, None
    for codec 3. ``values``: (count,) float32, float64 or uint8, or None. ``first`` and ``last``: smallest and
    largest key as an integer, or index for codec 3.
    """

    codec: int
    key_bits: int
    count: int
    first: int
    last: int
    keys: npt.NDArray[np.uint64] | None
    values: npt.NDArray[Any] | None


@dataclass(frozen=True)
class BlockHeader:
    """The first 48 bytes of a block, checked by themselves and against the block's checksum."""

    codec: int
    value_type: int
    key_bits: int
    count: int
    buckets_count: int
    first: int
    last: int
    low_bits: int
    length: int


def encode_block(
    keys: npt.NDArray[np.uint64] | None,
    values: npt.NDArray[Any] | None,
    key_bits: int,
    first_index: int = 0,
) -> bytes:
    """Pack one block.

    ``keys``: (N,) uint64, N <= 65535, or (N, 4) uint64, or None for values at the indices ``first_index`` on
    (then ``key_bits`` is 64); strictly ascending and below 2**key_bits. ``values``: (N,) float32, float64 or
    uint8, or None. ValueError when an argument does not fit.
    """
    value_type, value_bytes = _encode_values(values)
    if keys is None:
        if values is None:
            raise ValueError("values: a block without keys needs values")
        count = len(values)
        _check_count(count, 1 << 32)
        if key_bits != 64 or not 0 <= first_index <= 2**64 - count:
            raise ValueError("key_bits: must be 64, and first_index + count at most 2**64, without keys")
        last_index = first_index + count - 1
        return _seal(INDEXED, value_type, 64, count, 0, first_index, last_index, 0, value_bytes)
    count = len(keys)
    if values is not None and values.shape != (count,):
        raise ValueError(f"values: shape {values.shape} does not go with {count} keys")
    if keys.dtype != np.uint64:
        raise ValueError(f"keys: dtype is {keys.dtype}, not uint64")
    if keys.ndim == 1:
        return _encode_bucketed(keys, key_bits, value_type, value_bytes)
    return _encode_wide(keys, key_bits, value_type, value_bytes)


def _encode_bucketed(
    keys: npt.NDArray[np.uint64], key_bits: int, value_type: int, value_bytes: bytes
) -> bytes:
    count = len(keys)
    _check_count(count, BUCKETED_COUNT_MAX + 1)
    if not 1 <= key_bits <= 64:
        raise ValueError(f"key_bits: {key_bits} is not in 1..64")
    if bool((keys[1:] <= keys[:-1]).any()):
        raise ValueError("keys: not strictly ascending")
    first, last = int(keys[0]), int(keys[-1])
    if last >> key_bits:
        raise ValueError(f"keys: {last} has more than {key_bits} bits")
    low_bits = bucket_low_bits(count, last - first)
    buckets_count = ((last - first) >> low_bits) + 1
    offsets = keys - keys[0]
    directory = _directory(offsets, low_bits, buckets_count)
    body = _padded(directory.tobytes()) + _pack_lows(offsets, low_bits) + value_bytes
    return _seal(BUCKETED, value_type, key_bits, count, buckets_count, first, last, low_bits, body)


def _encode_wide(keys: npt.NDArray[np.uint64], key_bits: int, value_type: int, value_bytes: bytes) -> bytes:
    count = len(keys)
    _check_count(count, 1 << 32)
    if keys.shape != (count, 4):
        raise ValueError(f"keys: shape {keys.shape} is neither (N,) nor (N, 4)")
    if not 1 <= key_bits <= 256:
        raise ValueError(f"key_bits: {key_bits} is not in 1..256")
    if not _wide_ascending(keys):
        raise ValueError("keys: not strictly ascending")
    if _words_int(keys[-1]) >> key_bits:
        raise ValueError(f"keys: the last one has more than {key_bits} bits")
    key_bytes = (key_bits + 7) // 8
    packed = keys.astype(">u8").view(np.uint8).reshape(count, 32)[:, 32 - key_bytes :]
    return _seal(
        WIDE, value_type, key_bits, count, key_bytes, 0, 0, 0, _padded(packed.tobytes()) + value_bytes
    )


def bucket_low_bits(count: int, span: int) -> int:
    """The smallest number of low bits that leaves at most ceil(count / 16) buckets over ``span``.

    ``span`` is the last key minus the first. 64 when up to 16 keys span half of all 64-bit keys or more.
    """
    buckets_max = max(1, -(-count // BUCKET_COUNT))
    low_bits = 0
    while (span >> low_bits) + 1 > buckets_max:
        low_bits += 1
    return low_bits


def read_header(buf: Any) -> BlockHeader:
    """Check a block's magic, length, checksum, and those header fields that need nothing else.

    ``buf``: bytes-like (a numpy uint8 array too). DamagedFileError says what is wrong.
    """
    whole = memoryview(buf)
    if whole.nbytes < HEADER_BYTES:  # checked before the cast, because an empty array cannot be cast
        raise _damage(f"{whole.nbytes} bytes are fewer than a header's {HEADER_BYTES}")
    view = whole.cast("B")
    magic, codec, value_type, key_bits, count, extra, first, last, crc, length, low_bits, zero = (
        HEADER.unpack(view[:HEADER_BYTES])
    )
    if magic != MAGIC:
        if magic[:3] == MAGIC[:3]:
            raise _damage(f"version {magic[3:]!r} is unknown; a newer yamafuda may read it")
        raise _damage(f"starts with {magic!r}, not {MAGIC!r}")
    if length != len(view):
        raise _damage(f"is {len(view)} bytes long, its header says {length}")
    actual = zlib.crc32(view[36:], zlib.crc32(view[:32]))
    if crc != actual:
        raise _damage(f"checksum is {actual:08x}, its header says {crc:08x}")
    if codec not in (BUCKETED, WIDE, INDEXED):
        raise _damage(f"codec {codec} is unknown")
    if value_type >= len(VALUE_TYPES):
        raise _damage(f"value type {value_type} is unknown")
    if not 1 <= key_bits <= (256 if codec == WIDE else 64):
        raise _damage(f"key width of {key_bits} bits does not go with codec {codec}")
    if count < 1 or (codec == BUCKETED and count > BUCKETED_COUNT_MAX):
        raise _damage(f"count {count} does not go with codec {codec}")
    if any(zero):
        raise _damage("reserved bytes of the header are not zero")
    return BlockHeader(codec, value_type, key_bits, count, extra, first, last, low_bits, length)


def decode_block(buf: Any) -> Block:
    """Unpack a block and check all of it: checksum, lengths, order, counts, padding.

    ``buf``: bytes-like (a numpy uint8 array too). The arrays of the result are copies. DamagedFileError says
    what is wrong; nothing else is raised, whatever the bytes are.
    """
    header = read_header(buf)
    body = memoryview(buf).cast("B")[HEADER_BYTES:]
    if header.codec == BUCKETED:
        return _decode_bucketed(header, body)
    if header.codec == WIDE:
        return _decode_wide(header, body)
    if header.buckets_count or header.low_bits or header.key_bits != 64:
        raise _damage("header fields for keys are set in a block without keys")
    if header.value_type == 0:
        raise _damage("has neither keys nor values")
    if header.last - header.first + 1 != header.count:
        raise _damage(f"indices {header.first}..{header.last} are not {header.count}")
    values, rest = _decode_values(header, body)
    _check_end(rest)
    return Block(INDEXED, 64, header.count, header.first, header.last, None, values)


def _decode_bucketed(header: BlockHeader, body: memoryview) -> Block:
    count, low_bits, buckets_count = header.count, header.low_bits, header.buckets_count
    span = header.last - header.first
    if span < count - 1 or header.last >> header.key_bits:
        raise _damage(f"keys {header.first}..{header.last} do not go with count and width")
    if low_bits != bucket_low_bits(count, span) or buckets_count != (span >> low_bits) + 1:
        raise _damage(f"{buckets_count} buckets of {low_bits} low bits do not go with count and keys")
    raw, body = _take(body, 2 * (buckets_count + 1))
    directory = np.frombuffer(raw, "<u2").astype(np.int64)
    sizes = np.diff(directory)
    if directory[0] != 0 or directory[-1] != count or bool((sizes < 0).any()):
        raise _damage("bucket directory does not ascend from 0 to the count")
    raw, body = _take(body, -(-count * low_bits // 8) + LOWS_SLACK_BYTES, zeros=LOWS_SLACK_BYTES)
    offsets = _unpack_lows(raw, count, low_bits)
    if low_bits < 64:
        offsets |= np.repeat(np.arange(buckets_count, dtype=np.uint64), sizes) << np.uint64(low_bits)
    if bool((offsets[1:] <= offsets[:-1]).any()):
        raise _damage("keys are not strictly ascending")
    if int(offsets[0]) != 0 or int(offsets[-1]) != span:
        raise _damage("first or last key is not the header's")
    values, rest = _decode_values(header, body)
    _check_end(rest)
    keys = offsets + np.uint64(header.first)
    return Block(BUCKETED, header.key_bits, count, header.first, header.last, keys, values)


def _decode_wide(header: BlockHeader, body: memoryview) -> Block:
    count, key_bytes = header.count, header.buckets_count
    if header.first or header.last or header.low_bits or key_bytes != (header.key_bits + 7) // 8:
        raise _damage("header fields do not go with wide keys")
    raw, body = _take(body, count * key_bytes)
    padded = np.zeros((count, 32), np.uint8)
    padded[:, 32 - key_bytes :] = np.frombuffer(raw, np.uint8).reshape(count, key_bytes)
    keys = padded.view(">u8").astype(np.uint64)
    first, last = _words_int(keys[0]), _words_int(keys[-1])
    if not _wide_ascending(keys):
        raise _damage("keys are not strictly ascending")
    if last >> header.key_bits:
        raise _damage(f"a key has more than {header.key_bits} bits")
    values, rest = _decode_values(header, body)
    _check_end(rest)
    return Block(WIDE, header.key_bits, count, first, last, keys, values)


def order_key(buf: Any) -> bytes:
    """The key under which a shard file holds this block: its last key, or last index, big-endian.

    8 bytes for codecs 1 and 3, ceil(key_bits / 8) for codec 2. DamagedFileError as from ``read_header``.
    """
    header = read_header(buf)
    if header.codec != WIDE:
        return header.last.to_bytes(8, "big")
    key_bytes = header.buckets_count
    end = HEADER_BYTES + header.count * key_bytes
    if key_bytes != (header.key_bits + 7) // 8 or end > header.length:
        raise _damage("header fields do not go with wide keys")
    return bytes(memoryview(buf).cast("B")[end - key_bytes : end])


def _directory(offsets: npt.NDArray[np.uint64], low_bits: int, buckets_count: int) -> npt.NDArray[np.uint16]:
    """Index of the first key of each bucket, and the count."""
    if buckets_count == 1:  # also the only case with 64 low bits, which numpy cannot shift by
        return np.array([0, len(offsets)], "<u2")
    buckets = offsets >> np.uint64(low_bits)
    return np.searchsorted(buckets, np.arange(buckets_count + 1, dtype=np.uint64)).astype("<u2")


def _pack_lows(offsets: npt.NDArray[np.uint64], low_bits: int) -> bytes:
    bits = (offsets[:, None] >> np.arange(low_bits, dtype=np.uint64)) & np.uint64(1)
    packed = np.packbits(bits.astype(np.uint8).ravel(), bitorder="little").tobytes()
    return _padded(packed + bytes(LOWS_SLACK_BYTES))


def _unpack_lows(raw: memoryview, count: int, low_bits: int) -> npt.NDArray[np.uint64]:
    packed = np.frombuffer(raw, np.uint8)[: -(-count * low_bits // 8)]
    bits = np.unpackbits(packed, bitorder="little")
    if bool(bits[count * low_bits :].any()):
        raise _damage("padding is not zero")
    weights = np.uint64(1) << np.arange(low_bits, dtype=np.uint64)
    return bits[: count * low_bits].reshape(count, low_bits).astype(np.uint64) @ weights


def _wide_ascending(keys: npt.NDArray[np.uint64]) -> bool:
    before, after = keys[:-1], keys[1:]
    less = np.zeros(len(before), bool)
    for word in (3, 2, 1, 0):
        less = (before[:, word] < after[:, word]) | ((before[:, word] == after[:, word]) & less)
    return bool(less.all())


def _words_int(words: npt.NDArray[np.uint64]) -> int:
    return int.from_bytes(words.astype(">u8").tobytes(), "big")


def _encode_values(values: npt.NDArray[Any] | None) -> tuple[int, bytes]:
    if values is None:
        return 0, b""
    if values.dtype not in _VALUE_DTYPES[1:] or values.ndim != 1:
        raise ValueError(f"values: {values.dtype} of {values.ndim} dimensions is not stored; see VALUE_TYPES")
    value_type = VALUE_TYPES.index(values.dtype.name)
    return value_type, _padded(values.astype(_VALUE_DTYPES[value_type]).tobytes())


def _decode_values(header: BlockHeader, body: memoryview) -> tuple[npt.NDArray[Any] | None, memoryview]:
    dtype = _VALUE_DTYPES[header.value_type]
    if dtype is None:
        return None, body
    raw, rest = _take(body, header.count * dtype.itemsize)
    return np.frombuffer(raw, dtype).copy(), rest


def _take(body: memoryview, size: int, zeros: int = 0) -> tuple[memoryview, memoryview]:
    """Split off a section of ``size`` bytes, whose last ``zeros`` and whose padding to 8 must be zero."""
    end = size + -size % 8
    if len(body) < end:
        raise _damage(f"body ends {end - len(body)} bytes early")
    if any(body[size - zeros : end]):
        raise _damage("padding is not zero")
    return body[:size], body[end:]


def _check_end(rest: memoryview) -> None:
    if len(rest):
        raise _damage(f"has {len(rest)} bytes too many")


def _check_count(count: int, end: int) -> None:
    if not 1 <= count < end:
        raise ValueError(f"keys: {count} states do not make a block; 1 to {end - 1} do")


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _seal(
    codec: int,
    value_type: int,
    key_bits: int,
    count: int,
    extra: int,
    first: int,
    last: int,
    low_bits: int,
    body: bytes,
) -> bytes:
    length = HEADER_BYTES + len(body)
    if length >= 1 << 32:
        raise ValueError(f"values: {count} states make a block of {length} bytes, too long")

    def header(crc: int) -> bytes:
        return HEADER.pack(
            MAGIC, codec, value_type, key_bits, count, extra, first, last, crc, length, low_bits, bytes(7)
        )

    unsealed = header(0) + body
    return header(zlib.crc32(memoryview(unsealed)[36:], zlib.crc32(unsealed[:32]))) + body


def _damage(what: str) -> DamagedFileError:
    return DamagedFileError("block", what)
