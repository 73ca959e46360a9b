"""What commands and jobs of the network protocol have in common; nothing here takes time to import."""

from __future__ import annotations

from enum import StrEnum

LOOPBACK = "127.0.0.1"
PORT = 42485
"""Of the contest's server."""
NAME_LETTERS = 15
"""Of what a client calls itself."""


class Lost(StrEnum):
    """What a connection loses by silence, half a table, or garbage. Who closes it loses its seat either way."""

    turn = "turn"
    """It passes; who is gone passes ever after."""
    seat = "seat"
    """A random player has the seat from then on."""
