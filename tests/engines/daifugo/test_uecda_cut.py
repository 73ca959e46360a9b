"""Messages are told apart however their bytes are cut on the way, and wherever they end."""

from __future__ import annotations

import random
import socket
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from uecda_helpers import SIZE, RawClient, served, threads

from engines._native import DaifugoPlayer, DaifugoUecdaGuest

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

import make_uecda_streams as golden

NUMBER = 4


def stream(name: str) -> bytes:
    with zipfile.ZipFile(golden.STREAMS) as archive:
        return archive.read(name)


def send_cut(peer: socket.socket, data: bytes, chance: random.Random) -> None:
    """In pieces that have nothing to do with messages, each on its way before the next."""
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    at = 0
    while at < len(data):
        count = chance.choice((1, 3, 4, 479, 480, 481, 964, 5000))
        peer.sendall(data[at : at + count])
        at += count


def at_server_of(data: bytes, player: DaifugoPlayer, chance: random.Random) -> tuple[int, bytes]:
    """Games that a client plays at a server that sends this and no more, and what it sends itself."""
    got = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            peer, _ = server.accept()
            with peer:
                send_cut(peer, data, chance)
                peer.shutdown(socket.SHUT_WR)
                while some := peer.recv(1 << 16):
                    got.extend(some)

        games = 0
        with threads([serve]):
            guest: DaifugoUecdaGuest | None = None
            try:
                guest = DaifugoUecdaGuest(
                    "127.0.0.1",
                    server.getsockname()[1],
                    "cut",
                    player,
                    seed=golden.SEED,
                    first=0,
                    patience_s=20.0,
                )
                while not guest.is_over:
                    guest.play()
                    games += 1
            except ConnectionError as error:
                assert "closed" in str(error)  # noqa: PT017 (it may come at either call)
            guest = None  # and with it goes its end of the connection
    return games, bytes(got)


@pytest.mark.parametrize("number", range(5))
def test_a_client_gets_pieces(number: int) -> None:
    games, got = at_server_of(stream(f"{number}.down"), golden.players()[number], random.Random(number))
    assert games == golden.GAMES
    up = stream(f"{number}.up")
    # The name is not that of the record.
    assert got[SIZE:] == up[SIZE:]


def test_a_server_gets_pieces() -> None:
    """And all of them before it asks for any."""

    def join(number: int) -> Callable[[int], RawClient]:
        return lambda port: RawClient(port, f"golden{number}")

    def talk(client: RawClient) -> None:
        up, down = stream(f"{client.number}.up"), stream(f"{client.number}.down")
        send_cut(client.socket, up[SIZE:], random.Random(client.number))
        assert client.read(len(down) - NUMBER) == down[NUMBER:]

    _, faults, _, _ = served(
        [join(number) for number in range(5)],
        talk,
        games=golden.GAMES,
        seed=golden.SEED,
        rank_period=golden.RANK_PERIOD,
    )
    assert not faults.any()


def test_a_server_may_go_at_any_byte() -> None:
    """The client ends with what it has: after each message of a game, within each, and before the first."""
    down, chance = stream("3.down"), random.Random(1)
    ends = [0, 1, NUMBER, NUMBER + 1]
    # A game of this player, who is asked now and then: what follows a table is another one or a number.
    ends += [NUMBER + SIZE * turns + extra for turns in range(60) for extra in (0, 4 * turns, 4 * turns + 7)]
    for end in ends:
        games, _ = at_server_of(down[:end], DaifugoPlayer("random"), chance)
        assert games <= 1, end


@pytest.mark.parametrize("is_half", [False, True], ids=["closed", "half a table"])
def test_a_client_may_go_at_any_message(is_half: bool) -> None:
    """Its seat, or a turn, is lost, and the games go on."""
    rule, up = DaifugoPlayer("rule"), stream("3.up")[SIZE:]
    for tables in range(12):

        def talk(client: RawClient, tables: int = tables) -> None:
            client.socket.sendall(up[: SIZE * tables + (200 if is_half else 0)])
            client.socket.shutdown(socket.SHUT_WR)
            while client.socket.recv(1 << 16):
                pass

        played, faults, _, _ = served([rule, rule, rule, RawClient, rule], talk, games=3, seed=golden.SEED)
        assert len(played.ranks) == 3
        assert set(faults[:, 3].tolist()) - {0, 3} == {4}
        assert not faults[:, :3].any()
