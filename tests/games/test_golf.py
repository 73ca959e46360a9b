"""A patience in a package of its own, installed as any other: what adding a game costs, and that every door has it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from documents import shown
from patience import PATIENCE_S

from engines.solitaire.limits import Bounds

pytestmark = pytest.mark.ray

GOLF = Path(__file__).parent / "golf"
LINES_MAX = 250
WON = "S4 S9 / D0 C5 / CK | C8 C6 HJ"
LOST = "S4 S9 / D0 C6 / CK"


PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text()


@pytest.mark.parametrize(
    ("language", "file"),
    [("yaml", "conf/job/golf_sweep.yaml"), ("python", "rules.py"), ("python", "sweep.py")],
)
def test_the_page_shows_golf_as_it_is(language: str, file: str) -> None:
    there = (GOLF / "golf" / file).read_text()
    shown = re.findall(rf"^ *```{language}\n(.*?)^ *```", PAGE, re.MULTILINE | re.DOTALL)
    assert any(_lines(block) <= _lines(there) for block in shown)


def _lines(text: str) -> set[str]:
    return {line.partition("  # ")[0].strip() for line in text.splitlines()} - {""}


@pytest.mark.parametrize(("owner", "name"), re.findall(r"`([A-Z]\w+)\.(\w+)", PAGE))
def test_what_the_page_names_is_there(owner: str, name: str) -> None:
    assert hasattr({"Bounds": Bounds}[owner], name)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with golf in it."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    words = [*pip, "--no-build-isolation", "--no-deps", "--no-index", "--target", str(folder), str(GOLF)]
    subprocess.run(words, check=True, env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"})
    return folder


class Door:
    """The command line where golf is installed."""

    def __init__(self, site: Path, folder: Path) -> None:
        self._env = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(site), os.environ["PYTHONPATH"]]),
            "YAMAFUDA_RESULTS": str(folder / "results"),
        }
        self.folder = folder

    def __call__(self, *words: str, status: int = 0) -> str:
        """Standard output of a command that ends with ``status``; of an error standard error."""
        return self.python("from pipeline.cli import main; main()", *words, status=status)

    def python(self, text: str, *words: str, status: int = 0) -> str:
        """The same of a line of Python."""
        line = [sys.executable, "-c", text, *words]
        done = subprocess.run(
            line,
            env=self._env,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == status, done.stderr
        return done.stderr if status == 2 else done.stdout


@pytest.fixture
def yamafuda(site: Path, tmp_path: Path) -> Door:
    return Door(site, tmp_path)


def test_it_costs_one_package_and_one_config_file() -> None:
    files = [path for path in GOLF.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(len(path.read_text().splitlines()) for path in files) <= LINES_MAX
    assert [path.name for path in files if path.suffix == ".yaml"] == ["golf_sweep.yaml"]


def test_solve_and_check(yamafuda: Door) -> None:
    (yamafuda.folder / "deals.txt").write_text(f"{WON}  # a remark\n{LOST}\n")
    solved = yamafuda("solve", "golf", "deals.txt")
    assert solved.startswith("# rules: no wrap\ndeal 1: won, ")
    assert "\ndeal 2: lost\n" in solved
    (yamafuda.folder / "solved.txt").write_text(solved)
    checked = yamafuda("check", "golf", "deals.txt", "solved.txt")
    moves = solved.splitlines()[1].split(", ")[1]
    assert checked == f"# rules: no wrap\ndeal 1: won after {moves}\ndeal 2: no solution is given\n"


def test_a_wrong_solution_is_told(yamafuda: Door) -> None:
    (yamafuda.folder / "deals.txt").write_text(WON)
    (yamafuda.folder / "wrong.txt").write_text("M0 -> T")
    checked = yamafuda("check", "golf", "deals.txt", "wrong.txt", status=1)
    assert checked.splitlines()[1] == "deal 1: wrong: move 1, M0 on line 1: is not legal here; legal: T"


def test_json_and_limits(yamafuda: Door) -> None:
    (yamafuda.folder / "deals.txt").write_text(WON)
    (found,) = map(json.loads, yamafuda("solve", "golf", "deals.txt", "--json", "--states", "2").splitlines())
    assert (found["outcome"], found["limit"], found["moves"]) == ("undecided", "states", None)


def test_advise_and_show(yamafuda: Door) -> None:
    (yamafuda.folder / "deals.txt").write_text("H2 / C4 | S9 D9\n")
    told = [json.loads(line) for line in yamafuda("advise", "golf", "deals.txt", "--json").splitlines()]
    assert [(play["play"], play["outcome"]) for play in told[0]["plays"]] == [("T", "lost")]
    (yamafuda.folder / "deals.txt").write_text("H2 / C4 / S3 | D3\n")
    assert yamafuda("advise", "golf", "deals.txt").splitlines()[2].startswith("M0  won, ")
    assert yamafuda("show", "golf", "deals.txt") == "H2 / C4 / S3 | D3\n"


def test_from_python(yamafuda: Door) -> None:
    text = f"""
