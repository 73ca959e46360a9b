"""The command line: what it prints where, and its exit status."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from toy_helpers import Yamafuda, summary


@pytest.fixture
def runs(yamafuda: Yamafuda) -> tuple[Path, Path]:
    """A finished sweep and a finished table."""
    folders = []
    for job in ("toy_sweep", "toy_table"):
        done = yamafuda("run", f"job={job}")
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        folders.append(Path(done.stdout.splitlines()[-1]))
    return folders[0], folders[1]


def test_every_command_has_help_with_an_example(yamafuda: Yamafuda) -> None:
    listing = yamafuda("--help").stdout.partition("Commands:")[2].splitlines()
    names = [line.split()[0] for line in listing if line.startswith("  ") and line[2] != " "]
    assert {"run", "status", "cancel", "verify", "remove", "query", "export", "jobs"} <= set(names)
    for name in names:
        shown = yamafuda(name, "--help").stdout
        assert f"yamafuda {name}" in shown.partition("xample")[2], name


def test_serial_runs_do_not_import_ray(yamafuda: Yamafuda) -> None:
    done = yamafuda("run", "job=toy_table", env=_environment(PYTHONPROFILEIMPORTTIME="1"))
    assert done.returncode == 0
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pipeline.runners.serial" in imported
    assert "ray" not in imported


def test_json(yamafuda: Yamafuda) -> None:
    done = yamafuda("run", "-m", "job=toy_sweep", "job.items=5,6", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["status"] for line in lines] == [0, 0]
    assert [summary(Path(line["run"]))["items_count"] for line in lines] == [5, 6]
    shown = [json.loads(line) for line in yamafuda("status", "--all", "--json").stdout.splitlines()]
    assert {(line["job"], line["state"], line["units_done_count"]) for line in shown} == {
        ("toy_sweep", "done", 1),
        ("toy_sweep", "done", 2),
    }


def test_a_wrong_job_of_a_series_stops_it_before_any_work(yamafuda: Yamafuda, workspace: Path) -> None:
    done = yamafuda("run", "-m", "job=toy_sweep", "job.items=5,0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "yamafuda: job.items: must be at least 1; got 0\n"
    assert list(workspace.iterdir()) == []


def test_no_traceback_without_being_asked(yamafuda: Yamafuda) -> None:
    words = ["run", "job=toy_sweep", "job.itms=1"]
    assert "Traceback" not in yamafuda(*words).stderr
    assert "Traceback" in yamafuda(*words, "--traceback").stderr


def test_a_wrong_call_names_the_help_of_its_command(yamafuda: Yamafuda) -> None:
    assert yamafuda("run").stderr.rstrip().endswith("(yamafuda run --help)")
    assert (
        yamafuda("solve", "klondike", "greenfelt", "123")
        .stderr.rstrip()
        .endswith("(yamafuda solve klondike --help)")
    )


def test_an_error_of_ours_is_one_line_too(yamafuda: Yamafuda, runs: tuple[Path, Path]) -> None:
    (runs[1] / "manifest.json").unlink()
    for shard in (runs[1] / "shards").iterdir():
        shard.write_bytes(bytes(shard.stat().st_size))
    done = yamafuda("run", "job=toy_table")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("yamafuda: unexpected ValueError: ")


def test_dry_run(yamafuda: Yamafuda, workspace: Path) -> None:
    done = yamafuda("run", "job=toy_table", "--dry-run", "--json")
    facts = json.loads(done.stdout)
    assert (facts["units_count"], facts["state"], facts["core_s"]) == (24, "new", None)
    assert list(workspace.iterdir()) == []


def test_status(yamafuda: Yamafuda, runs: tuple[Path, Path]) -> None:
    assert yamafuda("status").stdout == "no unfinished runs; 2 done (--all shows all)\n"
    assert yamafuda("status", "--all").stdout.count(" 100% ") == 2
    shown = dict(line.split(maxsplit=1) for line in yamafuda("status", "toy_table").stdout.splitlines())
    assert shown["state"] == "done, 100%, 24 of 24 units"
    assert (shown["run"], shown["folder"], shown["job"]) == (runs[1].name, str(runs[1]), "toy_table")
    sweep, table = (json.loads(line) for line in yamafuda("status", "--all", "--json").stdout.splitlines())
    assert sweep["begun_s"] < table["begun_s"]
    assert (sweep["name"], sweep["fields"], sweep["label"], sweep["done_share"]) == (runs[0].name, {}, "", 1)
    files = [*runs[1].glob("shards/*"), *runs[1].glob("data/*")]
    assert table["size_bytes"] == sum(path.stat().st_size for path in files)
    unknown = yamafuda("status", "zzz")
    assert (unknown.returncode, unknown.stdout, unknown.stderr.count("\n")) == (2, "", 1)


def test_verify(yamafuda: Yamafuda, runs: tuple[Path, Path]) -> None:
    for run in runs:
        assert yamafuda("verify", run.name).returncode == 0
    engine = yamafuda("verify", runs[1].name, "--samples", "13")
    assert (engine.returncode, engine.stdout) == (1, "sampled 13\n")
    shard = runs[1] / "shards" / "L02-S001.lmdb"
    data = shard.read_bytes()
    shard.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    (runs[1] / "shards" / "L01-S000.lmdb").write_bytes(b"")
    damaged = yamafuda("verify", runs[1].name)
    assert damaged.returncode == 1
    assert [line.partition(":")[0].rpartition("/")[2] for line in damaged.stdout.splitlines()] == [
        "L01-S000.lmdb",
        "L02-S001.lmdb",
    ]


def test_a_label_stands_for_its_run(yamafuda: Yamafuda) -> None:
    for items, label in (("5", "a first try"), ("6", "another"), ("7", "another")):
        done = yamafuda("run", "job=toy_sweep", f"job.items={items}", "--label", label)
        assert done.returncode == 0, done.stderr
    # The last label that was given counts.
    assert yamafuda("run", "job=toy_sweep", "job.items=5", "--label", "my try").returncode == 0
    for command in ("status", "verify", "logs", "report"):
        assert yamafuda(command, "my try").returncode == 0, command
        for label, message in (("another", "'another' could be toy_sweep-items6-"), ("a first try", "label")):
            refused = yamafuda(command, label)
            assert (refused.returncode, message in refused.stderr) == (2, True), refused.stderr
            assert refused.stderr.count("\n") == 1
    assert yamafuda("remove", "my try", "--yes").returncode == 0
    assert yamafuda("status", "--all").stdout.count("toy_sweep") == 2


def test_remove(yamafuda: Yamafuda, runs: tuple[Path, Path]) -> None:
    refused = yamafuda("remove", runs[0].name, input="n\n")
    assert refused.returncode == 2
    assert runs[0].exists()
    assert yamafuda("remove", runs[0].name, "--yes").returncode == 0
    assert not runs[0].exists()
    assert runs[1].exists()


def test_export(yamafuda: Yamafuda, runs: tuple[Path, Path], workspace: Path) -> None:
    done = yamafuda("export", runs[1].name, "--to", "out")
    assert Path(done.stdout.strip()) == Path("out/toy.parquet")
    full = yamafuda("export", runs[1].name, "--to", "out")
    assert full.returncode == 2
    assert "not an empty folder" in full.stderr
    sweep = yamafuda("export", runs[0].name)
    assert sweep.returncode == 2
    assert "Parquet already" in sweep.stderr
    assert not (runs[0] / "export").exists()
    # It says how rows are had, and they are.
    words = shlex.split(sweep.stderr.partition("yamafuda query ")[2])
    assert yamafuda("query", *words).returncode == 0
    assert pq.read_metadata(workspace / words[-1]).num_rows == summary(runs[0])["items_count"]


def test_query(yamafuda: Yamafuda, runs: tuple[Path, Path]) -> None:
    sql = "SELECT outcome, count(*) AS n FROM toy_sweep GROUP BY outcome ORDER BY outcome"
    assert yamafuda("query", sql).stdout.splitlines() == [
        "outcome    n",
        "lost       9",
        "undecided  4",
        "won        7",
    ]
    yamafuda("run", "job=toy_sweep", "job.limits.steps_count=99")
    yamafuda("run", "job=toy_sweep", "job.seed=2")
    sql = (
        f"SELECT r.seed, count(*) AS n, max(t.attempt) AS a FROM toy_sweep t JOIN runs r USING (run_id) "
        f"GROUP BY ALL UNION ALL SELECT 9, count(*), 0 FROM toy_sweep_{summary(runs[0])['run_id']} ORDER BY 1"
    )
    answer = [json.loads(line) for line in yamafuda("query", sql, "--json").stdout.splitlines()]
    assert answer == [
        {"seed": 1, "n": 20, "a": 2},
        {"seed": 2, "n": 20, "a": 1},
        {"seed": 9, "n": 20, "a": 0},
    ]
    layers = yamafuda("query", "SELECT sum(states_count) AS n FROM toy_table", "--json")
    assert json.loads(layers.stdout) == {"n": 8}
    wrong = yamafuda("query", "SELECT nothing FROM nowhere")
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)


def test_query_without_runs(yamafuda: Yamafuda) -> None:
    assert yamafuda("query", "SELECT count(*) AS n FROM runs").stdout == "n\n0\n"


def test_a_run_is_found_by_its_folder_wherever_it_is(
    yamafuda: Yamafuda, runs: tuple[Path, Path], workspace: Path
) -> None:
    shutil.move(runs[0], workspace / "elsewhere")
    assert yamafuda("verify", "elsewhere").returncode == 0


def _environment(**more: str) -> dict[str, str]:
    import os

    return {**os.environ, **more}


def test_a_panic_is_told_in_one_line(yamafuda: Yamafuda) -> None:
    done = yamafuda("solve", "toy", "deal")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert re.fullmatch(
        r"yamafuda: unexpected PanicException: for tests \(at src/panics\.rs:\d+\) .*\n", done.stderr
    )
    shown = yamafuda("--traceback", "solve", "toy", "deal")
    assert shown.returncode == 1
    assert "Traceback" in shown.stderr
