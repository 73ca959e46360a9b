"""Shared by commands and jobs of the network protocol; quick to import."""

from __future__ import annotations

from enum import StrEnum

LOOPBACK = "127.0.0.1"
PORT = 42485
"""Of the contest's server."""
NAME_LETTERS = 15
"""Of what a client calls itself."""


class Lost(StrEnum):
    """What a connection loses by silence, half a table, or garbage. A closed connection always loses its seat."""

    turn = "turn"
    """It passes; a player that is gone passes from then on."""
    seat = "seat"
    """A random player has the seat from then on."""
