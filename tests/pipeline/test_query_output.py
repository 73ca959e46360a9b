"""Forms of answers: for people as wide as their terminal, for programs in full."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from query_helpers import asked, run_of
from toy_helpers import Yamafuda, in_terminal

from pipeline.query.table import table_lines

TEXT = "a text that is longer than any terminal is wide, " * 9
ROWS = f"SELECT 'short' AS a, 123456789012 AS number, '{TEXT}' AS long, 0.5 AS share, NULL AS none"


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_table_is_no_wider_than_the_terminal(width: int) -> None:
    head, row = in_terminal(width, "query", ROWS)
    assert len(row) <= width
    assert "short  123456789012  a text that is" in row
    assert "…" in row
    assert head.split() == ["a", "number", "long", "share", "none"]


def test_a_column_that_finds_no_room_is_told(yamafuda: Yamafuda) -> None:
    columns = ", ".join(f"{1000000 + n} AS column_{n}" for n in range(30))
    _, row = in_terminal(80, "query", f"SELECT {columns}")
    assert row.split() == [*map(str, range(1000000, 1000007)), "…"]
    assert len(row) <= 80
    assert yamafuda("query", f"SELECT {columns}").stdout.split()[-1] == "1000029"


def test_numbers_are_right_and_texts_left() -> None:
    rows = [("x", 5, 2.5, None), ("long text", 100, 10.25, True)]
    hidden, lines = table_lines(
        ["name", "n", "share", "yes"], ["VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"], rows
    )
    assert (hidden, list(lines)) == (
        [],
        [
            "name         n  share  yes",
            "x            5    2.5",
            "long text  100  10.25  true",
        ],
    )


def test_widths_are_those_of_a_terminal() -> None:
    rows = [("山札", "x"), ("ab", "y" * 30), ("a\nb\x1b[31m", "to be or not to be, that is")]
    _, lines = table_lines(["name", "more"], ["VARCHAR", "VARCHAR"], rows, width=30)
    found = list(lines)
    assert found[1:] == [
        "山札          x",
        "ab            yyyyyyyy…yyyyyyy",  # as of names and paths, the end is kept
        "a\\nb\\x1b[31m  to be or not to…",
    ]


def test_meanings_are_folded() -> None:
    lines = in_terminal(60, "query", "--schema", "toy_sweep")
    assert all(len(line) <= 60 for line in lines)
    assert "…" not in "".join(lines)
    assert any(line.startswith(" " * 20) for line in lines)


def test_forms_of_an_answer(yamafuda: Yamafuda, workspace: Path) -> None:
    sql = (
        "SELECT 1 AS n, 'a,\"b\"' AS t, [1, NULL] AS l, true AS b, NULL AS z, 0.1::DOUBLE AS f "
        "UNION ALL SELECT 2, '', [], false, 'z', 'inf'::DOUBLE"
    )
    objects = [
        {"n": 1, "t": 'a,"b"', "l": [1, None], "b": True, "z": None, "f": 0.1},
        {"n": 2, "t": "", "l": [], "b": False, "z": "z", "f": "inf"},
    ]
    for words in (("--json",), ("--format", "jsonl")):
        assert [json.loads(line) for line in yamafuda("query", sql, *words).stdout.splitlines()] == objects
    assert json.loads(yamafuda("query", sql, "--format", "json").stdout) == objects
    rows = list(csv.reader(yamafuda("query", sql, "--format", "csv").stdout.splitlines()))
    assert rows == [
        ["n", "t", "l", "b", "z", "f"],
        ["1", 'a,"b"', "[1, null]", "true", "", "0.1"],
        ["2", "", "[]", "false", "z", "inf"],
    ]
    assert json.loads(yamafuda("query", "SELECT 1 AS a WHERE false", "--format", "json").stdout) == []
    for name in ("x.csv", "x.json", "x.jsonl", "x.parquet", "x.txt"):
        done = yamafuda("query", sql, "-o", name, *(("--format", "table") if name == "x.txt" else ()))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), name
    assert json.loads(Path("x.json").read_text()) == objects
    assert [json.loads(line) for line in Path("x.jsonl").read_text().splitlines()] == objects
    assert list(csv.reader(Path("x.csv").read_text().splitlines())) == rows
    table = pq.read_table("x.parquet")
    assert table.column_names == list(objects[0])
    assert table["l"].to_pylist() == [[1, None], []]
    assert Path("x.txt").read_text().startswith("n  t      l")
    assert {path.name for path in workspace.iterdir()} == {"x.csv", "x.json", "x.jsonl", "x.parquet", "x.txt"}


def test_a_file_is_replaced_as_a_whole_or_not_at_all(yamafuda: Yamafuda, workspace: Path) -> None:
    Path("x.csv").write_text("old\n")
    Path("link.csv").symlink_to("x.csv")
    assert yamafuda("query", "SELECT CAST('no' AS INTEGER)", "-o", "x.csv").returncode == 2
    assert Path("x.csv").read_text() == "old\n"
    assert yamafuda("query", "SELECT 1 AS n", "-o", "link.csv").returncode == 0
    assert (Path("x.csv").read_text(), Path("link.csv").is_symlink()) == ("n\n1\n", True)
    assert yamafuda("query", "SELECT 1 AS n", "--format", "csv", "-o", os.devnull).returncode == 0
    assert Path(os.devnull).is_char_device()
    (workspace / "folder.csv").mkdir()
    for words in (
        ("-o", "folder.csv"),
        ("-o", "nowhere/x.csv"),
        ("-o", "x.xlsx"),
        ("--format", "parquet"),
        ("--json", "--format", "csv"),
        ("--format", "xml"),
    ):
        done = yamafuda("query", "SELECT 1 AS n", *words)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
    done = yamafuda("query", "SELECT 1 AS n; SELECT 2", "-o", "x.csv")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert Path("x.csv").read_text() == "n\n1\n"
    assert {path.name for path in workspace.iterdir()} == {"x.csv", "link.csv", "folder.csv"}


def test_every_statement_is_answered(yamafuda: Yamafuda) -> None:
    done = yamafuda("query", "SELECT 1 AS a; SELECT 2 AS b, 3 AS c;")
    assert done.stdout == "a\n1\n\nb  c\n2  3\n"
    done = yamafuda("query", "SELECT 1 AS a; SELECT 2 AS b", "--json")
    assert done.stdout == '{"a": 1}\n{"b": 2}\n'
    done = yamafuda("query", "SELECT 1 AS a; SELECT x AS b; SELECT 3 AS c")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "a\n1\n", 1)
    # Nothing is done when one of them is refused.
    done = yamafuda("query", "SELECT 1 AS a; DROP TABLE b")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_sql_of_standard_input(yamafuda: Yamafuda) -> None:
    assert (
        yamafuda("query", "--json", input="SELECT 1 AS a;\nSELECT 2 AS b;\n").stdout == '{"a": 1}\n{"b": 2}\n'
    )
    assert yamafuda("query", input="").returncode == 2


def test_nothing_is_drawn_into_an_answer() -> None:
    """After two seconds DuckDB would begin to draw on standard output how far it is."""
    assert asked("SELECT current_setting('enable_progress_bar')") == [(False,)]


def test_a_plan_is_printed_as_it_is_drawn(yamafuda: Yamafuda) -> None:
    lines = yamafuda("query", "EXPLAIN SELECT 1").stdout.splitlines()
    assert len(lines) > 3
    assert lines[0].startswith(("╭", "┌"))


def test_the_schema_of_a_kind_of_job(yamafuda: Yamafuda) -> None:
    run_of("job=toy_sweep")
    told = [
        json.loads(line) for line in yamafuda("query", "--schema", "toy_sweep", "--json").stdout.splitlines()
    ]
    assert [set(each) for each in told] == [{"name", "type", "unit", "meaning"}] * len(told)
    described = yamafuda(
        "query", "SELECT column_name AS name, column_type AS type FROM (DESCRIBE toy_sweep)", "--json"
    )
    assert [(each["name"], each["type"]) for each in told] == [
        tuple(json.loads(line).values()) for line in described.stdout.splitlines()
    ]
    done = yamafuda("query", "--schema", "nothing")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    done = yamafuda("query", "--schema", "klondike_rates")
    assert done.stderr == (
        "yamafuda: schema: klondike_rates is a job of the kind klondike_sweep; ask for that\n"
    )
