"""``yamafuda report RUN``: pages of runs that are whole, begun, empty, damaged, of odd names, or not there."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from pathlib import Path

import pytest
from damages import DAMAGES
from query_helpers import run_of
from section_helpers import assert_page_is_sound, assert_queries_make

import yamafuda
from engines.contract.chart import Axis, Dots, DotSeries, Value
from engines.contract.game import Roots
from pipeline.cli import main
from pipeline.report.content import Content, of_runs
from pipeline.report.drawing import LETTER, NARROW, draw
from pipeline.report.page import page
from storage.errors import UserError

HERE = Path("results")
ROOTS = Roots(HERE, HERE)
ROUNDS = 40


def names_of(content: Content) -> list[str]:
    """Of all sections."""
    return [section.name for chapter in content.chapters for section in chapter.sections]


def test_sweeps_and_tables_have_a_page_for_nothing() -> None:
    sweep, table = run_of("job=toy_sweep", "job.unit_items=8"), run_of("job=toy_table")
    content = of_runs([sweep, table], ROOTS)
    assert content.remarks == ()
    assert names_of(content) == ["outcomes", "elapsed-s", "layers"]
    assert_queries_make(section for chapter in content.chapters for section in chapter.sections)
    shown = assert_page_is_sound(page(content))
    for words in (
        sweep.name,
        table.name,
        "yamafuda run job=toy_sweep job.unit_items=8",
        "done",
        "UTC",
        "engine 1",
    ):
        assert words in shown


def test_what_was_computed_stands_at_the_head() -> None:
    first, second = run_of("job=toy_sweep", "job.unit_items=8"), run_of("job=toy_sweep", "job.unit_items=4")
    alone = page(of_runs([first], ROOTS))
    assert alone.index("<dl>") < alone.index("<h2>")
    assert "#runs" not in alone
    both = page(of_runs([first, second], ROOTS))
    assert both.index("2 runs, begun ") < both.index('href="#runs"') < both.index("<h2>") < both.index("<dl>")


def test_long_names_in_figures_are_wrapped() -> None:
    value = Value(0.5, 0.4, 0.6)
    series = tuple(DotSeries(name, (value, value)) for name in ("ours", "theirs"))
    chart = Dots(Axis("won", "%"), ("short", "draw 3, redeals unlimited, " * 3), series)
    texts = re.findall(r">([^<>]*redeals[^<>]*)</text>", draw(chart, "title", "salt", NARROW))
    assert len(texts) > 1
    assert max(map(len, texts)) * LETTER <= NARROW


def test_what_is_begun_empty_or_of_an_odd_name() -> None:
    begun = run_of("job=toy_sweep", "job.unit_items=4", "label='<script>alert(1)</script> &'")
    (begun / "manifest.json").unlink()
    (begun / "data" / "part-000002.parquet").unlink()
    content = of_runs([begun], ROOTS)
    (outcomes, *_) = content.chapters[0].sections
    assert outcomes.rows[0]["total_count"] == 8
    assert_queries_make(content.chapters[0].sections)
    odd = begun.rename(begun.with_name("<script>'\"- $x$"))
    shutil.rmtree(odd / "data")
    (odd / "data").mkdir()
    empty = of_runs([odd], ROOTS)
    assert (names_of(empty), empty.remarks) == ([], ())
    text = page(empty)
    shown = assert_page_is_sound(text)
    assert "<script>alert(1)</script> &" in shown
    assert odd.name in shown
    assert "There is nothing to show of these runs yet." in shown
    undecodable = odd.rename(odd.with_name(os.fsdecode(b"\xff")))
    told = page(of_runs([undecodable], ROOTS))
    assert_page_is_sound(told)
    assert "UnicodeEncodeError" in told
    told.encode()


@pytest.mark.parametrize("finished", [True, False])
def test_damaged_runs_are_told(workspace: Path, finished: bool, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever becomes of any file, the page is sound and has the other run."""
    sound, other = run_of("job=toy_sweep", "job.unit_items=8"), run_of("job=toy_sweep", "job.seed=2")
    copy = workspace / "copy"
    shutil.copytree(sound, copy)
    told_count = 0
    for number in range(ROUNDS):
        chance = random.Random(f"{number} {finished}")
        shutil.rmtree(sound)
        shutil.copytree(copy, sound)
        if not finished:
            (sound / "manifest.json").unlink()
        likely = [sound / "plan.json", sound / "summary.json", *(sound / "data").iterdir()]
        others = [path for path in sorted(sound.rglob("*")) if path.is_file()]
        path, damage = chance.choice(sorted(likely) * 3 + others), chance.choice(DAMAGES[:-1])
        damage(path, chance)
        what = f"{number}: {damage.__name__} of {path}"
        content = of_runs([sound, other], ROOTS)
        assert other.name in [run.status.name for run in content.runs], what
        assert len(content.runs) + len(content.remarks) >= 2, what
        told_count += bool(content.remarks)
        if number % 10 == 0:
            assert_page_is_sound(page(content))
    assert told_count > ROUNDS / 4
    assert "Traceback" not in "".join(capfd.readouterr())


