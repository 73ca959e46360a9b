"""What commands say while they compute."""

from __future__ import annotations

import io
import re
import time

import pytest

from engines.solitaire.limits import Bounds
from pipeline import waiting
from pipeline.waiting import Waiting


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "QUIET_S", 0.1)
    monkeypatch.setattr(waiting, "PERIOD_S", 0.02)


def test_a_line_tells_what_is_computed_and_is_gone_after_it() -> None:
    screen = Terminal()
    shown = Waiting("deal", 2, "1,000 states", screen)
    with shown.at(1):
        time.sleep(0.3)
    first = screen.getvalue()
    assert re.match(r"\r\x1b\[Kdeal 1 of 2: 0\.\d+ s; ", first)
    assert "; at most 1,000 states" in first
    assert first.count("\r\x1b[K") > 3
    assert first.endswith("\r\x1b[K")
    with shown.at(2):
        time.sleep(0.1)
    later = screen.getvalue()[len(first) :]
    assert later.startswith("\r\x1b[Kdeal 2 of 2: ")
    assert " in all; at most" in later


def test_what_is_quick_is_not_spoken_of() -> None:
    screen = Terminal()
    with Waiting("deal", 1, stream=screen).at(1):
        pass
    assert screen.getvalue() == ""


def test_nothing_is_said_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with Waiting("deal", 1, stream=stream).at(1):
        time.sleep(0.2)
    assert stream.getvalue() == ""


def test_an_error_ends_it() -> None:
    screen = Terminal()

    def search() -> None:
        with Waiting("deal", 1, stream=screen).at(1):
            time.sleep(0.2)
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        search()
    assert screen.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Bounds(), ""),
        (Bounds(1000, 2 << 30, 0.5), "1,000 states, 2.15 GB, 0.5 s of processor time"),
        (Bounds(memory_bytes=1 << 20), "1.05 MB"),
    ],
)
def test_bounds_in_words(bounds: Bounds, words: str) -> None:
    assert bounds.words() == words
