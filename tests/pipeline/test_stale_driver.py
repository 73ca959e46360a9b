"""A driver that was stopped for longer than its lease, and goes on where another one has finished the run since."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from toy_helpers import compose

from pipeline import lease as leases
from pipeline import summary
from pipeline.lease import LeaseLostError
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.layout import run_folders
from storage.place import ObjectPath, place_at

WORDS = ("job=toy_sweep", "job.items=20")
THEIRS = b'{"written": "by the other driver"}'


@pytest.fixture
def root(bucket: str, monkeypatch: pytest.MonkeyPatch, workspace: object) -> ObjectPath:
    monkeypatch.setattr(leases, "RENEW_S", 1e6)  # it is stopped
    monkeypatch.setenv("YAMAFUDA_RESULTS", f"{bucket}/results")
    found = place_at(f"{bucket}/results")
    assert isinstance(found, ObjectPath)
    return found


def another_driver(root: ObjectPath, *names: str) -> ObjectPath:
    """Take the run over and write some of its files."""
    (run,) = run_folders([root])
    assert isinstance(run, ObjectPath)
    owner = {"host": "elsewhere", "pid": 7, "begun": "1", "machine": "other", "token": "t"}
    store = type(run.store)(run.store.url)
    store.replace((run / "driver.lock").key, json.dumps(owner).encode())
    for name in names:
        store.replace((run / name).key, THEIRS)
    return run


def stopping(
    monkeypatch: pytest.MonkeyPatch, place: object, name: str, meanwhile: Callable[[], object]
) -> None:
    """``meanwhile`` happens before a function is called."""
    real = getattr(place, name)

    def late(*given: object, **named: object) -> object:
        meanwhile()
        return real(*given, **named)

    monkeypatch.setattr(place, name, late)


def test_at_its_end(root: ObjectPath, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("summary.json", "manifest.json", "journal.jsonl")
    stopping(monkeypatch, summary, "versions", lambda: another_driver(root, *names))
    with pytest.raises(LeaseLostError, match="process 7 on elsewhere has taken this run over"):
        run_job(compose(*WORDS), SerialRunner())
    (run,) = run_folders([root])
    assert [(run / name).read_bytes() for name in names] == [THEIRS] * 3


def test_before_its_first_unit(root: ObjectPath, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not remove what it takes for a start that was refused."""
    runner = SerialRunner()
    stopping(monkeypatch, runner, "start", lambda: another_driver(root, "journal.jsonl", "logs/000001.jsonl"))
    with pytest.raises(LeaseLostError):
        run_job(compose(*WORDS), runner)
    (run,) = run_folders([root])
    assert (run / "driver.lock").is_file()
    assert (run / "journal.jsonl").read_bytes() == THEIRS
    assert (run / "logs" / "000001.jsonl").read_bytes() == THEIRS
