"""What requests compute ends: when it is done, when its limits are reached, when nobody waits for it any more."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import slow_tasks
from patience import PATIENCE_S
from starlette.exceptions import HTTPException

from pages.workshop import WAITING_COUNT, Computed, GoneError, Limits, Workshop
from yamafuda import UserError


class Reader:
    """Stands for a request whose reader may go."""

    def __init__(self) -> None:
        self.is_gone = False

    async def is_disconnected(self) -> bool:
        return self.is_gone


Story = Callable[[Workshop], Coroutine[Any, Any, Any]]


def in_workshop(story: Story, limits: Limits | None = None, places_count: int | None = None) -> Any:
    """What comes of a story in a workshop."""

    async def told() -> Any:
        workshop = Workshop(limits or Limits(), places_count)
        try:
            return await asyncio.wait_for(story(workshop), PATIENCE_S)
        finally:
            workshop.close()

    return asyncio.run(told())


def computed(task: Any, limits: Limits | None = None, **given: Any) -> Computed:
    """What comes of a task."""
    reader: Any = Reader()
    found: Computed = in_workshop(lambda workshop: workshop.compute(reader, task, **given), limits)
    return found


def is_alive(pid: int) -> bool:
    """Whether a process is at work."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False


async def begun(folder: Path, count: int) -> list[int]:
    """The processes that have said who they are, once there are so many."""
    while len(list(folder.iterdir())) < count:
        await asyncio.sleep(0.01)
    return [int(path.name) for path in folder.iterdir()]


def test_a_task_that_is_done() -> None:
    found = computed(slow_tasks.squares, count=1000)
    assert found.values == [number * number for number in range(1000)]
    assert found.stopped == ""


def test_tasks_have_the_settings_of_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("one", "another"):
        monkeypatch.setenv("YAMAFUDA_RESULTS", folder)
        assert computed(slow_tasks.tells).values == [{"YAMAFUDA_RESULTS": folder}]


def test_time_is_over(tmp_path: Path) -> None:
    begin_s = time.monotonic()
    found = computed(slow_tasks.sleeps, Limits(time_s=1.0), folder=str(tmp_path))
    assert found.values == ["begun"]
    assert found.stopped == "stopped after 1 s, the limit of this site"
    assert time.monotonic() - begin_s < PATIENCE_S
    assert not is_alive(int(next(tmp_path.iterdir()).name))


def test_memory_is_full() -> None:
    found = computed(slow_tasks.eats, Limits(memory_bytes=1 << 28))
    assert 0 < len(found.values) < 32
    assert "memory" in found.stopped


def test_mistakes() -> None:
    with pytest.raises(UserError, match="deal: there is no card S14"):
        computed(slow_tasks.refuses)
    with pytest.raises(HTTPException, match="ZeroDivisionError while computing"):
        computed(slow_tasks.breaks)
    with pytest.raises(HTTPException, match=r"unexpectedly \(status 7\)"):
        computed(slow_tasks.dies)
    with pytest.raises(HTTPException, match="too long"):
        computed(slow_tasks.talks)


def test_nobody_waits_any_more(tmp_path: Path) -> None:
    async def story(workshop: Workshop) -> int:
        reader: Any = Reader()
        waiting = asyncio.create_task(workshop.compute(reader, slow_tasks.sleeps, folder=str(tmp_path)))
        (pid,) = await begun(tmp_path, 1)
        reader.is_gone = True
        with pytest.raises(GoneError):
            await waiting
        return pid

    assert not is_alive(in_workshop(story))


def test_as_many_at_once_as_there_are_places(tmp_path: Path) -> None:
    async def story(workshop: Workshop) -> None:
        readers: list[Any] = [Reader() for _ in range(2 + WAITING_COUNT)]
        asked = [
            asyncio.create_task(workshop.compute(reader, slow_tasks.sleeps, folder=str(tmp_path)))
            for reader in readers
        ]
        await begun(tmp_path, 2)
        await asyncio.sleep(0.3)
        assert len(list(tmp_path.iterdir())) == 2
        with pytest.raises(HTTPException) as refused:
            await workshop.compute(readers[0], slow_tasks.squares, count=1)
        assert refused.value.status_code == 503
        for reader in readers:
            reader.is_gone = True
        ends = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(end) for end in ends] == [GoneError] * len(ends)
        # All places are free again.
        both: list[Any] = [Reader(), Reader()]
        found = await asyncio.gather(*(workshop.compute(one, slow_tasks.squares, count=2) for one in both))
        assert [each.values for each in found] == [[0, 1], [0, 1]]

    in_workshop(story, places_count=2)


def test_as_many_places_as_processors() -> None:
    async def story(workshop: Workshop) -> int:
        return workshop.places_count

    assert in_workshop(story) == len(os.sched_getaffinity(0))
