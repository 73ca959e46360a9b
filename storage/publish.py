"""How files come into being: written under a temporary name, synced, and put in place in one step.

Two ways to put a file in place. *Published* files (shards, Parquet parts) are linked to their final name, and the
first writer wins: a second writer of the same unit, or one that was taken for dead and comes late, changes nothing.
*Replaced* files (plan, manifest, summary, unit records) have one owner and are renamed over the older version.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from storage.copies import copies
from storage.errors import DiskFullError
from storage.place import ObjectPath, Place, kept_in
from storage.stores.temporary import temporary_name

#: Below this much free space an unexplained input/output error is taken for a full disk.
LITTLE_SPACE_BYTES = 1 << 20

_FULL = (errno.ENOSPC, errno.EDQUOT)


def free_bytes(folder: Place) -> int:
    """Bytes that an ordinary user may still write on the file system of ``folder`` (which must exist).

    Nobody knows how much an object store takes.
    """
    if isinstance(folder, ObjectPath):
        return sys.maxsize
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def disk_full_error(code: int | None, final: Place, folder: Path) -> DiskFullError | None:
    """The user's error behind a failed write, or None when the disk is not the cause.

    ``code`` is the errno. LMDB turns a short write into EIO, so EIO counts as a full disk when hardly any space is
    left. To be called before the partial file is removed.
    """
    free = free_bytes(folder)
    if code in _FULL or (code == errno.EIO and free < LITTLE_SPACE_BYTES):
        return DiskFullError(
            str(final),
            f"no room left to write it, free {free} bytes; make room and run the same command again",
        )
    return None


@contextmanager
def staged(final: Place, staging_dir: Place) -> Iterator[Path]:
    """Yield a temporary path in ``staging_dir`` for the file that is to become ``final``.

    The folder is made if missing and must be on the file system of ``final``; for an object it is a file of this
    machine, beside the copies. The temporary file is removed when the block is left, whether it was published or not.
    A full disk becomes DiskFullError.
    """
    folder = copies().folder / "staging" if isinstance(staging_dir, ObjectPath) else staging_dir
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / temporary_name(final.name)
    try:
        yield temporary
    except OSError as error:
        full = disk_full_error(error.errno, final, folder)
        if full is not None:
            raise full from error
        raise
    finally:
        temporary.unlink(missing_ok=True)


def publish(temporary: Path, final: Place, durable: bool = True) -> bool:
    """Put ``temporary`` in the place of ``final``; False when another writer was first.

    The temporary name stays for the caller (``staged``) to remove. After True the file survives a power cut,
    unless it need not be ``durable``: then nothing is synced, and after a power cut it may be there in part.
    """
    if not isinstance(final, ObjectPath):
        store, name = kept_in(final)
        return store.put_new(name, temporary, durable)
    tag = final.store.put_tagged(final.key, temporary)
    if tag is not None:
        copies().keep(final, tag, temporary)
    return tag is not None


def replace(temporary: Path, final: Place) -> None:
    """Put ``temporary``, which is used up, in the place of ``final`` and of what may be there."""
    store, name = kept_in(final)
    store.replace(name, temporary)


def write_bytes_atomic(path: Place, data: bytes) -> None:
    """Write or replace ``path``: readers see the old content or the new, never a part.

    DiskFullError as above.
    """
    if isinstance(path, ObjectPath):
        path.store.replace(path.key, data)
        return
    with staged(path, path.parent) as temporary:
        temporary.write_bytes(data)
        replace(temporary, path)


def write_json_atomic(path: Place, value: Any) -> None:
    """``write_bytes_atomic`` of ``json_bytes``."""
    write_bytes_atomic(path, json_bytes(value))


def write_unsynced(path: Place, data: bytes) -> None:
    """As ``write_bytes_atomic`` in a folder that is there, but a power cut may leave a part, or nothing."""
    if isinstance(path, ObjectPath):
        path.store.replace(path.key, data)
        return
    temporary = path.with_name(temporary_name(path.name))
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def json_bytes(value: Any) -> bytes:
    """``value`` as a JSON file: indented UTF-8 (no NaN or infinity: ValueError)."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n"
