"""The lease of a run on an object store: renewed, taken over when its owner is gone, lost when another took it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time

import pytest

from pipeline import lease as leases
from pipeline.lease import Lease, LeaseLostError, is_gone, is_live, leased, read_lease
from pipeline.lock import driver_lock, holder, is_held
from storage.errors import UserError
from storage.place import ObjectPath, place_at


@pytest.fixture
def path(bucket: str, monkeypatch: pytest.MonkeyPatch) -> ObjectPath:
    monkeypatch.setattr(leases, "LEASE_S", 1.5)
    monkeypatch.setattr(leases, "RENEW_S", 0.2)
    monkeypatch.setattr(leases, "LOOK_S", 0.1)
    found = place_at(bucket)
    assert isinstance(found, ObjectPath)
    return found / "run" / "driver.lock"


def elsewhere(path: ObjectPath, **values: object) -> None:
    """A lease of a driver of another machine, which nobody renews."""
    owner = {"host": "elsewhere", "pid": 7, "begun": "1", "machine": "other", "token": "t", **values}
    path.store.replace(path.key, json.dumps(owner).encode())


def test_a_live_driver_keeps_its_run_and_is_named(path: ObjectPath) -> None:
    with driver_lock(path):
        time.sleep(0.5)
        assert is_held(path)
        assert read_lease(path)["renewed_count"] >= 1
        assert holder(path) == f"process {os.getpid()} on {socket.gethostname()}"
        with pytest.raises(UserError, match=f"driven by process {os.getpid()} on "), driver_lock(path):
            pass
    assert not is_held(path)
    assert not path.is_file()


def test_a_lease_that_nobody_renews_is_taken_over(
    path: ObjectPath, capsys: pytest.CaptureFixture[str]
) -> None:
    # A deadline of a clock that is ahead: it does not count.
    elsewhere(path, deadline=time.time() + 1e6, generation=4)
    begun_s = time.monotonic()
    with leased(path):
        assert time.monotonic() - begun_s >= leases.LEASE_S
        assert read_lease(path)["generation"] == 5
    assert "was driven by process 7 on elsewhere; looking whether it still is" in capsys.readouterr().err


def test_a_lease_of_a_killed_process_of_this_machine_is_free_at_once(path: ObjectPath) -> None:
    program = (
        "import sys, pipeline.lease as l; from storage.place import place_at;"
        "l.Lease(place_at(sys.argv[1])).take(); print('held', flush=True); import time; time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    assert is_live(path)
    assert not is_gone(read_lease(path))
    process.kill()
    process.wait()
    assert is_gone(read_lease(path))
    assert not is_live(path)
    begun_s = time.monotonic()
    with leased(path):
        assert time.monotonic() - begun_s < leases.LEASE_S


def test_who_lost_a_lease_learns_it_and_leaves_it_alone(
    path: ObjectPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda pid, number: None)  # the thread would end this process
    lease = Lease(path)
    lease.take()
    elsewhere(path)
    with pytest.raises(LeaseLostError, match="process 7 on elsewhere has taken this run over"):
        lease.check()
    assert lease.is_lost
    lease.release()
    assert read_lease(path)["token"] == "t"


def test_a_renewal_that_was_sent_twice_is_no_loss(path: ObjectPath) -> None:
    with leased(path) as lease:
        lease._tag = "that of the answer that was lost"
        lease.check()
        assert not lease.is_lost


def test_a_damaged_lease_is_taken_over(path: ObjectPath) -> None:
    path.store.replace(path.key, b"no JSON")
    assert not is_live(path)
    with leased(path):
        assert is_live(path)


def test_a_store_that_refuses_does_not_end_the_renewal(
    path: ObjectPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    with leased(path) as lease:
        renew = path.store.replace_tagged

        def refuse(*given: object) -> str:
            raise UserError("s3://bucket", "the store refuses it")

        monkeypatch.setattr(path.store, "replace_tagged", refuse)
        time.sleep(0.5)
        monkeypatch.setattr(path.store, "replace_tagged", renew)
        before = read_lease(path)["renewed_count"]
        time.sleep(0.5)
        assert read_lease(path)["renewed_count"] > before
        assert not lease.is_lost


def test_a_generation_that_is_none_counts_as_the_first(path: ObjectPath) -> None:
    elsewhere(path, generation="many")
    with leased(path):
        assert read_lease(path)["generation"] == 1
