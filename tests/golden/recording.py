"""Runs instances and commands and records what must not change: digests and figures, never times or bytes.

A run's record holds its engine's version, its id and the digest of all its content; the figures of its summary; and a
digest of the values of each column, of its rows and of what it exports, by which a renamed column is known again.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
from instances import INSTANCES, MADE, ON_RUNS, WRITTEN, Instance

from pipeline.cli import main
from pipeline.config import composing
from pipeline.run import DONE, run_job
from pipeline.runners.serial import SerialRunner
from pipeline.upkeep import export_run
from storage.dataset import dataset_provenance, read_rows
from storage.errors import UserError

Record = dict[str, Any]
COMMON = ("engine_version", "run_id", "digest")
"""Of a record, beside the sections ``figures`` and ``columns`` and one for each exported file."""
MACHINE = {"attempt", "cores", "interrupted_count", "job", "run_id", "versions"}
_MEASURED = re.compile(r"(^|_)(s|us|bytes)(_|$)|^units_\w+_count$")
"""Names of what is measured in seconds or bytes end in the unit, or have it before what was made of it."""
_TIME = re.compile(r"\b\d[\d.e-]*(?= s\b)")
_RUN_ID = re.compile(r"(?<![\w.])(?:[0-9a-f]{16}|[a-z]+_[\w.-]*-[0-9a-f]{12})\b")


def steady(value: Any) -> Any:
    """JSON values without what depends on the time or the machine."""
    if isinstance(value, dict):
        return {
            name: steady(each)
            for name, each in value.items()
            if name not in MACHINE and not _MEASURED.search(name)
        }
    return [steady(each) for each in value] if isinstance(value, list) else value


def column_digests(rows: pa.Table, without: Iterable[str] = ()) -> dict[str, str]:
    """Column -> digest of its values in the order of the rows, whatever type holds them; 16 hexadecimal digits."""
    return {
        name: hashlib.sha256(json.dumps(rows[name].to_pylist(), default=bytes.hex).encode()).hexdigest()[:16]
        for name in rows.column_names
        if name not in set(without)
    }


class Recorder:
    """Runs everything below one folder, each instance once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._runs: dict[str, Path] = {}

    def instance(self, instance: Instance) -> Record:
        """The record of an instance. ``run_id`` and ``digest`` are None where they depend on the folder."""
        run = self.run(instance)
        summary = json.loads((run / "summary.json").read_text())
        digest = summary.pop("content_digest" if "items_count" in summary else "files_digest")
        summary.pop("rows_count", None)  # the digests of the columns see it
        rows, volatile = read_rows(run), dataset_provenance(run).volatile
        return {
            "engine_version": json.loads((run / "plan.json").read_text())["engine_version"],
            "run_id": None if instance.files else summary["run_id"],
            "digest": None if instance.files else digest,
            "figures": steady(summary),
            "columns": column_digests(rows, ["run_id", *volatile]),
            **self._exported(instance.game, run),
        }

    def command(self, game: str, line: str) -> Record:
        """Exit status and standard output of a line of commands, to the first that fails."""
        if line in ON_RUNS[game]:
            for instance in INSTANCES:
                if instance.game == game:
                    self.run(instance)
        said: list[str] = []
        for part in line.split(" && "):
            words, _, target = part.partition(" > ")
            status, out = self._yamafuda(game, words)
            if target:
                (self._folder(game) / target).write_text(out)
            said += self._steady_lines(game, out)
            if status:
                break
        return {"status": status, "stdout": said}

    def run(self, instance: Instance) -> Path:
        """The folder of the instance's run, which is done."""
        if instance.name not in self._runs:
            folder = self._folder(instance.game)
            for file in instance.files:
                self._make(instance.game, file)
            with contextlib.chdir(folder), composing(None) as composer:
                config = composer.compose([f"job={instance.job}", *instance.words.split()])
                status, run = run_job(config, SerialRunner())
            assert status == DONE, instance.name
            self._runs[instance.name] = run
        return self._runs[instance.name]

    def _folder(self, game: str) -> Path:
        """The game's folder, with its examples."""
        folder = self.root / game
        if not folder.exists():
            shutil.copytree(Path(str(resources.files(f"engines.{game}") / "examples")), folder)
            for name, text in WRITTEN.items():
                (folder / name).write_text(text)
        return folder

    def _make(self, game: str, file: str) -> None:
        if not (self._folder(game) / file).exists():
            instances, words = MADE[file]
            runs = [shlex.quote(str(self.run(each))) for each in instances]
            status, _ = self._yamafuda(game, words.format(*runs))
            assert status == 0, words

    def _yamafuda(self, game: str, words: str) -> tuple[int, str]:
        """Exit status and standard output of ``yamafuda WORDS`` in the game's folder."""
        out = io.StringIO()
        with (
            contextlib.chdir(self._folder(game)),
            contextlib.redirect_stdout(out),
            mock.patch.object(sys, "argv", ["yamafuda", *shlex.split(words)]),
        ):
            try:
                main()
            except SystemExit as end:
                return int(end.code or 0), out.getvalue()
        raise AssertionError("the command line ends by SystemExit")

    def _steady_lines(self, game: str, out: str) -> list[str]:
        lines = []
        for line in out.splitlines():
            try:
                line = json.dumps(steady(json.loads(line)), ensure_ascii=False)
                lines.append(_RUN_ID.sub("RUN", line))
            except ValueError:
                line = line.replace(str(self._folder(game)), "FOLDER")
                lines.append(_RUN_ID.sub("RUN", _TIME.sub("TIME", line)))
        return lines

    def _exported(self, game: str, run: Path) -> dict[str, Any]:
        """Column digests by exported file, of a text the digest of its bytes; none of a job that exports nothing."""
        with tempfile.TemporaryDirectory() as target, contextlib.chdir(self._folder(game)):
            try:
                paths = export_run(str(run), Path(target))
            except UserError:
                return {}
            return {
                path.name: column_digests(pq.read_table(path), ["run_id"])
                if path.suffix == ".parquet"
                else hashlib.sha256(path.read_bytes()).hexdigest()[:16]
                for path in paths
            }
