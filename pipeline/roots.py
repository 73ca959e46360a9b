"""The root folders for commands that take a RUN and no Hydra words: those of ``conf/paths/default.yaml``."""

from __future__ import annotations

import os
import re
import sys
from importlib import resources
from pathlib import Path

from storage.errors import UserError
from storage.layout import find_run, run_folders

# Importing OmegaConf takes longer than these commands do; a test compares what both read.
_ROOT = re.compile(r"^(\w+): \$\{oc\.env:(\w+),(\S*)\}", re.MULTILINE)
_REFERENCE = re.compile(r"\$\{\.(\w+)\}")


def roots() -> dict[str, Path]:
    """``results``, ``tables`` and ``scratch``, with the environment's overrides."""
    text = (resources.files("conf") / "paths" / "default.yaml").read_text()
    found: dict[str, str] = {}
    for name, variable, default in _ROOT.findall(text):
        found[name] = os.environ.get(variable, _REFERENCE.sub(lambda named: found[named[1]], default))
    return {name: root_folder(root, f"paths.{name}") for name, root in found.items()}


def root_folder(root: str, field: str) -> Path:
    """The folder that a root means: a path or a file URI; UserError naming ``field`` for anything else."""
    if not root.strip():
        raise UserError(field, "is empty; give a folder")
    if "://" not in root:
        return Path(root)
    # pyarrow takes a fifth of a second to import.
    from storage.dataset import writable_folder

    return writable_folder(root, field)


def locate(run: str) -> Path:
    """The folder of RUN; UserError when there is none or several."""
    return find_run(run_roots(), run).resolve()


def all_runs() -> list[Path]:
    """All run folders below the roots; says on stderr when there is nothing that could have any."""
    places = run_roots()
    if not any(place.is_dir() for place in places):
        missing = " and ".join(str(place) for place in places)
        print(
            f"yamafuda: no folder of runs here: {missing} (YAMAFUDA_RESULTS names another)", file=sys.stderr
        )
    return [run.resolve() for run in run_folders(places)]


def run_roots() -> list[Path]:
    """The roots that runs lie below, each once; UserError for one that is named and is no folder."""
    places = roots()
    found = list(dict.fromkeys([places["results"], places["tables"]]))
    for name in ("results", "tables"):
        variable, place = f"YAMAFUDA_{name.upper()}", places[name]
        if place.exists() and not place.is_dir():
            raise UserError(f"paths.{name}", f"{place} is not a folder")
        if os.environ.get(variable) and not place.exists():
            raise UserError(variable, f"there is no folder {place}")
    return found
