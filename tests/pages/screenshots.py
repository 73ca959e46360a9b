"""Pictures of all pages, wide and narrow, light and dark: screenshots.py FOLDER."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from browsing import NARROW, WIDE, Browser, served
from sights import make_runs, sights

LOOKS = {
    "wide": (WIDE, False),
    "narrow": (NARROW, False),
    "wide-dark": (WIDE, True),
    "narrow-dark": (NARROW, True),
}


def main() -> None:
    """Take them."""
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["YAMAFUDA_RESULTS"] = str(Path(folder) / "results")
        (Path(folder) / "results").mkdir()
        pages = sights(make_runs())
        browser = Browser()
        with served(Path(folder)) as (browser.home, _):
            for name, path in pages.items():
                for look, (size, is_dark) in LOOKS.items():
                    browser.look(size, is_dark)
                    browser.open(path)
                    browser.picture(out / f"{name}-{look}.png")
        browser.close()
    print(f"{len(pages) * len(LOOKS)} pictures in {out}")


if __name__ == "__main__":
    main()
