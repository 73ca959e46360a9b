"""The list of jobs by game, each described by the first line of its file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engines.contract.game import REPORT, VERBS, Game
from engines.contract.registry import games
from pipeline.jobfiles import JobFile, job_files, kind_of
from pipeline.ragged import print_ragged


@dataclass(frozen=True)
class GameJobs:
    """The commands that a game has."""

    game: Game | None
    """None for files that do not name their game."""
    jobs: list[JobFile]


def jobs_by_game(config_dir: Path | None) -> list[GameJobs]:
    """All games with what ``job=`` takes for them, in order of names."""
    files = job_files(config_dir)
    kinds = {name: kind_of(files, name) for name in files}
    found = [
        GameJobs(game, [file for name, file in files.items() if kinds[name] in game.jobs]) for game in games()
    ]
    rest = [file for name, file in files.items() if kinds[name] is None]
    return [*found, GameJobs(None, rest)] if rest else found


def print_jobs(listed: list[GameJobs], as_json: bool) -> None:
    """Print the list, for people or as a JSON line for each job."""
    if as_json:
        for each in listed:
            name = None if each.game is None else each.game.name
            for file in each.jobs:
                print(json.dumps({"game": name, "job": file.name, "description": file.description}))
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=False)
    width = max(len(file.name) for each in listed for file in each.jobs)
    for each in listed:
        head = (
            Text("others", "bold")
            if each.game is None
            else Text.assemble((each.game.name, "bold"), f": {each.game.title}")
        )
        print_ragged(console, head)
        rows = Table.grid(padding=(0, 2))
        rows.add_column(width=width, no_wrap=True)
        rows.add_column()
        for file in each.jobs:
            rows.add_row(Text(file.name, "cyan"), Text(file.description))
        print_ragged(console, Padding(rows, (0, 0, 0, 2)))
        if each.game is not None and (asked := list(_asked(each.game))):
            print_ragged(
                console,
                Padding(Text(f"and: yamafuda {'|'.join(asked)} {each.game.name}", "dim"), (0, 0, 0, 2)),
            )
        console.print()
    console.print("yamafuda jobs NAME lists the fields of a job, yamafuda run job=NAME computes it.")


def _asked(game: Game) -> Iterator[str]:
    return (verb for verb in (*VERBS, REPORT) if game.can(verb))
