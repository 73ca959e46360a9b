"""Every byte that the server sends is what the contest's server sends; every detail of the protocol, on raw bytes."""

from __future__ import annotations

import contextlib
import random
import re
import struct
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from patience import assert_soon
from uecda_helpers import (
    Model,
    RawClient,
    Table,
    empty,
    hand_in,
    of_hand,
    of_play,
    packed,
    play_games,
    profile,
    served,
)

from engines import _native
from engines.daifugo import dealing, rules
from engines.daifugo.rules import Field

ROOT = Path(__file__).parents[3]


def careless(chance: random.Random, is_noisy: bool) -> tuple[Any, Any]:
    """A client that plays any play of its hand, legal or not, and leaves numbers in cells that mean nothing."""

    def noise(table: Table) -> Table:
        if not is_noisy:
            return table
        for row, columns in ((5, range(15)), (6, range(15)), (7, range(15))):
            for column in columns:
                if chance.random() < 0.3:
                    table[row][column] = chance.choice((-1, 1, 2, 20070, 1 << 30))
        return table

    def choose(hand: Table, field: Table) -> Table:
        cards = hand_in(hand)
        plays = rules.legal_plays(cards, Field())
        # Small plays are legal more often.
        size = sum(cell > 0 for row in field[:5] for cell in row)
        fitting = [play for play in plays if len(play.cards) == size] or plays
        table = of_play(chance.choice(fitting)) if plays and chance.random() < 0.85 else empty()
        if table[0][14] == 2 and chance.random() < 0.7:
            # A lone joker stands anywhere.
            table[0][14] = 0
            table[chance.randrange(4)][chance.randrange(15)] = 2
        return noise(table)

    def give(hand: Table, count: int) -> Table:
        cards = sorted(hand_in(hand))
        chosen = chance.sample(cards, chance.choice((count, count, count, 3)))
        return noise(of_hand(frozenset(chosen)))

    return choose, give


@pytest.mark.parametrize(("seed", "is_noisy"), [(1, True), (2, True), (3, False)])
def test_all_that_is_sent(seed: int, is_noisy: bool) -> None:
    """Who is not noisy is not waited for where it can only pass; what it sends then counts all the same."""

    def talk(client: RawClient) -> None:
        play_games(client, *careless(random.Random(10 * seed + client.number), is_noisy))

    joins = [lambda port, name=name: RawClient(port, name) for name in ("a", "b", "c", "d", "e")]
    played, faults, refused, clients = served(joins, talk, games=12, seed=seed, rank_period=5)
    assert not faults.any()
    assert refused.sum() > 50
    model = Model([bytes(client.up) for client in clients])
    for game in range(12):
        model.game(played, game, is_last=game == 11)
    assert refused.tolist() == model.refused_counts
    for client in clients:
        told, expected = bytes(client.down), bytes(model.down[client.number])
        assert len(told) == len(expected)
        different = [at for at in range(0, len(told), 4) if told[at : at + 4] != expected[at : at + 4]]
        assert not different, (client.number, different[:10])


def passes_on(client: RawClient) -> None:
    play_games(client, lambda hand, field: empty(), lambda hand, count: empty())


def test_handshake() -> None:
    """A table with the version and the name, answered by one number: who it is, by order."""
    joins = [
        lambda port, name=name: RawClient(port, name) for name in ("ann", "b" * 15, "", "x\x1b[2Jy", "e")
    ]
    _, _, _, clients = served(joins, passes_on, games=1)
    assert [bytes(client.down[:4]) for client in clients] == [
        struct.pack(">i", number) for number in range(5)
    ]
    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    assert listener.accept(0, limit_s=0.05, write_limit_s=1.0) is None
    assert bytes(clients[0].up[:4]) == bytes([0, 0, 0x4E, 0x66])
    assert bytes(clients[0].up[60:72]) == b"\0\0\0a\0\0\0n\0\0\0n"


