"""The front door for Python: runs are computed, found, and their rows taken to other libraries."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from documents import PAGES, code
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st

import yamafuda
from yamafuda.computing import _written

SWEEP = {"deals": 12, "redeals": 2}


@pytest.fixture(autouse=True)
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path))
    return tmp_path


@pytest.fixture
def run() -> yamafuda.Run:
    return yamafuda.run("klondike_sweep", progress=False, **SWEEP)


@pytest.mark.parametrize(
    ("page", "missing"), [("README.md", ["pandas", "polars"]), ("docs/python.md", ["pandas"])]
)
def test_pages_hold(
    page: str, missing: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``missing``: libraries that a page does without, since a release does not bring them."""
    for library in missing:
        monkeypatch.setitem(sys.modules, library, None)
    exec("\n".join(code(PAGES[page], "python")), {})
    assert capsys.readouterr().out.startswith("done {")


def test_it_opens_quickly_and_imports_little() -> None:
    code = "import sys, yamafuda; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pyarrow", "numpy", "duckdb", "ray", "hydra"} & set(done.stdout.split())


def test_a_run_is_what_the_command_line_makes(run: yamafuda.Run, tmp_path: Path) -> None:
    words = ["job=klondike_sweep", *(f"job.{name}={value}" for name, value in SWEEP.items())]
    command = [sys.executable, "-m", "pipeline", "run", *words, f"paths.results={tmp_path / 'other'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    other = Path(done.stdout.splitlines()[-1])
    assert (run.name, run.state, run.done_share) == (other.name, "done", 1.0)
    assert dict(run.fields) == SWEEP
    digests = [
        run.summary["content_digest"],
        json.loads((other / "summary.json").read_text())["content_digest"],
    ]
    assert digests[0] == digests[1]
    assert run.summary["outcomes"]["won"] == run.rows()["outcome"].to_pylist().count("won")


def test_what_is_done_is_not_done_again(run: yamafuda.Run) -> None:
    parts = {path: path.stat().st_mtime_ns for path in Path(run.folder, "data").iterdir()}
    again = yamafuda.run("klondike_sweep", progress=False, **SWEEP)
    assert again == run
    assert parts == {path: path.stat().st_mtime_ns for path in Path(run.folder, "data").iterdir()}


def test_groups_of_fields_are_dicts_and_words_those_of_the_command_line() -> None:
    run = yamafuda.run(
        "klondike_sweep",
        deals=2,
        limits={"states": 1},
        label="it's $ten",
        words=["job.seed=7"],
        progress=False,
    )
    rows = run.rows().to_dicts()
    assert {row["seed"] for row in rows} == {7}
    assert {row["outcome"] for row in rows} == {"undecided"}
    assert run.label == "it's $ten"


def test_rows_are_taken_by_other_libraries_as_they_are(run: yamafuda.Run) -> None:
    rows = yamafuda.load("klondike_sweep")
    assert rows["index"].to_pylist() == list(range(SWEEP["deals"]))
    frames = rows.to_polars(), pl.DataFrame(rows)
    assert frames[0].equals(frames[1])
    assert isinstance(rows.to_pandas(), pd.DataFrame)
    assert pa.table(rows).equals(rows.to_arrow())
    assert duckdb.sql("SELECT count(*) FROM rows").fetchall() == [(len(rows),)]
    counts = yamafuda.query("SELECT outcome, count(*) AS n FROM klondike_sweep GROUP BY ALL").to_dicts()
    assert {each["outcome"]: each["n"] for each in counts} == {
        name: count for name, count in run.summary["outcomes"].items() if count
    }


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_there_is_named(
    run: yamafuda.Run, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = yamafuda.load(run.name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(yamafuda.UserError, match=f"^to_{library}: needs {library}: pip install {library}$"):
        getattr(rows, f"to_{library}")()


def test_a_run_is_found_by_the_beginning_of_its_name(run: yamafuda.Run) -> None:
    table = yamafuda.run("tricks_table", cards=2, progress=False)
    found = yamafuda.runs()
    assert [each.name for each in found] == [run.name, table.name]
    assert len(yamafuda.load(run.name[:-4])) == SWEEP["deals"]


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        (lambda: yamafuda.run("klondike_sweep", dels=3), "job.dels"),
        (lambda: yamafuda.run("klondike_swep"), "job"),
        (lambda: yamafuda.run("klondike_sweep", deals=0), "job.deals"),
        (lambda: yamafuda.run("klondike_sweep", cluster="cloud"), "cluster"),
        (lambda: yamafuda.load("klondike_swep"), "klondike_swep"),
        (lambda: yamafuda.query("DROP TABLE runs"), "SQL"),
        (lambda: yamafuda.query("SELECT 1; SELECT 2"), "SQL"),
        (lambda: yamafuda.query("SELECT * FROM read_csv('/etc/passwd')"), "SQL"),
        (lambda: yamafuda.query(b"SELECT 1"), "SQL"),  # type: ignore[arg-type]
        (lambda: yamafuda.query("SELECT '\ud800'"), "SQL"),
        (lambda: yamafuda.load(None), "name"),  # type: ignore[arg-type]
        (lambda: yamafuda.report_html(None), "what"),  # type: ignore[arg-type]
        (lambda: yamafuda.report_html([3]), "RUN"),  # type: ignore[list-item]
        (lambda: yamafuda.game(None), "GAME"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_has_a_place(wrong: object, place: str) -> None:
    assert callable(wrong)
    with pytest.raises(yamafuda.UserError) as caught:
        wrong()
    assert caught.value.field == place
    assert "\n" not in str(caught.value)


def test_a_damaged_run_is_named_and_left_out(run: yamafuda.Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path(run.folder, "plan.json").write_text("{")
    assert yamafuda.runs() == []
    assert run.name in capsys.readouterr().err


def test_what_notebooks_show_is_escaped(run: yamafuda.Run) -> None:
    shown = yamafuda.query("SELECT '<script>' AS \"<b>\", i FROM range(25) t(i)")._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown
    assert "15 more" in shown
    assert shown.count("<tr>") == 1 + 1 + 10
    assert run.name in run._repr_html_()


@given(st.one_of(st.text(), st.text(alphabet="\\'\" ,=[]{}$:"), st.integers(), st.booleans(), st.none()))
def test_values_arrive_as_they_are(value: object) -> None:
    parsed = OverridesParser.create().parse_override(f"key={_written(value)}")
    assert parsed.value() == value or str(parsed.value()) == value
