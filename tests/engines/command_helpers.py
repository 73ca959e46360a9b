"""The command line in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

Run = Callable[..., tuple[int, str, str]]
"""Runs a command of these words: exit status, standard output, standard error."""


def process(*words: str, **options: Any) -> subprocess.Popen[str]:
    """A process that runs a command of these words."""
    # A shell's background job has SIGINT ignored, and so have its children: here Ctrl-C shall count.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    return subprocess.Popen(
        [sys.executable, "-c", f"{heard}; from pipeline.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
