"""Programs that play: started with host and port, and ended when their games are over."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
from types import TracebackType
from typing import IO, Self

from storage.errors import UserError

END_S = 5.0
"""How long a program may take to end by itself, and then when it is asked to."""
TOLD_LETTERS = 200
"""Of what it said last."""


class Program:
    """A command line that runs in a process group of its own."""

    def __init__(self, name: str, line: str, host: str, port: int) -> None:
        """UserError naming the command when it cannot be started."""
        self.exit_status: int | None = None
        """How it ended by itself: its status, or minus a signal; None while it runs, or had to be stopped."""
        self.processor_s: float | None = None
        """Its processor time, and that of what it waited for, once it has ended."""
        words = [word.format(host=host, port=port, name=name) for word in shlex.split(line)]
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the program)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
                start_new_session=True,
            )
        except OSError as error:
            self._said.close()
            raise UserError("job.commands", f"{name}: {words[0]}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        self._said.close()

    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        if self.processor_s is None:
            pid, status, used = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self._note(status, used.ru_utime + used.ru_stime)
                self.exit_status = self._process.returncode
        return self.processor_s is not None

    def last_words(self) -> str:
        """The end of what it said on its standard error."""
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, self._said.tell() - TOLD_LETTERS))
        text = self._said.read().decode(errors="replace").strip()
        return "".join(letter for letter in text.rpartition("\n")[2] if letter.isprintable())

    def end(self) -> None:
        """Wait for it to end; who does not is stopped, with all that it started."""
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            until = time.monotonic() + END_S
            while time.monotonic() < until:
                if number is None and self.has_ended():
                    # What it started may be there still.
                    self._signal(signal.SIGKILL)
                    return
                if number is not None and self._was_stopped():
                    return
                time.sleep(0.005)

    def _was_stopped(self) -> bool:
        pid, status, used = os.wait4(self._process.pid, os.WNOHANG)
        if pid:
            self._note(status, used.ru_utime + used.ru_stime)
        return pid != 0

    def _note(self, status: int, processor_s: float) -> None:
        # Popen is told, so that it does not look for the process later.
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self.processor_s = processor_s

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return