def test_names_and_versions() -> None:
    import socket
    import threading

    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    sent: list[socket.socket] = []

    def join() -> None:
        for table in (profile("old", 20060), profile("\x1b[2Jone\x07 \x7f")):
            made = socket.create_connection(("127.0.0.1", listener.port))
            made.sendall(packed(table))
            sent.append(made)

    thread = threading.Thread(target=join)
    thread.start()
    link = listener.accept(3, limit_s=20.0, write_limit_s=1.0)
    thread.join()
    assert link is not None
    assert link.name == "[2Jone"
    # Who speaks another version is sent away without a word.
    assert sent[0].recv(4) == b""
    assert sent[1].recv(4) == b"\0\0\0\3"


def test_strangers_hold_nobody_up() -> None:
    """Who connects and is silent, sends what is no table, or half of one."""
    import socket

    rule = _native.DaifugoPlayer("rule")
    strangers: list[socket.socket] = []

    def join(port: int) -> RawClient:
        for data in (b"", b"GET / HTTP/1.1\r\n\r\n", packed(profile("half"))[:479], bytes(480), b"") * 10:
            made = socket.create_connection(("127.0.0.1", port))
            made.sendall(data)
            strangers.append(made)
        return RawClient(port, "late")

    begin_s = time.monotonic()
    _, faults, _, clients = served([rule, rule, join, rule, rule], passes_on, games=1)
    assert_soon(begin_s, 5)
    assert not faults.any()
    assert clients[0].number == 2
    for stranger in strangers:
        # Some wrote what was never read.
        with contextlib.suppress(ConnectionResetError):
            assert stranger.recv(4) == b""
        stranger.close()


def test_silent_strangers_keep_a_newcomer_out() -> None:
    """As docs/uecda.md says; the first of them that is gone lets it in."""
    import socket

    source = (ROOT / "engines/native/src/daifugo/uecda/door.rs").read_text()
    page = " ".join((ROOT / "docs/uecda.md").read_text().split())
    (count,) = map(int, re.findall(r"STRANGERS_MAX: usize = (\d+);", source))
    (patience_s,) = map(int, re.findall(r"PATIENCE: Duration = Duration::from_secs\((\d+)\);", source))
    assert f"No more than {count} such are at the door at a time" in page
    assert f"sent away after {patience_s} seconds" in page
    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    address = ("127.0.0.1", listener.port)
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(address)) for _ in range(count)]
        newcomer = stack.enter_context(socket.create_connection(address))
        newcomer.sendall(packed(profile("late")))
        assert listener.accept(0, limit_s=0.5, write_limit_s=1.0) is None
        silent[0].close()
        link = listener.accept(0, limit_s=20.0, write_limit_s=1.0)
    assert link is not None
    assert link.name == "late"


def test_first_tables_and_order_of_messages() -> None:
    """First table, then hand, answer, field and a number again and again; all that is 0 is so."""
    tables: dict[int, list[Table]] = {}

    def talk(client: RawClient) -> None:
        tables[client.number] = [client.read_table()]
        for _ in range(2):
            hand = client.read_table()
            tables[client.number].append(hand)
            if hand[5][2]:
                client.send(of_play(rules.legal_plays(hand_in(hand), Field())[0]))
                assert client.read_number() in (8, 9)
            tables[client.number].append(client.read_table())
            assert client.read_number() == 0
        client.socket.close()

    played, faults, _, _ = served([RawClient] * 5, talk, games=1)
    assert faults.any()
    seats = np.argsort(played.seats[0]).tolist()
    for player, (first, hand, field, second, _) in tables.items():
        assert first[5] == [1, 0, 0, 6] + [0] * 11
        assert first[6][5:10] == [0] * 5
        assert first[6][10:15] == seats
        assert sorted(first[6][:5]) == [10, 10, 11, 11, 11]
        assert hand_in(first) == hand_in(hand)
        assert first[7] == [0] * 15
        assert hand[5][0] == 0
        assert hand[5][4] == 1
        actor = hand[5][3]
        assert hand[5][2] == int(player == actor)
        assert field[5][3] == actor
        assert field[5][4] == 0
        assert field[6][actor] == first[6][actor] - 1
        assert second[5][3] == seats[(seats.index(actor) + 1) % 5]
        assert (player == actor) == (dealing.DIAMOND_3 in hand_in(first))
