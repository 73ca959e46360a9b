"""``python -m pipeline``: the command line without its script."""

from __future__ import annotations

import sys
from pathlib import Path

# Python has put the working folder first on its path; a package in it may have the name of one of ours.
if Path(sys.path[0]).resolve() != Path(__file__).resolve().parents[1]:
    del sys.path[0]

from pipeline.cli import main

if __name__ == "__main__":
    main()
