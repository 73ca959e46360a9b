"""The configuration of ``job=daifugo_uecda``: a tournament whose players may be programs that are connected."""

from __future__ import annotations

import ipaddress
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.contract.options import option
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.players import check_names, resolve
from engines.daifugo.tournament import DaifugoTournamentJob, Ranks
from engines.daifugo.uecda.protocol import LOOPBACK, Lost
from storage.errors import UserError

PLACES = ("host", "port", "name")
"""Names that a command line may have in braces."""


@dataclass
class DaifugoUecdaJob(DaifugoTournamentJob):
    """Fields of ``conf/job/daifugo_uecda.yaml``."""

    commands: list[str] = field(default_factory=list)
    """Players that are programs, NAME=COMMAND: what is started for each, with {host}, {port} and {name} in it."""
    connections: list[str] = field(default_factory=list)
    """Names of players that connect by themselves, in this order, and stay for all games."""
    address: str = LOOPBACK
    """Where the server listens. Anything but this machine's own loopback lets others in."""
    port: int = option(0, "Port of the server; 0: any that is free.", most=65535)
    move_s: float = option(10.0, "Time for a decision of a connection.", least=0.001, most=86400)
    join_s: float = option(60.0, "Time for a player to connect.", least=0.001, most=86400)
    lost: Lost = Lost.turn
    """The penalty for silence, half a table, or garbage: turn or seat."""
    session: str = ""
    """A name for this meeting, to distinguish it from others of the same players: games with connections never
    repeat."""

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        for command in self.commands:
            _check_command(command)
        check_names([*self.lines(), *self.connections], "job.commands")
        if len(self.outside()) < len(self.commands) + len(self.connections):
            raise UserError("job.commands", "two players have the same name")
        both = sorted(self.outside() & self.kinds.keys())
        if both:
            raise UserError("job.commands", f"{both[0]!r} is one of job.kinds already")
        super().check()
        self.commands = [each for each in self.commands if _named(each)[0] in self.used()]
        if self.ranks != Ranks.own:
            raise UserError("job.ranks", "programs keep their own")
        if self.connections and self.variants:
            raise UserError("job.variants", "who connects by itself (job.connections) plays once")
        for name in self.connections:
            if self.players.count(name) != 1:
                raise UserError("job.connections", f"{name!r} must be in job.players once")
        try:
            ipaddress.ip_address(self.address)
        except ValueError:
            raise UserError("job.address", f"{self.address!r} is no address") from None

    def outside(self) -> set[str]:
        """Names of players that are not the core's."""
        return {*self.lines(), *self.connections}

    def lines(self) -> dict[str, str]:
        """Command lines by name."""
        return dict(map(_named, self.commands))

    def used(self) -> list[str]:
        """All names in ``players`` and ``variants``."""
        return [*self.players, *self.variants]

    def used_kinds(self) -> dict[str, PlayerOptions]:
        """Options of the players that are the core's."""
        kinds: Mapping[str, PlayerOptions | Mapping[str, Any]] = self.kinds
        own = {
            field: [n for n in getattr(self, field) if n not in self.outside()]
            for field in ("players", "variants")
        }
        return resolve(kinds, own["players"], "job.players") | resolve(kinds, own["variants"], "job.variants")


def _named(command: str) -> tuple[str, str]:
    """Name and line of NAME=COMMAND."""
    name, _, line = command.partition("=")
    return name.strip(), line.strip()


def _check_command(command: str) -> None:
    name, line = _named(command)
    place = "job.commands"
    if not line:
        raise UserError(place, f"{command!r} is not NAME=COMMAND")
    try:
        line.format(**dict.fromkeys(PLACES, "x"))
        shlex.split(line)
    except (LookupError, ValueError, AttributeError):
        raise UserError(
            place, f"{name}: quotes do not close, or braces are around other than {', '.join(PLACES)}"
        ) from None
    if "{port}" not in line:
        raise UserError(place, f"{name}: must have {{port}} in it: that is where the program plays")
