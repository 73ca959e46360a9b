"""Commands in pages are there, with their options, jobs and fields (test_running_pages.py runs them)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from documents import PAGES, ROOT, Shown, is_whole, named, parsed, shown

from pipeline.config import composing

TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
JOBS = {path.stem for path in (ROOT / "conf" / "job").glob("*.yaml")}
OTHERS = {"golf_sweep", "bold", "few"}
"""Jobs that pages add."""


def of_pages(which: Callable[[str], Any]) -> list[Any]:
    """What ``which`` finds in the pages, a parameter each, without repeats."""
    found = {" ".join(each.words): (each, name) for name, page in PAGES.items() for each in which(page)}
    return [pytest.param(each, id=f"{name}: {words[:60]}") for words, (each, name) in found.items()]


@pytest.fixture(scope="module")
def composer() -> Any:
    """Makes configurations of words."""
    with composing(None) as made:
        yield made


@pytest.mark.parametrize("each", of_pages(shown))
def test_a_command_can_be_given(each: Shown, composer: Any) -> None:
    """Its words are those of a command and its options, of a target of make, of a job and its fields."""
    check(each, composer)


@pytest.mark.parametrize("each", of_pages(named))
def test_a_command_that_is_named_is_there(each: Shown, composer: Any) -> None:
    """As above, but for what it needs besides."""
    if is_whole(each):
        check(each, composer)


def check(each: Shown, composer: Any) -> None:
    """Its words fit. (Golf is not installed here; ``...`` stands for words.)"""
    first, *words = each.words
    if first == "make":
        assert {word for word in words if "=" not in word} <= TARGETS
    elif first == "yamafuda" and "golf" not in each.command and "..." not in words:
        parsed(words[: words.index(">")] if ">" in words else words)
        check_fields(words, composer)


def check_fields(words: list[str], composer: Any) -> None:
    """Of a run: each field is there and takes its value, of a series the last one."""
    if words[0] in ("run", "submit"):
        overrides = [word for word in words[1:] if word.startswith("job")]
        if overrides and not {f"job={name}" for name in OTHERS} & set(overrides):
            composer.compose_unchecked(composer.expand(overrides)[-1])


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


def test_all_jobs_are_in_their_table() -> None:
    table = [line for line in PAGES["docs/runs.md"].splitlines() if line.startswith("| `")]
    assert {job for line in table for job in re.findall(r"`(\w+)`", line.split("|")[1])} == JOBS
