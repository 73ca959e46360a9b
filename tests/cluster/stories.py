"""A site of three hosts, and stories of runs on it: what happens to one is told in a line of a table."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from hosts import SHARED, Host
from runs import Driver, Job, check_same, run_below, summary_of, wait_until

RAYLET = "/raylet/raylet "


@dataclass
class Site:
    """Three hosts with Ray on them: h1 is the head, h2 has the driver where not said otherwise."""

    hosts: dict[str, Host]
    folder: Path
    begin_serially: Callable[[Job], Future[Path]]
    """Begin to run a job with the serial runner; its run's folder."""
    serial: dict[Job, Future[Path]] = field(default_factory=dict)
    undisturbed_s: dict[Job, float] = field(default_factory=dict)

    @property
    def head(self) -> Host:
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

    def __init__(self, site: Site, name: str, job: Job) -> None:
        self.site, self.name, self.job = site, name, job
        self.begin_s = time.monotonic()
        if job not in site.serial:
            site.serial[job] = site.begin_serially(job)

    @property
    def results(self) -> Path:
        """The root as this machine sees it."""
        return self.site.folder / self.name

    def driver(self, host: str = "h2", *words: str) -> Driver:
        """Begin the run on a host, or go on with it."""
        place = f"{SHARED}/{self.name}"
        return Driver(self.site.hosts[host], self.site.head, self.job, *words, results=place)

    def done_count(self) -> int:
        """Units of a sweep whose files are in place."""
        return sum(1 for _ in self.results.rglob("part-*.parquet"))

    @property
    def elapsed_s(self) -> float:
        """Since its beginning."""
        return time.monotonic() - self.begin_s

    def reach(self, share: float) -> float:
        """Wait until this share of the units of a sweep is done; seconds since the beginning."""
        count = share * self.job.units_count
        wait_until(lambda: self.done_count() >= count, f"{count} units of {self.name} done")
        return self.elapsed_s

    def close(self, told: str) -> None:
        """Check what came out, and print the line."""
        elapsed_s = self.elapsed_s
        run = run_below(self.results)
        check_same(run, self.site.serial[self.job].result(), self.job.digest)
        lost_s = elapsed_s - self.site.undisturbed_s.setdefault(self.job, elapsed_s)
        twice = summary_of(run)["units_computed_twice_count"]
        print(f"| {told} | {twice} | {lost_s:.0f} | {elapsed_s:.0f} |", flush=True)
