"""Where everything of a run is: the names in a run folder, and finding a run by the beginning of its id.

Names are part of the format (storage/FORMAT.md): the presence of a file says that its unit is done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from storage.errors import UserError


@dataclass(frozen=True)
class RunLayout:
    """The paths in one run folder. Nothing is created here."""

    run_dir: Path

    @property
    def plan(self) -> Path:
        """Units, shard counts and file parameters; its presence makes a folder a run."""
        return self.run_dir / "plan.json"

    @property
    def summary(self) -> Path:
        """Figures of the finished run."""
        return self.run_dir / "summary.json"

    @property
    def manifest(self) -> Path:
        """Size, checksum and count of every finished file; written by the driver alone."""
        return self.run_dir / "manifest.json"

    @property
    def progress(self) -> Path:
        """How far the driver is, every few seconds; gone when the run is finished."""
        return self.run_dir / "progress.json"

    @property
    def lock(self) -> Path:
        """Held by the driver while it works."""
        return self.run_dir / "driver.lock"

    @property
    def cancel(self) -> Path:
        """Its presence asks the driver to stop."""
        return self.run_dir / "cancel"

    @property
    def data(self) -> Path:
        """Parquet parts and nothing else."""
        return self.run_dir / "data"

    @property
    def shards(self) -> Path:
        """Final shard files."""
        return self.run_dir / "shards"

    @property
    def work(self) -> Path:
        """Exchange and keys-only files, removed when the run is finished."""
        return self.run_dir / "work"

    @property
    def staging(self) -> Path:
        """Files being written, under temporary names."""
        return self.run_dir / "staging"

    @property
    def units(self) -> Path:
        """One small JSON record for each finished unit."""
        return self.run_dir / "units"

    def shard(self, layer: int, shard: int) -> Path:
        """Final shard file."""
        return self.shards / f"{_cell(layer, shard)}.lmdb"

    def keys(self, layer: int, shard: int) -> Path:
        """Keys-only shard file, between enumeration and evaluation."""
        return self.work / "keys" / f"{_cell(layer, shard)}.lmdb"

    def exchange(self, layer: int, shard: int) -> Path:
        """Successors' keys found by expanding this shard of this layer."""
        return self.work / "exchange" / f"{_cell(layer, shard)}.lmdb"

    def part(self, unit: str, attempt: int) -> Path:
        """Parquet part of a unit; attempts count from 1 and show from the second on."""
        suffix = "" if attempt == 1 else f"-a{attempt}"
        return self.data / f"part-{unit}{suffix}.parquet"

    def unit_record(self, unit: str) -> Path:
        """Record of a finished unit (time, memory, attempt, host, file)."""
        return self.units / f"{unit}.json"


def _cell(layer: int, shard: int) -> str:
    return f"L{layer:02d}-S{shard:03d}"


def run_folders(roots: Iterable[Path]) -> list[Path]:
    """All run folders right below ``roots``, by name; of two with one id the one in the earlier root."""
    found: dict[str, Path] = {}
    for root in roots:
        if not root.is_dir():
            continue
        for entry in root.iterdir():
            if RunLayout(entry).plan.is_file():
                found.setdefault(entry.name, entry)
    return [found[name] for name in sorted(found)]


def find_run(roots: Iterable[Path], text: str) -> Path:
    """The run folder that ``text`` means: a folder with a plan, or a unique beginning of a run id.

    Ids are looked up right below ``roots``. UserError when there is none, or more than one (it lists them).
    """
    if not text:
        raise UserError("RUN", "is empty; give a run's folder or the beginning of its id")
    if RunLayout(Path(text)).plan.is_file():
        return Path(text)
    searched = list(roots)
    runs = run_folders(searched)
    exact = [run for run in runs if run.name == text]
    matches = exact or [run for run in runs if run.name.startswith(text)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UserError(
            "RUN", f"{text!r} could be {', '.join(run.name for run in matches)}; give more of the id"
        )
    places = ", ".join(str(root) for root in searched)
    raise UserError("RUN", f"no run is called {text!r} and no run's id begins so in {places}")
