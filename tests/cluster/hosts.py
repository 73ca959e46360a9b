"""Hosts out of namespaces: each has its own network, processes, name, /tmp and /dev/shm; the rest is read only.

What two hosts share is the network, and one folder where a test gives them one. Needs root, iproute2 and util-linux.
All of it ends with the process that made it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.memory import descendants

REPOSITORY = Path(__file__).resolve().parents[2]
SUBNET = "10.77.0"
START_S = 60.0
END_S = 10.0
SHARED = "/tmp/shared"
"""Where hosts see the folder that they share."""
TMP_BYTES = 2 << 30
_STAGE = Path("/run/yamafuda-hosts")
# Should the tests be killed, the hosts are, too.
_UNSHARE = ["setpriv", "--pdeathsig", "KILL", "unshare", "--fork", "--kill-child", "--net"]


def lacking() -> str:
    """What this machine lacks to make hosts, in words; empty when nothing is."""
    if os.geteuid() != 0:
        return "hosts in namespaces need root"
    absent = [name for name in ("ip", "nsenter", "unshare", "setpriv") if shutil.which(name) is None]
    if absent:
        return f"not installed: {', '.join(absent)} (iproute2, util-linux)"
    made = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True)
    return "" if made.returncode == 0 else f"namespaces are not allowed: {made.stderr.decode().strip()}"


@dataclass
class Host:
    """A host that is up. Paths and process numbers are those of this machine where not said otherwise."""

    name: str
    address: str
    tmp_bytes: int
    shared: Path | None
    logs: Path
    switch: int
    """The process that the bridge lives with."""
    environment: dict[str, str] = field(default_factory=dict)
    _holder: subprocess.Popen[bytes] | None = None
    _init: int = 0

    @property
    def is_up(self) -> bool:
        """Whether it was started and not killed."""
        return self._holder is not None and self._holder.poll() is None

    @property
    def root(self) -> Path:
        """Its files, as this machine finds them."""
        return Path(f"/proc/{self._init}/root")

    def boot(self) -> None:
        """Start it, with a cable to the switch."""
        words = [*_UNSHARE, "--mount", "--pid", "--uts", "--mount-proc", "bash", "-c", self._set_up()]
        with self.log("host").open("ab") as stream:
            self._holder = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stream
            )
        assert self._holder.stdout is not None
        assert self._holder.stdout.readline() == b"up\n", f"{self.name} does not come up"
        self._init = descendants(self._holder.pid)[1]
        # The peer goes at once where it belongs; a cable ends with either of its hosts.
        peer = ["peer", "name", "eth0", "netns", str(self._init)]
        _in_network(self.switch, "link", "add", self.name, "type", "veth", *peer)
        _in_network(self.switch, "link", "set", self.name, "master", "bridge", "up")
        _in_network(self._init, "address", "add", f"{self.address}/24", "dev", "eth0")
        _in_network(self._init, "link", "set", "lo", "up")
        _in_network(self._init, "link", "set", "eth0", "up")

    def _set_up(self) -> str:
        """The shell script that its first process runs."""
        binds = {REPOSITORY: (REPOSITORY, "ro")} if REPOSITORY.is_relative_to("/tmp") else {}
        if self.shared is not None:
            binds[Path(SHARED)] = (self.shared, "rw")
        lines = [
            f"hostname {self.name}",
            "mount -t tmpfs -o size=256m tmpfs /dev/shm",
            f"mkdir -p {_STAGE}",
            f"mount -t tmpfs -o size={self.tmp_bytes} tmpfs {_STAGE}",
        ]
        for seen, (source, mode) in binds.items():
            place = shlex.quote(str(_STAGE / seen.relative_to("/tmp")))
            lines.append(f"mkdir -p {place}; mount --bind {shlex.quote(str(source))} {place}")
            lines.append(f"mount -o remount,bind,{mode} {place}")
        lines += [
            f"mount --rbind {_STAGE} /tmp",
            "mount -o remount,bind,ro /",
            "echo up",
            # A shell as the first process takes in the orphans, which sleep would leave as zombies.
            "mkfifo /tmp/.never; exec 3<>/tmp/.never; while true; do read -r nothing <&3; done",
        ]
        return "set -e\n" + "\n".join(lines)

    def kill(self) -> None:
        """As if it was switched off: its connections are not closed, they are silent."""
        if self._holder is not None:
            _in_network(self.switch, "link", "delete", self.name)
            kill(self._init)
            self._holder.kill()
            self._holder.wait()
            assert self._holder.stdout is not None
            self._holder.stdout.close()
            self._holder = None

    def command(self, *words: str) -> list[str]:
        """A command line that runs ``words`` on it, in /tmp."""
        inside = {"HOME": "/tmp", "TMPDIR": "/tmp", "RAY_AUTH_MODE": "disabled"}
        env = [f"{name}={value}" for name, value in (inside | self.environment).items()]
        enter = ["nsenter", "-t", str(self._init), "--net", "--mount", "--pid", "--uts", "--wd=/tmp"]
        return [*enter, "env", *env, *words]

    def popen(self, *words: str, log: str) -> subprocess.Popen[bytes]:
        """Start a command on it; what it says is in ``logs/NAME-LOG.log``."""
        with self.log(log).open("ab") as stream:
            return subprocess.Popen(
                self.command(*words), stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.STDOUT
            )

    def log(self, name: str) -> Path:
        """The file that a command's output goes to."""
        return self.logs / f"{self.name}-{name}.log"

    def run(self, *words: str) -> str:
        """Run a command on it to its end; its stdout."""
        return subprocess.run(self.command(*words), check=True, capture_output=True, text=True).stdout

    def pids(self, part: str = "") -> list[int]:
        """Its processes but the first whose command line has ``part`` in it."""
        mine = _namespace(self._init)
        assert mine not in ("", _namespace(os.getpid())), f"{self.name} is down"
        return [
            pid
            for pid in _all_pids()
            if pid != self._init and _namespace(pid) == mine and part in _words(pid)
        ]

    def kill_processes(self, part: str) -> int:
        """Kill (-9) its processes with ``part`` in their command line; how many."""
        return sum(map(kill, self.pids(part)))

    def cut(self, other: Host | None = None) -> None:
        """Cut it off from all others, or from one of them alone; what is sent vanishes without a word."""
        if other is None:
            _in_network(self.switch, "link", "set", self.name, "down")
            return
        for here, there in ((self, other), (other, self)):
            nobody = ["lladdr", "02:00:00:00:00:01", "dev", "eth0", "nud", "permanent"]
            _in_network(here._init, "neighbour", "replace", there.address, *nobody)

    def heal(self, other: Host | None = None) -> None:
        """End what ``cut`` did."""
        if other is None:
            _in_network(self.switch, "link", "set", self.name, "up")
            return
        for here, there in ((self, other), (other, self)):
            _in_network(here._init, "neighbour", "delete", there.address, "dev", "eth0")

    def start_ray(self, head: Host | None = None, **options: str) -> None:
        """Start Ray's node with one processor: the head, or one of ``head``'s; returns when it has joined."""
        log = self.log("ray")
        before = log.read_text().count("Ray runtime started") if log.exists() else 0
        role = ["--head", f"--port={RAY_PORT}", "--include-dashboard=false"]
        if head is not None:
            role = [f"--address={head.address}:{RAY_PORT}"]
        given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        words = [*role, f"--node-ip-address={self.address}", "--num-cpus=1", *given, *_RAY_SIZES, "--block"]
        process = self.popen(str(Path(sys.executable).parent / "ray"), "start", *words, log="ray")
        deadline_s = time.monotonic() + START_S
        while log.read_text().count("Ray runtime started") == before:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline_s, log.read_text()
            time.sleep(0.05)

    def stop_ray(self) -> None:
        """Kill (-9) all that runs on it."""
        deadline_s = time.monotonic() + END_S
        while self.kill_processes(""):
            assert time.monotonic() < deadline_s
            time.sleep(0.1)


