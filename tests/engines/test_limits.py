"""Limits of what has no search of its own to bound: a hit is an outcome with a name, and no other answer changes."""

from __future__ import annotations

import json
import signal
import threading
from importlib import resources
from pathlib import Path

import pytest
from command_helpers import Run

from engines.contract.limit import LimitHitError, within
from engines.tricks import solution
from storage.errors import UserError

HARD = f"A={','.join(map(str, range(32, 0, -2)))} B={','.join(map(str, range(31, 0, -2)))} k=8"
EASY = "AAABABBB k=4"
HIT = {"outcome": "undecided", "limit": "time"}
OWN_HAND = str(resources.files("engines.daifugo") / "examples" / "own-hand.position")


def forever() -> None:
    while True:
        pass


def test_a_limit_that_is_hit() -> None:
    before = signal.getsignal(signal.SIGPROF)
    found = within(0.02, forever)
    assert isinstance(found, LimitHitError)
    assert found.limit == "time"
    assert signal.getsignal(signal.SIGPROF) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert within(1000.0, lambda: 3) == 3
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_another_thread_has_no_signals() -> None:
    errors: list[UserError] = []

    def call() -> None:
        try:
            within(1.0, lambda: None)
        except UserError as error:
            errors.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    assert "main thread" in str(errors[0])


@pytest.mark.parametrize(
    "words",
    [
        ["advise", "daifugo", OWN_HAND, "--playouts", "1000000000"],
        ["prob", "[9{}]; [9{}]", "--tables", "none", "--stacks", "4"],
        ["advise", "stackgame", "[9{}]; [9{}]", "--tables", "none", "--stacks", "4"],
    ],
    ids=" ".join,
)
def test_answers_say_which_limit_was_hit(yamafuda: Run, words: list[str]) -> None:
    status, out, err = yamafuda(*words, "--time-s", "0.001", "--json")
    assert (status, json.loads(out), err) == (0, HIT, "")
    assert ": undecided (limit: time)\n" in yamafuda(*words, "--time-s", "0.001")[1]


@pytest.mark.parametrize("verb", ["solve", "advise"])
@pytest.mark.usefixtures("workspace")
def test_deals_after_one_that_is_too_hard(yamafuda: Run, verb: str) -> None:
    Path("two.deals").write_text(f"{HARD}\n{EASY}\n")
    status, out, _ = yamafuda(verb, "tricks", "two.deals", "--time-s", "0.02", "--json")
    hard, easy = out.splitlines()
    assert (status, json.loads(hard)) == (0, HIT)
    assert f"{easy}\n" == yamafuda(verb, "tricks", EASY, "--json")[1]


def test_too_many_states_are_a_limit(yamafuda: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "STATES_MAX", 3)
    status, out, _ = yamafuda("solve", "tricks", EASY, "--json")
    assert (status, json.loads(out)) == (0, {"outcome": "undecided", "limit": "states"})


@pytest.mark.parametrize(
    "words", [["solve", "tricks", EASY], ["prob", "[1{}]"], ["advise", "daifugo", OWN_HAND]]
)
def test_a_time_that_is_none(yamafuda: Run, words: list[str]) -> None:
    for time_s in ("0", "-1", "nan", "inf"):
        status, out, err = yamafuda(*words, f"--time-s={time_s}")
        assert (status, out) == (2, "")
        assert err.startswith("yamafuda: --time-s: must be more than 0 and finite; got ")
