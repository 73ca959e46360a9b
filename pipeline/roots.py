"""The root folders for commands that take a RUN and no Hydra words: those of ``conf/paths/default.yaml``."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from storage.layout import find_run, run_folders


def roots() -> dict[str, Path]:
    """``results``, ``tables`` and ``scratch``, with the environment's overrides."""
    from omegaconf import OmegaConf

    text = (resources.files("conf") / "paths" / "default.yaml").read_text()
    # The file is composed below the key "paths", where its relative references are resolved.
    node = OmegaConf.create({"paths": OmegaConf.create(text)})
    return {name: Path(node.paths[name]) for name in ("results", "tables", "scratch")}


def locate(run: str) -> Path:
    """The folder of RUN; UserError when there is none or several."""
    places = roots()
    return find_run([places["results"], places["tables"]], run).resolve()


def all_runs() -> list[Path]:
    """All run folders below the roots."""
    places = roots()
    return [run.resolve() for run in run_folders([places["results"], places["tables"]])]
