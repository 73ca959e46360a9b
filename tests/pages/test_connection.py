"""Who takes too long to ask is hung up on, and the log says nothing of it."""

from __future__ import annotations

import socket
import threading

import pytest
import uvicorn
from patience import PATIENCE_S

from pages import connection
from pages.guard import Access
from pages.site import make_site
from pages.workshop import Limits

HEAD = (
    b"POST /replay/klondike HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n"
)
FIRST = b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"G", HEAD + b"deal", FIRST + b"G"])
def test_slow_ones(sent: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(connection, "ASKING_S", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            make_site(Access(port), Limits()),
            http=connection.Connection,
            lifespan="off",
            log_level="warning",
            timeout_keep_alive=1,
        )
        server = uvicorn.Server(config)
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        serving.start()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as slow:
                slow.sendall(sent)
                told = b"".join(iter(lambda: slow.recv(1 << 16), b""))
        finally:
            server.should_exit = True
            serving.join()
    assert told.startswith(b"HTTP/1.1 200") if sent.startswith(FIRST) else told == b""
    assert not caplog.records
