"""Makes ``uecda_streams.zip``: all bytes of a short match of our clients at our server, in both directions.

    python tests/golden/make_uecda_streams.py

A member ``N.up`` has what player N sent, ``N.down`` what it got.
"""

from __future__ import annotations

import socket
import sys
import threading
import zipfile
from pathlib import Path

from engines import _native
from engines._native import DaifugoGenerator, DaifugoPlayer

sys.path.insert(0, str(Path(__file__).parents[1] / "engines" / "daifugo"))

from uecda_helpers import threads

STREAMS = Path(__file__).with_name("uecda_streams.zip")
GAMES, RANK_PERIOD, SEED = 6, 4, 11


def players() -> list[DaifugoPlayer]:
    """Of several kinds."""
    mc = {"generator": DaifugoGenerator("rand_d"), "playouts": 20, "exchange_playouts": 20}
    return [
        DaifugoPlayer("rule"),
        DaifugoPlayer("random"),
        DaifugoPlayer("mc", **mc),
        DaifugoPlayer("random"),
        DaifugoPlayer("rule"),
    ]


def streams() -> dict[str, bytes]:
    """The bytes by member's name; every call gives the same."""
    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    taps, links, guests = [], [], []
    for number, player in enumerate(players()):
        tap = _Tap(listener.port)
        taps.append(tap)

        def join(port: int = tap.port, player: DaifugoPlayer = player, name: str = f"golden{number}") -> None:
            guests.append(
                _native.DaifugoUecdaGuest(
                    "127.0.0.1", port, name, player, seed=SEED, first=0, patience_s=30.0
                )
            )

        with threads([join]):
            link = listener.accept(number, limit_s=30.0, write_limit_s=30.0)
            assert link is not None
            links.append(link)
    match = _native.DaifugoUecdaMatch(links, last=GAMES - 1, limit_s=30.0, takes_chair=False)
    with threads([lambda guest=guest: [guest.play() for _ in range(GAMES)] for guest in guests]):  # type: ignore[misc]
        match.play(seed=SEED, first=0, count=GAMES, seat_period=3, rank_period=RANK_PERIOD, records=False)
        match.close()
    del guests[:]
    found = {}
    for number, tap in enumerate(taps):
        tap.join()
        found[f"{number}.up"], found[f"{number}.down"] = bytes(tap.up), bytes(tap.down)
    return found


class _Tap:
    """Stands between a client and the server, and keeps what goes through."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.up, self.down = bytearray(), bytearray()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Until both ends are closed."""
        self._thread.join(30)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        client, _ = self._listener.accept()
        server = socket.create_connection(("127.0.0.1", self._server_port))
        with client, server:
            ways = ((client, server, self.up), (server, client, self.down))
            pumps = [threading.Thread(target=_pump, args=way, daemon=True) for way in ways]
            for pump in pumps:
                pump.start()
            for pump in pumps:
                pump.join()


def _pump(source: socket.socket, target: socket.socket, kept: bytearray) -> None:
    while True:
        try:
            data = source.recv(1 << 16)
            if not data:
                target.shutdown(socket.SHUT_WR)
                return
            kept += data
            target.sendall(data)
        except OSError:
            return


def main() -> None:
    """Write the file."""
    with zipfile.ZipFile(STREAMS, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(streams().items()):
            # Without the time, so that the same bytes are the same file.
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    print(f"{STREAMS}: {STREAMS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
