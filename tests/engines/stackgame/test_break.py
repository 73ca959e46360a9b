"""Bad numbers and texts for the stack game's jobs and commands, and what other programs make of its exports."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import polars as pl
import pytest

from engines.contract.registry import job_from_mapping
from engines.contract.source import FileSource
from engines.stackgame import asked
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from pipeline.upkeep import export_run
from storage.errors import UserError


@pytest.mark.parametrize("name", ["stacks", "boards", "cards"])
@pytest.mark.parametrize("value", [-1, 0, 1 << 32, 10**20, -(10**20)])
def test_numbers_out_of_range_name_their_field(name: str, value: int) -> None:
    with pytest.raises(UserError, match=str(value)) as caught:
        job_from_mapping("stackgame_table", {"name": "stackgame_table", name: value})
    assert caught.value.field == f"job.{name}"


def test_a_file_that_is_no_state_is_not_read_to_its_end() -> None:
    with pytest.raises(UserError, match="longer than"):
        asked.typed(None, FileSource(Path("/dev/zero")), None)


@pytest.mark.parametrize(
    "words",
    [
        ("boards=3", "cards=2"),
        ("boards=2", "cards=3", "form=general"),
        ("cards=3",),
        ("cards=3", "form=indexed"),
    ],
)
def test_other_programs_read_all_of_an_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path / "runs"))
    with composing(None) as composer:
        config = composer.compose(["job=stackgame_table", *(f"job.{word}" for word in words)])
    status, run = run_job(config, SerialRunner())
    assert status == 0
    export_run(str(run), tmp_path / "export")
    summary = json.loads((run / "summary.json").read_text())
    files = f"{tmp_path / 'export'}/*.parquet"
    by_layer = duckdb.sql(
        f"SELECT layer, count(DISTINCT state) FROM read_parquet('{files}') GROUP BY layer ORDER BY layer DESC"
    ).fetchall()
    assert [count for _, count in by_layer] == summary["states_count_by_layer"]
    values = pl.read_parquet(files)["probability"]
    assert values.sum() == pytest.approx(summary["p_sum"], abs=1e-9)


def test_games_by_an_incomplete_table_say_how_to_complete_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path))
    with composing(None) as composer:
        table, games = (
            composer.compose([f"job={job}", "job.cards=3"]) for job in ("stackgame_table", "stackgame_play")
        )
    _, run = run_job(table, SerialRunner())
    missing = run / "shards" / "L04-S000.lmdb"
    before = missing.read_bytes()
    missing.unlink()
    with pytest.raises(UserError, match=r"missing; .* run the table's job again") as caught:
        run_job(games, SerialRunner())
    assert caught.value.field == str(missing)
    assert run_job(table, SerialRunner()) == (0, run)
    assert missing.read_bytes() == before
    assert run_job(games, SerialRunner())[0] == 0
