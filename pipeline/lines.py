"""A file of lines that a driver writes as things happen.

In a folder lines are appended. An object store cannot append, so the whole file is written again, as often as that
takes a small share of the driver's time.
"""

from __future__ import annotations

import contextlib
from io import FileIO

from pipeline.pace import Pace
from storage.errors import DiskFullError
from storage.place import ObjectPath, Place
from storage.publish import write_unsynced


class Lines:
    """The lines of one file. A full disk, a power cut or a killed driver may lose some of them, so nothing may
    depend on them alone."""

    def __init__(self, path: Place, content: bytes = b"") -> None:
        """``content``: what is there already; if its last line was cut short, a newline ends it."""
        self._path = path
        self._stream: FileIO | None = None
        self._whole = bytearray(content)
        self._is_written = True
        self._is_cut = bool(content) and not content.endswith(b"\n")
        self._pace = Pace()
        self.size_bytes = len(content)

    def add(self, line: bytes) -> None:
        """Write a line, which has no newline."""
        data = b"\n" * self._is_cut + line + b"\n"
        self._is_cut = False
        self.size_bytes += len(data)
        if isinstance(self._path, ObjectPath):
            self._whole += data
            self._is_written = False
            if self._pace.is_due():
                self._put()
            return
        try:
            if self._stream is None:
                self._stream = FileIO(str(self._path), "ab")
            self._is_cut = self._stream.write(data) < len(data)
        except OSError:
            self._is_cut = True

    def replace(self, content: bytes) -> None:
        """Replace all lines."""
        self.close()
        self._whole, self.size_bytes = bytearray(content), len(content)
        with contextlib.suppress(OSError, DiskFullError):
            write_unsynced(self._path, content)

    def abandon(self) -> None:
        """Stop writing: the file is another driver's now."""
        self._is_written = True

    def close(self) -> None:
        """Write what is still in memory. Lines may be added afterwards."""
        if not self._is_written:
            self._put()
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _put(self) -> None:
        with self._pace.writing():
            write_unsynced(self._path, bytes(self._whole))
        self._is_written = True
