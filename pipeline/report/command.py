"""``yamafuda report GAME`` and ``yamafuda report [RUN...]``, as text, JSON lines or a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from engines.contract import registry
from engines.contract.game import REPORT, Roots, example
from engines.contract.nearest import did_you_mean
from pipeline.game_commands import GameCommands, made
from storage.errors import UserError
from storage.place import place_at

RUNS = "runs"
"""Name of the command for chosen runs, which is used when no game is named."""

Tables = Annotated[
    str,
    typer.Option(
        help="Folder or URL of table runs.", metavar="PLACE", envvar=["YAMAFUDA_TABLES", "YAMAFUDA_RESULTS"]
    ),
]
Results = Annotated[
    str, typer.Option(help="Folder or URL of sweep runs.", metavar="PLACE", envvar="YAMAFUDA_RESULTS")
]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write a page with figures, in one file."),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON lines on stdout.")]


class ReportCommands(GameCommands):
    """A command for each game, and one for runs: words that do not name a game name runs."""

    verb = REPORT
    for_runs = RUNS

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Words without a game, or no words at all, go to the command for runs."""
        if not ctx.resilient_parsing and not args:
            args = [RUNS]
        if args and args[0] not in (*self.list_commands(ctx), "-h", "--help"):
            args = [RUNS, *args]
        found: list[str] = super().parse_args(ctx, args)
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        """Names for ``--help``."""
        return [*super().list_commands(ctx), RUNS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by name; None when there is none."""
        if cmd_name == RUNS:
            return made(RUNS, report_runs)
        if cmd_name not in registry.game_names() or not registry.game(cmd_name).can(REPORT):
            return None
        return made(cmd_name, _report_game(cmd_name))


def _report_game(name: str) -> Any:
    """The command of a game."""
    game = registry.game(name)

    @example(f"Example: yamafuda report {name} --html {name}.html")
    def report(
        tables: Tables = "results", results: Results = "results", as_json: AsJson = False, html: Html = None
    ) -> None:
        """Compare runs with published figures; exit status 1 when an exact one differs."""
        roots = _roots(results, tables)
        if html is not None:
            from pipeline.report.content import of_game
            from pipeline.report.page import page

            _write(html, page(of_game(game, roots)))
        elif not game.function(REPORT)(roots, as_json):
            raise typer.Exit(1)

    report.__doc__ = game.function(REPORT).__doc__
    return report


@example("Example: yamafuda report klondike_sweep-redeals2 3f2a --html found.html")
def report_runs(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="RUN...", help="Folders, labels, or beginnings of names or ids."),
    ] = None,
    tables: Tables = "results",
    results: Results = "results",
    as_json: AsJson = False,
    html: Html = None,
) -> None:
    """Show what runs have found; all runs if none is named.

    What each has computed, how, by which version and when; figures with their tables, and the queries behind them.
    JSON has a line for each row of a table.
    """
    from pipeline.report.content import of_runs
    from pipeline.roots import runs_below

    roots = _roots(results, tables)
    places = list(dict.fromkeys([roots.results, roots.tables]))
    folders = [_locate(each, places) for each in runs] if runs else runs_below(places)
    content = of_runs(list(dict.fromkeys(folder.resolve() for folder in folders)), roots)
    if html is not None:
        from pipeline.report.page import page

        _write(html, page(content))
    elif as_json:
        for chapter in content.chapters:
            for section in chapter.sections:
                for row in section.rows:
                    print(json.dumps({"of": chapter.title, "section": section.name, **row}))
    else:
        from pipeline.report.text import report_text

        for line in report_text(content):
            print(line)


def _roots(results: str, tables: str) -> Roots:
    return Roots(place_at(results, "--results"), place_at(tables, "--tables"))


def _locate(word: str, places: list[Any]) -> Any:
    """The run that a word means; UserError that lists the games when the word does not mean any run."""
    from pipeline.journal import read_label
    from storage.layout import find_run, runs_called

    if word and "/" not in word and not Path(word).exists() and not runs_called(places, word, read_label):
        names = [each.name for each in registry.games() if each.can(REPORT)]
        raise UserError(
            "report",
            f"there is no game {word!r} here{did_you_mean(word, names)}; there are: {', '.join(names)}; and no "
            f"run's name or id begins with it in {', '.join(map(str, places))}, and none has this label",
        )
    return find_run(places, word, read_label)


def _write(target: Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError("--html", f"{target} cannot be written: {error.strerror}") from None
    print(target)
