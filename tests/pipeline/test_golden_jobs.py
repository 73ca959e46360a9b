"""Small instances of all shipped jobs, and the commands of games, give what ``tests/golden`` has recorded.

``tests/golden/make_jobs.py`` makes the records. With a raised engine version names may be others, and values not.
"""
# ruff: noqa: E402 (the recorder must be importable before it is imported)

from __future__ import annotations

import contextlib
import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

from changes import ADDED, CHANGED, REMOVED, RENAMED, changes, unexplained
from instances import INSTANCES, LINES, Instance
from recording import Recorder

from engines.contract.columns import columns_of, export_columns_of
from pipeline.upkeep import export_run, open_run
from storage.dataset import part_paths
from storage.errors import UserError
from storage.manifest import read_summary

JOBS = json.loads((GOLDEN / "jobs.json").read_text())
COMMANDS = json.loads((GOLDEN / "commands.json").read_text())


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    return Recorder(tmp_path_factory.mktemp("golden"))


def test_every_job_has_an_instance_and_every_instance_a_record() -> None:
    files = [entry.name for entry in (resources.files("conf") / "job").iterdir()]
    assert {instance.job for instance in INSTANCES} == {
        name.removesuffix(".yaml") for name in files if name.endswith(".yaml")
    }
    assert list(JOBS) == [instance.name for instance in INSTANCES]
    assert list(COMMANDS) == [line for _, line in LINES]


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.name)
def test_job(instance: Instance, recorder: Recorder) -> None:
    # Through JSON and back: object keys are texts there.
    found = json.loads(json.dumps(recorder.instance(instance)))
    assert unexplained(JOBS[instance.name], found) == []


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.name)
def test_result(instance: Instance, recorder: Recorder) -> None:
    """What ``run`` ends with: figures that are JSON, and lines that can be read."""
    run = recorder.run(instance)
    with contextlib.chdir(recorder.root / instance.game):
        engine, _ = open_run(run)
    result = engine.result(read_summary(run))
    assert json.loads(json.dumps(result.figures, allow_nan=False)) == result.figures
    assert result.lines
    assert all(0 < len(line) < 200 and "\n" not in line and "None" not in line for line in result.lines)


def described(field: pa.Field) -> tuple[Any, ...]:
    """All of a column but what Parquet calls the elements of its lists."""
    kind = f"list of {field.type.value_type}" if pa.types.is_list(field.type) else str(field.type)
    return field.name, kind, field.nullable, *sorted(field.metadata.items())


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance.name)
def test_files_have_the_columns_that_are_declared(
    instance: Instance, recorder: Recorder, tmp_path: Path
) -> None:
    run = recorder.run(instance)
    job = json.loads((run / "plan.json").read_text())["job"]["name"]
    for path in part_paths(run):
        assert list(map(described, pq.read_schema(path))) == list(map(described, columns_of(job)))
    try:
        exported = [path for path in export_run(str(run), tmp_path) if path.suffix == ".parquet"]
    except UserError:  # of a tournament without records
        return
    found = {described(field) for path in exported for field in pq.read_schema(path)}
    assert sorted(found) == sorted(map(described, export_columns_of(job)))


@pytest.mark.parametrize(("game", "line"), LINES, ids=[line for _, line in LINES])
def test_command(game: str, line: str, recorder: Recorder) -> None:
    assert recorder.command(game, line) == COMMANDS[line]


def test_only_names_may_change_and_only_with_the_version() -> None:
    old = {
        "engine_version": 1,
        "run_id": "a",
        "digest": "b",
        "figures": {"won": 3},
        "columns": {"x": "1", "y": "2"},
    }
    new = old | {"engine_version": 2, "run_id": "c", "digest": "d", "columns": {"z": "1", "y": "2"}}
    assert unexplained(old, new) == []
    assert len(unexplained(old, new | {"engine_version": 1})) == 3
    assert unexplained(old, new | {"figures": {"won": 4}}) == ["changed: figures, won: 3 -> 4"]
    assert [change.kind for change in changes({"a": 1, "b": 2, "c": 3}, {"x": 1, "b": 4, "y": 5})] == [
        RENAMED, CHANGED, REMOVED, ADDED,
    ]  # fmt: skip
