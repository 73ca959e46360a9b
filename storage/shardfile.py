"""Shard files: one LMDB file for each (layer, shard), written once, then only read.

The unnamed database holds the packed blocks, each under its last key, and behind them one footer record. The bytes
depend on the blocks and the footer alone, so that two builds of a shard can be compared by checksum. LMDB writes the
files, and any LMDB 0.9 reads them; here they are read through storage/pages.py, which says why.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import lmdb
import numpy as np
import numpy.typing as npt

from storage.block import VALUE_TYPES, read_header
from storage.copies import local
from storage.errors import DamagedFileError
from storage.jsontext import parse_json
from storage.pages import PAGE_HEADER_BYTES, map_file
from storage.place import Place
from storage.publish import disk_full_error, publish, staged
from storage.record import FileRecord, check_size, sha256_file

#: Version of the shard file's own content, in the footer.
FORMAT_VERSION = 1
#: LMDB 0.9, whose files have data version 1; the binding also carries 1.0, whose files 0.9 cannot read.
LMDB_LIBRARY_VERSION = 0

_BLOCK_TAG = b"\x00"
_FOOTER_KEY = b"\xff"


class ShardWriter:
    """Collects the blocks of a shard file in memory and publishes the file in ``finish``.

    ``durable``: see ``storage.publish.publish``; files that can be computed again need not be. ``keeps_other``: a file
    that is there already may have other bytes, and stays.
    """

    def __init__(
        self, final_path: Place, staging_dir: Place, durable: bool = True, keeps_other: bool = False
    ) -> None:
        self._final = final_path
        self._staging = staging_dir
        self._durable = durable
        self._keeps_other = keeps_other
        self._blocks: list[tuple[bytes, Any]] = []
        self._value_types: set[str] = set()
        self._key_bits: set[int] = set()
        self._count = 0
        self._finished = False

    def append(self, order_key: bytes, block: Any) -> None:
        """Add a block (bytes-like) under its last key (see ``storage.block.order_key``).

        ValueError when the key does not come behind the one before; DamagedFileError for a broken block.
        """
        if self._blocks and order_key <= self._blocks[-1][0]:
            raise ValueError(f"order_key: {order_key.hex()} does not come behind {self._blocks[-1][0].hex()}")
        header = read_header(block)
        self._value_types.add(VALUE_TYPES[header.value_type])
        self._key_bits.add(header.key_bits)
        self._count += header.count
        self._blocks.append((order_key, block))

    def finish(self, footer: Mapping[str, Any]) -> FileRecord:
        """Write, sync, check and publish the file; the first writer wins.

        ``footer``: JSON values; ``key_bits`` and ``value_type`` (a name of VALUE_TYPES) are required and must
        be those of the blocks; the writer adds ``format_version``, ``blocks_count`` and ``count``. When the
        file exists already it must have the same bytes (DamagedFileError otherwise). DiskFullError when there
        is no room; ValueError for a footer that does not fit. Once the footer fits, the blocks are used up.
        """
        if self._finished:
            raise ValueError("finish: the blocks are used up; a new writer is needed")
        if not self._key_bits <= {footer.get("key_bits")} or not self._value_types <= {
            footer.get("value_type")
        }:
            raise ValueError("footer: key_bits or value_type is not that of the blocks")
        if footer.get("value_type") not in VALUE_TYPES or not isinstance(footer.get("key_bits"), int):
            raise ValueError("footer: key_bits and value_type are required")
        content = dict(
            footer, format_version=FORMAT_VERSION, blocks_count=len(self._blocks), count=self._count
        )
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        self._finished = True
        with staged(self._final, self._staging) as temporary:
            try:
                self._write(temporary, text.encode())
            except lmdb.Error as error:
                full = disk_full_error(_error_number(error), self._final, temporary.parent)
                if full is None:
                    raise
                raise full from error
            record = FileRecord(
                self._final.name, temporary.stat().st_size, sha256_file(temporary), self._count
            )
            if not publish(temporary, self._final, self._durable) and not self._keeps_other:
                check_size(self._final, record)
                if sha256_file(self._final) != record.sha256:
                    raise DamagedFileError(
                        str(self._final),
                        "is there already with other content than was computed now; remove it",
                    )
        return record

    def _write(self, path: Path, footer: bytes) -> None:
        """One transaction into a new file; each block is released when LMDB has copied it."""
        blocks, self._blocks = self._blocks, []
        map_size = _map_size([len(block) for _, block in blocks] + [len(footer)])
        with (
            # Synced once, when it is published.
            lmdb.open(
                str(path),
                map_size=map_size,
                subdir=False,
                lock=False,
                sync=False,
                lib_version=LMDB_LIBRARY_VERSION,
            ) as environment,
            environment.begin(write=True) as transaction,
        ):
            for position, (key, block) in enumerate(blocks):
                transaction.put(_BLOCK_TAG + key, block, append=True)
                blocks[position] = (key, b"")
            transaction.put(_FOOTER_KEY, footer, append=True)


def _error_number(error: lmdb.Error) -> int | None:
    """The errno behind an LMDB error, as far as it may be a full disk; LMDB passes on only its text."""
    if isinstance(error, lmdb.DiskError):
        return errno.ENOSPC
    return next((code for code in (errno.EIO, errno.EDQUOT) if os.strerror(code) in str(error)), None)


def _map_size(value_sizes: list[int]) -> int:
    """Upper bound of the file's size. LMDB stores it in the file, so it follows from the content alone."""
    page = os.sysconf("SC_PAGE_SIZE")
    values = sum(-(-(PAGE_HEADER_BYTES + size) // page) + 1 for size in value_sizes)
    # Keys are short: each page of the tree above the values holds at least eight entries, appended in order.
    tree = 16 + len(value_sizes) // 2
    return -(-(values + tree) * page >> 20) + 1 << 20


class ShardFile:
    """An open shard file. Use ``open_shard``."""

    def __init__(self, path: Place) -> None:
        self.path = path
        mapped, records = map_file(local(path))
        if not records or records[-1].key != _FOOTER_KEY:
            raise DamagedFileError(str(path), "has no footer")
        if any(record.key[:1] != _BLOCK_TAG for record in records[:-1]):
            raise DamagedFileError(str(path), "has a record that is neither a block nor the footer")
        footer = records.pop()
        self.footer: dict[str, Any] = _parse_footer(
            path, mapped[footer.offset : footer.offset + footer.size_bytes]
        )
        """Format version, counts, key width, value type, and the engine's figures."""
        if self.footer["blocks_count"] != len(records):
            raise DamagedFileError(
                str(path), f"has {len(records)} blocks, its footer says {self.footer['blocks_count']}"
            )
        self.count: int = self.footer["count"]
        """States in the file, as the footer says."""
        self._mapped: mmap.mmap | None = mapped
        self._records = records

    def blocks(self) -> list[tuple[bytes, npt.NDArray[np.uint8]]]:
        """(last key big-endian, packed block) in order.

        The arrays are read-only views of the mapped file, which stays mapped as long as any of them lives, also after
        ``close`` and in a forked process. Blocks are not read here: their reader checks the checksums
        (``storage.block.decode_block``).
        """
        if self._mapped is None:
            raise ValueError(f"{self.path}: is closed")
        whole = np.frombuffer(self._mapped, np.uint8)
        return [
            (record.key[1:], whole[record.offset : record.offset + record.size_bytes])
            for record in self._records
        ]

    def close(self) -> None:
        """Release the file; it is unmapped when the last array from it is gone, too."""
        self._mapped = None

    def __enter__(self) -> ShardFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_shard(path: Place, expected: FileRecord | None = None) -> ShardFile:
    """Open a finished shard file for reading; any number of times in any process or thread.

    Size and count are checked against ``expected`` (from the manifest), the size also against LMDB's own last
    page, and every page of the tree. DamagedFileError when anything is wrong.
    """
    if expected is not None:
        check_size(path, expected)
    shard = ShardFile(path)
    if expected is not None and shard.count != expected.count:
        raise DamagedFileError(str(path), f"has {shard.count} states and should have {expected.count}")
    return shard


def _parse_footer(path: Place, data: bytes) -> dict[str, Any]:
    try:
        footer = parse_json(data)
    except ValueError:
        raise DamagedFileError(str(path), "its footer is not JSON") from None
    if not isinstance(footer, dict) or not isinstance(footer.get("format_version"), int):
        raise DamagedFileError(str(path), "its footer has no format version")
    if footer["format_version"] != FORMAT_VERSION:
        raise DamagedFileError(
            str(path),
            f"has format {footer['format_version']}; this yamafuda reads format {FORMAT_VERSION}",
        )
    if not all(isinstance(footer.get(name), int) for name in ("blocks_count", "count", "key_bits")):
        raise DamagedFileError(str(path), "its footer lacks blocks_count, count or key_bits")
    if footer.get("value_type") not in VALUE_TYPES:
        raise DamagedFileError(str(path), "its footer lacks a value type")
    return footer
