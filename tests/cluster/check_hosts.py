"""Parts of a cluster of three hosts are killed and cut off while it computes; what comes out is the serial runner's.

Each test prints a line: what was done to the run and when, units that were begun twice, and the seconds that it cost.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from hosts import lacking
from runs import LONG, SWEEP, TABLE, TOYS, UNIT, Driver, Job, wait_until
from stories import RAYLET, Site, Story

pytestmark = pytest.mark.skipif(bool(lacking()), reason=lacking())
HALF = 0.5
LAYER = "L11"
"""One of the table's largest."""
JOIN_S = 10.0
LATE_S = 5.0
"""Long enough for a unit that goes on to end."""
CLOCKS = Path(__file__).parent / "clocks"


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
    story.reach(HALF)
    wait_until(lambda: site.hosts["h3"].pids(UNIT), "a unit on h3")
    at_s = story.elapsed_s
    assert site.hosts["h3"].kill_processes(RAYLET) == 1
    assert driver.end() == 0, driver.said()
    story.close(f"a raylet at {at_s:.0f} s")


def test_a_host_in_the_middle_of_a_layer(site: Site) -> None:
    story = Story(site, "host", TABLE)
    driver = story.driver()
    wait_until(lambda: story.has_file(f"exchange/{LAYER}-S"), "the first unit of a layer")
    wait_until(lambda: site.hosts["h3"].pids(UNIT), "a unit on h3")
    at_s = story.elapsed_s
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
    """Wait until it was let go on and more is done since, or it has ended.

    Units that were handed out before are done meanwhile, too.
    """
    wait_until(lambda: "reaching Ray" in driver.said() or not driver.is_at_work, "a driver")
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
    story.reach(0.1)
    wait_until(lambda: site.hosts["h3"].pids(UNIT), "a unit on h3")
    at_s = story.elapsed_s
    site.hosts["h3"].cut()
    time.sleep(cut_s)
    assert driver.is_at_work, driver.said()
    site.hosts["h3"].heal()
    assert driver.end() == 0, driver.said()
    story.close(f"the network of a host at {at_s:.0f} s, for {cut_s} s")
    # Ray may have given it up, which its raylet has not heard yet; without one it gets another.
    site.hosts["h3"].stop_ray()


def test_two_writers(site: Site) -> None:
    """A unit of a host that is cut off ends after it was done elsewhere."""
    story, lost = Story(site, "writers", LONG), site.hosts["h3"]
    driver = story.driver("h2")
    story.reach(0.1)
    found: list[int] = []
    wait_until(lambda: found.extend(lost.pids(UNIT)) or found, "a unit on h3")
    os.kill(found[0], signal.SIGSTOP)
    at_s = story.elapsed_s
    lost.cut()
    assert driver.end() == 0, driver.said()
    os.kill(found[0], signal.SIGCONT)
    time.sleep(LATE_S)
    lost.heal()
    story.close(f"the network of a host at {at_s:.0f} s; its unit ended after the run")
    lost.stop_ray()


def test_the_network_of_the_driver(site: Site) -> None:
    """The command is given again on another host, and the first one comes back while that is at work."""
    story, lost = Story(site, "cut-driver", LONG), site.hosts["h2"]
    first = story.driver("h2")
    at_s = story.reach(0.1)
    lost.cut()
    second, taken_s = take_over(story, "h3")
    assert first.end() == 2, first.said()
    time.sleep(LATE_S)
    lost.heal()
    assert second.end() == 0, second.said()
    story.close(
        f"the network of the driver's host at {at_s:.0f} s; another's took over {taken_s:.0f} s later"
    )
    lost.stop_ray()


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


@pytest.mark.parametrize("jump_s", [3600, -3600])
def test_a_clock_that_jumps(site: Site, jump_s: int) -> None:
    """The clocks of the driver's host and of another one."""
    story, moved = Story(site, f"clock{jump_s}", SWEEP), [site.hosts[name] for name in ("h2", "h3")]
    for host in moved:
        host.environment["PYTHONPATH"] = f"{TOYS}:{CLOCKS}"
        host.stop_ray()
        host.start_ray(site.head)
    driver = story.driver("h2")
    at_s = story.reach(HALF)
    for host in moved:
        host.run("sh", "-c", f"echo {jump_s} > /tmp/clock")
    ahead_s = float(moved[0].run(sys.executable, "-c", "import time; print(time.time())")) - time.time()
    assert abs(ahead_s - jump_s) < LATE_S
    assert driver.end() == 0, driver.said()
    story.close(f"the clocks of two hosts set by {jump_s:+} s at {at_s:.0f} s")
    for host in moved:
        host.run("rm", "/tmp/clock")
        host.environment["PYTHONPATH"] = str(TOYS)
        host.stop_ray()
