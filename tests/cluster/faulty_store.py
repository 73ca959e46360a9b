"""A store that can be made to fail: an HTTP proxy before it, told by a file what to do with requests.

``python faulty_store.py PORT TARGET_PORT FILE``. The file holds one word, looked at ten times a second: ``well``,
``down`` (connections are refused), ``slow`` (each request waits ``SLOW_S``), ``tenth`` (each tenth is answered with
503), ``unanswered`` (each tenth is passed on, and its connection is closed without an answer) or ``refused`` (all are
answered with 403, as with credentials that have run out). FILE.count has the numbers of requests that were passed on
and failed, FILE.names the objects that were put.

Puts are passed on one at a time: the server behind it (moto) looks and writes in two steps, and stores do not.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import Counter
from pathlib import Path

LOOK_PERIOD_S = 0.1
SLOW_S = 0.2
HEAD_BYTES = 1 << 16
_ANSWERS = {503: ("Service Unavailable", "SlowDown"), 403: ("Forbidden", "ExpiredToken")}


class FaultyStore:
    """The proxy; ``serve`` runs it for ever."""

    def __init__(self, port: int, target_port: int, word: Path) -> None:
        self._port, self._target_port, self._word = port, target_port, word
        self._mode = "well"
        self._counts: Counter[str] = Counter()
        self._open: set[asyncio.StreamWriter] = set()
        self._names: set[str] = set()
        self._one_put = asyncio.Lock()

    async def serve(self) -> None:
        """Follow the file; while the word is ``down`` nobody listens."""
        server = await self._listen()
        while True:
            with contextlib.suppress(FileNotFoundError):
                self._mode = self._word.read_text().strip() or self._mode
            if self._mode == "down" and server.is_serving():
                server.close()
                for writer in list(self._open):
                    writer.transport.abort()
            elif self._mode != "down" and not server.is_serving():
                server = await self._listen()
            self._tell("count", json.dumps(self._counts))
            self._tell("names", "\n".join(sorted(self._names)))
            await asyncio.sleep(LOOK_PERIOD_S)

    def _tell(self, what: str, text: str) -> None:
        """Readers find all of it or the one before."""
        path = self._word.with_name(f"{self._word.name}.{what}")
        new = path.with_name(f"{path.name}.new")
        new.write_text(text)
        new.replace(path)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._connected, "0.0.0.0", self._port, limit=HEAD_BYTES)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests of one connection, one after another."""
        self._open.add(writer)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while await self._request(reader, writer):
                pass
        self._open.discard(writer)
        writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether another may follow."""
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = dict(_field(line) for line in lines if line)
        if fields.get("expect") == "100-continue":
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = await reader.readexactly(int(fields.get("content-length", "0")))
        if self._mode == "slow":
            await asyncio.sleep(SLOW_S)
        status = self._fault()
        method = first.split()[0]
        self._counts[f"{method} {status}" if status else method] += 1
        if status:
            reason, code = _ANSWERS[status]
            text = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{reason}</Message></Error>'
            told = "" if method == "HEAD" else text
            writer.write(f"HTTP/1.1 {status} {reason}\r\nContent-Length: {len(told)}\r\n\r\n{told}".encode())
            await writer.drain()
            return True
        passed_on = [line for line in lines if line and _field(line)[0] not in ("connection", "expect")]
        request = "\r\n".join([first, *passed_on, "Connection: close", "", ""]).encode("latin-1") + body
        async with self._one_put if method == "PUT" else contextlib.nullcontext():
            there_reader, there = await asyncio.open_connection("127.0.0.1", self._target_port)
            there.write(request)
            answer = await there_reader.read()
            there.close()
        if method == "PUT" and answer[9:12] == b"200":
            self._names.add(first.split()[1].partition("?")[0])
        if self._mode == "unanswered" and self._counts["requests"] % 10 == 0:
            self._counts[f"{method} unanswered"] += 1
            return False
        writer.write(answer)
        await writer.drain()
        return False

    def _fault(self) -> int:
        """The status to answer with, 0 to pass the request on."""
        if self._mode == "refused":
            return 403
        self._counts["requests"] += 1
        return 503 if self._mode == "tenth" and self._counts["requests"] % 10 == 0 else 0


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name.strip().lower(), value.strip()


if __name__ == "__main__":
    asyncio.run(FaultyStore(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])).serve())
