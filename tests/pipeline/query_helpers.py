"""Runs of the toys, and what SQL answers of them, in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toy_helpers import compose

from pipeline.query.answer import answer
from pipeline.query.fence import statements
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner


def run_of(*words: str) -> Path:
    """The folder of the run that ``yamafuda run WORDS`` computes, whatever its exit status."""
    _, folder = run_job(compose(*words), SerialRunner())
    return folder


def asked(sql: str, with_unfinished: bool = False) -> list[tuple[Any, ...]]:
    """The rows that answer one statement."""
    (statement,) = statements(sql)
    return list(answer(statement, with_unfinished).rows)
