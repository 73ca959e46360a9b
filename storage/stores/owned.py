"""Objects that only one process replaces; another one takes them over when the first is taken for dead.

The first may be alive: it was stopped, or cut off. Each object is put on the condition that it is as its owner found
or left it. If it is not, the owner checks whether it still is the owner. If so, the change was a late write of an
earlier owner, and is replaced. If not, it learns that before it overwrites what the new owner wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.stores.objects import ObjectStore


class OwnedObjects:
    """The objects below a folder. ``check`` raises when another process owns them."""

    def __init__(self, store: ObjectStore, folder: str, but: str, check: Callable[[], None]) -> None:
        """``but``: what is below the folder and does not belong to them."""
        self._store, self._below, self._but, self._check = store, f"{folder}/", but, check
        self._tags: dict[str, str] = {}

    def __contains__(self, name: str) -> bool:
        return name.startswith(self._below) and name != self._but

    def find(self, folders: Iterable[str]) -> None:
        """Note the objects directly below some folders; all others are taken not to exist."""
        for folder in folders:
            for entry in self._store.children(folder)[1]:
                self._tags[entry.name] = entry.tag

    def put(self, name: str, source: Path | bytes) -> None:
        """Put an object in place; when another process owns it, nothing is put and ``check`` raises."""
        while True:
            found = self._tags.get(name)
            if found is None:
                tag = self._store.put_tagged(name, source)
            else:
                tag = self._store.replace_tagged(name, source, found)
            if tag is not None:
                self._tags[name] = tag
                return
            self._check()
            self._look(name)

    def before_removal(self, name: str) -> None:
        """``check`` before removing, because stores have no conditional removal; raises what it raises."""
        if self._tags.pop(name, None) is not None:
            self._check()

    def _look(self, name: str) -> None:
        entry = self._store.look(name)
        if entry is None:
            self._tags.pop(name, None)
        else:
            self._tags[name] = entry.tag


@contextmanager
def owning(
    store: ObjectStore, folder: str, within: Iterable[str], but: str, check: Callable[[], None]
) -> Iterator[None]:
    """While inside, this process writes below ``folder`` as its owner. ``within``: folders that may have objects
    already."""
    owned = OwnedObjects(store, folder, but, check)
    owned.find(within)
    store.owned.append(owned)
    try:
        yield
    finally:
        store.owned.remove(owned)
