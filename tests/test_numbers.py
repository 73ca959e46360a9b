"""Numbers that pages share with a record, or with each other, agree. (Shares and intervals: test_figures.py.)"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from documents import PAGES, ROOT, section

from engines.statistics.intervals import wilson

STACKGAME = PAGES["docs/games/stackgame.md"]
COUNTS: dict[str, Any] = json.loads((ROOT / "tests" / "golden" / "stackgame_counts.json").read_text())
SPEED = PAGES["docs/speed.md"]


def cells(row: str) -> list[str]:
    """Of a row of a table, without marks."""
    return [cell.strip().strip("*") for cell in row.strip().strip("|").split("|")]


def test_states_of_the_stack_game_are_those_of_the_record() -> None:
    found, stacks = {}, ""
    for row in section(STACKGAME, "Results").splitlines():
        name, *counts = cells(row)
        if name.startswith("S = "):
            stacks, columns = name, len(counts)
        elif name.startswith("m = "):
            for cards, count in enumerate(counts, start=1):
                if count:
                    found[f"{stacks} {name} n={cards}".replace(" = ", "=")] = int(count.replace(",", ""))
    recorded = {name: record["states_count"] for name, record in COUNTS.items()}
    assert found == {
        name: count for name, count in recorded.items() if int(name.partition("n=")[2]) <= columns
    }


@pytest.mark.parametrize("stacks", [3, 4])
def test_other_figures_of_the_stack_game_are_those_of_the_record(stacks: int) -> None:
    largest = COUNTS[f"S={stacks} m=2 n=12"]
    assert f"{largest['states_count']:,}" in STACKGAME
    assert f"{COUNTS[f'S={stacks} m=2 n=8']['p_start']:.8f}" in STACKGAME
    (row,) = re.findall(rf"^\| S = {stacks}, m = 2, n = 12 .*", STACKGAME, re.MULTILINE)
    _, time, memory, disk = cells(row)
    elapsed_s = largest["elapsed_s"]
    assert time == (f"{elapsed_s:.0f} s" if elapsed_s < 100 else f"{elapsed_s / 60:.0f} minutes")
    assert memory == f"{largest['peak_bytes'] / 1e9:.1f} GB"
    size_bytes = largest["size_bytes"]
    assert disk == (f"{size_bytes / 1e6:.0f} MB" if size_bytes < 1e9 else f"{size_bytes / 1e9:.1f} GB")
    assert all(f" {value} |" in SPEED for value in (time, memory))


@pytest.mark.parametrize("game", ["klondike", "superpuzz", "tricks", "daifugo"])
def test_speeds_in_pages_of_games_are_those_of_the_page_of_speeds(game: str) -> None:
    text = section(PAGES[f"docs/games/{game}.md"], "How fast").replace("\n", " ")
    measured = re.findall(
        r"\b([0-9.]+)(?: (?:to|and) [0-9.]+)? (?:million (?:states|playouts|values|on)|ns)", text
    )
    measured += re.findall(
        r"^\| [^|]* \| ([0-9.]+ to [0-9.]+ ms) \|", PAGES[f"docs/games/{game}.md"], re.MULTILINE
    )
    assert measured
    assert [each for each in measured if f" {each}" not in SPEED] == []


def test_times_in_the_readme_are_those_of_the_page_of_speeds() -> None:
    text = " ".join(PAGES["README.md"].split())
    (run, test) = re.findall(r"`make run` takes (\d+ to \d+ s), and `make test` (\d+) minutes", text)[0]
    assert f"| {run} | `bench_runs.py --ray` | `run=make run` | `elapsed_s` |" in SPEED
    (elapsed_s,) = re.findall(r"\| ([0-9,]+) s \| `bench_runs.py --tests`", SPEED)
    assert round(float(elapsed_s.replace(",", "")) / 60) == int(test)


def test_policies_are_as_good_as_their_files_say() -> None:
    page = PAGES["docs/games/daifugo.md"]
    folder = ROOT / "engines" / "daifugo" / "policies"
    mixed, champion = (json.loads((folder / f"{name}.json").read_text()) for name in ("mixed", "champion"))
    assert f"{sum(source['games'] for source in mixed['sources'])} games" in page
    judged = mixed["judged"]
    assert f"{judged['hit_rate']:.0%}" in page
    assert all(f"{judged[name]:.3f}" in page for name in ("log_loss", "uniform_log_loss"))
    judged = champion["judged"]
    assert f"{judged['points'] - judged['points_before']:.4f} points" in page
    assert all(f"{source['games']:,}" in page for source in champion["sources"])


def test_the_player_of_calculation_beside_the_best_play() -> None:
    page = PAGES["docs/games/calculation.md"]
    (row,) = re.findall(r"^\| 4 \| 1 \| ([\d,]+) \| ([\d,]+) \(.*\| ([\d,]+), ", page, re.MULTILINE)
    orders, wins, won = (int(number.replace(",", "")) for number in row)
    share, low, high = (100 * each * orders / wins for each in (won / 20_000, *wilson(won, 20_000)))
    assert f"{share:.2f}% of what is possible** ({low:.1f} to {high:.1f})" in " ".join(page.split())
