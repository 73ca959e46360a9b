"""Asks the nodes of a cluster which version of the package they have; it may be missing there."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import ray
import ray.exceptions
from ray import cloudpickle
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from pipeline.shipping import fingerprint as asked
from pipeline.shipping.lacking import Found

ASK_S = 60.0
"""Seconds to wait for nodes that do not answer, as when all their processes are busy. Units show later what they
lack."""
LOOK_S = 0.1


def fingerprints(packages: Sequence[str]) -> list[Found]:
    """What each node has that takes units and answers."""
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    able = [node for node in nodes if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    cloudpickle.register_pickle_by_value(asked)  # type: ignore[no-untyped-call]
    try:
        remote = ray.remote(num_cpus=0, max_retries=0)(asked.fingerprint)
        waiting: dict[Any, str] = {
            remote.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            ).remote(packages): node["NodeManagerHostname"]
            for node in able
        }
    finally:
        cloudpickle.unregister_pickle_by_value(asked)  # type: ignore[no-untyped-call]
    found = []
    deadline_s = time.monotonic() + ASK_S
    while waiting and time.monotonic() < deadline_s:
        # Signals are handled between two looks.
        ready, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=LOOK_S)
        for reference in ready:
            found += _answer(reference, waiting.pop(reference))
    return found


def _answer(reference: Any, host: str) -> list[Found]:
    try:
        return [Found(**ray.get(reference))]
    except ray.exceptions.RuntimeEnvSetupError as error:
        problem = " ".join(str(error).split())[-300:]
        return [Found(host, "", "", "", "", problem)]
    except ray.exceptions.RayError:
        # A node that went, a process that was killed: it is not asked again.
        return []
