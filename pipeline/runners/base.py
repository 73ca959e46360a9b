"""What all runners share: a bounded window of units in flight, and retries.

A runner gets the units of one phase and yields their outcomes in the order of completion. It knows neither
games nor files. Units are stateless and may run twice, so a lost one is simply started again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipeline.tasks import Brief, Outcome, Task


@dataclass
class Hooks:
    """Reports of a runner to the driver while units run."""

    started: Callable[[Task], None] = lambda task: None
    progressed: Callable[[Task, int], None] = lambda task, count: None
    """Items or states done inside a unit in this process; for units in other processes see ``pipeline.inside``."""
    retried: Callable[[Task, Outcome], None] = lambda task, outcome: None
    noted: Callable[[str], None] = lambda text: None
    """News of the cluster for the user, in words: what units wait for, nodes that come and go."""


LOSSES_MOST = 5
"""How often a unit may lose its node without that counting as a failure. A unit that loses more nodes may be what
ends them."""


@dataclass
class _Counter:
    """Tries of the units in flight."""

    tries: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)

    def begin(self, name: str) -> int:
        """Begin another try; returns its number, from 1."""
        self.tries[name] += 1
        return self.tries[name]

    def is_over(self, name: str, outcome: Outcome, retries_count: int) -> bool:
        """Whether a unit is done, or has failed for good."""
        if outcome.is_lost:
            self.losses[name] += 1
            if self.losses[name] <= LOSSES_MOST:
                return False
            outcome.reason += f" ({self.losses[name]} nodes were lost with this unit)"
            return True
        return outcome.record is not None or self.tries[name] - self.losses[name] > retries_count

    def end(self, name: str) -> None:
        """Forget a unit."""
        del self.tries[name], self.losses[name]


class Runner(ABC):
    """Runs units somewhere. One runner serves all jobs of a command; ``close`` ends it."""

    cores: int
    """Units that can run at once; of a cluster, as it is now."""
    window: int
    """Units in flight at most, at least one."""
    starting: str = ""
    """What ``start`` does, in words, where it may take a while."""

    def start(self, brief: Brief) -> None:  # noqa: B027 (nothing to start in process)
        """Get ready before the first unit; UserError when no node has the memory for a unit."""

    def run_units(self, brief: Brief, tasks: Iterable[Task], hooks: Hooks) -> Iterator[tuple[Task, Outcome]]:
        """Run ``tasks``; yield each with its last outcome, in the order of completion.

        A failed unit is tried again ``brief.retries_count`` times, whatever made it fail. The loss of its node is not
        a failure of the unit, up to ``LOSSES_MOST`` times. A user's error is raised at once, after the units in
        flight have been given up.
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
                    self._submit(brief, task, counter.begin(task.unit.name), hooks)
                    in_flight += 1
                if in_flight == 0:
                    return
                for task, outcome in self._completed():
                    in_flight -= 1
                    name = task.unit.name
                    outcome.tries_count = counter.tries[name]
                    if outcome.error is not None:
                        raise outcome.error
                    if counter.is_over(name, outcome, brief.retries_count):
                        counter.end(name)
                        yield task, outcome
                    else:
                        hooks.retried(task, outcome)
                        again.append(task)
        finally:
            if in_flight:
                self.give_up()

    @abstractmethod
    def _submit(self, brief: Brief, task: Task, attempt: int, hooks: Hooks) -> None:
        """Start one try of a unit."""

    @abstractmethod
    def _completed(self) -> list[tuple[Task, Outcome]]:
        """Wait until a unit in flight has ended, or ``window`` has changed; returns the units that have ended."""

    @abstractmethod
    def give_up(self) -> None:
        """Stop the units in flight at once; nothing more is yielded for them."""

    def tell(self, figures: Mapping[str, float], labels: Mapping[str, str]) -> None:  # noqa: B027 (where it has somebody)
        """Pass the figures of a run (``pipeline.metrics``) on to where Prometheus gets them; from any thread."""

    def close(self) -> None:  # noqa: B027 (nothing to end in process)
        """End all that this runner started."""
