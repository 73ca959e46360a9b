"""How fast the site is, in a real browser and before a real server (``make bench``).

A page's first paint is what the browser says of it (first contentful paint, from the start of the navigation); a step
of a replay is from the key to the page laid out anew; the explorer's answer is a request of a program. Of each the
median and the most of some tries, in ms.

    PYTHONPATH=tests/pages:tests/pipeline bench_pages.py [--tries 9]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from browsing import Browser, served
from sights import make_runs, sights

PAINT = """
const done = arguments[0];
new PerformanceObserver((list) => done(list.getEntriesByName("first-contentful-paint")[0].startTime))
  .observe({ type: "paint", buffered: true });
"""
STEPS = """
const times = [];
for (const key of ["Home", ...Array(60).fill("ArrowRight")]) {
  const begin = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  document.body.getBoundingClientRect();
  times.push(performance.now() - begin);
}
return times;
"""


def tell(what: str, times_ms: Sequence[float]) -> None:
    """A line of JSON."""
    found = {
        "what": what,
        "n": len(times_ms),
        "median_ms": statistics.median(times_ms),
        "most_ms": max(times_ms),
    }
    print(json.dumps(found | {"load": os.getloadavg()[0]}), flush=True)


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=9)
    tries = parser.parse_args().tries
    with tempfile.TemporaryDirectory() as folder:
        os.environ["YAMAFUDA_RESULTS"] = str(Path(folder) / "results")
        (Path(folder) / "results").mkdir()
        pages = sights(make_runs())
        browser = Browser()
        with served(Path(folder)) as (browser.home, _):
            for name in ("runs", "run", "items", "klondike", "superpuzz", "daifugo", "explorer"):
                browser.open(pages[name])
                paints = []
                for _ in range(tries):
                    browser.open("/static/icon.svg")
                    browser.open(pages[name])
                    paints.append(float(browser.driver.execute_async_script(PAINT)))
                tell(f"first paint of {name}", paints)
            browser.open(pages["klondike"])
            browser.wait(lambda: browser.one("#replay").get_attribute("data-ready") is not None)
            tell("a step of a replay", browser.driver.execute_script(STEPS))
            browser.open(pages["explorer"])
            address = browser.driver.current_url
            answers = []
            for _ in range(3 * tries):
                begin_s = time.perf_counter()
                urllib.request.urlopen(address).read()
                answers.append(1e3 * (time.perf_counter() - begin_s))
            tell("an answer of the explorer", answers)
        browser.close()


if __name__ == "__main__":
    main()