import yamafuda
game = yamafuda.game("golf")
(deal,) = game.read("{WON}")
found = game.solve(deal, wrap=False)
moves = " -> ".join(found["moves"])
replay = game.replay(deal, moves)
plays = game.advise(deal)["plays"]
names = [each.name for each in game.parameters("solve")]
print(found["outcome"], game.check(deal, moves).is_right, len(replay) - len(found["moves"]), replay.ending)
print(plays[0]["outcome"], "wrap" in names, "states" in names, "<pre>" in found._repr_html_())
"""
    assert yamafuda.python(text) == "won True 1 won\nwon True True True\n"


def test_it_is_drawn_replayed_and_played_on(yamafuda: Door) -> None:
    text = (
        "from yamafuda.replays import replay; "
        f"found = replay('golf', {WON!r}, 'T -> M0', at=2); "
        "print(found.steps[2].text, found.problem, [play.written for play in found.plays]); "
        "print(found.steps[2].html)"
    )
    told, html = yamafuda.python(text).split("\n", 1)
    assert told == "S4 / D0 C5 / S9 | C6 HJ  ['T']"
    assert html == '<figure class="cards"><pre>S4 / D0 C5 / S9 | C6 HJ</pre></figure>\n'


@pytest.mark.parametrize("cluster", ["serial", "local"])
def test_sweep_query_and_report(yamafuda: Door, cluster: str) -> None:
    words = [
        "job=golf_sweep",
        "job.deals=12",
        "job.columns=3",
        "job.deal_texts=true",
        "job.solution_texts=true",
    ]
    run = yamafuda("run", *words, f"cluster={cluster}").strip()
    assert yamafuda("run", *words, "cluster=serial").strip() == run
    assert yamafuda("verify", run) == "no problem found\n"
    rows = [
        json.loads(line)
        for line in yamafuda("query", "SELECT deal, solution, outcome FROM golf_sweep", "--json").splitlines()
    ]
    assert len(rows) == 12
    won = [row for row in rows if row["outcome"] == "won"]
    (yamafuda.folder / "deals.txt").write_text("\n".join(row["deal"] for row in won))
    (yamafuda.folder / "solutions.txt").write_text("\n".join(row["solution"] for row in won))
    assert yamafuda("check", "golf", "deals.txt", "solutions.txt").count(": won after ") == len(won) > 0
    (told,) = map(json.loads, yamafuda("report", "golf", "--json").splitlines())
    assert (told["columns"], told["wrap"], told["deals_count"], told["won_count"]) == (3, False, 12, len(won))
    assert yamafuda("report", "golf", "--html", "golf.html") == "golf.html\n"
    page = (yamafuda.folder / "golf.html").read_text()
    for title in ("Random deals that can be won", "States of a search", "Processor time of a search"):
        assert f"<h3>{title}" in page
    assert page.count("<svg") == 6


def test_the_commands_of_the_page(yamafuda: Door) -> None:
    """One after another, the sweep small and on one processor; the first one, pip's, is done."""
    _, *commands = [each for each in shown(PAGE) if "golf" in each.command or each.words[0] == "echo"]
    assert len(commands) == 7
    for each in commands:
        *words, before, file = each.words
        if before != ">":
            words, file = each.words, ""
        if words[0] == "echo":
            printed = " ".join(words[1:]) + "\n"
        elif words[0] == "python":
            printed = yamafuda.python(words[-1])
        else:
            small = ["job.deals=3", "job.columns=3", "cluster=serial"] if words[1] == "run" else []
            printed = yamafuda(*words[1:], *small)
        if file:
            (yamafuda.folder / file).write_text(printed)
        assert printed


def test_its_columns_contradict_none_of_other_games(yamafuda: Door) -> None:
    text = "from engines.contract.columns import all_columns; print('wrap' in all_columns())"
    assert yamafuda.python(text) == "True\n"


def test_it_is_listed(yamafuda: Door) -> None:
    assert "golf_sweep" in yamafuda("jobs")
    for verb in ("solve", "check", "advise", "show", "report"):
        assert "\n  golf " in yamafuda(verb, "--help").partition("Commands:")[2]
    assert "Example: yamafuda solve golf deals.txt" in yamafuda("solve", "golf", "--help")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["run", "job=golf_sweep", "job.columns=8"], "job.columns: must be 1 to 7; got 8"),
        (["solve", "golf", "deals.txt"], "deals.txt, line 1: S3 is there twice"),
        (["play", "golf", "deals.txt"], "play: there is no game 'golf' here; there are: calculation"),
    ],
)
def test_errors(yamafuda: Door, words: list[str], error: str) -> None:
    (yamafuda.folder / "deals.txt").write_text("S3 / S3 / C4")
    assert yamafuda(*words, status=2).startswith(f"yamafuda: {error}")
