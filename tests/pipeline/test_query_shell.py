"""The shell of ``yamafuda query``, typed into from a terminal."""

from __future__ import annotations

import os
import pty
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S, assert_soon
from query_helpers import run_of
from toy_helpers import command

from pipeline.query.shell import is_complete

PROMPT, MORE = "yamafuda> ", "      ...> "


class Typist:
    """Someone at a terminal."""

    def __init__(self, home: Path) -> None:
        self._leader, follower = pty.openpty()
        # Not select(), which takes no descriptor above 1023.
        self._printed = selectors.DefaultSelector()
        self._printed.register(self._leader, selectors.EVENT_READ)
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "TERM": "dumb", "COLUMNS": "80"}
        self.running = subprocess.Popen(
            command("query"),
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(follower)
        self.until(PROMPT)

    def until(self, end: str) -> str:
        """What is printed, to the first ``end``."""
        found, deadline = b"", time.monotonic() + PATIENCE_S
        while not found.endswith(end.encode()):
            assert self._printed.select(max(0.0, deadline - time.monotonic())), found
            found += os.read(self._leader, 1)
        return re.sub(r"\x1b\[[0-9;?]*[a-z]", "", found.decode().replace("\r", ""))

    def types(self, line: str, end: str = PROMPT) -> list[str]:
        """The lines that answer a line, without its echo and the next prompt."""
        os.write(self._leader, f"{line}\n".encode())
        return self.until(end).removesuffix(end).split("\n")[1:-1]

    def press(self, key: bytes) -> None:
        """A key alone."""
        os.write(self._leader, key)

    def interrupts(self) -> None:
        """Ctrl-C, once the shell waits: its line editor loses one that comes after the prompt and before it listens."""
        deadline = time.monotonic() + PATIENCE_S
        looks = 0
        while looks < 3:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            status = Path(f"/proc/{self.running.pid}/stat").read_text()
            looks = looks + 1 if status.rpartition(")")[2].split()[0] == "S" else 0
        self.press(b"\x03")

    def close(self) -> int:
        """Ctrl-D; the exit status."""
        self.press(b"\x04")
        status = self.running.wait(PATIENCE_S)
        self._printed.close()
        os.close(self._leader)
        return status


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def typist(workspace: Path) -> Iterator[Typist]:
    run_of("job=toy_sweep")
    found = Typist(workspace / "state")
    yield found
    if found.running.poll() is None:
        found.running.kill()


def test_statements_and_words(typist: Typist, workspace: Path) -> None:
    assert typist.types("SELECT 1 AS a;") == ["a", "1"]
    assert typist.types("SELECT count(*) AS n", end=MORE) == []
    assert typist.types("FROM toy_sweep -- not; yet", end=MORE) == []
    assert typist.types("WHERE outcome <> ';'; SELECT 2 AS b;") == [" n", "20", "", "b", "2"]
    assert typist.types("SELEC 1;") == ['yamafuda: SQL: Parser Error: syntax error at or near "SELEC"']
    assert typist.types("SET threads = 1;")[0].startswith("yamafuda: SQL: SET: only SELECT")
    assert "toy_sweep_rows" in typist.types(".views")
    assert typist.types(".schema toy_sweep")[-1].split()[:2] == ["steps_count", "BIGINT"]
    assert typist.types(".schema nothing")[0].startswith(
        "yamafuda: schema: there is no kind of job 'nothing'"
    )
    assert typist.types(".what")[0] == "yamafuda: .what: is none of .help, .views, .schema JOB, .quit"
    assert any(".quit" in line for line in typist.types(".help"))
    assert typist.types("") == []
    assert typist.close() == 0
    lines = (workspace / "state" / "yamafuda" / "query_history").read_text().splitlines()
    assert lines[0] == "SELECT 1 AS a;"
    assert lines[-1] == ".help"


def test_history_goes_on(typist: Typist, workspace: Path) -> None:
    typist.types("SELECT 7 AS seven;")
    assert typist.close() == 0
    again = Typist(workspace / "state")
    again.press(b"\x1b[A")  # upwards
    assert again.types("")[-2:] == ["seven", "    7"]
    again.types(".quit", end="\n")
    assert again.running.wait(PATIENCE_S) == 0


def test_ctrl_c_ends_a_statement_and_not_the_shell(typist: Typist) -> None:
    typist.types("SELECT 1,", end=MORE)
    typist.interrupts()
    typist.until(PROMPT)
    assert typist.types("SELECT 2 AS b;") == ["b", "2"]
    os.write(typist._leader, b"SELECT count(*) FROM range(100000000000) a, range(1000) b;\n")
    time.sleep(1.5)
    begin_s = time.monotonic()
    typist.press(b"\x03")
    typist.until(PROMPT)
    assert_soon(begin_s, 10)
    assert typist.types("SELECT 3 AS c;") == ["c", "3"]
    assert typist.close() == 0


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", True),
        (" \n", True),
        (".views\n", True),
        ("SELECT 1\n", False),
        ("SELECT 1;\n", True),
        ("SELECT 1; -- done\n", True),
        ("SELECT 1 -- done;\n", False),
        ("SELECT ';\n", False),
        ("SELECT ''';';\n", True),
        ("SELECT ''';\n", False),
        ('SELECT "a;\n', False),
        ('SELECT 1 AS "a;" ;\n', True),
        ("SELECT /* ; */ 1\n", False),
        ("SELECT /* ' */ 1;\n", True),
        ("SELECT /* 1;\n", False),
        ("SELECT $$;\n", False),
        ("SELECT $$;$$;\n", True),
        ("SELECT $a$;$$;\n", False),
        ("SELECT '--' ;\n", True),
    ],
)
def test_where_a_statement_ends(text: str, complete: bool) -> None:
    assert is_complete(text) == complete
