"""One driver to a run on an object store: a lease, which its owner renews and which runs out when it does not.

The object says who holds it and how often it was renewed. A driver that wants a leased run watches it for as
long as a lease lasts: is it still renewed? The watcher uses its own steady clock; clocks of other machines, or
clocks that jump, do not matter. Taking over is a replacement on the condition that nothing has changed
meanwhile. A driver that was cut off finds, when it renews again, that another one has the lease, and stops. Its
workers may still write units; there the first writer wins.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from storage.errors import UserError
from storage.jsontext import parse_json
from storage.place import ObjectPath
from storage.stores.owned import owning

LEASE_S = 12.0
"""How long a lease lasts after it was last renewed."""
RENEW_S = 3.0
LOOK_S = 0.5


class LeaseLostError(UserError):
    """Another driver has the run now."""


class Lease:
    """A driver's hold on a run; renewed in a thread from ``take`` until ``release``."""

    def __init__(self, path: ObjectPath) -> None:
        self._path = path
        self._owner: dict[str, Any] = {**_self(), "token": secrets.token_hex(8)}
        self._generation = 0
        self._renewed_count = 0
        self._tag = ""
        self._lock = threading.Lock()
        self._leave = threading.Event()
        self._lost = ""
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)

    def take(self) -> None:
        """Take the lease; UserError that names its owner when that is alive."""
        tag = self._path.store.put_tagged(self._path.key, self._content())
        while tag is None:
            tag = self._take_over()
        self._tag = tag
        self._thread.start()

    def check(self) -> None:
        """LeaseLostError when another driver has taken the run over; asks the store."""
        if not self._lost:
            self._renew()
        if self._lost:
            raise LeaseLostError(
                self._path.parent.name,
                f"{self._lost} has taken this run over, for this driver did not answer for {LEASE_S:.0f} s; what it "
                "has finished counts",
            )

    @property
    def is_lost(self) -> bool:
        """Whether another driver has it, as far as is known."""
        return bool(self._lost)

    def release(self) -> None:
        """Give it back, if it is still ours."""
        self._leave.set()
        self._thread.join()
        with suppress(UserError):
            if not self._lost:
                self._renew()
            if not self._lost:
                self._path.unlink(missing_ok=True)

    def _take_over(self) -> str | None:
        """Wait until the owner is known to be gone; the lease's tag then, or None when the lease was given back."""
        store, key = self._path.store, self._path.key
        entry, owner = store.look(key), read_lease(self._path)
        if entry is None:
            return store.put_tagged(key, self._content())
        generation = owner.get("generation")
        self._generation = 1 + (generation if type(generation) is int else 0)
        if not is_gone(owner):
            begun_s = time.monotonic()
            print(
                f"yamafuda: {self._path.parent.name} was driven by {in_words(owner)}; looking whether it still is, "
                f"up to {LEASE_S:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            while time.monotonic() - begun_s < LEASE_S:
                time.sleep(LOOK_S)
                now = store.look(key)
                if now is None:
                    return store.put_tagged(key, self._content())
                if now.tag != entry.tag:
                    raise held_error(self._path, in_words(read_lease(self._path)))
        tag = store.replace_tagged(key, self._content(), entry.tag)
        if tag is None:
            raise held_error(self._path, in_words(read_lease(self._path)))
        return tag

    def _content(self) -> bytes:
        state = {
            **self._owner,
            "generation": self._generation,
            "renewed_count": self._renewed_count,
            "deadline": round(time.time() + LEASE_S, 3),
        }
        return json.dumps(state).encode()

    def _keep(self) -> None:
        while not self._leave.wait(RENEW_S):
            with suppress(
                UserError
            ):  # an error of the store: the driver meets it too, or finds that another driver has the run
                self._renew()
            if self._lost:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    def _renew(self) -> None:
        with self._lock:
            self._renewed_count += 1
            tag = self._path.store.replace_tagged(self._path.key, self._content(), self._tag)
            if tag is not None:
                self._tag = tag
                return
            # When a request is sent twice, the second one finds what the first has done.
            entry, owner = self._path.store.look(self._path.key), read_lease(self._path)
            if entry is not None and owner.get("token") == self._owner["token"]:
                self._tag = entry.tag
            else:
                self._lost = in_words(owner)


@contextmanager
def leased(path: ObjectPath) -> Iterator[Lease]:
    """Hold the lease at ``path`` while inside, and replace the run's files as their owner.

    UserError when another driver holds it; LeaseLostError from a replacement after another driver has taken it.
    """
    lease = Lease(path)
    lease.take()
    run = path.parent
    # Files of units, in data/ and the like, are many, and are never replaced.
    folders = [run.key, *((run / name).key for name in ("units", "logs", "failed"))]
    try:
        with owning(path.store, run.key, folders, path.key, lease.check):
            yield lease
    finally:
        lease.release()


def held_error(path: ObjectPath, owner: str) -> UserError:
    """What is said to a second driver."""
    return UserError(path.parent.name, f"this run is driven by {owner}; wait or cancel it")


def read_lease(path: ObjectPath) -> dict[str, Any]:
    """What a lease says; nothing when there is none, or it is damaged."""
    try:
        found = parse_json(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def is_live(path: ObjectPath) -> bool:
    """Whether a lease seems to be renewed, by the clocks of both machines: good enough to show, not to rely on."""
    owner = read_lease(path)
    deadline = owner.get("deadline")
    return isinstance(deadline, int | float) and time.time() < deadline and not is_gone(owner)


def in_words(owner: dict[str, Any]) -> str:
    """Who holds a lease."""
    return (
        f"process {owner['pid']} on {owner['host']}"
        if "pid" in owner and "host" in owner
        else "another process"
    )


def is_gone(owner: dict[str, Any]) -> bool:
    """Whether a lease's owner was a process of this machine that has ended."""
    here = _self()
    if (
        any(owner.get(name) != here[name] for name in ("host", "machine"))
        or type(owner.get("pid")) is not int
    ):
        return False
    return _begun(owner["pid"]) != owner.get("begun")


def _self() -> dict[str, Any]:
    """A name for this process that no other one on any machine has."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    pids = Path("/proc/self/ns/pid").readlink()
    pid = os.getpid()
    return {"host": socket.gethostname(), "pid": pid, "begun": _begun(pid), "machine": f"{boot} {pids}"}


def _begun(pid: int) -> str:
    """When a process began, in ticks since the machine started; empty when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in ("Z", "X") else fields[19]
