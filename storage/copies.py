"""Copies of objects on this machine, for files that are read by mapping them into memory: shard files.

A copy's name is the digest of its object's URL and tag, so it never has other content. All processes of a machine
share the copies below one folder; an object is fetched once for each machine. Their size is bounded, and the copy
that was not used for longest goes first. A mapped file stays readable after its name is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.place import ObjectPath, Place, place_at
from storage.stores.base import Entry
from storage.stores.temporary import is_left, temporary_name

LIMIT_BYTES = 50_000_000_000
SHARES = 64
"""Room for one of so many parts of the limit is made at once."""
_LOCKS = 64


class Copies:
    """The copies below a folder."""

    def __init__(self, folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
        self.folder = folder
        self.limit_bytes = limit_bytes
        self._granted_bytes = 0
        """Bytes that this process may still add before it looks at all copies again."""

    def of(self, wanted: ObjectPath, entry: Entry | None = None) -> Path:
        """A copy of an object, made now if there is none. FileNotFoundError when there is no such object.

        ``entry``: the object's entry from a listing; if None, the store is asked for it.
        """
        entry = entry or wanted.store.look(wanted.key)
        if entry is None:
            raise FileNotFoundError(f"{wanted} is not there")
        target = self._target(wanted, entry.tag)
        if _used(target, entry.size_bytes):
            return target
        with self._locked(target):
            if _used(target, entry.size_bytes):  # by another process meanwhile
                return target
            self._make_room(entry.size_bytes)
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_name(temporary_name(target.name))
            try:
                tag = wanted.store.save(wanted.key, temporary)
                target = self._target(wanted, tag)
                target.parent.mkdir(parents=True, exist_ok=True)
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)
        return target

    def keep(self, wanted: ObjectPath, tag: str, file: Path) -> None:
        """Link ``file``, just put into the store under ``tag``, as its copy, so that it need not be fetched back."""
        target = self._target(wanted, tag)
        with contextlib.suppress(OSError), self._locked(target):  # else it is fetched
            self._make_room(file.stat().st_size)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(file, target)

    def _target(self, wanted: ObjectPath, tag: str) -> Path:
        # Some stores list tags without quotation marks.
        bare = tag.strip('"')
        digest = hashlib.sha256(f"{wanted}\n{bare}".encode()).hexdigest()
        return self.folder / digest[:2] / digest

    def _make_room(self, size_bytes: int) -> None:
        """Remove the copies that were used longest ago until there is room within the limit.

        A look at all copies takes longer the more there are, so room for several is made at once. Each process may
        exceed the limit by that much.
        """
        if size_bytes <= self._granted_bytes:
            self._granted_bytes -= size_bytes
            return
        room_bytes = max(size_bytes, self.limit_bytes // SHARES)
        self._granted_bytes = room_bytes - size_bytes
        found = []
        for path in self._files():
            with contextlib.suppress(FileNotFoundError):
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        total = room_bytes + sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= self.limit_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size

    def tidy(self) -> None:
        """Remove unfinished files of killed processes of this machine."""
        for path in [*self._files(".tmp"), *(self.folder / "staging").glob("*.tmp")]:
            if is_left(path.name):
                path.unlink(missing_ok=True)

    def _files(self, suffix: str = "") -> Iterator[Path]:
        """The copies; with a suffix, the files that will become copies."""
        return (path for path in self.folder.glob("??/*") if path.suffix == suffix)

    @contextmanager
    def _locked(self, target: Path) -> Iterator[None]:
        """Make other processes and threads wait that want the same copy."""
        locks = self.folder / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        number = int(target.name[:8], 16) % _LOCKS
        with (locks / f"{number:02d}").open("w") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield


def _used(path: Path, size_bytes: int) -> bool:
    """Whether a whole copy is there; if so, it counts as used now."""
    try:
        if path.stat().st_size != size_bytes:
            return False
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


_copies: Copies | None = None
_lock = threading.Lock()


def use_scratch(text: str, limit_bytes: int = LIMIT_BYTES) -> Path:
    """The folder that ``paths.scratch`` means; from now on this process keeps copies in it.

    Below a root that is no folder it is the user's cache folder.
    """
    global _copies
    found = place_at(text, "paths.scratch")
    folder = default_scratch() if isinstance(found, ObjectPath) else found.resolve()
    with _lock:
        if _copies is None or _copies.folder != folder / "copies":
            _copies = Copies(folder / "copies", limit_bytes)
            _copies.tidy()
        _copies.limit_bytes = limit_bytes
    return folder


def copies() -> Copies:
    """The copies of this process; below YAMAFUDA_SCRATCH or the user's cache folder unless set otherwise."""
    global _copies
    with _lock:
        if _copies is None:
            scratch = os.environ.get("YAMAFUDA_SCRATCH")
            _copies = Copies((Path(scratch) if scratch else default_scratch()) / "copies")
        return _copies


def default_scratch() -> Path:
    """The scratch folder, fast and local, when the roots are not folders: ``$XDG_CACHE_HOME/yamafuda``."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(cache) / "yamafuda"


def local(wanted: Place) -> Path:
    """A file of this machine with the content of ``wanted``: itself, or a copy. FileNotFoundError."""
    return copies().of(wanted) if isinstance(wanted, ObjectPath) else wanted
