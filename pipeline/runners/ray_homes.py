"""Where units of tables run best when the root is an object store: on the node that has their files already.

What a unit has written to the store stays as a copy on its node, and the next unit of the same shard reads it. So a
shard belongs to the same node in every layer, as long as the nodes stay the same; a busy node leaves it to others.
"""

from __future__ import annotations

from typing import Any

from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from engines.contract.job import ShardUnit
from pipeline.tasks import Brief, Task
from storage.stores.objects import is_url


def home_of(brief: Brief, task: Task, nodes: frozenset[str]) -> str | None:
    """The node, of those that take units, to which a task's shard belongs; None when any will do."""
    if not isinstance(task.unit, ShardUnit) or not is_url(brief.run_dir) or len(nodes) < 2:
        return None
    return sorted(nodes)[task.unit.shard % len(nodes)]


def preferring(node: str | None) -> dict[str, Any]:
    """Options with which Ray gives a task to a node, unless that is busy or gone."""
    if node is None:
        return {}
    strategy = NodeAffinitySchedulingStrategy(node, soft=True, _spill_on_unavailable=True)
    return {"scheduling_strategy": strategy}
