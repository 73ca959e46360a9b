"""Nodes come and go: which take units, what is said of it, how wide the window is, what a lost node counts for."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from toy_helpers import compose

from pipeline.records import Records
from pipeline.run import plan_run
from pipeline.runners import nodes, waiting
from pipeline.runners.base import LOSSES_MOST, Hooks, Runner
from pipeline.runners.faults import memory_reason
from pipeline.runners.nodes import Nodes, NodeWatch, changed, nodes_of
from pipeline.runners.waiting import waiting_for
from pipeline.tasks import Brief, Outcome, Task


def node(name: str, cpus: float, memory: float, alive: bool = True) -> dict[str, Any]:
    resources = {"CPU": cpus, "memory": memory}
    return {"NodeID": name, "Alive": alive, "NodeManagerAddress": f"10.0.0.{name}", "Resources": resources}


def test_which_nodes_take_units() -> None:
    told = [node("1", 0, 9e9), node("2", 4, 3e9), node("3", 2, 5e9), node("4", 8, 9e9, alive=False)]
    assert nodes_of(told, {}) == Nodes(frozenset("123"), frozenset("23"), 6, int(8e9), int(5e9), frozenset())
    assert nodes_of(told, {"3": 0, "4": 0}) == Nodes(
        frozenset("123"), frozenset("2"), 4, int(3e9), int(3e9), frozenset({"10.0.0.3"})
    )
    assert nodes_of(told[:1], {}) == Nodes(frozenset("1"), frozenset(), 0, 0, 0, frozenset())


def test_what_is_said_of_nodes() -> None:
    told = [node("1", 2, 2e9), node("2", 4, 4e9)]
    first, both, one = (nodes_of(told[:1], {}), nodes_of(told, {}), nodes_of(told, {"2": 5}))
    assert changed(first, both) == "nodes: processors for units: 6 (before: 2)"
    assert (
        changed(both, one)
        == "nodes: will leave, and get no more units: 10.0.0.2; processors for units: 2 (before: 6)"
    )
    assert changed(one, one) == ""
    wanted = "each waits for a node with a free processor and 3.0 GB of memory"
    assert waiting_for(int(3e9), nodes_of([node("1", 0, 1e9)], {}), {}).endswith("--num-cpus=N)")
    assert f"{wanted}; the largest node has 2.0 GB" in waiting_for(int(3e9), first, {})
    assert f"{wanted}; free in the whole cluster: 1 of 6 processors, 0.5 of 6.0 GB" in waiting_for(
        int(3e9), both, {"CPU": 1.0, "memory": 0.5e9}
    )


def test_a_unit_that_goes_on_where_it_cannot_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of units on other machines with an object store only Ray knows that a processor is taken."""
    clock = [0.0]
    monkeypatch.setattr(waiting.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(waiting, "has_begun", lambda brief, task: False)
    run = plan_run(compose("job=toy_sweep"))
    (phase,) = run.contract.phases(run.engine, run.plan, run.brief.context(), Records(run.layout))
    units = [(run.brief, task) for task in phase.tasks]
    told: list[str] = []
    for is_shared, free, count in ((True, 1.0, 1), (False, 1.0, 1), (False, 2.0, 2)):
        monkeypatch.setattr(waiting, "tells_of_all", lambda brief, is_shared=is_shared: is_shared)
        look = waiting.Waiting(lambda free=free: (nodes_of([node("1", 2, 4e9)], {}), {"CPU": free}))
        look.moved()
        clock[0] += 2 * waiting.PATIENCE_S
        look.look(units, told.append)
        assert len(told) == count


def test_nodes_are_asked_for_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(nodes.time, "monotonic", lambda: clock[0])
    asked: list[float] = []

    def ask() -> Nodes:
        asked.append(clock[0])
        clock[0] += 0.1  # a look at a large cluster
        return Nodes(frozenset("1"), frozenset("1"), len(asked), 0, 0, frozenset())

    watch = NodeWatch(ask)
    while clock[0] < 112:
        watch.look()
        clock[0] += 0.25
    assert asked == pytest.approx([100, 105.1, 110.2], abs=0.3)
    assert watch.nodes.cores == 3


class Scripted(Runner):
    """Ends units as told; ``lost`` times each with its node, then ``failed`` times by itself. Grows on the way."""

    def __init__(self, lost: int, failed: int) -> None:
        self.cores, self.window = 1, 2
        self._outcomes = [Outcome(reason="node", is_lost=True)] * lost + [Outcome(reason="broken")] * failed
        self._in_flight: deque[tuple[Task, int]] = deque()
        self.most = 0
        self._grown = False

    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        self._in_flight.append((task, attempt))
        self.most = max(self.most, len(self._in_flight))

    def _completed(self) -> list[tuple[Task, Outcome]]:
        if not self._grown:
            self._grown, self.window = True, 4
            return []
        task, attempt = self._in_flight.popleft()
        if attempt <= len(self._outcomes):
            told = self._outcomes[attempt - 1]
            return [(task, Outcome(reason=told.reason, is_lost=told.is_lost))]
        return [(task, Outcome(record={}))]

    def give_up(self) -> None:
        self._in_flight.clear()


@pytest.mark.parametrize(
    ("lost", "failed", "tries", "reason"),
    [
        (0, 2, 3, ""),
        (0, 3, 3, "broken"),
        (LOSSES_MOST, 2, LOSSES_MOST + 3, ""),
        (LOSSES_MOST, 3, LOSSES_MOST + 3, "broken"),
        (LOSSES_MOST + 1, 0, LOSSES_MOST + 1, f"node ({LOSSES_MOST + 1} nodes were lost with this unit)"),
    ],
)
def test_a_lost_node_is_no_failure_of_its_units(lost: int, failed: int, tries: int, reason: str) -> None:
    run = plan_run(compose("job=toy_sweep", "job.unit_items=1"))
    (phase,) = run.contract.phases(run.engine, run.plan, run.brief.context(), Records(run.layout))
    runner = Scripted(lost, failed)
    retried: list[str] = []
    ended = list(
        runner.run_units(
            run.brief, phase.tasks, Hooks(retried=lambda task, _: retried.append(task.unit.name))
        )
    )
    assert sorted(task.unit.name for task, _ in ended) == [f"{number:06d}" for number in range(20)]
    assert {(outcome.tries_count, outcome.reason) for _, outcome in ended} == {(tries, reason)}
    assert len(retried) == 20 * (tries - 1)
    assert runner.most == 4


def test_an_end_for_lack_of_memory_is_told_in_a_line() -> None:
    text = (
        "1 worker(s) were killed due to the node running low on memory. Memory on the node (IP: 10.0.0.2, ID: 9f) was "
        "6.29GB used / 23.54GB limit (0.267303)\nOOM kill reason: much\n"
        "Selected to kill: (Task: job ID=01000000, pid=7, actual memory used=1.35GB, worker ID=10c)\n"
    )
    told = memory_reason(text, 2 << 30)
    assert told == (
        "its process was ended, with 1.35GB, because its node 10.0.0.2 ran low on memory (6.29GB of 23.54GB in use); "
        "a unit reserves 2.15 GB (job.limits.memory_bytes)"
    )
    assert memory_reason("something\n else", 1) == "something else"
