"""A store that is down, slow, busy or refuses credentials in the midst of a run; what comes out is the serial runner's.

Each test prints a line, see ``check_hosts.py``.
"""

from __future__ import annotations

import time

import pytest
from hosts import lacking
from runs import SWEEP, TABLE, Job, wait_until
from stories import Site, Story

pytestmark = [
    pytest.mark.skipif(bool(lacking()), reason=lacking()),
    pytest.mark.parametrize("site", ["bucket"], indirect=True),
]
DOWN_S = 30.0


@pytest.mark.parametrize("job", [SWEEP, TABLE], ids=lambda job: job.name)
def test_nothing(site: Site, job: Job) -> None:
    story = Story(site, f"well-{job.name}", job)
    before = site.store.counts()
    driver = story.driver()
    assert driver.end() == 0, driver.said()
    counts = {name: count - before.get(name, 0) for name, count in site.store.counts().items()}
    story.close(f"nothing: requests {counts}")


@pytest.mark.parametrize("job", [SWEEP, TABLE], ids=lambda job: job.name)
def test_it_is_down(site: Site, job: Job) -> None:
    story = Story(site, f"down-{job.name}", job)
    driver = story.driver()
    wait_until(story.has_begun, "the first unit")
    at_s = story.elapsed_s
    site.store.become("down")
    time.sleep(DOWN_S)
    assert driver.is_at_work, driver.said()
    site.store.become("well")
    assert driver.end() == 0, driver.said()
    story.close(f"the store down at {at_s:.0f} s, for {DOWN_S:.0f} s")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("slow", "each request 0.2 s late"),
        ("tenth", "each tenth request refused with 503"),
        ("unanswered", "each tenth request done and not answered"),
    ],
)
@pytest.mark.parametrize("job", [SWEEP, TABLE], ids=lambda job: job.name)
def test_it_is_in_trouble(site: Site, job: Job, word: str, told: str) -> None:
    story = Story(site, f"{word}-{job.name}", job)
    site.store.become(word)
    driver = story.driver()
    assert driver.end() == 0, driver.said()
    site.store.become("well")
    story.close(f"the store: {told}")


def test_it_refuses_credentials(site: Site) -> None:
    """The driver ends and says so; with credentials that are good the same command goes on."""
    story = Story(site, "refused", SWEEP)
    driver = story.driver()
    wait_until(story.has_begun, "the first unit")
    at_s = story.elapsed_s
    site.store.become("refused")
    begin_s = time.monotonic()
    assert driver.end() == 2, driver.said()
    noticed_s = time.monotonic() - begin_s
    line = driver.said().splitlines()[-1]
    assert line.startswith("yamafuda: s3://"), line
    assert "credentials" in line
    secrets = [site.store.environment[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")]
    assert not any(secret in driver.said() for secret in secrets)
    site.store.become("well")
    driver = story.driver()
    assert driver.end() == 0, driver.said()
    story.close(f"the store refused credentials at {at_s:.0f} s; the driver ended {noticed_s:.0f} s later")
