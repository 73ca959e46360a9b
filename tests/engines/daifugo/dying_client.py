"""A program that joins a server of Daihinmin, passes some turns, says something and dies: HOST PORT TURNS STATUS."""

from __future__ import annotations

import sys

from uecda_helpers import RawClient, empty


def main() -> None:
    """Play, then end with STATUS."""
    host, port, turns, status = sys.argv[1:]
    assert host == "127.0.0.1"
    client = RawClient(int(port), "dying")
    client.read_table()
    left = int(turns)
    while left:
        hand = client.read_table()
        if hand[5][2]:
            left -= 1
            client.send(empty())
            client.read_number()
        client.read_table()
        if client.read_number():
            client.read_table()
    print("first\nout of \x1b[1mluck", file=sys.stderr)
    sys.exit(int(status))


main()
