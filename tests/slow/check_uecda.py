"""``make check-uecda``: 100,000 broken tables thrown at the server, and at clients of two kinds."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "engines" / "daifugo"))

from uecda_fuzz import throw_at_client, throw_at_server

TABLES_COUNT = 100_000
TABLES_A_GAME = 30


def main() -> None:
    """Throw them, and say so."""
    begin_s = time.monotonic()
    looked_at = throw_at_server(games=TABLES_COUNT // TABLES_A_GAME + 500)
    assert looked_at >= TABLES_COUNT, looked_at
    print(f"{looked_at:,} tables at the server: {time.monotonic() - begin_s:.0f} s")
    for kind in ("rule", "mc"):
        begin_s = time.monotonic()
        throw_at_client(kind, TABLES_COUNT)
        print(f"{TABLES_COUNT:,} tables at a client ({kind}): {time.monotonic() - begin_s:.0f} s")


if __name__ == "__main__":
    main()
