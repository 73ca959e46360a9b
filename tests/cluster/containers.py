"""Containers on this machine: docker with its compose, or podman with podman-compose."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

COMPOSE = Path(__file__).parents[2] / "docker" / "compose.yaml"


class Engine:
    """One of the two; ``settings`` are environment variables for its commands."""

    def __init__(self, project: str, folder: Path, settings: dict[str, str]) -> None:
        has_docker = (
            shutil.which("docker")
            and _succeeds("docker", "compose", "version")
            and _succeeds("docker", "info")
        )
        self.name = "docker" if has_docker else "podman"
        if shutil.which(self.name) is None:
            raise SystemExit("neither docker with its compose nor podman was found")
        podman_compose = str(Path(sys.executable).with_name("podman-compose"))
        self._compose = ["docker", "compose"] if self.name == "docker" else [podman_compose]
        self._project = project
        self._settings = settings
        if self.name == "podman":
            # Its own format of images has no health checks.
            self._settings |= {"BUILDAH_FORMAT": "docker", "CONTAINERS_CONF": str(_limits(folder))}
            self._run([str(Path(__file__).with_name("base_images.sh"))])

    def compose(self, *words: str) -> None:
        """A command of compose, for the project's file."""
        self._run([*self._compose, "-p", self._project, "-f", str(COMPOSE), *words])

    def down(self) -> None:
        """End and remove all containers of the project, its network and its volume."""
        if self.name == "podman":
            # podman-compose forgets those that it scaled up.
            self._run(["podman", "pod", "rm", "--force", "--time=5", f"pod_{self._project}"], is_asked=True)
        self.compose("down", "--volumes")

    def on(self, service: str, *words: str) -> str:
        """What a command in a service's first container prints; SystemExit when it fails."""
        return self._run([self.name, "exec", self.containers(service)[0], *words]).stdout

    def containers(self, service: str) -> list[str]:
        """Names of a service's containers that run."""
        form = ["--format", "{{.Names}}"]
        names = self._run([self.name, "ps", *form, "--filter", f"name={self._project}"]).stdout.split()
        return sorted(name for name in names if service in name[len(self._project) :])

    def is_healthy(self, container: str) -> bool:
        """What the image's health check says."""
        if self.name == "podman":
            # It leaves it to systemd to look regularly.
            return self._run(["podman", "healthcheck", "run", container], is_asked=True).returncode == 0
        told = self._run(["docker", "inspect", container]).stdout
        return bool(json.loads(told)[0]["State"]["Health"]["Status"] == "healthy")

    def _run(self, words: Sequence[str], is_asked: bool = False) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words, env=os.environ | self._settings, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode and not is_asked:
            raise SystemExit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}")
        return done


def _succeeds(*words: str) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def _limits(folder: Path) -> Path:
    """Podman's configuration: no limits above this process's own, and the runtime that knows either kind of cgroups."""
    files = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 1 << 16)
    processes = min(resource.getrlimit(resource.RLIMIT_NPROC)[1], 1 << 14)
    lines = ["[containers]", f'default_ulimits = ["nofile={files}:{files}", "nproc={processes}:{processes}"]']
    if shutil.which("runc"):
        lines += ["[engine]", 'runtime = "runc"']
    place = folder / "containers.conf"
    place.write_text("\n".join(lines) + "\n")
    return place
