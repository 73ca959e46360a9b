"""Shard files: one LMDB file for each (layer, shard), written once, then only read.

The unnamed database holds the packed blocks, each under its last key, and behind them one footer record.
Bytes are a function of the blocks and the footer alone, so that two builds of a shard can be compared by
checksum.

LMDB trusts the pages it maps: a short or damaged file would end the process by a signal. So a file is walked
page by page with ordinary reads before it is mapped, and its size is held against its own last page number.
"""

from __future__ import annotations

import errno
import json
import os
import struct
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import lmdb
import lmdb.verify
import numpy as np
import numpy.typing as npt

from storage.block import VALUE_TYPES, read_header
from storage.errors import DamagedFileError
from storage.manifest import LMDB_DATA_VERSION
from storage.publish import disk_full_error, publish, staged
from storage.record import FileRecord, check_size, sha256_file

#: Version of the shard file's own content, in the footer.
FORMAT_VERSION = 1
#: LMDB 0.9, which writes LMDB_DATA_VERSION; the binding also carries 1.0, whose files 0.9 cannot read.
LMDB_LIBRARY_VERSION = 0
LMDB_MAGIC = 0xBEEFC0DE
PAGE_HEADER_BYTES = 16
#: A meta page: page header; magic, data version; address, map size; page size (in the record of the free
#: list); flags of the unnamed database; last page number; transaction number.
_META = struct.Struct("<16xII16xI48xH42xQQ")

_BLOCK_TAG = b"\x00"
_FOOTER_KEY = b"\xff"


class ShardWriter:
    """Collects the blocks of a shard file in memory and publishes the file in ``finish``."""

    def __init__(self, final_path: Path, staging_dir: Path) -> None:
        self._final = final_path
        self._staging = staging_dir
        self._blocks: list[tuple[bytes, Any]] = []
        self._value_types: set[str] = set()
        self._key_bits: set[int] = set()
        self._count = 0

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
        is no room; ValueError for a footer that does not fit.
        """
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
        with staged(self._final, self._staging) as temporary:
            try:
                self._write(temporary, text.encode())
            except lmdb.Error as error:
                full = disk_full_error(_error_number(error), self._final, self._staging)
                if full is None:
                    raise
                raise full from error
            record = FileRecord(
                self._final.name, temporary.stat().st_size, sha256_file(temporary), self._count
            )
            if not publish(temporary, self._final):
                check_size(self._final, record)
                if sha256_file(self._final) != record.sha256:
                    raise DamagedFileError(
                        str(self._final),
                        "is there already with other content than was computed now; remove it",
                    )
        return record

    def _write(self, path: Path, footer: bytes) -> None:
        """One transaction into a new file; blocks are let go of as LMDB takes its copy of them."""
        blocks, self._blocks = self._blocks, []
        map_size = _map_size([len(block) for _, block in blocks] + [len(footer)])
        with (
            lmdb.open(
                str(path), map_size=map_size, subdir=False, lock=False, lib_version=LMDB_LIBRARY_VERSION
            ) as environment,
            environment.begin(write=True) as transaction,
        ):
            for position, (key, block) in enumerate(blocks):
                transaction.put(_BLOCK_TAG + key, block, append=True)
                blocks[position] = (key, b"")
            transaction.put(_FOOTER_KEY, footer, append=True)


def _error_number(error: lmdb.Error) -> int | None:
    """The errno behind an LMDB error, as far as a full disk goes; LMDB passes on its text alone."""
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


class _Mapped:
    """An LMDB file in this process's memory and where its records are; read only, so forks share it."""

    def __init__(self, path: Path) -> None:
        size = _check_structure(path)
        try:
            self.environment = lmdb.open(
                str(path),
                map_size=size,
                subdir=False,
                readonly=True,
                create=False,
                lock=False,
                readahead=False,
                lib_version=LMDB_LIBRARY_VERSION,
            )
        except lmdb.Error as error:
            raise DamagedFileError(str(path), f"LMDB cannot open it: {error}") from error
        self.transaction = self.environment.begin(buffers=True)
        self.records = [(bytes(key), np.asarray(value)) for key, value in self.transaction.cursor()]
        self.leases = 0

    def close(self) -> None:
        self.records.clear()
        self.transaction.abort()
        self.environment.close()


