"""The record of a finished file: size, checksum, number of states; and the check of a file against it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from storage.errors import DamagedFileError
from storage.place import ObjectPath, Place

CHUNK_BYTES = 32 << 20
"""Bytes for each request when an object is read to its end."""


@dataclass(frozen=True)
class FileRecord:
    """A finished, immutable file. ``name`` is the file's name without its folder."""

    name: str
    size_bytes: int
    sha256: str
    """64 hexadecimal digits over the whole file."""
    count: int
    """States (rows) in the file."""


def sha256_file(path: Place) -> str:
    """SHA-256 of a whole file as 64 hexadecimal digits."""
    if isinstance(path, ObjectPath):
        digest = hashlib.sha256()
        for begin in range(0, path.stat().st_size, CHUNK_BYTES):
            digest.update(path.store.read_range(path.key, begin, CHUNK_BYTES))
        return digest.hexdigest()
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def make_file_record(path: Place, count: int = 0) -> FileRecord:
    """The record of a file as it is now."""
    return FileRecord(path.name, path.stat().st_size, sha256_file(path), count)


def file_figures(written: FileRecord | None) -> dict[str, Any]:
    """Size and checksum of a file that was just written, by name; empty for None, a file of another writer."""
    return {} if written is None else {"size_bytes": written.size_bytes, "sha256": written.sha256}


def check_size(path: Place, record: FileRecord, size_bytes: int | None = None) -> None:
    """DamagedFileError when ``path`` is missing or its size (given if known) is not the record's."""
    try:
        size = path.stat().st_size if size_bytes is None else size_bytes
    except FileNotFoundError:
        raise DamagedFileError(str(path), "the file is missing") from None
    if size != record.size_bytes:
        raise DamagedFileError(str(path), f"has {size} bytes and should have {record.size_bytes}")


def verify_file(path: Place, record: FileRecord) -> None:
    """Compare size and SHA-256 of all of ``path`` with the record; DamagedFileError says what differs."""
    check_size(path, record)
    digest = sha256_file(path)
    if digest != record.sha256:
        raise DamagedFileError(str(path), f"its SHA-256 is {digest} and should be {record.sha256}")
