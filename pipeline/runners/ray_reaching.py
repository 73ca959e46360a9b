"""Checks before a cluster is joined: Ray itself would try for minutes and report at length."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray._raylet
import ray.exceptions

from pipeline.runners.token import refusal
from storage.errors import UserError

REACH_S = 10.0
"""Seconds to wait for a cluster's head that does not answer."""


def check_address(address: str) -> None:
    """UserError at once where Ray would try to reach HOST:PORT for minutes."""
    if address == "auto":
        return
    if "://" in address:
        raise UserError(
            "cluster.address",
            f"{address!r} is a URL, as yamafuda submit takes it; cluster=address takes HOST:PORT, or auto",
        )
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), REACH_S) as connection:
            if "RAY_USE_TLS" not in os.environ and not _speaks_http2(connection):
                raise UserError(
                    "cluster.address", f"{address} answers, but not as the head of a Ray cluster does"
                )
    except ValueError:
        raise UserError("cluster.address", f"{address!r} is neither HOST:PORT nor auto") from None
    except OSError as error:
        raise UserError(
            "cluster.address", f"{address} cannot be reached: {error.strerror or error}"
        ) from error


def _speaks_http2(connection: socket.socket) -> bool:
    """Whether the answer begins as gRPC does: with settings, a frame of type 4 (RFC 9113, section 3.4)."""
    connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
    try:
        return connection.recv(9)[3:4] == b"\4"
    except TimeoutError:
        return False


def check_token(address: str) -> None:
    """UserError when the head refuses the token, or wants one and there is none; other errors show when the cluster
    is joined."""
    if address == "auto":
        return
    raylet: Any = ray._raylet
    with _quiet():
        try:
            raylet.GcsClient(address=address)
        except ray.exceptions.AuthenticationError:
            raise UserError("cluster.address", refusal()) from None
        except (ray.exceptions.RayError, RuntimeError, ValueError):
            pass


@contextmanager
def _quiet() -> Iterator[None]:
    """While inside nothing is written to stderr, not even by Ray's own code."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def refused(error: BaseException) -> str:
    """Why a cluster cannot be joined, in words."""
    found = re.findall(r"Ray: (\S+)\s+Python: (\S+)", str(error))
    if "Version mismatch" in str(error) and len(found) == 2:
        (ray_there, python_there), (ray_here, python_here) = found
        return (
            f"the cluster has Ray {ray_there} and Python {python_there}, and here are Ray {ray_here} and Python "
            f"{python_here}; they must be the same"
        )
    return f"{one_line(error)}; is its token, or RAY_AUTH_MODE, set here as it is there?"


def one_line(error: BaseException) -> str:
    """An error's message without line breaks, cut where it is of no more use."""
    return " ".join(str(error).split())[:500]
