"""Built tables against the paper's counts and probabilities, and the report that shows them side by side."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from engines.calculation import estimate
from engines.calculation.position import read_position
from engines.stackgame import paper, report, rules, text
from engines.stackgame.sharded import built_tables

# Cards up to which tables are built here, by boards.
BUILT = {1: 12, 2: 8, 3: 4, 4: 3}
CELLS = [
    (stacks, boards, cards)
    for stacks in paper.TABLES
    for boards, most in BUILT.items()
    for cards in range(1, most + 1)
]
GOLDEN = Path(__file__).parents[2] / "golden" / "stackgame_counts.json"
RECORDED = ("states_count", "states_count_by_layer", "p_start", "p_sum", "content_digest")


@pytest.mark.parametrize(("stacks", "boards", "cards"), CELLS)
def test_counts(build: Any, stacks: int, boards: int, cards: int) -> None:
    summary = build.table(stacks, boards, cards).summary
    assert summary["states_count"] == paper.expected_count(stacks, boards, cards)
    by_layer = summary["states_count_by_layer"]
    assert len(by_layer) == boards * cards
    assert sum(by_layer) == summary["states_count"]
    assert by_layer[0] == 1


@pytest.mark.parametrize("stacks", [3, 4])
def test_printed_counts_of_one_board_are_sums_of_binomials(stacks: int) -> None:
    for cards, printed in enumerate(paper.TABLES[stacks][1], start=1):
        assert printed == sum(math.comb(cards, i) for i in range(1, stacks + 1))


@pytest.mark.parametrize(("stacks", "boards", "cards"), CELLS)
def test_tables_are_those_that_were_recorded(build: Any, stacks: int, boards: int, cards: int) -> None:
    """Every key and every bit of every probability; where this may change, the engine's version is raised."""
    summary = build.table(stacks, boards, cards).summary
    recorded = json.loads(GOLDEN.read_text())[f"S={stacks} m={boards} n={cards}"]
    assert {key: summary[key] for key in RECORDED} == {key: recorded[key] for key in RECORDED}


def test_large_tables_that_were_recorded_have_the_papers_counts() -> None:
    """They are built by tests/golden/make_stackgame_counts.py; the paper's two wrong cells are corrected."""
    recorded = json.loads(GOLDEN.read_text())
    compared = 0
    for stacks, rows in paper.TABLES.items():
        for boards, row in rows.items():
            for cards in range(BUILT[boards] + 1, len(row) + 1):
                cell = recorded.get(f"S={stacks} m={boards} n={cards}")
                expected = paper.expected_count(stacks, boards, cards)
                if cell and expected is not None:
                    assert cell["states_count"] == sum(cell["states_count_by_layer"]) == expected
                    compared += 1
    assert compared >= 8


@pytest.mark.parametrize(("value_type", "tolerance"), [("float32", 5e-7), ("float64", 1e-12)])
@pytest.mark.parametrize(("cell", "checked"), paper.STARTS.items())
def test_probability_of_the_start(
    build: Any, cell: tuple[int, int, int], checked: float, value_type: str, tolerance: float
) -> None:
    summary = build.table(*cell, f"job.value_type={value_type}").summary
    assert summary["p_start"] == pytest.approx(checked, abs=tolerance)


@pytest.mark.parametrize(("value_type", "tolerance"), [("float32", 5e-7), ("float64", 1e-12)])
def test_probabilities_of_the_worked_example_from_a_table(
    build: Any, value_type: str, tolerance: float
) -> None:
    """Those that the table of two boards of eight cards has; one board of nine leads to the others' cards."""
    run = build.table(3, 2, 8, f"job.value_type={value_type}", root=value_type)
    for typed, boards in {
        "[7{}] -> [1{1}]": (0,),
        "[1{}] -> [3{0}]": (1,),
        "[2{}] -> [1{0}] -> [6{0}]": (2,),
        "[3{}] -> [1{1}]": (3,),
        "[1{}] -> [3{0}]; [3{}] -> [1{1}]": (1, 3),
    }.items():
        state = text.parse(typed, 3)
        (table,) = built_tables(run.root, state)
        values = table.values([state])
        assert values is not None
        assert values[0] == pytest.approx(paper.WORKED[boards].probability.checked, abs=tolerance)


