"""What jobs and summaries tell of runs, beside rows: a name is a number in all of them or a word in all of them."""
# ruff: noqa: E402 (the records must be importable before they are imported)

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from enum import StrEnum
from importlib import resources
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pyarrow as pa
import pytest

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))

from instances import INSTANCES

from engines.contract.columns import all_columns
from engines.contract.registry import engine_class, job_names

JOBS = json.loads((GOLDEN / "jobs.json").read_text())
WORD, NUMBER, TRUTH, LIST = "word", "number", "truth", "list"


def kind_of_type(hint: Any) -> str | None:
    """None for what is told of no run: limits, options of players."""
    (kind,) = [each for each in get_args(hint) or [hint] if each is not NoneType][:1]
    if get_origin(hint) is list:
        return LIST
    if not isinstance(kind, type) or get_origin(hint) is dict:
        return None
    if issubclass(kind, StrEnum | str):
        return WORD
    return {bool: TRUTH, int: NUMBER, float: NUMBER}.get(kind)


def kind_of_value(value: Any) -> str | None:
    """Of a figure; None for what no column tells."""
    if isinstance(value, bool):
        return TRUTH
    return NUMBER if isinstance(value, int | float) else WORD if isinstance(value, str) else None


def kind_of_column(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return LIST
    return WORD if pa.types.is_string(kind) else TRUTH if pa.types.is_boolean(kind) else NUMBER


def job_of(config: str) -> str:
    """The job that a shipped configuration is one of."""
    text = (resources.files("conf") / "job" / f"{config}.yaml").read_text()
    schema, name = re.findall(r"^ +- (schema/)?(\w+)@_here_$", text, re.MULTILINE)[0]
    return name if schema else job_of(name)


def told() -> Iterator[tuple[str, str | None, str]]:
    """Name, kind, and where it is told."""
    for name, field in all_columns().items():
        yield name, kind_of_column(field.type), "rows"
    for job in job_names():
        engine = engine_class(job)
        for name, hint in get_type_hints(engine.job_type).items():
            if get_origin(hint) is not None and "ClassVar" in str(hint):
                continue
            yield engine.told_as.get(name, name), kind_of_type(hint), f"job={job}"
    for instance in INSTANCES:
        told_as = engine_class(job_of(instance.job)).told_as
        for name, value in JOBS[instance.name]["figures"].items():
            yield told_as.get(name, name), kind_of_value(value), f"summary of {instance.name}"


def test_names_that_runs_rows_and_jobs_share_are_of_one_kind() -> None:
    found: dict[str, tuple[str, str]] = {}
    for name, kind, where in told():
        if kind is not None:
            known, first = found.setdefault(name, (kind, where))
            assert known == kind, f"{name}: {known} in {first}, {kind} in {where}"
    assert found["ranks"][0] == found["points"][0] == NUMBER
    assert found["starting_ranks"][0] == found["point_cards"][0] == WORD


@pytest.mark.parametrize("job", job_names())
def test_fields_that_are_told_otherwise_are_fields(job: str) -> None:
    engine = engine_class(job)
    assert engine.told_as.keys() <= get_type_hints(engine.job_type).keys()
