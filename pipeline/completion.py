"""What the word that is being typed may become: for the completion of shells.

A shell's script (``completion_scripts``) calls the command with ``_YAMAFUDA_COMPLETE`` (the shell), ``COMP_WORDS`` (the
words of the line, one a line, or with blanks between them) and ``COMP_CWORD`` (the number of the word at the cursor)
in the environment, and reads one word a line. Nothing is imported that takes time: jobs are read as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from storage.errors import UserError

VARIABLE = "_YAMAFUDA_COMPLETE"
_GROUPS = ("job", "cluster", "paths")


def completions(command: Any, environment: Mapping[str, str]) -> list[str]:
    """Words that the one at the cursor may become, in the environment that a shell's script has made."""
    text = environment.get("COMP_WORDS", "")
    words = text.split("\n") if "\n" in text else text.split()
    number = int(environment.get("COMP_CWORD") or len(words) - 1)
    line, word = words[1:number], words[number] if number < len(words) else ""
    cut = ""
    if environment[VARIABLE].endswith("bash"):
        line, word, cut = _joined([*line, word])
    try:
        found = [each for each in _words(command, line, word) if each.startswith(word)]
    except (UserError, OSError, ValueError):
        return []
    return [each.removeprefix(cut) for each in dict.fromkeys(found)]


def _joined(words: list[str]) -> tuple[list[str], str, str]:
    """Words that bash has split at ``=``, joined again: those before, the last, and the part of it that bash keeps."""
    whole: list[str] = []
    parted = False
    for word in words:
        if whole and (parted or word == "="):
            whole[-1] += word
        else:
            whole.append(word)
        parted = word == "="
    last = whole[-1]
    cut = last[: last.rfind("=") + 1] if "=" in words[-2:] else ""
    return whole[:-1], last, cut


def _words(command: Any, line: list[str], word: str) -> Iterator[str]:
    """What may follow ``line``, whether or not it begins as ``word`` does."""
    import typer

    context = typer.Context(command, info_name="yamafuda")
    rest = list(line)
    while hasattr(command, "list_commands"):
        while rest and rest[0].startswith("-"):
            rest.pop(0)
        if not rest:
            yield from command.list_commands(context)
            yield from _runs() if hasattr(command, "for_runs") else ()
            yield from _options(command) if word.startswith("-") else ()
            return
        found = command.get_command(context, rest[0])
        if found is not None:
            rest.pop(0)
        elif hasattr(command, "for_runs"):
            found = command.get_command(context, command.for_runs)
        else:
            return
        command = found
    options = {name: each for each in command.params for name in (*each.opts, *each.secondary_opts)}
    last = options.get(rest[-1]) if rest and rest[-1].startswith("-") else None
    if last is not None and not last.is_flag:
        named = {"JOB": _job_names, "EXAMPLE": _example_names}.get(last.metavar or "")
        yield from named() if named else _choices(last.metavar)
    elif word.startswith("-"):
        yield from _options(command)
    else:
        given = [each for number, each in enumerate(rest) if not _belongs_to_option(rest, number, options)]
        yield from _arguments(command, given, word, rest)


def _belongs_to_option(words: list[str], number: int, options: Mapping[str, Any]) -> bool:
    """Whether a word is an option or the value of one."""
    before = options.get(words[number - 1]) if number and words[number - 1].startswith("-") else None
    return words[number].startswith("-") or (before is not None and not before.is_flag)


def _options(command: Any) -> Iterator[str]:
    for each in command.params:
        if each.param_type_name == "option" and not each.hidden:
            yield from (name for name in (*each.opts, *each.secondary_opts) if name.startswith("--"))
    yield "--help"


def _choices(metavar: str | None) -> Iterable[str]:
    """``carry|standard`` has two; ``N`` is any number."""
    return [word for word in (metavar or "").split("|") if not word.isupper()]


def _arguments(command: Any, given: list[str], word: str, line: list[str]) -> Iterable[str]:
    places = [each for each in command.params if each.param_type_name == "argument"]
    if not places:
        return ()
    place = places[min(len(given), len(places) - 1)]
    if len(given) >= len(places) and place.nargs != -1:
        return ()
    if place.metavar == "KEY=VALUE...":
        return _settings(given, word, _config_dir(line))
    if place.metavar == "NAME":
        from engines.contract.registry import game_names

        return (*_files("job", _config_dir(line)), *game_names())
    if "RUN" in (place.metavar or ""):
        return _runs()
    return _choices(place.metavar)


def _settings(given: list[str], word: str, config_dir: Path | None) -> Iterator[str]:
    """``job=NAME``, and the job's fields as its files name them."""
    from pipeline.jobfiles import chain, job_files

    key, is_value, _ = word.partition("=")
    if is_value and key in _GROUPS:
        yield from (f"{key}={name}" for name in _files(key, config_dir))
    if is_value:
        return
    set_keys = {each.partition("=")[0] for each in given}
    yield from (f"{group}=" for group in ("job", "cluster") if group not in set_keys)
    files = job_files(config_dir)
    name = next((each.partition("=")[2] for each in given if each.startswith("job=")), "")
    if name in files:
        fields = dict.fromkeys(key for file in chain(files, name) for key in file.comments)
        groups = {field.rpartition(".")[0] for field in fields}
        yield from (f"job.{field}=" for field in fields if field != "name" and field not in groups)
    if "cluster=local" in given:
        yield "cluster.cpus="
    if "cluster=address" in given:
        yield "cluster.address="
    if word.startswith(("l", "p")):
        yield from ("label=", "paths.results=", "paths.tables=", "paths.scratch=")


def _example_names() -> Iterable[str]:
    from pipeline.query.examples import examples

    return [each.name for each in examples()]


def _job_names() -> Iterable[str]:
    from engines.contract.registry import job_names

    return job_names()


def _files(group: str, config_dir: Path | None) -> Iterable[str]:
    from pipeline.jobfiles import config_files

    return config_files(group, config_dir)


def _config_dir(line: list[str]) -> Path | None:
    """The value of ``--config-dir`` on the line."""
    place = line.index("--config-dir") + 1 if "--config-dir" in line else len(line)
    return Path(line[place]) if place < len(line) and Path(line[place]).is_dir() else None


def _runs() -> Iterator[str]:
    """Names of runs; folders are left to the shell."""
    from pipeline.roots import run_roots
    from storage.layout import run_folders

    return (run.name for run in run_folders(run_roots()))
