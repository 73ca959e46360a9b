"""The files of keyed tables as engines use them: packed keys and values, and finished layers read in place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.contract.job import LayerPlan
from storage.block import HEADER_BYTES, WIDE
from storage.errors import DamagedFileError
from storage.layout import RunLayout
from storage.place import Place
from storage.shardfile import ShardFile, open_shard

#: Advice for any reader of a table with a damaged file: what is missing is computed again.
WAY_OUT = "remove it, if it is there, and run the table's job again"

Keys = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float64]


def shard_bounds(layer: LayerPlan, keys_count: int | None = None) -> list[int]:
    """First key of each shard, and the end of the last: shard s holds [s, s + 1) / shards_count of all keys.

    Keys are below 2**key_bits; ``keys_count``: below that, where a layer's keys have no gaps.
    """
    keys = 1 << layer.key_bits if keys_count is None else keys_count
    return [shard * keys // layer.shards_count for shard in range(layer.shards_count + 1)]


def comparable(keys: Keys, bounds: list[int]) -> tuple[Any, Any]:
    """Keys and bounds in a form that ``np.searchsorted`` orders as numbers.

    Wide keys become big-endian byte strings; a bound beyond the last number of 256 bits becomes that number.
    """
    if keys.ndim == 1:
        return keys, np.array([min(bound, (1 << 64) - 1) for bound in bounds], np.uint64)
    # numpy compares byte strings as if padded with zeros, which for equal lengths is the order of the numbers.
    texts = np.ascontiguousarray(keys.astype(">u8")).view("S32").ravel()
    limit = (1 << 256) - 1
    return texts, np.array([min(bound, limit).to_bytes(32) for bound in bounds], "S32")


def decode(path: Place, block: npt.NDArray[np.uint8]) -> tuple[Keys, Values | None]:
    """Keys and values of a block; DamagedFileError names the file."""
    try:
        keys, values = _native.decode_block(block)
    except _native.DamagedBlockError as error:
        raise DamagedFileError(str(path), f"{error.reason}; {WAY_OUT}") from error
    return keys, values


def open_file(path: Place) -> ShardFile:
    """``open_shard`` of a file that the run itself made; DamagedFileError says how to go on."""
    try:
        return open_shard(path)
    except DamagedFileError as error:
        raise DamagedFileError(error.field, f"{error.message}; {WAY_OUT}") from error


def checked_blocks(opened: ShardFile, prefix_bytes: int = 0) -> list[tuple[bytes, npt.NDArray[np.uint8]]]:
    """``opened.blocks()``, each checked to stand under its header's last key; DamagedFileError otherwise.

    The keys of LMDB have no checksum, and a wrong one would give a block to the wrong shard, or skip it.
    ``prefix_bytes``: length of what comes before the last key. Only headers (of wide keys: also last keys) are read.
    """
    blocks = opened.blocks()
    for number, (key, block) in enumerate(blocks):
        if key[prefix_bytes:] != _last_key(block):
            raise DamagedFileError(
                str(opened.path), f"block {number} does not end with the key that it is kept under; {WAY_OUT}"
            )
    return blocks


def _last_key(block: npt.NDArray[np.uint8]) -> bytes:
    """``storage.block.order_key`` without checking the checksum, which would read the whole block."""
    if block[4:5].tobytes() != bytes([WIDE]):
        return block[24:32][::-1].tobytes()
    count, key_bytes = (int.from_bytes(block[begin : begin + 4].tobytes(), "little") for begin in (8, 12))
    end = HEADER_BYTES + count * key_bytes
    return block[end - key_bytes : end].tobytes()


@dataclass(frozen=True)
class LayerFiles:
    """A finished layer, its files mapped: the native reader, and the file of each of its blocks."""

    native: Any
    paths: list[Place]


def open_layer(kernel: Any, layout: RunLayout, layer: LayerPlan) -> LayerFiles:
    """Open all shards of a finished layer; DamagedFileError names the file."""
    blocks, paths = [], []
    for shard in range(layer.shards_count):
        path = layout.shard(layer.layer, shard)
        with open_file(path) as opened:
            for _, block in opened.blocks():
                blocks.append(block)
                paths.append(path)
    with naming_files(paths):
        return LayerFiles(_native.LayerReader(kernel, layer.layer, blocks), paths)


@contextlib.contextmanager
def naming_files(paths: list[Place], others: Mapping[int, list[Place]] | None = None) -> Iterator[None]:
    """Turn the native core's error about a damaged block into one that names the block's file.

    ``paths``: the file of each block of the layer that is read; ``others``: the same of several layers, by number.
    """
    try:
        yield
    except _native.DamagedBlockError as error:
        files = paths if others is None or error.layer is None else others[error.layer]
        if error.block == len(files):  # the shard file that is missing
            raise DamagedFileError(_folder(files), f"{error.reason}; {WAY_OUT}") from error
        raise DamagedFileError(str(files[error.block]), f"{error.reason}; {WAY_OUT}") from error
    except ValueError as error:
        text = f"{error}; the table is not complete, remove the run"
        raise DamagedFileError(_folder(paths), text) from error


def _folder(files: list[Place]) -> str:
    return str(files[0].parent) if files else "table"
