"""``yamafuda`` with the toy engines: python toy_cli.py ARGS."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.cli import main

sys.path.insert(0, str(Path(__file__).parent))

if __name__ == "__main__":
    main()