class _Lease:
    """Keeps a mapped file open. Held by a ShardFile and by every array that it gave out."""

    def __init__(self, path: Path) -> None:
        self.mapped = _acquire(path)
        release = weakref.finalize(self, _release, self.mapped)
        release.atexit = False  # at exit other threads may still read

    def view(self, array: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """The same memory, read only, in an array whose base is bound to this lease."""
        return np.asarray(_Memory(self, array.__array_interface__))


class _Memory:
    """Hands memory to numpy; numpy keeps this object, and so the lease, as the base of the array."""

    def __init__(self, lease: _Lease, interface: dict[str, Any]) -> None:
        self.lease = lease
        self.__array_interface__ = interface


# LMDB refuses to open a file twice in a process, so all readers of a file share one mapping. Entries are
# found by device and inode: a file that was removed and built again is another one, and an inode that is
# mapped is not given to another file.
_mapped: dict[tuple[int, int], tuple[tuple[int, int], _Mapped]] = {}
_mapped_lock = threading.RLock()


def _new_lock() -> None:
    global _mapped_lock
    _mapped_lock = threading.RLock()


os.register_at_fork(after_in_child=_new_lock)


def _acquire(path: Path) -> _Mapped:
    with _mapped_lock:
        try:
            status = path.stat()
        except FileNotFoundError:
            raise DamagedFileError(str(path), "the file is missing") from None
        identity = (status.st_dev, status.st_ino)
        state = (status.st_size, status.st_mtime_ns)
        if identity not in _mapped:
            _mapped[identity] = (state, _Mapped(path))
        known, mapped = _mapped[identity]
        if known != state:
            raise DamagedFileError(str(path), "was changed while it was open")
        mapped.leases += 1
        return mapped


def _release(mapped: _Mapped) -> None:
    with _mapped_lock:
        mapped.leases -= 1
        if mapped.leases == 0:
            for identity, (_, other) in list(_mapped.items()):
                if other is mapped:
                    del _mapped[identity]
            mapped.close()


class ShardFile:
    """An open shard file. Use ``open_shard``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lease: _Lease | None = _Lease(path)
        records = self._lease.mapped.records
        if not records or records[-1][0] != _FOOTER_KEY:
            raise DamagedFileError(str(path), "has no footer")
        if any(key[:1] != _BLOCK_TAG for key, _ in records[:-1]):
            raise DamagedFileError(str(path), "has a record that is neither a block nor the footer")
        self.footer: dict[str, Any] = _parse_footer(path, records[-1][1].tobytes())
        """Format version, counts, key width, value type, and the engine's figures."""
        if self.footer["blocks_count"] != len(records) - 1:
            raise DamagedFileError(
                str(path), f"has {len(records) - 1} blocks, its footer says {self.footer['blocks_count']}"
            )
        self.count: int = self.footer["count"]
        """States in the file, as the footer says."""

    def blocks(self) -> list[tuple[bytes, npt.NDArray[np.uint8]]]:
        """(last key big-endian, packed block) in order.

        The arrays are read-only views of the mapped file; they stay valid as long as they live, also after
        ``close``. Blocks are not checked here: their checksum is for the reader to check (``decode_block``).
        """
        if self._lease is None:
            raise ValueError(f"{self.path}: is closed")
        return [(key[1:], self._lease.view(value)) for key, value in self._lease.mapped.records[:-1]]

    def close(self) -> None:
        """Let go of the file; it is unmapped when the last array from it is gone too."""
        self._lease = None

    def __enter__(self) -> ShardFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_shard(path: Path, expected: FileRecord | None = None) -> ShardFile:
    """Open a finished shard file for reading.

    Size and count are checked against ``expected`` (from the manifest). Before the file is mapped its size is
    held against LMDB's own last page and its pages are walked. DamagedFileError when anything is wrong.
    """
    if expected is not None:
        check_size(path, expected)
    shard = ShardFile(path)
    if expected is not None and shard.count != expected.count:
        raise DamagedFileError(str(path), f"has {shard.count} states and should have {expected.count}")
    return shard


def _check_structure(path: Path) -> int:
    """Walk all pages of an LMDB file without mapping it; its size in bytes."""
    try:
        size = _check_meta(path)
        problems = lmdb.verify.verify(str(path))  # type: ignore[no-untyped-call]
    except DamagedFileError:
        raise
    except OSError as error:
        raise DamagedFileError(str(path), f"cannot be read: {error.strerror}") from error
    except Exception as error:  # whatever a damaged page leads to
        raise DamagedFileError(str(path), f"is no sound LMDB file: {error}") from error
    if problems:
        raise DamagedFileError(str(path), f"is no sound LMDB file: {problems[0]}")
    return size


def _check_meta(path: Path) -> int:
    """Hold the size of an LMDB file against its two meta pages; the size in bytes."""
    with path.open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        metas = []
        page_bytes = 0
        for _ in range(2):
            stream.seek(page_bytes)
            data = stream.read(_META.size)
            if len(data) < _META.size:
                raise DamagedFileError(str(path), f"is cut short: {size} bytes do not hold an LMDB header")
            magic, version, page_bytes, main_flags, last_page, transaction = _META.unpack(data)
            if magic != LMDB_MAGIC:
                raise DamagedFileError(str(path), "is not an LMDB file")
            if version != LMDB_DATA_VERSION:
                raise DamagedFileError(
                    str(path), f"has LMDB data version {version}; this yamafuda reads {LMDB_DATA_VERSION}"
                )
            metas.append((transaction, page_bytes, main_flags, last_page))
    _, page_bytes, main_flags, last_page = max(metas)
    if main_flags != 0:
        raise DamagedFileError(str(path), f"its database has flags {main_flags:#x}, a shard file's has none")
    if size != (last_page + 1) * page_bytes:
        raise DamagedFileError(
            str(path), f"has {size} bytes, its LMDB header says {(last_page + 1) * page_bytes}"
        )
    return size


def _parse_footer(path: Path, data: bytes) -> dict[str, Any]:
    try:
        footer = json.loads(data)
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
