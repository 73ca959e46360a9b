"""The interactive shell of ``yamafuda query``: statements that end in a semicolon, and a few commands."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline.query.catalog import Catalog
from pipeline.query.output import Output
from pipeline.query.schema import schema_of
from pipeline.query.showing import show
from pipeline.roots import all_runs
from storage.errors import UserError

HELP = """\
SQL goes on until a semicolon; Ctrl-C gives a statement up.
Views: runs; JOB has every item of a kind of job once, JOB_rows all rows.
.views        what there is to ask      .schema JOB   columns of a kind of job
.help         this                      .quit         leave, as Ctrl-D does"""
HISTORY_LINES = 10_000
_CLOSED = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*(?:\n|$)|/\*.*?\*/|\$(\w*)\$.*?\$\1\$", re.DOTALL
)
_OPEN = re.compile(r"['\"]|/\*|\$\w*\$")


def run_shell(output: Output, with_unfinished: bool) -> None:
    """Read and answer until the end of the input."""
    with _history():
        text = ""
        while True:
            try:
                text += input("      ...> " if text else "yamafuda> ") + "\n"
                if is_complete(text):
                    asked, text = text, ""
                    if asked.strip() == ".quit":
                        return
                    _answer(asked.strip(), output, with_unfinished)
            except KeyboardInterrupt:
                text = ""
                print(file=sys.stderr)
            except EOFError:
                print(file=sys.stderr)
                return


def is_complete(text: str) -> bool:
    """Whether the input is complete: a statement, a command of the shell, or nothing at all."""
    if not text.strip() or text.lstrip().startswith("."):
        return True
    bare = _CLOSED.sub(" ", text)
    return bare.rstrip().endswith(";") and not _OPEN.search(bare)


def _answer(text: str, output: Output, with_unfinished: bool) -> None:
    """Errors are printed, and do not end the shell."""
    word, _, rest = text.rstrip("; ").partition(" ")
    try:
        if not word:
            return
        if word == ".help":
            print(HELP)
        elif word == ".views":
            print("\n".join(Catalog(all_runs(), with_unfinished).names()))
        elif word == ".schema":
            output.give(schema_of(rest.strip()))
        elif word.startswith("."):
            raise UserError(word, "is none of .help, .views, .schema JOB, .quit")
        else:
            show(text, output, with_unfinished)
    except UserError as error:
        print(f"yamafuda: {' '.join(str(error).split())}", file=sys.stderr)


@contextlib.contextmanager
def _history() -> Iterator[None]:
    """Lines typed before, kept for the next time where possible."""
    import readline

    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    path = Path(state) / "yamafuda" / "query_history"
    with contextlib.suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(HISTORY_LINES)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(path)