def test_the_front_door_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run = run_of("job=toy_sweep")
    text = yamafuda.report_html(run.name)
    (found,) = yamafuda.runs()
    assert yamafuda.report_html(found) == text == yamafuda.report_html([found])
    part = yamafuda.report_html(found, body=True)
    assert part in text
    assert "<html" not in part
    assert "There are no runs." in yamafuda.report_html("superpuzz")
    with pytest.raises(UserError, match="no run's name or id begins with 'nothing'"):
        yamafuda.report_html("nothing")
    assert asked(monkeypatch, capfd, run.name, "--html", "run.html") == (0, "run.html\n", "")
    assert Path("run.html").read_text() == text
    assert asked(monkeypatch, capfd, "--html", "all.html") == (0, "all.html\n", "")
    status, out, _ = asked(monkeypatch, capfd, run.name, "--json")
    assert (status, json.loads(out.splitlines()[0])["section"]) == (0, "outcomes")
    status, out, _ = asked(monkeypatch, capfd, run.name)
    assert (status, "\nOutcomes\n" in out) == (0, True)


def asked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *words: str
) -> tuple[int, str, str]:
    """What ``yamafuda report WORDS`` ends with and prints."""
    monkeypatch.setattr("sys.argv", ["yamafuda", "report", *words])
    capfd.readouterr()
    with pytest.raises(SystemExit) as caught:
        main()
    out, err = capfd.readouterr()
    return int(caught.value.code or 0), out, err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["nothing"], "report: there is no game 'nothing' here; there are: calculation"),
        (["klondik"], "report: there is no game 'klondik' here; did you mean klondike?"),
        (["superpuzz", "--html", "missing/page.html"], "--html: missing/page.html cannot be written"),
        (["/etc", "--html", "page.html"], "RUN: no run's name or id begins with '/etc'"),
    ],
)
def test_mistakes(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], words: list[str], error: str
) -> None:
    status, out, err = asked(monkeypatch, capfd, *words)
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f"yamafuda: {error}")


def test_without_words_it_is_that_of_all_runs(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], workspace: Path
) -> None:
    status, out, err = asked(monkeypatch, capfd)
    assert (status, out) == (0, "")
    assert err.startswith("yamafuda: no folder of runs here: results")
    run = run_of("job=toy_sweep")
    status, out, err = asked(monkeypatch, capfd)
    assert (status, err) == (0, "")
    assert run.name in out


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    run = run_of("job=toy_sweep")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, _, err = asked(monkeypatch, capfd, run.name, "--html", "page.html")
    assert (status, err) == (
        2,
        "yamafuda: report: figures are drawn by matplotlib: pip install 'yamafuda[pages]'\n",
    )
