"""The root folders of ``conf/paths/default.yaml``, for commands that take a RUN and no Hydra words."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from pipeline.journal import read_label
from storage.copies import use_scratch
from storage.errors import UserError
from storage.layout import find_run, run_folders
from storage.place import ObjectPath, Place, place_at

# Importing OmegaConf takes longer than these commands do; a test compares what both read.
_ROOT = re.compile(r"^(\w+): \$\{oc\.env:(\w+),(\S*)\}", re.MULTILINE)
_REFERENCE = re.compile(r"\$\{\.(\w+)\}")


def roots() -> dict[str, Place]:
    """``results`` and ``tables``, with the environment's overrides."""
    found = _settings()
    return {name: place_at(found[name], f"paths.{name}") for name in ("results", "tables")}


def scratch() -> Path:
    """The scratch folder, fast and local; from now on this process keeps copies of objects there."""
    found = _settings()
    return use_scratch(found["scratch"], int(found["copies_bytes"]))


def _settings() -> dict[str, str]:
    text = (resources.files("conf") / "paths" / "default.yaml").read_text()
    found: dict[str, str] = {}
    for name, variable, default in _ROOT.findall(text):
        found[name] = os.environ.get(variable, _REFERENCE.sub(lambda named: found[named[1]], default))
    return found


def locate(run: str) -> Place:
    """The folder of RUN; UserError when no run or several fit."""
    scratch()
    return find_run(run_roots(), run, read_label).resolve()


def all_runs() -> list[Place]:
    """All run folders below the roots; says on stderr when none of the roots exists."""
    scratch()
    return [run.resolve() for run in runs_below(run_roots())]


def runs_below(places: Sequence[Place]) -> list[Place]:
    """All run folders below these folders."""
    if not any(root.is_dir() for root in places):
        missing = " and ".join(str(root) for root in places)
        print(
            f"yamafuda: no folder of runs here: {missing} (YAMAFUDA_RESULTS names another)", file=sys.stderr
        )
    return run_folders(places)


def run_roots() -> list[Place]:
    """The roots of runs, each once; UserError for a given one that is not a folder."""
    places = roots()
    found = list(dict.fromkeys([places["results"], places["tables"]]))
    for name in ("results", "tables"):
        variable, root = f"YAMAFUDA_{name.upper()}", places[name]
        if isinstance(root, ObjectPath):
            continue
        if root.exists() and not root.is_dir():
            raise UserError(f"paths.{name}", f"{root} is not a folder")
        if os.environ.get(variable) and not root.exists():
            raise UserError(variable, f"there is no folder {root}")
    return found
