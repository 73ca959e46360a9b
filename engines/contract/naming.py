"""Names of runs: the job, the fields that differ from the job's defaults, and the beginning of the id."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from engines.contract.job import FOUND_OUT, Job, default_of, job_identity, run_id
from storage.layout import ID_DIGITS, run_place
from storage.place import Place

FIELD_LETTERS, FIELDS_LETTERS = 40, 120
"""Longest part of a name for one field, and for all: file systems take 255 bytes."""


def run_name(job: Job, engine_version: int) -> str:
    """Such as ``klondike_sweep-redeals2-004d3f2d91c3``; safe in paths, globs, shells and URLs.

    Only the id must be unique; the fields are for readers, and are left out when the name gets too long.
    """
    changed = changed_fields(job).items()
    parts = [_part(name, value) for name, value in changed if not isinstance(value, Mapping)]
    kept: list[str] = []
    for part in parts:
        if sum(map(len, kept)) + len(kept) + len(part) <= FIELDS_LETTERS:
            kept.append(part)
    return "-".join([job.name, *kept, run_id(job, engine_version)[:ID_DIGITS]])


def place_of_run(root: Place, job: Job, engine_version: int) -> Place:
    """The folder below ``root`` that a job's run has, or will have."""
    return run_place(root, job.name, run_id(job, engine_version), run_name(job, engine_version))


def changed_fields(job: Job) -> dict[str, Any]:
    """The fields of a job that differ from the defaults of its kind, without fields that repeat another one."""
    values = job_identity(job)
    defaults = {each.name: default_of(each) for each in dataclasses.fields(job)}
    return {
        name: value
        for name, value in values.items()
        if name != "name" and value != defaults[name] and not name.endswith(FOUND_OUT)
    }


def _part(name: str, value: Any) -> str:
    """A field in characters that are safe anywhere: ``redeals2``, ``redeal_rule_standard``, ``no_deal_last``."""
    if isinstance(value, bool):
        return name if value else f"no_{name}"
    if isinstance(value, int | float):
        return _safe(f"{name}{value}")
    if isinstance(value, StrEnum) or value is None:
        return _safe(f"{name}_{'none' if value is None else value.value}")
    if isinstance(value, list | tuple):
        return _safe("_".join([name, *map(str, value)]))
    return _safe(f"{name}_{Path(value).stem if name == 'file' else value}")


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]+", "_", text)[:FIELD_LETTERS].rstrip("._")
