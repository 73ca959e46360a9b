"""Arguments that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RunName = Annotated[
    str, typer.Argument(metavar="RUN", help="A run's folder, its label, or the beginning of its name or id.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON lines on stdout.")]
ConfigDir = Annotated[
    Path | None, typer.Option("--config-dir", help="A folder of your own with job/, cluster/, paths/.")
]
