"""A submitted job as it is seen from here: its log, split into messages and results, and how it ended."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from pipeline.submit.client import FIELD, Client, Job, NoHttpError, SilentError
from pipeline.submit.there import MARK
from storage.errors import UserError

LOOK_S = 1.0
PATIENCE_S = 60.0
"""How long a head may be silent before it counts as lost."""
LONG_CHARACTERS = 1 << 17
"""Characters of a log; longer ones are fetched less often."""
SAY_S = 10.0
"""If the start takes longer, a line says so."""


class Follower:
    """Reads the log of a job from its begin on."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._name = name
        self._read_count = 0
        self._before: list[str] = []
        self.runs: list[str] | None = None
        """The folders of its runs, once its driver has begun."""

    def until_begun(self) -> Job:
        """Wait until the driver has begun or the job has ended. UserError when the driver was not started."""
        begin_s, said = time.monotonic(), False
        while True:
            job = self._look()
            self._read_until_mark(job)
            if self.runs is not None:
                return job
            if job.has_ended:
                raise self._why_not(job)
            if not said and time.monotonic() - begin_s > SAY_S:
                said = True
                print(
                    f"waiting for the head to start {self._name} ({job.state.lower()})",
                    file=sys.stderr,
                    flush=True,
                )
            time.sleep(LOOK_S / 4)

    def lines(self) -> Iterator[str]:
        """What the driver says from now on, as it says it, until the job has ended. To be called when it has begun."""
        while True:
            job = self._look()
            yield from self._new_lines(job)
            if job.has_ended:
                return
            # Each request returns the whole log.
            time.sleep(LOOK_S * max(1.0, self._read_count / LONG_CHARACTERS))

    def status(self) -> int:
        """How the job ended: as ``yamafuda run`` there did, 130 when it was stopped, 1 when it was lost."""
        job = self._look()
        if job.status is not None and job.status >= 0:
            return job.status
        if job.state == "STOPPED":
            return 130
        print(f"yamafuda: {self._name} ended with its driver: {_one_line(job.message)}", file=sys.stderr)
        return 1

    def _look(self) -> Job:
        """The job; a silent head is given some time."""
        deadline_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return self._client.job(self._name)
            except (SilentError, NoHttpError) as error:
                if time.monotonic() > deadline_s:
                    raise UserError(FIELD, f"the head does not answer any more: {error.message}") from error
                time.sleep(LOOK_S)

    def _new_lines(self, job: Job) -> list[str]:
        """Whole lines that were not read before; when the job has ended, all that is left."""
        try:
            text = self._client.log(self._name)[self._read_count :]
        except (SilentError, NoHttpError):
            return []
        whole = text if job.has_ended else text[: text.rfind("\n") + 1]
        self._read_count += len(whole)
        return whole.removesuffix("\n").split("\n") if whole else []

    def _read_until_mark(self, job: Job) -> None:
        begin = self._read_count
        for line in self._new_lines(job):
            begin += len(line) + 1
            told = json_line(line)
            if MARK in told:
                self.runs = told[MARK]
                self._read_count = begin
                return
            self._before.append(line)

    def _why_not(self, job: Job) -> UserError:
        """Why a job ended before its driver began, in words."""
        told = [line.removeprefix("yamafuda: ") for line in self._before if line.startswith("yamafuda: ")]
        if told:
            field, _, message = told[-1].partition(": ")
            return UserError(field, message)
        last = next((line for line in reversed(self._before) if line.strip()), "")
        return UserError(FIELD, f"the driver could not begin: {_one_line(job.message)} {last}".strip())


def json_line(line: str) -> dict[str, Any]:
    """The object of a line of JSON; nothing for any other line."""
    if not line.startswith("{"):
        return {}
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _one_line(text: str) -> str:
    return " ".join(text.split())[-400:]
