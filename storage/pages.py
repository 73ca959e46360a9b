"""Finds the records of a finished LMDB file: a reader of LMDB 0.9 pages that trusts none of them.

LMDB follows the page numbers and offsets of the files it maps without question, so a damaged or shortened file can
end the process by a signal; and its Python binding touches every page of each value at a cursor, so that listing the
blocks of a shard would read all of it from the disk. Here every number is checked before it is followed, and only the
pages of the tree are read. Values are checked by their own checksums.

The layout is that of mdb.c in LMDB 0.9: one unnamed database with plain keys, little-endian, 64-bit numbers.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from storage.errors import DamagedFileError
from storage.manifest import LMDB_DATA_VERSION

MAGIC = 0xBEEFC0DE
PAGE_HEADER_BYTES = 16

#: A meta page: page header; magic, data version; address, map size; page size (in the record of the free
#: list); then of the unnamed database flags, depth, branch, leaf and overflow pages, entries, root; last
#: page; transaction.
_META = struct.Struct("<16xII16xI48xHHQQQQQQQ")
#: Page number, flags, end of the node pointers, begin of the nodes.
_PAGE = struct.Struct("<Q2xHHH")
#: Low and high half of a size or page number, flags (or a page number's top), key size.
_NODE = struct.Struct("<HHHH")

_BRANCH_PAGE, _LEAF_PAGE = 1, 2
_BIG_VALUE = 1
_NO_PAGE = 2**64 - 1
_DEPTH_MAX = 32
#: LMDB takes the page size of the machine that writes, up to 32768.
_PAGE_SIZES = (4096, 8192, 16384, 32768)


@dataclass(frozen=True)
class Record:
    """A key, and where in the file its value is."""

    key: bytes
    offset: int
    size_bytes: int


@dataclass(frozen=True)
class _Meta:
    page_bytes: int
    depth: int
    entries: int
    root: int
    last_page: int


def map_file(path: Path) -> tuple[mmap.mmap, list[Record]]:
    """Map a finished LMDB file for reading and list its records in the order of their keys.

    The map lives as long as the object or any buffer from it. DamagedFileError when the file is missing, cut
    short, no LMDB file, of another version, or has a page that cannot be right.
    """
    try:
        with path.open("rb") as stream:
            meta = _check_meta(path, stream.read(_META.size), stream.fileno())
            size = (meta.last_page + 1) * meta.page_bytes
            mapped = mmap.mmap(stream.fileno(), size, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise DamagedFileError(str(path), "the file is missing") from None
    except OSError as error:
        raise DamagedFileError(str(path), f"cannot be read: {error.strerror}") from error
    return mapped, _Walk(path, mapped, meta).records()


def _check_meta(path: Path, first: bytes, descriptor: int) -> _Meta:
    """Check both meta pages and hold the size of the file against the newer one."""
    size = os.fstat(descriptor).st_size
    found = []
    data = first
    for _ in range(2):
        if len(data) < _META.size:
            raise DamagedFileError(str(path), f"is cut short: {size} bytes do not hold an LMDB header")
        magic, version, page_bytes, flags, depth, _, _, _, entries, root, last_page, transaction = (
            _META.unpack(data)
        )
        if magic != MAGIC:
            raise DamagedFileError(str(path), "is not an LMDB 0.9 file")
        if version != LMDB_DATA_VERSION:
            raise DamagedFileError(
                str(path), f"has LMDB data version {version}; this yamafuda reads {LMDB_DATA_VERSION}"
            )
        found.append((transaction, flags, _Meta(page_bytes, depth, entries, root, last_page)))
        data = os.pread(descriptor, _META.size, page_bytes)
    _, flags, meta = max(found, key=lambda entry: entry[0])
    page_sizes = {entry[2].page_bytes for entry in found}
    if flags or len(page_sizes) != 1 or meta.page_bytes not in _PAGE_SIZES or meta.depth > _DEPTH_MAX:
        raise DamagedFileError(str(path), "its LMDB header is not that of a shard file")
    if size != (meta.last_page + 1) * meta.page_bytes:
        raise DamagedFileError(
            str(path), f"has {size} bytes, its LMDB header says {(meta.last_page + 1) * meta.page_bytes}"
        )
    return meta


class _Walk:
    """One walk over the tree of a mapped file."""

    def __init__(self, path: Path, mapped: mmap.mmap, meta: _Meta) -> None:
        self._path = path
        self._mapped = mapped
        self._meta = meta
        self._pages_left = meta.last_page

    def records(self) -> list[Record]:
        meta = self._meta
        found = [] if meta.root == _NO_PAGE else list(self._page(meta.root, meta.depth))
        if len(found) != meta.entries:
            raise self._damage(f"has {len(found)} records, its LMDB header says {meta.entries}")
        for before, after in pairwise(found):
            if before.key >= after.key:
                raise self._damage("its keys are not in order")
        return found

    def _page(self, number: int, depth: int) -> Iterator[Record]:
        """Records below a page of the tree; leaves have depth 1."""
        self._pages_left -= 1
        if not 2 <= number <= self._meta.last_page or depth < 1 or self._pages_left < 0:
            raise self._damage(f"its tree leads to page {number} at depth {depth}")
        begin = number * self._meta.page_bytes
        stored, flags, lower, upper = _PAGE.unpack_from(self._mapped, begin)
        kind = _LEAF_PAGE if depth == 1 else _BRANCH_PAGE
        if stored != number or flags != kind:
            raise self._damage(f"page {number} is not a page of its tree")
        if not PAGE_HEADER_BYTES <= lower <= upper <= self._meta.page_bytes or lower % 2:
            raise self._damage(f"page {number} has no sound bounds")
        pointers = struct.unpack_from(f"<{(lower - PAGE_HEADER_BYTES) // 2}H", self._mapped, begin + 16)
        for pointer in pointers:
            if not upper <= pointer <= self._meta.page_bytes - _NODE.size:
                raise self._damage(f"page {number} has a node outside itself")
            if depth == 1:
                yield self._leaf_node(begin, pointer)
            else:
                low, high, top, _ = _NODE.unpack_from(self._mapped, begin + pointer)
                yield from self._page(low | high << 16 | top << 32, depth - 1)

    def _leaf_node(self, begin: int, pointer: int) -> Record:
        low, high, flags, key_bytes = _NODE.unpack_from(self._mapped, begin + pointer)
        size = low | high << 16
        key_end = pointer + _NODE.size + key_bytes
        big = flags == _BIG_VALUE
        if flags & ~_BIG_VALUE or key_end + (8 if big else size) > self._meta.page_bytes:
            raise self._damage(f"page {begin // self._meta.page_bytes} has a node that cannot be right")
        key = self._mapped[begin + pointer + _NODE.size : begin + key_end]
        if not big:
            return Record(key, begin + key_end, size)
        (number,) = struct.unpack_from("<Q", self._mapped, begin + key_end)
        return Record(key, self._extent(number, size), size)

    def _extent(self, number: int, size: int) -> int:
        """Offset of a value that has pages of its own."""
        pages = -(-(PAGE_HEADER_BYTES + size) // self._meta.page_bytes)
        self._pages_left -= pages
        if not 2 <= number <= self._meta.last_page + 1 - pages or self._pages_left < 0:
            raise self._damage(f"a value of {size} bytes does not fit at page {number}")
        return number * self._meta.page_bytes + PAGE_HEADER_BYTES

    def _damage(self, what: str) -> DamagedFileError:
        return DamagedFileError(str(self._path), f"{what}; it is damaged")
