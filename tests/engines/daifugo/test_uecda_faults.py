"""What a connection must not do costs it a turn or its seat, never the match; nothing that comes in is believed."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from patience import assert_soon
from uecda_fuzz import throw_at_client, throw_at_server
from uecda_helpers import (
    RawClient,
    Table,
    empty,
    hand_in,
    of_hand,
    packed,
    play_games,
    profile,
    served,
    threads,
)

from engines import _native
from engines._native import DaifugoPlayer, DaifugoUecdaGuest
from engines.daifugo import dealing

GAMES = 12
FAULTS = {"silence": 1, "half a table": 2, "garbage": 3, "closed": 4}
JOIN: dict[str, Any] = {"seed": 7, "first": 0, "patience_s": 20.0}


def give(hand: Table, count: int) -> Table:
    return of_hand(dealing.strongest(hand_in(hand), count))


def until(fault: Callable[[RawClient], Table | None]) -> Callable[[RawClient], None]:
    """Passes 20 turns, then this instead of a table, and after that it passes on."""

    def talk(client: RawClient) -> None:
        turns = iter(range(10_000))

        def choose(hand: Table, field: Table) -> Table:
            if next(turns) == 20:
                instead = fault(client)
                if instead is None:
                    raise EOFError
                return instead
            return empty()

        try:
            play_games(client, choose, give)
        except (EOFError, ConnectionError, TimeoutError):
            client.socket.close()

    return talk


def silence(client: RawClient) -> Table | None:
    """Reads the 8 that it gets, and comes back with a table that nobody waits for any longer."""
    number = client.read(4)
    assert number == struct.pack(">i", 8)
    # The answer to what follows is that of the next turn: the late table is dropped.
    client.socket.sendall(packed(empty()))
    while True:
        client.read_table()
        assert client.read_number() == 0
        hand = client.read_table()
        if hand[5][2]:
            return empty()


def half(client: RawClient) -> Table | None:
    client.socket.sendall(packed(empty())[:200])
    assert client.read(4) == struct.pack(">i", 8)
    client.socket.sendall(packed(empty())[200:])
    while True:
        client.read_table()
        assert client.read_number() == 0
        hand = client.read_table()
        if hand[5][2]:
            return empty()


def garbage(client: RawClient) -> Table | None:
    return [[20070] * 15 for _ in range(8)]


def closed(client: RawClient) -> Table | None:
    return None


@pytest.mark.parametrize("takes_chair", [False, True], ids=["turn", "seat"])
@pytest.mark.parametrize(
    ("name", "fault"),
    [("silence", silence), ("half a table", half), ("garbage", garbage), ("closed", closed)],
)
def test_a_fault_costs_a_turn_or_the_seat(
    name: str, fault: Callable[[RawClient], Table | None], takes_chair: bool
) -> None:
    rule = DaifugoPlayer("rule")
    played, faults, _, _ = served(
        [rule, rule, RawClient, rule, rule],
        until(fault),
        games=GAMES,
        limit_s=0.15,
        takes_chair=takes_chair,
    )
    alone = _native.daifugo_games([rule] * 5, seed=7, first=0, count=GAMES, seat_period=3, rank_period=100)
    assert played.ranks.shape == (GAMES, 5)
    assert np.array_equal(played.seats, alone.seats)
    assert not faults[:, [0, 1, 3, 4]].any()
    blamed = np.flatnonzero(faults[:, 2])
    assert faults[blamed[0], 2] == FAULTS[name]
    ends = played.record_ends.tolist()
    passes = [
        sum(
            not cards
            for seat, cards in zip(
                played.record_seats[begin:end].tolist(), played.record_cards[begin:end].tolist(), strict=True
            )
            if seat == played.seats[game, 2]
        )
        for game, (begin, end) in enumerate(zip([0, *ends], ends, strict=False))
    ]
    turns = [
        int((played.record_seats[begin:end] == played.seats[game, 2]).sum())
        for game, (begin, end) in enumerate(zip([0, *ends], ends, strict=False))
    ]
    later = range(blamed[0] + 1, GAMES)
    if takes_chair:
        # A random player passes only where it can do nothing else.
        assert any(passes[game] < turns[game] for game in later)
    else:
        assert all(passes[game] == turns[game] for game in later)
    if takes_chair:
        assert len(blamed) == 1


def test_a_seed_gives_the_same_deals() -> None:
    """Without ranks hands are those of the seed whoever plays and whatever goes wrong."""
    deals = []
    for talk in (until(closed), until(garbage)):
        played, _, _, _ = served([RawClient] * 5, talk, games=3, limit_s=0.2, rank_period=1)
        deals.append(played.dealt)
    alone = _native.daifugo_games(
        [DaifugoPlayer("random")] * 5, seed=7, first=0, count=3, seat_period=3, rank_period=1, records=True
    )
    assert np.array_equal(deals[0], alone.dealt)
    assert np.array_equal(deals[1], alone.dealt)


def test_all_may_leave() -> None:
    played, faults, _, _ = served([RawClient] * 5, lambda client: client.socket.close(), games=4)
    assert (faults == 4).any()
    assert sorted(played.ranks[3].tolist()) == [0, 1, 2, 3, 4]


def test_who_does_not_read_is_closed() -> None:
    """Nothing piles up: what is not taken in time closes the connection."""
    rule = DaifugoPlayer("rule")

    def join(port: int) -> RawClient:
        client = RawClient(port)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        return client

    played, faults, _, _ = served(
        [rule, rule, join, rule, rule], lambda client: None, games=3, limit_s=0.05, takes_chair=True
    )
    assert len(played.ranks) == 3
    assert faults[:, 2].any()


def test_who_sends_byte_by_byte_is_not_waited_for() -> None:
    rule = DaifugoPlayer("rule")

    def drips(client: RawClient) -> None:
        with contextlib.suppress(OSError):
            while True:
                client.socket.sendall(b"\0")
                time.sleep(0.02)

    begin_s = time.monotonic()
    _, faults, _, _ = served(
        [rule, rule, RawClient, rule, rule], drips, games=3, limit_s=0.1, takes_chair=True
    )
    assert FAULTS["half a table"] in faults[:, 2].tolist()
    # A whole table would take 9.6 s.
    assert_soon(begin_s, 5)


def test_who_reads_byte_by_byte_is_not_waited_for() -> None:
    rule = DaifugoPlayer("rule")

    def sips(client: RawClient) -> None:
        def passes() -> None:
            with contextlib.suppress(OSError):
                while True:
                    client.socket.sendall(packed(empty()))

        with threads([passes]):
            with contextlib.suppress(OSError):
                while client.socket.recv(400):
                    time.sleep(0.02)
            with contextlib.suppress(OSError):
                client.socket.shutdown(socket.SHUT_RDWR)

    def join(port: int) -> RawClient:
        client = RawClient(port)
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        return client

    begin_s = time.monotonic()
    played, faults, _, _ = served([rule, rule, join, rule, rule], sips, games=100, write_limit_s=0.2)
    assert len(played.ranks) == 100
    assert FAULTS["closed"] in faults[:, 2].tolist()
    # What it is sent in these games would take it minutes.
    assert_soon(begin_s, 10)


def test_broken_tables_at_the_server() -> None:
    assert throw_at_server(games=300) > 8_000


@pytest.mark.parametrize("kind", ["rule", "mc"])
def test_broken_tables_at_a_client(kind: str) -> None:
    throw_at_client(kind, tables_count=20_000)


def test_a_client_at_what_is_no_server() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]

    def answers(data: bytes) -> Callable[[], None]:
        def run() -> None:
            peer, _ = server.accept()
            with peer:
                peer.recv(480, socket.MSG_WAITALL)
                peer.sendall(data)

        return run

    for data, error in ((b"HTTP", "1213486160, which means nothing"), (b"\0\0", "closed")):
        with threads([answers(data)]), pytest.raises(ConnectionError, match=error):
            DaifugoUecdaGuest("127.0.0.1", port, "x", DaifugoPlayer("rule"), **JOIN)
    end = struct.pack(">i", 2) + packed(profile("x")) * 3 + struct.pack(">i", 3)
    with threads([answers(end)]), pytest.raises(ConnectionError, match="sent 3, which means nothing"):
        DaifugoUecdaGuest("127.0.0.1", port, "x", DaifugoPlayer("rule"), **JOIN).play()
    with pytest.raises(TimeoutError, match="silent"):
        DaifugoUecdaGuest("127.0.0.1", port, "x", DaifugoPlayer("rule"), seed=1, first=0, patience_s=0.1)
    server.close()
    with pytest.raises(ConnectionError):
        DaifugoUecdaGuest("127.0.0.1", port, "x", DaifugoPlayer("rule"), **JOIN)
