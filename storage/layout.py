"""The names in a run's folder, and how a run is found by its name or id.

Names are part of the format (storage/FORMAT.md): the presence of a file says that its unit is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from storage.errors import UserError
from storage.place import Place, name_within, place_at

ID_DIGITS = 12
"""Hexadecimal digits of a run's id at the end of its folder's name."""
_PART = re.compile(r"part-(.+?)(?:-a([0-9]+))?\.parquet")
_HEXADECIMAL = set("0123456789abcdef")


@dataclass(frozen=True)
class RunLayout:
    """The paths in one run folder. Nothing is created here."""

    run_dir: Place

    @property
    def plan(self) -> Place:
        """Units, shard counts and file parameters; its presence makes a folder a run."""
        return self.run_dir / "plan.json"

    @property
    def summary(self) -> Place:
        """Figures of the finished run."""
        return self.run_dir / "summary.json"

    @property
    def manifest(self) -> Place:
        """Size, checksum and count of every finished file; only the driver writes it."""
        return self.run_dir / "manifest.json"

    @property
    def lock(self) -> Place:
        """Held by the driver while it works."""
        return self.run_dir / "driver.lock"

    @property
    def cancel(self) -> Place:
        """While it exists, the driver is asked to stop."""
        return self.run_dir / "cancel"

    @property
    def progress(self) -> Place:
        """How far the driver is; gone when the run is finished."""
        return self.run_dir / "progress.json"

    @property
    def logs(self) -> Place:
        """Logs: what the driver and failing units said."""
        return self.run_dir / "logs"

    @property
    def data(self) -> Place:
        """Parquet parts and nothing else."""
        return self.run_dir / "data"

    @property
    def shards(self) -> Place:
        """Final shard files."""
        return self.run_dir / "shards"

    @property
    def work(self) -> Place:
        """Exchange and keys-only files, removed when the run is finished."""
        return self.run_dir / "work"

    @property
    def staging(self) -> Place:
        """Files being written, under temporary names."""
        return self.run_dir / "staging"

    @property
    def kept(self) -> Place:
        """What units have computed that are not done, in their engine's own form; removed when the run is finished."""
        return self.run_dir / "kept"

    @property
    def units(self) -> Place:
        """Records of finished units, many in a file."""
        return self.run_dir / "units"

    def shard(self, layer: int, shard: int) -> Place:
        """Final shard file."""
        return self.shards / f"{_cell(layer, shard)}.lmdb"

    def keys(self, layer: int, shard: int) -> Place:
        """Keys-only shard file, between enumeration and evaluation."""
        return self.work / "keys" / f"{_cell(layer, shard)}.lmdb"

    def exchange(self, layer: int, shard: int) -> Place:
        """Successors' keys found by expanding this shard of this layer."""
        return self.work / "exchange" / f"{_cell(layer, shard)}.lmdb"

    def part(self, unit: str, attempt: int) -> Place:
        """Parquet part of a unit; attempts count from 1 and show from the second on."""
        suffix = "" if attempt == 1 else f"-a{attempt}"
        return self.data / f"part-{unit}{suffix}.parquet"


def part_of(name: str) -> tuple[str, int] | None:
    """The unit and the attempt of a Parquet part, from its name (``RunLayout.part``); None for any other file."""
    found = _PART.fullmatch(name)
    return None if found is None else (found[1], int(found[2] or 1))


def _cell(layer: int, shard: int) -> str:
    return f"L{layer:02d}-S{shard:03d}"


def run_place(root: Place, kind: str, run_id: str, name: str) -> Place:
    """The folder of a run below ``root``: where it is already, found by its id, or where it will be:
    ``root/kind/name``.

    ``kind``: its job's name. ``name`` ends with the first ``ID_DIGITS`` of ``run_id``. The part before the id may
    have been different when the run was begun, and earlier versions had ``root/run_id``.
    """
    digits = run_id[:ID_DIGITS]
    there = [entry for entry in _entries(root / kind) if _id_of(entry) == digits and _is_run(entry)]
    if not there and _is_run(root / run_id):
        there = [root / run_id]
    return min(there, default=root / kind / name)


def run_folders(roots: Iterable[Place]) -> list[Place]:
    """All run folders below ``roots``, by name; when two have the same id, the one in the earlier root.

    They are ``ROOT/KIND/NAME``; earlier versions wrote ``ROOT/ID``.
    """
    found: dict[str, Place] = {}
    for root in roots:
        kinds, old = list[Place](), list[Place]()
        for entry in _entries(root):
            (old if _is_run(entry) else kinds).append(entry)
        new = [entry for kind in kinds for entry in _entries(kind) if _is_run(entry)]
        for entry in [*new, *old]:
            # A user may have renamed a run, without its id.
            found.setdefault(id_in_name(entry) or name_within(entry, root), entry)
    return sorted(found.values(), key=lambda entry: entry.name)


def find_run(roots: Iterable[Place], text: str, label_of: Callable[[Place], str] = lambda run: "") -> Place:
    """The run folder that ``text`` means: a folder with a plan, a run's label, or a unique beginning of its name or id.

    Runs are looked up below ``roots``; ``label_of`` tells what a user called one. UserError when there is none, or
    more than one (it lists them).
    """
    if not text:
        raise UserError("RUN", "is empty; give a run's folder, its label, or the beginning of its name or id")
    given = place_at(text, "RUN")
    if _is_run(given):
        return given
    searched = list(roots)
    matches = runs_called(searched, text, label_of)
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = ", ".join(run.name for run in matches)
        raise UserError("RUN", f"{text!r} could be {names}; give more of a name or id")
    places = ", ".join(str(root) for root in searched)
    raise UserError("RUN", f"no run's name or id begins with {text!r} in {places}, and none has this label")


def runs_called(
    roots: Iterable[Place], text: str, label_of: Callable[[Place], str] = lambda run: ""
) -> list[Place]:
    """The runs below ``roots`` whose name is ``text``; or else those whose name or id begins with it, or whose label
    it is."""
    runs = run_folders(roots)
    exact = [run for run in runs if run.name == text]
    # A run's whole id is longer than the part of it in its name.
    digits = text[:ID_DIGITS] if _is_id(text) else text
    return exact or [
        run
        for run in runs
        if run.name.startswith(text) or _id_of(run).startswith(digits) or label_of(run) == text
    ]


def _entries(folder: Place) -> list[Place]:
    """What a folder has, without hidden files; empty when it is not a folder."""
    return [entry for entry in folder.iterdir() if entry.name[0] != "."] if folder.is_dir() else []


def _is_run(folder: Place) -> bool:
    return RunLayout(folder).plan.exists()


def id_in_name(run: Place) -> str:
    """The digits of a run's id in its folder's name; empty where a user renamed it without them."""
    digits = _id_of(run)
    return digits if len(digits) == ID_DIGITS and set(digits) <= _HEXADECIMAL else ""


def _id_of(run: Place) -> str:
    """The digits of a run's id that its folder's name ends with."""
    return run.name.rpartition("-")[2][:ID_DIGITS]


def _is_id(text: str) -> bool:
    return len(text) > ID_DIGITS and set(text) <= _HEXADECIMAL
