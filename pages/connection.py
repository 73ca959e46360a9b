"""Connections of the server: one that takes too long to send its request is closed, to leave room for others."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ASKING_S = 10.0
"""Seconds from the connection, or the beginning of a request, to the request's end."""


class Connection(H11Protocol):
    """One connection."""

    _hanging_up: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Of the base class."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Of the base class."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Of the base class."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._hanging_up is None:
            self._hanging_up = self.loop.call_later(ASKING_S, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._hanging_up is not None:
            self._hanging_up.cancel()
            self._hanging_up = None
