"""A line of a log: what was said, and of which run, unit and try."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from storage.jsontext import parse_json

TEXT_CHARACTERS = 4096
"""Only the end of a longer text is kept: it has the error of a traceback."""


@dataclass(frozen=True)
class LogLine:
    """One thing that was said; ``text`` may have several lines."""

    run: str
    """Name of the run's folder."""
    text: str
    unit: str = ""
    """Empty for what the driver says of the whole run."""
    tried: int = 0
    """The try of the unit, from 1 on; 0 for the whole run."""
    level: str = "INFO"
    time_s: float = field(default_factory=time.time)
    """Seconds since 1970."""
    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)

    @property
    def is_warning(self) -> bool:
        """Whether it is a warning or worse."""
        return self.level not in ("DEBUG", "INFO")

    def as_text(self) -> str:
        """The text for people and for their tools: each line begins with run, unit and try."""
        fraction = int(self.time_s % 1 * 1000)
        clock = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(self.time_s))}.{fraction:03d}Z"
        of_unit = f" unit={self.unit} try={self.tried}" if self.unit else ""
        head = f"{clock} {self.level} run={self.run}{of_unit} host={self.host} pid={self.pid}"
        return "\n".join(f"{head} {each}" for each in self.text.splitlines() or [""])

    def as_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))


def shortened(text: str) -> str:
    """The text, cut to ``TEXT_CHARACTERS``, with a remark if it was longer."""
    return text if len(text) <= TEXT_CHARACTERS else f"… {text[-TEXT_CHARACTERS:]}"


def lines_of(data: bytes) -> Iterator[LogLine]:
    """The lines in the bytes of a log's file; damaged ones are passed over."""
    for each in data.splitlines():
        try:
            line = LogLine(**parse_json(each))
            line.as_text()
        except (ValueError, TypeError, AttributeError, OverflowError):
            continue
        yield line
