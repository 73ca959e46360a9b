"""What runs ask of Google Cloud Storage, answered by a thread: its conditions are generations, not tags."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

PAGE_COUNT = 1000


class _Objects(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.contents: dict[str, bytes] = {}
        self.generations: dict[str, int] = {}
        self.last_generation = 1000
        self.lock = threading.Lock()


class _Handler(BaseHTTPRequestHandler):
    server: _Objects
    protocol_version = "HTTP/1.1"

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        condition = self.headers.get("x-goog-if-generation-match")
        with self.server.lock:
            # Others' conditions are passed over, as Google does with If-Match on writes.
            if condition is not None and int(condition) != self.server.generations.get(self._name, 0):
                self._answer(412)
                return
            self.server.last_generation += 1
            self.server.contents[self._name] = data
            self.server.generations[self._name] = self.server.last_generation
            self._answer(200, **self._told())

    def do_GET(self) -> None:
        with self.server.lock:
            if not self._name:
                self._answer(200, self._list())
            elif self._name not in self.server.contents:
                self._answer(404)
            else:
                data, status = self.server.contents[self._name], 200
                headers = {**self._told(), "Last-Modified": formatdate(time.time(), usegmt=True)}
                if asked := self.headers.get("Range"):
                    begin, _, last = asked.removeprefix("bytes=").partition("-")
                    whole, status = len(data), 206
                    data = data[int(begin) : int(last) + 1]
                    headers["Content-Range"] = f"bytes {begin}-{int(begin) + len(data) - 1}/{whole}"
                self._answer(status, data, **headers)

    do_HEAD = do_GET  # noqa: N815

    def do_DELETE(self) -> None:
        with self.server.lock:
            found = self.server.contents.pop(self._name, None)
            self.server.generations.pop(self._name, None)
            self._answer(404 if found is None else 204)

    @property
    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/").partition("/")[2]

    def _told(self) -> dict[str, str]:
        tag = hashlib.md5(self.server.contents[self._name]).hexdigest()
        return {"ETag": f'"{tag}"', "x-goog-generation": str(self.server.generations[self._name])}

    def _list(self) -> bytes:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        prefix = asked.get("prefix", "")
        after = max(asked.get("start-after", ""), asked.get("continuation-token", ""))
        names = sorted(name for name in self.server.contents if name.startswith(prefix) and name > after)
        page, rest = names[:PAGE_COUNT], names[PAGE_COUNT:]
        entries = "".join(
            f"<Contents><Key>{escape(name)}</Key><Size>{len(self.server.contents[name])}</Size>"
            "<LastModified>2026-01-01T00:00:00Z</LastModified>"
            f"<ETag>{hashlib.md5(self.server.contents[name]).hexdigest()}</ETag></Contents>"
            for name in page
        )
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if rest else ""
        return f"<ListBucketResult>{entries}{token}</ListBucketResult>".encode()

    def _answer(self, status: int, data: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *values: object) -> None:
        """Nothing is printed."""


@contextlib.contextmanager
def google_server(monkeypatch: pytest.MonkeyPatch, key: Path) -> Iterator[str]:
    """A store until the block ends; its URL. ``key`` becomes a service account's file that leads there."""
    server = _Objects()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    account = {
        "gcs_base_url": f"http://127.0.0.1:{server.server_port}",
        "disable_oauth": True,
        "client_email": "",
        "private_key": "",
        "private_key_id": "",
    }
    key.write_text(json.dumps(account))
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT", str(key))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")  # with one of http, http is spoken to all
    try:
        yield "gs://bucket"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
