"""What all runners share: a bounded window of units in flight, and retries that are counted here.

A runner gets the units of one phase and yields their outcomes in the order of completion. It knows neither
games nor files. Units are stateless and may run twice, so a lost one is simply started again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pipeline.tasks import Brief, Outcome, Task


@dataclass
class Hooks:
    """What a runner tells the driver while units run."""

    started: Callable[[Task], None] = lambda task: None
    progressed: Callable[[Task, int], None] = lambda task, count: None
    """Items or states done inside a unit in this process; of one in another, ``pipeline.inside`` tells."""
    retried: Callable[[Task, Outcome], None] = lambda task, outcome: None
    waiting: Callable[[str], None] = lambda text: None
    """Units wait for a place to run; what for, in words."""


@dataclass
class _Counter:
    tries: dict[str, int] = field(default_factory=dict)

    def another(self, task: Task) -> int:
        self.tries[task.unit.name] = self.tries.get(task.unit.name, 0) + 1
        return self.tries[task.unit.name]

    def so_far(self, task: Task) -> int:
        return self.tries[task.unit.name]

    def forget(self, task: Task) -> None:
        del self.tries[task.unit.name]


class Runner(ABC):
    """Runs units somewhere. One runner serves all jobs of a command; ``close`` ends it."""

    cores: int
    """Units that can run at once."""
    window: int
    """Units in flight at most."""
    starting: str = ""
    """What ``start`` does, where that may take a while."""

    def start(self, brief: Brief) -> None:  # noqa: B027 (nothing to start in process)
        """Get ready before the first unit; UserError when no unit can have its memory anywhere."""

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        """Run ``tasks``; yield each with its last outcome, in the order of completion.

        A failed unit is tried again ``brief.retries_count`` times, whatever made it fail. The user's errors
        are not: they are raised here, after what is in flight has been given up.
        """
        waiting = iter(tasks)
        again: deque[Task] = deque()
        counter = _Counter()
        in_flight = 0
        try:
            while True:
                while in_flight < self.window:
                    task = again.popleft() if again else next(waiting, None)
                    if task is None:
                        break
                    hooks.started(task)
                    self._submit(brief, task, counter.another(task), hooks)
                    in_flight += 1
                if in_flight == 0:
                    return
                for task, outcome in self._completed():
                    in_flight -= 1
                    outcome.tries_count = counter.so_far(task)
                    if outcome.error is not None:
                        raise outcome.error
                    if outcome.record is None and outcome.tries_count <= brief.retries_count:
                        hooks.retried(task, outcome)
                        again.append(task)
                    else:
                        counter.forget(task)
                        yield task, outcome
        finally:
            if in_flight:
                self.give_up()

    @abstractmethod
    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        """Start one try of a unit."""

    @abstractmethod
    def _completed(self) -> list[tuple[Task, Outcome]]:
        """Wait until at least one unit in flight has ended; those that have."""

    @abstractmethod
    def give_up(self) -> None:
        """Stop what is in flight, at once; nothing more is yielded for it."""

    def close(self) -> None:  # noqa: B027 (nothing to end in process)
        """End what this runner started."""
