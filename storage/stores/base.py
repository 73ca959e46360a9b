"""What a run needs from the place of its files: operations that both folders and object stores have.

Names are texts with slashes. A file is there as a whole or not at all. Two writers of one new file: the first wins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Entry:
    """A file in a store."""

    name: str
    size_bytes: int
    changed_s: float
    """When it was written, in seconds since 1970."""
    tag: str
    """A tag of the content: it differs whenever the content under a name has changed."""


class Store(ABC):
    """Files under names. Reading a name that is not there raises FileNotFoundError."""

    @abstractmethod
    def put_new(self, name: str, source: Path | bytes, durable: bool = True) -> bool:
        """Put a file in place unless one is there; False when another writer was first.

        After True it survives a power cut, unless it need not be ``durable``.
        """

    @abstractmethod
    def replace(self, name: str, source: Path | bytes, expected: str | None = None) -> bool:
        """Put a file in place of what may be there.

        ``expected``: the tag that the present content must still have; when it has another one, nothing is done, and
        the answer is False.
        """

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All of a file."""

    @abstractmethod
    def read_range(self, name: str, begin: int, size_bytes: int) -> bytes:
        """So many bytes of a file; fewer at its end."""

    @abstractmethod
    def look(self, name: str) -> Entry | None:
        """The entry of a file; None when there is none."""

    @abstractmethod
    def below(self, folder: str) -> Iterator[Entry]:
        """All files below a folder, at any depth, by name; none when there is no such folder."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file; nothing when it is gone."""
