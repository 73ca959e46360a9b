"""The snippets of docs/querying.md that read results, run as they stand where runs of every kind lie side by side."""

from __future__ import annotations

import ast
import itertools
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from documents import PAGES, code, named, shown

from engines.contract.registry import job_names
from pipeline.cli import main
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner

SNIPPETS = {
    re.search(r"import (\w+)[^\n]*\n\n(?!import)", snippet)[1]: snippet  # type: ignore[index]
    for snippet in code(PAGES["docs/querying.md"], "python")
}
"""By the module that reads."""
KLONDIKE = [
    "job.redeals=0 job.deals=5",
    "job.deals=4",
    "job.redeals=0 job.deals=3 job.first=3",
    "job.redeals=2 job.deals=3",
]
JOBS = [
    "job=stackgame_table job.cards=3",
    "job=stackgame_play job.cards=3 job.games=20",
    "job=calculation_best",
    "job=calculation_open job.ranks=4 job.deals=3",
    "job=calculation_sweep job.ranks=4 job.deals=3",
    "job=superpuzz_sweep job.columns=3 job.deals=3",
    "job=superpuzz_redeals job.columns=3 job.deals=3 job.search_states=100",
    "job=klondike_deals job.deals=3",
    "job=klondike_blind job.deals=2 job.samples=2 job.search_states=100",
    "job=daifugo_tournament job.games=2 job.players=[rule]",
    "job=daifugo_uecda job.games=2",
    "job=daifugo_learn job.games=20",
    "job=daifugo_policy job.games=1000 job.every=10",
    "job=daifugo_estimate job.games=1 job.positions=1 job.worlds=5",
    "job=tricks_table job.cards=3",
    "job=tricks_theorems job.cards=3",
    *(f"job=klondike_sweep {words}" for words in KLONDIKE),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that ``results`` is in."""
    workspace = tmp_path_factory.mktemp("kinds")
    with pytest.MonkeyPatch.context() as patch, composing(None) as composer:
        patch.chdir(workspace)
        for words in JOBS:
            assert run_job(composer.compose(words.split()), SerialRunner())[0] == 0
    return workspace


def value_of(snippet: str) -> Any:
    """What the last expression of a snippet is worth."""
    *lines, last = ast.parse(snippet).body
    assert isinstance(last, ast.Expr)
    names: dict[str, Any] = {}
    exec(compile(ast.Module(lines, []), "querying.md", "exec"), names)
    return eval(compile(ast.Expression(last.value), "querying.md", "eval"), names)


def counted(answer: Any) -> Counter[tuple[int | None, str]]:
    """Deals by redeals and outcome, whatever form the answer has."""
    if isinstance(answer, duckdb.DuckDBPyRelation):
        rows = answer.fetchall()
    elif isinstance(answer, pl.DataFrame):
        rows = answer.rows()
    elif isinstance(answer, pd.DataFrame):
        rows = list(answer.itertuples(index=False, name=None))
    else:
        assert isinstance(answer, pa.Table)
        rows = [(row["redeals"], row["outcome"], row["count_all"]) for row in answer.to_pylist()]
    return Counter({(None if pd.isna(key) else int(key), outcome): count for key, outcome, count in rows})


def test_there_is_a_snippet_for_each_tool() -> None:
    assert set(SNIPPETS) == {"duckdb", "polars", "pandas", "pyarrow"}


def test_every_kind_of_job_has_a_run(runs: Path) -> None:
    kinds = {folder.name for folder in (runs / "results").iterdir() if folder.name[0] != "."}
    assert kinds == {name for name in job_names() if not name.startswith("toy_")}


@pytest.mark.parametrize("tool", SNIPPETS)
def test_snippet(tool: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts all rows, whichever run's name comes first."""
    parts = sorted((runs / "results" / "klondike_sweep").glob("*/data/*.parquet"))
    expected: Counter[tuple[int | None, str]] = Counter()
    for part in parts:
        rows = pq.read_table(part, columns=["redeals", "outcome"]).to_pylist()
        expected += Counter((row["redeals"], row["outcome"]) for row in rows)
    assert sum(expected.values()) == 15
    folders = sorted((runs / "results" / "klondike_sweep").iterdir())
    assert len(folders) == len(KLONDIKE)
    for number, order in enumerate(itertools.permutations(folders)):
        kind = tmp_path / str(number) / "results" / "klondike_sweep"
        kind.mkdir(parents=True)
        for place, folder in enumerate(order):
            (kind / f"{place}-{folder.name}").symlink_to(folder)
        monkeypatch.chdir(tmp_path / str(number))
        assert counted(value_of(SNIPPETS[tool])) == expected


SQL = {
    words[-1]: words
    for page in PAGES.values()
    for each in [*shown(page), *named(page)]
    if (words := each.words)[:2] == ["yamafuda", "query"] and words[-1].startswith("SELECT ")
}


@pytest.mark.parametrize("sql", SQL)
def test_sql(sql: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of all pages, asked of these runs."""
    monkeypatch.chdir(runs)
    words = [str(tmp_path / word) if word.endswith(".parquet") else word for word in SQL[sql]]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0


def test_the_shell_of_duckdb(runs: Path) -> None:
    """It takes the SQL of the snippet for its library, in a folder of results as it lies."""
    (sql,) = re.findall(r'"""(.*?)"""', SNIPPETS["duckdb"], re.DOTALL)
    shell = Path(sys.executable).with_name("duckdb")
    done = subprocess.run([shell, "-json", "-c", sql], cwd=runs, capture_output=True, text=True, check=True)
    found = {(row["redeals"], row["outcome"]): row["deals"] for row in json.loads(done.stdout)}
    parts = sorted((runs / "results" / "klondike_sweep").glob("*/data/*.parquet"))
    rows = [row for part in parts for row in pq.read_table(part, columns=["redeals", "outcome"]).to_pylist()]
    assert found == Counter((row["redeals"], row["outcome"]) for row in rows)


def test_all_kinds_are_read_together(runs: Path, tmp_path: Path) -> None:
    """Names mean one thing in all of them, so that no order of kinds makes a column another type."""
    kinds = sorted(folder for folder in (runs / "results").iterdir() if folder.name[0] != ".")
    parts = [part for kind in kinds for part in kind.glob("*/data/*.parquet")]
    expected = Counter(
        pq.read_schema(part).metadata[b"yamafuda.run_id"].decode()
        for part in parts
        for _ in range(pq.read_metadata(part).num_rows)
    )
    types = set()
    for first in range(len(kinds)):
        root = tmp_path / str(first)
        root.mkdir()
        for place, kind in enumerate([*kinds[first:], *kinds[:first]]):
            (root / f"{place:02}-{kind.name}").symlink_to(kind)
        rows = duckdb.sql(f"FROM read_parquet('{root}/*/*/data/*.parquet', union_by_name = true)")
        assert (
            Counter(dict(duckdb.sql("SELECT run_id, count(*) FROM rows GROUP BY ALL").fetchall())) == expected
        )
        types.add(
            tuple(sorted((name, str(kind)) for name, kind in zip(rows.columns, rows.types, strict=True)))
        )
    assert len(types) == 1
    pa.unify_schemas([pq.read_schema(part) for part in parts])
