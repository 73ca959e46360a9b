"""Holds what ``--dry-run`` foretells against runs of small instances of all jobs: ``make check-estimates``.

Time is processor time, so that other work on the machine counts little; estimates are for a core as those that the
figures of pages were measured on. Exit status 1 when one is not within a factor of two.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile

from estimates import QUICK, SLOW, compared

FACTOR = 2.0


def main() -> int:
    """Compare all, or those whose words have one of the arguments in them."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name in ("YAMAFUDA_RESULTS", "YAMAFUDA_TABLES", "YAMAFUDA_SCRATCH"):
            os.environ.pop(name, None)
        for words in QUICK + SLOW:
            if len(sys.argv) > 1 and not any(text in words for text in sys.argv[1:]):
                continue
            found = compared(words)
            verdict = "" if found.is_within(FACTOR) else f"  not within {FACTOR:g}"
            failures += bool(verdict)
            print(
                f"{words}: {found.core_s:.2f} s; foretold time {found.time:.2f}, disk {found.disk:.2f}, "
                f"items {found.items:.2f} times as much{verdict}",
                flush=True,
            )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
