"""The files that ``job=`` takes, read as text without composing them: what they extend and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from engines.contract.nearest import did_you_mean
from engines.contract.registry import game_names, games, job_names
from storage.errors import UserError

_LINE = re.compile(
    r"""(?P<indent>\s*)(?P<key>[\w-]+):(?P<value>([^#"']|"[^"]*"|'[^']*'|(?<=\S)#)*)((?<=\s)#\s*(?P<comment>.*))?"""
)
_BASES_MOST = 20
"""A longer chain of files that extend one another must be a circle."""


@dataclass(frozen=True)
class JobFile:
    """One file; what it does not set comes from the file that it extends."""

    name: str
    text: str

    @property
    def remarks(self) -> list[str]:
        """The comment lines that the file begins with: the first says what the job is for."""
        lines = self.text.splitlines()
        end = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
        return [line.removeprefix("#").removeprefix(" ").rstrip() for line in lines[:end]]

    @property
    def description(self) -> str:
        """What the job is for, in a line; empty when the file does not say."""
        return self.remarks[0].strip() if self.remarks else ""

    @property
    def bases(self) -> list[str]:
        """The names in its defaults: files of the folder, or ``schema/NAME`` for the kind of job."""
        import yaml  # type: ignore[import-untyped]

        try:
            found = yaml.safe_load(self.text)
        except (yaml.YAMLError, RecursionError):
            return []
        defaults = found.get("defaults") if isinstance(found, dict) else None
        names = [entry for entry in defaults if isinstance(entry, str)] if isinstance(defaults, list) else []
        return [name.removesuffix("@_here_") for name in names if name != "_self_"]

    @property
    def comments(self) -> dict[str, str]:
        """The dotted names of its keys in order, each with the comment on its line."""
        found: dict[str, str] = {}
        above: list[tuple[int, str]] = []
        for line in self.text.splitlines():
            read = _LINE.fullmatch(line)
            if read is None:
                continue
            indent = len(read["indent"])
            above = [(width, key) for width, key in above if width < indent]
            above.append((indent, read["key"]))
            if above[0][1] != "defaults":
                found[".".join(key for _, key in above)] = (read["comment"] or "").strip()
        return found


def config_folders(group: str, config_dir: Path | None) -> list[Traversable]:
    """The folders with files of ``group`` (job, cluster, paths), in the order of composing: ``conf/``, the
    user's, other games'."""
    if config_dir is not None and not config_dir.is_dir():
        raise UserError("--config-dir", f"{config_dir} is not a folder")
    own: list[Traversable] = [] if config_dir is None else [config_dir / group]
    others = [game.configs for game in games() if game.configs is not None]
    return [resources.files("conf") / group, *own, *(resources.files(package) / group for package in others)]


def config_files(group: str, config_dir: Path | None) -> dict[str, Traversable]:
    """The files that ``group=NAME`` takes, by name, in order."""
    found: dict[str, Traversable] = {}
    for folder in config_folders(group, config_dir):
        for entry in folder.iterdir() if folder.is_dir() else ():
            if entry.name.endswith(".yaml") and entry.is_file():
                found.setdefault(entry.name.removesuffix(".yaml"), entry)
    return dict(sorted(found.items()))


def job_files(config_dir: Path | None) -> dict[str, JobFile]:
    """All files that ``job=NAME`` takes, by name, in order; UserError when ``config_dir`` is no folder."""
    return {
        name: JobFile(name, entry.read_bytes().decode(errors="replace"))
        for name, entry in config_files("job", config_dir).items()
    }


def named_file(files: dict[str, Any], name: str) -> Any:
    """The one of ``files`` with this name; UserError that names the nearest when there is none."""
    if name not in files:
        hint = did_you_mean(name, [*files, *game_names()]) or "; yamafuda jobs lists all"
        raise UserError("job", f"there is no job {name!r}{hint}")
    return files[name]


def chain(files: dict[str, JobFile], name: str) -> list[JobFile]:
    """The file ``name`` and those that it extends, the most general first."""
    found = [files[name]]
    while len(found) < _BASES_MOST:
        base = next((each for each in found[0].bases if each in files), None)
        if base is None:
            break
        found.insert(0, files[base])
    return found


def kind_of(files: dict[str, JobFile], name: str) -> str | None:
    """The kind of job (``job.name``) that the file ``name`` sets; None when its files do not say."""
    known = {f"schema/{each}": each for each in job_names()}
    return next((known[base] for base in chain(files, name)[0].bases if base in known), None)
