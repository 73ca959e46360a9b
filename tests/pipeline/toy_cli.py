"""``yamafuda`` with the toy engines: python toy_cli.py ARGS."""

from __future__ import annotations

import sys
from pathlib import Path

from engines.base import ENGINES
from pipeline.cli import main

sys.path.insert(0, str(Path(__file__).parent))
ENGINES |= {"toy_sweep": "toy:ToySweep", "toy_table": "toy:ToyTable"}

if __name__ == "__main__":
    main()
