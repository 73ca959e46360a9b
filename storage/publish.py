"""How files come into being: written under a temporary name, synced, and put in place in one step.

Two ways to put a file in place. *Published* files (shards, Parquet parts) are linked to their final name, and
the first writer wins: a second writer of the same unit, or one that was thought dead and comes late, changes
nothing. *Replaced* files (plan, manifest, summary, unit records) have one owner and are renamed over the
older version.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from storage.errors import DiskFullError, UserError

#: Below this much free space an unexplained input/output error is put down to a full disk.
LITTLE_SPACE_BYTES = 1 << 20

_FULL = (errno.ENOSPC, errno.EDQUOT)


def temporary_name(final_name: str) -> str:
    """A name that no other attempt, process or host uses: final name, host, process, random."""
    host = socket.gethostname().split(".")[0]
    return f"{final_name}.{host}.{os.getpid()}.{secrets.token_hex(8)}.tmp"


def free_bytes(folder: Path) -> int:
    """Bytes that an ordinary user may still write on the file system of ``folder`` (which must exist)."""
    state = os.statvfs(folder)
    return state.f_bavail * state.f_frsize


def disk_full_error(code: int | None, final: Path, folder: Path) -> DiskFullError | None:
    """The user's error behind a failed write, or None when the disk is not the cause.

    ``code`` is the errno. LMDB turns a short write into EIO, so that one counts when hardly any space is
    left; to be asked before the partial file is removed.
    """
    free = free_bytes(folder)
    if code in _FULL or (code == errno.EIO and free < LITTLE_SPACE_BYTES):
        return DiskFullError(
            str(final),
            f"no room left to write it, free {free} bytes; make room and run the same command again",
        )
    return None


@contextmanager
def staged(final: Path, staging_dir: Path) -> Iterator[Path]:
    """Give a temporary path in ``staging_dir`` for the file that is to become ``final``.

    The folder is made if missing and must be on the file system of ``final``. The temporary file is gone when
    the block is left, whether it was published or not. A full disk becomes DiskFullError.
    """
    staging_dir.mkdir(parents=True, exist_ok=True)
    temporary = staging_dir / temporary_name(final.name)
    try:
        yield temporary
    except OSError as error:
        full = disk_full_error(error.errno, final, staging_dir)
        if full is not None:
            raise full from error
        raise
    finally:
        temporary.unlink(missing_ok=True)


def publish(temporary: Path, final: Path, durable: bool = True) -> bool:
    """Sync ``temporary`` and link it to ``final``; False when another writer was first.

    The temporary name stays for the caller (``staged``) to remove. After True the file survives a power cut,
    unless it need not be ``durable``: then nothing is synced, and after a power cut it may be there in part.
    """
    if durable:
        sync_file(temporary)
    final.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(temporary, final)
    except FileExistsError:
        # A network file system may report an existing name when a repeated request met its own first try.
        return temporary.samefile(final)
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise UserError(
                str(temporary.parent), f"must be on the same file system as {final.parent}"
            ) from error
        if error.errno in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise UserError(
                str(final.parent),
                "its file system has no hard links, which publishing needs; choose another root",
            ) from error
        raise
    if durable:
        sync_folder(final.parent)
    return True


def replace(temporary: Path, final: Path, durable: bool = True) -> None:
    """Sync ``temporary`` and rename it to ``final``, in the place of what may be there.

    Nothing is synced that need not be ``durable``: after a power cut it may be there in part, or as it was before.
    """
    if durable:
        sync_file(temporary)
    temporary.replace(final)
    if durable:
        sync_folder(final.parent)


def write_bytes_atomic(path: Path, data: bytes, durable: bool = True) -> None:
    """Write or replace ``path``: readers see the old content or the new, never a part. DiskFullError as
    above; ``durable`` as for ``replace``.
    """
    with staged(path, path.parent) as temporary:
        temporary.write_bytes(data)
        replace(temporary, path, durable)


def write_json_atomic(path: Path, value: Any) -> None:
    """``write_bytes_atomic`` of ``json_bytes``."""
    write_bytes_atomic(path, json_bytes(value))


def json_bytes(value: Any) -> bytes:
    """``value`` as a JSON file: indented UTF-8 (no NaN or infinity: ValueError)."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def sync_file(path: Path) -> None:
    """Wait until the content of ``path`` is on the disk."""
    _sync(path, os.O_RDONLY)


def sync_folder(path: Path) -> None:
    """Wait until the names in the folder ``path`` are on the disk."""
    _sync(path, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
