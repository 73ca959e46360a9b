"""The commands of every page are run, one page after another, each in a folder with the files that it speaks of.

Where a page shows what a command prints, it prints that. Other jobs are made small. What is not run is named below, and
why.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from documents import PAGES, ROOT, Shown, is_whole, named, shown

from pipeline.cli import main

Run = Callable[..., tuple[int, str]]
ELSEWHERE = {
    r"make ": "these build, measure and check; make check-speed runs some of them, make test all that is here",
    r"python3 -m venv|\. (yamafuda-env|\.venv)|pip install 'dist/": "tests/test_packaging.py installs a release",
    r"pip install 'yamafuda": "needs a network",
    r"(pip install \./|yamafuda .*|python -c .*)golf": "tests/games/test_golf.py installs golf, and runs these",
    r"export |docker ": "needs docker: make check-docker",
    r"curl ": "needs a driver at work; tests/pipeline/test_metrics.py asks one",
    r"yamafuda run .*cluster=address": "needs a cluster; tests/pipeline/test_nodes.py has one",
    r"yamafuda submit": "needs a cluster with a dashboard; tests/pipeline/test_submit.py has one",
    r"yamafuda serve(?!-)": "serves until it is stopped; tests/pages/test_serving.py stops it",
    r"yamafuda (serve|play)-uecda": "waits for players; tests/engines/daifugo/test_uecda_match.py has some",
    r"yamafuda run job=daifugo_uecda .*commands=": "needs programs of others",
    r"yamafuda cancel": "needs a driver at work; tests/pipeline/test_stop.py stops one",
    r"cargo ": "needs a release build of the crate's examples; make lint compiles them",
}
"""How commands begin that are not run here, and why, or what runs them."""

DAIFUGO = "job.games=1 job.records=true"
SMALL = {
    "calculation_best": "job.limits.states=1000",
    "calculation_open": "job.ranks=4 job.deals=2",
    "calculation_sweep": "job.ranks=5 job.deals=2",
    "daifugo_estimate": "job.games=1 job.positions=1 job.worlds=5",
    "daifugo_figure9": DAIFUGO,
    "daifugo_learn": "job.games=2",
    "daifugo_parts": DAIFUGO,
    "daifugo_table1": DAIFUGO,
    "daifugo_tournament": DAIFUGO,
    "klondike": "job.deals=2",
    "klondike_blind": "job.deals=1 job.samples=2 job.search_states=100",
    "stackgame_play": "job.games=20",
    "superpuzz": "job.columns=3 job.deals=2",
    "tricks": "job.cards=4",
}
"""Fields that make jobs small, by the beginning of their names; the longest one counts."""

EXAMPLES = ROOT / "engines"
FILES = {
    "docs/games/klondike.md": {
        "deals.txt": "stock: C2 D3 DA / 0: | C3 / 1: CA | D2",
        "half.position": "stock: C2 ?? DA / 0: | C3 / 1: ?? | D2",
    },
    "docs/games/superpuzz.md": {"deals.txt": EXAMPLES / "superpuzz/examples/figure-7.deal"},
    "docs/games/calculation.md": {
        "decks.txt": EXAMPLES / "calculation/examples/eight-ranks.deck",
        "position.txt": "ranks: 8/0: 3 4 5 6 7 8/1: 2 4 6 8 1 3 5 7/2: 6 1 4 7 2 5 8/3: 4 8 1 5 2 6 3 7/0: 5/1: 7/2:",
    },
    "docs/games/daifugo.md": {
        "position.txt": EXAMPLES / "daifugo/examples/end-game.position",
        "games.record": EXAMPLES / "daifugo/examples/lot.record",
    },
}
"""What commands of a page read and none of them writes."""
KEPT = {"yamafuda play calculation decks.txt": "games.txt"}
"""What a command prints, where another one of its page reads it from a file."""
BEFORE = {
    "README.md": ["run job=stackgame_table job.cards=3"],
    "docs/cluster.md": ["run job=klondike_sweep job.deals=2"],
    "docs/data.md": ["run job=klondike_sweep job.deals=2"],
    "docs/querying.md": [
        "run job=klondike_sweep job.deals=2 job.redeals=2",
        "run job=stackgame_table job.cards=8",
    ],
    "docs/games/calculation.md": [
        "run job=stackgame_table job.cards=4",
        "run job=stackgame_table job.cards=7",
    ],
}
"""Commands whose runs the page takes to be there."""
NAMES = {
    r"\[UNIT\]": lambda: "",
    r"\b000017\b": lambda: "000000",
    r"(?<=export )RUN(?= --to)": lambda: newest("stackgame_table/*"),
    r"(?<=remove )RUN": lambda: f"{newest('*/*')} --yes",
    r"\bRUN(\.\.\.)?(?=$| )": lambda: newest("*/*"),
    r"\b(JOB|NAME)\b": lambda: "klondike_sweep",
}
"""Words that stand for others, and what to take for them."""
VARYING = [(r"[0-9.]+ s\b", "N s"), (r"-[0-9a-f]{12}\b", "-ID")]
"""Times, and run ids, which change with an engine's version."""
PROGRESS = re.compile(r"\w+: (\w+ [0-9]+, )?[0-9,]+ of [0-9,]+ (items|units) ")
"""Lines of a run that takes more than ten seconds, as on a busy machine."""