RAY_PORT = 6379
_RAY_SIZES = ["--object-store-memory=100000000", "--memory=4000000000"]


@contextmanager
def network_of(
    names: Mapping[str, int], logs: Path, shared: Path | None = None, **environment: str
) -> Iterator[dict[str, Host]]:
    """Hosts of these names, with /tmp of so many bytes (0: plenty); the n-th is 10.77.0.n. All are up."""
    with ExitStack() as stack:
        words = [*_UNSHARE, "bash", "-c", "echo up; exec sleep infinity"]
        holder = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        stack.callback(_end, holder)
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"up\n"
        switch = descendants(holder.pid)[1]
        _in_network(switch, "link", "add", "bridge", "type", "bridge")
        _in_network(switch, "link", "set", "bridge", "up")
        hosts: dict[str, Host] = {}
        for number, (name, tmp_bytes) in enumerate(names.items(), 1):
            address = f"{SUBNET}.{number}"
            hosts[name] = Host(name, address, tmp_bytes or TMP_BYTES, shared, logs, switch, dict(environment))
            stack.callback(hosts[name].kill)
            hosts[name].boot()
        yield hosts


def kill(pid: int) -> int:
    """SIGKILL; 1, or 0 when it is gone."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return 0
    return 1


def _end(holder: subprocess.Popen[bytes]) -> None:
    for pid in reversed(descendants(holder.pid)):
        kill(pid)
    holder.wait()


def _in_network(pid: int, *words: str) -> None:
    """``ip`` in the network of a process."""
    subprocess.run(["nsenter", "-t", str(pid), "--net", "ip", *words], check=True)


def _all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _namespace(pid: int) -> str:
    """Of processes; empty when it is gone."""
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:
        return ""


def _words(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
    except OSError:
        return ""
