"""What homes of shards save: a table on three hosts, its results in a bucket, with homes and with none, in turns."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hosts import lacking
from runs import PROGRAM, TABLE
from stories import Site, Story

ROUNDS = 2
HOMELESS = [sys.executable, str(Path(__file__).parent / "homeless.py")]


@pytest.mark.skipif(bool(lacking()), reason=lacking())
@pytest.mark.parametrize("site", ["bucket"], indirect=True)
def test_fewer_bytes_are_read(site: Site) -> None:
    read_bytes: dict[str, list[int]] = {"homes": [], "no homes": []}
    for number in range(ROUNDS):
        for told, program in (("homes", PROGRAM), ("no homes", HOMELESS)):
            # Copies of another run of the same table would be read as well.
            for host in site.hosts.values():
                host.run("rm", "-rf", "/tmp/scratch")
            story = Story(site, f"{told.replace(' ', '-')}-{number}", TABLE, program)
            driver = story.driver()
            assert driver.end() == 0, driver.said()
            summary = story.close(told)
            moved = ("requests_count", "read_bytes", "written_bytes", "moved_bytes_per_state")
            print("  " + ", ".join(f"{name} {summary[name]:,.0f}" for name in moved), flush=True)
            read_bytes[told].append(summary["read_bytes"])
    assert max(read_bytes["homes"]) < min(read_bytes["no homes"]), read_bytes