@pytest.fixture
def yamafuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process, in an empty folder: exit status, all that it prints."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "engines").symlink_to(EXAMPLES)
    for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["yamafuda", *words])
        monkeypatch.setattr(sys, "stdin", io.StringIO("SELECT * FROM runs"))
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        return int(caught.value.code or 0), err + out

    return call


def newest(pattern: str) -> str:
    """The name of the run that ended last."""
    return max(Path("results").glob(pattern), key=lambda run: run.stat().st_mtime_ns).name


def of_page(page: str) -> Iterator[Shown]:
    """Its commands in blocks, then those in sentences that are whole and new; a verb alone only names a command."""
    blocks = list(shown(page))
    yield from blocks
    there = {" ".join(each.words) for each in blocks}
    for each in dict.fromkeys(named(page)):
        verb, *rest = each.words[1:]
        if (rest or verb.startswith("-")) and is_whole(each) and " ".join(each.words) not in there:
            yield each


def elsewhere(each: Shown) -> list[str]:
    """What says why it is not run here."""
    return [pattern for pattern in ELSEWHERE if re.match(pattern, each.command)]


def small(each: Shown) -> list[str]:
    """Its words, with names filled in; of a run whose output is not shown, and that is not only told, a small one."""
    if each.output is not None:
        return each.words[1:]
    command = each.command
    for pattern, name in NAMES.items():
        if re.search(pattern, command):
            command = re.sub(pattern, name(), command)
    words = Shown(command).words[1:]
    if words[0] == "run" and "--dry-run" not in words:
        (jobs,) = re.findall(r"\bjob=(\w+)", command)[:1]
        known = [job for job in SMALL if jobs.startswith(job)]
        words += SMALL[max(known, key=len)].split() if known else []
        words.append("cluster=serial")
    return words


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if list(of_page(page))])
def test_commands_of_a_page(name: str, yamafuda: Run) -> None:
    for file, text in FILES.get(name, {}).items():
        Path(file).write_text(text if isinstance(text, str) else text.read_text())
    for command in BEFORE.get(name, []):
        assert yamafuda(*command.split())[0] == 0
    for each in of_page(PAGES[name]):
        if each.words[0] == "echo":
            Path(each.words[-1]).write_text(" ".join(each.words[1:-2]) + "\n")
        elif not elsewhere(each):
            status, printed = yamafuda(*small(each))
            assert status == 0, f"{each.command}\n{printed}"
            if each.output is not None:
                lines = [
                    masked(line) for line in printed.rstrip("\n").splitlines() if not PROGRESS.match(line)
                ]
                assert agree([masked(line) for line in each.output], lines), f"{each.command}\n{printed}"
            for beginning, file in KEPT.items():
                if each.command.startswith(beginning):
                    Path(file).write_text(printed)


def masked(line: str) -> str:
    """It without what differs from run to run."""
    for pattern, name in VARYING:
        line = re.sub(pattern, name, line)
    return line.rstrip()


def agree(expected: list[str], printed: list[str]) -> bool:
    """Whether these lines were printed; ``...`` stands for any number of them, at the end of a line for its rest."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(agree(expected[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    if not printed:
        return False
    first = expected[0]
    same = printed[0].startswith(first[:-4]) if first.endswith(" ...") else printed[0] == first
    return same and agree(expected[1:], printed[1:])


def test_what_is_not_run_is_there_and_what_runs_it_is() -> None:
    commands = [each for page in PAGES.values() for each in [*shown(page), *named(page)]]
    assert {pattern for each in commands for pattern in elsewhere(each)} == set(ELSEWHERE)
    for reason in ELSEWHERE.values():
        assert all((ROOT / path).exists() for path in re.findall(r"tests/\S+\.py", reason))


def test_lines_that_are_missing_are_noticed() -> None:
    assert agree(["a", "...", "c", "d ..."], ["a", "b", "c", "d e"])
    assert not agree(["a", "..."], ["b"])
    assert not agree(["a", "b"], ["a"])
    assert not agree(["a"], ["a", "b"])
