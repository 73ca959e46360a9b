"""Runs units in this process, one after another: for small work and for debugging. Does not import Ray."""

from __future__ import annotations

import functools

from pipeline.runners.base import Hooks, Runner
from pipeline.tasks import Brief, Outcome, Task
from pipeline.worker import execute


class SerialRunner(Runner):
    """One unit at a time, in the calling thread."""

    cores = 1
    window = 1

    def __init__(self) -> None:
        self._next: tuple[Brief, Task, int, Hooks] | None = None

    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        self._next = brief, task, attempt, hooks

    def _completed(self) -> list[tuple[Task, Outcome]]:
        assert self._next is not None
        brief, task, attempt, hooks = self._next
        return [(task, execute(brief, task, attempt, functools.partial(hooks.progressed, task)))]

    def give_up(self) -> None:
        """Nothing to stop: no unit runs when this is called."""
        self._next = None
