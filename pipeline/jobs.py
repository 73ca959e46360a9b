"""The list of jobs: one configuration file each, described by its first comment line."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from engines.contract.registry import games
from storage.errors import UserError


def list_jobs(config_dir: Path | None) -> list[tuple[str, str]]:
    """(name, description) of all files in ``conf/job``, of games elsewhere and in ``job/`` of one's own folder."""
    packages = ["conf", *(game.configs for game in games() if game.configs is not None)]
    folders: list[Traversable] = [resources.files(package) / "job" for package in packages]
    if config_dir is not None:
        if not config_dir.is_dir():
            raise UserError("--config-dir", f"{config_dir} is not a folder")
        folders.append(config_dir / "job")
    found: dict[str, str] = {}
    for folder in folders:
        for entry in folder.iterdir() if folder.is_dir() else ():
            if entry.name.endswith(".yaml") and entry.is_file():
                text = entry.read_bytes().decode(errors="replace")
                found.setdefault(entry.name.removesuffix(".yaml"), _description(text))
    return sorted(found.items())


def _description(text: str) -> str:
    first = text.partition("\n")[0]
    return first.lstrip("# ").rstrip() if first.startswith("#") else ""
