"""``yamafuda play-uecda``: one of our players at a server of others."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from engines.contract.game import example
from engines.contract.job import SEED_MAX
from engines.daifugo.uecda.protocol import LOOPBACK, NAME_LETTERS, PORT
from storage.errors import UserError


@example("Example: yamafuda play-uecda --host 127.0.0.1 --port 42485 --player strong --record games.jsonl")
def play(
    host: Annotated[str, typer.Option(help="Where the server is.")] = LOOPBACK,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Its port.")] = PORT,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays: a name in conf/players, NAME@N with N playouts.")
    ] = "strong",
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Leave after so many games.", show_default="until the server ends them"),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What it calls itself.", show_default="the player's name")
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=SEED_MAX, help="Seed of its dice, as for a player of a tournament.")
    ] = 1,
    first: Annotated[
        int, typer.Option(min=0, max=SEED_MAX, help="Number of the first game, for its dice.")
    ] = 0,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write its games to this file, one JSON line for each."),
    ] = None,
    patience_s: Annotated[
        float, typer.Option(min=0.01, max=86400, help="How long to wait for the server.")
    ] = 600.0,
    as_json: Annotated[bool, typer.Option("--json", help="The result as a JSON line.")] = False,
) -> None:
    """Play at a server of the UECda contest.

    Protocol 20070; prints the result.
    """
    from engines import _native
    from engines.daifugo.rules import PLAYERS
    from engines.daifugo.uecda.named import named_player
    from engines.daifugo.uecda.seen_record import rank_of, told

    made = named_player(player, "--player")
    called = (player if name is None else name)[:NAME_LETTERS]
    if not called.isascii() or not called.isprintable():
        raise UserError("--name", "only printable letters of ASCII can be sent")
    points: list[int] = []
    games_count, problem = 0, ""
    with ExitStack() as stack:
        file = None if record is None else stack.enter_context(_opened(record))
        try:
            guest = _native.DaifugoUecdaGuest(
                host, port, called, made, seed=seed, first=first, patience_s=patience_s
            )
        except (ConnectionError, TimeoutError) as error:
            hint = "no server is there yet (yamafuda serve-uecda), or it listens at another --host or --port"
            raise UserError("--host", f"{host}:{port}: {error}; {hint}") from None
        print(f"{called} is player {guest.number} at {host}:{port}", file=sys.stderr, flush=True)
        while not guest.is_over and games_count != games:
            try:
                game = guest.play()
            except (ConnectionError, TimeoutError) as error:
                problem = str(error)
                break
            games_count += 1
            if game is None:
                continue
            rank = rank_of(game)
            if rank is not None:
                points.append(PLAYERS - rank)
            if file is not None:
                print(json.dumps(told(game)), file=file)
    result = {
        "player": player,
        "number": guest.number,
        "games_count": games_count,
        "points": sum(points),
        "points_a_game": sum(points) / len(points) if points else None,
        "refused_count": guest.refused_count,
        "breaks_count": guest.breaks_count,
        "problem": problem or None,
    }
    if as_json:
        print(json.dumps(result), flush=True)
    else:
        mean = f"{result['points_a_game']:.3f}" if points else "no"
        print(f"{games_count} games, {mean} points a game", flush=True)
        if guest.refused_count or guest.breaks_count:
            print(f"{guest.refused_count} plays refused, {guest.breaks_count} tables that do not fit")
    if problem:
        raise UserError("--host", f"{host}:{port}: {problem}, after {games_count} games")


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    """A file to add lines to; a new one that an error leaves without any is removed."""
    # Opened before the server is met, which would lose a player if it could not be written.
    is_new = not os.path.lexists(path)
    with path.open("a", encoding="utf-8", buffering=1) as file:
        try:
            yield file
        except BaseException:
            if is_new and path.stat().st_size == 0:
                path.unlink()
            raise
