"""How ``run`` ends, on stderr: what came out, how long it took, and what to type next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from engines.contract.engine import Engine
from engines.contract.game import REPORT
from engines.contract.registry import games
from engines.contract.result import Result
from engines.text.words import count_of, duration
from pipeline.run import Ended
from storage.layout import RunLayout
from storage.manifest import read_summary


def result_of(engine: Engine, layout: RunLayout) -> Result:
    """What came out of a run that has a summary; nothing where an earlier version wrote it without the figures."""
    if not layout.summary.exists():
        return Result()
    try:
        return engine.result(read_summary(layout.run_dir))
    except (KeyError, TypeError):
        return Result()


def closing_lines(ended: Ended, result: Result) -> Iterator[str]:
    """What came out of a run, and what it took."""
    yield from result.lines
    tally = ended.tally
    if ended.was_done:
        yield "already done: nothing was left to compute"
        return
    before = f", {tally.skipped_count:,} more were done before" if tally.skipped_count else ""
    units = count_of(tally.computed_count, "unit")
    startup = f", {duration(tally.startup_s)} of them to start Ray" if tally.startup_s >= 1 else ""
    yield f"took {duration(tally.startup_s + tally.elapsed_s)}{startup}: {units}{before}"


def query_worth_asking(engine: Engine | type[Engine], kind: str) -> str:
    """The SQL that says most about runs of a kind of job."""
    return f"SELECT {engine.worth_asking} FROM {kind} GROUP BY ALL ORDER BY ALL"


def next_lines(ended: Ended) -> Iterator[str]:
    """Commands that go on from a finished run."""
    name = ended.run.engine.job.name
    commands = [f"yamafuda report {game.name}" for game in games() if name in game.jobs and game.can(REPORT)]
    commands.append(f"yamafuda query {shlex.quote(query_worth_asking(ended.run.engine, name))}")
    if ended.run.engine.can_export():
        commands.append(f"yamafuda export {ended.run.layout.run_dir.name}")
    for number, command in enumerate(commands):
        yield ("next: " if number == 0 else "      ") + command
