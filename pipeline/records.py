"""The record of a finished unit, ``units/NAME.json``: its file, its figures, and what it took."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engines.contract.job import Unit, UnitContext
from storage.jsontext import parse_json
from storage.layout import RunLayout
from storage.place import Place, listed, name_within
from storage.publish import write_unsynced
from storage.record import sha256_file


def make_record(unit: Unit, ctx: UnitContext, path: Place, figures: dict[str, Any]) -> dict[str, Any]:
    """What is known of a finished unit; ``figures`` may bring its file's ``size_bytes`` and ``sha256``."""
    return {
        "unit": unit.values(),
        "attempt": ctx.attempt,
        "path": name_within(path, ctx.layout.run_dir),
        "size_bytes": figures.get("size_bytes") or path.stat().st_size,
        "sha256": figures.get("sha256") or sha256_file(path),
        "figures": {key: value for key, value in figures.items() if key not in ("size_bytes", "sha256")},
    }


def write_record(record: dict[str, Any], ctx: UnitContext) -> None:
    """Write ``units/NAME.json``. Not synced: what a power cut takes is made again from the unit's file."""
    path = ctx.layout.unit_record(record_name(record["unit"]["name"], ctx.attempt))
    write_unsynced(path, json.dumps(record).encode())


def read_record(path: Place) -> dict[str, Any] | None:
    """A unit's record; None when there is none or it is damaged: a power cut may leave half of one."""
    try:
        record: dict[str, Any] = parse_json(path.read_text())
        values = [
            record["unit"]["name"],
            *(record[name] for name in ("path", "size_bytes", "sha256", "figures")),
        ]
    except (FileNotFoundError, IsADirectoryError, ValueError, KeyError, TypeError):
        return None
    sound = list(map(type, values)) == [str, str, int, str, dict] and _is_inside(values[1])
    measured = [record.get(name, 0) for name in ("elapsed_s", "peak_bytes")]
    return record if sound and all(isinstance(value, int | float) for value in measured) else None


def _is_inside(path: str) -> bool:
    """Whether a path is one below the run's folder: what is damaged is removed, and must not be elsewhere."""
    return not Path(path).is_absolute() and ".." not in Path(path).parts


def read_records(layout: RunLayout) -> list[dict[str, Any]]:
    """All unit records of a run that can be read, by name."""
    found = (read_record(path) for path in listed(layout.units, "*.json"))
    return [record for record in found if record is not None]


def record_name(unit: str, attempt: int) -> str:
    """Name of a unit's record; later attempts have their own."""
    return unit if attempt == 1 else f"{unit}-a{attempt}"
