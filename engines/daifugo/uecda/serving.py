"""``yamafuda serve-uecda``: a server that waits for players, as a run with a folder."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Annotated

import typer

from engines.contract.game import Launch, example
from engines.contract.job import typed
from engines.daifugo.dealing import RANK_PERIOD, SEAT_PERIOD
from engines.daifugo.rules import PLAYERS
from engines.daifugo.uecda.protocol import LOOPBACK, PORT, Lost
from storage.errors import UserError

SIGN = ":"
"""Before the name of a player that connects."""


@example(
    "Example: yamafuda serve-uecda :alice :bob :carol rule strong@100 --games 300. A word is one of our players, or "
    "a colon and the name of one that connects; they are players 0 to 4 in this order."
)
def serve(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME|:NAME]...",
            help="The five players: ours, and those who connect.",
            show_default=":guest0 to :guest4",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen at; 0.0.0.0 lets other machines in.")
    ] = LOOPBACK,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen at; 0 takes a free one.")
    ] = PORT,
    games: Annotated[
        int, typer.Option(min=1, help="How many games: whole matches (--rank-period), or a part of one.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of deals and seats.")] = 1,
    first: Annotated[int, typer.Option(min=0, help="Number of the first game.")] = 0,
    seat_period: Annotated[
        int, typer.Option(min=1, help="Games after which seats are drawn anew.")
    ] = SEAT_PERIOD,
    rank_period: Annotated[
        int, typer.Option(min=1, help="Games of a match: after them ranks are forgotten.")
    ] = RANK_PERIOD,
    move_s: Annotated[float, typer.Option(help="Seconds for a decision.")] = 10.0,
    join_s: Annotated[float, typer.Option(help="Seconds for each player to connect.")] = 600.0,
    lost: Annotated[
        Lost, typer.Option(help="The penalty for silence, half a table, or garbage.")
    ] = Lost.turn,
    records: Annotated[bool, typer.Option(help="Write each game into a row.")] = True,
    session: Annotated[
        str | None,
        typer.Option(
            help="A name for the run, to tell it from others of the same players.",
            show_default="the time; if such a run was stopped, its name",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as a JSON line.")] = False,
) -> Launch:
    """Serve a match of the UECda contest.

    Protocol 20070; the match is a run of job=daifugo_uecda with a folder.
    """
    from engines.daifugo.uecda.named import named_options

    words = players or [f"{SIGN}guest{number}" for number in range(PLAYERS)]
    if len(words) != PLAYERS:
        raise UserError("NAME", f"{len(words)} players; there are {PLAYERS}")
    names = [word.removeprefix(SIGN) for word in words]
    guests = [name for word, name in zip(words, names, strict=True) if word.startswith(SIGN)]
    for word in words:
        if not word.startswith(SIGN):
            named_options(word, "NAME")
    apart = "" if session is not None else "session"
    if session is None:
        session = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}"
    values = {
        "players": names,
        "connections": guests,
        "address": host,
        "port": port,
        "games": games,
        "seed": seed,
        "first": first,
        "seat_period": seat_period,
        "rank_period": rank_period,
        "move_s": move_s,
        "join_s": join_s,
        "lost": lost.value,
        "records": records,
        "session": session,
    }
    told = [f"job.{name}={typed(value)}" for name, value in values.items()]
    return Launch(("job=daifugo_uecda", *told, "cluster=serial"), as_json, apart)
