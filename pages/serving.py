"""The server: a socket, its URL, and whether a token is needed."""

from __future__ import annotations

import ipaddress
import secrets
import socket

import uvicorn

from pages.connection import Connection
from pages.guard import Access
from pages.site import make_site
from pages.workshop import Limits
from yamafuda import UserError

REQUESTS_COUNT = 256
"""Requests at once; others get the answer to come again later."""
LINE_BYTES = 1 << 15
"""Longest first line and headers of a request, in bytes."""


def serve_site(host: str, port: int, limits: Limits) -> None:
    """Print the URL on standard output and serve until interrupted; UserError when the address cannot be used."""
    listening = _listen(host, port)
    bound = listening.getsockname()[1]
    access = Access(bound, "" if is_loopback(host) else secrets.token_urlsafe(32))
    print(url_of(host, access), flush=True)
    config = uvicorn.Config(
        make_site(access, limits),
        log_level="warning",
        access_log=False,
        lifespan="on",
        http=Connection,
        ws="none",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=REQUESTS_COUNT,
        h11_max_incomplete_event_size=LINE_BYTES,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    with listening:
        uvicorn.Server(config).run(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def url_of(host: str, access: Access) -> str:
    """The site's URL for a browser, with the token, which is needed once."""
    name = socket.gethostname() if host.strip("[]") in ("", "0.0.0.0", "::") else host.strip("[]")
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{access.port}/" + (f"?token={access.token}" if access.token else "")


def _listen(host: str, port: int) -> socket.socket:
    name = host.strip("[]")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            name or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=128)
    except OSError as error:
        raise UserError(
            "serve", f"cannot listen at {host}, port {port} ({error.strerror or error})"
        ) from error
