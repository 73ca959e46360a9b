"""A place of files: a path on this machine, or that of an object in a bucket, with the same operations on both.

``ObjectPath`` has the part of pathlib that runs need. A bucket has no folders: a folder exists as long as an object
is below it, and making one does nothing.
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from storage.errors import UserError
from storage.stores.base import Store
from storage.stores.folder import FolderStore
from storage.stores.objects import SCHEMES, ObjectStore, is_url, open_store, refuse_credentials


@dataclass(frozen=True)
class ObjectState:
    """The answer of ``stat``."""

    st_size: int
    st_mtime: float


@functools.total_ordering
class ObjectPath:
    """An object, or what a folder would be, in a bucket: ``s3://bucket/a/b``."""

    __slots__ = ("_key", "_parts", "store")

    def __init__(self, store: ObjectStore, key: str) -> None:
        self.store = store
        self._key = key.strip("/")
        self._parts = PurePosixPath(self._key)

    @property
    def key(self) -> str:
        """Its name in the bucket; empty for the bucket itself."""
        return self._key

    # -- names ---------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The last part."""
        return self._parts.name

    @property
    def suffix(self) -> str:
        """The ending of the last part, with its dot."""
        return self._parts.suffix

    @property
    def parent(self) -> ObjectPath:
        """The folder that it is in; the bucket's own is the bucket."""
        above = self._parts.parent.as_posix()
        return ObjectPath(self.store, "" if above == "." else above)

    def __truediv__(self, other: str) -> ObjectPath:
        return ObjectPath(self.store, f"{self._key}/{other}")

    def with_name(self, name: str) -> ObjectPath:
        """The same path with another last part."""
        return self.parent / name

    def relative_to(self, other: ObjectPath) -> PurePosixPath:
        """The rest below ``other``; ValueError when it is not below."""
        if other.store.url != self.store.url:
            raise ValueError(f"{self} is not below {other}")
        return self._parts.relative_to(other._parts)

    def as_posix(self) -> str:
        """The URL."""
        return str(self)

    def resolve(self) -> ObjectPath:
        """Itself: there are no links."""
        return self

    def __str__(self) -> str:
        return f"{self.store.url}/{self._key}" if self._key else self.store.url

    def __repr__(self) -> str:
        return f"ObjectPath({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectPath) and str(self) == str(other)

    def __lt__(self, other: ObjectPath) -> bool:
        return str(self) < str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[type[ObjectPath], tuple[ObjectStore, str]]:
        return ObjectPath, (self.store, self._key)

    # -- what is there -------------------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Whether there is an object of this name, or any below it."""
        return self.is_file() or self.is_dir()

    def is_file(self) -> bool:
        """Whether there is an object of this name."""
        return bool(self._key) and self.store.look(self._key) is not None

    def is_dir(self) -> bool:
        """Whether there is an object below it."""
        return next(self.store.below(self._key), None) is not None

    def is_symlink(self) -> bool:
        """Never."""
        return False

    def stat(self) -> ObjectState:
        """Size and time; FileNotFoundError."""
        entry = self.store.look(self._key)
        if entry is None:
            raise FileNotFoundError(f"{self} is not there")
        return ObjectState(entry.size_bytes, entry.changed_s)

    def iterdir(self) -> Iterator[ObjectPath]:
        """What is directly below; empty where there is no such folder."""
        folders, files = self.store.children(self._key)
        for key in [*folders, *(entry.name for entry in files)]:
            yield ObjectPath(self.store, key)

    def glob(self, pattern: str) -> Iterator[ObjectPath]:
        """What is directly below and has a name like ``pattern``."""
        return (path for path in self.iterdir() if fnmatch.fnmatchcase(path.name, pattern))

    def rglob(self, pattern: str) -> Iterator[ObjectPath]:
        """The objects at any depth below that have a name like ``pattern``."""
        for entry in self.store.below(self._key):
            path = ObjectPath(self.store, entry.name)
            if fnmatch.fnmatchcase(path.name, pattern):
                yield path

    # -- reading and removing ------------------------------------------------------------------------------------

    def read_bytes(self) -> bytes:
        """All of it."""
        return self.store.read(self._key)

    def read_text(self) -> str:
        """All of it, read as UTF-8."""
        return self.read_bytes().decode()

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the object."""
        if not missing_ok and not self.is_file():
            raise FileNotFoundError(f"{self} is not there")
        self.store.remove(self._key)

    def mkdir(self, parents: bool = False, exist_ok: bool = False) -> None:
        """Does nothing: folders need not be made."""

    def rmdir(self) -> None:
        """Does nothing: a folder without objects does not exist."""


Place: TypeAlias = Path | ObjectPath

_FOLDERS = FolderStore()


def kept_in(place: Place) -> tuple[Store, str]:
    """The store that a place is in, and its name there."""
    return (place.store, place.key) if isinstance(place, ObjectPath) else (_FOLDERS, str(place))


def place_at(text: str, field: str = "paths.results") -> Place:
    """The place that a text means: a path, a file URI, or a URL of an object store.

    UserError naming ``field`` for anything else.
    """
    if not text.strip():
        raise UserError(field, "is empty; give a folder, or a URL such as s3://bucket/folder")
    scheme, mark, rest = text.partition("://")
    if not mark:
        return Path(text)
    if scheme == "file":
        return Path(unquote(urlsplit(text).path))
    if not is_url(text):
        known = ", ".join(f"{each}://" for each in SCHEMES)
        raise UserError(field, f"{scheme}:// is none of {known}; give one of these, or a folder")
    bucket, _, key = rest.partition("/")
    refuse_credentials(text)
    if not bucket:
        raise UserError(field, f"{text} names no bucket")
    return ObjectPath(open_store(f"{scheme}://{bucket}"), key)


def name_within(path: Place, folder: Place) -> str:
    """The name, with slashes, of a place below ``folder``; ValueError when it is not below."""
    return path.relative_to(folder).as_posix()  # type: ignore[arg-type]


def listed(folder: Place, pattern: str = "*") -> list[Place]:
    """What is directly below a folder and has a name like ``pattern``, sorted by name; empty where there is no
    folder."""
    return sorted(folder.glob(pattern), key=lambda path: path.name)
