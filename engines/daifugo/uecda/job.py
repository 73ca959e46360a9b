"""The configuration of ``job=daifugo_uecda``: a tournament whose players may be programs that are connected."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engines.contract.options import option
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.players import check_names, resolve
from engines.daifugo.tournament import DaifugoTournamentJob, Ranks
from storage.errors import UserError

LOOPBACK = "127.0.0.1"
PORT = 42485
"""Of the contest's server."""
PLACES = ("host", "port", "name")
"""What a command line may have in braces."""


class Lost(StrEnum):
    """What a connection loses by silence, half a table, or garbage. Who closes it loses its seat either way."""

    turn = "turn"
    """It passes; who is gone passes ever after."""
    seat = "seat"
    """A random player has the seat from then on."""


@dataclass
class DaifugoUecdaJob(DaifugoTournamentJob):
    """Fields of ``conf/job/daifugo_uecda.yaml``."""

    commands: dict[str, str] = field(default_factory=dict)
    """Players that are programs: the command line that is started for each, with {host}, {port} and {name} in it."""
    connections: list[str] = field(default_factory=list)
    """Names of players that come by themselves, in this order, and stay for all games."""
    address: str = LOOPBACK
    """Where the server listens. Anything but this machine's own loopback lets others in."""
    port: int = option(0, "Port of the server; 0: any that is free.", most=65535)
    move_s: float = option(10.0, "Time for a decision of a connection.", least=0.001, most=86400)
    join_s: float = option(60.0, "Time for a player to connect.", least=0.001, most=86400)
    lost: Lost = Lost.turn
    """What silence, half a table, or garbage costs: turn or seat."""
    session: str = ""
    """Tells apart meetings of the same players: games with connections are never the same twice."""

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        for name, line in self.commands.items():
            _check_command(name, line)
        check_names([*self.commands, *self.connections], "job.commands")
        both = sorted(self.outside() & self.kinds.keys())
        if both:
            raise UserError("job.commands", f"{both[0]!r} is one of job.kinds already")
        super().check()
        self.commands = {name: self.commands[name] for name in self.commands if name in self.used()}
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
        return {*self.commands, *self.connections}

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


def _check_command(name: str, line: str) -> None:
    place = f"job.commands.{name}"
    try:
        filled = line.format(**dict.fromkeys(PLACES, "x"))
    except (KeyError, IndexError, ValueError, AttributeError):
        raise UserError(place, "has braces around other than host, port and name") from None
    if "{port}" not in line or not filled.strip():
        raise UserError(place, "must have {port} in it: that is where the program plays")
