"""The commands of games and of other packages, made from what is installed, when they are needed.

The command line knows no game by name; a game's functions are imported when their command is. Packages that
build on the command line, as the site does, declare their commands as entry points of the group
``yamafuda.commands``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from engines.contract import registry
from engines.contract.game import example_of, load
from engines.contract.nearest import did_you_mean
from pipeline.answering import answering_command
from pipeline.launching import launching
from storage.errors import UserError

GROUP = "yamafuda.commands"


class GameCommands(TyperGroup):
    """The games that have ``verb``, each as a command that is made when it is needed."""

    verb: ClassVar[str]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """UserError with a list of the games when none is named."""
        if not args and not ctx.resilient_parsing:
            raise UserError(self.verb, f"names no game; there are: {', '.join(self.list_commands(ctx))}")
        found: list[str] = super().parse_args(ctx, args)
        return found

    def list_commands(self, ctx: Any) -> list[str]:
        """Names for ``--help``."""
        return [game.name for game in registry.games() if game.can(self.verb)]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The game that the words name; UserError with a list of those that can do this for any other."""
        if args and not ctx.resilient_parsing:
            _refuse_unknown(self, ctx, args[0], self.verb, "game")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by name; None when there is none."""
        if cmd_name not in registry.game_names() or not registry.game(cmd_name).can(self.verb):
            return None
        return made(cmd_name, answering_command(registry.game(cmd_name).function(self.verb)))


class Commands(TyperGroup):
    """Our commands, and those of other packages and of games, which are imported when they are needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names for ``--help``."""
        return [
            *super().list_commands(ctx),
            *_installed(),
            *sorted(name for each in registry.games() for name in (*each.commands, *each.services)),
        ]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words name; UserError with a list of those that there are for any other."""
        if args and not ctx.resilient_parsing:
            _refuse_unknown(self, ctx, args[0], "COMMAND", "command")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by name; None when there is none."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        if cmd_name in _installed():
            return made(cmd_name, _installed()[cmd_name].load())
        specs = [each.commands[cmd_name] for each in registry.games() if cmd_name in each.commands]
        services = [each.services[cmd_name] for each in registry.games() if cmd_name in each.services]
        if services:
            return made(cmd_name, launching(load(services[0])))
        return made(cmd_name, answering_command(load(specs[0]))) if specs else None


@cache
def _installed() -> dict[str, EntryPoint]:
    """The commands of other packages by name."""
    return {entry.name: entry for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name)}


def _refuse_unknown(group: TyperGroup, ctx: Any, word: str, place: str, kind: str) -> None:
    """UserError that names the one that ``word`` may have been meant for, and lists all of the group."""
    if word.startswith("-") or group.get_command(ctx, word) is not None:
        return
    names = group.list_commands(ctx)
    suggested = did_you_mean(word, names)
    all_names = f"{' There' if suggested else '; there'} are: {', '.join(names)}"
    raise UserError(place, f"there is no {kind} {word!r} here{suggested}{all_names}")


def made(name: str, function: Callable[..., Any]) -> Any:
    """The command made from a function's parameters."""
    group = typer.Typer(rich_markup_mode=None, add_completion=False)
    group.command(name, epilog=example_of(function))(function)
    return typer.main.get_group(group).commands[name]


def commands_of(verb: str) -> type[GameCommands]:
    """The group of commands of all games that can do ``verb``."""
    return type("Games", (GameCommands,), {"verb": verb})
