"""What a run asks of the place where its files are kept: six things, which folders and object stores both can do.

Names are texts with slashes. A file is there in whole or not at all. Two writers of one new file: the first wins.
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
    """Differs between two contents that a name has had."""


class Store(ABC):
    """Files under names. FileNotFoundError from what reads a name that is not there."""

    @abstractmethod
    def put_new(self, name: str, source: Path | bytes, durable: bool = True) -> bool:
        """Put a file in place unless one is there; False when another writer was first.

        After True it survives a power cut, unless it need not be ``durable``.
        """

    @abstractmethod
    def replace(self, name: str, source: Path | bytes, expected: str | None = None) -> bool:
        """Put a file in the place of what may be there.

        ``expected``: the tag that what is there must still have; False, and nothing is done, when it has another.
        """

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All of a file."""

    @abstractmethod
    def read_range(self, name: str, begin: int, size_bytes: int) -> bytes:
        """Part of a file, of as many bytes; fewer at its end."""

    @abstractmethod
    def look(self, name: str) -> Entry | None:
        """What is known of a file; None when there is none."""

    @abstractmethod
    def below(self, folder: str) -> Iterator[Entry]:
        """All files below a folder, at any depth, by name; none when there is no such folder."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file; nothing when it is gone."""
