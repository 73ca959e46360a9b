"""Names in a run folder, and finding a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage.errors import UserError
from storage.layout import RunLayout, find_run, run_folders


def make_run(root: Path, name: str) -> Path:
    run = root / name
    run.mkdir(parents=True)
    RunLayout(run).plan.write_text("{}")
    return run


def test_names_are_pinned() -> None:
    layout = RunLayout(Path("RUN"))
    assert [
        str(path)
        for path in (
            layout.plan,
            layout.summary,
            layout.manifest,
            layout.lock,
            layout.cancel,
            layout.staging,
            layout.shard(7, 3),
            layout.keys(7, 3),
            layout.exchange(16, 1000),
            layout.part("u0001", 1),
            layout.part("u0001", 2),
            layout.unit_record("merge-L07-S003"),
        )
    ] == [
        "RUN/plan.json",
        "RUN/summary.json",
        "RUN/manifest.json",
        "RUN/driver.lock",
        "RUN/cancel",
        "RUN/staging",
        "RUN/shards/L07-S003.lmdb",
        "RUN/work/keys/L07-S003.lmdb",
        "RUN/work/exchange/L16-S1000.lmdb",
        "RUN/data/part-u0001.parquet",
        "RUN/data/part-u0001-a2.parquet",
        "RUN/units/merge-L07-S003.json",
    ]


def test_a_run_is_found_by_folder_and_by_beginning(tmp_path: Path) -> None:
    tables, results = tmp_path / "tables", tmp_path / "results"
    one = make_run(tables, "ab12")
    two = make_run(results, "ab34")
    make_run(results, "ab12")  # the same run's other folder
    (results / "notes").mkdir()
    roots = [tables, results, tmp_path / "missing"]
    assert run_folders(roots) == [one, two]
    assert find_run(roots, str(two)) == two
    assert find_run(roots, "ab3") == two
    assert find_run(roots, "ab12") == one


def test_an_exact_id_wins_over_longer_ones(tmp_path: Path) -> None:
    exact = make_run(tmp_path, "ab")
    make_run(tmp_path, "abc")
    assert find_run([tmp_path], "ab") == exact


def test_unclear_and_unknown_runs_are_the_users_error(tmp_path: Path) -> None:
    make_run(tmp_path, "ab12")
    make_run(tmp_path, "ab34")
    with pytest.raises(UserError, match="could be ab12, ab34"):
        find_run([tmp_path], "ab")
    with pytest.raises(UserError, match="no run is called 'x'"):
        find_run([tmp_path], "x")
    with pytest.raises(UserError, match="is empty"):
        find_run([tmp_path], "")
    with pytest.raises(UserError, match="no run is called"):
        find_run([tmp_path], str(tmp_path))
