"""What careless or hostile users do: one line that says how to go on, exit status 2, nothing left behind."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from patience import PATIENCE_S
from toy_helpers import Yamafuda, command

from pipeline.config import composing
from pipeline.jobfiles import job_files
from storage.columns import common_columns
from storage.errors import UserError
from storage.layout import run_folders


@pytest.mark.parametrize("series", ["range(1,1)", "glob(*)"])
def test_a_series_of_nothing_is_no_success(series: str) -> None:
    with composing(None) as composer, pytest.raises(UserError, match=r"job\.items: .* without values"):
        composer.expand(["job=toy_sweep", f"job.items={series}"])


@pytest.mark.parametrize(
    "words",
    [
        ["bogus"],
        ["--bogus"],
        ["run"],
        ["jobs", "more"],
        ["status", ""],
        ["status", "x" * 5000],
        ["verify", "x", "--samples", "-1"],
        ["verify", "x", "--samples"],
        ["query", ""],
        ["query", " ; "],
    ],
)
def test_wrong_words_are_one_line(yamafuda: Yamafuda, workspace: Path, words: list[str]) -> None:
    done = yamafuda(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("yamafuda: ")
    assert done.stderr.count("\n") == 1
    assert list(workspace.iterdir()) == []


def test_a_root_that_cannot_be_is_named(yamafuda: Yamafuda, workspace: Path) -> None:
    for root in ("x" * 300, ""):
        done = yamafuda("run", "job=toy_sweep", env={**os.environ, "YAMAFUDA_RESULTS": root})
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert list(workspace.iterdir()) == []


def test_a_root_as_a_uri(yamafuda: Yamafuda, workspace: Path) -> None:
    environment = {**os.environ, "YAMAFUDA_RESULTS": (workspace / "runs").as_uri()}
    done = yamafuda("run", "job=toy_sweep", env=environment)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in workspace.iterdir()] == ["runs"]
    run = Path(done.stdout.strip())
    assert run.parent.parent == workspace / "runs"
    assert yamafuda("status", "--all", env=environment).stdout.splitlines()[2].startswith(run.name)


@pytest.mark.parametrize("name", ["a b ü 日本", "q'u\"o", "[1]*?{a,b}", "a${b}", "a\\\\${b"])
def test_a_root_of_any_name(yamafuda: Yamafuda, workspace: Path, name: str) -> None:
    environment = {**os.environ, "YAMAFUDA_RESULTS": str(workspace / name)}
    assert yamafuda("run", "job=toy_sweep", "job.items=7", env=environment).returncode == 0
    answer = yamafuda("query", "--json", "SELECT count(*) AS n FROM toy_sweep", env=environment)
    assert answer.stdout == '{"n": 7}\n', answer.stderr


@pytest.mark.parametrize("name", ["a b,ü{x}[1]'=", 'q"uo', "back\\slash", "pct%20#?x"])
def test_a_config_dir_of_any_name(workspace: Path, name: str) -> None:
    folder = workspace / name
    (folder / "job").mkdir(parents=True)
    text = "# mine\ndefaults: [schema/toy_sweep@_here_, _self_]\nname: toy_sweep\nitems: 3\n"
    (folder / "job" / "mine.yaml").write_text(text)
    (folder / "job" / "latin.yaml").write_bytes(b"# \xe9t\xe9\n")
    (folder / "job" / "loop.yaml").write_text("a: &a [*a]\n")
    with composing(folder) as composer:
        assert composer.compose(["job=mine"]).job.items == 3  # type: ignore[attr-defined]
        for bad in ("latin", "loop"):
            with pytest.raises(UserError) as caught:
                composer.compose([f"job={bad}"])
            assert len(str(caught.value)) < 600
    assert {"mine", "latin", "loop"} <= set(job_files(folder))


def test_rows_of_layers_have_the_common_types(yamafuda: Yamafuda) -> None:
    run = Path(yamafuda("run", "job=toy_table").stdout.strip())
    found = pq.read_schema(run / "data" / "part-layers.parquet")
    for name in ("run_id", "attempt", "index", "elapsed_s", "host"):
        assert found.field(name).equals(common_columns().field(name)), name


def test_json_of_an_answer_is_json(yamafuda: Yamafuda) -> None:
    sql = "SELECT 'nan'::DOUBLE AS n, ['-inf'::DOUBLE, 1] AS l, {'a': 'inf'::DOUBLE} AS s, DATE '2020-02-02' AS d"

    def refuse(text: str) -> None:
        raise AssertionError(f"{text} is no JSON")

    answer = json.loads(yamafuda("query", "--json", sql).stdout, parse_constant=refuse)
    assert answer == {"n": "nan", "l": ["-inf", 1.0], "s": {"a": "inf"}, "d": "2020-02-02"}
    done = yamafuda("query", "--json", "SELECT 1 AS a, 2 AS a")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'a'" in done.stderr


@pytest.mark.parametrize("answer", [b"", b"n\n", b"maybe\n", b"\xff\n", None])
def test_remove_asks(yamafuda: Yamafuda, answer: bytes | None) -> None:
    run = Path(yamafuda("run", "job=toy_sweep").stdout.strip())
    if answer is None:  # closed
        words = ["sh", "-c", '"$@" <&-', "sh", *command("remove", str(run))]
        done = subprocess.run(words, capture_output=True, timeout=PATIENCE_S)
    else:
        done = subprocess.run(
            command("remove", str(run)), input=answer, capture_output=True, timeout=PATIENCE_S
        )
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"nothing is removed" in done.stderr
    assert b"Error" not in done.stderr
    assert (run / "manifest.json").exists()


def test_remove_after_yes(yamafuda: Yamafuda) -> None:
    run = Path(yamafuda("run", "job=toy_sweep").stdout.strip())
    assert yamafuda("remove", run.name, input="y\n").returncode == 0
    assert not run.exists()


def test_closed_streams(yamafuda: Yamafuda, workspace: Path) -> None:
    """Files must not get the numbers of closed streams, and what belongs on stderr not land on stdout."""
    words = command("run", "job=toy_table")
    subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *words], timeout=PATIENCE_S, check=True)
    (run,) = run_folders([workspace / "results"])
    assert yamafuda("verify", run.name).stdout == "no problem found\n"
    words = command("status", "nothing")
    done = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *words], timeout=PATIENCE_S, capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")


def test_a_reader_that_has_had_enough(yamafuda: Yamafuda) -> None:
    words = command("query", "SELECT * FROM range(300000)")
    script = 'set -o pipefail; "$@" | head -1'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *words], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (141, "range", "")


def test_a_stream_of_few_characters(yamafuda: Yamafuda) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = yamafuda("query", "SELECT 'é✓' AS x", env=environment)
    assert (done.returncode, done.stdout) == (0, "x\n\\xe9\\u2713\n")
