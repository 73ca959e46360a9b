"""Objects that one process alone replaces, and that another one takes over once the first is thought to be gone.

The first may be alive: it was stopped, or cut off. Each object is put on the condition that it is as its owner has
found or left it. When it is not, the owner asks whether it still is that: then what changed it was a late word of an
earlier owner, and is replaced; else it learns so before it has overwritten what the other one wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.stores.objects import ObjectStore


class OwnedObjects:
    """Those below a folder. ``check`` raises when they are another's."""

    def __init__(self, store: ObjectStore, folder: str, but: str, check: Callable[[], None]) -> None:
        """``but``: what is below the folder and is none of them."""
        self._store, self._below, self._but, self._check = store, f"{folder}/", but, check
        self._tags: dict[str, str] = {}

    def __contains__(self, name: str) -> bool:
        return name.startswith(self._below) and name != self._but

    def find(self, folders: Iterable[str]) -> None:
        """Know those that are right below some folders; all others are thought not to be there."""
        for folder in folders:
            for entry in self._store.children(folder)[1]:
                self._tags[entry.name] = entry.tag

    def put(self, name: str, source: Path | bytes) -> None:
        """Put one in its place; what ``check`` raises, and nothing is put, when it is another's."""
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
        """No store removes on a condition: what ``check`` raises."""
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
    """While inside this process puts what is below ``folder`` as its owner. ``within``: where there are some by now."""
    owned = OwnedObjects(store, folder, but, check)
    owned.find(within)
    store.owned.append(owned)
    try:
        yield
    finally:
        store.owned.remove(owned)
