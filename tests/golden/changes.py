"""What differs between two recordings; what has another name and the same value was renamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

RENAMED, CHANGED, ADDED, REMOVED = "renamed", "changed", "added", "removed"


class Change(NamedTuple):
    """One of them."""

    kind: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


def changes(old: dict[str, Any], new: dict[str, Any], where: str = "") -> Iterator[Change]:
    """Changes from ``old`` to ``new``; sections, which are objects in both, are compared name by name."""
    values = {name: json.dumps(value) for name, value in new.items() if name not in old}
    for name, value in old.items():
        place = f"{where}{name}"
        if name not in new:
            same = next((other for other, text in values.items() if text == json.dumps(value)), None)
            if same is None:
                yield Change(REMOVED, place)
            else:
                del values[same]
                yield Change(RENAMED, f"{place} -> {same}")
        elif isinstance(value, dict) and isinstance(new[name], dict):
            yield from changes(value, new[name], f"{place}, ")
        elif value != new[name]:
            yield Change(CHANGED, f"{place}: {_short(value)} -> {_short(new[name])}")
    yield from (Change(ADDED, f"{where}{name}") for name in values)


def unexplained(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Changes of a run's record that are none of names.

    With a raised engine version the run's id and the digest of all its content, which holds the id and the names, are
    others.
    """
    if new["engine_version"] > old["engine_version"]:
        loose = ("engine_version", "run_id", "digest")
        old, new = (
            {name: each for name, each in record.items() if name not in loose} for record in (old, new)
        )
        return [str(change) for change in changes(old, new) if change.kind != RENAMED]
    return [str(change) for change in changes(old, new)]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 200 else f"{text[:200]}..."
