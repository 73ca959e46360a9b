"""Parts of a cluster of three hosts are killed and cut off while it computes; what comes out is the serial runner's.

Each test prints a line: what was done to the run and when, units that were begun twice, and the seconds that it cost.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hosts import SHARED, Host, lacking, network_of
from runs import (
    LONG,
    SWEEP,
    TABLE,
    TOYS,
    UNIT,
    Driver,
    Job,
    check_same,
    run_below,
    run_serially,
    summary_of,
    wait_until,
)

pytestmark = pytest.mark.skipif(bool(lacking()), reason=lacking())
HALF = 0.5
RAYLET = "/raylet/raylet "
JOIN_S = 10.0
LATE_S = 5.0
"""Long enough for a unit that goes on to end."""
FAKE_TIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
"""Of the package libfaketime; it reads the clock's error from a file, once a second here."""
FAKED = {
    "LD_PRELOAD": str(FAKE_TIME),
    "FAKETIME_TIMESTAMP_FILE": "/tmp/clock",
    "FAKETIME_CACHE_DURATION": "1",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
}


@dataclass
class Site:
    """Three hosts with Ray on them: h1 is the head, h2 has the driver where not said otherwise."""

    hosts: dict[str, Host]
    folder: Path
    serial: dict[Job, Future[Path]]
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

    @property
    def results(self) -> Path:
        """The root as this machine sees it."""
        return self.site.folder / self.name

    def driver(self, host: str = "h2", *words: str) -> Driver:
        """Begin the run on a host, or go on with it."""
        place = f"{SHARED}/{self.name}"
        return Driver(self.site.hosts[host], self.site.head, self.job, *words, results=place)

    def done_count(self) -> int:
        """Files of units that are in place."""
        return sum(1 for name in ("part-*.parquet", "*.lmdb") for _ in self.results.rglob(name))

    def reach(self, share: float) -> float:
        """Wait until this share of the units is done; seconds since the beginning."""
        count = share * self.job.units_count
        wait_until(lambda: self.done_count() >= count, f"{count} units of {self.name} done")
        return time.monotonic() - self.begin_s

    def close(self, told: str) -> None:
        """Check what came out, and print the line."""
        elapsed_s = time.monotonic() - self.begin_s
        run = run_below(self.results)
        check_same(run, self.site.serial[self.job].result(), self.job.digest)
        lost_s = elapsed_s - self.site.undisturbed_s.setdefault(self.job, elapsed_s)
        twice = summary_of(run)["units_computed_twice_count"]
        print(f"| {told} | {twice} | {lost_s:.0f} | {elapsed_s:.0f} |", flush=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    apart, logs = tmp_path_factory.mktemp("serial"), tmp_path_factory.mktemp("logs")
    names = {"h1": 0, "h2": 0, "h3": 0}
    with ThreadPoolExecutor() as pool, network_of(names, logs, folder, PYTHONPATH=str(TOYS)) as hosts:
        serial = {job: pool.submit(run_serially, job, apart / job.name) for job in (SWEEP, TABLE, LONG)}
        yield Site(hosts, folder, serial)


@pytest.fixture
def site(built: Site) -> Site:
    """All three hosts up, with Ray."""
    built.mend()
    return built


@pytest.mark.parametrize("job", [SWEEP, TABLE, LONG], ids=lambda job: job.name)
def test_nothing(site: Site, job: Job) -> None:
    story = Story(site, f"nothing-{job.name}", job)
    assert story.driver().end() == 0
    story.close("nothing")


def test_a_worker_process(site: Site) -> None:
    story = Story(site, "worker", SWEEP)
    driver = story.driver()
    at_s = story.reach(HALF)
    wait_until(lambda: site.hosts["h3"].kill_processes(UNIT), "a unit on h3")
    assert driver.end() == 0, driver.said()
    story.close(f"a worker process at {at_s:.0f} s")


def test_a_raylet(site: Site) -> None:
    story = Story(site, "raylet", SWEEP)
    driver = story.driver()
    at_s = story.reach(HALF)
    assert site.hosts["h3"].kill_processes(RAYLET) == 1
    assert driver.end() == 0, driver.said()
    story.close(f"a raylet at {at_s:.0f} s")


def test_a_host_in_the_middle_of_a_layer(site: Site) -> None:
    story = Story(site, "host", TABLE)
    driver = story.driver()
    at_s = story.reach(HALF)
    wait_until(lambda: site.hosts["h3"].pids(UNIT), "a unit on h3")
    site.hosts["h3"].kill()
    assert driver.end() == 0, driver.said()
    story.close(f"a host in a layer of a table at {at_s:.0f} s")


def test_the_driver(site: Site) -> None:
    story = Story(site, "driver", SWEEP)
    driver = story.driver("h2")
    at_s = story.reach(HALF)
    driver.kill()
    driver, taken_s = take_over(story, "h3")
    assert driver.end() == 0, driver.said()
    story.close(f"the driver at {at_s:.0f} s; another host's took over {taken_s:.0f} s later")


def take_over(story: Story, host: str) -> tuple[Driver, float]:
    """Give the same command on another host until it is let go on; the seconds until then."""
    begin_s = time.monotonic()
    while True:
        driver = story.driver(host)
        if goes_on(story, driver):
            return driver, time.monotonic() - begin_s
        assert driver.end() == 2, driver.said()
        assert "is driven by" in driver.said().splitlines()[-1], driver.said()


def goes_on(story: Story, driver: Driver) -> bool:
    """Wait until more is done, or the driver has ended."""
    before_count = story.done_count()
    wait_until(lambda: story.done_count() > before_count or not driver.is_at_work, "work goes on")
    return driver.is_at_work


def test_the_head(site: Site) -> None:
    story = Story(site, "head", SWEEP)
    driver = story.driver("h2")
    at_s = story.reach(HALF)
    site.head.kill()
    begin_s = time.monotonic()
    assert driver.end() == 2, driver.said()
    noticed_s = time.monotonic() - begin_s
    assert "to go on: yamafuda" in driver.said().splitlines()[-1]
    site.mend()
    driver = story.driver("h2")
    assert driver.end() == 0, driver.said()
    story.close(f"the head at {at_s:.0f} s; the driver ended {noticed_s:.0f} s later")


@pytest.mark.parametrize("cut_s", [20, 70])
def test_the_network(site: Site, cut_s: float) -> None:
    story = Story(site, f"cut-{cut_s}", LONG)
    driver = story.driver("h2")
    at_s = story.reach(0.1)
    site.hosts["h3"].cut()
    time.sleep(cut_s)
    assert driver.is_at_work, driver.said()
    site.hosts["h3"].heal()
    assert driver.end() == 0, driver.said()
    story.close(f"the network of a host at {at_s:.0f} s, for {cut_s} s")


def test_two_writers(site: Site) -> None:
    """A unit of a host that is cut off ends after it was done elsewhere."""
    story, lost = Story(site, "writers", LONG), site.hosts["h3"]
    driver = story.driver("h2")
    at_s = story.reach(0.1)
    wait_until(lambda: lost.pids(UNIT), "a unit on h3")
    (late,) = lost.pids(UNIT)
    os.kill(late, signal.SIGSTOP)
    lost.cut()
    assert driver.end() == 0, driver.said()
    os.kill(late, signal.SIGCONT)
    time.sleep(LATE_S)
    lost.heal()
    story.close(f"the network of a host at {at_s:.0f} s; its unit ended after the run")


def test_a_host_that_joins_late(site: Site) -> None:
    story, late = Story(site, "late", LONG), site.hosts["h3"]
    late.stop_ray()
    driver = story.driver("h2")
    story.reach(0.1)
    late.start_ray(site.head)
    work_s = wait_until(lambda: late.pids(UNIT), "a unit on h3")
    assert driver.end() == 0, driver.said()
    story.close(f"a host joined late: it had work {work_s:.1f} s after")
    assert work_s < JOIN_S


def test_a_full_disk(site: Site) -> None:
    """/tmp of one host, where Ray and scratch are."""
    story, full = Story(site, "disk", SWEEP), site.hosts["h3"]
    driver = story.driver("h2")
    at_s = story.reach(0.2)
    full.run("sh", "-c", "cat /dev/zero > /tmp/ballast 2>/dev/null; test -s /tmp/ballast")
    assert driver.end() == 0, driver.said()
    full.run("rm", "/tmp/ballast")
    story.close(f"disk full on a host at {at_s:.0f} s")


@pytest.mark.skipif(not FAKE_TIME.exists(), reason="libfaketime is not installed")
@pytest.mark.parametrize("jump", ["+3600", "-3600"])
def test_a_clock_that_jumps(site: Site, jump: str) -> None:
    """The clocks of the driver's host and of another one jump by an hour, once this way and once that."""
    story, moved = Story(site, f"clock{jump}", SWEEP), [site.hosts[name] for name in ("h2", "h3")]
    for host in moved:
        host.run("sh", "-c", "echo +0 > /tmp/clock")
        host.environment |= FAKED
        host.stop_ray()
        host.start_ray(site.head)
    driver = story.driver("h2")
    at_s = story.reach(HALF)
    for host in moved:
        host.run("sh", "-c", f"echo {jump} > /tmp/clock")
    assert driver.end() == 0, driver.said()
    story.close(f"the clocks of two hosts by {jump} s at {at_s:.0f} s")
    for host in moved:
        for name in FAKED:
            del host.environment[name]
        host.stop_ray()
