"""Broken tables thrown at a server and at a client: neither crashes, hangs or grows."""

from __future__ import annotations

import random
import resource
import socket
import struct
from typing import Any

import pytest
from uecda_helpers import RawClient, of_hand, packed, served, threads

from engines import _native
from engines._native import DaifugoPlayer, DaifugoUecdaGuest
from engines.daifugo import dealing

GARBAGE = 3
GROWTH_KIB = 100_000


def broken(chance: random.Random) -> bytes:
    """A table that may mean anything: noise, small numbers, or a true one with a few cells changed."""
    kind = chance.random()
    if kind < 0.2:
        return chance.randbytes(480)
    if kind < 0.6:
        return packed([[chance.choice((0, 0, 0, 0, 1, 1, 2, 3, -1)) for _ in range(15)] for _ in range(8)])
    table = of_hand(frozenset(chance.sample(dealing.PACK, chance.randrange(14))))
    table[5] = (
        [chance.randrange(3) for _ in range(3)]
        + [chance.randrange(7)]
        + [chance.randrange(2) for _ in range(11)]
    )
    table[6] = [
        *(chance.randrange(12) for _ in range(5)),
        *(chance.sample(range(5), 5) if chance.random() < 0.7 else [0] * 5),
        *chance.sample(range(5), 5),
    ]
    for _ in range(chance.randrange(3)):
        table[chance.randrange(8)][chance.randrange(15)] = chance.choice((-1, 1, 2, 7, 2**31 - 1))
    return packed(table)


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def throw_at_server(games: int) -> int:
    """Four clients throw without waiting to be asked; the number of tables that were looked at."""
    chance = random.Random(1)
    tables = [broken(chance) for _ in range(2000)]

    def talk(client: RawClient) -> None:
        own = random.Random(client.number)

        def throw() -> None:
            try:
                while True:
                    client.socket.sendall(b"".join(own.sample(tables, 500)))
            except OSError:
                return

        with threads([throw]):
            try:
                while client.socket.recv(1 << 16):
                    pass
            except OSError:
                pass
            # Also for the thread that is sending.
            client.socket.shutdown(socket.SHUT_RDWR)

    chairs: list[Any] = [RawClient, RawClient, RawClient, RawClient, DaifugoPlayer("rule")]
    before = peak_kib()
    played, faults, _, _ = served(chairs, talk, games=games, limit_s=5.0)
    assert len(played.ranks) == games
    assert (faults[:, :4] == GARBAGE).mean() > 0.5
    assert not faults[:, 4].any()
    assert peak_kib() - before < GROWTH_KIB
    return int(played.turns_count[:, :4].sum())


def throw_at_client(kind: str, tables_count: int) -> None:
    """A server that sends nonsense, and after each two tables a number that the protocol has."""
    player = DaifugoPlayer("rule")
    if kind == "mc":
        player = DaifugoPlayer(
            "mc",
            generator=_native.DaifugoGenerator("exchange"),
            playouts=3,
            exchange_playouts=2,
            endgame_positions=50,
        )
    chance = random.Random(2)
    tables = [broken(chance) for _ in range(3000)]
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        peer, _ = server.accept()
        with peer:
            peer.recv(480, socket.MSG_WAITALL)
            peer.sendall(struct.pack(">i", 3))
            own = random.Random(5)

            def swallow() -> None:
                try:
                    while peer.recv(1 << 16):
                        pass
                except OSError:
                    return

            with threads([swallow]):
                peer.sendall(own.choice(tables))
                for _ in range(tables_count // 2):
                    hand, field = own.choice(tables), own.choice(tables)
                    asked = hand[4 * 77 : 4 * 78] == b"\0\0\0\1"
                    answer = struct.pack(">i", own.choice((8, 9, 9, 77))) if asked else b""
                    over = 1 if own.random() < 0.02 else 0
                    first = own.choice(tables) if over else b""
                    peer.sendall(hand + answer + field + struct.pack(">i", over) + first)
                peer.shutdown(socket.SHUT_WR)

    before = peak_kib()
    with threads([serve]):
        port = server.getsockname()[1]
        guest: DaifugoUecdaGuest | None
        guest = DaifugoUecdaGuest("127.0.0.1", port, "x", player, seed=7, first=0, patience_s=20.0)
        assert guest.number == 3
        games = 0

        def play_on() -> None:
            nonlocal games
            while guest is not None:
                guest.play()
                games += 1

        with pytest.raises(ConnectionError, match="closed"):
            play_on()
        breaks_count = guest.breaks_count
        guest = None  # and with it goes its end of the connection
    assert games > tables_count // 250
    assert breaks_count > tables_count // 5
    assert peak_kib() - before < GROWTH_KIB
