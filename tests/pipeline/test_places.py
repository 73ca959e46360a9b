"""Units of nodes that are lost without a word are found by the marks that they left."""

from __future__ import annotations

import dataclasses
import socket
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from toy_helpers import compose

from pipeline.contracts.units import Units
from pipeline.run import plan_run
from pipeline.runners import ray_places
from pipeline.runners.ray_places import GRACE_S, HEED_S, LOOK_S, MARK_S, REST_S, Places, execute_in_place
from pipeline.tasks import Outcome, Task
from storage.errors import DiskFullError


@dataclass(frozen=True)
class Reference:
    name: str

    def task_id(self) -> bytes:
        return self.name.encode()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A cluster whose units a1 and a2 are on node a, b1 on node b; the time, to be set."""
    marks = {b"job/a/" + name.encode().hex().encode() for name in ("a1", "a2")} | {
        b"job/b/" + b"b1".hex().encode()
    }
    now = [1000.0]

    def listed(prefix: bytes, namespace: Any) -> list[bytes]:
        return [mark for mark in marks if mark.startswith(prefix)]

    monkeypatch.setattr(ray_places.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(ray_places.kv, "_internal_kv_list", listed)
    context = SimpleNamespace(get_job_id=lambda: "job")
    monkeypatch.setattr(ray_places.ray, "get_runtime_context", lambda: context)
    return now


def test_units_of_a_lost_node(clock: list[float]) -> None:
    places, in_flight = Places(), [Reference(name) for name in ("a1", "b1", "waiting")]
    both, one = frozenset("ab"), frozenset("b")
    assert places.lost(in_flight, both) == []
    clock[0] += 1
    assert places.lost(in_flight, one) == []
    clock[0] += GRACE_S - 0.1  # Ray may still tell of it
    assert places.lost(in_flight, one) == []
    clock[0] += LOOK_S
    assert places.lost(in_flight, one) == [Reference("a1")]
    # The next try of the same unit is another task, and elsewhere.
    clock[0] += LOOK_S
    assert places.lost([Reference("again"), Reference("b1")], one) == []
    clock[0] += HEED_S
    assert places.lost(in_flight, one) == []


def test_a_cluster_without_losses_is_not_asked(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ray_places.kv, "_internal_kv_list")
    places = Places()
    for alive in ("a", "ab", "abc"):
        clock[0] += LOOK_S
        assert places.lost([Reference("a1")], frozenset(alive)) == []


def test_a_node_with_a_full_disk_rests(clock: list[float]) -> None:
    places = Places()
    assert places.options() == {}
    for node in "ba":
        places.rest(node)
    assert places.full() == {"a", "b"}
    assert places.options() == {"label_selector": {"ray.io/node-id": "!in(a,b)"}}
    clock[0] += REST_S
    assert places.options() == {}


@pytest.fixture
def on_node_a(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this process was a worker at work on task 1 there."""
    ids = {"get_job_id": "job", "get_node_id": "a", "get_task_id": "1"}
    context = SimpleNamespace(**{name: lambda value=value: value for name, value in ids.items()})
    monkeypatch.setattr(ray_places.ray, "get_runtime_context", lambda: context)


@pytest.mark.usefixtures("on_node_a")
def test_a_head_that_does_not_answer_holds_up_no_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited_s: list[float] = []

    class Silent:
        def internal_kv_put(self, *_: object, timeout: float) -> None:
            waited_s.append(timeout)
            raise TimeoutError

        internal_kv_del = internal_kv_put

    monkeypatch.setattr(ray_places.kv, "internal_kv_get_gcs_client", Silent)
    done = Outcome(reason="done")
    monkeypatch.setattr(ray_places, "execute_leaving_a_trace", lambda *_: done)
    run = plan_run(compose("job=toy_sweep", f"paths.scratch={tmp_path}"))
    assert execute_in_place(run.brief, Task(Units(run.plan)[0]), 1) is done
    assert waited_s == [MARK_S, MARK_S]


@pytest.mark.usefixtures("on_node_a")
def test_whose_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a run in a bucket the worker's own; of one in a folder everybody's."""
    full = DiskFullError("somewhere", "no room left")
    monkeypatch.setattr(ray_places, "execute_leaving_a_trace", lambda *_: Outcome(error=full))
    run = plan_run(compose("job=toy_sweep", f"paths.scratch={tmp_path}"))
    task = Task(Units(run.plan)[0])
    assert execute_in_place(run.brief, task, 1).error is full
    brief = dataclasses.replace(run.brief, run_dir="s3://bucket/run")
    outcome = execute_in_place(brief, task, 1)
    assert outcome.full_node == "a"
    assert str(outcome.error).startswith(f"{socket.gethostname()}:{tmp_path}: no room left")
