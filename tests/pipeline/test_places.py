"""Units of nodes that are lost without a word are found by the marks that they left."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.runners import ray_places
from pipeline.runners.ray_places import GRACE_S, HEED_S, LOOK_S, Places


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
