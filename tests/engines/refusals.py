"""Texts that are wrong, and how readers, commands and jobs refuse them: in one line that names the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from command_helpers import Run
from hypothesis import strategies as st
from run_helpers import run_of

from storage.errors import UserError

Result = TypeVar("Result")


def attempt(call: Callable[[], Result]) -> Result | None:
    """What a call returns; None when it ends in a user's error, which must be one line that names a place."""
    try:
        return call()
    except UserError as error:
        place, text = error.field, str(error)
    assert place
    assert len(text.splitlines()) == 1
    return None


def complaint(call: Callable[[], object]) -> str:
    """The user's error that a call ends in: one line."""
    with pytest.raises(UserError) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def changed(text: str, old: str, new: str) -> str:
    """A text with one thing in it changed, the first of its kind."""
    assert old in text, old
    return text.replace(old, new, 1)


def each_changed(*tables: tuple[str, Sequence[tuple[str, str, str]]]) -> pytest.MarkDecorator:
    """For a test of ``wrong`` and ``message``: texts with one thing changed, each by a table of (old, new, message)."""
    cases = [
        pytest.param(changed(text, old, new), message, id=f"{old!r}, {new!r}")
        for text, table in tables
        for old, new, message in table
    ]
    return pytest.mark.parametrize(("wrong", "message"), cases)


@st.composite
def mistyped(draw: st.DrawFn, texts: Sequence[str], pieces: Sequence[str]) -> str:
    """One of the texts, 1 to 4 of its characters changed into some of ``pieces``."""
    typed = list(draw(st.sampled_from(texts)))
    for _ in range(draw(st.integers(1, 4))):
        typed[draw(st.integers(0, len(typed) - 1))] = draw(st.sampled_from(pieces))
    return "".join(typed)


def assert_refused(yamafuda: Run, *words: str, message: str = "") -> str:
    """A command of these words prints nothing but an error, which begins like this; the whole of it."""
    status, out, err = yamafuda(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"yamafuda: {message}")
    return err


def assert_named(name: str, word: str, field: str) -> None:
    """What is wrong in ``job=NAME job.WORD`` is named before any work; a file by the last part of its name."""
    with pytest.raises(UserError) as caught:
        run_of(name, word)
    assert Path(caught.value.field).name == field
    assert not Path("results").exists()
