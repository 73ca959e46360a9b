"""A site of three hosts, and stories of runs on it: what happens to one is told in a line of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hosts import SHARED, Host
from runs import PROGRAM, Driver, Job, check_same, run_below, summary_of, wait_until
from store import BUCKET, StoreHost

RAYLET = "/raylet/raylet "


@dataclass
class Site:
    """Three hosts with Ray on them: h1 is the head, h2 has the driver where not said otherwise."""

    hosts: dict[str, Host]
    store: StoreHost
    folder: Path
    """What they see as their shared folder."""
    begin_serially: Callable[[Job], Future[Path]]
    """Begin to run a job with the serial runner; its run's folder."""
    serial: dict[Job, Future[Path]] = field(default_factory=dict)
    undisturbed_s: dict[tuple[Job, bool], float] = field(default_factory=dict)
    """Of a job whose results go to a folder, or to a bucket (True)."""
    has_bucket: bool = False
    """Results go to the bucket."""

    @property
    def head(self) -> Host:
        """The host that Ray's head is on."""
        return self.hosts["h1"]

    def mend(self) -> None:
        """Start what is down; without a head, Ray is started anew everywhere."""
        for host in self.hosts.values():
            if not host.is_up:
                host.boot()
        if not self.head.pids(RAYLET):
            for host in self.hosts.values():
                host.stop_ray()
            self.head.start_ray()
        for name in ("h2", "h3"):
            if not self.hosts[name].pids(RAYLET):
                self.hosts[name].stop_ray()
                self.hosts[name].start_ray(self.head)


class Story:
    """One run that something happens to."""

    def __init__(self, site: Site, name: str, job: Job, program: Sequence[str] = PROGRAM) -> None:
        self.site, self.name, self.job, self.program = site, name, job, program
        self.begin_s = time.monotonic()
        if job not in site.serial:
            site.serial[job] = site.begin_serially(job)

    def driver(self, host: str = "h2", *words: str) -> Driver:
        """Begin the run on a host, or go on with it."""
        place = f"s3://{BUCKET}/{self.name}" if self.site.has_bucket else f"{SHARED}/{self.name}"
        on, head = self.site.hosts[host], self.site.head
        return Driver(on, head, self.job, *words, results=place, program=self.program)

    def has_file(self, part: str) -> bool:
        """Whether a file was put in place whose name has ``part`` in it."""
        return any(part in name for name in self._names())

    def has_begun(self) -> bool:
        """Whether a unit's file was put in place."""
        return self.has_file("/part-") or self.has_file("/exchange/")

    def done_count(self) -> int:
        """Units of a sweep whose files are in place."""
        return sum("/part-" in name for name in self._names())

    def _names(self) -> Iterator[str]:
        if self.site.has_bucket:
            yield from (name for name in self.site.store.names() if f"/{self.name}/" in name)
        else:
            yield from (str(path) for path in (self.site.folder / self.name).rglob("*.*"))

    @property
    def elapsed_s(self) -> float:
        """Since its beginning."""
        return time.monotonic() - self.begin_s

    def reach(self, share: float) -> float:
        """Wait until this share of the units of a sweep is done; seconds since the beginning."""
        count = share * self.job.units_count
        wait_until(lambda: self.done_count() >= count, f"{count} units of {self.name} done")
        return self.elapsed_s

    def close(self, told: str) -> dict[str, Any]:
        """Check what came out, and print the line; summary.json."""
        elapsed_s = self.elapsed_s
        results = self.site.folder / self.name
        run = run_below(self.site.store.mirror(self.name) if self.site.has_bucket else results)
        check_same(run, self.site.serial[self.job].result(), self.job.digest)
        lost_s = elapsed_s - self.site.undisturbed_s.setdefault((self.job, self.site.has_bucket), elapsed_s)
        summary = summary_of(run)
        twice = summary["units_computed_twice_count"]
        print(f"| {told} | {twice} | {lost_s:.0f} | {elapsed_s:.0f} |", flush=True)
        return summary
