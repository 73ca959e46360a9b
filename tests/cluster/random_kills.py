"""200 random kills in one run on three hosts: workers, drivers, Ray's nodes, hosts, the head."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest
from hosts import kill as end
from hosts import lacking
from runs import UNIT, Driver, Job
from stories import RAYLET, Site, Story

pytestmark = pytest.mark.skipif(bool(lacking()), reason=lacking())
KILLS_COUNT = 200
SEED = 1
PAUSE_S = 2.0
"""At most, from a unit that is done to the next kill."""
LOOK_S = 0.2
WEIGHTS = {"worker": 60, "driver": 25, "raylet": 9, "host": 5, "head": 1}
JOB = Job(("job=toy_sweep", "job.items=1000", "job.unit_items=1", "job.sleep_s=0.8"), 1000, "content_digest")


def test_random_kills(site: Site) -> None:
    """Between two kills a unit is done: who is killed faster than that gets nowhere."""
    story, chance, killed = Story(site, "kills", JOB), random.Random(SEED), Counter[str]()
    drivers = [story.driver()]
    while killed.total() < KILLS_COUNT:
        before_count = story.done_count()
        while story.done_count() == before_count:
            go_on(story, drivers, chance)
        time.sleep(chance.uniform(0, PAUSE_S))
        (victim,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        killed[victim] += kill(victim, site, drivers[-1], chance)
    while drivers[-1].end() != 0:
        go_on(story, drivers, chance)
    told = ", ".join(f"{count} {name}" for name, count in killed.most_common())
    story.close(f"{killed.total()} random kills ({told}), {len(drivers)} drivers")


def go_on(story: Story, drivers: list[Driver], chance: random.Random) -> None:
    """Look after a moment whether the driver has ended, and give its command again."""
    time.sleep(LOOK_S)
    if not drivers[-1].is_at_work:
        assert drivers[-1].end() != 0, "finished before it was killed so often"
        drivers.append(story.driver(chance.choice(("h2", "h3"))))


def kill(victim: str, site: Site, driver: Driver, chance: random.Random) -> int:
    """Kill something of a kind and have it start again; 0 when there is none at the moment."""
    host = site.hosts[chance.choice(("h2", "h3"))]
    match victim:
        case "worker":
            pids = host.pids(UNIT)
            return end(chance.choice(pids)) if pids else 0
        case "driver":
            if not driver.is_at_work:
                return 0
            driver.kill()
        case "raylet":
            host.kill_processes(RAYLET)
            site.mend()
        case "host":
            host.kill()
            site.mend()
        case "head":
            site.head.kill()
            site.mend()
    return 1
