"""A Ray cluster of one node with a dashboard, where the package is not: what a user of a cluster finds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from clusters import free_port
from patience import PATIENCE_S

TOKEN = "for-tests-of-tokens-0123456789abcdef0123456789abcdef"
DASHBOARD_PACKAGES = Path(sys.prefix) / "dashboard"
"""What Ray's dashboard needs, which no other part of the tests does (``make`` puts it there)."""


@dataclass(frozen=True)
class Dashboard:
    """A head that is up."""

    url: str
    address: str
    """HOST:PORT of the head itself."""
    environment: dict[str, str]
    """Of a command that is let in."""

    @property
    def word(self) -> str:
        """What ``yamafuda submit`` is told to go there."""
        return f"cluster.address={self.url}"


def bare_environment(folder: Path) -> Path:
    """Make an environment that has our dependencies and not our package; its Python."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    here = next(path for path in sys.path if path.endswith("site-packages"))
    # Added at the end, where no pth file is read: the package that is installed for development is in one.
    lines = "".join(f"import sys; sys.path.append({path!r})\n" for path in (here, str(DASHBOARD_PACKAGES)))
    (site / "dependencies.pth").write_text(lines)
    return folder / "bin" / "python"


@contextmanager
def started_dashboard(folder: Path) -> Iterator[Dashboard]:
    """Start a head with two processors in an environment without the package, which lets in who has ``TOKEN``."""
    python = bare_environment(folder / "env")
    port, dashboard, *others = (free_port() for _ in range(4))
    words = [
        *("start", "--head", "--block", f"--port={port}", "--num-cpus=2", "--object-store-memory=100000000"),
        *("--include-dashboard=true", f"--dashboard-port={dashboard}"),
        *(f"--dashboard-agent-listen-port={others[0]}", f"--metrics-export-port={others[1]}"),
    ]
    environment = os.environ | {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": TOKEN,
        "RAY_USAGE_STATS_ENABLED": "0",
    }
    process = subprocess.Popen(
        [python, "-c", "from ray.scripts.scripts import main; main()", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"},
    )
    found = Dashboard(f"http://127.0.0.1:{dashboard}", f"127.0.0.1:{port}", environment)
    try:
        deadline_s = time.monotonic() + PATIENCE_S
        while not _answers(found.url):
            assert process.poll() is None
            assert time.monotonic() < deadline_s
            time.sleep(0.2)
        yield found
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _answers(url: str) -> bool:
    """Whether jobs can be listed, which is the last thing to come up."""
    request = urllib.request.Request(f"{url}/api/jobs/", headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False
