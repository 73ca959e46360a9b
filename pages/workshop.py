"""Where requests compute: each in its own process, which ends when its time or its memory is used up or its reader is
gone.

As many are at work at once as there are processors, and a few more wait; further ones are refused. A process is
forked from one that has done all slow imports, so that it begins within milliseconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pages import worker
from yamafuda import UserError

Task = Callable[..., Iterator[Any]]
"""A function of a module, which yields JSON values."""

WAITING_COUNT = 16
LOOK_S = 0.2
"""Seconds between two looks whether the reader is still there."""
_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["__main__", "pages.worker", "yamafuda.eager"])


@dataclass(frozen=True)
class Limits:
    """Limits of one request."""

    time_s: float = 20.0
    """At work, without waiting for others."""
    memory_bytes: int = 2 << 30


@dataclass
class Computed:
    """The result of a task."""

    values: list[Any] = field(default_factory=list)
    stopped: str = ""
    """Why it ended before it was done, in words; empty when it was done."""
    elapsed_s: float = 0.0


class GoneError(Exception):
    """The reader has gone away."""


class Workshop:
    """The workshop of one site; made in its event loop."""

    def __init__(self, limits: Limits, places_count: int | None = None) -> None:
        self.limits = limits
        self.places_count = places_count or len(os.sched_getaffinity(0))
        self._places = asyncio.Semaphore(self.places_count)
        self._here_count = 0
        self._processes: set[ForkServerProcess] = set()

    async def compute(self, request: Request, task: Task, **given: Any) -> Computed:
        """What a task yields within the limits.

        Raises the task's UserError; HTTPException when too many are waiting, or when the task ended early; GoneError
        when the reader has gone.
        """
        gone = asyncio.create_task(_until_gone(request))
        try:
            async with self._place(gone):
                return await self._compute(task, given, gone)
        finally:
            gone.cancel()

    async def warm_up(self) -> None:
        """Do all slow imports before somebody waits for them."""
        with contextlib.suppress(OSError, HTTPException):
            await self._compute(worker.nothing, {}, asyncio.get_running_loop().create_future())

    def close(self) -> None:
        """End all processes."""
        for process in self._processes:
            process.kill()

    @asynccontextmanager
    async def _place(self, gone: asyncio.Future[None]) -> AsyncIterator[None]:
        if self._here_count >= self.places_count + WAITING_COUNT:
            raise HTTPException(
                503, "others are computing here, and enough are waiting; try again in a while"
            )
        self._here_count += 1
        try:
            waiting = asyncio.create_task(self._places.acquire())
            either: set[asyncio.Future[Any]] = {waiting, gone}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                if not waiting.cancel():
                    self._places.release()
                raise GoneError
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._here_count -= 1

    async def _compute(self, task: Task, given: dict[str, Any], gone: asyncio.Future[None]) -> Computed:
        reading, writing = _FORKING.Pipe(duplex=False)
        with reading:
            with writing:
                # Environment variables as they are now; the process it is forked from may have begun with others.
                places = {name: value for name, value in os.environ.items() if name.startswith("YAMAFUDA_")}
                arguments = (writing, task, given, places, self.limits.time_s, self.limits.memory_bytes)
                process = _FORKING.Process(target=worker.work, args=arguments, daemon=True)
                await asyncio.to_thread(process.start)
            self._processes.add(process)
            try:
                return await _results(reading, self.limits.time_s, gone)
            except EOFError:
                await asyncio.to_thread(process.join)
                return Computed(stopped=_ended(process.exitcode))
            finally:
                process.kill()
                self._processes.discard(process)
                await asyncio.shield(asyncio.to_thread(process.join))


async def computed(request: Request, task: Task, **given: Any) -> Any:
    """The one value of a task, computed by the site's workshop; HTTPException when it was stopped before that."""
    workshop: Workshop = request.app.state.workshop
    done = await workshop.compute(request, task, **given)
    if not done.values:
        raise HTTPException(504, done.stopped)
    return done.values[0]


async def _results(reading: Connection, time_s: float, gone: asyncio.Future[None]) -> Computed:
    begin_s = time.monotonic()
    found = Computed()
    while True:
        left_s = begin_s + time_s - time.monotonic()
        said = await _next(reading, left_s, gone)
        found.elapsed_s = time.monotonic() - begin_s
        match said:
            case None:
                found.stopped = f"stopped after {time_s:g} s, the limit of this site"
                return found
            case {"value": value}:
                found.values.append(value)
            case {"place": place, "problem": problem}:
                raise UserError(place, problem)
            case {"stopped": words}:
                found.stopped = words
                return found
            case {"failed": reason}:
                raise HTTPException(500, reason)
            case _:
                return found


async def _next(reading: Connection, left_s: float, gone: asyncio.Future[None]) -> Any:
    """The process's next message; None when its time is over; EOFError when it ended; GoneError when the reader has
    gone."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(reading.fileno(), ready.set)
    waiting = asyncio.create_task(ready.wait())
    try:
        either: set[asyncio.Future[Any]] = {waiting, gone}
        await asyncio.wait(either, timeout=max(left_s, 0), return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        loop.remove_reader(reading.fileno())
    if gone.done():
        raise GoneError
    if not ready.is_set():
        return None
    return json.loads(await asyncio.to_thread(reading.recv_bytes))


def _ended(status: int | None) -> str:
    """Why a process ended without saying so. When memory runs out, the native core aborts."""
    if status == -signal.SIGABRT:
        return worker.MEMORY
    raise HTTPException(500, f"the computation ended unexpectedly (status {status})")


async def _until_gone(request: Request) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(LOOK_S)
