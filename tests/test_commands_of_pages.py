"""Every command in every page is one that there is; where a page shows what it prints, it prints that."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from documents import PAGES, ROOT, Shown, named, section, shown

from pipeline.cli import app, main
from pipeline.config import composing
from storage.errors import UserError

Run = Callable[..., tuple[int, str]]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
JOBS = {path.stem for path in (ROOT / "conf" / "job").glob("*.yaml")}
OTHERS = {"golf_sweep", "bold"}
"""Jobs that pages add."""
VARYING = [(r"[0-9.]+ s\b", "N s"), (r"-[0-9a-f]{12}\b", "-ID")]
"""Times, and run ids, which change with an engine's version."""


@pytest.fixture
def yamafuda(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process: exit status, all that it prints."""
    monkeypatch.setenv("YAMAFUDA_RESULTS", str(tmp_path / "results"))
    for name in ("YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["yamafuda", *words])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capfd.readouterr()
        return int(caught.value.code or 0), err + out

    return call


def of_pages(which: Callable[[str], Any]) -> list[Any]:
    """What ``which`` finds in the pages, a parameter each, without repeats."""
    found = {" ".join(each.words): (each, name) for name, page in PAGES.items() for each in which(page)}
    return [pytest.param(each, id=f"{name}: {words[:60]}") for words, (each, name) in found.items()]


def masked(line: str) -> str:
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


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, page in PAGES.items()
        if name != "README.md" and any(each.output is not None for each in shown(page))
    ],
)
def test_what_pages_show_is_printed(name: str, yamafuda: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for each in shown(PAGES[name]):
        if each.output is not None:
            run(each, yamafuda)


def test_the_start_of_the_readme(yamafuda: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands run one after another in an empty folder."""
    monkeypatch.chdir(tmp_path)
    commands = list(shown(section(PAGES["README.md"], "Start")))
    assert [each.words[1] for each in commands if each.words[0] == "yamafuda"][-1] == "serve"
    for each in commands[:-1]:
        words = each.words
        if words[0] == "echo":
            Path(words[-1]).write_text(" ".join(words[1:-2]) + "\n")
        else:
            run(each, yamafuda)


PROGRESS = re.compile(r"\w+: [0-9,]+ of [0-9,]+ (items|units) ")
"""Lines of a run that takes more than ten seconds, as on a busy machine."""


def run(each: Shown, yamafuda: Run) -> None:
    """It prints what its page shows, if that shows something."""
    status, printed = yamafuda(*each.words[1:])
    assert status == 0, printed
    if each.output is not None:
        lines = [masked(line) for line in printed.rstrip("\n").splitlines() if not PROGRESS.match(line)]
        assert agree([masked(line) for line in each.output], lines), f"{each.command}\n{printed}"


@pytest.fixture(scope="module")
def composer() -> Any:
    """Makes configurations of words."""
    with composing(None) as made:
        yield made


@pytest.mark.parametrize("each", of_pages(shown))
def test_a_command_can_be_given(each: Shown, composer: Any) -> None:
    """Its words are those of a command and its options, of a target of make, of a job and its fields."""
    first, *words = each.words
    if first == "yamafuda":
        parsed(words)
        check_fields(words, composer)


@pytest.mark.parametrize("each", of_pages(named))
def test_a_command_that_is_named_is_there(each: Shown, composer: Any) -> None:
    """As above, but for what it needs besides."""
    first, *words = each.words
    if first == "make":
        assert {word for word in words if "=" not in word} <= TARGETS
    else:
        try:
            parsed(words)
        except typer.TyperException as error:
            if type(error).__name__ != "MissingParameter":
                raise
        except typer.Exit:
            pass
        except UserError as error:
            if "names no game" not in str(error):
                raise
        check_fields(words, composer)


def check_fields(words: list[str], composer: Any) -> None:
    """Of a run: each field is there and takes its value, of a series the last one."""
    if words[0] in ("run", "submit"):
        overrides = [word for word in words[1:] if word.startswith("job")]
        if overrides and not {f"job={name}" for name in OTHERS} & set(overrides):
            composer.compose_unchecked(composer.expand(overrides)[-1])


def parsed(words: list[str]) -> None:
    """Every word has a place; an error of typer's if not."""
    command: Any = typer.main.get_command(app)
    context, name = None, "yamafuda"
    while True:
        context = command.make_context(name, list(words), parent=context)
        words = [*getattr(context, "_protected_args", []), *context.args]
        if not words or not hasattr(command, "resolve_command"):
            return
        name, command, words = command.resolve_command(context, words)


def test_a_command_that_there_is_not_is_noticed() -> None:
    with pytest.raises(Exception, match="nonsense"):
        parsed(["solve", "klondike", "deals.txt", "--nonsense"])


@pytest.mark.parametrize("name", PAGES)
def test_jobs_that_pages_name_are_there(name: str) -> None:
    jobs = {
        job
        for words in re.findall(r"\bjob=([a-z][a-z0-9_,]*)", PAGES[name])
        for job in words.rstrip(",").split(",")
        if not job.startswith("_")
    }
    assert jobs <= JOBS | OTHERS
