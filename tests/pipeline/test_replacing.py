"""Parts of later attempts take the place of earlier ones; whatever is killed, each item counts once."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
import toy
from toy_helpers import compose

from pipeline.records import Records
from pipeline.run import DONE, plan_run, run_job
from pipeline.runners.serial import SerialRunner
from storage.dataset import current_rows_sql, read_rows
from storage.manifest import verify_manifest

FEW, MANY = "job.limits.steps_count=10", "job.limits.steps_count=99"
UNDECIDED = [index for index in range(20) if toy.steps(1, index) > 10]
WHOLE = [(index, 2 if index in UNDECIDED else 1) for index in range(20)]

remove_file = Path.unlink


def run_of(*words: str) -> Path:
    status, run = run_job(compose("job=toy_sweep", *words), SerialRunner())
    assert status == DONE
    return run


def rows_of(run: Path) -> list[tuple[int, int]]:
    return [tuple(row.values()) for row in read_rows(run, ["index", "attempt"]).to_pylist()]


def in_sql(run: Path) -> list[tuple[int, int]]:
    query = current_rows_sql(f"{run}/data/*.parquet")
    return duckdb.sql(f'SELECT "index", attempt FROM ({query}) ORDER BY ALL').fetchall()


def parts(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((run / "data").iterdir())}


def test_a_glob_has_each_item_once() -> None:
    run = run_of(FEW)
    first = parts(run)
    assert run_of(MANY) == run
    assert sorted(pq.ParquetDataset(run / "data").read()["index"].to_pylist()) == list(range(20))
    assert rows_of(run) == WHOLE
    # Units in which all was decided keep their part.
    kept = {name: data for name, data in parts(run).items() if "-a2" not in name}
    assert kept
    assert kept.items() <= first.items()
    assert list(verify_manifest(run)) == []


def test_killed_between_publishing_and_removing(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(FEW)
    before = parts(run)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", kept_parts)
        run_of(MANY)
    both = parts(run)
    assert len(both) > len(before)
    assert rows_of(run) == in_sql(run) == WHOLE
    assert run_of(MANY) == run
    assert parts(run) == {name: data for name, data in both.items() if name not in replaced(both)}
    assert rows_of(run) == WHOLE
    assert list(verify_manifest(run)) == []


def kept_parts(path: Path, missing_ok: bool = False) -> None:
    if path.parent.name != "data":
        with contextlib.suppress(FileNotFoundError):
            remove_file(path)


def replaced(names: dict[str, bytes]) -> set[str]:
    return {name for name in names if f"{name.removesuffix('.parquet')}-a2.parquet" in names}


def test_what_earlier_versions_wrote_stays_and_is_replaced_by_the_next_attempt() -> None:
    """They wrote into the part of a later attempt only what it took again."""
    run = run_of(FEW)
    first = run.with_name("first")
    shutil.copytree(run / "data", first)
    run_of("job.limits.steps_count=11")
    later = [index for index in range(20) if toy.steps(1, index) > 11]
    assert 0 < len(later) < len(UNDECIDED)
    for path in (run / "data").glob("*-a2.parquet"):
        table = pq.read_table(path)
        path.unlink()
        pq.write_table(table.filter([attempt == 2 for attempt in table["attempt"].to_pylist()]), path)
    shutil.copytree(first, run / "data", dirs_exist_ok=True)
    shutil.rmtree(run / "units")
    (run / "manifest.json").unlink()
    expected = [(index, 2 if index in UNDECIDED else 1) for index in range(20)]
    assert rows_of(run) == in_sql(run) == expected
    names = set(parts(run))
    run_of("job.limits.steps_count=11")
    assert set(parts(run)) == names

    run_of(MANY)
    assert rows_of(run) == [(index, 3 if index in later else attempt) for index, attempt in expected]
    for path in (run / "data").glob("*-a3.parquet"):
        unit = path.name.partition("-a3")[0]
        assert [other.name for other in (run / "data").glob(f"{unit}*")] == [path.name]
        assert pq.read_metadata(path).num_rows == 5
    assert list(verify_manifest(run)) == []


def test_a_twin_that_comes_late_changes_nothing() -> None:
    """Another worker has published the unit and removed the earlier part before this one looks."""
    run_of(FEW)
    config = compose("job=toy_sweep", MANY)
    planned = plan_run(config)
    ctx = planned.brief.of_attempt(2, config.job.limits).context()
    (phase,) = planned.contract.phases(planned.engine, planned.plan, ctx, Records(planned.layout))
    task = next(iter(phase.tasks))
    first = planned.contract.execute(planned.engine, task, ctx, dict)
    data = first[1].read_bytes()
    figures, path = planned.contract.execute(planned.engine, task, ctx, dict)
    # Of the other's file it knows neither size nor checksum.
    assert path == first[1]
    assert figures == {name: first[0][name] for name in ("rows_count", "outcomes")}
    assert first[0]["rows_count"] == 5
    assert first[1].read_bytes() == data
