"""A real browser before a real server: Debian's chromium, driven by selenium, and the rules of axe for every page."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

AXE = Path(sys.prefix) / "axe" / "axe_playwright_python" / "axe.min.js"
"""Set up by make."""
WIDE, NARROW = (1200, 800), (360, 740)
LOOK_S = 0.05


def need_browser() -> None:
    """Skip where there is no browser, or no axe; in CI both must be there."""
    lacking = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    lacking += [] if AXE.exists() else ["axe (make test-python sets it up)"]
    if lacking:
        message = f"there is no {' and no '.join(lacking)} here"
        assert os.environ.get("CI") != "true", message
        pytest.skip(message)


@contextmanager
def served(folder: Path, *words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``yamafuda serve`` at work in ``folder``, and the URL that it printed."""
    command = [sys.executable, "-m", "pipeline", "serve", "--port", "0", *words]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_S)


class Browser:
    """One window."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.home = ""
        self.driver.set_page_load_timeout(PATIENCE_S)

    def open(self, path: str) -> None:
        """Go to a page of the site."""
        self.driver.get(self.home.rstrip("/") + path)

    def look(self, size: tuple[int, int], is_dark: bool = False) -> None:
        """The size of the window, and which colours are wanted."""
        width, height = size
        shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == NARROW}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
        wanted = [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wanted})

    def one(self, selector: str) -> WebElement:
        """The element; an error when there is none."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "main") -> str:
        """What is read there."""
        return self.one(selector).text

    def follow(self, words: str) -> None:
        """Click on the link that says this."""
        self.wait(lambda: self.driver.find_element(By.PARTIAL_LINK_TEXT, words).click() is None)

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.wait(lambda: self.one(selector).click() is None)

    def has(self, selector: str) -> bool:
        """Whether there is such an element."""
        return bool(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def wait(self, is_so: Callable[[], Any]) -> None:
        """Until something is so. What is replaced while it is looked at is looked at again."""
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s:
            with suppress(StaleElementReferenceException, NoSuchElementException):
                if is_so():
                    return
            time.sleep(LOOK_S)
        raise AssertionError(self.text("body"))

    def broken_rules(self, *only: str) -> list[str]:
        """What axe finds against the page that is shown, by all its rules or by some."""
        if not self.driver.execute_script("return 'axe' in window"):
            self.driver.execute_script(AXE.read_text())
        self.driver.set_script_timeout(PATIENCE_S)
        asked = {"iframes": False, **({"runOnly": list(only)} if only else {})}
        found = self.driver.execute_async_script(
            "axe.run(document, arguments[0]).then((found) => arguments[1](found.violations))", asked
        )
        return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]

    def complaints(self) -> list[str]:
        """What the browser itself says against pages since it was last asked: refused scripts, failed requests."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(
            self.driver.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
        )

    def picture(self, path: Path) -> None:
        """Write the whole page as PNG."""
        taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})
        path.write_bytes(base64.b64decode(taken["data"]))

    def close(self) -> None:
        """End it."""
        self.driver.quit()