def test_states_of_the_worked_example_are_those_of_its_position() -> None:
    example = resources.files("engines.calculation") / "examples" / "section-3.2.position"
    printed = read_position(example.read_text())
    assignment = printed.assignment()
    assert assignment is not None
    assert len(paper.WORKED) == 4 + 6
    for boards, worked in paper.WORKED.items():
        state = estimate.state(printed.position, assignment, boards)
        assert state is not None
        assert text.format(state) == text.format(text.parse(worked.state, 3)) == worked.state


def test_worked_example_in_full(build: Any, tmp_path: Path) -> None:
    """Computed in float64 where no table is there, and from tables of float32."""
    for each in report.paper_probabilities(tmp_path):
        if each.found is None:
            assert (each.name, each.stacks) == ("start", 4)  # too large to compute by the way
        else:
            assert each.source in ("computed", "")
            assert each.found == pytest.approx(each.checked, abs=1e-12)
    for each in report.paper_probabilities(build.table(3, 2, 8).root):
        assert each.mark == (report.AGREES if each.found is not None else report.NOT_BUILT)


def test_float32_stays_close_to_float64(build: Any) -> None:
    """The game's page has what is measured here, 5.4e-8: in all, sixteen layers of rounding make one of 24 bits."""
    single = build.table(3, 2, 8)
    double = build.table(3, 2, 8, "job.value_type=float64")
    largest = 0.0
    for (_, keys, values), (_, same_keys, exact) in zip(single.layers(), double.layers(), strict=True):
        assert (keys == same_keys).all()
        largest = max(largest, float(abs(values - exact).max()))
    assert 4e-8 < largest < 2**-24


def test_random_games_are_won_as_often_as_the_table_says(build: Any) -> None:
    build.table(3, 2, 6)
    summary = build(
        "job=stackgame_play", "job.stacks=3", "job.cards=6", "job.games=100000", "job.seed=20260101"
    ).summary
    assert summary["games_count"] == 100_000
    p_start = summary["p_start"]
    error = math.sqrt(p_start * (1 - p_start) / 100_000)
    assert abs(summary["won_count"] / 100_000 - p_start) < 4 * error


def test_marks_of_counts(build: Any, tmp_path: Path) -> None:
    run = build.table(4, 2, 8)
    build.table(3, 2, 4)
    found = {(each.stacks, each.boards, each.cards): each for each in report.paper_counts(run.root)}
    assert len(found) == 2 * (12 + 12 + 5 + 4)
    erratum = found[4, 2, 8]
    assert (erratum.paper, erratum.corrected, erratum.built) == (566036, 566037, 566037)
    assert erratum.mark == report.ERRATUM
    assert found[3, 2, 4].mark == report.AGREES
    assert found[3, 2, 12].mark == report.NOT_BUILT

    # A run that counted wrongly shows, also beside one that is right.
    for name, count in (("right", 339), ("wrong", 338)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "plan.json").write_text("{}")
        job = {"name": "stackgame_table"}
        summary = {"job": job, "stacks": 3, "boards": 2, "cards": 4, "states_count": count}
        (folder / "summary.json").write_text(json.dumps(summary))
    wrong = next(each for each in report.paper_counts(tmp_path) if each.built is not None)
    assert (wrong.built, wrong.mark) == (338, report.DIFFERS)


def test_the_command(build: Any) -> None:
    run = build.table(4, 2, 8)
    build.table(3, 2, 4)

    def command(*words: str) -> str:
        line = [sys.executable, "-c", "from pipeline.cli import main; main()", "report", "stackgame", *words]
        return subprocess.run(
            [*line, "--tables", str(run.root)], capture_output=True, text=True, check=True
        ).stdout

    printed = command()
    assert "566036" in printed
    assert "566037" in printed
    assert "erratum" in printed
    assert str(run.root) in printed
    lines = [json.loads(line) for line in command("--json").splitlines()]
    assert {line["kind"] for line in lines} == {"count", "probability"}
    assert all(line["mark"] != report.DIFFERS for line in lines)


def test_starts_are_what_they_say() -> None:
    for stacks, boards, cards in paper.STARTS:
        assert text.format(rules.start(stacks, boards, cards)) == "; ".join([f"[{cards}{{}}]"] * boards)
