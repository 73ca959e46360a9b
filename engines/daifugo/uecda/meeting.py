"""Five players at a table: ours, programs that are started, and programs that connect by themselves."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.daifugo.players import make_player
from engines.daifugo.uecda.job import DaifugoUecdaJob
from engines.daifugo.uecda.programs import Program
from engines.daifugo.uecda.protocol import Lost
from storage.errors import UserError

if TYPE_CHECKING:
    from engines._native import DaifugoGames

FAULTS = (None, "silence", "half a table", "garbage", "closed")
"""Names of faults by the core's number."""


@dataclass(frozen=True)
class Played:
    """Games of a match, and what connections did in them, by game and player."""

    games: DaifugoGames
    faults: npt.NDArray[np.uint8]
    """Numbers of ``FAULTS``."""
    refused_counts: npt.NDArray[np.uint32]


class Meeting:
    """A server with its five players. Programs are started one after another, so that each has its number."""

    def __init__(self, job: DaifugoUecdaJob, line_up: list[str], last: int) -> None:
        """``last``: the number of the last game. No player is connected before it is entered."""
        self._job = job
        self._line_up = line_up
        self._last = last
        self._stack = ExitStack()
        self._match: _native.DaifugoUecdaMatch
        self.programs: dict[int, Program] = {}
        """By player."""
        self.names: list[str | None] = []
        """What each connection calls itself; None for our players."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._match = self._seated(stack)
            # After the connections are closed programs end by themselves.
            stack.callback(self._match.close)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def play(self, first: int, count: int, records: bool, ranks: list[int] | None) -> Played:
        """The next games. ``ranks``: the players by rank after the game before; None where the first has none."""
        job = self._job
        games, faults, refused = self._match.play(
            seed=job.seed,
            first=first,
            count=count,
            seat_period=job.seat_period,
            rank_period=job.rank_period,
            records=records,
            ranks=ranks,
        )
        return Played(games, faults, refused)

    def _seated(self, stack: ExitStack) -> _native.DaifugoUecdaMatch:
        job, lines = self._job, self._job.lines()
        try:
            listener = _native.DaifugoUecdaListener(job.address, job.port)
        except OSError as error:
            raise UserError("job.port", f"{job.address}:{job.port}: {error}") from None
        if job.connections:
            place = f"{job.address}:{listener.port}"
            print(f"{', '.join(job.connections)} may connect at {place}", file=sys.stderr, flush=True)
        chairs: list[_native.DaifugoPlayer | _native.DaifugoUecdaLink] = []
        for number, name in enumerate(self._line_up):
            if name in job.kinds:
                chairs.append(make_player(job.kinds[name], f"job.kinds.{name}."))
                self.names.append(None)
                continue
            if name in lines:
                program = Program(name, lines[name], job.address, listener.port)
                self.programs[number] = stack.enter_context(program)
            link = listener.accept(number, limit_s=job.join_s, write_limit_s=job.move_s)
            if link is None:
                raise self._nobody(number, name)
            chairs.append(link)
            self.names.append(link.name)
        return _native.DaifugoUecdaMatch(
            chairs, last=self._last, limit_s=job.move_s, takes_chair=job.lost == Lost.seat
        )

    def _nobody(self, number: int, name: str) -> Exception:
        program = self.programs.get(number)
        if program is None:
            return UserError("job.connections", f"{name} did not connect within {self._job.join_s:g} s")
        told = f"player {number}, {name}, did not connect within {self._job.join_s:g} s"
        if program.has_ended():
            told += f"; the program ended with status {program.exit_status}: {program.last_words()}"
        return RuntimeError(told)
