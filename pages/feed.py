"""Which runs have changed since a page last heard of them."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from yamafuda import Run


class Feed:
    """Counts versions of the list of runs: a page that has one version gets what changed after it."""

    def __init__(self) -> None:
        self._version = 1
        self._listed = 1
        """The version in which a run last came or went."""
        self._told: dict[str, tuple[int, Run]] = {}
        self._lock = threading.Lock()

    def update(self, runs: Sequence[Run], since: int = 0) -> tuple[int, list[Run], bool]:
        """The version of ``runs``, those that changed after version ``since``, and whether any came or went."""
        with self._lock:
            now = {run.folder: run for run in runs}
            changed = {key for key, run in now.items() if key not in self._told or self._told[key][1] != run}
            if changed or now.keys() != self._told.keys():
                self._version += 1
                if now.keys() != self._told.keys():
                    self._listed = self._version
                self._told = {
                    key: (self._version if key in changed else self._told[key][0], run)
                    for key, run in now.items()
                }
            later = [run for version, run in self._told.values() if version > since]
            # A page of an earlier server may know later versions.
            return self._version, later, self._listed > since or since > self._version
