"""Parts of consecutive units become larger ones while a sweep runs: the same rows, whatever happens in between."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
import toy
from toy_helpers import Yamafuda, compose, records, summary

from pipeline.contracts import compaction, merging
from pipeline.run import DONE, FAILED, run_job
from pipeline.runners.base import Runner
from pipeline.runners.serial import SerialRunner
from pipeline.status import read_status
from storage.dataset import current_rows_sql, read_rows
from storage.layout import run_folders
from storage.manifest import verify_manifest
from storage.parts import live_names
from storage.place import Place

pytestmark = pytest.mark.ray

UNITS = 70
WORDS = ("job=toy_sweep", f"job.items={2 * UNITS}", "job.unit_items=2")
FEW, MANY = "job.limits.steps_count=10", "job.limits.steps_count=99"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four parts are merged at once, and runs of some dozens of units are compacted."""
    monkeypatch.setattr(compaction, "LEAST_UNITS_COUNT", 16)
    monkeypatch.setattr(compaction, "MERGED_LEVELS", 1)


def names(run: Path) -> list[str]:
    return sorted(path.name for path in (run / "data").iterdir())


def run_of(*words: str) -> Path:
    status, run = run_job(compose(*WORDS, *words), SerialRunner())
    assert status == DONE
    return run


def digest_without(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """The content digest of the same job, not compacted."""
    with monkeypatch.context() as patch:
        patch.setattr(compaction, "LEAST_UNITS_COUNT", 1000)
        run = run_of("paths.results=loose", *words)
        assert len(names(run)) == UNITS
    return str(summary(run)["content_digest"])


@pytest.mark.parametrize(("level", "expected"), [(1, 18), (2, 5), (3, 2), (9, 1)])
def test_units_become_few_parts(
    runner: Runner, small: None, monkeypatch: pytest.MonkeyPatch, level: int, expected: int
) -> None:
    """Of 4^level units each, the last one of what is left."""
    monkeypatch.setattr(compaction.Compaction, "_levels", lambda self: list(range(1, level + 1)))
    status, run = run_job(compose(*WORDS), runner)
    assert (status, len(names(run))) == (DONE, expected)
    assert names(run)[0] == f"part-000000-{min(4**level, UNITS) - 1:06d}.parquet"
    assert read_rows(run, ["index"])["index"].to_pylist() == list(range(2 * UNITS))
    assert summary(run)["units_computed_count"] == UNITS
    assert summary(run)["content_digest"] == digest_without(monkeypatch)
    assert list(verify_manifest(run)) == []
    assert {f"part-{name}.parquet" for name in records(run)} >= set(names(run))
    assert run_job(compose(*WORDS), runner) == (DONE, run)
    assert read_status(run).units_done_count == UNITS


def test_what_the_units_took_is_in_the_parts_of_all(small: None) -> None:
    run = run_of()
    taken = [
        json.loads(pq.read_metadata(path).metadata[b"yamafuda.taken"]) for path in (run / "data").iterdir()
    ]
    assert sum(each["units"]["units_count"] for each in taken) == UNITS


def test_a_later_attempt_replaces_blocks(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(FEW)
    assert run_of(MANY) == run
    again = [index for index in range(2 * UNITS) if toy.steps(1, index) > 10]
    rows = read_rows(run, ["index", "attempt"]).to_pydict()
    assert rows["index"] == list(range(2 * UNITS))
    assert [index for index, attempt in zip(*rows.values(), strict=True) if attempt == 2] == again
    # What any reader of Parquet takes has each item once, too.
    assert len(pq.ParquetDataset(run / "data").read()) == 2 * UNITS
    assert all("-a2" in name for name in names(run))
    assert list(verify_manifest(run)) == []
    assert "undecided" not in summary(run)["outcomes"]
    assert summary(run)["content_digest"] == digest_without(monkeypatch, MANY)


def test_a_block_waits_for_a_unit_that_failed(small: None, tmp_path: Path) -> None:
    faults = tmp_path / "faults"
    faults.mkdir()
    (faults / "raise-7").write_text("3")
    words = (*WORDS, f"job.faults={faults}")
    status, run = run_job(compose(*words), SerialRunner())
    assert status == FAILED
    assert {"part-000000.parquet", "part-000002.parquet"} <= set(names(run))
    assert run_job(compose(*words), SerialRunner()) == (DONE, run)
    assert len(names(run)) < UNITS / 4
    assert len(read_rows(run)) == 2 * UNITS


def test_rows_are_there_once_between_publishing_and_removing(
    small: None, monkeypatch: pytest.MonkeyPatch, yamafuda: Yamafuda
) -> None:
    """A worker that is killed there leaves both; readers and the next driver know which counts."""

    def killed(path: Place) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(merging, "remove", killed)
        with pytest.raises(KeyboardInterrupt):
            run_of()
    (run,) = run_folders([Path("results")])
    run = run.resolve()
    assert names(run)[0] == "part-000000-000003.parquet"
    assert len(live_names(names(run))) < len(names(run))
    index = read_rows(run, ["index"])["index"].to_pylist()
    assert index == list(range(len(index)))
    query = current_rows_sql(f"{run}/data/*.parquet")
    assert duckdb.sql(f"SELECT count(*) FROM ({query})").fetchall() == [(len(index),)]
    answer = yamafuda("query", "--json", "SELECT count(*)::INT AS rows FROM toy_sweep", "--partial")
    assert json.loads(answer.stdout) == {"rows": len(index)}
    assert run_of() == run
    assert len(names(run)) < UNITS / 4
    assert summary(run)["content_digest"] == digest_without(monkeypatch)
    assert list(verify_manifest(run)) == []


def test_a_writer_that_comes_late_changes_nothing(small: None, yamafuda: Yamafuda) -> None:
    """It was thought dead; its unit was done again, and is in a block."""
    run = run_of()
    (block, *_) = names(run)
    late = run / "data" / "part-000001.parquet"
    late.write_bytes((run / "data" / block).read_bytes())
    assert list(verify_manifest(run)) == []
    assert len(read_rows(run)) == 2 * UNITS
    answer = yamafuda("query", "--json", "SELECT count(*)::INT AS rows FROM toy_sweep")
    assert json.loads(answer.stdout) == {"rows": 2 * UNITS}
    assert run_of() == run
    assert not late.exists()


def test_a_damaged_block_is_computed_again(small: None, yamafuda: Yamafuda) -> None:
    run = run_of()
    digest = summary(run)["content_digest"]
    (block, *_) = names(run)
    (run / "data" / block).write_bytes(b"damaged")
    assert yamafuda("verify", run.name, "--repair").returncode == 1
    assert run_of() == run
    assert summary(run)["content_digest"] == digest
    assert list(verify_manifest(run)) == []


def test_a_plan_that_was_lost_keeps_blocks_that_hold_all_of_their_units(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction.Compaction, "_levels", lambda self: [1, 2])
    run = run_of()
    before = names(run)
    rows = pq.read_table(run / "data" / before[-1])
    pq.write_table(rows.slice(1), run / "data" / before[-1])
    for name in ("plan.json", "manifest.json", "units/records-000001.jsonl"):
        (run / name).unlink()
    assert run_of() == run
    assert names(run) == before
    assert summary(run)["units_computed_count"] == UNITS % 16


@pytest.mark.parametrize("unit", ["000003-000009", "000000-000004", "000064-000079", "000004-000003"])
def test_a_part_of_units_that_are_no_block_is_removed(small: None, unit: str) -> None:
    run = run_of()
    before = names(run)
    (run / "data" / f"part-{unit}.parquet").write_bytes((run / "data" / before[0]).read_bytes())
    assert run_of() == run
    assert names(run) == before
