"""A folder as a store: files are synced, and put in place by hard link (new ones) or rename (replaced ones)."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.errors import UserError
from storage.stores.base import Entry, Store
from storage.stores.temporary import temporary_name


class FolderStore(Store):
    """Names are paths below ``root``; with an empty root they are paths as the process sees them."""

    def __init__(self, root: Path = Path()) -> None:
        self._root = root

    def put_new(self, name: str, source: Path | bytes, durable: bool = True) -> bool:
        """By hard link: ``source``, when it is a file, must be on the same file system, and stays under its name.

        Without ``durable`` nothing is synced, and after a power cut the file may be there in part.
        """
        final = self._root / name
        if isinstance(source, bytes):
            with _beside(final, source) as temporary:
                return self.put_new(name, temporary, durable)
        if durable:
            sync_file(source)
        final.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(source, final)
        except FileExistsError:
            # A network file system may say that a name exists when it repeated a request that had succeeded.
            return source.samefile(final)
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise UserError(
                    str(source.parent), f"must be on the same file system as {final.parent}"
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

    def replace(self, name: str, source: Path | bytes, expected: str | None = None) -> bool:
        """By renaming ``source``, which is gone afterwards. ``expected`` is only checked just before."""
        final = self._root / name
        if isinstance(source, bytes):
            with _beside(final, source) as temporary:
                return self.replace(name, temporary, expected)
        if expected is not None:
            found = self.look(name)
            if found is None or found.tag != expected:
                return False
        sync_file(source)
        source.replace(final)
        sync_folder(final.parent)
        return True

    def read(self, name: str) -> bytes:
        """All of a file."""
        return (self._root / name).read_bytes()

    def read_range(self, name: str, begin: int, size_bytes: int) -> bytes:
        """Part of a file."""
        with (self._root / name).open("rb") as stream:
            stream.seek(begin)
            return stream.read(size_bytes)

    def look(self, name: str) -> Entry | None:
        """Size and time; the tag is made of both and of the file's number."""
        try:
            state = (self._root / name).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        tag = f"{state.st_ino}-{state.st_mtime_ns}-{state.st_size}"
        return Entry(name, state.st_size, state.st_mtime, tag)

    def below(self, folder: str) -> Iterator[Entry]:
        """All files below."""
        found = sorted(path for path in (self._root / folder).rglob("*") if path.is_file())
        for path in found:
            within = path.relative_to(self._root) if self._root.parts else path
            entry = self.look(within.as_posix())
            if entry is not None:  # otherwise it was removed meanwhile
                yield entry

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self._root / name).unlink(missing_ok=True)


@contextmanager
def _beside(final: Path, content: bytes) -> Iterator[Path]:
    """A file beside ``final``, in a folder that is made if missing, for as long as the block lasts."""
    temporary = final.with_name(temporary_name(final.name))
    final.parent.mkdir(parents=True, exist_ok=True)
    try:
        temporary.write_bytes(content)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


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
